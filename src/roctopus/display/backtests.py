"""The picture of a backtest: what was saved over time, and how settings and contexts moved."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Self

import numpy as np

from roctopus.core.arrays import Floats
from roctopus.display.style import INK, LEGEND, MUTED, Looks, finish_axes, new_figure
from roctopus.monitoring import Backtest

ORDER = ("frozen", "following", "hybrid", "retuned", "retuned hybrid")
"""Each policy keeps its colour, whichever others there are."""
KNOBS = ("frozen", "following", "retuned")
"""Whose knobs are drawn: those of one model at a time."""


class BacktestDisplay:
    """Draw what policies saved against "untuned" over time; below, their knobs and the contexts.

    "oracle", which knows the future, is dashed; it may leave the picture, so that the others can be
    told apart.

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

    ax_: Any
    """The upper picture."""
    axes_: list[Any]
    figure_: Any

    def __init__(self, backtest: Backtest) -> None:
        self.backtest = backtest

    def plot(self, *, title: str | None = None) -> Self:
        """Draw; all pictures share the axis of time."""
        found = self.backtest
        varied = np.ptp(found.contexts) > 0.0
        knobs = {name: each for name in KNOBS if (each := self._knobs(name)) is not None}
        heights = [2.8, *([1.0] if knobs else []), *([1.0] if varied else [])]
        figure = new_figure((8.4, 3.6 + 1.1 * (len(heights) - 1)))
        grid = figure.subplots(len(heights), 1, sharex=True, height_ratios=heights, squeeze=False)
        axes = list(grid[:, 0])
        at = found.periods.begins[found.judged]
        if found.periods.dated:
            at = at.astype("M8[us]")  # which matplotlib knows as dates
        looks = Looks(ORDER)
        self._draw_savings(axes[0], at, looks)
        words = "saved so far" if found.sense == "loss" else "earned more so far"
        finish_axes(axes[0], title=title or "Against the untuned model", x="", y=words)
        if knobs:
            for name, each in knobs.items():
                axes[1].plot(at, each, drawstyle="steps-post", **looks.line(name))
            finish_axes(axes[1], title=None, x="", y=str(found.knob_name))
        if varied:
            cases = found.by_period(np.ones(len(found.period)))
            axes[-1].plot(at, found.by_period(found.contexts) / cases, color=MUTED, linewidth=1.4)
            finish_axes(axes[-1], title=None, x="", y=found.context.replace("_", " "))
        axes[-1].set_xlabel("time", color=MUTED)
        figure.align_ylabels(axes)
        if found.periods.dated:
            dates: Any = import_module("matplotlib.dates")
            locator = dates.AutoDateLocator()
            axes[-1].xaxis.set_major_locator(locator)
            axes[-1].xaxis.set_major_formatter(dates.ConciseDateFormatter(locator))
        self.ax_, self.axes_, self.figure_ = axes[0], axes, figure
        return self

    def _draw_savings(self, ax: Any, at: Any, looks: Looks) -> None:
        found = self.backtest
        sign = 1.0 if found.sense == "loss" else -1.0
        saved = {
            name: np.cumsum(found.by_period(sign * (found.outcomes["untuned"] - each)))
            for name, each in found.outcomes.items()
            if name != "untuned"
        }
        best = saved.pop("oracle")
        ax.axhline(0.0, color=INK, linewidth=1.0, label="untuned")
        for name, line in saved.items():
            ax.plot(at, line, label=name, **looks.line(name))
        low, high = (float(f([f(each) for each in saved.values()])) for f in (np.min, np.max))
        low, high = min(low, 0.0), max(high, 0.0)
        margin = 0.08 * (high - low)
        if margin == 0.0:  # nobody saved anything
            low, high, margin = min(float(best.min()), 0.0), max(float(best.max()), 0.0), 1e-9
        above = f" (ends at {best[-1]:,.4g})" if best[-1] > high + 2.0 * margin else ""
        ax.plot(at, best, color=MUTED, linestyle=(0, (4, 3)), linewidth=1.2, label=f"oracle{above}")
        ax.set_ylim(low - margin, high + 2.0 * margin)
        ax.legend(**LEGEND, loc="upper left", bbox_to_anchor=(1.0, 1.0))

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
