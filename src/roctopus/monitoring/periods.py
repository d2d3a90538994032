"""Periods of time: which cases are in which, and which of them are past."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roctopus.concepts.times import Times, read_times
from roctopus.core.checks import check_positive, check_whole
from roctopus.core.errors import InputError, warn

MOST_PERIODS = 1_000_000
WIDE = 3.0
"""A step between times is a gap if it is more than so many median steps."""
LEAST_CASES = 10
"""By default so many cases teach before the first is judged."""
MONTHS = {"month": 1, "quarter": 3, "year": 12}
DAYS = {"day": 1, "week": 7}
BINS = (*DAYS, *MONTHS)


@dataclass(frozen=True, eq=False)
class Periods:
    """Periods in order of time, and which of them each case belongs to."""

    number: NDArray[np.intp]
    """The period of each row, counted from 0."""
    begins: NDArray[Any]
    """When each period begins, empty ones included: numbers or dates."""
    bin: str | float | None = None

    def __len__(self) -> int:
        return len(self.begins)

    @property
    def dated(self) -> bool:
        """Whether times are dates."""
        return self.begins.dtype.kind == "M"

    def label(self, number: int) -> str:
        """Return a period in words: "2026-01-31", "2026-Q1", "17"."""
        return _say(self.begins[number], self.bin)


def read_periods(time: Any, frame: Any, size: int, period: Any = None) -> Periods:
    """Read times and put them into periods: distinct times, or bins; warn of gaps.

    Bins of numbers begin at multiples of ``period``, weeks on Mondays.
    """
    times = read_times(time, frame)
    if len(times.values) != size:
        raise InputError(
            f"'time' has {len(times.values)} values, but the comparison has {size} cases. Pass one "
            "value per case. If the times are a column of the dataframe, pass its name."
        )
    if period is None:
        begins, number = np.unique(times.values, return_inverse=True)
        found = Periods(number, begins)
        _warn_of_wide_steps(found)
        return found
    code, begin = _bins(times, period)
    first, last = int(code.min()), int(code.max())
    if last - first >= MOST_PERIODS:
        raise InputError(
            f"'period' is {period!r}, which divides 'time' into {last - first + 1:,} periods, but "
            f"at most {MOST_PERIODS:,} periods are possible. Use a longer 'period'."
        )
    begins = begin(np.arange(first, last + 1))
    found = Periods((code - first).astype(np.intp), begins, period)
    _warn_of_empty_bins(found)
    return found


def read_start(start: int | None, delay: int, edges: NDArray[np.intp]) -> int:
    """Return how many periods teach before the first is judged."""
    count = len(edges) - 1
    if start is None:
        enough = int(np.searchsorted(edges, min(LEAST_CASES, int(edges[-1]))))
        start = max(count // 3, enough, 1)
    else:
        start = check_whole(start, "start", 1)
    left = np.count_nonzero(np.diff(edges[min(start + delay, count) :]))
    if left < 2:
        wait = f" and the 'delay' ({delay})" if delay else ""
        raise InputError(
            f"A backtest needs at least two periods with cases after the 'start' ({start}){wait}, "
            f"but {'only 1' if left else 'none'} of the {np.count_nonzero(np.diff(edges))} periods "
            "with cases is left. Use a smaller 'start' or 'period', or add cases."
        )
    return start


def past_rows(
    edges: NDArray[np.intp], period: int, delay: int, window: int | None
) -> NDArray[np.intp]:
    """Return the cases, counted in order of time, whose truths are known when a period begins."""
    last = period - delay
    first = 0 if window is None else max(0, last - window)
    return np.arange(edges[first], edges[last])


def _bins(times: Times, period: Any) -> tuple[NDArray[Any], Callable[[NDArray[Any]], NDArray[Any]]]:
    """Return the number of each time's bin, and what tells when bins begin."""
    if times.wall is None:
        if isinstance(period, str):
            raise InputError(
                "'time' contains numbers, so 'period' must be a positive number, but is "
                f"{period!r}."
            )
        width = check_positive(period, "period")
        share = times.values / width
        nearest = np.round(share)  # what is a multiple up to rounding begins a bin
        close = np.abs(share - nearest) <= 1e-9 * np.maximum(np.abs(share), 1.0)
        return np.where(close, nearest, np.floor(share)), lambda code: code * width
    if not isinstance(period, str) or period not in BINS:
        raise InputError(
            f"'time' contains dates, so 'period' must be one of {', '.join(map(repr, BINS))}, but "
            f"is {period!r}."
        )
    if period in MONTHS:
        months = times.wall.astype("M8[M]").astype(np.int64)
        size = MONTHS[period]
        return months // size, lambda code: (code * size).astype("M8[M]").astype("M8[D]")
    days, size = times.wall.astype("M8[D]").astype(np.int64), DAYS[period]
    shift = 3 if period == "week" else 0  # 1970 began on a Thursday
    return (days + shift) // size, lambda code: (code * size - shift).astype("M8[D]")


def _say(begin: Any, bin: str | float | None) -> str:
    if not isinstance(begin, np.datetime64):
        number = float(begin)
        return f"{int(begin)}" if number.is_integer() else f"{number:.6g}"
    day = str(begin.astype("M8[D]"))
    if bin in MONTHS:
        year, month = day.split("-")[:2]
        return {"month": f"{year}-{month}", "year": year}.get(
            str(bin), f"{year}-Q{(int(month) + 2) // 3}"
        )
    whole = begin == begin.astype("M8[D]")
    return day if whole else str(begin.astype("M8[s]")).replace("T", " ")


def _warn_of_wide_steps(periods: Periods) -> None:
    if len(periods) < 3:
        return
    steps = np.diff(periods.begins)
    sizes = steps.astype(np.float64)
    wide = np.flatnonzero(sizes > WIDE * np.median(sizes))
    if len(wide):
        at = int(wide[np.argmax(sizes[wide])])
        what = "a gap" if len(wide) == 1 else f"{len(wide)} gaps, the longest"
        warn(
            f"'time' has {what} from {periods.label(at)} to {periods.label(at + 1)}. 'window' "
            "counts only periods that have cases."
        )


def _warn_of_empty_bins(periods: Periods) -> None:
    full = np.unique(periods.number)
    empty = len(periods) - len(full)
    if empty:
        at = int(np.argmax(np.diff(full)))
        ends = periods.label(int(full[at])), periods.label(int(full[at + 1]))
        warn(
            f"{empty} of the {len(periods)} periods of 'time' {'have' if empty > 1 else 'has'} no "
            f"cases; the longest gap is from {ends[0]} to {ends[1]}. 'window', 'start' and 'delay' "
            "count empty periods, too."
        )
