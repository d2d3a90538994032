"""Asymmetric losses. The asymmetry weighs *under*-estimation, as in Definition 2 of the paper."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from roctopus.concepts.registry import Influence, metric
from roctopus.core.arrays import Array
from roctopus.core.checks import check_positive, check_unit
from roctopus.core.errors import InputError
from roctopus.regression.errors import read_errors

__all__ = ["LinLin", "asymmetric_absolute_error"]


@dataclass(frozen=True, init=False)
class LinLin:
    """The asymmetric absolute loss: ``under_cost``·|e| where e < 0, ``over_cost``·e where e > 0.

    Give the asymmetry α of Definition 2, which stands for costs 2α and 2(1 − α); or give both costs
    per unit, and losses come out in their unit. Either way α = under_cost / (under_cost +
    over_cost): the larger it is, the more *under*-estimates cost.

    Examples
    --------
    >>> LinLin(0.75)
    LinLin(asymmetry=0.75, under_cost=1.5, over_cost=0.5)
    >>> LinLin(under_cost=4, over_cost=1).asymmetry
    0.8
    """

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
                raise InputError("Give either 'asymmetry' or both costs, not all of them.")
            alpha = check_unit(asymmetry, "asymmetry")
            under, over = 2.0 * alpha, 2.0 * (1.0 - alpha)
        elif under_cost is None or over_cost is None:
            raise InputError(
                "Say what errors cost: 'asymmetry' between 0 and 1 (the weight of "
                "under-estimates), or both 'under_cost' and 'over_cost'."
            )
        else:
            under = check_positive(under_cost, "under_cost")
            over = check_positive(over_cost, "over_cost")
            if not math.isfinite(under + over):
                raise InputError("The costs are too large to be added. Divide both by a constant.")
            alpha = under / (under + over)
        for name, value in (("asymmetry", alpha), ("under_cost", under), ("over_cost", over)):
            object.__setattr__(self, name, value)

    def values(self, error: Array, xp: Any) -> Array:
        """Return the loss of every error (prediction − truth)."""
        return xp.where(error < 0, -self.under_cost * error, self.over_cost * error)

    def of_sums(self, over: Any, under: Any) -> Any:
        """Return the loss from total over- and under-estimation (Lemma 1); ``under`` ≤ 0."""
        return self.over_cost * over - self.under_cost * under


def _influence(
    y_true: Any,
    y_pred: Any,
    *,
    asymmetry: float | None = None,
    under_cost: float | None = None,
    over_cost: float | None = None,
    sample_weight: Any = None,
) -> Influence:
    loss = LinLin(asymmetry, under_cost=under_cost, over_cost=over_cost)
    errors = read_errors(y_true, y_pred, sample_weight)
    return errors.influence_of_mean(loss.values(errors.values, errors.xp))


@metric(arm="regression", influence=_influence)
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
    errors = read_errors(y_true, y_pred, sample_weight)
    return errors.sample.mean(loss.values(errors.values, errors.xp))
