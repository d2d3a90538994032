"""Volumes under ROC surfaces, their uncertainty and thresholds against np.sort.

Usage: python benchmarks/ordinal.py [n] [classes]   (10⁶ and 5 by default)
"""

from __future__ import annotations

import resource
import sys

import numpy as np
from harness import Job, measure, show

import roctopus as rt
from roctopus import ordinal as arm


def jobs(n: int, classes: int) -> list[Job]:
    """Return the work of the design's table that this arm has, and some more."""
    rng = np.random.default_rng(1)
    y = rng.integers(0, classes, n).astype(float)
    score = y + 2.0 * rng.normal(size=n)
    other = y + 2.2 * rng.normal(size=n)
    tied = np.round(score, 1)
    two = (y > classes // 2).astype(float)
    weight = rng.uniform(0.5, 2.0, n)
    pair = {"a": score, "b": other}
    return [
        Job("AUC (two classes)", lambda: rt.volume_under_surface(two, score), 6),
        Job("VUS, no ties", lambda: rt.volume_under_surface(y, score), 8),
        Job("VUS, heavy ties", lambda: rt.volume_under_surface(y, tied), 12),
        Job("VUS, strict, heavy ties", lambda: strict(y, tied), 12),
        Job("VUS, weighted", lambda: weighted(y, score, weight), 25),
        Job("VUS with standard error", lambda: rt.surface_volume(y, score), 16),
        Job("VUS with standard error, heavy ties", lambda: rt.surface_volume(y, tied), 16),
        Job("VUS with influence by row", lambda: by_row(y, score), 45),
        Job("paired test of two models", lambda: paired(y, pair), 40),
        Job("U_pairs", lambda: rt.pairwise_ranking_accuracy(y, score), 40),
        Job("thresholds", lambda: rt.ordinal_thresholds(y, score), 30),
        Job("exact variances (two chains)", lambda: arm.volume_variances(y, score), 200),
    ]


def strict(y, score):
    """Ties count for nothing."""
    return rt.volume_under_surface(y, score, ties="strict")


def weighted(y, score, weight):
    """With weights."""
    return rt.volume_under_surface(y, score, sample_weight=weight)


def by_row(y, score):
    """One influence value per row."""
    return rt.estimate(rt.volume_under_surface, y, score).standard_error


def paired(y, pair):
    """Compare two models on the same cases."""
    return arm.compare_volumes(y, pair).difference("a", "b").pvalue


def large(n: int, classes: int) -> None:
    """Show the memory a large sample takes, and that nothing overflows."""
    rng = np.random.default_rng(1)
    y = rng.integers(0, classes, n).astype(np.int8)
    score = y + rng.normal(size=n)
    value = rt.volume_under_surface(y, score)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"n = {n:,}, {classes} classes: VUS {value:.6f}, peak memory {peak:.2f} GiB")


if __name__ == "__main__":
    size = int(float(sys.argv[1])) if len(sys.argv) > 1 else 10**6
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    if size > 2 * 10**6:
        large(size, count)
    else:
        show(measure(jobs(size, count), size, rounds=7), memory_budget=60.0)
