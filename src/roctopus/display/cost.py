"""Cost curves over asymmetry, REC curves over tolerance, Murphy diagrams over thresholds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Self

import numpy as np

from roctopus.concepts.context_curve import ContextCurve
from roctopus.display.base import ModelDisplay
from roctopus.display.context import ContextCurveDisplay
from roctopus.display.style import UNDER_ARCH
from roctopus.regression.costs import asymmetry_cost_curve
from roctopus.regression.neighbours import murphy_curve, rec_curve
from roctopus.regression.problem import AXES
from roctopus.regression.two_costs import LinLin


class AsymmetryCostDisplay(ModelDisplay, ContextCurveDisplay):
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
        """Draw the cost curve of one model's predictions, at the best shift or a fixed one."""
        curve = asymmetry_cost_curve(y_true, y_pred, shift=shift, sample_weight=sample_weight)
        return cls({name: curve}).plot(**options)

    def plot(
        self,
        *,
        asymmetry: float | None = None,
        under_cost: float | None = None,
        over_cost: float | None = None,
        **options: Any,
    ) -> Self:
        """Draw the curves; an asymmetry (or both costs) marks the losses there.

        Further options are ``ax``, ``bands`` (who is best where) and ``title``.
        """
        if (under_cost, over_cost) != (None, None):
            asymmetry = LinLin(asymmetry, under_cost=under_cost, over_cost=over_cost).asymmetry
        return super().plot(context=asymmetry, **options)


class RECDisplay(ModelDisplay, ContextCurveDisplay):
    """Draw REC curves: the share of cases predicted within a tolerance.

    Examples
    --------
    >>> from roctopus.display import RECDisplay
    >>> display = RECDisplay.from_predictions([3.0, 5.0, 8.0], [2.0, 5.5, 6.0])
    >>> display.ax_.get_xlabel()
    'tolerance |ŷ − y|'
    """

    x_label = "tolerance |ŷ − y|"

    def context_range(self) -> tuple[float, float]:
        """Show tolerances until every model has 99 % of the cases: the rest is one long tread."""
        reached = [
            curve.function.knots[int(np.searchsorted(curve.function.start, 0.99))]
            for curve in self.curves.values()
        ]
        return 0.0, 1.1 * float(max(reached)) or 1.0

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
        """Draw the Murphy diagram of one model's predictions."""
        curve = murphy_curve(
            y_true, y_pred, functional=functional, level=level, sample_weight=sample_weight
        )
        return cls({name: curve}).plot(**options)
