"""Decide, deploy, and see what happens on held-out data; reframing, retraining and the hybrid.

Give a folder of CSV files whose last column is the target:

    python examples/deploy_decisions.py --data DIR concrete airfoil ccpp

Without it, scikit-learn's diabetes data are used. ``--cutoffs 200`` retrains at so many.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
from decide_datasets import read
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import roctopus as rt
from roctopus.deploy import CutoffClassifier, HybridCutoffClassifier, RetrainedCutoffClassifier

REGRESSORS = {
    "linear": make_pipeline(StandardScaler(), LinearRegression()),
    "neighbours": make_pipeline(StandardScaler(), KNeighborsRegressor(10)),
    "boosting": HistGradientBoostingRegressor(max_iter=100, random_state=0),
}


def thirds(X, y):
    """Return three parts: to train on, to decide on, to look at."""
    order = np.array_split(np.random.default_rng(0).permutation(len(y)), 3)
    return [(X[rows], y[rows]) for rows in order]


def ship(train, known, held) -> None:
    """Decide between trained models, deploy the decision, and realise its loss."""
    models = {name: model.fit(*train) for name, model in REGRESSORS.items()}
    comparison = rt.compare(
        known[1], {n: m.predict(known[0]) for n, m in models.items()}, arm="regression"
    )
    decision = comparison.decide(under_cost=4, over_cost=1)
    ready = decision.deploy(models)
    losses, plain = (
        rt.estimate(rt.asymmetric_absolute_error, held[1], p, asymmetry=0.8)
        for p in (ready.predict(held[0]), models[decision.model].predict(held[0]))
    )
    found, untuned = 2.5 * losses.value, 2.5 * plain.value
    print(f"  {decision}")
    inside = decision.low <= found <= decision.high
    print(
        f"  realised {found:.4g} ({'inside' if inside else 'OUTSIDE'} the interval), "
        f"untuned {untuned:.4g}"
    )


def cut(train, held, cutoffs: int) -> None:
    """Compare the share of wrong decisions of three ways to decide at cutoffs that come later."""
    logistic = make_pipeline(StandardScaler(), LogisticRegression(max_iter=500))
    ways = {
        "reframed": CutoffClassifier(REGRESSORS["boosting"]),
        "retrained": RetrainedCutoffClassifier(logistic, progress=True),
        "hybrid": HybridCutoffClassifier(REGRESSORS["boosting"], logistic),
    }
    points = np.quantile(train[1], np.linspace(0.05, 0.95, cutoffs))
    for name, way in ways.items():
        begin = time.perf_counter()
        way.fit(*train)
        trained = time.perf_counter() - begin
        begin = time.perf_counter()
        wrong = [np.mean(way.predict(held[0], c) != (held[1] >= c)) for c in points]
        taken = time.perf_counter() - begin
        kept = len(way.trained_) if hasattr(way, "trained_") else 1
        print(
            f"  {name:10} {100 * np.mean(wrong):.2f} % wrong over {cutoffs} cutoffs; fit "
            f"{trained:.1f} s, predict {taken:.1f} s, {kept} models kept"
        )


def main() -> None:
    """Run all datasets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--cutoffs", type=int, default=19)
    parser.add_argument("names", nargs="*", default=["diabetes"])
    options = parser.parse_args()
    for name in options.names:
        train, known, held = thirds(*read(options.data, name))
        print(f"\n{name}: {len(train[1])} cases to train on, as many to decide on and to look at")
        ship(train, known, held)
        cut(train, held, options.cutoffs)


if __name__ == "__main__":
    main()
