"""The picture of a backtest: what was saved over time, and how settings and contexts moved."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Self, Unpack

import numpy as np

from roctopus.core.arrays import Floats
from roctopus.display.base import Display
from roctopus.display.drawing import Appearance, Pen, drawing
from roctopus.display.grids import grid_in
from roctopus.display.legends import BESIDE
from roctopus.display.style import finish_axes, is_narrow, line_width
from roctopus.monitoring import Backtest

ORDER = ("frozen", "following", "hybrid", "retuned", "retuned hybrid")
"""Each policy keeps its colour, whichever others there are."""
KNOBS = ("frozen", "following", "retuned")
"""Whose knobs are drawn: those of one model at a time."""


class BacktestDisplay(Display):
    """Draw what policies saved over time, compared with "untuned", and their settings and contexts.

    "oracle", which uses later data, is dashed. It may leave the picture, so that you can
    distinguish the others.

    Parameters
    ----------
    backtest : Backtest
        What is drawn, from ``Comparison.backtest``.

    Attributes
    ----------
    ax_ : matplotlib axes
        Where the picture was drawn; there after ``plot``.
    figure_ : matplotlib figure
        Figure of these axes.

    Examples
    --------
    >>> import numpy as np
    >>> import roctopus as rt
    >>> from roctopus.display import BacktestDisplay
    >>> y = np.arange(40.0) % 7
    >>> comparison = rt.compare(y, {"a": y[::-1].copy()}, arm="regression")
    >>> display = BacktestDisplay(comparison.backtest(time=np.arange(40), asymmetry=0.8)).plot()
    >>> [ax.get_ylabel() for ax in display.axes_]
    ['saved so far', 'shift']
    """

    axes_: list[Any]
    """All pictures, the uppermost first: that is ``ax_``, too."""

    def __init__(self, backtest: Backtest) -> None:
        self.backtest = backtest

    @drawing
    def plot(self, ax: Any | None = None, **look: Unpack[Appearance]) -> Self:
        """Draw; all pictures share the axis of time.

        ``ax`` makes room for them, or is an array of axes, such as ``axes_``.
        """
        found = self.backtest
        varied = np.ptp(found.contexts) > 0.0
        knobs = {name: each for name in KNOBS if (each := self._knobs(name)) is not None}
        heights = [2.8, *([1.0] if knobs else []), *([1.0] if varied else [])]
        size = 8.4, 3.6 + 1.1 * (len(heights) - 1)
        axes = list(grid_in(ax, len(heights), 1, size, sharex=True, heights=heights)[:, 0])
        at = found.periods.begins[found.judged]
        if found.periods.dated:
            at = at.astype("M8[us]")  # which matplotlib knows as dates
        pen = Pen.on(axes[0], {name: name for name in ORDER}, {**look, "name": None})
        self._draw_savings(pen, at)
        words = "saved so far" if found.sense == "loss" else "earned more so far"
        narrow = is_narrow(axes[0].figure.figure)  # and below the first picture stands the second
        pen.finish(self._finding(), "", words, None if narrow else BESIDE)
        if knobs:
            for name, each in knobs.items():
                axes[1].plot(at, each, drawstyle="steps-post", **pen.looks.line(name))
            finish_axes(axes[1], title=None, x="", y=str(found.knob_name))
        if varied:
            cases = found.by_period(np.ones(len(found.period)))
            line = pen.theme.baseline(linestyle="-")
            axes[-1].plot(at, found.by_period(found.contexts) / cases, **line)
            finish_axes(axes[-1], title=None, x="", y=found.context.replace("_", " "))
        self._finish_time(axes, pen)
        self.ax_, self.axes_, self.figure_ = axes[0], axes, axes[0].figure.figure
        return self

    def _finding(self) -> str:
        """Return the title: which policy saved most, of those that could be followed."""
        best, saved = max(self._saved().items(), key=lambda each: float(each[1][-1]))
        word = "saved" if self.backtest.sense == "loss" else "earned more"
        if saved[-1] <= 0.0:
            return f"No policy {word} against the untuned model"
        return f'"{best}" {word} most against the untuned model: {saved[-1]:,.4g}'

    def _saved(self) -> dict[str, Floats]:
        """Return what each policy saved until each period."""
        found = self.backtest
        sign = 1.0 if found.sense == "loss" else -1.0
        return {
            name: np.cumsum(found.by_period(sign * (found.outcomes["untuned"] - each)))
            for name, each in found.outcomes.items()
            if name not in ("untuned", "oracle")
        }

    def _finish_time(self, axes: list[Any], pen: Pen) -> None:
        axes[-1].set_xlabel("time", color=pen.theme.muted)
        axes[0].figure.align_ylabels(axes)
        if self.backtest.periods.dated:
            dates: Any = import_module("matplotlib.dates")
            locator = dates.AutoDateLocator()
            axes[-1].xaxis.set_major_locator(locator)
            axes[-1].xaxis.set_major_formatter(dates.ConciseDateFormatter(locator))

    def _draw_savings(self, pen: Pen, at: Any) -> None:
        found, ax = self.backtest, pen.ax
        sign = 1.0 if found.sense == "loss" else -1.0
        gap = sign * (found.outcomes["untuned"] - found.outcomes["oracle"])
        saved, best = self._saved(), np.cumsum(found.by_period(gap))
        if pen.fresh:
            ax.axhline(0.0, color=pen.theme.ink, linewidth=line_width(0.7), label="untuned")
        for name, line in saved.items():
            ax.plot(at, line, **pen.line(name))
        low, high = (float(f([f(each) for each in saved.values()])) for f in (np.min, np.max))
        low, high = min(low, 0.0), max(high, 0.0)
        margin = 0.08 * (high - low)
        if margin == 0.0:  # nobody saved anything
            low, high, margin = min(float(best.min()), 0.0), max(float(best.max()), 0.0), 1e-9
        above = f" (ends at {best[-1]:,.4g})" if best[-1] > high + 2.0 * margin else ""
        ax.plot(at, best, label=f"oracle{above}", **pen.theme.baseline())
        pen.limits(y=(low - margin, high + 2.0 * margin))

    def _knobs(self, policy: str) -> Floats | None:
        """Return the mean knob of each judged period, if it is one number."""
        found = self.backtest
        used = [each for each in found.settings if each.policy == policy]
        if not used or any(len(knob) != 1 for each in used for *_, knob in each.rule):
            return None
        which = np.searchsorted([each.period for each in used], found.period, side="right") - 1
        knobs = np.empty(len(found.period))
        for k, each in enumerate(used):
            mine = np.flatnonzero(which == k)
            borders = np.array([last for _, last, _, _ in each.rule[:-1]])
            part = np.searchsorted(borders, found.contexts[mine])
            knobs[mine] = np.array([knob[0] for *_, knob in each.rule])[part]
        knobs[np.isinf(knobs)] = np.nan  # all or none accepted: there is no place for it
        unit = np.searchsorted(found.judged, found.period)
        return np.asarray(np.bincount(unit, knobs) / np.bincount(unit))

    def frame(self, backend: str | None = None) -> Any:
        """Return what is drawn above: by period and policy, what was saved until then."""
        return self.backtest.frame(backend)


def plot_backtest(backtest: Backtest, **options: Any) -> BacktestDisplay:
    """Draw a backtest; options are those of the display."""
    return BacktestDisplay(backtest).plot(**options)
