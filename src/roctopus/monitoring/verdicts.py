"""What a check says: findings, the parts of the change, and what to do."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from roctopus.concepts.decision import Decision
from roctopus.concepts.rendering import Rendered, Sheet, clean, short
from roctopus.concepts.sentences import name_value, say_interval
from roctopus.concepts.wording import sized
from roctopus.core.lazy import upward
from roctopus.monitoring.diagnosis import Diagnosis
from roctopus.monitoring.watching import Watch

Advice: TypeAlias = Literal["wait", "retune", "retrain", "accept"]
LEAST_SHARE = 0.1
"""Tuning anew is told beside other advice if it recovers so much of the change."""


@dataclass(frozen=True)
class Finding:
    """One way in which a decision may have aged."""

    what: Literal["value", "knob", "model"]
    holds: bool
    sentence: str
    loss: float | None = None
    """How much is lost per case against what was recorded or could be had; negative is better."""
    standard_error: float | None = None


@dataclass(frozen=True, repr=False)
class DecisionCheck(Rendered):
    """What new cases say about a decision."""

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

    @property
    def holds(self) -> bool:
        """Whether nothing speaks against the decision."""
        return all(finding.holds for finding in self.findings)

    @property
    def advice(self) -> Advice:
        """What to do: "wait", "retune", "retrain", or "accept" what the contexts cost now.

        The part of the change that is largest says what to do about it. Where another model is
        better, or the knob is stale though nothing is lost yet, that is said instead.
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
            return "Wait: nothing has to be done." if self.holds else "Decide anew, or retrain."
        tuned = f"Re-tune to {parts.new_setting}"
        share = f", which recovers {100 * parts.recovers:.0f} %" if parts.recovers > 0.0 else ""
        if parts.recovers > 1.0:
            share = f", which recovers {parts.knob.loss:.3g} a case, more than was lost"
        if advice == "retune":
            return f"{tuned}{share}."
        meanwhile = f" {tuned} meanwhile{share}." if parts.recovers >= LEAST_SHARE else ""
        if advice == "accept":
            return (
                f"The contexts cost more than they did: no tuning or training mends it.{meanwhile}"
            )
        return f"Retrain, or decide anew.{meanwhile}"

    @property
    def sentence(self) -> str:
        """The answer, and every finding that speaks against the decision."""
        head = "The decision holds" if self.holds else "The decision no longer holds"
        against = "".join(f" {each.sentence}" for each in self.findings if not each.holds)
        recorded = f", recorded {self.decision.value:.4g}"
        if self.decision.criterion == "regret":
            recorded = ""
        return (
            f"{head} on {self.cases:,} new cases: {self.decision.sense} {self.value:.4g} a case "
            f"({self.low:.4g} to {self.high:.4g}){recorded}.{against}"
        )

    def to_html(self, path: str | os.PathLike[str], **options: Any) -> None:
        """Write a page with the answer, the looks and the parts: one file, nothing loaded."""
        upward("write_check_page")(path, self, **options)

    def sheet(self) -> Sheet:
        """Return what notebooks and Markdown show."""
        header = ("looked at", "holds", "lost per case")
        rows = tuple(
            (each.what, "yes" if each.holds else "no", _say_loss(each)) for each in self.findings
        )
        return Sheet(self.sentence, header, rows, (self.advice_sentence,))

    def __str__(self) -> str:
        return self.sentence

    def __repr__(self) -> str:
        what = "holds" if self.holds else "no longer holds"
        name = name_value(self.decision.sense, self.decision.criterion)
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
