"""The ordinal arm as a problem to decide: which model, which thresholds, at which cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from roctopus.concepts.context_curve import ContextCurve
from roctopus.concepts.context_words import read_one_of
from roctopus.concepts.problem import ContextKind, Knob, best_of_candidates
from roctopus.concepts.responses import plain_label
from roctopus.core.arrays import Floats, as_floats, row_count
from roctopus.core.checks import check_interval, check_scalar
from roctopus.core.errors import InputError, arg
from roctopus.ordinal.cost_curves import ordinal_cost_curve
from roctopus.ordinal.grades import place_of_class, read_grades
from roctopus.ordinal.pooling import GradePool
from roctopus.ordinal.saying import GradeWords
from roctopus.ordinal.thresholds import (
    OrdinalLoss,
    costs_in_order,
    grade_scores,
    loss_matrix,
    ordinal_thresholds,
)


@dataclass(frozen=True, eq=False)
class OrdinalProblem(GradeWords):
    """Cases are graded into ordered classes; what errors on one of them cost may move."""

    arm: ClassVar[str] = "ordinal"
    context: ClassVar[str] = "cost"
    context_kind: ClassVar[ContextKind] = "cost"
    knob_name: ClassVar[str | None] = "threshold"
    linear: ClassVar[bool] = True
    untuned_follows: ClassVar[bool] = False
    traced: ClassVar[bool] = True
    outcome: ClassVar[str] = "mean cost of grades"

    costs_between: tuple[float, float] = (0.0, 10.0)
    pool: GradePool | None = None
    """Groups of rare grades that are tuned together with a neighbour."""

    @staticmethod
    def of(
        y_true: Any,
        weight: Floats | None = None,
        *,
        labels: Any = None,
        loss: OrdinalLoss = "absolute",
        costs: Any = None,
        moving: Any = None,
        costs_between: tuple[float, float] = (0.0, 10.0),
    ) -> OrdinalProblem:
        """Read the classes."""
        grades = read_grades(y_true, np.zeros(row_count(y_true)), weight, labels)
        names = grades.labels
        last = len(names) - 1
        position = last if moving is None else place_of_class(moving, names, "moving")
        try:
            low, high = (check_scalar(end, "costs_between") for end in costs_between)
        except (TypeError, ValueError):
            raise InputError(
                f"{arg('costs_between')} must be two numbers, but is {costs_between!r}."
            ) from None
        check_interval(low, high, arg("costs_between"))
        if low < 0.0:
            raise InputError(
                f"{arg('costs_between')} must be two numbers of zero or more, but the lower one is "
                f"{low:g}."
            )
        loss_matrix(names, loss, costs)  # refuses what is wrong
        ordered = np.ones(len(names)) if costs is None else costs_in_order(names, costs)
        given = np.asarray(ordered, dtype=np.float64)
        codes = grades.codes.astype(np.float64)
        return OrdinalProblem(
            grades.sample.per_row(codes), weight, names, loss, given, position, (low, high)
        )

    @property
    def domain(self) -> tuple[float, float]:
        """The range in which the cost moves."""
        return self.costs_between

    @property
    def strata(self) -> NDArray[np.intp]:
        """The classes; merged ones count as one."""
        return self._codes if self.pool is None else self.pool.group[self._codes]

    @property
    def stratum_count(self) -> int:
        """The number of classes; merged ones count as one."""
        return len(self.labels) if self.pool is None else int(self.pool.group[-1]) + 1

    @property
    def _codes(self) -> NDArray[np.intp]:
        return self.y_true.astype(np.intp)

    def pooled(self, least: int, knob: Floats) -> tuple[Self, str] | None:
        """Return the problem that tunes rare grades together with a neighbour."""
        counts = np.bincount(self._codes, minlength=len(self.labels))
        pool = GradePool.of(counts, least, knob)
        return None if pool is None else (replace(self, pool=pool), pool.say(self.classes, least))

    @property
    def classes(self) -> tuple[Any, ...]:
        """The labels, as plain values."""
        return tuple(map(plain_label, self.labels))

    def settings(self) -> dict[str, Any]:
        """Return classes, loss, and the costs of all but the moving class."""
        named = self.loss if isinstance(self.loss, str) else np.asarray(self.loss).tolist()
        costs = self._costs(np.nan).tolist()
        return {
            "labels": list(self.classes),
            "loss": named,
            "moving": self.classes[self.moving],
            "costs": [None if np.isnan(cost) else cost for cost in costs],
        }

    def metric_arguments(self) -> dict[str, Any]:
        """Return the settings, with classes as numbers."""
        return {**self.settings(), "labels": list(range(len(self.labels)))}

    def vocabulary(self) -> dict[str, Any]:
        """Return words that name the grade whose cost moves."""
        error = f"an error where the truth is {self._grade(self.moving)}"
        return {
            "context": f"cost of {error}",
            "plain": f"{error} costs {{}}",
            "classes": [str(each) for each in self.labels],
        }

    @property
    def ways(self) -> tuple[tuple[str, ...], ...]:
        """The cost of the moving class, or the costs of all."""
        return ("cost",), ("costs",)

    @property
    def listed(self) -> tuple[str, ...]:
        """A cost per class."""
        return ("costs",)

    def in_order(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return costs by class in order of the classes."""
        if "costs" not in given:
            return dict(given)
        return {**given, "costs": costs_in_order(self.labels, given["costs"])}

    def read_context(self, given: dict[str, Any]) -> tuple[Self, float]:
        """Read the cost of errors on the moving class, or the costs of all classes."""
        group = read_one_of(given, *self.ways)
        if group == ("cost",):
            return self, check_scalar(given["cost"], "cost")
        if given["costs"] is None:
            raise InputError(f"{arg('costs')} must contain one number per class, but is None.")
        loss_matrix(self.labels, self.loss, given["costs"])  # refuses what is wrong
        costs = as_floats(given["costs"])
        cost = float(costs[self.moving])
        low, high = self.costs_between
        between = (min(low, cost), max(high, cost))
        return replace(self, costs=costs, costs_between=between), cost

    def context_words(self, context: float) -> dict[str, Any]:
        """Return the costs of all classes."""
        return {"costs": self._costs(context).tolist()}

    @property
    def _classes(self) -> dict[str, Any]:
        return {"labels": list(range(len(self.labels))), "loss": self.loss}

    def read_contexts(self, given: Mapping[str, Floats]) -> tuple[Self, Floats, Floats | None]:
        """Read each case's own cost of an error, for cases of the moving class."""
        _, costs, _ = super().read_contexts(given)
        low, high = self.costs_between
        inside = costs[np.isfinite(costs)]
        between = (min(low, inside.min(initial=low)), max(high, inside.max(initial=high)))
        return replace(self, costs_between=(max(between[0], 0.0), between[1])), costs, None

    def curve(self, prediction: Floats) -> ContextCurve:
        """Return the least mean cost as the cost of one class moves."""
        low, high = self.costs_between
        moving = self.moving % len(self.labels)
        curve = ordinal_cost_curve(
            self.y_true,
            prediction,
            moving=moving,
            low=low,
            high=high,
            costs=self.costs,
            sample_weight=self.weight,
            **self._classes,
        )
        return replace(curve, context=f"cost of class {self.labels[moving]}")

    def tune(self, prediction: Floats, contexts: Floats, handicaps: Floats) -> Knob:
        """Return the best thresholds; for a range, among those that are best at some cost."""
        if len(contexts) == 1 and self.pool is not None:
            matrix = loss_matrix(self.labels, self.loss, self._costs(float(contexts[0])))
            return Knob(*self.pool.tune(self._codes, prediction, matrix, self.weight))
        if len(contexts) == 1:
            found = ordinal_thresholds(
                self.y_true,
                prediction,
                costs=self._costs(float(contexts[0])),
                sample_weight=self.weight,
                **self._classes,
            )
            return Knob.at(found.thresholds, found.low, found.high)
        curve = self.curve(prediction)
        assert curve.knob is not None
        function, at = curve.function, contexts[:, None]
        slope = (function.end - function.start) / np.diff(function.knots)
        losses = function.start + slope * (at - function.knots[:-1])
        first, _ = best_of_candidates(np.max(losses - handicaps[:, None], axis=0))
        return Knob.at(curve.knob[first])

    def turning(self, prediction: Floats, context: float | Floats) -> Floats:
        """Return the scores: a case passes each threshold up to its own."""
        return prediction

    def tune_rows(self, prediction: Floats, contexts: Floats, unit: Floats | None = None) -> Knob:
        """Return the thresholds: what an error on the moving class costs is the case's weight."""
        if np.ptp(contexts) == 0.0:
            return self.tune(prediction, contexts[:1], np.zeros(1))
        weight = np.where(self._moves, contexts, 1.0)
        if self.weight is not None:
            weight = weight * self.weight
        if not weight[self._moves].any():  # errors on the moving class are free
            return self.tune(prediction, np.zeros(1), np.zeros(1))
        return replace(self, weight=weight).tune(prediction, np.ones(1), np.zeros(1))

    @property
    def _moves(self) -> NDArray[np.bool_]:
        """Which cases are of the class whose cost moves."""
        return np.asarray(self._codes == self.moving % len(self.labels))

    def outcomes(self, prediction: Floats, knob: Floats, context: float | Floats) -> Floats:
        """Return the cost of each grade."""
        matrix = loss_matrix(self.labels, self.loss, self._costs(1.0))
        found = matrix[self._codes, grade_scores(prediction, knob)]
        return np.where(self._moves, context * found, found)

    def untuned(
        self, prediction: Floats, assumed: float | Floats, context: float | Floats
    ) -> Floats:
        """Return the cost of the class nearest to each score."""
        scale = np.array(self.class_numbers)
        return self.outcomes(prediction, 0.5 * (scale[:-1] + scale[1:]), context)
