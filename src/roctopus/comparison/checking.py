"""Whether a decision still holds on new cases."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from roctopus.comparison.deciding import judge_decision
from roctopus.comparison.policies import sign_of
from roctopus.concepts.decision import Decision
from roctopus.concepts.distributions import PointMass
from roctopus.concepts.estimate import Estimate
from roctopus.core.arrays import Floats

if TYPE_CHECKING:
    from roctopus.comparison.comparison import Comparison

__all__ = ["DecisionCheck", "Finding", "check_decision"]

LEVEL = 0.05
"""How often a decision that holds may be called broken, by all findings together."""
RECORDED = 1.959963984540054
"""The recorded interval reaches so many standard errors to each side."""


@dataclass(frozen=True)
class Finding:
    """One way in which a decision may have aged."""

    what: Literal["value", "knob", "model"]
    holds: bool
    sentence: str
    loss: float | None = None
    """How much is lost per case against what was recorded or could be had; negative is better."""
    standard_error: float | None = None


@dataclass(frozen=True)
class DecisionCheck:
    """What new cases say about a decision."""

    decision: Decision
    cases: int
    value: float
    low: float
    high: float
    """What the decision gives on the new cases, with its 95 % interval."""
    findings: tuple[Finding, ...]

    @property
    def holds(self) -> bool:
        """Whether nothing speaks against the decision."""
        return all(finding.holds for finding in self.findings)

    @property
    def sentence(self) -> str:
        """The answer, and every finding that speaks against the decision."""
        head = "The decision holds" if self.holds else "The decision no longer holds"
        against = "".join(f" {each.sentence}" for each in self.findings if not each.holds)
        return (
            f"{head} on {self.cases:,} new cases: {self.decision.sense} {self.value:.4g} a case "
            f"({self.low:.4g} to {self.high:.4g}), recorded {self.decision.value:.4g}.{against}"
        )

    def __str__(self) -> str:
        return self.sentence


def check_decision(comparison: Comparison, decision: Decision, distribution: Any) -> DecisionCheck:
    """Compare what a decision gives now with what was recorded, and with what could be had."""
    found = judge_decision(comparison, decision, distribution)
    low, high = found.confidence_interval(0.95)
    findings = []
    share = LEVEL / (1 if decision.criterion == "regret" else 3)
    if decision.criterion != "regret":  # it recorded a regret, which cases alone do not show
        findings.append(_value(comparison, decision, found, share))
        if decision.knob_name is not None:
            findings.append(_knob(comparison, decision, found, distribution, share))
    if len(comparison.models) > 1:
        findings.append(_model(comparison, decision, distribution, share))
    return DecisionCheck(decision, len(comparison.problem), found.value, low, high, tuple(findings))


def _beyond(loss: float, error: float, share: float, count: float = np.inf) -> bool:
    """Tell whether a loss is more than chance explains, if so many cases speak."""
    from scipy.special import ndtri, stdtrit

    free = max(count - 1.0, 1.0)
    quantile = ndtri(1.0 - share) if np.isinf(free) else stdtrit(free, 1.0 - share)
    return loss > max(float(quantile) * error, 0.0)


def _speaking(differences: Floats) -> float:
    """Return how many cases a mean difference rests on: two knobs differ on few of them."""
    squares = differences**2
    fourth = float(np.sum(squares**2))
    return float(squares.sum()) ** 2 / fourth if fourth > 0.0 else 1.0


def _value(comparison: Comparison, decision: Decision, found: Estimate, share: float) -> Finding:
    sign = sign_of(comparison.problem)
    loss = sign * (found.value - decision.value)
    recorded = 0.5 * (decision.high - decision.low) / RECORDED
    error = float(np.hypot(found.standard_error, recorded))
    worse = _beyond(loss, error, share)
    told = "worse than" if worse else "as"
    return Finding(
        "value",
        not worse,
        f"It is {told} recorded ({loss:+.3g} a case, standard error {error:.2g}).",
        loss,
        error,
    )


def _ask(comparison: Comparison, decision: Decision, distribution: Any) -> tuple[Any, Any]:
    """Return the problem and the aim the decision was made for."""
    given = dict(decision.context)
    if "between" in given:
        criterion = None if decision.criterion == "expected" else decision.criterion
        return comparison.aim(given["between"], criterion, None, {})
    if "distribution" in given:
        law = distribution
        if comparison.problem.linear:  # the best for a distribution is the best at its mean
            law = PointMass(float(given["mean"]))
        return comparison.aim(None, None, law, {})
    return comparison.aim(None, None, None, given)


def _knob(
    comparison: Comparison, decision: Decision, found: Estimate, distribution: Any, share: float
) -> Finding:
    """Tune the same model anew, each case judged by a knob from others."""
    name, problem = decision.model, comparison.problem
    alone = replace(
        comparison,
        predictions={name: comparison.predictions[name]},
        own={name: comparison.own[name]},
        _cache={},
    )
    learned, honest = alone.learned(*_ask(alone, decision, distribution))
    rows, tuned = honest.rows, honest.models[name]
    outcomes = (found.influence + found.value)[rows]
    now = float(np.average(outcomes, weights=tuned.sample_weight))
    as_is = Estimate(
        now, outcomes - now, tuned.sample_weight, dependence=comparison.dependence_of(rows)
    )
    gap = as_is - tuned
    loss = sign_of(problem) * gap.value
    stale = _beyond(loss, gap.standard_error, share, _speaking(gap.influence + gap.value))
    told = f"Its {decision.knob_name} is as good as one tuned anew."
    if stale:
        better = replace(decision, knob=tuple(learned.knobs[name].chosen.tolist())).knob_text
        told = f"It is stale: {better} would gain {loss:.3g} a case over {decision.knob_text}."
    return Finding("knob", not stale, told, loss, gap.standard_error)


def _model(comparison: Comparison, decision: Decision, distribution: Any, share: float) -> Finding:
    learned, honest = comparison.learned(*_ask(comparison, decision, distribution))
    beaten = honest.chances[decision.model] < share
    if not beaten:
        return Finding("model", True, f"{decision.model} may still be the best model.")
    best = learned.ranked[0]
    return Finding("model", False, f"Another model is better now: {best}.")
