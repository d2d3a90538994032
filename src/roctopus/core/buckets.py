"""Buckets of a number line: a monotone map that any batch can be put through, in any order.

Equal values always share a bucket and larger values never lie in a lower one, so sums per bucket
are exact at the borders whatever the buckets are. Where these lie is taken from a first sample of
values: a bad one costs resolution, never correctness.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from roctopus.core.arrays import Floats
from roctopus.core.checks import check_whole
from roctopus.core.piecewise import Index

BLOCK = 1 << 15
"""Values mapped at a time: what is at hand stays in the processor's cache."""


def read_bucket_count(buckets: object) -> int:
    """Check the number of buckets: even, so that the middle is a border."""
    count = check_whole(buckets, "buckets", 16)
    return count + count % 2


@dataclass(frozen=True)
class Buckets:
    """Buckets that are narrow about a location and ever wider away from it."""

    location: float
    scale: float
    count: int

    @staticmethod
    def of(sample: Floats, count: int) -> Buckets:
        """Lay buckets about the middle of a sample of values."""
        finite = sample[np.isfinite(sample)]
        if len(finite) == 0:
            return Buckets(0.0, 1.0, count)
        low, middle, high = np.quantile(finite, [0.25, 0.5, 0.75])
        spread = 0.5 * high - 0.5 * low
        if not spread > 0.0:  # half of the values are equal: whatever else there is tells
            spread = float(np.mean(np.abs(finite - middle)))
        if not (spread >= np.finfo(np.float64).tiny and np.isfinite(spread)):
            spread = 1.0
        return Buckets(float(middle), float(spread), count)

    def numbers(self, values: Floats) -> Index:
        """Return the bucket of each value.

        With z = (v − location)/scale it is ⌊½K + u⌋, u = ±(H − H/(1 + |z|)), H just below ½K:
        every step is a correctly rounded monotone operation, and so is the whole. (z/(1 + |z|)
        would not be, at the last bit.)
        """
        found = np.empty(len(values), dtype=np.intp)
        half = 0.5 * self.count
        reach = half * (1.0 - 2.0**-40)  # so that no sum below is rounded up to K
        factor = 1.0 / self.scale
        z, u = np.empty((2, min(len(values), BLOCK)))
        for begin in range(0, len(values), BLOCK):
            part = values[begin : begin + BLOCK]
            a, b = z[: len(part)], u[: len(part)]
            with np.errstate(over="ignore"):
                np.subtract(part, self.location, out=a)
                np.multiply(a, factor, out=a)
            np.abs(a, out=b)
            np.add(b, 1.0, out=b)
            np.divide(reach, b, out=b)
            np.subtract(reach, b, out=b)
            np.copysign(b, a, out=b)
            np.add(b, half, out=b)
            found[begin : begin + BLOCK] = b  # whole numbers from 0 on: what follows is cut off
        return found

    @cached_property
    def borders(self) -> Floats:
        """The smallest number of each bucket from the second on: bucket k begins at borders[k−1].

        Found by bisection over the doubles themselves, so that a border is what the map says.
        """
        wanted = np.arange(1, self.count)
        u = 2.0 * wanted / self.count - 1.0
        with np.errstate(over="ignore"):
            guess = self.location + self.scale * (u / (1.0 - np.abs(u)))
        low, high = _ordered_bits(np.array([-1.0, 1.0]) * np.finfo(np.float64).max)
        near = _ordered_bits(guess)
        below, above = np.full(len(u), low), np.full(len(u), high)
        for reach in (1 << 4, 1 << 24, 1 << 44):  # from near to far: most are found at once
            for bound, side in ((below, -1), (above, 1)):
                tried = np.clip(near + side * reach, low, high)
                inside = self.numbers(_from_bits(tried)) >= wanted
                better = ~inside & (tried > below) if side < 0 else inside & (tried < above)
                bound[better] = tried[better]
        while np.any(above - below > 1):
            middle = below // 2 + above // 2 + (below % 2 + above % 2) // 2  # no overflow
            inside = self.numbers(_from_bits(middle)) >= wanted
            above, below = np.where(inside, middle, above), np.where(inside, below, middle)
        return _from_bits(above)

    def edges(self, low: float, high: float) -> Floats:
        """Return the borders with the ends of the data: bucket k lies between edges k and k+1.

        Borders beyond the ends are moved to them, so that no edge is infinite.
        """
        inner = np.clip(self.borders, low, high)
        return np.concatenate([[low], inner, [high]])

    @cached_property
    def anchors(self) -> Floats:
        """The border of each bucket that is nearer to the location: always a finite number."""
        half = self.count // 2
        return np.concatenate([self.borders[:half], self.borders[half - 1 :]])


def _ordered_bits(values: Floats) -> np.ndarray:
    """Return whole numbers in the order of the doubles."""
    bits = values.view(np.int64)
    return np.where(bits >= 0, bits, np.int64(-(2**63)) - bits)


def _from_bits(ordered: np.ndarray) -> Floats:
    bits = np.where(ordered >= 0, ordered, np.int64(-(2**63)) - ordered)
    return bits.view(np.float64)


PARTS = 4
"""Rows are dealt to so many parts at random. Two of them are a half."""
RowParts: TypeAlias = tuple[int, ...]
"""The numbers of some parts."""
HALVES: tuple[tuple[RowParts, RowParts], ...] = (
    ((0, 1), (2, 3)),
    ((0, 2), (1, 3)),
    ((0, 3), (1, 2)),
)
"""All ways to halve the parts."""


def of_parts(sums: Floats, parts: RowParts | None, axis: int = 0) -> Floats:
    """Return what some parts add up to, along an axis with an entry per part; None means all."""
    kept = sums if parts is None else np.take(sums, parts, axis=axis)
    return np.asarray(kept.sum(axis=axis))


def sum_by(number: Index, values: Floats | None, count: int) -> NDArray[Any]:
    """Return the sums of values by their number; None counts rows."""
    return np.bincount(number, values, count)
