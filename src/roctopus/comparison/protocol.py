"""What every comparison offers, in memory or beyond it: shared code asks for nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from roctopus.comparison.regions import SureRegion
from roctopus.concepts.context_curve import ContextCurve
from roctopus.concepts.decision import Decision
from roctopus.concepts.envelopes import Envelope
from roctopus.concepts.problem import Problem
from roctopus.concepts.responses import Response
from roctopus.inference.aims import Aim, Criterion
from roctopus.inference.cross_fitting import Honest
from roctopus.inference.policies import Learned

Measures: TypeAlias = str | Sequence[str] | Mapping[str, Mapping[str, Any]]
"""Which metrics: "all", names, or names with arguments for each."""


class AnyComparison(Protocol):
    """Models of one arm on the same cases, wherever these are."""

    @property
    def problem(self) -> Problem:
        """The cases that all models share, or a small sample that stands for them."""

    @property
    def models(self) -> tuple[str, ...]:
        """The names of the models."""

    @property
    def cases(self) -> int:
        """The number of cases."""

    @property
    def refit(self) -> Callable[[str], Any] | None:
        """Trains a model on all cases, where estimators were compared."""

    def response(self, model: str) -> Response:
        """Return how the predictions of a model were made, and what they look like."""

    @property
    def fingerprint(self) -> str:
        """A hash of the data, whatever the order of rows and models."""

    @property
    def envelope(self) -> Envelope:
        """Which model is best for which context."""

    def curves(self) -> dict[str, ContextCurve]:
        """Return every model's outcome along the context, tuned for each."""

    def envelope_of(self, problem: Problem) -> Envelope:
        """Return which model is best for which context under the costs of a problem."""

    def regions(
        self, *, between: tuple[float, float] | None = None, confidence_level: float = 0.95
    ) -> tuple[SureRegion, ...]:
        """Return which model is best where, and which could be."""

    def aim(
        self, between: Any, criterion: Criterion | None, distribution: Any, context: dict[str, Any]
    ) -> tuple[Problem, Aim]:
        """Read what a decision is for."""

    def learned(self, problem: Problem, aim: Aim) -> tuple[Learned, Honest]:
        """Return what the data say for an aim, and what that gives on other data."""

    def untuned(self, problem: Problem, aim: Aim) -> dict[str, float]:
        """Return what each model gives if nothing is tuned."""

    def table(
        self,
        *,
        between: tuple[float, float] | None = None,
        criterion: Criterion | None = None,
        distribution: Any = None,
        measures: Measures | None = None,
        confidence_level: float = 0.95,
        backend: str | None = None,
        **context: Any,
    ) -> Any:
        """Return the models, best first, as a frame."""

    def decide(
        self,
        *,
        between: tuple[float, float] | None = None,
        criterion: Criterion | None = None,
        distribution: Any = None,
        hybrid: bool = False,
        **context: Any,
    ) -> Decision:
        """Decide which model to use, with which setting."""

    def plot(self, **options: Any) -> Any:
        """Draw the curves, and which model is best where."""
