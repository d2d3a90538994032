"""
Can two models together beat both?
==================================

Yes, in between. In RROC space, the convex hull of two models lies above both between the points
where it touches them. Any point on this bridge can be reached by a random choice: each case is
forecast by one model or by the other, with a fixed probability.
"""

import matplotlib.pyplot as plt
import numpy as np

import roctopus as rt
from roctopus.display import RROCDisplay

rng = np.random.default_rng(3)
n = 400
demand = rng.gamma(4.0, 25.0, n)
rare = rng.random((2, n)) < 0.2
models = {  # both are mostly right; one is sometimes far too low, the other far too high
    "careful": demand - 70 * rare[0] + 8 * rng.normal(size=n),
    "bold": demand + 70 * rare[1] + 8 * rng.normal(size=n),
}

# %%
# The bridge
# ----------
#
# On average, at most 10 pieces a day may be left over. Which forecast then falls short least? The
# hull gives the probability: the diamond lies on the black bridge, above both curves.

curves = {name: rt.rroc_curve(demand, p, normalize=True) for name, p in models.items()}
hull = rt.rroc_hull(curves)
coin = hull.hybrid(over=10)
RROCDisplay(curves).plot(hull=True, hybrid=coin, title="The bridge between two models")
plt.show()

# %%
# What the random choice saves
# ----------------------------
#
# Each model alone can be shifted until 10 pieces are left over, too.

for name, curve in curves.items():
    alone = np.interp(10, curve.x, curve.y)  # straight lines join the vertices
    print(f"{name:<8} falls short by {-alone:5.2f} a day")
print(f"the coin falls short by {-coin.under:5.2f} a day")
first, second = coin.models
print(f"{first} ({coin.shifts[0]:+.1f}) or {second} ({coin.shifts[1]:+.1f})", end=", ")
print(f"the latter in {coin.weight:.0%} of cases")

# %%
# ``sample`` chooses at random for every case. The result is the diamond's point, up to chance.

tossed = coin.sample(models, rng=0)
point = rt.rroc_point(demand, tossed, normalize=True)
print(f"left over {point.over:.1f}, short by {-point.under:.1f}")

# %%
# When not to choose at random
# ----------------------------
#
# If you know costs instead of totals, one of the two models is always at least as good as a random
# choice, since a line of equal loss touches the hull at a vertex. At the bridge, the best model
# changes.

for low, high, name in hull.regions:
    print(f"α from {low:.3f} to {high:.3f}: {name}")
