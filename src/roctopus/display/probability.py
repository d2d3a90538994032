"""Reliability of probabilities, and their costs over the cost proportion."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from roctopus.core.checks import check_mapping
from roctopus.display.base import ProbabilityDisplay
from roctopus.display.context import ContextCurveDisplay
from roctopus.display.style import UNDER_ARCH, Looks, draw_diagonal, new_axes, safe_text
from roctopus.probability.costs import brier_curve, cost_curve
from roctopus.probability.problem import AXES
from roctopus.probability.proper import ReliabilityCurve, reliability_curve


class ReliabilityDisplay(ProbabilityDisplay):
    """Draw outcomes against probabilities, without bins: the isotonic reliability curve.

    Examples
    --------
    >>> from roctopus.display import ReliabilityDisplay
    >>> display = ReliabilityDisplay.from_predictions([0, 1, 0, 1], [0.2, 0.4, 0.6, 0.8])
    >>> display.ax_.get_ylabel()
    'share of positives, made increasing'
    """

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

    def plot(self, *, ax: Any | None = None, title: str | None = None) -> Self:
        """Draw the curves."""
        ax = new_axes(ax, len(self.curves))
        looks = Looks(self.curves)
        draw_diagonal(ax)
        for name, curve in self.curves.items():
            dot = {"marker": "o"} if len(curve.probability) == 1 else {}
            line = looks.line(name) | dot
            ax.plot(curve.probability, curve.outcome, label=safe_text(name), **line)
        y_label = "share of positives, made increasing"
        return self._drawn(ax, title=title, x="probability", y=y_label, legend={})


class CostCurveDisplay(ProbabilityDisplay, ContextCurveDisplay):
    """Draw costs over the cost proportion: at the best threshold, or at probability = proportion.

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
