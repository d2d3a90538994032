"""Confidence intervals from a value and its standard error."""

from __future__ import annotations

import math
from typing import Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from roctopus.core.arrays import Floats
from roctopus.core.checks import check_choice, check_scalar
from roctopus.core.errors import InputError, warn
from roctopus.core.resampling import Random, poisson_counts, read_generator

Scale: TypeAlias = Literal["plain", "logit", "log"]
Method: TypeAlias = Literal["plain", "logit", "log", "studentized"]
RESAMPLES = 999
ROUNDING = 1e-12
"""Values so near to an end of the logit scale are at it: areas are sums of many products."""


class ConfidenceInterval(NamedTuple):
    """The two ends of a confidence interval.

    Parameters
    ----------
    low : float
        Lower end.
    high : float
        Upper end.

    Examples
    --------
    >>> from roctopus import asymmetric_absolute_error, estimate
    >>> cost = estimate(asymmetric_absolute_error, [3, 5, 8, 9], [2, 5, 9, 7], asymmetry=0.75)
    >>> low, high = cost.confidence_interval(0.9, method="plain")
    >>> round(low, 2), round(high, 2)
    (0.0, 2.81)
    """

    low: float
    high: float


def check_level(confidence_level: float) -> float:
    """Return a confidence level."""
    level = check_scalar(confidence_level, "confidence_level")
    if not 0.0 < level < 1.0:
        raise InputError(
            f"'confidence_level' must be greater than 0 and less than 1, but is {level:g}."
        )
    return level


def upper_quantile(confidence_level: float, freedom: float | None = None) -> float:
    """Return the upper quantile of a two-sided interval: Student's, or the normal one."""
    from scipy.special import ndtri, stdtrit

    upper = 0.5 * (1.0 + check_level(confidence_level))
    return float(ndtri(upper) if freedom is None else stdtrit(freedom, upper))


def studentized(
    value: float, changes: Floats, confidence_level: float, scale: Scale, rng: Random
) -> tuple[float, float]:
    """Return the quantiles of resampled values over their own standard errors, on a scale.

    The mean of ``changes`` over independent units is by how much a resample moves the value.
    """
    level = check_level(confidence_level)
    generator = read_generator(rng)
    if len(changes) < 10:
        raise InputError(
            "Studentized intervals need at least 10 cases (or clusters), but there are only "
            f"{len(changes)}. Use another 'method', such as 'plain'."
        )
    centred = changes - changes.mean()
    largest = float(np.max(np.abs(centred)))
    if largest == 0.0:
        return 0.0, 0.0
    scaled = centred / largest
    powers = np.stack([np.ones(len(scaled)), scaled, scaled**2], axis=1).astype(np.float32)
    sums = np.concatenate(
        [counts @ powers for counts in poisson_counts(len(scaled), RESAMPLES, generator)]
    ).astype(np.float64)
    count = np.maximum(sums[:, 0], 1.0)
    mean = sums[:, 1] / count
    variance = sums[:, 2] / count - mean * mean
    moved = value + largest * mean
    possible = variance > 1e-6 * float(np.mean(scaled**2))
    if scale != "plain":
        possible &= (moved > 0.0) & ((moved < 1.0) | (scale == "log"))
    error = largest * np.sqrt(variance[possible] / count[possible])
    moved = moved[possible]
    shift = moved - value
    if scale != "plain":
        error = error / moved
        shift = np.log(moved / value)
    if scale == "logit":
        error = error / (1.0 - moved)
        shift = shift - np.log((1.0 - moved) / (1.0 - value))
    low, high = np.quantile(shift / error, [0.5 - 0.5 * level, 0.5 + 0.5 * level])
    return float(low), float(high)


