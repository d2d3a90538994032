"""Cutoff-error curves over cutoff, true rank or quantiles; what their areas are made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, Unpack

import numpy as np

from roctopus.concepts.frames import make_frame
from roctopus.concepts.given_distributions import Distribution, Output, as_distribution
from roctopus.core.arrays import Floats
from roctopus.core.checks import check_mapping
from roctopus.core.distributions import cumulative
from roctopus.core.errors import InputError
from roctopus.cutoff.cases import ErrorCosts, read_cases
from roctopus.cutoff.curves import CutoffErrorCurve, cutoff_error_curve, outcome_name
from roctopus.cutoff.output_areas import interposition_ratio
from roctopus.display.base import ModelDisplay
from roctopus.display.context import ContextCurveDisplay, outline, quantile_of
from roctopus.display.drawing import Appearance, Pen, drawing
from roctopus.display.grids import grid_in
from roctopus.display.marks import note_line
from roctopus.display.style import (
    finish_axes,
    is_narrow,
    mark_size,
    safe_text,
)

MOST_MARKS = 200
"""Borderline values are marked up to so many cases; more would be a blot."""
BASELINE_DASHES: tuple[Any, ...] = ("-", (0, (5, 3)), (0, (1, 2)), (0, (5, 2, 1, 2)))


class CutoffErrorDisplay(ModelDisplay, ContextCurveDisplay):
    """Draw the error of models over the cutoff (UCE), the true rank (OCE) or quantiles (CE).

    Give the curves of regression models and of retraining procedures by name. ``over`` is a
    distribution of cutoffs whose quantiles make the x-axis, so that likely cutoffs take more room
    and areas are expected errors; ``Output()`` gives the OCE curve over the true rank. Baselines
    are drawn in grey behind the others and left out of the strip of best models.

    Parameters
    ----------
    curves : mapping from name to CutoffErrorCurve
        Curves of the models, from ``cutoff_error_curve`` or ``retraining_curve``.
    over : distribution, optional
        Distribution of cutoffs whose quantiles make the x-axis; ``Output()`` for the true rank.
    baselines : mapping from name to CutoffErrorCurve, optional
        Curves to draw in grey.

    Attributes
    ----------
    ax_ : matplotlib axes
        Where the picture was drawn; there after ``plot``.
    figure_ : matplotlib figure
        Figure of these axes.

    Examples
    --------
    >>> from roctopus import Output, cutoff_error_curve
    >>> from roctopus.display import CutoffErrorDisplay
    >>> y_true, low, high = [3.0, 5.0, 8.0], [2.0, 5.5, 6.0], [3.5, 5.2, 9.5]
    >>> curves = {name: cutoff_error_curve(y_true, p) for name, p in {"a": low, "b": high}.items()}
    >>> display = CutoffErrorDisplay(curves, over=Output()).plot(cutoff=6.0)
    >>> display.ax_.get_xlabel()
    'true rank of the cutoff'
    """

    curves: dict[str, Any]

    def __init__(
        self,
        curves: Mapping[str, CutoffErrorCurve],
        *,
        over: Distribution | None = None,
        baselines: Mapping[str, CutoffErrorCurve] | None = None,
    ) -> None:
        super().__init__(curves)
        self.baselines = check_mapping(baselines, "baselines", "curves") if baselines else {}
        for name, curve in {**self.curves, **self.baselines}.items():
            if not isinstance(curve, CutoffErrorCurve):
                raise InputError(
                    f"The curve {name!r} must come from cutoff_error_curve, but is of type "
                    f"{type(curve).__name__}."
                )
        first = next(iter(self.curves.values()))
        self.outputs = first.outputs
        self.over = over
        distribution = over.distribution(*self._outputs()) if isinstance(over, Output) else over
        self.distribution = None if distribution is None else as_distribution(distribution)
        if first.outcome == outcome_name(ErrorCosts()):
            self.y_label = "share of wrong decisions"
        if over is None:
            self.x_label = "cutoff"
        elif isinstance(over, Output):
            self.x_label = "true rank of the cutoff"
        else:
            self.x_label = "quantile of the cutoff"

    def _outputs(self) -> tuple[Floats, Floats]:
        return self.outputs.support, self.outputs.probability

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        name: str = "model",
        over: Distribution | None = None,
        false_positive_cost: float = 1.0,
        false_negative_cost: float = 1.0,
        sample_weight: Any = None,
        **options: Any,
    ) -> Self:
        """Draw the cutoff-error curve of one model's predictions.

        Parameters
        ----------
        over : distribution, optional
            What makes the x-axis, as in the class.
        """
        curve = cutoff_error_curve(
            y_true,
            y_pred,
            false_positive_cost=false_positive_cost,
            false_negative_cost=false_negative_cost,
            sample_weight=sample_weight,
        )
        return cls({name: curve}, over=over).plot(**options)

    def _position(self, context: Floats) -> Floats:
        """Return where a cutoff lies on the x-axis."""
        return context if self.distribution is None else cumulative(self.distribution, context)

    def context_range(self) -> tuple[float, float]:
        """Show all ranks, or the cutoffs between the smallest and the largest truth.

        Returns
        -------
        tuple of float
            Ends of the x-axis.
        """
        return super().context_range() if self.distribution is None else (0.0, 1.0)

    def _points(self, curve: Any, low: float, high: float) -> tuple[Floats, Floats]:
        """Return the points to draw a curve by."""
        if curve.known is not None or self.distribution is None:
            return super()._points(curve, low, high)
        return outline(curve.over_quantiles(self.distribution).function, low, high)

    @drawing
    def plot(
        self,
        ax: Any | None = None,
        *,
        cutoff: float | None = None,
        median: bool = True,
        marks: bool = False,
        **options: Any,
    ) -> Self:
        """Draw the curves.

        Parameters
        ----------
        cutoff : float, optional
            A cutoff to mark, with the errors there.
        median : bool, default True
            Whether to draw a line at the median truth.
        marks : bool, default False
            Whether to circle borderline cutoffs, which are equal to a truth.
        """
        self._circled, fresh = marks, ax is None or not ax.has_data()
        if cutoff is not None:
            options["context"] = cutoff
        super().plot(ax, **options)
        if median and fresh:
            at = float(self._position(np.array(quantile_of(self.outputs, 0.5))))
            context = options.get("context")
            beside = None if context is None else float(self._position(np.array(context)))
            note_line(self.ax_, at, "median", beside=beside)
        return self

    def _behind(self, pen: Pen, ends: tuple[float, float]) -> None:
        for position, (name, curve) in enumerate(self.baselines.items()):
            dashes = BASELINE_DASHES[position % len(BASELINE_DASHES)]
            label = f"{safe_text(name)} (baseline)"
            style = pen.theme.baseline(linestyle=dashes, zorder=1)
            pen.ax.plot(*self._points(curve, *ends), label=label, **style)
        if self._circled:
            self._mark_borderline(pen)

    def _mark_borderline(self, pen: Pen) -> None:
        truths = np.unique(self._outputs()[0])
        if len(truths) > MOST_MARKS:
            raise InputError(
                f"'marks' can mark at most {MOST_MARKS} different true values, but there are "
                f"{len(truths)}. Leave it out."
            )
        for name, curve in self.curves.items():
            if curve.known is None:
                x = self._position(truths)
                if self.distribution is not None:  # the middle of its tread
                    x = 0.5 * (x + np.append(0.0, x[:-1]))
                dot = pen.dot(name, markersize=mark_size(5), mfc=pen.theme.face, zorder=4)
                pen.ax.plot(x, curve.at(truths), "o", **dot)


class CutoffDecompositionDisplay(ModelDisplay):
    """Draw an area twice: by cutoff, and case by case (Figures 4 and 5 of the paper).

    The left picture shows the curve, and the right one what each case adds to its area: the
    absolute error for the area over the cutoff, the interposition ratio for the area over the true
    rank. Both pictures have the same area, divided differently.

    Parameters
    ----------
    y_true : array
        True values.
    y_pred : array
        Predictions.
    name : str, default "model"
        What the legend calls the model.

    Attributes
    ----------
    ax_ : matplotlib axes
        Where the picture was drawn; there after ``plot``.
    figure_ : matplotlib figure
        Figure of these axes.

    Examples
    --------
    >>> from roctopus.display import CutoffDecompositionDisplay
    >>> y_true, y_pred = [3, 5, 6, 8, 11, 12], [9, 4, 7, 10, 16, 13]
    >>> display = CutoffDecompositionDisplay.from_predictions(y_true, y_pred)
    >>> len(display.figure_.axes)
    2
    """

    def __init__(self, y_true: Any, y_pred: Any, *, name: str = "model") -> None:
        cases = read_cases(y_true, y_pred)
        self.order = np.argsort(cases.y_true, kind="stable")
        self.y_true, self.y_pred, self.name = cases.y_true, cases.y_pred, name
        self.backend = cases.sample.backend

    @classmethod
    def from_predictions(
        cls, y_true: Any, y_pred: Any, *, name: str = "model", **options: Any
    ) -> Self:
        """Draw one model's predictions."""
        return cls(y_true, y_pred, name=name).plot(**options)

    def parts(self, by_rank: bool) -> Floats:
        """Return what each case adds, by increasing true value.

        Parameters
        ----------
        by_rank : bool
            Whether to the area over the true rank, and not to that over the cutoff.

        Returns
        -------
        array
            Interposition ratios or absolute errors.
        """
        if by_rank:
            values = interposition_ratio(self.y_true, self.y_pred)
        else:
            values = np.abs(self.y_pred - self.y_true)
        return values[self.order]

    @drawing
    def plot(
        self, ax: Any | None = None, *, by_rank: bool = False, **look: Unpack[Appearance]
    ) -> Self:
        """Draw both pictures.

        Parameters
        ----------
        by_rank : bool, default False
            Whether to draw the area over the true rank instead of that over the cutoff.
        """
        beside = ax is not None or not is_narrow()
        grid = grid_in(ax, *((1, 2, (10.5, 4.4)) if beside else (2, 1, (6.4, 9.0))))
        self.axes_ = left, right = tuple(grid.ravel())
        curve = cutoff_error_curve(self.y_true, self.y_pred)
        few = len(np.unique(self.y_true)) <= MOST_MARKS
        parts = self.parts(by_rank)
        area = float(np.mean(parts))
        display = CutoffErrorDisplay({self.name: curve}, over=Output() if by_rank else None)
        shown = {} if by_rank else self._whole()
        pen = Pen.on(left, {self.name: self.name}, look)
        colour, title = pen.colour(self.name), pen.look["title"]
        look |= {"title": "", "curve_kwargs": pen.looks.line(self.name)}
        display.plot(left, bands=False, median=False, marks=few, **shown, **look)
        x, y = display._points(curve, *left.get_xlim())
        left.fill_between(x, y, color=colour, alpha=0.18, linewidth=0)
        positions = np.arange(1, len(parts) + 1)
        if few:
            right.bar(positions, parts, width=0.7, color=colour, alpha=0.6)
        else:
            right.fill_between(positions, parts, step="mid", color=colour, alpha=0.6, linewidth=0)
        what = "interposition ratio" if by_rank else "absolute error"
        told = "" if title == "" else f"By case: mean {area:.4g}"
        finish_axes(right, title=told, x="case, by increasing true value", y=f"{what} of the case")
        said = f"By cutoff: area {area:.4g}" if title is None else title
        finish_axes(left, title=said, x=left.get_xlabel(), y=left.get_ylabel())
        self.ax_, self.figure_ = left, left.figure.figure
        return self

    def _whole(self) -> dict[str, float]:
        """Return the ends of the whole area, not those of the truths only."""
        if not np.isfinite(self.y_pred).all():
            return {}
        ends = np.concatenate([self.y_true, self.y_pred])
        margin = 0.04 * float(np.ptp(ends)) or 1.0
        return {"low": float(ends.min()) - margin, "high": float(ends.max()) + margin}

    def frame(self, backend: str | None = None) -> Any:
        """Return both parts by case."""
        columns = {
            "y_true": self.y_true[self.order],
            "y_pred": self.y_pred[self.order],
            "absolute_error": self.parts(False),
            "interposition_ratio": self.parts(True),
        }
        return make_frame(columns, self.backend, backend)
