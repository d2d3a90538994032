"""Rows of DuckDB: tables, queries, and whatever it reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any

from numpy.typing import NDArray

from roctopus.concepts.streams import RowsDone
from roctopus.core.names import refuse_missing
from roctopus.engines.arrow import columns_of
from roctopus.engines.batches import BatchedSource, in_blocks, in_short, reading, reduce_parts
from roctopus.engines.sorting import arrow_reader

ROWS = 1 << 17


class DuckSource(BatchedSource):
    """Rows of a DuckDB relation, such as ``connection.sql(...)`` or ``connection.table(...)``."""

    def __init__(
        self,
        relation: Any,
        name: str = "the query",
        *,
        memory: int = 1 << 31,
        spill: str | None = None,
    ) -> None:
        self.relation, self.name = relation, name
        self.memory, self.spill = memory, spill

    def names(self) -> list[str]:
        """Return the names of the columns."""
        with _telling(self.name):
            return list(self.relation.columns)

    def rows(self) -> int:
        """Return the number of rows."""
        with _telling(self.name):
            return int(self.relation.aggregate("count(*)").fetchall()[0][0])

    def pilot(self, columns: Sequence[str], rows: int) -> dict[str, NDArray[Any]]:
        """Return some of the first rows."""
        return self._joined(list(self._batches(columns, rows)), columns)

    def reduce(self, columns: Sequence[str], start: Any, told: RowsDone) -> Any:
        """Return the state after all rows."""
        return reduce_parts(in_blocks(self._batches(columns)), start, told)

    def table(self, columns: Sequence[str]) -> Any:
        """Return columns as an Arrow table in memory."""
        refuse_missing(columns, self.names(), self.name)
        with _telling(self.name):
            return self._selected(columns).to_arrow_table()

    def _selected(self, columns: Sequence[str]) -> Any:
        return self.relation.select(", ".join(_quoted(name) for name in dict.fromkeys(columns)))

    def _batches(self, columns: Sequence[str], rows: int | None = None) -> Iterator[dict[str, Any]]:
        """Yield all rows, or so many of the first."""
        refuse_missing(columns, self.names(), self.name)
        with _telling(self.name):
            chosen = self._selected(columns)
            reader = arrow_reader(chosen if rows is None else chosen.limit(rows), ROWS)
            for batch in reader:
                if batch.num_rows:
                    yield columns_of(batch, columns)


def _quoted(name: str) -> str:
    """Return a column's name as SQL takes it, whatever is in it."""
    doubled = name.replace('"', '""')
    return f'"{doubled}"'


def _telling(name: str) -> AbstractContextManager[None]:
    import duckdb

    return reading(lambda error: f"DuckDB cannot read '{name}' ({in_short(error)}).", duckdb.Error)
