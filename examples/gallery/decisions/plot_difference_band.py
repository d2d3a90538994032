"""
Where is one model clearly better?
==================================

Two loss curves cross, but a crossing may be chance. The band around their difference contains the
whole true curve with 95 % confidence, at all contexts together. Where it lies on one side of zero,
one model is clearly better.
"""

import matplotlib.pyplot as plt
import numpy as np

import roctopus as rt
from roctopus import inference
from roctopus.datasets import load_bakery

bakery = load_bakery()
y, models = bakery.y_true, bakery.predictions

# %%
# The difference, with its band
# -----------------------------
#
# Both models forecast the same days, so days are compared one by one, and ``time=True`` allows for
# neighbouring days that are alike. The dark band is valid at each asymmetry alone, the light band
# at all of them together. For answers about many contexts, use the light band.

band = inference.difference_band(
    rt.optimal_shift_error,
    y,
    models["random forest"],
    models["boosted 80% quantile"],
    along={"asymmetry": np.linspace(0.03, 0.97, 95)},
    time=True,
)
figure, ax = plt.subplots(figsize=(7.2, 4.6), layout="constrained")
x = band.contexts
ax.fill_between(x, band.lower, band.upper, color="#0072b2", alpha=0.18, lw=0, label="together")
ax.fill_between(
    x, band.pointwise_lower, band.pointwise_upper, color="#0072b2", alpha=0.3, lw=0, label="each"
)
ax.plot(x, band.value, color="#0072b2", lw=2)
ax.axhline(0, color="#1f2430", lw=1)
ax.set_title("Random forest − boosted 80% quantile", loc="left", fontweight="bold")
ax.set(xlabel="asymmetry α", ylabel="difference in loss, each at its best shift", xlim=(0, 1))
ax.legend(frameon=False, title="95 % band")
ax.spines[["top", "right"]].set_visible(False)
plt.show()

# %%
# What it says
# ------------

for low, high, answer in band.regions():
    told = {"below": "the forest is better", "above": "the quantile is better"}.get(answer, answer)
    print(f"α from {low:.2f} to {high:.2f}: {told}")

# %%
# More than two models
# --------------------
#
# For each region, a comparison says which model is best on the data, and which others could be the
# best somewhere in it. All statements hold together.

comparison = rt.compare(y, models, arm="regression", time=True)
for region in comparison.regions(between=(0.05, 0.95)):
    if region.high - region.low > 0.05:
        print(f"α from {region.low:.2f} to {region.high:.2f}: {region.model}")
        print("   or", ", ".join(m for m in region.may_be_best if m != region.model) or "no other")
