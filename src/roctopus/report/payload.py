"""What a page holds of a comparison: curves, decisions and a picture, all found by Python."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from roctopus.arms import find_arm
from roctopus.comparison import Comparison
from roctopus.concepts.problem import Problem
from roctopus.concepts.streams import PartsDone
from roctopus.core.arrays import Floats
from roctopus.core.distributions import cumulative
from roctopus.core.errors import InputError, collected_warnings
from roctopus.display.axes import name_errors
from roctopus.display.choices import best_still
from roctopus.inference.aims import Aim, read_distribution
from roctopus.report.contexts import (
    Subject,
    bins_of,
    choose_contexts,
    interpolation_errors,
    refuse_too_few,
    shown_range,
)
from roctopus.report.decisions import asked_payload, honest_payload
from roctopus.report.packing import make_space, pack

MANY = 5_000
"""Cases from which of equally good knobs any is shown, not the one ``decide`` prefers."""
LONG = 20_000_000
"""Outcomes beyond which untuned losses are found at fewer contexts."""


FEW = "carry the variance"
"""What is said of heavy tails."""


def comparison_payload(
    comparison: Comparison,
    *,
    context: dict[str, Any],
    title: str | None,
    unit: str,
    min_cases: int,
    exact: bool,
    told: PartsDone = lambda done, total: None,
) -> dict[str, Any]:
    """Return all that the page of one comparison shows; what was warned of is among it."""
    with collected_warnings() as caught:
        payload = _payload(comparison, context, title, unit, 0 if exact else min_cases, told)
    # The same is often said of many contexts, with other numbers: once is enough.
    rows = [] if comparison.dependent is None else [comparison.dependent]
    said = {re.sub(r"[\d.,]+", "#", text): text for text in [*rows, *caught]}
    few = [key for key in said if FEW in key]
    notes = [text for key, text in said.items() if key not in few]
    if few or any(FEW in text for text in payload["honest"]["decisions"]):
        notes.append(
            "In some answers a few cases carry most of the variance: intervals are too short there."
        )
    return {**payload, "notes": notes}


def _payload(
    comparison: Comparison,
    context: dict[str, Any],
    title: str | None,
    unit: str,
    least: int,
    told: PartsDone,
) -> dict[str, Any]:
    problem, aim = _read_aim(comparison, context)
    if least:
        refuse_too_few(problem, least)
    curves = {name: problem.curve(p) for name, p in comparison.predictions.items()}
    best = comparison.envelope_of(problem)  # who is best does not hang on the unit
    subject = Subject(comparison, problem, aim, curves, best, least)
    low, high = shown_range(problem, aim, least)
    contexts = choose_contexts(problem, best, (low, high), subject.first, subject.least)
    knobs = [_knobs(subject, name, contexts) for name in comparison.models]
    return {
        "arm": problem.arm,
        "kind": problem.context_kind,
        "about": str(find_arm(problem.arm).words["context"]),
        "costs": _costs(problem),
        "steps": next(iter(curves.values())).function.is_steps,
        "still": _still(problem, contexts),
        "title": title or "",
        "words": _words(problem, unit),
        "models": list(comparison.models),
        "cases": len(problem),
        "minCases": subject.least,
        "timeOrdered": comparison.dependence.times is not None,
        "range": [low, high],
        "first": subject.first,
        "contexts": pack(contexts),
        "curves": [
            {
                "tuned": pack(curves[name].at(contexts)),
                "errors": pack(interpolation_errors(curves[name], contexts)),
                "untuned": _untuned(subject, name, contexts),
                "knobs": [pack(each) for each in knob],
            }
            for name, knob in zip(comparison.models, knobs, strict=True)
        ],
        "regions": _regions(subject, contexts),
        "honest": honest_payload(subject, contexts, told),
        "asked": asked_payload(subject),
        "belief": _distribution(subject, low, high),
        "space": make_space(problem, comparison.predictions, contexts, knobs, subject.least),
        "second": _second_axis(problem, contexts),
    }


def _read_aim(comparison: Comparison, context: dict[str, Any]) -> tuple[Problem, Aim]:
    given = dict(context)
    between = given.pop("between", None)
    criterion = given.pop("criterion", None)
    distribution = given.pop("distribution", None)
    if between is not None or distribution is not None or given:
        return comparison.aim(between, criterion, distribution, given)
    problem = comparison.problem
    low, high = problem.domain
    if comparison.contexts is not None:
        middle = comparison.contexts.mean(problem.weight)
    elif np.isfinite(low) and np.isfinite(high):
        middle = 0.5 * (low + high)
    elif problem.context_kind == "truth":
        middle = float(np.mean(problem.columns()[0]))
    else:
        raise InputError(
            f"Say what the page is to show first, such as {problem.context}=1.5 or between=(1, 2)."
        )
    return comparison.aim(None, None, None, problem.context_words(middle))


def _words(problem: Problem, unit: str) -> dict[str, Any]:
    """Return the words of the arm and of the problem; all of it is text, and shown as text."""
    return {
        **find_arm(problem.arm).words,
        "knob": problem.knob_name,
        "outcome": problem.outcome,
        "sense": problem.sense,
        "unit": unit,
        **problem.vocabulary(),
    }


def _costs(problem: Problem) -> dict[str, Any] | None:
    """Return the two costs of which a context is the share: of what, and in which unit."""
    if problem.context_kind != "share":
        return None
    per = getattr(problem, "per", "")
    return {"unit": problem.unit, "errors": list(name_errors(problem)), "per": per}


def _still(problem: Problem, contexts: Floats) -> dict[str, str] | None:
    """Return what the best decision without a model gives at all contexts."""
    found = best_still(problem, contexts)
    return None if found is None else pack(found)


def _knobs(subject: Subject, name: str, contexts: Floats) -> list[Floats]:
    """Return the settings at all contexts, an array per number of a setting."""
    problem, curve = subject.problem, subject.curves[name]
    if problem.knob_name is None:
        return []
    prediction = subject.comparison.predictions[name]
    if len(problem) <= MANY:
        found = np.array(
            [problem.tune(prediction, np.array([x]), np.zeros(1)).chosen for x in contexts]
        )
    else:
        found = np.asarray(curve.knob_at(contexts)).reshape(len(contexts), -1)
    return list(subject.shareable(found, name).T)


def _untuned(subject: Subject, name: str, contexts: Floats) -> dict[str, Any] | None:
    """Return what the model gives as it is: contexts, and values there; None if it has none."""
    problem, prediction = subject.problem.of_model(name), subject.comparison.predictions[name]
    if problem.knob_name is None or not problem.raw_meant(problem.knob_values(prediction)):
        return None

    def mean(x: float) -> float:
        return float(np.average(problem.untuned(prediction, x, x), weights=problem.weight))

    curve = problem.untuned_curve(prediction)
    if curve is not None:
        return {"contexts": pack(contexts), "values": pack(np.asarray(curve.at(contexts)))}
    at = contexts
    if problem.linear and not problem.untuned_follows:  # a straight line
        at = contexts[[0, -1]]
    elif len(contexts) * len(problem) * len(subject.curves) > LONG:
        at = contexts[np.unique(np.linspace(0, len(contexts) - 1, 101).astype(int))]
    return {"contexts": pack(at), "values": pack([mean(x) for x in at.tolist()])}


def _regions(subject: Subject, contexts: Floats) -> list[list[Any]]:
    """Return who is best where, within what is shown."""
    position = {name: k for k, name in enumerate(subject.comparison.models)}
    low, high = float(contexts[0]), float(contexts[-1])
    if subject.problem.context_kind == "truth" and subject.least:
        # Borders of cutoffs are values of cases: tell only between which stored ones they lie.
        owner = [position[name] for name in subject.best.best_at(contexts).tolist()]
        starts = [0, *(k for k in range(1, len(owner)) if owner[k] != owner[k - 1])]
        middles = [low, *(0.5 * (contexts[k - 1] + contexts[k]) for k in starts[1:]), high]
        return [
            [float(middles[k]), float(middles[k + 1]), owner[start]]
            for k, start in enumerate(starts)
        ]
    return [
        [max(region.low, low), min(region.high, high), position[region.model]]
        for region in subject.best.regions
        if max(region.low, low) < min(region.high, high)
    ]


def _distribution(subject: Subject, low: float, high: float) -> dict[str, Any]:
    """Return integrals of the curves up to borders of bins, and the weights drawn at first."""
    bins = bins_of(subject.problem, subject.least)
    edges = np.linspace(low, high, bins + 1)
    curves = list(subject.curves.values())
    unit = subject.problem.unit
    integrals = [
        pack([0.0, *(curve.function.integrate(low, float(edge)) for edge in edges[1:])])
        for curve in curves
    ]
    envelope = [0.0] + [
        unit * subject.best.curve.function.integrate(low, float(edge)) for edge in edges[1:]
    ]
    weights = np.full(bins, 1.0 / bins)
    if subject.aim.distribution is not None:
        exact = read_distribution(subject.problem, subject.aim.source)
        masses = np.diff(cumulative(exact, edges))
        if masses.sum() > 0.0:
            weights = masses / masses.sum()
    elif subject.aim.ranged:
        first, last = subject.aim.contexts.tolist()
        inside = np.clip(np.minimum(edges[1:], last) - np.maximum(edges[:-1], first), 0.0, None)
        weights = inside / inside.sum()
    return {
        "edges": pack(edges),
        "models": integrals,
        "envelope": pack(envelope),
        "weights": pack(weights),
        "linear": subject.problem.linear,
        "given": subject.aim.distribution is not None or subject.aim.ranged,
    }


def _second_axis(problem: Problem, contexts: Floats) -> dict[str, Any] | None:
    """Return another way to read the context, such as a break-even point."""
    second = problem.second_axis(contexts)
    return None if second is None else {"label": second[0], "values": pack(second[1])}
