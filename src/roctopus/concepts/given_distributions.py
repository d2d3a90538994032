"""Distributions of other libraries, and of the sample's own true values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn, Protocol, TypeAlias

import numpy as np

from roctopus.concepts.distributions import (
    Beta,
    ByPartialMean,
    Empirical,
    Gamma,
    LogNormal,
    Normal,
    Uniform,
)
from roctopus.core.arrays import Floats, as_float
from roctopus.core.checks import check_interval, check_number
from roctopus.core.distributions import Continuous, Discrete
from roctopus.core.errors import InputError, arg


@dataclass(frozen=True)
class Output:
    """Contexts are distributed as the true values of the sample, all or those in a range.

    It suits cutoffs of the same kind as the output: supply meets demand, a change is compared with
    the last value, everyone asks who is above them. For the values of another sample use
    ``Empirical(values)``.

    Parameters
    ----------
    low, high : float, optional
        Ends of the range of true values, both included; by default there is no bound.

    Examples
    --------
    >>> from roctopus import Output, expected_cutoff_error
    >>> rain, forecast = [12.0, 30.0, 45.0], [15.0, 24.0, 48.0]
    >>> round(expected_cutoff_error(rain, forecast, distribution=Output()), 3)
    0.111
    """

    low: float | None = None
    high: float | None = None

    def __post_init__(self) -> None:
        low, high = self.ends
        if not low <= high:
            raise InputError(
                f"'low' must not be above 'high', but 'low' is {low:g} and 'high' is {high:g}."
            )

    @property
    def ends(self) -> tuple[float, float]:
        """The ends of the range, infinite where there is no bound."""
        return (
            -np.inf if self.low is None else check_number(self.low, "low"),
            np.inf if self.high is None else check_number(self.high, "high"),
        )

    def within(self, y_true: Floats) -> Any:
        """Return which true values lie in the range.

        Parameters
        ----------
        y_true : array of shape (n,)
            True values, one per case.

        Returns
        -------
        array of bool of shape (n,)
            Whether each of them does.
        """
        low, high = self.ends
        inside = (y_true >= low) & (y_true <= high)
        if not inside.any():
            self.refuse(float(y_true.min()), float(y_true.max()))
        return inside

    def refuse(self, lowest: float, highest: float) -> NoReturn:
        """Raise an error for true values of which none lies in the range.

        Parameters
        ----------
        lowest, highest : float
            The smallest and the largest true value.
        """
        low, high = self.ends
        raise InputError(
            f"No value of {arg('y_true')} lies between {low:g} and {high:g}, the range of cutoffs. "
            f"Use a range that overlaps with the true values ({lowest:g} to {highest:g})."
        )

    def distribution(self, y_true: Floats, weight: Floats | None) -> Empirical:
        """Return the distribution of the true values of a sample.

        Parameters
        ----------
        y_true : array of shape (n,)
            True values, one per case.
        weight : array of shape (n,) or None
            Weight of each case.

        Returns
        -------
        Empirical
            The distribution of those in the range.
        """
        inside = self.within(y_true)
        return Empirical(y_true[inside], None if weight is None else weight[inside])


LEAST_MASS = 1e-8
MOST_POINTS = 2_000_000
"""Largest number of points of a discrete distribution."""


@dataclass(frozen=True)
class _ByCdf:
    """A continuous distribution of which only the cdf is known, such as scipy's frozen ones."""

    given: Any

    def cdf(self, x: Floats) -> Floats:
        points = np.append(x, 0.0)  # never one: that might pass for a single number
        try:
            return np.asarray(self.given.cdf(points), dtype=np.float64)[:-1].reshape(np.shape(x))
        except TypeError:  # a cdf of single numbers, as statistics.NormalDist has
            return np.asarray(np.vectorize(self.given.cdf, otypes=[np.float64])(x))

    def moment(self, low: Floats, high: Floats, origin: Floats) -> Floats:
        """E[X − origin; low < X < high] from the area over the cdf, by adaptive quadrature.

        The cdf may have kinks where the support ends, so only the support is integrated over.
        """
        from scipy.integrate import quad_vec

        start, stop = self._bounds()
        if np.isinf(low).any() or np.isinf(high).any():
            self._refuse_without_mean()
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

    def _refuse_without_mean(self) -> None:
        mean = getattr(self.given, "mean", 0.0)
        if not np.isfinite(as_float(mean() if callable(mean) else mean)):
            raise InputError(
                f"{arg('distribution')} has no finite mean, so the expected value of this curve is "
                "infinite or undefined. Use a distribution with a finite mean."
            )

    def _bounds(self) -> tuple[float, float]:
        """Return the ends of the support; where infinite, of all but 1e-15 in each tail."""
        support = getattr(self.given, "support", None)
        start, stop = (float(end) for end in support()) if callable(support) else (-np.inf, np.inf)
        quantile = getattr(self.given, "ppf", None) or getattr(self.given, "icdf", None)
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
class _Part:
    """A continuous distribution, given that the value lies between two ends."""

    distribution: Continuous
    low: float
    high: float
    below: float
    mass: float

    def cdf(self, x: Floats) -> Floats:
        inside = self.distribution.cdf(np.clip(x, self.low, self.high))
        return np.clip((inside - self.below) / self.mass, 0.0, 1.0)

    def moment(self, low: Floats, high: Floats, origin: Floats) -> Floats:
        ends = np.clip(low, self.low, self.high), np.clip(high, self.low, self.high)
        return self.distribution.moment(*ends, origin) / self.mass


