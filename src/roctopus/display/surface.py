"""ROC surfaces of three classes, and the ROC curves of every pair of classes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from roctopus.concepts.frames import make_frame
from roctopus.core.checks import check_mapping
from roctopus.display.base import ModelDisplay
from roctopus.display.style import (
    GRID,
    INK,
    LEGEND,
    MUTED,
    Looks,
    draw_diagonal,
    finish_axes,
    new_figure,
    safe_text,
)
from roctopus.ordinal.pairs import pairwise_roc_curves
from roctopus.ordinal.surface import ROCSurface, roc_surface

STEPS = 48
"""Thresholds along each axis of a drawn surface."""


def _paling(colour: str) -> Any:
    """Return a map from nearly white to a colour, so that height shows without a light."""
    from matplotlib.colors import LinearSegmentedColormap, to_rgb

    full = np.array(to_rgb(colour))
    return LinearSegmentedColormap.from_list("height", np.array([0.8 + 0.2 * full, full]))


class ROCSurfaceDisplay(ModelDisplay):
    """Draw the ROC surface of three classes: how well each can be graded at once.

    A perfect model reaches the corner (1, 1, 1); a random ranking's surface is the triangle between
    the corners in which one class gets everything.

    Examples
    --------
    >>> from roctopus.display import ROCSurfaceDisplay
    >>> y_true, y_score = [1, 1, 2, 2, 3, 3], [0.1, 0.5, 0.4, 0.7, 0.6, 0.9]
    >>> display = ROCSurfaceDisplay.from_predictions(y_true, y_score)
    >>> display.ax_.get_zlabel()
    'class 2 graded rightly'
    """

    def __init__(self, surface: ROCSurface, *, name: str = "model") -> None:
        self.surface, self.name = surface, name

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        name: str = "model",
        labels: Any = None,
        sample_weight: Any = None,
        **options: Any,
    ) -> Self:
        """Draw the surface of one model's scores."""
        surface = roc_surface(y_true, y_pred, labels=labels, sample_weight=sample_weight)
        return cls(surface, name=name).plot(**options)

    def plot(
        self, *, thresholds: Any = None, ax: Any | None = None, title: str | None = None
    ) -> Self:
        """Draw the surface; ``thresholds`` marks the rates they reach."""
        if ax is None:
            ax = new_figure((6.8, 6.0)).add_subplot(projection="3d")
        corners, faces = self.surface.triangles(STEPS)
        low, middle, high = corners.T
        ax.plot_trisurf(
            low, high, middle, triangles=faces, cmap=_paling(Looks([self.name]).colour(self.name)),
            alpha=0.8, linewidth=0.15, edgecolor="white",
        )  # fmt: skip
        triangle = np.eye(3)[[0, 1, 2, 0]][:, [0, 2, 1]]
        ax.plot(*triangle.T, color=MUTED, linewidth=1, linestyle=(0, (4, 3)))
        if thresholds is not None:
            rates = self.surface.rates(thresholds)
            ax.plot([rates[0]], [rates[2]], [rates[1]], "o", color=INK, markersize=7)
        names = [safe_text(str(label)) for label in self.surface.labels]
        for axis, k in ((ax.xaxis, 0), (ax.yaxis, 2), (ax.zaxis, 1)):
            axis.set_label_text(f"class {names[k]} graded rightly", color=MUTED)
            axis.set_pane_color((0.97, 0.97, 0.98, 1.0))
            axis.line.set_color(GRID)
        ax.tick_params(colors=MUTED, labelsize=8)
        ax.set(xlim=(0.0, 1.0), ylim=(0.0, 1.0), zlim=(0.0, 1.0))
        ax.view_init(elev=24, azim=38)
        ax.set_box_aspect((1.0, 1.0, 0.9), zoom=0.95)
        told = f"{safe_text(self.name)}: volume {self.surface.volume:.3f}"
        ax.set_title(title or told, color=INK, fontsize=11, fontweight="bold", loc="left", y=0.94)
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def frame(self, backend: str | None = None) -> Any:
        """Return the drawn points."""
        return self.surface.thinned(STEPS).frame(backend)


class PairwiseROCDisplay(ModelDisplay):
    """Draw the ROC curve of every pair of classes, in a grid.

    Rows are the lower class, columns the higher one.

    Examples
    --------
    >>> from roctopus.display import PairwiseROCDisplay
    >>> y_true, y_score = [1, 1, 2, 2, 3, 3], [0.1, 0.5, 0.4, 0.7, 0.6, 0.9]
    >>> display = PairwiseROCDisplay.from_predictions(y_true, y_score)
    >>> sorted(display.curves["model"])
    [(1, 2), (1, 3), (2, 3)]
    """

    def __init__(
        self,
        y_true: Any,
        scores: Mapping[str, Any],
        *,
        labels: Any = None,
        sample_weight: Any = None,
    ) -> None:
        named = check_mapping(scores, "scores", "scores")
        self.curves = {
            name: pairwise_roc_curves(y_true, each, labels=labels, sample_weight=sample_weight)
            for name, each in named.items()
        }
        first = next(iter(self.curves.values()))
        self.labels = list(dict.fromkeys(label for pair in first for label in pair))
        self.backend = next(iter(first.values())).backend

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        name: str = "model",
        labels: Any = None,
        sample_weight: Any = None,
        **options: Any,
    ) -> Self:
        """Draw the curves of one model's scores."""
        display = cls(y_true, {name: y_pred}, labels=labels, sample_weight=sample_weight)
        return display.plot(**options)

    def plot(self, *, figure: Any | None = None) -> Self:
        """Draw the grid."""
        count = len(self.labels) - 1
        if figure is None:
            figure = new_figure((2.6 * count + 0.8, 2.6 * count + 0.4))
        axes = figure.subplots(count, count, squeeze=False, sharex=True, sharey=True)
        looks = Looks(self.curves)
        for (row, column), ax in np.ndenumerate(axes):
            if column < row:
                ax.set_axis_off()
                continue
            self._draw_pair(ax, self.labels[row], self.labels[column + 1], looks)
            if column == row:
                ax.set_xlabel("false positive rate", color=MUTED, fontsize=8)
                ax.set_ylabel("true positive rate", color=MUTED, fontsize=8)
        if len(self.curves) > 1:
            lines, told = axes[0, 0].get_legend_handles_labels()
            figure.legend(lines[::-1], told[::-1], loc="lower left", **LEGEND)
        self.ax_, self.figure_ = axes[0, 0], figure
        return self

    def _draw_pair(self, ax: Any, low: Any, high: Any, looks: Looks) -> None:
        draw_diagonal(ax)
        for number, (name, curves) in enumerate(reversed(self.curves.items())):
            curve = curves[low, high]
            ax.plot(curve.x, curve.y, label=safe_text(name), **looks.line(name))
            ax.text(
                0.97, 0.04 + 0.1 * number, f"{curve.area:.2f}", ha="right", fontsize=9,
                color=looks.colour(name),
            )  # fmt: skip
        finish_axes(ax, title=f"{safe_text(str(low))} < {safe_text(str(high))}", x="", y="")

    def frame(self, backend: str | None = None) -> Any:
        """Return the vertices of all curves."""
        rows = [
            (name, low, high, *point)
            for name, curves in self.curves.items()
            for (low, high), curve in curves.items()
            for point in zip(*curve.vertices(), strict=True)
        ]
        names = (
            "model", "lower_class", "higher_class",
            "false_positive_rate", "true_positive_rate", "threshold",
        )  # fmt: skip
        columns = {name: [row[k] for row in rows] for k, name in enumerate(names)}
        return make_frame(columns, self.backend, backend)
