"""ROC surfaces of three classes, and the ROC curves of every pair of classes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, Unpack

import numpy as np

from roctopus.concepts.frames import make_frame
from roctopus.core.checks import check_mapping
from roctopus.core.errors import InputError
from roctopus.display.base import ModelDisplay
from roctopus.display.drawing import Appearance, Pen, drawing
from roctopus.display.grids import grid_in
from roctopus.display.style import (
    Theme,
    draw_diagonal,
    finish_axes,
    is_narrow,
    line_width,
    mark_size,
    mix,
    new_figure,
    safe_text,
    text_size,
)
from roctopus.ordinal.pairs import pairwise_roc_curves
from roctopus.ordinal.surface import ROCSurface, roc_surface

STEPS = 48
"""Thresholds along each axis of a drawn surface."""


def _paling(colour: Any, theme: Theme) -> Any:
    """Return a map from nearly nothing to a colour, so that height shows without a light."""
    from matplotlib.colors import LinearSegmentedColormap, to_rgb

    full = to_rgb(colour)
    return LinearSegmentedColormap.from_list("height", [mix(full, theme.face, 0.2), full])


class ROCSurfaceDisplay(ModelDisplay):
    """Draw the ROC surface of three classes: how well each can be graded at once.

    A perfect model reaches the corner (1, 1, 1); a random ranking's surface is the triangle between
    the corners in which one class gets everything.

    Parameters
    ----------
    surface : ROCSurface
        What is drawn, from ``roc_surface``.
    name : str, default "model"
        What the picture calls the model.

    Attributes
    ----------
    ax_ : matplotlib axes
        Where the picture was drawn; there after ``plot``.
    figure_ : matplotlib figure
        Figure of these axes.

    Examples
    --------
    >>> from roctopus.display import ROCSurfaceDisplay
    >>> y_true, y_score = [1, 1, 2, 2, 3, 3], [0.1, 0.5, 0.4, 0.7, 0.6, 0.9]
    >>> display = ROCSurfaceDisplay.from_predictions(y_true, y_score)
    >>> display.ax_.get_zlabel()
    'class 2: share correct'
    """

    PREDICTS = "scores"

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

    @drawing
    def plot(
        self, ax: Any | None = None, *, thresholds: Any = None, **look: Unpack[Appearance]
    ) -> Self:
        """Draw the surface.

        Parameters
        ----------
        thresholds : array, optional
            Two thresholds between the classes: marks the rates they reach.
        """
        if ax is None:
            ax = new_figure((6.8, 6.0)).add_subplot(projection="3d")
        if not hasattr(ax, "plot_trisurf"):
            raise InputError(
                "'ax' must be three-dimensional, as made by figure.add_subplot(projection='3d')."
            )
        pen = Pen.on(ax, {self.name: self.name}, {"legend": ax.has_data(), **look})
        corners, faces = self.surface.triangles(STEPS)
        low, middle, high = corners.T
        ax.plot_trisurf(
            low, high, middle, triangles=faces, cmap=_paling(pen.colour(self.name), pen.theme),
            alpha=0.8, linewidth=0.15, edgecolor=pen.theme.face,
        )  # fmt: skip
        triangle = np.eye(3)[[0, 1, 2, 0]][:, [0, 2, 1]]
        ax.plot(*triangle.T, **pen.theme.baseline())
        # Stands for the surface in the legend: it has many colours itself.
        ax.plot([], [], [], linewidth=line_width(4.0), color=pen.colour(self.name),
                label=f"{pen.told(self.name)} (volume {self.surface.volume:.3f})")  # fmt: skip
        if thresholds is not None:
            rates = self.surface.rates(thresholds)
            ax.plot(
                [rates[0]],
                [rates[2]],
                [rates[1]],
                "o",
                color=pen.theme.ink,
                markersize=mark_size(7),
            )
        self._finish(pen)
        return self._drawn(pen)

    def _finish(self, pen: Pen) -> None:
        ax, names = pen.ax, [safe_text(str(label)) for label in self.surface.labels]
        told = f"{pen.told(self.name)}: volume {self.surface.volume:.3f}, by chance {1 / 6:.3f}"
        pen.finish(told, "", "")
        for axis, k in ((ax.xaxis, 0), (ax.yaxis, 2), (ax.zaxis, 1)):
            axis.set_label_text(f"class {names[k]}: share correct", color=pen.theme.muted)
            axis.set_pane_color((*mix(pen.theme.ink, pen.theme.face, 0.03), 1.0))
            axis.line.set_color(pen.theme.grid)
        ax.set(xlim=(0.0, 1.0), ylim=(0.0, 1.0), zlim=(0.0, 1.0))
        ax.view_init(elev=24, azim=38)
        ax.set_box_aspect((1.0, 1.0, 0.9), zoom=0.8 if is_narrow(ax.figure.figure) else 0.95)
        ax.title.set_y(0.94)

    def frame(self, backend: str | None = None) -> Any:
        """Return the drawn points."""
        return self.surface.thinned(STEPS).frame(backend)


CROWDED = 14.0
"""Panels narrower than so many letters hold curves only."""


class PairwiseROCDisplay(ModelDisplay):
    """Draw the ROC curve of every pair of classes, in a grid.

    Rows are the lower class, columns the higher one.

    Parameters
    ----------
    y_true : array
        Classes of the cases.
    scores : mapping from name to array
        Scores of the models.
    labels : list, optional
        Classes in order, from the lowest to the highest.
    sample_weight : array, optional
        Weight of each case; cases of weight 0 are ignored.

    Attributes
    ----------
    ax_ : matplotlib axes
        Where the picture was drawn; there after ``plot``.
    figure_ : matplotlib figure
        Figure of these axes.

    Examples
    --------
    >>> from roctopus.display import PairwiseROCDisplay
    >>> y_true, y_score = [1, 1, 2, 2, 3, 3], [0.1, 0.5, 0.4, 0.7, 0.6, 0.9]
    >>> display = PairwiseROCDisplay.from_predictions(y_true, y_score)
    >>> sorted(display.curves["model"])
    [(1, 2), (1, 3), (2, 3)]
    """

    PREDICTS = "scores"

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

    @drawing
    def plot(self, ax: Any | None = None, **look: Unpack[Appearance]) -> Self:
        """Draw the grid; ``ax`` makes room for it, or is an array of axes such as ``axes_``."""
        count = len(self.labels) - 1
        size = 2.6 * count + 0.8, 2.6 * count + 0.4
        self.axes_ = axes = grid_in(ax, count, count, size, sharex=True, sharey=True)
        groups = {name: name for name in self.curves}
        room = 72.0 * axes[0, 0].figure.figure.get_figwidth() / count
        crowded = room < text_size(CROWDED)
        for (row, column), each in np.ndenumerate(axes):
            if column < row:
                each.set_axis_off()
                continue
            pen = Pen.on(each, groups, {**look, "legend": False})
            self._draw_pair(pen, self.labels[row], self.labels[column + 1], crowded)
            if column == row and not crowded:
                small = {"color": pen.theme.muted, "fontsize": text_size(0.8)}
                each.set_xlabel("false positive rate", **small)
                each.set_ylabel("true positive rate", **small)
        figure = axes[0, 0].figure
        if crowded:
            figure.supxlabel("false positive rate", fontsize=text_size(0.9))
            figure.supylabel("true positive rate", fontsize=text_size(0.9))
        if look.get("legend", True):
            self._draw_legend(figure, axes[0, 0], look.get("legend_kwargs") or {})
        if look.get("title"):
            figure.suptitle(look["title"], x=0.01, ha="left", fontweight="bold")
        self.ax_, self.figure_ = axes[0, 0], figure.figure
        return self

    def _draw_legend(self, figure: Any, ax: Any, style: Mapping[str, Any]) -> None:
        """Write one legend for all pairs, in the place of an old one."""
        for old in list(figure.legends):
            old.remove()
        handles, labels = ax.get_legend_handles_labels()
        if len(labels) > 1:
            look = {"loc": "lower left", "frameon": False, "labelcolor": Theme.of(ax).ink}
            figure.legend(handles, labels, **{**look, **style})

    def _draw_pair(self, pen: Pen, low: Any, high: Any, crowded: bool) -> None:
        if pen.fresh:
            draw_diagonal(pen.ax)
        before = len(pen.ax.texts)
        for number, (name, curves) in enumerate(self.curves.items(), before):
            curve = curves[low, high]
            pen.ax.plot(curve.x, curve.y, **pen.line(name))
            if not crowded:
                pen.ax.text(
                    0.97, 0.04 + 0.1 * number, f"{curve.area:.2f}", ha="right",
                    fontsize=text_size(0.9), color=pen.colour(name),
                )  # fmt: skip
        told = f"{safe_text(str(low))} < {safe_text(str(high))}"
        if crowded and pen.fresh:
            pen.ax.set_title(told, fontsize=text_size(0.8), color=pen.theme.ink, pad=2.0)
        finish_axes(pen.ax, title=told if pen.fresh and not crowded else "", x="", y="")

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
