"""Losses that are exponential on one side: lin-exp and quad-exp."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from roctopus.concepts.registry import metric
from roctopus.core.arrays import Array
from roctopus.core.checks import check_positive, check_scalar
from roctopus.core.errors import InputError
from roctopus.regression.errors import Errors, OptimalShift
from roctopus.regression.losses import Loss

LARGEST_EXPONENT = 700.0
"""exp of a little more overflows double precision."""


def _log_mean_exp(errors: Errors, a: float) -> tuple[float, float]:
    """Return the mean error μ and log mean exp(a·(e − μ)), without overflow."""
    xp = errors.xp
    mean, deviations = errors.sample.mean_and_deviations(errors.values)
    exponent = a * deviations
    largest = float(xp.max(exponent))
    if float(xp.max(xp.abs(exponent))) < 1.0:  # near 0 the logarithm of a mean near 1 would cancel
        return mean, math.log1p(errors.sample.mean(xp.expm1(exponent)))
    return mean, largest + math.log(errors.sample.mean(xp.exp(exponent - largest)))


@dataclass(frozen=True)
class LinEx(Loss):
    """The lin-exp loss exp(a·e) − a·e − 1: exponential on one side, almost linear on the other.

    With a > 0 over-estimates cost exponentially more, with a < 0 under-estimates do.

    Parameters
    ----------
    a : float
        Steepness, in 1 / unit of the predictions; not 0.

    Examples
    --------
    >>> from roctopus import optimal_shift
    >>> LinEx(a=-0.5)
    LinEx(a=-0.5)
    >>> round(optimal_shift([3, 5, 8, 9], [2, 5, 9, 7], loss=LinEx(a=-0.5)).chosen, 3)
    0.802
    """

    a: float

    def __post_init__(self) -> None:
        if check_scalar(self.a, "a") == 0.0:
            raise InputError("'a' must not be zero, because every error would then cost 0.")

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
        exponent = self.a * error
        largest = float(xp.max(exponent))
        if largest > LARGEST_EXPONENT:
            raise InputError(
                f"The largest exponent a·error is {largest:g}, so exp(a·error) is too large for a "
                "floating-point number. Use a smaller 'a', or divide 'y_true' and 'y_pred' by a "
                "constant, such as 1000."
            )
        # Near 0, exp(x) − x − 1 would cancel: its series is exact there.
        small = xp.clip(exponent, -1e-3, 1e-3)
        series = small * small * (0.5 + small * (1 / 6 + small * (1 / 24 + small / 120)))
        return xp.where(small == exponent, series, xp.expm1(exponent) - exponent)

    def best_shift(self, errors: Errors) -> OptimalShift:
        """Return the best constant shift, −(1/a)·log mean exp(a·e), in closed form.

        Parameters
        ----------
        errors : Errors
            Errors of the sample, as ``optimal_shift`` reads them.

        Returns
        -------
        OptimalShift
            The best shift; it is the only one.
        """
        mean, spread = _log_mean_exp(errors, self.a)
        best = -mean - spread / self.a
        return OptimalShift(best, best)


@metric(arm="regression", influence=LinEx.influence, batch=LinEx.batch)
def linex_error(y_true: Any, y_pred: Any, *, a: float, sample_weight: Any = None) -> float:
    """Return the mean lin-exp loss exp(a·e) − a·e − 1 of the errors e = ŷ − y.

    With a > 0 over-estimates cost exponentially more, with a < 0 under-estimates do.

    Parameters
    ----------
    y_true, y_pred : array of shape (n,)
        True values and predictions, one per case.
    a : float
        Steepness, in 1 / unit of the predictions; not 0.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    float
        The mean loss per case.

    Examples
    --------
    >>> round(linex_error([3, 5], [2, 6], a=1.0), 6)
    0.543081
    """
    return LinEx(a).mean(y_true, y_pred, sample_weight)


@dataclass(frozen=True)
class QuadEx(Loss):
    """The quad-exp loss exp(a·e) + d·e² − a·e − 1: exponential on one side, quadratic on the other.

    The paper names it without a formula; this is the lin-exp loss plus a parabola.

    Parameters
    ----------
    a : float
        Steepness, in 1 / unit of the predictions; not 0.
    d : float
        Weight of the parabola; positive.

    Examples
    --------
    >>> from roctopus import optimal_shift
    >>> QuadEx(a=1.0, d=0.5)
    QuadEx(a=1.0, d=0.5)
    >>> round(optimal_shift([3, 5, 8, 9], [2, 5, 9, 7], loss=QuadEx(a=1.0, d=0.5)).chosen, 3)
    0.205
    """

    a: float
    d: float

    def __post_init__(self) -> None:
        if check_scalar(self.a, "a") == 0.0:
            raise InputError(
                "'a' must not be zero, because the loss would then be the parabola d·error². Use "
                "QuadQuad for a parabola."
            )
        check_positive(self.d, "d")

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
            return LinEx(self.a).values(error, xp) + self.d * error * error

    def best_shift(self, errors: Errors) -> OptimalShift:
        """Return the best constant shift, found by Newton's method.

        It solves mean exp(a·(e + s)) − 1 + (2d/a)·(μ + s) = 0. With v = a·(μ + s) + c, c = log mean
        exp(a·(e − μ)) ≥ 0, the left side is exp(v) − 1 + k·(v − c), k = 2d/a²: increasing and
        convex, so steps from the right never overshoot the root, which lies in [0, c].

        Parameters
        ----------
        errors : Errors
            Errors of the sample, as ``optimal_shift`` reads them.

        Returns
        -------
        OptimalShift
            The best shift; it is the only one.
        """
        mean, spread = _log_mean_exp(errors, self.a)
        pull = 2.0 * self.d / abs(self.a) / abs(self.a)
        scale = max(pull, 1.0)  # dividing by it, a pull that overflows to inf does no harm
        ratio = pull / scale if math.isfinite(scale) else 1.0
        v = min(spread, LARGEST_EXPONENT)
        for _ in range(2000):
            step = (math.expm1(v) / scale + ratio * (v - spread)) / (math.exp(v) / scale + ratio)
            v -= step
            if abs(step) <= 4.0 * float(np.finfo(np.float64).eps) * abs(v):
                break
        best = -mean + (v - spread) / self.a
        return OptimalShift(best, best)


@metric(arm="regression", influence=QuadEx.influence, batch=QuadEx.batch)
def quadex_error(
    y_true: Any, y_pred: Any, *, a: float, d: float, sample_weight: Any = None
) -> float:
    """Return the mean quad-exp loss exp(a·e) + d·e² − a·e − 1 of the errors e = ŷ − y.

    With a > 0 over-estimates cost exponentially more and under-estimates quadratically; with a < 0
    it is the other way round.

    Parameters
    ----------
    y_true, y_pred : array of shape (n,)
        True values and predictions, one per case.
    a : float
        Steepness, in 1 / unit of the predictions; not 0.
    d : float
        Weight of the parabola; positive.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    float
        The mean loss per case.

    Examples
    --------
    >>> round(quadex_error([3, 5], [2, 6], a=1.0, d=0.5), 6)
    1.043081
    """
    return QuadEx(a, d).mean(y_true, y_pred, sample_weight)
