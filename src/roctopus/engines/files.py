"""Tables in files: Parquet, CSV, JSON lines and Arrow; only the columns that are asked for."""

from __future__ import annotations

import difflib
import io
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from roctopus.core.errors import InputError, MissingDependencyError

__all__ = ["FileTable", "open_files"]

KINDS = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".ipc": "arrow",
    ".feather": "arrow",
    ".csv": "csv",
    ".tsv": "csv",
    ".txt": "csv",
    ".jsonl": "json",
    ".ndjson": "json",
    ".json": "json",
}
SQUEEZED = (".gz", ".zst", ".bz2")
DELIMITERS = {";": "';'", "\t": "$'\\t'", "|": "'|'"}
TAKEN = 100_000
"""Rows that a batch of Parquet or Arrow holds."""

Told = Callable[[int, int], None]
"""Is told how many rows were read, and of how many; of 0 if that is not known."""


@dataclass(frozen=True)
class FileTable:
    """One file or standard input, with the names of its columns."""

    name: str
    """As the user called it."""
    path: Path | None
    kind: str
    text: Any
    """How text is read: delimiter, decimal point, encoding."""
    bytes: bytes | None = None
    """What came on standard input."""

    @cached_property
    def schema(self) -> Any:
        """Names and kinds of columns; of text as the first rows look."""
        with _reading(self.name, self.kind):
            return self._schema()

    def read(self, columns: Sequence[str], told: Told = lambda done, total: None) -> Any:
        """Return some of the columns as an Arrow table."""
        with _reading(self.name, self.kind):
            table = self._read(list(columns), told)
        if table.num_rows == 0:
            raise InputError(f"'{self.name}' has no rows.")
        return table

    def _source(self) -> Any:
        import pyarrow as pa

        if self.bytes is not None:
            return io.BytesIO(self.bytes)
        return pa.input_stream(str(self.path), compression="detect")

    def _csv(self, columns: list[str] | None) -> dict[str, Any]:
        from pyarrow import csv

        return {
            "read_options": csv.ReadOptions(encoding=self.text.encoding),
            "parse_options": csv.ParseOptions(delimiter=self.text.delimiter_of(self.name)),
            "convert_options": csv.ConvertOptions(
                include_columns=columns or [], decimal_point=self.text.decimal
            ),
        }

    def _dataset(self) -> Any:
        import pyarrow.dataset as ds

        return ds.dataset(str(self.path), format=self.kind, partitioning="hive")

    def _schema(self) -> Any:
        from pyarrow import csv, json

        if self.kind == "csv":
            with csv.open_csv(self._source(), **self._csv(None)) as reader:
                schema = reader.schema
            self._refuse_wrong_delimiter(schema.names)
            return schema
        if self.kind == "json":
            return json.read_json(self._source()).schema
        return self._dataset().schema

    def _refuse_wrong_delimiter(self, names: list[str]) -> None:
        if len(names) != 1:
            return
        for delimiter, told in DELIMITERS.items():
            if delimiter in names[0] and delimiter != self.text.delimiter:
                raise InputError(
                    f"'{self.name}' has one column only, {names[0][:60]!r}: it seems to be "
                    f"separated by {told}. Say --delimiter {told}."
                )

    def _read(self, columns: list[str], told: Told) -> Any:
        import pyarrow as pa
        from pyarrow import csv, json

        if self.kind == "csv":
            return csv.read_csv(self._source(), **self._csv(columns))
        if self.kind == "json":
            return json.read_json(self._source()).select(columns)
        dataset = self._dataset()
        total = dataset.count_rows()
        batches = []
        done = 0
        for batch in dataset.to_batches(columns=columns, batch_size=TAKEN):
            batches.append(batch)
            done += batch.num_rows
            told(done, total)
        schema = pa.schema([dataset.schema.field(name) for name in columns])
        return pa.Table.from_batches(batches, schema)

    def refuse_missing(self, names: Sequence[str], known: list[str] | None = None) -> None:
        """Refuse names of columns that are not there, with the nearest one that is."""
        there = self.schema.names if known is None else known
        for name in names:
            if there.count(name) > 1:
                raise InputError(
                    f"'{self.name}' has several columns called {name!r}. Rename them first."
                )
            if name in there:
                continue
            near = difflib.get_close_matches(name, there, 1, 0.6)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            listed = ", ".join(map(repr, there[:8])) + (", …" if len(there) > 8 else "")
            raise InputError(f"'{self.name}' has no column {name!r}.{hint} Its columns: {listed}.")


