"""Distributions and ranges of cutoffs that come from the data."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from roctopus.concepts.distributions import Empirical
from roctopus.concepts.foreign_laws import Distribution
from roctopus.core.arrays import Floats
from roctopus.core.checks import check_interval, check_mapping, check_scalar, check_unit
from roctopus.core.errors import InputError
from roctopus.cutoff.cases import read_cases

__all__ = ["CutoffLaw", "Output", "check_region", "cutoff_range", "cutoff_region", "law_range"]


@dataclass(frozen=True)
class Output:
    """Cutoffs are distributed as the true values of the sample, all of them or those in a region.

    It suits problems in which cutoffs are values of the same kind: supply meets demand, a change
    is compared with the last value, everyone asks who is above them. For the values of another
    sample use ``Empirical(values)``.
    """

    low: float | None = None
    high: float | None = None

    def __post_init__(self) -> None:
        check_region(self.low, self.high)

    def within(self, y_true: Floats) -> Any:
        """Return which truths lie in the region, both ends included."""
        low, high = check_region(self.low, self.high)
        inside = (y_true >= low) & (y_true <= high)
        if not inside.any():
            raise InputError(
                f"No case of 'y_true' lies between {low:g} and {high:g}: the region holds no "
                f"cutoffs. The truths run from {y_true.min():g} to {y_true.max():g}."
            )
        return inside

    def law(self, y_true: Floats, weight: Floats | None) -> Empirical:
        """Return the distribution of the truths of a sample."""
        inside = self.within(y_true)
        return Empirical(y_true[inside], None if weight is None else weight[inside])


CutoffLaw: TypeAlias = Distribution | Output
"""A distribution of cutoffs; ``Output()`` stands for that of the sample's truths."""


def check_region(low: float | None, high: float | None) -> tuple[float, float]:
    """Return the ends of a region; None is no bound."""
    ends = (
        -math.inf if low is None else check_scalar(low, "low"),
        math.inf if high is None else check_scalar(high, "high"),
    )
    check_interval(*ends, "The region of cutoffs")
    return ends


def cutoff_range(y_true: Any, predictions: Mapping[str, Any]) -> tuple[float, float]:
    """Return the range of cutoffs at which any of the models can be wrong.

    It runs from the smallest to the largest of all truths and predictions. Take it once for all
    models: expected errors under ``Uniform(*cutoff_range(...))`` are then comparable.

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
            f"The model {unbounded[0]!r} has infinite predictions, so its errors have no range. "
            "Leave it out."
        )
    return low, high


def cutoff_region(
    reference: tuple[float, float], low_share: float, high_share: float
) -> tuple[float, float]:
    """Return the part of a reference range between two shares of it, as in Table 5.

    Examples
    --------
    >>> from roctopus import Beta
    >>> low, high = cutoff_region((10, 60), 0.2, 0.6)
    >>> Beta(2, 4, low, high)
    Beta(a=2, b=4, low=20.0, high=40.0)
    """
    low, high = (check_scalar(end, "reference") for end in reference)
    check_interval(low, high, "The reference range")
    first, last = check_unit(low_share, "low_share"), check_unit(high_share, "high_share")
    check_interval(first, last, "The shares of the range")
    return low + first * (high - low), low + last * (high - low)


def law_range(distribution: Any) -> tuple[float, float]:
    """Return the range over which a distribution of cutoffs is spread, both ends finite."""
    if isinstance(distribution, Empirical):
        low, high = float(distribution.support.min()), float(distribution.support.max())
    elif hasattr(distribution, "low") and hasattr(distribution, "high"):
        low, high = distribution.low, distribution.high
    else:
        support = getattr(distribution, "support", None)
        low, high = (float(end) for end in support()) if callable(support) else (-np.inf, np.inf)
    if low is None or high is None or math.isinf(low) or math.isinf(high):
        raise InputError(
            "normalize=False multiplies by the width of the distribution's range, which has no "
            "bounds here. Use one on an interval, or normalize=True."
        )
    return float(low), float(high)
