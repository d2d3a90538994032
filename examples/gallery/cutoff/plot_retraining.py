"""
Does a classifier per cutoff pay?
=================================

There are two ways to answer "at least the cutoff?" if the cutoff comes later. *Reframing*: train
one regression model and compare its forecast with the cutoff. *Retraining*: train a classifier for
the cutoff. Here both are trained on the same 120 cases, and 17 cutoffs are tried.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.linear_model import LinearRegression, LogisticRegression

import roctopus as rt
from roctopus.display import CutoffErrorDisplay

rng = np.random.default_rng(1)


def cases(n):
    """Make features, and a number whose logarithm is linear in them."""
    X = rng.normal(size=(n, 8))
    z = X[:, 0] + 0.7 * X[:, 1] + 0.4 * X[:, 2] + 0.8 * rng.normal(size=n)
    return X, 100 * np.exp(0.6 * z)


X_train, y_train = cases(120)
X, y = cases(3000)
cutoffs = np.quantile(y_train, np.linspace(0.1, 0.9, 17))

# %%
# Three curves
# ------------
#
# The classifiers' curve is known at the cutoffs they were trained for, which are drawn as dots. The
# strip compares the models there. A linear model of the numbers themselves is wrong here, and up to
# the middle a classifier is often better. A linear model of their logarithms is right, and is
# hardly ever beaten by more than chance.

line, log_line = LinearRegression(), LinearRegression()
forecast = line.fit(X_train, y_train).predict(X)
on_logs = np.exp(log_line.fit(X_train, np.log(y_train)).predict(X))
labels = {c: LogisticRegression().fit(X_train, y_train >= c).predict(X) for c in cutoffs}
curves = {
    "reframing, linear": rt.cutoff_error_curve(y, forecast),
    "retraining": rt.retraining_curve(y, labels),
    "reframing, log-linear": rt.cutoff_error_curve(y, on_logs),
}
CutoffErrorDisplay(curves).plot(
    low=cutoffs[0] - 5, high=cutoffs[-1] + 5, title="Retrain, or compare with the cutoff?"
)
plt.show()

# %%
# Is that more than chance?
# -------------------------
#
# All models decide on the same cases, so differences are paired.

for c in cutoffs[::4]:
    as_number = np.where(labels[c], np.inf, -np.inf)  # a label is a forecast above or below all
    retrained = rt.estimate(rt.cutoff_error, y, as_number, cutoff=c)
    for name, p in {"linear": forecast, "log-linear": on_logs}.items():
        gap = rt.estimate(rt.cutoff_error, y, p, cutoff=c) - retrained
        low, high = gap.confidence_interval()
        print(
            f"cutoff {c:5.1f}: {name:<10} − retraining {gap.value:+.3f} ({low:+.3f} to {high:+.3f})"
        )

# %%
# A classifier sees only on which side of its cutoff a case was, so its answers vary more by chance.
# But it can fit each cutoff separately. The data decide which matters more:
# ``roctopus.deploy.HybridCutoffClassifier`` cross-validates both and uses each where it is better.
