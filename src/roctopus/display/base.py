"""What all displays share: a drawn picture, and fitted estimators drawn by their predictions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from roctopus.concepts.frames import make_frame
from roctopus.core.errors import InputError
from roctopus.display.style import draw_legend, finish_axes


class Display:
    """A picture; after ``plot`` it knows its axes and figure."""

    ax_: Any
    figure_: Any

    def _drawn(
        self, ax: Any, *, title: str | None, x: str, y: str, legend: Mapping[str, Any] | None = None
    ) -> Self:
        """Write titles, and a legend if its place is given (``{}``: the emptiest)."""
        finish_axes(ax, title=title, x=x, y=y)
        if legend is not None:
            draw_legend(ax, legend)
        self.ax_, self.figure_ = ax, ax.figure
        return self


def frame_of(parts: Mapping[str, Mapping[str, Any]], backend: str | None, wanted: Any) -> Any:
    """Return the columns of several models in one dataframe, with their names."""
    first = next(iter(parts.values()))
    sizes = {name: len(next(iter(part.values()))) for name, part in parts.items()}
    columns: dict[str, Any] = {"model": [name for name in parts for _ in range(sizes[name])]}
    columns |= {key: np.concatenate([part[key] for part in parts.values()]) for key in first}
    return make_frame(columns, backend, wanted)


class ModelDisplay(Display, ABC):
    """A picture of models."""

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
