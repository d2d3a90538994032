"""Data in batches: what reads them, and what is kept of them.

A grid keeps sums per bucket, whatever the order of the batches; it stands for small weighted
samples on which the code for data in memory runs: one that can be had (settings at borders of
buckets, where all is exact) and one that is at least as good as the truth. So there is one
definition of each number, and the truth lies between two of them.

An ordered state moves over sorted records; its step is the kernel that is used in memory, too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from roctopus.concepts.context_curve import ContextCurve
from roctopus.concepts.problem import Knob, Problem
from roctopus.core.arrays import Floats
from roctopus.core.buckets import PARTS, Buckets, RowParts
from roctopus.core.distributions import Continuous, Discrete
from roctopus.core.piecewise import Index, Piecewise, level_tails

Columns: TypeAlias = Mapping[str, NDArray[Any]]
"""Columns of equal length, by name."""
RowsDone: TypeAlias = Callable[[int], None]
"""A function called with the number of rows done."""
PartsDone: TypeAlias = Callable[[int, int], None]
"""A function called with the work done and the total."""
Handicap: TypeAlias = Callable[[Floats], Floats]
"""Best possible outcome at each of some contexts."""
Mode: TypeAlias = Literal["grid", "exact"]
"""How rows beyond memory are scanned: once, with bounds; or a few times, exactly."""


class OrderedState(Protocol):
    """What is kept of sorted records."""

    def records(self, batch: Columns) -> dict[str, Any]:
        """Return what is to be sorted, by the column "key": one or several records per row."""

    def advance(self, records: Mapping[str, Any]) -> None:
        """Move over a sorted chunk of whole tie groups."""

    def lifted(self) -> Self:
        """Return an empty state for a range of keys, to be merged into that of smaller ones."""

    def merge(self, right: Self) -> None:
        """Merge a lifted state of larger keys."""


class Source(Protocol):
    """Where rows come from."""

    name: str

    def names(self) -> list[str]:
        """Return the names of the columns."""

    def rows(self) -> int:
        """Return the number of rows."""

    def pilot(self, columns: Sequence[str], rows: int) -> dict[str, NDArray[Any]]:
        """Return some of the first rows."""

    def table(self, columns: Sequence[str]) -> Any:
        """Return columns in memory, as a frame."""

    def reduce(self, columns: Sequence[str], start: Any, told: RowsDone) -> Any:
        """Return the state after all rows, from a copy of ``start``."""

    def ordered(self, columns: Sequence[str], start: Any, told: RowsDone) -> Any:
        """Return the state after all records in order, from a copy of ``start``."""


@dataclass(eq=False)
class Batch:
    """Cases of one batch, with results that several grids share."""

    truth: NDArray[Any]
    weight: Floats | None
    part: NDArray[np.intp]
    """The part of each row, by its place: on some parts knobs are learned, on others judged."""
    _known: dict[Any, Any] = field(default_factory=dict)
    context: Floats | None = None
    """The context of each row, where it has its own."""

    def once(self, of: Any, key: Any, make: Callable[[], Any]) -> Any:
        """Return what ``make`` makes of an array, made once.

        The array is kept with the answer, so that no other one takes its place.
        """
        place = key, id(of)
        if place not in self._known:
            self._known[place] = of, make()
        return self._known[place][1]

    def ends_of(self, values: Floats) -> tuple[float, float]:
        """Return the smallest and the largest value."""
        return ends_of(values, self._known)

    def buckets_of(self, values: Floats, buckets: Buckets) -> Index:
        """Return the bucket of each value."""
        found: Index = self.once(values, buckets, lambda: buckets.numbers(values))
        return found

    def numbers_of(self, values: Floats, buckets: Buckets) -> Index:
        """Return the bucket of each value, counted on from part to part."""
        bucket = self.buckets_of(values, buckets)
        key = (buckets, id(self.part))
        made: Index = self.once(values, key, lambda: bucket + self.parts_times(buckets.count))
        return made

    def part_masks(self) -> list[NDArray[np.bool_]]:
        """Return which rows are of each part."""
        found: list[NDArray[np.bool_]] = self.once(
            self.part, "masks", lambda: [self.part == k for k in range(PARTS)]
        )
        return found

    def parts_times(self, count: int) -> Index:
        """Return where the numbers of each row's part begin, of so many."""
        found: Index = self.once(self.part, count, lambda: self.part * count)
        return found


class Small(NamedTuple):
    """A small weighted sample that stands for a large one."""

    truth: Any
    """True values; in the impact arm a ``LinearUtility``."""
    prediction: Floats
    weight: Floats
    bucket: Index
    """Original position of each row."""
    low: float = -np.inf
    high: float = np.inf
    """The contexts for which it holds."""


class OpenedRows(NamedTuple):
    """Rows of some buckets as they are, beside the sums of all others."""

    truth: Any
    prediction: Floats
    weight: Floats | None
    bucket: Index


class Bounded(NamedTuple):
    """A number that is known up to bounds; both equal it where it is exact."""

    value: float
    lower: float
    upper: float

    @staticmethod
    def exactly(value: float) -> Bounded:
        """Return a number that is known."""
        return Bounded(value, value, value)

    @staticmethod
    def between(lower: float, upper: float) -> Bounded:
        """Return the middle of two bounds, these moved by what sums may have lost to rounding."""
        ends = lower - 1e-11 * abs(lower), upper + 1e-11 * abs(upper)
        return Bounded(0.5 * (lower + upper), *ends)


