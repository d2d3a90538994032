"""How a file of text is laid out: its encoding, what separates columns, and where rows begin."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from roctopus.core.errors import InputError, arg
from roctopus.engines.signs import is_missing, is_number

HEAD = 1 << 18
"""So many bytes are looked at."""
LOOKED_AT, SAMPLE = 100, 200
"""So many rows say what separates columns, and are kept to see how numbers are written."""
DELIMITERS = "\t;|,"
"""Of several that fit, the first: commas occur in numbers."""
WESTERN = "windows-1252"
MARKS = {b"\xef\xbb\xbf": "utf-8", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
DATE = re.compile(r"\d{1,4}[-./]\d{1,2}[-./]\d{1,4}([ T].*)?")


@dataclass(frozen=True)
class TextFormat:
    """How text files are written, as far as that was said."""

    delimiter: str | None = None
    decimal: str | None = None
    thousands: str | None = None
    dates: str | None = None
    """The order of day, month and year, such as "dmy"."""
    encoding: str | None = None

    def __post_init__(self) -> None:
        for name in ("delimiter", "decimal"):
            sign = getattr(self, name)
            if sign is not None and not (len(sign) == 1 and sign.isascii()):
                raise InputError(f"{arg(name)} must be a single ASCII character, but is {sign!r}.")
        if self.thousands is not None and self.thousands not in tuple(".,' "):
            raise InputError(
                f"{arg('thousands')} must be a point, a comma, an apostrophe (') or a blank, but "
                f"is {self.thousands!r}."
            )
        if self.thousands is not None and self.thousands == self.decimal:
            raise InputError(
                f"{arg('decimal')} and {arg('thousands')} are both {self.decimal!r}. Use two "
                "different signs."
            )
        if self.dates not in (None, "dmy", "mdy", "ymd"):
            raise InputError(
                f"{arg('dates')} must be dmy (day first), mdy (month first) or ymd (year first), "
                f"but is {self.dates!r}."
            )
        try:
            "a".encode(self.encoding or "utf-8")
        except (LookupError, ValueError, TypeError):
            raise InputError(
                f"{arg('encoding')} must be a text encoding that Python knows, such as 'latin-1', "
                f"but is {self.encoding!r}."
            ) from None

    @property
    def point(self) -> str | None:
        """The decimal sign that was said, or that the thousands separator leaves."""
        return self.decimal or {".": ",", ",": "."}.get(self.thousands or "")


class TextRow(NamedTuple):
    """A row of a file of text."""

    cells: list[str]
    line: int
    """The line on which it begins, counted from 1."""
    end: int
    """The line on which it ends."""

    @property
    def filled(self) -> list[str]:
        """The cells that hold something."""
        return [cell for cell in self.cells if cell]


@dataclass(frozen=True)
class Layout:
    """How a file of text is laid out."""

    encoding: str
    delimiter: str
    skip: int
    """Lines before the first row of data."""
    names: tuple[str, ...]
    """Of all columns; those without a name are empty."""
    sample: tuple[tuple[str, ...], ...] = ()
    """Cells of the first rows."""
    notes: tuple[str, ...] = ()
    """What readers should know of the reading."""

    def cells(self, name: str) -> list[str]:
        """Return the first cells of a column."""
        at = self.names.index(name)
        return [row[at] for row in self.sample if at < len(row)]


def rows_of(text: str, delimiter: str, skip: int = 0) -> Iterator[TextRow]:
    """Yield the rows of a text, after some lines, that are not blank lines."""
    stream = io.StringIO(text, newline="")
    for _ in range(skip):
        stream.readline()
    reader = csv.reader(stream, delimiter=delimiter)
    line = skip + 1
    for cells in reader:
        if cells:
            yield TextRow([cell.strip() for cell in cells], line, skip + reader.line_num)
        line = skip + reader.line_num + 1


def find_encoding(head: bytes) -> str:
    """Return the encoding that a text begins in."""
    for mark, encoding in MARKS.items():
        if head.startswith(mark):
            return encoding
    zeros = [head[k:2000:2].count(0) for k in (0, 1)]
    if max(zeros) > 0.3 * len(head[:2000:2]):
        return "utf-16-be" if zeros[0] > zeros[1] else "utf-16-le"
    try:
        decoded(head, "utf-8")
    except UnicodeDecodeError:
        return WESTERN
    return "utf-8"


def decoded(head: bytes, encoding: str) -> str:
    """Decode a text whose end may be cut off; leave out the mark at its beginning."""
    return codecs.getincrementaldecoder(encoding)().decode(head).removeprefix("\ufeff")


def find_layout(head: bytes, said: TextFormat, *, whole: bool, tabs: bool) -> Layout:
    """Find out how a file is laid out from its beginning, which may be all of it."""
    encoding = said.encoding or find_encoding(head)
    notes = [western_note()] if encoding == WESTERN and said.encoding is None else []
    text = decoded(head, encoding)
    delimiter, above = said.delimiter, 0
    told = re.match(r'"?sep=([^\r\n"])"?(\r\n|\r|\n)', text)
    if told is not None:
        delimiter, above = delimiter or told[1], 1
    if not whole:
        text = text[: max(text.rfind("\n"), text.rfind("\r")) + 1] or text
    try:
        delimiter = delimiter or _find_delimiter(text, tabs)
        rows = list(islice(rows_of(text, delimiter, above), SAMPLE))
    except csv.Error as error:
        raise ValueError(f"{error}; a closing quote may be missing") from None
    if not rows:
        return Layout(encoding, delimiter, above, ())
    names, first, told_names = _find_header(rows)
    start = rows[first - 1].end if first else above
    body = rows[first:]
    notes += [note for note in told_names if note]
    told_units = _units(body, len(names))
    if told_units is not None:
        start, body = told_units.end, body[1:]
        notes.append(f"line {told_units.line} was left out, because it seems to contain units")
    sample = tuple(tuple(row.cells) for row in body)
    return Layout(encoding, delimiter, start, names, sample, tuple(notes))


def western_note() -> str:
    """Say that a file is not in UTF-8."""
    return (
        f"it is not in UTF-8, so it was read as {WESTERN} (if letters look wrong, set "
        f"{arg('encoding')})"
    )


def _find_delimiter(text: str, tabs: bool) -> str:
    """Return the sign that splits most rows into equally many cells."""
    best, most = ",", (0.0, 0)
    for sign in DELIMITERS:
        widths = [len(row.cells) for row in islice(rows_of(text, sign), LOOKED_AT)]
        if not widths:
            continue
        width, times = max(Counter(widths).items(), key=lambda pair: (pair[1], pair[0]))
        found = (times / len(widths), int(tabs and sign == "\t"))
        if width > 1 and found > most:
            best, most = sign, found
    return best


def _find_header(rows: Sequence[TextRow]) -> tuple[tuple[str, ...], int, list[str]]:
    """Return the names of the columns, the first row after them, and what to say of that."""
    width = max(Counter(len(row.cells) for row in rows).items(), key=lambda pair: pair[1])[0]
    for k, row in enumerate(rows):
        cells, after = row.cells, rows[k + 1 :]
        short = len(cells) == width - 1 and bool(after) and _is_data(after[0], width)
        title = width > 1 and len(row.filled) == 1 and bool(cells[0])
        if not row.filled or (title and not short):
            continue
        told = _title_note(rows[:k], row)
        if len(cells) == width and not _is_unnamed(cells):
            return tuple(cells), k + 1, [told]
        if len(cells) == width:
            names = tuple(f"column{n + 1}" for n in range(width))
            called = f"its columns are called {names[0]} to {names[-1]}"
            return names, k, [told, f"it has no header, so {called}"]
        if short:
            last_empty = not any(r.cells[-1] for r in after if len(r.cells) == width)
            named = (*cells, "") if last_empty else ("", *cells)
            return named, k + 1, [told]
        if len(cells) == width + 1 and not cells[-1]:
            return tuple(cells[:-1]), k + 1, [told]
    return tuple(rows[0].cells), 1, [""]


def _title_note(above: Sequence[TextRow], header: TextRow) -> str:
    if not above:
        return ""
    first, last = above[0].line, header.line - 1
    if first == last or len(above) == 1:
        return f"line {first} was left out, because it is above the column names"
    return f"lines {first} to {last} were left out, because they are above the column names"


def _is_data(row: TextRow, width: int) -> bool:
    return len(row.cells) == width and any(map(is_number, row.cells))


def _is_unnamed(cells: Sequence[str]) -> bool:
    """Tell whether a first row holds numbers and dates only; those that count up are names."""
    there = [cell for cell in cells if not is_missing(cell)]
    if not there or not all(is_number(cell) or DATE.fullmatch(cell) for cell in there):
        return False
    if len(there) == len(cells) and all(re.fullmatch("[0-9]{1,4}", cell) for cell in cells):
        counted = [int(cell) for cell in cells]
        return counted != list(range(counted[0], counted[0] + len(counted)))
    return True


def _units(body: Sequence[TextRow], width: int) -> TextRow | None:
    """Return the first row if it holds units: text in all columns that hold numbers below."""
    if len(body) < 2 or len(body[0].cells) != width:
        return None
    cells, below = body[0].cells, [row.cells for row in body[1:] if len(row.cells) == width]
    columns = list(zip(*below, strict=True))
    if not columns or any(map(is_number, cells)):
        return None
    numeric = [_holds_numbers(column) for column in columns]
    said = [cell for cell, each in zip(cells, numeric, strict=True) if each and cell]
    again = any(
        cell and not each and cell in column
        for cell, each, column in zip(cells, numeric, columns, strict=True)
    )
    if not said or again or any(map(is_missing, said)) or any(map(DATE.fullmatch, cells)):
        return None
    return body[0]


def _holds_numbers(column: Sequence[str]) -> bool:
    there = [cell for cell in column if not is_missing(cell)]
    return bool(there) and sum(map(is_number, there)) >= 0.8 * len(there)
