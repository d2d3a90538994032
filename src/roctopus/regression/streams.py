"""Errors of data beyond memory: sums per bucket, and the cost area from sorted errors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from roctopus.concepts.problem import Knob
from roctopus.concepts.streams import Batch, Bounded, Columns, ModelGrid, OpenedRows, Small
from roctopus.core.arrays import Floats, shared_namespace
from roctopus.core.buckets import PARTS, Buckets, RowParts, of_parts, sum_by
from roctopus.core.errors import InputError
from roctopus.core.moments import Moments, dot
from roctopus.core.running_sums import START, RunningSums, advance
from roctopus.regression.costs import asymmetry_cost_area


class RegressionGrid(ModelGrid):
    """Sums per bucket of the error, about the nearer border: an offset of 1e12 costs no digit.

    A sample with each bucket at its mean is never worse than the truth at any shift (Jensen); one
    with each bucket spread to its two borders, the mean kept, is never better, and both are equal
    to it at the borders. Both are given about the location of the buckets.
    """

    def __init__(self, truth: Floats, prediction: Floats, count: int, options: Any) -> None:
        self.buckets = Buckets.of(prediction - truth, count)
        self.mass, self.distance = np.zeros((2, PARTS * count))
        self.low, self.high = [np.inf] * PARTS, [-np.inf] * PARTS
        """The smallest and the largest error of each part."""
        self.moments = Moments()
        self.over, self.under = 0.0, 0.0

    def update(self, batch: Batch, prediction: Floats) -> None:
        """Add a batch."""
        weight, count = batch.weight, self.buckets.count
        error = prediction - batch.truth
        bucket = self.buckets.numbers(error)
        away = self.buckets.anchors.take(bucket)
        np.subtract(error, away, out=away)
        np.abs(away, out=away)
        bucket += batch.parts_times(count)
        self.mass += sum_by(bucket, weight, PARTS * count)
        self.distance += sum_by(bucket, away if weight is None else away * weight, PARTS * count)
        if float(error.min()) < max(self.low) or float(error.max()) > min(self.high):
            for part, mask in enumerate(batch.part_masks()):
                mine = np.compress(mask, error)
                if len(mine):
                    self.low[part] = min(self.low[part], float(mine.min()))
                    self.high[part] = max(self.high[part], float(mine.max()))
        self.over += dot(np.maximum(error, 0.0, out=away), weight)
        self.under += dot(np.minimum(error, 0.0, out=away), weight)
        error -= self.buckets.location
        self.moments.add(error, weight)

    def merge(self, other: Self) -> None:
        """Add the sums of another grid."""
        self.mass += other.mass
        self.distance += other.distance
        for part in range(PARTS):
            self.low[part] = min(self.low[part], other.low[part])
            self.high[part] = max(self.high[part], other.high[part])
        self.over += other.over
        self.under += other.under
        self.moments.merge(other.moments)

    def _parts(
        self, parts: RowParts | None, opened: OpenedRows | None
    ) -> tuple[Floats, Floats, Floats]:
        """Return mass and mean of each bucket, and the edges, about the location."""
        count, origin = self.buckets.count, self.buckets.location
        mass, distance = (
            of_parts(each.reshape(PARTS, count), parts) for each in (self.mass, self.distance)
        )
        if opened is not None:
            mass[np.unique(opened.bucket)] = 0.0
        among = range(PARTS) if parts is None else parts
        ends = min(self.low[k] for k in among), max(self.high[k] for k in among)
        if not ends[0] <= ends[1]:
            raise InputError("The data contain no cases. At least one is needed.")
        edges = self.buckets.edges(*ends) - origin
        side = np.where(np.arange(count) < count // 2, -1.0, 1.0)
        mean = self.buckets.anchors - origin + side * distance / np.where(mass > 0.0, mass, 1.0)
        return mass, np.clip(mean, edges[:-1], edges[1:]), edges

    def achievable(self, parts: RowParts | None = None, opened: OpenedRows | None = None) -> Small:
        """Return the sample with each bucket spread to its borders."""
        mass, mean, edges = self._parts(parts, opened)
        width = np.diff(edges)
        share = np.where(width > 0.0, (mean - edges[:-1]) / np.where(width > 0.0, width, 1.0), 0.0)
        # What rounding alone puts on the other border would be a setting of its own.
        share = np.where(share < 1e-12, 0.0, np.where(share > 1.0 - 1e-12, 1.0, share))
        spread = np.append(mass * (1.0 - share), 0.0)
        spread[1:] += mass * share
        return self._small(edges, spread, np.append(np.arange(len(mass)), len(mass) - 1), opened)

    def best_cases(self, opened: OpenedRows | None = None) -> list[Small]:
        """Return the sample with each bucket at its mean."""
        mass, mean, _ = self._parts(None, opened)
        return [self._small(mean, mass, np.arange(len(mass)), opened)]

    def _small(self, error: Floats, mass: Floats, bucket: Any, opened: OpenedRows | None) -> Small:
        live = mass > 0.0
        error, mass, bucket = error[live], mass[live], bucket[live]
        if opened is not None:
            rows = opened.prediction - opened.truth - self.buckets.location
            weight = np.ones(len(rows)) if opened.weight is None else opened.weight
            error, mass = np.append(error, rows), np.append(mass, weight)
            bucket = np.append(bucket, opened.bucket)
        return Small(np.zeros(len(error)), error, mass, bucket)

    @staticmethod
    def key(truth: Floats, prediction: Floats) -> Floats:
        """Return the errors, which buckets are made of."""
        return prediction - truth

    def settings(self, knobs: Floats, small: Small, opened: OpenedRows | None = None) -> Floats:
        """Return shifts of a small sample in the unit of the data."""
        return knobs - self.buckets.location

    def keys_at(self, knobs: Floats) -> Floats:
        """Return the errors that shifts correct: the negative shifts."""
        return -knobs

    def for_data(self, knob: Knob, small: Small, opened: OpenedRows | None) -> Knob:
        """Return the shift nearest to 0 among the equally good ones."""
        low, high = (self.settings(end, small) for end in (knob.low, knob.high))
        return Knob(np.clip(0.0, low, high), low, high)

    def ordered(
        self, columns: tuple[str, str, str | None], options: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return the state of the area under the cost curve."""
        return {"asymmetry_cost_area": CostArea(*columns, self.moments.weight)}

    def scalars(self, options: Mapping[str, Any]) -> dict[str, Bounded]:
        """Return exact over- and under-estimation and AOC/W², and bounds of the cost area."""
        total = self.moments.weight
        areas = [
            asymmetry_cost_area(each.truth, each.prediction, sample_weight=each.weight)
            for each in (*self.best_cases(), self.achievable())
        ]
        return {
            "over_estimation": Bounded.exactly(self.over / total),
            "under_estimation": Bounded.exactly(self.under / total),
            "rroc_area_over_curve": Bounded.exactly(0.5 * self.moments.squares / total),
            "asymmetry_cost_area": Bounded.between(*areas),
        }


