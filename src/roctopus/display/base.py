"""What all displays share: a drawn picture, and fitted estimators drawn by their predictions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from roctopus.concepts.frames import make_frame
from roctopus.concepts.responses import TWO, own_classes, respond
from roctopus.core.arrays import Floats
from roctopus.core.errors import InputError
from roctopus.core.labels import read_labels
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
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        name: str | None = None,
        pos_label: Any = None,
        **options: Any,
    ) -> Self:
        """Draw a fitted classifier's probabilities of the positive class."""
        name = name or type(estimator).__name__
        label, probability = ask_classifier(estimator, X, y, pos_label, "predict_proba")
        return cls.from_predictions(label, probability, name=name, **options)


class WorthDisplay(ModelDisplay):
    """A picture of models that say what cases are worth, or which class they have."""

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        name: str | None = None,
        pos_label: Any = None,
        **options: Any,
    ) -> Self:
        """Draw a fitted regressor, or a classifier by the probabilities of the positive class."""
        if own_classes(estimator) is None:
            return super().from_estimator(estimator, X, y, name=name, **options)
        name = name or type(estimator).__name__
        methods = ("predict_proba", "decision_function")
        label, score = ask_classifier(estimator, X, y, pos_label, *methods)
        return cls.from_predictions(label, score, name=name, **options)


def ask_classifier(
    estimator: Any, X: Any, y: Any, pos_label: Any, *methods: str
) -> tuple[Floats, Floats]:
    """Return labels as 0 and 1, and what a fitted classifier of two classes says of them."""
    method = next((each for each in methods if hasattr(estimator, each)), None)
    if method is None or len(own_classes(estimator) or ()) != 2:
        raise InputError(
            f"{type(estimator).__name__} must be a fitted classifier of two classes with "
            f"{' or '.join(methods)}. For others use from_predictions."
        )
    labels = read_labels(y, "y", pos_label)
    return labels.values, respond(estimator, X, method, labels.classes, TWO)
