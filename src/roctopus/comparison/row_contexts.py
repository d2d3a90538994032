"""Every case in its own context: as a problem like any other, so that all that decides works."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from roctopus.concepts.context_curve import ContextCurve
from roctopus.concepts.dependence import INDEPENDENT, Dependence
from roctopus.concepts.problem import ContextKind, Knob, Problem
from roctopus.concepts.realised import RealisedValue, realised_value
from roctopus.concepts.wording import Baseline, Deed
from roctopus.core.arrays import Floats, read_array, to_numpy
from roctopus.core.checks import check_finite, say_wrong
from roctopus.core.errors import InputError, arg
from roctopus.inference.aims import Aim

MOST_CELLS, LEAST_IN_CELL = 64, 10
"""What a decision remembers of contexts: means of so many cells at most, of so many cases each."""


@dataclass(frozen=True, eq=False)
class RowContexts:
    """The context of each case, and what its outcome is multiplied by where costs were given."""

    values: Floats
    unit: Floats | None = None

    def take(self, rows: NDArray[np.intp]) -> RowContexts:
        """Return those of some of the cases."""
        return RowContexts(self.values[rows], None if self.unit is None else self.unit[rows])

    def mass(self, weight: Floats | None) -> Floats | None:
        """Return how much each case's context counts."""
        if self.unit is None or weight is None:
            return self.unit if weight is None else weight
        return self.unit * weight

    def mean(self, weight: Floats | None) -> float:
        """Return the mean context."""
        return float(np.average(self.values, weights=self.mass(weight)))

    def cells(self, weight: Floats | None) -> list[float]:
        """Return means of neighbouring contexts, in order: of cells of about equal weight."""
        order = np.argsort(self.values, kind="stable")
        counted = np.ones(len(order)) if weight is None else weight[order]
        count = max(1, min(MOST_CELLS, len(order) // LEAST_IN_CELL))
        middle = np.cumsum(counted) - 0.5 * counted
        cell = np.minimum((count * middle / counted.sum()).astype(int), count - 1)
        mass = self.mass(weight)
        each = np.ones(len(order)) if mass is None else mass[order]
        total = np.bincount(cell, each, count)
        sums = np.bincount(cell, each * self.values[order], count)
        centre = np.arange(count)[total > 0.0]  # one heavy case may fill several
        means = sums[total > 0.0] / total[total > 0.0]
        return list(np.interp(np.arange(count), centre, means).tolist())

    def as_they_were(
        self, cells: Floats, mean_unit: float | None, weight: Floats | None
    ) -> RowContexts:
        """Return contexts of another time for the same cases, each at the rank it has here.

        What contexts have to do with their cases stays; how large they are is as it was.
        """
        # Equal contexts have as many ranks as there are of them, dealt out at random: as many cases
        # of a price are given the old price as had it then.
        shuffled = np.random.default_rng(0).permutation(len(self.values))
        order = shuffled[np.argsort(self.values[shuffled], kind="stable")]
        counted = np.ones(len(order)) if weight is None else weight
        running = np.cumsum(counted[order])
        rank = np.empty(len(order))
        rank[order] = (running - 0.5 * counted[order]) / running[-1]
        centres = (np.arange(len(cells)) + 0.5) / len(cells)
        unit = self.unit
        if unit is not None and mean_unit is not None:
            unit = unit * (mean_unit / float(np.average(unit, weights=weight)))
        return RowContexts(np.interp(rank, centres, cells), unit)

    def aim(self, problem: Problem) -> tuple[OwnContexts, Aim]:
        """Return the problem of these contexts, and the aim of a decision in them."""
        mean = self.mean(problem.weight)
        low, high = float(self.values.min()), float(self.values.max())
        text = f"{problem.context} of each case"
        unit = None if self.unit is None else float(np.average(self.unit, weights=problem.weight))
        text += f" ({mean:.4g})" if low == high else f" ({low:.4g} to {high:.4g}, mean {mean:.4g})"
        given = {
            "contexts": "of each case",
            "mean": mean,
            "cells": self.cells(problem.weight),
            "mean_unit": unit,
        }
        own = OwnContexts(problem, self)
        return own, Aim(np.array([mean]), "expected", None, text, given, self)


def name_contexts(context: Any) -> dict[str, Any]:
    """Return the columns of contexts by their words; one alone is called "context"."""
    if context is None:
        return {}
    if not isinstance(context, Mapping):
        return {"context": context}
    nothing = [word for word, column in context.items() if column is None]
    if not context or nothing:
        raise InputError(
            f"{arg('context')} must be a dictionary that maps names, such as {arg('under_cost')}, "
            f"to columns, but {f'maps {nothing[0]!r} to None' if nothing else 'is empty'}."
        )
    return {str(word): column for word, column in context.items()}


def read_contexts(problem: Problem, columns: Mapping[str, Any]) -> tuple[Problem, RowContexts]:
    """Read the context of each case; raise an error for those that are missing or make no sense."""
    numbers = {name: to_numpy(read_array(each, name)) for name, each in columns.items()}
    for name, each in numbers.items():
        check_finite(each, name)
    words = {problem.context if name == "context" else name: n for name, n in numbers.items()}
    read, values, unit = problem.read_contexts(words)
    low, high = read.domain
    outside = (values < low) | (values > high)
    if outside.any():
        raise InputError(
            f"The {problem.context} in {arg('context')} must be between {low:g} and {high:g}, but "
            f"{say_wrong(values, outside, 'is outside this range')}."
        )
    return read, RowContexts(np.asarray(values, dtype=np.float64), unit)


@dataclass(frozen=True, eq=False)
class OwnContexts(Problem):
    """Cases of an arm, each in its own context: outcomes are those, whatever context is asked."""

    inner: Problem
    contexts: RowContexts

    @property
    def arm(self) -> str:
        """As within, and so are the following."""
        return self.inner.arm

    @property
    def context(self) -> str:
        """The keyword of the context."""
        return self.inner.context

    @property
    def context_kind(self) -> ContextKind:
        """What a context is."""
        return self.inner.context_kind

    @property
    def knob_name(self) -> str | None:
        """What is tuned."""
        return self.inner.knob_name

    @property
    def sense(self) -> Literal["loss", "gain"]:
        """Whether less or more is better."""
        return self.inner.sense

    @property
    def linear(self) -> bool:
        """Outcomes are the same in any context that is asked for: a level line."""
        return True

    @property
    def traced(self) -> bool:
        """Whether curves take long."""
        return self.inner.traced

    @property
    def domain(self) -> tuple[float, float]:
        """The contexts that make sense."""
        return self.inner.domain

    @property
    def weight(self) -> Floats | None:
        """The weights of the cases."""
        return self.inner.weight

    @property
    def unit(self) -> float:
        """What outcomes are multiplied by in all contexts, as within."""
        return self.inner.unit

    @property
    def strata(self) -> NDArray[np.intp] | None:
        """The class of each case."""
        return self.inner.strata

    @property
    def outcome(self) -> str:
        """What is lost or gained, in words."""
        return self.inner.outcome if self.contexts.unit is None else self.inner.outcome_in_costs

    def __len__(self) -> int:
        return len(self.inner)

    def columns(self) -> tuple[Floats, ...]:
        """Return what the data are."""
        unit = () if self.contexts.unit is None else (self.contexts.unit,)
        return (*self.inner.columns(), self.contexts.values, *unit)

    @property
    def classes(self) -> tuple[Any, ...]:
        """The classes."""
        return self.inner.classes

    @property
    def class_numbers(self) -> tuple[float, ...]:
        """What each class counts as in predictions."""
        return self.inner.class_numbers

    def of_model(self, name: str) -> Self:
        """Return the problem for the predictions of one model."""
        return type(self)(self.inner.of_model(name), self.contexts)

    def settings(self) -> dict[str, Any]:
        """Return settings that affect the outcomes."""
        return self.inner.settings()

    def truth(self) -> Any:
        """Return the truths."""
        return self.inner.truth()

    def unlimited(self) -> Self:
        """Return the problem without a capacity, as within."""
        free = self.inner.unlimited()
        return self if free is self.inner else type(self)(free, self.contexts)

    def take(self, rows: NDArray[np.intp]) -> Self:
        """Return some of the cases."""
        return type(self)(self.inner.take(rows), self.contexts.take(rows))

    def on(self, truth: Any, weight: Floats | None) -> Self:
        """Return the same problem for other cases in these contexts."""
        return type(self)(self.inner.on(truth, weight), self.contexts)

    def check(self, prediction: Floats) -> None:
        """Raise an error for predictions that the arm cannot judge."""
        self.inner.check(prediction)

    def read_context(self, given: dict[str, Any]) -> tuple[Self, float]:
        """Raise an error: every case has its own."""
        raise InputError(f"Each case has its own {self.context} here, so no other can be used.")

    def curve(self, prediction: Floats) -> ContextCurve:
        """Return the mean outcome over one context for all, tuned for each."""
        return self.inner.curve(prediction)

    def tune(self, prediction: Floats, contexts: Floats, handicaps: Floats) -> Knob:
        """Return the one setting that is best in the contexts of the cases."""
        return self.tune_rows(prediction, self.contexts.values)

    def tune_rows(self, prediction: Floats, contexts: Floats, unit: Floats | None = None) -> Knob:
        """Return the one setting that is best in these contexts."""
        return self.inner.tune_rows(prediction, contexts, self.contexts.unit)

    def turning(self, prediction: Floats, context: float | Floats) -> Floats | None:
        """Return the setting at which each case turns, in its own context."""
        return self.inner.turning(prediction, self.contexts.values)

    def outcomes(self, prediction: Floats, knob: Floats, context: float | Floats) -> Floats:
        """Return the outcome of each case in its own context."""
        return self._in_unit(self.inner.outcomes(prediction, knob, self.contexts.values))

    def untuned(
        self, prediction: Floats, assumed: float | Floats, context: float | Floats
    ) -> Floats:
        """Return the outcome of each case if nothing is tuned; what follows contexts does."""
        own = self.contexts.values
        return self._in_unit(self.inner.untuned(prediction, own, own))

    def _in_unit(self, outcomes: Floats) -> Floats:
        return outcomes if self.contexts.unit is None else outcomes * self.contexts.unit

    def say_action(self, model: str, knob: Floats, step: float, context: float | None) -> str:
        """Say what to do, as within."""
        return self.inner.say_action(model, knob, step, None)

    def baselines(self, varied: bool) -> Mapping[str, Baseline]:
        """Return answers that look at no case, as within."""
        return self.inner.baselines(varied)

    def say_baseline(self, name: str, knob: Floats, step: float) -> Deed:
        """Say what a baseline does, as within."""
        return self.inner.say_baseline(name, knob, step)

    def say_raw(self, model: str, context: float | None, assumed: float | None) -> Deed:
        """Return what is done with a model if nothing is tuned, as within."""
        return self.inner.say_raw(model, None, None)

    def raw_meant(self, scores: Floats) -> bool:
        """Tell whether predictions can be used as they are, as within."""
        return self.inner.raw_meant(scores)

    def say_settings(self) -> str:
        """Say what else affects the costs, as within."""
        return self.inner.say_settings()

    def ask_above(self, context: float) -> str:
        """Ask whether the context is above a value, as within."""
        return self.inner.ask_above(context)

    def realised(
        self, prediction: Floats, knob: Floats, dependence: Dependence = INDEPENDENT
    ) -> RealisedValue:
        """Return the mean outcome in these contexts, and if they were independent of the cases."""
        own = self.contexts
        return realised_value(self.inner, prediction, knob, own.values, own.unit, dependence)
