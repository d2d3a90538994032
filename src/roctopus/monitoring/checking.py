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
from roctopus.core.errors import InputError, arg, warn
from roctopus.core.locks import locked
from roctopus.inference.aims import Aim, recorded_aim
from roctopus.inference.policies import outcomes_for, sign_of, tune_for
from roctopus.monitoring.diagnosis import diagnose, is_tunable, met_contexts, recorded_error
from roctopus.monitoring.verdicts import DecisionCheck, Finding
from roctopus.monitoring.watching import WatchState
from roctopus.monitoring.wording import (
    say_change,
    say_looks_setting,
    say_looks_value,
    say_setting,
)

LEVEL = 0.05
"""How often a decision that holds may be called broken, by all findings together."""
LEAST_CASES, LEAST_CLUSTERS = 30, 10
"""With fewer cases or clusters nothing is said: alarms would be too many."""


def check_decision(
    comparison: ComparedModels,
    decision: Decision,
    distribution: Any,
    state: str | os.PathLike[str] | None = None,
) -> DecisionCheck:
    """Compare what a decision gives now with what was recorded, and with what could be had."""
    if state is not None:
        return _look(comparison, decision, distribution, state)
    _refuse_too_few(comparison, LEAST_CLUSTERS)
    regret = decision.criterion == "regret"
    if regret and len(comparison.models) == 1:
        raise InputError(
            "A decision that minimises regret can only be checked if the new cases have "
            "predictions from other models, too. Add them."
        )
    found = judge_decision(comparison, decision, distribution)
    parts = None
    if not regret:
        found, parts = diagnose(comparison, decision, distribution)
    low, high = found.confidence_interval(0.95)
    findings = []
    share = LEVEL / (1 if regret else 3)
    if not regret:  # what it recorded is a regret, which one model's cases do not show
        findings.append(_value(comparison, decision, found, share))
        if is_tunable(comparison, decision) and not decision.regions:
            findings.append(_knob(comparison, decision, distribution, share))
    if not comparison.fixed and (len(comparison.models) > 1 or decision.is_baseline):
        findings.append(_model(comparison, decision, distribution, share))
    return DecisionCheck(
        decision, len(comparison.problem), found.value, low, high, tuple(findings), parts
    )


def _look(
    comparison: ComparedModels,
    decision: Decision,
    distribution: Any,
    path: str | os.PathLike[str],
) -> DecisionCheck:
    """Add new cases to the state, which shows whether all looks together raise an alarm."""
    if decision.criterion != "expected":
        raise InputError(
            "A decision for a range of contexts cannot be followed over several checks, because "
            f"its worst case differs from check to check. Leave out {arg('state')}, or decide for "
            "a distribution instead."
        )
    WatchState.open(path, decision)  # raises an error early
    _refuse_too_few(comparison, 2)  # clusters add up over looks
    if decision.data == comparison.fingerprint:
        raise InputError("These are the cases the decision was made on. Give new cases.")
    judge_decision(comparison, decision, distribution)  # refuses what does not fit
    found, parts = diagnose(comparison, decision, distribution)
    low, high = found.confidence_interval(0.95)
    batch = comparison.fingerprint_with(decision.used_models)
    with locked(path):  # others may have added looks since
        state = WatchState.open(path, decision)
        if batch in state.batches:
            warn("These cases have been checked before, so the state stays as it was.")
        else:
            state = state.add(found, parts, batch, len(comparison.problem))
            state.to_json(path)
    watch = state.watch()
    value, knob = say_looks_value(decision, watch), say_looks_setting(decision, watch)
    findings = [Finding("value", watch.value.low <= 0.0, value, watch.value.change)]
    if is_tunable(comparison, decision):
        findings.append(Finding("knob", watch.knob.low <= 0.0, knob, watch.knob.change))
    cases, whole = len(comparison.problem), state.diagnosis(parts)
    return DecisionCheck(decision, cases, found.value, low, high, tuple(findings), whole, watch)


def _refuse_too_few(comparison: ComparedModels, clusters: int) -> None:
    codes = comparison.dependence.clusters
    found = [(len(comparison.problem), "cases", LEAST_CASES)]
    if codes is not None:
        found.append((int(codes.max()) + 1, "clusters", clusters))
    for count, what, least in found:
        if count < least:
            raise InputError(
                f"{count} {what} are too few to check a decision: at least {least} are needed."
            )


def _beyond(gap: Estimate, share: float) -> bool:
    """Tell whether a mean difference is more than chance explains.

    Two knobs differ on few cases: as many as speak, not as there are, say how far chance goes.
    """
    from scipy.special import stdtrit

    squares = (gap.influence + gap.value) ** 2
    fourth = float(np.sum(squares**2))
    speaking = float(squares.sum()) ** 2 / fourth if fourth > 0.0 else 1.0
    quantile = float(stdtrit(max(speaking - 1.0, 1.0), 1.0 - share))
    return gap.value > 0.0 and not gap.value <= quantile * gap.standard_error


def _value(
    comparison: ComparedModels, decision: Decision, found: Estimate, share: float
) -> Finding:
    from scipy.special import stdtrit

    loss = sign_of(comparison.problem) * (found.value - decision.value)
    error = float(np.hypot(found.standard_error, recorded_error(decision)))
    quantile = float(stdtrit(len(comparison.problem) - 1.0, 1.0 - share))
    worse = loss > 0.0 and not loss <= quantile * error
    told = say_change(decision, loss, error, worse, (quantile + 0.84) * error)
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


def _knob(
    comparison: ComparedModels, decision: Decision, distribution: Any, share: float
) -> Finding:
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
    stale = any(all(_beyond(each, share / len(ends)) for each in row) for row in gaps)
    best = max((min(row, key=lambda each: each.value) for row in gaps), key=lambda e: e.value)
    better = None
    if stale:
        knob = learn(np.arange(len(problem)))
        better = replace(decision, knob=tuple(knob.tolist())).knob_text
    told = say_setting(decision, better, best.value, best.standard_error)
    return Finding("knob", not stale, told, best.value, best.standard_error)


def _model(
    comparison: ComparedModels, decision: Decision, distribution: Any, share: float
) -> Finding:
    problem, aim = _ask(comparison, decision, distribution)
    if decision.is_baseline:
        return _any_model(decision, Weighed.of(comparison, problem, aim))
    _, honest = comparison.learned(problem, aim)
    if honest.pvalues[decision.model] >= share:
        return Finding("model", True, f"{decision.model} could still be the best model.")
    sign = 1.0 if aim.criterion == "regret" else sign_of(problem)
    others = [name for name in comparison.models if name != decision.model]
    best = min(others, key=lambda name: sign * honest.models[name].value)
    return Finding("model", False, f"Another model is better now: {best}.")


def _any_model(decision: Decision, weighed: Weighed) -> Finding:
    """Say whether a model is now shown to beat the baseline that was advised."""
    if weighed.verdict == "no model":
        return Finding("model", True, f"No model is shown to beat '{decision.model}' yet.")
    return Finding("model", False, f"{weighed.best} is now shown to beat '{decision.model}'.")
