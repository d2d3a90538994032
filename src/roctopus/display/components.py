"""Losses other than lin-lin in the space of their own component sums."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self, Unpack

from roctopus.core.checks import check_mapping
from roctopus.core.errors import InputError
from roctopus.display.base import ModelDisplay, frame_of
from roctopus.display.drawing import Appearance, Pen, drawing
from roctopus.display.style import (
    draw_equal_loss,
    mark_size,
)
from roctopus.display.writing import say_number
from roctopus.regression.losses import Loss
from roctopus.regression.paths import ComponentPath, loss_component_path


class LossComponentDisplay(ModelDisplay):
    """Draw what over- and under-estimates add to a loss as the shift moves, and the isometric.

    The dashed line joins points of equal loss; it touches the best model at its best shift.

    Parameters
    ----------
    paths : mapping from name to ComponentPath
        Paths of the models, from ``loss_component_path``, for one loss.

    Attributes
    ----------
    ax_ : matplotlib axes
        Where the picture was drawn; there after ``plot``.
    figure_ : matplotlib figure
        Figure of these axes.

    Examples
    --------
    >>> from roctopus import QuadQuad
    >>> from roctopus.display import LossComponentDisplay
    >>> display = LossComponentDisplay.from_predictions(
    ...     [3.0, 5.0, 8.0], [2.0, 5.5, 6.0], loss=QuadQuad(0.8)
    ... )
    >>> display.ax_.get_xlabel()
    'total loss of over-estimates, costs left out'
    """

    ENTRIES: ClassVar[str | None] = "paths"

    def __init__(self, paths: Mapping[str, ComponentPath]) -> None:
        self.paths: dict[str, ComponentPath] = check_mapping(paths, "paths", "component paths")
        if len({path.loss for path in self.paths.values()}) > 1:
            raise InputError(
                "All paths must be for the same loss, but they are for different ones. Draw one "
                "loss at a time."
            )

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        loss: Loss | None = None,
        name: str = "model",
        sample_weight: Any = None,
        normalize: bool = False,
        **options: Any,
    ) -> Self:
        """Draw one model's predictions under a loss.

        Parameters
        ----------
        loss : loss
            What to draw, such as ``QuadQuad(0.8)``.
        """
        if loss is None:
            raise InputError("'loss' is missing. Pass the loss to draw, as in loss=QuadQuad(0.8).")
        path = loss_component_path(
            y_true, y_pred, loss=loss, sample_weight=sample_weight, normalize=normalize
        )
        return cls({name: path}).plot(**options)

    @drawing
    def plot(self, ax: Any | None = None, **look: Unpack[Appearance]) -> Self:
        """Draw the paths and the line of equal loss through the best of them."""
        pen = Pen.on(ax, self._groups, look)
        for name, path in self.paths.items():
            pen.ax.plot(path.over, path.under, **pen.line(name))
        best = min(self.paths, key=lambda name: self.paths[name].isometric.loss)
        line = self.paths[best].isometric
        reach = 3.0 * max(line.over, -line.under, 1e-300)
        draw_equal_loss(pen.ax, (line.slope, line.intercept), line.over, reach, "equal loss")
        pen.ax.plot(
            line.over, line.under, "o", color=pen.theme.ink, markersize=mark_size(8), zorder=6
        )
        pen.limits((-0.015 * reach, reach), (-reach, 0.015 * reach))
        unit = "mean" if self.paths[best].normalized else "total"
        words = f"{unit} loss of over-estimates, costs left out"
        finding = None
        if len(self.paths) > 1 and not pen.folded:
            finding = f"{pen.told(best)} has the least {unit} loss, {say_number(line.loss)}"
        below = f"minus {unit} loss of under-estimates"
        pen.finish(finding, words, below, {"loc": "lower right"})
        return self._drawn(pen)

    def frame(self, backend: str | None = None) -> Any:
        """Return what is drawn: the component sums by model and shift."""
        paths = self.paths.items()
        parts = {name: {"over": p.x, "under": p.y, "shift": p.knob} for name, p in paths}
        return frame_of(parts, next(iter(self.paths.values())).backend, backend)
