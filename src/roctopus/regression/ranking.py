"""Ranking of a numeric outcome: CPA and UROC curves, and the usual correlations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from roctopus.concepts.registry import Influence, metric
from roctopus.concepts.tradeoff_curve import TradeoffCurve
from roctopus.core.arrays import Array, Floats, to_numpy
from roctopus.core.checks import check_whole
from roctopus.core.correlations import Correlations, correlations
from roctopus.core.errors import InputError, arg
from roctopus.core.sample import Sample, read_sample


@dataclass(frozen=True, eq=False)
class _Order:
    """Cases in increasing order of a column, with its tie groups."""

    order: Any
    group: Any
    """The tie group of each case in order."""
    start: Any
    stop: Any
    """First and last position of each group."""

    @staticmethod
    def of(values: Floats) -> _Order:
        order = np.argsort(values)
        ordered = values[order]
        first = np.append(True, ordered[1:] != ordered[:-1])
        start = np.flatnonzero(first)
        return _Order(order, np.cumsum(first) - 1, start, np.append(start[1:], len(values)))

    def signed_sums(self, value: Floats, weight: Floats | None) -> Floats:
        """Return Σ_j w_j·(v_i − v_j)·sign(rank_i − rank_j); arguments and answer in this order."""
        moments = np.append(0.0, np.cumsum(value if weight is None else weight * value))
        masses = np.arange(len(value) + 1.0)
        if weight is not None:
            masses = np.append(0.0, np.cumsum(weight))
        count, moment = (
            running[self.start] + running[self.stop] - running[-1] for running in (masses, moments)
        )
        if len(count) < len(value):
            count, moment = count[self.group], moment[self.group]
        return np.asarray(value * count - moment)


@dataclass(frozen=True, eq=False)
class _PairSums:
    """Each case's part of the pair sums by prediction and by truth, in their own orders."""

    by_prediction: Floats
    by_truth: Floats
    predictions: _Order
    truths: _Order
    weight: Floats | None

    @staticmethod
    def of(sample: Sample) -> _PairSums:
        y, p = to_numpy(sample.y_true), to_numpy(sample.y_pred)
        weight = None if sample.weight is None else to_numpy(sample.weight)
        truths, predictions = _Order.of(y), _Order.of(p)
        if len(truths.start) == 1:
            raise InputError("All values of 'y_true' are equal, so there is nothing to rank.")
        dense = truths.group.astype(np.float64)  # the outcome by its distinct values
        of_case = np.empty(len(y))
        of_case[truths.order] = dense
        return _PairSums(
            predictions.signed_sums(of_case[predictions.order], _in_order(weight, predictions)),
            truths.signed_sums(dense, _in_order(weight, truths)),
            predictions,
            truths,
            weight,
        )

    @property
    def reached(self) -> float:
        return _total(self.by_prediction, _in_order(self.weight, self.predictions))

    @property
    def possible(self) -> float:
        return _total(self.by_truth, _in_order(self.weight, self.truths))


def _in_order(weight: Floats | None, order: _Order) -> Floats | None:
    return None if weight is None else weight[order.order]


def _total(values: Floats, weight: Floats | None) -> float:
    return float(np.sum(values if weight is None else values * weight))


def _influence_of_cpa(sample: Sample) -> Influence:
    sums = _PairSums.of(sample)
    reached, possible = sums.reached, sums.possible
    values = np.empty(sample.size)
    values[sums.predictions.order] = sums.by_prediction
    values[sums.truths.order] -= reached / possible * sums.by_truth
    return Influence.of(sample, values * (sample.total_weight / possible))


@metric(
    arm="regression", read=read_sample, influence=_influence_of_cpa, sense="gain", scale="logit"
)
def coefficient_of_predictive_ability(
    y_true: Any, y_pred: Any, *, sample_weight: Any = None
) -> float:
    """Return CPA, the AUC for a numeric outcome (Gneiting and Walz, 2022).

    Only the ranking of the predictions counts: 1 is perfect, ½ is chance.

    Parameters
    ----------
    y_true, y_pred : array of shape (n,)
        True values and predictions, one per case.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    float
        The coefficient, from 0 to 1.

    Notes
    -----
    It averages the AUC of "y is at least t" over all thresholds t, weighted by their numbers of
    pairs. For a binary outcome it is the AUC; without any ties it is (1 + Spearman's ρ)/2.

    Examples
    --------
    >>> coefficient_of_predictive_ability([1, 2, 3, 4], [2, 1, 3, 4])
    0.9
    """
    sums = _PairSums.of(read_sample(y_true, y_pred, sample_weight))
    return 0.5 * (1.0 + sums.reached / sums.possible)


