"""The record of what knowing the context is worth, and what it says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from roctopus.concepts.estimate import Estimate
from roctopus.concepts.wording import sized


class Break(NamedTuple):
    """A context at which another model becomes the best.

    Parameters
    ----------
    context : float
        Context, such as an asymmetry or a cutoff.
    below : str
        Model that is best below it.
    above : str
        Model that is best above it.
    question : str
        Question in words: "Does an under-estimate cost more than 3 times as much as an
        over-estimate?".

    Examples
    --------
    >>> import roctopus as rt
    >>> y = [10, 12, 15, 20, 22, 30] * 5
    >>> models = {"a": [11, 11, 14, 22, 20, 29] * 5, "b": [12, 15, 17, 21, 25, 30] * 5}
    >>> found = rt.compare(y, models, arm="cutoff").value_of_knowing(rt.Uniform(10, 30))
    >>> found.breaks[0].below, found.breaks[0].context, found.breaks[0].above
    ('b', 12.0, 'a')
    """

    context: float
    below: str
    above: str
    question: str


class Question(NamedTuple):
    """The yes-or-no question about the context that helps most, on the data used for tuning.

    Parameters
    ----------
    context : float
        Context that the question is about.
    text : str
        Question in words.
    value : float
        Expected outcome per case of two decisions, one for each answer.

    Examples
    --------
    >>> import roctopus as rt
    >>> y = [10, 12, 15, 20, 22, 30] * 5
    >>> models = {"a": [11, 11, 14, 22, 20, 29] * 5, "b": [12, 15, 17, 21, 25, 30] * 5}
    >>> found = rt.compare(y, models, arm="cutoff").value_of_knowing(rt.Uniform(10, 30))
    >>> found.question.text
    'Is the cutoff above 24.6?'
    """

    context: float
    text: str
    value: float


class InSample(NamedTuple):
    """Expected outcomes on the data used for tuning, where they look better than they are.

    Out-of-sample values are in ``Knowing``.

    Parameters
    ----------
    following : float
        Expected outcome per case with the best model and setting at every context, exactly.
    frozen : float
        Expected outcome per case of the best single decision for all contexts.
    untuned : float
        Expected outcome per case of the best model with its predictions as they are.

    Examples
    --------
    >>> from roctopus.comparison import InSample, Question
    >>> found = InSample(following=2.0, frozen=3.0, untuned=3.5)
    >>> asked = "Does a miss cost more than 2 times as much as a false alarm?"
    >>> found.share(Question(0.5, asked, 2.25))
    0.75
    """

    following: float
    frozen: float
    untuned: float

    def share(self, question: Question) -> float:
        """Return the share of the gain of following the context that one question brings.

        Parameters
        ----------
        question : Question
            Question, with the value of its two decisions.

        Returns
        -------
        float
            Between 0 and 1; 0 where following gains nothing.
        """
        gap = self.frozen - self.following
        return (self.frozen - question.value) / gap if gap else 0.0


@dataclass(frozen=True, eq=False, repr=False)
class Knowing:
    """The value of knowing the context: expected outcomes under a distribution of contexts.

    Made by :meth:`Comparison.value_of_knowing() <roctopus.Comparison.value_of_knowing>`. Values are
    out-of-sample: decisions are judged on cases that they were not made on.

    Parameters
    ----------
    context : str
        Context in words, such as "the cutoff".
    distribution : str
        Distribution of the context in words.
    sense : {"loss", "gain"}
        Whether less or more is better.
    gain : Estimate
        What following the context gains per case over one frozen decision, on the same folds.
    worth_low : float
        Lower end of the 95 % interval of ``worth``; above 0 if knowing the context clearly pays.
    worth_high : float
        Upper end of the 95 % interval of ``worth``.
    following : Estimate
        Outcome per case with the best model and setting for every context.
    frozen : Estimate
        Outcome per case of one decision for all contexts.
    untuned : Estimate
        Outcome per case of the model that looks best with its predictions as they are.
    in_sample : InSample
        Same three on the data used for tuning.
    breaks : tuple of Break
        Contexts at which another model becomes the best.
    question : Question or None
        Question that helps most; None if no question does.

    Examples
    --------
    >>> import numpy as np
    >>> import roctopus as rt
    >>> rng = np.random.default_rng(0)
    >>> y = rng.normal(20.0, 5.0, 400)
    >>> models = {"a": y + rng.normal(0.0, 2.0, 400), "b": y + rng.normal(1.0, 2.0, 400)}
    >>> found = rt.compare(y, models, arm="regression").value_of_knowing(rt.Uniform(0.1, 0.9))
    >>> print(found.sentence)
    It pays to know the asymmetry (the cost of an under-estimate divided by the sum of both costs),
    assuming that it is distributed as Uniform(0.1, 0.9). Adapting the decision to it saves 0.254
    per case (0.223 to 0.284), which is 17.3 % of what one fixed decision costs.
    """

    context: str
    distribution: str
    sense: Literal["loss", "gain"]
    gain: Estimate
    worth_low: float
    worth_high: float
    following: Estimate
    frozen: Estimate
    untuned: Estimate
    in_sample: InSample
    breaks: tuple[Break, ...]
    question: Question | None

    @property
    def worth(self) -> float:
        """What knowing the context gains over one frozen decision, per case, out of sample."""
        return self.gain.value

    @property
    def sentence(self) -> str:
        """The answer in two short sentences; no claim goes beyond the interval."""
        assumed = f"assuming that it is distributed as {self.distribution}"
        if self.worth_low == self.worth_high == 0.0:
            claim, found = "It does not pay", "One decision is best for all values"
        elif self.worth_low > 0.0:
            claim, found = "It pays", f"{self._said}{self._share}"
        else:
            sure = "does not pay" if self.worth_high < 0.0 else "is not shown to pay"
            claim, found = f"It {sure}", self._said
        return f"{claim} to know {self.context}, {assumed}. {found}."

    @property
    def _share(self) -> str:
        size = abs(self.frozen.value)
        if size == 0.0:
            return ""
        share = 100.0 * self.worth / size
        return f", which is {share:.1f} % of what one fixed decision {self._does}"

    @property
    def _does(self) -> str:
        return "costs" if self.sense == "loss" else "gains"

    @property
    def _outcome(self) -> str:
        return "cost" if self.sense == "loss" else "gain"

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
        gained = better if self.worth >= 0.0 else worse
        return f"Adapting the decision to it {gained} ({low} to {high})"

    @property
    def _rows(self) -> list[str]:
        """What each of the three policies gives, out of sample and on the data used for tuning."""
        policies = []
        told = (
            ("follow the context", self.following, self.in_sample.following),
            ("one fixed decision", self.frozen, self.in_sample.frozen),
            ("no tuning", self.untuned, self.in_sample.untuned),
        )
        for name, found, seen in told:
            ends = found.confidence_interval(method=found.usual_method)
            numbers = (found.value, *ends, seen)
            value, low, high, flattered = (sized(x, found.standard_error) for x in numbers)
            policies.append(
                f"  {name:20} {self._outcome} {value} per case ({low} to {high}); "
                f"{flattered} on the data used for tuning"
            )
        return policies

    def __repr__(self) -> str:
        lines = [self.sentence, *self._rows]
        if self.question is not None:
            share = f"{100.0 * self.in_sample.share(self.question):.0f} %"
            whole = "saving" if self.sense == "loss" else "gain"
            lines.append(
                f"One question is enough for {share} of this {whole} (on the data used for "
                f"tuning): {self.question.text}"
            )
        return "\n".join(lines)
