"""When cases happened: numbers, dates or text of any library, as times that have an order."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from roctopus.core.arrays import as_floats, as_series, is_foreign, read_array, to_numpy
from roctopus.core.checks import check_finite, name_rows
from roctopus.core.errors import InputError, arg
from roctopus.core.sample import check_row_order

ADVICE = "Use numbers, dates, or text such as '2026-01-31'."


class Times(NamedTuple):
    """Times that can be put in order."""

    values: NDArray[Any]
    """Numbers, or instants as datetime64 (UTC where there are time zones)."""
    wall: NDArray[Any] | None = None
    """Local calendar dates; None for numbers."""


def read_times(time: Any, frame: Any) -> Times:
    """Read times, or the column of a frame that is named; raise an error for what has no order."""
    if isinstance(time, str):
        if frame is None:
            raise InputError(
                f"{arg('time')} is {time!r}, the name of a column, but the comparison was not made "
                "from a dataframe. Pass an array of times instead."
            )
        if time not in frame.columns:
            known = ", ".join(map(repr, frame.columns[:8]))
            known += ", …" if len(frame.columns) > 8 else ""
            raise InputError(
                f"{arg('time')} is {time!r}, which is not the name of a column. The columns are "
                f"{known}."
            )
        time = frame.get_column(time).to_native()
    elif frame is not None:
        check_row_order(predictions=frame.get_column(frame.columns[0]).to_native(), time=time)
    series = as_series(time)
    if series is not None:
        return _read_series(series)
    if is_foreign(time):
        time = to_numpy(read_array(time, "time"))
    listing = next((m for m in ("to_pylist", "tolist") if hasattr(time, m)), None)
    kind = getattr(getattr(time, "dtype", None), "kind", "O")
    if getattr(time, "ndim", 1) != 1:
        raise InputError(
            f"{arg('time')} must be one-dimensional, but has the shape {tuple(time.shape)}. Pass "
            "one column."
        )
    if kind in "iufM":
        return _checked(np.asarray(time))
    try:
        return _read_list(list(getattr(time, listing)() if listing else time))
    except TypeError:
        advice = ADVICE if hasattr(time, "__iter__") else "Use a list or an array of times."
        raise InputError(
            f"{arg('time')} must contain one time per case, but is of type {type(time).__name__}. "
            f"{advice}"
        ) from None


def _read_series(series: Any) -> Times:
    """Read a frame's column."""
    import narwhals as nw

    missing = series.is_null().to_numpy()
    if missing.any():
        _refuse_missing(missing)
    if series.dtype.is_numeric():
        if series.dtype.is_decimal():
            series = series.cast(nw.Float64)
        return _checked(series.to_numpy())
    zone = getattr(series.dtype, "time_zone", None)
    if isinstance(series.dtype, nw.Datetime) and zone is not None:
        instants = series.dt.convert_time_zone("UTC").dt.replace_time_zone(None)
        return Times(instants.to_numpy(), series.dt.replace_time_zone(None).to_numpy())
    values = series.to_numpy()
    return _checked(values) if values.dtype.kind == "M" else _read_list(series.to_list())


def _checked(values: NDArray[Any]) -> Times:
    """Return numbers or dates of which none is missing."""
    if values.dtype.kind == "M":
        if np.isnat(values).any():
            _refuse_missing(np.isnat(values))
        return Times(values, values)
    if values.dtype.kind == "f":
        check_finite(values, "time")
    return Times(values)


def _refuse_missing(missing: NDArray[np.bool_]) -> None:
    raise InputError(
        f"{arg('time')} is missing in {name_rows(missing)}. Fill in the missing "
        f"{'time, or remove this row' if missing.sum() == 1 else 'times, or remove these rows'}."
    )


def _kind(value: Any) -> str:
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return "missing"
    if isinstance(value, (bool, np.bool_, np.timedelta64)):
        return "strange"
    for name, types in (
        ("numbers", (int, float, np.integer, np.floating)),
        ("dates", (date, np.datetime64)),  # a datetime is a date, and so is a pandas Timestamp
        ("text", str),
    ):
        if isinstance(value, types):
            return name if value == value else "missing"
    return "strange"


def _read_list(values: list[Any]) -> Times:
    """Read values one by one: all must be of one kind."""
    kinds = np.array([_kind(value) for value in values], dtype=str)
    if (kinds == "missing").any():
        _refuse_missing(kinds == "missing")
    if (kinds == "strange").any():
        first = type(values[int(np.argmax(kinds == "strange"))]).__name__
        raise InputError(
            f"{arg('time')} contains {first} objects in {name_rows(kinds == 'strange')}, which "
            f"cannot be sorted. {ADVICE}"
        )
    names, counts = np.unique(kinds, return_counts=True)
    if len(names) > 1:
        least = names[int(np.argmin(counts))]
        raise InputError(
            f"{arg('time')} contains {least} in {name_rows(kinds == least)}, but "
            f"{' and '.join(name for name in names if name != least)} in the other rows. Use the "
            "same kind of value in all rows."
        )
    if len(names) == 0:
        return Times(np.empty(0))
    if names[0] == "numbers":
        numbers = np.asarray(values)
        return _checked(numbers if numbers.dtype.kind in "iuf" else as_floats(numbers))
    if names[0] == "text":
        values = _parsed(values)
    return _dates(values)


def _parsed(texts: list[str]) -> list[Any]:
    """Read dates in ISO 8601 format."""
    found = [_parse(text.strip()) for text in texts]
    wrong = np.array([each is None for each in found])
    if wrong.any():
        raise InputError(
            f"{arg('time')} contains text that is not a date, such as "
            f"{texts[int(np.argmax(wrong))]!r}, in {name_rows(wrong)}. Write dates as "
            "'2026-01-31', or convert the text to dates first."
        )
    return found


def _parse(text: str) -> Any:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        pass
    try:  # a year and a month
        found = np.datetime64(text) if text[:4].isdigit() and len(text) in (4, 7) else None
    except ValueError:
        return None
    return None if found is None else found.astype("M8[us]").item()


def _dates(values: list[Any]) -> Times:
    aware = np.array([getattr(value, "tzinfo", None) is not None for value in values])
    if not aware.any():
        plain = all(isinstance(value, np.datetime64) for value in values)
        return _checked(np.array(values) if plain else np.array(values, dtype="M8[us]"))
    if not aware.all():
        raise InputError(
            f"Some values in {arg('time')} have a time zone, but there is no time zone in "
            f"{name_rows(~aware)}. Use a time zone in every row, or in no row."
        )
    instants = [value.astimezone(UTC).replace(tzinfo=None) for value in values]
    wall = [value.replace(tzinfo=None) for value in values]
    return Times(np.array(instants, dtype="M8[us]"), np.array(wall, dtype="M8[us]"))
