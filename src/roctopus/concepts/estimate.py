"""A value with its influence values: standard error, interval and paired difference for free."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from roctopus.core.arrays import Floats
from roctopus.core.checks import check_scalar
from roctopus.core.errors import InputError, warn

__all__ = ["ConfidenceInterval", "Estimate", "Scale", "interval"]

Scale: TypeAlias = Literal["plain", "logit"]


class ConfidenceInterval(NamedTuple):
    """A two-sided interval."""

    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Estimate:
    """A metric's value on a sample, and how each case moves it.

    The influence value of a case is the derivative of the value in the case's weight, times the
    total weight. Their weighted sum is zero, and the spread of their mean is the uncertainty of the
    value. Two estimates on the same cases are subtracted case by case, so what the models share
    cancels. For a total (such as OVER) they are those of its mean, times the total weight, which
    is taken as fixed.
    """

    value: float
    influence: Floats
    """One per row as given; 0 where the row has weight 0."""
    sample_weight: Floats | None = None
    strata: NDArray[np.intp] | None = None
    """The class of each row where class sizes are fixed by design, as for an AUC."""

    @cached_property
    def size(self) -> int:
        """The number of cases that count."""
        if self.sample_weight is None:
            return len(self.influence)
        return int(np.count_nonzero(self.sample_weight))

    @cached_property
    def class_sizes(self) -> Floats:
        """The number of cases that count in each class of ``strata``; at least two."""
        if self.strata is None:
            sizes = np.array([self.size])
        elif self.sample_weight is None:
            sizes = np.bincount(self.strata)
        else:
            sizes = np.bincount(self.strata, weights=self.sample_weight > 0)
        if sizes[sizes > 0].min() < 2:
            where = "" if self.strata is None else " in every class"
            raise InputError(f"A standard error needs at least two cases{where}.")
        return sizes.astype(np.float64)

    @property
    def terms(self) -> Floats:
        """What each row adds to the value, up to the total weight."""
        return self.influence if self.sample_weight is None else self.sample_weight * self.influence

    def spread(self, products: Floats) -> float:
        """Return the (co)variance of values from products of their terms, within each class."""
        sizes = self.class_sizes
        strata, weight = self.strata, self.sample_weight
        sums = np.sum(products) if strata is None else np.bincount(strata, weights=products)
        total = len(self.influence) if weight is None else float(weight.sum())
        return float(np.sum(sums * sizes / np.maximum(sizes - 1.0, 1.0))) / total**2

    @cached_property
    def standard_error(self) -> float:
        """The standard error; with weights the sandwich form, with strata within each of them."""
        _ = self.class_sizes  # refuses classes of one case
        terms = self.terms
        # Scaled so that squares of extreme values stay in range.
        scale = max(map(abs, _extremes(terms)))
        if scale == 0.0 or not math.isfinite(scale):
            return 0.0 if scale == 0.0 else math.inf
        scaled = terms / scale
        scaled *= scaled
        return scale * math.sqrt(self.spread(scaled))

    def confidence_interval(
        self, confidence_level: float = 0.95, *, scale: Scale = "plain"
    ) -> ConfidenceInterval:
        """Return value ± quantile × standard error.

        The quantile is Student's with size − 1 degrees of freedom, or the normal one with strata.
        It is the plain interval: trust it for a few hundred cases without extreme errors. With
        ``scale="logit"`` it is made for the logit of the value, so that it stays between 0 and 1.
        """
        freedom = None if self.strata is not None else self.size - 1
        return interval(self.value, self.standard_error, confidence_level, freedom, scale)

    @property
    def pvalue(self) -> float:
        """Two-sided p-value of the hypothesis that the true value is zero."""
        from scipy.special import ndtr, stdtr

        if self.standard_error == 0.0:
            if self.value == 0.0:
                return 1.0
            _warn_of_no_spread("p-value is 0")
            return 0.0
        statistic = -abs(self.value) / self.standard_error
        if self.strata is None:
            return 2.0 * float(stdtr(self.size - 1, statistic))
        return 2.0 * float(ndtr(statistic))

    def check_same_cases(self, other: Estimate) -> None:
        """Refuse a comparison with an estimate on other cases."""
        if len(self.influence) != len(other.influence):
            raise InputError(
                "A paired difference needs the same cases, but one estimate has "
                f"{len(self.influence)} rows and the other {len(other.influence)}."
            )
        if not _same(self.sample_weight, other.sample_weight):
            raise InputError("A paired difference needs the same weights in both estimates.")
        if not _same(self.strata, other.strata):
            raise InputError("A paired difference needs the same classes in both estimates.")

    def __sub__(self, other: Estimate) -> Estimate:
        """Return the paired difference of two models on the same cases."""
        if not isinstance(other, Estimate):
            return NotImplemented
        self.check_same_cases(other)
        # What is left when equal numbers cancel is rounding, not a difference.
        size = max(abs(v) for e in (self, other) for v in (e.value, *_extremes(e.influence)))
        rounding = 64.0 * float(np.finfo(np.float64).eps) * size
        gap = self.value - other.value
        influence = self.influence - other.influence
        return Estimate(
            0.0 if abs(gap) <= rounding else gap,
            np.where(np.abs(influence) <= rounding, 0.0, influence),
            self.sample_weight,
            self.strata,
        )

    def __repr__(self) -> str:
        try:
            error = f"{self.standard_error:.4g}"
        except InputError:
            error = "unknown"
        return f"Estimate({self.value:.6g}, standard_error={error}, n={self.size})"


def interval(
    value: float,
    standard_error: float,
    confidence_level: float,
    freedom: int | None = None,
    scale: Scale = "plain",
) -> ConfidenceInterval:
    """Return an interval by Student's quantile, or the normal one without degrees of freedom."""
    from scipy.special import expit, logit, ndtri, stdtrit

    level = check_scalar(confidence_level, "confidence_level")
    if not 0.0 < level < 1.0:
        raise InputError(f"'confidence_level' must be between 0 and 1, got {level}.")
    if scale not in ("plain", "logit"):
        raise InputError(f"'scale' must be 'plain' or 'logit', got {scale!r}.")
    upper = 0.5 * (1.0 + level)
    quantile = float(ndtri(upper) if freedom is None else stdtrit(freedom, upper))
    half = quantile * standard_error
    if not math.isfinite(value) or math.isinf(half):
        return ConfidenceInterval(-math.inf, math.inf)
    if half == 0.0:
        _warn_of_no_spread("interval has no width")
    if scale == "plain" or half == 0.0:
        return ConfidenceInterval(value - half, value + half)
    if not 0.0 < value < 1.0:
        raise InputError(f"The logit scale is for values between 0 and 1, got {value:g}.")
    middle, half = float(logit(value)), half / (value * (1.0 - value))
    return ConfidenceInterval(float(expit(middle - half)), float(expit(middle + half)))


def _warn_of_no_spread(consequence: str) -> None:
    warn(f"All cases agree, so the {consequence}. It does not mean that the value is certain.")


def _extremes(values: Floats) -> tuple[float, float]:
    return float(np.min(values)), float(np.max(values))


def _same(a: NDArray[np.generic] | None, b: NDArray[np.generic] | None) -> bool:
    if a is None or b is None or a is b:
        return a is b
    return np.array_equal(a, b)
