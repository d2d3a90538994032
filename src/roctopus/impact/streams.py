"""Offers of data beyond memory: the value of accepting each bucket of the score."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Self

import numpy as np

from roctopus.concepts.streams import Batch, Bounded, ModelGrid, OpenedRows, Small, snap_thresholds
from roctopus.core.arrays import Floats
from roctopus.core.buckets import PARTS, Buckets, RowParts, of_parts, sum_by
from roctopus.core.class_grid import ranks_within
from roctopus.core.errors import InputError, arg
from roctopus.impact.utilities import LinearUtility, UtilityScale


class ImpactGrid(ModelGrid):
    """Sums of lines of value per bucket of the score.

    Thresholds between buckets give just these sums. No threshold inside a bucket can be better
    than taking all that is worth something in it; as a function of θ that is convex, so it lies
    below its chords and, beyond the last of them, below its asymptote.
    """

    def __init__(
        self, truth: Floats, prediction: Floats, count: int, options: Mapping[str, Any]
    ) -> None:
        self.buckets = Buckets.of(prediction, count)
        self.make: Callable[[Any], LinearUtility] = options["utility"]
        made = _made(self.make, truth)
        self.scale: UtilityScale = made.scale
        self.middle = made.middle_price
        self.sums = np.zeros((6, PARTS * count))
        """Weight, slope, intercept; worth something at the middle; and what leads from there to
        the left and to the right."""
        self.low, self.high = np.inf, -np.inf

    def update(self, batch: Batch, prediction: Floats) -> None:
        """Add a batch."""
        number = batch.numbers_of(prediction, self.buckets)
        columns = batch.once(batch.truth, (self.make, self.middle), lambda: self._worth(batch))
        for total, values in zip(self.sums, columns, strict=True):
            if isinstance(values, float):
                if values:
                    total += values * self._masses(number, batch.weight)
            elif values is not None:
                weighted = values if batch.weight is None else values * batch.weight
                total += sum_by(number, weighted, len(total))
        self._last = None
        low, high = batch.ends_of(prediction)
        self.low, self.high = min(self.low, low), max(self.high, high)

    _last: tuple[Any, Floats] | None = None

    def _masses(self, number: Any, weight: Floats | None) -> Floats:
        """Return the mass of each bucket of this batch, added up once."""
        if self._last is None or self._last[0] is not number:
            self._last = number, sum_by(number, weight, self.sums.shape[1])
        return self._last[1]

    def _worth(self, batch: Batch) -> list[Floats | float]:
        """Return what is added up for each case; a number where it is the same for all."""
        made = _made(self.make, batch.truth)
        slope, intercept = (_plain(each) for each in (made.slope, made.intercept))
        there, left, right = (
            _positive(
                slope * at + intercept if math.isfinite(at) else math.copysign(1.0, at) * slope
            )
            for at in (self.middle, self.scale.low, self.scale.high)
        )
        return [1.0, slope, intercept, there, left, right]

    def merge(self, other: Self) -> None:
        """Add the sums of another grid."""
        self.sums += other.sums
        self.low, self.high = min(self.low, other.low), max(self.high, other.high)

    def _parts(self, parts: RowParts | None, opened: OpenedRows | None) -> tuple[Any, Floats]:
        sums = of_parts(self.sums.reshape(6, PARTS, -1), parts, axis=1)
        mass = sums[0]
        if opened is not None and len(opened.bucket):
            mass = mass.copy()
            mass[np.unique(opened.bucket)] = 0.0
        bucket = np.flatnonzero(mass > 0.0)
        return bucket, sums[:, bucket]

    def achievable(self, parts: RowParts | None = None, opened: OpenedRows | None = None) -> Small:
        """Return the sample with each bucket as one case of its weight."""
        bucket, (mass, slope, intercept, *_) = self._parts(parts, opened)
        score = self.buckets.edges(self.low, self.high)[bucket]
        return self._small(bucket, score, slope / mass, intercept / mass, mass, opened)

    def _small(
        self,
        bucket: Any,
        score: Floats,
        slope: Floats,
        intercept: Floats,
        mass: Floats,
        opened: OpenedRows | None,
        low: float = -np.inf,
        high: float = np.inf,
    ) -> Small:
        if opened is not None and len(opened.bucket):
            made = self.make(opened.truth)
            weight = np.ones(len(made)) if opened.weight is None else opened.weight
            bucket, score = np.append(bucket, opened.bucket), np.append(score, opened.prediction)
            slope, intercept = np.append(slope, made.slope), np.append(intercept, made.intercept)
            mass = np.append(mass, weight)
        return Small(LinearUtility(slope, intercept, self.scale), score, mass, bucket, low, high)

    def best_cases(self, opened: OpenedRows | None = None) -> list[Small]:
        """Return samples with two cases a bucket: all that may be worth something, and the rest."""
        scale, middle = self.scale, self.middle
        bucket, (mass, slope, intercept, there, left, right) = self._parts(None, opened)
        found = []
        for low, high in ((scale.low, middle), (middle, scale.high)):
            if not low < high:
                continue
            if high == middle:
                rise = (there - left) / (middle - low) if math.isfinite(low) else -left
            else:
                rise = (right - there) / (high - middle) if math.isfinite(high) else right
            level = there - rise * middle
            twice = np.concatenate([bucket, bucket])
            weight = 0.5 * np.concatenate([mass, mass])
            lines = np.concatenate([rise, slope - rise]), np.concatenate([level, intercept - level])
            place = np.concatenate([np.ones(len(mass)), np.zeros(len(mass))])
            small = self._small(
                twice, place, lines[0] / weight, lines[1] / weight, weight, opened, low, high
            )
            found.append(small._replace(prediction=ranks_within(small.bucket, small.prediction)))
        return found

    @staticmethod
    def key(truth: Any, prediction: Floats) -> Floats:
        """Return the scores, which buckets are made of."""
        return prediction

    def settings(self, knobs: Floats, small: Small, opened: OpenedRows | None = None) -> Floats:
        """Return thresholds that cut no bucket in two, except buckets whose rows are known."""
        return snap_thresholds(knobs, small, self.buckets, opened)

    def sizes(self) -> tuple[float, float]:
        """Return how large the sums are at θ = 0, and by how much they grow with θ."""
        mass, slope, intercept, *_ = np.abs(self.sums).sum(axis=1)
        return float(intercept / mass), float(slope / mass)

    def check_exact(self, settings: Mapping[str, Any], ranged: bool) -> None:
        """Raise an error for a capacity, and for a range of prices."""
        limited = (settings["at_least"], settings["at_most"]) != (0.0, 1.0)
        if limited or ranged:
            way, other = arg("mode", "exact"), arg("mode", "grid")
            what = "limits on how many cases are accepted" if limited else "a range of θ"
            raise InputError(
                f"If data do not fit into memory, {way} cannot be used with {what}. Use {other}."
            )

    def scalars(self, options: Mapping[str, Any]) -> dict[str, Bounded]:
        """Return no numbers: the value of an offer depends on θ."""
        return {}


def _made(make: Callable[[Any], LinearUtility], truth: Floats) -> LinearUtility:
    """Return the utility; raise an error for one that is not of these cases."""
    try:
        made = make(truth)
    except InputError:
        raise
    except Exception as error:  # it is the user's own function
        raise InputError(
            f"The function passed as {arg('utility')} failed ({type(error).__name__}: {error}). "
            "It must accept the true values as its only argument."
        ) from None
    if not isinstance(made, LinearUtility) or len(made) != len(truth):
        raise InputError(
            f"{arg('utility')} must return a LinearUtility with as many entries as there are true "
            "values, as value_times_price does."
        )
    return made


def _plain(column: Any) -> Any:
    return float(column[0]) if column.strides == (0,) else column


def _positive(values: Any) -> Any:
    if isinstance(values, float):
        return max(values, 0.0)
    found = np.maximum(values, 0.0)
    return found if found.any() else 0.0
