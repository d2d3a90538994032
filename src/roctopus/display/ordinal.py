"""Volumes of several models, and thresholds on the scores of every class."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self, Unpack

import numpy as np

from roctopus.concepts.frames import make_frame
from roctopus.concepts.wording import listed
from roctopus.core.arrays import Floats
from roctopus.core.checks import check_mapping
from roctopus.core.errors import InputError
from roctopus.display.base import ModelDisplay
from roctopus.display.context import ContextCurveDisplay
from roctopus.display.drawing import Appearance, Pen, drawing, say_largest
from roctopus.display.histograms import draw_classes
from roctopus.display.marks import note_line
from roctopus.display.style import (
    BROKEN,
    line_width,
    mark_size,
    new_figure,
    safe_text,
    wrap_names,
)
from roctopus.ordinal.cost_curves import ordinal_cost_curve
from roctopus.ordinal.grades import Grades, read_grades
from roctopus.ordinal.thresholds import OrdinalThresholds, ordinal_thresholds
from roctopus.ordinal.volume import SurfaceVolume, surface_volume

OUTER = 0.005
"""Of the scores, this share at either end may lie beyond the picture."""


class SurfaceVolumeDisplay(ModelDisplay):
    """Draw the volumes of several models with their intervals, and the chance level.

    Parameters
    ----------
    volumes : mapping from name to SurfaceVolume
        Volumes of the models, from ``surface_volume``.

    Attributes
    ----------
    ax_ : matplotlib axes
        Where the picture was drawn; there after ``plot``.
    figure_ : matplotlib figure
        Figure of these axes.

    Examples
    --------
    >>> from roctopus.display import SurfaceVolumeDisplay
    >>> y_true, y_score = [1, 1, 2, 2, 3, 3], [0.1, 0.5, 0.4, 0.7, 0.6, 0.9]
    >>> display = SurfaceVolumeDisplay.from_predictions(y_true, y_score)
    >>> display.ax_.get_xlabel()
    'volume under the ROC surface, 3 classes'
    """

    ENTRIES: ClassVar[str | None] = "volumes"
    PREDICTS = "scores"

    def __init__(self, volumes: Mapping[str, SurfaceVolume]) -> None:
        self.volumes: dict[str, SurfaceVolume] = check_mapping(volumes, "volumes", "volumes")
        (first, count), *others = ((n, len(each.labels)) for n, each in self.volumes.items())
        for name, other in others:
            if other != count:
                raise InputError(
                    f"All volumes must have the same number of classes, but {first!r} has {count} "
                    f"classes and {name!r} has {other}."
                )

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
        """Draw the volume of one model's scores."""
        volume = surface_volume(y_true, y_pred, labels=labels, sample_weight=sample_weight)
        return cls({name: volume}).plot(**options)

    def intervals(self) -> dict[str, tuple[float, float]]:
        """Return the drawn intervals; a point where there is no spread.

        Returns
        -------
        dict
            Ends of the interval, by model.
        """
        return {
            name: each.confidence_interval() if each.standard_error > 0.0 else (each.value,) * 2
            for name, each in self.volumes.items()
        }

    @drawing
    def plot(self, ax: Any | None = None, **look: Unpack[Appearance]) -> Self:
        """Draw one line per model."""
        if ax is None:
            ax = new_figure((6.4, 1.4 + 0.6 * len(self.volumes))).add_subplot()
        pen = Pen.on(ax, self._groups, {"legend": False, **look})
        first = next(iter(self.volumes.values()))
        names = [] if pen.fresh else [each.get_text() for each in ax.get_yticklabels()]
        if pen.fresh:
            note_line(ax, first.chance, "chance", linestyle=BROKEN)
        for row, (name, (low, high)) in enumerate(self.intervals().items(), len(names)):
            line = {"linestyle": "-", "linewidth": line_width(2.0), "solid_capstyle": "round"}
            ax.plot([low, high], [row, row], **pen.line(name) | line)
            ax.plot(self.volumes[name].value, row, "o", **pen.dot(name, markersize=mark_size(8)))
        names += [pen.told(name) if not pen.folded else safe_text(name) for name in self.volumes]
        ax.set_yticks(range(len(names)), wrap_names(ax, names))
        pen.limits((0.0, self._far()))
        ax.set_ylim(len(names) - 0.5, -0.5)
        values = {name: each.value for name, each in self.volumes.items()}
        label = f"volume under the ROC surface, {len(first.labels)} classes"
        pen.finish(say_largest(pen, values, "volume"), label, "")
        return self._drawn(pen)

    def _far(self) -> float:
        """Return where the axis ends: at one, or where small volumes can still be told apart."""
        far = max([high for _, high in self.intervals().values()])
        chance = next(iter(self.volumes.values())).chance
        return 1.0 if far > 0.5 else 1.25 * max(far, chance)

    def frame(self, backend: str | None = None) -> Any:
        """Return values and intervals."""
        drawn = self.intervals()
        columns = {
            "model": list(self.volumes),
            "volume": [each.value for each in self.volumes.values()],
            "low": [low for low, _ in drawn.values()],
            "high": [high for _, high in drawn.values()],
            "chance": [each.chance for each in self.volumes.values()],
        }
        return make_frame(columns, None, backend)


