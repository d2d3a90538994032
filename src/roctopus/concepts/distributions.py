"""Distributions of a context: what is believed about the costs to come.

Each knows its cumulative distribution and its partial mean in closed form, which is all that an
exact mean of a piecewise curve needs. Any frozen ``scipy.stats`` distribution can be used in their
place.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np

from roctopus.core.arrays import Floats, read_array, to_numpy
from roctopus.core.checks import (
    check_finite,
    check_interval,
    check_positive,
    check_same_length,
    check_scalar,
    check_weights,
)
from roctopus.core.errors import InputError
from roctopus.core.piecewise import ContinuousLaw, DiscreteLaw

__all__ = [
    "Beta",
    "Distribution",
    "Empirical",
    "Exponential",
    "Gamma",
    "LogNormal",
    "Normal",
    "PointMass",
    "Uniform",
    "as_distribution",
]


@dataclass(frozen=True)
class Uniform:
    """Every context between ``low`` and ``high`` is equally likely."""

    low: float
    high: float

    def __post_init__(self) -> None:
        check_interval(
            check_scalar(self.low, "low"), check_scalar(self.high, "high"), "Uniform(low, high)"
        )

    def cdf(self, x: Floats) -> Floats:
        """P(X ≤ x)."""
        return np.clip((x - self.low) / (self.high - self.low), 0.0, 1.0)

    def moment(self, low: Floats, high: Floats, origin: Floats) -> Floats:
        """E[X − origin; low < X < high]."""
        left, right = np.clip(low, self.low, self.high), np.clip(high, self.low, self.high)
        width = right - left
        return width / (self.high - self.low) * ((left - origin) + 0.5 * width)


class _PartialMean(ABC):
    """A law whose partial mean about its own location is known: E[X − location; X ≤ x].

    Far from zero, a partial mean about zero would cost the digits that a narrow piece needs.
    """

    @property
    def location(self) -> float:
        return 0.0

    @abstractmethod
    def cdf(self, x: Floats) -> Floats: ...

    @abstractmethod
    def partial_mean(self, x: Floats) -> Floats: ...

    def moment(self, low: Floats, high: Floats, origin: Floats) -> Floats:
        """E[X − origin; low < X < high]."""
        mass = self.cdf(high) - self.cdf(low)
        mean = self.partial_mean(high) - self.partial_mean(low)
        return mean + (self.location - origin) * mass


@dataclass(frozen=True)
class Beta(_PartialMean):
    """A beta distribution, stretched over [low, high]."""

    a: float
    b: float
    low: float = 0.0
    high: float = 1.0

    def __post_init__(self) -> None:
        check_positive(self.a, "a")
        check_positive(self.b, "b")
        check_interval(
            check_scalar(self.low, "low"), check_scalar(self.high, "high"), "Beta(..., low, high)"
        )

    def _unit(self, x: Floats) -> Floats:
        return np.clip((x - self.low) / (self.high - self.low), 0.0, 1.0)

    def cdf(self, x: Floats) -> Floats:
        """P(X ≤ x)."""
        from scipy.special import betainc

        return np.asarray(betainc(self.a, self.b, self._unit(x)))

    @property
    def location(self) -> float:
        """The low end."""
        return self.low

    def partial_mean(self, x: Floats) -> Floats:
        """E[X − low; X ≤ x]."""
        from scipy.special import betainc

        mean = (self.high - self.low) * self.a / (self.a + self.b)
        return np.asarray(mean * betainc(self.a + 1.0, self.b, self._unit(x)))


@dataclass(frozen=True)
class Normal(_PartialMean):
    """A normal distribution."""

    mean: float
    sd: float

    def __post_init__(self) -> None:
        check_scalar(self.mean, "mean")
        check_positive(self.sd, "sd")

    def cdf(self, x: Floats) -> Floats:
        """P(X ≤ x)."""
        from scipy.special import ndtr

        return np.asarray(ndtr((x - self.mean) / self.sd))

    @property
    def location(self) -> float:
        """The mean."""
        return self.mean

    def partial_mean(self, x: Floats) -> Floats:
        """E[X − mean; X ≤ x]."""
        z = (x - self.mean) / self.sd
        return np.asarray(-self.sd * np.exp(-0.5 * z * z) / np.sqrt(2.0 * np.pi))


@dataclass(frozen=True)
class Gamma(_PartialMean):
    """A gamma distribution with mean shape × scale."""

    shape: float
    scale: float

    def __post_init__(self) -> None:
        check_positive(self.shape, "shape")
        check_positive(self.scale, "scale")

    def cdf(self, x: Floats) -> Floats:
        """P(X ≤ x)."""
        from scipy.special import gammainc

        return np.asarray(gammainc(self.shape, np.maximum(x, 0.0) / self.scale))

    def partial_mean(self, x: Floats) -> Floats:
        """E[X; X ≤ x]."""
        from scipy.special import gammainc

        share = gammainc(self.shape + 1.0, np.maximum(x, 0.0) / self.scale)
        return np.asarray(self.shape * self.scale * share)


def Exponential(mean: float) -> Gamma:
    """Return the exponential distribution with the given mean: a gamma distribution of shape 1."""
    return Gamma(1.0, check_positive(mean, "mean"))


@dataclass(frozen=True)
class LogNormal(_PartialMean):
    """The distribution of exp(Z) for a normal Z with the given mean and standard deviation."""

    log_mean: float
    log_sd: float

    def __post_init__(self) -> None:
        check_scalar(self.log_mean, "log_mean")
        check_positive(self.log_sd, "log_sd")

    def _z(self, x: Floats) -> Floats:
        with np.errstate(divide="ignore"):
            return (np.log(np.maximum(x, 0.0)) - self.log_mean) / self.log_sd

    def cdf(self, x: Floats) -> Floats:
        """P(X ≤ x)."""
        from scipy.special import ndtr

        return np.asarray(ndtr(self._z(x)))

    def partial_mean(self, x: Floats) -> Floats:
        """E[X; X ≤ x]."""
        from scipy.special import log_ndtr

        # In logarithms: the mean alone may overflow where the part below x does not.
        log_mean = self.log_mean + 0.5 * self.log_sd**2
        return np.asarray(np.exp(log_mean + log_ndtr(self._z(x) - self.log_sd)))


@dataclass(frozen=True, eq=False)
class Empirical:
    """The contexts met so far, as a sample with optional weights."""

    support: Floats
    probability: Floats

    def __init__(self, values: Any, weights: Any = None) -> None:
        support = to_numpy(read_array(values, "values"))
        weight = np.ones(len(support))
        if weights is not None:
            weight = to_numpy(read_array(weights, "weights"))
            check_weights(weight, "weights")
        check_same_length(values=support, weights=weight)
        check_finite(support, "values")
        object.__setattr__(self, "support", support.copy())
        object.__setattr__(self, "probability", weight / weight.sum())


def PointMass(value: float) -> Empirical:
    """Return the distribution of a context that is known."""
    return Empirical([check_scalar(value, "value")])


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


class FrozenLaw(Protocol):
    """What is asked of a distribution of another library."""

    def cdf(self, x: Any) -> Any:
        """P(X ≤ x)."""


Distribution: TypeAlias = Uniform | Beta | Normal | Gamma | LogNormal | Empirical | FrozenLaw
"""A distribution of contexts: one of ours, or anything frozen from ``scipy.stats``."""


def as_distribution(distribution: Any) -> ContinuousLaw | DiscreteLaw:
    """Return what the piecewise functions can use; wrap distributions of other libraries."""
    if isinstance(distribution, (Uniform, _PartialMean, Empirical, _ByCdf)):
        return distribution
    if callable(getattr(distribution, "cdf", None)) and not isinstance(distribution, type):
        return _enumerated(distribution) if _is_discrete(distribution) else _ByCdf(distribution)
    raise InputError(
        "'distribution' must be one of Uniform, Beta, Normal, Exponential, Gamma, LogNormal, "
        "Empirical, PointMass, or a frozen scipy.stats distribution; "
        f"got {getattr(distribution, '__name__', type(distribution).__name__)}."
    )


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
