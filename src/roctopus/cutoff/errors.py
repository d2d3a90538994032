"""The error at one cutoff."""

from __future__ import annotations

from typing import Any

from roctopus.concepts.registry import metric
from roctopus.core.arrays import Floats
from roctopus.core.checks import check_scalar
from roctopus.cutoff.cases import CutoffCases, read_cases


@metric(arm="cutoff", read=read_cases, per_case=CutoffCases.losses_at)
def cutoff_error(
    y_true: Any,
    y_pred: Any,
    *,
    cutoff: float,
    false_positive_cost: float = 1.0,
    false_negative_cost: float = 1.0,
    sample_weight: Any = None,
) -> float:
    """Return Q(c), the mean cost of deciding "at least the cutoff?" by the predictions.

    A case is positive where its value is ≥ the cutoff; Q counts C_FP for each false positive and
    C_FN for each false negative, per case (Definition 2). With unit costs it is the share of
    wrong decisions.

    Parameters
    ----------
    y_true, y_pred : array of shape (n,)
        Truths and predictions of a number. Predictions may be infinite: +inf is positive at
        every cutoff, −inf never.
    cutoff : float
        The cutoff c.
    false_positive_cost, false_negative_cost : float, default 1
        Costs of the two kinds of wrong decisions.
    sample_weight : array of shape (n,), optional
        Weights; a row of weight 0 is absent.

    Examples
    --------
    >>> cutoff_error([3, 5, 8, 9], [2, 6, 9, 7], cutoff=6)
    0.25
    >>> cutoff_error([3, 5, 8, 9], [2, 6, 9, 7], cutoff=6, false_positive_cost=3)
    0.75
    """
    cases = read_cases(y_true, y_pred, sample_weight, false_positive_cost, false_negative_cost)
    return cases.sample.mean(cases.losses_at(check_scalar(cutoff, "cutoff")))


def cutoff_losses(
    y_true: Any,
    y_pred: Any,
    *,
    cutoff: float,
    false_positive_cost: float = 1.0,
    false_negative_cost: float = 1.0,
) -> Floats:
    """Return Q_i(c), the cost of the decision on each case (equation 1).

    Examples
    --------
    >>> cutoff_losses([3, 5, 8, 9], [2, 6, 9, 7], cutoff=6).tolist()
    [0.0, 1.0, 0.0, 0.0]
    """
    cases = read_cases(y_true, y_pred, None, false_positive_cost, false_negative_cost)
    return cases.losses_at(check_scalar(cutoff, "cutoff"))
