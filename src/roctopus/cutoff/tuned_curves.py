"""The cost of a model whose margin is tuned for each cutoff, for all cutoffs at once.

At a cutoff the best margin is the best threshold on predictions. The higher the cutoff, the more
cases are negative, and the higher is that threshold (what a case adds to the cost of a threshold
falls in it once the case has become negative). So the thresholds of all cutoffs are found by
halves: that of the middle cutoff says which ones are looked at for those below and above it, and
each level takes one pass over the sorted cases.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from roctopus.core.arrays import Floats
from roctopus.core.piecewise import Index, Piecewise
from roctopus.cutoff.cases import CutoffCases
from roctopus.cutoff.curves import CutoffErrorCurve, curve_of
from roctopus.cutoff.margins import well_beyond

Mask: TypeAlias = NDArray[np.bool_]
Ranks: TypeAlias = NDArray[np.int32]


class _Ordered(NamedTuple):
    """Cases with finite predictions, by increasing prediction."""

    prediction: Floats
    rank: Ranks
    """Of the truth among all distinct ones: a case is negative in the rows from there on."""
    weight: Floats | None
    rows: int
    """Row k is for the cutoffs from the k-th smallest distinct truth to the next."""


def tuned_curve_of(cases: CutoffCases) -> CutoffErrorCurve:
    """Return Q*(c), the least cost that a margin reaches at each cutoff."""
    truths, rank = _ranks(cases.y_true)
    order = np.argsort(cases.y_pred)
    first, last = np.searchsorted(cases.y_pred, [-np.inf, np.inf], sorter=order)
    first = int(np.searchsorted(cases.y_pred, -np.inf, side="right", sorter=order))
    kept = order[first:last]
    weight = cases.sample.weight
    prediction = cases.y_pred[kept]
    held = _Ordered(
        prediction, rank[kept], None if weight is None else weight[kept], len(truths) + 1
    )
    cut = best_cuts(held, cases.costs.false_positive, cases.costs.false_negative)
    # A case says yes in the rows whose cut lies at or before it; infinite ones always, or never.
    until = np.empty(len(order), dtype=np.int32)
    until[order[:first]], until[order[last:]] = 0, held.rows
    until[kept] = np.searchsorted(cut, np.arange(len(kept)), side="right")
    knots = np.concatenate([[-np.inf], truths, [np.inf]])
    costs, total = cases.costs, cases.sample.total_weight
    over = _open_rows(rank, until, weight, held.rows)
    under = _open_rows(until, rank, weight, held.rows)
    whole = (costs.false_positive * over + costs.false_negative * under) / total
    plain = curve_of(cases, cases.no_intervals())
    return replace(
        plain,
        function=Piecewise.steps(knots, whole, "left"),
        false_positives=Piecewise.steps(knots, over / total, "left"),
        false_negatives=Piecewise.steps(knots, under / total, "left"),
        knob=-_thresholds(prediction)[cut],
        knob_name="margin",
        knob_follows=True,
    )


def _ranks(truth: Floats) -> tuple[Floats, Ranks]:
    """Return the distinct truths, and the number of the first row in which each is negative."""
    order = np.argsort(truth)
    ordered = truth[order]
    new = np.append(True, ordered[1:] != ordered[:-1])
    rank = np.empty(len(truth), dtype=np.int32)
    rank[order] = np.cumsum(new)
    return ordered[new], rank


def _open_rows(begin: Ranks, end: Ranks, weight: Floats | None, rows: int) -> Floats:
    """Return the mass of the cases with begin ≤ row < end, for each row."""
    some = begin < end
    begin, end = begin[some], end[some]
    if weight is None:
        change = np.bincount(begin, minlength=rows + 1) - np.bincount(end, minlength=rows + 1)
        return np.cumsum(change)[:rows].astype(np.float64)
    mass = weight[some]
    opened, closed = (np.cumsum(np.bincount(e, mass, rows + 1))[:rows] for e in (begin, end))
    counts = np.cumsum(
        np.bincount(begin, minlength=rows + 1) - np.bincount(end, minlength=rows + 1)
    )
    # Two sums of the same masses in different order differ by rounding: none open is no mass.
    return np.where(counts[:rows] == 0, 0.0, np.maximum(opened - closed, 0.0))


def _thresholds(ordered: Floats) -> Floats:
    """Return a threshold before each prediction and after the last; between two, in the middle."""
    if not len(ordered):
        return np.zeros(1)
    beyond = well_beyond(float(ordered[0]), float(ordered[-1]))
    middle = 0.5 * ordered[:-1] + 0.5 * ordered[1:]
    middle = np.where(middle > ordered[:-1], middle, ordered[1:])
    return np.concatenate([[ordered[0] - beyond], middle, [ordered[-1] + beyond]])


def best_cuts(held: _Ordered, false_positive: float, false_negative: float) -> Index:
    """Return for each row how many cases say no: those with the smallest predictions."""
    size = len(held.prediction)
    found = np.empty(held.rows, dtype=np.intp)
    # A cut may not part equal predictions: it comes after the last of them.
    barred = np.append(held.prediction[1:] == held.prediction[:-1], False) if size else None
    barred = None if barred is None or not barred.any() else barred
    low, high = np.zeros(1, dtype=np.intp), np.full(1, held.rows, dtype=np.intp)
    left, right = np.zeros(1, dtype=np.intp), np.full(1, size, dtype=np.intp)
    while len(low):
        middle = (low + high) // 2
        best = left.copy()
        open_ = np.flatnonzero(left < right)
        if len(open_):
            costs = float(false_positive), float(false_negative)
            best[open_] = _least_cut(held, middle[open_], left[open_], right[open_], costs, barred)
        found[middle] = best
        below, above = low < middle, middle + 1 < high
        low, high = (
            _interleave(low, middle + 1, below, above),
            _interleave(middle, high, below, above),
        )
        left, right = _interleave(left, best, below, above), _interleave(best, right, below, above)
    return found


def _interleave(first: Index, second: Index, below: Mask, above: Mask) -> Index:
    """Return the parts below and above each middle, in order, where there are any."""
    both = np.stack([first, second], axis=1).ravel()
    return both[np.stack([below, above], axis=1).ravel()]


def _least_cut(
    held: _Ordered,
    row: Index,
    left: Index,
    right: Index,
    costs: tuple[float, float],
    barred: Mask | None,
) -> Index:
    """Return the first best cut of each row between two others."""
    width = right - left
    start = np.cumsum(width) - width
    # Cases between the cuts; usually those of one row follow those of the row before.
    if left[0] + int(width.sum()) == right[-1]:
        part: slice | Index = slice(int(left[0]), int(right[-1]))
    else:
        part = np.repeat(left - start, width) + np.arange(int(width.sum()))
    change = np.where(
        held.rank[part] <= np.repeat(row.astype(np.int32), width), -costs[0], costs[1]
    )
    if held.weight is not None:
        change *= held.weight[part]
    running = np.cumsum(change)
    before = np.append(0.0, running)[start]
    if barred is not None:
        running[barred[part]] = np.inf
    least = np.minimum.reduceat(running, start)
    at = np.flatnonzero(running == np.repeat(least, width))
    owner = np.searchsorted(start, at, side="right") - 1
    first = at[np.append(True, owner[1:] != owner[:-1])]
    return np.where(before <= least, left, left + (first - start) + 1)
