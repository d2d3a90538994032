"""One sheet of a spreadsheet as a table: which sheet, which row holds the names, which types."""

from __future__ import annotations

import datetime
import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

from roctopus.core.errors import InputError, arg
from roctopus.engines.batches import in_short
from roctopus.engines.totals import Totals, totals_at_end
from roctopus.engines.workbooks import BookSheet, CellRow, CellValue, Workbook

BYTES_A_CELL = 100
WHOLE = 2**53
LOOKED_AT = 30
"""So many of the first rows are looked at for names of columns, and of the last for totals."""
BROKEN = (
    ElementTree.ParseError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    OSError,
    LookupError,
    ValueError,
    TypeError,
    OverflowError,
    RuntimeError,
)
"""What damaged parts lead to; a password is a RuntimeError."""


class SheetRows(NamedTuple):
    """The rows of a sheet, from the one below the names to the last that holds anything."""

    table: Any
    """An Arrow table, without totals at the end."""
    first: int
    """The number of its first row."""
    totals: Totals


def read_sheet(
    path: Path, name: str, sheet: str | None, header_row: int | None, memory: int
) -> SheetRows:
    """Read one sheet of a spreadsheet."""
    try:
        book = Workbook(path, name, memory)
        chosen = _choose(book, name, sheet)
        rows = list(_limited(book.rows(chosen), name, memory))
    except InputError:
        raise
    except BROKEN as error:
        raise InputError(
            f"'{name}' cannot be read as a spreadsheet: it is damaged, protected by a password, or "
            f"in another format ({in_short(error)})."
        ) from None
    where = f"Sheet {chosen.name!r} of '{name}'"
    if not rows:
        raise InputError(f"{where} is empty.")
    first = rows[0][0] if header_row is None else header_row
    below = [row for row in rows if row[0] > first]
    names = _names(dict(rows).get(first, {}), below, first, where, rows)
    if not below:
        raise InputError(f"{where} has no rows below row {first}, the row of the column names.")
    totals = totals_at_end([_texts(values, names) for _, values in below[-LOOKED_AT:]])
    below = below[: len(below) - totals.rows]
    return SheetRows(_table(below, names, first + 1), first + 1, totals)


def _limited(rows: Iterator[CellRow], name: str, memory: int) -> Iterator[CellRow]:
    """Yield rows as long as memory can take them."""
    cells, last = 0, 0
    for row in rows:
        if row[0] <= last:
            raise ValueError(f"row {row[0]} comes after row {last}")
        last = row[0]
        cells += len(row[1])
        if cells * BYTES_A_CELL > memory:
            raise InputError(
                f"'{name}' has more than {cells - 1:,} cells, which may not fit into memory. If "
                f"this size is right, increase {arg('memory')}."
            )
        yield row


def _choose(book: Workbook, name: str, wanted: str | None) -> BookSheet:
    """Return the sheet that was named, or the only one with values."""
    known = ", ".join(repr(each.name) for each in book.sheets)
    if wanted is not None:
        for each in book.sheets:
            if each.name == wanted:
                return each
        raise InputError(
            f"{arg('sheet')} is {wanted!r}, but '{name}' has no sheet of this name. Its sheets: "
            f"{known}."
        )
    full = [each for each in book.sheets if not each.hidden and any(islice(book.rows(each), 1))]
    if len(full) == 1:
        return full[0]
    if not full:
        raise InputError(f"'{name}' has no sheet with values.")
    listed = ", ".join(repr(each.name) for each in full)
    raise InputError(
        f"'{name}' has {len(full)} sheets with values: {listed}. Choose one, such as "
        f"{arg('sheet', full[0].name)}."
    )


def _names(
    held: dict[int, CellValue],
    below: Sequence[CellRow],
    first: int,
    where: str,
    rows: Sequence[CellRow],
) -> dict[int, str]:
    """Return the names of columns; one without a name, or two with the same raise an error."""
    used = sorted({column for _, values in below for column in values} | set(held))
    nameless = [column for column in used if column not in held]
    if nameless:
        better = _row_of_names(rows, used)
        hint = f"{arg('header_row', better)}" if better else f"{arg('header_row')}"
        raise InputError(
            f"{where} has no name for column {letters(nameless[0])} in row {first}. Add a name "
            f"there, or set the row that contains the names with {hint}."
        )
    names: dict[int, str] = {}
    for column in used:
        name = in_words(held[column]).strip()
        before = [letters(at) for at, other in names.items() if other == name]
        if before:
            raise InputError(
                f"{where} has two columns called {name!r}: {before[0]} and {letters(column)}. "
                "Rename one of them."
            )
        names[column] = name
    return names


def _row_of_names(rows: Sequence[CellRow], used: Sequence[int]) -> int | None:
    """Return the first row that has text in all columns."""
    for number, values in rows[:LOOKED_AT]:
        if all(isinstance(values.get(column), str) for column in used):
            return number
    return None


def letters(column: int) -> str:
    """Return what a sheet calls a column: A for the first one."""
    found, rest = "", column + 1
    while rest:
        rest, digit = divmod(rest - 1, 26)
        found = chr(65 + digit) + found
    return found


def _table(rows: Sequence[CellRow], names: dict[int, str], first: int) -> Any:
    """Return columns with types; rows between others that hold nothing are empty rows."""
    import pyarrow as pa

    size = rows[-1][0] - first + 1
    columns: dict[int, list[CellValue | None]] = {column: [None] * size for column in names}
    for number, values in rows:
        for column, value in values.items():
            columns[column][number - first] = value
    return pa.table({names[column]: _typed(values) for column, values in columns.items()})


def _texts(values: dict[int, CellValue], names: dict[int, str]) -> list[str]:
    """Return cells of which only text matters, and whether they hold anything."""
    found = [values.get(column, "") for column in names]
    return [cell if isinstance(cell, str) else "0" for cell in found]


def _typed(values: list[CellValue | None]) -> Any:
    """Return a column: numbers, truths, dates or durations if it holds nothing else, or text."""
    import pyarrow as pa

    kinds = {type(each) for each in values} - {type(None)}
    if not kinds:
        return pa.nulls(len(values))
    if kinds <= {float, int}:
        return _numbers(values)
    if kinds == {datetime.datetime}:
        midnight = datetime.time()
        days = all(each is None or _as_date(each).time() == midnight for each in values)
        return pa.array(values, pa.timestamp("ms")).cast(
            pa.date32() if days else pa.timestamp("ms")
        )
    if kinds == {datetime.timedelta}:
        return pa.array(values, pa.duration("ms"))
    if kinds == {bool}:
        return pa.array(values, pa.bool_())
    return pa.array([None if each is None else in_words(each) for each in values], pa.string())


def _as_date(value: Any) -> datetime.datetime:
    assert isinstance(value, datetime.datetime)
    return value


def _numbers(values: Sequence[Any]) -> Any:
    """Return whole numbers as such, so that they can name cases, and others as doubles."""
    import pyarrow as pa

    if all(e is None or isinstance(e, int) or (abs(e) <= WHOLE and e == int(e)) for e in values):
        whole = [None if each is None else int(each) for each in values]
        if all(each is None or abs(each) < 2**63 for each in whole):
            return pa.array(whole, pa.int64())
    return pa.array([None if each is None else float(each) for each in values], pa.float64())


def in_words(value: CellValue) -> str:
    """Return a value as text, as it stands among others that are text."""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float) and value == int(value) and abs(value) <= WHOLE:
        return str(int(value))
    return str(value)