@dataclass(frozen=True, eq=False, repr=False)
class UROCCurve(TradeoffCurve):
    """The universal ROC curve: the mean of the ROC curves of all thresholds of the outcome.

    ``uroc_curve`` makes it.

    Parameters
    ----------
    x, y : array of shape (points,)
        False alarm rate and hit rate at each point.
    knob : array of shape (points,)
        Position of each point along the curve.
    backend : str or None, default None
        Dataframe library that the data came in.
    exact : bool
        Whether all thresholds of the outcome were used.
    area : float
        Area under the curve: the CPA if ``exact``, otherwise that of the thresholds that were used.
        It is not the area of the drawn points, between which the curve is not straight.

    Examples
    --------
    >>> curve = uroc_curve([1, 2, 3, 4], [2, 1, 3, 4], points=5)
    >>> curve.hit_rate.round(3).tolist()
    [0.9, 0.9, 0.9, 0.9, 1.0]
    """

    exact: bool
    area: float

    names: ClassVar[tuple[str, str, str]] = ("false_alarm_rate", "hit_rate", "position")

    @property
    def false_alarm_rate(self) -> Array:
        """The share of smaller outcomes called large."""
        return self.x

    @property
    def hit_rate(self) -> Array:
        """The share of larger outcomes called large, averaged over thresholds."""
        return self.y


def uroc_curve(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    points: int = 1001,
    thresholds: int = 300,
) -> UROCCurve:
    """Return the universal ROC curve of a numeric outcome.

    Read it as an ROC curve: the hit rate that the ranking reaches at each false alarm rate,
    averaged over all thresholds of the outcome.

    Parameters
    ----------
    y_true, y_pred : array of shape (n,)
        True values and predictions, one per case.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.
    points : int, default 1001
        Number of false alarm rates at which the curve is drawn.
    thresholds : int, default 300
        Largest number of thresholds to use. If the outcome has more distinct values, an even choice
        of them by weight of pairs stands for all, so that the work does not grow with n².

    Returns
    -------
    UROCCurve
        The curve and its area, which is ``coefficient_of_predictive_ability`` if all thresholds are
        used (``exact``).

    Examples
    --------
    >>> curve = uroc_curve([1, 2, 3, 4], [2, 1, 3, 4])
    >>> round(curve.area, 3), curve.exact
    (0.9, True)
    """
    points, thresholds = check_whole(points, "points", 2), check_whole(thresholds, "thresholds", 1)
    sample = read_sample(y_true, y_pred, sample_weight)
    y, p = to_numpy(sample.y_true), to_numpy(sample.y_pred)
    weight = np.ones(len(y)) if sample.weight is None else to_numpy(sample.weight)
    classes, of_class = np.unique(y, return_inverse=True)
    if len(classes) < 2:
        raise InputError("All values of 'y_true' are equal, so there is nothing to rank.")
    below = np.cumsum(np.bincount(of_class, weights=weight))[:-1]
    pairs = below * (weight.sum() - below)
    chosen, share = _choose(pairs, thresholds)
    order = np.argsort(-p)
    descending, of_class, weight = p[order], of_class[order], weight[order]
    last = np.append(descending[1:] != descending[:-1], True)
    grid = np.linspace(0.0, 1.0, points)
    hits, area = np.zeros(points), 0.0
    for threshold, part in zip(chosen, share, strict=True):
        large = np.where(of_class > threshold, weight, 0.0)
        true, false = (np.append(0.0, np.cumsum(w)[last]) for w in (large, weight - large))
        hits += part * np.interp(grid, false / false[-1], true / true[-1])
        area += float(part * np.trapezoid(true / true[-1], false / false[-1]))
    return UROCCurve(grid, hits, grid, sample.backend, len(chosen) == len(pairs), area)


def _choose(pairs: Floats, most: int) -> tuple[Any, Floats]:
    """Choose thresholds that each stand for an equal share of the pairs."""
    if len(pairs) <= most:
        return np.arange(len(pairs)), pairs / pairs.sum()
    middle = (np.arange(most) + 0.5) / most
    running = np.cumsum(pairs) / pairs.sum()
    return np.searchsorted(running, middle), np.full(most, 1.0 / most)


def rank_correlations(y_true: Any, y_pred: Any) -> Correlations:
    """Return Pearson's, Spearman's and Kendall's correlation (τ-b, which allows for ties).

    For their uncertainty use ``roctopus.inference.bootstrap``.

    Parameters
    ----------
    y_true, y_pred : array of shape (n,)
        True values and predictions, one per case.

    Returns
    -------
    Correlations
        Three numbers from −1 to 1: ``pearson``, ``spearman`` and ``kendall``.

    Examples
    --------
    >>> round(rank_correlations([1, 2, 3, 4], [2, 1, 3, 4]).spearman, 3)
    0.8
    """
    sample = read_sample(y_true, y_pred).to_numpy()
    for name, values in (("y_true", sample.y_true), ("y_pred", sample.y_pred)):
        if np.all(values == values[0]):
            raise InputError(f"{arg(name)} is constant, so its correlations are not defined.")
    return correlations(sample.y_true, sample.y_pred)
