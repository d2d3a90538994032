"""
Which model, and how much strength to promise?
==============================================

A supplier promises how strong a concrete mix will be before a sample of it is crushed. Weaker than
promised is expensive, stronger than promised is a lost sale. State both costs, and ``decide`` names
the model and the shift to add to its predictions.
"""

import tempfile
from pathlib import Path

import matplotlib.pyplot as plt

import roctopus as rt
from roctopus.datasets import load_concrete_predictions

concrete = load_concrete_predictions()  # 1,030 samples by I-Cheng Yeh, and four models' predictions
mix = concrete.columns["mix"]  # samples of one mix are alike
comparison = rt.compare(concrete.y_true, concrete.predictions, arm="regression", clusters=mix)

# %%
# Promising too much costs five times as much as promising too little
# --------------------------------------------------------------------
#
# The picture shows how much more each model costs than the best one as the costs change. The
# vertical line marks these costs. The coloured strip along the bottom shows which model is best
# where, and the dashed line is the best model without a shift.

comparison.plot(under_cost=1, over_cost=5)
plt.show()

# %%
# The decision says how sure it is. Its cost is measured out of sample: for each mix, the model and
# the shift were chosen on other mixes.

decision = comparison.decide(under_cost=1, over_cost=5)
print(decision)

# %%
# What each choice is expected to cost
# ------------------------------------
#
# A full dot is a model with its best shift, an open one the same model without it. The grey dot is the
# best constant: the same promise for every mix.

comparison.plot(kind="choices", under_cost=1, over_cost=5)
plt.show()

# %%
# What to do for other costs
# --------------------------
#
# The curves above contain all costs, so you can ask again without computing them again.

for ratio in (0.1, 0.2, 1, 4):
    at = comparison.decide(under_cost=ratio, over_cost=1)
    print(f"{ratio:>4} : 1   {at.model:<9} shift {at.knob[0]:+6.2f}   {at.verdict}")

# %%
# Models at a glance
# ------------------
#
# ``shift`` is the best shift, ``cost`` the expected cost with it, ``raw`` that of the predictions as
# they are, and ``chance`` the probability that the model is the best one.

table = comparison.table(under_cost=1, over_cost=5, backend="pandas")
print(table[["model", "shift", "cost", "raw", "chance"]].round(2).to_string(index=False))

# %%
# Keep it, share it
# -----------------
#
# The decision is a file that you can review and put under version control. The page is one file,
# too: its readers move the costs and see how the answer changes.

with tempfile.TemporaryDirectory() as folder:
    decision.to_json(Path(folder, "decision.json"))
    comparison.to_html(Path(folder, "page.html"), under_cost=1, over_cost=5, unit="MPa")
    print(sorted(file.name for file in Path(folder).iterdir()))
