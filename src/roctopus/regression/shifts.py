"""The best constant shift for a loss, and the loss that remains after it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from roctopus.concepts.registry import metric
from roctopus.core.arrays import Array, Floats
from roctopus.core.errors import InputError
from roctopus.regression.errors import Errors, OptimalShift, read_errors
from roctopus.regression.losses import Loss
from roctopus.regression.two_costs import TWO_COSTS, LinLin


def check_loss(loss: Any) -> Loss:
    """Return the loss; raise an error for what is not one."""
    if not isinstance(loss, Loss):
        if isinstance(loss, type):
            raise InputError(
                "'loss' must be an instance such as LinLin(0.8), but is the class "
                f"{loss.__name__}. Add parentheses, as in {loss.__name__}(...)."
            )
        raise InputError(
            f"'loss' must be a loss such as LinLin(0.8), but is {loss!r}. For a loss of your own, "
            "use an instance of a subclass of roctopus.regression.Loss."
        )
    return loss


def _chosen_loss(loss: Loss | None, costs: dict[str, float | None]) -> Loss:
    if loss is None:
        return LinLin(**costs)
    if any(cost is not None for cost in costs.values()):
        rivals = " and ".join(repr(name) for name, cost in costs.items() if cost is not None)
        raise InputError(
            f"'loss' cannot be combined with {rivals}. Leave out either 'loss' or {rivals}."
        )
    return check_loss(loss)


def optimal_shift(
    y_true: Any,
    y_pred: Any,
    *,
    loss: Loss | None = None,
    asymmetry: float | None = None,
    under_cost: float | None = None,
    over_cost: float | None = None,
    sample_weight: Any = None,
) -> OptimalShift:
    """Return the constant shifts with the smallest loss on this sample.

    For the asymmetric absolute loss they are the α-quantiles of y − ŷ: the more under-estimates
    cost, the larger the shift. Give the asymmetry, both costs, or a loss.

    Parameters
    ----------
    y_true, y_pred : array of shape (n,)
        True values and predictions, one per case.
    loss : Loss, optional
        What an error costs: ``LinLin``, ``QuadQuad`` (whose best shift is an expectile), ``LinEx``
        or ``QuadEx``, or a convex loss of your own, a subclass of ``roctopus.regression.Loss``,
        whose best shift is searched for.
    asymmetry : float, optional
        Weight of under-estimates, from 0 to 1. Give this or both costs.
    under_cost, over_cost : float, optional
        Cost of one unit of under-estimation, and of one unit of over-estimation.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    OptimalShift
        The interval of the best shifts, and the one to use (``chosen``).

    Examples
    --------
    >>> from roctopus import LinLin, QuadQuad
    >>> optimal_shift([3, 5, 8, 9], [2, 5, 9, 7], loss=LinLin(0.8))
    OptimalShift(low=2.0, high=2.0, chosen=2.0)
    >>> optimal_shift([3, 5, 8, 9], [2, 5, 9, 7], under_cost=1, over_cost=1).chosen
    0.0
    >>> optimal_shift([3, 5, 8, 9], [2, 5, 9, 7], loss=QuadQuad(0.5)).chosen
    0.5
    """
    costs = {"asymmetry": asymmetry, "under_cost": under_cost, "over_cost": over_cost}
    chosen = _chosen_loss(loss, costs)
    return chosen.best_shift(read_errors(y_true, y_pred, sample_weight))


def _shifted_losses(errors: Errors, loss: Loss | None, **costs: float | None) -> Array:
    # At the optimum a small move of the shift changes nothing: only the losses themselves count.
    chosen = _chosen_loss(loss, costs)
    return chosen.values(errors.values + chosen.best_shift(errors).chosen, errors.xp)


@metric(
    arm="regression",
    read=read_errors,
    per_case=_shifted_losses,
    needs=(("loss",), *TWO_COSTS),
)
def optimal_shift_error(
    y_true: Any,
    y_pred: Any,
    *,
    loss: Loss | None = None,
    asymmetry: float | None = None,
    under_cost: float | None = None,
    over_cost: float | None = None,
    sample_weight: Any = None,
) -> float:
    """Return the mean loss after the best constant shift; for the asymmetric absolute loss, L*(α).

    The shift is chosen on the same cases that measure it, so the value is a little too small (by
    about 1/n). Give the asymmetry, both costs, or a loss.

    Parameters
    ----------
    y_true, y_pred : array of shape (n,)
        True values and predictions, one per case.
    loss : Loss, optional
        What an error costs, such as ``QuadQuad(0.8)``.
    asymmetry : float, optional
        Weight of under-estimates, from 0 to 1. Give this or both costs.
    under_cost, over_cost : float, optional
        Cost of one unit of under-estimation, and of one unit of over-estimation.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    float
        The mean cost per case, in the unit of the costs.

    Examples
    --------
    >>> optimal_shift_error([3, 5, 8, 9], [2, 5, 9, 7], asymmetry=0.875)
    0.375
    """
    costs = {"asymmetry": asymmetry, "under_cost": under_cost, "over_cost": over_cost}
    errors = read_errors(y_true, y_pred, sample_weight)
    return errors.sample.mean(_shifted_losses(errors, loss, **costs))


@dataclass(frozen=True)
class ShiftTuning:
    """How the shift of a regression model is tuned and judged, for ``honest_value`` and the like.

    Parameters
    ----------
    loss : Loss
        What an error costs, such as ``LinLin(0.8)``.
    sense : {"loss", "gain"}, default "loss"
        Whether less or more is better.

    Examples
    --------
    >>> from roctopus import LinLin
    >>> tuning = ShiftTuning(LinLin(0.8))
    >>> tuning.learn(np.array([3.0, 5.0, 8.0, 9.0]), np.array([2.0, 5.0, 9.0, 7.0])).tolist()
    [2.0]
    """

    loss: Loss
    sense: Literal["loss", "gain"] = "loss"

    def learn(self, y_true: Floats, y_pred: Floats) -> Floats:
        """Return the best shift of a sample.

        Parameters
        ----------
        y_true, y_pred : array of shape (n,)
            True values and predictions, one per case.

        Returns
        -------
        array of shape (1,)
            The best shift.
        """
        return np.array([optimal_shift(y_true, y_pred, loss=self.loss).chosen])

    def outcomes(self, y_true: Floats, y_pred: Floats, knob: Floats) -> Floats:
        """Return the loss of each shifted prediction.

        Parameters
        ----------
        y_true, y_pred : array of shape (n,)
            True values and predictions, one per case.
        knob : array of shape (1,)
            Shift, as ``learn`` returns it.

        Returns
        -------
        array of shape (n,)
            The loss of each case.
        """
        return np.asarray(self.loss.values(y_pred + knob[0] - y_true, np))
