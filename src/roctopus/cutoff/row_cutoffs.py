"""Cutoffs given per row: the error that was met, beside the one that independence would give."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from roctopus.concepts.estimate import Estimate
from roctopus.concepts.problem import NO_KNOB
from roctopus.concepts.realised import RealisedValue, realised_value
from roctopus.concepts.registry import Influence
from roctopus.core.arrays import read_array, to_numpy
from roctopus.core.checks import check_finite, check_same_length
from roctopus.core.sample import check_row_order
from roctopus.cutoff.cases import read_cases
from roctopus.cutoff.problem import CutoffDecisions


def row_cutoff_error(
    y_true: Any,
    y_pred: Any,
    *,
    cutoffs: Any,
    false_positive_cost: float = 1.0,
    false_negative_cost: float = 1.0,
    sample_weight: Any = None,
) -> RealisedValue:
    """Return the mean cost of decisions when every case comes with its own cutoff.

    A distribution of cutoffs alone assumes that any cutoff may meet any case. Where cutoffs follow
    the cases (a house is offered near its price) errors are much more frequent; the two numbers
    stand side by side, with the uncertainty of their difference.

    Parameters
    ----------
    y_true, y_pred : array of shape (n,)
        Truths and predictions; predictions may be infinite.
    cutoffs : array of shape (n,)
        The cutoff of each case.
    false_positive_cost, false_negative_cost : float, default 1
        Costs of the two kinds of wrong decisions.
    sample_weight : array of shape (n,), optional
        Weights; a row of weight 0 is absent.

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
    found = realised_value(problem, cases.y_pred, NO_KNOB.chosen, own[rows])
    realised, independent = (
        Estimate(part.value, *Influence.of(cases.sample, part.influence)[:3])
        for part in (found.realised, found.independent)
    )
    return replace(found, realised=realised, independent=independent)
