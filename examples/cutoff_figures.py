"""Redraw Figures 3–10 of "Binarised regression tasks" on made-up house prices.

Eight approaches as in Table 3: regression models that are cut later (reframing) and classifiers
trained anew for each cutoff (retraining). Run it with an output folder (``figures`` by default).
"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import numpy as np
from matplotlib import pyplot as plt
from sklearn.linear_model import LinearRegression, LogisticRegression, QuantileRegressor
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import roctopus as rt
from roctopus import cutoff as arm
from roctopus.core.files import replacing
from roctopus.display import CutoffDecompositionDisplay, CutoffErrorDisplay

Y = [3, 5, 6, 8, 11, 12]  # Example 2 of the paper
P = [9, 4, 7, 10, 16, 13]

REGRESSORS = {
    "linear": LinearRegression(),
    "quantile": QuantileRegressor(alpha=0.0),
    "10 neighbours": KNeighborsRegressor(10),
    "tree": DecisionTreeRegressor(min_samples_leaf=10, random_state=0),
}
CLASSIFIERS = {
    "logistic, retrained": LogisticRegression(max_iter=500),
    "10 neighbours, retrained": KNeighborsClassifier(10),
    "tree, retrained": DecisionTreeClassifier(min_samples_leaf=10, random_state=0),
}


def houses(n: int, seed: int = 0):
    """Return features and prices of made-up houses: skewed, with a few dear places."""
    rng = np.random.default_rng(seed)
    rooms, age = rng.integers(1, 7, n), rng.uniform(0, 90, n)
    distance, dear = rng.gamma(2.0, 5.0, n), rng.random(n) < 0.15
    log_price = 4.3 + 0.16 * rooms - 0.004 * age - 0.012 * distance + 0.55 * dear
    features = np.column_stack([rooms, age, distance, dear, rng.normal(size=n)])
    return features, np.exp(log_price + rng.normal(0, 0.22, n)).round(1)


def curves_of(n_train: int, n_test: int = 400, cutoffs: int = 25):
    """Train all approaches and return their curves on test data."""
    X, y = houses(n_train + n_test)
    train, test = slice(0, n_train), slice(n_train, None)
    curves = {}
    for name, model in REGRESSORS.items():
        fitted = make_pipeline(StandardScaler(), model).fit(X[train], y[train])
        curves[name] = rt.cutoff_error_curve(y[test], fitted.predict(X[test]))
    asked = np.unique(np.quantile(y[test], (np.arange(cutoffs) + 0.5) / cutoffs))
    for name, model in CLASSIFIERS.items():
        labels = {}
        for cutoff in asked:
            above = y[train] >= cutoff
            if above.all() or not above.any():
                labels[cutoff] = np.full(n_test, above[0])
                continue
            fitted = make_pipeline(StandardScaler(), model).fit(X[train], above)
            labels[cutoff] = fitted.predict(X[test])
        curves[name] = rt.retraining_curve(y[test], labels)
    trivial = arm.trivial_predictions(y[test], y_train=y[train])
    baselines = {name: rt.cutoff_error_curve(y[test], p) for name, p in trivial.items()}
    return curves, baselines


def figures() -> dict[str, tuple]:
    """Return a display and its options for every figure."""
    curves, baselines = curves_of(800)
    small, _ = curves_of(60)
    example = CutoffDecompositionDisplay(Y, P)
    shown = {name: baselines[name] for name in ("median", "maximum", "minimum")}
    trivial = {name: baselines[name] for name in ("maximum", "minimum", "mean", "median", "worst")}
    cutoffs = rt.LogNormal(4.6, 0.35)
    return {
        "03 CE curves over the cutoff distribution": (
            CutoffErrorDisplay(curves, over=cutoffs, baselines=shown),
            {},
        ),
        "04 The area over the cutoff is the MAE": (example, {}),
        "05 The area over the true rank": (example, {"by_rank": True}),
        "06 UCE curve": (CutoffErrorDisplay({"linear": curves["linear"]}), {}),
        "06 OCE curve": (CutoffErrorDisplay({"linear": curves["linear"]}, over=rt.Output()), {}),
        "07 Trivial models": (CutoffErrorDisplay(trivial, over=rt.Output()), {"bands": False}),
        "08 UCE curves of all approaches": (CutoffErrorDisplay(curves, baselines=shown), {}),
        "08 OCE curves of all approaches": (
            CutoffErrorDisplay(curves, over=rt.Output(), baselines=shown),
            {},
        ),
        "10 OCE curves, small training set": (CutoffErrorDisplay(small, over=rt.Output()), {}),
    }


def main(folder: Path) -> None:
    """Write all figures."""
    folder.mkdir(parents=True, exist_ok=True)
    for title, (display, options) in figures().items():
        figure = display.plot(**options).figure_
        with replacing(folder / f"{title}.png") as path:
            figure.savefig(path, dpi=110, format="png")
        plt.close(figure)
    print(f"figures are in {folder}")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "figures"))
