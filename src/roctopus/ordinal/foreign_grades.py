"""Classes and scores in arrays of other libraries, which stay on their device.

Only the names and sizes of the classes come to the host. Whatever is wrong with the data is left to
``read_grades``, which says it best.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from roctopus.core.arrays import (
    Array,
    Floats,
    is_foreign,
    on_device_of,
    sort_with_order,
    to_numpy,
)
from roctopus.core.chains import Ties, advance_chains, share_of_sorted, start_of_chains
from roctopus.core.sample import Sample, read_sample
from roctopus.ordinal.grades import MOST_CLASSES, is_number, read_labels

__all__ = ["ForeignGrades", "read_foreign_grades"]

GLANCE = 4096
"""Among so many cases every class is expected: then no sort is needed to know them."""


@dataclass(frozen=True, eq=False)
class ForeignGrades:
    """The cases that count, sorted by score."""

    xp: Any
    score: Array
    code: Array
    """The class of each case, counted from 0."""
    weight: Array | None
    sizes: Floats
    """The number of cases of each class."""

    @cached_property
    def totals(self) -> Floats:
        """The weight of each class."""
        if self.weight is None:
            return self.sizes
        parts = (
            self.xp.sum(self.xp.where(self.code == number, self.weight, 0.0))
            for number in range(len(self.sizes))
        )
        return np.array([float(part) for part in parts])

    def volume(self, ties: Ties) -> float:
        """Return the share of chains in order."""
        return share_of_sorted(self.score, self.code, self.weight, self.totals, ties, xp=self.xp)

    def pairs_in_order(self) -> float:
        """Return the share of pairs of different classes in order; ties count one half."""
        xp, found = self.xp, 0.0
        for number in range(1, len(self.sizes)):
            against = xp.astype(self.code == number, xp.int8) - xp.astype(
                self.code > number, xp.int8
            )  # 1 for this class, 0 for lower ones, −1 for those passed over
            ended = advance_chains(
                start_of_chains(2), self.score, against, self.weight, "average", xp=xp
            )
            found += float(ended[0, -1])
        possible = np.triu(np.outer(self.totals, self.totals), 1)
        return found / float(np.sum(possible))

    def tie_sizes(self) -> Array:
        """Return how many cases share each distinct score."""
        xp = self.xp
        differs = self.score[1:] != self.score[:-1]
        (last,) = xp.nonzero(xp.concat([differs, xp.ones_like(self.score[:1], dtype=xp.bool)]))
        last = xp.astype(last, xp.float64)
        return last - xp.concat([0.0 * last[:1] - 1.0, last[:-1]])


def read_foreign_grades(
    y_true: Any, y_score: Any, sample_weight: Any = None, labels: Any = None
) -> ForeignGrades | None:
    """Check, read and sort; None for what is not on a device, or not fit to be judged."""
    if not is_foreign(y_true):
        return None
    order = None if labels is None else read_labels(labels)
    if order is not None and not all(map(is_number, order)):
        return None
    sample = read_sample(y_true, y_score, sample_weight, names=("y_true", "y_score"))
    found = _known_codes(sample) if order is None else _codes(sample, np.array(order, dtype=float))
    if found is None:
        return None
    code, classes = found
    xp = sample.xp
    sizes = [float(xp.count_nonzero(code == number)) for number in range(classes)]
    if classes < 2 or not all(sizes):
        return None
    score, by_score = sort_with_order(sample.y_pred, xp=xp)
    weight = None if sample.weight is None else xp.take(sample.weight, by_score)
    return ForeignGrades(xp, score, xp.take(code, by_score), weight, np.array(sizes))


def _known_codes(sample: Sample) -> tuple[Array, int] | None:
    """Find the classes by a glance at a few cases, or else by a look at all."""
    for part in (sample.y_true[: min(GLANCE, sample.size)], sample.y_true):
        values = np.sort(to_numpy(sample.xp.unique_values(part)))
        if len(values) > MOST_CLASSES:
            return None
        found = _codes(sample, values)
        if found is not None:
            return found
    return None


def _codes(sample: Sample, values: Floats) -> tuple[Array, int] | None:
    """Return the place of each truth among the given values; None where one is none of them."""
    xp, order = sample.xp, np.argsort(values)
    table = on_device_of(sample.y_true, values[order], xp=xp)
    place = xp.searchsorted(table[:-1], sample.y_true)  # beyond the last but one is the last
    if not bool(xp.all(xp.take(table, place) == sample.y_true)):
        return None
    kind = xp.int8 if len(values) <= MOST_CLASSES else xp.int32  # small numbers are moved faster
    if bool(np.all(order[1:] > order[:-1])):
        return xp.astype(place, kind), len(values)
    number = on_device_of(sample.y_true, order, xp=xp)
    return xp.astype(xp.take(number, place), kind), len(values)
