"""Small parts of the cases, drawn again and again: what is tuned on them shows its own spread."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from roctopus.concepts.dependence import Dependence
from roctopus.core.arrays import Floats
from roctopus.core.resampling import Random, read_generator
from roctopus.inference.folds import Rows

DRAWS, MOST = 100, 1_000
"""So many parts are drawn, of so many units at most: more take longer, and tell the same."""
BLOCK = 1 << 19
"""So many rows are drawn at a time."""


@dataclass(frozen=True, eq=False)
class Parts:
    """Parts of n^(2/3) of n independent units, at most of 1,000.

    Units are cases, whole clusters, or neighbours in time.
    """

    units: int
    unit_of: Rows | None = None
    """The unit of each row; None if every row is one."""
    neighbours: bool = False

    @staticmethod
    def of(size: int, dependence: Dependence) -> Parts:
        """Return the parts of so many rows that depend on each other."""
        in_time = dependence.times is not None
        codes = dependence.times if in_time else dependence.clusters
        return Parts(size) if codes is None else Parts(int(codes.max()) + 1, codes, in_time)

    @property
    def each(self) -> int:
        """How many units are in a part."""
        return min(max(int(self.units ** (2.0 / 3.0)), 2), self.units, MOST)

    def draw(self, rng: Random) -> Iterator[Rows]:
        """Yield the rows of some parts of equal size, a line for each, until there are enough."""
        generator, left = read_generator(rng), DRAWS
        while left:
            count = min(left, self.units // self.each, max(BLOCK // self.each, 1))
            left -= count
            if self.neighbours:
                starts = generator.integers(self.units - self.each + 1, size=(count, 1))
                lines = starts + np.arange(self.each)
            else:
                drawn = generator.choice(self.units, count * self.each, replace=False)
                lines = drawn.reshape(count, self.each)
            yield from (lines,) if self.unit_of is None else map(self._rows, lines)

    def _rows(self, units: Rows) -> Rows:
        """Return the rows of some units, as one line."""
        chosen = np.zeros(self.units, dtype=np.bool_)
        chosen[units] = True
        return np.flatnonzero(chosen[self.unit_of])[None]

    def around(
        self, middle: Floats, settings: Floats, level: float, *, smooth: bool
    ) -> tuple[Floats, Floats]:
        """Return how far the best settings may be from those found on all cases.

        Settings of parts, a line for each, are further from them by a known factor: √(n/b) where
        costs are ``smooth`` around the best, as of a shift, and ∛(n/b) for thresholds.
        """
        share = self.each / self.units
        apart = share / max(1.0 - share, share)  # a part is in the whole, and differs from it less
        factor = apart ** (1.0 / 2.0 if smooth else 1.0 / 3.0)
        reach = factor * np.quantile(np.abs(settings - middle), level, axis=0)
        return middle - reach, middle + reach