class ModelGrid(Protocol):
    """The sums of one model's cases per bucket."""

    buckets: Buckets

    def update(self, batch: Batch, prediction: Floats) -> None:
        """Add a batch."""

    def merge(self, other: Self) -> None:
        """Add the sums of another grid."""

    def achievable(self, parts: RowParts | None = None, opened: OpenedRows | None = None) -> Small:
        """Return a sample whose outcomes can be reached, by settings at the borders of buckets."""

    def best_cases(self, opened: OpenedRows | None = None) -> list[Small]:
        """Return samples at least as good as the truth, for neighbouring ranges of contexts."""

    @staticmethod
    def key(truth: Any, prediction: Floats) -> Floats:
        """Return the values that buckets are made of."""

    def settings(self, knobs: Floats, small: Small, opened: OpenedRows | None = None) -> Floats:
        """Return settings of a small sample in the unit of the data."""

    def scalars(self, options: Mapping[str, Any]) -> dict[str, Bounded]:
        """Return measures of the arm."""

    @property
    def opens(self) -> bool:
        """Whether the rows of a few buckets are enough to find the best setting."""
        return True

    def least(self, problem: Problem, distribution: Continuous | Discrete) -> float | None:
        """Return a lower bound of the mean loss over a distribution; None if not known."""
        return None

    def least_between(
        self, problem: Problem, low: float, high: float, handicap: Handicap | None
    ) -> float | None:
        """Return a lower bound of the worst loss in a range of contexts at any setting.

        From each loss a handicap is subtracted first: the least possible loss there.
        """
        return None

    def at_context(self, context: float, near: float = 0.0) -> ModelGrid | None:
        """Return an empty grid that can tune at one context, where this one cannot.

        Keys as ``near`` to each other as rounding may bring them are one.
        """
        return None

    @property
    def classes(self) -> NDArray[Any] | None:
        """The classes of the true values, if they are classes."""
        return None

    def curve(self, problem: Problem, parts: RowParts | None) -> ContextCurve | None:
        """Return the curve, if it follows from the sums without a sample."""
        return None

    def sizes(self) -> tuple[float, float]:
        """Return how large the sums are at context 0, and by how much they grow with it."""
        return 0.0, 0.0

    def keys_at(self, knobs: Floats) -> Floats:
        """Return where settings lie among the keys."""
        return knobs

    def for_data(self, knob: Knob, small: Small, opened: OpenedRows | None) -> Knob:
        """Return a setting of a small sample, with its range, in the unit of the data."""
        chosen = self.settings(knob.chosen, small, opened)
        if opened is None:  # how far it may move inside buckets is not known
            return Knob(chosen, np.nextafter(chosen, -np.inf), chosen)
        return Knob(chosen, knob.low, knob.high)

    def ordered(
        self, columns: tuple[str, str, str | None], options: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return ordered states for measures that need sorted rows, by measure."""
        return {}

    def check_exact(self, settings: Mapping[str, Any], ranged: bool) -> None:
        """Raise an error for questions that buckets have no bounds for."""
        return


def ends_of(values: Floats, known: dict[Any, Any]) -> tuple[float, float]:
    """Return the smallest and the largest value, computed once."""
    key = ("ends", id(values))
    if key not in known:  # the values are kept, so that no other array takes their place
        known[key] = values, (float(values.min()), float(values.max()))
    found: tuple[float, float] = known[key][1]
    return found


def snap_thresholds(
    knobs: Floats, small: Small, buckets: Buckets, opened: OpenedRows | None
) -> Floats:
    """Return thresholds that accept the same cells of a small sample, and cut no bucket in two.

    A sample holds each bucket at its smallest score. A threshold between two of them stands for
    the upper one; only between rows that are known may it stay where it is.
    """
    scores = np.append(np.unique(small.prediction), np.inf)
    upper = scores[np.searchsorted(scores, knobs)]
    place = buckets.numbers(knobs.ravel()).reshape(knobs.shape)
    cuts = np.isin(place, small.bucket)  # an empty bucket is not cut in two
    if opened is not None:
        cuts &= ~np.isin(place, opened.bucket)
    return np.where(cuts, upper, knobs)


def within_rounding(
    lower: Piecewise, upper: Piecewise, size: float = 0.0, growth: float = 0.0
) -> tuple[Piecewise, Piecewise]:
    """Widen bounds by the rounding error of long sums.

    The sums are as large as the values, or ``size``; they grow with the context by ``growth``.
    """
    ends = (upper.start, upper.end, lower.start, lower.end)
    size = max(size, *(float(np.max(np.abs(each))) for each in ends))
    moved = []
    for function, sign in ((lower, -1.0), (upper, 1.0)):
        x = np.where(np.isfinite(function.knots), function.knots, 0.0)
        start, end = (
            part + sign * (1e-11 * np.abs(part) + 1e-12 * (size + growth * np.abs(at)))
            for part, at in ((function.start, x[:-1]), (function.end, x[1:]))
        )
        left, right = function.tails
        extra = sign * (1e-11 * max(abs(left), abs(right)) + 1e-12 * growth)
        if not np.isfinite(function.knots).any():  # one value for all contexts
            extra = 0.0
        tails = (
            left - extra if np.isinf(function.knots[0]) else left,
            right + extra if np.isinf(function.knots[-1]) else right,
        )
        level_tails(function.knots, start, end)
        moved.append(Piecewise(function.knots, start, end, function.continuity, tails))
    return moved[0], moved[1]
