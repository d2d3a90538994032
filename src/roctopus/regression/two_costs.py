"""Losses with a cost of over- and one of under-estimates: absolute (lin-lin) and squared.

The asymmetry weighs *under*-estimation (Definition 2).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from roctopus.concepts.registry import metric
from roctopus.core.arrays import Array, to_numpy
from roctopus.core.checks import check_positive, check_unit
from roctopus.core.errors import InputError, arg
from roctopus.core.running_sums import START, advance
from roctopus.regression.errors import Errors, OptimalShift, optimal_interval, rounding_of_masses
from roctopus.regression.losses import Loss

TWO_COSTS = (("asymmetry",), ("under_cost", "over_cost"))
"""Arguments that say what under- and over-estimates cost."""


@dataclass(frozen=True, init=False)
class _TwoCosts(Loss):
    asymmetry: float
    under_cost: float
    over_cost: float

    def __init__(
        self,
        asymmetry: float | None = None,
        *,
        under_cost: float | None = None,
        over_cost: float | None = None,
    ) -> None:
        if asymmetry is not None:
            if under_cost is not None or over_cost is not None:
                rival = arg("over_cost" if under_cost is None else "under_cost")
                raise InputError(
                    f"{arg('asymmetry')} cannot be combined with {rival}. Use {arg('asymmetry')} "
                    f"alone, or both {arg('under_cost')} and {arg('over_cost')}."
                )
            alpha = check_unit(asymmetry, "asymmetry")
            under, over = 2.0 * alpha, 2.0 * (1.0 - alpha)
        elif under_cost is None or over_cost is None:
            told = "The costs of errors are missing."
            if under_cost is not None:
                told = f"{arg('under_cost')} is set, but {arg('over_cost')} is missing."
            elif over_cost is not None:
                told = f"{arg('over_cost')} is set, but {arg('under_cost')} is missing."
            raise InputError(
                f"{told} Use both {arg('under_cost')} and {arg('over_cost')}, or only "
                f"{arg('asymmetry')} (the weight of under-estimates, between 0 and 1)."
            )
        else:
            under = check_positive(under_cost, "under_cost")
            over = check_positive(over_cost, "over_cost")
            if not math.isfinite(under + over):
                raise InputError(
                    f"The sum of {arg('under_cost')} and {arg('over_cost')} is too large for a "
                    "floating-point number. Divide both by the same constant."
                )
            alpha = under / (under + over)
        for name, value in (("asymmetry", alpha), ("under_cost", under), ("over_cost", over)):
            object.__setattr__(self, name, value)


@dataclass(frozen=True, init=False)
class LinLin(_TwoCosts):
    """The asymmetric absolute loss: ``under_cost·|e|`` where e < 0, ``over_cost·e`` where e > 0.

    Give the asymmetry α of Definition 2, which stands for costs 2α and 2(1 − α); or give both
    costs, and losses are in their unit. Either way α = under_cost / (under_cost + over_cost): the
    larger, the more *under*-estimates cost.

    Parameters
    ----------
    asymmetry : float, optional
        Weight of under-estimates, from 0 to 1. Give this or both costs.
    under_cost, over_cost : float, optional
        Cost of one unit of under-estimation, and of one unit of over-estimation.

    Examples
    --------
    >>> LinLin(0.75)
    LinLin(asymmetry=0.75, under_cost=1.5, over_cost=0.5)
    >>> LinLin(under_cost=4, over_cost=1).asymmetry
    0.8
    """

    def values(self, error: Array, xp: Any) -> Array:
        """Return the loss of every error.

        Parameters
        ----------
        error : array of shape (n,)
            Predictions minus true values.
        xp : module
            Array namespace of ``error``, such as numpy.

        Returns
        -------
        array of shape (n,)
            The losses, at least 0.
        """
        return xp.where(error < 0, -self.under_cost * error, self.over_cost * error)

    def of_sums(self, over: Any, under: Any) -> Any:
        """Return the loss from total over- and under-estimation (Lemma 1).

        Parameters
        ----------
        over : float or array
            Sum of the positive errors, at least 0.
        under : float or array
            Sum of the negative errors, at most 0.

        Returns
        -------
        float or array
            The total loss.
        """
        return self.over_cost * over - self.under_cost * under

    def best_shift(self, errors: Errors) -> OptimalShift:
        """Return all best constant shifts: the α-quantiles of true value minus prediction.

        Parameters
        ----------
        errors : Errors
            Errors of the sample, as ``optimal_shift`` reads them.

        Returns
        -------
        OptimalShift
            The interval of the best shifts, and the one to use.
        """
        xp, weight = errors.xp, errors.sample.weight
        corrections = 0.0 - errors.values
        if weight is None:
            corrections = xp.sort(corrections, stable=False)
        else:
            order = xp.argsort(corrections, stable=False)
            corrections, weight = xp.take(corrections, order), xp.take(weight, order)
        _, groups = advance(START, corrections, weight, xp=xp)
        return optimal_interval(
            to_numpy(groups.value),
            to_numpy(groups.mass),
            self.asymmetry,
            relative_rounding=rounding_of_masses(errors.sample),
        )

    def components(self) -> tuple[Loss, float, float]:
        """Raise an error: OVER and UNDER themselves are the two parts of this loss."""
        raise InputError(
            "LinLin cannot be used here. The two parts of this loss are over- and "
            "under-estimation. Use rroc_curve, which computes both exactly."
        )


@metric(arm="regression", influence=LinLin.influence, batch=LinLin.batch, needs=TWO_COSTS)
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

    An under-estimate by 1 costs 2α, an over-estimate by 1 costs 2(1 − α). At α = ½ it is the mean
    absolute error. With costs instead of α the result is in their unit.

    Parameters
    ----------
    y_true, y_pred : array of shape (n,)
        True values and predictions, one per case.
    asymmetry : float, optional
        Weight of under-estimates, from 0 to 1. Give this or both costs.
    under_cost, over_cost : float, optional
        Cost of one unit of under-estimation, and of one unit of over-estimation.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    float
        The mean cost per case.

    Notes
    -----
    ℓ = 2α·(y − ŷ) where ŷ < y, and 2(1 − α)·(ŷ − y) elsewhere. It is twice scikit-learn's
    ``mean_pinball_loss`` at α.

    Examples
    --------
    >>> asymmetric_absolute_error([3, 5], [2, 6], asymmetry=0.8)
    1.0
    >>> asymmetric_absolute_error([3, 5], [2, 6], under_cost=4, over_cost=1)
    2.5
    """
    loss = LinLin(asymmetry, under_cost=under_cost, over_cost=over_cost)
    return loss.mean(y_true, y_pred, sample_weight)


