"""Areas under cutoff-error curves for uniform cutoffs: all of them, or a region."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from roctopus.concepts.registry import metric
from roctopus.core.arrays import Floats
from roctopus.core.checks import check_interval, check_scalar
from roctopus.core.errors import InputError
from roctopus.cutoff.cases import CutoffCases, read_cases


def _widths(cases: CutoffCases, low: float = -math.inf, high: float = math.inf) -> Floats:
    """Return the cost of each case times the length of its wrong cutoffs between low and high."""
    distance = np.abs(np.clip(cases.y_pred, low, high) - np.clip(cases.y_true, low, high))
    cost = cases.cost()
    return np.where(cost > 0.0, distance, 0.0) * cost  # where errors are free, even endless ones


def _finite_widths(cases: CutoffCases) -> Floats:
    widths = _widths(cases)
    if np.isinf(widths).any():
        raise InputError(
            "'y_pred' has infinite values, so the area is infinite and its uncertainty is not "
            "defined. Use clipped_mean_absolute_error for the cutoffs between two finite ends."
        )
    return widths


@metric(arm="cutoff", read=read_cases, per_case=_finite_widths)
def uniform_cutoff_area(
    y_true: Any,
    y_pred: Any,
    *,
    false_positive_cost: float = 1.0,
    false_negative_cost: float = 1.0,
    sample_weight: Any = None,
) -> float:
    """Return A_UCE = ∫Q(c)dc, which is the mean absolute error for unit costs (Theorem 1).

    So the mean absolute error counts wrong decisions, too: with cutoffs spread evenly over the
    range of the data, it is the expected share of wrong decisions times the width of that range.

    Parameters
    ----------
    y_true, y_pred : array of shape (n,)
        True values and predictions, one per case; predictions may be infinite.
    false_positive_cost : float, default 1
        Cost of a false positive: yes was decided where no was right.
    false_negative_cost : float, default 1
        Cost of a false negative: no was decided where yes was right.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    float
        The area under the cutoff error curve, in the unit of the predictions times the costs;
        infinite if a prediction is.

    Notes
    -----
    With C_FP = 2(1 − α) and C_FN = 2α it is ``asymmetric_absolute_error`` at asymmetry α.

    Examples
    --------
    >>> uniform_cutoff_area([3, 5, 8, 9], [2, 6, 9, 7])
    1.25
    """
    cases = read_cases(y_true, y_pred, sample_weight, false_positive_cost, false_negative_cost)
    return cases.sample.mean(_widths(cases))


def _widths_in(cases: CutoffCases, low: float, high: float) -> Floats:
    ends = check_scalar(low, "low"), check_scalar(high, "high")
    check_interval(*ends, "The range of cutoffs")
    return _widths(cases, *ends)


@metric(arm="cutoff", read=read_cases, per_case=_widths_in)
def clipped_mean_absolute_error(
    y_true: Any,
    y_pred: Any,
    *,
    low: float,
    high: float,
    false_positive_cost: float = 1.0,
    false_negative_cost: float = 1.0,
    sample_weight: Any = None,
) -> float:
    """Return cMAE = A_PUCE, the area ∫Q(c)dc between two cutoffs (Theorem 2).

    It is the mean absolute error after true values and predictions are clipped to [low, high]. All
    cases count, not only those inside. Divided by high − low it is the expected error for cutoffs
    spread evenly over that range.

    Parameters
    ----------
    y_true, y_pred : array of shape (n,)
        True values and predictions, one per case; predictions may be infinite.
    low, high : float
        Smallest and largest cutoff.
    false_positive_cost : float, default 1
        Cost of a false positive: yes was decided where no was right.
    false_negative_cost : float, default 1
        Cost of a false negative: no was decided where yes was right.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    float
        The mean clipped error, in the unit of the predictions times the costs.

    Examples
    --------
    >>> clipped_mean_absolute_error([3, 5, 8, 9], [2, 6, 9, 7], low=4, high=8)
    0.5
    """
    cases = read_cases(y_true, y_pred, sample_weight, false_positive_cost, false_negative_cost)
    return cases.sample.mean(_widths_in(cases, low, high))


def clipped_absolute_error(y_true: Any, y_pred: Any, *, low: float, high: float) -> Floats:
    """Return cAE_i, the clipped absolute error of each case (Definition 5).

    Parameters
    ----------
    y_true, y_pred : array of shape (n,)
        True values and predictions, one per case; predictions may be infinite.
    low, high : float
        Smallest and largest cutoff.

    Returns
    -------
    array of shape (n,)
        The distance between true value and prediction, both clipped to [low, high].

    Examples
    --------
    >>> clipped_absolute_error([3, 5, 8, 9], [2, 6, 9, 7], low=4, high=8).tolist()
    [0.0, 1.0, 0.0, 1.0]
    """
    return _widths_in(read_cases(y_true, y_pred), low, high)
