"""How skewed a mean is, whether a long tail makes it so, and the quantiles that follow."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from roctopus.core.arrays import Floats
from roctopus.core.moments import dot

SKEWED = 0.2
"""Skewness of a mean from which its interval can be much too narrow."""
MOST, LONG, UNCERTAIN = 0.6, 1.2, 1.4
"""A mean so many times as far from the near end as the quantile below which most cases are comes
from a long tail; one that is even farther, from one whose worst a sample may have missed."""
RARE = 0.5
"""Steps are rare if fewer units than so many times the root of their number carry the variance."""
FEW, MANY = 0.25, 1.5
"""If fewer carry it, a long tail is uncertain; the larger number is for longer ones."""
LEVELS = 1.5
"""Levels are few if there are at most so many times the root of the number of cases."""
FARTHEST = 2.5
"""How many times farther than without skewness an end may be."""


class Tails(NamedTuple):
    """The shape of the error of a mean, or of what is one at first order."""

    skewness: float
    """Skewness of the mean: that of the cases over the root of their number."""
    carriers: float
    """Effective number of cases behind the variance: their number over their kurtosis."""
    lift: float
    """The distance of the mean from the end without a tail, over that of the 60 % quantile; 1 where
    the mean is hardly skewed."""
    stepped: bool
    """Whether cases add one of a few levels: costs of right and wrong, which have no tail."""
    units: float
    """The number of independent cases, or clusters."""

    @staticmethod
    def of(terms: Floats, units: float, per_weight: Floats | None = None) -> Tails:
        """Return the shape from what each unit adds to the mean.

        Units of unequal weight add unequal amounts even if they are alike. So whether the tail is
        long is seen from what they add ``per_weight``; by default that is the same.
        """
        largest = max(float(terms.max()), -float(terms.min()))
        if largest == 0.0 or not math.isfinite(largest):
            return Tails(0.0, units, 1.0, True, units)
        scaled = terms / largest
        squares = scaled * scaled
        total = float(squares.sum())
        skewness = dot(squares, scaled) / total**1.5
        carriers = total**2 / dot(squares, squares)
        if abs(skewness) <= SKEWED:  # whatever the tail is
            return Tails(skewness, carriers, 1.0, False, units)
        shape = scaled
        if per_weight is not None and math.isfinite(far := float(np.max(np.abs(per_weight)))):
            shape = per_weight / far
        lift = _lift(shape if skewness > 0.0 else -shape)
        return Tails(skewness, carriers, lift, _is_stepped(shape), units)

    @property
    def heavy(self) -> bool:
        """Whether a long tail, or rare steps, skew the mean so much that its interval is longer."""
        rare = self.carriers < RARE * math.sqrt(self.units)
        return abs(self.skewness) > SKEWED and (rare if self.stepped else self.lift > LONG)

    @property
    def uncertain(self) -> bool:
        """Whether even the longer interval may be too narrow."""
        least = (FEW if self.lift <= UNCERTAIN else MANY) * math.sqrt(self.units)
        return self.heavy and not self.stepped and self.carriers < least

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


def _lift(terms: Floats) -> float:
    """Return how far the mean is above the smallest term, over how far most terms are at most."""
    least = float(terms.min())
    mean, most = float(terms.mean()) - least, float(np.quantile(terms, MOST)) - least
    return mean / most if most > 1e-9 * mean else math.inf


def _is_stepped(terms: Floats) -> bool:
    """Return whether terms have few levels for their number."""
    return len(np.unique(np.round(terms, 9))) <= LEVELS * math.sqrt(len(terms))


def _unbend(x: float, skewness: float, farthest: float) -> float:
    """Return where a skewed error is if it is at x once its skewness is removed."""
    rate = 2.0 / 3.0 * skewness
    if abs(rate) < 1e-6:
        return x
    inside = rate * (x - skewness / 6.0)
    end = math.log1p(inside) / rate if inside > -1.0 else math.copysign(math.inf, x)
    return min(max(end, -farthest), farthest)
