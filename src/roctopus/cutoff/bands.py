"""Three decisions: act above one cutoff, act below another, do nothing between them."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import numpy as np

from roctopus.concepts.context_curve import ContextCurve
from roctopus.concepts.context_map import ContextMap
from roctopus.concepts.distributions import Empirical
from roctopus.concepts.registry import metric
from roctopus.core.arrays import Floats, read_array, to_numpy
from roctopus.core.checks import check_choice, check_not_negative, check_scalar
from roctopus.core.errors import InputError
from roctopus.core.intervals import Intervals, OpenMass
from roctopus.cutoff.cases import CutoffCases, read_cases
from roctopus.cutoff.curves import outcome_name

JudgedAt: TypeAlias = Literal["cutoff", "ends"]


def _losses(
    cases: CutoffCases, low: float, high: float, cutoff: float | None, do_nothing_cost: float
) -> Floats:
    """Return the cost of each decision."""
    low, high = check_scalar(low, "low"), check_scalar(high, "high")
    if low > high:
        raise InputError(f"'low' ({low:g}) must not be above 'high' ({high:g}).")
    if cutoff is not None and not low <= check_scalar(cutoff, "cutoff") <= high:
        raise InputError(
            f"'cutoff' must lie between 'low' ({low:g}) and 'high' ({high:g}), but is {cutoff:g}."
        )
    cost = check_not_negative(do_nothing_cost, "do_nothing_cost")
    y, p, costs = cases.y_true, cases.y_pred, cases.costs
    acted_high = np.where(y < (high if cutoff is None else cutoff), costs.false_positive, 0.0)
    acted_low = np.where(y >= (low if cutoff is None else cutoff), costs.false_negative, 0.0)
    return np.where(p >= high, acted_high, np.where(p < low, acted_low, cost))


@metric(arm="cutoff", read=read_cases, per_case=_losses)
def do_nothing_error(
    y_true: Any,
    y_pred: Any,
    *,
    low: float,
    high: float,
    do_nothing_cost: float,
    cutoff: float | None = None,
    false_positive_cost: float = 1.0,
    false_negative_cost: float = 1.0,
    sample_weight: Any = None,
) -> float:
    """Return the mean cost if nothing is done in a band between two cutoffs.

    Predictions of at least ``high`` lead to one action (buy), predictions below ``low`` to the
    other (sell). Between them nothing is done, at a cost per case. With low = high it is
    ``cutoff_error``.

    Parameters
    ----------
    y_true, y_pred : array of shape (n,)
        True values and predictions, one per case; predictions may be infinite.
    low, high : float
        Ends of the band.
    do_nothing_cost : float
        Cost of doing nothing, per case.
    cutoff : float, optional
        Cutoff between ``low`` and ``high`` that judges both actions: the band is then for
        predictions too close to it. By default each action is judged by its own end: buying is a
        false positive where y < high, selling a false negative where y ≥ low.
    false_positive_cost : float, default 1
        Cost of a false positive: yes was decided where no was right.
    false_negative_cost : float, default 1
        Cost of a false negative: no was decided where yes was right.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    float
        The mean cost per case, in the unit of the costs.

    Examples
    --------
    >>> y_true, y_pred = [3, 5, 8, 9], [2, 6, 9, 7]
    >>> do_nothing_error(y_true, y_pred, low=4, high=8, do_nothing_cost=0.2)
    0.1
    """
    cases = read_cases(y_true, y_pred, sample_weight, false_positive_cost, false_negative_cost)
    return cases.sample.mean(_losses(cases, low, high, cutoff, do_nothing_cost))


def do_nothing_curve(
    y_true: Any,
    y_pred: Any,
    *,
    below: float,
    above: float,
    do_nothing_cost: float,
    judged_at: JudgedAt = "cutoff",
    false_positive_cost: float = 1.0,
    false_negative_cost: float = 1.0,
    sample_weight: Any = None,
) -> ContextCurve:
    """Return the mean cost as a function of the cutoff c, if nothing is done near it.

    The band reaches from c − below to c + above and moves with the cutoff. With a band of no width
    it is ``cutoff_error_curve``; an ``envelope`` of both shows at which cutoffs doing nothing pays.

    Parameters
    ----------
    y_true, y_pred : array of shape (n,)
        True values and predictions, one per case; predictions may be infinite.
    below : float
        How far the band reaches below the cutoff.
    above : float
        How far the band reaches above the cutoff.
    do_nothing_cost : float
        Cost of doing nothing, per case.
    judged_at : {"cutoff", "ends"}, default "cutoff"
        Whether an action is judged at the cutoff, or at its own end of the band.
    false_positive_cost : float, default 1
        Cost of a false positive: yes was decided where no was right.
    false_negative_cost : float, default 1
        Cost of a false negative: no was decided where yes was right.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    ContextCurve
        The mean cost per case over the cutoff.

    Notes
    -----
    It is exact for the bands [c − below, c + above), up to the rounding of their ends: c + above ≤
    ŷ and c ≤ ŷ − above may differ in the last bit.

    Examples
    --------
    >>> y_true, y_pred = [3, 5, 8, 9], [2, 6, 9, 7]
    >>> curve = do_nothing_curve(y_true, y_pred, below=2, above=2, do_nothing_cost=0.2)
    >>> curve.at(6)
    0.1
    """
    cases = read_cases(y_true, y_pred, sample_weight, false_positive_cost, false_negative_cost)
    return _curve(cases, below, above, do_nothing_cost, judged_at)


def _curve(
    cases: CutoffCases, below: float, above: float, do_nothing_cost: float, judged_at: JudgedAt
) -> ContextCurve:
    below, above = check_not_negative(below, "below"), check_not_negative(above, "above")
    check_choice(judged_at, "judged_at", "cutoff", "ends")
    cost = check_not_negative(do_nothing_cost, "do_nothing_cost")
    y, p = cases.y_true, cases.y_pred
    moves = (above, below) if judged_at == "ends" else (0.0, 0.0)
    # All three happen on a range of cutoffs: y < c + … ≤ ŷ, ŷ < c − … ≤ y, and the band around ŷ.
    ranges = (
        (cases.costs.false_positive, y - moves[0], p - above),
        (cases.costs.false_negative, p + below, y + moves[1]),
        (cost, p - above, p + below),
    )
    groups = [(height, _intervals(cases, low, high)) for height, low, high in ranges]
    outcome = outcome_name(cases.costs)
    if judged_at == "ends":
        outcome += ", evaluated at the ends of the band"
    return ContextCurve(
        OpenMass(groups, cases.sample.total_weight, "left"),
        "cutoff",
        outcome,
        backend=cases.sample.backend,
        outputs=Empirical(y, cases.sample.weight),
    )


def _intervals(cases: CutoffCases, low: Floats, high: Floats) -> Intervals:
    held, weight = low < high, cases.sample.weight
    return Intervals.between(low[held], high[held], None if weight is None else weight[held])


def do_nothing_map(
    y_true: Any,
    y_pred: Any,
    *,
    widths: Any,
    do_nothing_cost: float,
    judged_at: JudgedAt = "cutoff",
    false_positive_cost: float = 1.0,
    false_negative_cost: float = 1.0,
    sample_weight: Any = None,
) -> ContextMap:
    """Return the mean cost over the cutoff for several widths of a band in which nothing is done.

    The band is centred at the cutoff. Compare widths to see how wide it should be.

    Parameters
    ----------
    y_true, y_pred : array of shape (n,)
        True values and predictions, one per case; predictions may be infinite.
    widths : array of shape (k,)
        Widths of the band, at least 0.
    do_nothing_cost : float
        Cost of doing nothing, per case.
    judged_at : {"cutoff", "ends"}, default "cutoff"
        Whether an action is judged at the cutoff, or at its own end of the band.
    false_positive_cost : float, default 1
        Cost of a false positive: yes was decided where no was right.
    false_negative_cost : float, default 1
        Cost of a false negative: no was decided where yes was right.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    ContextMap
        The mean cost per case over cutoff and width.

    Examples
    --------
    >>> y_true, y_pred = [3, 5, 8, 9], [2, 6, 9, 7]
    >>> found = do_nothing_map(y_true, y_pred, widths=[0, 4], do_nothing_cost=0.2)
    >>> found.at(6, 4)
    0.1
    """
    cases = read_cases(y_true, y_pred, sample_weight, false_positive_cost, false_negative_cost)
    each = to_numpy(read_array(widths, "widths"))
    curves = (_curve(cases, 0.5 * w, 0.5 * w, do_nothing_cost, judged_at) for w in each.tolist())
    return ContextMap("band width", each, tuple(curves))
