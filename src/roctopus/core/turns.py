"""Step functions of a setting: as it grows, cases turn from no to yes, one cost rises, one falls.

Between two settings the rising part is at least what it is at the first, and the falling part at
least what it is just before the second. That bounds every combination of such functions from below,
so that the best setting of many of them is found by looking closely at a few places only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from roctopus.core.arrays import Floats
from roctopus.core.orders import order_of

Combine: TypeAlias = Callable[[Floats], Floats]
"""From the values of several functions, a row each, to the one that is minimised."""
COARSE, MOST = 512, 1 << 20
BUCKET = 16
"""So many cases are in a bucket on average."""
ROUNDING = 1e-13


@dataclass(frozen=True, eq=False)
class Turns:
    """What is lost at each setting: part j of both sums holds from ``at[j − 1]`` to ``at[j]``."""

    at: Floats
    """The settings at which cases turn, increasing."""
    rising: Floats
    falling: Floats

    @staticmethod
    def of(
        at: Floats,
        rises: NDArray[np.bool_],
        costs: tuple[float, float],
        weight: Floats | None = None,
    ) -> Turns:
        """Sort the settings at which cases turn; infinite ones have turned, or never will.

        A turn costs the first of the ``costs`` where it ``rises``, and saves the second elsewhere.
        """
        order = order_of(at)
        at, up = at[order], rises[order]
        if weight is None:
            turned = np.zeros(len(at) + 1)
            np.cumsum(up, out=turned[1:])
            waiting = turned - np.arange(len(turned)) + (len(at) - turned[-1])
        else:
            mass = weight[order]
            risen = np.where(up, mass, 0.0)
            turned = np.append(0.0, np.cumsum(risen))
            waiting = np.append(np.cumsum((mass - risen)[::-1])[::-1], 0.0)
        begin, stop = int(np.searchsorted(at, -np.inf, "right")), int(np.searchsorted(at, np.inf))
        at, kept = at[begin:stop], np.ones(stop - begin + 1, dtype=bool)
        kept[1:] = last_of_ties(at)
        rising, falling = costs[0] * turned[begin : stop + 1], costs[1] * waiting[begin : stop + 1]
        return Turns(at[kept[1:]], rising[kept], falling[kept])

    def joined(self, near: float) -> Turns:
        """Return turns with those as one that are nearer to each other than that."""
        last = np.flatnonzero(last_of_ties(self.at, near))
        kept = np.append(0, last + 1)
        return Turns(self.at[last], self.rising[kept], self.falling[kept])

    def values(self, points: Floats) -> Floats:
        """Return what is lost at some settings."""
        part = np.searchsorted(self.at, points, side="right")
        return np.asarray(self.rising[part] + self.falling[part])

    def bounds(self, points: Floats) -> Floats:
        """Return what is lost at least from each point until just before the next one."""
        begin = np.searchsorted(self.at, points, side="right")
        end = np.append(np.searchsorted(self.at, points[1:]), len(self.at))
        return np.asarray(self.rising[begin] + self.falling[end])

    def next_after(self, points: Floats) -> Floats:
        """Return where the next case turns."""
        return np.append(self.at, np.inf)[np.searchsorted(self.at, points, side="right")]


def thinned(
    at: Floats, rises: NDArray[np.bool_], costs: tuple[float, float], weight: Floats | None
) -> tuple[Floats, NDArray[np.bool_], Floats] | None:
    """Return fewer cases, with weights, of which the same settings are best; None if all matter.

    Cases are put into buckets. Where a bound shows all settings within a bucket to be worse than
    one at the end of another, it may as well turn at once.
    """
    low, high = float(at.min()), float(at.max())
    count = len(at) // BUCKET
    scale = count / (high - low) if high > low else np.inf
    if not (np.isfinite(scale) and np.isfinite(low * scale)):
        return None
    place = at - low
    place *= scale
    bucket = place.astype(np.intp)
    down, up = np.bincount(2 * bucket + rises, weight, 2 * count + 2).reshape(-1, 2).T
    rising = costs[0] * np.append(0.0, np.cumsum(up))
    falling = costs[1] * np.append(np.cumsum(down[::-1])[::-1], 0.0)
    most = float(np.min(rising + falling)) + ROUNDING * max(costs) * float(up.sum() + down.sum())
    kept = rising[:-1] + falling[1:] <= most
    kept[[0, -1]] = True
    some = kept[bucket]
    member = np.empty(count + 1)
    member[bucket] = at
    others = [np.flatnonzero(~kept & (each > 0.0)) for each in (up, down)]
    return (
        np.concatenate([at[some], *(member[each] for each in others)]),
        np.concatenate([rises[some], np.repeat([True, False], [len(each) for each in others])]),
        np.concatenate(
            [np.ones(np.count_nonzero(some)) if weight is None else weight[some]]
            + [mass[each] for mass, each in zip((up, down), others, strict=True)]
        ),
    )


def last_of_ties(ordered: Floats, near: float = 0.0) -> NDArray[np.bool_]:
    """Tell which finite values are the last of equal ones, or of those that are nearly so.

    Values in a long row of near neighbours are not nearly equal, and stay apart.
    """
    if not len(ordered):
        return np.empty(0, dtype=bool)
    differs = np.ones(len(ordered), dtype=bool)
    np.not_equal(ordered[1:], ordered[:-1], out=differs[:-1])
    if near == 0.0:
        return differs
    last = np.append(ordered[1:] - ordered[:-1] > near, True)
    first = np.append(True, last[:-1])
    long = ordered[last] - ordered[first] > 8.0 * near
    return np.where(long[np.cumsum(first) - 1], differs, last)


def as_one(values: Floats, near: float) -> Floats:
    """Return values with nearly equal ones replaced by the largest of them."""
    some = np.unique(values[np.isfinite(values)])
    if not len(some) or near == 0.0:
        return values
    kept = some[last_of_ties(some, near)]
    at = np.minimum(np.searchsorted(kept, values), len(kept) - 1)
    return np.where(np.isfinite(values), kept[at], values)


def rounding_of(*columns: Floats) -> float:
    """Return how far apart rounding may have brought equal differences of columns."""
    sizes = [np.abs(each[np.isfinite(each)]).max(initial=0.0) for each in columns]
    return float(4.0 * np.finfo(np.float64).eps * max(sizes))


class Stretches(NamedTuple):
    """Settings from ``start`` until just before ``end``, by increasing start, and what is lost."""

    start: Floats
    end: Floats
    value: Floats

    def split(self, turns: Turns, combine: Combine, most: float) -> Stretches:
        """Return parts of these that are at most that bad, with one more function combined."""
        owner = np.searchsorted(self.start, turns.at, side="right") - 1
        inside = (owner >= 0) & (turns.at > self.start[owner]) & (turns.at < self.end[owner])
        start = np.union1d(self.start, turns.at[inside])
        owner = np.searchsorted(self.start, start, side="right") - 1
        end = np.append(start[1:], np.inf)
        end = np.where(np.append(owner[1:] == owner[:-1], False), end, self.end[owner])
        value = np.maximum(self.value[owner], combine(turns.values(start)[None, :]))
        kept = value <= most
        return Stretches(start[kept], end[kept], value[kept])


def stretches(turns: Sequence[Turns], combine: Combine, most: float = -np.inf) -> Stretches:
    """Return all stretches of settings that could be best, or at most that bad, with values."""
    if len(turns) == 1:
        (one,) = turns
        value = combine((one.rising + one.falling)[None, :])
        return Stretches(np.append(-np.inf, one.at), np.append(one.at, np.inf), value)
    start = _candidates(turns, combine, most)
    end = np.min([each.next_after(start) for each in turns], axis=0)
    return Stretches(start, end, combine(np.array([each.values(start) for each in turns])))


def _candidates(turns: Sequence[Turns], combine: Combine, most: float) -> Floats:
    """Return starts of stretches, leaving out those that a bound shows to be worse."""
    sides = [each.at for each in turns]
    count = COARSE
    while sum(map(len, sides)) > min(count, MOST):
        share = max(1, count // len(sides))
        grid = np.unique(np.concatenate([s[:: max(1, len(s) // share)] for s in sides]))
        points = np.append(-np.inf, grid)
        lower = combine(np.array([each.bounds(points) for each in turns]))
        least = float(np.min(combine(np.array([each.values(points) for each in turns]))))
        least = max(least, most)
        kept = lower <= least + ROUNDING * (abs(least) + float(np.ptp(lower)))
        sides = [s[kept[np.searchsorted(grid, s, side="right")]] for s in sides]
        if count > 64 * MOST:
            break
        count *= 16
    return np.unique(np.concatenate([[-np.inf], *sides]))


def best_stretch(
    found: Stretches, size: float, prefer: float = 0.0
) -> tuple[int, tuple[float, float]]:
    """Return one of the best stretches, and the range of equally good settings around it.

    Of several ranges it is the one that holds the preferred setting, or the nearest to that.
    """
    least = float(np.min(found.value))
    equal = np.flatnonzero(found.value <= least + ROUNDING * size)
    if len(equal) == 1:
        at = int(equal[0])
        return at, (float(found.start[at]), float(found.end[at]))
    apart = np.append(True, found.end[equal[:-1]] != found.start[equal[1:]])
    first = equal[apart]
    last = equal[np.append(apart[1:], True)]
    low, high = found.start[first], found.end[last]
    distance = np.where(low > prefer, low - prefer, np.where(high <= prefer, prefer - high, -1.0))
    nearest = int(np.argmin(distance))
    return int(first[nearest]), (float(low[nearest]), float(high[nearest]))
