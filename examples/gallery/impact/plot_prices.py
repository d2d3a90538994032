"""
Which cases to accept as prices change, and if capacity is limited?
===================================================================

A workshop repairs old phones and resells them. Repairing a phone gains its resale value times the
price level θ, minus the cost of the repair. Models score the phones, and phones whose score reaches
a threshold are accepted. The impact curve is the total gain at the best threshold, for every price
level.
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
# If prices are low, repairing pays for no phone; if they are high, for nearly all. In between, a
# model helps most. At the dotted line, repairing all becomes better than repairing none.

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
# A capacity of a hundred phones
# ------------------------------
#
# If capacity is limited, the model matters at high prices, too.

few = {name: rt.impact_curve(score, worth, at_most=100) for name, score in models.items()}
ImpactDisplay(few).plot(low=0, high=1.4, title="Room for 100 of 500 phones")
plt.show()

comparison = rt.compare(phones.y_true, models, arm="impact", utility=worth, at_most=100)
print(comparison.decide(between=(0.6, 1.4)))
