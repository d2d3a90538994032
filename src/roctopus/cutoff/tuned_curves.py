"""The cost of a model whose margin is tuned for each cutoff, for all cutoffs at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from roctopus.concepts.distributions import Empirical
from roctopus.core.arrays import Floats
from roctopus.core.orders import order_of
from roctopus.core.piecewise import Index, Piecewise
from roctopus.cutoff.best_cuts import OrderedCases, Ranks, best_cuts
from roctopus.cutoff.cases import CutoffCases
from roctopus.cutoff.curves import CutoffErrorCurve, outcome_name
from roctopus.cutoff.margins import well_beyond


def tuned_curve_of(cases: CutoffCases, ranked: RankedTruths | None = None) -> CutoffErrorCurve:
    """Return Q*(c), the least cost that a margin reaches at each cutoff.

    ``ranked`` are the ranks of the truths, where they are known.
    """
    weight = cases.sample.weight
    ranked = ranked or rank_truths(cases.y_true, weight)
    rank = ranked.rank
    order = order_of(cases.y_pred)
    first, last = np.searchsorted(cases.y_pred, [-np.inf, np.inf], sorter=order)
    first = int(np.searchsorted(cases.y_pred, -np.inf, side="right", sorter=order))
    kept = order[first:last]
    prediction = cases.y_pred[kept]
    mass = None if weight is None else weight[kept]
    held = OrderedCases(prediction, rank[kept], mass, len(ranked.below))
    cut = best_cuts(held, cases.costs.false_positive, cases.costs.false_negative)
    # A case says yes in the rows whose cut lies at or before it; infinite ones always, or never.
    until = np.full(len(order), held.rows, dtype=np.int32)
    until[:first] = 0
    until[first:last] = np.cumsum(np.bincount(cut, minlength=len(kept) + 1))[:-1]
    knots, costs, total = ranked.knots, cases.costs, cases.sample.total_weight
    by_row = held.rank if len(kept) == len(order) else rank[order]
    if weight is None:
        over, under = _count_wrong(by_row, until, ranked.below, first + cut)
    else:
        over = _open_rows(by_row, until, weight[order], held.rows)
        under = _open_rows(until, by_row, weight[order], held.rows)
    whole = (costs.false_positive * over + costs.false_negative * under) / total
    return CutoffErrorCurve(
        function=Piecewise.steps(knots, whole, "left"),
        context="cutoff",
        outcome=outcome_name(costs),
        false_positives=Piecewise.steps(knots, over / total, "left"),
        false_negatives=Piecewise.steps(knots, under / total, "left"),
        knob=-_thresholds(prediction, cut),
        knob_name="margin",
        knob_follows=True,
        outputs=ranked.outputs,
        backend=cases.sample.backend,
    )


class RankedTruths(NamedTuple):
    """Which cases are negative in which row."""

    knots: Floats
    """The distinct truths, between infinities."""
    rank: Ranks
    """The number of the first row in which each case is negative."""
    below: Index
    """How many cases are negative in each row."""
    outputs: Empirical
    """The truths as a distribution of cutoffs."""


def rank_truths(truth: Floats, weight: Floats | None) -> RankedTruths:
    """Rank the truths."""
    order = order_of(truth)
    ordered = truth[order]
    new = np.append(True, ordered[1:] != ordered[:-1])
    rank = np.empty(len(truth), dtype=np.int32)
    rank[order] = np.cumsum(new)
    knots = np.concatenate([[-np.inf], ordered[new], [np.inf]])
    below = np.append(np.flatnonzero(new), len(truth))
    return RankedTruths(knots, rank, below, Empirical(truth, weight))


def _count_wrong(rank: Ranks, until: Ranks, below: Index, noes: Index) -> tuple[Floats, Floats]:
    """Return the numbers of wrong yeses and of wrong noes in each row: what is not rightly no."""
    right = np.cumsum(np.bincount(np.maximum(rank, until), minlength=len(noes) + 1))[:-1]
    return (below - right).astype(np.float64), (noes - right).astype(np.float64)


def _open_rows(begin: Ranks, end: Ranks, weight: Floats, rows: int) -> Floats:
    """Return the mass of the cases with begin ≤ row < end, for each row."""
    some = begin < end
    begin, end, mass = begin[some], end[some], weight[some]
    opened, closed = (np.cumsum(np.bincount(e, mass, rows + 1))[:rows] for e in (begin, end))
    counts = np.cumsum(
        np.bincount(begin, minlength=rows + 1) - np.bincount(end, minlength=rows + 1)
    )
    # Two sums of the same masses in different order differ by rounding: none open is no mass.
    return np.where(counts[:rows] == 0, 0.0, np.maximum(opened - closed, 0.0))


def _thresholds(ordered: Floats, cut: Index) -> Floats:
    """Return thresholds above so many predictions; between two of them, in the middle."""
    if not len(ordered):
        return np.zeros(len(cut))
    beyond = well_beyond(float(ordered[0]), float(ordered[-1]))
    first = np.append(0, 1 + np.flatnonzero(cut[1:] != cut[:-1]))
    used, times = cut[first], np.diff(first, append=len(cut))
    below, above = ordered[np.maximum(used, 1) - 1], ordered[np.minimum(used, len(ordered) - 1)]
    middle = 0.5 * below + 0.5 * above
    middle = np.where(middle > below, middle, above)
    middle[used == 0] = ordered[0] - beyond
    middle[used == len(ordered)] = ordered[-1] + beyond
    return np.repeat(middle, times)
