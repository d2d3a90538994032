"""
What does one scan of a large file promise?
===========================================

Rows that do not fit into memory are read once, and sums are kept per bucket. Settings at the
borders of buckets are exact. For the best setting there are two curves: a loss that can be reached,
and a loss that no setting can beat. The truth always lies between them, and the more buckets there
are, the closer they are.
"""

import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import roctopus as rt

rng = np.random.default_rng(0)
n = 50_000  # a folder with a billion rows is treated alike
demand = rng.gamma(4.0, 25.0, n)
table = {"demand": demand, "ridge": demand + 20 * rng.normal(size=n)}
table["trees"] = demand + rng.gumbel(0, 17, n)

# %%
# Bounds, by the number of buckets
# --------------------------------
#
# The band is drawn with very few buckets, so that it can be seen. By default there are 4096.

exact = rt.asymmetry_cost_curve(demand, table["ridge"])
x = np.linspace(0.01, 0.99, 300)
gaps, curves = {}, {}
with tempfile.TemporaryDirectory() as folder:
    file = Path(folder, "sales.parquet")
    pq.write_table(pa.table(table), file)
    for buckets in (16, 64, 256, 1024, 4096):
        large = rt.compare(
            "demand", str(file), arm="regression", mode="grid", buckets=buckets, progress=False
        )
        curves[buckets] = large.curves()["ridge"]
        gaps[buckets] = float(np.max(curves[buckets].upper.at(x) - curves[buckets].lower.at(x)))
    decision = large.decide(under_cost=4, over_cost=1)

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.6), layout="constrained")
for buckets, shade in ((16, 0.35), (64, 0.9)):
    low, high = (
        bound.at(x) - exact.at(x) for bound in (curves[buckets].lower, curves[buckets].upper)
    )
    left.fill_between(x, low, high, color="#e69f00", alpha=shade, lw=0, label=f"{buckets} buckets")
left.axhline(0, color="#1f2430", lw=1.2, label="exact, in memory")
left.set_title("Certified bounds, less the exact loss", loc="left", fontweight="bold")
left.set(xlabel="asymmetry α", ylabel="loss − exact loss (about 16 in the middle)")
left.legend(frameon=False)
right.loglog(list(gaps), list(gaps.values()), "o-", color="#0072b2", lw=2, ms=7)
right.set_title("Largest gap between the bounds", loc="left", fontweight="bold")
right.set_xticks(list(gaps), [str(b) for b in gaps])
right.minorticks_off()
right.set(xlabel="buckets", ylabel="loss")
for ax in (left, right):
    ax.spines[["top", "right"]].set_visible(False)
plt.show()

# %%
# In numbers
# ----------

for buckets, gap in gaps.items():
    inside = np.all(curves[buckets].lower.at(x) <= exact.at(x) * (1 + 1e-12)) and np.all(
        exact.at(x) <= curves[buckets].upper.at(x) * (1 + 1e-12)
    )
    print(f"{buckets:>5} buckets: gap {gap:.1e} of a loss of {exact.at(0.5):.1f}; holds: {inside}")

# %%
# A decision takes one more scan, for its uncertainty. ``mode="exact"`` makes a few more and finds the
# best setting itself.

print(decision)
