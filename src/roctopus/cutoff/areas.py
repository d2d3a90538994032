"""Areas under cutoff-error curves: uniform cutoffs, a region of them, cutoffs from the output."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from roctopus.concepts.output_distribution import Output
from roctopus.concepts.registry import Influence, metric
from roctopus.core.arrays import Floats, is_foreign
from roctopus.core.checks import check_interval, check_scalar
from roctopus.core.errors import InputError
from roctopus.core.ordered import in_order
from roctopus.cutoff.cases import Cases, read_cases, read_cases_anywhere
from roctopus.cutoff.curves import curve_of
from roctopus.cutoff.foreign_areas import foreign_output_area

__all__ = [
    "clipped_absolute_error",
    "clipped_mean_absolute_error",
    "influence_of_output_area",
    "interposition_ratio",
    "output_area",
    "output_cutoff_area",
    "uniform_cutoff_area",
]


def _widths(cases: Cases, low: float, high: float) -> Floats:
    """Return the cost of each case times the length of its wrong cutoffs between low and high."""
    distance = np.abs(np.clip(cases.y_pred, low, high) - np.clip(cases.y_true, low, high))
    cost = cases.cost()
    return np.where(cost > 0.0, distance, 0.0) * cost  # where errors are free, even endless ones


def _influence_of_uniform(
    y_true: Any, y_pred: Any, *, sample_weight: Any = None, **costs: float
) -> Influence:
    cases = read_cases(y_true, y_pred, sample_weight, **costs)
    widths = _widths(cases, -math.inf, math.inf)
    if np.isinf(widths).any():
        raise InputError(
            "'y_pred' has infinite values, so the area is infinite and has no uncertainty. "
            "Use clipped_mean_absolute_error on a region."
        )
    return Influence.of_mean(cases.sample, widths)


@metric(arm="cutoff", influence=_influence_of_uniform)
def uniform_cutoff_area(
    y_true: Any,
    y_pred: Any,
    *,
    false_positive_cost: float = 1.0,
    false_negative_cost: float = 1.0,
    sample_weight: Any = None,
) -> float:
    """Return A_UCE = ∫Q(c)dc, which is the mean absolute error for unit costs (Theorem 1).

    So the mean absolute error is a binarised-regression error: with cutoffs spread evenly over the
    range of the data it is, up to the width of that range, the expected share of wrong decisions.
    With C_FP = 2(1 − α) and C_FN = 2α it is ``asymmetric_absolute_error`` at asymmetry α.
    Infinite predictions make it infinite.

    Examples
    --------
    >>> uniform_cutoff_area([3, 5, 8, 9], [2, 6, 9, 7])
    1.25
    """
    cases = read_cases(y_true, y_pred, sample_weight, false_positive_cost, false_negative_cost)
    return cases.sample.mean(_widths(cases, -math.inf, math.inf))


def _region(low: float, high: float) -> tuple[float, float]:
    ends = check_scalar(low, "low"), check_scalar(high, "high")
    check_interval(*ends, "The region of cutoffs")
    return ends


def _influence_of_clipped(
    y_true: Any, y_pred: Any, *, low: float, high: float, sample_weight: Any = None, **costs: float
) -> Influence:
    cases = read_cases(y_true, y_pred, sample_weight, **costs)
    return Influence.of_mean(cases.sample, _widths(cases, *_region(low, high)))


@metric(arm="cutoff", influence=_influence_of_clipped)
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

    It is the mean absolute error after truths and predictions are clipped to [low, high]: all
    cases count, not only those inside. Divided by high − low it is the expected error for cutoffs
    spread evenly over the region.

    Examples
    --------
    >>> clipped_mean_absolute_error([3, 5, 8, 9], [2, 6, 9, 7], low=4, high=8)
    0.5
    """
    cases = read_cases(y_true, y_pred, sample_weight, false_positive_cost, false_negative_cost)
    return cases.sample.mean(_widths(cases, *_region(low, high)))


def clipped_absolute_error(y_true: Any, y_pred: Any, *, low: float, high: float) -> Floats:
    """Return cAE_i, the clipped absolute error of each case (Definition 5).

    Examples
    --------
    >>> clipped_absolute_error([3, 5, 8, 9], [2, 6, 9, 7], low=4, high=8).tolist()
    [0.0, 1.0, 0.0, 1.0]
    """
    return _widths(read_cases(y_true, y_pred), *_region(low, high))


class _Ranks:
    """The weight of the truths of a region at or below a value."""

    def __init__(self, cases: Cases, region: Output) -> None:
        self.inside = region.within(cases.y_true)
        truths, weight = cases.y_true, cases.sample.weight
        if not self.inside.all():
            truths = np.compress(self.inside, truths)
            weight = None if weight is None else np.compress(self.inside, weight)
        if weight is None:
            self.sorted, self._running = np.sort(truths), None
            self.total = float(len(truths))
        else:
            order = np.argsort(truths)
            self.sorted = truths[order]
            self._running = np.append(0.0, np.cumsum(weight[order]))
            self.total = float(self._running[-1])

    def __call__(self, x: Floats) -> Floats:
        count = np.searchsorted(self.sorted, x, side="right")
        return np.asarray(count if self._running is None else self._running[count])


def _self_pairs(cases: Cases) -> Floats:
    """Return what each case costs at a cutoff equal to its own truth."""
    return np.where(cases.y_pred < cases.y_true, cases.costs.false_negative, 0.0)


def _check_pairs(cases: Cases) -> float:
    """Return the number of the other cases, W − 1."""
    others, weight = cases.sample.total_weight - 1.0, cases.sample.weight
    xp = cases.sample.xp
    if weight is not None and bool(xp.any(weight != xp.round(weight))):
        raise InputError(
            "exclude_self=True tells a case from others like it, so weights must be whole numbers "
            "of cases. Leave out one of the two."
        )
    if others <= 0.0:
        raise InputError(
            "exclude_self=True needs other cases: at least two, or a total weight above 1."
        )
    return others


