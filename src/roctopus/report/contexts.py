"""What is shown: the contexts of a page with exact values, and how wrong it may be between."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from roctopus.comparison import Comparison
from roctopus.concepts.context_curve import ContextCurve
from roctopus.concepts.envelopes import Envelope
from roctopus.concepts.pictures import cases_that_count
from roctopus.concepts.problem import Problem
from roctopus.core.arrays import Floats
from roctopus.core.distributions import quantiles
from roctopus.core.errors import InputError, arg
from roctopus.inference.aims import Aim, read_distribution
from roctopus.report.privacy import cover, spread_apart

GRID = 1001
"""Contexts of the slider."""
BINS = 20
FEWEST = 6
"""A page needs this many times ``min_cases`` cases."""


def refuse_too_few(problem: Problem, least: int) -> None:
    """Refuse a page whose numbers could not cover ``least`` cases each."""
    there = cases_that_count(problem)
    if there < FEWEST * least:
        what = (
            f"{there} cases" if problem.weight is None else f"weights that count as {there} cases"
        )
        raise InputError(
            f"A page of {what} is too small for numbers that each cover {least} cases or more: it "
            f"needs {FEWEST} x min_cases ({FEWEST * least}). Use a smaller "
            f"{arg('min_cases')}, or {arg('exact', True)}."
        )


def shown_range(problem: Problem, aim: Aim, least: int) -> tuple[float, float]:
    """Return the contexts of the slider: all that make sense, or those that matter."""
    low, high = problem.domain
    if np.isfinite(low) and np.isfinite(high):
        return low, high
    if problem.context_kind == "truth":
        truths = np.sort(problem.columns()[0])
        ends = np.quantile(truths, [0.01, 0.99])
        first, last = (cover(ends, truths, least) if least else ends).tolist()
    elif aim.distribution is not None:
        distribution = read_distribution(problem, aim.source)
        first, last = quantiles(distribution, np.array([0.005, 0.995]), problem.domain).tolist()
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


@dataclass(frozen=True, eq=False)
class Subject:
    """A comparison, with the problem in the user's unit and what is shown first."""

    comparison: Comparison
    problem: Problem
    aim: Aim
    curves: dict[str, ContextCurve]
    best: Envelope
    least: int
    """Cases that every stored number covers; 0 means exact."""

    @property
    def first(self) -> float:
        """The context shown first."""
        low, high = shown_range(self.problem, self.aim, self.least)
        middle = self.aim.middle
        return float(np.clip(middle, low, high)) if np.isfinite(middle) else 0.5 * (low + high)

    def made_of(self, name: str) -> Floats:
        """Return what knobs are made of, sorted: corrections of a shift, scores of a threshold."""
        values = self.problem.knob_values(self.comparison.prediction_of(name))
        return np.sort(values[np.isfinite(values)])

    def shareable(self, knobs: Floats, name: str) -> Floats:
        """Return settings as they may be told: exact, or as means of several cases."""
        return cover(knobs, self.made_of(name), self.least) if self.least else knobs


def bins_of(problem: Problem, least: int) -> int:
    """Return in how many bins a distribution is drawn: their borders are stored numbers, too."""
    return BINS if not least else int(np.clip(cases_that_count(problem) // least // 4, 2, BINS))


def choose_contexts(
    problem: Problem, best: Envelope, ends: tuple[float, float], first: float, least: int
) -> Floats:
    """Return the contexts to store: the slider's grid, or as many as cases allow.

    The context that is shown first is among them, and so are the borders of regions, unless they
    are so close to others that fewer than ``least`` cases lie between.
    """
    low, high = ends
    borders = [(region.high - region.low, region.low) for region in best.regions[1:]]
    inside = [x for _, x in sorted(borders, reverse=True) if low < x < high][:200]
    if not least:
        return np.unique(np.concatenate([np.linspace(low, high, GRID), [first], inside]))
    count = max(min(cases_that_count(problem) // least - bins_of(problem, least) - 1, GRID), 3)
    if problem.context_kind == "truth":  # values of cases: means of several, far enough apart
        truths = np.sort(problem.columns()[0])
        within = truths[(truths > low) & (truths < high)]
        windows = np.array_split(within, max(min(count, len(within) // (2 * least)), 1))
        middles = [each[len(each) // 4 : len(each) - len(each) // 4].mean() for each in windows]
        apart = 0.25 * float(np.min(np.diff(middles))) if len(middles) > 1 else 0.0
        return spread_apart(np.array([low, high, first]), np.array(middles), apart)
    apart = 0.999 * (high - low) / (count - 1)
    wanted = np.array([low, high, first, *inside])
    return spread_apart(wanted, np.linspace(low, high, count), apart)


def interpolation_errors(curve: ContextCurve, contexts: Floats) -> Floats:
    """Return the largest error of a straight line between neighbours: certified, not sampled.

    The difference of two functions of straight pieces is largest at an end of one of their pieces.
    Each piece counts by its limits, so a jump at a stored context is an error in the cell it opens.
    """
    values = curve.function.at(contexts)
    parts = curve.function.restrict(contexts[0], contexts[-1]).with_knots(contexts)
    straight = np.interp(parts.knots, contexts, values)
    gaps = np.maximum(np.abs(parts.start - straight[:-1]), np.abs(parts.end - straight[1:]))
    found: Floats = np.maximum.reduceat(gaps, np.searchsorted(parts.knots, contexts[:-1]))
    return found
