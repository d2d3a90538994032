"""Decide on half of a dataset, look on the other half whether it holds.

Five regressors, cross-validated predictions, ``compare``, ``decide`` and ``value_of_knowing``; then
the same for cutoffs and for grades. Give a folder of CSV files whose last column is the target:

    python examples/decide_datasets.py --data DIR concrete airfoil wine-white

Without it, scikit-learn's diabetes data are used.
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path

import numpy as np
from sklearn.base import clone
from sklearn.datasets import load_diabetes
from sklearn.ensemble import HistGradientBoostingRegressor, RandomForestRegressor
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import KFold
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeRegressor

import roctopus as rt
from roctopus.comparison import Comparison, out_of_fold

REGRESSORS = {
    "linear": make_pipeline(StandardScaler(), LinearRegression()),
    "neighbours": make_pipeline(StandardScaler(), KNeighborsRegressor(10)),
    "tree": DecisionTreeRegressor(min_samples_leaf=10, random_state=0),
    "forest": RandomForestRegressor(100, min_samples_leaf=3, random_state=0),
    "boosting": HistGradientBoostingRegressor(max_iter=100, random_state=0),
}


def read(folder: Path | None, name: str):
    """Return features and target."""
    if folder is None:
        return load_diabetes(return_X_y=True)
    with (folder / f"{name}.csv").open(newline="", encoding="utf-8") as file:
        _, *rows = csv.reader(file)
    numbers = np.array([[float(cell) if cell else np.nan for cell in row] for row in rows])
    return numbers[:, :-1], numbers[:, -1]


def predictions(X, y, seed: int = 0):
    """Return truths and predictions for deciding (out of fold) and for looking (held out)."""
    order = np.random.default_rng(seed).permutation(len(y))
    known, held = order[: len(y) // 2], order[len(y) // 2 :]
    folds = KFold(5)
    for_deciding = out_of_fold(REGRESSORS, X[known], y[known], cv=folds)
    # Models trained on the same four fifths as those that were decided on, in turn: trained on all
    # known cases they would be better, and not those that were judged.
    for_looking = {name: np.empty(len(held)) for name in REGRESSORS}
    for number, (train, _) in enumerate(folds.split(known)):
        mine = np.arange(len(held)) % 5 == number
        for name, model in REGRESSORS.items():
            fitted = clone(model).fit(X[known][train], y[known][train])
            for_looking[name][mine] = fitted.predict(X[held[mine]])
    return (y[known], for_deciding), (y[held], for_looking)


def look(name: str, known: Comparison, held: Comparison, **given) -> list[bool]:
    """Decide on the known cases, and print what it gives on the others."""
    decision = known.decide(**given)
    found = held.judge(decision)
    problem, aim = held.aim(
        given.get("between"), None, given.get("distribution"), context_of(given)
    )
    plain = max(
        float(np.mean(problem.untuned(held.prediction_of(decision.model), aim.middle, x)))
        for x in aim.contexts.tolist()
    )
    print(f"  {name}: {decision}")
    low, high = found.confidence_interval()
    print(
        f"    held out: {found.value:.4g} ({low:.4g} to {high:.4g}), {agree(decision, found)}; "
        f"as it is {plain:.4g}"
    )
    return [agree(decision, found) == AGREES, bool(found.value < plain)]


AGREES = "agrees with the honest value"


def agree(decision: rt.Decision, found: rt.Estimate) -> str:
    """Say whether two values differ by more than both their intervals allow."""
    error = np.hypot((decision.high - decision.low) / 3.92, found.standard_error)
    return AGREES if abs(decision.value - found.value) <= 1.96 * error else "DIFFERS"


def context_of(given: dict) -> dict:
    """Return what is given as a single context."""
    return {k: v for k, v in given.items() if k not in ("between", "distribution")}


def main() -> None:
    """Decide, look, and count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument("names", nargs="*", default=["diabetes"])
    options = parser.parse_args()
    inside, better = [], []
    for name in options.names:
        X, y = read(options.data, name)
        (y_known, p_known), (y_held, p_held) = predictions(X, y)
        print(f"\n{name}: {len(y_known)} cases to decide on, {len(y_held)} held out")
        known, held = (
            rt.compare(a, b, arm="regression") for a, b in ((y_known, p_known), (y_held, p_held))
        )
        print(f"  {known}")
        distribution = rt.Beta(6, 2)
        for what, given in (
            ("asymmetry from 0.6 to 0.9", {"between": (0.6, 0.9)}),
            ("a distribution", {"distribution": distribution}),
        ):
            for column, answer in zip(
                (inside, better), look(what, known, held, **given), strict=True
            ):
                column.append(answer)
        print("  " + repr(known.value_of_knowing(distribution)).replace("\n", "\n  "))

        low, high = np.quantile(y_known, [0.2, 0.8])
        known, held = (
            rt.compare(a, b, arm="cutoff") for a, b in ((y_known, p_known), (y_held, p_held))
        )
        uniform = rt.Uniform(low, high)
        decision = known.decide(distribution=uniform)
        losses = held.problem.expected(held.predictions[decision.model], np.empty(0), uniform)
        found = rt.Estimate(float(losses.mean()), losses - losses.mean())
        inside.append(agree(decision, found) == AGREES)
        print(f"  cutoffs: {decision}\n    held out: {found.value:.4g}, {agree(decision, found)}")
        print("  " + repr(known.value_of_knowing(uniform)).replace("\n", "\n  "))

        cuts = np.quantile(y_known, [1 / 3, 2 / 3])
        middles = [np.mean(y_known[np.digitize(y_known, cuts) == k]) for k in range(3)]

        def grades(y, p, cuts=cuts, middles=middles):
            """Bin the truths; put predictions on the scale of the grades 0, 1, 2."""
            scale = {m: np.interp(each, middles, [0.0, 1.0, 2.0]) for m, each in p.items()}
            return rt.compare(np.digitize(y, cuts), scale, arm="ordinal")

        known, held = grades(y_known, p_known), grades(y_held, p_held)
        for column, answer in zip(
            (inside, better), look("grades", known, held, costs=[1, 1, 4]), strict=True
        ):
            column.append(answer)
    print(
        f"\n{sum(inside)} of {len(inside)} honest values agree with those on held-out data; "
        f"{sum(better)} of {len(better)} decisions beat the best untuned model there."
    )


if __name__ == "__main__":
    main()