def output_area(cases: Cases, region: Output, exclude_self: bool) -> float:
    """Return A_OCE from sorted ends, without the order of the rows.

    Σ|F(ŷ) − F(y)| needs no pairing once rows are split by the sign of the error; sorted needles
    make the searches several times faster. Arrays on a device stay there.
    """
    if is_foreign(cases.y_true):
        others = _check_pairs(cases) if exclude_self else None
        return foreign_output_area(cases.sample, cases.costs, region, others)
    ranks = _Ranks(cases, region)
    false_positives, false_negatives = (part.total(ranks) for part in cases.intervals())
    total = cases.costs.false_positive * false_positives
    total += cases.costs.false_negative * false_negatives
    if not exclude_self:
        return max(total, 0.0) / ranks.total / cases.sample.total_weight
    own = cases.sample.total(np.where(ranks.inside, _self_pairs(cases), 0.0))
    return max(total - own, 0.0) / ranks.total / _check_pairs(cases)


def influence_of_output_area(cases: Cases, region: Output, exclude_self: bool) -> Influence:
    """Return IR_i + Q(y_i) − 2A, with the terms of the region where there is one.

    Every case counts twice: as one that is decided, and as one whose truth is the cutoff. Without
    self pairs these are the projections of the pair mean; they differ from derivatives by O(1/n).
    """
    ranks, curve = _Ranks(cases, region), curve_of(cases)
    order = np.argsort(cases.y_true)  # once, for two searches at the truths
    ordered = cases.y_true[order]
    true, as_cutoff = np.empty(len(order)), np.empty(len(order))
    true[order], as_cutoff[order] = ranks(ordered), curve.at(ordered)
    decided = np.abs(in_order(ranks, cases.y_pred) - true) / ranks.total * cases.cost()
    share = ranks.total / cases.sample.total_weight
    if exclude_self:
        others = _check_pairs(cases)
        own = _self_pairs(cases)
        total = cases.sample.total_weight
        decided = (decided * ranks.total - np.where(ranks.inside, own, 0.0)) / ranks.total
        decided *= total / others
        as_cutoff = (as_cutoff * total - own) / others
    area = cases.sample.mean(decided)
    values = decided - area + np.where(ranks.inside, (as_cutoff - area) / share, 0.0)
    return Influence.of(cases.sample, values)


def _influence_of_output(
    y_true: Any,
    y_pred: Any,
    *,
    low: float | None = None,
    high: float | None = None,
    exclude_self: bool = False,
    sample_weight: Any = None,
    **costs: float,
) -> Influence:
    cases = read_cases(y_true, y_pred, sample_weight, **costs)
    return influence_of_output_area(cases, Output(low, high), exclude_self)


@metric(arm="cutoff", influence=_influence_of_output)
def output_cutoff_area(
    y_true: Any,
    y_pred: Any,
    *,
    low: float | None = None,
    high: float | None = None,
    exclude_self: bool = False,
    false_positive_cost: float = 1.0,
    false_negative_cost: float = 1.0,
    sample_weight: Any = None,
) -> float:
    """Return A_OCE = L_o, the expected error when cutoffs are distributed as the true values.

    It is the mean of Q(y_j) over the cases j, and the mean interposition ratio over the cases i
    (Theorem 4): between a ranking measure and an error measure, and free of units. The median
    model has ¼, always-positive and always-negative have ½ (up to 1/n).

    Parameters
    ----------
    y_true, y_pred : array of shape (n,)
        Truths and predictions; predictions may be infinite.
    low, high : float, optional
        Cutoffs are the true values between these, both included; by default all of them.
    exclude_self : bool, default False
        Leave out the cutoffs that are the decided case's own truth. The paper's area includes
        them, which biases it by (P(ŷ < y) − A)/n; without them it is unbiased. Weights must then be
        whole numbers, of cases.
    false_positive_cost, false_negative_cost : float, default 1
        Costs of the two kinds of wrong decisions.
    sample_weight : array of shape (n,), optional
        Weights of cases, also as cutoffs.

    Examples
    --------
    >>> round(output_cutoff_area([3, 5, 6, 8, 11, 12], [9, 4, 7, 10, 16, 13]), 6)
    0.138889
    """
    costs = false_positive_cost, false_negative_cost
    cases = read_cases_anywhere(y_true, y_pred, sample_weight, *costs)
    return output_area(cases, Output(low, high), exclude_self)


def _ratios(cases: Cases, ranks: _Ranks) -> Floats:
    predicted, true = (in_order(ranks, each) for each in (cases.y_pred, cases.y_true))
    return np.abs(predicted - true) / ranks.total


def interposition_ratio(
    y_true: Any,
    y_pred: Any,
    *,
    low: float | None = None,
    high: float | None = None,
    sample_weight: Any = None,
) -> Floats:
    """Return IR_i, the share of true values between truth and prediction of each case (Theorem 4).

    It tells whether an error is large in terms of how many cases it can misplace. A truth that
    equals the larger of the two counts, one that equals the smaller does not; so a case counts
    itself where it is under-estimated. ``low`` and ``high`` limit the true values that count; rows
    of weight 0 get 0.

    Examples
    --------
    >>> interposition_ratio([1, 2, 3, 4], [3, 2, 3, 1]).tolist()
    [0.5, 0.0, 0.0, 0.75]
    """
    cases = read_cases(y_true, y_pred, sample_weight)
    return cases.sample.per_row(_ratios(cases, _Ranks(cases, Output(low, high))))
