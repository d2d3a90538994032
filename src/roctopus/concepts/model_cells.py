"""What a shared page is given of a model: sums per round cell, rounded so that no row is revealed.

Counts of cases are as they are, since a cell holds several or none. Any other sum is a whole number
of steps, and a step is at least as large as what one case can add. So each sum is known to half a
step, and everything that is made of sums has a lower and an upper bound.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Protocol, Self

import numpy as np

from roctopus.concepts.problem import Problem
from roctopus.core.arrays import Floats
from roctopus.core.piecewise import Index, Piecewise
from roctopus.core.round_cells import RoundCells, round_up

MOST_CELLS = 400
"""Largest number of cells of a model: more cannot be seen, and pages are sent by mail."""
FEWEST_CELLS = 8
"""Smallest number of cells of weighted cases, however heavy the heaviest one is."""


class CurveBounds(NamedTuple):
    """Bounds of the tuned outcome at every context, with the settings that reach one of them."""

    lower: Piecewise
    upper: Piecewise
    had: Piecewise
    """What settings at borders give: the lower bound of a gain, or the upper bound of a loss."""
    knobs: Floats | None
    """A row for each piece of ``had``; None where the curve is that of no setting."""

    def knob_at(self, contexts: Floats) -> Floats | None:
        """Return the settings at some contexts."""
        return None if self.knobs is None else self.knobs[self.had.piece_of(contexts)]


class ModelCells(Protocol):
    """The published sums of one model."""

    cells: RoundCells
    heaviest: float
    """The share of all weight that one case can have."""
    movable: ClassVar[bool] = True
    """Whether models whose predictions differ by a constant can share cells."""
    divided: ClassVar[bool] = False
    """Whether predictions are used as they are by thresholds that may lie inside cells."""
    valued: ClassVar[bool] = False
    """Whether a case can change an outcome by any amount, not only by the cost of an error."""

    @classmethod
    def lay(
        cls, problem: Problem, predictions: Mapping[str, Floats], least: int, asked: Floats
    ) -> Callable[[str], RoundCells]:
        """Return the function that chooses the cells of each model.

        ``asked`` are the contexts that the page was asked to answer for.
        """

    @classmethod
    def fill(cls, problem: Problem, prediction: Floats, cells: RoundCells) -> Self:
        """Sum the cases per cell, and round."""

    def sample(self) -> tuple[Any, Floats, Floats]:
        """Return true values, predictions and weights of a small sample much like the cases."""

    def bounds(self, problem: Problem) -> CurveBounds:
        """Return bounds of the tuned curve."""

    def raw(self, problem: Problem, contexts: Floats) -> tuple[Floats, Floats] | None:
        """Return bounds of the outcome of untuned predictions; None if that is not known."""

    def grouped(self, prediction: Floats) -> tuple[Floats, Floats] | None:
        """Return predictions as the cells tell them, one number per cell; None if all may be used.

        These are the middles of cells, and the points of cells that are nearest to the median.
        Whatever is computed from them divides no cell.
        """
        return None

    def raw_middle(self, problem: Problem, contexts: Floats) -> Floats | None:
        """Return the outcome of untuned predictions in the middles of cells, as ``grouped``."""
        return None

    def largest(self, problem: Problem, context: float) -> float:
        """Return the range of one case's outcome, at any setting that is shown."""

    def moved(self, by: float, slack: float) -> Self:
        """Return the cells of all predictions plus a number, which has a rounding error."""

    def settings(self, context: float | None) -> Floats:
        """Return the settings that a page may show: those at borders of cells."""


