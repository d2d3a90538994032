"""The record of what knowing the context is worth, and what it says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from roctopus.concepts.estimate import Estimate
from roctopus.concepts.wording import sized


class Break(NamedTuple):
    """A context at which another model becomes the best."""

    context: float
    below: str
    above: str
    question: str
    """In words: "Does an under-estimate cost more than 3 times as much as an over-estimate?"."""


class Question(NamedTuple):
    """The yes-or-no question about the context that helps most, on the data used for tuning."""

    context: float
    text: str
    value: float
    """The expected outcome of two frozen decisions, one for each answer."""


class InSample(NamedTuple):
    """Expected outcomes on the data used for tuning. They are too good: see ``Knowing.worth``."""

    following: float
    """The best model and setting at every context, exactly."""
    frozen: float
    """One decision for all contexts: the best there is."""
    untuned: float
    """The best model as it is."""

    def share(self, question: Question) -> float:
        """Return the share of what following gains that one question gains."""
        gap = self.frozen - self.following
        return (self.frozen - question.value) / gap if gap else 0.0


@dataclass(frozen=True, eq=False, repr=False)
class Knowing:
    """Expected outcomes under a distribution of contexts, by what is known when it counts.

    Values are out-of-sample: decisions are judged on cases that they were not made on.
    """

    context: str
    """The context in words, such as "the cutoff"."""
    distribution: str
    sense: Literal["loss", "gain"]
    gain: Estimate
    """What following the context gains over one frozen decision, case by case on the same folds."""
    worth_low: float
    worth_high: float
    """The 95 % interval of ``worth``; above 0 if knowing certainly pays."""
    following: Estimate
    """The best model and setting for every context."""
    frozen: Estimate
    """One decision for all contexts."""
    untuned: Estimate
    """The model that looks best as it is."""
    in_sample: InSample
    """The same three on the data used for tuning."""
    breaks: tuple[Break, ...]
    question: Question | None

    @property
    def worth(self) -> float:
        """What knowing the context gains over one frozen decision, per case, out of sample."""
        return self.gain.value

    @property
    def sentence(self) -> str:
        """The answer in one sentence; nothing is claimed that the interval does not bear out."""
        subject = f"Knowing {self.context}, spread as {self.distribution},"
        if self.worth_low == self.worth_high == 0.0:
            return f"{subject} is worth nothing: one decision is best throughout."
        if self.worth_low > 0.0:
            size = abs(self.frozen.value)
            share = f", {100.0 * self.worth / size:.1f} %" if size > 0.0 else ""
            return f"{subject} pays: {self._said}{share}."
        claim = "does not pay" if self.worth_high < 0.0 else "is not shown to pay"
        return f"{subject} {claim}: {self._said}."

    @property
    def _said(self) -> str:
        """What following the context gains or loses, with the interval the way it is said."""
        numbers = [self.worth, self.worth_low, self.worth_high]
        if self.worth < 0.0:
            numbers = [-self.worth, -self.worth_high, -self.worth_low]
        much, low, high = (sized(x, self.gain.standard_error) for x in numbers)
        better, worse = {
            "loss": (f"saves {much} per case", f"costs {much} more per case"),
            "gain": (f"earns {much} more per case", f"earns {much} less per case"),
        }[self.sense]
        return f"following it {better if self.worth >= 0.0 else worse} ({low} to {high})"

    @property
    def _rows(self) -> list[str]:
        """What each of the three policies gives, out of sample and on the data used for tuning."""
        what, policies = "cost" if self.sense == "loss" else "gain", []
        told = (
            ("follow the context", self.following, self.in_sample.following),
            ("freeze one decision", self.frozen, self.in_sample.frozen),
            ("tune nothing", self.untuned, self.in_sample.untuned),
        )
        for name, found, seen in told:
            ends = found.confidence_interval(method=found.scale)
            numbers = (found.value, *ends, seen)
            value, low, high, flattered = (sized(x, found.standard_error) for x in numbers)
            policies.append(
                f"  {name:20} {what} {value} per case ({low} to {high}); "
                f"{flattered} on the data used for tuning"
            )
        return policies

    def __repr__(self) -> str:
        lines = [self.sentence, *self._rows]
        if self.question is not None:
            share = f"{100.0 * self.in_sample.share(self.question):.0f} %"
            lines.append(
                f"One question gets {share} of what following gains on the data used for tuning: "
                f"{self.question.text}"
            )
        return "\n".join(lines)
