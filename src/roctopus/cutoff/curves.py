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

    Between knots it is constant. A knot belongs to the piece on its left, since a value equal to
    the cutoff is positive. ``cutoff_error_curve`` makes it; ``retraining_curve`` makes one that is
    known at its own cutoffs.

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
    false_positives : Piecewise
        Share of false positives as a function of the cutoff.
    false_negatives : Piecewise
        Share of false negatives as a function of the cutoff.

    Examples
    --------
    >>> curve = cutoff_error_curve([3, 5, 6, 8, 11, 12], [9, 4, 7, 10, 16, 13])
    >>> round(curve.at(8.5), 3), round(float(curve.false_positives.at(8.5)), 3)
    (0.333, 0.333)
    """

    false_positives: Piecewise
    false_negatives: Piecewise

    def expect(self, distribution: Distribution) -> float:
        """Return the expected value under a distribution of cutoffs, computed exactly.

        Parameters
        ----------
        distribution : Distribution
            How likely each cutoff is: ``Uniform(a, b)``, ``Beta(2, 4, low, high)``, any frozen
            ``scipy.stats`` distribution, past cutoffs as ``Empirical([...])``, or ``Output()`` for
            cutoffs distributed as the true values.

        Returns
        -------
        float
            The expected cost per case, in the unit of the costs.
        """
        value = super().expect(distribution)
        if value == 0.0 and self.outputs is not None and not isinstance(distribution, Output):
            data = np.append(self.outputs.support, self.function.knots[1:-1])
            warn_of_no_mass(as_distribution(distribution), float(data.min()), float(data.max()))
        return value

    def over_true_rank(self, low: float | None = None, high: float | None = None) -> ContextCurve:
        """Return the OCE curve: the error over the rank of the cutoff among the true values.

        Ranks run from 0 to 1, and each case has its share of weight. The area is A_OCE (Theorem 3).
        A rank exactly between two cases belongs to the larger one.

        Parameters
        ----------
        low, high : float, optional
            Range of the true values that are used as cutoffs, both ends included; by default all
            are.

        Returns
        -------
        ContextCurve
            The mean cost per case over the rank.
        """
        return replace(self.over_quantiles(Output(low, high)), context="true rank")

    def columns(self) -> dict[str, Any]:
        """Return the columns of ``frame()``, with both kinds of errors.

        Returns
        -------
        dict of str to array
            Cutoffs, values and shares of false positives and false negatives.
        """
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
    """Return the curve from the ends of all cases' wrong cutoffs, sorted here unless given.

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
    """Return Q(c) for every cutoff c: the exact mean cost of a regression model that is cut later.

    A number is predicted once, and the cutoff comes later ("reframing"). ``at(c)`` evaluates the
    curve, ``expect`` averages it over a distribution of cutoffs, ``area(low, high)`` is the
    (clipped) mean absolute error, and ``over_true_rank()`` draws it over the ranks of the true
    values. An ``envelope`` of several curves shows which model is best at which cutoff.

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
    CutoffErrorCurve
        A step function, continuous from the left, and 0 outside the range of true values and
        predictions.

    Notes
    -----
    With unequal costs the best prediction to cut is neither the mean nor the median but the
    quantile at level C_FN/(C_FP + C_FN): positive exactly where P(y < c)·C_FP ≤ P(y ≥ c)·C_FN.

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
"""Default cost proportions: 5 %, …, 95 %."""


def cutoff_cost_map(
    y_true: Any, y_pred: Any, *, proportions: Any = None, sample_weight: Any = None
) -> ContextMap:
    """Return the expected loss over cutoff and cost proportion.

    The cost proportion π is the share of a false negative in both costs: C_FN = 2π and C_FP = 2(1 −
    π). It plays the part of the asymmetry α of the regression arm.

    Parameters
    ----------
    y_true, y_pred : array of shape (n,)
        True values and predictions, one per case; predictions may be infinite.
    proportions : array of shape (k,), optional
        Cost proportions, from 0 to 1; by default a grid.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    ContextMap
        The mean cost per case, exact along the cutoff and linear along π at each cutoff.

    Notes
    -----
    For independent distributions of both contexts, the expected loss is that at the mean of π:
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
