"""Cutoff-error curves: the error of a model as a function of the cutoff, and of the costs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from roctopus.concepts.context_curve import ContextCurve
from roctopus.concepts.context_map import ContextMap
from roctopus.concepts.distributions import Empirical
from roctopus.concepts.given_distributions import Distribution, Output, as_distribution
from roctopus.core.arrays import read_array, to_numpy
from roctopus.core.checks import check_unit
from roctopus.core.intervals import Intervals, OpenMass
from roctopus.core.piecewise import Piecewise
from roctopus.cutoff.cases import CutoffCases, ErrorCosts, read_cases
from roctopus.cutoff.ranges import warn_of_no_mass


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class CutoffErrorCurve(ContextCurve):
    """The mean cost of decisions as a function of the cutoff, with its two parts.

    Between knots it is constant; a knot belongs to the piece on its left, since a value equal to
    the cutoff is positive. The curve of a procedure that is trained anew for each cutoff is one,
    too, known at its own cutoffs.
    """

    false_positives: Piecewise
    """The share of false positives as a function of the cutoff."""
    false_negatives: Piecewise
    """The share of false negatives."""

    def expect(self, distribution: Distribution) -> float:
        """Return the expected value under a distribution of cutoffs, without a grid."""
        value = super().expect(distribution)
        if value == 0.0 and self.outputs is not None and not isinstance(distribution, Output):
            data = np.append(self.outputs.support, self.function.knots[1:-1])
            warn_of_no_mass(as_distribution(distribution), float(data.min()), float(data.max()))
        return value

    def over_true_rank(self, low: float | None = None, high: float | None = None) -> ContextCurve:
        """Return the OCE curve: the error over the rank of the cutoff among the true values.

        Ranks run from 0 to 1, each case having its share of weight; its area is A_OCE (Theorem 3).
        ``low`` and ``high`` limit the true values. A rank exactly between two cases belongs to the
        larger one.
        """
        return replace(self.over_quantiles(Output(low, high)), context="true rank")

    def columns(self) -> dict[str, Any]:
        """Return the columns of the frame, with both kinds of errors."""
        # Continuous from the left: the right end of a piece belongs to it.
        at = self.function.knots[1:] if self.known is None else self.known
        return super().columns() | {
            "false_positives": self.false_positives.at(at),
            "false_negatives": self.false_negatives.at(at),
        }


def outcome_name(costs: ErrorCosts) -> str:
    """Return what the curve shows; curves of different costs cannot be compared."""
    return (
        f"mean cost of decisions (wrong yes {costs.false_positive:g}, wrong no "
        f"{costs.false_negative:g})"
    )


def curve_of(
    cases: CutoffCases, intervals: tuple[Intervals, Intervals] | None = None
) -> CutoffErrorCurve:
    """Sort the ends of the wrong cutoffs of all cases, unless that is done already.

    Knots are merged when asked for.
    """
    false_positives, false_negatives = intervals or cases.intervals()
    groups = [
        (cases.costs.false_positive, false_positives),
        (cases.costs.false_negative, false_negatives),
    ]
    total = cases.sample.total_weight
    return CutoffErrorCurve(
        function=OpenMass(groups, total, "left"),
        context="cutoff",
        outcome=outcome_name(cases.costs),
        false_positives=OpenMass([(1.0, false_positives)], total, "left"),
        false_negatives=OpenMass([(1.0, false_negatives)], total, "left"),
        outputs=Empirical(cases.y_true, cases.sample.weight),
        backend=cases.sample.backend,
    )


def cutoff_error_curve(
    y_true: Any,
    y_pred: Any,
    *,
    false_positive_cost: float = 1.0,
    false_negative_cost: float = 1.0,
    sample_weight: Any = None,
) -> CutoffErrorCurve:
    """Return Q(c) for every cutoff c, exactly: the curve of a regression model that is cut later.

    A number is predicted once; the cutoff comes later ("reframing"). The curve is a step function,
    continuous from the left, 0 outside the range of truths and predictions. ``at(c)`` evaluates it,
    ``expect`` averages it over any distribution of cutoffs, ``area(low, high)`` is the (clipped)
    mean absolute error, ``over_true_rank()`` draws it out over the ranks of the truths, and
    ``envelope`` of several curves says which model is best at which cutoff.

    With unequal costs the best prediction to cut is not the mean or median but the quantile at
    level C_FN/(C_FP + C_FN): positive exactly where P(y < c)·C_FP ≤ P(y ≥ c)·C_FN.

    Parameters
    ----------
    y_true, y_pred : array of shape (n,)
        Truths and predictions of a number; predictions may be infinite.
    false_positive_cost, false_negative_cost : float, default 1
        Costs of the two kinds of wrong decisions.
    sample_weight : array of shape (n,), optional
        Weights; a row of weight 0 is absent.

    Examples
    --------
    >>> curve = cutoff_error_curve([3, 5, 6, 8, 11, 12], [9, 4, 7, 10, 16, 13])
    >>> curve.at(5), curve.at(11)
    (0.3333333333333333, 0.0)
    >>> round(curve.area(), 4)
    2.6667
    """
    return curve_of(
        read_cases(y_true, y_pred, sample_weight, false_positive_cost, false_negative_cost)
    )


PROPORTIONS = np.arange(1, 20) / 20
"""Cost proportions tried by default: 5 %, …, 95 %."""


def cutoff_cost_map(
    y_true: Any, y_pred: Any, *, proportions: Any = None, sample_weight: Any = None
) -> ContextMap:
    """Return the expected loss over cutoff and cost proportion.

    The cost proportion π is the false negatives' part of the costs: C_FN = 2π and C_FP = 2(1 − π),
    as the asymmetry α of the regression arm weighs under-estimates. The map is exact along the
    cutoff, and linear along π at each cutoff. ``map_envelopes`` of several models says who
    dominates where.

    For independent distributions of both contexts the expected loss is that at the mean of π:
    ``expected_cutoff_error(..., false_positive_cost=2 − 2·mean, false_negative_cost=2·mean)``.

    Examples
    --------
    >>> found = cutoff_cost_map([3, 5, 8, 9], [2, 6, 9, 7], proportions=[0.25, 0.5])
    >>> found.at(6, 0.25)
    0.375
    """
    cases = read_cases(y_true, y_pred, sample_weight)
    shares = (
        PROPORTIONS if proportions is None else to_numpy(read_array(proportions, "proportions"))
    )
    intervals, curves = cases.intervals(), []
    for share in shares.tolist():
        check_unit(share, "proportions")
        costs = ErrorCosts(2.0 * (1.0 - share), 2.0 * share)
        curves.append(curve_of(CutoffCases(cases.sample, costs), intervals))
    return ContextMap("cost proportion", shares, tuple(curves))
