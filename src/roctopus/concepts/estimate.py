"""A value with its influence values, from which standard error, interval and differences follow."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roctopus.concepts.dependence import INDEPENDENT, Codes, Dependence
from roctopus.concepts.intervals import (
    ConfidenceInterval,
    Method,
    Scale,
    interval,
    square_interval,
    square_pvalue,
    studentized,
    upper_quantile,
)
from roctopus.concepts.rendering import Rendered, Sheet
from roctopus.concepts.tails import Tails
from roctopus.concepts.units import ClusterSpread, both_ways, sums_by
from roctopus.concepts.wording import sized
from roctopus.core.arrays import Floats, as_float
from roctopus.core.correlations import cosine_count, cosine_sums, used_cosines
from roctopus.core.errors import InputError, warn
from roctopus.core.moments import dot


@dataclass(frozen=True, eq=False, repr=False)
class Estimate(Rendered):
    """A metric's value on a sample, with its standard error, interval and p-value.

    Subtract two estimates on the same cases to compare two models: what the models share cancels.
    ``estimate`` makes it.

    Parameters
    ----------
    value : float
        Value of the metric.
    influence : array of shape (n,)
        Influence value of each row as given: how much its weight changes the value. 0 for a row of
        weight 0.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.
    strata : array of int of shape (n,), optional
        Class of each row, if class sizes are fixed by design, as for an AUC.
    scale : {"plain", "logit", "log"}, default "plain"
        Scale on which intervals are made: the logit for values between 0 and 1 that crowd at an
        end, the logarithm for variances and the like.
    dependence : Dependence, optional
        Clusters and times of the rows; by default rows are independent.
    of_class : int, optional
        Class that the value is about, as for a rate: only its cases count.
    condensed : tuple of int and float, optional
        Number and total weight of the cases, if ``influence`` has fewer rows than that, with the
        same sums of products.
    floor : float, default -inf
        Smallest possible true value, as 0 for losses. Intervals end there, also on the logit scale,
        where they end at 0 if there is none.
    ceiling : float, default 1
        Largest possible value on the logit scale: 1, except for parts of an area.
    carriers : float, default inf
        Number of cases that carry the value, if fewer than all: the positives for an average
        precision. Quantiles are Student's with one degree of freedom less, even with strata, and
        where all cases agree on an end of the range, so many cases say so.
    noise : float, default 0
        What chance adds to a sum of squares, such as a calibration error. ``value`` is without it.

    Notes
    -----
    The influence value of a case is the derivative of the value in the case's weight, times the
    total weight. The weighted sum of all of them is zero, and the spread of their mean is the
    uncertainty of the value. For a total, such as OVER, they are those of its mean, times the total
    weight, which is taken as fixed.

    Examples
    --------
    >>> from roctopus import asymmetric_absolute_error, estimate
    >>> demand = [31, 28, 35, 40, 38, 29, 33, 36]
    >>> forecast = [30, 27, 36, 37, 39, 26, 33, 34]
    >>> cost = estimate(asymmetric_absolute_error, demand, forecast, under_cost=4, over_cost=1)
    >>> cost
    Estimate(5.25, standard_error=1.719, n=8)
    >>> interval = cost.confidence_interval()
    >>> round(interval.low, 2), round(interval.high, 2)
    (1.18, 9.32)
    >>> flat = estimate(asymmetric_absolute_error, demand, [34] * 8, under_cost=4, over_cost=1)
    >>> round((cost - flat).value, 2), round((cost - flat).pvalue, 2)
    (-3.12, 0.25)

    Numbers can be subtracted, too, and ratios taken: 1 less the ratio is what one model saves.

    >>> saved = 1 - cost / flat
    >>> round(saved.value, 3), round(saved.standard_error, 3)
    (0.373, 0.217)
    """

    value: float
    influence: Floats
    sample_weight: Floats | None = None
    strata: NDArray[np.intp] | None = None
    scale: Scale = "plain"
    dependence: Dependence = INDEPENDENT
    of_class: int | None = None
    condensed: tuple[int, float] | None = None
    floor: float = -math.inf
    ceiling: float = 1.0
    carriers: float = math.inf
    noise: float = 0.0

    @cached_property
    def size(self) -> int:
        """The number of cases that count."""
        if self.condensed is not None:
            return self.condensed[0]
        if self.sample_weight is None:
            return len(self.influence)
        return int(np.count_nonzero(self.sample_weight))

    @cached_property
    def unit_sizes(self) -> Floats:
        """The number of independent units that count: clusters, or cases, by class of ``strata``.

        At least two are needed for a spread. Clusters may hold cases of several classes, so with
        them class sizes are not taken as fixed.
        """
        weight, (what, codes) = self.sample_weight, self._units
        if codes is not None:
            sizes, where = np.array([len(self.terms)]), f" {what}"
        elif self.strata is None:
            sizes, where = np.array([self.size]), " cases"
        else:
            present = None if weight is None else weight > 0
            sizes, where = np.bincount(self.strata, present), " cases in every class"
        if self.of_class is not None and len(sizes) > 1:
            sizes = sizes * (np.arange(len(sizes)) == self.of_class)
            where = " cases of the class that the metric is about"
        if self.dependence.crossed and len(self._of_clusters.factor) < 2:
            sizes, where = np.array([1]), " clusters"
        if min(size for size in sizes.tolist() if size > 0) < 2:
            lone = "a class has only one" if where.endswith("every class") else "there is only one"
            raise InputError(f"A standard error needs at least two{where}, but {lone}.")
        return sizes.astype(np.float64)

    @property
    def fewest_units(self) -> float:
        """The number of units in the smallest class, or of those that carry the value."""
        return min(float(self.unit_sizes[self.unit_sizes > 0].min()), max(self.carriers, 1.0))

    @property
    def _units(self) -> tuple[str, Codes | None]:
        """What rows are summed to: times, or else clusters."""
        about = self.dependence
        return ("clusters", about.clusters) if about.times is None else ("times", about.times)

    @cached_property
    def _weighted(self) -> Floats:
        weight = self.sample_weight
        return self.influence if weight is None else weight * self.influence

    @cached_property
    def terms(self) -> Floats:
        """What each unit adds to the value, up to the total weight; units of weight 0 are absent.

        Units are times, in order, or clusters, or cases.
        """
        _, codes = self._units
        if codes is None:
            return self._weighted
        return sums_by(codes, self._weighted, self.sample_weight)

    @cached_property
    def _of_clusters(self) -> ClusterSpread:
        assert self.dependence.clusters is not None
        return ClusterSpread.of(self.dependence.clusters, self.sample_weight)

    @cached_property
    def _largest_influence(self) -> float:
        return max(map(abs, _extremes(self.influence)))

    @cached_property
    def _largest_term(self) -> float:
        if self.terms is self.influence:
            return self._largest_influence
        return max(map(abs, _extremes(self.terms)))

    @cached_property
    def total_weight(self) -> float:
        """The total weight; the number of cases where there are no weights."""
        if self.condensed is not None:
            return self.condensed[1]
        weight = self.sample_weight
        return float(len(self.influence)) if weight is None else float(weight.sum())

    def deviates(self, cosines: float | None = None) -> Floats:
        """Return numbers whose sums of products are covariances of estimates.

        They are the ``terms``, made unbiased within classes or over all; or cosine sums, if rows
        come in order of time. Estimates that are combined need the same number of ``cosines``.

        Parameters
        ----------
        cosines : float, optional
            Number of cosines; by default that of this estimate.

        Returns
        -------
        array
            One number per unit, or per cosine.
        """
        about = self.dependence
        if about.times is not None:
            slow = cosine_sums(self.terms, cosines or self.cosines or 1)
            return np.concatenate([slow, self._cluster_terms]) if about.crossed else slow
        if about.clusters is not None:
            return self.terms * self._of_clusters.factor
        sizes = self.unit_sizes
        if self.strata is None:
            return self.terms * math.sqrt(sizes[0] / (sizes[0] - 1.0))
        return self.terms * np.sqrt(sizes / np.maximum(sizes - 1.0, 1.0))[self.strata]

    def _deviates(self, cosines: float | None) -> tuple[Floats, float]:
        """Return the same as numbers and a factor, without a copy of many terms."""
        if self.dependence.independent and self.strata is None:
            units = self.unit_sizes[0]
            return self.terms, math.sqrt(units / (units - 1.0))
        return self.deviates(cosines), 1.0

    @property
    def _cluster_terms(self) -> Floats:
        """Sums by cluster, where rows depend on their time, too."""
        clusters = self.dependence.clusters
        assert clusters is not None
        return sums_by(clusters, self._weighted, self.sample_weight) * self._of_clusters.factor

    @property
    def _cell_terms(self) -> Floats:
        """Sums of the rows of one cluster at one time."""
        clusters, times = self.dependence.clusters, self.dependence.times
        assert clusters is not None
        assert times is not None
        cells = np.unique(clusters * (int(times.max()) + 1) + times, return_inverse=True)[1]
        return sums_by(cells, self._weighted, None)

    def covariance(self, other: Estimate) -> float:
        """Return the covariance with another estimate on the same cases.

        Parameters
        ----------
        other : Estimate
            Estimate on the same cases.

        Returns
        -------
        float
            The covariance of the two values.
        """
        if other is not self:
            self.check_same_cases(other)
        return float(covariances((self,) if other is self else (self, other))[0, -1])

    @cached_property
    def cosines(self) -> float | None:
        """The number of cosines that describe slow changes; None without an order of time."""
        if self.dependence.times is None:
            return None
        found, about = cosine_count(self.terms), self.dependence
        if about.cosines is None:
            return found
        return about.cosines if about.agreed else min(found, about.cosines)

    @cached_property
    def standard_error(self) -> float:
        """The standard error; with weights the sandwich form, with strata within each of them."""
        units = self.unit_sizes[0]  # raises an error where there is one unit
        if self.dependence.crossed:
            spread, scale = scaled_covariances((self,))
            error = math.sqrt(max(float(spread[0, 0]), 0.0)) * float(scale[0])
        else:
            error = self._plain_error(units)
        return 0.0 if error <= 1e-14 * abs(self.value) else error  # less is rounding

    def _plain_error(self, units: float) -> float:
        """Return the root of a sum of squares, scaled so that extreme ones stay in range."""
        plain = self.dependence.independent and self.strata is None
        factor = math.sqrt(units / (units - 1.0)) if plain else 1.0
        largest = self._largest_term
        if largest == 0.0 or not math.isfinite(largest):
            return 0.0 if largest == 0.0 else math.inf
        parts = (self.terms if plain else self.deviates()) / largest
        return factor * math.sqrt(dot(parts, parts)) * (largest / self.total_weight)

    def scaled(self, factor: float) -> Estimate:
        """Return the estimate in another unit.

        Parameters
        ----------
        factor : float
            Number that the value is multiplied by.

        Returns
        -------
        Estimate
            The same estimate, times ``factor``.
        """
        floor = self.floor * factor if factor > 0.0 else -math.inf
        value, influence = self.value * factor, self.influence * factor
        found = replace(self, value=value, influence=influence, floor=floor)
        if factor > 0.0:
            return replace(found, ceiling=self.ceiling * factor, noise=self.noise * factor)
        return replace(found, scale="plain", noise=0.0)

    @property
    def freedom(self) -> float | None:
        """The degrees of freedom of Student's quantiles; None for normal ones."""
        about = self.dependence
        if about.independent:
            units = math.inf if self.strata is not None else self.unit_sizes[0]
            fewest = min(units, max(self.carriers, 2.0))
            return fewest - 1.0 if math.isfinite(fewest) else None
        of_time = math.inf
        if self.cosines is not None:
            of_time = float(used_cosines(self.cosines, len(self.terms)))
        by_cluster = about.times is None or about.crossed
        of_clusters = self._of_clusters.freedom if by_cluster else math.inf
        return min(of_time, of_clusters, max(self.carriers, 2.0) - 1.0)

    def confidence_interval(
        self,
        confidence_level: float = 0.95,
        *,
        method: Method | None = None,
        rng: int | np.random.Generator = 0,
    ) -> ConfidenceInterval:
        """Return an interval for the true value.

        Parameters
        ----------
        confidence_level : float, default 0.95
            Probability that an interval contains the true value.
        method : {"plain", "logit", "log", "studentized"}, optional
            How the interval is made. "plain" is value ± quantile × standard error; "logit" and
            "log" are the same on a scale on which the value has no bounds; "studentized" uses the
            quantiles of resampled influence values over their own standard errors. By default the
            scale that suits the metric is used, and quantiles are corrected for skewness if tails
            are long; sums of squares have Wilson's interval.
        rng : int or Generator, default 0
            Seed or generator of random numbers: the same seed gives the same result.

        Returns
        -------
        ConfidenceInterval
            The ends of the interval, ``low`` and ``high``.

        Notes
        -----
        Quantiles are Student's with (units − 1) degrees of freedom, or normal ones with strata.
        Only "studentized" draws random numbers.
        """
        scale: Any = self.scale if method in (None, "studentized") else method
        quantiles = None
        if method == "studentized":
            changes = self._counted * (len(self._counted) / self.total_weight)
            least, unit = self._range_on(self.scale)
            quantiles = studentized(
                (self.value - least) / unit, changes / unit, confidence_level, self.scale, rng
            )
        elif method is None and self._is_square:
            quantile = upper_quantile(confidence_level, self.freedom)
            ends = square_interval(self.value, self.standard_error, self.noise, quantile)
            return ends._replace(low=min(max(ends.low, self.floor), self.value))
        elif method is None and self.tails is not None and self.tails.heavy:
            if self.heavy_tail is not None:
                warn(self.heavy_tail)
            if scale != "logit":  # the logarithm would take back what the correction adds
                scale, quantiles = "plain", self.quantiles(confidence_level)
        least, unit = self._range_on(scale)
        low, high = interval(
            (self.value - least) / unit,
            self.standard_error / unit,
            confidence_level,
            self.freedom,
            scale,
            units=self.fewest_units,
            quantiles=quantiles,
        )
        low, high = least + low * unit, least + high * unit
        floor = max(self.floor, 0.0) if self.scale == "log" else self.floor
        return ConfidenceInterval(max(low, min(floor, self.value)), high)

    @property
    def _is_square(self) -> bool:
        """Whether the value is a sum of squares of which some are not 0."""
        return self.noise > 0.0 and self.standard_error > 0.0

    @property
    def usual_method(self) -> Method | None:
        """How intervals are made where tails are not looked at."""
        return None if self.noise > 0.0 else self.scale

    def _range_on(self, scale: Scale) -> tuple[float, float]:
        """Return the least value and the width of the range of a scale; 0 and 1 if it has none."""
        return self.logit_range if scale == "logit" else (0.0, 1.0)

    @property
    def logit_range(self) -> tuple[float, float]:
        """The least value on the logit scale, and by how much the largest one is above it."""
        least = self.floor if math.isfinite(self.floor) else 0.0
        return least, self.ceiling - least

    @cached_property
    def tails(self) -> Tails | None:
        """The shape of the value's error; None if there is not a row for each case."""
        if self.condensed is not None:
            return None
        return Tails.of(self._counted, float(self.unit_sizes.sum()), self._per_weight)

    @property
    def _counted(self) -> Floats:
        """What each unit adds to the value, without rows of weight 0, which are absent."""
        if self.sample_weight is None or not self.dependence.independent:
            return self.terms
        return self.terms[self.sample_weight > 0]

    @property
    def _per_weight(self) -> Floats | None:
        """What each unit adds per weight; None where all units weigh the same."""
        weight, (_, codes) = self.sample_weight, self._units
        if codes is not None:
            sizes = sums_by(codes, np.ones(len(codes)) if weight is None else weight, weight)
            return self.terms / sizes
        return None if weight is None else self.influence[weight > 0]

    @property
    def heavy_tail(self) -> str | None:
        """A sentence if the sample may have missed the worst of a long tail; otherwise None."""
        if self.tails is None or not self.tails.uncertain:
            return None
        units = "cases" if self.dependence.clusters is None else "clusters"
        return (
            "Most of the variance of this value comes from about "
            f"{self.tails.carriers:.1f} of {self.tails.units:,.0f} {units}, as with a heavy tail. "
            "The interval allows for this, but may still be too narrow."
        )

    def quantiles(self, confidence_level: float) -> tuple[float, float]:
        """Return the quantiles of the error over the standard error, corrected for skewness.

        Parameters
        ----------
        confidence_level : float
            Probability that an interval contains the true value.

        Returns
        -------
        low : float
            The lower quantile.
        high : float
            The upper quantile.
        """
        quantile = upper_quantile(confidence_level, self.freedom)
        if self.tails is None:
            return -quantile, quantile
        # Student's quantile is larger since the error is uncertain, and not since it is skewed.
        normal = upper_quantile(confidence_level)
        low, high = self.tails.quantiles(normal)
        return low * quantile / normal, high * quantile / normal

    @property
    def pvalue(self) -> float:
        """The p-value of the hypothesis that the true value is zero; two-sided but for squares."""
        from scipy.special import ndtr, stdtr

        if self.standard_error == 0.0:
            if self.value == 0.0:
                return 1.0
            warn(
                "All cases give the same value, so the p-value is 0. This does not mean that "
                "the value is certain."
            )
            return 0.0
        if self._is_square:
            return square_pvalue(self.value, self.standard_error, self.noise)
        statistic = -abs(self.value) / self.standard_error
        if self.freedom is None:
            return 2.0 * float(ndtr(statistic))
        return 2.0 * float(stdtr(self.freedom, statistic))

    def check_same_cases(self, other: Estimate) -> None:
        """Raise an error if another estimate is on other cases.

        Parameters
        ----------
        other : Estimate
            Estimate to compare with.
        """
        if len(self.influence) != len(other.influence):
            raise InputError(
                "A paired difference needs two estimates from the same cases, but one estimate has "
                f"{len(self.influence)} rows and the other has {len(other.influence)} rows."
            )
        pairs = {
            "weights": (self.sample_weight, other.sample_weight),
            "classes": (self.strata, other.strata),
            "clusters": (self.dependence.clusters, other.dependence.clusters),
            "times": (self.dependence.times, other.dependence.times),
        }
        for what, (mine, its) in pairs.items():
            if not _same(mine, its):
                raise InputError(f"A paired difference needs the same {what} in both estimates.")

    __array_ufunc__ = None
    """Numbers of numpy leave arithmetic to estimates."""

    def __sub__(self, other: Estimate | float) -> Estimate:
        """Return the paired difference of two models on the same cases, or from a number."""
        if isinstance(other, Real):
            value = self.value - as_float(other)
            floor = self.floor - as_float(other)
            return replace(self, value=value, scale="plain", floor=floor, noise=0.0)
        if not isinstance(other, Estimate):
            return NotImplemented
        self.check_same_cases(other)
        # What is left when equal numbers cancel is rounding, not a difference.
        size = max(abs(v) for e in (self, other) for v in (e.value, e._largest_influence))
        rounding = 64.0 * float(np.finfo(np.float64).eps) * size
        gap = self.value - other.value
        influence = self.influence - other.influence
        influence[np.abs(influence) <= rounding] = 0.0
        return self._with(other, 0.0 if abs(gap) <= rounding else gap, influence)

    def _with(self, other: Estimate, value: float, influence: Floats) -> Estimate:
        """Return a comparison with another estimate: what counts for one of them counts here."""
        return replace(
            self,
            value=value,
            influence=influence,
            scale="plain",
            of_class=self.of_class if self.of_class == other.of_class else None,
            floor=-math.inf,
            carriers=min(self.carriers, other.carriers),
            noise=0.0,
        )

    def __rsub__(self, other: float) -> Estimate:
        """Return a number less the value."""
        if not isinstance(other, Real):
            return NotImplemented
        return self.scaled(-1.0) - (-as_float(other))

    def __truediv__(self, other: Estimate | float) -> Estimate:
        """Return the ratio to a number, or to another estimate on the same cases."""
        if isinstance(other, Real) and as_float(other) != 0.0:
            return self.scaled(1.0 / as_float(other))
        if not isinstance(other, Estimate):
            return NotImplemented
        self.check_same_cases(other)
        if other.value == 0.0:
            raise InputError("The ratio is not defined, since the second estimate is 0.")
        ratio = self.value / other.value
        influence = (self.influence - ratio * other.influence) / other.value
        return self._with(other, ratio, influence)

    def sheet(self) -> Sheet:
        """Return what notebooks and Markdown show.

        Returns
        -------
        Sheet
            A sentence and a table of one row.
        """
        header = ("value", "standard error", "95 % interval", "cases")
        error, ends = self._say_error(), "unknown"
        if error != "unknown" and self.standard_error > 0.0:
            numbers = self.confidence_interval(method=self.usual_method)
            ends = " to ".join(sized(end, self.standard_error) for end in numbers)
        cells = (f"{self.value:.6g}", error, ends, f"{self.size:,}")
        return Sheet("An estimate and its uncertainty.", header, (cells,))

    def _say_error(self) -> str:
        try:
            return f"{self.standard_error:.4g}"
        except InputError:
            return "unknown"

    def __repr__(self) -> str:
        error = self._say_error()
        return f"Estimate({self.value:.6g}, standard_error={error}, n={self.size})"


