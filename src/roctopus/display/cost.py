"""Cost curves over asymmetry, with a band that says who is best where."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from roctopus.concepts.context_curve import ContextCurve, Envelope, envelope
from roctopus.concepts.frames import make_frame
from roctopus.core.checks import check_mapping
from roctopus.display.base import ModelDisplay
from roctopus.display.style import INK, LEGEND, Looks, finish_axes, new_axes, safe_text, thin
from roctopus.regression.costs import asymmetry_cost_curve
from roctopus.regression.losses import LinLin

__all__ = ["AsymmetryCostDisplay"]


class AsymmetryCostDisplay(ModelDisplay):
    """Draw the loss of models against the asymmetry α, and who dominates where.

    Use ``from_predictions`` or ``from_estimator`` for one model, or give several cost curves by
    name.

    Examples
    --------
    >>> from roctopus import asymmetry_cost_curve
    >>> from roctopus.display import AsymmetryCostDisplay
    >>> y_true, low, high = [3.0, 5.0, 8.0], [2.0, 5.5, 6.0], [3.5, 5.2, 9.5]
    >>> curves = {"low": asymmetry_cost_curve(y_true, low)}
    >>> curves["high"] = asymmetry_cost_curve(y_true, high)
    >>> AsymmetryCostDisplay(curves).plot(asymmetry=0.8).ax_.get_ylabel()
    'mean asymmetric absolute error, costs 2α and 2(1−α)'
    """

    def __init__(self, curves: Mapping[str, ContextCurve]) -> None:
        self.curves = check_mapping(curves, "curves", "cost curves")
        self.envelope: Envelope = envelope(self.curves)

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        name: str = "model",
        shift: float | None = None,
        sample_weight: Any = None,
        ax: Any | None = None,
        **options: Any,
    ) -> Self:
        """Draw the cost curve of one model's predictions, at the best shift or a fixed one."""
        curve = asymmetry_cost_curve(y_true, y_pred, shift=shift, sample_weight=sample_weight)
        return cls({name: curve}).plot(ax=ax, **options)

    def plot(
        self,
        *,
        ax: Any | None = None,
        asymmetry: float | None = None,
        under_cost: float | None = None,
        over_cost: float | None = None,
        bands: bool = True,
        title: str | None = None,
    ) -> Self:
        """Draw the curves.

        An asymmetry (or both costs) marks the losses there; ``bands`` show who is best where.
        """
        if (under_cost, over_cost) != (None, None):
            asymmetry = LinLin(asymmetry, under_cost=under_cost, over_cost=over_cost).asymmetry
        ax = new_axes(ax)
        looks = Looks(self.curves)
        top = 0.0
        for name, curve in self.curves.items():
            x, y = thin(curve.function.knots, curve.at(curve.function.knots))
            top = max(top, float(np.max(y)))
            ax.plot(x, y, label=safe_text(name), **looks.line(name))
            if asymmetry is not None:
                at = curve.at(asymmetry)
                ax.plot(asymmetry, at, "o", color=looks.colour(name), markersize=7, zorder=5)
        top = 1.06 * top or 1.0
        if bands:
            height = 0.022 * top
            for low, high, model in self.envelope.regions:
                colour = looks.colour(model)
                ax.axvspan(low, high, color=colour, alpha=0.07, linewidth=0)
                ax.fill_between([low, high], -height, 0, color=colour, linewidth=0)
        if asymmetry is not None:
            ax.axvline(asymmetry, color=INK, linewidth=1.2)
        ax.set_xlim(0, 1)
        ax.set_ylim(-0.03 * top, top)
        outcome = next(iter(self.curves.values())).outcome
        finish_axes(
            ax,
            title=title,
            x="asymmetry α (weight of under-estimates)",
            y=f"{outcome}, costs 2α and 2(1−α)",
        )
        ax.legend(**LEGEND)
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def frame(self, backend: str | None = None) -> Any:
        """Return what is drawn: the knots of every curve with its model."""
        functions = {name: curve.function for name, curve in self.curves.items()}
        columns = {
            "model": [name for name, f in functions.items() for _ in f.knots],
            "asymmetry": np.concatenate([f.knots for f in functions.values()]),
            "loss": np.concatenate([f.at(f.knots) for f in functions.values()]),
        }
        return make_frame(columns, self.envelope.curve.backend, backend)
