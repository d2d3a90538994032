"""
Which cases to accept as prices move, and with little room?
===========================================================

A workshop repairs old phones and resells them. A phone is worth its resale value times the price
level θ, less its repair. Models score the phones; phones with a score of at least a threshold are
accepted. The impact curve is the total worth at the best threshold, for every price level at once.
"""

import matplotlib.pyplot as plt

import roctopus as rt
from roctopus.datasets import load_phones
from roctopus.display import ImpactDisplay, ImpactGainDisplay
from roctopus.impact import UtilityScale, oracle_curve

phones = load_phones()
scale = UtilityScale("price level θ", "profit", low=0.0)
worth = rt.LinearUtility(phones.y_true, -phones.columns["repair"], scale)
models = phones.predictions

# %%
# Profit, and what a model adds
# -----------------------------
#
# If prices are low, no phone pays; if they are high, nearly every one does. In between a model is
# worth most. The dotted line is where repairing all becomes better than repairing none.

curves = {name: rt.impact_curve(score, worth) for name, score in models.items()}
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.6), layout="constrained")
ImpactDisplay(curves).plot(ax=left, low=0, high=1, title="Profit at the best threshold")
ImpactGainDisplay(curves).plot(ax=right, low=0, high=1, title="Beyond repairing all or none")
plt.show()

# %%
# The threshold follows the price
# -------------------------------

for price in (0.2, 0.4, 0.6, 1.0):
    told = rt.impact_summary(models["forest"], worth, theta=price)
    best = oracle_curve(worth).at(price)
    print(
        f"θ = {price}: accept scores from {told.threshold:6.1f} ({told.accepted:.0%}), profit "
        f"{told.impact:6.0f}; knowing every phone {best:6.0f}"
    )

# %%
# The bench takes a hundred
# -------------------------
#
# With little room the model matters at high prices, too: someone must choose.

few = {name: rt.impact_curve(score, worth, at_most=100) for name, score in models.items()}
ImpactDisplay(few).plot(low=0, high=1.4, title="Room for 100 of 500 phones")
plt.show()

comparison = rt.compare(phones.y_true, models, arm="impact", utility=worth, at_most=100)
print(comparison.decide(between=(0.6, 1.4)))
