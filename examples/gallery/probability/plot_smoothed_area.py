"""
What does the width of a pROC curve do?
=======================================

A ROC curve shows the order of probabilities, but not their distances. Let each probability p stand
for a segment of width d around p: a pair of cases that are close then counts about one half. At
width 0 the area is the AUC; as the width grows, it approaches one half. At the *canonical* width it
equals pAUC.
"""

import matplotlib.pyplot as plt
import numpy as np

import roctopus as rt
from roctopus.datasets import load_screening
from roctopus.display import SegmentDisplay, SmoothedAreaDisplay, SmoothedROCDisplay

screening = load_screening()
ill, models = screening.y_true, screening.predictions

# %%
# ROC and pROC
# ------------
#
# Thirty people as segments of width 0.2, and their curves. The pROC curve is smooth: where segments
# of ill and healthy people overlap, a threshold splits both.

rows = np.concatenate([np.flatnonzero(ill == 1)[:12], np.flatnonzero(ill == 0)[:18]])
few, p = ill[rows], models["forest"][rows]
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.6), layout="constrained")
SegmentDisplay.from_predictions(few, p, width=0.2, ax=left, title="Probabilities as segments")
SmoothedROCDisplay.from_predictions(few, p, width=0.2, ax=right, title="ROC and pROC")
plt.show()

# %%
# Area(d), and the canonical width
# --------------------------------
#
# For all 900 people: where the curve meets the dashed line, the area is pAUC. There is not always
# such a width, and there may be several.

SmoothedAreaDisplay.from_predictions(ill, models["logistic"], name="logistic, 900 people")
plt.show()

for name, probability in models.items():
    print(
        f"{name:<12} AUC {rt.roc_auc(ill, probability):.3f}, "
        f"pAUC {rt.probabilistic_auc(ill, probability):.3f}:  "
        f"{rt.canonical_width(ill, probability)}"
    )

# %%
# What it is good for
# -------------------
#
# A smoothed area at a fixed width answers: does the ranking survive if probabilities are off by
# about that much? Do not choose models by their canonical widths or by pAUC, which favour models
# that exaggerate, see :ref:`sphx_glr_gallery_probability_plot_pauc_improper.py`.

for name, probability in models.items():
    areas = [rt.smoothed_auc(ill, probability, width=d) for d in (0.0, 0.1, 0.2, 0.4)]
    print(f"{name:<12}", "  ".join(f"{area:.3f}" for area in areas))
