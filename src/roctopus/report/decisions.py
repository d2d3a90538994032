"""What Python decided at the contexts of a page, with honest values."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from roctopus.comparison.deciding import answer
from roctopus.concepts.decision import Decision
from roctopus.concepts.problem import Problem
from roctopus.concepts.streams import PartsDone
from roctopus.core.arrays import Floats
from roctopus.core.errors import InputError
from roctopus.inference.aims import Aim
from roctopus.report.contexts import Subject
from roctopus.report.packing import pack
from roctopus.report.privacy import cover


def _decided_contexts(subject: Subject, contexts: Floats) -> Floats:
    """Return the contexts at which Python decides: spread over what is shown, and the first."""
    work = len(subject.problem) * len(subject.curves)
    count = 33 if work <= 20_000 else 17 if work <= 2_000_000 else 9
    inner = contexts[(contexts > contexts[0]) & (contexts < contexts[-1])]
    at = np.unique(np.linspace(0, len(inner) - 1, min(count, len(inner))).astype(int))
    return np.unique(np.append(inner[at], subject.first))


def honest_payload(subject: Subject, contexts: Floats, told: PartsDone) -> dict[str, Any]:
    """Decide at some contexts: honest values, intervals, and how sure it is."""
    comparison, problem = subject.comparison, subject.problem
    known: list[float] = []
    decisions: list[str] = []
    values: list[list[tuple[float, float, float]]] = []
    rounding = [0.0]
    wanted = _decided_contexts(subject, contexts).tolist()
    for done, x in enumerate(wanted, 1):
        try:
            tuned, aim = comparison.aim(None, None, None, problem.context_words(x))
            decision = answer(comparison, tuned, aim).decision
        except InputError:  # as of a price at which an arm has no answer
            continue
        _, honest = comparison.learned(tuned, aim)
        known.append(x)
        rounding += _rounding(subject, tuned, aim)
        # As text: its checksum is of its very digits.
        decisions.append(_shareable(subject, decision).to_json())
        gap = honest.untuned - honest.policy
        if problem.sense == "gain":
            gap = honest.policy - honest.untuned
        ends = gap.confidence_interval(0.95) if gap.standard_error > 0.0 else (gap.value,) * 2
        models = [(e.value, *e.confidence_interval(0.95)) for e in honest.models.values()]
        policy = (decision.value, decision.low, decision.high)
        values.append([*models, (gap.value, *ends), policy])
        told(done, len(wanted))
    table = np.array(values).reshape(len(known), len(comparison.models) + 2, 3)
    *packed, saving, policies = [[pack(part) for part in each.T] for each in table.swapaxes(0, 1)]
    return {
        "contexts": pack(known),
        "decisions": decisions,
        "models": packed,
        "saving": saving,
        "policy": policies,
        "rounding": max(rounding),
    }


def _shareable(subject: Subject, decision: Decision) -> Decision:
    """Return the decision with settings that stand for several cases each."""
    if not subject.least:
        return decision
    kept = decision.responses if decision.is_baseline else {}  # a constant tells of no case
    made = {name: replace(each, quantiles=()) for name, each in decision.responses.items()} | kept
    found = replace(decision, responses=made)
    baseline = subject.comparison.baseline(decision.model)
    if decision.knob_name is not None and (baseline is None or baseline.knob is None):
        knob = tuple(subject.shareable(np.array(decision.knob), decision.model).tolist())
        note = f"The setting is a mean of {subject.least} cases, the nearest one to the best."
        found = replace(
            found, knob=knob, knob_low=knob, knob_high=knob, warnings=(*found.warnings, note)
        )
    if subject.problem.context_kind == "truth" and decision.stays_best is not None:
        truths = np.sort(subject.problem.columns()[0])
        low, high = cover(np.array(decision.stays_best), truths, subject.least).tolist()
        found = replace(found, stays_best=(low, high))
    return found


def _rounding(subject: Subject, problem: Problem, aim: Aim) -> list[float]:
    """Return what it costs each model, per case, that settings are means of several cases."""
    if not subject.least or problem.knob_name is None:
        return []
    x = float(aim.contexts[0])
    sign = 1.0 if problem.sense == "loss" else -1.0
    learned, _ = subject.comparison.learned(problem, aim)
    found = []
    for name, prediction in subject.comparison.predictions.items():
        knob = subject.shareable(learned.knobs[name].chosen, name)
        mean = np.average(problem.outcomes(prediction, knob, x), weights=problem.weight)
        found.append(sign * (float(mean) - learned.scores[name]))
    return found


def asked_payload(subject: Subject) -> dict[str, str] | None:
    """Return the decision for the range or distribution the page was asked for."""
    if subject.aim.distribution is None and not subject.aim.ranged:
        return None
    decision = answer(subject.comparison, subject.problem, subject.aim).decision
    shared = _shareable(subject, decision)
    return {"sentence": shared.sentence, "text": shared.to_json()}
