"""Many intervals by their sorted ends: how much mass is open at a point.

A case is decided wrongly at the cutoffs between its truth and its prediction, so a cutoff-error
curve counts open intervals; a Murphy diagram does too. Two binary searches evaluate the count, so a
curve is ready once the ends are sorted; merging them into knots waits until someone needs knots.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from roctopus.core.arrays import Floats, in_order
from roctopus.core.errors import InputError, arg
from roctopus.core.piecewise import Continuity, Index, Piecewise
from roctopus.core.sample import Sample


@dataclass(frozen=True, eq=False)
class Intervals:
    """Intervals with masses; the ends are sorted separately. Infinite ends are fine."""

    low: Floats
    high: Floats
    low_mass: Floats | None
    """The masses in the order of ``low``; None means one each, so that counts stay exact."""
    high_mass: Floats | None

    @staticmethod
    def between(low: Floats, high: Floats, mass: Floats | None) -> Intervals:
        """Sort the ends."""
        if mass is None:
            return Intervals(np.sort(low), np.sort(high), None, None)
        by_low, by_high = np.argsort(low), np.argsort(high)
        return Intervals(low[by_low], high[by_high], mass[by_low], mass[by_high])

    @staticmethod
    def of_errors(sample: Sample, sign: int) -> Intervals:
        """Return the intervals from truth to prediction of the over- (+1) or underestimates (−1).

        The sample is in numpy.
        """
        y, p = sample.y_true, sample.y_pred
        low, high = (y, p) if sign > 0 else (p, y)
        wrong = low < high
        mass = None if sample.weight is None else np.compress(wrong, sample.weight)
        return Intervals.between(np.compress(wrong, low), np.compress(wrong, high), mass)

    @cached_property
    def _running(self) -> tuple[Floats, Floats] | None:
        if self.low_mass is None or self.high_mass is None:
            return None
        return np.append(0.0, np.cumsum(self.low_mass)), np.append(0.0, np.cumsum(self.high_mass))

    def open_mass(self, begun: Index, ended: Index) -> Floats:
        """Return the mass open after so many intervals have begun and ended."""
        if self._running is None:
            return (begun - ended).astype(np.float64)
        low, high = self._running
        # Two sums of the same masses in different order differ by rounding: none open is no mass.
        return np.where(begun == ended, 0.0, np.maximum(low[begun] - high[ended], 0.0))

    def open_at(self, x: Floats, continuity: Continuity) -> Floats:
        """Return the mass of the intervals around x: (low, high] for "left", else [low, high)."""
        begun = np.searchsorted(self.low, x, side=continuity)
        return self.open_mass(begun, np.searchsorted(self.high, x, side=continuity))

    def total(self, cumulative: Callable[[Floats], Floats]) -> float:
        """Return Σ mass·(cumulative(high) − cumulative(low))."""
        low, high = cumulative(self.low), cumulative(self.high)
        if self.low_mass is None or self.high_mass is None:
            return float(np.sum(high) - np.sum(low))
        return float(np.sum(high * self.high_mass) - np.sum(low * self.low_mass))


class OpenMass(Piecewise):
    """The step function Σ height × (mass of a group's intervals around x) / total.

    It is a ``Piecewise`` whose knots are merged on demand; evaluating it does not need them.
    """

    groups: tuple[tuple[float, Intervals], ...]
    total: float

    def __init__(
        self, groups: Sequence[tuple[float, Intervals]], total: float, continuity: Continuity
    ) -> None:
        object.__setattr__(self, "groups", tuple(groups))
        object.__setattr__(self, "total", total)
        object.__setattr__(self, "continuity", continuity)
        object.__setattr__(self, "tails", (0.0, 0.0))

    @property
    def domain(self) -> tuple[float, float]:
        """The whole line."""
        return -np.inf, np.inf

    def at(self, x: ArrayLike, name: str = "x") -> Floats:
        """Evaluate at every x by binary search among the sorted ends."""
        points = np.asarray(x, dtype=np.float64)
        if np.isnan(points).any():
            raise InputError(f"{arg(name)} must be a number, but is NaN.")
        return in_order(self._at, points)

    def _at(self, points: Floats) -> Floats:
        masses = [group.open_at(points, self.continuity) for _, group in self.groups]
        return self._sum(masses, points.shape)

    def _sum(self, masses: list[Floats], shape: tuple[int, ...]) -> Floats:
        total = np.zeros(shape)
        for (height, _), mass in zip(self.groups, masses, strict=True):
            total += height * mass
        return total / self.total  # last, so that a share of counts is the nearest double

    @cached_property
    def _merged(self) -> tuple[Floats, Floats]:
        """Return all knots, and the height of every piece."""
        sides = [side for _, group in self.groups for side in (group.low, group.high)]
        source = np.repeat(np.arange(len(sides), dtype=np.int8), [len(side) for side in sides])
        ends = np.concatenate(sides)
        order = np.argsort(ends, kind="stable")  # finds the sorted runs and merges them
        ends, source = ends[order], source[order]
        del order
        last = np.append(ends[1:] != ends[:-1], True) if len(ends) else np.empty(0, dtype=bool)
        masses = [
            group.open_mass(
                _passed(source, 2 * number, last), _passed(source, 2 * number + 1, last)
            )
            for number, (_, group) in enumerate(self.groups)
        ]
        del source
        ends = ends[last]
        height = np.append(0.0, self._sum(masses, ends.shape))
        # What begins at −inf is open from the start; beyond +inf there is nothing.
        first, stop = np.searchsorted(ends, -np.inf, "right"), np.searchsorted(ends, np.inf)
        knots = np.concatenate([[-np.inf], ends[first:stop], [np.inf]])
        return knots, height[first : stop + 1]

    @property
    def knots(self) -> Floats:
        """Where the function may jump."""
        return self._merged[0]

    @property
    def start(self) -> Floats:
        """The height of every piece."""
        return self._merged[1]

    end = start


def _passed(source: NDArray[np.int8], wanted: int, last: NDArray[np.bool_]) -> Index:
    """Count the ends of one kind up to each distinct end."""
    return np.asarray(np.cumsum(source == wanted)[last], dtype=np.intp)
