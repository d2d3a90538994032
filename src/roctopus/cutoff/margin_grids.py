"""Margins beyond memory: at a known cutoff truths are two classes, and predictions rank them."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from roctopus.concepts.ranked_grid import RankedGrid
from roctopus.concepts.streams import Batch, OpenedRows, Small, snap_thresholds
from roctopus.core.arrays import Floats
from roctopus.core.buckets import Buckets, RowParts
from roctopus.core.class_grid import ClassGrid
from roctopus.core.piecewise import Index
from roctopus.core.turns import as_one

SIDES = np.array([0.0, 1.0])


class MarginGrid(RankedGrid):
    """Masses below a cutoff, and from it on, per bucket of the prediction."""

    share: ClassVar[str] = "share of correctly ranked pairs at a cutoff"

    def __init__(self, buckets: Buckets, cutoff: float, near: float) -> None:
        self.cutoff, self.buckets, self.near = cutoff, buckets, near
        self.grid = ClassGrid(np.zeros(1), buckets.count)
        self.grid.buckets = buckets
        self.grid.take(SIDES)

    @property
    def classes(self) -> None:  # type: ignore[override]
        """Return None: true values are numbers, not classes."""
        return

    def _codes(self, batch: Batch) -> tuple[NDArray[Any], Index]:
        """Return on which side of the cutoff the truth of each row lies."""
        key = "side", self.cutoff
        code: Index = batch.once(batch.truth, key, lambda: self._side(batch.truth).astype(np.intp))
        return SIDES, code

    def _side(self, truth: Floats) -> Floats:
        return (truth >= self.cutoff).astype(np.float64)

    def achievable(self, parts: RowParts | None = None, opened: OpenedRows | None = None) -> Small:
        """Return the sample with each bucket as one tie, truths at the cutoff or just below it."""
        return self._as_numbers(super().achievable(parts, self._sides_of(opened)))

    def best_cases(self, opened: OpenedRows | None = None) -> list[Small]:
        """Return the sample with the two sides of each bucket in order."""
        return [self._as_numbers(each) for each in super().best_cases(self._sides_of(opened))]

    def _sides_of(self, opened: OpenedRows | None) -> OpenedRows | None:
        if opened is None:
            return None
        prediction = as_one(opened.prediction, self.near)
        return opened._replace(truth=self._side(opened.truth), prediction=prediction)

    def _as_numbers(self, small: Small) -> Small:
        below = np.nextafter(self.cutoff, -np.inf)
        return small._replace(truth=np.where(small.truth > 0.0, self.cutoff, below))

    def keys_at(self, knobs: Floats) -> Floats:
        """Return the thresholds on predictions that margins stand for."""
        return self.cutoff - knobs

    def settings(self, knobs: Floats, small: Small, opened: OpenedRows | None = None) -> Floats:
        """Return margins that cut no bucket in two, except buckets whose rows are known."""
        place = self.cutoff - knobs
        cut = snap_thresholds(place, small, self.buckets, opened)
        span = self.grid.high - self.grid.low
        none = self.grid.high + (span if 0.0 < span < np.inf else 1.0)
        moved = np.isposinf(cut)
        cut = np.where(moved, none, cut)
        margin = np.where((cut == place) & ~moved, knobs, self.cutoff - cut)
        # Rounding must not keep the border itself from being reached.
        return np.where(cut + margin < self.cutoff, np.nextafter(margin, np.inf), margin)
