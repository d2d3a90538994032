"""Dates as people write them: day, month and year in the orders of several countries."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from roctopus.core.arrays import Floats
from roctopus.core.checks import name_rows
from roctopus.core.errors import InputError, arg

PATTERN = (
    r"^(?P<a>[0-9]{1,4})(?P<s>[-./ ])(?P<b>[0-9]{1,2}|\pL{3,9}\.?)(?P<t>[-./ ])(?P<c>[0-9]{1,4})"
    r"(?:[ T,]+(?P<h>[0-9]{1,2}):(?P<m>[0-9]{2})(?::(?P<n>[0-9]{2}(?:\.[0-9]+)?))?"
    r"(?:\s*(?P<p>[AaPp])\.?[Mm]\.?)?)?$"
)
ZONE = r"([0-9])\s*(?:UTC|GMT|Z)$"
"""How databases write that times are in universal time."""
MONTHS = {
    name: k + 1
    for k, names in enumerate(
        [
            "jan",
            "feb",
            "mar,mär,mrz",
            "apr",
            "may,mai,maj",
            "jun",
            "jul",
            "aug",
            "sep",
            "oct,okt",
            "nov",
            "dec,dez",
        ]
    )
    for name in names.split(",")
}
WORDS = {"dmy": "day first", "mdy": "month first", "ymd": "year first"}
Dates = NDArray[np.datetime64]


def read_dates(column: Any, name: str, said: str | None = None) -> Any:
    """Read text as dates; text that is not written so stays as it is."""
    import pyarrow as pa
    import pyarrow.compute as pc

    text = pc.utf8_trim_whitespace(column.cast(pa.string())).combine_chunks()
    zone = "UTC" if len(text) and pc.all(pc.match_substring_regex(text, ZONE)).as_py() else None
    if zone:
        text = pc.replace_substring_regex(text, ZONE, r"\1")
    parts = pc.extract_regex(text, PATTERN)
    if not len(text) or parts.null_count:
        return column
    part = {each: parts.field(each) for each in "asbtchmnp"}
    sign = part["s"].unique().to_pylist()
    if len(sign) > 1 or not part["s"].equals(part["t"]):
        return column
    readings = {}
    for order in _orders(part, sign[0], said):
        readings[order] = _dates(part, order)
    fits = [order for order, dates in readings.items() if not np.isnat(dates).any()]
    if said is None and "ymd" not in readings:
        fits += _year_first(part, [readings[order] for order in fits], readings)
    if not fits:
        _refuse(readings, text, name)
    chosen = readings[fits[0]]
    for order in fits[1:]:
        other = readings[order]
        if (chosen != other).any():
            _ask(text, name, {fits[0]: chosen, order: other})
    return pa.array(chosen + _clock(part), pa.timestamp("us", zone))


def _year_first(part: dict[str, Any], others: list[Dates], readings: dict[str, Dates]) -> list[str]:
    """Return the order of 24-01-31 if years of two digits may come first.

    They do if the dates then lie much closer together than read in other ways.
    """
    import pyarrow.compute as pc

    if pc.max(pc.utf8_length(part["c"])).as_py() > 2:
        return []
    dates = _dates(part, "ymd")
    if np.isnat(dates).any():
        return []
    if others and 2.0 * _days(dates) >= min(map(_days, others)):
        return []
    readings["ymd"] = dates
    return ["ymd"]


def _days(dates: Dates) -> float:
    """Return how many days lie between the first and the last."""
    return float((dates.max() - dates.min()) / np.timedelta64(1, "D"))


def _orders(part: dict[str, Any], sign: str, said: str | None) -> list[str]:
    """Return the orders that may be meant."""
    import pyarrow.compute as pc

    if pc.min(pc.utf8_length(part["a"])).as_py() == 4:
        return ["ymd"]
    if said is not None:
        return [said]
    named = bool(pc.any(pc.match_substring_regex(part["b"], "^[^0-9]")).as_py())
    return ["dmy"] if named or sign == "." else ["dmy", "mdy"]


def _dates(part: dict[str, Any], order: str) -> Dates:
    """Return days; those that are not in the calendar are missing."""
    at = {letter: part["abc"[k]] for k, letter in enumerate(order)}
    day, year = _numbers(at["d"]), _numbers(at["y"])
    short = np.array([len(each) <= 2 for each in at["y"].to_pylist()])
    year = year + np.where(short, np.where(year < 69, 2000, 1900), 0)
    month = np.array([_month(each) for each in at["m"].to_pylist()])
    real = (month >= 1) & (month <= 12) & (day >= 1) & (day <= 31)
    months = ((year - 1970) * 12 + month - 1).astype("M8[M]")
    found = months.astype("M8[D]") + (day - 1).astype("m8[D]")
    real &= found.astype("M8[M]") == months
    return np.where(real, found, np.datetime64("NaT")).astype("M8[us]")


def _month(text: str) -> int:
    return int(text) if text.isdigit() else MONTHS.get(text[:3].lower(), 0)


def _numbers(column: Any) -> NDArray[np.int64]:
    import pyarrow as pa

    return np.asarray(column.cast(pa.int64()).to_numpy(zero_copy_only=False))


def _clock(part: dict[str, Any]) -> Any:
    """Return the times of day; without them, midnight."""
    hours, minutes, seconds = (_floats(part[each]) for each in "hmn")
    half = np.array([(each or "").lower() for each in part["p"].to_pylist()])
    hours = np.where((half != "") & (hours == 12.0), 0.0, hours) + np.where(half == "p", 12.0, 0.0)
    return np.round((hours * 3600.0 + minutes * 60.0 + seconds) * 1e6).astype("m8[us]")


def _floats(column: Any) -> Floats:
    return np.array([float(each or 0.0) for each in column.to_pylist()])


def _ask(text: Any, name: str, ways: dict[str, Dates]) -> NoReturn:
    """Raise an error that shows both readings."""
    (first, one), (second, other) = ways.items()
    row = int(np.argmax(one != other))
    days = [str(each[row].astype("M8[D]")) for each in (one, other)]
    raise InputError(
        f"The dates in the column {name!r} can be read in two ways: {text[row].as_py()!r} is "
        f"{days[0]} or {days[1]}. Use {arg('dates', first)} for the first reading, or "
        f"{arg('dates', second)} for the second."
    )


def _refuse(readings: dict[str, Dates], text: Any, name: str) -> NoReturn:
    """Raise an error for rows that are not dates in the order of the others."""
    order, dates = min(readings.items(), key=lambda pair: int(np.isnat(pair[1]).sum()))
    wrong = np.isnat(dates)
    first, where = text[int(np.argmax(wrong))].as_py(), name_rows(wrong)
    others = f"{first!r} in {where} is not. Correct this date"
    if wrong.sum() > 1:
        others = f"those in {where} are not, such as {first!r}. Correct these dates"
    raise InputError(
        f"Most dates in the column {name!r} are written {WORDS[order]}, but {others}, or set "
        f"another order with {arg('dates')}."
    )
