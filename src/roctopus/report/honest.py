"""What Python answered at the contexts of a page, exactly or as it may be told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from roctopus.arms import find_arm
from roctopus.comparison import Comparison
from roctopus.comparison.answers import Answer, Row, Weighed, words_of
from roctopus.comparison.deciding import answer
from roctopus.concepts.decision import Decision
from roctopus.concepts.problem import Knob, Problem
from roctopus.concepts.said_settings import say_setting
from roctopus.concepts.sentences import say_action, say_doubts, say_instead
from roctopus.concepts.streams import PartsDone
from roctopus.concepts.wording import step_of
from roctopus.core.arrays import Floats
from roctopus.core.errors import InputError, arg, warn
from roctopus.inference.aims import Aim
from roctopus.report.packing import pack
from roctopus.report.rounding import RoundedValues, RoundingSteps, coarse_decision, is_dominated
from roctopus.report.settings import Settings

ADDED = ("shift", "margin")
"""Kinds of settings that are added to predictions: 0 leaves them as they are."""


@dataclass(frozen=True, eq=False)
class Told:
    """What Python answered, in words and numbers."""

    context: float
    """NaN for a range or a distribution."""
    text: str
    """The decision, as its file holds it."""
    action: str
    doubts: str
    """What may be done instead, and what is not sure."""
    setting: str
    """Which settings would do, and which could be the best."""
    rows: tuple[Row, ...]
    """Models, then baselines."""


def _told(context: float, decision: Decision, rows: Iterable[Row]) -> Told:
    doubts = " ".join(said for said in (say_instead(decision), *say_doubts(decision)) if said)
    return Told(
        context,
        decision.to_json(),  # as text: its checksum is of its very digits
        say_action(decision),
        doubts,
        say_setting(decision),
        tuple(rows),
    )


@dataclass(frozen=True, eq=False)
class _Answered:
    """An answer, and what it was made of."""

    context: float
    problem: Problem
    aim: Aim
    answer: Answer
    weighed: Weighed


def answers_at(
    comparison: Comparison,
    problem: Problem,
    asked: Aim,
    contexts: Floats,
    settings: Settings | None,
    told: PartsDone,
) -> tuple[tuple[Told, ...], Told | None]:
    """Answer at each context; where an arm has no answer, as of a price, there is none.

    The second result is the answer for the range or distribution that was asked for, if one was.
    With ``settings``, numbers are rounded so that they may be shared.
    """
    found = []
    for done, x in enumerate(contexts.tolist(), 1):
        try:
            here, aim = problem, asked  # as it was asked: that may have been answered before
            if x != _single(asked):
                here, aim = comparison.aim(None, None, None, problem.context_words(x))
            found.append(_answered(comparison, here, aim, x))
        except InputError:
            pass
        told(done, len(contexts))
    if asked.distribution is not None or asked.ranged:
        found.append(_answered(comparison, problem, asked, np.nan))
    if settings is None:
        said = [_told(each.context, each.answer.decision, each.answer.rows) for each in found]
    else:
        found = [_as_told(comparison, each, settings) for each in found]
        heavy = settings.valued and is_dominated([each.weighed for each in found])
        found = _asked_only(found, _single(asked)) if heavy else found
        weighed = [(each.weighed, _share(settings, each)) for each in found]
        steps = RoundingSteps.of(weighed, settings, heavy=heavy)
        if steps.least:
            warn(
                "Most of a value comes from a single case, so the values on this page are rounded "
                f"to large steps. Use {arg('exact', True)} to show them as they are."
            )
        said = [
            _rounded_answer(comparison, each, settings, steps.at(*its))
            for each, its in zip(found, weighed, strict=True)
        ]
    whole = [each for each in said if np.isnan(each.context)]
    return tuple(each for each in said if not np.isnan(each.context)), (*whole, None)[0]


def _answered(comparison: Comparison, problem: Problem, aim: Aim, x: float) -> _Answered:
    found = answer(comparison, problem, aim)
    return _Answered(x, problem, aim, found, Weighed.of(comparison, problem, aim))


def _asked_only(found: list[_Answered], asked: float | None) -> list[_Answered]:
    """Return the answer to what was asked, or to one context in the middle.

    To leave out only those that one case dominates would tell how much it adds.
    """
    single = [each for each in found if not np.isnan(each.context)]
    kept = [each for each in single if each.context == asked] or single[len(single) // 2 :][:1]
    return [*kept, *(each for each in found if np.isnan(each.context))]


def _share(settings: Settings, found: _Answered) -> float:
    return max(settings.share(found.problem, x) for x in found.aim.contexts.tolist())


def _rounded_answer(
    comparison: Comparison, found: _Answered, settings: Settings, steps: RoundingSteps
) -> Told:
    """Return an answer as it may be told."""
    weighed, single = found.weighed, _single(found.aim)
    knobs = {
        name: knob
        if _fixed(comparison, name)
        else Knob.at(settings.told(found.problem, name, knob.chosen, single))
        for name, knob in weighed.learned.knobs.items()
    }
    moved = replace(weighed, learned=replace(weighed.learned, knobs=knobs))
    words = words_of(moved, lambda name: step_of(*knobs[name].chosen.tolist()))
    kind, model = weighed.chosen
    raw = weighed.beside(("raw", model)) if kind == "model" and model in weighed.meant else None
    if raw is not None and _as_it_is(settings, found, model, knobs):
        raw = None  # it would stand beside itself
    values = RoundedValues(weighed, steps)
    advised = knobs[model].chosen if model in knobs and not _fixed(comparison, model) else None
    exact = replace(found.answer.decision, raw=raw, warnings=_warnings(comparison, found))
    decision = coarse_decision(exact, settings, words, values, advised)
    rows = []
    for row in found.answer.rows:
        value, low, high = values.value(("baseline" if row.baseline else "model", row.name))
        known = not row.baseline and row.name in weighed.meant
        as_it_is = values.value(("raw", row.name))[0] if known else None
        knob = tuple(knobs[row.name].chosen.tolist()) if row.knob else ()
        chance = None if row.chance is None else round(row.chance, 2)
        rows.append(Row(row.name, row.baseline, knob, value, low, high, as_it_is, chance, None))
    return _told(found.context, decision, rows)


def _warnings(comparison: Comparison, found: _Answered) -> tuple[str, ...]:
    """Return the warnings of an answer, but for those that count cases at its exact setting."""
    kind, name = found.weighed.chosen
    known = found.answer.decision.warnings
    if kind == "baseline":
        return known
    notes = found.problem.notes(comparison.prediction_of(name), found.weighed.knob(name))
    return tuple(each for each in known if each not in notes)


def _as_told(comparison: Comparison, found: _Answered, settings: Settings) -> _Answered:
    """Return an answer in which models as they are give what their cells tell."""
    weighed, problem = found.weighed, found.problem
    told = settings.meant(problem, comparison.predictions)
    moved = {name: p for name, p in told.items() if p is not comparison.predictions[name]}
    honest = weighed.honest.with_raw(problem, moved, found.aim) if moved else weighed.honest
    meant = frozenset(told if honest is not None else set(told) - set(moved))
    shown = replace(weighed, honest=honest or weighed.honest, meant=meant, _values={})
    return replace(found, weighed=shown)


def _as_it_is(settings: Settings, found: _Answered, name: str, knobs: Mapping[str, Knob]) -> bool:
    """Tell whether a rounded setting leaves predictions as they are, as far as cells tell."""
    single, cells = _single(found.aim), settings.models.get(name)
    if cells is None:
        return False
    if single is None:
        return find_arm(found.problem.arm).knob in ADDED and not np.any(knobs[name].chosen)
    truth, prediction, weight = cells.sample()
    problem = found.problem.of_model(name).on(truth, weight)
    tuned = problem.outcomes(prediction, knobs[name].chosen, single)
    return bool(np.array_equal(tuned, problem.untuned(prediction, single, single)))


def _single(aim: Aim) -> float | None:
    """Return the one context that was asked for; None if there are several."""
    varied = aim.ranged or aim.distribution is not None
    return None if varied else float(aim.contexts[0])


def _fixed(comparison: Comparison, name: str) -> bool:
    """Tell whether a setting is that of a baseline which is not tuned."""
    baseline = comparison.baseline(name)
    return baseline is not None and baseline.knob is not None


def told_payload(told: Told) -> dict[str, Any]:
    """Return an answer as the page reads it."""
    parts = ("name", "baseline", "value", "low", "high", "raw", "chance")
    return {
        "context": told.context,
        "text": told.text,
        "action": told.action,
        "doubts": told.doubts,
        "setting": told.setting,
        "rows": [
            {**{part: getattr(row, part) for part in parts}, "knob": pack(row.knob)}
            for row in told.rows
        ],
    }
