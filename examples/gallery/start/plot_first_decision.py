"""
Which model, and how many loaves more or less?
==============================================

A bakery bakes tonight what a model forecasts for tomorrow. Each loaf too few loses a sale; each
loaf too many is given away. State both costs, and ``decide`` names the model and the shift to add
to its forecasts.
"""

import tempfile
from pathlib import Path

import matplotlib.pyplot as plt

import roctopus as rt
from roctopus.datasets import load_bakery

bakery = load_bakery()  # demand on 365 days, and five models' forecasts of it
comparison = rt.compare(bakery.y_true, bakery.predictions, arm="regression", time=True)

# %%
# A missing loaf costs four times as much as a spare one
# ------------------------------------------------------
#
# The picture shows how much more each model costs than the best one as the costs change. The
# vertical line marks these costs. The coloured strip along the bottom shows which model is best
# where, and the dashed line is the best model without a shift.

comparison.plot(under_cost=4, over_cost=1)
plt.show()

# %%
# The decision says how sure it is. Its cost is measured out of sample: for each day, the model and the
# shift were chosen on earlier days.

decision = comparison.decide(under_cost=4, over_cost=1)
print(decision)

# %%
# What to do for other costs
# --------------------------
#
# The curves above contain all costs, so you can ask again without computing them again.

for ratio in (0.25, 1, 4, 9):
    at = comparison.decide(under_cost=ratio, over_cost=1)
    print(f"{ratio:>4} : 1   {at.model:<21} shift {at.knob[0]:+4.0f}   {at.verdict}")

# %%
# Models at a glance
# ------------------
#
# ``shift`` is the best shift, ``cost`` the expected cost with it, ``raw`` that of the forecasts as they
# are, and ``chance`` the probability that the model is the best one.

table = comparison.table(under_cost=4, over_cost=1, backend="pandas")
print(table[["model", "shift", "cost", "raw", "chance"]].round(2).to_string(index=False))

# %%
# Keep it, share it
# -----------------
#
# The decision is a file that you can review and put under version control. The page is one file,
# too: its readers move the costs and see how the answer changes.

with tempfile.TemporaryDirectory() as folder:
    decision.to_json(Path(folder, "decision.json"))
    comparison.to_html(Path(folder, "page.html"), under_cost=4, over_cost=1, unit="loaves")
    print(sorted(file.name for file in Path(folder).iterdir()))
