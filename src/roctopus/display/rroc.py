"""RROC space: over-estimation to the right, under-estimation downwards, heaven at the top left."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from roctopus.core.arrays import Floats
from roctopus.display.base import ModelDisplay, frame_of
from roctopus.display.style import INK, LEGEND, Looks, draw_equal_loss, new_axes, safe_text, thin
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
        ax: Any | None = None,
        **options: Any,
    ) -> Self:
        """Draw the RROC curve of one model's predictions."""
        curve = rroc_curve(y_true, y_pred, sample_weight=sample_weight, normalize=normalize)
        return cls({name: curve}).plot(ax=ax, **options)

    def plot(
        self,
        *,
        ax: Any | None = None,
        hull: bool = False,
        asymmetry: float | None = None,
        under_cost: float | None = None,
        over_cost: float | None = None,
        hybrid: Hybrid | None = None,
        paths: Mapping[str, RROCPath] | None = None,
        diagonal: bool = True,
        limits: tuple[float, float] | None = None,
        title: str | None = None,
    ) -> Self:
        """Draw the models.

        ``hull`` adds their convex hull; an asymmetry (or both costs) the line of equal loss that
        touches the best of them; ``hybrid`` the segment between its two models; ``paths`` the
        points of other ways to shift, from ``rroc_path`` or ``feasible_rroc_path``. ``limits`` are
        the largest over- and under-estimation shown.
        """
        ax = new_axes(ax)
        looks = Looks(self.models)
        right, down = limits or self._limits()
        if diagonal:
            reach = min(right, down)
            ax.plot([0, reach], [0, -reach], color="#c4c8d0", linewidth=1, linestyle=(0, (4, 3)))
        for name, entry in self.models.items():
            self._draw_entry(ax, name, entry, looks, right, down)
        for path_name, path in (paths or {}).items():
            style = {"linewidth": 1.2, "marker": ".", "markersize": 4, "alpha": 0.9}
            ax.plot(path.over, path.under, label=safe_text(path_name), **style)
        if hull:
            self._draw_hull(ax, right, down)
        if hybrid is not None:
            self._draw_hybrid(ax, hybrid)
        if (asymmetry, under_cost, over_cost) != (None, None, None):
            costs = {"under_cost": under_cost, "over_cost": over_cost}
            self._draw_isometric(ax, self._found_hull().isometric(asymmetry, **costs), right)
        ax.set(xlim=(-0.015 * right, right), ylim=(-down, 0.015 * down))
        ax.legend(**LEGEND, loc="lower right")
        unit = "mean" if next(iter(self.models.values())).normalized else "total"
        over, under = f"{unit} over-estimation (OVER)", f"{unit} under-estimation (UNDER)"
        return self._drawn(ax, title=title, x=over, y=under)

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
        self,
        ax: Any,
        name: str,
        entry: RROCCurve | RROCPoint,
        looks: Looks,
        right: float,
        down: float,
    ) -> None:
        colour, label = looks.colour(name), safe_text(name)
        if isinstance(entry, RROCPoint):
            ax.plot(entry.over, entry.under, "o", color=colour, markersize=9, label=label)
            return
        over, under, _ = entry.vertices()
        x, y = thin(over, under)
        x = np.concatenate([[0.0], x, [max(right, x[-1])]])
        y = np.concatenate([[min(-down, y[0])], y, [0.0]])
        ax.plot(x, y, label=label, **looks.line(name))
        if len(over) <= FEW:
            ax.plot(over, under, "o", color=colour, markersize=4.5, markerfacecolor="white")
        as_is = entry.point(0.0)
        ax.plot(as_is.over, as_is.under, "s", color=colour, markersize=6.5, zorder=4)

    def _draw_hull(self, ax: Any, right: float, down: float) -> None:
        hull = self._found_hull()
        x, y = thin(hull.over, hull.under)
        x = np.concatenate([[x[0]], x, [max(right, x[-1])]])
        y = np.concatenate([[min(-down, y[0])], y, [y[-1]]])
        ax.plot(x, y, color=INK, linewidth=7, alpha=0.16, zorder=1.5, label="convex hull")
        if len(hull) <= FEW:
            ax.plot(hull.over, hull.under, "x", color=INK, markersize=7, zorder=5)

    def _draw_hybrid(self, ax: Any, hybrid: Hybrid) -> None:
        entries = [self.models[model] for model in hybrid.models]
        ends = [
            entry.point(shift) if isinstance(entry, RROCCurve) else entry
            for entry, shift in zip(entries, hybrid.shifts, strict=True)
        ]
        ax.plot([p.over for p in ends], [p.under for p in ends], color=INK, linewidth=2, zorder=3)
        share = f"{1 - hybrid.weight:.0%} / {hybrid.weight:.0%}"
        ax.plot(hybrid.over, hybrid.under, "D", color=INK, markersize=6, label=f"hybrid {share}")

    def _draw_isometric(self, ax: Any, line: Isometric, right: float) -> None:
        label = f"equal loss at α = {line.asymmetry:.4g}"
        contact = line.contact
        draw_equal_loss(ax, (line.slope, line.intercept), contact.over, right, label)
        ring = {"markerfacecolor": "none", "markeredgewidth": 2.2, "markersize": 13}
        ax.plot(contact.over, contact.under, "o", color=INK, zorder=6, **ring)
        told = safe_text(str(line.model))
        told += f", shift {contact.shift:+.3g}" if contact.shift else ", no shift"
        leftwards = contact.over > 0.25 * right  # the heaven side of the line is free
        offset, side = ((-8, 12), "right") if leftwards else ((12, -16), "left")
        style = {"fontsize": 9.5, "fontweight": "bold", "color": INK, "ha": side}
        at = (contact.over, contact.under)
        note = ax.annotate(told, at, xytext=offset, textcoords="offset points", **style)
        note.set_in_layout(False)
