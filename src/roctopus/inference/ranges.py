"""Ranges of contexts whose worst context may lie anywhere: settings, and what they give there.

A setting is tuned for a few contexts, which is a bound: over fewer contexts the worst is no worse.
Then the exact curve at that setting says where in the range it is really at its worst, and this
context joins the others, until both agree to within 0.1 %.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from roctopus.concepts.context_curve import ContextCurve
from roctopus.concepts.problem import Knob, Problem
from roctopus.core.arrays import Floats
from roctopus.core.piecewise import Piecewise

CLOSE, FIRST, PLACES, OTHERS = 1e-3, 9, 6, 32
ROUNDS, MOST_ROUNDS, WORK = 24, 512, 1 << 22
"""The fewer the cases, the more rounds are made: as many as so many cases can be looked at."""
JUDGED_AT = 33
"""Regret is judged at so many contexts of a range."""


class Worst(NamedTuple):
    """The worst value in a range, as a loss, and a context at which it is met."""

    value: float
    context: float


def worst_between(function: Piecewise, low: float, high: float, sign: float = 1.0) -> Worst:
    """Return the largest value of a function times a sign in a range, both ends included."""
    part = function.restrict(low, high)
    both = sign * np.concatenate([part.start, part.end])
    at = int(np.argmax(both)) % len(part.start)
    # A context inside the piece: at its ends the curve may take the neighbour's value.
    inside = Worst(float(both.max()), float(0.5 * (part.knots[at] + part.knots[at + 1])))
    first = sign * float(function.at(low))  # which may belong to the piece before the range
    return Worst(first, low) if first > inside.value else inside


def worst_of(
    problem: Problem,
    prediction: Floats,
    knob: Floats,
    ends: tuple[float, float],
    reference: ContextCurve | None = None,
) -> Worst:
    """Return the worst that a setting gives in a range, less what could have been had there."""
    curve = problem.curve_at(prediction, knob)
    return max(_worst_places(curve, np.array(ends), reference, _sign(problem)))


def _sign(problem: Problem) -> float:
    return 1.0 if problem.sense == "loss" else -1.0


def _worst_places(
    curve: ContextCurve, borders: Floats, reference: ContextCurve | None, sign: float
) -> list[Worst]:
    """Return the worst between each two neighbouring borders."""
    function = (curve if reference is None else curve.minus(reference)).function
    part = function.restrict(borders[0], borders[-1])
    highest = np.maximum(sign * part.start, sign * part.end)
    middle = 0.5 * part.knots[1:] + 0.5 * part.knots[:-1]
    begin = np.searchsorted(part.knots, borders[:-1], side="right") - 1
    end = np.maximum(np.searchsorted(part.knots, borders[1:]), begin + 1)
    at = [int(b) + int(np.argmax(highest[b:e])) for b, e in zip(begin, end, strict=True)]
    found = [Worst(float(highest[k]), float(middle[k])) for k in at]
    low = float(borders[0])
    first = sign * float(function.at(low))  # which may belong to the piece before the range
    return [max(found[0], Worst(first, low)), *found[1:]]


def tune_between(
    problem: Problem,
    prediction: Floats,
    ends: tuple[float, float],
    reference: ContextCurve | None = None,
) -> tuple[Knob, Worst]:
    """Return the setting whose worst value in a range is best, and where that is met."""
    contexts, borders, best = np.linspace(*ends, FIRST), np.linspace(*ends, PLACES + 1), None
    tune, sign = problem.tuner(prediction), _sign(problem)
    for _ in range(max(ROUNDS, min(MOST_ROUNDS, WORK // len(prediction)))):
        handicaps = np.zeros(len(contexts)) if reference is None else reference.at(contexts)
        knob = tune(contexts, handicaps, np.inf if best is None else best[1].value)
        curve = problem.curve_at(prediction, knob.chosen)
        places = _worst_places(curve, borders, reference, sign)
        if best is None or max(places).value < best[1].value:
            best = knob, max(places)
        least = float(np.max(sign * (curve.at(contexts) - handicaps)))
        enough = least + CLOSE * abs(least) + 1e-12
        if best[1].value <= enough:
            return best
        contexts = np.union1d(contexts, [each.context for each in places if each.value > enough])
    # A single setting may be best, which no range around it shows: then others are tried, too.
    assert best is not None
    for setting in _others(problem, prediction):
        worst = worst_of(problem, prediction, np.array([setting]), ends, reference)
        best = min(best, (Knob.at(setting), worst), key=lambda each: each[1].value)
    return best


def _others(problem: Problem, prediction: Floats) -> list[float]:
    """Return settings of all sizes: those at which cases are right, and those between them."""
    values = np.unique(problem.knob_values(prediction))
    values = values[np.isfinite(values)]
    some = values[np.unique(np.linspace(0, len(values) - 1, OTHERS).astype(np.intp))]
    return [*some.tolist(), *(0.5 * (some[1:] + some[:-1])).tolist()] if len(values) else []
