"""Error densities beside RROC curves, UROC curves, and all of it on one sheet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self, Unpack

import numpy as np

from roctopus.core.arrays import Floats, to_numpy
from roctopus.core.checks import check_magnitude, check_mapping
from roctopus.core.errors import InputError
from roctopus.display.base import ModelDisplay, frame_of
from roctopus.display.cost import AsymmetryCostDisplay, RECDisplay
from roctopus.display.drawing import Appearance, Pen, drawing, say_largest
from roctopus.display.rroc import RROCDisplay
from roctopus.display.style import Theme, draw_diagonal, is_narrow, new_figure
from roctopus.regression.costs import asymmetry_cost_curve
from roctopus.regression.curves import rroc_curve
from roctopus.regression.errors import read_errors
from roctopus.regression.neighbours import rec_curve
from roctopus.regression.ranking import UROCCurve, uroc_curve


class ErrorDensityDisplay(ModelDisplay):
    """Draw the density of the errors ŷ − y (a Gaussian kernel estimate), as in Figure 10.

    The narrower the density, the better the RROC curve; where it lies does not matter, since a
    shift moves it.

    Parameters
    ----------
    errors : mapping from name to array
        Errors ŷ − y of the models.

    Attributes
    ----------
    ax_ : matplotlib axes
        Where the picture was drawn; there after ``plot``.
    figure_ : matplotlib figure
        Figure of these axes.

    Examples
    --------
    >>> from roctopus.display import ErrorDensityDisplay
    >>> display = ErrorDensityDisplay.from_predictions([3.0, 5.0, 8.0], [2.0, 5.5, 6.0])
    >>> display.ax_.get_ylabel()
    'density'
    """

    ENTRIES: ClassVar[str | None] = "errors"

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
        """Return a model's estimated density.

        Parameters
        ----------
        name : str
            The model.
        x : array
            Where.

        Returns
        -------
        array
            Density at each x.
        """
        from scipy.stats import gaussian_kde

        errors = self.errors[name]
        check_magnitude(errors, f"Model {name!r} has errors")
        if np.ptp(errors) == 0.0:
            raise InputError(
                f"All errors of model {name!r} are equal, so their density cannot be drawn. "
                "Leave out this model."
            )
        return np.asarray(gaussian_kde(errors)(x))

    @drawing
    def plot(self, ax: Any | None = None, **look: Unpack[Appearance]) -> Self:
        """Draw the densities."""
        pen = Pen.on(ax, self._groups, look)
        everything = np.concatenate(list(self.errors.values()))
        low, high = np.quantile(everything, [0.01, 0.99])
        # Room for the tails of the kernels, which few errors make wide.
        kernel = max(errors.std() * len(errors) ** -0.2 for errors in self.errors.values())
        spread = high - low
        margin = np.clip(3.0 * kernel, 0.15 * spread, 0.6 * spread) if spread else 3.0 * kernel
        self.x_ = np.linspace(low - margin, high + margin, 400)
        pen.ax.axvline(0.0, **pen.theme.baseline(color=pen.theme.pale))
        for name in self.errors:
            pen.ax.plot(self.x_, self.density(name, self.x_), **pen.line(name))
        pen.ax.set_ylim(bottom=0.0)
        pen.finish(self._finding(pen), "error ŷ − y", "density")
        return self._drawn(pen)

    def _finding(self, pen: Pen) -> str | None:
        if pen.folded:
            return None
        spread = {name: float(np.std(each)) for name, each in self.errors.items()}
        least = min(spread, key=lambda name: spread[name])
        what = "smallest standard deviation" if len(spread) > 1 else "standard deviation"
        return f"Errors of {pen.told(least)} have the {what}, {spread[least]:.3g}"

    def frame(self, backend: str | None = None) -> Any:
        """Return the errors by model."""
        return frame_of({name: {"error": e} for name, e in self.errors.items()}, None, backend)


class UROCDisplay(ModelDisplay):
    """Draw universal ROC curves of predictions of a number.

    Parameters
    ----------
    curves : mapping from name to UROCCurve
        Curves of the models, from ``uroc_curve``.

    Attributes
    ----------
    ax_ : matplotlib axes
        Where the picture was drawn; there after ``plot``.
    figure_ : matplotlib figure
        Figure of these axes.

    Examples
    --------
    >>> from roctopus.display import UROCDisplay
    >>> display = UROCDisplay.from_predictions([3.0, 5.0, 8.0], [2.0, 5.5, 6.0])
    >>> display.ax_.get_xlabel()
    'false alarm rate'
    """

    ENTRIES: ClassVar[str | None] = "curves"

    def __init__(self, curves: Mapping[str, UROCCurve]) -> None:
        self.curves: dict[str, UROCCurve] = check_mapping(curves, "curves", "UROC curves")

    @classmethod
    def from_predictions(
        cls, y_true: Any, y_pred: Any, *, name: str = "model", **options: Any
    ) -> Self:
        """Draw the UROC curve of one model's predictions."""
        return cls({name: uroc_curve(y_true, y_pred)}).plot(**options)

    @drawing
    def plot(self, ax: Any | None = None, **look: Unpack[Appearance]) -> Self:
        """Draw the curves."""
        pen = Pen.on(ax, self._groups, look)
        draw_diagonal(pen.ax)
        for name, curve in self.curves.items():
            line = pen.line(name, f" (area {curve.area:.3f})")
            pen.ax.plot(curve.false_alarm_rate, curve.hit_rate, **line)
        areas = {name: curve.area for name, curve in self.curves.items()}
        rates = "false alarm rate", "hit rate, mean over thresholds"
        pen.finish(say_largest(pen, areas, "area"), *rates, {"loc": "lower right"})
        return self._drawn(pen)

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

    RROC curves with their hull, loss over asymmetry, error densities and REC curves; each model has
    the same colour in all of them.

    Parameters
    ----------
    y_true : array
        True values.
    predictions : mapping from name to array
        Predictions of each model.
    asymmetry : float, optional
        Weight of under-estimates to mark.
    sample_weight : array, optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    matplotlib figure
        The sheet.

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
    narrow = is_narrow(figure)
    if narrow:  # one below the other
        figure.set_figheight(3.0 * figure.get_figwidth())
    axes = figure.subplots(4, 1) if narrow else figure.subplots(2, 2).ravel()
    weight = {"sample_weight": sample_weight}
    curves = {name: rroc_curve(y_true, p, **weight) for name, p in models.items()}
    costs = {name: asymmetry_cost_curve(y_true, p, **weight) for name, p in models.items()}
    recs = {name: rec_curve(y_true, p, **weight) for name, p in models.items()}
    errors = {
        name: to_numpy(read_errors(y_true, p, sample_weight).values) for name, p in models.items()
    }
    top_left, top_right, low_left, low_right = axes
    RROCDisplay(curves).plot(top_left, hull=True, asymmetry=asymmetry, title="RROC space")
    title = "Loss over asymmetry, and which model is best where"
    AsymmetryCostDisplay(costs).plot(top_right, asymmetry=asymmetry, title=title, legend=False)
    ErrorDensityDisplay(errors).plot(low_left, title="Errors", legend=False)
    RECDisplay(recs).plot(low_right, bands=False, title="Share within tolerance", legend=False)
    told = f"{len(models)} models, {len(next(iter(errors.values()))):,} cases"
    figure.suptitle(told, color=Theme.of(top_left).ink, x=0.01, ha="left")
    return figure
