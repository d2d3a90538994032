"""Windows beyond memory: sums per bucket of the two shifts that matter, each by itself.

The cost of waiting depends on when a case opens, that of being late on when it closes, so their
joint distribution does not matter: the k-th smallest of one may be paired with that of the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from roctopus.concepts.streams import Batch, Bounded, ModelGrid, OpenedRows, Small
from roctopus.core.arrays import Floats
from roctopus.core.buckets import PARTS, Buckets, RowParts, of_parts, sum_by
from roctopus.core.errors import InputError


class Side:
    """Mass and sum per bucket of one of the two shifts, by part of the rows."""

    def __init__(self, values: Floats, count: int) -> None:
        self.buckets = Buckets.of(values, count)
        self.mass, self.total = np.zeros((2, PARTS * count))
        self.low, self.high = np.inf, -np.inf

    def add(self, values: Floats, batch: Batch) -> None:
        """Take values in."""
        number = self.buckets.numbers(values) + batch.parts_times(self.buckets.count)
        weight = np.ones(len(values)) if batch.weight is None else batch.weight
        self.mass += sum_by(number, weight, len(self.mass))
        self.total += sum_by(number, weight * values, len(self.mass))
        self.low, self.high = min(self.low, values.min()), max(self.high, values.max())

    def merge(self, other: Side) -> None:
        """Take in what another has seen."""
        self.mass, self.total = self.mass + other.mass, self.total + other.total
        self.low, self.high = min(self.low, other.low), max(self.high, other.high)

    def points(self, parts: RowParts | None, spread: bool) -> tuple[Floats, Floats]:
        """Return increasing values with masses: means of buckets, or spread to their borders."""
        mass, total = (of_parts(each.reshape(PARTS, -1), parts) for each in (self.mass, self.total))
        edges = self.buckets.edges(self.low, self.high)
        live = np.flatnonzero(mass > 0.0)
        if not len(live):
            raise InputError("There are no cases.")
        low, high, mass = edges[live], edges[live + 1], mass[live]
        mean = np.clip(total[live] / mass, low, high)
        if not spread:
            return mean, mass
        width = np.where(high > low, high - low, 1.0)
        up = mass * (mean - low) / width
        return np.stack([low, high], axis=1).ravel(), np.stack([mass - up, up], axis=1).ravel()


class WindowGrid(ModelGrid):
    """Both sides of one model's windows."""

    def __init__(self, truth: Any, prediction: Floats, count: int, options: Any) -> None:
        opens, closes = truth[:, 0] - prediction, truth[:, 1] - prediction
        self.sides = [Side(opens, count), Side(closes, count)]
        self.buckets = self.sides[0].buckets

    def update(self, batch: Batch, prediction: Floats) -> None:
        """Take a batch in."""
        for side, times in zip(self.sides, batch.truth.T, strict=True):
            side.add(times - prediction, batch)

    def merge(self, other: Self) -> None:
        """Take in what another grid has seen."""
        for mine, its in zip(self.sides, other.sides, strict=True):
            mine.merge(its)

    def _small(self, parts: RowParts | None, spread: bool) -> Small:
        """Pair the sides in order: cells end where one of them does."""
        sides = [side.points(parts, spread) for side in self.sides]
        running = [np.cumsum(mass) for _, mass in sides]
        ends = np.unique(np.concatenate([each[:-1] for each in running] + [running[0][-1:]]))
        inside = ends - 0.5 * np.diff(ends, prepend=0.0)
        truth = np.stack(
            [
                value[np.minimum(np.searchsorted(total, inside), len(value) - 1)]
                for (value, _), total in zip(sides, running, strict=True)
            ],
            axis=1,
        )
        mass = np.diff(ends, prepend=0.0)
        return Small(truth, np.zeros(len(mass)), mass, np.arange(len(mass)))

    def achievable(self, parts: RowParts | None = None, opened: OpenedRows | None = None) -> Small:
        """Return the sample with each bucket spread to its borders: no better than the truth."""
        return self._small(parts, spread=True)

    def best_cases(self, opened: OpenedRows | None = None) -> list[Small]:
        """Return the sample with each bucket at its mean: no worse than the truth (Jensen)."""
        return [self._small(None, spread=False)]

    def settings(self, knobs: Floats, small: Small, opened: OpenedRows | None = None) -> Floats:
        """Return shifts, which are those of the data."""
        return knobs

    def scalars(self, options: Mapping[str, Any]) -> dict[str, Bounded]:
        """Return nothing: every measure needs the patience."""
        return {}

    def check_exact(self, settings: Mapping[str, Any], ranged: bool) -> None:
        """Raise an error: rows of buckets are not looked up."""
        raise InputError("The arm 'window' is scanned with mode='grid' only.")
