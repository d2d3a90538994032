"""Cells with round borders: a number line cut where each part holds several cases.

Borders come from one fixed tree, whatever the data: 10 is cut into 5 + 5, 5 into 2 + 3, 3 into
2 + 1, 2 into 1 + 1, and 1 is ten tenths. A border is kept if what lies on either side of it, up to
the next border, is nothing or at least so many cases. So no border tells a row's last digits.
"""

from __future__ import annotations

import bisect
import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from roctopus.core.arrays import Floats
from roctopus.core.piecewise import Index

FIRST_PART = {10: 5, 5: 2, 3: 2, 2: 1}
"""Where a part of the tree is cut, by its width."""
FINEST = 1000
"""No border is finer than the middle half of all cases over this."""


def round_up(value: float) -> float:
    """Return the smallest of 1, 2, 5 × 10ᵏ that is no less; 0 of 0."""
    if value <= 0.0:
        return 0.0
    power = int(np.floor(np.log10(value))) - 1
    while True:
        for digit in (1, 2, 5):
            found = float(f"{digit}e{power}")
            if found >= value:
                return found
        power += 1


@dataclass(frozen=True, eq=False)
class RoundCells:
    """Cells between neighbouring borders: each holds its lower border, and not its upper one."""

    cuts: Floats
    """All borders, the outer ones among them."""
    finest: float
    """No cell was to be narrower than this."""

    @property
    def count(self) -> int:
        """How many cells there are."""
        return len(self.cuts) - 1

    @property
    def low(self) -> Floats:
        """The lower border of each cell."""
        return self.cuts[:-1]

    @property
    def inner_cuts(self) -> Floats:
        """The borders between cells; all of them where there is one cell only."""
        return self.cuts[1:-1] if len(self.cuts) > 3 else self.cuts

    @property
    def width(self) -> Floats:
        """The width of each cell."""
        return np.diff(self.cuts)

    def numbers(self, values: Floats) -> Index:
        """Return the cell of each value; all of them lie between the outer borders."""
        return np.searchsorted(self.cuts, values, side="right") - 1

    @staticmethod
    def of(
        groups: Sequence[Floats],
        least: int,
        most: int,
        *,
        wide: bool = False,
        asked: Iterable[float] = (),
    ) -> RoundCells:
        """Cut the line for groups of values, of each of which a cell holds ``least`` or none.

        Numbers that somebody ``asked`` about are borders where they can be. Parts with the most
        values are cut first; with ``wide`` those whose values times their width are most. After
        ``most`` cells no more are cut.
        """
        ordered = [np.sort(each + 0.0) for each in groups if len(each)]
        together = ordered[0] if len(ordered) == 1 else np.sort(np.concatenate(ordered))
        finest = _finest(together)
        kept = _Kept(_ends(float(together[0]), float(together[-1]), finest), ordered, least)
        for border in (*asked, 0.0):
            kept.offer(border, np.inf, np.inf)
        return RoundCells(_cuts(kept, together, finest, most, wide), finest)


def _cuts(kept: _Kept, together: Floats, finest: float, most: int, wide: bool) -> Floats:
    power = 0
    reach = max(-float(together[0]), float(together[-1]), finest)
    while 10.0**power <= reach:
        power += 1
    while power > -300 and 10.0 ** (power - 1) > reach:
        power -= 1
    waiting: list[tuple[float, float, int, int, int]] = []

    def wait(low: int, width: int, at: int) -> None:
        """Keep a part of the tree in mind, unless nothing in it can be cut apart."""
        ends = _number(low, at), _number(low + width, at)
        first, last = np.searchsorted(together, ends)
        if last - first < kept.least or together[first] == together[last - 1]:
            return
        long = _number(width, at)  # as it is far from 0, too, where ends are rounded
        if long <= finest:
            return
        size = float(last - first) * (long if wide else 1.0)
        heapq.heappush(waiting, (-size, ends[0], low, width, at))

    wait(0, 10, power - 1)
    wait(-10, 10, power - 1)
    while waiting and len(kept.borders) <= most:
        _, _, low, width, at = heapq.heappop(waiting)
        if width == 1:
            low, width, at = 10 * low, 10, at - 1
        first = FIRST_PART[width]
        if low < 0:  # the tree is the same on both sides of 0
            first = width - first
        parts = (_number(each, at) for each in (first, width - first))
        kept.offer(_number(low + first, at), *parts)
        wait(low, first, at)
        wait(low + first, width - first, at)
    return kept.trimmed()


def _ends(lowest: float, highest: float, finest: float) -> list[float]:
    """Return the outer borders: 0, or the next of 1, 2, 5 × 10ᵏ beyond all values.

    They are not much nearer to 0 than cases are spread, or they would tell a value close to 0.
    """
    least = FINEST * finest
    low = -round_up(max(-lowest, least)) if lowest < 0.0 else 0.0
    # Cells hold their lower borders only.
    high = round_up(max(float(np.nextafter(highest, np.inf)), least)) if highest >= 0.0 else 0.0
    return [low, high]


class _Kept:
    """The borders kept so far, with how many values of each group lie below them."""

    def __init__(self, ends: list[float], ordered: list[Floats], least: int) -> None:
        self.borders, self.ordered, self.least = list(ends), ordered, least
        self.below = [self._below(end) for end in ends]

    def _below(self, border: float) -> list[int]:
        return [int(np.searchsorted(each, border)) for each in self.ordered]

    def offer(self, border: float, left: float, right: float) -> None:
        """Keep a border if both sides hold enough cases of each group, or none.

        It cuts a part of the tree into two of the given widths. What is empty is cut off if it is
        no smaller than the rest; smaller pieces would tell where the next row is.
        """
        place = bisect.bisect_left(self.borders, border)
        if not 0 < place < len(self.borders) or self.borders[place] == border:
            return  # it is one already, or beyond all values
        here = self._below(border)
        sides = list(zip(self.below[place - 1], here, self.below[place], strict=True))
        for before, at, after in sides:
            if 0 < at - before < self.least or 0 < after - at < self.least:
                return
        if all(at == before for before, at, _ in sides) and left < right:
            return
        if all(at == after for _, at, after in sides) and right < left:
            return
        self.borders.insert(place, border)
        self.below.insert(place, here)

    def trimmed(self) -> Floats:
        """Return the borders without those that have no case on either side."""
        totals = [sum(each) for each in self.below]
        needed = [
            k == 0 or k == len(totals) - 1 or totals[k - 1] < totals[k] or totals[k] < totals[k + 1]
            for k in range(len(totals))
        ]
        found = [
            border for border, is_needed in zip(self.borders, needed, strict=True) if is_needed
        ]
        counts = [total for total, is_needed in zip(totals, needed, strict=True) if is_needed]
        first = 1 if len(found) > 2 and counts[1] == 0 else 0
        last = -1 if len(found) > 2 and counts[-2] == counts[-1] else len(found)
        return np.array(found[first:last])


def _number(digits: int, power: int) -> float:
    return float(f"{digits}e{power}")


def _finest(together: Floats) -> float:
    """Return the width below which nothing is cut: a round part of how far values spread."""
    low, middle, high = np.quantile(together, [0.25, 0.5, 0.75])
    spread = 0.5 * high - 0.5 * low
    if not spread > 0.0:
        spread = float(np.mean(np.abs(together - middle)))
    if not (spread > 1e-290 and np.isfinite(spread)):
        spread = max(abs(float(middle)), 1e-290)
    return round_up(spread / FINEST)
