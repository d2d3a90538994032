"""Distributions of a context: how likely each of the future costs is.

Each has its cumulative distribution and its partial mean in closed form, which is all that an exact
mean of a piecewise curve needs. ``concepts.given_distributions`` reads those of other libraries.
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
    """Every context between ``low`` and ``high`` is equally likely.

    Parameters
    ----------
    low, high : float
        Ends of the range.

    Examples
    --------
    >>> from roctopus import Uniform, asymmetry_cost_curve
    >>> curve = asymmetry_cost_curve([3, 5, 8, 9], [2, 5, 9, 7])
    >>> round(curve.expect(Uniform(0.5, 0.9)), 4)
    0.7437
    """

    low: float
    high: float

    def __post_init__(self) -> None:
        check_interval(
            check_scalar(self.low, "low"), check_scalar(self.high, "high"), "Uniform(low, high)"
        )
        check_scalar(self.high - self.low, "high - low")

    def cdf(self, x: Floats) -> Floats:
        """Return P(X ≤ x).

        Parameters
        ----------
        x : array
            Contexts.

        Returns
        -------
        array
            Probabilities, from 0 to 1.
        """
        return np.clip((x - self.low) / (self.high - self.low), 0.0, 1.0)

    def moment(self, low: Floats, high: Floats, origin: Floats) -> Floats:
        """Return E[X − origin; low < X < high]: the mean within an interval, times its probability.

        Parameters
        ----------
        low, high : array
            Ends of each interval, both excluded.
        origin : array
            Number that contexts are measured from.

        Returns
        -------
        array
            Partial mean of each interval.
        """
        left, right = np.clip(low, self.low, self.high), np.clip(high, self.low, self.high)
        width = right - left
        return width / (self.high - self.low) * ((left - origin) + 0.5 * width)


class ByPartialMean(ABC):
    """A distribution whose partial mean about its own location is known: E[X − location; X ≤ x].

    Far from zero, a partial mean about zero would lose the digits that a narrow piece needs.
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
        """Return E[X − origin; low < X < high]: the mean within an interval, times its probability.

        Parameters
        ----------
        low, high : array
            Ends of each interval, both excluded.
        origin : array
            Number that contexts are measured from.

        Returns
        -------
        array
            Partial mean of each interval.
        """
        mass = self.cdf(high) - self.cdf(low)
        mean = self.partial_mean(high) - self.partial_mean(low)
        return mean + (self.location - origin) * mass


@dataclass(frozen=True)
class Beta(ByPartialMean):
    """A beta distribution, stretched over [low, high].

    Use it for shares such as an asymmetry: ``Beta(4, 2)`` has mean 4/6 and most of its weight above
    ½.

    Parameters
    ----------
    a, b : float
        Positive shapes; the mean lies at a/(a + b) of the way from ``low`` to ``high``.
    low : float, default 0
        Smallest context.
    high : float, default 1
        Largest context.

    Examples
    --------
    >>> from roctopus import Beta, asymmetry_cost_curve
    >>> curve = asymmetry_cost_curve([3, 5, 8, 9], [2, 5, 9, 7])
    >>> round(curve.expect(Beta(4, 2)), 4)
    0.7194
    """

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
        """Return P(X ≤ x).

        Parameters
        ----------
        x : array
            Contexts.

        Returns
        -------
        array
            Probabilities, from 0 to 1.
        """
        return _beta_cdf(self.a, self.b, self._unit(x))

    @property
    def location(self) -> float:
        """The lowest context, which partial means are measured from."""
        return self.low

    def partial_mean(self, x: Floats) -> Floats:
        """Return E[X − low; X ≤ x].

        Parameters
        ----------
        x : array
            Contexts.

        Returns
        -------
        array
            Partial means up to each context.
        """
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
    """A normal distribution of contexts.

    Parameters
    ----------
    mean : float
        Mean, in the unit of the context.
    sd : float
        Standard deviation, positive.

    Examples
    --------
    >>> from roctopus import Normal, expected_cutoff_error
    >>> rain, forecast = [12.0, 30.0, 45.0], [15.0, 24.0, 48.0]
    >>> round(expected_cutoff_error(rain, forecast, distribution=Normal(25, 5)), 3)
    0.146
    """

    mean: float
    sd: float

    def __post_init__(self) -> None:
        check_scalar(self.mean, "mean")
        check_positive(self.sd, "sd")

    def cdf(self, x: Floats) -> Floats:
        """Return P(X ≤ x).

        Parameters
        ----------
        x : array
            Contexts.

        Returns
        -------
        array
            Probabilities, from 0 to 1.
        """
        from scipy.special import ndtr

        return np.asarray(ndtr((x - self.mean) / self.sd))

    @property
    def location(self) -> float:
        """The mean, which partial means are measured from."""
        return self.mean

    def partial_mean(self, x: Floats) -> Floats:
        """Return E[X − mean; X ≤ x].

        Parameters
        ----------
        x : array
            Contexts.

        Returns
        -------
        array
            Partial means up to each context.
        """
        z = (x - self.mean) / self.sd
        return np.asarray(-self.sd * np.exp(-0.5 * z * z) / np.sqrt(2.0 * np.pi))


