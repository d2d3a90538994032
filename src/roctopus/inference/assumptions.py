"""What a planned study rests on: how much one case adds to the uncertainty."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from inspect import signature
from typing import Any

import numpy as np

from roctopus.arms import find_metric
from roctopus.concepts.estimate import Estimate
from roctopus.concepts.intervals import Scale
from roctopus.concepts.own_functions import name_of
from roctopus.concepts.registry import estimate, is_own
from roctopus.core.checks import check_positive, check_scalar, check_share, check_unit, check_whole
from roctopus.core.errors import InputError, arg
from roctopus.core.given import call_given
from roctopus.core.resampling import Random, read_generator
from roctopus.inference.tails import NORMAL_KURTOSIS, is_bounded, read_tail

FEW, SMALL = 8.0, 50.0
"""Degrees of freedom of a pilot's variance, and units, below which the tail is too uncertain."""


@dataclass(frozen=True)
class Assumed:
    """Assumptions about cases that are still to be collected, for :func:`sample_size`.

    Made by :meth:`mean`, :meth:`rate` or :meth:`auc` from plain numbers, and by :meth:`simulated`
    for any metric; :meth:`in_clusters` says that cases come in groups.

    Parameters
    ----------
    value : float
        Value of the metric.
    deviation : float
        Standard error, times the square root of the number of units (cases or clusters).
    basis : str
        What the assumption is, in words.
    kurtosis : float, default 3.0
        Kurtosis of what single units add to the value; 3 if that is normal.
    scale : {"plain", "log", "logit"}, default "plain"
        Scale on which the interval is made.
    freedom_per_unit : float or None, default 1.0
        Degrees of freedom of the planned interval (plus one) per unit; None for normal quantiles.
    cases_per_unit : float or None, default None
        Mean size of clusters; None where cases are independent.
    least : float, default 2.0
        Number of units below which there is no interval.
    freedom : float, default inf
        Degrees of freedom of the variance; infinite where it is assumed, not estimated.
    between : tuple of float, default (0.0, 1.0)
        Smallest and largest possible value on the logit scale.

    Examples
    --------
    >>> from roctopus.inference import Assumed, sample_size
    >>> sample_size(Assumed.mean(deviation=40), half_width=5).cases
    267
    >>> sample_size(Assumed.auc(0.8, prevalence=0.2), half_width=0.05).cases
    786
    """

    value: float
    deviation: float
    basis: str
    kurtosis: float = NORMAL_KURTOSIS
    scale: Scale = "plain"
    freedom_per_unit: float | None = 1.0
    cases_per_unit: float | None = None
    least: float = 2.0
    freedom: float = math.inf
    between: tuple[float, float] = (0.0, 1.0)

    @staticmethod
    def mean(deviation: float, *, kurtosis: float = NORMAL_KURTOSIS) -> Assumed:
        """Assume the standard deviation of single cases: of a cost, or of a paired difference.

        Parameters
        ----------
        deviation : float
            Standard deviation of single cases, in the unit of the mean.
        kurtosis : float, default 3
            Kurtosis of single cases: 3 if they are normal, 9 if they are exponential. It decides
            how much the width of the interval varies from sample to sample.

        Returns
        -------
        Assumed
            The assumption, for ``sample_size``.
        """
        size = check_positive(deviation, "deviation")
        tail = check_scalar(kurtosis, "kurtosis")
        if tail < 1.0:
            raise InputError(f"{arg('kurtosis')} must be at least 1, but is {kurtosis!r}.")
        return Assumed(0.0, size, f"an assumed standard deviation of {size:g}", tail)

    @staticmethod
    def rate(value: float, *, share: float = 1.0) -> Assumed:
        """Assume a rate, such as a true positive rate.

        Parameters
        ----------
        value : float
            Rate, between 0 and 1.
        share : float, default 1
            Share of cases that the rate is about: of a true positive rate the share of positives.

        Returns
        -------
        Assumed
            The assumption, for ``sample_size``.
        """
        rate, among = check_share(value, "value"), check_positive(share, "share")
        if among > 1.0:
            raise InputError(f"{arg('share')} must be at most 1, but is {share!r}.")
        product = rate * (1.0 - rate)
        kurtosis = (1.0 - 3.0 * product) / (product * among)
        words = f"an assumed rate of {rate:g}"
        if among < 1.0:
            words += f" among {100.0 * among:.3g} % of the cases"
        return Assumed(
            rate,
            math.sqrt(product / among),
            words,
            kurtosis,
            "logit",
            None,
            least=max(2.0, 2.0 / among),
        )

    @staticmethod
    def auc(value: float, *, prevalence: float) -> Assumed:
        """Assume an area under the ROC curve, and the share of positives.

        The variance follows Hanley and McNeil (1982): scores are assumed to be exponential in both
        classes. For other scores, use :meth:`simulated`.

        Parameters
        ----------
        value : float
            Area, between 0 and 1.
        prevalence : float
            Share of positives, between 0 and 1.

        Returns
        -------
        Assumed
            The assumption, for ``sample_size``.
        """
        area, positives = check_share(value, "value"), check_share(prevalence, "prevalence")
        even = (np.arange(100_000) + 0.5) / 100_000
        odds = (1.0 - area) / area
        # By class: the share of the other class that a case is ranked right against.
        ranks = ((positives, 1.0 - even ** (1.0 / odds)), (1.0 - positives, even**odds))
        moments = [
            sum(float(np.mean((v - area) ** k)) / share ** (k - 1) for share, v in ranks)
            for k in (2, 4)
        ]
        words = f"an assumed AUC of {area:g} and {100.0 * positives:.3g} % positives"
        kurtosis, least = moments[1] / moments[0] ** 2, 2.0 / min(positives, 1.0 - positives)
        return Assumed(area, math.sqrt(moments[0]), words, kurtosis, "logit", None, least=least)

    @staticmethod
    def simulated(
        metric: str | Callable[..., float],
        draw: Callable[[int, np.random.Generator], tuple[Any, ...]],
        *,
        cases: int = 100_000,
        rng: Random = 0,
        **context: Any,
    ) -> Assumed:
        """Assume a population from which cases can be drawn, for any metric.

        Parameters
        ----------
        metric : callable or str
            A metric or its name, such as ``roc_auc`` or "roc_auc"; or a function of your own.
        draw : callable
            ``draw(n, rng)`` returns true values and predictions of ``n`` cases, drawn with the
            numpy generator ``rng``; or true values and the predictions of two models, for the
            difference of the first and the second one.
        cases : int, default 100000
            How many cases are drawn.
        rng : int or Generator, default 0
            Seed or generator of random numbers: the same seed gives the same result.
        **context
            Further arguments of the metric, such as ``asymmetry=0.8``.

        Returns
        -------
        Assumed
            The assumption, for ``sample_size``.
        """
        function = metric if is_own(metric) else find_metric(metric).function
        name, count = name_of(function), check_whole(cases, "cases", 100)
        if not callable(draw):
            raise InputError(
                f"{arg('draw')} must be a function of n (the number of cases) and rng (a random "
                f"generator), but is {draw!r}."
            )
        drawn = call_given(draw, "draw", count, read_generator(rng))
        if not isinstance(drawn, tuple) or len(drawn) not in (2, 3):
            raise InputError(
                f"{arg('draw')} must return a tuple of two or three columns: the true values and "
                "the predictions of one or two models."
            )
        truths, *predictions = drawn
        _check_mean(function, truths, predictions[0], context)
        first, *second = (estimate(metric, truths, each, **context) for each in predictions)
        found = first - second[0] if second else first
        what = f"the difference in {name}" if second else name
        words = f"{what} of {count:,} simulated cases"
        return replace(from_pilot(found), basis=words, freedom=math.inf)

    def in_clusters(self, size: float, *, correlation: float) -> Assumed:
        """Assume that cases come in clusters, such as several visits of a patient.

        Parameters
        ----------
        size : float
            Mean number of cases per cluster.
        correlation : float
            Correlation, within a cluster, of what cases add to the value (of their costs, for a
            mean cost), between 0 and 1.

        Returns
        -------
        Assumed
            The assumption with clusters, for ``sample_size``.
        """
        if self.cases_per_unit is not None:
            raise InputError(
                "These assumptions already include clusters. Call in_clusters only once."
            )
        members, alike = check_positive(size, "size"), check_unit(correlation, "correlation")
        if members < 1.0:
            raise InputError(f"{arg('size')} must be at least 1 case per cluster, but is {size!r}.")
        return replace(
            self,
            deviation=self.deviation * math.sqrt((1.0 + (members - 1.0) * alike) / members),
            basis=f"{self.basis}, clusters of {members:g} cases with a correlation of {alike:g}",
            kurtosis=max(self.kurtosis, NORMAL_KURTOSIS),
            freedom_per_unit=1.0,
            cases_per_unit=members,
            least=max(2.0, self.least / members),
        )


