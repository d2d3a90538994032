"""What a shared page is given of a model's errors: their number and sum in each round cell."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from roctopus.concepts.model_cells import (
    CurveBounds,
    Masses,
    ModelCells,
    RoundedSums,
    lay_each,
    sum_weights,
    weight_step,
)
from roctopus.concepts.problem import Problem
from roctopus.core.arrays import Floats
from roctopus.core.hulls import envelope_function
from roctopus.core.round_cells import RoundCells
from roctopus.regression.problem import RegressionProblem

MIDDLE = 0.25
"""The mean of an inner cell is shown only if it is so far from both borders, as a share of the
width: a mean at a border tells all its cases."""


@dataclass(frozen=True, eq=False)
class ErrorCells(ModelCells):
    """Cells of the error ŷ − y: how many cases, and by how much they exceed the lower border.

    At a shift that is a border both sides of the error are known but for rounding. Within a cell,
    no shift is better than if all its cases had the same error (Jensen).
    """

    cells: RoundCells
    masses: Masses
    beyond: RoundedSums
    """Sum of what errors exceed the lower borders of their cells by."""
    total: float
    heaviest: float
    offset: float = 0.0
    """Number added to all errors."""
    slack: float = 0.0
    """Rounding error of that number."""
    valued: ClassVar[bool] = True

    @classmethod
    def lay(
        cls, problem: Problem, predictions: Mapping[str, Floats], least: int, asked: Floats
    ) -> Callable[[str], RoundCells]:
        """Return the function that chooses cells from errors."""
        truth = problem.truth()
        return lay_each(
            lambda p: [_errors(p, truth)], predictions, least, problem.weight, wide=True
        )

    @classmethod
    def fill(cls, problem: Problem, prediction: Floats, cells: RoundCells) -> Self:
        """Count errors, and sum what they exceed borders by."""
        weight, error = problem.weight, _errors(prediction, problem.truth())
        number = cells.numbers(error)
        masses = Masses.of(weight, number, cells.count)
        sums = sum_weights(weight, number, cells.count, error - cells.low[number])
        step = weight_step(weight) * cells.width
        held = np.ceil(masses.high / weight_step(weight) - 1e-9).astype(np.intp)
        least = np.ones(cells.count, dtype=np.intp)
        inner = np.flatnonzero(masses.counts)[1:-1]
        least[inner] = np.ceil(MIDDLE * held[inner])
        beyond = RoundedSums.of(sums, step, held, least)
        total = float(len(error)) if weight is None else float(weight.sum())
        return cls(cells, masses, beyond, total, weight_step(weight) / total)

    def largest(self, problem: Problem, context: float) -> float:
        """Return the cost of the largest error."""
        assert isinstance(problem, RegressionProblem)
        width = float(self.cells.cuts[-1] - self.cells.cuts[0])
        return 2.0 * problem.unit * max(context, 1.0 - context) * width

    def moved(self, by: float, slack: float) -> Self:
        """Return the cells of all errors plus a number."""
        return replace(self, offset=self.offset + by, slack=slack)

    def settings(self, context: float | None) -> Floats:
        """Return shifts that are borders."""
        return -(self.cells.cuts + self.offset)[::-1]

    @property
    def _there(self) -> tuple[Floats, ...]:
        """Lower borders, widths, masses and sums (low, middle, high) of cells with cases."""
        some = self.masses.counts > 0
        low = (self.cells.low + self.offset)[some]
        most = self.masses.high[some] * self.cells.width[some]
        sums = [each[some] for each in (self.beyond.low, self.beyond.middle, self.beyond.high)]
        masses = [each[some] for each in (self.masses.low, self.masses.middle, self.masses.high)]
        return (low, self.cells.width[some], *masses, sums[0], sums[1], np.minimum(sums[2], most))

    def sample(self) -> tuple[Any, Floats, Floats]:
        """Return a sample with the cases of each cell at their mean, and predictions of 0."""
        low, width, _, mass, _, _, beyond, _ = self._there
        error = low + np.clip(beyond / mass, 0.0, width)
        return -error, np.zeros(len(error)), mass

    def sides(self, shifts: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Return bounds of mean over- and under-estimation at some shifts."""
        low, width, least, _, most, sum_low, _, sum_high = self._there
        start = low[:, None] + shifts
        end = start + width[:, None]
        least, most, sum_low, sum_high = (
            each[:, None] for each in (least, most, sum_low, sum_high)
        )

        def over(mass: Floats, beyond: Floats, spread: bool) -> Floats:
            inside = mass * start + beyond  # all of them are over-estimated, or none
            if spread:  # as far apart as they can be, some at each border
                cut = end * np.minimum(beyond / width[:, None], mass)
                return np.where(start >= 0.0, inside, np.where(end > 0.0, cut, 0.0))
            return np.maximum(inside, 0.0)

        def under(mass: Floats, beyond: Floats, spread: bool) -> Floats:
            inside = -mass * start - beyond
            if spread:
                cut = -start * np.maximum(mass - beyond / width[:, None], 0.0)
                return np.where(end <= 0.0, inside, np.where(start < 0.0, cut, 0.0))
            return np.maximum(inside, 0.0)

        # What a mass adds it adds at least, what it takes away it takes away at most.
        over_mass = np.where(start >= 0.0, least, most)
        under_mass = np.where(start <= 0.0, least, most)
        return (
            over(over_mass, sum_low, False).sum(axis=0) / self.total,
            over(most, sum_high, True).sum(axis=0) / self.total,
            under(under_mass, sum_high, False).sum(axis=0) / self.total,
            under(most, sum_low, True).sum(axis=0) / self.total,
        )

    def bounds(self, problem: Problem) -> CurveBounds:
        """Return bounds of L*(α): the loss of shifts at borders, and what no shift can beat."""
        assert isinstance(problem, RegressionProblem)
        low, _, mass, _, most, sum_low, _, sum_high = self._there
        borders = self.settings(None)
        kinks = -np.concatenate(
            [
                low[each > 0.0] + sums[each > 0.0] / each[each > 0.0]
                for sums in (sum_low, sum_high)
                for each in (mass, most)
            ]
        )
        first, second = (self.sides(each) for each in (borders, np.append(borders, kinks)))
        scale = 2.0 * problem.unit
        had, at = _lowest(scale * first[1], scale * first[3])
        least, _ = _lowest(scale * second[0], scale * second[2])
        return CurveBounds(least, had, had, borders[at][:, None])

    def raw(self, problem: Problem, contexts: Floats) -> tuple[Floats, Floats]:
        """Return bounds of the loss without a shift."""
        assert isinstance(problem, RegressionProblem)
        # A number that is added to all predictions is rounded, too.
        reach = self.slack
        found = np.array([self.sides(np.array([each])) for each in (-reach, 0.0, reach)])[..., 0]
        over, under = (found[:, k : k + 2] for k in (0, 2))
        ends = [
            2.0 * problem.unit * ((1.0 - contexts) * pick(over) + contexts * pick(under))
            for pick in (np.min, np.max)
        ]
        return ends[0], ends[1]


def _errors(prediction: Floats, truth: Floats) -> Floats:
    """Return errors; those that differ by rounding only become equal."""
    error = prediction - truth
    size = float(np.median(np.maximum(np.abs(prediction), np.abs(truth))))
    step = 16.0 * float(np.spacing(max(size, 1e-15 * float(np.abs(error).max()))))
    return np.asarray(np.rint(error / step) * step)


def _lowest(over: Floats, under: Floats) -> tuple[Any, Any]:
    """Return the lowest of lines (1 − α)·over + α·under, and which one is lowest."""
    slope, order = under - over, np.lexsort((over, over - under))
    found, index = envelope_function(-slope[order], -over[order], 0.0, 1.0)
    return found.scale(-1.0), order[index]
