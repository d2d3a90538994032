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
from roctopus.core.errors import InputError, arg
from roctopus.core.names import refuse_missing
from roctopus.engines.batches import in_short, reading

SQUEEZED = {".gz": "gzip", ".zst": "zstd", ".bz2": "bz2"}
TAKEN = 100_000
"""Rows that a batch of Parquet or Arrow holds."""


@dataclass(frozen=True)
class TextFormat:
    """How text files are written."""

    delimiter: str | None = None
    decimal: str = "."
    encoding: str = "utf-8"

    def __post_init__(self) -> None:
        for name, sign in (("delimiter", self.delimiter), ("decimal", self.decimal)):
            if sign is not None and not (len(sign) == 1 and sign.isascii()):
                raise InputError(f"{arg(name)} must be one plain character, got {sign!r}.")
        try:
            "a".encode(self.encoding)
        except (LookupError, ValueError, TypeError):
            raise InputError(f"{arg('encoding')} {self.encoding!r} is not known.") from None

    def delimiter_of(self, suffixes: Sequence[str]) -> str:
        """Return what separates the columns of a file."""
        return self.delimiter or ("\t" if ".tsv" in suffixes else ",")


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

    @cached_property
    def schema(self) -> Any:
        """Names and kinds of columns; of text as the first rows look."""
        import pyarrow as pa

        with self._telling():
            schema = self._schema()
        for name, _ in self.partitions:
            schema = schema.append(pa.field(name, pa.string()))
        return schema

    def read(self, columns: Sequence[str], told: PartsDone = lambda done, total: None) -> Any:
        """Return some of the columns as an Arrow table."""
        refuse_missing(columns, self.schema.names, self.name)
        told_by_name = dict(self.partitions)
        inside = [name for name in columns if name not in told_by_name]
        with self._telling():
            table = self._read(inside, told)
        if table.num_rows == 0:
            raise InputError(f"'{self.name}' has no rows.")
        for name in columns:
            if name in told_by_name:
                table = table.append_column(name, [[told_by_name[name]] * table.num_rows])
        return table.select(list(columns))

    def _telling(self) -> AbstractContextManager[None]:
        return reading(lambda error: _what_is_wrong(self.name, self.kind, error))

    @property
    def _suffixes(self) -> list[str]:
        return [s.lower() for s in self.paths[0].suffixes] if self.paths else []

    def _source(self) -> Any:
        import pyarrow as pa

        if self.content is not None:
            return io.BytesIO(self.content)
        last = self._suffixes[-1] if self._suffixes else ""
        return pa.input_stream(str(self.paths[0]), compression=SQUEEZED.get(last))

    def _csv(self, columns: list[str] | None) -> dict[str, Any]:
        from pyarrow import csv

        return {
            "read_options": csv.ReadOptions(encoding=self.text.encoding),
            "parse_options": csv.ParseOptions(
                delimiter=self.text.delimiter_of(self._suffixes), newlines_in_values=True
            ),
            "convert_options": csv.ConvertOptions(
                include_columns=columns or [],
                decimal_point=self.text.decimal,
                strings_can_be_null=True,
            ),
        }

    def dataset(self) -> Any:
        """Return the files as a pyarrow dataset."""
        import pyarrow.dataset as ds

        paths = [str(path) for path in self.paths]
        kind: Any = self.kind
        if self.kind == "csv":
            import pyarrow as pa

            given = self._csv(None)
            # Whole numbers in the first rows may be followed by others.
            whole = [f.name for f in self.schema if pa.types.is_integer(f.type)]
            given["convert_options"].column_types = dict.fromkeys(whole, pa.float64())
            kind = ds.CsvFileFormat(**given)
        with self._telling():
            return ds.dataset(paths, format=kind, partitioning="hive")

    def _schema(self) -> Any:
        from pyarrow import csv, json

        if self.kind == "csv":
            with self._source() as source:
                if b"\0" in source.read(4) and self.text.encoding.lower() == "utf-8":
                    raise UnicodeError("it looks like UTF-16")
            with csv.open_csv(self._source(), **self._csv(None)) as reader:
                schema = reader.schema
            self._refuse_wrong_delimiter(schema.names)
            return schema
        if self.kind == "json":
            return json.read_json(self._source()).schema
        return self.dataset().schema

    def _refuse_wrong_delimiter(self, names: list[str]) -> None:
        if len(names) != 1:
            return
        for delimiter in ";\t|":
            if delimiter in names[0] and delimiter != self.text.delimiter:
                raise InputError(
                    f"'{self.name}' has only one column, {names[0][:60]!r}: it seems to be "
                    f"separated by {delimiter!r}. Add {arg('delimiter', delimiter)}."
                )

    def _read(self, columns: list[str], told: PartsDone) -> Any:
        import pyarrow as pa
        from pyarrow import csv, json

        if self.kind == "csv":
            return csv.read_csv(self._source(), **self._csv(columns))
        if self.kind == "json":
            return json.read_json(self._source()).select(columns)
        dataset = self.dataset()
        total = dataset.count_rows()
        batches = []
        done = 0
        for batch in dataset.to_batches(columns=columns, batch_size=TAKEN):
            batches.append(batch)
            done += batch.num_rows
            told(done, total)
        schema = pa.schema([dataset.schema.field(name) for name in columns])
        return pa.Table.from_batches(batches, schema)


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
