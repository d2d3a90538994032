"""Losses other than lin-lin in the space of their own component sums."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from roctopus.core.checks import check_mapping
from roctopus.core.errors import InputError
from roctopus.display.base import ModelDisplay, frame_of
from roctopus.display.style import INK, LEGEND, Looks, draw_equal_loss, new_axes, safe_text
from roctopus.regression.losses import Loss
from roctopus.regression.paths import ComponentPath, loss_component_path


class LossComponentDisplay(ModelDisplay):
    """Draw what over- and under-estimates add to a loss as the shift moves, and the isometric.

    The dashed line joins points of equal loss; it touches the best model at its best shift.

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

    def __init__(self, paths: Mapping[str, ComponentPath]) -> None:
        self.paths: dict[str, ComponentPath] = check_mapping(paths, "paths", "component paths")
        if len({path.loss for path in self.paths.values()}) > 1:
            raise InputError("The paths belong to different losses. Draw one loss at a time.")

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
        """Draw one model's predictions under a loss."""
        if loss is None:
            raise InputError("Give the 'loss' to draw, such as QuadQuad(0.8).")
        path = loss_component_path(
            y_true, y_pred, loss=loss, sample_weight=sample_weight, normalize=normalize
        )
        return cls({name: path}).plot(**options)

    def plot(self, *, ax: Any | None = None, title: str | None = None) -> Self:
        """Draw the paths and the line of equal loss through the best of them."""
        ax = new_axes(ax)
        looks = Looks(self.paths)
        for name, path in self.paths.items():
            ax.plot(path.over, path.under, label=safe_text(name), **looks.line(name))
        best = min(self.paths, key=lambda name: self.paths[name].isometric.loss)
        line = self.paths[best].isometric
        reach = 3.0 * max(line.over, -line.under, 1e-300)
        draw_equal_loss(ax, (line.slope, line.intercept), line.over, reach, "equal loss")
        ax.plot(line.over, line.under, "o", color=INK, markersize=8, zorder=6)
        ax.set(xlim=(-0.015 * reach, reach), ylim=(-reach, 0.015 * reach))
        unit = "mean" if self.paths[best].normalized else "total"
        ax.legend(**LEGEND, loc="lower right")
        x_label = f"{unit} loss of over-estimates, costs left out"
        return self._drawn(ax, title=title, x=x_label, y=f"minus {unit} loss of under-estimates")

    def frame(self, backend: str | None = None) -> Any:
        """Return what is drawn: the component sums by model and shift."""
        paths = self.paths.items()
        parts = {name: {"over": p.x, "under": p.y, "shift": p.knob} for name, p in paths}
        return frame_of(parts, next(iter(self.paths.values())).backend, backend)
