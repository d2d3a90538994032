"""Grade made-up wines into ordered classes: rank, compare, cut for costs; draw all of it.

In the manner of Figures 1, 2 and 8 of "ROC analysis in ordinal regression learning". Run it with an
output folder (``figures`` by default).
"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import numpy as np
from matplotlib import pyplot as plt
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.preprocessing import StandardScaler

import roctopus as rt
from roctopus import ordinal as arm
from roctopus.core.files import replacing
from roctopus.display import (
    OrdinalThresholdDisplay,
    PairwiseROCDisplay,
    ROCSurfaceDisplay,
    SurfaceVolumeDisplay,
)

GRADES = ["plain", "good", "great"]


def wines(n: int, seed: int = 0):
    """Return features and grades of made-up wines; few are great."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 6))
    taste = X[:, 0] + 0.6 * X[:, 1] - 0.8 * X[:, 2] ** 2 + 0.7 * rng.normal(size=n)
    return X, np.digitize(taste, [-0.3, 1.2])


def scores():
    """Return the grades of test wines and three models' scores of them."""
    X, y = wines(1600)
    X = StandardScaler().fit_transform(X)
    train, test = slice(0, 800), slice(800, None)
    line = LinearRegression().fit(X[train], y[train])
    forest = RandomForestRegressor(200, min_samples_leaf=5, random_state=0).fit(X[train], y[train])
    classes = LogisticRegression().fit(X[train], y[train]).predict_proba(X[test])
    return [GRADES[k] for k in y[test]], {
        "linear": line.predict(X[test]),
        "forest": forest.predict(X[test]),
        "logistic": arm.score_from_probabilities(classes, method="expected"),
    }


def main(folder: Path) -> None:
    """Print the answer and draw the pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    y, models = scores()
    for name, score in models.items():
        volume = rt.surface_volume(y, score, labels=GRADES)
        cuts = rt.ordinal_thresholds(y, score, loss="zero-one", labels=GRADES)
        labels = arm.ordinal_confusion(y, score, thresholds=cuts.thresholds, labels=GRADES)
        print(f"{name:<9} {volume}, accuracy {labels.accuracy:.3f} on the data it was cut on")
    compared = arm.compare_volumes(y, models, labels=GRADES)
    gap = compared.difference("forest", "linear")
    print(
        f"forest − linear: {gap.value:.3f}, p = {gap.pvalue:.2g}; all equal: {compared.pvalue:.2g}"
    )
    costs = [1.0, 1.0, 5.0]  # a great wine sold as less is what hurts
    found = rt.ordinal_thresholds(y, models["forest"], costs=costs, labels=GRADES)
    print(found)
    volumes = {name: rt.surface_volume(y, s, labels=GRADES) for name, s in models.items()}
    surface = rt.roc_surface(y, models["forest"], labels=GRADES)
    pictures = {
        "surface": ROCSurfaceDisplay(surface, name="forest").plot(thresholds=found.thresholds),
        "pairs": PairwiseROCDisplay(y, models, labels=GRADES).plot(),
        "volumes": SurfaceVolumeDisplay(volumes).plot(),
        "thresholds": OrdinalThresholdDisplay.from_predictions(
            y, models["forest"], costs=costs, labels=GRADES
        ),
    }
    for name, display in pictures.items():
        with replacing(folder / f"ordinal-{name}.png") as path:
            display.figure_.savefig(path, dpi=110, format="png")
        plt.close(display.figure_)
    print(f"figures are in {folder}")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "figures"))
