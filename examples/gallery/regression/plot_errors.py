"""
Is one forecast better for every loss?
======================================

With a single loss function, you may not notice that another one reverses the order of the models.
Three pictures look at the errors themselves: their density, the share of cases within a tolerance
(REC curve), and the Murphy diagram, which has one value for each of the elementary losses that all
proper losses are made of.
"""

import matplotlib.pyplot as plt
import numpy as np

import roctopus as rt
from roctopus.datasets import load_bakery
from roctopus.display import ErrorDensityDisplay, MurphyDisplay, RECDisplay
from roctopus.regression import murphy_curve, rec_curve

bakery = load_bakery()
y = bakery.y_true
models = {
    name: bakery.predictions[name] for name in ("ridge", "random forest", "boosted 80% quantile")
}

# %%
# The errors
# ----------
#
# The 80 % quantile lies above the demand most of the time: its errors are moved to the right. The
# share within a tolerance ignores the sign of the error.

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.6), layout="constrained")
ErrorDensityDisplay({name: p - y for name, p in models.items()}).plot(ax=left, title="Errors")
recs = {name: rec_curve(y, p) for name, p in models.items()}
RECDisplay(recs).plot(ax=right, bands=False, title="Share within tolerance")
plt.show()

# %%
# Murphy diagrams
# ---------------
#
# A forecast of a quantile is judged by losses that differ in the threshold θ at which they count.
# If one model's curve is lowest everywhere, it is the best under every proper loss for that
# quantile. Otherwise the order depends on the loss, as it does here. By area, the forest is the
# best forecast of the median. The best forecast of the 80 % quantile is the model that was trained
# for it.

figure, axes = plt.subplots(1, 2, figsize=(10, 4.6), layout="constrained")
for ax, level in zip(axes, (0.5, 0.8), strict=True):
    curves = {name: murphy_curve(y, p, level=level) for name, p in models.items()}
    low, high = np.quantile(y, [0.01, 0.99])
    MurphyDisplay(curves).plot(
        ax=ax, low=low, high=high, title=f"As forecasts of the {level:.0%} quantile"
    )
plt.show()

# %%
# The area under a Murphy diagram is the quantile loss. With costs 2α and 2(1 − α), as in the other
# pictures, it is twice that:

for level in (0.5, 0.8):
    losses = {
        name: rt.asymmetric_absolute_error(y, p, asymmetry=level) for name, p in models.items()
    }
    print(f"{level:.0%}:", {name: round(loss, 2) for name, loss in losses.items()})
