"""The goals of a planned study, and the fewest units that reach them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from roctopus.concepts.intervals import interval
from roctopus.core.errors import InputError, arg
from roctopus.inference.assumptions import Assumed

MOST = 10**15
Enough: TypeAlias = Callable[[int, float], bool]
"""Whether so many units reach the goal, with the variance multiplied by a number."""


def inflation(assumed: Assumed, planned: float, assurance: float) -> float:
    """Return by what to multiply the variance, for so many planned units."""
    from scipy.special import chdtri, fdtri

    new = 2.0 * (planned - 1.0) / max(assumed.kurtosis - 1.0, 1e-6)
    pilot = assumed.freedom
    if math.isinf(new):
        found = 1.0 if math.isinf(pilot) else pilot / chdtri(pilot, assurance)
    elif math.isinf(pilot):
        found = chdtri(new, 1.0 - assurance) / new
    else:
        found = fdtri(new, pilot, assurance)
    return max(float(found), 1.0)


def _freedom(assumed: Assumed, units: float) -> int | None:
    if assumed.freedom_per_unit is None:
        return None
    return max(int(units * assumed.freedom_per_unit - 1.0 + 1e-9), 1)


def _as_share(assumed: Assumed, change: float) -> tuple[Assumed, float]:
    """Return values of a range as shares of it, so that those on the logit scale end at 0 and 1."""
    if assumed.scale != "logit":
        return assumed, change
    least, most = assumed.between
    width = most - least
    value, deviation = (assumed.value - least) / width, assumed.deviation / width
    return replace(assumed, value=value, deviation=deviation, between=(0.0, 1.0)), change / width


def short_enough(assumed: Assumed, half_width: float, level: float) -> Enough:
    """Return when an interval reaches at most so far to each side."""
    assumed, reach = _as_share(assumed, half_width)

    def enough(units: int, times: float) -> bool:
        error = assumed.deviation * math.sqrt(times / units)
        freedom, value = _freedom(assumed, units), assumed.value
        low, high = interval(value, error, level, freedom, assumed.scale)
        return max(value - low, high - value) <= reach

    return enough


def shows(assumed: Assumed, gain: float, level: float, power: float) -> Enough:
    """Return when an interval shows a gain with a power."""
    from scipy.special import nctdtr, ndtr, ndtri, stdtrit

    effect = _standard_effect(assumed, gain)
    upper = 0.5 * (1.0 + level)

    def enough(units: int, times: float) -> bool:
        away = effect * math.sqrt(units / times)
        freedom = _freedom(assumed, units)
        if freedom is None or freedom > 10**6:
            return bool(ndtr(away - ndtri(upper)) >= power)
        border = float(stdtrit(freedom, upper))
        return away > border + 40.0 or bool(1.0 - nctdtr(freedom, away, border) >= power)

    return enough


def _standard_effect(assumed: Assumed, gain: float) -> float:
    """Return the gain in standard deviations of one unit, on the scale; the smaller side."""
    if assumed.scale == "plain":
        return gain / assumed.deviation
    assumed, change = _as_share(assumed, gain)
    value = assumed.value
    top = 1.0 if assumed.scale == "logit" else math.inf

    def at(x: float) -> float:
        return math.log(x) - (math.log(1.0 - x) if assumed.scale == "logit" else 0.0)

    sides = [abs(at(x) - at(value)) for x in (value - change, value + change) if 0.0 < x < top]
    if not sides:
        most = max(value, top - value) * gain / change
        raise InputError(
            f"{arg('gain')} must be less than {most:g}, the largest possible change of the metric, "
            f"but is {gain:g}."
        )
    slope = value * (1.0 - value if assumed.scale == "logit" else 1.0)
    return min(sides) * slope / assumed.deviation


def fewest(assumed: Assumed, enough: Callable[[int], bool]) -> int:
    """Return the fewest units that are enough."""
    low = math.ceil(assumed.least)
    if enough(low):
        return low
    high = 2 * low
    while not enough(high):
        low, high = high, 2 * high
        if low > MOST:
            raise InputError(
                f"The goal needs more than 10^15 cases. Use a larger {arg('half_width')} or "
                f"{arg('gain')}."
            )
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
