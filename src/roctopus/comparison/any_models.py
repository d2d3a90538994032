"""Models of one arm on the same cases, wherever these are: what shared code asks of them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any, TypeVar

from roctopus.comparison.row_contexts import RowContexts
from roctopus.concepts.context_curve import ContextCurve
from roctopus.concepts.envelopes import Envelope, envelope
from roctopus.concepts.joint import JointEstimates
from roctopus.concepts.problem import Problem
from roctopus.concepts.responses import Response
from roctopus.core.arrays import Floats
from roctopus.core.public import ShowsPublic
from roctopus.core.resampling import Random
from roctopus.inference.aims import Aim, Criterion, read_aim
from roctopus.inference.cross_fitting import Honest
from roctopus.inference.policies import Learned

T = TypeVar("T")


class AnyModels(ShowsPublic):
    """Curves and envelopes of models, and what is learned of them, in memory or beyond it."""

    problem: Problem
    """The cases that all models share, or a small sample that stands for them."""
    backend: str | None
    rng: Random
    contexts: RowContexts | None = None
    """The context of each case, where they were given."""
    refit: Callable[[str], Any] | None = None
    """Trains a model on all cases, where estimators were compared."""
    backward: Mapping[str, str]
    """Models that rank cases the wrong way round, and what is said of each."""
    _cache: dict[Any, Any]

    @property
    @abstractmethod
    def models(self) -> tuple[str, ...]:
        """The names of the models."""

    def row_notes(self, model: str) -> list[str]:
        """Return what must be known about rows that depend on each other."""
        return []

    @property
    @abstractmethod
    def cases(self) -> int:
        """The number of cases."""

    @abstractmethod
    def response(self, model: str) -> Response:
        """Return how the predictions of a model were made, and what they look like."""

    @property
    @abstractmethod
    def fingerprint(self) -> str:
        """A hash of the data, whatever the order of rows and models."""

    @abstractmethod
    def curves(self) -> dict[str, ContextCurve]:
        """Return every model's outcome over the context, tuned for each."""

    @abstractmethod
    def curves_of(self, problem: Problem) -> dict[str, ContextCurve]:
        """Return the curves on the cases that all share, under the costs of a problem."""

    @cached_property
    def envelope(self) -> Envelope:
        """Which model is best where on the cases that all share; exact in memory."""
        return envelope(self.curves_of(self.problem))

    def envelope_of(self, problem: Problem) -> Envelope:
        """Return which model is best where under the costs of a problem."""
        if problem.settings() == self.problem.settings() and problem.domain == self.problem.domain:
            return self.envelope
        return envelope(self.curves_of(problem))

    @abstractmethod
    def joints(self, points: Floats, problem: Problem) -> Iterable[JointEstimates]:
        """Return estimates of all models at each of some contexts, tuned for it, under costs."""

    def aim(
        self, between: Any, criterion: Criterion | None, distribution: Any, context: dict[str, Any]
    ) -> tuple[Problem, Aim]:
        """Read what a decision is for; the contexts of the cases if nothing else is said."""
        nothing = not context and between is None and criterion is None and distribution is None
        if nothing and self.contexts is not None:
            return self.contexts.aim(self.in_contexts)
        return read_aim(self.problem, between, criterion, distribution, given=context)

    @property
    def in_contexts(self) -> Problem:
        """The cases whose contexts are known."""
        return self.problem

    @abstractmethod
    def learned(self, problem: Problem, aim: Aim) -> tuple[Learned, Honest]:
        """Return what the data say for an aim, and what that is worth on other data."""

    @abstractmethod
    def knob_values(self, problem: Problem, model: str) -> Floats:
        """Return what settings of a model are made of: scores, or corrections."""

    @abstractmethod
    def untuned(self, problem: Problem, aim: Aim) -> dict[str, float]:
        """Return what each model gives if nothing is tuned, by the aim's criterion."""

    def once(self, key: Any, make: Callable[[], T]) -> T:
        """Return what ``make`` makes, made once."""
        if key not in self._cache:
            self._cache[key] = make()
        found: T = self._cache[key]
        return found

    def once_for(self, problem: Problem, aim: Aim, make: Callable[[], T]) -> T:
        """Return what is made for an aim, made once."""
        settings = repr((problem.settings(), problem.unit))
        # The key is the distribution itself, not its description; it is kept for its id.
        key = (aim.contexts.tobytes(), aim.criterion, id(aim.source), settings)
        return self.once(key, lambda: (aim.source, make()))[1]
