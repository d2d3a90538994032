"""How skewed a mean is, how few cases carry its variance, and the quantiles that follow."""

from __future__ import annotations

import math
from typing import NamedTuple

from roctopus.core.arrays import Floats
from roctopus.core.moments import dot

HEAVY = 0.5
"""Tails are heavy if fewer units than so many times the root of their number carry the variance."""
FARTHEST = 2.5
"""How many times farther than without skewness an end may be."""


class Tails(NamedTuple):
    """The shape of the error of a mean, or of what is one at first order."""

    skewness: float
    """Of the mean: that of the cases over the root of their number."""
    carriers: float
    """How many cases carry the variance: their number over the kurtosis of what they add."""
    units: float
    """The number of independent cases, or clusters."""

    @staticmethod
    def of(terms: Floats, units: float) -> Tails:
        """Return the shape from what each unit adds to the mean."""
        largest = max(float(terms.max()), -float(terms.min()))
        if largest == 0.0 or not math.isfinite(largest):
            return Tails(0.0, units, units)
        scaled = terms / largest
        squares = scaled * scaled
        total = float(squares.sum())
        return Tails(dot(squares, scaled) / total**1.5, total**2 / dot(squares, squares), units)

    @property
    def heavy(self) -> bool:
        """Whether so few units carry the variance that a longer interval is due."""
        return self.carriers < HEAVY * math.sqrt(self.units)

    def quantiles(self, quantile: float) -> tuple[float, float]:
        """Return the lower and the upper quantile of the error over its standard error.

        Parameters
        ----------
        quantile : float
            The upper quantile without skewness.

        Notes
        -----
        The inverse of Hall's exponential transformation, log(1 + b(x − a/6))/b with b = 2a/3 for a
        mean of skewness a, applied to both quantiles. A mean that is skewed to the right gets a
        longer upper side. Unless tails are heavy, the interval keeps its length.
        """
        ends = [_unbend(x, self.skewness, FARTHEST * quantile) for x in (-quantile, quantile)]
        length = 1.0 if self.heavy else 2.0 * quantile / (ends[1] - ends[0])
        return length * ends[0], length * ends[1]


def _unbend(x: float, skewness: float, farthest: float) -> float:
    """Return where a skewed error is if it is at x once its skewness is removed."""
    rate = 2.0 / 3.0 * skewness
    if abs(rate) < 1e-6:
        return x
    inside = rate * (x - skewness / 6.0)
    end = math.log1p(inside) / rate if inside > -1.0 else math.copysign(math.inf, x)
    return min(max(end, -farthest), farthest)
