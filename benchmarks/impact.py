"""Impact curves against np.sort.

Usage: python benchmarks/impact.py [n]   (10⁶ by default)
"""

from __future__ import annotations

import sys

import numpy as np
from harness import Job, measure, show

import roctopus as rt
from roctopus import impact as arm


def jobs(n: int) -> list[Job]:
    """Return the work of the design's table that this arm has, and some more."""
    rng = np.random.default_rng(1)
    value = rng.gamma(2.0, 0.5, n)
    score = value + rng.normal(0.0, 0.7, n)
    weight = rng.uniform(0.5, 2.0, n)
    up = arm.value_times_price(value)
    mixed = arm.LinearUtility(value - 1.0, 0.5 - 0.8 * value)
    label = (rng.random(n) < value / 4.0).astype(float)
    models = {
        f"model {k}": rt.impact_curve(value + rng.normal(0.0, 0.5 + 0.2 * k, n), up)
        for k in range(5)
    }
    print(f"pieces: {[len(curve.function) for curve in models.values()]}")
    distribution = rt.Uniform(0.5, 3.0)
    return [
        Job("curve, slopes of one sign", lambda: rt.impact_curve(score, up), 12),
        Job("curve, slopes of both signs", lambda: rt.impact_curve(score, mixed), 20),
        Job("curve, weighted", lambda: rt.impact_curve(score, up, sample_weight=weight), 20),
        Job("net benefit", lambda: rt.impact_curve(score, arm.net_benefit_utility(label)), 20),
        Job("dominance of 5 ready curves", lambda: rt.envelope(models), 1),
        Job("impact at one theta", lambda: at_one(value, score), 12),
        Job("impact with its influence", lambda: with_influence(value, score), 30),
        Job("expected impact", lambda: expected(value, score, distribution), 20),
        Job("oracle", lambda: arm.oracle_curve(up), 40),
        Job("decision curve", lambda: arm.decision_curve(label, probabilities(score)), 60),
    ]


def at_one(value, score):
    """Evaluate the scalar metric."""
    return arm.impact(value, score, utility=arm.value_times_price, theta=1.2)


def with_influence(value, score):
    """Evaluate it with its standard error."""
    context = {"utility": arm.value_times_price, "theta": 1.2}
    return rt.estimate(arm.impact, value, score, **context).standard_error


def expected(value, score, distribution):
    """Average over prices."""
    context = {"utility": arm.value_times_price, "distribution": distribution}
    return arm.expected_impact(value, score, **context)


def probabilities(score):
    """Turn scores into probabilities."""
    return 1.0 / (1.0 + np.exp(-score))


if __name__ == "__main__":
    size = int(float(sys.argv[1])) if len(sys.argv) > 1 else 10**6
    show(measure(jobs(size), size, rounds=5), memory_budget=60.0)
