"""Do scores rise with the class? The Jonckheere–Terpstra test."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from roctopus.core.arrays import Floats
from roctopus.ordinal.grades import Grades, read_grades
from roctopus.ordinal.placements import Placements

__all__ = ["JonckheereTest", "jonckheere_test", "runs_backwards"]


@dataclass(frozen=True)
class JonckheereTest:
    """The Jonckheere–Terpstra test of no trend against increasing scores."""

    statistic: float
    """The number of pairs of cases in order; ties count one half."""
    expected: float
    """Its mean if scores do not depend on the class."""
    standard_deviation: float
    pvalue: float
    """One-sided: small if scores increase with the class."""


def jonckheere_test(y_true: Any, y_score: Any, *, labels: Any = None) -> JonckheereTest:
    """Test whether scores increase with the class, by the number of pairs in order.

    The statistic is U_pairs times the number of pairs. The p-value is a normal approximation that
    allows for ties; do not lean on it with fewer than five cases in a class.

    Examples
    --------
    >>> found = jonckheere_test([1, 1, 1, 2, 2, 2, 3, 3, 3], [2, 4, 1, 3, 6, 5, 8, 7, 9])
    >>> found.statistic, round(found.pvalue, 4)
    (26.0, 0.0027)
    """
    from scipy.special import ndtr

    grades = read_grades(y_true, y_score, None, labels)
    placed = Placements.of(grades, "average")
    statistic, expected = float(np.sum(placed.pairs * placed.area)), float(np.sum(placed.pairs)) / 2
    spread = _spread_without_trend(grades)
    pvalue = float(ndtr((expected - statistic) / spread)) if spread > 0.0 else 1.0
    return JonckheereTest(statistic, expected, spread, pvalue)


def _spread_without_trend(grades: Grades) -> float:
    """Return the standard deviation of the number of pairs in order if scores tell nothing."""
    sizes = np.array([each.cases for each in grades.classes], dtype=np.float64)
    ties = np.unique(grades.score, return_counts=True)[1].astype(np.float64)
    n = float(sizes.sum())

    def cubic(m: Floats | float) -> Any:
        return m * (m - 1.0) * (2.0 * m + 5.0)

    variance = (cubic(n) - np.sum(cubic(sizes)) - np.sum(cubic(ties))) / 72.0
    if n > 2:
        triples = [np.sum(m * (m - 1.0) * (m - 2.0)) for m in (sizes, ties)]
        variance += triples[0] * triples[1] / (36.0 * n * (n - 1.0) * (n - 2.0))
    doubles = [np.sum(m * (m - 1.0)) for m in (sizes, ties)]
    variance += doubles[0] * doubles[1] / (8.0 * n * (n - 1.0))
    # Of the size of rounding where all scores are tied.
    return math.sqrt(variance) if variance > 1e-12 * cubic(n) else 0.0


def runs_backwards(grades: Grades) -> bool:
    """Tell whether scores fall with the class, beyond three standard deviations of chance."""
    placed = Placements.of(grades, "average")
    sizes = np.array([each.cases for each in grades.classes], dtype=np.float64)
    pairs = float(np.sum(np.triu(np.outer(sizes, sizes), 1)))
    return (0.5 - placed.value("pairs")) * pairs > 3.0 * _spread_without_trend(grades)
