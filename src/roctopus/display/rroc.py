"""RROC space: over-estimation to the right, under-estimation downwards, heaven at the top left."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self, Unpack

import numpy as np

from roctopus.core.arrays import Floats
from roctopus.display.base import ModelDisplay, frame_of
from roctopus.display.drawing import Appearance, Pen, drawing
from roctopus.display.style import (
    draw_equal_loss,
    inches_of,
    line_width,
    mark_size,
    safe_text,
    text_size,
    thin,
)
from roctopus.display.writing import say_number, say_share
from roctopus.regression.curves import Isometric, RROCCurve, rroc_curve
from roctopus.regression.hulls import Hybrid, RROCHull, check_entries, rroc_hull
from roctopus.regression.paths import RROCPath
from roctopus.regression.points import RROCPoint

FEW = 50
"""Up to this many vertices, each gets a mark and the whole curve is shown."""


class RROCDisplay(ModelDisplay):
    """Draw models in RROC space.

    Curves stand for models that may be shifted (a square marks the model as it is), points for
    models taken as they are. Use ``from_predictions`` or ``from_estimator`` for one model, or give
    several curves and points by name, as for ``rroc_hull``.

    Parameters
    ----------
    models : mapping from name to RROCCurve or RROCPoint
        Curves of models that may be shifted, from ``rroc_curve``; points of others.

    Attributes
    ----------
    ax_ : matplotlib axes
        Where the picture was drawn; there after ``plot``.
    figure_ : matplotlib figure
        Figure of these axes.

    Examples
    --------
    >>> from roctopus import rroc_curve
    >>> from roctopus.display import RROCDisplay
    >>> y_true = [3.0, 5.0, 8.0, 9.0, 4.0]
    >>> low, high = [2.0, 5.5, 6.0, 8.5, 4.2], [3.5, 5.2, 9.5, 9.0, 7.0]
    >>> display = RROCDisplay({"low": rroc_curve(y_true, low), "high": rroc_curve(y_true, high)})
    >>> display.plot(hull=True, asymmetry=0.8).ax_.get_xlabel()
    'total over-estimation (OVER)'
    """

    ENTRIES: ClassVar[str | None] = "models"

    def __init__(self, models: Mapping[str, RROCCurve | RROCPoint]) -> None:
        self.models = check_entries(models)
        self._hull: RROCHull | None = None

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        name: str = "model",
        sample_weight: Any = None,
        normalize: bool = False,
        **options: Any,
    ) -> Self:
        """Draw the RROC curve of one model's predictions."""
        curve = rroc_curve(y_true, y_pred, sample_weight=sample_weight, normalize=normalize)
        return cls({name: curve}).plot(**options)

    @drawing
    def plot(
        self,
        ax: Any | None = None,
        *,
        hull: bool = False,
        asymmetry: float | None = None,
        under_cost: float | None = None,
        over_cost: float | None = None,
        hybrid: Hybrid | None = None,
        paths: Mapping[str, RROCPath] | None = None,
        diagonal: bool = True,
        limits: tuple[float, float] | None = None,
        **look: Unpack[Appearance],
    ) -> Self:
        """Draw the models.

        Parameters
        ----------
        hull : bool, default False
            Whether to draw the convex hull of all models.
        asymmetry : float, optional
            The weight of under-estimates: draws the line of equal loss that touches the best model.
        under_cost, over_cost : float, optional
            What under- and over-estimates cost, in place of the asymmetry.
        hybrid : Hybrid, optional
            A mixture of two models, drawn between them.
        paths : mapping from name to RROCPath, optional
            Points of other ways to shift, from ``rroc_path`` or ``feasible_rroc_path``.
        diagonal : bool, default True
            Whether to draw where over- and under-estimates have equal sums.
        limits : (float, float), optional
            The largest over- and under-estimation to show.
        """
        pen, best = Pen.on(ax, self._groups, look), None
        ax = pen.ax
        right, down = limits or self._limits()
        if diagonal:
            reach = min(right, down)
            ax.plot([0, reach], [0, -reach], **pen.theme.baseline(color=pen.theme.pale))
        for name, entry in self.models.items():
            self._draw_entry(pen, name, entry, right, down)
        for path_name, path in (paths or {}).items():
            style = {
                "linewidth": line_width(0.8),
                "marker": ".",
                "markersize": mark_size(4),
                "alpha": 0.9,
            }
            ax.plot(path.over, path.under, label=safe_text(path_name), **style)
        if hull:
            self._draw_hull(pen, right, down)
        if hybrid is not None:
            self._draw_hybrid(pen, hybrid)
        if (asymmetry, under_cost, over_cost) != (None, None, None):
            costs = {"under_cost": under_cost, "over_cost": over_cost}
            best = self._found_hull().isometric(asymmetry, **costs)
            self._draw_isometric(pen, best, right)
        pen.limits((-0.015 * right, right), (-down, 0.015 * down))
        unit = "mean" if next(iter(self.models.values())).normalized else "total"
        over, under = f"{unit} over-estimation (OVER)", f"{unit} under-estimation (UNDER)"
        pen.finish(self._finding(pen, best), over, under, {"loc": "lower right"})
        return self._drawn(pen)

    def _finding(self, pen: Pen, line: Isometric | None) -> str | None:
        """Return the title: who costs least where that is asked, or has the least area beyond."""
        if line is not None and not pen.folded:
            shift = f" with a shift of {line.contact.shift:+.3g}" if line.contact.shift else ""
            return f"At α = {line.asymmetry:.4g}, {pen.told(str(line.model))}{shift} costs least"
        areas = {
            name: entry.area_over
            for name, entry in self.models.items()
            if isinstance(entry, RROCCurve)
        }
        if pen.folded or len(areas) < max(2, len(self.models)):
            return None
        best = min(areas, key=lambda name: areas[name])
        return f"{pen.told(best)} has the smallest area over the curve: {say_number(areas[best])}"

    def frame(self, backend: str | None = None) -> Any:
        """Return what is drawn: every vertex with its model."""
        parts = {
            name: dict(zip(RROCCurve.names, self._vertices(entry), strict=True))
            for name, entry in self.models.items()
        }
        return frame_of(parts, next(iter(self.models.values())).backend, backend)

    @staticmethod
    def _vertices(entry: RROCCurve | RROCPoint) -> tuple[Floats, Floats, Floats]:
        if isinstance(entry, RROCCurve):
            return entry.vertices()
        return np.array([entry.over]), np.array([entry.under]), np.array([entry.shift])

    def _found_hull(self) -> RROCHull:
        if self._hull is None:
            self._hull = rroc_hull(self.models)
        return self._hull

    def _limits(self) -> tuple[float, float]:
        """Show all of a small curve; of a large one the part where trade-offs are made."""
        right = down = 0.0
        for entry in self.models.values():
            over, under, _ = self._vertices(entry)
            far_right, far_down = float(over[-1]), float(-under[0])
            if isinstance(entry, RROCCurve):
                as_is = entry.point(0.0)
                if len(entry) > FEW:
                    balanced = float(over[np.argmin(np.abs(over + under))])
                    far_right = max(2.6 * balanced, 1.2 * as_is.over)
                    far_down = max(2.6 * balanced, -1.2 * as_is.under)
                far_right, far_down = max(far_right, as_is.over), max(far_down, -as_is.under)
            right, down = max(right, far_right), max(down, far_down)
        return 1.06 * right or 1.0, 1.06 * down or 1.0

    def _draw_entry(
        self, pen: Pen, name: str, entry: RROCCurve | RROCPoint, right: float, down: float
    ) -> None:
        ax = pen.ax
        if isinstance(entry, RROCPoint):
            dot = pen.line(name) | {"linestyle": "none", "marker": "o", "markersize": mark_size(9)}
            ax.plot(entry.over, entry.under, **dot)
            return
        over, under, _ = entry.vertices()
        x, y = thin(over, under)
        x = np.concatenate([[0.0], x, [max(right, x[-1])]])
        y = np.concatenate([[min(-down, y[0])], y, [0.0]])
        ax.plot(x, y, **pen.line(name))
        if len(over) <= FEW:
            ax.plot(
                over, under, "o", **pen.dot(name, markersize=mark_size(4.5), mfc=pen.theme.face)
            )
        as_is = entry.point(0.0)
        ax.plot(as_is.over, as_is.under, "s", **pen.dot(name, markersize=mark_size(6.5), zorder=4))

    def _draw_hull(self, pen: Pen, right: float, down: float) -> None:
        hull, ax, ink = self._found_hull(), pen.ax, pen.theme.ink
        x, y = thin(hull.over, hull.under)
        x = np.concatenate([[x[0]], x, [max(right, x[-1])]])
        y = np.concatenate([[min(-down, y[0])], y, [y[-1]]])
        wide = {"linestyle": "-", "linewidth": line_width(4.7), "label": "convex hull"}
        ax.plot(x, y, color=ink, alpha=0.16, zorder=1.5, **wide)
        if len(hull) <= FEW:
            ax.plot(hull.over, hull.under, "x", color=ink, markersize=mark_size(7), zorder=5)

    def _draw_hybrid(self, pen: Pen, hybrid: Hybrid) -> None:
        ink = pen.theme.ink
        entries = [self.models[model] for model in hybrid.models]
        ends = [
            entry.point(shift) if isinstance(entry, RROCCurve) else entry
            for entry, shift in zip(entries, hybrid.shifts, strict=True)
        ]
        line = {"color": ink, "linewidth": line_width(1.3), "linestyle": "-", "zorder": 3}
        pen.ax.plot([p.over for p in ends], [p.under for p in ends], **line)
        told = f"hybrid {say_share(1 - hybrid.weight)} / {say_share(hybrid.weight)}"
        pen.ax.plot(hybrid.over, hybrid.under, "D", color=ink, markersize=mark_size(6), label=told)

    def _draw_isometric(self, pen: Pen, line: Isometric, right: float) -> None:
        label = f"equal loss at α = {line.asymmetry:.4g}"
        contact, ax, ink = line.contact, pen.ax, pen.theme.ink
        draw_equal_loss(ax, (line.slope, line.intercept), contact.over, right, label)
        ring = {
            "markerfacecolor": "none",
            "markeredgewidth": line_width(1.5),
            "markersize": mark_size(13),
        }
        ax.plot(contact.over, contact.under, "o", color=ink, zorder=6, **ring)
        told = pen.told(str(line.model))
        told += f", shift {contact.shift:+.3g}" if contact.shift else ", no shift"
        wide = text_size(0.6 * len(told)) / (72.0 * inches_of(ax)[0])
        leftwards = contact.over > wide * right  # the heaven side of the line is free
        offset, side = ((-8, 12), "right") if leftwards else ((12, -16), "left")
        style = {"fontsize": text_size(0.95), "fontweight": "bold", "color": ink, "ha": side}
        at = (contact.over, contact.under)
        note = ax.annotate(told, at, xytext=offset, textcoords="offset points", **style)
        note.set_in_layout(False)
