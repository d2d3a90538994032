"""A distribution of cutoffs as bounds need it: the share of cutoffs below, at least and at most."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import numpy as np

from roctopus.core.arrays import Floats
from roctopus.core.distributions import Continuous, Discrete, cumulative
from roctopus.core.piecewise import Index

TABLE = 1 << 18
NOTHING = 1e-6
"""Largest probability outside a table."""


class Cumulative(Protocol):
    """Bounds of the cdf W of cutoffs; they are equal if W is cheap to compute exactly."""

    def at_least(self, x: Floats) -> Floats:
        """Return a lower bound of P(cutoff ≤ x)."""

    def at_most(self, x: Floats) -> Floats:
        """Return an upper bound of P(cutoff ≤ t) for all t below x."""

    def around(self, x: Floats) -> tuple[Floats, Floats]:
        """Return a lower and an upper bound of P(cutoff ≤ x)."""


@dataclass(frozen=True, eq=False)
class Stepped:
    """A distribution on points."""

    support: Floats
    running: Floats

    @staticmethod
    def of(distribution: Discrete) -> Stepped:
        """Sort the points."""
        order = np.argsort(distribution.support)
        running = np.append(0.0, np.cumsum(distribution.probability[order]))
        return Stepped(distribution.support[order], running / running[-1])

    def at_least(self, x: Floats) -> Floats:
        """Return P(cutoff ≤ x)."""
        return self.running[np.searchsorted(self.support, x, side="right")]

    def at_most(self, x: Floats) -> Floats:
        """Return P(cutoff < x)."""
        return self.running[np.searchsorted(self.support, x, side="left")]

    def around(self, x: Floats) -> tuple[Floats, Floats]:
        """Return P(cutoff ≤ x), twice."""
        share = self.at_least(x)
        return share, share


@dataclass(frozen=True, eq=False)
class Unrounded:
    """A continuous distribution."""

    distribution: Continuous

    def at_least(self, x: Floats) -> Floats:
        """Return P(cutoff ≤ x)."""
        return cumulative(self.distribution, x)

    at_most = at_least

    def around(self, x: Floats) -> tuple[Floats, Floats]:
        """Return P(cutoff ≤ x), twice."""
        share = self.at_least(x)
        return share, share


@dataclass(frozen=True, eq=False)
class Tabled:
    """A continuous distribution in a table: its share at the ends of the cell of x."""

    start: float
    per_cell: float
    """One over the width of a cell."""
    low: Floats
    high: Floats
    """At the ends of all cells, so little below and above them that no rounding matters."""

    def _cell(self, x: Floats) -> Index:
        """Return the number of the cell that ends above x, from 0; one more is beyond all."""
        cells = np.clip((x - self.start) * self.per_cell, -1.0, len(self.low) - 2.0)
        return np.floor(cells).astype(np.intp) + 1

    def at_least(self, x: Floats) -> Floats:
        """Return the share at the start of the cell."""
        return self.low[self._cell(x)]

    def at_most(self, x: Floats) -> Floats:
        """Return the share at the end of the cell."""
        return self.high[self._cell(x)]

    def around(self, x: Floats) -> tuple[Floats, Floats]:
        """Return the shares at both ends of the cell."""
        cell = self._cell(x)
        return self.low[cell], self.high[cell]


def reach(distribution: Continuous) -> tuple[float, float]:
    """Return two cutoffs between which nearly all of the distribution lies."""

    def share(x: float) -> float:
        return float(cumulative(distribution, np.array([x]))[0])

    low, high = -1.0, 1.0
    while share(low) > NOTHING and low > -1e300:
        low *= 2.0
    while share(high) < 1.0 - NOTHING and high < 1e300:
        high *= 2.0
    return _bisect(share, low, high, NOTHING)[0], _bisect(share, low, high, 1.0 - NOTHING)[1]


def _bisect(
    share: Callable[[float], float], low: float, high: float, wanted: float
) -> tuple[float, float]:
    for _ in range(40):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if share(middle) < wanted else (low, middle)
    return low, high


def tabled(distribution: Continuous) -> Tabled:
    """Return the table of a distribution, made once and kept."""
    return _kept(distribution) if isinstance(distribution, Hashable) else _tabled(distribution)


def _tabled(distribution: Continuous) -> Tabled:
    start, stop = reach(distribution)
    width = (stop - start) / TABLE
    ends = np.linspace(start, stop, TABLE + 1)
    low, high = (cumulative(distribution, ends + slack * width) for slack in (-1e-3, 1e-3))
    return Tabled(start, 1.0 / width, np.append(0.0, low), np.append(high, 1.0))


_kept = lru_cache(maxsize=8)(_tabled)
