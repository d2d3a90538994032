"""Bins of neighbouring probabilities that hold about equally many cases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from roctopus.concepts.dependence import Codes
from roctopus.core.arrays import Floats
from roctopus.core.checks import check_whole
from roctopus.probability.cases import TwoClasses

ALONE = 1e-9
"""A bin whose weight is one case's but for such a part says nothing about its own noise."""
ROUNDING = 1e-9
"""Sums of weights that are so little below a border of bins are on it."""


@dataclass(frozen=True, eq=False)
class Bins:
    """What cases of neighbouring probabilities show together. Equal ones are in the same bin."""

    cases: TwoClasses
    of_case: Codes
    """The bin of each case."""
    weight: Floats
    """The weight of each case."""
    mass: Floats
    """The weight of each bin."""

    @staticmethod
    def of(cases: TwoClasses, bins: Any) -> Bins:
        """Put the cases into so many bins of about the same weight, of which none is empty.

        A probability is in the bin that half of its own weight reaches into, so that only ties and
        weights make bins uneven.
        """
        count = check_whole(bins, "bins", 1)
        weight = np.ones(cases.sample.size) if cases.sample.weight is None else cases.sample.weight
        distinct, place = np.unique(cases.score, return_inverse=True)
        mass = np.bincount(place, weight, len(distinct))
        below = (np.cumsum(mass) - 0.5 * mass) / np.sum(mass)
        given = np.minimum((count * below + ROUNDING).astype(np.intp), count - 1)
        of_case = np.unique(given, return_inverse=True)[1][place]
        return Bins(cases, of_case, weight, np.bincount(of_case, weight).astype(np.float64))

    def total(self, values: Floats) -> Floats:
        """Return the sum of one value per case in each bin."""
        return np.bincount(self.of_case, values, len(self.mass)).astype(np.float64)

    def mean(self, values: Floats) -> Floats:
        """Return the weighted mean of one value per case in each bin."""
        return self.total(self.weight * values) / self.mass
