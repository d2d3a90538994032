"""Reliability of probabilities, and their costs over the cost proportion."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self, Unpack

import numpy as np

from roctopus.core.checks import check_mapping
from roctopus.display.base import ProbabilityDisplay, frame_of
from roctopus.display.context import ContextCurveDisplay
from roctopus.display.drawing import Appearance, Pen, drawing
from roctopus.display.legends import UNDER_ARCH
from roctopus.display.style import draw_diagonal
from roctopus.probability.costs import brier_curve, cost_curve
from roctopus.probability.problem import AXES
from roctopus.probability.reliability import ReliabilityCurve, reliability_curve


class ReliabilityDisplay(ProbabilityDisplay):
    """Draw outcomes against probabilities, without bins: the isotonic reliability curve.

    Parameters
    ----------
    curves : mapping from name to ReliabilityCurve
        Curves of the models, from ``reliability_curve``.

    Attributes
    ----------
    ax_ : matplotlib axes
        Where the picture was drawn; there after ``plot``.
    figure_ : matplotlib figure
        Figure of these axes.

    Examples
    --------
    >>> from roctopus.display import ReliabilityDisplay
    >>> display = ReliabilityDisplay.from_predictions([0, 1, 0, 1], [0.2, 0.4, 0.6, 0.8])
    >>> display.ax_.get_ylabel()
    'share of positives, made increasing'
    """

    ENTRIES: ClassVar[str | None] = "curves"
    PREDICTS = "probabilities of the positive class"

    def __init__(self, curves: Mapping[str, ReliabilityCurve]) -> None:
        self.curves: dict[str, ReliabilityCurve] = check_mapping(
            curves, "curves", "reliability curves"
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
        """Draw the reliability of one model's probabilities."""
        curve = reliability_curve(y_true, y_pred, pos_label=pos_label, sample_weight=sample_weight)
        return cls({name: curve}).plot(**options)

    @drawing
    def plot(
        self, ax: Any | None = None, *, bands: bool = False, **look: Unpack[Appearance]
    ) -> Self:
        """Draw the curves.

        Parameters
        ----------
        bands : bool, default False
            Whether to draw the share of positives in ten bins, too, with an interval for each. With
            95 % confidence, all intervals of a model contain the true shares at once.
        """
        pen = Pen.on(ax, self._groups, look)
        draw_diagonal(pen.ax)
        for name, curve in self.curves.items():
            dot = {"marker": "o"} if len(curve.probability) == 1 else {}
            pen.ax.plot(curve.probability, curve.outcome, **pen.line(name, **dot))
            if bands:
                found = curve.band()
                reach = found.value - found.lower, found.upper - found.value
                marks = {"fmt": "o", "markersize": 4, "color": pen.colour(name)}
                pen.ax.errorbar(found.contexts, found.value, reach, **marks)
        pen.finish(self._finding(pen), "probability", "share of positives, made increasing")
        return self._drawn(pen)

    def _finding(self, pen: Pen) -> str | None:
        """Return the title: how far shares are from probabilities, on average over the cases."""
        if pen.folded:
            return None
        gap = {
            name: float(np.average(np.abs(curve.outcome - curve.probability), weights=curve.mass))
            for name, curve in self.curves.items()
        }
        least = min(gap, key=lambda name: gap[name])
        nearest = " is nearest to the diagonal:" if len(gap) > 1 else ":"
        return f"{pen.told(least)}{nearest} off by {gap[least]:.3f} on average"

    def frame(self, backend: str | None = None) -> Any:
        """Return what is drawn: probabilities, shares of positives and their weights."""
        parts = {
            name: {"probability": each.probability, "outcome": each.outcome, "weight": each.mass}
            for name, each in self.curves.items()
        }
        return frame_of(parts, None, backend)


class CostCurveDisplay(ProbabilityDisplay, ContextCurveDisplay):
    """Draw costs over the cost proportion: at the best threshold, or at probability = proportion.

    Parameters
    ----------
    curves : mapping from name to ContextCurve
        Curves of the models, from ``cost_curve`` or ``brier_curve``.

    Attributes
    ----------
    ax_ : matplotlib axes
        Where the picture was drawn; there after ``plot``.
    figure_ : matplotlib figure
        Figure of these axes.

    Examples
    --------
    >>> from roctopus.display import CostCurveDisplay
    >>> y_true, y_prob = [1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.3, 0.2]
    >>> display = CostCurveDisplay.from_predictions(y_true, y_prob)
    >>> [text.get_text() for text in display.ax_.get_legend().get_texts()]
    ['model, best threshold', 'model, cut at c']
    """

    x_label, y_label = AXES
    legend_place = UNDER_ARCH
    VARIANTS = ("best threshold", "cut at c")

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
        """Draw the cost curve and the Brier curve of one model's probabilities."""
        reading = {"pos_label": pos_label, "sample_weight": sample_weight}
        curves = {
            f"{name}, best threshold": cost_curve(y_true, y_pred, **reading),
            f"{name}, cut at c": brier_curve(y_true, y_pred, **reading),
        }
        return cls(curves).plot(**{"bands": False, **options})
