"""The grids of all models, and the code for data in memory run on what they stand for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from roctopus.arms import find_arm
from roctopus.concepts.arm import Scanned
from roctopus.concepts.context_curve import ContextCurve
from roctopus.concepts.problem import Knob, Problem
from roctopus.concepts.streams import ModelGrid, OpenedRows, Small, within_rounding
from roctopus.concepts.wording import Baseline
from roctopus.core.arrays import Floats
from roctopus.core.buckets import HALVES, RowParts
from roctopus.core.errors import InputError, warn
from roctopus.core.piecewise import Piecewise
from roctopus.inference.aims import Aim
from roctopus.inference.folds import MANY
from roctopus.inference.policies import (
    Learned,
    by_curves,
    ends_of,
    learn_each,
    mean_of,
    tune_for,
)
from roctopus.scanning.batches import Reading
from roctopus.scanning.scans import GridScan, truths_of

Opened: TypeAlias = Mapping[str, OpenedRows]
"""Rows of some buckets as they are, by model."""


def start_grids(
    reading: Reading,
    truth: Any,
    predictions: Mapping[str, Floats],
    count: int,
    options: Mapping[str, Any],
) -> dict[str, ModelGrid]:
    """Return empty grids, with buckets laid by a first sample of rows."""
    arm = find_arm(reading.arm)
    found = {name: arm.grid(truth, predictions[name], count, options) for name in reading.models}
    for grid in found.values():
        _ = grid.buckets.anchors  # found once, and copied with the grid
    return found


def start_constant(
    reading: Reading, truth: Any, count: int, options: Mapping[str, Any]
) -> ModelGrid | None:
    """Return an empty grid for a prediction of 0, where that is what a constant is tuned from.

    Elsewhere the classes that any model's grid holds will do.
    """
    arm = find_arm(reading.arm)
    return arm.grid(truth, np.zeros(len(truth)), count, options) if arm.knob == "shift" else None


@dataclass(eq=False)
class Grids:
    """What a scan of all rows left."""

    reading: Reading
    scan: GridScan
    options: Mapping[str, Any]
    memory: int

    @property
    def cases(self) -> int:
        """The number of cases."""
        return self.scan.counts.kept

    @property
    def rows(self) -> int:
        """The number of rows, those that do not count among them."""
        return self.scan.counts.rows

    @property
    def opens(self) -> bool:
        """Whether rows of some buckets tell the best settings of all."""
        return next(iter(self.scan.grids.values())).opens

    @cached_property
    def classes(self) -> Any:
        """The classes, where there are some."""
        found = next(iter(self.scan.grids.values())).classes
        if found is None or self.reading.labels is None:
            return found
        return np.arange(float(len(self.reading.labels)))

    @cached_property
    def problem(self) -> Problem:
        """The problem, on the small sample of the first model."""
        small = next(iter(self.scan.grids.values())).achievable()
        reading = self.reading
        rows = Scanned(small, reading.labels, self.classes, reading.truth_name, self.options)
        return find_arm(reading.arm).on_scanned(rows)

    def small(
        self,
        name: str,
        problem: Problem,
        parts: RowParts | None = None,
        opened: Opened | None = None,
    ) -> tuple[Problem, Small]:
        """Return the sample whose values are had, as a problem of the arm."""
        rows = None if opened is None else opened[name]
        found = self.scan.grids[name].achievable(parts, rows)
        return self.on(problem, found), found

    def on(self, problem: Problem, small: Small) -> Problem:
        """Return the problem on a small sample."""
        return problem.on(truths_of(small.truth, self.classes), small.weight)

    def tuned_at(self, name: str, problem: Problem, small: Small, context: float) -> Floats:
        """Return the best setting of a small sample at a context, as it is for the data."""
        knob = problem.tune(small.prediction, np.array([context]), np.zeros(1))
        return self._for_data(name, knob, small, None).chosen

    def _for_data(self, name: str, knob: Knob, small: Small, opened: Opened | None) -> Knob:
        rows = None if opened is None else opened[name]
        return self.scan.grids[name].for_data(knob, small, rows)

    def learn(
        self,
        problem: Problem,
        aim: Aim,
        parts: RowParts | None = None,
        opened: Opened | None = None,
    ) -> Learned:
        """Tune every model for the aim."""
        smalls = {name: self.small(name, problem, parts, opened) for name in self.reading.models}
        found = learn_each({n: (cases, s.prediction) for n, (cases, s) in smalls.items()}, aim)

        def mine(name: str, knob: Knob) -> Knob:
            return self._for_data(name, knob, smalls[name][1], opened)

        knobs = {name: mine(name, knob) for name, knob in found.knobs.items()}
        references = tuple(
            (x, model, mine(model, Knob.at(knob)).chosen) for x, model, knob in found.references
        )
        return replace(found, knobs=knobs, references=references)

    def learn_halves(self, problem: Problem, aim: Aim) -> list[tuple[Learned, RowParts]]:
        """Return what halves of the rows teach, the two of a round after each other.

        As in memory, one round is enough for very many cases if its halves choose the same model.
        """
        found: list[tuple[Learned, RowParts]] = []
        for halves in HALVES:
            try:
                found += [(self.learn(problem, aim, parts=half), half) for half in halves]
            except InputError:
                break
            if self.cases >= MANY and len({each.ranked[0] for each, _ in found}) == 1:
                break
        if not found:
            warn(
                "There are too few different rows to tune on one half and evaluate on the other. "
                "Values are measured on the data used for tuning, so they look better than "
                "they are."
            )
        return found

    def with_baselines(
        self,
        learned: Learned,
        problem: Problem,
        aim: Aim,
        baselines: Mapping[str, Baseline],
        parts: RowParts | None = None,
    ) -> Learned:
        """Return what was learned, with the settings of baselines."""
        grid = self.scan.constant or next(iter(self.scan.grids.values()))
        small = grid.achievable(parts)
        cases = self.on(problem, small)
        prediction = np.zeros(len(small.bucket)) if self.scan.constant is None else small.prediction
        knobs = dict(learned.knobs)
        for name, each in baselines.items():
            if each.knob is not None:
                knobs[name] = Knob.at(each.knob)
                continue
            knob = tune_for(cases, prediction, aim, self._handicaps(learned, problem, aim, parts))
            own = self.scan.constant
            knobs[name] = knob if own is None else own.for_data(knob, small, None)
        return replace(learned, knobs=knobs)

    def _handicaps(
        self, learned: Learned, problem: Problem, aim: Aim, parts: RowParts | None
    ) -> Floats:
        """Return what the best models give at each context, for regret; otherwise nothing."""
        found = np.zeros(len(aim.contexts))
        for k, (x, model, knob) in enumerate(learned.references):
            cases, small = self.small(model, problem, parts)
            found[k] = mean_of(cases, cases.outcomes(small.prediction, knob, x))
        return found

    def curve(self, name: str, problem: Problem, parts: RowParts | None = None) -> ContextCurve:
        """Return a model's curve: of settings at borders, with bounds of the best one."""
        grid = self.scan.grids[name]
        known = grid.curve(problem, parts)
        if known is not None:
            return known
        cases, small = self.small(name, problem, parts)
        had = cases.curve(small.prediction)
        best = self._best(name, problem, had.domain)
        lower, upper = (best, had.upper) if had.sense == "loss" else (had.lower, best)
        lower, upper = (had.function if each is None else each for each in (lower, upper))
        lower, upper = within_rounding(lower, upper, *grid.sizes())
        knob = None if had.knob is None else grid.settings(had.knob, small)
        return replace(had, knob=knob, lower=lower, upper=upper, exact=False)

    def _best(self, name: str, problem: Problem, domain: tuple[float, float]) -> Piecewise:
        """Return a bound of what the best settings give."""
        parts = []
        for small in self.scan.grids[name].best_cases():
            curve = self.on(problem.unlimited(), small).curve(small.prediction)
            bound = curve.lower if curve.sense == "loss" else curve.upper
            function = curve.function if bound is None else bound
            low, high = max(small.low, domain[0]), min(small.high, domain[1])
            parts.append(function.restrict(low, high))
        return parts[0] if len(parts) == 1 else Piecewise.joined(parts)

    def least(
        self, problem: Problem, aim: Aim, curves: Mapping[str, ContextCurve]
    ) -> dict[str, float]:
        """Return what each model loses at least, where grids tell: at any setting, on all rows."""
        upper = [each.function if each.upper is None else each.upper for each in curves.values()]

        def had(contexts: Floats) -> Floats:
            return np.asarray(np.min([each.at(contexts) for each in upper], axis=0))

        best = had if aim.criterion == "regret" else None
        found = {}
        for name, grid in self.scan.grids.items():
            least = None
            if aim.distribution is not None:
                least = grid.least(problem, aim.distribution)
            elif by_curves(problem, aim):
                least = grid.least_between(problem, *ends_of(aim), best)
            if least is not None:
                found[name] = max(least, problem.floor)
        return found

    def ordered_states(self, name: str) -> dict[str, Any]:
        """Return what sorted rows are needed for."""
        reading = self.reading
        columns = (reading.truth_name, reading.models[name], reading.weight)
        return self.scan.grids[name].ordered(columns, self.options)
