"""Grids of the arms that rank classes by a score: ordered classes, and two of them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from roctopus.concepts.streams import (
    Batch,
    Bounded,
    Columns,
    ModelGrid,
    OpenedRows,
    Small,
    snap_thresholds,
)
from roctopus.core.arrays import Floats, shared_namespace
from roctopus.core.buckets import PARTS, RowParts
from roctopus.core.chain_steps import advance_chains
from roctopus.core.chains import ClassScores, chain_share
from roctopus.core.class_grid import ClassGrid, code_classes, ranks_within
from roctopus.core.piecewise import Index


class RankedGrid(ModelGrid):
    """Class masses per bucket of the score.

    With each bucket as one tie, thresholds between buckets give just what they give in truth. If
    in each bucket cases were in the order of their classes, no threshold could be better.
    """

    share: ClassVar[str]
    """The measure that is the share of correctly ranked sequences."""

    def __init__(self, truth: NDArray[Any], prediction: Floats, count: int, options: Any) -> None:
        self.grid = ClassGrid(prediction, count)
        self.buckets = self.grid.buckets

    @property
    def classes(self) -> NDArray[Any]:
        """The classes that occurred."""
        return self.grid.classes

    def update(self, batch: Batch, prediction: Floats) -> None:
        """Add a batch."""
        classes, code = self._codes(batch)
        number = batch.numbers_of(prediction, self.buckets)
        span = PARTS * self.buckets.count
        offset = batch.once(code, span, lambda: code * span)
        self.grid.add(classes, offset, number, batch.ends_of(prediction), batch.weight)

    def _codes(self, batch: Batch) -> tuple[NDArray[Any], Index]:
        """Return the classes, and the class of each row."""
        found: tuple[NDArray[Any], Index] = batch.once(
            batch.truth, "classes", lambda: code_classes(self.grid.classes, batch.truth)
        )
        return found

    def merge(self, other: Self) -> None:
        """Add the masses of another grid."""
        self.grid.merge(other.grid)

    def achievable(self, parts: RowParts | None = None, opened: OpenedRows | None = None) -> Small:
        """Return the sample with each bucket as one tie, at the smallest score it can hold."""
        code, bucket, mass, rows = self._cells(parts, opened)
        score = self.grid.lower_edges(bucket)
        if rows is not None:
            score[-len(rows.bucket) :] = rows.prediction
        return Small(self.grid.classes[code], score, mass, bucket)

    def best_cases(self, opened: OpenedRows | None = None) -> list[Small]:
        """Return the sample with the classes of each bucket in order."""
        return [self._in_order(1.0, opened)]

    def _in_order(self, sign: float, opened: OpenedRows | None) -> Small:
        code, bucket, mass, rows = self._cells(None, opened)
        inner = sign * code
        if rows is not None:
            inner[-len(rows.bucket) :] = rows.prediction
        return Small(self.grid.classes[code], ranks_within(bucket, inner), mass, bucket)

    def _cells(self, parts: RowParts | None, opened: OpenedRows | None) -> Any:
        """Return class, bucket and mass of cells, then of rows that are known as they are."""
        if opened is None or not len(opened.bucket):
            return *self.grid.cells(parts, None), None
        code, bucket, mass = self.grid.cells(parts, np.unique(opened.bucket))
        weight = np.ones(len(opened.bucket)) if opened.weight is None else opened.weight
        own = np.searchsorted(self.grid.classes, opened.truth)
        return (
            np.append(code, own),
            np.append(bucket, opened.bucket),
            np.append(mass, weight),
            opened,
        )

    @staticmethod
    def key(truth: Any, prediction: Floats) -> Floats:
        """Return the scores, which buckets are made of."""
        return prediction

    def settings(self, knobs: Floats, small: Small, opened: OpenedRows | None = None) -> Floats:
        """Return thresholds that cut no bucket in two, except buckets whose rows are known."""
        return snap_thresholds(knobs, small, self.buckets, opened)

    def ordered(
        self, columns: tuple[str, str, str | None], options: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return the state of the share of correctly ranked sequences."""
        totals = self.grid.masses.sum(axis=(1, 2))
        return {self.share: ChainShare(*columns, self.grid.classes, totals)}

    def scalars(self, options: Mapping[str, Any]) -> dict[str, Bounded]:
        """Return bounds of the share of correctly ranked sequences of one case per class."""
        found = []
        for sign in (-1.0, 1.0):
            small = self._in_order(sign, None)
            parts = [
                ClassScores.of(small.prediction[mine], small.weight[mine])
                for mine in (small.truth == label for label in self.grid.classes)
            ]
            found.append(chain_share(parts, "average"))
        return {self.share: Bounded.between(*found)}


class ChainShare:
    """The share of correctly ranked sequences from sorted scores: the volume, and the AUC."""

    def __init__(
        self,
        truth: str,
        prediction: str,
        weight: str | None,
        classes: NDArray[Any],
        totals: Floats,
        lifted: bool = False,
    ) -> None:
        self.arguments = truth, prediction, weight, classes, totals
        size = len(classes) + 1
        self.sums = np.eye(size) if lifted else np.eye(1, size)

    def records(self, batch: Columns) -> dict[str, Any]:
        """Return scores, classes and weights."""
        truth, prediction, weight, classes, *_ = self.arguments
        code = np.searchsorted(classes, batch[truth]).astype(np.int16)
        found: dict[str, Any] = {"key": batch[prediction] + 0.0, "code": code}
        return found if weight is None else {**found, "mass": batch[weight]}

    def advance(self, records: Mapping[str, Floats]) -> None:
        """Move over a sorted chunk."""
        key, mass = records["key"], records.get("mass")
        self.sums = advance_chains(
            self.sums, key, records["code"], mass, "average", xp=shared_namespace(key=key)
        )

    def lifted(self) -> Self:
        """Return an empty state, for chains that begin and end anywhere."""
        return type(self)(*self.arguments, lifted=True)

    def merge(self, right: Self) -> None:
        """Join chains of lower scores with those of higher ones."""
        self.sums = self.sums @ right.sums

    @property
    def value(self) -> float:
        """The share."""
        return float(self.sums[0, -1]) / math.prod(map(float, self.arguments[4]))
