"""The regression arm's neighbours against np.sort: Murphy, CPA, REC, expectile, polynomial shift.

Usage: python benchmarks/neighbours.py [n]   (10⁶ by default; the polynomial shift at n/10)
"""

from __future__ import annotations

import sys

import numpy as np
from harness import Job, measure, show

import roctopus as rt
from roctopus import regression as arm


def jobs(n: int) -> list[Job]:
    """Return the work with the budgets set for it."""
    rng = np.random.default_rng(1)
    y = rng.normal(size=n)
    p = y + rng.normal(size=n)
    weight = rng.uniform(0.5, 2.0, n)
    multiplier = rng.uniform(0.5, 2.0, n)
    return [
        Job("REC curve", lambda: arm.rec_curve(y, p), 4),
        Job("Murphy, quantile, all knots", lambda: arm.murphy_curve(y, p), 40),
        Job("Murphy, expectile, all knots", lambda: expectile(y, p), 40),
        Job("CPA", lambda: arm.coefficient_of_predictive_ability(y, p), 25),
        Job("CPA with standard error", lambda: cpa_with_error(y, p), 75),
        Job("expectile shift", lambda: rt.optimal_shift(y, p, loss=rt.QuadQuad(0.8)), 12),
        Job("lin-exp shift", lambda: rt.optimal_shift(y, p, loss=rt.regression.LinEx(0.5)), 12),
        Job("RROC curve with multipliers", lambda: rt.rroc_curve(y, p, multiplier=multiplier), 14),
        Job("output weights", lambda: arm.output_weights(y, rt.Normal(0.5, 0.8)), 25),
        Job("weighted loss", lambda: loss(y, p, weight), 4),
    ]


def expectile(y, p):
    """Build the expectile diagram."""
    return arm.murphy_curve(y, p, functional="expectile")


def cpa_with_error(y, p):
    """Value and standard error."""
    return rt.estimate(arm.coefficient_of_predictive_ability, y, p).standard_error


def loss(y, p, weight):
    """One mean loss."""
    return rt.asymmetric_absolute_error(y, p, asymmetry=0.8, sample_weight=weight)


def polynomial(n: int) -> list[Job]:
    """Return the linear programme, at a size where it can be waited for."""
    rng = np.random.default_rng(1)
    p = rng.uniform(0, 10, n)
    y = p + (0.2 + 0.1 * p) * rng.normal(size=n)
    return [
        Job(
            "polynomial shift, degree 3, one asymmetry",
            lambda: rt.PolynomialShift(3).fit(y, p).coefficients(0.8),
            20_000,
        )
    ]


if __name__ == "__main__":
    size = int(float(sys.argv[1])) if len(sys.argv) > 1 else 10**6
    show(measure(jobs(size), size, rounds=7), memory_budget=40.0)
    show(measure(polynomial(size // 10), size // 10, rounds=1), memory_budget=np.inf)
