"""
Which model is best for which asymmetry of costs?
=================================================

Five models forecast a bakery's demand. Which one is best depends on how much a missing loaf costs
compared with a spare one, and on the shift that is added to the forecasts. Two pictures show it:
RROC space, in which a model is a curve, and cost curves, which show its loss along the asymmetry.
"""

import matplotlib.pyplot as plt

import roctopus as rt
from roctopus.datasets import load_bakery
from roctopus.display import AsymmetryCostDisplay, RROCDisplay

bakery = load_bakery()
y, models = bakery.y_true, bakery.predictions

# %%
# RROC space
# ----------
#
# The horizontal axis shows how much a model over-estimates in total, the vertical axis how much it
# under-estimates. The top left corner would be perfect. A square is the model as it is; a shift
# moves it along its curve. All points on the dashed line have the same loss if a missing loaf costs
# four times as much as a spare one. The line touches the best model at its best shift.

rroc = {name: rt.rroc_curve(y, p) for name, p in models.items()}
costs = {name: rt.asymmetry_cost_curve(y, p) for name, p in models.items()}
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.6), layout="constrained")
RROCDisplay(rroc).plot(ax=left, hull=True, under_cost=4, over_cost=1, title="RROC space")
AsymmetryCostDisplay(costs).plot(
    ax=right, under_cost=4, over_cost=1, title="Loss at the best shift, and who is best where"
)
plt.show()

# %%
# Which model is best where, exactly
# ----------------------------------
#
# The asymmetry α is the missing loaf's share of both costs: 4 : 1 is α = 0.8. The envelope has the
# exact borders.

best = rt.envelope(costs)
for low, high, name in best.regions:
    if high - low > 0.02:
        print(f"α from {low:.3f} to {high:.3f}: {name}")
shift = rt.optimal_shift(y, models[best.best_at(0.8)], asymmetry=0.8)
print(f"at 0.8: {best.best_at(0.8)}, shift {shift.chosen:g}")

# %%
# The area under a cost curve is the expected loss if every asymmetry is equally likely. It is half
# the mean absolute difference of two errors. A bias does not matter, since a shift removes it.

for name, p in models.items():
    print(f"{name:<21} {rt.asymmetry_cost_area(y, p):6.2f}")
