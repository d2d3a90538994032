"""What an impact curve is compared with: the oracle, and using predictions as they are."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from roctopus.concepts.context_curve import ContextCurve
from roctopus.core.arrays import Floats
from roctopus.core.checks import check_same_length
from roctopus.core.errors import InputError
from roctopus.core.piecewise import Continuity, Piecewise, level_tails
from roctopus.core.sample import check_row_order
from roctopus.impact.cases import Offers, check_utility, read_scored
from roctopus.impact.curves import CONTEXT, outcome_name, through_lines
from roctopus.impact.labels import NET_BENEFIT, net_benefit_utility, read_shares
from roctopus.impact.utilities import LinearUtility


def plug_in_curve(
    predicted: LinearUtility,
    utility: LinearUtility,
    *,
    normalize: bool = False,
    sample_weight: Any = None,
) -> ContextCurve:
    """Return the impact of accepting where the *predicted* utility is zero or more.

    This is what you get if you use the predictions as they are: process a rock if its predicted
    grade pays. The distance to the impact curve of the same predictions is what bad calibration
    costs.

    Parameters
    ----------
    predicted : LinearUtility
        Utility made from predictions, such as ``value_times_price(y_pred)``.
    utility : LinearUtility
        True utility, such as ``value_times_price(y_true)``.
    normalize : bool, default False
        Whether to divide by the total weight, so that totals become means per case.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    ContextCurve
        The impact over θ.

    Notes
    -----
    The curve jumps at each θ where cases join or leave. With utilities of both signs it takes the
    limit from the right there, and at the ends of its range the limit from inside.

    Examples
    --------
    >>> from roctopus.impact import plug_in_curve, value_minus_cutoff
    >>> true, predicted = value_minus_cutoff([3.0, 5.0, 1.0]), value_minus_cutoff([4.0, 4.5, 2.0])
    >>> plug_in_curve(predicted, true).at(3.5)
    1.0
    """
    if not isinstance(predicted, LinearUtility):
        raise InputError(
            f"'predicted' must be a LinearUtility, but is of type {type(predicted).__name__}. "
            "Create 'predicted' from the predictions, for example with value_minus_cutoff(y_pred)."
        )
    check_utility(utility)
    predicted = predicted.to_numpy()
    if predicted.scale.outcome != utility.scale.outcome:
        raise InputError(
            "'predicted' and 'utility' must be made by the same function, but 'predicted' gives "
            f"{predicted.scale.outcome!r} and 'utility' gives {utility.scale.outcome!r}."
        )
    check_same_length(predicted=predicted.slope, utility=utility.slope)
    check_row_order(predicted=predicted.column, utility=utility.column)
    offers = read_scored(predicted.intercept, utility, sample_weight)
    slope = predicted.slope
    if offers.sample.kept is not None:
        slope = slope[np.asarray(offers.sample.kept) > 0]
    function = _accepted_where_positive(slope, offers.score, offers)
    return _curve(function, offers, normalize)


def oracle_curve(
    utility: LinearUtility, *, normalize: bool = False, sample_weight: Any = None
) -> ContextCurve:
    """Return the impact of accepting exactly the cases that pay: Σ max(0, f).

    No model earns more. The difference to a model's curve is its regret.

    Parameters
    ----------
    utility : LinearUtility
        Value of accepting each case, such as ``value_times_price(y_true)``.
    normalize : bool, default False
        Whether to divide by the total weight, so that totals become means per case.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    ContextCurve
        The impact over θ.

    Examples
    --------
    >>> from roctopus.impact import oracle_curve, value_minus_cutoff
    >>> oracle_curve(value_minus_cutoff([3.0, 5.0, 1.0])).at(2.5)
    3.0
    """
    check_utility(utility)
    offers = read_scored(np.zeros(len(utility)), utility, sample_weight)
    return _curve(oracle_of(offers), offers, normalize)


def decision_curve(
    y_true: Any,
    y_prob: Any,
    *,
    prevalence: float | None = None,
    pos_label: Any = None,
    sample_weight: Any = None,
) -> ContextCurve:
    """Return the net benefit of accepting where the probability is at least t, over t/(1 − t).

    The context θ is the odds of the threshold probability t. ``roctopus.net_benefit`` is the value
    at one t, and ``estimate`` gives its uncertainty.

    Parameters
    ----------
    y_true : array of shape (n,)
        Labels 0 and 1, or booleans; with ``pos_label`` any two classes.
    y_prob : array of shape (n,)
        Predicted probability of the positive class.
    prevalence : float, optional
        Share of positives in use, if the sample's own share means nothing, as in a case-control
        study.
    pos_label : label, optional
        Label of the positive class. Needed for text; by default the larger number, or True.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    ContextCurve
        The net benefit per case over θ.

    Notes
    -----
    The impact curve of ``net_benefit_utility`` lies on or above this curve. The gap is
    miscalibration in units of utility, and vanishes after isotonic recalibration on the same cases.

    Examples
    --------
    >>> from roctopus.impact import decision_curve
    >>> curve = decision_curve([1, 0, 1, 0, 0], [0.9, 0.6, 0.5, 0.2, 0.1])
    >>> t = 0.4
    >>> round(curve.at(t / (1 - t)), 4)
    0.2667
    """
    check_row_order(y_true=y_true, y_prob=y_prob, sample_weight=sample_weight)
    label = read_shares(y_true, pos_label=pos_label)
    share = read_shares(y_prob, "y_prob")
    check_same_length(y_true=label, y_prob=share)
    if not np.isin(label, (0.0, 1.0)).all():
        raise InputError(
            "'y_true' must contain only the labels 0 and 1, but contains "
            f"{label[~np.isin(label, (0.0, 1.0))][0]:g}. Check that 'y_true' and 'y_prob' have not "
            "been swapped."
        )
    made = net_benefit_utility(label, prevalence=prevalence, sample_weight=sample_weight)
    true = replace(made, column=y_true)
    predicted = LinearUtility(share - 1.0, share, NET_BENEFIT, y_prob)
    return plug_in_curve(predicted, true, normalize=True, sample_weight=sample_weight)


def oracle_of(offers: Offers) -> Piecewise:
    """Return Σ max(0, f) as a function of θ; it is continuous, so each knot has one height."""
    found = _accepted_where_positive(offers.slope, offers.intercept, offers)
    start, end = found.start.copy(), found.end.copy()
    start[1:] = end[:-1] = np.maximum(start[1:], end[:-1])
    level_tails(found.knots, start, end)
    return Piecewise(found.knots, start, end, found.continuity, found.tails)


def _curve(function: Piecewise, offers: Offers, normalize: bool) -> ContextCurve:
    factor = 1.0 / offers.sample.total_weight if normalize else 1.0
    outcome = outcome_name(offers.scale, normalize)
    return ContextCurve(
        function.scale(factor), CONTEXT, outcome, "utility", backend=offers.sample.backend
    )


def _accepted_where_positive(slope: Floats, intercept: Floats, offers: Offers) -> Piecewise:
    """Sum what cases are worth wherever slope·θ + intercept ≥ 0, piece by piece.

    A case joins (slope > 0) or leaves (slope < 0) as θ passes its break-even point.
    """
    low, high = offers.scale.low, offers.scale.high
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        even = -intercept / slope
    flat = ~(np.abs(even) < 1e100)  # no θ ever gets there
    joins, leaves = (slope > 0.0) & ~flat, (slope < 0.0) & ~flat
    inside = ~flat & (even > low) & (even < high)
    knots, number = np.unique(even[inside], return_inverse=True)
    if not len(knots) and np.isinf(low) and np.isinf(high):
        knots = np.array([offers.origin])
    size = len(knots) + 1
    # One that joins at a knot is in from the piece on its right on, one that leaves at a knot up to
    # the piece on its left; those beyond the domain are in everywhere or nowhere.
    always = np.where(flat, intercept >= 0.0, even <= low)
    first, last = np.where(always, 0, size), np.full(len(even), size - 1)
    first[inside], last[inside] = number + 1, number
    leaves &= even > low
    lines = []
    for mass in offers.parts:
        entering = np.bincount(first[joins | flat], mass[joins | flat], size + 1)[:size]
        leaving = np.bincount(last[leaves], mass[leaves], size)
        lines.append(np.cumsum(entering, dtype=float) + np.cumsum(leaving[::-1], dtype=float)[::-1])
    borders = np.concatenate([[low], knots, [high]])
    side: Continuity = "left" if leaves.any() and not joins.any() else "right"
    return through_lines(borders, lines[0], lines[1], offers.origin, side)
