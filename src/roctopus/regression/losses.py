"""What a loss is: the cost of one error, from which its best shift and its metric follow."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from roctopus.concepts.registry import Influence
from roctopus.core.arrays import Array, Floats, shared_namespace
from roctopus.core.resampling import means_of_weightings
from roctopus.regression.best_shifts import OptimalShift, search_shift
from roctopus.regression.errors import Errors, read_errors


class Loss(ABC):
    """What an error costs, given as prediction − truth: a convex function.

    A loss of your own is a subclass with one method, ``values``. Its best shift is then searched
    for; define ``best_shift`` as well where you know it exactly.

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
        """Return the loss of every error, with functions of the array namespace ``xp``."""

    def best_shift(self, errors: Errors) -> OptimalShift:
        """Return all best constant shifts: here, by a search that needs a convex loss."""
        return search_shift(self.values, errors)

    def components(self) -> tuple[Loss, float, float]:
        """Return the loss with costs left out, and the costs of over- and under-estimates."""
        return self, 1.0, 1.0

    def mean(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> float:
        """Return the mean loss of predictions."""
        errors = read_errors(y_true, y_pred, sample_weight)
        return errors.sample.mean(self.values(errors.values, errors.xp))

    @classmethod
    def influence(
        cls, y_true: Any, y_pred: Any, *, sample_weight: Any = None, **parameters: Any
    ) -> Influence:
        """Return the influence values of the mean loss."""
        errors = read_errors(y_true, y_pred, sample_weight)
        losses = cls(**parameters).values(errors.values, errors.xp)
        return Influence.of_mean(errors.sample, losses)

    @classmethod
    def batch(
        cls, y_true: Array, y_pred: Array, weights: Array, *, total: float, **parameters: Any
    ) -> Floats:
        """Return the mean losses under many weightings: one product of two matrices."""
        xp = shared_namespace(y_true=y_true)
        with np.errstate(over="ignore", invalid="ignore"):
            losses = cls(**parameters).values(y_pred - y_true, xp)
            return means_of_weightings(losses, weights)
