"""Tables in files: Parquet, CSV, JSON lines and Arrow; only the columns that are asked for."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from roctopus.concepts.streams import PartsDone
from roctopus.core.checks import rows_called
from roctopus.core.errors import InputError, arg, warn
from roctopus.core.names import refuse_missing
from roctopus.engines.batches import in_short, reading
from roctopus.engines.columns import is_text
from roctopus.engines.contents import Unpacked, refuse_other_content, squeezed
from roctopus.engines.dates import read_dates
from roctopus.engines.layout import (
    HEAD,
    WESTERN,
    Layout,
    TextFormat,
    find_encoding,
    find_layout,
    rows_of,
    western_note,
)
from roctopus.engines.sheets import read_sheet
from roctopus.engines.signs import (
    MISSING,
    NoNumbersError,
    Written,
    decimals_of,
    may_be_thousands,
    read_numbers,
    whole_names,
)

BYTES_A_NUMBER = 8
TAKEN = 100_000
"""Rows that a batch of Parquet or Arrow holds."""


@dataclass(frozen=True)
class Roles:
    """What columns are for, as far as that matters for reading them.

    Other columns of text are read as numbers where that is possible.

    Parameters
    ----------
    names : frozenset of str, optional
        Columns that contain names, such as ids, which are not read as numbers.
    times : frozenset of str, optional
        Columns that contain times.
    untouched : frozenset of str, optional
        Columns that are only looked at.
    numbers : frozenset of str, optional
        Columns that must contain numbers.

    Examples
    --------
    >>> from roctopus.engines import Roles
    >>> Roles(names=frozenset({"customer"})).names
    frozenset({'customer'})
    """

    names: frozenset[str] = frozenset()
    times: frozenset[str] = frozenset()
    untouched: frozenset[str] = frozenset()
    numbers: frozenset[str] = frozenset()


ANY = Roles()


@dataclass(frozen=True)
class FileTable:
    """Files that are one table, or standard input, with the names of its columns."""

    name: str
    """As the user called it."""
    paths: tuple[Path, ...]
    kind: str
    text: TextFormat
    content: bytes | None = None
    """What came on standard input or through a pipe."""
    partitions: tuple[tuple[str, str], ...] = ()
    """Columns that a folder's name tells: ``year=2026``."""
    sheet: str | None = None
    header_row: int | None = None
    """Of a spreadsheet: which sheet, and which of its rows holds the names of columns."""
    memory: int = 1 << 31
    """What reading it may take: a compressed file that becomes larger raises an error."""

    @cached_property
    def schema(self) -> Any:
        """Names and kinds of columns; of text as the first rows look."""
        import pyarrow as pa

        with self._telling():
            schema = self._schema()
        for name, _ in self.partitions:
            schema = schema.append(pa.field(name, pa.string()))
        return schema

    def read(
        self,
        columns: Sequence[str],
        told: PartsDone = lambda done, total: None,
        roles: Roles = ANY,
    ) -> Any:
        """Return some of the columns as an Arrow table."""
        refuse_missing(columns, self.schema.names, self.name)
        told_by_name = dict(self.partitions)
        inside = [name for name in columns if name not in told_by_name]
        with self._telling(), rows_called(self.places):
            table = self._by_roles(self._read(inside, told, roles), inside, roles)
        if table.num_rows == 0:
            raise InputError(f"'{self.name}' has no rows.")
        for name in columns:
            if name in told_by_name:
                table = table.append_column(name, [[told_by_name[name]] * table.num_rows])
        return table.select(list(columns))

    def rows(self) -> int:
        """Return the number of rows of what tells it without being read."""
        with self._telling():
            return int(self.dataset().count_rows(use_threads=False))

    def _telling(self) -> AbstractContextManager[None]:
        return reading(lambda error: _what_is_wrong(self.name, self.kind, error))

    @property
    def _suffixes(self) -> list[str]:
        return [s.lower() for s in self.paths[0].suffixes] if self.paths else []

    def _source(self) -> Any:
        import pyarrow as pa

        if self.content is not None:
            return io.BytesIO(self.content)
        path = self.paths[0]
        how = squeezed(path)
        return pa.OSFile(str(path)) if how is None else Unpacked(path, how, self.name, self.memory)

    @cached_property
    def layout(self) -> Layout:
        """How a file of text is laid out."""
        with self._telling(), self._source() as source:
            head = bytes(source.read(HEAD))
            refuse_other_content(head, self.name)
            return find_layout(
                head, self.text, whole=len(head) < HEAD, tabs=".tsv" in self._suffixes
            )

    def _csv(self, columns: Sequence[str], text: Sequence[str] = ()) -> dict[str, Any]:
        import pyarrow as pa
        from pyarrow import csv

        found = self.layout
        return {
            "read_options": csv.ReadOptions(
                encoding=found.encoding, skip_rows=found.skip, column_names=list(found.names)
            ),
            "parse_options": csv.ParseOptions(delimiter=found.delimiter, newlines_in_values=True),
            "convert_options": csv.ConvertOptions(
                include_columns=list(columns),
                decimal_point=self._point,
                null_values=sorted(MISSING),
                column_types=dict.fromkeys(text, pa.string()),
            ),
        }

    @cached_property
    def _sheet(self) -> Any:
        """The rows of a sheet."""
        return self._book[0]

    @cached_property
    def _book(self) -> tuple[Any, int]:
        """The rows of a sheet, and the number of the first of them."""
        return read_sheet(self.paths[0], self.name, self.sheet, self.header_row, self.memory)

    @cached_property
    def _json(self) -> Any:
        """All rows of a file of JSON: only these tell its columns."""
        import pyarrow as pa
        from pyarrow import json

        with self._source() as source:
            if self.text.encoding is None and find_encoding(bytes(source.read(HEAD))) != "utf-8":
                raise UnicodeError("it seems to be in another encoding")
        source = pa.transcoding_input_stream(
            pa.PythonFile(self._source(), "r"), self.text.encoding or "utf-8", "utf-8"
        )
        table = json.read_json(source)
        table.validate(full=True)  # the reader takes any bytes for text
        return table

    def dataset(self) -> Any:
        """Return the files as a pyarrow dataset."""
        import pyarrow.dataset as ds

        if self.kind == "sheet":
            return ds.dataset(self._sheet)
        paths = [str(path) for path in self.paths]
        kind: Any = self.kind
        if self.kind == "csv":
            import pyarrow as pa

            given = self._csv([])
            # Whole numbers in the first rows may be followed by others.
            whole = [f.name for f in self._inferred if pa.types.is_integer(f.type)]
            given["convert_options"].column_types = dict.fromkeys(whole, pa.float64())
            kind = ds.CsvFileFormat(**given)
        with self._telling():
            return ds.dataset(paths, format=kind, partitioning="hive")

    def _schema(self) -> Any:
        if self.kind == "sheet":
            return self._sheet.schema
        import pyarrow as pa

        if self.kind == "json":
            with self._source() as source:
                refuse_other_content(bytes(source.read(8)), self.name)
            return self._json.schema
        if self.kind != "csv":
            return self.dataset().schema
        kinds = [
            field.with_type(pa.float64()) if self._is_number(field) else field
            for field in self._inferred
            if field.name
        ]
        return pa.schema(kinds)

    @cached_property
    def _inferred(self) -> Any:
        """Names and kinds of the columns of a file of text, as Arrow takes the first rows."""
        from pyarrow import csv

        if not self.layout.names:
            raise InputError(f"'{self.name}' is empty.")
        with csv.open_csv(self._source(), **self._csv([])) as reader:
            return reader.schema

    def _is_number(self, field: Any) -> bool:
        """Tell whether text in the first rows of a column is numbers."""
        try:
            return is_text(field.type) and self.written(field.name) is not None
        except InputError:  # a question that is asked when the column is needed
            return True

    def written(self, name: str) -> Written | None:
        """Return how the numbers in the first rows of a column are written; None for text."""
        import pyarrow as pa

        cells = pa.chunked_array([self.layout.cells(name)], pa.string())
        try:
            return self._as_numbers(cells, name)[1]
        except NoNumbersError:
            return None

    def _as_numbers(self, column: Any, name: str) -> tuple[Any, Written]:
        said = self.text
        return read_numbers(column, name, said.decimal, said.thousands, lambda: self._decimals)

    @cached_property
    def _decimals(self) -> set[str]:
        """The decimal signs that the first rows of the columns prove."""
        names = [name for name in self.layout.names if name] if self.kind == "csv" else []
        return {sign for name in names if (sign := decimals_of(self.layout.cells(name)))}

    def notes_of(self, columns: Sequence[str]) -> list[str]:
        """Return what readers should know of columns that are read as the first rows are."""
        found = {name: self.written(name) for name in columns if name in self.layout.names}
        notes = [*self.layout.notes, *_told({n: how for n, how in found.items() if how})]
        return [f"'{self.name}': {'; '.join(notes)}."] if notes else []

    @cached_property
    def _point(self) -> str:
        """The decimal sign with which Arrow reads: that of the first rows, if they agree."""
        return self.text.point or ("," if self._decimals == {","} else ".")

    def converted(self, table: Any, columns: Sequence[str]) -> Any:
        """Return rows in which text of numbers is read as the first rows of the file were."""
        for name in columns:
            first = self.written(name) if name in self.layout.names else None
            if first is not None and is_text(table.schema.field(name).type):
                column = table.column(name)
                column, _ = read_numbers(column, name, first.decimal, first.thousands or None)
                table = _replaced(table, name, column)
        return table

    def _read(self, columns: list[str], told: PartsDone, roles: Roles) -> Any:
        import pyarrow as pa

        if self.kind == "csv":
            return self._read_text(columns, roles)
        if self.kind == "json":
            return self._json.select(columns)
        if self.kind == "sheet":
            return self._sheet.select(columns)
        dataset = self.dataset()
        if self.kind == "arrow":
            for path in self.paths:
                _validate(path, columns)
        total = dataset.count_rows()
        if total * len(columns) * BYTES_A_NUMBER > self.memory:
            raise InputError(
                f"'{self.name}' has {total:,} rows, which may not fit into memory. If that is what "
                f"you expect, give more with {arg('memory')}, or use a sample of the rows."
            )
        batches = []
        done = 0
        for batch in dataset.to_batches(columns=columns, batch_size=TAKEN):
            batches.append(batch)
            done += batch.num_rows
            told(done, total)
        schema = pa.schema([dataset.schema.field(name) for name in columns])
        table = pa.Table.from_batches(batches, schema)
        table.validate(full=True)  # text of Parquet may hold any bytes
        return table

    def _read_text(self, columns: list[str], roles: Roles) -> Any:
        """Read columns of a file of text, as Arrow takes all of their rows."""
        table = self._parsed(columns, [name for name in columns if name in roles.names])
        plain = roles.names | roles.untouched
        unclear = [
            name for name in columns if name not in plain and self._may_be_thousands(table, name)
        ]
        if unclear:
            again = self._parsed(unclear, unclear)
            for name in unclear:
                table = _replaced(table, name, again.column(name))
        return self._without_empty_end(table)

    def _by_roles(self, table: Any, columns: Sequence[str], roles: Roles) -> Any:
        """Read text as what it is for, by all of its rows."""
        read: dict[str, Written] = {}
        for name in columns:
            if name in roles.untouched or not is_text(table.schema.field(name).type):
                continue
            column = table.column(name)
            if name in roles.names:
                column = whole_names(column)
            elif name in roles.times:
                column = read_dates(column, name, self.text.dates)
            else:
                try:
                    column, read[name] = self._as_numbers(column, name)
                except NoNumbersError:
                    if name in roles.numbers or decimals_of(column) is not None:
                        raise
            table = _replaced(table, name, column)
        notes = [*(self.layout.notes if self.kind == "csv" else ()), *_told(read)]
        if notes:
            warn(f"'{self.name}': {'; '.join(notes)}.")
        return table

    def _parsed(self, columns: Sequence[str], text: Sequence[str]) -> Any:
        """Let Arrow read some columns, some of them as text; find out that it is not UTF-8."""
        import pyarrow as pa
        from pyarrow import csv

        def read() -> Any:
            return csv.read_csv(self._source(), **self._csv(columns, text))

        sure = self.text.encoding is not None or self.layout.encoding != "utf-8"
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

        if not pa.types.is_floating(table.schema.field(name).type) or self.text.point is not None:
            return False
        if decimals_of(self.layout.cells(name)) == self._point:
            return False
        return may_be_thousands(table.column(name).to_numpy())

    def _without_empty_end(self, table: Any) -> Any:
        """Leave out rows at the end in which no column of the file holds anything."""
        if not table.num_rows or not _empty_end(table.slice(table.num_rows - 1)):
            return table
        named = [name for name in self.layout.names if name]
        return table.slice(0, table.num_rows - _empty_end(self._parsed(named, named)))

    def places(self, rows: list[int], size: int) -> tuple[str, list[str]]:
        """Say which rows are meant, as users see them: by the line of a text, or counted from 1."""
        if self.kind == "json":
            return "line", [str(row + 1) for row in rows]
        if self.kind != "csv":
            first = self._book[1] if self.kind == "sheet" else 1
            return "row", [str(row + first) for row in rows]
        with self._source() as source:
            text = bytes(source.read()).decode(self.layout.encoding, errors="replace")
        lines, wanted, last = {}, set(rows), max(rows, default=0)
        layout = self.layout
        for number, row in enumerate(rows_of(text, layout.delimiter, layout.skip)):
            if number in wanted:
                lines[number] = row.line
            if number >= last:
                break
        return "line", [str(lines.get(row, row + 1)) for row in rows]