def from_pilot(pilot: Estimate) -> Assumed:
    """Return what an estimate, or a difference of two, says about cases like those it is from."""
    error = pilot.standard_error
    if not (math.isfinite(error) and math.isfinite(pilot.value)):
        raise InputError(
            "The pilot's value or standard error is infinite, so no number of cases makes the "
            "value precise."
        )
    if pilot.noise != 0.0:
        raise InputError(
            "There is no formula for the sample size of this metric. It is a sum of squares, like "
            "a calibration error, so the length of its interval depends on how near the true value "
            "is to 0. Simulate samples of several sizes instead, and compare their intervals."
        )
    if error == 0.0:
        raise InputError(
            "All cases of the pilot give the same value, so the pilot shows no variation to plan "
            "with. Use a larger pilot, or state assumptions with 'Assumed'."
        )
    sizes = _ungrouped(pilot).unit_sizes
    grouped = len(sizes) == 1 and sizes[0] < pilot.size
    units = float(sizes[0]) if grouped else float(pilot.size)
    seen = units if pilot.dependence.before is None else float(pilot.unit_sizes[0])
    tail = read_tail(pilot, seen)
    own = 1.0 if pilot.freedom is None else min(pilot.freedom / (seen - 1.0), 1.0)
    words = f"{pilot.size:,} cases"
    smallest, width = pilot.logit_range
    return Assumed(
        pilot.value,
        error * math.sqrt(units),
        f"a pilot of {f'{units:,.0f} clusters ({words})' if grouped else words}",
        NORMAL_KURTOSIS + (tail.kurtosis - NORMAL_KURTOSIS) * units / seen,
        pilot.scale,
        None if pilot.freedom is None else (pilot.freedom + 1.0) / units,
        pilot.size / units if grouped else None,
        2.0 * units / float(sizes[sizes > 0].min()),
        tail.freedom * own,
        (smallest, smallest + width),
    )


