"""The area over cutoffs that are distributed as the true values."""

from __future__ import annotations

from typing import Any

import numpy as np

from roctopus.concepts.given_distributions import Output
from roctopus.concepts.registry import Influence, metric
from roctopus.core.arrays import Array, Floats, in_order, is_foreign, on_device_of, sort_with_order
from roctopus.core.errors import InputError
from roctopus.cutoff.cases import CutoffCases, read_cases
from roctopus.cutoff.curves import curve_of


class _Ranks:
    """The weight of the truths of a region at or below a value."""

    def __init__(self, cases: CutoffCases, region: Output) -> None:
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


def _self_pairs(cases: CutoffCases) -> Array:
    """Return what each case costs at a cutoff equal to its own truth."""
    xp = cases.sample.xp
    return cases.costs.false_negative * xp.astype(cases.y_pred < cases.y_true, xp.float64)


def _check_pairs(cases: CutoffCases) -> float:
    """Return the number of the other cases, W − 1."""
    others, weight = cases.sample.total_weight - 1.0, cases.sample.weight
    xp = cases.sample.xp
    if weight is not None and bool(xp.any(weight != xp.round(weight))):
        first = float(weight[weight != xp.round(weight)][0])
        raise InputError(
            "With exclude_self=True, 'sample_weight' must contain whole numbers (how often each "
            f"case occurs), but contains {first:g}. Leave out 'exclude_self' or 'sample_weight'."
        )
    if others <= 0.0:
        raise InputError(
            "exclude_self=True compares each case with the other cases, but there is only one "
            "case. Add cases, or leave out 'exclude_self'."
        )
    return others


def output_area(cases: CutoffCases, region: Output, exclude_self: bool) -> float:
    """Return A_OCE from sorted ends, without the order of the rows.

    Σ|F(ŷ) − F(y)| needs no pairing once rows are split by the sign of the error; sorted needles
    make the searches several times faster. Arrays on a device stay there.
    """
    sums = _sums_on_device if is_foreign(cases.y_true) else _sums
    false_positives, false_negatives, cutoffs = sums(cases, region)
    total = cases.costs.false_positive * false_positives
    total += cases.costs.false_negative * false_negatives
    if not exclude_self:
        return max(total, 0.0) / cutoffs / cases.sample.total_weight
    low, high = region.ends
    inside = (cases.y_true >= low) & (cases.y_true <= high)
    own = cases.sample.total(cases.sample.xp.where(inside, _self_pairs(cases), 0.0))
    return max(total - own, 0.0) / cutoffs / _check_pairs(cases)


def _sums(cases: CutoffCases, region: Output) -> tuple[float, float, float]:
    """Return the cutoffs with a false positive and a false negative, over all cases; and all."""
    ranks = _Ranks(cases, region)
    over, under = cases.intervals()
    return over.total(ranks), under.total(ranks), ranks.total


def _sums_on_device(cases: CutoffCases, region: Output) -> tuple[float, float, float]:
    """Return the same; where a sort gives the order, too, the sign of the error goes along."""
    xp, weight = cases.sample.xp, cases.sample.weight
    sign = xp.astype(cases.y_pred > cases.y_true, xp.int8)
    sign = sign - xp.astype(cases.y_pred < cases.y_true, xp.int8)
    truths, order = sort_with_order(cases.y_true, xp=xp)
    inside = _part_in(truths, region, xp)
    mass = None if weight is None else xp.take(weight, order)
    running = None if mass is None else xp.cumulative_sum(mass[inside], include_initial=True)

    def by_sign(ordered: Array, order: Array, mass: Array | None) -> list[Any]:
        terms = xp.searchsorted(truths[inside], ordered, side="right")
        terms = xp.astype(terms, xp.int64, copy=False)  # counts add up exactly
        if running is not None:
            terms = xp.take(running, terms) * mass
        mine, zero = xp.take(sign, order), xp.zeros_like(terms[:1])
        return [xp.sum(xp.where(each, terms, zero)) for each in (mine > 0, mine < 0)]

    at_truths = by_sign(truths, order, mass)
    predictions, order = sort_with_order(cases.y_pred, xp=xp)
    mass = None if weight is None else xp.take(weight, order)
    at_predictions = by_sign(predictions, order, mass)
    over, under = at_predictions[0] - at_truths[0], at_truths[1] - at_predictions[1]
    cutoffs = float(inside.stop - inside.start) if running is None else float(running[-1])
    return float(over), float(under), cutoffs


