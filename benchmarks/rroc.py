"""RROC curves, areas, cost curves and envelopes against np.sort.

Usage: python benchmarks/rroc.py [n ...]   (10⁶ and 10⁷ by default)
"""

from __future__ import annotations

import sys

import numpy as np
from harness import Job, measure, show

import roctopus as rt
from roctopus.core.piecewise import Piecewise

SPREADS = ((1.0, 0.0), (0.8, 0.5), (0.9, 0.3), (1.1, 0.1), (0.5, 0.8))
"""Five models: normal errors and a skewed part, so that several are best somewhere."""


def errors(rng, n, normal, skewed):
    """Return errors of one model."""
    return normal * rng.normal(size=n) + skewed * rng.exponential(size=n)


def jobs(n: int) -> list[Job]:
    """Return the work of the design's table that this arm has."""
    rng = np.random.default_rng(1)
    y = rng.normal(size=n)
    p = y + errors(rng, n, 1.0, 0.2)
    weight = rng.uniform(0.5, 2.0, n)
    curve = rt.rroc_curve(y, p)
    same = {
        f"m{k}": rt.rroc_curve(np.zeros(n), errors(rng, n, *spread))
        for k, spread in enumerate(SPREADS)
    }
    different = {
        f"m{k}": rt.rroc_curve(
            np.zeros(n - n // 50 * k), errors(rng, n - n // 50 * k, *spread), normalize=True
        )
        for k, spread in enumerate(SPREADS)
    }
    alike = {
        f"m{k}": rt.rroc_curve(np.zeros(n - k), errors(rng, n - k, 1.0, 0.0), normalize=True)
        for k in range(5)
    }
    costs = {name: c.cost_curve() for name, c in same.items()}
    steps = {f"m{k}": cutoff_like(rng, n, *spread) for k, spread in enumerate(SPREADS)}
    return [
        Job("AOC", lambda: rt.rroc_area_over_curve(y, p), 2),
        Job("AOC, weighted", lambda: rt.rroc_area_over_curve(y, p, sample_weight=weight), 2),
        Job("RROC curve", lambda: rt.rroc_curve(y, p), 6),
        Job("RROC curve, weighted", lambda: rt.rroc_curve(y, p, sample_weight=weight), 12),
        Job("cost curve, from predictions", lambda: rt.asymmetry_cost_curve(y, p), 8),
        Job("cost curve, from the RROC curve", lambda: curve.cost_curve(), 8),
        Job("optimal shift", lambda: rt.optimal_shift(y, p, asymmetry=0.8), 6),
        Job("optimal-shift error with standard error", lambda: with_error(y, p), 25),
        Job("cost area with standard error", lambda: area_with_error(y, p), 25),
        Job("mean of a cost curve under a beta", lambda: costs["m0"].expect(rt.Beta(2, 4)), 150),
        Job("envelope, 5 cost curves of the same n", lambda: rt.envelope(costs), 10, 5),
        Job("RROC hull, 5 models of the same n", lambda: rt.rroc_hull(same), 10, 5),
        Job("RROC hull, 5 models of different n", lambda: rt.rroc_hull(different), 40, 5),
        Job("RROC hull, 5 equally good models", lambda: rt.rroc_hull(alike), 40, 5),
        Job("envelope, 5 step curves of 2n jumps", lambda: rt.envelope(steps), 150, 5),
    ]


def with_error(y, p):
    """Value and standard error of the loss at the best shift."""
    return rt.estimate(rt.optimal_shift_error, y, p, asymmetry=0.8).standard_error


def area_with_error(y, p):
    """Value and standard error of the area under the cost curve."""
    return rt.estimate(rt.asymmetry_cost_area, y, p).standard_error


def cutoff_like(rng, n, normal, skewed):
    """Return a step curve with 2n jumps, as a cutoff-error curve has."""
    y = rng.normal(size=n)
    p = y + errors(rng, n, normal, skewed)
    jumps = np.concatenate([np.minimum(y, p), np.maximum(y, p)])
    order = np.argsort(jumps)
    change = np.where(order < n, 1.0 / n, -1.0 / n)
    height = np.append(0.0, np.cumsum(change))
    knots = np.concatenate([[-np.inf], jumps[order], [np.inf]])
    return rt.ContextCurve(Piecewise.steps(knots, height, "left"), "cutoff", "error rate")


if __name__ == "__main__":
    for size in [int(float(word)) for word in sys.argv[1:]] or [10**6, 10**7]:
        show(measure(jobs(size), size, rounds=9 if size <= 10**6 else 3))
