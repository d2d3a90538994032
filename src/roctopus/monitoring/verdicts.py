"""What a check says: findings, the parts of the change, and what to do."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from roctopus.concepts.decision import Decision
from roctopus.concepts.rendering import Rendered, Sheet, clean, short
from roctopus.concepts.sentences import error_of, say_interval
from roctopus.concepts.wording import sized
from roctopus.core.lazy import upward
from roctopus.monitoring.diagnosis import Diagnosis
from roctopus.monitoring.watching import Watch
from roctopus.monitoring.wording import lost_name, setting_name, value_name

Advice: TypeAlias = Literal["wait", "retune", "retrain", "accept"]
LEAST_SHARE = 0.1
"""Re-tuning is mentioned beside other advice if it recovers at least this share of the change."""


@dataclass(frozen=True)
class Finding:
    """One way in which a decision may be out of date."""

    what: Literal["value", "knob", "model"]
    holds: bool
    sentence: str
    loss: float | None = None
    """How much is lost per case against what was recorded or could be had; negative is better."""
    standard_error: float | None = None


@dataclass(frozen=True, repr=False)
class DecisionCheck(Rendered):
    """Whether a decision still holds on new cases, and what to do if not."""

    decision: Decision
    cases: int
    value: float
    low: float
    high: float
    """What the decision gives on the new cases, with its 95 % interval."""
    findings: tuple[Finding, ...]
    diagnosis: Diagnosis | None = None
    """The parts of the change, with a state over the looks in which it shows; None for regrets."""
    watch: Watch | None = None
    """What all looks together say, where there is a state."""
    notes: tuple[str, ...] = ()
    """What these cases cannot show, and why."""

    @property
    def holds(self) -> bool:
        """Whether nothing speaks against the decision."""
        return all(finding.holds for finding in self.findings)

    @property
    def advice(self) -> Advice:
        """What to do: "wait", "retune", "retrain", or "accept" what the contexts cost now.

        The largest part of the change decides. Where another model is better, or the setting is
        out of date although nothing is lost yet, the advice is about that.
        """
        parts = self.diagnosis
        if self.holds or parts is None:
            return "wait" if self.holds else "retrain"
        broken = {finding.what for finding in self.findings if not finding.holds}
        if "value" not in broken:
            return "retune" if "knob" in broken else "retrain"
        sizes: dict[Advice, float] = {
            "retune": parts.knob.loss,
            "retrain": parts.model.loss,
            "accept": parts.context.loss,
        }
        return max(sizes, key=lambda each: sizes[each])

    @property
    def advice_sentence(self) -> str:
        """The advice in words."""
        parts, advice = self.diagnosis, self.advice
        if parts is None or advice == "wait":
            return "No action needed." if self.holds else "Retrain, or decide again."
        if advice == "retune":
            return f"Re-tune to {parts.new_setting}{self._recovered(parts)}."
        more = ""
        if parts.recovers >= LEAST_SHARE:
            start = "Until then, re-tune" if advice == "retrain" else "Re-tune"
            more = f" {start} to {parts.new_setting}{self._recovered(parts)}."
        if advice == "accept":
            return (
                "The contexts have become less favourable, which neither re-tuning nor retraining "
                f"can change.{more}"
            )
        return f"Retrain, or decide again.{more}"

    def _recovered(self, parts: Diagnosis) -> str:
        """Return how much of the change re-tuning makes up for."""
        if parts.recovers <= 0.0:
            return ""
        change = "increase" if self.decision.sense == "loss" else "decrease"
        if parts.recovers <= 1.0:
            return f", which recovers {100 * parts.recovers:.0f} % of the {change}"
        size = sized(parts.knob.loss, parts.knob.standard_error)
        return f", which recovers {size} per case, more than the {change}"

    @property
    def sentence(self) -> str:
        """The answer, and every finding that speaks against the decision."""
        head = "The decision still holds" if self.holds else "The decision no longer holds"
        against = "".join(f" {each.sentence}" for each in self.findings if not each.holds)
        decision = self.decision
        was = ""
        if decision.criterion != "regret":
            was = sized(decision.value, error_of(decision.low, decision.high))
            was = f"; it was {was} when you decided"
        value = say_interval(self.value, self.low, self.high)
        notes = "".join(f" {each}" for each in self.notes)
        return (
            f"{head}: on {self.cases:,} new cases, the {value_name(decision)} is {value}{was}."
            f"{notes}{against}"
        )

    def to_html(self, path: str | os.PathLike[str], **options: Any) -> None:
        """Write a page with the answer, the looks and the parts: one file, nothing loaded."""
        upward("write_check_page")(path, self, **options)

    def sheet(self) -> Sheet:
        """Return what notebooks and Markdown show."""
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
        value = say_interval(self.value, self.low, self.high)
        return short(
            f"DecisionCheck, {what}: {clean(self.decision.model, 40)}, {self.decision.knob_text}",
            f"  {name} {value}, {self.cases:,} new cases",
            f"  advice: {self.advice}",
        )


def _say_loss(finding: Finding) -> str:
    if finding.loss is None:
        return "–"
    return sized(finding.loss, finding.standard_error or 0.0)
