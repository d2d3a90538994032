"""Models of one arm on the same cases, and what the data say of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roctopus.comparison.row_contexts import OwnContexts, RowContexts
from roctopus.concepts.context_curve import ContextCurve
from roctopus.concepts.dependence import INDEPENDENT, Dependence
from roctopus.concepts.envelopes import Envelope, envelope
from roctopus.concepts.fingerprints import fingerprint
from roctopus.concepts.problem import Problem
from roctopus.concepts.responses import Response
from roctopus.core.arrays import Floats
from roctopus.core.public import ShowsPublic
from roctopus.core.resampling import Random
from roctopus.inference.aims import Aim, Criterion, read_aim
from roctopus.inference.cross_fitting import Honest, cross_fit_policy
from roctopus.inference.folds import MANY, fold_rounds
from roctopus.inference.policies import Learned, learn

ROUNDS = 5


@dataclass(frozen=True, eq=False, repr=False)
class ComparedModels(ShowsPublic):
    """Curves and envelopes of models, and what is learned from their predictions."""

    problem: Problem
    """The cases that all models share."""
    predictions: Mapping[str, Floats]
    own: Mapping[str, tuple[Problem, Floats]]
    """Every model's own cases; the shared ones unless rows were matched pairwise."""
    backend: str | None = None
    dependence: Dependence = INDEPENDENT
    time_ordered: bool = False
    splitter: Any = 5
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
    _cache: dict[Any, tuple[Any, Learned, Honest]] = field(default_factory=dict)

    @property
    def models(self) -> tuple[str, ...]:
        """The names of the models."""
        return tuple(self.predictions)

    @property
    def cases(self) -> int:
        """The number of cases that all models share."""
        return len(self.problem) if self.distinct is None else self.distinct

    def response(self, model: str) -> Response:
        """Return how the predictions of a model were made, and what they look like."""
        given = Response(None, self.problem.classes, self.problem.class_numbers)
        return self.responses.get(model, given).seen(self.predictions[model])

    @cached_property
    def fingerprint(self) -> str:
        """A hash of truths, weights and predictions, whatever the order of rows and models."""
        return self.fingerprint_with(self.models)

    def fingerprint_with(self, models: Sequence[str]) -> str:
        """Return the hash of the cases with the predictions of some models."""
        weight = self.problem.weight
        told = () if weight is None or np.ptp(weight) == 0.0 else (weight,)  # equal ones are none
        ordered = [self.predictions[name] for name in sorted(models)]
        cases = self.problem if self.contexts is None else OwnContexts(self.problem, self.contexts)
        return fingerprint((*cases.columns(), *told, *ordered))

    def curves(self) -> dict[str, ContextCurve]:
        """Return every model's outcome along the context, tuned for each, on its own cases."""
        return {name: problem.curve(p) for name, (problem, p) in self.own.items()}

    @cached_property
    def envelope(self) -> Envelope:
        """Who is best where, with exact crossings, on the cases that all share."""
        return envelope({name: self.problem.curve(p) for name, p in self.predictions.items()})

    def envelope_of(self, problem: Problem) -> Envelope:
        """Return who is best where under the costs of a problem."""
        if problem.settings() == self.problem.settings() and problem.domain == self.problem.domain:
            return self.envelope
        return envelope({name: problem.curve(p) for name, p in self.predictions.items()})

    def rounds(self) -> Iterator[list[tuple[NDArray[np.intp], NDArray[np.intp]]]]:
        """Yield folds, again and again where they are drawn at random."""
        return fold_rounds(
            self.problem.columns()[0],
            self.splitter,
            ROUNDS if self.cases < MANY else 2,
            clusters=self.dependence.clusters,
            time_ordered=self.time_ordered,
            alike=len(self.models) == 1,
            rng=self.rng,
            strata=self.problem.strata,
        )

    def learned(self, problem: Problem, aim: Aim) -> tuple[Learned, Honest]:
        """Return what the data say for an aim, and what that is worth on other data."""
        settings = repr((problem.settings(), problem.unit))
        # The key is the distribution itself, not its description; it is kept for its id.
        key = (aim.contexts.tobytes(), aim.criterion, id(aim.source), settings)
        if key not in self._cache:
            found = learn(problem, self.predictions, aim)
            honest = cross_fit_policy(
                problem, self.predictions, aim, self.rounds(), self.dependence, self.rng
            )
            self._cache[key] = aim.source, found, honest
        return self._cache[key][1:]

    def aim(
        self, between: Any, criterion: Criterion | None, distribution: Any, context: dict[str, Any]
    ) -> tuple[Problem, Aim]:
        """Read what a decision is for; the contexts of the cases if nothing else is said."""
        nothing = not context and between is None and criterion is None and distribution is None
        if nothing and self.contexts is not None:
            return self.contexts.aim(self.problem)
        return read_aim(
            self.problem,
            between=between,
            criterion=criterion,
            distribution=distribution,
            given=context,
        )
