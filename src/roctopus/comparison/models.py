"""Models of one arm on the same cases, and what the data say of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, Self, TypeVar

import numpy as np

from roctopus.comparison.any_models import AnyModels
from roctopus.comparison.dependent_rows import notes_of
from roctopus.comparison.row_contexts import OwnContexts, RowContexts
from roctopus.concepts.context_curve import ContextCurve
from roctopus.concepts.dependence import INDEPENDENT, Dependence
from roctopus.concepts.fingerprints import fingerprint
from roctopus.concepts.joint import JointEstimates
from roctopus.concepts.problem import Problem
from roctopus.concepts.responses import Response
from roctopus.concepts.wording import Baseline
from roctopus.core.arrays import Floats
from roctopus.core.resampling import Random
from roctopus.inference.aims import Aim
from roctopus.inference.baselines import baselines_for, learn_all, own_name, with_values
from roctopus.inference.cross_fitting import Honest, cross_fit_policy
from roctopus.inference.engine import CrossFit, cross_fit, each_part, mean_estimate
from roctopus.inference.folds import MANY, Rows, Split, fold_rounds
from roctopus.inference.policies import Learned, untuned_values

T = TypeVar("T")
ROUNDS = 5


@dataclass(frozen=True, eq=False, repr=False)
class ComparedModels(AnyModels):
    """Curves and envelopes of models, and what is learned from their predictions."""

    problem: Problem
    """The cases that all models share."""
    predictions: Mapping[str, Floats]
    own: Mapping[str, tuple[Problem, Floats]]
    """Every model's own cases; the shared ones unless rows were matched pairwise."""
    backend: str | None = None
    dependence: Dependence = INDEPENDENT
    cv: Any = 5
    rng: Random = 0
    contexts: RowContexts | None = None
    """The context of each case, where they were given."""
    frame: Any = None
    """The frame that columns may be named of, its rows those of ``problem``."""
    responses: Mapping[str, Response] = field(default_factory=dict)
    """How predictions were made, where estimators made them."""
    refit: Callable[[str], Any] | None = None
    """Trains a model on all cases, where estimators were compared."""
    distinct: int | None = None
    """How many cases there are, where some were predicted more than once: then rows are more."""
    backward: Mapping[str, str] = field(default_factory=dict)
    """Models that rank cases the wrong way round, and what is said of each."""
    dependent: str | None = None
    """What is said of rows that look dependent, if nobody said that they are."""
    fixed: bool = False
    """Whether settings cannot be tuned here: predictions are decisions, or a class is rare."""
    _cache: dict[Any, Any] = field(default_factory=dict)

    def __getstate__(self) -> dict[str, Any]:
        held = {each.name: getattr(self, each.name) for each in fields(self)}
        return {**held, "_cache": {}}  # what was computed can be computed again

    @property
    def models(self) -> tuple[str, ...]:
        """The names of the models."""
        return tuple(self.predictions)

    def take(self, rows: Rows) -> Self:
        """Return some of the cases, on which all models are compared."""
        problem = self.problem.take(rows)
        some = {name: each[rows] for name, each in self.predictions.items()}
        return replace(
            self,
            problem=problem,
            predictions=some,
            own={name: (problem, each) for name, each in some.items()},
            dependence=self.dependence.take(rows),
            contexts=None if self.contexts is None else self.contexts.take(rows),
            frame=None,
            distinct=None,
            _cache={},
        )

    def of_models(self, names: Sequence[str]) -> Self:
        """Return the comparison of some of the models, on the same cases."""
        return replace(
            self,
            predictions={name: self.predictions[name] for name in names},
            own={name: self.own[name] for name in names},
            _cache={},
        )

    @property
    def seed(self) -> int:
        """The seed of what is drawn once only: that of ``rng``, or 0 where it is a generator."""
        return self.rng if isinstance(self.rng, int) else 0

    @property
    def cases(self) -> int:
        """The number of cases that all models share."""
        return len(self.problem) if self.distinct is None else self.distinct

    def row_notes(self, model: str) -> list[str]:
        """Return what must be known about rows that depend on each other, or look as if."""
        mine = {model: self.predictions[model]}
        found = notes_of(self.dependence, self.problem, mine)
        return found if self.dependent is None else [*found, self.dependent]

    def response(self, model: str) -> Response:
        """Return how the predictions of a model were made, and what they look like."""
        given = Response(None, self.problem.classes, self.problem.class_numbers)
        return self.responses.get(model, given).seen(self.predictions[model])

    @cached_property
    def fingerprint(self) -> str:
        """A hash of true values, weights and predictions, whatever the order of rows and models."""
        return self.fingerprint_with(self.models)

    def fingerprint_with(self, models: Sequence[str]) -> str:
        """Return the hash of the cases with the predictions of some models."""
        weight = self.problem.weight
        told = () if weight is None or np.ptp(weight) == 0.0 else (weight,)  # equal ones are none
        ordered = [self.predictions[name] for name in sorted(models)]
        cases = self.problem if self.contexts is None else OwnContexts(self.problem, self.contexts)
        return fingerprint((*cases.columns(), *told, *ordered))

    def curves(self) -> dict[str, ContextCurve]:
        """Return every model's outcome over the context, tuned for each context, on its own cases.

        Returns
        -------
        dict of str to ContextCurve
            The mean outcome per case, exact at every context.
        """
        return {name: problem.curve(p) for name, (problem, p) in self.own.items()}

    def curves_of(self, problem: Problem) -> dict[str, ContextCurve]:
        """Return the curves on the cases that all share, under the costs of a problem."""
        return {name: problem.curve(p) for name, p in self.predictions.items()}

    def joints(self, points: Floats, problem: Problem) -> Iterator[JointEstimates]:
        """Yield estimates of all models at each of some contexts, tuned for it, under costs.

        At the optimum a small move of the knob changes nothing, so only the outcomes count.
        """
        traced = self._traced_settings(points, problem)
        for k, x in enumerate(points.tolist()):
            found = {}
            for name, prediction in self.predictions.items():
                if traced is None:
                    knob = problem.tune(prediction, np.array([x]), np.zeros(1)).chosen
                else:
                    knob = traced[name][k]
                outcomes = problem.outcomes(prediction, knob, x)
                found[name] = mean_estimate(outcomes, problem.weight, self.dependence)
            yield JointEstimates.of(found, problem.sense)

    def _traced_settings(self, points: Floats, problem: Problem) -> dict[str, Floats] | None:
        """Return the settings of curves, a row per context; None where tuning is as quick."""
        if self.cases < MANY or problem.knob_name is None:
            return None
        best = self.envelope_of(problem)
        if any(curve.known is not None or curve.knob is None for curve in best.curves):
            return None
        return {
            name: np.asarray(curve.knob_at(points)).reshape(len(points), -1)
            for name, curve in zip(best.names, best.curves, strict=True)
        }

    def rounds(self) -> Iterator[list[Split]]:
        """Yield folds, again and again where they are drawn at random."""
        return fold_rounds(
            self.problem.columns()[0],
            self.cv,
            ROUNDS if self.cases < MANY else 2,
            dependence=self.dependence,
            alike=len(self.models) == 1,
            rng=self.rng,
            strata=self.problem.strata,
        )

    def cross_fit(
        self,
        problem: Problem,
        learn: Callable[[Rows], T],
        judge: Callable[[T, Rows], Sequence[Floats]],
    ) -> CrossFit[T]:
        """Learn something on each training part, and judge it on the cases held out.

        ``judge`` returns the outcomes of some cases, an array per policy that is looked at.
        """
        return cross_fit(
            self.rounds(),
            len(problem),
            each_part(learn),
            judge,
            weight=problem.weight,
            dependence=self.dependence,
            floor=problem.floor,
        )

    def learned(self, problem: Problem, aim: Aim) -> tuple[Learned, Honest]:
        """Return what the data say for an aim, and what that is worth on other data."""

        def find() -> tuple[Learned, Honest]:
            asked = (problem, self.predictions, aim)
            honest = cross_fit_policy(*asked, self.rounds(), self.dependence, self.rng)
            named = baselines_for(problem, aim, self.predictions)
            return with_values(*asked, learn_all(*asked, named), named), honest

        return self.once_for(problem, aim, find)

    def baseline(self, name: str) -> Baseline | None:
        """Return a baseline by its name in a decision; None if that is a model."""
        known = self.problem.baselines(True)
        return None if name in self.predictions else known.get(own_name(name))

    def prediction_of(self, name: str) -> Floats:
        """Return the predictions of a model, or those of a baseline."""
        found = self.baseline(name)
        return self.predictions[name] if found is None else self.problem.constant(found.prediction)

    def knob_values(self, problem: Problem, model: str) -> Floats:
        """Return what settings of a model are made of: scores, or corrections."""
        return problem.knob_values(self.predictions[model])

    def untuned(self, problem: Problem, aim: Aim) -> dict[str, float]:
        """Return what each model gives if nothing is tuned, by the aim's criterion.

        It is judged on the same cases as honest values are, to be compared with these.
        """
        learned, honest = self.learned(problem, aim)
        rows, predictions = honest.rows, self.predictions
        if rows is not None and len(rows) < len(problem):
            problem, predictions = problem.take(rows), {m: p[rows] for m, p in predictions.items()}
        return untuned_values(problem, predictions, aim, learned)