class Frozen(Protocol):
    """The methods that a distribution of another library must have."""

    def cdf(self, x: Any) -> Any:
        """P(X ≤ x)."""


@dataclass(frozen=True)
class Truncated:
    """A distribution restricted to contexts between two ends, both included.

    Parameters
    ----------
    distribution : Distribution
        Distribution to be cut, such as ``Normal(0, 1)``.
    low, high : float
        Ends of the range; one of them may be infinite.

    Notes
    -----
    Far in a tail, with less than 1e-8 of the distribution in the range, a cumulative distribution
    has too few digits: this raises an error.

    Examples
    --------
    >>> from roctopus import Normal, Truncated, expected_cutoff_error
    >>> positive = Truncated(Normal(0, 1), 0, float("inf"))
    >>> round(expected_cutoff_error([0.0], [1.0], distribution=positive), 4)
    0.6827
    """

    distribution: Any
    low: float
    high: float

    def __post_init__(self) -> None:
        low, high = check_number(self.low, "low"), check_number(self.high, "high")
        check_interval(low, high, "Truncated(distribution, low, high)")
        self.part()

    def part(self) -> _Part | Empirical:
        """Return the part of the distribution between the ends.

        Returns
        -------
        Distribution
            A distribution with total probability 1.
        """
        exact = as_distribution(self.distribution)
        if isinstance(exact, Discrete):
            inside = (exact.support >= self.low) & (exact.support <= self.high)
            mass = float(exact.probability[inside].sum())
            if mass > 0.0:
                return Empirical(exact.support[inside], exact.probability[inside])
        else:
            below, up_to = exact.cdf(np.array([self.low, self.high], dtype=float)).tolist()
            mass = up_to - below
            if mass >= LEAST_MASS:
                return _Part(exact, float(self.low), float(self.high), below, mass)
        raise InputError(
            f"The distribution cannot be truncated to the range from {self.low:g} to "
            f"{self.high:g}, because its probability there is {mass:.2g}."
        )


Distribution: TypeAlias = (
    Uniform | Beta | Normal | Gamma | LogNormal | Empirical | Output | Truncated | Frozen
)
"""A distribution of contexts: one of ours, or anything frozen from ``scipy.stats``."""


def as_distribution(distribution: Any) -> Continuous | Discrete:
    """Return what the piecewise functions can use; wrap distributions of other libraries."""
    if isinstance(distribution, (Uniform, ByPartialMean, Empirical, _ByCdf, _Part)):
        return distribution
    if isinstance(distribution, Truncated):
        return distribution.part()
    if isinstance(distribution, Output):
        raise InputError(
            "Output() cannot be used here, because it stands for the true values of a sample, but "
            "there is no sample. Use Empirical(y_true) instead."
        )
    if callable(getattr(distribution, "freeze", None)) and not hasattr(distribution, "xk"):
        family = f"stats.{getattr(distribution, 'name', 'norm')}"
        raise InputError(
            f"{arg('distribution')} must be a single distribution, but {family} is a family of "
            f"distributions. Add its parameters, as in {family}(...)."
        )
    if callable(getattr(distribution, "cdf", None)) and not isinstance(distribution, type):
        return _enumerated(distribution) if _is_discrete(distribution) else _ByCdf(distribution)
    if isinstance(distribution, type):
        told = f"the class {distribution.__name__}. Add its parameters in parentheses"
    else:
        told = f"of type {type(distribution).__name__}"
    raise InputError(
        f"{arg('distribution')} must be a distribution (Uniform, Beta, Normal, Exponential, Gamma, "
        "LogNormal, Empirical, PointMass, Truncated, or a frozen scipy.stats distribution), but is "
        f"{told}."
    )


def _is_discrete(distribution: Any) -> bool:
    """Return whether it has atoms: scipy's new continuous classes have a ``pmf`` too, of zero."""
    if not (hasattr(distribution, "pmf") and hasattr(distribution, "median")):
        return False
    return float(distribution.pmf(distribution.median())) > 0.0


def _enumerated(distribution: Any) -> Empirical:
    """List the support of a distribution on a lattice, but for less than 1e-15 in each tail."""
    # First whether there are not too many: quantiles of endless tails may never come back.
    middle, reach = float(distribution.median()), MOST_POINTS // 2
    inside = float(distribution.cdf(middle + reach)) - float(distribution.cdf(middle - reach))
    if 1.0 - inside > 1e-9:
        raise InputError(
            f"This discrete distribution has more than {MOST_POINTS:,} possible values, which is "
            "too many. Use a sample of it, as in Empirical(values), or a similar continuous "
            "distribution."
        )
    quantile = getattr(distribution, "ppf", None) or distribution.icdf
    low, high = float(quantile(1e-15)), float(quantile(1.0 - 1e-15))
    points = low + np.arange(np.ceil(high - low) + 1.0)
    mass = np.asarray(distribution.pmf(points), dtype=np.float64)
    if abs(mass.sum() - 1.0) > 1e-9:
        raise InputError(
            "The points of this discrete distribution are not one unit apart. "
            "Pass the points and their probabilities as Empirical(values, weights)."
        )
    return Empirical(points[mass > 0], mass[mass > 0])
