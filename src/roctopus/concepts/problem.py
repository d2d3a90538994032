"""What an arm asks: truths with all that is needed to tune and judge predictions of them.

A comparison knows its arm by this protocol only; a new arm brings one such class.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal, NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from roctopus.concepts.context_curve import ContextCurve
from roctopus.core.arrays import Floats
from roctopus.core.errors import InputError
from roctopus.core.laws import ContinuousLaw, DiscreteLaw
from roctopus.core.piecewise import Piecewise

__all__ = ["NO_KNOB", "Knob", "Problem", "best_of_candidates", "mean_context", "read_one_of"]


class Knob(NamedTuple):
    """A setting, and the range of settings that are equally good; empty where there is no knob."""

    chosen: Floats
    low: Floats
    high: Floats

    @staticmethod
    def at(chosen: Any, low: Any = None, high: Any = None) -> Knob:
        """Make one from numbers or vectors."""
        first = np.atleast_1d(np.asarray(chosen, dtype=np.float64))
        ends = (first if end is None else np.atleast_1d(np.asarray(end)) for end in (low, high))
        return Knob(first, *ends)


NO_KNOB = Knob(np.empty(0), np.empty(0), np.empty(0))


class Problem(Protocol):
    """Cases of one arm, without predictions."""

    arm: ClassVar[str]
    context: ClassVar[str]
    """The keyword of the context, such as "asymmetry"."""
    knob_name: ClassVar[str | None]
    sense: ClassVar[Literal["loss", "gain"]]
    linear: ClassVar[bool]
    """Whether the outcome at a fixed knob is a line over the context. If it is, the mean context
    tells the expected outcome, and the ends of a range the worst one and the largest regret."""

    traced: ClassVar[bool] = False
    """Whether curves are traced piece by piece, which takes long for very many cases."""

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
    def outcome(self) -> str:
        """What is lost or gained, in words."""

    def __len__(self) -> int: ...

    def columns(self) -> tuple[Floats, ...]:
        """Return what the data are, for a fingerprint."""

    def settings(self) -> dict[str, Any]:
        """Return what else the outcomes hang on, as plain values, for the record."""
        return {}

    def settled(self) -> Self:
        """Return the problem for these cases alone: what was taken from a larger sample, anew."""
        return self

    def take(self, rows: NDArray[np.intp]) -> Self:
        """Return some of the cases."""

    def on(self, truth: Any, weight: Floats | None) -> Self:
        """Return the same problem, with all its settings, for other cases."""

    def check(self, prediction: Floats) -> None:
        """Refuse predictions that the arm cannot judge."""

    def read_context(self, given: dict[str, Any]) -> tuple[Self, float]:
        """Return the context that was given in the user's words, and the problem in their unit."""

    def curve(self, prediction: Floats) -> ContextCurve:
        """Return the mean outcome over the context, tuned for each."""

    def tune(self, prediction: Floats, contexts: Floats, handicaps: Floats) -> Knob:
        """Return the setting whose worst mean outcome over some contexts is best.

        From each outcome a handicap is taken first: what could have been had there.
        """

    def outcomes(self, prediction: Floats, knob: Floats, context: float) -> Floats:
        """Return the outcome of each case."""

    def expected(
        self, prediction: Floats, knob: Floats, law: ContinuousLaw | DiscreteLaw
    ) -> Floats:
        """Return the mean outcome of each case over a distribution of contexts."""
        return self.outcomes(prediction, knob, mean_context(law, self.domain))

    def untuned(self, prediction: Floats, believed: float, context: float) -> Floats:
        """Return the outcome of each case if nothing is tuned on data.

        Some settings follow from the context that is believed in, as the threshold of
        probabilities does; outcomes are those in the true context.
        """

    def say(self, context: float) -> str:
        """Return the context in words of cost."""


def mean_context(law: ContinuousLaw | DiscreteLaw, domain: tuple[float, float]) -> float:
    """Return the mean of a distribution of contexts; refuse one that leaves the domain."""
    low, high = domain
    middle = min(max(0.0, low), high)
    knots = np.unique([low, middle, high])
    at = np.where(np.isfinite(knots), knots, middle)
    tails = (float(np.isinf(low)), float(np.isinf(high)))
    return Piecewise(knots, at[:-1], at[1:], tails=tails).expect(law, "distribution")


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


def read_one_of(given: dict[str, Any], *groups: tuple[str, ...]) -> tuple[str, ...]:
    """Return the one group of keywords that was given; refuse none, several, and parts."""
    known = [name for group in groups for name in group]
    strange = [name for name in given if name not in known]
    ways = " or ".join(" and ".join(f"'{name}'" for name in group) for group in groups)
    if strange:
        raise InputError(f"'{strange[0]}' is not known here. Give {ways}.")
    found = [group for group in groups if set(given) == set(group)]
    if len(found) != 1:
        raise InputError(f"Say what the context is: give {ways}.")
    return found[0]
