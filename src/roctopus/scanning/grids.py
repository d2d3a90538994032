"""The grids of all models, and the code for data in memory run on what they stand for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from roctopus.arms import read_problem
from roctopus.concepts.context_curve import ContextCurve
from roctopus.concepts.problem import NO_KNOB, Knob, Problem
from roctopus.concepts.ranked_grid import ChainShare, RankedGrid
from roctopus.concepts.streams import Bounded, ModelGrid, Rows, Small, within_rounding
from roctopus.core.arrays import Floats
from roctopus.core.errors import InputError
from roctopus.core.piecewise import Piecewise
from roctopus.cutoff.cases import ErrorCosts
from roctopus.cutoff.streams import CutoffGrid, OutputArea
from roctopus.impact.problem import ImpactProblem
from roctopus.impact.streams import ImpactGrid
from roctopus.inference.aims import Aim
from roctopus.inference.policies import (
    Learned,
    learn_each,
    learn_from_curves,
)
from roctopus.ordinal.losses import loss_matrix
from roctopus.ordinal.streams import OrdinalGrid
from roctopus.probability.streams import ProbabilityGrid
from roctopus.regression.streams import CostArea, RegressionGrid
from roctopus.scanning.batches import Reading
from roctopus.scanning.scans import GridScan, truths_of

__all__ = ["Grids", "Opened", "start_grids"]

Opened: TypeAlias = Mapping[str, Rows]
"""Rows of some buckets as they are, by model."""


def start_grids(
    reading: Reading, pilot: Mapping[str, Any], count: int, options: Mapping[str, Any]
) -> dict[str, ModelGrid]:
    """Return empty grids, with buckets laid by a first sample of rows."""
    kinds: dict[str, Any] = {
        "regression": RegressionGrid,
        "cutoff": CutoffGrid,
        "ordinal": OrdinalGrid,
        "probability": ProbabilityGrid,
        "impact": ImpactGrid,
    }
    more = {"utility": options["utility"]} if reading.arm == "impact" else {}
    truth, _, predictions = pilot["truth"], pilot["weight"], pilot["predictions"]
    found = {
        name: kinds[reading.arm](truth, predictions[name], count, **more) for name in reading.models
    }
    for grid in found.values():
        _ = grid.buckets.anchors  # found once, and copied with the grid
    return found


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

    @cached_property
    def classes(self) -> Any:
        """The classes, where there are some."""
        first = next(iter(self.scan.grids.values()))
        if not isinstance(first, RankedGrid):
            return None
        if self.reading.labels is not None:
            return np.arange(float(len(self.reading.labels)))
        return first.grid.classes

    @cached_property
    def problem(self) -> Problem:
        """The problem, on the small sample of the first model."""
        first = next(iter(self.scan.grids.values())).achievable()
        arm, options = self.reading.arm, dict(self.options)
        truth = first.truth
        if arm == "probability" and len(self.classes) > 2:
            told = ", ".join(f"{label:g}" for label in self.classes[:5])
            raise InputError(
                f"The column {self.reading.truth!r} must have two classes, but has "
                f"{len(self.classes)}: {told}. For ordered classes use arm='ordinal'."
            )
        if arm == "ordinal" and self.reading.labels is not None:
            truth = [self.reading.labels[int(code)] for code in first.truth]
        if arm != "impact":
            made = read_problem(arm, truth, first.weight, options)
            if arm == "ordinal":
                _refuse_odd_losses(made)
            return made
        make = options.pop("utility")
        found: Any = read_problem(
            arm, first.prediction, first.weight, {**options, "utility": first.truth}
        )
        whole: Problem = replace(found, make=make)
        return whole

    def small(
        self,
        name: str,
        problem: Problem,
        half: int | None = None,
        opened: Opened | None = None,
    ) -> tuple[Problem, Small]:
        """Return the sample whose values are had, as a problem of the arm."""
        rows = None if opened is None else opened[name]
        found = self.scan.grids[name].achievable(half, rows)
        return self.on(problem, found), found

    def on(self, problem: Problem, small: Small) -> Problem:
        """Return the problem on a small sample."""
        truth = truths_of(self.reading.arm, small.truth, self.classes)
        return problem.on(truth, small.weight)

    def tune(
        self,
        name: str,
        problem: Problem,
        small: Small,
        contexts: Floats,
        handicaps: Floats,
        rows: Rows | None = None,
    ) -> Knob:
        """Return the best setting of a small sample, as it is for the data."""
        return self._for_data(
            name, problem.tune(small.prediction, contexts, handicaps), small, rows
        )

    def _for_data(self, name: str, knob: Knob, small: Small, rows: Rows | None) -> Knob:
        if knob is NO_KNOB:
            return knob
        grid = self.scan.grids[name]
        if isinstance(grid, RegressionGrid):
            low, high = (grid.settings(end, small) for end in (knob.low, knob.high))
            return Knob(np.clip(0.0, low, high), low, high)
        chosen = grid.settings(knob.chosen, small, rows)
        if rows is None:  # how far it may move inside buckets is not known
            return Knob(chosen, np.nextafter(chosen, -np.inf), chosen)
        return Knob(chosen, knob.low, knob.high)

    def learn(
        self,
        problem: Problem,
        aim: Aim,
        curves: Callable[[Problem], Mapping[str, ContextCurve]],
        half: int | None = None,
        opened: Opened | None = None,
    ) -> Learned:
        """Tune every model for the aim."""
        if problem.knob_name is None:
            if half is None:
                return _learn_cutoffs(curves(problem), aim)
            names = self.reading.models
            return _learn_cutoffs({n: self.curve(n, problem, half) for n in names}, aim)
        smalls = {name: self.small(name, problem, half, opened) for name in self.reading.models}
        found = learn_each({n: (cases, s.prediction) for n, (cases, s) in smalls.items()}, aim)

        def mine(name: str, knob: Knob) -> Knob:
            rows = None if opened is None else opened[name]
            return self._for_data(name, knob, smalls[name][1], rows)

        knobs = {name: mine(name, knob) for name, knob in found.knobs.items()}
        references = tuple(
            (x, model, mine(model, Knob.at(knob)).chosen) for x, model, knob in found.references
        )
        return replace(found, knobs=knobs, references=references)

    def curve(self, name: str, problem: Problem, half: int | None = None) -> ContextCurve:
        """Return a model's curve: of settings at borders, with bounds of the best one."""
        grid = self.scan.grids[name]
        if isinstance(grid, CutoffGrid):
            return grid.curve(ErrorCosts(*_costs(problem.settings())), half)
        cases, small = self.small(name, problem, half)
        had = cases.curve(small.prediction)
        best = self._best(name, problem, had.domain)
        lower, upper = (best, had.function) if had.sense == "loss" else (had.function, best)
        sizes = grid.sizes() if isinstance(grid, ImpactGrid) else (0.0, 0.0)
        lower, upper = within_rounding(lower, upper, *sizes)
        knob = None if had.knob is None else grid.settings(had.knob, small)
        return replace(had, knob=knob, lower=lower, upper=upper, exact=False)

    def _best(self, name: str, problem: Problem, domain: tuple[float, float]) -> Piecewise:
        """Return a bound of what the best settings give."""
        parts = []
        for small in self.scan.grids[name].best_cases():
            function = self.on(unlimited(problem), small).curve(small.prediction).function
            low, high = max(small.low, domain[0]), min(small.high, domain[1])
            parts.append(function.restrict(low, high))
        return parts[0] if len(parts) == 1 else Piecewise.joined(parts)

    def scalars(self, name: str) -> dict[str, Bounded]:
        """Return measures that need no context."""
        return self.scan.grids[name].scalars(self.options)

    def ordered_states(self, name: str, reading: Reading) -> dict[str, Any]:
        """Return what sorted rows are needed for."""
        grid, weight = self.scan.grids[name], reading.weight
        columns = (reading.truth, reading.models[name], weight)
        if isinstance(grid, RegressionGrid):
            return {"asymmetry_cost_area": CostArea(*columns, grid.moments.weight)}
        if isinstance(grid, CutoffGrid):
            costs = ErrorCosts(*_costs(self.options))
            return {"output_cutoff_area": OutputArea(*columns, costs, grid.weight)}
        if isinstance(grid, RankedGrid):
            totals = grid.grid.masses.sum(axis=(1, 2))
            measure = "roc_auc" if reading.arm == "probability" else "volume_under_surface"
            return {measure: ChainShare(*columns, grid.grid.classes, totals)}
        return {}


