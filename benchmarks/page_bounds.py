"""How far apart the bounds of a shared page's curves are: the table of docs/privacy.md.

The difference between the upper and the lower bound, over the middle nine tenths of the contexts:
its mean and its largest value, averaged over samples. In per cent of the cost at the context, or of
the largest gain (impact).

Usage: python benchmarks/page_bounds.py [samples]   (20 by default)
"""

from __future__ import annotations

import sys
import warnings
from typing import Any

import numpy as np

import roctopus as rt
from roctopus.report.summary import cells_of_models

SIZES = (1_000, 10_000)
STEPS = 901


def regression(rng: np.random.Generator, n: int) -> tuple[Any, ...]:
    """Return normal errors."""
    y = rng.normal(0.0, 10.0, n)
    return rt.compare(y, {"a": y + rng.normal(0.0, 3.0, n)}, arm="regression"), 1.0


def whole(rng: np.random.Generator, n: int) -> tuple[Any, ...]:
    """Return errors that are whole numbers."""
    y = np.round(rng.normal(0.0, 10.0, n))
    return rt.compare(y, {"a": y + np.round(rng.normal(0.0, 8.0, n))}, arm="regression"), 1.0


def probability(rng: np.random.Generator, n: int) -> tuple[Any, ...]:
    """Return two classes."""
    code = (rng.random(n) < 0.4).astype(float)
    p = 1.0 / (1.0 + np.exp(0.75 - 1.5 * code - rng.normal(size=n)))
    return rt.compare(code, {"a": p}, arm="probability"), 1.0


def ordinal(rng: np.random.Generator, n: int) -> tuple[Any, ...]:
    """Return three classes."""
    grade = rng.integers(0, 3, n).astype(float)
    return rt.compare(grade, {"a": grade + 0.8 * rng.normal(size=n)}, arm="ordinal"), 10.0


def impact(rng: np.random.Generator, n: int) -> tuple[Any, ...]:
    """Return lognormal values and prices from 0 to 4."""
    y = rng.lognormal(0.0, 1.0, n)
    models = {"a": y * rng.lognormal(0.0, 0.5, n)}
    return rt.compare(y, models, arm="impact", utility=rt.value_times_price), 4.0


def gaps(comparison: Any, end: float) -> tuple[float, float]:
    """Return the mean and the largest difference of the bounds of the first model."""
    problem = comparison.problem
    cells, _ = cells_of_models(problem, comparison.predictions, 10)
    truth, _, weight = cells["a"].sample()
    bounds = cells["a"].bounds(problem.on(truth, weight))
    contexts = np.linspace(0.05 * end, 0.95 * end, STEPS)
    wide = np.asarray(bounds.upper.at(contexts)) - np.asarray(bounds.lower.at(contexts))
    true = np.asarray(problem.curve(comparison.predictions["a"]).at(contexts))
    share = 100.0 * wide / (true if problem.sense == "loss" else true.max())
    return float(share.mean()), float(share.max())


def main(samples: int) -> None:
    """Print a row per arm."""
    warnings.simplefilter("ignore")
    for make in (regression, whole, probability, ordinal, impact):
        told = []
        for n in SIZES:
            found = [gaps(*make(np.random.default_rng([seed, n]), n)) for seed in range(samples)]
            told.append(", ".join(f"{each:.1f}" for each in np.mean(found, axis=0)))
        print(f"| {make.__name__} | {' | '.join(told)} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
