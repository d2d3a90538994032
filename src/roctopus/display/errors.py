"""Error densities beside RROC curves, UROC curves, and all of it on one sheet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from roctopus.core.arrays import Floats, to_numpy
from roctopus.core.checks import check_magnitude, check_mapping
from roctopus.core.errors import InputError
from roctopus.display.base import ModelDisplay, frame_of
from roctopus.display.cost import AsymmetryCostDisplay, RECDisplay
from roctopus.display.rroc import RROCDisplay
from roctopus.display.style import INK, Looks, draw_diagonal, new_axes, new_figure, safe_text
from roctopus.regression.costs import asymmetry_cost_curve
from roctopus.regression.curves import rroc_curve
from roctopus.regression.errors import read_errors
from roctopus.regression.neighbours import rec_curve
from roctopus.regression.ranking import UROCCurve, uroc_curve


class ErrorDensityDisplay(ModelDisplay):
    """Draw the density of the errors ŷ − y (a Gaussian kernel estimate), as in Figure 10.

    The narrower the density, the better the RROC curve; where it lies does not matter, since a
    shift moves it.

    Examples
    --------
    >>> from roctopus.display import ErrorDensityDisplay
    >>> display = ErrorDensityDisplay.from_predictions([3.0, 5.0, 8.0], [2.0, 5.5, 6.0])
    >>> display.ax_.get_ylabel()
    'density'
    """

    def __init__(self, errors: Mapping[str, Any]) -> None:
        given = check_mapping(errors, "errors", "errors")
        self.errors: dict[str, Floats] = {
            name: to_numpy(read_errors(np.zeros(len(each)), each).values)
            for name, each in given.items()
        }

    @classmethod
    def from_predictions(
        cls, y_true: Any, y_pred: Any, *, name: str = "model", **options: Any
    ) -> Self:
        """Draw the error density of one model's predictions."""
        return cls({name: to_numpy(read_errors(y_true, y_pred).values)}).plot(**options)

    def density(self, name: str, x: Floats) -> Floats:
        """Return a model's estimated density at x."""
        from scipy.stats import gaussian_kde

        errors = self.errors[name]
        check_magnitude(errors, f"Model {name!r} has errors")
        if np.ptp(errors) == 0.0:
            raise InputError(f"All errors of {name!r} are equal, so they have no density.")
        return np.asarray(gaussian_kde(errors)(x))

    def plot(self, *, ax: Any | None = None, title: str | None = None) -> Self:
        """Draw the densities."""
        ax = new_axes(ax, len(self.errors))
        looks = Looks(self.errors)
        everything = np.concatenate(list(self.errors.values()))
        low, high = np.quantile(everything, [0.01, 0.99])
        # Room for the tails of the kernels, which few errors make wide.
        kernel = max(errors.std() * len(errors) ** -0.2 for errors in self.errors.values())
        spread = high - low
        margin = np.clip(3.0 * kernel, 0.15 * spread, 0.6 * spread) if spread else 3.0 * kernel
        self.x_ = np.linspace(low - margin, high + margin, 400)
        ax.axvline(0.0, color="#c4c8d0", linewidth=1, linestyle=(0, (4, 3)))
        for name in self.errors:
            ax.plot(self.x_, self.density(name, self.x_), label=safe_text(name), **looks.line(name))
        ax.set_ylim(bottom=0.0)
        return self._drawn(ax, title=title, x="error ŷ − y", y="density", legend={})

    def frame(self, backend: str | None = None) -> Any:
        """Return the errors by model."""
        return frame_of({name: {"error": e} for name, e in self.errors.items()}, None, backend)


class UROCDisplay(ModelDisplay):
    """Draw universal ROC curves of predictions of a number.

    Examples
    --------
    >>> from roctopus.display import UROCDisplay
    >>> display = UROCDisplay.from_predictions([3.0, 5.0, 8.0], [2.0, 5.5, 6.0])
    >>> display.ax_.get_xlabel()
    'false alarm rate'
    """

    def __init__(self, curves: Mapping[str, UROCCurve]) -> None:
        self.curves: dict[str, UROCCurve] = check_mapping(curves, "curves", "UROC curves")

    @classmethod
    def from_predictions(
        cls, y_true: Any, y_pred: Any, *, name: str = "model", **options: Any
    ) -> Self:
        """Draw the UROC curve of one model's predictions."""
        return cls({name: uroc_curve(y_true, y_pred)}).plot(**options)

    def plot(self, *, ax: Any | None = None, title: str | None = None) -> Self:
        """Draw the curves."""
        ax = new_axes(ax, len(self.curves))
        looks = Looks(self.curves)
        draw_diagonal(ax)
        for name, curve in self.curves.items():
            label = f"{safe_text(name)} (area {curve.area:.3f})"
            ax.plot(curve.false_alarm_rate, curve.hit_rate, label=label, **looks.line(name))
        rates = {"x": "false alarm rate", "y": "hit rate, mean over thresholds"}
        return self._drawn(ax, title=title, **rates, legend={"loc": "lower right"})

    def frame(self, backend: str | None = None) -> Any:
        """Return the drawn points by model."""
        curves = self.curves.items()
        parts = {name: {"false_alarm_rate": c.x, "hit_rate": c.y} for name, c in curves}
        return frame_of(parts, next(iter(self.curves.values())).backend, backend)


def regression_overview(
    y_true: Any,
    predictions: Mapping[str, Any],
    *,
    asymmetry: float | None = None,
    sample_weight: Any = None,
) -> Any:
    """Return a figure with four views of several models.

    RROC curves with their hull, loss over asymmetry, error densities and REC curves, every model in
    one colour throughout.

    Examples
    --------
    >>> from roctopus.display import regression_overview
    >>> y_true, low, high = [3.0, 5.0, 8.0], [2.0, 5.5, 6.0], [3.5, 5.2, 9.5]
    >>> figure = regression_overview(y_true, {"low": low, "high": high}, asymmetry=0.8)
    >>> len(figure.axes)
    4
    """
    models = check_mapping(predictions, "predictions", "predictions")
    figure = new_figure((12.5, 10))
    axes = figure.subplots(2, 2)
    weight = {"sample_weight": sample_weight}
    curves = {name: rroc_curve(y_true, p, **weight) for name, p in models.items()}
    costs = {name: asymmetry_cost_curve(y_true, p, **weight) for name, p in models.items()}
    recs = {name: rec_curve(y_true, p, **weight) for name, p in models.items()}
    errors = {
        name: to_numpy(read_errors(y_true, p, sample_weight).values) for name, p in models.items()
    }
    (top_left, top_right), (low_left, low_right) = axes
    RROCDisplay(curves).plot(ax=top_left, hull=True, asymmetry=asymmetry, title="RROC space")
    title = "Loss over asymmetry, and who is best where"
    AsymmetryCostDisplay(costs).plot(ax=top_right, asymmetry=asymmetry, title=title)
    ErrorDensityDisplay(errors).plot(ax=low_left, title="Errors")
    RECDisplay(recs).plot(ax=low_right, bands=False, title="Share within tolerance")
    for ax in (top_right, low_left, low_right):
        ax.get_legend().remove()
    told = f"{len(models)} models, {len(next(iter(errors.values()))):,} cases"
    figure.suptitle(told, color=INK, x=0.01, ha="left")
    return figure