def covariances(estimates: tuple[Estimate, ...]) -> Floats:
    """Return the covariance matrix of estimates on the same cases."""
    spread, scale = scaled_covariances(estimates)
    return np.asarray(spread * np.outer(scale, scale))


def scaled_covariances(estimates: tuple[Estimate, ...]) -> tuple[Floats, Floats]:
    """Return covariances in units of each estimate's largest term, and these units."""
    first = estimates[0]
    largest = np.array([each._largest_term for each in estimates])
    live = (largest > 0.0) & np.isfinite(largest)
    scale = np.where(live, largest, 1.0)
    endless, about = ~np.isfinite(largest), first.dependence
    counts = [each.cosines for each in estimates if each.cosines is not None]

    def products(parts: Sequence[Floats], factor: float = 1.0) -> Floats:
        """Return sums of products, scaled so that those of extreme values stay in range."""
        rows = np.empty((len(parts), len(parts[0])))
        for row, part, by in zip(rows, parts, scale.tolist(), strict=True):
            np.divide(part, by, out=row)
        rows[endless] = 0.0
        return np.asarray(rows @ rows.T) * (factor * factor)

    if about.crossed:
        spread = both_ways(
            products([cosine_sums(each.terms, min(counts)) for each in estimates]),
            products([each._cluster_terms for each in estimates]),
            products([each._cell_terms for each in estimates]),
        )
    else:
        parts = [each._deviates(min(counts, default=None)) for each in estimates]
        spread = products([terms for terms, _ in parts], parts[0][1])
    spread[endless] = spread[:, endless] = math.inf
    return spread, scale / first.total_weight


def _extremes(values: Floats) -> tuple[float, float]:
    return float(np.min(values)), float(np.max(values))


def _same(a: Any, b: Any) -> bool:
    if a is None or b is None or a is b:
        return a is b
    return np.array_equal(a, b)
