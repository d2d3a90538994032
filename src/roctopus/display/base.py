"""What all displays share: drawing a fitted estimator is drawing its predictions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np

from roctopus.core.errors import InputError

__all__ = ["ModelDisplay", "ProbabilityDisplay"]


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


class ProbabilityDisplay(ModelDisplay):
    """A picture of models that give probabilities of two classes."""

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, *, name: str | None = None, **options: Any
    ) -> Self:
        """Draw a fitted classifier's probabilities of its second class."""
        name = name or type(estimator).__name__
        classes: Any = getattr(estimator, "classes_", ())
        if not hasattr(estimator, "predict_proba") or len(classes) != 2:
            raise InputError(
                f"{name} must be a fitted classifier of two classes with predict_proba. For others "
                "use from_predictions."
            )
        positive = np.asarray(y) == classes[1]
        probability = estimator.predict_proba(X)[:, 1]
        return cls.from_predictions(positive, probability, name=name, **options)
