"""What compare_estimators costs beyond the trainings, and what a second process brings.

Usage: python benchmarks/estimators.py [rows]   (2,000 by default)

"by hand" trains and predicts in a loop. Rounds are interleaved; times are medians. Two processes
are started before, since they are kept from call to call.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable

import numpy as np
from sklearn.base import clone
from sklearn.ensemble import RandomForestRegressor
from sklearn.model_selection import KFold

import roctopus as rt

ROUNDS = 3


def seconds(job: Callable[[], object]) -> float:
    """Return how long a job takes."""
    begin = time.perf_counter()
    job()
    return time.perf_counter() - begin


def main(rows: int) -> None:
    """Print the ratios."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(rows, 8))
    y = X[:, 0] + np.abs(X[:, 1]) + rng.normal(size=rows)
    forests = {f"forest {k}": RandomForestRegressor(60, random_state=k) for k in range(10)}
    folds = KFold(3)

    def by_hand() -> None:
        for forest in forests.values():
            for train, test in folds.split(X):
                clone(forest).fit(X[train], y[train]).predict(X[test])

    def compared(jobs: int) -> None:
        rt.compare_estimators(forests, X, y, arm="regression", cv=folds, n_jobs=jobs)

    ways = {"by hand": by_hand, "one": lambda: compared(1), "two": lambda: compared(2)}
    ways["two"]()
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(ROUNDS):
        for name, job in ways.items():
            times[name].append(seconds(job))
    middle = {name: statistics.median(each) for name, each in times.items()}
    print(f"ten forests of 60 trees, 3 folds, {rows:,} rows: {middle['by hand']:.1f} s by hand")
    print(f"compare_estimators / by hand     {middle['one'] / middle['by hand']:.2f} x  budget 1.1")
    print(f"one process / two (n_jobs=2)     {middle['one'] / middle['two']:.2f} x  budget 1.6")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