@dataclass(frozen=True, eq=False)
class RoundedSums:
    """Sums per cell as whole numbers of steps, each known to half a step."""

    steps: Index
    step: Floats
    """One for all, or one for each cell."""
    counts: Index
    """How many cases there are, of each of which what is summed lies between 0 and a step."""
    least: Index
    most: Index
    """Whole numbers from ``least`` to ``most`` are shown: beyond them, cases would be known too
    well."""

    @staticmethod
    def of(
        sums: Floats, step: Floats | float, counts: Index, least: Index | int = 1
    ) -> RoundedSums:
        """Round the sums of cells with so many cases each."""
        sizes = np.broadcast_to(np.asarray(step, dtype=np.float64), sums.shape)
        wide = np.where(sizes > 0.0, sizes, 1.0)
        ends = np.minimum(np.broadcast_to(least, sums.shape), np.maximum(counts - 1, 0))
        most = np.maximum(counts - np.maximum(ends, 1), ends)
        steps = np.clip(np.rint(sums / wide), ends, most).astype(np.intp)
        return RoundedSums(steps, sizes, counts, ends, most)

    @property
    def middle(self) -> Floats:
        """About the sums."""
        return self.steps * self.step

    @property
    def low(self) -> Floats:
        """Lower bounds of the sums; the smallest number that is shown may stand for 0."""
        return np.asarray(np.where(self.steps <= self.least, 0.0, self.steps - 0.5) * self.step)

    @property
    def high(self) -> Floats:
        """Upper bounds of the sums."""
        beyond = np.where(self.steps >= self.most, self.counts, self.steps + 0.5)
        return np.asarray(beyond * self.step)


def sum_weights(
    weight: Floats | None, number: Index, count: int, of: Floats | None = None
) -> Floats:
    """Return the sums per cell of something, or of the weights alone."""
    if of is not None and weight is not None:
        of = of * weight
    return np.bincount(number, weight if of is None else of, count).astype(np.float64)


def are_equal(weight: Floats) -> bool:
    """Return whether all cases have the same weight: counts are then enough."""
    return bool(weight.min() == weight.max())


def weight_step(weight: Floats | None) -> float:
    """Return a round number that no weight exceeds, or the one that all cases have."""
    if weight is None:
        return 1.0
    return float(weight[0]) if are_equal(weight) else round_up(float(weight.max()))


@dataclass(frozen=True, eq=False)
class Masses:
    """The weight of the cases of each cell, with bounds."""

    low: Floats
    middle: Floats
    high: Floats
    counts: Index

    @staticmethod
    def of(weight: Floats | None, number: Index, count: int, step: float | None = None) -> Masses:
        """Count cases, or round the sums of their weights to what the heaviest of all weighs."""
        counts = np.bincount(number, minlength=count)
        if weight is None or not len(weight) or are_equal(weight):
            each = 1.0 if weight is None or not len(weight) else float(weight[0])
            exact = each * counts.astype(np.float64)
            return Masses(exact, exact, exact, counts)
        sums = sum_weights(weight, number, count)
        size = weight_step(weight) if step is None else step
        rounded = RoundedSums.of(sums, size, counts)
        there = counts > 0
        middle = np.maximum(rounded.middle, 0.5 * size)  # a light case is no absent one
        low, middle, high = (
            np.where(there, each, 0.0) for each in (rounded.low, middle, rounded.high)
        )
        return Masses(low, middle, high, counts)


def lay_each(
    keys: Callable[[Floats], Sequence[Floats]],
    predictions: Mapping[str, Floats],
    least: int,
    weight: Floats | None,
    *,
    most: int = MOST_CELLS,
    wide: bool = False,
) -> Callable[[str], RoundCells]:
    """Return the function that chooses the cells of each model by keys of its own."""
    most = min(most, most_cells(weight))
    return lambda name: RoundCells.of(keys(predictions[name]), least, most, wide=wide)


def most_cells(weight: Floats | None) -> int:
    """Return how many cells to make at most: of rounded weights not so many that errors add up."""
    if weight is None or are_equal(weight):
        return MOST_CELLS
    return int(np.clip(0.05 * weight.sum() / weight_step(weight), FEWEST_CELLS, MOST_CELLS))
