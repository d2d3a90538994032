"""A loss is the cost of one error; its best shift and its metric follow from it."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np

from roctopus.concepts.registry import Influence
from roctopus.core.arrays import Array, Floats, on_device_of, shared_namespace, to_numpy
from roctopus.core.errors import InputError
from roctopus.core.resampling import means_of_weightings
from roctopus.regression.errors import Errors, OptimalShift, read_errors

AS_GOOD = 1e-12
"""Shifts whose loss is this close to the smallest (relative) count as best."""


class Loss(ABC):
    """What an error costs, given as prediction minus true value: a convex function.

    A loss of your own is a subclass with one method, ``values``. Its best shift is then searched
    for; define ``best_shift`` as well if you have a formula.

    Examples
    --------
    >>> from roctopus import optimal_shift, optimal_shift_error
    >>> from roctopus.regression import Loss
    >>> class FreeWithinOne(Loss):
    ...     def values(self, error, xp):
    ...         return xp.clip(xp.abs(error) - 1.0, 0.0, None)
    >>> optimal_shift_error([3, 5, 8, 9], [2, 5, 9, 7], loss=FreeWithinOne())
    0.25
    """

    @abstractmethod
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

    def best_shift(self, errors: Errors) -> OptimalShift:
        """Return all best constant shifts.

        They are searched for, which needs a convex loss; subclasses with a formula use that.

        Parameters
        ----------
        errors : Errors
            Errors of the sample, as ``optimal_shift`` reads them.

        Returns
        -------
        OptimalShift
            The interval of the best shifts, and the one to use.
        """
        return search_shift(self.values, errors)

    def components(self) -> tuple[Loss, float, float]:
        """Return the loss with costs left out, and the costs of over- and under-estimates.

        Returns
        -------
        symmetric : Loss
            The loss of one unit of cost.
        over_cost, under_cost : float
            Factors of the loss of over-estimates and of under-estimates.
        """
        return self, 1.0, 1.0

    def mean(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> float:
        """Return the mean loss of predictions.

        Parameters
        ----------
        y_true, y_pred : array of shape (n,)
            True values and predictions, one per case.
        sample_weight : array of shape (n,), optional
            Weight of each case; cases of weight 0 are ignored.

        Returns
        -------
        float
            The mean loss per case.
        """
        errors = read_errors(y_true, y_pred, sample_weight)
        return errors.sample.mean(self.values(errors.values, errors.xp))

    @classmethod
    def influence(
        cls, y_true: Any, y_pred: Any, *, sample_weight: Any = None, **parameters: Any
    ) -> Influence:
        """Return the influence values of the mean loss, from which its standard error follows.

        Parameters
        ----------
        y_true, y_pred : array of shape (n,)
            True values and predictions, one per case.
        sample_weight : array of shape (n,), optional
            Weight of each case; cases of weight 0 are ignored.
        **parameters : float
            Arguments of the loss, such as ``asymmetry``.

        Returns
        -------
        Influence
            One influence value per row.
        """
        errors = read_errors(y_true, y_pred, sample_weight)
        losses = cls(**parameters).values(errors.values, errors.xp)
        return Influence.of_mean(errors.sample, losses)

    @classmethod
    def batch(
        cls, y_true: Array, y_pred: Array, weights: Array, *, total: float, **parameters: Any
    ) -> Floats:
        """Return the mean losses under many weightings, for resampling.

        Parameters
        ----------
        y_true, y_pred : array of shape (n,)
            True values and predictions, one per case.
        weights : array of shape (replicates, n)
            Weights of the cases, one row per replicate.
        total : float
            Sum of the weights in each row.
        **parameters : float
            Arguments of the loss, such as ``asymmetry``.

        Returns
        -------
        array of shape (replicates,)
            The mean loss of each replicate.
        """
        xp = shared_namespace(y_true=y_true)
        with np.errstate(over="ignore", invalid="ignore"):
            losses = cls(**parameters).values(y_pred - y_true, xp)
            return means_of_weightings(losses, weights)


@np.errstate(over="ignore", invalid="ignore")
def search_shift(values: Callable[[Array, Any], Array], errors: Errors) -> OptimalShift:
    """Search for the best shifts of any convex loss, given its values only.

    Halving finds the smallest loss, and then the shifts on both sides at which it is larger by
    1e-12 (relative). If the loss is flat between them, they are the answer; at a kink or a smooth
    minimum it is their middle.
    """
    xp = errors.xp
    # Distances from the error nearest to zero keep their digits where all errors share an offset.
    anchor = float(errors.values[int(xp.argmin(xp.abs(errors.values)))])
    moved = errors.values - anchor
    low, high = -float(xp.max(moved)), -float(xp.min(moved))

    def losses(shift: float) -> Array:
        found = values(moved + shift, xp)
        if getattr(found, "shape", None) != moved.shape:
            raise InputError(
                "The method 'values' of 'loss' must return an array with one number per error."
            )
        return found

    def total(shift: float) -> float:
        return errors.sample.total(losses(shift))

    start, end = _bracket(total, low, high, (high - low) or 1e-12 * max(1.0, abs(anchor)))
    _check_convex(values, on_device_of(moved, np.linspace(start - high, end - low, 101), xp=xp), xp)
    best = _smallest(total, start, end)
    smallest = total(best)
    slack = AS_GOOD * errors.sample.total(xp.abs(losses(best)))
    first = _farthest(total, smallest + slack, best, start, start - end)
    last = _farthest(total, smallest + slack, best, end, end - start)
    if total(0.25 * first + 0.75 * last) > smallest + 0.1 * slack:  # curved between them, not flat
        first = last = 0.5 * (first + last)
    return OptimalShift(first - anchor, last - anchor)


def _bracket(
    total: Callable[[float], float], low: float, high: float, spread: float
) -> tuple[float, float]:
    """Return two shifts with the smallest loss between them."""
    for _ in range(200):
        margin = 1e-3 * spread
        ends = total(low - margin), total(high + margin)
        if not math.isfinite(ends[0] + ends[1]):
            raise InputError(
                "The loss is infinite for some errors in the range that is searched for the best "
                f"shift ({high - low:g} wide). Divide 'y_true' and 'y_pred' by a constant, such as "
                "1000, or use another 'loss'."
            )
        falling, rising = ends[0] < total(low), ends[1] < total(high)
        if not (falling or rising):
            return low - margin, high + margin
        low, high, spread = low - falling * spread, high + rising * spread, 2.0 * spread
    raise InputError(
        "There is no best shift, because the loss keeps falling, however far the predictions are "
        "shifted. Use a 'loss' that rises for large positive and for large negative errors."
    )


def _check_convex(values: Callable[[Array, Any], Array], grid: Array, xp: Any) -> None:
    costs = to_numpy(values(grid, xp))
    bend, largest = costs[:-2] - 2.0 * costs[1:-1] + costs[2:], np.max(np.abs(costs))
    if largest > 1e-10 and np.any(bend < -1e-5 * largest):  # smaller ones may be mere rounding
        at = float(grid[int(np.argmin(bend)) + 1])
        raise InputError(
            "The best shift cannot be found numerically, because 'loss' is not convex near the "
            f"error {at:g}. Use a convex loss, or add a method 'best_shift' to the class of 'loss'."
        )


def _smallest(total: Callable[[float], float], low: float, high: float) -> float:
    """Return a shift of smallest loss: halve the interval until nothing is left of it."""
    for _ in range(54):
        middle, step = 0.5 * (low + high), 1e-3 * (high - low)
        if total(middle + step) < total(middle - step):
            low = middle - step
        else:
            high = middle + step
    return 0.5 * (low + high)


def _farthest(
    total: Callable[[float], float], level: float, inside: float, outside: float, step: float
) -> float:
    """Return the farthest shift on one side whose loss is at most the level; it may be infinite."""
    enough = 1e117 * max(abs(step), 1.0)  # and squares of it are still finite
    while total(outside) <= level:
        step *= 8.0
        inside, outside = outside, outside + step
        if abs(step) > enough:
            return math.copysign(math.inf, step)
    for _ in range(54):
        middle = 0.5 * (inside + outside)
        inside, outside = (middle, outside) if total(middle) <= level else (inside, middle)
    return inside
