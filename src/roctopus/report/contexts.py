"""The contexts at which a page knows exact values, and how wrong it may be between them."""

from __future__ import annotations

from typing import Any

import numpy as np

from roctopus.comparison.aims import Aim, read_law
from roctopus.comparison.knowing import quantiles
from roctopus.concepts.context_curve import ContextCurve
from roctopus.concepts.envelopes import Envelope
from roctopus.concepts.problem import Problem
from roctopus.core.arrays import Floats
from roctopus.report.privacy import cover, spread_apart

__all__ = ["GRID", "choose_contexts", "interpolation_errors", "shown_range", "words_for"]

GRID = 1001
"""Contexts of the slider."""


def shown_range(problem: Problem, aim: Aim, least: int) -> tuple[float, float]:
    """Return the contexts of the slider: all that make sense, or those that matter."""
    low, high = problem.domain
    if np.isfinite(low) and np.isfinite(high):
        return low, high
    if problem.arm == "cutoff":
        truths = np.sort(problem.columns()[0])
        ends = np.quantile(truths, [0.01, 0.99])
        first, last = (cover(ends, truths, least) if least else ends).tolist()
    elif aim.law is not None:
        law = read_law(problem, aim.source)
        first, last = quantiles(law, np.array([0.005, 0.995]), problem.domain).tolist()
    else:
        ends = aim.contexts
        reach = 0.5 * float(np.ptp(ends)) or 0.6 * float(np.max(np.abs(ends))) or 1.0
        first, last = float(ends.min() - reach), float(ends.max() + reach)
    first, last = max(first, low), min(last, high)
    for given in aim.contexts[np.isfinite(aim.contexts)].tolist():
        first, last = min(first, given), max(last, given)
    if not first < last:
        first, last = first - 1.0, last + 1.0
    return first, last


def choose_contexts(
    problem: Problem,
    best: Envelope,
    ends: tuple[float, float],
    first: float,
    least: int,
) -> Floats:
    """Return the contexts to store: the slider's grid, or as many as cases allow.

    The context that is shown first is among them, and so are the borders of regions.
    """
    low, high = ends
    count = int(np.clip(len(problem) // least if least else GRID, 11, GRID))
    apart = (high - low) / (count - 1) if least else 0.0
    grid = np.linspace(low, high, count)
    if problem.arm == "cutoff" and least:  # contexts are values of cases: cases between them
        truths = np.sort(problem.columns()[0])
        inner = truths[(truths > low) & (truths < high)]
        # Means of as many cases as each must cover; as many more lie between two of them.
        count = max(min(len(inner) // (2 * least), GRID), 1)
        windows = np.array_split(inner, count)
        middles = [
            float(each[len(each) // 4 : -(len(each) // 4) or None].mean()) for each in windows
        ]
        return np.unique(np.concatenate([[low], middles, [high], [first]]))
    borders = [(region.high - region.low, region.low) for region in best.regions[1:]]
    inside = [x for _, x in sorted(borders, reverse=True) if low < x < high][:200]
    wanted = np.array([low, high, first, *inside])
    return spread_apart(wanted, grid, 0.999 * apart)


def interpolation_errors(curve: ContextCurve, contexts: Floats) -> Floats:
    """Return the largest error of a straight line between neighbours: certified, not sampled.

    The difference of two functions of straight pieces is largest at a knot of one of them.
    """
    function = curve.function
    values = function.at(contexts)
    knots = function.knots
    inside = (knots > contexts[0]) & (knots < contexts[-1])
    right = np.flatnonzero(inside[:-1])  # the pieces that start at these knots
    left = np.flatnonzero(inside[1:])  # the pieces that end there
    straight = np.interp(knots, contexts, values)
    errors = np.zeros(len(contexts) - 1)
    for at, values in ((right, function.start[right]), (left + 1, function.end[left])):
        cell = np.clip(np.searchsorted(contexts, knots[at], "right") - 1, 0, len(errors) - 1)
        gap = np.abs(values - straight[at])
        np.maximum.at(errors, cell, gap)
        # A jump at a stored context is an error on both its sides.
        on = (contexts[cell] == knots[at]) & (cell > 0)
        np.maximum.at(errors, cell[on] - 1, gap[on])
    return errors


def words_for(problem: Problem, context: float) -> dict[str, Any]:
    """Return the context as ``decide`` is asked for it, in the unit of the problem."""
    unit = getattr(problem, "unit", 1.0)
    if problem.arm == "regression" and unit != 1.0:
        return {"under_cost": 2.0 * unit * context, "over_cost": 2.0 * unit * (1.0 - context)}
    if problem.arm == "probability" and unit != 1.0:
        return {
            "false_positive_cost": 2.0 * unit * context,
            "false_negative_cost": 2.0 * unit * (1.0 - context),
        }
    if problem.arm == "ordinal":
        costs = np.array(getattr(problem, "costs", None), dtype=np.float64)
        costs[getattr(problem, "moving", -1)] = context
        return {"costs": costs.tolist()}
    return {problem.context: context}
