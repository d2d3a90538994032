"""What is asked of a distribution, so that functions of its variable can be averaged exactly."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np

from roctopus.core.arrays import Floats, in_order


class Continuous(Protocol):
    """What a distribution must know so that a piecewise function can be averaged over it."""

    def cdf(self, x: Floats) -> Floats:
        """P(X ≤ x)."""

    def moment(self, low: Floats, high: Floats, origin: Floats) -> Floats:
        """E[X − origin; low < X < high]; one end may be infinite."""


@runtime_checkable
class Discrete(Protocol):
    """A distribution on finitely many points."""

    @property
    def support(self) -> Floats:
        """The points."""

    @property
    def probability(self) -> Floats:
        """The probability of each point."""


def cumulative(distribution: Continuous | Discrete, x: Floats) -> Floats:
    """Return P(X ≤ x), also for a distribution on points."""
    if isinstance(distribution, Discrete):
        order = np.argsort(distribution.support)
        mass = np.append(0.0, np.cumsum(distribution.probability[order]))
        mass /= mass[-1]
        support = distribution.support[order]
        return in_order(lambda t: mass[np.searchsorted(support, t, side="right")], x)
    return distribution.cdf(x)


def quantiles(
    distribution: Continuous | Discrete, shares: Floats, domain: tuple[float, float]
) -> Floats:
    """Return the points below which these shares lie, by bisection."""
    if isinstance(distribution, Discrete):
        order = np.argsort(distribution.support)
        running = np.cumsum(distribution.probability[order])
        at = np.searchsorted(running / running[-1], shares - 1e-12)
        return distribution.support[order][np.minimum(at, len(order) - 1)]

    def below(x: float) -> float:
        return float(cumulative(distribution, np.array([x]))[0])

    first, last = domain
    if np.isinf(first):
        first = -1.0
        while below(first) > 1e-9:
            first *= 4.0
    if np.isinf(last):
        last = 1.0
        while below(last) < 1.0 - 1e-9:
            last *= 4.0
    low, high = np.full(len(shares), first), np.full(len(shares), last)
    for _ in range(80):
        middle = 0.5 * (low + high)
        above = cumulative(distribution, middle) >= shares
        low, high = np.where(above, low, middle), np.where(above, middle, high)
    return high


def cell_moments(distribution: Continuous | Discrete, borders: Floats) -> tuple[Floats, Floats]:
    """Return P(X in cell) and E[X; X in cell] for the cells between neighbouring borders.

    All mass lies between the first and the last border; a cell owns its right border.
    """
    if isinstance(distribution, Discrete):
        cell = np.searchsorted(borders[1:-1], distribution.support)
        size = len(borders) - 1
        masses = (distribution.probability, distribution.probability * distribution.support)
        mass, moment = (np.asarray(np.bincount(cell, m, size), dtype=np.float64) for m in masses)
        return mass, moment
    below = np.concatenate([[0.0], distribution.cdf(borders[1:-1]), [1.0]])
    origin = np.zeros(len(borders) - 1)
    return np.diff(below), distribution.moment(borders[:-1], borders[1:], origin)
