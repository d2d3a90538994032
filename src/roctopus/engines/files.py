"""Tables in files: Parquet, CSV, JSON lines and Arrow; only the columns that are asked for."""

from __future__ import annotations

import io
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from roctopus.concepts.streams import PartsDone
from roctopus.core.checks import rows_called
from roctopus.core.errors import InputError, arg, warn
from roctopus.core.names import refuse_missing
from roctopus.engines.arrow import ipc_batches
from roctopus.engines.batches import in_short, reading
from roctopus.engines.contents import Unpacked, refuse_other_content, squeezed
from roctopus.engines.layout import HEAD, TextFormat, find_encoding
from roctopus.engines.roles import ANY, Roles, by_roles, say_notes
from roctopus.engines.sheets import SheetRows, read_sheet
from roctopus.engines.signs import Written, read_numbers
from roctopus.engines.stand_ins import in_table
from roctopus.engines.texts import TextFile, empty_end
from roctopus.engines.totals import SUMS, Totals, ends_with_sums

BYTES_A_NUMBER = 8
TAKEN = 100_000
"""Rows that a batch of Parquet or Arrow holds."""


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
            _ = schema.names  # reads them, which fails where they are damaged
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
            table = self._cases(inside, told, roles)
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
    def lines(self) -> TextFile:
        """The rows of a file of text."""
        return TextFile(self.name, self.text, ".tsv" in self._suffixes, self._source)

    @cached_property
    def _book(self) -> SheetRows:
        """The rows of a sheet."""
        return read_sheet(self.paths[0], self.name, self.sheet, self.header_row, self.memory)

    @cached_property
    def _json(self) -> Any:
        """All rows of a file of JSON: only these tell its columns."""
        import pyarrow as pa
        from pyarrow import json

        with self._source() as source:
            if self.text.encoding is None and find_encoding(bytes(source.read(HEAD))) != "utf-8":
                raise UnicodeError("its first letters show another encoding")
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
            return ds.dataset(self._book.table)
        paths = [str(path) for path in self.paths]
        kind: Any = self.kind
        with self._telling():
            if self.kind == "csv":
                kind = self.lines.format()
            return ds.dataset(paths, format=kind, partitioning="hive")

    def _schema(self) -> Any:
        if self.kind == "sheet":
            return self._book.table.schema
        if self.kind == "json":
            with self._source() as source:
                refuse_other_content(bytes(source.read(8)), self.name)
            return self._json.schema
        return self.lines.schema() if self.kind == "csv" else self.dataset().schema

    def as_numbers(self, column: Any, name: str) -> tuple[Any, Written]:
        """Read text as numbers, and return how they are written."""
        if self.kind == "csv":
            return self.lines.as_numbers(column, name)
        return read_numbers(column, name, self.text.decimal, self.text.thousands)

    def notes_of(self, columns: Sequence[str]) -> list[str]:
        """Return what readers should know of columns that are read in parts."""
        with self._telling():
            return self.lines.notes_of(columns) if self.kind == "csv" else []

    def _read(self, columns: list[str], told: PartsDone, roles: Roles) -> Any:
        import pyarrow as pa

        if self.kind == "csv":
            return self.lines.read(columns, roles)
        if self.kind == "json":
            return self._json.select(columns)
        if self.kind == "sheet":
            return self._book.table.select(columns)
        dataset = self.dataset()
        if self.kind == "arrow":
            for path in self.paths:
                _validate(path, columns)
        total = dataset.count_rows()
        if total * len(columns) * BYTES_A_NUMBER > self.memory:
            raise InputError(
                f"'{self.name}' has {total:,} rows, which may not fit into memory. "
                f"Increase {arg('memory')}, or use a sample of the rows."
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

    def _cases(self, columns: list[str], told: PartsDone, roles: Roles) -> Any:
        """Read columns as what they are for, without totals at the end."""
        table, notes = by_roles(
            self._read(columns, told, roles), columns, roles, self.text.dates, self.as_numbers
        )
        above = self.lines.layout.notes if self.kind == "csv" else ()
        totals = self._totals
        notes = [*above, *([totals.note] if totals.rows else []), *notes]
        numeric = [name for name in columns if name not in roles.names | roles.untouched]
        if ends_with_sums(table, numeric):
            table = table.slice(0, table.num_rows - 1)
            table = table.slice(0, table.num_rows - empty_end(table))
            notes.append(SUMS)
        notes += in_table(table, [name for name in numeric if name not in roles.times])
        if notes:
            warn(say_notes(self.name, notes))
        return table

    @property
    def _totals(self) -> Totals:
        """Rows at the end that are called totals."""
        if self.kind == "csv":
            return self.lines.totals
        return self._book.totals if self.kind == "sheet" else Totals()

    def places(self, rows: list[int], size: int) -> tuple[str, list[str]]:
        """Say which rows are meant, as users see them: by the line of a text, or counted from 1."""
        if self.kind == "json":
            return "line", [str(row + 1) for row in rows]
        if self.kind != "csv":
            first = self._book.first if self.kind == "sheet" else 1
            return "row", [str(row + first) for row in rows]
        return "line", self.lines.places(rows)


def _validate(path: Path, columns: Sequence[str]) -> None:
    """Raise an error for an Arrow file whose buffers do not fit each other: using them crashes."""
    import pyarrow as pa

    with pa.memory_map(str(path)) as mapped:
        for batch in ipc_batches(mapped, columns):
            batch.validate(full=True)


def _what_is_wrong(name: str, kind: str, error: Exception) -> str:
    told = in_short(error)
    misread = isinstance(error, UnicodeError) or "UTF8" in told or "utf-8" in told.lower()
    if misread and kind in ("csv", "json"):
        return (
            f"'{name}' is not entirely in UTF-8 ({told}). Convert it to UTF-8, or name its "
            f"encoding, such as {arg('encoding', 'latin-1')}."
        )
    if "Expected" in told and "columns, got" in told:
        return (
            f"The rows of '{name}' have different numbers of columns ({told}). Correct the file, "
            f"or set the column separator with {arg('delimiter')}."
        )
    if "Empty CSV file" in told or "Empty JSON" in told:
        return f"'{name}' is empty."
    if "uplicate" in told or "multiple" in told.lower():
        return f"'{name}' has several columns with the same name. Rename them first."
    return (
        f"'{name}' cannot be read as {kind.upper()}: it is damaged, truncated, or in another "
        f"format ({told})."
    )
