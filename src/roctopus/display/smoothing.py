"""ROC and pROC curves together, the area over the width, and the segments themselves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from roctopus.concepts.frames import make_frame
from roctopus.core.arrays import Floats
from roctopus.core.checks import check_mapping, check_whole
from roctopus.core.errors import InputError
from roctopus.display.base import ProbabilityDisplay, frame_of
from roctopus.display.style import GRID, INK, MUTED, Looks, draw_diagonal, new_axes, safe_text
from roctopus.probability.cases import TwoClasses, read_two_classes
from roctopus.probability.curves import SmoothedROCCurve, smoothed_roc_curve
from roctopus.probability.smoothed import Kernel, SmoothedArea, check_kernel, check_width
from roctopus.probability.widths import CanonicalWidth, canonical_width

MOST_SEGMENTS = 60
"""Segments are drawn one by one up to so many cases."""


class SmoothedROCDisplay(ProbabilityDisplay):
    """Draw ROC and pROC curves together: what the width of the segments does.

    Examples
    --------
    >>> from roctopus.display import SmoothedROCDisplay
    >>> y_true, y_prob = [1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.3, 0.2]
    >>> display = SmoothedROCDisplay.from_predictions(y_true, y_prob)
    >>> display.ax_.get_xlabel()
    'false positive rate'
    """

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
        """Draw the ROC curve and the pROC curve at a width, by default the canonical one."""
        reading = {"kernel": kernel, "pos_label": pos_label, "sample_weight": sample_weight}
        if width is None:
            width = canonical_width(y_true, y_pred, **reading).width
            if width is None:
                raise InputError("No width makes the area pAUC. Give 'width'.")
        named = {f"{name}, ROC": 0.0, f"{name}, width {width:.3g}": width}
        curves = {
            k: smoothed_roc_curve(y_true, y_pred, width=w, **reading) for k, w in named.items()
        }
        return cls(curves).plot(**options)

    def plot(
        self, *, slope: float | None = None, ax: Any | None = None, title: str | None = None
    ) -> Self:
        """Draw the curves; a slope marks the best points for it, with their line of equal cost."""
        ax = new_axes(ax, len(self.curves))
        looks = Looks(self.curves)
        draw_diagonal(ax)
        for name, curve in self.curves.items():
            label = f"{safe_text(name)} (area {curve.area:.3f})"
            ax.plot(curve.x, curve.y, label=label, **looks.line(name))
            if slope is not None:
                best = curve.optimum(slope)
                x, y = best.false_positive_rate, best.true_positive_rate
                colour = looks.colour(name)
                ax.plot(x, y, "o-", color=colour, markersize=6, linewidth=3, alpha=0.6)
                line = np.array([0.0, 1.0])
                ax.plot(line, y[0] + slope * (line - x[0]), color=colour, linewidth=0.7, alpha=0.6)
        rates = {"x": "false positive rate", "y": "true positive rate"}
        return self._drawn(ax, title=title, **rates, legend={})

    def frame(self, backend: str | None = None) -> Any:
        """Return the vertices of all curves."""
        first = next(iter(self.curves.values()))
        curves = self.curves.items()
        parts = {name: {key: c.columns()[key] for key in first.names} for name, c in curves}
        return frame_of(parts, first.backend, backend)


class SmoothedAreaDisplay(ProbabilityDisplay):
    """Draw Area(d) over the width, with pAUC and the widths at which they meet (Figure 6).

    Examples
    --------
    >>> from roctopus.display import SmoothedAreaDisplay
    >>> y_true, y_prob = [1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.3, 0.2]
    >>> display = SmoothedAreaDisplay.from_predictions(y_true, y_prob)
    >>> display.ax_.get_xlabel()
    'width d'
    """

    def __init__(self, found: CanonicalWidth) -> None:
        self.found = found
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
        """Draw the area of one model's probabilities."""
        found = canonical_width(
            y_true, y_pred, kernel=kernel, pos_label=pos_label, sample_weight=sample_weight
        )
        return cls(found).plot(**{"title": safe_text(name), **options})

    def plot(self, *, points: int = 300, ax: Any | None = None, title: str | None = None) -> Self:
        """Draw the area at so many widths."""
        ax = new_axes(ax)
        check_whole(points, "points", 2)
        roots = self.found.roots()
        marked = [root.low for root in roots] or [self.found.closest]
        marked = [width for width in marked if np.isfinite(width)]
        largest = max([2.0, 1.15 * self.area.largest_difference, *(1.15 * w for w in marked)])
        self.widths_ = np.linspace(0.0, largest, points)
        colour = Looks(["area"]).colour("area")
        areas = self.area.at(self.widths_)
        ax.plot(self.widths_, areas, color=colour, linewidth=1.8, label="Area(d)")
        target = self.area.probabilistic_auc
        ax.axhline(target, color=MUTED, linewidth=1.2, linestyle=(0, (4, 3)), label="pAUC")
        ax.axhline(0.5, color=GRID, linewidth=1)
        ax.plot(0.0, self.area.auc, "o", color=colour, markersize=6, label="AUC")
        for root in roots:
            if root.high > root.low:  # a whole interval of widths
                ends, thick = [root.low, min(root.high, largest)], {"linewidth": 4, "alpha": 0.6}
                ax.plot(ends, [target, target], color=INK, label="all equal", **thick)
        for number, width in enumerate(marked):
            height = float(self.area.at(width))
            # The closest width, where none is right, is a ring.
            ax.plot(width, height, "o", color=INK, fillstyle="full" if roots else "none", ms=6)
            told = f"{width:.4g}" if roots else f"closest {width:.4g}"
            offset = {"xytext": (6, 6 + 13 * (number % 3)), "textcoords": "offset points"}
            ax.annotate(told, (width, height), **offset, color=INK, fontsize=9)
        ax.set_xlim(0.0, largest)
        return self._drawn(ax, title=title, x="width d", y="area under the pROC curve", legend={})

    def frame(self, backend: str | None = None) -> Any:
        """Return the drawn widths and areas."""
        columns = {"width": self.widths_, "area": self.area.at(self.widths_)}
        return make_frame(columns, None, backend)


