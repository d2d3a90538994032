"""Impact at one price: over the threshold, the trade-off behind it, and a summary."""

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
from roctopus.core.piecewise import Piecewise
from roctopus.impact.cases import Offers, read_scored
from roctopus.impact.curves import outcome_name
from roctopus.impact.utilities import LinearUtility


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ImpactProfile(ContextCurve):
    """The impact of every threshold at one θ: steps over the threshold."""

    theta: float
    best_threshold: float
    """The best one; of equally good ones the one that accepts fewest."""
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
                "'utility' must be a LinearUtility, or a function that gives the value of every "
                f"case at a θ, got {type(utility).__name__}."
            )
        utility = LinearUtility(0.0, utility(at))
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

    Parameters
    ----------
    y_score : array of shape (n,)
        Scores in any unit.
    utility : LinearUtility, or a function of θ
        A function gives the worth of every case at θ, as an array; it need not be linear.
    theta : float
        The price.
    normalize, sample_weight
        As in ``impact_curve``.

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

    Cases worth accepting are positives, each with its benefit; the others are negatives, each with
    its cost. The axes are the shares of all costs incurred and of all benefits earned.

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
                f"No case {what[:-1]}s anything at 'theta' {float(theta):g}, so there is no share "
                f"of {what}."
            )
        parts.append(ClassScores.of(offers.score[mine], np.abs(worth[mine])))
    return ROCCurve.between(parts[0], parts[1], offers.sample.backend)


@dataclass(frozen=True)
class ImpactSummary:
    """The best decision by a model at one θ, between doing without a model and knowing all."""

    theta: float
    threshold: float
    accepted: float
    """The share of cases accepted."""
    impact: float
    trivial: float
    """The impact of the better of accepting and rejecting all."""
    oracle: float
    """The impact of accepting exactly the cases that pay; capacities are ignored."""

    @property
    def gain(self) -> float:
        """What the model adds to the best trivial decision."""
        return self.impact - self.trivial

    @property
    def regret(self) -> float:
        """What is lost against the oracle."""
        return self.oracle - self.impact

    @property
    def oracle_share(self) -> float:
        """The share of the oracle's impact that is achieved; NaN where the oracle has none."""
        return self.impact / self.oracle if self.oracle > 0.0 else float("nan")

    def __repr__(self) -> str:
        return (
            f"ImpactSummary(θ = {self.theta:g}: accept scores ≥ {self.threshold:.4g} "
            f"({100 * self.accepted:.3g}%), impact {self.impact:.5g} = trivial {self.trivial:.5g} "
            f"+ gain {self.gain:.4g}; oracle {self.oracle:.5g})"
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

    Parameters are those of ``impact_curve``.

    Examples
    --------
    >>> from roctopus.impact import impact_summary, value_times_price
    >>> grade, sensor = [0.1, 0.29, 0.3, 0.5, 0.8, 1.2], [1, 3, 3, 2, 5, 4]
    >>> impact_summary(sensor, value_times_price(grade), theta=2.0)
    ImpactSummary(θ = 2: accept scores ≥ 4 (33.3%), impact 2 = trivial 0.38 + gain 1.62; oracle 2)
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