def _ungrouped(pilot: Estimate) -> Estimate:
    """Return the estimate with the cases or clusters that can be collected."""
    before = pilot.dependence.before
    return pilot if before is None else replace(pilot, dependence=before)


def pilot_warnings(pilot: Estimate, assumed: Assumed) -> tuple[str, ...]:
    """Return what to warn of: a pilot that is small, or whose variance rests on few cases."""
    units = pilot.size / (assumed.cases_per_unit or 1.0)
    what = "cases" if assumed.cases_per_unit is None else "clusters"
    if assumed.freedom < FEW:
        said = f"A few {what} carry most of the pilot's variance."
    elif units < SMALL and not is_bounded(pilot):
        said = f"The pilot has {units:.0f} {what}, too few to show how often extreme values occur."
    else:
        return ()
    return (f"{said} The number of cases may be too small; a larger pilot is safer.",)


def _check_mean(
    function: Callable[..., float], truths: Any, predictions: Any, context: dict[str, Any]
) -> None:
    """Raise an error for totals, which grow with the cases."""
    if "sample_weight" not in signature(function).parameters:
        return
    once, twice = (
        function(truths, predictions, **context, sample_weight=np.full(len(truths), weight))
        for weight in (1.0, 2.0)
    )
    if abs(twice - once) > 1e-6 * abs(once):
        raise InputError(
            f"The function {name_of(function)} returns a total, but sample sizes can only be "
            f"planned for a mean per case. Use {arg('normalize', True)} to get the mean."
        )
