"""What a shared page may tell of settings: borders, and which of them are best by its groups."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from roctopus.concepts.model_cells import ModelCells
from roctopus.concepts.problem import Predictions, Problem
from roctopus.core.arrays import Floats


@dataclass(frozen=True, eq=False)
class Settings:
    """Where settings of models and of a constant prediction may lie."""

    models: Mapping[str, ModelCells]
    constant: ModelCells | None
    least: int
    """Fewest cases of a group."""

    def of(self, name: str, context: float | None) -> Floats | None:
        """Return the settings of a model or a baseline that may be told; None if all of them."""
        cells = self.models.get(name, self.constant)
        if cells is None and name not in self.models:
            cells = next(iter(self.models.values()))
        return None if cells is None else cells.settings(context)

    @property
    def valued(self) -> bool:
        """Whether a case can change outcomes by any amount."""
        return any(each.valued for each in self.models.values())

    def hides(self, name: str) -> bool:
        """Tell whether what a model gives as it is would divide a group.

        Of a constant prediction it would tell where in its group it lies. Of a model that is
        another one plus a number, whose cells are not its own, it would count cases near borders.
        """
        cells = self.models[name]
        if self.constant is not None and cells.cells is self.constant.cells:
            return True
        first = next(each for each in self.models.values() if each.cells is cells.cells)
        return cells.divided and first is not cells

    def meant(self, problem: Problem, predictions: Predictions) -> dict[str, Floats]:
        """Return predictions by which to tell what models give as they are, if that makes sense.

        Thresholds may lie inside cells, and then values and their intervals would tell how many
        cases are on each side.
        """
        found = {}
        for name, prediction in predictions.items():
            if self.hides(name):
                continue
            middle, inner = self.models[name].grouped(prediction) or (prediction, prediction)
            own = problem.of_model(name)
            if own.raw_meant(own.knob_values(inner)):
                found[name] = middle
        return found

    def share(self, problem: Problem, context: float) -> float:
        """Return what one case adds to a mean in a context at most, whatever the setting."""
        every = [*self.models.values(), *([] if self.constant is None else [self.constant])]
        return max(each.largest(problem, context) * each.heaviest for each in every)

    def told(self, problem: Problem, name: str, knob: Floats, context: float | None) -> Floats:
        """Return the setting to tell: what is best at one context, as far as cells show it.

        Where they do not, each number is moved to the next one below that may be told. The nearest
        one would tell in which half of a cell the case lies that decides where the setting is.
        """
        known = self.of(name, context)
        if known is None or not len(knob):
            return knob
        cells = self.models.get(name, self.constant)
        if context is not None and cells is not None:
            truth, _, weight = cells.sample()
            bounds = cells.bounds(problem.of_model(name).on(truth, weight))
            found = bounds.knob_at(np.array([context]))
            if found is not None:
                return np.asarray(found[0], dtype=np.float64)
        return np.array([_below(known, each) for each in knob.tolist()])

    def outward(
        self, name: str, ends: tuple[Floats, Floats], context: float | None
    ) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Return the ends of ranges, moved away from each other to settings that may be told."""
        known = self.of(name, context)
        assert known is not None
        below, above = np.append(-np.inf, known), np.append(known, np.inf)
        low = below[np.searchsorted(known, ends[0], side="right")]
        high = above[np.searchsorted(known, ends[1], side="left")]
        return tuple(low.tolist()), tuple(high.tolist())

    def inward(
        self, name: str, ends: tuple[float, float], chosen: float, context: float | None
    ) -> tuple[float, float]:
        """Return the ends of a range, moved to settings inside it, or to the chosen one."""
        known = self.of(name, context)
        assert known is not None
        inside = known[(known >= ends[0]) & (known <= ends[1])]
        return (float(inside[0]), float(inside[-1])) if len(inside) else (chosen, chosen)


def _below(known: Floats, x: float) -> float:
    if not np.isfinite(x):
        return x
    finite = known[np.isfinite(known)]
    return float(finite[max(int(np.searchsorted(finite, x, side="right")) - 1, 0)])