def _part_in(truths: Array, region: Output, xp: Any) -> slice:
    """Return which of the sorted truths lie in the region."""
    low, high = (on_device_of(truths, [end], xp=xp) for end in region.ends)
    first = int(xp.searchsorted(truths, low, side="left")[0])
    stop = int(xp.searchsorted(truths, high, side="right")[0])
    if first >= stop:
        region.refuse(float(truths[0]), float(truths[-1]))
    return slice(first, stop)


def influence_of_output_area(cases: CutoffCases, region: Output, exclude_self: bool) -> Influence:
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


def _influence(
    cases: CutoffCases, low: float | None, high: float | None, exclude_self: bool
) -> Influence:
    return influence_of_output_area(cases, Output(low, high), exclude_self)


@metric(arm="cutoff", read=read_cases, influence=_influence)
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

    It lies between a ranking measure and an error measure, and has no unit: 0 is perfect. The
    median as a constant prediction gets ¼; always positive and always negative get ½ (up to 1/n).

    Parameters
    ----------
    y_true, y_pred : array of shape (n,)
        True values and predictions, one per case; predictions may be infinite.
    low, high : float, optional
        Range of the true values that are used as cutoffs, both ends included; by default all are.
    exclude_self : bool, default False
        Whether to leave out the case's own true value as a cutoff. The paper's area includes it,
        which biases it by (P(ŷ < y) − A)/n. Weights must then be whole numbers, of cases.
    false_positive_cost : float, default 1
        Cost of a false positive: yes was decided where no was right.
    false_negative_cost : float, default 1
        Cost of a false negative: no was decided where yes was right.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    float
        The expected cost per case, in the unit of the costs. Weights of cases also count as weights
        of cutoffs.

    Notes
    -----
    It is the mean of Q(y_j) over the cases j, and the mean interposition ratio over the cases i
    (Theorem 4).

    Examples
    --------
    >>> round(output_cutoff_area([3, 5, 6, 8, 11, 12], [9, 4, 7, 10, 16, 13]), 6)
    0.138889
    """
    costs = false_positive_cost, false_negative_cost
    cases = read_cases(y_true, y_pred, sample_weight, *costs, anywhere=True)
    return output_area(cases, Output(low, high), exclude_self)


def interposition_ratio(
    y_true: Any,
    y_pred: Any,
    *,
    low: float | None = None,
    high: float | None = None,
    sample_weight: Any = None,
) -> Floats:
    """Return IR_i, the share of true values between true value and prediction of each case.

    It says how large an error is in terms of the cases it can misplace (Theorem 4).

    Parameters
    ----------
    y_true, y_pred : array of shape (n,)
        True values and predictions, one per case; predictions may be infinite.
    low, high : float, optional
        Range of the true values that are used as cutoffs, both ends included; by default all are.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    array of shape (n,)
        The share of each case, from 0 to 1; 0 for a case of weight 0.

    Notes
    -----
    A true value that equals the larger of the two counts, one that equals the smaller does not. So
    an under-estimated case counts itself.

    Examples
    --------
    >>> interposition_ratio([1, 2, 3, 4], [3, 2, 3, 1]).tolist()
    [0.5, 0.0, 0.0, 0.75]
    """
    cases = read_cases(y_true, y_pred, sample_weight)
    ranks = _Ranks(cases, Output(low, high))
    predicted, true = (in_order(ranks, each) for each in (cases.y_pred, cases.y_true))
    return cases.sample.per_row(np.abs(predicted - true) / ranks.total)
