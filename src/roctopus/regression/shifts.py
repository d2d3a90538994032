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
        raise InputError(
            "'loss' must be a loss such as LinLin(0.8), or your own: a subclass of "
            f"roctopus.regression.Loss with the method 'values'; got {loss!r}."
        )
    return loss


def _chosen_loss(loss: Loss | None, costs: dict[str, float | None]) -> Loss:
    if loss is None:
        return LinLin(**costs)
    if any(cost is not None for cost in costs.values()):
        raise InputError("Give either 'loss' or the asymmetry or both costs, not several of them.")
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
    cost, the higher the shift. Give the asymmetry, or both costs, or any ``loss``: ``LinLin``,
    ``QuadQuad`` (an expectile), ``LinEx`` or ``QuadEx`` (both in closed form), or a convex one of
    your own (a subclass of ``roctopus.regression.Loss``), whose best shift is searched for.

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

    Give the asymmetry, or both costs, or any ``loss``. The shift is chosen on the sample that
    scores it, so the value flatters a little (of order 1/n).

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
    """The shift of a regression model, for a loss such as ``LinLin(0.8)``."""

    loss: Loss
    sense: Literal["loss", "gain"] = "loss"

    def learn(self, y_true: Floats, y_pred: Floats) -> Floats:
        """Return the best shift."""
        return np.array([optimal_shift(y_true, y_pred, loss=self.loss).chosen])

    def outcomes(self, y_true: Floats, y_pred: Floats, knob: Floats) -> Floats:
        """Return the loss of each shifted prediction."""
        return np.asarray(self.loss.values(y_pred + knob[0] - y_true, np))
