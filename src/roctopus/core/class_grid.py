"""Class masses per bucket of a score: what rankings and thresholds need, beyond memory."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from roctopus.core.arrays import Floats
from roctopus.core.buckets import PARTS, Buckets, RowParts, of_parts, sum_by
from roctopus.core.errors import InputError, arg
from roctopus.core.piecewise import Index

MOST = 1000
"""More different truths are no classes."""


def code_classes(known: NDArray[Any], truth: NDArray[Any]) -> tuple[NDArray[Any], Index]:
    """Return the classes with those that are new, sorted, and the position of each truth."""
    if len(known):
        code = _consecutive(known, truth)
        if code is not None:
            return known, code
        code = np.searchsorted(known, truth)
        np.minimum(code, len(known) - 1, out=code)
        if bool(np.all(known[code] == truth)):
            return known, code
    found = np.union1d(known, np.unique(truth)) if len(known) else np.unique(truth)
    if len(found) > MOST:
        raise InputError(
            f"{arg('y_true')} has more than {MOST} different values, which are too many for "
            "classes. Is it the right column?"
        )
    return found, np.searchsorted(found, truth)


def _consecutive(known: NDArray[Any], truth: NDArray[Any]) -> Index | None:
    """Return the positions where classes are whole numbers in a row: no search is needed."""
    if truth.dtype.kind != "f" or not np.array_equal(known, known[0] + np.arange(len(known))):
        return None
    place = truth - known[0]
    if not (float(place.min()) >= 0.0 and float(place.max()) <= len(known) - 1.0):
        return None
    code = place.astype(np.intp)
    return code if bool(np.all(code == place)) else None


class ClassGrid:
    """The mass of each class in each bucket of the score, by part of the rows."""

    def __init__(self, prediction: Floats, count: int) -> None:
        self.buckets = Buckets.of(prediction, count)
        self.classes: NDArray[Any] = np.empty(0)
        self.masses = np.zeros((0, PARTS, count))
        self.low, self.high = np.inf, -np.inf

    def take(self, classes: NDArray[Any]) -> None:
        """Make room for classes that were not there before."""
        if len(self.classes):
            classes = np.union1d(self.classes, classes)
        if len(classes) == len(self.classes) and np.array_equal(classes, self.classes):
            return
        wider = np.zeros((len(classes), *self.masses.shape[1:]))
        if len(self.classes):
            wider[np.searchsorted(classes, self.classes)] = self.masses
        self.classes, self.masses = classes, wider

    def add(
        self,
        classes: NDArray[Any],
        offset: Index,
        number: Index,
        ends: tuple[float, float],
        weight: Floats | None,
    ) -> None:
        """Take a batch in: where each row's class begins, and its bucket (by part) in it."""
        self.take(classes)
        sums = sum_by(offset + number, weight, len(classes) * PARTS * self.buckets.count)
        mine = np.searchsorted(self.classes, classes)
        self.masses[mine] += sums.reshape(len(classes), PARTS, -1)
        self.low, self.high = min(self.low, ends[0]), max(self.high, ends[1])

    def merge(self, other: Self) -> None:
        """Take in what another grid has seen."""
        if not len(other.classes):
            return
        self.take(other.classes)
        self.masses[np.searchsorted(self.classes, other.classes)] += other.masses
        self.low, self.high = min(self.low, other.low), max(self.high, other.high)

    def cells(self, parts: RowParts | None, left_out: Index | None) -> tuple[Index, Index, Floats]:
        """Return class, bucket and mass wherever there is some, but in buckets left out."""
        mass = of_parts(self.masses, parts, axis=1)
        if left_out is not None:
            mass[:, left_out] = 0.0
        code, bucket = np.nonzero(mass)
        return code, bucket, mass[code, bucket]

    def lower_edges(self, bucket: Index) -> Floats:
        """Return the smallest score a bucket can hold."""
        return self.buckets.edges(self.low, self.high)[bucket]


def ranks_within(bucket: Index, inner: Floats) -> Floats:
    """Return ranks between 0 and 1 by bucket, and by another key inside; equal keys are tied."""
    order = np.lexsort((inner, bucket))
    ordered, within = bucket[order], inner[order]
    new = np.append(False, (ordered[1:] != ordered[:-1]) | (within[1:] != within[:-1]))
    rank = np.cumsum(new)
    found = np.empty(len(bucket))
    found[order] = rank / max(float(rank[-1]), 1.0) if len(rank) else rank
    return found
