"""All best constant shifts of a sample: a set of quantiles, or a search for any convex loss."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from roctopus.core.arrays import Array, Floats, on_device_of, to_numpy
from roctopus.core.errors import InputError
from roctopus.core.sample import Sample
from roctopus.regression.errors import Errors

AS_GOOD = 1e-12
"""Shifts whose loss is this close to the smallest (relative) count as best."""


@dataclass(frozen=True)
class OptimalShift:
    """All best shifts, and the one to use."""

    low: float
    high: float
    """Every shift from low to high has the same, smallest loss; the ends may be infinite."""
    chosen: float = field(init=False)
    """The best shift nearest to changing nothing."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "chosen", min(max(0.0, self.low), self.high))


def optimal_interval(
    shifts: Floats, mass: Floats, asymmetry: float, *, relative_rounding: float
) -> OptimalShift:
    """Return the α-quantile set of sorted distinct shifts with cumulative masses.

    The loss falls until the mass of corrected errors reaches α and rises after. Where it *is* α (up
    to the rounding of the masses), the loss is flat up to the next shift.
    """
    if asymmetry == 0.0:
        return OptimalShift(-math.inf, float(shifts[0]))
    if asymmetry == 1.0:
        return OptimalShift(float(shifts[-1]), math.inf)
    level = asymmetry * mass[-1]
    above = min(int(np.searchsorted(mass, level)), len(mass) - 1)
    for first in (above - 1, above):
        if 0 <= first < len(mass) - 1:
            # Rounding is forgiven up to a quarter of a neighbouring case: more is a difference.
            before = mass[first - 1] if first else 0.0
            step = min(mass[first] - before, mass[first + 1] - mass[first])
            slack = min(relative_rounding * mass[-1], 0.25 * step)
            if abs(mass[first] - level) <= slack:
                return OptimalShift(float(shifts[first]), float(shifts[first + 1]))
    return OptimalShift(float(shifts[above]), float(shifts[above]))


def rounding_of_masses(sample: Sample) -> float:
    """Return how far off, relatively, a cumulative mass may be: counts are exact, sums drift."""
    return 8.0 * float(np.finfo(np.float64).eps) * (1 if sample.weight is None else sample.size)


@np.errstate(over="ignore", invalid="ignore")
def search_shift(values: Callable[[Array, Any], Array], errors: Errors) -> OptimalShift:
    """Search for the best shifts of any convex loss, given its values only.

    Halving finds the smallest loss, and then the shifts on both sides at which it is larger by
    1e-12 (relative). If the loss is flat between them, they are the answer; at a kink or a smooth
    minimum it is their middle.
    """
    xp = errors.xp
    # Distances from the error nearest to zero keep their digits where all errors share an offset.
    anchor = float(errors.values[int(xp.argmin(xp.abs(errors.values)))])
    moved = errors.values - anchor
    low, high = -float(xp.max(moved)), -float(xp.min(moved))

    def losses(shift: float) -> Array:
        found = values(moved + shift, xp)
        if getattr(found, "shape", None) != moved.shape:
            raise InputError("'values' of the 'loss' must return one number per error.")
        return found

    def total(shift: float) -> float:
        return errors.sample.total(losses(shift))

    start, end = _bracket(total, low, high, (high - low) or 1e-12 * max(1.0, abs(anchor)))
    _check_convex(values, on_device_of(moved, np.linspace(start - high, end - low, 101), xp=xp), xp)
    best = _smallest(total, start, end)
    smallest = total(best)
    slack = AS_GOOD * errors.sample.total(xp.abs(losses(best)))
    first = _farthest(total, smallest + slack, best, start, start - end)
    last = _farthest(total, smallest + slack, best, end, end - start)
    if total(0.25 * first + 0.75 * last) > smallest + 0.1 * slack:  # curved between them, not flat
        first = last = 0.5 * (first + last)
    return OptimalShift(first - anchor, last - anchor)


def _bracket(
    total: Callable[[float], float], low: float, high: float, spread: float
) -> tuple[float, float]:
    """Return shifts with a smallest loss between them, from those that correct all errors."""
    for _ in range(200):
        margin = 1e-3 * spread
        ends = total(low - margin), total(high + margin)
        if not math.isfinite(ends[0] + ends[1]):
            raise InputError(
                f"The loss is not finite for errors {high - low:g} apart. Measure 'y_true' and "
                "'y_pred' in a larger unit, or choose another 'loss'."
            )
        falling, rising = ends[0] < total(low), ends[1] < total(high)
        if not (falling or rising):
            return low - margin, high + margin
        low, high, spread = low - falling * spread, high + rising * spread, 2.0 * spread
    raise InputError(
        "There is no best shift: the loss keeps falling, however far predictions are shifted. "
        "A 'loss' must not fall forever as errors grow."
    )


def _check_convex(values: Callable[[Array, Any], Array], grid: Array, xp: Any) -> None:
    costs = to_numpy(values(grid, xp))
    bend, largest = costs[:-2] - 2.0 * costs[1:-1] + costs[2:], np.max(np.abs(costs))
    if largest > 1e-10 and np.any(bend < -1e-5 * largest):  # smaller ones may be mere rounding
        at = float(grid[int(np.argmin(bend)) + 1])
        raise InputError(
            f"The 'loss' is not convex: near the error {at:g} it bends downwards. Its best shift "
            "cannot be searched for; define 'best_shift' in its class."
        )


def _smallest(total: Callable[[float], float], low: float, high: float) -> float:
    """Return a shift of smallest loss: halve the interval until nothing is left of it."""
    for _ in range(54):
        middle, step = 0.5 * (low + high), 1e-3 * (high - low)
        if total(middle + step) < total(middle - step):
            low = middle - step
        else:
            high = middle + step
    return 0.5 * (low + high)


def _farthest(
    total: Callable[[float], float], level: float, inside: float, outside: float, step: float
) -> float:
    """Return the farthest shift on one side whose loss is at most the level; it may be infinite."""
    enough = 1e117 * max(abs(step), 1.0)  # and squares of it are still finite
    while total(outside) <= level:
        step *= 8.0
        inside, outside = outside, outside + step
        if abs(step) > enough:
            return math.copysign(math.inf, step)
    for _ in range(54):
        middle = 0.5 * (inside + outside)
        inside, outside = (middle, outside) if total(middle) <= level else (inside, middle)
    return inside
