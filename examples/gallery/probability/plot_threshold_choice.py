"""
Where to cut a probability for my costs?
========================================

Sending a healthy person to a second test costs a morning; missing an ill person costs nine. If you
can trust the probabilities, cut at 1/(1 + 9) = 0.1. If not, tune the threshold on data. Two curves
show how far you can trust them.
"""

import matplotlib.pyplot as plt
import numpy as np

from roctopus.datasets import load_screening
from roctopus.display import CostCurveDisplay
from roctopus.inference import honest_value
from roctopus.probability import ThresholdTuning, brier_curve, choose_threshold, cost_curve

screening = load_screening()
ill, models = screening.y_true, screening.predictions

# %%
# The best threshold, or the probability itself
# ---------------------------------------------
#
# The cost curve uses the best threshold on these data for each cost proportion c. The Brier curve
# uses c itself as the threshold. The gap between them is what wrong probabilities cost: much for
# naive Bayes, especially at large c, and little for the forest.

figure, axes = plt.subplots(1, 2, figsize=(10, 4.6), layout="constrained")
for ax, name in zip(axes, ("naive Bayes", "forest"), strict=True):
    curves = {
        "cut at c": brier_curve(ill, models[name]),
        "best threshold": cost_curve(ill, models[name]),
    }
    CostCurveDisplay(curves).plot(ax=ax, context=0.1, bands=False, title=name)
    x = np.linspace(0, 1, 500)
    low, high = (curves[key].at(x) for key in ("best threshold", "cut at c"))
    ax.fill_between(x, low, high, color="#0072b2", alpha=0.12, linewidth=0)
plt.show()

# %%
# Three rules for a threshold
# ---------------------------
#
# The rules are: the cost proportion itself; the threshold of least cost on these data; and its mean
# over bootstrap samples, which is more stable and the default.

for name, p in models.items():
    rules = ("probability", "empirical", "bagged")
    cuts = [
        choose_threshold(ill, p, false_positive_cost=1, false_negative_cost=9, rule=rule).threshold
        for rule in rules
    ]
    print(f"{name:<12}", "  ".join(f"{r} {c:.3f}" for r, c in zip(rules, cuts, strict=True)))

# %%
# What they cost on other people
# ------------------------------
#
# These costs are out-of-sample: each person is judged with a threshold that was chosen on others.
# No rule is best for all four models: with 900 people, tuning a threshold loses about as much as it
# gains here.

for name, p in models.items():
    told = []
    for rule in rules:
        tuning = ThresholdTuning(1, 9, rule=rule)
        told.append(f"{rule} {honest_value(tuning, ill, p).value:.3f}")
    print(f"{name:<12}", "  ".join(told), "mornings a person")