class OrdinalThresholdDisplay(ModelDisplay):
    """Draw the scores of every class and the thresholds between them.

    Shaded are the thresholds that are equally good on these data.

    Parameters
    ----------
    grades : Grades
        Scores and classes of the cases.
    thresholds : OrdinalThresholds
        Thresholds, from ``ordinal_thresholds``.
    name : str
        What the picture calls the model.

    Attributes
    ----------
    ax_ : matplotlib axes
        Where the picture was drawn; there after ``plot``.
    figure_ : matplotlib figure
        Figure of these axes.

    Examples
    --------
    >>> from roctopus.display import OrdinalThresholdDisplay
    >>> y_true, y_score = [1, 1, 2, 2, 3, 3], [0.1, 0.5, 0.4, 0.7, 0.6, 0.9]
    >>> display = OrdinalThresholdDisplay.from_predictions(y_true, y_score, loss="zero-one")
    >>> display.ax_.get_xlabel()
    'score'
    """

    def __init__(self, grades: Grades, thresholds: OrdinalThresholds, *, name: str) -> None:
        self.grades, self.thresholds, self.name = grades, thresholds, name

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        name: str = "model",
        costs: Any = None,
        loss: Any = "absolute",
        priors: Any = None,
        labels: Any = None,
        sample_weight: Any = None,
        **options: Any,
    ) -> Self:
        """Draw the thresholds of least cost for one model's scores.

        Parameters
        ----------
        costs : array, optional
            Cost of an error on each class, or of each pair of classes.
        loss : str or matrix, default "absolute"
            How costs grow with the distance, as in ``ordinal_thresholds``.
        priors : array, optional
            Share of each class in deployment.
        """
        reading = {"labels": labels, "sample_weight": sample_weight}
        found = ordinal_thresholds(y_true, y_pred, costs=costs, loss=loss, priors=priors, **reading)
        grades = read_grades(y_true, y_pred, sample_weight, labels)
        return cls(grades, found, name=name).plot(**options)

    @drawing
    def plot(self, ax: Any | None = None, *, bins: int = 40, **look: Unpack[Appearance]) -> Self:
        """Draw a histogram per class, one above the other, and the thresholds.

        Parameters
        ----------
        bins : int, default 40
            How many bars a histogram has.
        """
        names = [str(label) for label in self.grades.labels]
        pen = Pen.on(ax, {name: name for name in names}, {"legend": False, **look})
        score = self.grades.score
        ends = self._ends()
        edges = np.linspace(*ends, bins + 1)
        shapes = []
        for row in range(len(names)):
            mine, weight = self.grades.codes == row, self.grades.sample.weight
            weights = None if weight is None else weight[mine]
            inside = np.clip(score[mine], *ends)
            shapes.append((edges, np.histogram(inside, edges, weights=weights)[0]))
        found = self.thresholds
        beyond = int(np.sum((score < ends[0]) | (score > ends[1])))
        more = f" (outer bars hold {beyond} more extreme cases)" if beyond else ""
        pen.finish(self._finding(), f"score{more}", "class")
        cuts = zip(found.thresholds, found.low, found.high, strict=True)
        draw_classes(pen.ax, pen.looks, names, shapes, cuts)
        counts = np.bincount(self.grades.codes, minlength=len(names)).tolist()
        told = [f"{safe_text(name)}\n({n:,})" for name, n in zip(names, counts, strict=True)]
        pen.ax.set_yticks(np.arange(len(names)) + 0.4, told)
        return self._drawn(pen)

    def _ends(self) -> tuple[float, float]:
        """Return the scores to show: nearly all, and every threshold."""
        score, cuts = self.grades.score, self.thresholds.thresholds
        low, high = np.quantile(score, [OUTER, 1.0 - OUTER]).tolist()
        room = 0.1 * (high - low)
        kept = [low - room, high + room, *cuts[np.isfinite(cuts)].tolist()]
        first = max(min(kept), float(score.min()))
        last = min(max(kept), float(score.max()))
        return (first, last) if first < last else (first - 0.5, first + 0.5)

    def _finding(self) -> str:
        """Return the title: where is cut, and which classes are never given."""
        cuts = [-np.inf, *self.thresholds.thresholds.tolist(), np.inf]
        labels = [str(label) for label in self.grades.labels]
        bounds = zip(labels, cuts[:-1], cuts[1:], strict=True)
        unused = [safe_text(label) for label, low, high in bounds if not low < high]
        inner = [f"{each:.3g}" for each in dict.fromkeys(cuts) if np.isfinite(each)]
        told = (
            f"{safe_text(self.name)}: cut at {', '.join(inner)}" if inner else "One grade for all"
        )
        return told + (f"; grade {listed(unused, 'or')} is never given" if unused else "")

    def frame(self, backend: str | None = None) -> Any:
        """Return the thresholds with their intervals."""
        columns: dict[str, Floats] = {
            "threshold": self.thresholds.thresholds,
            "low": self.thresholds.low,
            "high": self.thresholds.high,
        }
        return make_frame(columns, self.grades.sample.backend, backend)


