"""Another look at a decision: new cases are measured and added to its state."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from roctopus.comparison.deciding import judge_decision
from roctopus.comparison.models import ComparedModels
from roctopus.concepts.decision import Decision
from roctopus.concepts.estimate import Estimate
from roctopus.core.arrays import Floats
from roctopus.core.errors import InputError, warn
from roctopus.core.locks import locked
from roctopus.inference.engine import mean_estimate
from roctopus.inference.policies import sign_of
from roctopus.inference.tracking import STEP_CASES, spread_candidates
from roctopus.monitoring.diagnosis import diagnose, is_tunable, losses_now
from roctopus.monitoring.verdicts import DecisionCheck, Finding
from roctopus.monitoring.watching import Measured, WatchState
from roctopus.monitoring.wording import say_looks_setting, say_looks_value

TAUGHT_BY = 5_000
"""So many cases of a look, evenly spread, teach settings and tell parts of a change; all of them
tell the value."""


def look_again(
    comparison: ComparedModels,
    decision: Decision,
    distribution: Any,
    path: str | os.PathLike[str],
) -> DecisionCheck:
    """Add new cases to the state, which shows whether all looks together raise an alarm."""
    WatchState.open(path, decision)  # raises an error early
    if decision.data == comparison.fingerprint:
        raise InputError(
            "These are the cases that the decision was made on, so they cannot show whether it "
            "still holds. Use new cases."
        )
    look = measure(comparison, decision, distribution)
    batch = comparison.fingerprint_with(decision.used_models)
    with locked(path):  # others may have added looks since
        state = WatchState.open(path, decision)
        if state.knows(batch):
            warn("These cases have been checked before, so the state stays as it was.")
        else:
            state = state.add(decision, look, batch)
            state.to_json(path)
    watch = state.watch(decision)
    value, knob = say_looks_value(decision, watch), say_looks_setting(decision, watch)
    findings = [Finding("value", not state.value.alarm, value, watch.value.change)]
    if look.lost is not None and state.tracker is not None:
        holds = not (state.knob.looks and state.knob.alarm)
        findings.append(Finding("knob", holds, knob, watch.knob.change))
    whole = state.diagnosis(look.parts, decision)
    ends, value_now = value_ends(look.value), look.value.value
    return DecisionCheck(decision, look.cases, value_now, *ends, tuple(findings), whole, watch)


def measure(comparison: ComparedModels, decision: Decision, distribution: Any = None) -> Measured:
    """Return what new cases say of a decision, to be added to its state."""
    found = judge_decision(comparison, decision, distribution)  # refuses what does not fit
    cases = len(comparison.problem)
    some = comparison
    if cases > TAUGHT_BY:
        some = comparison.take(np.linspace(0, cases - 1, TAUGHT_BY).astype(np.intp))
    value, parts = diagnose(some, decision, distribution)
    if some is comparison or decision.criterion == "regret":
        found = value
    else:
        change = sign_of(comparison.problem) * (found.value - decision.value)
        rest = change - parts.context.loss - parts.knob.loss
        parts = replace(parts, change=change, model=parts.model._replace(loss=rest))
    if decision.regions or decision.criterion != "expected" or not is_tunable(some, decision):
        return Measured(cases, found, parts, None)
    lost = _lost(some, decision, distribution)
    candidates = _candidates(some, decision) if decision.basis is None else ()
    return Measured(cases, found, parts, lost, candidates)


def _candidates(comparison: ComparedModels, decision: Decision) -> tuple[tuple[float, ...], ...]:
    """Return settings to learn from, of an older decision that recorded none."""
    if len(comparison.problem) < STEP_CASES:
        return ()
    prediction = comparison.prediction_of(decision.model)
    values = comparison.problem.knob_values(prediction)
    return tuple(spread_candidates(values, each) for each in decision.knob)


def _lost(
    comparison: ComparedModels, decision: Decision, distribution: Any
) -> Callable[[Floats], Estimate]:
    """Return the mean loss of cases at a setting."""
    weight, about = comparison.problem.weight, comparison.dependence
    losses = losses_now(comparison, decision, distribution)
    return lambda setting: mean_estimate(losses(setting), weight, about)


def value_ends(found: Estimate) -> tuple[float, float]:
    """Return the interval of a value; all numbers where one unit tells nothing of its error."""
    try:
        low, high = found.confidence_interval(0.95)
    except InputError:  # one case, or one cluster
        return -np.inf, np.inf
    return low, high