@dataclass(frozen=True)
class TextFormat:
    """How text files are written."""

    delimiter: str | None = None
    decimal: str = "."
    encoding: str = "utf-8"

    def delimiter_of(self, name: str) -> str:
        """Return what separates the columns of a file."""
        return self.delimiter or ("\t" if ".tsv" in Path(name).suffixes else ",")


@contextmanager
def _reading(name: str, kind: str) -> Iterator[None]:
    """Turn what goes wrong while a file is read into a sentence."""
    import pyarrow as pa

    try:
        yield
    except InputError:
        raise
    except (pa.ArrowException, OSError, EOFError, UnicodeError, LookupError) as error:
        raise InputError(_what_is_wrong(name, kind, error)) from None


def _what_is_wrong(name: str, kind: str, error: Exception) -> str:
    told = " ".join(str(error).split())[:300]
    if isinstance(error, LookupError) and "encoding" in told:
        return f"--encoding: {told}."
    if isinstance(error, UnicodeError) or "UTF8" in told or "utf-8" in told.lower():
        return (
            f"'{name}' is not all written in UTF-8 ({told}). Convert it, or say how it is written "
            "with --encoding, such as --encoding latin-1."
        )
    if "Expected" in told and "columns, got" in told:
        return (
            f"'{name}' has rows of different length: {told}. Repair it, or say what separates "
            "columns with --delimiter."
        )
    if "Empty CSV file" in told or "Empty JSON" in told:
        return f"'{name}' is empty."
    return (
        f"'{name}' cannot be read as {kind.upper()}: it is damaged, cut off, or something else "
        f"({told})."
    )


def open_files(
    names: Sequence[str],
    *,
    delimiter: str | None = None,
    decimal: str = ".",
    encoding: str = "utf-8",
) -> list[FileTable]:
    """Find the files: each by its path; a folder with all in it; ``-`` is CSV on standard input."""
    try:
        import pyarrow as pa
    except ImportError:
        raise MissingDependencyError(
            "Reading files", "pyarrow", "pip install 'roctopus[files]'"
        ) from None
    del pa
    text = TextFormat(delimiter, decimal, encoding)
    found: list[FileTable] = []
    for name in names:
        if name == "-":
            content = sys.stdin.buffer.read()
            if not content.strip():
                raise InputError("Standard input is empty.")
            found.append(FileTable("standard input", None, "csv", text, content))
            continue
        path = Path(name)
        found += _folder(path, text) if path.is_dir() else [_file(path, name, text)]
    return found


def _kind(path: Path) -> str | None:
    suffixes = [s.lower() for s in path.suffixes]
    if suffixes and suffixes[-1] in SQUEEZED:
        suffixes.pop()
    return KINDS.get(suffixes[-1]) if suffixes else None


def _file(path: Path, name: str, text: TextFormat) -> FileTable:
    try:
        size = path.stat().st_size
    except OSError as error:
        near = _nearest(path)
        hint = f" Did you mean '{near}'?" if near else ""
        raise InputError(f"'{name}' cannot be read: {error.strerror}.{hint}") from None
    if size == 0:
        raise InputError(f"'{name}' is empty.")
    kind = _kind(path)
    if kind is None:
        raise InputError(
            f"'{name}' is of a kind that is not known. Known endings: {', '.join(KINDS)}, and .gz "
            "after those of text."
        )
    return FileTable(name, path, kind, text)


def _nearest(path: Path) -> str | None:
    try:
        there = [each.name for each in path.parent.iterdir()]
    except OSError:
        return None
    near = difflib.get_close_matches(path.name, there, 1, 0.6)
    return str(path.parent / near[0]) if near else None


def _folder(path: Path, text: TextFormat) -> list[FileTable]:
    """Return the files of a folder; of Parquet and Arrow as one table, with its partitions."""
    inside = sorted(p for p in path.rglob("*") if p.is_file() and p.name[0] not in "._")
    kinds = {kind for p in inside if (kind := _kind(p)) is not None}
    if len(kinds) != 1:
        what = "files of several kinds" if kinds else "no file of a known kind"
        raise InputError(f"The folder '{path}' holds {what}. Name the files.")
    kind = kinds.pop()
    if kind in ("parquet", "arrow"):
        return [FileTable(str(path), path, kind, text)]
    return [_file(p, str(p), text) for p in inside if _kind(p) == kind]
