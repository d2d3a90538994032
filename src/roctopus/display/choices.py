"""What choices give along a context: tuned models, raw predictions, and no model at all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from roctopus.concepts.context_curve import ContextCurve
from roctopus.concepts.problem import Problem
from roctopus.core.arrays import Floats
from roctopus.display.axes import ContextAxis

POINTS = 601
"""A curve is drawn at so many contexts."""
FEW = 65
"""Values without a curve are found at so many contexts, straight in between."""
STEPS, WINDOW = 4001, 161
"""Curves of steps are averages over this many of so many contexts: 4 % of what is shown."""
FAINT = 0.02
"""Where the best value falls below this share of its largest one, differences are absolute."""
JUMP = 3.0
"""A model that is so many times farther from the best than the one before is not looked at."""


def untuned_means(problem: Problem, name: str, prediction: Floats, contexts: Floats) -> Floats:
    """Return what a model gives at some contexts if its predictions are used as they are."""
    own = problem.of_model(name)
    curve = own.untuned_curve(prediction)
    if curve is not None:
        return np.asarray(curve.at(contexts))
    count = 2 if own.linear and not own.untuned_follows else FEW
    known = contexts[np.unique(np.linspace(0, len(contexts) - 1, count).astype(int))]
    means = [np.average(own.untuned(prediction, x, x), weights=own.weight) for x in known.tolist()]
    return np.interp(contexts, known, means)


def best_still(problem: Problem, contexts: Floats) -> Floats | None:
    """Return what the best decision without a model gives at each of some contexts."""
    found = []
    for each in problem.baselines(varied=True).values():
        same = problem.constant(each.prediction)
        if each.knob is None:
            found.append(np.asarray(problem.curve(same).at(contexts)))
        else:
            found.append(each.share * problem.means_at(same, np.array(each.knob), contexts))
    if not found:
        return None
    best = np.max if problem.sense == "gain" else np.min
    return np.asarray(best(found, axis=0))


@dataclass(frozen=True, eq=False)
class Choices:
    """Values of all choices at contexts in order."""

    contexts: Floats
    models: dict[str, Floats]
    """Tuned for each context."""
    plain: dict[str, Floats] = field(default_factory=dict)
    """Models whose predictions are used as they are."""
    constants: dict[str, Floats] = field(default_factory=dict)
    """Decisions without a model."""
    gain: bool = False
    window: int = 1
    """So many neighbours are averaged, as where curves jump at every case."""
    dotted: bool = False
    """Whether nothing is known between the contexts."""

    @staticmethod
    def of(
        axis: ContextAxis, curves: Mapping[str, ContextCurve], ends: tuple[float, float]
    ) -> Choices:
        """Return what tuned models give along an axis."""
        first = next(iter(curves.values()))
        known, gain = first.known, first.sense == "utility"
        if known is None:
            window = WINDOW if first.function.is_steps else 1
            contexts = axis.even(*ends, POINTS if window == 1 else STEPS)
        else:
            inside, window = known[(known >= ends[0]) & (known <= ends[1])], 1
            contexts = inside if len(inside) else known
        values = {name: np.asarray(curve.at(contexts)) for name, curve in curves.items()}
        return Choices(contexts, values, gain=gain, window=window, dotted=known is not None)

    def smoothed(self) -> Choices:
        """Return averages over neighbours, where there are to be any."""
        if self.window == 1:
            return self
        groups = (self.models, self.plain, self.constants)
        models, plain, constants = (
            {name: _average(values, self.window) for name, values in each.items()}
            for each in groups
        )
        contexts = _average(self.contexts, self.window)
        return Choices(contexts, models, plain, constants, self.gain)

    @cached_property
    def best(self) -> Floats:
        """The value of the best tuned model at each context."""
        stacked = np.array(list(self.models.values()))
        return np.asarray(stacked.max(axis=0) if self.gain else stacked.min(axis=0))

    def owners(self) -> list[tuple[float, float, str]]:
        """Return which model is best from where to where."""
        stacked = np.array(list(self.models.values()))
        owner = stacked.argmax(axis=0) if self.gain else stacked.argmin(axis=0)
        changes = np.flatnonzero(np.diff(owner)) + 1
        starts = np.concatenate([[0], changes])
        middles = 0.5 * (self.contexts[changes - 1] + self.contexts[changes])
        ends = [float(self.contexts[0]), *middles.tolist(), float(self.contexts[-1])]
        names = list(self.models)
        owned = [names[owner[k]] for k in starts]
        return list(zip(ends[:-1], ends[1:], owned, strict=True))

    @property
    def relative(self) -> bool:
        """Whether differences can be told in percent of the best value."""
        return float(self.best.min()) > FAINT * float(self.best.max())

    def excess(self, values: Floats) -> Floats:
        """Return by how much values differ from the best, in percent where that makes sense."""
        gap = values - self.best
        return 100.0 * gap / self.best if self.relative else gap

    def reach(self, context: float | None) -> float:
        """Return how far from zero to look, so that close rivals can be told apart.

        Models count as close up to the first one that is much farther away than the one before.
        """
        models = np.array([np.abs(self.excess(each)) for each in self.models.values()])
        rest = [
            np.abs(self.excess(each)) for each in (*self.plain.values(), *self.constants.values())
        ]
        near = [float(np.max(np.sort(models, axis=0)[1]))] if len(models) > 1 else []
        near += sorted(float(each.max()) for each in (models if near else rest))
        far = [each for each in near if each > 1e-9] or [1.0]
        reach = far[0]
        for each in far[1:]:
            reach = max(reach, each) if each <= JUMP * reach else reach
        if context is not None:
            at = int(np.argmin(np.abs(self.contexts - context)))
            here = [abs(float(self.excess(each)[at])) for each in self.plain.values()]
            reach = max([reach, *(each for each in here if each <= JUMP * reach)])
        return 1.06 * reach


def _average(values: Floats, window: int) -> Floats:
    """Return the means of neighbours: fewer than there are values."""
    running = np.concatenate([[0.0], np.cumsum(values)])
    return np.asarray((running[window:] - running[:-window]) / window)
