"""Choose among models that give probabilities: ranking, magnitudes, costs; draw all of it.

A made-up screening for a rare disease: a logistic model, boosted trees, and the same trees made
over-confident, whose pAUC is the highest and whose decisions are the worst. In the manner of
Figures 1, 3 and 6 of the pROC paper. Run it with an output folder (``figures`` by default).
"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import numpy as np
from matplotlib import pyplot as plt
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression

import roctopus as rt
from roctopus import probability as arm
from roctopus.core.files import replacing
from roctopus.display import (
    CostCurveDisplay,
    ReliabilityDisplay,
    SegmentDisplay,
    SmoothedAreaDisplay,
    SmoothedROCDisplay,
)


def screened(n: int, seed: int = 0):
    """Return features of made-up patients and who is ill (about one in five)."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 5))
    risk = 1.2 * X[:, 0] + X[:, 1] * X[:, 2] - 0.6 * X[:, 3] ** 2 - 1.5
    return X, (rng.random(n) < 1.0 / (1.0 + np.exp(-risk))).astype(int)


def probabilities():
    """Return the outcomes of test patients and three models' probabilities."""
    X, y = screened(4000)
    train, test = slice(0, 2000), slice(2000, None)
    line = LogisticRegression().fit(X[train], y[train])
    trees = HistGradientBoostingClassifier(
        max_iter=60, learning_rate=0.08, max_leaf_nodes=12, random_state=0
    ).fit(X[train], y[train])
    sure = trees.predict_proba(X[test])[:, 1]
    odds = (sure / (1.0 - sure)) ** 3
    return y[test], {
        "logistic": line.predict_proba(X[test])[:, 1],
        "trees": sure,
        "over-confident": odds / (1.0 + odds),
    }


def main(folder: Path) -> None:
    """Print the answer and draw the pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    y, models = probabilities()
    for name, p in models.items():
        auc = rt.estimate(arm.roc_auc, y, p).confidence_interval()
        print(
            f"{name:<15} AUC {arm.roc_auc(y, p):.3f} [{auc.low:.3f}, {auc.high:.3f}], "
            f"pAUC {arm.probabilistic_auc(y, p):.3f}, Brier {arm.brier_score(y, p):.4f}, "
            f"log loss {arm.log_loss(y, p):.3f}"
        )
    gap = arm.compare_aucs(y, models).difference("trees", "logistic")
    print(f"AUC, trees − logistic: {gap.value:.3f}, p = {gap.pvalue:.2g}")
    # A missed patient costs eight times a false alarm.
    print(arm.choose_threshold(y, models["trees"], false_positive_cost=1, false_negative_cost=8))
    width = arm.canonical_width(y, models["trees"])
    print(width)
    few_y, few_p = y[:40], models["trees"][:40]  # segments can be seen for a few patients only
    few = arm.canonical_width(few_y, few_p).width or 0.2
    pictures = {
        "proc": SmoothedROCDisplay.from_predictions(few_y, few_p, name="trees", width=few),
        "segments": SegmentDisplay.from_predictions(few_y, few_p, name="trees", width=few),
        "area": SmoothedAreaDisplay(width).plot(title="trees"),
        "costs": CostCurveDisplay({n: arm.brier_curve(y, p) for n, p in models.items()}).plot(
            title="every model's probability as its threshold"
        ),
        "reliability": ReliabilityDisplay(
            {n: arm.reliability_curve(y, p) for n, p in models.items()}
        ).plot(),
    }
    for name, display in pictures.items():
        with replacing(folder / f"probability-{name}.png") as path:
            display.figure_.savefig(path, dpi=110, format="png")
        plt.close(display.figure_)
    print(f"figures are in {folder}")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "figures"))
