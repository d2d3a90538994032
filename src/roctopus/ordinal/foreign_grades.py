"""Classes and scores in arrays of other libraries, which stay on their device.

Only the names and sizes of the classes come to the host. Whatever is wrong with the data is left to
``read_grades``, which says it best.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from roctopus.core.arrays import (
    Array,
    Floats,
    count_true,
    is_foreign,
    sort_with_order,
    to_numpy,
)
from roctopus.core.chain_steps import advance_chains, share_of_parts, start_of_chains
from roctopus.core.chains import Ties
from roctopus.core.sample import Sample, read_sample
from roctopus.ordinal.grades import MOST_CLASSES, is_number, read_labels

__all__ = ["ForeignGrades", "read_foreign_grades"]

GLANCE = 4096
"""Among so many cases every class is expected: then no sort is needed to know them."""


@dataclass(frozen=True, eq=False)
class ForeignGrades:
    """The cases that count, by class."""

    sample: Sample
    classes: Floats
    """The truths of each class, from the lowest to the highest."""
    sizes: Floats
    """The number of cases of each class."""

    @property
    def xp(self) -> Any:
        """The array namespace."""
        return self.sample.xp

    @property
    def masks(self) -> Iterator[Array]:
        """Which cases are of each class, one class after the other."""
        return (self.sample.y_true == float(value) for value in self.classes)

    def volume(self, ties: Ties) -> float:
        """Return the share of chains in order."""
        xp, weight = self.xp, self.sample.weight
        parts = [self.sample.y_pred[mask] for mask in self.masks]
        if weight is None:
            return share_of_parts([xp.sort(p, stable=False) for p in parts], None, ties, xp=xp)
        ordered = [sort_with_order(part, xp=xp) for part in parts]
        masses = [
            xp.take(weight[mask], order)
            for mask, (_, order) in zip(self.masks, ordered, strict=True)
        ]
        return share_of_parts([score for score, _ in ordered], masses, ties, xp=xp)

    @cached_property
    def totals(self) -> Floats:
        """The weight of each class."""
        weight = self.sample.weight
        if weight is None:
            return self.sizes
        parts = (self.xp.sum(weight[mask]) for mask in self.masks)
        return np.array([float(part) for part in parts])

    @cached_property
    def _sorted(self) -> tuple[Array, Array]:
        return sort_with_order(self.sample.y_pred, xp=self.xp)

    @property
    def score(self) -> Array:
        """All scores, sorted."""
        return self._sorted[0]

    @cached_property
    def weight(self) -> Array | None:
        """The weights in the order of the scores."""
        weight = self.sample.weight
        return None if weight is None else self.xp.take(weight, self._sorted[1])

    @cached_property
    def code(self) -> Array:
        """The class of each case in the order of the scores, counted from 0."""
        xp = self.xp
        code = xp.zeros_like(self.sample.y_true, dtype=xp.int8)
        for number, mask in enumerate(self.masks):
            code = code + xp.astype(mask, xp.int8) * number
        return xp.take(code, self._sorted[1])

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
    found = _by_glance(sample) if order is None else _split(sample, np.array(order, dtype=float))
    return found if found is not None and len(found.sizes) > 1 and found.sizes.all() else None


def _by_glance(sample: Sample) -> ForeignGrades | None:
    """Find the classes by a glance at a few cases, or else by a look at all."""
    for part in (sample.y_true[: min(GLANCE, sample.size)], sample.y_true):
        values = np.sort(to_numpy(sample.xp.unique_values(part)))
        if len(values) > MOST_CLASSES:
            return None
        found = _split(sample, values)
        if found is not None:
            return found
    return None


def _split(sample: Sample, values: Floats) -> ForeignGrades | None:
    """Split the cases by class; None where a truth is none of the given values."""
    xp = sample.xp
    sizes = np.array([float(count_true(sample.y_true == float(v), xp=xp)) for v in values])
    return ForeignGrades(sample, values, sizes) if sizes.sum() == sample.size else None
