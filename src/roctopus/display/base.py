"""What all displays share: drawing a fitted estimator is drawing its predictions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Self

__all__ = ["ModelDisplay"]


class ModelDisplay(ABC):
    """A picture of models; after ``plot`` it knows its axes and figure."""

    ax_: Any
    figure_: Any

    @classmethod
    @abstractmethod
    def from_predictions(
        cls, y_true: Any, y_pred: Any, *, name: str = "model", **options: Any
    ) -> Self:
        """Draw one model's predictions."""

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, *, name: str | None = None, **options: Any
    ) -> Self:
        """Draw a fitted regressor, by its class name if not told otherwise."""
        name = name or type(estimator).__name__
        return cls.from_predictions(y, estimator.predict(X), name=name, **options)
