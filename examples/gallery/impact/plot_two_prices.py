"""
When two prices change at once
==============================

Rocks contain copper and gold, and two sensors measure them: one is good at copper, the other at
gold. Which sensor is better depends on both prices. The map shows which one is best where. It is
exact along the price of copper, at given prices of gold.
"""

import matplotlib.pyplot as plt
import numpy as np

import roctopus as rt
from roctopus.display import ContextMapDisplay
from roctopus.impact import UtilityScale, impact_map

rng = np.random.default_rng(0)
n = 2000
copper, gold = rng.gamma(2.0, 0.25, n), rng.gamma(1.5, 0.2, n)
sensors = {
    "copper sensor": copper + 0.15 * rng.normal(size=n),
    "gold sensor": gold + 0.10 * rng.normal(size=n),
    "both, blurred": copper + gold + 0.40 * rng.normal(size=n),
}

# %%
# Which sensor is best where
# --------------------------
#
# The value of milling a rock is copper × its price + gold × its price − 1, the cost of milling. The
# other picture is the profit per rock with the best sensor.


def worth(price_of_gold):
    """Return what rocks are worth, linear in the price of copper."""
    scale = UtilityScale("price of copper", "profit", low=0.0)
    return rt.LinearUtility(copper, gold * price_of_gold - 1.0, scale)


prices = np.linspace(0.0, 6.0, 61)
maps = {
    name: impact_map(score, worth, second="price of gold", values=prices, normalize=True)
    for name, score in sensors.items()
}
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.6), layout="constrained")
display = ContextMapDisplay(maps)
display.plot(ax=left, low=0.0, high=5.0, title="The best sensor")
display.plot(ax=right, low=0.0, high=5.0, winner=False, title="Its profit a rock")
for ax in (left, right):
    ax.set_xlabel("price of copper")
plt.show()

# %%
# Along one line of the map
# -------------------------
#
# At a given price of gold everything is exact again: borders, thresholds, decisions.

for price in (1.0, 4.0):
    curves = {name: rt.impact_curve(score, worth(price)) for name, score in sensors.items()}
    print(f"gold at {price:g}:")
    for low, high, name in rt.envelope(curves).regions:
        if min(high, 5.0) - low > 0.05:
            print(f"  copper from {low:.2f} to {min(high, 5.0):.2f}: {name}")
