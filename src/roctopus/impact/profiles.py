"""Impact at one price: over the threshold, as a trade-off, and in a summary."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from roctopus.concepts.context_curve import ContextCurve
from roctopus.concepts.tradeoff_curve import ROCCurve
from roctopus.core.chains import ClassScores
from roctopus.core.checks import check_scalar
from roctopus.core.errors import InputError
from roctopus.core.given import call_given
from roctopus.core.piecewise import Piecewise
from roctopus.impact.cases import Offers, read_scored
from roctopus.impact.curves import outcome_name
from roctopus.impact.utilities import LinearUtility


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ImpactProfile(ContextCurve):
    """The impact of every threshold at one θ: steps over the threshold.

    ``impact_profile`` makes it.

    Parameters
    ----------
    function : Piecewise
        Outcome as a function of the context.
    context : str
        Meaning of the argument, such as "asymmetry".
    outcome : str
        Meaning of the value, such as "mean asymmetric absolute error".
    sense : {"loss", "utility"}, default "loss"
        Whether less or more is better.
    knob : array of shape (pieces,) or (pieces, settings), optional
        Setting of each piece, if the curve was tuned.
    knob_name : str, optional
        Name of the setting, such as "shift".
    exact : bool, default True
        Whether all values are exact; False if values between known contexts were filled in.
    lower, upper : Piecewise, optional
        Certified bounds of the curve, if the data did not fit in memory.
    backend : str or None, default None
        Dataframe library that the data came in.
    known : array of shape (k,), optional
        Contexts at which the curve is known, increasing; by default everywhere. Elsewhere
        ``function`` has the nearest known value, for ``nearest()``.
    outputs : Empirical, optional
        Distribution of the sample's true values, which ``Output()`` stands for.
    knob_follows : bool, default False
        Whether settings move with the context; ``knob`` is then added to it.
    theta : float
        Price θ.
    best_threshold : float
        Threshold of the largest impact; of several the one that accepts fewest.
    best_impact : float
        Largest impact.

    Examples
    --------
    >>> from roctopus.impact import impact_profile, value_times_price
    >>> profile = impact_profile([1, 3, 3, 2], value_times_price([0.1, 0.6, 0.7, 0.4]), theta=2)
    >>> round(profile.best_impact, 3), profile.best_threshold
    (0.6, 3.0)
    """

    theta: float
    best_threshold: float
    best_impact: float


def _at_theta(
    y_score: Any, utility: Any, theta: float, sample_weight: Any
) -> tuple[Offers, LinearUtility]:
    """Read scores with what cases are worth at one θ; the utility may be any function of it."""
    at = check_scalar(theta, "theta")
    if isinstance(utility, LinearUtility):
        utility.scale.check(theta)
    else:
        if not callable(utility):
            raise InputError(
                "'utility' must be a LinearUtility or a function, but is of type "
                f"{type(utility).__name__}. The function must return one value per case at θ."
            )
        utility = LinearUtility(0.0, call_given(utility, "utility", at))
    return read_scored(y_score, utility, sample_weight), utility


def impact_profile(
    y_score: Any,
    utility: LinearUtility | Callable[[float], Any],
    *,
    theta: float,
    normalize: bool = False,
    sample_weight: Any = None,
) -> ImpactProfile:
    """Return the impact of every threshold at one θ (Figure 4).

    Its top is the best threshold; how flat it is there shows how much the threshold matters.

    Parameters
    ----------
    y_score : array of shape (n,)
        Scores in any unit, one per case: only their order matters.
    utility : LinearUtility or function
        Value of accepting each case. A function takes θ and returns an array of values; it need not
        be linear.
    theta : float
        Price θ.
    normalize : bool, default False
        Whether to divide by the total weight, so that totals become means per case.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    ImpactProfile
        The impact over the threshold.

    Examples
    --------
    >>> from roctopus.impact import impact_profile, value_times_price
    >>> profile = impact_profile([1, 3, 3, 2], value_times_price([0.1, 0.6, 0.7, 0.4]), theta=2)
    >>> round(profile.at(3.0), 6), round(profile.at(2.5), 6), profile.best_threshold
    (0.6, 0.6, 3.0)
    """
    offers, utility = _at_theta(y_score, utility, theta, sample_weight)
    at = float(theta)
    factor = 1.0 / offers.sample.total_weight if normalize else 1.0
    totals = offers.ranking.totals(offers.weighted(offers.worth(at))) * factor
    scores = offers.ranking.threshold[:0:-1]  # increasing, without +inf
    knots = np.concatenate([[-np.inf], scores, [np.inf]])
    best, threshold, _ = offers.best(at)
    return ImpactProfile(
        function=Piecewise.steps(knots, totals[::-1], "left"),
        context="threshold",
        outcome=f"{outcome_name(utility.scale, normalize)} at θ = {at:.3g}",
        sense="utility",
        backend=offers.sample.backend,
        theta=at,
        best_threshold=threshold,
        best_impact=best * factor,
    )


def rociv_curve(
    y_score: Any,
    utility: LinearUtility | Callable[[float], Any],
    *,
    theta: float,
    sample_weight: Any = None,
) -> ROCCurve:
    """Return the ROC curve with instance-varying costs at one θ (Fawcett, 2006).

    Cases that pay are positives, each with its benefit; the others are negatives, each with its
    cost. The axes are the shares of all costs incurred and of all benefits earned.

    Parameters
    ----------
    y_score : array of shape (n,)
        Scores in any unit, one per case: only their order matters.
    utility : LinearUtility or function
        Value of accepting each case. A function takes θ and returns an array of values; it need not
        be linear.
    theta : float
        Price θ.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    ROCCurve
        The curve, by increasing threshold.

    Examples
    --------
    >>> from roctopus.impact import rociv_curve, value_minus_cutoff
    >>> curve = rociv_curve([3, 1, 2], value_minus_cutoff([5.0, 1.0, 4.0]), theta=3.0)
    >>> curve.true_positive_rate.round(4).tolist()
    [1.0, 1.0, 0.6667, 0.0]
    """
    offers, _ = _at_theta(y_score, utility, theta, sample_weight)
    worth = offers.weighted(offers.worth(float(theta)))
    parts = []
    for what, mine in (("costs", worth < 0.0), ("benefits", worth > 0.0)):
        if not mine.any():
            raise InputError(
                f"The curve divides by the sum of all {what}, which is 0 if 'theta' is "
                f"{float(theta):g}. Use another 'theta'."
            )
        parts.append(ClassScores.of(offers.score[mine], np.abs(worth[mine])))
    return ROCCurve.between(parts[0], parts[1], offers.sample.backend)


@dataclass(frozen=True)
class ImpactSummary:
    """The best decision with a model at one θ, next to decisions without a model and the oracle.

    ``impact_summary`` makes it.

    Parameters
    ----------
    theta : float
        Price θ.
    threshold : float
        Threshold of the largest impact.
    accepted : float
        Share of cases that it accepts, from 0 to 1.
    impact : float
        Impact of accepting these cases.
    trivial : float
        Impact of the better of accepting and rejecting all.
    oracle : float
        Impact of accepting exactly the cases that pay, without a capacity.

    Examples
    --------
    >>> from roctopus.impact import impact_summary, value_times_price
    >>> grade, sensor = [0.1, 0.29, 0.3, 0.5, 0.8, 1.2], [1, 3, 3, 2, 5, 4]
    >>> found = impact_summary(sensor, value_times_price(grade), theta=2.5)
    >>> round(found.gain, 3), round(found.regret, 3), round(found.oracle_share, 3)
    (1.025, 0.25, 0.923)
    """

    theta: float
    threshold: float
    accepted: float
    impact: float
    trivial: float
    oracle: float

    @property
    def gain(self) -> float:
        """What the model adds to the best trivial decision."""
        return self.impact - self.trivial

    @property
    def regret(self) -> float:
        """How much less it earns than the oracle."""
        return self.oracle - self.impact

    @property
    def oracle_share(self) -> float:
        """The share of the oracle's impact that is achieved; NaN where the oracle has none."""
        return self.impact / self.oracle if self.oracle > 0.0 else float("nan")

    def __repr__(self) -> str:
        return (
            f"ImpactSummary(θ = {self.theta:g}: accept scores ≥ {self.threshold:.4g} "
            f"({100 * self.accepted:.3g}% of the cases), impact {self.impact:.5g} = trivial "
            f"{self.trivial:.5g} + gain {self.gain:.4g}; oracle {self.oracle:.5g})"
        )


