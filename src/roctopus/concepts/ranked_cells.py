"""What a shared page is given of scores that rank classes: cases of each class in round cells."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from roctopus.concepts.model_cells import CurveBounds, Masses, ModelCells, lay_each, weight_step
from roctopus.concepts.problem import Problem
from roctopus.core.arrays import Floats
from roctopus.core.class_grid import ranks_within
from roctopus.core.piecewise import Index
from roctopus.core.round_cells import RoundCells


@dataclass(frozen=True, eq=False)
class RankedCells(ModelCells):
    """Cells of the score: how many cases of each class.

    With each cell as one tie, thresholds at borders give just what they give in truth. If in each
    cell cases were in the order of their classes, no threshold could be better.
    """

    cells: RoundCells
    classes: tuple[Masses, ...]
    totals: Floats
    """The weight of each class."""
    heaviest: float
    offset: float = 0.0
    """Number added to all scores."""
    slack: float = 0.0
    """Rounding error of that number."""
    divided: ClassVar[bool] = True

    @classmethod
    def lay(
        cls, problem: Problem, predictions: Mapping[str, Floats], least: int, asked: Floats
    ) -> Callable[[str], RoundCells]:
        """Return the function that chooses cells from scores."""
        return lay_each(lambda scores: [scores], predictions, least, problem.weight)

    @classmethod
    def fill(cls, problem: Problem, prediction: Floats, cells: RoundCells) -> Self:
        """Count the cases of each class."""
        code, weight = problem.columns()[0].astype(np.intp), problem.weight
        number, masses, totals = cells.numbers(prediction), [], []
        step = None if weight is None else weight_step(weight)
        for k in range(len(problem.classes)):
            mine = code == k
            own = None if weight is None else weight[mine]
            masses.append(Masses.of(own, number[mine], cells.count, step))
            totals.append(float(mine.sum()) if own is None else float(own.sum()))
        heaviest = weight_step(weight) / sum(totals)
        return cls(cells, tuple(masses), np.array(totals), heaviest)

    def grouped(self, prediction: Floats) -> tuple[Floats, Floats]:
        """Return the middle of the cell of each score, and the point nearest to the median."""
        number = self.cells.numbers(prediction)
        low, width = self.cells.low[number], self.cells.width[number]
        middle = np.median(low + 0.5 * width)
        return low + 0.5 * width, np.asarray(np.clip(middle, low, low + width))

    def largest(self, problem: Problem, context: float) -> float:
        """Return the cost of the worst answer of all classes."""
        count = len(problem.classes)
        cases = problem.on(np.arange(float(count)), self.totals)
        answers = [np.where(np.arange(count - 1) < k, -np.inf, np.inf) for k in range(count)]
        return max(
            float(np.ptp(cases.outcomes(np.zeros(count), knob, context))) for knob in answers
        )

    def moved(self, by: float, slack: float) -> Self:
        """Return the cells of all scores plus a number."""
        return replace(self, offset=self.offset + by, slack=slack)

    def settings(self, context: float | None) -> Floats:
        """Return thresholds that are borders, and one that no score reaches."""
        return np.append(self.cells.cuts[:-1] + self.offset, np.inf)

    def _cells(self, which: str) -> tuple[Index, Index, Floats]:
        """Return class, cell and mass wherever there is some."""
        mass = np.array([getattr(each, which) for each in self.classes])
        code, cell = np.nonzero(mass)
        return code, cell, mass[code, cell]

    def sample(self) -> tuple[Any, Floats, Floats]:
        """Return each cell as one tie at its lower border."""
        code, cell, mass = self._cells("middle")
        return code.astype(np.float64), self.cells.low[cell] + self.offset, mass

    def bounds(self, problem: Problem) -> CurveBounds:
        """Return bounds: what thresholds at borders give, and what no threshold can beat."""
        code, cell, mass = self._cells("high")
        cuts = self.cells.cuts
        had = problem.on(code.astype(np.float64), mass).curve(cuts[cell])
        upper = had.function.scale(max(self._ratios("high")))
        code, cell, mass = self._cells("low")
        share, least = min(self._ratios("low")), had.function.scale(0.0)
        if share > 0.0:  # else a class may be too light to be sure of any of its cases
            ranks = ranks_within(cell, code.astype(np.float64))
            best = problem.on(code.astype(np.float64), mass).curve(ranks)
            least = (best.function if best.lower is None else best.lower).scale(share)
        assert had.knob is not None
        # Thresholds between two borders accept the same cells as the upper one of them.
        place = np.searchsorted(cuts[:-1], had.knob)
        knobs = np.append(cuts[:-1] + self.offset, np.inf)[place]
        return CurveBounds(least, upper, upper, knobs.reshape(len(had.function), -1))

    def _ratios(self, which: str) -> list[float]:
        """Return bounds of the ratio by which the weight of each class may be off."""
        pairs = zip(self.classes, self.totals, strict=True)
        return [float(getattr(each, which).sum()) / total for each, total in pairs if total > 0.0]

    def raw_middle(self, problem: Problem, contexts: Floats) -> Floats:
        """Return the outcome with all cases of a cell at its middle."""
        code, cell, mass = self._cells("middle")
        middle = (self.cells.low + 0.5 * self.cells.width)[cell]
        cases = problem.on(code.astype(np.float64), mass)
        found = [np.average(cases.untuned(middle, x, x), weights=mass) for x in contexts.tolist()]
        return np.array(found)

    def raw(self, problem: Problem, contexts: Floats) -> tuple[Floats, Floats] | None:
        """Return bounds of the outcome at the problem's own thresholds."""
        # A number that is added to all predictions is rounded, too.
        reach, found = self.slack, []
        for which, pick in (("low", min), ("high", max)):
            code, cell, mass = self._cells(which)
            ratio = pick(self._ratios(which))
            if ratio == 0.0:
                found.append(np.zeros(len(contexts)))
                continue
            cases = problem.on(code.astype(np.float64), mass)
            # The outcome of a score moves one way between the number of its class and any border.
            low = self.cells.low[cell] + self.offset - reach
            high = np.nextafter(self.cells.cuts[cell + 1], -np.inf) + self.offset + reach
            ends = [low, high, *(np.clip(at, low, high) for at in problem.class_numbers)]
            each = [[cases.untuned(end, x, x) for end in ends] for x in contexts.tolist()]
            extreme = np.min if pick is min else np.max
            found.append(ratio * np.average(extreme(each, axis=1), axis=1, weights=mass))
        return found[0], found[1]
