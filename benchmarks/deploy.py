"""What deployed estimators cost beyond the ones inside, at predict.

Usage: python benchmarks/deploy.py [rows]   (10⁵ by default)
"""

from __future__ import annotations

import statistics
import sys
import time

import numpy as np
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.linear_model import LinearRegression

from roctopus.deploy import (
    CutoffClassifier,
    ImpactThresholdClassifier,
    OrdinalThresholdClassifier,
    ShiftedRegressor,
    TunedShiftRegressorCV,
)


def median_time(job, rounds: int = 9) -> float:
    """Return the median time of a job."""
    times = []
    for _ in range(rounds):
        begin = time.perf_counter()
        job()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def main(rows: int) -> None:
    """Print the ratios."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 10))
    y = X[:, 0] + rng.normal(size=2000)
    many = rng.normal(size=(rows, 10))
    print(f"{rows:,} rows; budget 1.2 x")
    for inside in (HistGradientBoostingRegressor(random_state=0), LinearRegression()):
        grades = np.digitize(y, [-0.5, 0.5])
        deployed = {
            "ShiftedRegressor": ShiftedRegressor(inside, shift=0.3).fit(X, y),
            "TunedShiftRegressorCV": TunedShiftRegressorCV(inside, asymmetry=0.8).fit(X, y),
            "CutoffClassifier": CutoffClassifier(inside).fit(X, y),
            "OrdinalThresholdClassifier": OrdinalThresholdClassifier(inside).fit(X, grades),
            "ImpactThresholdClassifier": ImpactThresholdClassifier(inside).fit(X, y),
        }
        for name, each in deployed.items():
            bare = each.estimator_
            pairs = [
                (
                    median_time(lambda b=bare: b.predict(many), 1),
                    median_time(lambda e=each: e.predict(many), 1),
                )
                for _ in range(9)
            ]
            ratio = statistics.median(b for _, b in pairs) / statistics.median(a for a, _ in pairs)
            mark = "*" if ratio > 1.2 else " "
            print(f"{type(inside).__name__:32}{name:30}{ratio:6.2f}{mark}")


if __name__ == "__main__":
    main(int(float(sys.argv[1])) if len(sys.argv) > 1 else 10**5)
