"""Rows of files: Parquet, Arrow, CSV and JSON lines, in folders and partitions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roctopus.concepts.streams import RowsDone
from roctopus.core.errors import InputError
from roctopus.core.names import refuse_missing
from roctopus.engines.batches import ROWS_AT_ONCE, reduce_parts
from roctopus.engines.columns import numbers, values
from roctopus.engines.sorting import advance_sorted

ROWS = 1 << 17
PILOTS = 8
"""A first sample of rows is taken from so many places."""


class ArrowSource:
    """Rows of a pyarrow dataset, read by all cores, row group by row group."""

    def __init__(
        self,
        dataset: Any,
        name: str = "the dataset",
        *,
        memory: int = 1 << 31,
        spill: str | None = None,
    ) -> None:
        self.dataset, self.name = dataset, name
        self.memory, self.spill = memory, spill

    def names(self) -> list[str]:
        """Return the names of the columns."""
        return list(self.dataset.schema.names)

    @cached_property
    def _fragments(self) -> list[Any]:
        try:
            return list(self.dataset.get_fragments())
        except ValueError:
            raise InputError(
                "A filtered dataset cannot be read in parts. Filter the rows beforehand, or give "
                "a DuckDB relation with a WHERE."
            ) from None

    def rows(self) -> int:
        """Return the number of rows."""
        return sum(self._guarded(each, each.count_rows) for each in self._fragments)

    def pilot(self, columns: Sequence[str], rows: int) -> dict[str, NDArray[Any]]:
        """Return rows from the beginnings of some of the files."""
        refuse_missing(columns, self.names(), self.name)
        step = max(len(self._fragments) // PILOTS, 1)
        found: list[dict[str, NDArray[Any]]] = []
        left = rows
        for fragment in self._fragments[::step]:
            for batch in self._batches(fragment, columns):
                some = {name: each[: max(rows // PILOTS, 1)] for name, each in batch.items()}
                if len(some[columns[0]]):
                    found.append(some)
                    left -= len(some[columns[0]])
                    break
        if not found:
            raise InputError(f"'{self.name}' has no rows.")
        return {name: np.concatenate([each[name] for each in found]) for name in columns}

    def reduce(self, columns: Sequence[str], start: Any, told: RowsDone) -> Any:
        """Return the state after all rows."""
        return reduce_parts(self._parts(list(dict.fromkeys(columns))), start, told)

    def ordered(self, columns: Sequence[str], start: Any, told: RowsDone) -> Any:
        """Return the state after all records in order; what memory does not hold is spilled."""
        batches = (batch for part in self._parts(list(columns)) for batch in part())
        return advance_sorted(batches, start, told, memory=self.memory, spill=self.spill)

    def table(self, columns: Sequence[str]) -> Any:
        """Return columns as an Arrow table in memory."""
        import pyarrow as pa

        state = _Tables()
        found = self.reduce(columns, state, lambda rows: None)
        if not found.parts:
            raise InputError(f"'{self.name}' has no rows.")
        for name in columns:
            kinds = {each[name].dtype.kind for each in found.parts}
            if len(kinds) > 1:
                raise InputError(
                    f"The column {name!r} of '{self.name}' holds numbers in some files, and text "
                    "in others."
                )
        return pa.table(
            {name: np.concatenate([each[name] for each in found.parts]) for name in columns}
        )

    def _parts(self, columns: list[str]) -> Iterator[Callable[[], Iterator[dict[str, Any]]]]:
        """Yield what reads a quarter of a million rows or more each."""
        refuse_missing(columns, self.names(), self.name)
        for fragment in self._fragments:
            pieces = [fragment]
            if hasattr(fragment, "split_by_row_group"):
                pieces = self._guarded(fragment, fragment.split_by_row_group)
            block: list[Any] = []
            size = 0
            for piece in pieces:
                block.append(piece)
                groups = getattr(piece, "row_groups", None) or []
                size += sum(group.num_rows for group in groups) or ROWS_AT_ONCE
                if size >= ROWS_AT_ONCE:
                    yield self._reader(block, columns)
                    block, size = [], 0
            if block:
                yield self._reader(block, columns)

    def _reader(
        self, pieces: list[Any], columns: list[str]
    ) -> Callable[[], Iterator[dict[str, Any]]]:
        return lambda: (batch for piece in pieces for batch in self._batches(piece, columns))

    def _batches(self, fragment: Any, columns: Sequence[str]) -> Iterator[dict[str, Any]]:
        """Yield columns of a file as it is: others may have other types."""
        import pyarrow.dataset as ds

        told = ds.get_partition_keys(fragment.partition_expression)
        schema = self._guarded(fragment, lambda: fragment.physical_schema)
        inside = [name for name in columns if name not in told]
        refuse_missing(inside, schema.names, _where(fragment, self.name))
        reader = self._guarded(
            fragment,
            lambda: iter(fragment.to_batches(columns=inside, batch_size=ROWS, use_threads=False)),
        )
        while True:
            batch = self._guarded(fragment, lambda: next(reader, None))
            if batch is None:
                return
            try:
                found = columns_of(batch, inside)
            except InputError as refusal:
                raise InputError(f"'{_where(fragment, self.name)}': {refusal.marked}") from None
            size = batch.num_rows
            for name in columns:
                if name in told:
                    found[name] = _constant(told[name], size)
            yield found

    def _guarded(self, fragment: Any, action: Callable[[], Any]) -> Any:
        """Say which file cannot be read."""
        import pyarrow as pa

        try:
            return action()
        except (pa.ArrowException, OSError, EOFError, ValueError) as error:
            if isinstance(error, InputError):
                raise
            told = " ".join(str(error).split())[:300]
            raise InputError(
                f"'{_where(fragment, self.name)}' cannot be read: it is damaged, cut off, or "
                f"something else ({told})."
            ) from None


class _Tables:
    """All batches, as they are."""

    def __init__(self) -> None:
        self.parts: list[dict[str, Any]] = []

    def update(self, batch: dict[str, Any]) -> None:
        self.parts.append(batch)

    def merge(self, other: _Tables) -> None:
        self.parts += other.parts


def _where(fragment: Any, name: str) -> str:
    return str(getattr(fragment, "path", None) or name)


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
        kind = table.schema.field(name).type
        if pa.types.is_dictionary(kind):
            kind = kind.value_type
        is_text = pa.types.is_string(kind) or pa.types.is_large_string(kind)
        found[name] = _text(table, name) if is_text else numbers(table, name)
    return found


def _text(table: Any, name: str) -> Any:
    """Return numbers that were written as text, or the text."""
    try:
        return numbers(table, name)
    except InputError:
        return np.array(values(table, name), dtype=object)
