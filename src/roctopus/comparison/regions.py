"""Who is best where, and who may be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from roctopus.comparison.policies import mean_of
from roctopus.concepts.envelopes import Envelope
from roctopus.concepts.estimate import Dependence, Estimate
from roctopus.concepts.intervals import check_level
from roctopus.concepts.joint import JointEstimates
from roctopus.concepts.problem import Problem
from roctopus.core.arrays import Floats
from roctopus.core.errors import InputError
from roctopus.core.resampling import Random
from roctopus.inference.bands import best_sets

__all__ = ["SureRegion", "best_within", "sure_regions"]

POINTS = 33


class SureRegion(NamedTuple):
    """A range of contexts in which one model is best on the data."""

    low: float
    high: float
    model: str
    may_be_best: tuple[str, ...]
    """All models that may be best somewhere in it; one alone is sure."""

    @property
    def sure(self) -> bool:
        """Whether no other model may be best."""
        return self.may_be_best == (self.model,)


def best_within(best: Envelope, low: float, high: float) -> list[tuple[float, float, str]]:
    """Return the regions between two contexts."""
    return [
        (max(first, low), min(last, high), model)
        for first, last, model in best.regions
        if max(first, low) < min(last, high)
    ]


def _range(problem: Problem, best: Envelope, between: tuple[float, float] | None) -> list[float]:
    """Return the range to look at: what was asked for, or where something changes."""
    low, high = problem.domain
    if between is not None:
        try:
            first, last = (float(end) for end in between)
        except (TypeError, ValueError):
            raise InputError(f"'between' must hold two numbers, got {between!r}.") from None
        if not low <= first < last <= high:
            raise InputError(
                f"'between' must be a range within {low:g} and {high:g}, got {between!r}."
            )
        return [first, last]
    knots = best.curve.function.knots
    inner = knots[np.isfinite(knots)]
    return [
        float(end) if np.isfinite(end) else float(knot)
        for end, knot in zip((low, high), inner[[0, -1]], strict=True)
    ]


def sure_regions(
    problem: Problem,
    predictions: Mapping[str, Floats],
    best: Envelope,
    between: tuple[float, float] | None,
    confidence_level: float,
    dependence: Dependence,
    rng: Random,
) -> tuple[SureRegion, ...]:
    """Return the regions with the models that may be best in them, all together at a level."""
    level = check_level(confidence_level)
    low, high = _range(problem, best, between)
    found = best_within(best, low, high)
    names = tuple(predictions)
    if len(names) == 1:
        return tuple(SureRegion(*region, names) for region in found)
    # Contexts spread over the range, and one in every region, but not its ends: there all may tie.
    spread = low + (high - low) * (np.arange(POINTS) + 0.5) / POINTS
    middles = np.array([0.5 * (first + last) for first, last, _ in found[:POINTS]])
    points = np.unique(np.concatenate([spread, middles]))
    joints = [_tuned(problem, predictions, float(x), dependence) for x in points]
    sets = best_sets(joints, level, rng)
    regions = []
    for first, last, model in found:
        inside = [s for x, s in zip(points, sets, strict=True) if first <= x <= last]
        may = {name for each in inside for name in each} | {model}
        regions.append(SureRegion(first, last, model, tuple(n for n in names if n in may)))
    return tuple(regions)


def _tuned(
    problem: Problem, predictions: Mapping[str, Floats], x: float, dependence: Dependence
) -> JointEstimates:
    """Estimate all models at one context, each tuned for it.

    At the optimum a small move of the knob changes nothing, so only the outcomes count.
    """
    found = {}
    for name, prediction in predictions.items():
        knob = problem.tune(prediction, np.array([x]), np.zeros(1)).chosen
        outcomes = problem.outcomes(prediction, knob, x)
        value = mean_of(problem, outcomes)
        found[name] = Estimate(value, outcomes - value, problem.weight, dependence=dependence)
    return JointEstimates.of(found, problem.sense)
