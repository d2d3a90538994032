"""
A higher pAUC can mean worse decisions
======================================

pAUC looks at the sizes of probabilities, not only at their order: it is ½ plus half the difference
between the mean probability of positives and that of negatives. It is not a proper score: models
that exaggerate gain by it. Here the true probabilities are known; exaggerated copies of them have a
higher pAUC and lead to decisions that cost more.
"""

import matplotlib.pyplot as plt
import numpy as np

import roctopus as rt
from roctopus.display import CostCurveDisplay, ReliabilityDisplay
from roctopus.probability import brier_curve, log_loss, reliability_curve, score_parts

rng = np.random.default_rng(0)
truth = rng.beta(1, 3, 4000)
ill = rng.random(4000) < truth
models = {"true probabilities": truth}
for power in (2, 4):
    odds = (truth / (1 - truth)) ** power
    models[f"odds to the power of {power}"] = odds / (1 + odds)

# %%
# Which one wins depends on the score
# -----------------------------------
#
# The ranking is the same, so the AUC is the same. The Brier score and the log loss are proper: with
# them, the true probabilities win.

for name, p in models.items():
    print(
        f"{name:<23} AUC {rt.roc_auc(ill, p):.3f}   pAUC {rt.probabilistic_auc(ill, p):.3f}   "
        f"Brier {rt.brier_score(ill, p):.3f}   log loss {log_loss(ill, p):.3f}"
    )

# %%
# What the exaggeration costs
# ---------------------------
#
# Left: too few of those with a high probability are ill. Right: the mean cost if a case counts as
# positive when its probability reaches the cost proportion c, which is right for true
# probabilities. The area under this curve is the Brier score.

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.6), layout="constrained")
ReliabilityDisplay({name: reliability_curve(ill, p) for name, p in models.items()}).plot(
    ax=left, title="Outcomes against probabilities"
)
CostCurveDisplay({name: brier_curve(ill, p) for name, p in models.items()}).plot(
    ax=right, title="Cost of deciding by them"
)
plt.show()

# %%
# What to do
# ----------
#
# Judge probabilities by a proper score, and split it: the refinement is the cost that remains with
# the same ranking after recalibration; the calibration part is what wrong probabilities cost.
# Recalibration removes the latter.

for name, p in models.items():
    parts = score_parts(ill, p)
    print(f"{name:<23} calibration {parts.calibration:.4f}   refinement {parts.refinement:.4f}")
