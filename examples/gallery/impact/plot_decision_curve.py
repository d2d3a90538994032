"""
Is the model bad, or only badly calibrated?
===========================================

A decision curve is the net benefit of acting if the probability is at least t, for every t. It is
low if the model ranks badly, and also if the probabilities are too extreme or too cautious. The
impact curve of the same scores uses the best threshold instead of t: the gap is what wrong
probabilities cost.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.isotonic import IsotonicRegression

import roctopus as rt
from roctopus.datasets import load_screening
from roctopus.impact import decision_curve

screening = load_screening()
ill = screening.y_true
known, later = slice(0, 450), slice(450, None)  # one half to recalibrate on, the other to judge

# %%
# Net benefit, by threshold probability
# -------------------------------------
#
# The context of both curves is θ = t/(1 − t), the cost of a false alarm in units of an ill person
# found. The shaded gap is what the best threshold gains on these data. Recalibration on other
# people closes some of it for naive Bayes; for the forest there is little to close.

t = np.linspace(0.02, 0.6, 300)
odds = t / (1 - t)
figure, axes = plt.subplots(1, 2, figsize=(10, 4.6), layout="constrained", sharey=True)
for ax, name in zip(axes, ("naive Bayes", "forest"), strict=True):
    p = screening.predictions[name]
    as_is = decision_curve(ill[later], p[later])
    best = rt.impact_curve(p[later], rt.net_benefit_utility(ill[later]), normalize=True)
    isotonic = IsotonicRegression(y_min=0.01, y_max=0.99, out_of_bounds="clip")
    recalibrated = decision_curve(ill[later], isotonic.fit(p[known], ill[known]).predict(p[later]))
    ax.fill_between(t, as_is.at(odds), best.at(odds), color="#0072b2", alpha=0.12)
    ax.plot(t, best.at(odds), color="#5f6675", label="best threshold in hindsight")
    ax.plot(t, as_is.at(odds), color="#0072b2", label="probabilities as they are", lw=2)
    ax.plot(t, recalibrated.at(odds), color="#d55e00", ls=(0, (6, 2)), label="recalibrated", lw=2)
    ax.plot(t, best.trivial.at(odds), color="#1f2430", ls=":", label="all or none")
    ax.set_title(name, loc="left", fontweight="bold")
    ax.set(xlabel="threshold probability t", ylim=(-0.06, 0.17), xlim=(0, 0.6))
    ax.spines[["top", "right"]].set_visible(False)
axes[0].set_ylabel("net benefit a person")
axes[1].legend(frameon=False)
plt.show()

# %%
# In numbers
# ----------
#
# At t = 0.3, naive Bayes gains little with its own probabilities; with a better threshold, the same
# ranking gains three times as much.

at = 0.3 / 0.7
for name, p in screening.predictions.items():
    as_is = decision_curve(ill[later], p[later]).at(at)
    best = rt.impact_curve(p[later], rt.net_benefit_utility(ill[later]), normalize=True).at(at)
    print(f"{name:<12} as it is {as_is:+.4f}, at the best threshold {best:+.4f}")
