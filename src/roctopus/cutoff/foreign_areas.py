"""The area over cutoffs from the output, of arrays of other libraries, which stay on their device.

Σ w·cost·|F(ŷ) − F(y)| needs F at truths and predictions, not the two of a case side by side: both
are sorted, searches then walk through memory, and only the sign of the error goes along.
"""

from __future__ import annotations

from typing import Any

import array_api_compat

from roctopus.concepts.output_distribution import Output
from roctopus.core.arrays import Array, on_device_of, sort_with_order
from roctopus.core.sample import Sample
from roctopus.cutoff.cases import ErrorCosts

__all__ = ["foreign_output_area"]


def foreign_output_area(
    sample: Sample, costs: ErrorCosts, region: Output, others: float | None
) -> float:
    """Return A_OCE; ``others`` is the number of other cases where self pairs are left out."""
    xp, y, p, weight = sample.xp, sample.y_true, sample.y_pred, sample.weight
    sign = xp.astype(p > y, xp.int8) - xp.astype(p < y, xp.int8)
    truths, order = sort_with_order(y, xp=xp)
    first, stop = _ends(truths, region, xp)
    masses = None if weight is None else xp.take(weight, order)
    running = None
    total = float(stop - first)
    if masses is not None:
        running = xp.cumulative_sum(masses[first:stop], include_initial=True)
        total = float(running[-1])
    at_truths = _up_to(truths, xp)
    if stop - first < sample.size:
        at_truths = xp.where(at_truths < stop, at_truths, stop) - first
        at_truths = xp.where(at_truths > 0, at_truths, 0)
    ranks = at_truths if running is None else xp.take(running, at_truths)
    truth_sums = _sums_by_sign(ranks, xp.take(sign, order), masses, xp)
    own = 0.0
    if others is not None:  # an underestimate is wrong at a cutoff equal to its own truth
        own = costs.false_negative * sample.total(
            xp.astype((y >= truths[first]) & (y <= truths[stop - 1]) & (p < y), xp.float64)
        )
    del at_truths, ranks, order
    predictions, order = sort_with_order(p, xp=xp)
    masses = None if weight is None else xp.take(weight, order)
    ranks = xp.searchsorted(truths[first:stop], predictions, side="right")
    ranks = ranks if running is None else xp.take(running, ranks)
    prediction_sums = _sums_by_sign(ranks, xp.take(sign, order), masses, xp)
    over = float(prediction_sums[0] - truth_sums[0])
    under_sum = float(truth_sums[1] - prediction_sums[1])
    found = costs.false_positive * over + costs.false_negative * under_sum
    cases = sample.total_weight if others is None else others
    return max(found - own, 0.0) / total / cases


def _ends(truths: Array, region: Output, xp: Any) -> tuple[int, int]:
    """Return where the truths of the region begin and end."""
    low, high = region.ends
    first = int(xp.searchsorted(truths, on_device_of(truths, [low], xp=xp), side="left")[0])
    stop = int(xp.searchsorted(truths, on_device_of(truths, [high], xp=xp), side="right")[0])
    if first >= stop:
        region.refuse(float(truths[0]), float(truths[-1]))
    return first, stop


def _up_to(ordered: Array, xp: Any) -> Array:
    """Return how many values are at or below each one."""
    if bool(xp.all(ordered[1:] != ordered[:-1])):
        device = array_api_compat.device(ordered)
        return xp.arange(1, ordered.shape[0] + 1, dtype=xp.int64, device=device)
    return xp.searchsorted(ordered, ordered, side="right")


def _sums_by_sign(
    ranks: Array, sign: Array, masses: Array | None, xp: Any
) -> tuple[int | float, int | float]:
    """Return the sums over the over- and over the underestimates; of counts, exact ones."""
    terms = xp.astype(ranks, xp.int64, copy=False) if masses is None else ranks * masses
    kind = int if masses is None else float
    over, under = (kind(xp.sum(xp.where(mine, terms, kind(0)))) for mine in (sign > 0, sign < 0))
    return over, under
