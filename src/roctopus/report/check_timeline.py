"""The picture of a watched decision: the mean change with its bounds, look by look."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from roctopus.monitoring.watching import Look, Watch
from roctopus.report.check_charts import (
    CHARACTER,
    NARROW,
    AxisScale,
    draw_both,
    draw_path,
    draw_text,
    signed,
)

MANY = 60
"""Looks from which they are drawn as smaller dots."""
FEW = "too few cases yet"


class Limits(NamedTuple):
    """What the value and the setting may lose per case before that is called an alarm."""

    value: float
    setting: float


def draw_looks(watch: Watch, value: str, setting: str, limits: Limits) -> str:
    """Draw the mean change with its bounds, look by look; zero is what was recorded."""
    last = watch.history[-1]
    bounds = "too few cases for bounds yet"
    if math.isfinite(last.low):
        bounds = f"bounds {signed(last.low)} to {signed(last.high)}"
    told = (
        f"Change of the {value} per case over {watch.looks} looks: {signed(last.mean_change)} at "
        f"the last, {bounds}."
    )
    late = f"{setting} out of date"
    alarms = {"value": (watch.worse, "clearly worse"), "setting": (watch.stale, late)}
    for look, what in alarms.values():
        told += f" First alarm ({what}): look {look}." if look is not None else ""
    told += " The table below holds the numbers."
    return draw_both(lambda width: _looks(watch, alarms, limits, width), told)


class _Field(NamedTuple):
    """Where looks are drawn: scales, borders, and the place of each look."""

    x: AxisScale
    y: AxisScale
    left: float
    right: float
    bottom: float
    at: list[float]


def _looks(
    watch: Watch, alarms: dict[str, tuple[int | None, str]], limits: Limits, width: float
) -> tuple[float, str]:
    begin = watch.looks - len(watch.history) + 1
    first = {style: (look, told) for style, (look, told) in alarms.items() if look is not None}
    seen = {style: each for style, each in first.items() if each[0] >= begin}  # older are not kept
    height = 300.0 if width > NARROW else 270.0
    field, parts = _axes(watch, limits, width, height, 12.0 + 17.0 * len(first))
    parts += [*_bounds(field, watch.history), *_lines(field, limits.value)]
    parts += _means(field, watch.history)
    for k, (style, (look, told)) in enumerate(seen.items()):
        parts += _first_alarm(field, style, look, f"{told}: look {look}", 13.0 + 17.0 * k)
    parts += _marks(field, watch.history, limits)
    many = ' class="many"' if len(watch.history) >= MANY else ""
    return height, f"<g{many}>{''.join(parts)}</g>"


def _axes(
    watch: Watch, limits: Limits, width: float, height: float, top: float
) -> tuple[_Field, list[str]]:
    looks, right, bottom = watch.history, width - 10.0, height - 38.0
    begin = watch.looks - len(looks) + 1
    numbers = [x for look in looks for x in (look.change, look.mean_change, look.low, look.high)]
    y = AxisScale.over([*numbers, limits.value], bottom, top + 6.0)
    ticks = y.ticks(6)
    left = 14.0 + CHARACTER * max(len(signed(tick)) for tick in ticks)
    x = AxisScale(begin - 0.6, watch.looks + 0.6, left, right)
    parts = []
    for tick in ticks:
        parts.append(draw_path("grid", f"M{left:g} {y(tick):g}H{right:g}"))
        parts.append(draw_text(left - 8.0, y(tick) + 4.0, signed(tick), "end"))
    whole = sorted({round(each) for each in x.ticks(12 if width > NARROW else 6)})
    shown = [tick for tick in whole if begin <= tick <= watch.looks]
    parts += [draw_text(x(tick), height - 20.0, f"{tick}", "middle") for tick in shown]
    parts.append(draw_text(0.5 * (left + width), height - 3.0, "look", "middle"))
    at = [x(begin + k) for k in range(len(looks))]
    return _Field(x, y, left, right, bottom, at), parts


def _bounds(field: _Field, looks: Sequence[Look]) -> list[str]:
    """Draw the bounds of neighbouring looks as a band; say where there are too few cases."""
    found = []
    places = zip(field.at, looks, strict=True)
    for known, run in groupby(places, key=lambda each: math.isfinite(each[1].low)):
        some = list(run)
        if not known:
            where = 0.5 * (some[0][0] + some[-1][0])
            half = 0.5 * CHARACTER * len(FEW)
            where = min(max(where, field.left + half), field.right - half)
            found.append(draw_text(where, field.bottom - 22.0, FEW, "middle", "name"))
            continue
        highs = [f"{a:g} {field.y(look.high):g}" for a, look in some]
        lows = [f"{a:g} {field.y(look.low):g}" for a, look in some]
        if len(some) > 1:
            found.append(draw_path("band", f"M{'L'.join([*highs, *reversed(lows)])}Z"))
        else:  # a band of one look would have no width
            found.append(draw_path("error", f"M{highs[0]}L{lows[0]}"))
    return found


def _lines(field: _Field, tolerance: float) -> list[str]:
    """Draw what was recorded, and what does not matter above it."""
    found = [draw_path("zero", f"M{field.left:g} {field.y(0.0):g}H{field.right:g}")]
    if tolerance > 0.0:
        found.append(
            draw_path("matters", f"M{field.left:g} {field.y(tolerance):g}H{field.right:g}")
        )
    return found


def _means(field: _Field, looks: Sequence[Look]) -> list[str]:
    places = list(zip(field.at, looks, strict=True))
    own = "".join(f"M{a:g} {field.y(look.change):g}h0" for a, look in places)
    line = "L".join(f"{a:g} {field.y(look.mean_change):g}" for a, look in places)
    found = [draw_path("looks", own), draw_path("mean", f"M{line}")]
    if len(places) == 1:
        x, y = field.at[0], field.y(looks[0].mean_change)
        found.append(f'<circle class="dot" cx="{x:g}" cy="{y:g}" r="5.5"/>')
    return found


def _first_alarm(field: _Field, style: str, look: int, told: str, row: float) -> list[str]:
    x = field.x(look)
    before = x > 0.5 * (field.left + field.right)
    where, anchor = (x - 6.0, "end") if before else (x + 6.0, "start")
    line = draw_path(f"since {style}", f"M{x:g} {row + 5.0:g}V{field.bottom:g}")
    return [line, draw_text(where, row, told, anchor, f"tell {style}")]


def _marks(field: _Field, looks: Sequence[Look], limits: Limits) -> list[str]:
    """Draw a sign at each look that raises an alarm."""
    size = 5.0 if len(looks) < MANY else 3.0
    places = list(zip(field.at, looks, strict=True))
    stale = "".join(
        f"M{a - size:g} {field.bottom:g}h{2 * size:g}l{-size:g} {-1.6 * size:g}z"
        for a, look in places
        if look.knob_low > limits.setting
    )
    worse = "".join(
        f"M{a - size:g} {field.y(look.mean_change):g}l{size:g} {-size:g}l{size:g} {size:g}"
        f"l{-size:g} {size:g}z"
        for a, look in places
        if look.low > limits.value
    )
    return [draw_path(style, each) for style, each in (("stale", stale), ("alarm", worse)) if each]
