"""What a shared page is given of cutoff errors: where wrong cutoffs begin and end, in cells."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from roctopus.concepts.model_cells import (
    CurveBounds,
    Masses,
    ModelCells,
    most_cells,
    weight_step,
)
from roctopus.concepts.problem import Problem
from roctopus.core.arrays import Floats
from roctopus.core.piecewise import Piecewise
from roctopus.core.round_cells import RoundCells, round_up
from roctopus.cutoff.problem import CutoffDecisions


@dataclass(frozen=True, eq=False)
class WrongCells(ModelCells):
    """Cells of cutoffs, the same for all models: how many cases start and stop being wrong.

    An over-estimated case is wrong for the cutoffs above its truth, up to its prediction; an
    under-estimated one the other way round. At a border the number of wrong cases is exact.
    """

    cells: RoundCells
    begins: tuple[Masses, Masses]
    ends: tuple[Masses, Masses]
    """Of over-estimated cases, then of under-estimated ones."""
    right: Masses
    """Cases that are right for all cutoffs, by their truths."""
    total: float
    heaviest: float
    constant: int | None
    """The cell of a prediction that is the same for every case, unless it is on a border."""
    movable: ClassVar[bool] = False  # they share cells anyway

    @classmethod
    def lay(
        cls, problem: Problem, predictions: Mapping[str, Floats], least: int, asked: Floats
    ) -> Callable[[str], RoundCells]:
        """Return what lays cells by truths and predictions, of all models at once.

        Cutoffs that were asked for are borders where they can be: what an answer gives elsewhere
        would count the cases on both sides of its cutoff.
        """
        truth = problem.truth()
        ends = _reach(truth)
        groups = [truth, *(np.clip(each, *ends) for each in predictions.values())]
        cells = RoundCells.of(groups, least, most_cells(problem.weight), asked=asked)
        return lambda name: cells

    @classmethod
    def fill(cls, problem: Problem, prediction: Floats, cells: RoundCells) -> Self:
        """Count where cases start to be wrong, and where they stop.

        A prediction that is the same for every case is moved to the border below: inside a cell it
        would tell how many true values lie below it. At borders, it decides the same there.
        """
        truth, weight = problem.truth(), problem.weight
        constant = None
        if np.ptp(np.clip(prediction, *_reach(truth))) == 0.0:
            at = int(np.clip(cells.numbers(prediction[:1])[0], 0, cells.count - 1))
            constant = at if prediction[0] != cells.cuts[at] else None
            prediction = np.full(len(prediction), cells.cuts[at])
        finite = np.clip(prediction, *_reach(truth))
        step = None if weight is None else weight_step(weight)

        def masses(values: Floats, mine: Any) -> Masses:
            own = None if weight is None else weight[mine]
            return Masses.of(own, cells.numbers(values[mine]), cells.count, step)

        over, under = prediction > truth, prediction < truth
        total = float(len(truth)) if weight is None else float(weight.sum())
        return cls(
            cells,
            (masses(truth, over), masses(finite, under)),
            (masses(finite, over), masses(truth, under)),
            masses(truth, ~(over | under)),
            total,
            weight_step(weight) / total,
            constant,
        )

    def largest(self, problem: Problem, context: float) -> float:
        """Return the larger of the costs of the two wrong answers."""
        assert isinstance(problem, CutoffDecisions)
        return max(problem.false_positive_cost, problem.false_negative_cost)

    def settings(self, context: float | None) -> Floats:
        """Return margins: at one cutoff thresholds that are borders, else multiples of a step.

        The best margin for several cutoffs is often the error of one case. So the step is about as
        wide as a cell, in which there are several.
        """
        cuts = self.cells.cuts
        if context is not None:
            return (context - cuts)[::-1]
        step = round_up(float(np.median(self.cells.width)))
        reach = int(np.ceil((cuts[-1] - cuts[0]) / step))
        return np.asarray(step * np.arange(-reach, reach + 1))

    def sample(self) -> tuple[Any, Floats, Floats]:
        """Return cases that begin and cease to be wrong in the same cells, first come first out."""
        low, parts = self.cells.low, []
        for kind in (0, 1):
            begin, end = self.begins[kind].middle, self.ends[kind].middle
            begins, ends, mass = _matched(begin, end)
            first, last = low[begins], low[ends]
            parts.append((first, last, mass) if kind == 0 else (last, first, mass))
        right = self.right.middle
        parts.append((low[right > 0.0], low[right > 0.0], right[right > 0.0]))
        truth, prediction, mass = (np.concatenate(each) for each in zip(*parts, strict=True))
        return truth, prediction, mass

    def _wrong(self, kind: int) -> tuple[Floats, Floats, Floats, Floats]:
        """Return the share of one kind of wrong cases at borders, and inside cells: low, high."""
        begin, end = self.begins[kind], self.ends[kind]

        def running(first: Floats, second: Floats) -> Floats:
            return np.append(0.0, np.cumsum(first) - np.cumsum(second))

        low = np.maximum(running(begin.low, end.high), 0.0)
        high = np.maximum(running(begin.high, end.low), 0.0)
        low[-1] = high[-1] = 0.0
        inside_low = np.maximum(np.maximum(low[:-1] - end.high, low[1:] - begin.high), 0.0)
        inside_high = np.minimum(high[:-1] + begin.high, high[1:] + end.high)
        inside_high = np.maximum(inside_high, inside_low)
        parts = (low, high, inside_low, inside_high)
        first, second, third, fourth = (each / self.total for each in parts)
        return first, second, third, fourth

    def bounds(self, problem: Problem) -> CurveBounds:
        """Return Q(c) with no margin: exact at borders but for rounded weights."""
        assert isinstance(problem, CutoffDecisions)
        prices = problem.false_positive_cost, problem.false_negative_cost
        kinds = [self._wrong(kind) for kind in (0, 1)]
        low, high, inside_low, inside_high = (
            prices[0] * over + prices[1] * under for over, under in zip(*kinds, strict=True)
        )
        if self.constant is not None:  # up to where in its cell it says yes is not known
            at, cell = (
                self.constant,
                self.ends[1].high[self.constant] + self.right.high[self.constant],
            )
            yes, no = (high[at + k] + prices[k] * cell / self.total for k in (0, 1))
            inside_low[at], inside_high[at] = min(low[at], low[at + 1]), max(yes, no)
        # Beyond all truths are as many wrong cases at most as end, or begin, in the outer cell.
        beyond = (
            prices[1] * float(self.begins[1].high[0]) / self.total,
            prices[0] * float(self.ends[0].high[-1]) / self.total,
        )
        lower, upper = (
            self._steps(low, inside_low, (0.0, 0.0)),
            self._steps(high, inside_high, beyond),
        )
        return CurveBounds(lower, upper, upper, None)

    def _steps(self, at: Floats, inside: Floats, beyond: tuple[float, float]) -> Piecewise:
        """Return a function with its own value at each border, between them and beyond."""
        cuts = self.cells.cuts
        knots = np.stack([np.nextafter(cuts, -np.inf), cuts], axis=1).ravel()
        # Continuous from the left: the piece that ends at a border is the border alone.
        height = np.stack([np.append(beyond[0], inside), at], axis=1).ravel()
        return Piecewise.steps(
            np.concatenate([[-np.inf], knots, [np.inf]]), np.append(height, beyond[1]), "left"
        )

    def raw(self, problem: Problem, contexts: Floats) -> tuple[Floats, Floats] | None:
        """Return bounds of Q(c)."""
        found = self.bounds(problem)
        return found.lower.at(contexts), found.upper.at(contexts)


def _reach(truth: Floats) -> tuple[float, float]:
    """Return the numbers that stand for infinite predictions: beyond all true values."""
    low, high = float(truth.min()), float(truth.max())
    wide = max(high - low, abs(low), abs(high), 1e-300)
    return low - wide, high + wide


def _matched(begin: Floats, end: Floats) -> tuple[Any, Any, Floats]:
    """Return cells where cases begin, where the same number of them end, and how many."""
    starts, stops = np.cumsum(begin), np.cumsum(end)
    whole = min(float(starts[-1]), float(stops[-1]))
    steps = np.unique(np.concatenate([starts, stops, [0.0, whole]]))
    steps = steps[steps <= whole]
    mass = np.diff(steps)
    middle = steps[:-1] + 0.5 * mass
    found = np.searchsorted(starts, middle), np.searchsorted(stops, middle)
    return found[0], np.maximum(found[0], found[1]), mass
