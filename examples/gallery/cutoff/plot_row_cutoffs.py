"""
Cutoffs that depend on the case
===============================

A distribution of cutoffs assumes that cutoffs and cases are independent. Often they are not: people
who look at a large apartment have a large budget. Then cutoffs lie near the true value, decisions
are harder, and the expected error is far too low.
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
# The same budgets, assigned in two ways
# --------------------------------------
#
# On the left, every budget belongs to the apartment it was given for. On the right, the same
# budgets are assigned at random, as a distribution of cutoffs assumes. An answer is wrong if the
# budget lies between price and forecast.

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
# If you have the cutoff of each case, ``row_cutoff_error`` returns the actual error, the error with
# independent cutoffs, and whether the difference is more than chance.

found = row_cutoff_error(price, forecast, cutoffs=budget)
print(found)

# %%
# The number that is too low is the expected error under the distribution of the budgets.

expected = rt.expected_cutoff_error(price, forecast, distribution=rt.Empirical(budget))
print(f"{expected:.3f} expected if independent, {found.realised.value:.3f} realised")