def interval(
    value: float,
    standard_error: float,
    confidence_level: float,
    freedom: float | None = None,
    scale: Scale = "plain",
    *,
    units: float = math.inf,
    quantiles: tuple[float, float] | None = None,
) -> ConfidenceInterval:
    """Return value ± quantile × standard error, on a scale.

    The quantile is Student's, or the normal one without degrees of freedom, unless the lower and
    the upper one are given. Where all units agree on a value at the end of its range, the interval
    is one-sided: as if the value were a share of that many units.
    """
    level = check_level(confidence_level)
    if scale not in get_args(Scale):
        check_choice(scale, "method", *get_args(Method))
    if quantiles is None:
        quantile = upper_quantile(level, freedom)
        quantiles = -quantile, quantile
    if not math.isfinite(value) or math.isinf(standard_error):
        return ConfidenceInterval(-math.inf, math.inf)
    if standard_error == 0.0:
        return _without_spread(value, level, scale, units)
    low, high = quantiles
    if scale == "plain":
        return ConfidenceInterval(value - high * standard_error, value - low * standard_error)
    if scale == "log":
        if value <= 0.0:
            raise InputError(
                f"An interval with method='log' needs a value above 0, but the value is {value:g}."
            )
        error = standard_error / value
        return ConfidenceInterval(*(value * _exp(-q * error) for q in (high, low)))
    if _end_near(value) is not None:
        return _without_spread(value, level, scale, units)
    if not 0.0 < value < 1.0:
        raise InputError(
            "An interval with method='logit' needs a value between 0 and 1, but the value is "
            f"{value:g}."
        )
    odds, error = value / (1.0 - value), standard_error / (value * (1.0 - value))
    ends = (odds * _exp(-q * error) for q in (high, low))
    return ConfidenceInterval(*(end / (1.0 + end) if math.isfinite(end) else 1.0 for end in ends))


def square_interval(
    value: float, standard_error: float, noise: float, quantile: float
) -> ConfidenceInterval:
    """Return the interval of a sum of squared means, from which noise was subtracted.

    The variance of such a sum grows with its true value, as that of a share does, so Wilson's idea
    fits: the interval holds those true values that the value lies within so many of their standard
    errors of. At a true value θ the variance is proportional to θ + noise/2.
    """
    growth = quantile**2 * standard_error**2 / (value + noise)
    middle = value + 0.5 * growth
    reach = math.sqrt(max(growth * (middle + 0.5 * noise - 0.25 * growth), 0.0))
    return ConfidenceInterval(middle - reach, max(middle + reach, 0.0))


def square_pvalue(value: float, standard_error: float, noise: float) -> float:
    """Return the p-value of a true sum of squared means of 0.

    Then the sum before noise was subtracted is about a chi-square variable times a number: those
    that have its mean (the noise) and its variance.
    """
    from scipy.special import chdtrc

    variance = standard_error**2 * 0.5 * noise / (value + noise)
    freedom = 2.0 * noise**2 / variance
    return float(chdtrc(freedom, freedom * (value + noise) / noise))


def _exp(x: float) -> float:
    return math.exp(x) if x < 700.0 else math.inf


def _end_near(value: float) -> float | None:
    """Return which end of the logit scale a value is at, None if it is between them."""
    if abs(value - 0.5) < 0.5 - ROUNDING or abs(value - 0.5) > 0.5 + ROUNDING:
        return None
    return float(value > 0.5)


def _without_spread(value: float, level: float, scale: Scale, units: float) -> ConfidenceInterval:
    """Answer for estimates on which all units agree."""
    reach = 1.0 - (1.0 - level) ** (1.0 / units)  # a share this large would have shown itself
    end = _end_near(value) if scale == "logit" else None
    if end is not None:
        warn(
            f"All cases give the value {end:g}, which is the {'largest' if end else 'smallest'} "
            f"possible one. The interval is one-sided, as for a share of {100.0 * end:g} % among "
            f"{units:g} case{'' if units == 1.0 else 's'}."
        )
        return ConfidenceInterval(1.0 - reach, 1.0) if end else ConfidenceInterval(0.0, reach)
    warn(
        "All cases give the same value, so the interval has no width. This does not mean that "
        "the value is certain."
    )
    return ConfidenceInterval(value, value)
