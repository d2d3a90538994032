"""
Cutoffs that depend on the case
===============================

A distribution of cutoffs assumes that any cutoff may meet any case. Often they do not: who looks at
a large apartment has a large budget. Then cutoffs lie near the truth, decisions are harder, and the
expected error is far too rosy.
"""

import matplotlib.pyplot as plt
import numpy as np

import roctopus as rt
from roctopus.cutoff import row_cutoff_error
from roctopus.datasets import load_apartments

flats = load_apartments()
price, forecast = flats.y_true, flats.predictions["forest"]
rng = np.random.default_rng(0)
budget = price * rng.lognormal(0.0, 0.25, len(price))  # callers ask for what they could almost pay

# %%
# The same budgets, met in two ways
# ---------------------------------
#
# Left, every budget belongs to the apartment it was named for. Right, the same budgets are dealt out
# at random, which is what a distribution of cutoffs assumes. An answer is wrong where the budget lies
# between price and forecast.

dealt = rng.permutation(budget)
figure, axes = plt.subplots(1, 2, figsize=(10, 4.6), layout="constrained", sharex=True, sharey=True)
for ax, cutoff, told in zip(axes, (budget, dealt), ("as they came", "at random"), strict=True):
    wrong = (forecast >= cutoff) != (price >= cutoff)
    ax.plot(price[~wrong], cutoff[~wrong], ".", color="#b8bcc6", label="right")
    ax.plot(price[wrong], cutoff[wrong], "o", color="#d55e00", markersize=5, label="wrong")
    ax.axline((100, 100), slope=1, color="#1f2430", linewidth=1)
    ax.set_title(f"Budgets {told}: {wrong.mean():.1%} wrong", loc="left", fontweight="bold")
    ax.set(xlabel="price", ylabel="budget", xlim=(0, 700), ylim=(0, 700))
    ax.spines[["top", "right"]].set_visible(False)
axes[0].legend(frameon=False)
plt.show()

# %%
# What to use instead
# -------------------
#
# With the cutoff of each case at hand, ``row_cutoff_error`` gives the error as it was, the error
# that independent cutoffs would have given, and whether the difference is more than chance.

found = row_cutoff_error(price, forecast, cutoffs=budget)
print(found)

# %%
# The rosy number is what an expected error under the budgets' distribution says.

expected = rt.expected_cutoff_error(price, forecast, distribution=rt.Empirical(budget))
print(f"{expected:.3f} expected if independent, {found.realised.value:.3f} realised")
