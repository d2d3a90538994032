"""
Does the score rank the grades, and is one model better?
========================================================

A camera gives every apple a score; by hand it was graded juice, kitchen or table. Take one apple of
each grade: how often does the score put the three in order? That is the volume under the ROC
surface. A random score has one sixth.
"""

import matplotlib.pyplot as plt

import roctopus as rt
from roctopus.datasets import load_apples
from roctopus.display import PairwiseROCDisplay, ROCSurfaceDisplay, SurfaceVolumeDisplay
from roctopus.ordinal import compare_volumes

apples = load_apples()
y, models = apples.y_true, apples.predictions
grades = ["juice", "kitchen", "table"]

# %%
# The surface
# -----------
#
# Two thresholds cut the score into three grades. Each pair of thresholds is a point: the share of
# each grade that it grades correctly. The dashed triangle is the surface of a random score; the far
# corner would be perfect.

surface = rt.roc_surface(y, models["boosted camera"], labels=grades)
ROCSurfaceDisplay(surface, name="boosted camera").plot()
plt.show()

# %%
# Is one model better?
# --------------------
#
# The models scored the same apples, so they are compared apple by apple.

volumes = {name: rt.surface_volume(y, score, labels=grades) for name, score in models.items()}
SurfaceVolumeDisplay(volumes).plot(title="Volumes with 95 % intervals")
plt.show()

joint = compare_volumes(y, models, labels=grades)
for other in ("linear camera", "colour only"):
    gap = joint.difference("boosted camera", other)
    print(f"boosted − {other}: {gap.value:.3f}, p = {gap.pvalue:.1g}")

# %%
# Where does it fail?
# -------------------
#
# The ROC curves of two grades at a time, with their areas, show which neighbours are hard to
# distinguish.

PairwiseROCDisplay(y, models, labels=grades).plot()
plt.show()
