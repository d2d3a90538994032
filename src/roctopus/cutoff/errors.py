"""The error at a known cutoff, of a tuned margin, or with a cutoff of each case."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from roctopus.concepts.estimate import Estimate
from roctopus.concepts.realised import RealisedValue, realised_value
from roctopus.concepts.registry import Influence, metric
from roctopus.core.arrays import Floats, read_array, to_numpy
from roctopus.core.checks import check_finite, check_same_length, check_scalar
from roctopus.core.sample import check_row_order
from roctopus.cutoff.cases import CutoffCases, ErrorCosts, read_cases
from roctopus.cutoff.problem import AS_IT_IS, CutoffDecisions


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

    A case is positive if its value is at least the cutoff. With unit costs the result is the share
    of wrong decisions (Definition 2).

    Parameters
    ----------
    y_true, y_pred : array of shape (n,)
        True values and predictions, one per case; predictions may be infinite.
    cutoff : float
        Cutoff c, in the unit of the true values.
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

    Notes
    -----
    A prediction of +inf is positive at every cutoff, and one of −inf at none.

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

    Parameters
    ----------
    y_true, y_pred : array of shape (n,)
        True values and predictions, one per case; predictions may be infinite.
    cutoff : float
        Cutoff c, in the unit of the true values.
    false_positive_cost : float, default 1
        Cost of a false positive: yes was decided where no was right.
    false_negative_cost : float, default 1
        Cost of a false negative: no was decided where yes was right.

    Returns
    -------
    array of shape (n,)
        The cost of each decision; 0 if it is right.

    Examples
    --------
    >>> cutoff_losses([3, 5, 8, 9], [2, 6, 9, 7], cutoff=6).tolist()
    [0.0, 1.0, 0.0, 0.0]
    """
    cases = read_cases(y_true, y_pred, None, false_positive_cost, false_negative_cost)
    return cases.losses_at(check_scalar(cutoff, "cutoff"))


@dataclass(frozen=True)
class CutoffTuning:
    """How yes or no at a cutoff is tuned and judged, for ``honest_value`` and the like.

    What is tuned is the margin: a number added to predictions before they are compared with the
    cutoff.

    Parameters
    ----------
    cutoff : float
        Cutoff c, in the unit of the true values.
    false_positive_cost : float, default 1
        Cost of a false positive: yes was decided where no was right.
    false_negative_cost : float, default 1
        Cost of a false negative: no was decided where yes was right.
    sense : {"loss", "gain"}, default "loss"
        Whether less or more is better.

    Examples
    --------
    >>> import numpy as np
    >>> tuning = CutoffTuning(cutoff=6, false_negative_cost=3)
    >>> tuning.learn(np.array([3.0, 5.0, 8.0, 9.0]), np.array([2.0, 6.0, 5.0, 7.0])).tolist()
    [2.5]
    """

    cutoff: float
    false_positive_cost: float = 1.0
    false_negative_cost: float = 1.0
    sense: Literal["loss", "gain"] = "loss"

    def _problem(self, y_true: Floats) -> CutoffDecisions:
        costs = ErrorCosts(self.false_positive_cost, self.false_negative_cost)
        return CutoffDecisions(y_true, None, costs.false_positive, costs.false_negative)

    def learn(self, y_true: Floats, y_pred: Floats) -> Floats:
        """Return the best margin of a sample.

        Parameters
        ----------
        y_true, y_pred : array of shape (n,)
            True values and predictions, one per case; predictions may be infinite.

        Returns
        -------
        array of shape (1,)
            The best margin.
        """
        at = np.array([check_scalar(self.cutoff, "cutoff")])
        return self._problem(y_true).tune(y_pred, at, np.zeros(1)).chosen

    def outcomes(self, y_true: Floats, y_pred: Floats, knob: Floats) -> Floats:
        """Return the cost of each decision.

        Parameters
        ----------
        y_true, y_pred : array of shape (n,)
            True values and predictions, one per case; predictions may be infinite.
        knob : array of shape (1,)
            Margin, as ``learn`` returns it.

        Returns
        -------
        array of shape (n,)
            The cost of each case; 0 if the decision is right.
        """
        return self._problem(y_true).outcomes(y_pred, knob, self.cutoff)


def row_cutoff_error(
    y_true: Any,
    y_pred: Any,
    *,
    cutoffs: Any,
    false_positive_cost: float = 1.0,
    false_negative_cost: float = 1.0,
    sample_weight: Any = None,
) -> RealisedValue:
    """Return the mean cost of decisions if each case has its own cutoff.

    A distribution of cutoffs alone assumes that cutoffs and cases are independent. If cutoffs
    depend on the cases (a house is offered near its price), errors are much more frequent. The
    result shows both numbers, with the uncertainty of their difference.

    Parameters
    ----------
    y_true, y_pred : array of shape (n,)
        True values and predictions, one per case; predictions may be infinite.
    cutoffs : array of shape (n,)
        Cutoff of each case.
    false_positive_cost : float, default 1
        Cost of a false positive: yes was decided where no was right.
    false_negative_cost : float, default 1
        Cost of a false negative: no was decided where yes was right.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    RealisedValue
        The mean cost with each case at its own cutoff (``realised``), and with cutoffs drawn at
        random (``independent``).

    Examples
    --------
    >>> found = row_cutoff_error([3, 5, 8, 9], [2, 6, 9, 7], cutoffs=[3, 6, 8, 8])
    >>> found.realised.value, found.independent.value
    (0.75, 0.25)
    """
    costs = false_positive_cost, false_negative_cost
    cases = read_cases(y_true, y_pred, sample_weight, *costs)
    check_row_order(y_true=y_true, y_pred=y_pred, cutoffs=cutoffs)
    own, kept = to_numpy(read_array(cutoffs, "cutoffs")), cases.sample.kept
    check_same_length(y_true=cases.y_true if kept is None else kept, cutoffs=own)
    check_finite(own, "cutoffs")
    rows = slice(None) if kept is None else kept > 0
    problem = CutoffDecisions(cases.y_true, cases.sample.weight, *costs)
    found = realised_value(problem, cases.y_pred, AS_IT_IS, own[rows])
    realised, independent = (
        Estimate(part.value, *Influence.of(cases.sample, part.influence)[:3])
        for part in (found.realised, found.independent)
    )
    return replace(found, realised=realised, independent=independent)
