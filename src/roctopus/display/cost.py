"""Cost curves over asymmetry, REC curves over tolerance, Murphy diagrams over thresholds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Self

import numpy as np

from roctopus.concepts.context_curve import ContextCurve
from roctopus.display.base import ModelDisplay
from roctopus.display.context import ContextCurveDisplay
from roctopus.display.drawing import Pen, drawing
from roctopus.display.legends import UNDER_ARCH
from roctopus.display.writing import say_share
from roctopus.regression.costs import asymmetry_cost_curve
from roctopus.regression.neighbours import murphy_curve, rec_curve
from roctopus.regression.problem import AXES
from roctopus.regression.two_costs import LinLin

SHARE = 0.9
"""REC titles say within which tolerance this share of the cases lies."""


class AsymmetryCostDisplay(ModelDisplay, ContextCurveDisplay):
    """Draw the loss of models against the asymmetry α, and which model is best where.

    Use ``from_predictions`` or ``from_estimator`` for one model, or give several cost curves by
    name.

    Parameters
    ----------
    curves : mapping from name to ContextCurve
        Cost curves of the models, from ``asymmetry_cost_curve``.

    Attributes
    ----------
    ax_ : matplotlib axes
        Where the picture was drawn; there after ``plot``.
    figure_ : matplotlib figure
        Figure of these axes.

    Examples
    --------
    >>> from roctopus import asymmetry_cost_curve
    >>> from roctopus.display import AsymmetryCostDisplay
    >>> y_true, low, high = [3.0, 5.0, 8.0], [2.0, 5.5, 6.0], [3.5, 5.2, 9.5]
    >>> curves = {"low": asymmetry_cost_curve(y_true, low)}
    >>> curves["high"] = asymmetry_cost_curve(y_true, high)
    >>> AsymmetryCostDisplay(curves).plot(asymmetry=0.8).ax_.get_ylabel()
    'mean loss, costs 2α and 2(1 − α)'
    """

    x_label = AXES[0]
    legend_place = UNDER_ARCH

    def __init__(self, curves: Mapping[str, ContextCurve]) -> None:
        super().__init__(curves)
        total = next(iter(self.curves.values())).outcome.startswith("total")
        self.y_label = AXES[1].replace("mean", "total") if total else AXES[1]

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        name: str = "model",
        shift: float | None = None,
        sample_weight: Any = None,
        **options: Any,
    ) -> Self:
        """Draw the cost curve of one model's predictions.

        Parameters
        ----------
        shift : float, optional
            A shift for all asymmetries; by default the best one for each.
        """
        curve = asymmetry_cost_curve(y_true, y_pred, shift=shift, sample_weight=sample_weight)
        return cls({name: curve}).plot(**options)

    @drawing
    def plot(
        self,
        ax: Any | None = None,
        *,
        asymmetry: float | None = None,
        under_cost: float | None = None,
        over_cost: float | None = None,
        **options: Any,
    ) -> Self:
        """Draw the curves.

        Parameters
        ----------
        asymmetry : float, optional
            The weight of under-estimates, to mark the losses there.
        under_cost, over_cost : float, optional
            What under- and over-estimates cost, in place of the asymmetry.
        """
        if (under_cost, over_cost) != (None, None):
            asymmetry = LinLin(asymmetry, under_cost=under_cost, over_cost=over_cost).asymmetry
        if asymmetry is not None:
            options["context"] = asymmetry
        return super().plot(ax, **options)


class RECDisplay(ModelDisplay, ContextCurveDisplay):
    """Draw REC curves: the share of cases predicted within a tolerance.

    Parameters
    ----------
    curves : mapping from name to ContextCurve
        REC curves of the models, from ``rec_curve``.

    Attributes
    ----------
    ax_ : matplotlib axes
        Where the picture was drawn; there after ``plot``.
    figure_ : matplotlib figure
        Figure of these axes.

    Examples
    --------
    >>> from roctopus.display import RECDisplay
    >>> display = RECDisplay.from_predictions([3.0, 5.0, 8.0], [2.0, 5.5, 6.0])
    >>> display.ax_.get_xlabel()
    'tolerance |ŷ − y|'
    """

    x_label = "tolerance |ŷ − y|"

    def context_range(self) -> tuple[float, float]:
        """Show tolerances until every model has 99 % of the cases: the rest is one long tread.

        Returns
        -------
        tuple of float
            Ends of the x-axis.
        """
        reached = [
            curve.function.knots[int(np.searchsorted(curve.function.start, 0.99))]
            for curve in self.curves.values()
        ]
        return 0.0, 1.1 * float(max(reached)) or 1.0

    def _finding(self, pen: Pen, ends: tuple[float, float], context: float | None) -> str | None:
        if pen.folded or context is not None:
            return super()._finding(pen, ends, context)
        within = {
            name: float(curve.function.knots[int(np.searchsorted(curve.function.start, SHARE))])
            for name, curve in self.curves.items()
        }
        best = min(within, key=lambda name: within[name])
        told = f"{say_share(SHARE)} of cases are within {within[best]:.3g}"
        return f"{told} of {pen.told(best)}" + (", the closest model" if len(within) > 1 else "")

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        name: str = "model",
        sample_weight: Any = None,
        **options: Any,
    ) -> Self:
        """Draw the REC curve of one model's predictions."""
        return cls({name: rec_curve(y_true, y_pred, sample_weight=sample_weight)}).plot(**options)


class MurphyDisplay(ModelDisplay, ContextCurveDisplay):
    """Draw Murphy diagrams: a model below another everywhere is better under every proper loss.

    Parameters
    ----------
    curves : mapping from name to ContextCurve
        Murphy curves of the models, from ``murphy_curve``.

    Attributes
    ----------
    ax_ : matplotlib axes
        Where the picture was drawn; there after ``plot``.
    figure_ : matplotlib figure
        Figure of these axes.

    Examples
    --------
    >>> from roctopus.display import MurphyDisplay
    >>> display = MurphyDisplay.from_predictions([3.0, 5.0, 8.0], [2.0, 5.5, 6.0])
    >>> display.ax_.get_xlabel()
    'threshold θ'
    """

    x_label = "threshold θ"

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        name: str = "model",
        functional: Literal["quantile", "expectile"] = "quantile",
        level: float = 0.5,
        sample_weight: Any = None,
        **options: Any,
    ) -> Self:
        """Draw the Murphy diagram of one model's predictions.

        Parameters
        ----------
        functional : {"quantile", "expectile"}, default "quantile"
            What is predicted.
        level : float, default 0.5
            Its level: 0.5 for the median or the mean.
        """
        curve = murphy_curve(
            y_true, y_pred, functional=functional, level=level, sample_weight=sample_weight
        )
        return cls({name: curve}).plot(**options)