def impact_summary(
    y_score: Any,
    utility: Any,
    *,
    theta: float,
    at_least: float | None = None,
    at_most: float | None = None,
    normalize: bool = False,
    sample_weight: Any = None,
) -> ImpactSummary:
    """Return the best threshold at one θ, with impact, gain and regret.

    Parameters
    ----------
    y_score : array of shape (n,)
        Scores in any unit, one per case: only their order matters.
    utility : LinearUtility
        Value of accepting each case, such as ``value_times_price(y_true)``.
    theta : float
        Price θ.
    at_least : float, optional
        Smallest number of cases (total weight) that must be accepted.
    at_most : float, optional
        Capacity: largest number of cases (total weight) that may be accepted.
    normalize : bool, default False
        Whether to divide by the total weight, so that totals become means per case.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    ImpactSummary
        The threshold and what it earns, next to accepting all or none and the oracle.

    Examples
    --------
    >>> from roctopus.impact import impact_summary, value_times_price
    >>> grade, sensor = [0.1, 0.29, 0.3, 0.5, 0.8, 1.2], [1, 3, 3, 2, 5, 4]
    >>> impact_summary(sensor, value_times_price(grade), theta=2.0)
    ImpactSummary(θ = 2: accept scores ≥ 4 (33.3% of the cases), impact 2 = trivial 0.38 + gain
    1.62; oracle 2)
    """
    offers = read_scored(y_score, utility, sample_weight, at_least, at_most)
    at = offers.scale.check(theta)
    best, threshold, accepted = offers.best(at)
    total = offers.sample.total_weight
    factor = 1.0 / total if normalize else 1.0
    trivial = max(share * offers.all_accepted(at) for share in offers.shares) + 0.0  # not −0
    oracle = float(np.sum(offers.weighted(np.maximum(offers.worth(at), 0.0))))
    return ImpactSummary(
        at, threshold, accepted / total, best * factor, trivial * factor, oracle * factor
    )
