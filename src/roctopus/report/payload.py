"""What a page holds of a comparison: curves, answers and a picture, all found by Python."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from roctopus.arms import find_arm
from roctopus.comparison import Comparison
from roctopus.concepts.problem import Problem
from roctopus.concepts.streams import PartsDone
from roctopus.concepts.wording import listed
from roctopus.core.arrays import Floats
from roctopus.core.distributions import cumulative
from roctopus.core.errors import InputError, arg, collected_warnings
from roctopus.display.axes import name_errors
from roctopus.inference.aims import Aim, read_distribution
from roctopus.report.contexts import BINS, answered_contexts
from roctopus.report.honest import Told, answers_at, told_payload
from roctopus.report.packing import make_space, pack
from roctopus.report.rounding import FEW, HEAVY
from roctopus.report.subjects import Subject, Values, exact_subject, summary_subject
from roctopus.report.summary import Summary, summarise, without_copies


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
        if not exact:
            comparison = without_copies(comparison)
        problem, aim = _read_aim(comparison, context)
        words = {"title": title or "", "unit": unit}
        if exact:
            payload = _exact_payload(comparison, problem, aim, told)
        else:
            summary = summarise(comparison, problem, aim, min_cases, told, bool(context))
            payload = summary_payload(summary)
    payload["title"], payload["words"]["unit"] = words["title"], words["unit"]
    # The same is often said of many contexts, with other numbers: once is enough.
    rows = [] if comparison.dependent is None else [comparison.dependent]
    said = {re.sub(r"[\d.,]+", "#", text): text for text in [*rows, *caught]}
    few = [key for key in said if HEAVY in key]
    notes = [text for key, text in said.items() if key not in few]
    heavy = [x["context"] for x in payload["answers"] if HEAVY in x["text"] or FEW in x["text"]]
    if heavy or few:
        notes.append(_say_heavy(problem, heavy, len(payload["answers"])))
    return {**payload, "notes": notes}


def _say_heavy(problem: Problem, contexts: list[float], answers: int) -> str:
    """Say in which answers a few cases carry most of the variance."""
    said = "A few cases carry most of the variance, so intervals are too narrow"
    if len(contexts) in (0, answers):
        return f"{said}."
    about = find_arm(problem.arm).words["context"]
    where = listed([f"{x:.3g}" for x in contexts])
    if len(contexts) == 1:
        return f"{said} in the answer for {about} {where}."
    return f"{said} in {len(contexts)} of {answers} answers: those for {about} {where}."


def summary_payload(summary: Summary) -> dict[str, Any]:
    """Return what a summary tells: it is all that a shared page is made of."""
    subject = summary_subject(summary)
    payload = _payload(subject, summary.told, summary.asked)
    return {
        **payload,
        "cases": summary.cases,
        "minCases": summary.least,
        "timeOrdered": summary.timed,
    }


def _exact_payload(
    comparison: Comparison, problem: Problem, aim: Aim, told: PartsDone
) -> dict[str, Any]:
    subject = exact_subject(comparison, problem, aim)
    work = len(problem) * len(subject.tuned)
    at = answered_contexts(problem, subject.contexts, subject.first, work, exact=True)
    payload = _payload(subject, *answers_at(comparison, problem, aim, at, None, told))
    return {
        **payload,
        "cases": len(problem),
        "minCases": 0,
        "timeOrdered": comparison.dependence.times is not None,
    }


def _payload(subject: Subject, answers: tuple[Told, ...], asked: Told | None) -> dict[str, Any]:
    problem, contexts = subject.problem, subject.contexts
    low, high = subject.ends
    between = [float(subject.aim.contexts.min()), float(subject.aim.contexts.max())]
    return {
        "arm": problem.arm,
        "kind": problem.context_kind,
        "about": str(find_arm(problem.arm).words["context"]),
        "costs": _costs(problem),
        "steps": problem.context_kind == "truth",
        "still": None if subject.still is None else pack(subject.still),
        "words": _words(problem),
        "models": list(subject.tuned),
        "range": [low, high],
        "first": subject.first,
        "contexts": pack(contexts),
        "curves": [_curve(subject, name) for name in subject.tuned],
        "regions": subject.regions(),
        "answers": [told_payload(each) for each in answers],
        "asked": None
        if asked is None
        else {**told_payload(asked), "between": between if subject.aim.ranged else None},
        "belief": _belief(subject),
        "space": make_space(problem.arm, subject.cases, contexts, list(subject.knobs.values())),
        "second": _second_axis(problem, contexts),
    }


def _curve(subject: Subject, name: str) -> dict[str, Any]:
    tuned, raw = subject.tuned[name], subject.raw[name]
    return {
        **_bounded(tuned),
        "untuned": None if raw is None else {**_along(raw, tuned), **_bounded(raw)},
        "knobs": [pack(each) for each in subject.knobs[name]],
    }


def _along(values: Values, others: Values) -> dict[str, Any]:
    """Return the contexts of values, unless they are those of others."""
    if np.array_equal(values.contexts, others.contexts):
        return {}
    return {"contexts": pack(values.contexts)}


def _bounded(values: Values) -> dict[str, Any]:
    """Return values, or their bounds, and where in between they are if not in the middle."""
    if values.low is values.middle:
        return {"values": pack(values.middle)}
    bounds = {"low": pack(values.low), "high": pack(values.high)}
    if np.array_equal(values.middle, 0.5 * (values.low + values.high)):
        return bounds
    return {**bounds, "likely": pack(values.middle)}


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
        # Two digits: a mean of all rows with more of them could tell one row.
        middle = float(f"{comparison.contexts.mean(problem.weight):.2g}")
    elif np.isfinite(low) and np.isfinite(high):
        middle = 0.5 * (low + high)
    elif problem.context_kind == "truth":
        middle = float(f"{np.mean(problem.columns()[0]):.2g}")
    else:
        raise InputError(
            f"Name the {problem.context} that the page should show first, for example "
            f"{arg(problem.context, 1.5)} or {arg('between', (1, 2))}."
        )
    return comparison.aim(None, None, None, problem.context_words(middle))


def _words(problem: Problem) -> dict[str, Any]:
    """Return the words of the arm and of the problem; all of it is text, and shown as text."""
    return {
        **find_arm(problem.arm).words,
        "knob": problem.knob_name,
        "outcome": problem.outcome,
        "sense": problem.sense,
        **problem.vocabulary(),
    }


def _costs(problem: Problem) -> dict[str, Any] | None:
    """Return the two costs of which a context is the share: of what, and in which unit."""
    if problem.context_kind != "share":
        return None
    per = getattr(problem, "per", "")
    return {"unit": problem.unit, "errors": list(name_errors(problem)), "per": per}


def _belief(subject: Subject) -> dict[str, Any]:
    """Return integrals of the curves up to borders of bins, and the weights drawn at first."""
    low, high = subject.ends
    edges = np.linspace(low, high, BINS + 1)
    weights = np.full(BINS, 1.0 / BINS)
    if subject.aim.distribution is not None:
        exact = read_distribution(subject.problem, subject.aim.source)
        masses = np.diff(cumulative(exact, edges))
        if masses.sum() > 0.0:
            weights = masses / masses.sum()
    elif subject.aim.ranged:
        first, last = subject.aim.contexts.tolist()
        inside = np.clip(np.minimum(edges[1:], last) - np.maximum(edges[:-1], first), 0.0, None)
        weights = inside / inside.sum()
    unit = subject.problem.unit if subject.best.curve.exact else 1.0
    return {
        "edges": pack(edges),
        "models": [pack(_integrals(each, edges)) for each in subject.curves.values()],
        "envelope": pack(unit * _integrals(subject.best.curve, edges)),
        "weights": pack(weights),
        "linear": subject.problem.linear,
        "given": subject.aim.distribution is not None or subject.aim.ranged,
    }


def _integrals(curve: Any, edges: Floats) -> Floats:
    """Return the integrals of a curve from the first edge to each."""
    parts = [curve.function.integrate(edges[0], float(edge)) for edge in edges[1:]]
    return np.array([0.0, *parts])


def _second_axis(problem: Problem, contexts: Floats) -> dict[str, Any] | None:
    """Return another way to read the context, such as a break-even point."""
    second = problem.second_axis(contexts)
    return None if second is None else {"label": second[0], "values": pack(second[1])}
