"""What a check says: findings, the parts of the change, and what to do."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from roctopus.concepts.decision import Decision
from roctopus.concepts.rendering import Rendered, Sheet, clean, short
from roctopus.concepts.sentences import error_of
from roctopus.concepts.wording import sized
from roctopus.core.lazy import upward
from roctopus.monitoring.diagnosis import Diagnosis
from roctopus.monitoring.watching import Watch, identity
from roctopus.monitoring.wording import (
    lost_name,
    saves_word,
    say_move_gain,
    say_value,
    setting_name,
    value_name,
)

Advice: TypeAlias = Literal["wait", "retune", "retrain", "accept"]


@dataclass(frozen=True)
class Finding:
    """One way in which a decision may be out of date.

    Parameters
    ----------
    what : {"value", "knob", "model"}
        What was checked: its value, its setting, or its model.
    holds : bool
        Whether the decision holds in this respect.
    sentence : str
        What was found, in words.
    loss : float or None, default None
        How much is lost per case against what was recorded or could be had; negative is better.
    standard_error : float or None, default None
        Its standard error.

    Examples
    --------
    >>> import numpy as np
    >>> import roctopus as rt
    >>> rng = np.random.default_rng(0)
    >>> y, error = rng.normal(100, 10, 800), rng.normal(0, 4, 800)
    >>> before = rt.compare(y, {"a": y + error}, arm="regression")
    >>> decision = before.decide(under_cost=4, over_cost=1)
    >>> later = rt.compare(y, {"a": y + error - 3}, arm="regression")
    >>> [(each.what, each.holds) for each in later.check(decision).findings]
    [('value', False), ('knob', False)]
    """

    what: Literal["value", "knob", "model"]
    holds: bool
    sentence: str
    loss: float | None = None
    standard_error: float | None = None


@dataclass(frozen=True, repr=False)
class DecisionCheck(Rendered):
    """Whether a decision still holds on new cases, and what to do if not.

    Made by :func:`~roctopus.check` and :meth:`Comparison.check() <roctopus.Comparison.check>`;
    print it to read it.

    Parameters
    ----------
    decision : Decision
        What was decided.
    cases : int
        Number of new cases.
    value : float
        What the decision costs or gains per case on the new cases.
    low : float
        Lower end of its 95 % interval.
    high : float
        Upper end of its 95 % interval.
    findings : tuple of Finding
        What was checked, each with whether it holds.
    diagnosis : Diagnosis or None, default None
        Parts of the change; with a state, over the looks in which it shows.
    watch : Watch or None, default None
        What all looks together show, where there is a state.
    notes : tuple of str, default ()
        What these cases cannot show, and why.

    Examples
    --------
    >>> import numpy as np
    >>> import roctopus as rt
    >>> rng = np.random.default_rng(0)
    >>> y, error = rng.normal(100, 10, 800), rng.normal(0, 4, 800)
    >>> before = rt.compare(y, {"a": y + error}, arm="regression")
    >>> decision = before.decide(under_cost=4, over_cost=1)
    >>> later = rt.compare(y, {"a": y + error - 3}, arm="regression")
    >>> found = later.check(decision)
    >>> found.holds, found.advice
    (False, 'retune')
    """

    decision: Decision
    cases: int
    value: float
    low: float
    high: float
    findings: tuple[Finding, ...]
    diagnosis: Diagnosis | None = None
    watch: Watch | None = None
    notes: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether the decision still holds: no finding says otherwise."""
        return all(finding.holds for finding in self.findings)

    @property
    def advice(self) -> Advice:
        """What to do: "wait", "retune", "retrain", or "accept" what the contexts cost now.

        Each is advised only where following it is expected to pay. The largest part of the change
        decides. With a state, a new setting is one that looks since have shown to be better.
        """
        parts, broken = self.diagnosis, {each.what for each in self.findings if not each.holds}
        if parts is None or "model" in broken:
            return "wait" if self.holds else "retrain"
        better = "knob" in broken if self.watch is None else self.watch.advised is not None
        if "value" not in broken:
            return "retune" if better else "wait"
        sizes: dict[Advice, float] = {
            "retune": parts.knob.loss,
            "retrain": parts.model.loss,
            "accept": parts.context.loss,
        }
        largest = max(sizes, key=lambda each: sizes[each])
        if largest == "retune" and not better:  # for a range, settings are not learned over looks
            return "wait" if any(each.what == "knob" for each in self.findings) else "retrain"
        return largest

    @property
    def advice_sentence(self) -> str:
        """The advice in words."""
        parts, advice = self.diagnosis, self.advice
        if parts is None or advice == "wait":
            if not self.holds:
                return "No new setting is shown to be better yet: look again."
            return "No action needed."
        again = self._say_move(parts)
        if advice == "retune":
            sure = " That is likely, but not certain yet." if self.holds else ""
            return f"Re-tune to {again}.{sure}"
        if advice == "accept":
            more = f" Re-tune to {again}." if again else ""
            return (
                "The contexts have become less favourable, which neither re-tuning nor retraining "
                f"can change.{more}"
            )
        more = f" Until then, re-tune to {again}." if again else ""
        return f"Retrain, or decide again.{more}"

    def _say_move(self, parts: Diagnosis) -> str:
        """Return the new setting, and what it is expected to gain; empty if none pays."""
        if self.watch is None:
            saves = saves_word(self.decision)
            if parts.apart or parts.knob.loss <= max(self.decision.tolerance, 0.0):
                return ""
            size = sized(parts.knob.loss, parts.knob.standard_error)
            return f"{parts.new_setting}, which is expected to {saves} {size} per case"
        move = self.watch.advised
        if move is None:
            return ""
        judged = ", measured on looks that it was not learned from"
        gain = say_move_gain(self.decision, move, judged)
        return f"{self._text_of(move.setting)}, which is expected to {gain}"

    def _text_of(self, setting: tuple[float, ...]) -> str:
        return replace(self.decision, knob=setting).knob_text

    @property
    def retuned(self) -> Decision | None:
        """The decision with the advised setting; None if no new setting is advised.

        Checks of it go on with the same state.
        """
        parts = self.diagnosis
        knob: tuple[float, ...] = ()
        if self.watch is not None and self.watch.advised is not None:
            knob = self.watch.advised.setting
        elif self.watch is None and parts is not None and self.advice == "retune":
            knob = parts.new_knob
        if not knob:
            return None
        decision = self.decision
        words = {**decision.words, "action": f"Use {decision.model} with {self._text_of(knob)}"}
        return replace(
            decision,
            knob=knob,
            knob_low=knob,
            knob_high=knob,
            within=None,
            setting_low=(),
            setting_high=(),
            raw=None,
            words=words,
            origin=identity(decision),
        )

    @property
    def _cases(self) -> str:
        return f"{self.cases:,} new case{'' if self.cases == 1 else 's'}"

    @property
    def sentence(self) -> str:
        """The answer, and every finding against the decision."""
        head = "The decision still holds" if self.holds else "The decision no longer holds"
        against = "".join(f" {each.sentence}" for each in self.findings if not each.holds)
        decision = self.decision
        was = sized(decision.value, error_of(decision.low, decision.high))
        was = f"; it was {was} when you decided"
        value = say_value(self.value, self.low, self.high)
        notes = "".join(f" {each}" for each in self.notes)
        return (
            f"{head}: on {self._cases}, the {value_name(decision)} is {value}{was}.{notes}{against}"
        )

    def to_html(self, path: str | os.PathLike[str], **options: Any) -> None:
        """Write a page with the answer, the looks and the parts: one file that loads nothing else.

        Parameters
        ----------
        path : path
            File to write, such as "check.html".
        **options
            ``title``, the headline over all.
        """
        upward("write_check_page")(path, self, **options)

    def sheet(self) -> Sheet:
        """Return what notebooks and Markdown show.

        Returns
        -------
        Sheet
            The sentence, the table and the notes, as plain text.
        """
        decision = self.decision
        setting = setting_name(decision).removeprefix("the ")
        names = {"value": value_name(decision), "knob": setting, "model": "model"}
        rows = tuple(
            (names[each.what], "yes" if each.holds else "no", _say_loss(each))
            for each in self.findings
        )
        header = ("checked", "holds", lost_name(decision))
        return Sheet(self.sentence, header, rows, (self.advice_sentence,))

    def __str__(self) -> str:
        return self.sentence

    def __repr__(self) -> str:
        what = "holds" if self.holds else "no longer holds"
        name = value_name(self.decision)
        value = say_value(self.value, self.low, self.high)
        return short(
            f"DecisionCheck, {what}: {clean(self.decision.model, 40)}, {self.decision.knob_text}",
            f"  {name} {value}, {self._cases}",
            f"  advice: {self.advice}",
        )


def _say_loss(finding: Finding) -> str:
    if finding.loss is None:
        return "–"
    return sized(finding.loss, finding.standard_error or 0.0)
