"""Pictures of a check, drawn as SVG: the parts of the change, and then beside now.

Each is drawn twice, wide and narrow, so that its text can be read on any screen.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import accumulate
from typing import NamedTuple

WIDE, NARROW = 780, 350
REACH = 1.96
"""Standard errors of a bar's line to each side."""
CHARACTER = 7.0
"""About how wide a character is."""


class Bar(NamedTuple):
    """A bar: its name and class, how long it is, and how far its line reaches to both sides."""

    name: str
    style: str
    value: float
    low: float | None = None
    high: float | None = None


def signed(value: float) -> str:
    """Return a number with its sign, as it is printed."""
    if math.isinf(value):
        return "+∞" if value > 0.0 else "−∞"
    return "0" if value == 0.0 else f"{value:+.3g}".replace("-", "−")


def draw_both(draw: Callable[[float], tuple[float, str]], label: str) -> str:
    """Draw for wide screens and for narrow ones; only one of them is shown."""
    found = []
    for name, width in (("wide", WIDE), ("narrow", NARROW)):
        height, inside = draw(float(width))
        found.append(
            f'<svg class="{name}" viewBox="0 0 {width} {height:g}" role="img" '
            f'aria-label="{escape(label, quote=True)}">{inside}</svg>'
        )
    return f"<figure>{''.join(found)}</figure>"


@dataclass(frozen=True)
class AxisScale:
    """Where numbers lie on a line of pixels."""

    low: float
    high: float
    first: float
    last: float

    @classmethod
    def over(cls, values: Sequence[float | None], first: float, last: float) -> AxisScale:
        """Return a scale with room for all numbers, and for zero."""
        known = [0.0, *(v for v in values if v is not None and math.isfinite(v))]
        low, high = min(known), max(known)
        room = 0.06 * (high - low) or 1.0
        return cls(low - room * (low < 0.0), high + room * (high > 0.0 or low == 0.0), first, last)

    def __call__(self, value: float) -> float:
        """Return where a value lies on the axis."""
        share = (value - self.low) / (self.high - self.low)
        return round(self.first + share * (self.last - self.first), 1)

    def ticks(self, most: int) -> list[float]:
        """Return round numbers in it, not more than so many or few more."""
        rough = (self.high - self.low) / most
        power = 10.0 ** math.floor(math.log10(rough))
        step = power * next(nice for nice in (1.0, 2.0, 5.0, 10.0) if nice * power >= 0.999 * rough)
        first, last = math.ceil(self.low / step), math.floor(self.high / step)
        return [k * step for k in range(first, last + 1)]


def draw_text(x: float, y: float, told: str, anchor: str = "start", style: str = "") -> str:
    """Draw text: at its start, its middle or its end."""
    named = f' class="{style}"' if style else ""
    where = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text x="{x:g}" y="{y:g}"{where}{named}>{escape(told)}</text>'


def draw_path(style: str, steps: str) -> str:
    """Draw a path of a class."""
    return f'<path class="{style}" d="{steps}"/>'


def _whisker(low: float, high: float, y: float) -> str:
    ends = f"M{low:g} {y - 5:g}v10M{high:g} {y - 5:g}v10"
    return draw_path("error", f"M{low:g} {y:g}H{high:g}{ends}")


def draw_parts(bars: Sequence[Bar], total: Bar) -> str:
    """Draw parts as bars, each beginning where the last one ends, and the change they add up to."""
    told = "; ".join(f"{bar.name} {signed(bar.value)}" for bar in bars)
    label = f"Parts of the change per case: {told}. Together: {signed(total.value)}."
    return draw_both(lambda width: _parts(bars, total, width), label)


def _parts(bars: Sequence[Bar], total: Bar, width: float) -> tuple[float, str]:
    starts = [0.0, *accumulate(bar.value for bar in bars)]
    rows = [*zip(bars, starts[:-1], strict=True), (total, 0.0)]
    ends = [edge for bar, start in rows for edge in (start, *_reach(bar, start))]
    narrow = width <= NARROW
    longest = max(len(bar.name) for bar, _ in rows)
    left = 22.0 if narrow else 16.0 + CHARACTER * longest  # half of a number on the axis
    x = AxisScale.over(ends, left, width - (22.0 if narrow else 78.0))
    step = 54.0 if narrow else 46.0
    bottom = step * len(rows) + 6.0
    parts = []
    for tick in x.ticks(5 if narrow else 8):
        parts.append(draw_path("grid", f"M{x(tick):g} 4V{bottom:g}"))
        parts.append(draw_text(x(tick), bottom + 16.0, signed(tick), "middle"))
    parts.append(draw_path("zero", f"M{x(0.0):g} 4V{bottom:g}"))
    for k, (bar, start) in enumerate(rows):
        top = step * k + (24.0 if narrow else 11.0)
        ends_at = start + bar.value
        if bar is not total:
            parts.append(draw_path("link", f"M{x(ends_at):g} {top:g}V{top + step + 22.0:g}"))
        first, last = sorted((x(start), x(ends_at)))
        parts.append(
            f'<rect class="bar {bar.style}" x="{first:g}" y="{top:g}" '
            f'width="{max(last - first, 1.0):g}" height="24" rx="2"/>'
        )
        if bar.low is not None and bar.high is not None:
            parts.append(_whisker(x(start + bar.low), x(start + bar.high), top + 12.0))
        style = "strong" if bar is total else "name"
        place, anchor = (2.0, "start") if narrow else (left - 12.0, "end")
        line = top + (-7.0 if narrow else 16.5)
        parts.append(draw_text(place, line, bar.name, anchor, style))
        parts.append(draw_text(width - 2.0, line, signed(bar.value), "end", "strong"))
    return bottom + 22.0, "".join(parts)


def _reach(bar: Bar, start: float) -> list[float]:
    known = [bar.value, *(end for end in (bar.low, bar.high) if end is not None)]
    return [start + each for each in known]


def draw_values(rows: Sequence[Bar], what: str) -> str:
    """Draw values with their intervals under each other, as of then and of now."""
    told = "; ".join(f"{row.name} {row.value:.4g}{_ends(row)}" for row in rows)
    return draw_both(lambda width: _values(rows, width), f"{what}: {told}.")


def _ends(row: Bar) -> str:
    return "" if row.low is None else f" ({row.low:.4g} to {row.high:.4g})"


def _values(rows: Sequence[Bar], width: float) -> tuple[float, str]:
    left = 16.0 + CHARACTER * max(len(row.name) for row in rows)
    ends = [end for row in rows for end in (row.low, row.high, row.value) if end is not None]
    room = 0.08 * (max(ends) - min(ends)) or 0.5 * abs(ends[0]) or 1.0
    x = AxisScale(min(ends) - room, max(ends) + room, left, width - 24.0)
    bottom = 34.0 * len(rows) + 8.0
    parts = []
    for tick in x.ticks(5 if width <= NARROW else 8):
        parts.append(draw_path("grid", f"M{x(tick):g} 4V{bottom:g}"))
        parts.append(draw_text(x(tick), bottom + 16.0, f"{tick:.4g}".replace("-", "−"), "middle"))
    for k, row in enumerate(rows):
        y = 34.0 * k + 21.0
        parts.append(draw_text(left - 14.0, y + 4.5, row.name, "end", "name"))
        if row.low is not None and row.high is not None:
            parts.append(_whisker(x(row.low), x(row.high), y))
        parts.append(f'<circle class="dot" cx="{x(row.value):g}" cy="{y:g}" r="5.5"/>')
    return bottom + 22.0, "".join(parts)
