"""Which contexts a page stores."""

from __future__ import annotations

import numpy as np

from roctopus.concepts.envelopes import Envelope
from roctopus.concepts.problem import Problem
from roctopus.core.arrays import Floats
from roctopus.core.distributions import quantiles
from roctopus.display.axes import ContextAxis
from roctopus.inference.aims import Aim, read_distribution

GRID = 1001
"""Contexts of an exact page's slider."""
STEPS = 201
"""Contexts of a shared page's slider."""
BINS = 20
"""In so many bins a distribution of contexts is drawn."""
MOST_ANSWERS = 9
"""A shared page holds answers at so many contexts at most."""


def shown_range(problem: Problem, aim: Aim) -> tuple[float, float]:
    """Return the contexts of the slider: all that make sense, or those that matter."""
    low, high = problem.domain
    if np.isfinite(low) and np.isfinite(high):
        return low, high
    if problem.context_kind == "truth":
        truths = np.sort(problem.columns()[0])
        first, last = np.quantile(truths, [0.01, 0.99]).tolist()
    elif aim.distribution is not None:
        distribution = read_distribution(problem, aim.source)
        first, last = quantiles(distribution, np.array([0.005, 0.995]), problem.domain).tolist()
    else:
        ends = aim.contexts
        reach = 0.5 * float(np.ptp(ends)) or 0.6 * float(np.max(np.abs(ends))) or 1.0
        first, last = float(ends.min() - reach), float(ends.max() + reach)
    return holding(aim, max(first, low), min(last, high))


def holding(aim: Aim, first: float, last: float) -> tuple[float, float]:
    """Return a range that holds the contexts that were asked for."""
    for given in aim.contexts[np.isfinite(aim.contexts)].tolist():
        first, last = min(first, given), max(last, given)
    return (first, last) if first < last else (first - 1.0, last + 1.0)


def first_shown(aim: Aim, ends: tuple[float, float]) -> float:
    """Return the context shown first."""
    low, high = ends
    middle = aim.middle
    return float(np.clip(middle, low, high)) if np.isfinite(middle) else 0.5 * (low + high)


def exact_contexts(best: Envelope, ends: tuple[float, float], first: float) -> Floats:
    """Return the slider's grid, with the context shown first and the borders of regions."""
    low, high = ends
    borders = [(region.high - region.low, region.low) for region in best.regions[1:]]
    inside = [x for _, x in sorted(borders, reverse=True) if low < x < high][:200]
    return np.unique(np.concatenate([np.linspace(low, high, GRID), [first], inside]))


def answered_contexts(
    problem: Problem, contexts: Floats, first: float, work: int, exact: bool
) -> Floats:
    """Return the contexts at which Python answers: spread over what is shown, and the first."""
    if exact:
        count = 33 if work <= 20_000 else 17 if work <= 2_000_000 else 9
    else:
        count = MOST_ANSWERS - 1 if work <= 200_000 else 4 if work <= 2_000_000 else 0
    inner = contexts[(contexts > contexts[0]) & (contexts < contexts[-1])]
    if not len(inner):
        inner = contexts
    axis = ContextAxis.of(problem)
    ends = axis.usual((float(inner[0]), float(inner[-1])), np.array([first]))
    wanted = axis.even(*axis.inside(*ends), count)
    at = np.abs(inner[:, None] - wanted).argmin(axis=0)
    return np.unique(np.append(inner[at], first))
