"""What a shared page is given of offers: the value of accepting the cases of each round cell."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from roctopus.concepts.model_cells import (
    FEWEST_CELLS,
    CurveBounds,
    Masses,
    ModelCells,
    lay_each,
    sum_weights,
    weight_step,
)
from roctopus.concepts.problem import Problem
from roctopus.core.arrays import Floats
from roctopus.core.hulls import envelope_function
from roctopus.core.piecewise import Index, Piecewise
from roctopus.core.round_cells import RoundCells, round_up
from roctopus.impact.problem import ImpactProblem
from roctopus.impact.utilities import LinearUtility, UtilityScale


class Known(NamedTuple):
    """Sums, and the rounding error of each."""

    middle: Floats
    off: Floats
    largest: float
    """Largest value that one case of weight 1 can add."""


@dataclass(frozen=True, eq=False)
class OfferCells(ModelCells):
    """Cells of the score: how many cases, and the sums of their lines of value.

    Thresholds at borders give these sums. No threshold inside a cell can be better than taking all
    that is worth something in it; as a function of θ that is convex, so it lies below its chords
    and, beyond the last of them, below its asymptote.
    """

    cells: RoundCells
    masses: Masses
    lines: tuple[Known, Known]
    """Slopes and intercepts of what is accepted from each lower border on, and of nothing."""
    worth: tuple[Known, ...]
    """For each cell what is worth something at the middle price, and what leads from there to
    either side."""
    middle: float
    scale: UtilityScale
    total: float
    heaviest: float
    offset: float = 0.0
    """Number added to all scores."""
    divided: ClassVar[bool] = True
    valued: ClassVar[bool] = True

    @classmethod
    def lay(
        cls, problem: Problem, predictions: Mapping[str, Floats], least: int, asked: Floats
    ) -> Callable[[str], RoundCells]:
        """Return the function that chooses cells: few, since each sum reveals a little."""
        most = max(FEWEST_CELLS, int(len(problem) ** 0.5))
        return lay_each(lambda scores: [scores], predictions, least, problem.weight, most=most)

    @classmethod
    def fill(cls, problem: Problem, prediction: Floats, cells: RoundCells) -> Self:
        """Sum the value of accepting the cases of each cell."""
        assert isinstance(problem, ImpactProblem)
        utility, weight = problem.utility, problem.weight
        number = cells.numbers(prediction)
        masses = Masses.of(weight, number, cells.count)
        middle, scale = _round(utility.middle_price), utility.scale

        def worth(at: float) -> Any:
            value = utility.at(at) if math.isfinite(at) else math.copysign(1.0, at) * utility.slope
            return np.maximum(value, 0.0)

        def sums(values: Any, above: bool) -> Known:
            column = np.broadcast_to(np.asarray(values, dtype=np.float64), len(prediction))
            return _rounded(column, weight, number, masses, above)

        total = float(len(problem)) if weight is None else float(weight.sum())
        return cls(
            cells,
            masses,
            (sums(utility.slope, True), sums(utility.intercept, True)),
            tuple(sums(worth(at), False) for at in (middle, scale.low, scale.high)),
            middle,
            scale,
            total,
            weight_step(weight) / total,
        )

    def largest(self, problem: Problem, context: float) -> float:
        """Return the largest value of a case, of either sign, that rounding allows for."""
        slope, intercept = (each.largest for each in self.lines)
        return 2.0 * (slope * abs(context) + intercept)

    def moved(self, by: float, slack: float) -> Self:
        """Return the cells of all scores plus a number."""
        return replace(self, offset=self.offset + by)

    def settings(self, context: float | None) -> Floats:
        """Return thresholds that are borders, and one that no score reaches."""
        return np.append(self.cells.low + self.offset, np.inf)

    def sample(self) -> tuple[Any, Floats, Floats]:
        """Return each cell as one case of its weight."""
        some = self.masses.counts > 0
        mass = self.masses.middle[some]
        slope, intercept = (-np.diff(each.middle)[some] / mass for each in self.lines)
        return LinearUtility(slope, intercept, self.scale), self.cells.low[some] + self.offset, mass

    def bounds(self, problem: Problem) -> CurveBounds:
        """Return bounds: what thresholds at borders give, and what no threshold can beat."""
        assert isinstance(problem, ImpactProblem)
        low, high = problem.domain
        inner = [x for x in (0.0, self.middle) if low < x < high]
        ends = [low, *sorted(set(inner)), high]
        had, best, knobs = [], [], []
        for first, last in itertools.pairwise(ends):
            function, knob = self._had(problem, first, last)
            had.append(function)
            knobs.append(knob)
            best.append(self._best(problem, first, last))
        lower, upper = Piecewise.joined(had), Piecewise.joined(best)
        return CurveBounds(lower, upper, lower, np.concatenate(knobs)[:, None])

    def _accepted(self) -> tuple[Floats, Floats]:
        """Return bounds of the share of cases from each border on."""
        least, most = (
            np.append(np.cumsum(each[::-1])[::-1], 0.0) / self.total
            for each in (self.masses.low, self.masses.high)
        )
        return least, np.minimum(most, 1.0)

    def _had(self, problem: ImpactProblem, low: float, high: float) -> tuple[Piecewise, Floats]:
        """Return the best of all borders that a capacity allows, and the one of each piece."""
        least, most = self._accepted()
        allowed = (least >= problem.at_least) & (most <= problem.at_most)
        slope, intercept = self.lines
        side = 1.0 if low >= 0.0 else -1.0
        lines = slope.middle - side * slope.off, intercept.middle - intercept.off
        at = border = np.flatnonzero(allowed)
        if not len(at):  # some of a cell, or of one of several: at worst what is bad
            part = np.flatnonzero((most[:-1] >= problem.at_least) & (least[1:] <= problem.at_most))
            at, border = part[:1], part[:1] + 1
            rise, level = (each[part].sum() for each in self._good(low))
            lines = lines[0] - rise, lines[1] - level
        found, index = _highest(lines[0][at] / self.total, lines[1][at] / self.total, low, high)
        thresholds = np.append(self.cells.low + self.offset, np.inf)
        return found, thresholds[border[index]]

    def _good(self, low: float) -> tuple[Floats, Floats]:
        """Return lines above what is worth something in each cell, from a price on."""
        there, left, right = (each.middle + each.off for each in self.worth)
        above = low >= self.middle
        far, end = (right, self.scale.high) if above else (left, self.scale.low)
        if math.isfinite(end) and end != self.middle:
            rise = (far - there) / (end - self.middle)
        else:
            rise = right if above else -left
        return rise, there - rise * self.middle

    def _best(self, problem: ImpactProblem, low: float, high: float) -> Piecewise:
        """Return the best value if thresholds could separate good from bad cases within a cell."""
        side = 1.0 if low >= 0.0 else -1.0
        slope, intercept = self.lines
        lines = [slope.middle + side * slope.off, intercept.middle + intercept.off]
        rise, level = self._good(low)
        least, most = self._accepted()
        whole = (most >= problem.at_least) & (least <= problem.at_most)
        part = (most[:-1] >= problem.at_least) & (least[1:] <= problem.at_most)
        slopes = np.concatenate([lines[0][whole], (lines[0][1:] + rise)[part]])
        levels = np.concatenate([lines[1][whole], (lines[1][1:] + level)[part]])
        return _highest(slopes / self.total, levels / self.total, low, high)[0]

    def raw(self, problem: Problem, contexts: Floats) -> tuple[Floats, Floats] | None:
        """Return None: what predictions promise is not known for cells."""
        return None


def _round(price: float) -> float:
    """Return a price with two digits: its exact place does not matter."""
    return float(f"{price:.2g}")


def _rounded(
    values: Floats, weight: Floats | None, number: Index, masses: Masses, above: bool
) -> Known:
    """Return sums per cell, or from each cell on, rounded to what one case can add at most.

    Where all cases add the same, masses tell the sums.
    """

    def running(each: Floats) -> Floats:
        return np.append(np.cumsum(each[::-1])[::-1], 0.0) if above else each

    count = len(masses.counts)
    if len(values) == 0 or np.ptp(values) == 0.0:
        first = float(values[0]) if len(values) else 0.0
        off = 0.5 * (masses.high - masses.low) * abs(first)
        return Known(
            running(first * 0.5 * (masses.high + masses.low)), running(off), round_up(abs(first))
        )
    sums = running(sum_weights(weight, number, count, values))
    largest = round_up(float(np.abs(values).max()))
    step = largest * weight_step(weight)
    found = Known(np.rint(sums / step) * step, np.full(len(sums), 0.5 * step), largest)
    if above:  # nothing is worth nothing
        found.off[-1] = 0.0
    return found


def _highest(slope: Floats, intercept: Floats, low: float, high: float) -> tuple[Piecewise, Index]:
    order = np.lexsort((-intercept, slope))
    found, index = envelope_function(slope[order], intercept[order], low, high)
    return found, order[index]
