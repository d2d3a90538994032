"""
Which model is wrong least often at a cutoff that comes later?
==============================================================

An agent is asked by phone: will this apartment fetch more than my budget? The models forecast the
price; the budget comes with the caller. The cutoff-error curve is the share of wrong answers at
every budget there may be.
"""

import matplotlib.pyplot as plt

import roctopus as rt
from roctopus.datasets import load_apartments
from roctopus.display import CutoffErrorDisplay

flats = load_apartments()
y, models = flats.y_true, flats.predictions

# %%
# Share of wrong answers, by budget
# ---------------------------------
#
# Near the median price the question is hard; far from it, it is easy. The area under a curve is the
# mean absolute error.

curves = {name: rt.cutoff_error_curve(y, p) for name, p in models.items()}
CutoffErrorDisplay(curves).plot(low=50, high=450, title="Wrong answers, by budget (thousands)")
plt.show()

for name, p in models.items():
    print(f"{name:<11} mean absolute error {rt.uniform_cutoff_area(y, p):.2f} thousand")

# %%
# Budgets that are likely
# -----------------------
#
# Most callers have small budgets. If the axis shows quantiles of the budgets, likely budgets take
# more room, and the area is the expected share of wrong answers. ``Output()`` means that budgets
# are distributed like the prices.

modest = rt.Beta(2, 4, 80, 320)
figure, axes = plt.subplots(1, 2, figsize=(10, 4.6), layout="constrained", sharey=True)
CutoffErrorDisplay(curves, over=modest).plot(ax=axes[0], title="Budgets from 80 to 320, mostly low")
CutoffErrorDisplay(curves, over=rt.Output()).plot(ax=axes[1], title="Budgets like the prices")
plt.show()

for name, p in models.items():
    wrong = rt.estimate(rt.expected_cutoff_error, y, p, distribution=modest)
    low, high = wrong.confidence_interval()
    print(f"{name:<11} {wrong.value:.1%} wrong ({low:.1%} to {high:.1%})")

# %%
# The decision
# ------------
#
# Here only the model is chosen; a forecast is compared with the budget as it is.

print(rt.compare(y, models, arm="cutoff").decide(distribution=modest))
