"""Pictures of a check, drawn as SVG: the looks, the parts of the change, and then beside now.

Each is drawn twice, wide and narrow, so that its text can be read on any screen.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import accumulate
from typing import NamedTuple

from roctopus.monitoring.watching import Watch

WIDE, NARROW = 780, 350
MANY = 60
"""Looks from which they are drawn as smaller dots."""
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


def _text(x: float, y: float, told: str, anchor: str = "start", style: str = "") -> str:
    named = f' class="{style}"' if style else ""
    where = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text x="{x:g}" y="{y:g}"{where}{named}>{escape(told)}</text>'


def _path(style: str, steps: str) -> str:
    return f'<path class="{style}" d="{steps}"/>'


def _whisker(low: float, high: float, y: float) -> str:
    ends = f"M{low:g} {y - 5:g}v10M{high:g} {y - 5:g}v10"
    return _path("error", f"M{low:g} {y:g}H{high:g}{ends}")


def draw_looks(watch: Watch, value: str, setting: str) -> str:
    """Draw the mean change with its bounds, look by look; zero is what was recorded."""
    last = watch.history[-1]
    told = (
        f"Change of the {value} per case over {watch.looks} looks: {signed(last.mean_change)} at "
        f"the last, bounds {signed(last.low)} to {signed(last.high)}."
    )
    late = f"{setting} out of date"
    alarms = {"value": (watch.worse, "clearly worse"), "setting": (watch.stale, late)}
    for look, what in alarms.values():
        told += f" First alarm ({what}): look {look}." if look is not None else ""
    told += " The table below holds the numbers."
    return draw_both(lambda width: _looks(watch, alarms, width), told)


def _looks(
    watch: Watch, alarms: dict[str, tuple[int | None, str]], width: float
) -> tuple[float, str]:
    looks, last = watch.history, watch.history[-1]
    begin = watch.looks - len(looks) + 1
    marked = [each for each in alarms.items() if each[1][0] is not None]
    top, height = 12.0 + 17.0 * len(marked), 300.0 if width > NARROW else 270.0
    numbers = [x for look in looks for x in (look.change, look.mean_change, look.low, look.high)]
    y = AxisScale.over(numbers, height - 38.0, top + 6.0)
    ticks = y.ticks(6)
    left = 14.0 + CHARACTER * max(len(signed(tick)) for tick in ticks)
    x = AxisScale(begin - 0.6, watch.looks + 0.6, left, width - 10.0)
    parts = []
    for tick in ticks:
        parts.append(_path("grid", f"M{left:g} {y(tick):g}H{width - 10.0:g}"))
        parts.append(_text(left - 8.0, y(tick) + 4.0, signed(tick), "end"))
    at = [x(begin + k) for k in range(len(looks))]
    most = 12 if width > NARROW else 6
    whole = sorted({round(each) for each in x.ticks(most)})
    shown = [tick for tick in whole if begin <= tick <= watch.looks]
    parts += [_text(x(tick), height - 20.0, f"{tick}", "middle") for tick in shown]
    parts.append(_text(0.5 * (left + width), height - 3.0, "look", "middle"))
    highs = [f"{a:g} {y(look.high):g}" for a, look in zip(at, looks, strict=True)]
    lows = [f"{a:g} {y(look.low):g}" for a, look in zip(at, looks, strict=True)]
    if len(looks) > 1:
        parts.append(_path("band", f"M{'L'.join([*highs, *reversed(lows)])}Z"))
    else:  # a band of one look would have no width
        parts.append(_path("error", f"M{highs[0]}L{lows[0]}"))
    parts.append(_path("zero", f"M{left:g} {y(0.0):g}H{width - 10.0:g}"))
    own = "".join(f"M{a:g} {y(look.change):g}h0" for a, look in zip(at, looks, strict=True))
    parts.append(_path("looks", own))
    line = "L".join(f"{a:g} {y(look.mean_change):g}" for a, look in zip(at, looks, strict=True))
    parts.append(_path("mean", f"M{line}"))
    if len(looks) == 1:
        parts.append(f'<circle class="dot" cx="{at[0]:g}" cy="{y(last.mean_change):g}" r="5.5"/>')
    size = 5.0 if len(looks) < MANY else 3.0
    stale = "".join(
        f"M{a - size:g} {height - 38.0:g}h{2 * size:g}l{-size:g} {-1.6 * size:g}z"
        for a, look in zip(at, looks, strict=True)
        if look.knob_low > 0.0
    )
    sure = "".join(
        f"M{a - size:g} {y(look.mean_change):g}l{size:g} {-size:g}l{size:g} {size:g}"
        f"l{-size:g} {size:g}z"
        for a, look in zip(at, looks, strict=True)
        if look.low > 0.0
    )
    for k, (style, (look, what)) in enumerate(marked):
        assert look is not None
        if look < begin:  # looks as old as that are not kept
            continue
        row = 13.0 + 17.0 * k
        parts.append(_path(f"since {style}", f"M{x(look):g} {row + 5.0:g}V{height - 38.0:g}"))
        before = x(look) > 0.5 * (left + width)
        told = f"{what}: look {look}"
        where = x(look) + (-6.0 if before else 6.0)
        parts.append(_text(where, row, told, "end" if before else "start", f"tell {style}"))
    parts += [_path("stale", stale)] if stale else []
    parts += [_path("alarm", sure)] if sure else []
    many = ' class="many"' if len(looks) >= MANY else ""
    return height, f"<g{many}>{''.join(parts)}</g>"


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
        parts.append(_path("grid", f"M{x(tick):g} 4V{bottom:g}"))
        parts.append(_text(x(tick), bottom + 16.0, signed(tick), "middle"))
    parts.append(_path("zero", f"M{x(0.0):g} 4V{bottom:g}"))
    for k, (bar, start) in enumerate(rows):
        top = step * k + (24.0 if narrow else 11.0)
        ends_at = start + bar.value
        if bar is not total:
            parts.append(_path("link", f"M{x(ends_at):g} {top:g}V{top + step + 22.0:g}"))
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
        parts.append(_text(place, line, bar.name, anchor, style))
        parts.append(_text(width - 2.0, line, signed(bar.value), "end", "strong"))
    return bottom + 22.0, "".join(parts)


def _reach(bar: Bar, start: float) -> list[float]:
    known = [bar.value, *(end for end in (bar.low, bar.high) if end is not None)]
    return [start + each for each in known]


def draw_values(rows: Sequence[Bar], what: str) -> str:
    """Draw values with their intervals under each other, as of then and of now."""
    told = "; ".join(
        f"{row.name} {row.value:.4g} ({row.low:.4g} to {row.high:.4g})" for row in rows
    )
    return draw_both(lambda width: _values(rows, width), f"{what}: {told}.")


def _values(rows: Sequence[Bar], width: float) -> tuple[float, str]:
    left = 16.0 + CHARACTER * max(len(row.name) for row in rows)
    ends = [end for row in rows for end in (row.low, row.high, row.value) if end is not None]
    room = 0.08 * (max(ends) - min(ends)) or 0.5 * abs(ends[0]) or 1.0
    x = AxisScale(min(ends) - room, max(ends) + room, left, width - 24.0)
    bottom = 34.0 * len(rows) + 8.0
    parts = []
    for tick in x.ticks(5 if width <= NARROW else 8):
        parts.append(_path("grid", f"M{x(tick):g} 4V{bottom:g}"))
        parts.append(_text(x(tick), bottom + 16.0, f"{tick:.4g}".replace("-", "−"), "middle"))
    for k, row in enumerate(rows):
        y = 34.0 * k + 21.0
        parts.append(_text(left - 14.0, y + 4.5, row.name, "end", "name"))
        if row.low is not None and row.high is not None:
            parts.append(_whisker(x(row.low), x(row.high), y))
        parts.append(f'<circle class="dot" cx="{x(row.value):g}" cy="{y:g}" r="5.5"/>')
    return bottom + 22.0, "".join(parts)