class CostArea:
    """∫L*(α)dα from sorted errors: Σ C·(W − C)·Δ/W², with the running sums used in memory."""

    def __init__(self, truth: str, prediction: str, weight: str | None, total: float) -> None:
        self.columns = truth, prediction, weight
        self.total = total
        self.first: float | None = None
        self.sums: RunningSums = START
        self.linear, self.square = 0.0, 0.0

    def records(self, batch: Columns) -> dict[str, Floats]:
        """Return errors and weights."""
        truth, prediction, weight = self.columns
        found = {"key": (batch[prediction] - batch[truth]) + 0.0}
        return found if weight is None else {**found, "mass": batch[weight]}

    def advance(self, records: Mapping[str, Floats]) -> None:
        """Add ∫C dt and ∫C² dt over the gaps between neighbouring errors."""
        before = self.sums
        key = records["key"]
        xp = shared_namespace(key=key)
        self.sums, groups = advance(before, key, records.get("mass"), xp=xp)
        gaps, mass = np.diff(groups.value), groups.mass[:-1]
        if self.first is None:
            self.first = float(groups.value[0])
        else:
            gaps = np.append(groups.value[0] - before.value, gaps)
            mass = np.append(before.mass, mass)
        share = mass / self.total
        self.linear += float(np.sum(share * gaps))
        self.square += float(np.sum(share * (1.0 - share) * gaps))

    def lifted(self) -> Self:
        """Return an empty state for a range whose lower neighbours are added later."""
        return type(self)(*self.columns, self.total)

    def merge(self, right: Self) -> None:
        """Merge the state of a range of larger errors, adding the mass below it."""
        if right.first is None:
            return
        if self.first is None:
            self.__dict__.update(right.__dict__)
            return
        below = self.sums.mass / self.total
        gap = right.first - self.sums.value
        width = right.sums.value - right.first
        # ∫(b + C)(1 − b − C) = b(1 − b)·width − 2b∫C + ∫C(1 − C)
        self.square += below * (1.0 - below) * (gap + width) + right.square
        self.square -= 2.0 * below * right.linear
        self.linear += below * (gap + width) + right.linear
        mass = self.sums.mass + right.sums.mass
        excess = self.sums.excess + self.sums.mass * (gap + width) + right.sums.excess
        self.sums = RunningSums(right.sums.value, mass, excess)

    @property
    def value(self) -> float:
        """The area."""
        return self.square