@dataclass(frozen=True, init=False)
class QuadQuad(_TwoCosts):
    """The asymmetric squared loss: ``under_cost``·e² where e < 0, ``over_cost``·e² where e > 0.

    Costs are as in ``LinLin``; α = ½ is the squared error. Its best shift is an expectile.

    Parameters
    ----------
    asymmetry : float, optional
        Weight of under-estimates, from 0 to 1. Give this or both costs.
    under_cost, over_cost : float, optional
        Cost of one unit of under-estimation, and of one unit of over-estimation.

    Examples
    --------
    >>> QuadQuad(under_cost=3, over_cost=1)
    QuadQuad(asymmetry=0.75, under_cost=3.0, over_cost=1.0)
    """

    def values(self, error: Array, xp: Any) -> Array:
        """Return the loss of every error.

        Parameters
        ----------
        error : array of shape (n,)
            Predictions minus true values.
        xp : module
            Array namespace of ``error``, such as numpy.

        Returns
        -------
        array of shape (n,)
            The losses, at least 0.
        """
        with np.errstate(over="ignore"):
            square = error * error
            return xp.where(error < 0, self.under_cost * square, self.over_cost * square)

    def best_shift(self, errors: Errors) -> OptimalShift:
        """Return the best constant shift, an expectile of true value minus prediction.

        It is where the RROC curve crosses the ray α·(−UNDER) = (1 − α)·OVER.

        Parameters
        ----------
        errors : Errors
            Errors of the sample, as ``optimal_shift`` reads them.

        Returns
        -------
        OptimalShift
            The interval of the best shifts, and the one to use.
        """
        sums = errors.sums_over_shifts()
        shift, excess, shortfall, mass, above = (
            to_numpy(each)
            for each in (sums.value, sums.excess, sums.shortfall, sums.mass, sums.mass_above)
        )
        alpha, rest = self.asymmetry, 1.0 - self.asymmetry
        if alpha == 0.0:
            return OptimalShift(-math.inf, float(shift[0]))
        if alpha == 1.0:
            return OptimalShift(float(shift[-1]), math.inf)
        balance = rest * excess - alpha * shortfall  # increasing in the shift
        vertex = max(int(np.searchsorted(balance, 0.0, side="right")) - 1, 0)
        slope = rest * mass[vertex] + alpha * above[vertex]
        best = float(shift[vertex] - balance[vertex] / slope)
        return OptimalShift(best, best)

    def components(self) -> tuple[Loss, float, float]:
        """Return the squared error, and the costs.

        Returns
        -------
        symmetric : Loss
            The squared error.
        over_cost, under_cost : float
            Factors of the loss of over-estimates and of under-estimates.
        """
        return QuadQuad(0.5), self.over_cost, self.under_cost


@metric(arm="regression", influence=QuadQuad.influence, batch=QuadQuad.batch, needs=TWO_COSTS)
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

    An under-estimate by e costs 2α·e², an over-estimate by e costs 2(1 − α)·e². At α = ½ it is the
    mean squared error. With costs instead of α the result is in their unit.

    Parameters
    ----------
    y_true, y_pred : array of shape (n,)
        True values and predictions, one per case.
    asymmetry : float, optional
        Weight of under-estimates, from 0 to 1. Give this or both costs.
    under_cost, over_cost : float, optional
        Cost of one unit of under-estimation, and of one unit of over-estimation.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    float
        The mean cost per case.

    Examples
    --------
    >>> asymmetric_squared_error([3, 5], [1, 6], under_cost=2, over_cost=1)
    4.5
    """
    loss = QuadQuad(asymmetry, under_cost=under_cost, over_cost=over_cost)
    return loss.mean(y_true, y_pred, sample_weight)
