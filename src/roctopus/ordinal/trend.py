"""Do scores rise with the class? The Jonckheere–Terpstra test."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from roctopus.core.arrays import Array, Floats, is_foreign
from roctopus.core.chain_steps import share_of_parts
from roctopus.ordinal.grades import Grades, read_grades
from roctopus.ordinal.pairs import Placements


@dataclass(frozen=True)
class JonckheereTest:
    """The Jonckheere–Terpstra test of no trend against scores that increase with the class.

    ``jonckheere_test`` makes it.

    Parameters
    ----------
    statistic : float
        Number of pairs of cases in order; ties count one half.
    expected : float
        Mean of the statistic if scores do not depend on the class.
    standard_deviation : float
        Standard deviation of the statistic if scores do not depend on the class.
    pvalue : float
        One-sided p-value: small if scores increase with the class.

    Examples
    --------
    >>> found = jonckheere_test([1, 1, 1, 2, 2, 2, 3, 3, 3], [2, 4, 1, 3, 6, 5, 8, 7, 9])
    >>> found.expected, round(found.standard_deviation, 3)
    (13.5, 4.5)
    """

    statistic: float
    expected: float
    standard_deviation: float
    pvalue: float


def jonckheere_test(y_true: Any, y_score: Any, *, labels: Any = None) -> JonckheereTest:
    """Test whether scores increase with the class, by the number of pairs in order.

    Parameters
    ----------
    y_true : array of shape (n,)
        Ordered class of each case: numbers, an ordered categorical (pandas, polars ``Enum``), or
        any labels whose order ``labels`` gives.
    y_score : array of shape (n,)
        Score of each case, which should increase with the class; grades are fine, too.
    labels : sequence, optional
        Classes from the lowest to the highest; needed for text that is not an ordered categorical.

    Returns
    -------
    JonckheereTest
        The statistic and its one-sided p-value.

    Notes
    -----
    The statistic is U_pairs times the number of pairs. The p-value is a normal approximation that
    allows for ties; do not use it with fewer than five cases in a class.

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
    spread = _spread_without_trend(grades.sizes, grades.tie_sizes(), grades.sample.xp)
    pvalue = float(ndtr((expected - statistic) / spread)) if spread > 0.0 else 1.0
    return JonckheereTest(statistic, expected, spread, pvalue)


def _spread_without_trend(sizes: Floats, ties: Array, xp: Any) -> float:
    """Return the standard deviation of the number of pairs in order if scores tell nothing.

    It depends on the sizes of the classes and of the groups of equal scores.
    """
    n = float(sizes.sum())

    def cubic(m: Any) -> Any:
        return m * (m - 1.0) * (2.0 * m + 5.0)

    def total(of: Any) -> tuple[float, float]:
        return float(np.sum(of(sizes))), float(xp.sum(of(ties)))

    variance = (cubic(n) - sum(total(cubic))) / 72.0
    if n > 2:
        triples = total(lambda m: m * (m - 1.0) * (m - 2.0))
        variance += triples[0] * triples[1] / (36.0 * n * (n - 1.0) * (n - 2.0))
    doubles = total(lambda m: m * (m - 1.0))
    variance += doubles[0] * doubles[1] / (8.0 * n * (n - 1.0))
    # Of the size of rounding where all scores are tied.
    return math.sqrt(variance) if variance > 1e-12 * cubic(n) else 0.0


def _pairs_on_device(grades: Grades) -> float:
    """Return the share of pairs of different classes in order; ties count one half."""
    xp, (scores, masses) = grades.sample.xp, grades.parts
    totals = grades.sizes if masses is None else np.array([float(xp.sum(m)) for m in masses])
    found = possible = 0.0
    for k, m in itertools.combinations(range(len(scores)), 2):
        both = None if masses is None else [masses[k], masses[m]]
        share = share_of_parts([scores[k], scores[m]], both, "average", xp=xp)
        found += float(totals[k] * totals[m]) * share
        possible += float(totals[k] * totals[m])
    return found / possible


def runs_backwards(grades: Grades) -> bool:
    """Return whether scores fall with the class, beyond three standard deviations of chance."""
    xp, sizes = grades.sample.xp, grades.sizes
    if is_foreign(grades.sample.y_true):
        share = _pairs_on_device(grades)
    else:
        share = Placements.of(grades, "average").value("pairs")
    pairs = float(np.sum(np.triu(np.outer(sizes, sizes), 1)))
    return (0.5 - share) * pairs > 3.0 * _spread_without_trend(sizes, grades.tie_sizes(), xp)
