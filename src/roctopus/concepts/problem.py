"""What an arm asks: true values, with all that is needed to tune and judge predictions of them.

A comparison knows its arm by this protocol only; a new arm brings one such class.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, NoReturn, Protocol, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from roctopus.concepts.context_curve import ContextCurve
from roctopus.concepts.context_words import every_end, read_one_of
from roctopus.concepts.wording import Spoken
from roctopus.core.arrays import Floats
from roctopus.core.distributions import Continuous, Discrete
from roctopus.core.piecewise import Piecewise

Predictions: TypeAlias = Mapping[str, Floats]
"""Of every model, by its name."""
ContextKind: TypeAlias = Literal["share", "truth", "cost", "price"]
"""What a context is: a share of two costs, a value among the true values, a cost, or a price."""
MOST_CONTEXTS = 513
"""Number of contexts computed if outcomes are not lines; straight lines join them."""


class Knob(NamedTuple):
    """A setting, and the range of settings that are equally good; empty where there is no knob."""

    chosen: Floats
    low: Floats
    high: Floats

    @staticmethod
    def at(chosen: Any, low: Any = None, high: Any = None) -> Knob:
        """Make one from numbers or vectors."""
        first = np.array(chosen, dtype=np.float64, ndmin=1)
        ends = (first if end is None else np.array(end, ndmin=1) for end in (low, high))
        return Knob(first, *ends)


class Problem(Spoken, Protocol):
    """Cases of one arm, without predictions."""

    @property
    def arm(self) -> str:
        """The arm's name."""

    @property
    def context(self) -> str:
        """The keyword of the context, such as "asymmetry"."""

    @property
    def context_kind(self) -> ContextKind:
        """What a context is."""

    @property
    def unit(self) -> float:
        """Factor of the outcomes: half the sum of two costs, if these are given."""
        return 1.0

    @property
    def knob_name(self) -> str | None:
        """What is tuned, such as "shift"; None where there is nothing to tune."""

    @property
    def sense(self) -> Literal["loss", "gain"]:
        """Whether less or more is better."""

    @property
    def floor(self) -> float:
        """Lower limit of the mean outcome: 0 for losses."""
        return 0.0 if self.sense == "loss" else -np.inf

    @property
    def linear(self) -> bool:
        """Whether the outcome at a fixed knob is a line over the context.

        If it is, the mean context tells the expected outcome, and the ends of a range the worst one
        and the largest regret.
        """

    @property
    def traced(self) -> bool:
        """Whether curves are traced piece by piece, which takes long for very many cases."""
        return False

    @property
    def domain(self) -> tuple[float, float]:
        """The contexts that make sense."""

    @property
    def weight(self) -> Floats | None:
        """The weights of the cases."""

    @property
    def strata(self) -> NDArray[np.intp] | None:
        """The class of each case, where folds should hold all of them."""
        return None

    @property
    def stratum_count(self) -> int:
        """The number of classes in ``strata``, including classes without cases."""
        return len(self.classes)

    @property
    def classes(self) -> tuple[Any, ...]:
        """The classes from the lowest to the highest, as plain values; empty where there are none.

        Of two, the second is the positive one.
        """
        return ()

    @property
    def class_numbers(self) -> tuple[float, ...]:
        """What each class counts as in predictions: 0 and 1, or grades."""
        return tuple(map(float, range(len(self.classes))))

    @property
    def outcome(self) -> str:
        """What is lost or gained, in words."""

    @property
    def outcome_in_costs(self) -> str:
        """What is lost or gained where each case has its own two costs."""
        return self.outcome

    def __len__(self) -> int: ...

    def columns(self) -> tuple[Floats, ...]:
        """Return what the data are, for a fingerprint."""

    def settings(self) -> dict[str, Any]:
        """Return settings that affect the outcomes, as plain values, for the record."""
        return {}

    def metric_arguments(self) -> dict[str, Any]:
        """Return arguments of the arm's metrics that follow from the problem."""
        return self.settings()

    def vocabulary(self) -> dict[str, Any]:
        """Return words for the page that differ from those of the arm."""
        return {}

    def truth(self) -> Any:
        """Return the true values, as ``on`` accepts them."""
        return self.columns()[0]

    def settled(self) -> Self:
        """Return the problem with what depends on the cases taken from these cases alone."""
        return self

    def take(self, rows: NDArray[np.intp]) -> Self:
        """Return some of the cases."""

    def on(self, truth: Any, weight: Floats | None) -> Self:
        """Return the same problem, with all its settings, for other cases."""

    def check(self, prediction: Floats) -> None:
        """Raise an error for predictions that the arm cannot judge."""

    def pooled(self, least: int, knob: Floats) -> tuple[Self, str] | None:
        """Return the problem that tunes without rare classes, and a sentence that says so.

        Classes with fewer than ``least`` cases are tuned together with a neighbour; what lies
        between them in ``knob`` moves along. None where that makes no sense.
        """
        return None

    @property
    def ways(self) -> tuple[tuple[str, ...], ...]:
        """Groups of keywords; a context is given by the keywords of one group."""
        return ((self.context,),)

    @property
    def listed(self) -> tuple[str, ...]:
        """Keywords whose value is a list, such as a cost per class: two numbers are no range."""
        return ()

    def read_context(self, given: dict[str, Any]) -> tuple[Self, float]:
        """Return the context that was given by keywords, and the problem in their unit."""

    def read_range(self, given: dict[str, Any]) -> tuple[Self, tuple[float, float]]:
        """Return the range of contexts if some words are given as two numbers."""
        found = [self.read_context(each) for each in every_end(given, self.listed)]
        contexts = [context for _, context in found]
        return found[0][0], (min(contexts), max(contexts))

    def ratio_hint(self, low: float, high: float) -> str:
        """Return a sentence for contexts outside the domain that look like ratios of costs."""
        return ""

    def read_contexts(self, given: Mapping[str, Floats]) -> tuple[Self, Floats, Floats | None]:
        """Return the context of each case, given as columns, and the factor of each case's outcome.

        Costs have a size beside their ratio: each case's outcome is multiplied by it.
        """
        read_one_of(dict(given), (self.context,))
        return self, given[self.context], None

    def in_order(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the words of a context with values by class as lists, in order of the classes."""
        return dict(given)

    def context_words(self, context: float) -> dict[str, Any]:
        """Return a context in the keywords of ``read_context``, in the unit of the problem."""
        return {self.context: context}

    def axis_labels(self) -> tuple[str, str] | None:
        """Return the axis labels of pictures; None for the curves' own words."""
        return None

    def second_axis(self, contexts: Floats) -> tuple[str, Floats] | None:
        """Return other numbers for the same contexts, with what they are; None if there are none.

        For example thresholds on a probability that belong to prices.
        """
        return None

    def curve(self, prediction: Floats) -> ContextCurve:
        """Return the mean outcome over the context, tuned for each."""

    def tune(self, prediction: Floats, contexts: Floats, handicaps: Floats) -> Knob:
        """Return the setting whose worst mean outcome over some contexts is best.

        From each outcome a handicap is taken first: what could have been had there.
        """

    def tune_parts(
        self, prediction: Floats, context: float, parts: Sequence[NDArray[np.intp]]
    ) -> list[tuple[Knob, float]] | None:
        """Return the best setting of each of some parts of the cases, with its mean outcome there.

        None if that is not quicker than tuning them one by one.
        """
        return None

    def tuner(self, prediction: Floats) -> Callable[[Floats, Floats, float], Knob]:
        """Return ``tune`` for one prediction, to be called for more and more contexts.

        The last argument is what some setting is known to lose at most at its worst context.
        """
        return lambda contexts, handicaps, most: self.tune(prediction, contexts, handicaps)

    def tune_expected(self, prediction: Floats, distribution: Continuous | Discrete) -> Knob:
        """Return the setting of the best expected outcome over a distribution of contexts."""
        self._need_lines("tune_expected")
        context = mean_context(distribution, self.domain)
        return self.tune(prediction, np.array([context]), np.zeros(1))

    def worst_contexts(self, low: float, high: float) -> Floats | None:
        """Return contexts of a range among which the worst one lies, for every setting.

        None if there are no such contexts: then ``curve_at`` tells where the worst one is, and
        ``applied`` predictions have one curve.
        """
        return np.array([low, high]) if self.linear else None

    def tune_rows(self, prediction: Floats, contexts: Floats, unit: Floats | None = None) -> Knob:
        """Return the one setting whose mean outcome is best if each case has its own context.

        ``unit`` is what outcomes are multiplied by, case by case.
        """

    def outcomes(self, prediction: Floats, knob: Floats, context: float | Floats) -> Floats:
        """Return the outcome of each case, in one context or each in its own."""

    def expected(
        self, prediction: Floats, knob: Floats, distribution: Continuous | Discrete
    ) -> Floats:
        """Return the mean outcome of each case over a distribution of contexts."""
        self._need_lines("expected")
        return self.outcomes(prediction, knob, mean_context(distribution, self.domain))

    def _need_lines(self, method: str) -> None:
        if not self.linear:
            raise NotImplementedError(
                f"{type(self).__name__} must define '{method}': its outcomes are not linear in the "
                "context, so the mean context does not stand for a distribution."
            )

    def means_at(self, prediction: Floats, knob: Floats, contexts: Floats) -> Floats:
        """Return the mean outcome at one setting in each of many contexts."""
        count = 2 if self.linear else MOST_CONTEXTS
        known = np.unique(contexts)
        if len(known) > count:
            known = known[np.unique(np.linspace(0, len(known) - 1, count).astype(int))]
        means = [
            float(np.average(self.outcomes(prediction, knob, float(x)), weights=self.weight))
            for x in known
        ]
        return np.interp(contexts, known, means)

    def untuned_expected(self, prediction: Floats, distribution: Continuous | Discrete) -> Floats:
        """Return the mean outcome of each case over a distribution if nothing is tuned."""
        self._need_lines("untuned_expected")
        context = mean_context(distribution, self.domain)
        return self.untuned(prediction, context, context)

    @property
    def untuned_follows(self) -> bool:
        """Whether the untuned setting follows the context, as the threshold of probabilities."""
        return True

    def rising(self) -> tuple[Floats, str] | None:
        """Return what good predictions increase with, per case and in words; None if nothing."""
        return None

    def meet(self, predictions: Predictions) -> Self:
        """Return the problem with the predictions it is asked about, if they matter to it."""
        return self

    def of_model(self, name: str) -> Self:
        """Return the problem for the predictions of one model among those it met."""
        return self

    def untuned_curve(self, prediction: Floats) -> ContextCurve | None:
        """Return the outcome of untuned predictions over the context, if there is a curve of it."""
        return None

    def curve_at(self, prediction: Floats, knob: Floats) -> ContextCurve:
        """Return the mean outcome over the context at a fixed setting."""
        _lacks(self, "curve_at")

    def applied(self, prediction: Floats, knob: Floats) -> Floats:
        """Return predictions that lead to the same decisions untuned as these do at a setting."""
        _lacks(self, "applied")

    def knob_values(self, prediction: Floats) -> Floats:
        """Return the candidates for settings, one value per case: scores, or corrections."""
        return prediction

    def turning(self, prediction: Floats, context: float | Floats) -> Floats | None:
        """Return the setting at which each case turns, in one context or each in its own.

        There the outcome steps from one value to another, and is the same on either side; that of
        a shift turns from one straight line into another. None where outcomes are neither.
        """
        return None

    def unlimited(self) -> Self:
        """Return the problem without a capacity; its best outcome is at least as good."""
        return self

    def untuned(
        self, prediction: Floats, assumed: float | Floats, context: float | Floats
    ) -> Floats:
        """Return the outcome of each case if nothing is tuned on data.

        Some settings follow from the context that is assumed, as the threshold of
        probabilities does; outcomes are those in the true context.
        """

    def notes(self, prediction: Floats, knob: Floats) -> tuple[str, ...]:
        """Return what else must be said of a setting, such as how often it exceeds a capacity."""
        return ()

    def constant(self, value: float) -> Floats:
        """Return the same prediction for every case."""
        return np.full(len(self), value)


def _lacks(problem: Problem, method: str) -> NoReturn:
    raise NotImplementedError(
        f"{type(problem).__name__} must define '{method}': its 'worst_contexts' says that the "
        "worst context of a range may lie anywhere in it."
    )


def mean_context(distribution: Continuous | Discrete, domain: tuple[float, float]) -> float:
    """Return the mean of a distribution of contexts; one beyond the domain raises an error."""
    low, high = domain
    middle = min(max(0.0, low), high)
    knots = np.unique([low, middle, high])
    at = np.where(np.isfinite(knots), knots, middle)
    tails = (float(np.isinf(low)), float(np.isinf(high)))
    return Piecewise(knots, at[:-1], at[1:], tails=tails).expect(distribution, "distribution")


def best_of_candidates(losses: Floats, *, running: bool = False) -> tuple[int, int]:
    """Return the first and the last of neighbouring candidates with the least loss.

    Equal means up to rounding: that of the least loss, or of the sums on the way to it where they
    are ``running`` ones of both signs. Of several such runs it is the first.
    """
    best = int(np.argmin(losses))
    size = float(np.max(np.abs(losses[: best + 1]))) if running else abs(float(losses[best]))
    equal = losses <= losses[best] + 1e-13 * size
    first = int(np.argmax(equal))
    beyond = np.flatnonzero(~equal[first:])
    return first, first + int(beyond[0]) - 1 if len(beyond) else len(losses) - 1
