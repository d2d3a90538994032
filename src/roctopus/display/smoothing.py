"""ROC and pROC curves together, the area over the width, and the segments themselves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self, Unpack

import numpy as np

from roctopus.concepts.frames import make_frame
from roctopus.core.arrays import Floats
from roctopus.core.checks import check_mapping, check_whole
from roctopus.core.errors import InputError
from roctopus.display.base import ProbabilityDisplay, frame_of
from roctopus.display.drawing import Appearance, Pen, beside_of, drawing
from roctopus.display.style import (
    BROKEN,
    draw_diagonal,
    line_width,
    mark_size,
    safe_text,
    text_size,
)
from roctopus.probability.cases import TwoClasses, read_two_classes
from roctopus.probability.curves import SmoothedROCCurve, smoothed_roc_curve
from roctopus.probability.smoothed import Kernel, SmoothedArea, check_kernel, check_width
from roctopus.probability.widths import CanonicalWidth, canonical_width

KINDS = ("positive", "negative")
MOST_SEGMENTS = 60
"""Segments are drawn one by one up to so many cases."""


class SmoothedROCDisplay(ProbabilityDisplay):
    """Draw ROC and pROC curves together, to show the effect of the width of the segments.

    Parameters
    ----------
    curves : mapping from name to SmoothedROCCurve
        Curves of the models, from ``smoothed_roc_curve``.

    Attributes
    ----------
    ax_ : matplotlib axes
        Where the picture was drawn; there after ``plot``.
    figure_ : matplotlib figure
        Figure of these axes.

    Examples
    --------
    >>> from roctopus.display import SmoothedROCDisplay
    >>> y_true, y_prob = [1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.3, 0.2]
    >>> display = SmoothedROCDisplay.from_predictions(y_true, y_prob)
    >>> display.ax_.get_xlabel()
    'false positive rate'
    """

    ENTRIES: ClassVar[str | None] = "curves"
    VARIANTS = ("ROC", "width")
    PREDICTS = "probabilities of the positive class"

    def __init__(self, curves: Mapping[str, SmoothedROCCurve]) -> None:
        self.curves: dict[str, SmoothedROCCurve] = check_mapping(curves, "curves", "ROC curves")

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        name: str = "model",
        width: float | None = None,
        kernel: Kernel = "uniform",
        pos_label: Any = None,
        sample_weight: Any = None,
        **options: Any,
    ) -> Self:
        """Draw the ROC curve and the pROC curve at a width.

        Parameters
        ----------
        width : float, optional
            Width of the segments; by default the canonical width, at which the area is pAUC.
        kernel : {"uniform", "normal", "log-odds"}, default "uniform"
            The shape of the segments.
        """
        reading = {"kernel": kernel, "pos_label": pos_label, "sample_weight": sample_weight}
        if width is None:
            width = canonical_width(y_true, y_pred, **reading).width
            if width is None:
                raise InputError(
                    "There is no default 'width' for these data, because no width makes the area "
                    "under the smoothed curve equal to the probabilistic AUC (pAUC). Pass a "
                    "'width'."
                )
        named = {f"{name}, ROC": 0.0, f"{name}, width {width:.3g}": width}
        curves = {
            k: smoothed_roc_curve(y_true, y_pred, width=w, **reading) for k, w in named.items()
        }
        return cls(curves).plot(**options)

    @drawing
    def plot(
        self, ax: Any | None = None, *, slope: float | None = None, **look: Unpack[Appearance]
    ) -> Self:
        """Draw the curves.

        Parameters
        ----------
        slope : float, optional
            Of lines of equal cost: marks the best points for it.
        """
        pen = Pen.on(ax, self._groups, look, beside=beside_of(self._groups.values(), self.VARIANTS))
        draw_diagonal(pen.ax)
        for name, curve in self.curves.items():
            pen.ax.plot(curve.x, curve.y, **pen.line(name, f" (area {curve.area:.3f})"))
            if slope is not None:
                best = curve.optimum(slope)
                x, y = best.false_positive_rate, best.true_positive_rate
                faint = {"color": pen.colour(name), "alpha": 0.6, "linestyle": "-"}
                pen.ax.plot(x, y, marker="o", markersize=mark_size(6), linewidth=3, **faint)
                line = np.array([0.0, 1.0])
                pen.ax.plot(line, y[0] + slope * (line - x[0]), linewidth=0.7, **faint)
        pen.finish(self._finding(pen), "false positive rate", "true positive rate")
        return self._drawn(pen)

    def _finding(self, pen: Pen) -> str | None:
        """Return the title: curves of one kind are compared, and those of one model told."""
        areas = {name: each.area for name, each in self.curves.items() if name not in pen.beside}
        if pen.folded:
            return None
        if len(areas) > 1:
            best = max(areas, key=lambda name: areas[name])
            told = pen.told(best).removesuffix(f", {self.VARIANTS[0]}")
            return f"{told} has the largest area under the ROC curve, {areas[best]:.3f}"
        return "; ".join(
            f"{pen.told(name)} has area {each.area:.3f}" for name, each in self.curves.items()
        )

    def frame(self, backend: str | None = None) -> Any:
        """Return the vertices of all curves."""
        first = next(iter(self.curves.values()))
        curves = self.curves.items()
        parts = {name: {key: c.columns()[key] for key in first.names} for name, c in curves}
        return frame_of(parts, first.backend, backend)


class SmoothedAreaDisplay(ProbabilityDisplay):
    """Draw Area(d) over the width, with pAUC and the widths at which they meet (Figure 6).

    Parameters
    ----------
    found : CanonicalWidth
        What ``canonical_width`` returned.
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
    >>> from roctopus.display import SmoothedAreaDisplay
    >>> y_true, y_prob = [1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.3, 0.2]
    >>> display = SmoothedAreaDisplay.from_predictions(y_true, y_prob)
    >>> display.ax_.get_xlabel()
    'width d'
    """

    PREDICTS = "probabilities of the positive class"

    def __init__(self, found: CanonicalWidth, *, name: str = "model") -> None:
        self.found, self.name = found, name
        self.area: SmoothedArea = found.area

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        name: str = "model",
        kernel: Kernel = "uniform",
        pos_label: Any = None,
        sample_weight: Any = None,
        **options: Any,
    ) -> Self:
        """Draw the area of one model's probabilities.

        Parameters
        ----------
        kernel : {"uniform", "normal", "log-odds"}, default "uniform"
            The shape of the segments.
        """
        found = canonical_width(
            y_true, y_pred, kernel=kernel, pos_label=pos_label, sample_weight=sample_weight
        )
        return cls(found, name=name).plot(**options)

    @drawing
    def plot(self, ax: Any | None = None, *, points: int = 300, **look: Unpack[Appearance]) -> Self:
        """Draw the area.

        Parameters
        ----------
        points : int, default 300
            At how many widths.
        """
        pen = Pen.on(ax, {self.name: self.name}, look)
        check_whole(points, "points", 2)
        roots = self.found.roots()
        marked = [root.low for root in roots] or [self.found.closest]
        marked = [width for width in marked if np.isfinite(width)]
        largest = max([2.0, 1.15 * self.area.largest_difference, *(1.15 * w for w in marked)])
        self.widths_ = np.linspace(0.0, largest, points)
        areas, target = self.area.at(self.widths_), self.area.probabilistic_auc
        pen.ax.plot(self.widths_, areas, **pen.line(self.name, ", Area(d)"))
        same = {"color": pen.colour(self.name), "alpha": 0.7, "linewidth": line_width(0.8)}
        label = "pAUC" if pen.fresh else f"{pen.told(self.name)}, pAUC"
        pen.ax.axhline(target, label=label, linestyle=BROKEN, **same)
        pen.ax.axhline(0.5, color=pen.theme.grid, linewidth=line_width(0.7))
        label = "AUC" if pen.fresh else f"{pen.told(self.name)}, AUC"
        pen.ax.plot(
            0.0, self.area.auc, "o", label=label, **pen.dot(self.name, markersize=mark_size(6))
        )
        self._mark_widths(pen, marked, largest, target)
        pen.limits((0.0, largest))
        told = f"{pen.told(self.name)}: " + (
            f"the area is pAUC at width {marked[0]:.3g}"
            if roots
            else "no width makes the area pAUC"
        )
        pen.finish(told, "width d", "area under the pROC curve")
        return self._drawn(pen)

    def _mark_widths(self, pen: Pen, marked: list[float], largest: float, target: float) -> None:
        ax, ink, roots = pen.ax, pen.theme.ink, self.found.roots()
        for root in roots:
            if root.high > root.low:  # a whole interval of widths
                ends, thick = [root.low, min(root.high, largest)], {"linewidth": 4, "alpha": 0.6}
                line = {"color": ink, "linestyle": "-", "label": "all equal", **thick}
                ax.plot(ends, [target, target], **line)
        for number, width in enumerate(marked):
            height = float(self.area.at(width))
            # The closest width, where none is right, is a ring.
            ax.plot(
                width,
                height,
                "o",
                color=ink,
                fillstyle="full" if roots else "none",
                ms=mark_size(6),
            )
            told = f"{width:.4g}" if roots else f"closest {width:.4g}"
            offset = {"xytext": (6, 6 + 13 * (number % 3)), "textcoords": "offset points"}
            ax.annotate(told, (width, height), **offset, color=ink, fontsize=text_size(0.9))

    def frame(self, backend: str | None = None) -> Any:
        """Return the drawn widths and areas."""
        columns = {"width": self.widths_, "area": self.area.at(self.widths_)}
        return make_frame(columns, None, backend)


class SegmentDisplay(ProbabilityDisplay):
    """Draw every probability as a segment of a width along the probability axis (Figures 1, 3, 7).

    Parameters
    ----------
    cases : TwoClasses
        Classes and probabilities; ``from_predictions`` reads them.
    width : float
        Width of the segments.
    kernel : {"uniform", "normal"}, default "uniform"
        Shape of the segments.
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
    >>> from roctopus.display import SegmentDisplay
    >>> y_true, y_prob = [1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.3, 0.2]
    >>> display = SegmentDisplay.from_predictions(y_true, y_prob, width=0.3)
    >>> display.ax_.get_xlabel()
    'probability'
    """

    PREDICTS = "probabilities of the positive class"

    def __init__(
        self,
        cases: TwoClasses,
        width: float,
        kernel: Kernel = "uniform",
        *,
        name: str = "model",
    ) -> None:
        self.name = name
        if cases.sample.size > MOST_SEGMENTS:
            raise InputError(
                f"This picture draws one segment per case, and at most {MOST_SEGMENTS} segments, "
                f"but there are {cases.sample.size} cases. Use a sample of the cases."
            )
        if kernel == "log-odds":
            raise InputError(
                "This picture cannot be drawn with kernel='log-odds'. Use kernel='uniform' or "
                "kernel='normal'."
            )
        check_kernel(kernel)
        self.cases, self.width, self.kernel = cases, check_width(width), kernel

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        name: str = "model",
        width: float = 0.2,
        kernel: Kernel = "uniform",
        pos_label: Any = None,
        sample_weight: Any = None,
        **options: Any,
    ) -> Self:
        """Draw the segments of one model's probabilities; weights above 0 do not show.

        Parameters
        ----------
        width : float, default 0.2
            Of the segments.
        kernel : {"uniform", "normal"}, default "uniform"
            Their shape.
        """
        cases = read_two_classes(y_true, y_pred, sample_weight, pos_label=pos_label)
        return cls(cases, width, kernel, name=name).plot(**options)

    @drawing
    def plot(self, ax: Any | None = None, **look: Unpack[Appearance]) -> Self:
        """Draw the segments, one above the other, and where probabilities end."""
        pen = Pen.on(ax, {kind: kind for kind in KINDS}, look)
        order = np.argsort(self.cases.score, kind="stable")
        first = 0 if pen.fresh else int(np.ceil(pen.ax.get_ylim()[1]))
        x, height = self._shape()
        for row, case in enumerate(order, first):
            kind = KINDS[0] if self.cases.positive[case] else KINDS[1]
            middle = float(self.cases.score[case])
            shade = {"color": pen.colour(kind), "alpha": 0.45, "linewidth": 0}
            pen.ax.fill_between(middle + x, row, row + height, **shade)
            mark = "o" if kind == KINDS[0] else "s"
            told = pen.told(kind) if pen.fresh else f"{safe_text(self.name)}, {pen.told(kind)}"
            pen.ax.plot(middle, row, mark, label=told, **pen.dot(kind, markersize=mark_size(5)))
        for end in (0.0, 1.0):
            pen.ax.axvline(end, **pen.theme.baseline())
        pen.ax.set_yticks([])
        told = (
            f"{safe_text(self.name)}: {len(order)} cases, {int(self.cases.positive.sum())} positive"
        )
        pen.finish(told, "probability", "cases, by probability")
        return self._drawn(pen)

    def frame(self, backend: str | None = None) -> Any:
        """Return the middles of the segments and their ends, by probability."""
        order = np.argsort(self.cases.score, kind="stable")
        middle, half = self.cases.score[order], 0.5 * self.width
        columns: dict[str, Any] = {
            "probability": middle,
            "low": middle - half,
            "high": middle + half,
        }
        columns["positive"] = self.cases.positive[order]
        return make_frame(columns, self.cases.sample.backend, backend)

    def _shape(self) -> tuple[Floats, Floats]:
        """Return the outline of a segment about its middle: a box, or a bell of deviation d/2."""
        if self.kernel == "uniform":
            return np.array([-0.5, 0.5]) * self.width, np.full(2, 0.5)
        z = np.linspace(-3.0, 3.0, 61)
        return 0.5 * self.width * z, 0.8 * np.exp(-0.5 * z * z)
