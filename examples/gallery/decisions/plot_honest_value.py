"""
How much of a tuned threshold's value is luck?
==============================================

A threshold that was tuned on some cases looks better on them than it is; the fewer the cases, the
more so. ``honest_value`` tunes on some folds and judges on the others.
"""

import matplotlib.pyplot as plt
import numpy as np

from roctopus.inference import honest_value
from roctopus.probability import ThresholdTuning

rng = np.random.default_rng(0)


def cases(n):
    """Make outcomes and scores; four in ten are positive."""
    y = rng.random(n) < 0.4
    score = 1 / (1 + np.exp(-(1.2 * y + rng.normal(size=n) - 1)))
    return y.astype(float), score


tuning = ThresholdTuning(1, 3, rule="empirical")  # a false alarm costs 1, a miss 3
population = cases(100_000)

# %%
# Promised, out-of-sample, and true
# ---------------------------------
#
# For samples of each size, the picture shows the cost on the cases used for tuning, the
# out-of-sample value, and the true cost of the threshold in a large population. Dots are means over
# 60 samples; bars contain the middle half of them.

sizes, repeats = (75, 150, 300, 600, 1200), 60
found = {"in-sample": [], "honest": [], "true": []}
for n in sizes:
    rows = []
    for _ in range(repeats):
        y, score = cases(n)
        value = honest_value(tuning, y, score)
        cut = value.knob[0]
        wrong = np.where(population[0] == 1, 3.0, 1.0) * ((population[1] >= cut) != population[0])
        rows.append((value.in_sample, value.value, wrong.mean()))
    for name, column in zip(found, np.array(rows).T, strict=True):
        found[name].append(column)

figure, ax = plt.subplots(figsize=(7, 4.8), layout="constrained")
colours = {"in-sample": "#d55e00", "honest": "#0072b2", "true": "#1f2430"}
for shift, (name, columns) in zip((0.94, 1.0, 1.06), found.items(), strict=True):
    mean = np.mean(columns, axis=1)
    low, high = np.quantile(columns, [0.25, 0.75], axis=1)
    spread = [mean - low, high - mean]
    at = shift * np.array(sizes)
    ax.errorbar(at, mean, spread, fmt="o-", color=colours[name], label=name, lw=1.2, elinewidth=3)
ax.set_xscale("log")
ax.set_xticks(sizes, sizes)
ax.minorticks_off()
ax.set(xlabel="cases the threshold is tuned on", ylabel="cost a case")
ax.set_title("The threshold that looks best", loc="left", fontweight="bold")
ax.legend(frameon=False)
ax.spines[["top", "right"]].set_visible(False)
plt.show()

# %%
# One sample
# ----------
#
# For one sample of 100 cases, the optimism is how much too low the cost looks on the cases used for
# tuning.

y, score = cases(100)
print(honest_value(tuning, y, score))

# %%
# On average, the out-of-sample value equals the true cost. For a single small sample it is
# uncertain, and its standard error says so. The value on the cases used for tuning is wrong without
# a warning. ``rt.compare(...).decide(...)`` reports out-of-sample values.