def unlimited(problem: Problem) -> Problem:
    """Return the problem without a capacity: what is best without one is no worse with it."""
    if isinstance(problem, ImpactProblem):
        return replace(problem, at_least=0.0, at_most=1.0)
    return problem


def _costs(settings: Mapping[str, Any]) -> tuple[float, float]:
    names = ("false_positive_cost", "false_negative_cost")
    first, second = (float(settings.get(name, 1.0)) for name in names)
    return first, second


def _refuse_odd_losses(problem: Problem) -> None:
    """Refuse losses for which cases of a bucket in order are not the best that can be."""
    settings = problem.settings()
    matrix = loss_matrix(tuple(settings["labels"]), settings["loss"], None)
    for k, row in enumerate(matrix):
        if np.any(np.diff(row[: k + 1]) > 0.0) or np.any(np.diff(row[k:]) < 0.0):
            raise InputError(
                "Beyond memory the loss must grow with the distance between grade and class. "
                "Take a sample that fits into memory."
            )


def _learn_cutoffs(curves: Mapping[str, ContextCurve], aim: Aim) -> Learned:
    """Judge models without a knob by their curves."""
    if aim.ranged:
        return learn_from_curves(curves, aim)
    scores = {
        name: float(curve.at(aim.contexts[0]))
        if aim.distribution is None
        else curve.function.expect(aim.distribution)
        for name, curve in curves.items()
    }
    at = float(aim.contexts[0])
    return Learned(dict.fromkeys(curves, NO_KNOB), scores, dict.fromkeys(curves, at))
