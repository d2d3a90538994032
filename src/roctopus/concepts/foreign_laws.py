"""Distributions of other libraries, made usable beside our own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np

from roctopus.concepts.distributions import (
    Beta,
    Empirical,
    Gamma,
    LawByPartialMean,
    LogNormal,
    Normal,
    Uniform,
)
from roctopus.core.arrays import Floats
from roctopus.core.checks import check_interval
from roctopus.core.errors import InputError
from roctopus.core.laws import ContinuousLaw, DiscreteLaw

__all__ = ["Distribution", "Truncated", "as_distribution"]


@dataclass(frozen=True)
class _ByCdf:
    """A continuous law of which only the cdf is known, such as scipy's frozen ones."""

    law: Any

    def cdf(self, x: Floats) -> Floats:
        points = np.append(x, 0.0)  # never one: that might pass for a single number
        try:
            return np.asarray(self.law.cdf(points), dtype=np.float64)[:-1].reshape(np.shape(x))
        except TypeError:  # a cdf of single numbers, as statistics.NormalDist has
            return np.asarray(np.vectorize(self.law.cdf, otypes=[np.float64])(x))

    def moment(self, low: Floats, high: Floats, origin: Floats) -> Floats:
        """E[X − origin; low < X < high] from the area over the cdf, by adaptive quadrature.

        The cdf may have kinks where the support ends, so only the support is integrated over.
        """
        from scipy.integrate import quad_vec

        start, stop = self._bounds()
        low, high = np.clip(low, start, stop), np.clip(high, start, stop)
        top, width = self.cdf(high), high - low
        area, _ = quad_vec(
            lambda share: (top - self.cdf(low + share * width)) * width,
            0.0,
            1.0,
            epsabs=1e-13 * max(1.0, float(np.max(np.abs(width)))),
            epsrel=1e-11,
            norm="max",
        )
        return np.asarray((low - origin) * (top - self.cdf(low)) + area)

    def _bounds(self) -> tuple[float, float]:
        """Return the ends of the support; where infinite, of all but 1e-15 in each tail."""
        support = getattr(self.law, "support", None)
        start, stop = (float(end) for end in support()) if callable(support) else (-np.inf, np.inf)
        quantile = getattr(self.law, "ppf", None) or getattr(self.law, "icdf", None)
        if quantile is None:
            return self._reach(start, -1.0), self._reach(stop, 1.0)
        return max(start, float(quantile(1e-15))), min(stop, float(quantile(1.0 - 1e-15)))

    def _reach(self, end: float, step: float) -> float:
        """Return a finite end of the support: double the step until 1e-15 is left beyond it."""
        while np.isinf(end) and np.isfinite(step):
            below = float(self.cdf(np.array([step]))[0])
            if (below if step < 0 else 1.0 - below) <= 1e-15:
                return step
            step *= 2.0
        return end


@dataclass(frozen=True)
class _Truncated:
    """A continuous law, given that the value lies between two ends."""

    law: ContinuousLaw
    low: float
    high: float
    below: float
    mass: float

    def cdf(self, x: Floats) -> Floats:
        inside = self.law.cdf(np.clip(x, self.low, self.high))
        return np.clip((inside - self.below) / self.mass, 0.0, 1.0)

    def moment(self, low: Floats, high: Floats, origin: Floats) -> Floats:
        ends = np.clip(low, self.low, self.high), np.clip(high, self.low, self.high)
        return self.law.moment(*ends, origin) / self.mass


class FrozenLaw(Protocol):
    """What is asked of a distribution of another library."""

    def cdf(self, x: Any) -> Any:
        """P(X ≤ x)."""


Distribution: TypeAlias = Uniform | Beta | Normal | Gamma | LogNormal | Empirical | FrozenLaw
"""A distribution of contexts: one of ours, or anything frozen from ``scipy.stats``."""


def as_distribution(distribution: Any) -> ContinuousLaw | DiscreteLaw:
    """Return what the piecewise functions can use; wrap distributions of other libraries."""
    if isinstance(distribution, (Uniform, LawByPartialMean, Empirical, _ByCdf, _Truncated)):
        return distribution
    if callable(getattr(distribution, "cdf", None)) and not isinstance(distribution, type):
        return _enumerated(distribution) if _is_discrete(distribution) else _ByCdf(distribution)
    raise InputError(
        "'distribution' must be one of Uniform, Beta, Normal, Exponential, Gamma, LogNormal, "
        "Empirical, PointMass, or a frozen scipy.stats distribution; "
        f"got {getattr(distribution, '__name__', type(distribution).__name__)}."
    )


def Truncated(distribution: Distribution, low: float, high: float) -> Any:
    """Return a distribution given that the context lies between two ends, both included.

    One end may be infinite.

    Examples
    --------
    >>> import numpy as np
    >>> from roctopus import Normal, Truncated
    >>> float(Truncated(Normal(0, 1), 0, np.inf).cdf(np.array([0.0]))[0])
    0.0
    """
    check_interval(low, high, "Truncated(distribution, low, high)")
    law = as_distribution(distribution)
    refusal = InputError(f"The distribution has no mass between {low:g} and {high:g}.")
    if isinstance(law, DiscreteLaw):
        inside = (law.support >= low) & (law.support <= high)
        if not law.probability[inside].sum() > 0.0:
            raise refusal
        return Empirical(law.support[inside], law.probability[inside])
    below, up_to = (float(p) for p in law.cdf(np.array([low, high])))
    if not up_to > below:
        raise refusal
    return _Truncated(law, float(low), float(high), below, up_to - below)


def _is_discrete(law: Any) -> bool:
    """Tell whether a law has atoms: scipy's new continuous classes have a ``pmf`` too, of zero."""
    return hasattr(law, "pmf") and hasattr(law, "median") and float(law.pmf(law.median())) > 0.0


def _enumerated(law: Any) -> Empirical:
    """List the support of a discrete law on a lattice, but for less than 1e-15 in each tail."""
    quantile = getattr(law, "ppf", None) or law.icdf
    low, high = float(quantile(1e-15)), float(quantile(1.0 - 1e-15))
    points = low + np.arange(np.ceil(high - low) + 1.0)
    mass = np.asarray(law.pmf(points), dtype=np.float64)
    if abs(mass.sum() - 1.0) > 1e-9:
        raise InputError(
            "The points of this discrete distribution are not one unit apart. "
            "Give them as Empirical(values, weights)."
        )
    return Empirical(points[mass > 0], mass[mass > 0])
