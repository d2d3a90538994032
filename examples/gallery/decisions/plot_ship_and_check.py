"""
Ship a decision, and check later whether it holds
=================================================

A decision is a record of the model, the shift, the costs, the expected cost on new data, and a hash
of the data. ``deploy`` turns it into a scikit-learn estimator. When new outcomes are known,
``check`` says whether the decision still holds.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import LinearRegression

import roctopus as rt

rng = np.random.default_rng(0)


def days(n, growth=0.0):
    """Make features and demand of some days; demand may have grown."""
    X = rng.uniform(0, 1, (n, 3))
    y = 80 + 60 * X[:, 0] + 40 * np.sin(6 * X[:, 1]) + growth + rng.gamma(3, 6, n)
    return X, y


# %%
# Decide and deploy
# -----------------
#
# Models are trained on some days, and the decision is made on others.

X_train, y_train = days(300)
models = {
    "linear": LinearRegression().fit(X_train, y_train),
    "forest": RandomForestRegressor(50, min_samples_leaf=4, random_state=0).fit(X_train, y_train),
}
X, y = days(300)
comparison = rt.compare(y, {n: m.predict(X) for n, m in models.items()}, arm="regression")
decision = comparison.decide(under_cost=4, over_cost=1)
print(decision)

ready = decision.deploy(models)
print(ready.predict(X[:3]).round(1), "instead of", models[decision.model].predict(X[:3]).round(1))

# %%
# Check it every month
# --------------------
#
# For eight months nothing changes; then demand begins to grow. ``check`` compares the cost with the
# recorded one, and checks whether another shift or another model would be better now.

months = []
for month in range(1, 15):
    X_new, y_new = days(150, growth=3 * max(0, month - 8))
    forecasts = {name: model.predict(X_new) for name, model in models.items()}
    months.append(rt.compare(y_new, forecasts, arm="regression").check(decision))

figure, ax = plt.subplots(figsize=(7.6, 4.6), layout="constrained")
ax.axhspan(decision.low, decision.high, color="#0072b2", alpha=0.12, lw=0, label="as recorded")
for month, check in enumerate(months, start=1):
    colour = "#009e73" if check.holds else "#d55e00"
    ax.plot([month, month], [check.low, check.high], color=colour, lw=2.5)
    ax.plot(month, check.value, "o" if check.holds else "s", color=colour, ms=7)
ax.plot([], [], "o", color="#009e73", label="holds")
ax.plot([], [], "s", color="#d55e00", label="no longer holds")
ax.set_title("The loss of a shipped decision", loc="left", fontweight="bold")
ax.set(xlabel="month", ylabel="loss a day", xticks=range(1, 15))
ax.legend(frameon=False, loc="upper left")
ax.spines[["top", "right"]].set_visible(False)
plt.show()

# %%
# The first alarm
# ---------------

first = next((k for k, check in enumerate(months) if not check.holds), None)
if first is not None:
    print(f"month {first + 1}: {months[first]}")
