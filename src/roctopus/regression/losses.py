"""Asymmetric losses of one error. The asymmetry weighs *under*-estimation (Definition 2)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

from roctopus.core.arrays import Array
from roctopus.core.checks import check_positive, check_scalar, check_unit
from roctopus.core.errors import InputError

__all__ = ["LinEx", "LinLin", "Loss", "QuadEx", "QuadQuad"]

TWO_COSTS = (("asymmetry",), ("under_cost", "over_cost"))
"""Arguments that say what under- and over-estimates cost."""
LARGEST_EXPONENT = 700.0
"""exp of a little more overflows double precision."""


@runtime_checkable
class Loss(Protocol):
    """What an error costs, given as prediction − truth."""

    def values(self, error: Array, xp: Any) -> Array:
        """Return the loss of every error."""


@dataclass(frozen=True, init=False)
class _TwoCosts:
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


@dataclass(frozen=True, init=False)
class LinLin(_TwoCosts):
    """The asymmetric absolute loss: ``under_cost·|e|`` where e < 0, ``over_cost·e`` where e > 0.

    Give the asymmetry α of Definition 2, which stands for costs 2α and 2(1 − α); or give both costs
    per unit, and losses come out in their unit. Either way
    α = under_cost / (under_cost + over_cost): the larger, the more *under*-estimates cost.

    Examples
    --------
    >>> LinLin(0.75)
    LinLin(asymmetry=0.75, under_cost=1.5, over_cost=0.5)
    >>> LinLin(under_cost=4, over_cost=1).asymmetry
    0.8
    """

    def values(self, error: Array, xp: Any) -> Array:
        """Return the loss of every error (prediction − truth)."""
        return xp.where(error < 0, -self.under_cost * error, self.over_cost * error)

    def of_sums(self, over: Any, under: Any) -> Any:
        """Return the loss from total over- and under-estimation (Lemma 1); ``under`` ≤ 0."""
        return self.over_cost * over - self.under_cost * under


@dataclass(frozen=True, init=False)
class QuadQuad(_TwoCosts):
    """The asymmetric squared loss: ``under_cost``·e² where e < 0, ``over_cost``·e² where e > 0.

    Costs as in ``LinLin``; α = ½ is the squared error. Its best shift is an expectile.

    Examples
    --------
    >>> QuadQuad(under_cost=3, over_cost=1)
    QuadQuad(asymmetry=0.75, under_cost=3.0, over_cost=1.0)
    """

    def values(self, error: Array, xp: Any) -> Array:
        """Return the loss of every error (prediction − truth)."""
        with np.errstate(over="ignore"):
            square = error * error
            return xp.where(error < 0, self.under_cost * square, self.over_cost * square)


@dataclass(frozen=True)
class LinEx:
    """The lin-exp loss exp(a·e) − a·e − 1: exponential on one side, almost linear on the other.

    With a > 0 over-estimates hurt exponentially, with a < 0 under-estimates do.

    Examples
    --------
    >>> LinEx(a=-0.5)
    LinEx(a=-0.5)
    """

    a: float

    def __post_init__(self) -> None:
        if check_scalar(self.a, "a") == 0.0:
            raise InputError("'a' must not be zero: the loss would be zero everywhere.")

    def values(self, error: Array, xp: Any) -> Array:
        """Return the loss of every error (prediction − truth)."""
        exponent = self.a * error
        largest = float(xp.max(exponent))
        if largest > LARGEST_EXPONENT:
            raise InputError(
                f"The exponent a·error reaches {largest:g}, and exp of it overflows. Choose a "
                "smaller 'a', or measure 'y_true' and 'y_pred' in a larger unit."
            )
        # Near 0, exp(x) − x − 1 would cancel: its series is exact there.
        small = xp.clip(exponent, -1e-3, 1e-3)
        series = small * small * (0.5 + small * (1 / 6 + small * (1 / 24 + small / 120)))
        return xp.where(small == exponent, series, xp.expm1(exponent) - exponent)


@dataclass(frozen=True)
class QuadEx:
    """The quad-exp loss exp(a·e) + d·e² − a·e − 1: exponential on one side, quadratic on the other.

    The paper names it without a formula; this is the lin-exp loss plus a parabola, d > 0.

    Examples
    --------
    >>> QuadEx(a=1.0, d=0.5)
    QuadEx(a=1.0, d=0.5)
    """

    a: float
    d: float

    def __post_init__(self) -> None:
        if check_scalar(self.a, "a") == 0.0:
            raise InputError(
                "'a' must not be zero: the loss would be the parabola d·e². Use QuadQuad."
            )
        check_positive(self.d, "d")

    def values(self, error: Array, xp: Any) -> Array:
        """Return the loss of every error (prediction − truth)."""
        with np.errstate(over="ignore"):
            return LinEx(self.a).values(error, xp) + self.d * error * error
