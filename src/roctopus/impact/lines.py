"""The impact of each threshold that could be best, as a line over θ: all that a curve needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import array_api_compat
import numpy as np

from roctopus.core.arrays import Array, Floats, count_true, is_foreign, sort_with_order, to_numpy
from roctopus.core.checks import check_number
from roctopus.core.hulls import hull_candidates
from roctopus.core.sample import Sample, read_sample
from roctopus.impact.cases import (
    Offers,
    check_utility,
    common_origin,
    read_capacity,
    refuse_capacity,
    warn_of_constant,
)
from roctopus.impact.utilities import LinearUtility, UtilityScale


@dataclass(frozen=True, eq=False)
class PrefixLines:
    """Sums over the accepted cases: rejecting all, then from the highest distinct score down."""

    score: Array
    """The distinct scores: one fewer than there are lines."""
    slope: Array
    intercept: Array
    accepted: Array
    """The weight accepted."""


def prefix_lines(
    score: Array,
    slope: Array | float,
    intercept: Array | float,
    weight: Array | None,
    *,
    xp: Any,
) -> PrefixLines:
    """Sort by falling score and add up; slope and intercept may be one number for all cases."""
    size, device = score.shape[0], array_api_compat.device(score)
    ordered, order = sort_with_order(score, xp=xp, descending=True)
    if weight is None:
        accepted = xp.arange(size + 1, dtype=xp.float64, device=device)
    else:
        accepted = _totals(weight, order, xp)
    sums = [accepted]
    for part in (slope, intercept):
        if isinstance(part, float):
            sums.append(accepted * part)
        else:
            sums.append(_totals(part if weight is None else part * weight, order, xp))
    differs = ordered[1:] != ordered[:-1]
    if not bool(xp.all(differs)):
        (last,) = xp.nonzero(xp.concat([differs, xp.ones_like(differs[:1])]))
        ordered = xp.take(ordered, last)
        last = xp.concat([xp.zeros_like(last[:1]), last + 1])
        sums = [xp.take(each, last) for each in sums]
    accepted, slopes, intercepts = sums
    return PrefixLines(ordered, slopes, intercepts, accepted)


def _totals(values: Array, order: Array, xp: Any) -> Array:
    return xp.cumulative_sum(xp.take(values, order), include_initial=True)


@dataclass(frozen=True, eq=False)
class ThresholdLines:
    """The thresholds from the highest down, in numpy, with what they earn and accept."""

    threshold: Floats
    slope: Floats
    intercept: Floats
    """At the origin, not at zero."""
    accepted: Floats
    everything: tuple[float, float]
    """Slope and intercept of accepting all cases."""
    shares: tuple[float, float]
    """The least and the largest share that a threshold may accept."""
    origin: float
    scale: UtilityScale
    total_weight: float
    backend: str | None


def lines_of(offers: Offers, threshold: float | None) -> ThresholdLines:
    """Return the lines of all thresholds that keep to the capacity, or that of one."""
    knobs, chosen = offers.ranking.threshold, offers.allowed
    if threshold is not None:
        cut = check_number(threshold, "threshold")
        chosen = np.array([np.searchsorted(-knobs, -cut, side="right") - 1])
    every = knobs, *offers.lines, offers.accepted
    knobs, slope, intercept, accepted = (each[chosen] for each in every)
    return ThresholdLines(
        threshold=knobs if threshold is None else np.array([cut]),
        slope=slope,
        intercept=intercept,
        accepted=accepted,
        everything=(float(offers.lines[0][-1]), float(offers.lines[1][-1])),
        shares=offers.shares,
        origin=offers.origin,
        scale=offers.scale,
        total_weight=offers.sample.total_weight,
        backend=offers.sample.backend,
    )


def read_foreign_lines(
    y_score: Any,
    utility: Any,
    sample_weight: Any,
    threshold: float | None,
    at_least: float | None,
    at_most: float | None,
) -> ThresholdLines | None:
    """Sort and add up on the device, and return the lines that could be best.

    None where the arrays are not of one library other than numpy.
    """
    check_utility(utility)
    arrays = [y_score, utility.slope] + ([] if sample_weight is None else [sample_weight])
    if len({type(each) for each in arrays if is_foreign(each)}) != 1 or not all(
        map(is_foreign, arrays)
    ):
        return None
    varying = utility.slope if "intercept" in utility.single else utility.intercept
    sample = read_sample(varying, y_score, sample_weight, names=("utility", "y_score"))
    total = sample.total_weight
    limits = read_capacity(at_least, at_most, total)
    origin, lines = _prefix_lines(sample, utility)
    first, stop = 0, int(lines.accepted.shape[0])
    if limits != (0.0, np.inf):
        slack = 1e-9 * total  # weights are added up in floating point
        first, stop = (
            count_true(below, xp=sample.xp)
            for below in (lines.accepted < limits[0] - slack, lines.accepted <= limits[1] + slack)
        )
        if first >= stop:
            refuse_capacity(*limits, total)
    shares = float(lines.accepted[first]) / total, float(lines.accepted[stop - 1]) / total
    if threshold is not None:
        cut = check_number(threshold, "threshold")
        first = count_true(lines.score >= cut, xp=sample.xp)
        stop = first + 1
    knobs, slope, intercept, accepted = _home(lines, first, stop, sample.xp)
    return ThresholdLines(
        threshold=knobs if threshold is None else np.array([cut]),
        slope=slope,
        intercept=intercept,
        accepted=accepted,
        everything=(float(lines.slope[-1]), float(lines.intercept[-1])),
        shares=shares,
        origin=origin,
        scale=utility.scale,
        total_weight=total,
        backend=sample.backend,
    )


def _prefix_lines(sample: Sample, utility: LinearUtility) -> tuple[float, PrefixLines]:
    """Return the origin, and the lines about it."""
    slope, intercept = utility.slope, utility.intercept
    if sample.kept is not None:
        slope, intercept = slope[sample.kept > 0], intercept[sample.kept > 0]
    if not bool(sample.xp.any(slope != 0.0)):
        warn_of_constant()
    origin = common_origin(slope, intercept)
    if origin:
        intercept = intercept + slope * origin
    elif "intercept" in utility.single:
        intercept = utility.single["intercept"]
    slope = utility.single.get("slope", slope)
    return origin, prefix_lines(sample.y_pred, slope, intercept, sample.weight, xp=sample.xp)


def _home(
    lines: PrefixLines, first: int, stop: int, xp: Any
) -> tuple[Floats, Floats, Floats, Floats]:
    """Return thresholds, slopes, intercepts and accepted weights of some lines in numpy."""
    parts = [each[first:stop] for each in (lines.slope, lines.intercept, lines.accepted)]
    kept = hull_candidates(parts[0], parts[1], xp=xp)
    if kept is None:
        scores = lines.score[max(first - 1, 0) : stop - 1]
        rejecting = first == 0
    else:
        parts = [xp.take(part, kept) for part in parts]
        rejecting = first + int(kept[0]) == 0
        scores = xp.take(lines.score, kept[int(rejecting) :] + (first - 1))
    knobs = to_numpy(scores)
    if rejecting:  # before the first score is the threshold that rejects all
        knobs = np.append(np.inf, knobs)
    slope, intercept, accepted = (to_numpy(part) for part in parts)
    return knobs, slope, intercept, accepted
