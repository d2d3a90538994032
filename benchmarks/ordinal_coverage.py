"""Coverage of intervals for the volume under the ROC surface, and size of the paired test.

Balanced classes with normal scores N(k·d, 1); d is chosen so that the volume is near 0.3, 0.6 and
0.95. Usage: python benchmarks/ordinal_coverage.py [replicates]   (2,000 by default)
"""

from __future__ import annotations

import sys
import warnings

import numpy as np
from scipy.optimize import brentq
from scipy.stats import norm

import roctopus as rt
from roctopus import ordinal as arm


def population_volume(classes: int, d: float) -> float:
    """Return P(X_1 < … < X_r) for X_k ~ N(k·d, 1), by one running integral per class."""
    x = np.linspace(-9.0, 9.0 + d * (classes - 1), 20001)
    reached = np.ones_like(x)
    for k in range(classes):
        density = reached * norm.pdf(x - k * d)
        reached = np.append(0.0, np.cumsum(0.5 * (density[1:] + density[:-1]) * np.diff(x)))
    return float(reached[-1])


def draw(rng, classes: int, size: int, d: float):
    """Return classes and scores of a balanced sample."""
    y = np.repeat(np.arange(classes), size // classes)
    return y, y * d + rng.normal(size=len(y))


def coverage(rng, classes: int, size: int, d: float, truth: float, replicates: int):
    """Return the shares of logit and plain intervals that cover, and of degenerate samples."""
    hits = np.zeros(2)
    flat = 0
    for _ in range(replicates):
        y, score = draw(rng, classes, size, d)
        found = arm.surface_volume(y, score)
        if found.standard_error == 0.0:
            flat += 1
            continue
        half = norm.ppf(0.975) * found.standard_error
        low, high = found.confidence_interval()
        hits += [low <= truth <= high, abs(found.value - truth) <= half]
    return hits / replicates, flat / replicates


def size_of_test(rng, classes: int, size: int, d: float, replicates: int) -> float:
    """Return how often equally good models, correlated 0.5 within a case, are called different."""
    called = 0
    for _ in range(replicates):
        y = np.repeat(np.arange(classes), size // classes)
        shared = rng.normal(size=len(y))
        scores = {
            name: y * d + np.sqrt(0.5) * (shared + rng.normal(size=len(y))) for name in ("a", "b")
        }
        called += arm.compare_volumes(y, scores).difference("a", "b").pvalue < 0.05
    return called / replicates


def main(replicates: int) -> None:
    """Print the table."""
    warnings.simplefilter("ignore", rt.RoctopusWarning)
    rng = np.random.default_rng(0)
    print(f"{replicates:,} replicates; a Monte Carlo standard error is 0.5 points at 95 %\n")
    print("classes     n   volume   logit %   plain %   no spread %   paired test, size %")
    for classes in (3, 5):
        for target in (0.3, 0.6, 0.95):
            d = brentq(lambda x, r=classes, t=target: population_volume(r, x) - t, 0.01, 9.0)
            for size in (100, 400):
                (logit, plain), flat = coverage(rng, classes, size, d, target, replicates)
                level = size_of_test(rng, classes, size, d, replicates)
                inside = 0.93 <= logit <= 0.97 and 0.035 <= level <= 0.065
                print(
                    f"{classes:>7}{size:>6}{target:>9.2f}{100 * logit:>10.1f}{100 * plain:>10.1f}"
                    f"{100 * flat:>14.1f}{100 * level:>22.1f}{'' if inside else '   *'}",
                    flush=True,
                )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
