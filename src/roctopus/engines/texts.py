"""Files of text: rows between delimiters, read as their layout says, with numbers as written."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from roctopus.core.arrays import Floats
from roctopus.core.errors import InputError
from roctopus.engines.columns import is_text
from roctopus.engines.contents import refuse_other_content
from roctopus.engines.layout import (
    HEAD,
    WESTERN,
    Layout,
    TextFormat,
    find_layout,
    rows_of,
    western_note,
)
from roctopus.engines.roles import Roles, notes_on, replaced, say_notes
from roctopus.engines.signs import (
    MISSING,
    NoNumbersError,
    Written,
    decimals_of,
    may_be_thousands,
    read_numbers,
)
from roctopus.engines.totals import Totals, exceeds_all, totals_at_end

BLOCK, END = 1 << 20, 1 << 16
"""So many bytes are read at a time, and looked at for rows at the end that are no cases."""


@dataclass(frozen=True)
class TextFile:
    """A file of text, or what came on standard input."""

    name: str
    said: TextFormat
    tabs: bool
    """Whether its name says that tabs separate columns."""
    open: Callable[[], Any]
    """Opens it anew."""

    @cached_property
    def layout(self) -> Layout:
        """How it is laid out."""
        with self.open() as source:
            head = bytes(source.read(HEAD))
        refuse_other_content(head, self.name)
        return find_layout(head, self.said, whole=len(head) < HEAD, tabs=self.tabs)

    def options(self, columns: Sequence[str], text: Sequence[str] = ()) -> dict[str, Any]:
        """Return how Arrow reads some columns, some of them as text."""
        import pyarrow as pa
        from pyarrow import csv as arrow

        found = self.layout
        return {
            "read_options": arrow.ReadOptions(
                encoding=found.encoding, skip_rows=found.skip, column_names=list(found.names)
            ),
            "parse_options": arrow.ParseOptions(delimiter=found.delimiter, newlines_in_values=True),
            "convert_options": arrow.ConvertOptions(
                include_columns=list(columns),
                decimal_point=self.point,
                null_values=sorted(MISSING),
                column_types=dict.fromkeys(text, pa.string()),
            ),
        }

    @cached_property
    def inferred(self) -> Any:
        """Names and kinds of the columns, as Arrow takes the first rows."""
        from pyarrow import csv as arrow

        if not self.layout.names:
            raise InputError(f"'{self.name}' is empty.")
        with arrow.open_csv(self.open(), **self.options([])) as reader:
            return reader.schema

    def schema(self) -> Any:
        """Return names and kinds of the columns that have a name, as the first rows are written."""
        import pyarrow as pa

        return pa.schema(
            [
                field.with_type(pa.float64()) if self._is_number(field) else field
                for field in self.inferred
                if field.name
            ]
        )

    def _is_number(self, field: Any) -> bool:
        """Tell whether text in the first rows of a column is numbers."""
        try:
            return is_text(field.type) and self.written(field.name) is not None
        except InputError:  # a question that is asked when the column is needed
            return True

    def format(self) -> Any:
        """Return what reads files such as this one in parts."""
        import pyarrow as pa
        import pyarrow.dataset as ds

        given = self.options([])
        # Whole numbers in the first rows may be followed by others.
        whole = [f.name for f in self.inferred if pa.types.is_integer(f.type)]
        given["convert_options"].column_types = dict.fromkeys(whole, pa.float64())
        return ds.CsvFileFormat(**given)

    def written(self, name: str) -> Written | None:
        """Return how the numbers in the first rows of a column are written; None for text."""
        import pyarrow as pa

        cells = pa.chunked_array([self.layout.cells(name)], pa.string())
        try:
            return self.as_numbers(cells, name)[1]
        except NoNumbersError:
            return None

    def as_numbers(self, column: Any, name: str) -> tuple[Any, Written]:
        """Read text as numbers, and return how they are written."""
        said = self.said
        return read_numbers(column, name, said.decimal, said.thousands, lambda: self._decimals)

    @cached_property
    def _decimals(self) -> set[str]:
        """The decimal signs that the first rows of the columns prove."""
        names = [name for name in self.layout.names if name]
        return {sign for name in names if (sign := decimals_of(self.layout.cells(name)))}

    @cached_property
    def point(self) -> str:
        """The decimal sign with which Arrow reads: that of the first rows, if they agree."""
        return self.said.point or ("," if self._decimals == {","} else ".")

    def notes_of(self, columns: Sequence[str]) -> list[str]:
        """Return what readers should know of columns that are read as the first rows are."""
        found = {name: self.written(name) for name in columns if name in self.layout.names}
        notes = [*self.layout.notes, *notes_on({n: how for n, how in found.items() if how})]
        return [say_notes(self.name, notes)] if notes else []

    def converted(self, table: Any, columns: Sequence[str]) -> Any:
        """Return rows in which text of numbers is read as the first rows of the file were."""
        for name in columns:
            first = self.written(name) if name in self.layout.names else None
            if first is not None and is_text(table.schema.field(name).type):
                column = table.column(name)
                column, _ = read_numbers(column, name, first.decimal, first.thousands or None)
                table = replaced(table, name, column)
        return table

    def read(self, columns: list[str], roles: Roles) -> Any:
        """Read columns as Arrow takes all of their rows; leave out rows at the end."""
        table = self._parsed(columns, [name for name in columns if name in roles.names])
        plain = roles.names | roles.untouched
        unclear = [
            name for name in columns if name not in plain and self._may_be_thousands(table, name)
        ]
        if unclear:
            again = self._parsed(unclear, unclear)
            for name in unclear:
                table = replaced(table, name, again.column(name))
        table = self._without_empty_end(table)
        if not self.totals.rows:
            return table
        return self._without_empty_end(table.slice(0, table.num_rows - self.totals.rows))

    def _parsed(self, columns: Sequence[str], text: Sequence[str]) -> Any:
        """Let Arrow read some columns, some of them as text; find out that it is not UTF-8."""
        import pyarrow as pa
        from pyarrow import csv as arrow

        def read() -> Any:
            return arrow.read_csv(self.open(), **self.options(columns, text))

        sure = self.said.encoding is not None or self.layout.encoding != "utf-8"
        try:
            table = read()
        except pa.ArrowInvalid as error:
            if sure or "UTF8" not in str(error):
                raise
        else:
            if sure or not any(map(pa.types.is_binary, table.schema.types)):
                return table
        notes = (*self.layout.notes, western_note())
        self.__dict__["layout"] = replace(self.layout, encoding=WESTERN, notes=notes)
        return read()

    def _may_be_thousands(self, table: Any, name: str) -> bool:
        """Tell whether what Arrow took for decimals may be thousands: 1.234."""
        import pyarrow as pa

        if not pa.types.is_floating(table.schema.field(name).type) or self.said.point is not None:
            return False
        if decimals_of(self.layout.cells(name)) == self.point:
            return False
        return may_be_thousands(table.column(name).to_numpy())

    def _without_empty_end(self, table: Any) -> Any:
        """Leave out rows at the end in which no column of the file holds anything."""
        size = table.num_rows
        if not size or not empty_end(table.slice(size - 1)):
            return table
        named = [name for name in self.layout.names if name]
        return table.slice(0, size - empty_end(self._parsed(named, named).slice(0, size)))

    @cached_property
    def totals(self) -> Totals:
        """Rows at the end that are called totals, above empty ones."""
        return totals_at_end(self._end)

    def may_end_with_sums(self, columns: Sequence[str]) -> bool:
        """Tell by the last rows whether the very last one may hold sums of all of them."""
        names, width = self.layout.names, len(self.layout.names)
        rows = [row for row in self._end if len(row) == width]
        some = [name for name in columns if name in names]
        cells = {name: [row[names.index(name)] for row in rows] for name in some}
        return exceeds_all([self._numbers(name, found) for name, found in cells.items()])

    def _numbers(self, name: str, cells: list[str]) -> Floats:
        """Return cells as numbers; none at all if they are text."""
        import pyarrow as pa

        try:
            column, _ = self.as_numbers(pa.chunked_array([cells], pa.string()), name)
        except InputError:
            return np.empty(0)
        return np.asarray(column.to_numpy())

    @cached_property
    def _end(self) -> list[list[str]]:
        """The cells of the last rows, without empty ones at the end."""
        layout = self.layout
        with self.open() as source:
            held, whole = last_bytes(source, 0 if layout.encoding.startswith("utf-16") else END)
        text = held.decode(layout.encoding, errors="replace")
        try:
            found = list(rows_of(text, layout.delimiter, layout.skip if whole else 1))
        except csv.Error:  # what is wrong is told by what reads all of it
            return []
        while found and not found[-1].filled:
            found.pop()
        return [row.cells for row in found]

    def places(self, rows: list[int]) -> list[str]:
        """Return the lines of the file on which some rows begin."""
        with self.open() as source:
            text = bytes(source.read()).decode(self.layout.encoding, errors="replace")
        lines, wanted, last = {}, set(rows), max(rows, default=0)
        for number, row in enumerate(rows_of(text, self.layout.delimiter, self.layout.skip)):
            if number in wanted:
                lines[number] = row.line
            if number >= last:
                break
        return [str(lines.get(row, row + 1)) for row in rows]


def last_bytes(source: Any, size: int) -> tuple[bytes, bool]:
    """Return so many bytes at the end of a file (0 for all of it), and whether these are all."""
    if size and source.seekable():
        end = source.seek(0, 2)
        source.seek(max(end - size, 0))
        return bytes(source.read()), end <= size
    held, total = b"", 0
    while some := bytes(source.read(BLOCK)):
        total += len(some)
        held = (held + some)[-size if size else None :]
    return held, total <= size or not size


def empty_end(table: Any) -> int:
    """Return how many rows at the end hold nothing."""
    import pyarrow.compute as pc

    empty = np.ones(table.num_rows, dtype=bool)
    for column in table.columns:
        absent = pc.is_null(column)
        if is_text(column.type):
            absent = pc.or_(absent, pc.equal(pc.utf8_trim_whitespace(column), ""))
        empty &= np.asarray(pc.fill_null(absent, True).to_numpy())
    full = np.flatnonzero(~empty)
    return int(table.num_rows - (full[-1] + 1 if len(full) else 0))