@dataclass(frozen=True)
class Gamma(ByPartialMean):
    """A gamma distribution with mean shape × scale.

    Use it for positive contexts without an upper end, such as prices.

    Parameters
    ----------
    shape : float
        Shape, positive: the larger, the narrower around the mean.
    scale : float
        Scale, positive, in the unit of the context.

    Examples
    --------
    >>> from roctopus import Gamma, expected_cutoff_error
    >>> rain, forecast = [12.0, 30.0, 45.0], [15.0, 24.0, 48.0]
    >>> round(expected_cutoff_error(rain, forecast, distribution=Gamma(5, 5)), 3)
    0.099
    """

    shape: float
    scale: float

    def __post_init__(self) -> None:
        check_positive(self.shape, "shape")
        check_positive(self.scale, "scale")

    def cdf(self, x: Floats) -> Floats:
        """Return P(X ≤ x).

        Parameters
        ----------
        x : array
            Contexts.

        Returns
        -------
        array
            Probabilities, from 0 to 1.
        """
        from scipy.special import gammainc

        return np.asarray(gammainc(self.shape, np.maximum(x, 0.0) / self.scale))

    def partial_mean(self, x: Floats) -> Floats:
        """Return E[X; X ≤ x].

        Parameters
        ----------
        x : array
            Contexts.

        Returns
        -------
        array
            Partial means up to each context.
        """
        from scipy.special import gammainc

        share = gammainc(self.shape + 1.0, np.maximum(x, 0.0) / self.scale)
        return np.asarray(self.shape * self.scale * share)


def Exponential(mean: float) -> Gamma:
    """Return the exponential distribution with the given mean: a gamma distribution of shape 1.

    Parameters
    ----------
    mean : float
        Mean, positive, in the unit of the context.

    Returns
    -------
    Gamma
        The distribution.

    Examples
    --------
    >>> from roctopus import Exponential
    >>> Exponential(12.5)
    Gamma(shape=1.0, scale=12.5)
    """
    return Gamma(1.0, check_positive(mean, "mean"))


@dataclass(frozen=True)
class LogNormal(ByPartialMean):
    """The distribution of exp(Z) for a normal Z.

    Use it for positive contexts that vary by factors, such as a cost ratio around 4 that may be
    half or twice as large.

    Parameters
    ----------
    log_mean : float
        Mean of Z; exp(log_mean) is the median of the distribution.
    log_sd : float
        Standard deviation of Z, positive.

    Examples
    --------
    >>> import math
    >>> from roctopus import LogNormal, expected_cutoff_error
    >>> rain, forecast = [12.0, 30.0, 45.0], [15.0, 24.0, 48.0]
    >>> around_25 = LogNormal(math.log(25), 0.2)
    >>> round(expected_cutoff_error(rain, forecast, distribution=around_25), 3)
    0.135
    """

    log_mean: float
    log_sd: float

    def __post_init__(self) -> None:
        check_scalar(self.log_mean, "log_mean")
        check_positive(self.log_sd, "log_sd")

    def _z(self, x: Floats) -> Floats:
        with np.errstate(divide="ignore"):
            return (np.log(np.maximum(x, 0.0)) - self.log_mean) / self.log_sd

    def cdf(self, x: Floats) -> Floats:
        """Return P(X ≤ x).

        Parameters
        ----------
        x : array
            Contexts.

        Returns
        -------
        array
            Probabilities, from 0 to 1.
        """
        from scipy.special import ndtr

        return np.asarray(ndtr(self._z(x)))

    def partial_mean(self, x: Floats) -> Floats:
        """Return E[X; X ≤ x].

        Parameters
        ----------
        x : array
            Contexts.

        Returns
        -------
        array
            Partial means up to each context.
        """
        from scipy.special import log_ndtr

        # In logarithms: the mean alone may overflow where the part below x does not.
        log_mean = self.log_mean + 0.5 * self.log_sd**2
        return np.asarray(np.exp(log_mean + log_ndtr(self._z(x) - self.log_sd)))


@dataclass(frozen=True, eq=False)
class Empirical:
    """The contexts seen so far, as a sample with optional weights.

    Parameters
    ----------
    values : array of shape (k,)
        Contexts, in any order.
    weights : array of shape (k,), optional
        How much each context counts; by default all count equally.

    Attributes
    ----------
    support : array
        Contexts, increasing.
    probability : array
        Probability of each of them.

    Examples
    --------
    >>> from roctopus import Empirical, asymmetry_cost_curve
    >>> past = Empirical([0.6, 0.8, 0.8, 0.9])
    >>> past.support.tolist(), past.probability.tolist()
    ([0.6, 0.8, 0.8, 0.9], [0.25, 0.25, 0.25, 0.25])
    >>> round(asymmetry_cost_curve([3, 5, 8, 9], [2, 5, 9, 7]).expect(past), 4)
    0.6
    """

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
    """Return the distribution of a context that is known.

    Parameters
    ----------
    value : float
        The one context.

    Returns
    -------
    Empirical
        A distribution with all its probability at ``value``.

    Examples
    --------
    >>> from roctopus import PointMass, asymmetry_cost_curve
    >>> asymmetry_cost_curve([3, 5, 8, 9], [2, 5, 9, 7]).expect(PointMass(0.875))
    0.375
    """
    return Empirical([check_scalar(value, "value")])