def _replaced(table: Any, name: str, column: Any) -> Any:
    return table.set_column(table.column_names.index(name), name, column)


def _empty_end(table: Any) -> int:
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


def _told(read: Mapping[str, Written]) -> list[str]:
    """Return what readers should know of how the numbers of columns were read."""
    notes = []
    percent = [name for name, how in read.items() if how.percent]
    grouped = {name: how.thousands for name, how in read.items() if how.unclear and how.thousands}
    if percent:
        notes.append(f"percent were read as shares, so 50% is 0.5, in {_listed(percent)}")
    for sign in dict.fromkeys(grouped.values()):
        mine = [name for name in grouped if grouped[name] == sign]
        notes.append(
            f"1{sign}234 was read as 1234, as other columns of the file show, in {_listed(mine)}"
        )
    return notes


def _listed(names: Sequence[str]) -> str:
    several = "columns" if len(names) > 1 else "column"
    return f"{several} {', '.join(map(repr, names))}"


def _validate(path: Path, columns: Sequence[str]) -> None:
    """Raise an error for an Arrow file whose buffers do not fit each other: using them crashes."""
    import pyarrow as pa

    with pa.memory_map(str(path)) as mapped, pa.ipc.open_file(mapped) as reader:
        inside = [at for at, name in enumerate(reader.schema.names) if name in columns]
    options = pa.ipc.IpcReadOptions(included_fields=inside)
    with pa.memory_map(str(path)) as mapped, pa.ipc.open_file(mapped, options=options) as reader:
        for number in range(reader.num_record_batches):
            reader.get_batch(number).validate(full=True)


def _what_is_wrong(name: str, kind: str, error: Exception) -> str:
    told = in_short(error)
    if isinstance(error, UnicodeError) or "UTF8" in told or "utf-8" in told.lower():
        return (
            f"'{name}' is not entirely in UTF-8 ({told}). Convert it, or give its encoding, such "
            f"as {arg('encoding', 'latin-1')}."
        )
    if "Expected" in told and "columns, got" in told:
        return (
            f"'{name}' has rows of different length: {told}. Correct the file, or give the column "
            f"separator with {arg('delimiter')}."
        )
    if "Empty CSV file" in told or "Empty JSON" in told:
        return f"'{name}' is empty."
    if "uplicate" in told or "multiple" in told.lower():
        return f"'{name}' has several columns with the same name. Rename them first."
    return (
        f"'{name}' cannot be read as {kind.upper()}: it is damaged, truncated, or in another "
        f"format ({told})."
    )
