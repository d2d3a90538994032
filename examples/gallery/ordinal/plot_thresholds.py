"""
Where to cut a score into grades?
=================================

Where it costs least. A bad apple on the table loses a customer; a good apple in the juice loses
only a little. So the cost of a mistake depends on the apple's true grade. The thresholds of least
cost are found exactly.
"""

import matplotlib.pyplot as plt
import numpy as np

import roctopus as rt
from roctopus.datasets import load_apples
from roctopus.display import OrdinalCostDisplay, OrdinalThresholdDisplay
from roctopus.ordinal import ordinal_confusion, ordinal_cost_curve

apples = load_apples()
y, models = apples.y_true, apples.predictions
grades = ["juice", "kitchen", "table"]
camera = models["boosted camera"]

# %%
# Two sets of costs
# -----------------
#
# Above, a mistake costs the same for every apple, and twice as much if it is two grades off. Below,
# a mistake about a juice apple costs ten times as much as one about a table apple: both thresholds
# move to the right, so that fewer bad apples pass.

figure, axes = plt.subplots(2, 1, figsize=(7.5, 7), layout="constrained", sharex=True)
for ax, costs in zip(axes, ([1, 1, 1], [10, 5, 1]), strict=True):
    told = " : ".join(map(str, costs))
    OrdinalThresholdDisplay.from_predictions(
        y, camera, costs=costs, labels=grades, ax=ax, title=f"Costs {told}"
    )
axes[0].set_xlabel("")
plt.show()

# %%
# How many apples go where
# ------------------------

for costs in ([1, 1, 1], [10, 5, 1]):
    found = rt.ordinal_thresholds(y, camera, costs=costs, labels=grades)
    counted = ordinal_confusion(y, camera, thresholds=found.thresholds, labels=grades)
    print(f"costs {costs}: cut at {np.round(found.thresholds, 2)}")
    for grade, row in zip(grades, counted.counts.astype(int), strict=True):
        print(f"  {grade:<8}", dict(zip(grades, row.tolist(), strict=True)))

# %%
# As one cost changes
# -------------------
#
# How much does it cost if a good apple goes to the kitchen? If you do not know, look at all costs:
# the thresholds follow. Where a curve is straight, they stay as they are.

curves = {
    name: ordinal_cost_curve(
        y, score, moving="table", low=0, high=6, costs=[10, 5, 1], labels=grades
    )
    for name, score in models.items()
}
OrdinalCostDisplay(curves).plot(title="Least mean cost, as mistakes about table apples cost more")
plt.show()
