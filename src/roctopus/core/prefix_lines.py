"""Sums along a ranking: the line of what each threshold earns, in any array library."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import array_api_compat

from roctopus.core.arrays import Array, sort_with_order


@dataclass(frozen=True, eq=False)
class PrefixLines:
    """For rejecting all, then for each distinct score from the highest down, what is accepted."""

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
