"""
Which shift rule is best where?
===============================

One shift for all cases is right if errors are similar everywhere. If they grow with the prediction,
a rule that shifts each case by its own amount does better. Here rules are fitted on one half of the
data and judged on the other.
"""

import matplotlib.pyplot as plt
import numpy as np

import roctopus as rt
from roctopus.display import AsymmetryCostDisplay
from roctopus.regression import NormalShift, feasible_cost_curve

rng = np.random.default_rng(0)
forecast = rng.uniform(20, 200, 1200)
demand = forecast * rng.gamma(12, 1 / 12, 1200)  # errors grow with the forecast, and are skewed
known, later = slice(0, 600), slice(600, None)

# %%
# Five rules
# ----------
#
# The rules are: no shift; the same shift for all; a shift that grows with the prediction; and two
# rules for normal errors, with one spread for all or with the spread of the thirty nearest
# predictions.

rules = {
    "no shift": rt.NoShift(),
    "constant": rt.ConstantShift(),
    "linear in the prediction": rt.PolynomialShift(1),
    "normal, one spread": NormalShift("residual"),
    "normal, neighbours": NormalShift("neighbours"),
}
grid = np.arange(4, 97, 4) / 100
curves = {}
for name, rule in rules.items():
    rule.fit(demand[known], forecast[known])
    exact = name in ("no shift", "constant")  # the others are known at the asymmetries asked for
    curve = feasible_cost_curve(
        rule, demand[later], forecast[later], asymmetries=None if exact else grid
    )
    curves[name] = curve.restrict(grid[0], grid[-1])

AsymmetryCostDisplay(curves).plot(title="Rules learned on one half, judged on the other")
plt.show()

# %%
# The shifts themselves
# ---------------------
#
# At α = 0.8 an under-estimate costs four times as much as an over-estimate. Small forecasts need a
# small shift, large ones a large shift.

figure, ax = plt.subplots(figsize=(6.4, 4.4), layout="constrained")
ax.plot(forecast[later], (demand - forecast)[later], ".", color="#b8bcc6", markersize=4)
points = np.linspace(20, 200, 100)
chosen = {
    "constant": "#d55e00",
    "linear in the prediction": "#009e73",
    "normal, neighbours": "#e69f00",
}
for name, colour in chosen.items():
    ax.plot(points, rules[name].shift(0.8, points), color=colour, label=name, linewidth=2)
ax.set(xlabel="forecast", ylabel="demand − forecast, and the shift at α = 0.8", ylim=(-110, 170))
ax.spines[["top", "right"]].set_visible(False)
ax.legend(frameon=False)
plt.show()

# %%
# Mean loss over these asymmetries
# --------------------------------

for name in sorted(curves, key=lambda name: curves[name].area()):
    print(f"{name:<26} {curves[name].area() / (grid[-1] - grid[0]):.2f}")