class SegmentDisplay(ProbabilityDisplay):
    """Draw every probability as a segment of a width along the probability axis (Figures 1, 3, 7).

    Examples
    --------
    >>> from roctopus.display import SegmentDisplay
    >>> y_true, y_prob = [1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.3, 0.2]
    >>> display = SegmentDisplay.from_predictions(y_true, y_prob, width=0.3)
    >>> display.ax_.get_xlabel()
    'probability'
    """

    def __init__(self, cases: TwoClasses, width: float, kernel: Kernel = "uniform") -> None:
        if cases.sample.size > MOST_SEGMENTS:
            raise InputError(
                f"Segments are drawn one by one: {cases.sample.size} cases are too many, "
                f"{MOST_SEGMENTS} the most."
            )
        if kernel == "log-odds":
            raise InputError("Log-odds segments are not drawn on the probability axis.")
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
        """Draw the segments of one model's probabilities; weights above 0 do not show."""
        display = cls(
            read_two_classes(y_true, y_pred, sample_weight, pos_label=pos_label), width, kernel
        )
        return display.plot(**{"title": safe_text(name), **options})

    def plot(self, *, ax: Any | None = None, title: str | None = None) -> Self:
        """Draw the segments, one above the other, and where probabilities end."""
        ax = new_axes(ax)
        looks = Looks(["positive", "negative"])
        order = np.argsort(self.cases.score, kind="stable")
        for row, case in enumerate(order):
            kind = "positive" if self.cases.positive[case] else "negative"
            middle, colour = float(self.cases.score[case]), looks.colour(kind)
            label = None if kind in ax.get_legend_handles_labels()[1] else kind
            x, height = self._shape()
            ax.fill_between(
                middle + x, row, row + height, color=colour, alpha=0.45, linewidth=0, label=label
            )
            ax.plot(middle, row, "o" if kind == "positive" else "s", color=colour, markersize=5)
        for end in (0.0, 1.0):
            ax.axvline(end, color=MUTED, linewidth=1, linestyle=(0, (4, 3)))
        ax.set_yticks([])
        return self._drawn(ax, title=title, x="probability", y="cases, by probability", legend={})

    def _shape(self) -> tuple[Floats, Floats]:
        """Return the outline of a segment about its middle: a box, or a bell of deviation d/2."""
        if self.kernel == "uniform":
            return np.array([-0.5, 0.5]) * self.width, np.full(2, 0.5)
        z = np.linspace(-3.0, 3.0, 61)
        return 0.5 * self.width * z, 0.8 * np.exp(-0.5 * z * z)
