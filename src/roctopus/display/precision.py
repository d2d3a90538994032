"""Precision against recall."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self, Unpack

from roctopus.core.checks import check_mapping
from roctopus.display.base import ProbabilityDisplay, frame_of
from roctopus.display.drawing import Appearance, Pen, drawing, say_largest
from roctopus.probability.precision import PrecisionRecallCurve, precision_recall_curve


class PrecisionRecallDisplay(ProbabilityDisplay):
    """Draw precision against recall, with the precision of accepting every case.

    Parameters
    ----------
    curves : mapping from name to PrecisionRecallCurve
        What is drawn, from ``precision_recall_curve``.

    Attributes
    ----------
    ax_ : matplotlib axes
        Where the picture was drawn; there after ``plot``.
    figure_ : matplotlib figure
        Figure of these axes.

    Examples
    --------
    >>> from roctopus.display import PrecisionRecallDisplay
    >>> y_true, y_prob = [1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.3, 0.2]
    >>> display = PrecisionRecallDisplay.from_predictions(y_true, y_prob)
    >>> [text.get_text() for text in display.ax_.get_legend().get_texts()]
    ['accept all (0.400)', 'model (average precision 0.833)']
    """

    ENTRIES: ClassVar[str | None] = "curves"
    METHODS = ("predict_proba", "decision_function")
    PREDICTS = "probabilities of the positive class, or any other scores"

    def __init__(self, curves: Mapping[str, PrecisionRecallCurve]) -> None:
        self.curves: dict[str, PrecisionRecallCurve] = check_mapping(
            curves, "curves", "precision-recall curves"
        )

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        name: str = "model",
        pos_label: Any = None,
        sample_weight: Any = None,
        **options: Any,
    ) -> Self:
        """Draw the curve of one model."""
        reading = {"pos_label": pos_label, "sample_weight": sample_weight}
        return cls({name: precision_recall_curve(y_true, y_pred, **reading)}).plot(**options)

    @drawing
    def plot(self, ax: Any | None = None, **look: Unpack[Appearance]) -> Self:
        """Draw the curves."""
        pen = Pen.on(ax, self._groups, look)
        if pen.fresh and not pen.folded:
            chance = next(iter(self.curves.values())).prevalence
            label = f"accept all ({chance:.3f})"
            pen.ax.axhline(chance, label=label, **pen.theme.baseline())
        for name, curve in self.curves.items():
            line = pen.line(name, f" (average precision {curve.area:.3f})")
            pen.ax.plot(curve.recall, curve.precision, drawstyle="steps-post", **line)
        pen.limits((0.0, 1.0), (0.0, 1.02))
        areas = {name: curve.area for name, curve in self.curves.items()}
        pen.finish(say_largest(pen, areas, "average precision"), "recall", "precision")
        return self._drawn(pen)

    def frame(self, backend: str | None = None) -> Any:
        """Return the vertices of all curves."""
        first = next(iter(self.curves.values()))
        curves = self.curves.items()
        parts = {name: {key: c.columns()[key] for key in first.names} for name, c in curves}
        return frame_of(parts, first.backend, backend)
