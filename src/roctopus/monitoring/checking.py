"""Whether a decision still holds on new cases."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

import numpy as np

from roctopus.comparison.answers import Weighed
from roctopus.comparison.deciding import judge_decision
from roctopus.comparison.models import ComparedModels
from roctopus.concepts.decision import Decision
from roctopus.concepts.distributions import PointMass
from roctopus.concepts.estimate import Estimate
from roctopus.concepts.problem import Problem
from roctopus.core.arrays import Floats
from roctopus.core.errors import InputError, arg
from roctopus.inference.aims import Aim, recorded_aim
from roctopus.inference.policies import outcomes_for, sign_of, tune_for
from roctopus.inference.sequences import ChangeSequence, Precision
from roctopus.monitoring.diagnosis import diagnose, is_tunable, too_few
from roctopus.monitoring.looking import look_again, value_ends
from roctopus.monitoring.recorded import (
    model_limit,
    recorded_error,
    recorded_sample,
    setting_limit,
)
from roctopus.monitoring.verdicts import DecisionCheck, Finding
from roctopus.monitoring.views import met_contexts
from roctopus.monitoring.wording import say_change, say_setting

VALUE_SHARE, SETTING_SHARE, MODEL_SHARE = 0.02, 0.01, 0.01
"""How often each finding may be wrong if nothing has changed; limits of settings and models, which
are exceeded in some samples, take the rest of 5 %."""


def check_decision(
    comparison: ComparedModels,
    decision: Decision,
    distribution: Any,
    state: str | os.PathLike[str] | None = None,
) -> DecisionCheck:
    """Compare what a decision gives now with what was recorded, and with what could be had."""
    if decision.criterion == "regret" and len(comparison.models) == 1:
        raise InputError(
            "A decision that minimises regret can only be checked against other models. Add the "
            "predictions of at least one other model for the new cases."
        )
    if state is not None:
        return look_again(comparison, decision, distribution, state)
    if comparison.dependence.alone is not None:
        raise InputError(
            f"{comparison.dependence.alone} A single check needs at least two, to measure how much "
            f"they differ. If they arrive one at a time, add {arg('state')}, which combines all "
            "checks."
        )
    judge_decision(comparison, decision, distribution)  # refuses what does not fit
    found, parts = diagnose(comparison, decision, distribution)
    findings = [_value(decision, found, parts.change)]
    one = not decision.regions and decision.criterion != "regret"
    if one and is_tunable(comparison, decision) and not parts.apart:
        findings.append(_knob(comparison, decision, distribution))
    several = len(comparison.models) > 1 or decision.is_baseline
    if several and not comparison.fixed and not too_few(comparison):
        findings.append(_model(comparison, decision, distribution))
    ends = value_ends(found)
    return DecisionCheck(
        decision, len(comparison.problem), found.value, *ends, tuple(findings), parts
    )


def _beyond(gap: Estimate, limit: float, share: float) -> bool:
    """Tell whether a mean difference is more than a limit, and than chance explains."""
    found = ChangeSequence(None, level=share, horizon=1).add(gap.value - limit, Precision.of(gap))
    return found.closed().alarm


def _value(decision: Decision, found: Estimate, loss: float) -> Finding:
    """Say whether the value is worse than recorded, by more than chance and more than matters."""
    sample, tolerance = Precision.of(found), decision.tolerance
    sequence = ChangeSequence(recorded_sample(decision), level=VALUE_SHARE, horizon=1)
    bound = sequence.add(loss - tolerance, sample).closed().surest
    reach = bound.change - bound.low
    error = float(np.hypot(sample.standard_error, recorded_error(decision)))
    worse = bound.low > 0.0
    told = say_change(decision, loss, error, worse, tolerance + reach + 0.84 * error)
    return Finding("value", not worse, told, loss, error)


def _ask(comparison: ComparedModels, decision: Decision, distribution: Any) -> tuple[Problem, Aim]:
    """Return the problem and the aim the decision was made for."""
    given = dict(decision.context)
    met = met_contexts(comparison, decision)
    if met is not None:
        return met[1].aim(met[0])
    if "distribution" in given:
        asked = distribution
        if comparison.problem.linear:  # the best for a distribution is the best at its mean
            asked = PointMass(float(given["mean"]))
        return comparison.aim(None, None, asked, {})
    return recorded_aim(comparison.problem, given, given.get("criterion"))


def _knob(comparison: ComparedModels, decision: Decision, distribution: Any) -> Finding:
    """Tune the same model again, out of sample.

    For a range, the old setting is out of date if at one of the ends it is worse than the new one
    is at both: its worst case is then certainly worse.
    """
    problem, aim = _ask(comparison, decision, distribution)
    prediction, old = comparison.prediction_of(decision.model), np.array(decision.knob)
    none = np.zeros(len(aim.contexts))

    def learn(rows: Any) -> Floats:
        return tune_for(problem.take(rows), prediction[rows], aim, none).chosen

    def outcomes(knob: Floats, rows: Any) -> list[Floats]:
        cases, mine = problem.take(rows), prediction[rows]
        return [each for k in (old, knob) for each in outcomes_for(cases, mine, k, aim)]

    fitted = comparison.cross_fit(problem, learn, outcomes)
    sign, count = sign_of(problem), len(none)

    def gap(first: int, second: int) -> Estimate:
        return fitted.mean(first, against=count + second).scaled(sign)

    ends = range(count)
    gaps = [[gap(j, k) for k in ends] for j in ends]
    limit, share = setting_limit(decision), SETTING_SHARE / len(ends)
    stale = any(all(_beyond(each, limit, share) for each in row) for row in gaps)
    best = max((min(row, key=lambda each: each.value) for row in gaps), key=lambda e: e.value)
    better = None
    if stale:
        knob = learn(np.arange(len(problem)))
        better = replace(decision, knob=tuple(knob.tolist())).knob_text
    told = say_setting(decision, better, best.value, best.standard_error)
    return Finding("knob", not stale, told, best.value, best.standard_error)


def _model(comparison: ComparedModels, decision: Decision, distribution: Any) -> Finding:
    """Say whether another model is better, by more than the choice could lose all along."""
    problem, aim = _ask(comparison, decision, distribution)
    _, honest = comparison.learned(problem, aim)
    kind: Any = ("baseline" if decision.is_baseline else "model", decision.model)
    others = [name for name in comparison.models if name != decision.model]
    gaps = {name: honest.gap(kind, ("model", name)).scaled(honest.sign) for name in others}
    limit, share = model_limit(decision), MODEL_SHARE / len(others)
    better = [name for name, gap in gaps.items() if _beyond(gap, limit, share)]
    if better:
        best = max(better, key=lambda name: gaps[name].value)
        return Finding("model", False, f"Another model is better now: {best}.")
    if decision.is_baseline:
        return Finding("model", True, _any_model(decision, Weighed.of(comparison, problem, aim)))
    return Finding("model", True, f"{decision.model} could still be the best model.")


def _any_model(decision: Decision, weighed: Weighed) -> str:
    """Say whether a model is now shown to beat the baseline that was advised."""
    if weighed.verdict == "no model":
        return f"No model is shown to beat '{decision.model}' yet."
    return (
        f"{weighed.best} is now shown to beat '{decision.model}', as it may have done all along: "
        "decide again with these cases."
    )