class OrdinalCostDisplay(ModelDisplay, ContextCurveDisplay):
    """Draw the least cost of grades as the cost of one class moves.

    Parameters
    ----------
    curves : mapping from name to ContextCurve
        Curves of the models, from ``ordinal_cost_curve``.

    Attributes
    ----------
    ax_ : matplotlib axes
        Where the picture was drawn; there after ``plot``.
    figure_ : matplotlib figure
        Figure of these axes.

    Examples
    --------
    >>> from roctopus.display import OrdinalCostDisplay
    >>> y_true, y_score = [1, 1, 2, 2, 3], [0.1, 0.5, 0.4, 0.7, 0.6]
    >>> display = OrdinalCostDisplay.from_predictions(y_true, y_score, moving=3, cost_to=4)
    >>> display.ax_.get_xlabel()
    'cost of class 3'
    """

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        moving: Any = None,
        cost_to: float = 10.0,
        name: str = "model",
        labels: Any = None,
        sample_weight: Any = None,
        **options: Any,
    ) -> Self:
        """Draw the curve of one model's scores, for costs from 0 on.

        Parameters
        ----------
        moving : label, optional
            The class whose cost moves; by default the highest.
        cost_to : float, default 10.0
            The largest cost.
        """
        if moving is None:
            moving = read_grades(y_true, y_pred, sample_weight, labels).labels[-1]
        reading = {"labels": labels, "sample_weight": sample_weight}
        curve = ordinal_cost_curve(y_true, y_pred, moving=moving, low=0.0, high=cost_to, **reading)
        return cls({name: curve}).plot(**options)
