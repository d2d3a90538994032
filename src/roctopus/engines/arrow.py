"""Rows of files: Parquet, Arrow, CSV and JSON lines, in folders and partitions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roctopus.concepts.streams import RowsDone
from roctopus.core.errors import InputError
from roctopus.core.names import refuse_missing
from roctopus.engines.batches import (
    ROWS_AT_ONCE,
    BatchedSource,
    in_blocks,
    in_short,
    reading,
    reduce_parts,
)
from roctopus.engines.columns import is_text, numbers, values

ROWS = 1 << 17
PILOTS = 8
"""A first sample of rows is taken from so many places."""


class ArrowSource(BatchedSource):
    """Rows of a pyarrow dataset, read by all cores, row group by row group."""

    def __init__(
        self,
        dataset: Any,
        name: str = "the dataset",
        *,
        memory: int = 1 << 31,
        spill: str | None = None,
    ) -> None:
        self._dataset, self.name = dataset, name
        self.memory, self.spill = memory, spill

    def names(self) -> list[str]:
        """Return the names of the columns."""
        with self._telling(self._dataset):
            return list(self._dataset.schema.names)

    @cached_property
    def _fragments(self) -> list[Any]:
        dataset = self._dataset
        try:
            return list(dataset.get_fragments())
        except ValueError:
            raise InputError(
                "A dataset with a filter (dataset.filter(...)) cannot be read in parts. Write the "
                "filtered rows to a file first, or use a DuckDB relation with a WHERE clause."
            ) from None

    def rows(self) -> int:
        """Return the number of rows."""
        total = 0
        for fragment in self._fragments:
            with self._telling(fragment):
                total += fragment.count_rows()
        return total

    def pilot(self, columns: Sequence[str], rows: int) -> dict[str, NDArray[Any]]:
        """Return rows from the beginnings of some of the files."""
        refuse_missing(columns, self.names(), self.name)
        step = max(len(self._fragments) // PILOTS, 1)
        found: list[dict[str, NDArray[Any]]] = []
        for fragment in self._fragments[::step]:
            for batch in self._batches_of(fragment, columns):
                some = {name: each[: max(rows // PILOTS, 1)] for name, each in batch.items()}
                if len(some[columns[0]]):
                    found.append(some)
                    break
        return self._joined(found, columns)

    def reduce(self, columns: Sequence[str], start: Any, told: RowsDone) -> Any:
        """Return the state after all rows, read by all cores.

        Parameters
        ----------
        columns : sequence of str
            Names of the columns.
        start : state
            State before the first row.
        told : callable
            Called with the number of rows done.

        Returns
        -------
        state
            The state after the last row.
        """
        return reduce_parts(self._parts(list(dict.fromkeys(columns))), start, told)

    def _batches(self, columns: Sequence[str]) -> Iterator[dict[str, Any]]:
        """Yield all rows."""
        return chain.from_iterable(self._parts(columns))

    def table(self, columns: Sequence[str]) -> Any:
        """Return columns as an Arrow table in memory."""
        import pyarrow as pa

        found = self.reduce(columns, _Batches(), lambda rows: None)
        for name in columns:
            kinds = {each[name].dtype.kind for each in found}
            if len(kinds) > 1:
                raise InputError(
                    f"The column {name!r} of '{self.name}' contains numbers in some files, but "
                    "text in others. Convert it to the same type in all files."
                )
        return pa.table(self._joined(found, columns))

    def _parts(self, columns: Sequence[str]) -> Iterator[Iterator[dict[str, Any]]]:
        """Yield what reads a quarter of a million rows or more each."""
        refuse_missing(columns, self.names(), self.name)
        for fragment in self._fragments:
            pieces = [fragment]
            if hasattr(fragment, "split_by_row_group"):
                with self._telling(fragment):
                    pieces = fragment.split_by_row_group()
            for block in in_blocks(pieces, _rows_of):
                yield chain.from_iterable(self._batches_of(piece, columns) for piece in block)

    def _batches_of(self, fragment: Any, columns: Sequence[str]) -> Iterator[dict[str, Any]]:
        """Yield columns of a file as it is: others may have other types."""
        import pyarrow.dataset as ds

        told = ds.get_partition_keys(fragment.partition_expression)
        inside = [name for name in columns if name not in told]
        where = self._where(fragment)
        with self._telling(fragment):
            refuse_missing(inside, fragment.physical_schema.names, where)
            for batch in _stored(fragment, inside):
                try:
                    batch.validate(full=True)  # damaged buffers crash whatever uses them
                    found = self._columns_of(fragment, batch, inside)
                except InputError as refusal:
                    raise InputError(f"'{where}': {refusal.marked}") from None
                size = batch.num_rows
                yield found | {n: _constant(told[n], size) for n in columns if n in told}

    def _columns_of(self, fragment: Any, batch: Any, columns: Sequence[str]) -> dict[str, Any]:
        """Return columns of a batch of a file."""
        return columns_of(batch, columns)

    def _where(self, fragment: Any) -> str:
        return str(getattr(fragment, "path", None) or self.name)

    def _telling(self, fragment: Any) -> AbstractContextManager[None]:
        """Say which file cannot be read."""
        return reading(
            lambda error: (
                f"'{self._where(fragment)}' cannot be read: it is damaged, truncated, or in "
                f"another format ({in_short(error)})."
            )
        )


def _stored(fragment: Any, columns: Sequence[str]) -> Iterator[Any]:
    """Yield columns of a file in batches.

    pyarrow's scanner ends the process on some damaged files of Arrow: what it began in other
    threads goes on after the error. The plain reader has no threads, and raises the error only.
    """
    import pyarrow.dataset as ds

    if not isinstance(getattr(fragment, "format", None), ds.IpcFileFormat):
        yield from fragment.to_batches(columns=columns, batch_size=ROWS, use_threads=False)
        return
    with fragment.open() as file:
        for batch in ipc_batches(file, columns):
            for start in range(0, batch.num_rows, ROWS):
                yield batch.slice(start, ROWS)


def ipc_batches(file: Any, columns: Sequence[str]) -> Iterator[Any]:
    """Yield columns of a file in Arrow's own format, as its batches hold them."""
    import pyarrow as pa

    names = pa.ipc.open_file(file).schema.names
    inside = [at for at, name in enumerate(names) if name in columns]
    reader = pa.ipc.open_file(file, options=pa.ipc.IpcReadOptions(included_fields=inside))
    for number in range(reader.num_record_batches):
        yield reader.get_batch(number)


class _Batches(list[dict[str, Any]]):
    """A state that keeps all batches, as they are."""

    update, merge = list.append, list.extend


def _rows_of(piece: Any) -> int:
    """Return the rows of some row groups; where there are none, as many as one thread takes."""
    groups = getattr(piece, "row_groups", None) or []
    return sum(group.num_rows for group in groups) or ROWS_AT_ONCE


def _constant(value: Any, size: int) -> NDArray[Any]:
    if value is None:  # a partition without a name
        return np.full(size, np.nan)
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return np.full(size, float(value) if is_number else str(value))


def columns_of(batch: Any, columns: Sequence[str]) -> dict[str, Any]:
    """Return columns of an Arrow table or batch: numbers as doubles, missing ones NaN, and text."""
    import pyarrow as pa

    table = pa.Table.from_batches([batch]) if isinstance(batch, pa.RecordBatch) else batch
    found: dict[str, Any] = {}
    for name in columns:
        words = is_text(table.schema.field(name).type)
        found[name] = _text(table, name) if words else numbers(table, name)
    return found


def _text(table: Any, name: str) -> Any:
    """Return numbers that were written as text, or the text."""
    try:
        return numbers(table, name)
    except InputError:
        return np.array(values(table, name), dtype=object)
