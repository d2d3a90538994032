"""Cutoff-error curves over cutoff, true rank or quantiles; what their areas are made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

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
from roctopus.display.style import (
    INK,
    MUTED,
    Looks,
    finish_axes,
    new_axes,
    new_figure,
    note_line,
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
    are drawn in grey behind the others and win no band.

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
                    f"{name!r} must be a cutoff-error curve, got {type(curve).__name__}."
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
        """Draw the cutoff-error curve of one model's predictions."""
        curve = cutoff_error_curve(
            y_true,
            y_pred,
            false_positive_cost=false_positive_cost,
            false_negative_cost=false_negative_cost,
            sample_weight=sample_weight,
        )
        return cls({name: curve}, over=over).plot(**options)

    def position(self, context: Floats) -> Floats:
        """Return where a cutoff lies on the x-axis."""
        return context if self.distribution is None else cumulative(self.distribution, context)

    def context_range(self) -> tuple[float, float]:
        """Show all ranks, or the cutoffs between the smallest and the largest truth."""
        return super().context_range() if self.distribution is None else (0.0, 1.0)

    def points(self, curve: Any, low: float, high: float) -> tuple[Floats, Floats]:
        """Return the points to draw a curve by."""
        if curve.known is not None or self.distribution is None:
            return super().points(curve, low, high)
        return outline(curve.over_quantiles(self.distribution).function, low, high)

    def plot(
        self,
        *,
        cutoff: float | None = None,
        median: bool = True,
        marks: bool = False,
        low: float | None = None,
        high: float | None = None,
        ax: Any | None = None,
        **options: Any,
    ) -> Self:
        """Draw the curves; a cutoff marks the errors there.

        ``median`` draws a line at the median truth, ``marks`` circles at the borderline cutoffs
        (those equal to a truth), ``low`` and ``high`` limit the x-axis. Further options are
        ``bands`` (who is best where) and ``title``.
        """
        ax = new_axes(ax, len(self.curves) + len(self.baselines))
        low, high = self.shown(low, high, cutoff)
        for position, (name, curve) in enumerate(self.baselines.items()):
            dashes = BASELINE_DASHES[position % len(BASELINE_DASHES)]
            label = f"{safe_text(name)} (baseline)"
            x, y = self.points(curve, low, high)
            ax.plot(x, y, label=label, color=MUTED, linewidth=1.1, linestyle=dashes, zorder=1)
        if median:
            note_line(ax, float(self.position(np.array(quantile_of(self.outputs, 0.5)))), "median")
        if marks:
            self._mark_borderline(ax)
        super().plot(ax=ax, context=cutoff, low=low, high=high, **options)
        return self

    def _mark_borderline(self, ax: Any) -> None:
        looks, truths = Looks(self.curves), np.unique(self._outputs()[0])
        if len(truths) > MOST_MARKS:
            raise InputError(
                f"'marks' shows single cases: {len(truths)} are too many, {MOST_MARKS} the most."
            )
        for name, curve in self.curves.items():
            if curve.known is None:
                x, colour = self.position(truths), looks.colour(name)
                if self.distribution is not None:  # the middle of its tread
                    x = 0.5 * (x + np.append(0.0, x[:-1]))
                ax.plot(x, curve.at(truths), "o", color=colour, markersize=5, mfc="white", zorder=4)


class CutoffDecompositionDisplay(ModelDisplay):
    """Draw an area twice: by cutoff, and case by case (Figures 4 and 5 of the paper).

    Left the curve, right what each case adds to its area: the absolute error for the area over the
    cutoff, the interposition ratio for the area over the true rank. Both pictures have the same
    area; they cut it differently.

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
        """Return what each case adds, by increasing truth."""
        if by_rank:
            values = interposition_ratio(self.y_true, self.y_pred)
        else:
            values = np.abs(self.y_pred - self.y_true)
        return values[self.order]

    def plot(self, *, by_rank: bool = False, figure: Any | None = None) -> Self:
        """Draw both pictures, of the area over the cutoff or over the true rank."""
        if figure is None:
            figure = new_figure((10.5, 4.4))
        left, right = figure.subplots(1, 2)
        curve = cutoff_error_curve(self.y_true, self.y_pred)
        few = len(np.unique(self.y_true)) <= MOST_MARKS
        parts, looks = self.parts(by_rank), Looks([self.name])
        area = float(np.mean(parts))
        display = CutoffErrorDisplay({self.name: curve}, over=Output() if by_rank else None)
        shown: dict[str, float] = {}
        if not by_rank and np.isfinite(self.y_pred).all():  # the whole area, not the truths only
            ends = np.concatenate([self.y_true, self.y_pred])
            margin = 0.04 * float(np.ptp(ends)) or 1.0
            shown = {"low": float(ends.min()) - margin, "high": float(ends.max()) + margin}
        display.plot(ax=left, bands=False, median=False, marks=few, **shown)
        x, y = display.points(curve, *left.get_xlim())
        left.fill_between(x, y, color=looks.colour(self.name), alpha=0.18, linewidth=0)
        left.set_title(f"By cutoff: area {area:.4g}", color=INK, fontsize=11, loc="left")
        left.get_legend().remove()
        positions = np.arange(1, len(parts) + 1)
        if few:
            right.bar(positions, parts, width=0.7, color=looks.colour(self.name), alpha=0.75)
        else:
            colour = looks.colour(self.name)
            right.fill_between(positions, parts, step="mid", color=colour, alpha=0.6, linewidth=0)
        what = "interposition ratio" if by_rank else "absolute error"
        finish_axes(right, title=None, x="case, by increasing true value", y=f"{what} of the case")
        right.set_title(f"By case: mean {area:.4g}", color=INK, fontsize=11, loc="left")
        self.ax_, self.figure_ = left, figure
        return self

    def frame(self, backend: str | None = None) -> Any:
        """Return both parts by case."""
        columns = {
            "y_true": self.y_true[self.order],
            "y_pred": self.y_pred[self.order],
            "absolute_error": self.parts(False),
            "interposition_ratio": self.parts(True),
        }
        return make_frame(columns, self.backend, backend)
