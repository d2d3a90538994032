"""Who should see a doctor? Impact curves of predicted cholesterol, as in Figures 7 to 9.

The value of a visit is θ × cholesterol − 1: θ weighs health against the cost of a visit, and 1/θ is
the level at which a visit breaks even. A linear regression and a Gaussian process predict the
level, cross-validated; impact curves say which one to use at which θ, and at which threshold.

Run it with a folder for the figures (``figures`` by default) and, if you have it, the file of the
paper's data (``--data cholesterol.csv``: numeric columns, the level in ``target``). Without it,
patients are made up.
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import numpy as np
from matplotlib import pyplot as plt
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import KFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import roctopus as rt
from roctopus import impact as arm
from roctopus.core.files import replacing
from roctopus.display import (
    ImpactDisplay,
    ImpactGainDisplay,
    ImpactProfileDisplay,
    ThresholdLinesDisplay,
)


def read(path: Path):
    """Return features and cholesterol; blanks are missing."""
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    names = [name for name in rows[0] if name != "target"]
    cells = [["nan" if row[n] in ("", "?") else row[n] for n in names] for row in rows]
    return np.array(cells, dtype=float), np.array([float(row["target"]) for row in rows])


def made_up(n: int = 303, seed: int = 0):
    """Return made-up patients."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 6))
    level = 245 + 14 * X[:, 0] + 9 * np.sin(2 * X[:, 1]) + 8 * X[:, 2] + 48 * rng.gumbel(size=n)
    return X, np.clip(level, 120, None)


def main(folder: Path, data: Path | None) -> None:
    """Print the answer and draw the pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    X, level = made_up() if data is None else read(data)
    kernel = ConstantKernel(1.0) * RBF(5.0) + WhiteKernel(1.0)
    learners = {
        "linear": LinearRegression(),
        "Gaussian process": GaussianProcessRegressor(kernel, normalize_y=True, random_state=0),
    }
    folds = KFold(10, shuffle=True, random_state=0)
    predicted = {
        name: cross_val_predict(
            make_pipeline(SimpleImputer(), StandardScaler(), learner), X, level, cv=folds
        )
        for name, learner in learners.items()
    }
    utility = arm.value_times_price(level)
    curves = {name: rt.impact_curve(p, utility) for name, p in predicted.items()}
    theta = 1.0 / 240.0  # high cholesterol begins at 240 mg/dL
    for name, p in predicted.items():
        error = float(np.mean(np.abs(p - level)))
        print(f"{name}: mean absolute error {error:.2f}")
        print(f"  {rt.impact_summary(p, utility, theta=theta)}")
        plug_in = arm.plug_in_curve(arm.value_times_price(p), utility)
        print(f"  accepting where the prediction itself is 240 or more: {plug_in.at(theta):.4g}")
    estimates = {
        name: rt.estimate(arm.impact, level, p, utility=arm.value_times_price, theta=theta)
        for name, p in predicted.items()
    }
    gap = estimates["Gaussian process"] - estimates["linear"]
    interval = gap.confidence_interval()
    print(
        f"Gaussian process − linear at 1/θ = 240: {gap.value:.3f} "
        f"[{interval.low:.3f}, {interval.high:.3f}], p = {gap.pvalue:.2f}"
    )
    difference = curves["Gaussian process"].minus(curves["linear"])
    heights = np.append(difference.function.start, difference.function.end)
    print(f"over all θ that difference runs from {heights.min():.3f} to {heights.max():.3f}:")
    dominance = heights.min() >= -1e-9 or heights.max() <= 1e-9
    print("  one model dominates" if dominance else "  no model dominates, it depends on θ")
    ahead = np.flatnonzero(difference.function.end > 1e-9)
    if len(ahead):
        ends = 1.0 / difference.function.knots[[ahead[-1] + 1, ahead[0]]]
        print(
            f"  the Gaussian process is ahead in places for 1/θ from {ends[0]:.0f} to {ends[1]:.0f}"
        )
    draw(folder, level, predicted, curves, utility, theta)


def draw(folder, level, predicted, curves, utility, theta) -> None:
    """Draw predictions, curves, gains, lines and profiles."""
    figure, axes = plt.subplots(1, 2, figsize=(9, 4), sharey=True, layout="constrained")
    for ax, (name, p) in zip(axes, predicted.items(), strict=True):
        ax.plot(level, p, ".", color="#0072b2", alpha=0.6)
        ax.set(xlabel="cholesterol (mg/dL)", title=name)
    axes[0].set_ylabel("predicted")
    profiles = {n: arm.impact_profile(p, utility, theta=theta) for n, p in predicted.items()}
    pictures = {
        "predictions": figure,
        "lines": ThresholdLinesDisplay.from_predictions(
            level, predicted["linear"], name="linear"
        ).figure_,
        "curves": ImpactDisplay(curves).plot(context=theta).figure_,
        "gain": ImpactGainDisplay(curves).plot().figure_,
        "profile": ImpactProfileDisplay(profiles).plot().figure_,
    }
    for name, picture in pictures.items():
        with replacing(folder / f"impact-{name}.png") as path:
            picture.savefig(path, dpi=110, format="png")
        plt.close(picture)
    print(f"figures are in {folder}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=Path("figures"))
    parser.add_argument("--data", type=Path)
    given = parser.parse_args()
    main(given.folder, given.data)
