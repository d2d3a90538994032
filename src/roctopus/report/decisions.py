"""What Python answered at the contexts of a page."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from roctopus.comparison.answers import Row, Weighed, words_of
from roctopus.comparison.deciding import answer
from roctopus.concepts.decision import Decision
from roctopus.concepts.decision_parts import Basis
from roctopus.concepts.problem import Knob, Problem
from roctopus.concepts.said_settings import say_setting
from roctopus.concepts.sentences import say_action, say_doubts, say_instead
from roctopus.concepts.streams import PartsDone
from roctopus.core.arrays import Floats
from roctopus.core.errors import InputError
from roctopus.display.axes import ContextAxis
from roctopus.inference.aims import Aim
from roctopus.report.contexts import Subject
from roctopus.report.packing import pack
from roctopus.report.privacy import cover


def _decided_contexts(subject: Subject, contexts: Floats) -> Floats:
    """Return the contexts at which Python answers: spread over what is shown, and the first."""
    work = len(subject.problem) * len(subject.curves)
    count = 33 if work <= 20_000 else 17 if work <= 2_000_000 else 9
    inner = contexts[(contexts > contexts[0]) & (contexts < contexts[-1])]
    axis = ContextAxis.of(subject.problem)
    ends = axis.usual((float(inner[0]), float(inner[-1])), np.array([subject.first]))
    wanted = axis.even(*axis.inside(*ends), count)
    at = np.abs(inner[:, None] - wanted).argmin(axis=0)
    return np.unique(np.append(inner[at], subject.first))


class _Told(NamedTuple):
    """What Python answered at one context, as it may be told."""

    context: float
    decision: Decision
    rows: dict[str, Row]
    rounding: list[float]


def _answer_at(subject: Subject, x: float) -> _Told | None:
    """Answer at a context; None where an arm has no answer, as of a price."""
    comparison = subject.comparison
    try:
        problem, aim = comparison.aim(None, None, None, subject.problem.context_words(x))
        found = answer(comparison, problem, aim)
    except InputError:
        return None
    rows = {row.name: row for row in found.rows if not row.baseline}
    return _Told(
        x, _shareable(subject, problem, aim, found.decision), rows, _rounding(subject, problem, aim)
    )


def honest_payload(subject: Subject, contexts: Floats, told: PartsDone) -> dict[str, Any]:
    """Answer at some contexts: what to do, what it is worth, and how sure that is."""
    wanted = _decided_contexts(subject, contexts).tolist()
    found = []
    for done, x in enumerate(wanted, 1):
        each = _answer_at(subject, x)
        if each is not None:
            found.append(each)
        told(done, len(wanted))
    parts = ("value", "low", "high", "raw")
    return {
        "contexts": pack([each.context for each in found]),
        # As text: its checksum is of its very digits.
        "decisions": [each.decision.to_json() for each in found],
        "actions": [say_action(each.decision) for each in found],
        "doubts": [_say_doubts(each.decision) for each in found],
        "settings": [say_setting(each.decision) for each in found],
        "models": [
            [pack([getattr(each.rows[name], part) for each in found]) for part in parts]
            for name in subject.comparison.models
        ],
        "rounding": max((cost for each in found for cost in each.rounding), default=0.0),
    }


def _say_doubts(decision: Decision) -> str:
    """Return what may be done instead, and what is not sure."""
    return " ".join(said for said in (say_instead(decision), *say_doubts(decision)) if said)


def _shareable(subject: Subject, problem: Problem, aim: Aim, decision: Decision) -> Decision:
    """Return the decision with settings that stand for several cases each, in words, too."""
    if not subject.least:
        return decision
    kept = decision.responses if decision.is_baseline else {}  # a constant tells of no case
    made = {name: replace(each, quantiles=()) for name, each in decision.responses.items()} | kept
    weighed = Weighed.of(subject.comparison, problem, aim)
    knobs = {
        name: Knob.at(_covered(subject, name, knob.chosen))
        for name, knob in weighed.learned.knobs.items()
    }
    told = replace(weighed, learned=replace(weighed.learned, knobs=knobs))
    settings = subject.comparison.knob_values(problem, weighed.best)
    found = replace(decision, responses=made, words=words_of(told, settings))
    if decision.knob and not _fixed(subject, decision.model):
        knob = tuple(knobs[decision.model].chosen.tolist())
        note = f"The setting is a mean of {subject.least} cases, the nearest one to the best."
        found = replace(found, knob=knob, knob_low=knob, knob_high=knob)
        if decision.within is not None:
            low, high = _covered(subject, decision.model, np.array(decision.within)).tolist()
            found = replace(found, within=(low, high))
        low, high = (
            tuple(_covered(subject, decision.model, np.array(ends)).tolist())
            for ends in (decision.setting_low, decision.setting_high)
        )
        found = replace(found, setting_low=low, setting_high=high)
        found = replace(found, basis=_shareable_basis(subject, found, settings))
        found = replace(found, warnings=(*found.warnings, note))
    if problem.context_kind == "truth" and decision.stays_best is not None:
        truths = np.sort(problem.columns()[0])
        low, high = cover(np.array(decision.stays_best), truths, subject.least).tolist()
        found = replace(found, stays_best=(low, high))
    return found


def _shareable_basis(subject: Subject, decision: Decision, values: Floats) -> Basis | None:
    """Return what checks need, with other settings as means of several cases, or beyond them all.

    ``values`` are what settings are made of, and the setting of the decision is such a mean.
    """
    basis = decision.basis
    if basis is None:
        return None
    known = values[np.isfinite(values)]
    grids = []
    for own, grid in zip(decision.knob, basis.candidates, strict=False):
        found = np.array(grid)
        beyond = (found < known.min()) | (found > known.max())
        inside = subject.shareable(found[~beyond], decision.model)
        grids.append(tuple(np.unique(np.concatenate([found[beyond], inside, [own]])).tolist()))
    return replace(basis, candidates=tuple(grids))


def _fixed(subject: Subject, name: str) -> bool:
    """Tell whether a setting is that of a baseline which is not tuned."""
    baseline = subject.comparison.baseline(name)
    return baseline is not None and baseline.knob is not None


def _covered(subject: Subject, name: str, knob: Floats) -> Floats:
    """Return the setting of a model or a baseline as a mean of several cases, if it was tuned."""
    return knob if _fixed(subject, name) or not len(knob) else subject.shareable(knob, name)


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


def asked_payload(subject: Subject) -> dict[str, Any] | None:
    """Return the answer for the range or distribution the page was asked for."""
    aim = subject.aim
    if aim.distribution is None and not aim.ranged:
        return None
    found = answer(subject.comparison, subject.problem, aim)
    shared = _shareable(subject, subject.problem, aim, found.decision)
    parts = ("name", "baseline", "value", "low", "high", "raw")
    return {
        "sentence": shared.sentence,
        "text": shared.to_json(),
        "action": say_action(shared),
        "doubts": _say_doubts(shared),
        "setting": say_setting(shared),
        "rows": [{part: getattr(row, part) for part in parts} for row in found.rows],
        "between": [float(aim.contexts.min()), float(aim.contexts.max())] if aim.ranged else None,
    }
