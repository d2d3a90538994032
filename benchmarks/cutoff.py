"""Cutoff-error curves, expected errors and envelopes against np.sort.

Usage: python benchmarks/cutoff.py [n ...]   (10⁶ by default)
"""

from __future__ import annotations

import sys

import numpy as np
from harness import Job, measure, show

import roctopus as rt
from roctopus import cutoff as arm
from roctopus.concepts.given_distributions import as_distribution
from roctopus.cutoff.problem import CutoffDecisions

SPREADS = ((1.0, 0.0), (0.8, 0.5), (0.9, 0.3), (1.1, 0.1), (0.5, 0.8))
"""Five models: normal errors and a skewed part, so that several are best somewhere."""


def jobs(n: int) -> list[Job]:
    """Return the work of the design's table that this arm has, and some more."""
    rng = np.random.default_rng(1)
    y = rng.normal(size=n)
    models = {
        f"m{k}": y + normal * rng.normal(size=n) + skewed * rng.exponential(size=n)
        for k, (normal, skewed) in enumerate(SPREADS)
    }
    p = models["m0"]
    weight = rng.uniform(0.5, 2.0, n)
    low, high = arm.cutoff_range(y, models)
    curves = {name: rt.cutoff_error_curve(y, each) for name, each in models.items()}
    for curve in curves.values():
        len(curve.function)  # merge the knots, so that the envelope alone is timed
    cutoffs = rt.Empirical(rng.normal(size=n // 10))

    def expected(distribution, **options):
        return lambda: rt.expected_cutoff_error(y, p, distribution=distribution, **options)

    return [
        Job("CE curve, ready to evaluate", lambda: rt.cutoff_error_curve(y, p), 8),
        Job("CE curve, with all knots", lambda: all_knots(y, p), 30),
        Job("CE curve, weighted, ready", lambda: all_knots(y, p, weight, merge=False), 30),
        Job("CE curve, weighted, with all knots", lambda: all_knots(y, p, weight), 60),
        Job("expected error, Beta(2, 4)", expected(rt.Beta(2, 4, low, high)), 20),
        Job("expected error, Beta(2.5, 3.7)", expected(rt.Beta(2.5, 3.7, low, high)), 20),
        Job("expected error, normal", expected(rt.Normal(0, 1)), 20),
        Job("expected error, n/10 real cutoffs", expected(cutoffs), 60),
        Job("A_OCE", lambda: rt.output_cutoff_area(y, p), 12),
        Job("A_OCE, weighted", lambda: rt.output_cutoff_area(y, p, sample_weight=weight), 40),
        Job("A_OCE with standard error", lambda: with_error(y, p), 120),
        Job("clipped MAE", lambda: rt.clipped_mean_absolute_error(y, p, low=-1, high=1), 4),
        Job("margin, one cutoff", lambda: tuned(y, p, 0.5), 8),
        Job("margin, cutoffs of the cases", lambda: tuned_rows(y, p), 12),
        Job("curve of tuned margins", lambda: costly(y).curve(p), 20),
        Job("margin, normal cutoffs", lambda: spread_margin(y, p, rt.Normal(0, 1)), 60),
        Job(
            "margin, Beta(2.5, 3.7)", lambda: spread_margin(y, p, rt.Beta(2.5, 3.7, low, high)), 60
        ),
        Job("margin, n/10 real cutoffs", lambda: spread_margin(y, p, cutoffs), 60),
        Job("margin, cutoffs like the truths", lambda: spread_margin(y, p, rt.Empirical(y)), 60),
        Job("envelope of 5 models beyond the curves", lambda: rt.envelope(curves), 150, 5),
        Job("envelope of 5 models with the curves", lambda: from_scratch(y, models), 250, 5),
    ]


def costly(y):
    """Return the problem, with a wrong no at four times a wrong yes."""
    return CutoffDecisions(y, None, 1.0, 4.0)


def tuned(y, p, cutoff):
    """Find the best margin for a cutoff."""
    return costly(y).tune(p, np.array([cutoff]), np.zeros(1))


def tuned_rows(y, p):
    """Find the best margin where each case has its own cutoff."""
    return costly(y).tune_rows(p, y[::-1].copy())


def spread_margin(y, p, distribution):
    """Find the best margin for a distribution of cutoffs."""
    return costly(y).tune_expected(p, as_distribution(distribution))


def all_knots(y, p, weight=None, *, merge=True):
    """Build a curve and, on request, merge its knots."""
    curve = rt.cutoff_error_curve(y, p, sample_weight=weight)
    return len(curve.function) if merge else curve


def with_error(y, p):
    """Value and standard error."""
    return rt.estimate(rt.output_cutoff_area, y, p).standard_error


def from_scratch(y, models):
    """Build all curves and their envelope."""
    return rt.envelope({name: rt.cutoff_error_curve(y, p) for name, p in models.items()})


if __name__ == "__main__":
    for size in [int(float(word)) for word in sys.argv[1:]] or [10**6]:
        show(measure(jobs(size), size, rounds=7 if size <= 10**6 else 3), memory_budget=40.0)
