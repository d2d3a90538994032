"""Mean losses as metrics: lin-lin, quad-quad, lin-exp, quad-exp."""

from __future__ import annotations

from typing import Any

import numpy as np

from roctopus.concepts.registry import Influence, metric
from roctopus.core.arrays import Array, Floats, shared_namespace
from roctopus.core.resampling import means_of_weightings
from roctopus.regression.errors import read_errors
from roctopus.regression.losses import TWO_COSTS, LinEx, LinLin, Loss, QuadEx, QuadQuad

__all__ = ["asymmetric_absolute_error", "asymmetric_squared_error", "linex_error", "quadex_error"]


def _mean(loss: Loss, y_true: Any, y_pred: Any, sample_weight: Any) -> float:
    errors = read_errors(y_true, y_pred, sample_weight)
    return errors.sample.mean(loss.values(errors.values, errors.xp))


def _influence(make_loss: Any) -> Any:
    """Return the influence function of a mean loss: the deviations from the mean."""

    def influence(
        y_true: Any, y_pred: Any, *, sample_weight: Any = None, **parameters: Any
    ) -> Influence:
        errors = read_errors(y_true, y_pred, sample_weight)
        return Influence.of_mean(
            errors.sample, make_loss(**parameters).values(errors.values, errors.xp)
        )

    return influence


def _batch(make_loss: Any) -> Any:
    """Return the function of many weightings: one product of two matrices."""

    def means(
        y_true: Array, y_pred: Array, weights: Array, *, total: float, **parameters: Any
    ) -> Floats:
        xp = shared_namespace(y_true=y_true)
        with np.errstate(over="ignore", invalid="ignore"):
            values = make_loss(**parameters).values(y_pred - y_true, xp)
            return means_of_weightings(values, weights)

    return means


@metric(arm="regression", influence=_influence(LinLin), batch=_batch(LinLin), needs=TWO_COSTS)
def asymmetric_absolute_error(
    y_true: Any,
    y_pred: Any,
    *,
    asymmetry: float | None = None,
    under_cost: float | None = None,
    over_cost: float | None = None,
    sample_weight: Any = None,
) -> float:
    """Return the mean asymmetric absolute error ℓ^A_α (lin-lin loss).

    ℓ = 2α·(y − ŷ) where ŷ < y, and 2(1 − α)·(ŷ − y) elsewhere. The asymmetry α weighs
    *under*-estimation. It is twice scikit-learn's ``mean_pinball_loss`` at α, and the mean absolute
    error at α = ½. With costs in place of α the result is in their unit.

    Parameters
    ----------
    y_true, y_pred : array of shape (n,)
        Truths and predictions.
    asymmetry : float in [0, 1], optional
        Weight of under-estimates; or give both costs.
    under_cost, over_cost : float, optional
        Cost of one unit of under- and of over-estimation.
    sample_weight : array of shape (n,), optional
        Weights; a row of weight 0 is absent.

    Examples
    --------
    >>> asymmetric_absolute_error([3, 5], [2, 6], asymmetry=0.8)
    1.0
    >>> asymmetric_absolute_error([3, 5], [2, 6], under_cost=4, over_cost=1)
    2.5
    """
    loss = LinLin(asymmetry, under_cost=under_cost, over_cost=over_cost)
    return _mean(loss, y_true, y_pred, sample_weight)


@metric(arm="regression", influence=_influence(QuadQuad), batch=_batch(QuadQuad), needs=TWO_COSTS)
def asymmetric_squared_error(
    y_true: Any,
    y_pred: Any,
    *,
    asymmetry: float | None = None,
    under_cost: float | None = None,
    over_cost: float | None = None,
    sample_weight: Any = None,
) -> float:
    """Return the mean asymmetric squared error (quad-quad loss).

    2α·(y − ŷ)² where ŷ < y, and 2(1 − α)·(ŷ − y)² elsewhere: the mean squared error at α = ½. The
    asymmetry weighs *under*-estimation; with costs in place of α the result is in their unit.

    Examples
    --------
    >>> asymmetric_squared_error([3, 5], [1, 6], under_cost=2, over_cost=1)
    4.5
    """
    loss = QuadQuad(asymmetry, under_cost=under_cost, over_cost=over_cost)
    return _mean(loss, y_true, y_pred, sample_weight)


@metric(arm="regression", influence=_influence(LinEx), batch=_batch(LinEx))
def linex_error(y_true: Any, y_pred: Any, *, a: float, sample_weight: Any = None) -> float:
    """Return the mean lin-exp loss exp(a·e) − a·e − 1 of the errors e = ŷ − y.

    With a > 0 over-estimates hurt exponentially, with a < 0 under-estimates do.

    Examples
    --------
    >>> round(linex_error([3, 5], [2, 6], a=1.0), 6)
    0.543081
    """
    return _mean(LinEx(a), y_true, y_pred, sample_weight)


@metric(arm="regression", influence=_influence(QuadEx), batch=_batch(QuadEx))
def quadex_error(
    y_true: Any, y_pred: Any, *, a: float, d: float, sample_weight: Any = None
) -> float:
    """Return the mean quad-exp loss exp(a·e) + d·e² − a·e − 1 of the errors e = ŷ − y.

    Examples
    --------
    >>> round(quadex_error([3, 5], [2, 6], a=1.0, d=0.5), 6)
    1.043081
    """
    return _mean(QuadEx(a, d), y_true, y_pred, sample_weight)
