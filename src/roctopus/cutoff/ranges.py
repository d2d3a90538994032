"""Distributions and ranges of cutoffs that come from the data."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from roctopus.concepts.distributions import Beta, Uniform
from roctopus.concepts.given_distributions import Truncated, as_distribution
from roctopus.core.checks import check_interval, check_mapping, check_pair, check_unit
from roctopus.core.distributions import Continuous, Discrete, cumulative
from roctopus.core.errors import InputError, warn
from roctopus.cutoff.cases import read_cases


def cutoff_range(y_true: Any, predictions: Mapping[str, Any]) -> tuple[float, float]:
    """Return the range of cutoffs at which any of the models can be wrong.

    Use one range for all models: expected errors under ``Uniform(*cutoff_range(...))`` are then
    comparable.

    Parameters
    ----------
    y_true : array of shape (n,)
        True values, one per case.
    predictions : mapping of str to array of shape (n,)
        Predictions by model.

    Returns
    -------
    low : float
        The smallest of all true values and predictions, which must be finite.
    high : float
        The largest of them.

    Examples
    --------
    >>> cutoff_range([3, 5, 8], {"a": [2, 5, 9], "b": [4, 4, 4]})
    (2.0, 9.0)
    """
    named = check_mapping(predictions, "predictions", "predictions")
    ranges = np.array([read_cases(y_true, each).range for each in named.values()])
    low, high = float(ranges[:, 0].min()), float(ranges[:, 1].max())
    if not (math.isfinite(low) and math.isfinite(high)):
        unbounded = [n for n, r in zip(named, ranges, strict=True) if not np.isfinite(r).all()]
        raise InputError(
            f"The model {unbounded[0]!r} has infinite predictions, so there is no finite range of "
            "cutoffs. Leave out this model."
        )
    return low, high


def cutoff_region(
    reference: tuple[float, float], low_share: float, high_share: float
) -> tuple[float, float]:
    """Return the part of a reference range between two shares of it, as in Table 5.

    Parameters
    ----------
    reference : tuple of two float
        Ends of the reference range.
    low_share, high_share : float
        Shares of the range at which the part starts and ends, from 0 to 1.

    Returns
    -------
    low : float
        The start of the part.
    high : float
        The end of the part.

    Examples
    --------
    >>> from roctopus import Beta
    >>> low, high = cutoff_region((10, 60), 0.2, 0.6)
    >>> Beta(2, 4, low, high)
    Beta(a=2, b=4, low=20.0, high=40.0)
    """
    low, high = check_pair(reference, "reference")
    check_interval(low, high, "The reference range")
    first, last = check_unit(low_share, "low_share"), check_unit(high_share, "high_share")
    check_interval(first, last, "The shares of the range")
    return low + first * (high - low), low + last * (high - low)


def distribution_range(distribution: Any) -> tuple[float, float]:
    """Return the range over which a continuous distribution of cutoffs is spread, finite."""
    low, high = _ends(distribution)
    if not (math.isfinite(low) and math.isfinite(high)):
        raise InputError(
            "normalize=False multiplies by the width of the distribution's range, but this "
            "distribution is discrete or unbounded. Use normalize=True, or a distribution on an "
            "interval, such as Uniform."
        )
    return low, high


def _ends(distribution: Any) -> tuple[float, float]:
    if isinstance(distribution, Truncated):
        low, high = _ends(distribution.distribution)
        return max(low, distribution.low), min(high, distribution.high)
    if isinstance(distribution, (Uniform, Beta)):
        return distribution.low, distribution.high
    support = getattr(distribution, "support", None)
    if callable(support) and not isinstance(as_distribution(distribution), Discrete):
        low, high = support()
        return float(low), float(high)
    return -math.inf, math.inf


def warn_of_no_mass(distribution: Continuous | Discrete, low: float, high: float) -> None:
    """Warn if no cutoff can meet the data, which lie between two ends."""
    below, up_to = cumulative(distribution, np.array([low, high]))
    if low < high and up_to - below <= 0.0:
        warn(
            f"No cutoff of the distribution lies between {low:g} and {high:g}, where the true "
            "values and predictions are, so the expected error of every model is 0. Check that "
            "cutoffs and true values have the same unit."
        )
