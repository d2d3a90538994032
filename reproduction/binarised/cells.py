"""Printed tables, and how near a mean of ten random halves must be to them."""

from __future__ import annotations

import csv
import math
from pathlib import Path

from scipy.stats import t as student

__all__ = ["NEAR", "OTHER_TREES", "SMALL", "by_chance", "rows_of"]

PRINTED = Path(__file__).parent / "printed"
NEAR = 0.10
"""How near a mean of ten random halves must be to the print's."""
CHANCE = 0.01
"""A difference that two draws of ten halves would have more rarely is not put down to chance."""
OTHER_TREES = "Another algorithm: scikit-learn's trees in place of M5P and J48"
SMALL = {2, 3, 6, 7, 8, 9, 12, 14, 17, 20}


def rows_of(name):
    """Return the rows of a printed table."""
    with (PRINTED / name).open(newline="") as file:
        return list(csv.DictReader(file))


def by_chance(value, spread, halves=10):
    """Return how far apart two means of ten halves are, if chance can do it; else nothing."""
    beyond = max(0.0, abs(value.difference) - 0.5 * value.unit)
    t = beyond / (spread * math.sqrt(2.0 / halves)) if spread > 0.0 else math.inf
    p = 2.0 * student.sf(t, halves - 1)
    return f"chance (t = {t:.1f}, p = {p:.2g})" if p >= CHANCE else ""
