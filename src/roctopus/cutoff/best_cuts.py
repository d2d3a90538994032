"""The best cuts of cases in order of their predictions, for all cutoffs at once.

At a cutoff the best margin is the best threshold on predictions. The higher the cutoff, the more
cases are negative, and the higher is that threshold (what a case adds to the cost of a threshold
falls in it once the case has become negative). So the thresholds of all cutoffs are found by
halving: the threshold of the middle cutoff limits those of the cutoffs below and above it. Only the
first halvings look at all cases. Most of these are negative for all cutoffs of a later part, or for
none, and are counted together.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from roctopus.core.arrays import Floats
from roctopus.core.piecewise import Index

Mask: TypeAlias = NDArray[np.bool_]
Ranks: TypeAlias = NDArray[np.int32]
COARSE = 6
"""Largest number of halvings that look at all cases."""


class OrderedCases(NamedTuple):
    """Cases with finite predictions, by increasing prediction."""

    prediction: Floats
    rank: Ranks
    """Rank of each true value among the distinct ones: from that row on the case is negative."""
    weight: Floats | None
    rows: int
    """Row k is for the cutoffs from the k-th smallest distinct truth to the next."""

    def barred(self) -> Mask | None:
        """Return after which cases there can be no cut, since the next prediction is equal."""
        same = self.prediction[1:] == self.prediction[:-1]
        return np.append(same, False) if same.any() else None


def best_cuts(held: OrderedCases, false_positive: float, false_negative: float) -> Index:
    """Return for each row the number of smallest predictions that say no."""
    if not len(held.prediction):
        return np.zeros(held.rows, dtype=np.intp)
    costs = float(false_positive), float(false_negative)
    borders, cuts = _coarse_cuts(held, costs)
    runs, left = _Runs.of(held, borders, cuts, costs)
    right = np.append(left[1:], len(runs.rank)) - 1
    found = np.zeros(held.rows, dtype=np.intp)
    ranges = _Ranges.of(np.array([borders[:-1] + 1, borders[1:], left, right]))
    while len(ranges.low):
        closed = ranges.left == ranges.right
        found[ranges.low[closed]] = ranges.left[closed]
        ranges = _Ranges(*np.array(ranges)[:, ~closed])
        middle = (ranges.low + ranges.high) // 2
        found[middle] = best = runs.best(ranges, middle, costs)
        ranges = ranges.parted(middle, best)
    found = runs.cuts(np.maximum.accumulate(found))
    found[borders[1:-1]] = cuts[1:-1]
    return found


def _coarse_cuts(held: OrderedCases, costs: tuple[float, float]) -> tuple[Index, Index]:
    """Return some rows, with one before the first and one after the last, and their cuts."""
    size = len(held.prediction)
    count = 1 << min(held.rows.bit_length() // 3, COARSE)
    borders = np.linspace(-1, held.rows, count + 1).astype(np.intp)
    cuts = np.zeros(count + 1, dtype=np.intp)
    cuts[-1] = size
    noes, barred = costs[1] * np.arange(size + 1.0), held.barred()
    step = count // 2
    while step:
        for k in range(step, count, 2 * step):
            part = slice(int(cuts[k - step]), int(cuts[k + step]))
            if part.start < part.stop:
                cost = _costs(held, int(borders[k]), part, costs, noes)
                if barred is not None:
                    cost[barred[part]] = np.inf
                best = int(cost.argmin())
                cuts[k] = part.start + best + 1 if cost[best] < 0.0 else part.start
            else:
                cuts[k] = part.start
        step //= 2
    return borders, cuts


def _costs(
    held: OrderedCases, row: int, part: slice, costs: tuple[float, float], noes: Floats
) -> Floats:
    """Return what it costs more if the first 1, 2, … of some cases say no; ``noes``: wrongly."""
    negative = held.rank[part] <= row
    if held.weight is not None:
        return np.cumsum(np.where(negative, -costs[0], costs[1]) * held.weight[part])
    both = np.cumsum(negative, dtype=np.int32) * sum(costs)
    return np.asarray(np.subtract(noes[1 : len(both) + 1], both, out=both))


class _Ranges(NamedTuple):
    """Ranges of rows, ``low`` to ``high`` − 1, whose best cuts lie between two known cuts."""

    low: Index
    high: Index
    left: Index
    right: Index

    @staticmethod
    def of(bounds: Index) -> _Ranges:
        """Return the columns that hold any rows."""
        return _Ranges(*bounds[:, bounds[0] < bounds[1]])

    def parted(self, middle: Index, best: Index) -> _Ranges:
        """Return the two halves of each range, without its middle row."""
        low, high, left, right = self
        bounds = [low, middle + 1, middle, high, left, best, best, right]
        return _Ranges.of(np.array(bounds).reshape(4, 2, -1).swapaxes(1, 2).reshape(4, -1))


class _Runs(NamedTuple):
    """Cases that turn within a range of rows, each with those after it that do not.

    The first run of a range has no case that turns.
    """

    rank: Ranks
    weight: Floats | None
    rest: Floats
    """What the cases after it add to the cost."""
    least: Floats
    """What some of them add at the least, from the first on."""
    begin: Index
    """The first cut of a run."""
    end: Index
    """The one after its last."""
    cost: Floats
    """What cuts cost, but for the cases that turn."""

    @staticmethod
    def of(
        held: OrderedCases, borders: Index, cuts: Index, costs: tuple[float, float]
    ) -> tuple[_Runs, Index]:
        """Return the runs of ranges between rows with known cuts, and the first of each range."""
        rank, weight, width = held.rank, held.weight, np.diff(cuts)
        low = np.repeat((borders[:-1] + 1).astype(np.int32), width)
        turns = (rank > low) & (rank < np.repeat(borders[1:].astype(np.int32), width))
        cost = np.zeros(len(rank) + 1)
        change = np.where(rank <= low, -costs[0], costs[1])
        if weight is not None:
            change *= weight
        change[turns] = 0.0
        np.cumsum(change, out=cost[1:])
        turning = np.flatnonzero(turns)
        left = np.searchsorted(turning, cuts[:-1])
        begin = np.insert(turning + 1, left, cuts[:-1])
        left = left + np.arange(len(left))
        last = np.append(left[1:], len(begin)) - 1
        rest = np.diff(cost[begin], append=0.0)
        before = cost[begin]
        barred = held.barred()
        if barred is not None:
            cost[1:][barred] = np.inf
        least = np.minimum.reduceat(cost, begin)
        least[last] = np.minimum(least[last], cost[cuts[1:]])
        end = np.append(begin[1:], 0)
        end[last] = cuts[1:] + 1
        case = begin - 1  # that of the first run is never looked at
        mass = None if weight is None else weight[case]
        return _Runs(rank[case], mass, rest, least - before, begin, end, cost), left

    def best(self, ranges: _Ranges, row: Index, costs: tuple[float, float]) -> Index:
        """Return the run that holds the best cut of a row, for each range."""
        part, start, width = _joined(ranges.left, ranges.right + 1)
        negative = self.rank[part] <= np.repeat(row.astype(np.int32), width)
        change = np.where(negative, -costs[0], costs[1])
        if self.weight is not None:
            change *= self.weight[part]
        change[start] = 0.0
        rest = self.rest[part]
        value = np.cumsum(change + rest) - rest + self.least[part]
        return part[_first_least(value, start, width)]

    def cuts(self, run: Index) -> Index:
        """Return the first best cuts of runs, given in order."""
        new = np.append(True, run[1:] != run[:-1])
        used = run[new]
        part, start, width = _joined(self.begin[used], self.end[used])
        best: Index = part[_first_least(self.cost[part], start, width)]
        return np.asarray(best[np.cumsum(new) - 1])


def _joined(begin: Index, end: Index) -> tuple[Index, Index, Index]:
    """Return all numbers of some ranges, where each range starts among them, and its width."""
    width = end - begin
    stop = np.cumsum(width)
    start = stop - width
    return np.repeat(begin - start, width) + np.arange(int(width.sum())), start, width


def _first_least(value: Floats, start: Index, width: Index) -> Index:
    """Return where the least value of each stretch is first."""
    least = np.minimum.reduceat(value, start)
    at = np.flatnonzero(value == np.repeat(least, width))
    return at[np.searchsorted(at, start)]
