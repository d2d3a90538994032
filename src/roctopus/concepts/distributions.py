"""Distributions of a context: how likely each of the costs to come is.

Each knows its cumulative distribution and its partial mean in closed form, which is all that an
exact mean of a piecewise curve needs. ``concepts.given_distributions`` reads those of
other libraries.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

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


@dataclass(frozen=True)
class Uniform:
    """Every context between ``low`` and ``high`` is equally likely."""

    low: float
    high: float

    def __post_init__(self) -> None:
        check_interval(
            check_scalar(self.low, "low"), check_scalar(self.high, "high"), "Uniform(low, high)"
        )
        check_scalar(self.high - self.low, "high - low")

    def cdf(self, x: Floats) -> Floats:
        """P(X ≤ x)."""
        return np.clip((x - self.low) / (self.high - self.low), 0.0, 1.0)

    def moment(self, low: Floats, high: Floats, origin: Floats) -> Floats:
        """E[X − origin; low < X < high]."""
        left, right = np.clip(low, self.low, self.high), np.clip(high, self.low, self.high)
        width = right - left
        return width / (self.high - self.low) * ((left - origin) + 0.5 * width)


class ByPartialMean(ABC):
    """A distribution whose partial mean about its own location is known: E[X − location; X ≤ x].

    Far from zero, a partial mean about zero would cost the digits that a narrow piece needs.
    """

    @property
    def location(self) -> float:
        """The origin of the partial mean."""
        return 0.0

    @abstractmethod
    def cdf(self, x: Floats) -> Floats:
        """P(X ≤ x)."""

    @abstractmethod
    def partial_mean(self, x: Floats) -> Floats:
        """E[X − location; X ≤ x]."""

    def moment(self, low: Floats, high: Floats, origin: Floats) -> Floats:
        """E[X − origin; low < X < high]."""
        mass = self.cdf(high) - self.cdf(low)
        mean = self.partial_mean(high) - self.partial_mean(low)
        return mean + (self.location - origin) * mass


@dataclass(frozen=True)
class Beta(ByPartialMean):
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
        return _beta_cdf(self.a, self.b, self._unit(x))

    @property
    def location(self) -> float:
        """The low end."""
        return self.low

    def partial_mean(self, x: Floats) -> Floats:
        """E[X − low; X ≤ x]."""
        mean = (self.high - self.low) * self.a / (self.a + self.b)
        return mean * _beta_cdf(self.a + 1.0, self.b, self._unit(x))


def _beta_cdf(a: float, b: float, x: Floats) -> Floats:
    """Return the regularised incomplete beta function.

    For a whole b it is x^a·Σ_{k<b} Γ(a+k)/(Γ(a)·k!)·(1−x)^k: terms of one sign, so as accurate as
    the general function and many times as fast.
    """
    if b != int(b) or b > 16:
        from scipy.special import betainc

        return np.asarray(betainc(a, b, x))
    factors = [(a + k) / (k + 1) for k in range(int(b) - 1)]
    rest = 1.0 - x
    total = np.ones_like(rest)
    for factor in reversed(factors):  # Horner's scheme
        total *= rest
        total *= factor
        total += 1.0
    return np.asarray(x**a * total)


@dataclass(frozen=True)
class Normal(ByPartialMean):
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
class Gamma(ByPartialMean):
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
class LogNormal(ByPartialMean):
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
        possible = weight > 0
        object.__setattr__(self, "support", support[possible])
        object.__setattr__(self, "probability", weight[possible] / weight.sum())


def PointMass(value: float) -> Empirical:
    """Return the distribution of a context that is known."""
    return Empirical([check_scalar(value, "value")])
