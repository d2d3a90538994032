"""Sort more records than memory holds, with DuckDB, and move a state over them."""

from __future__ import annotations

import copy
import tempfile
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from roctopus.concepts.streams import Columns, Told
from roctopus.core.errors import InputError, MissingDependencyError

__all__ = ["advance_sorted", "whole_groups"]

ROWS = 1 << 17
"""Rows of a sorted batch."""
LEAST_MEMORY = 64_000_000


def advance_sorted(
    batches: Iterable[Columns],
    start: Any,
    told: Told,
    *,
    memory: int,
    spill: str | None = None,
) -> Any:
    """Return the state after the records of all batches, in the order of their keys.

    What does not fit into ``memory`` bytes is written to a folder in ``spill`` and removed again.
    """
    try:
        import duckdb
    except ImportError:
        raise MissingDependencyError(
            "Sorting more rows than memory holds", "duckdb", "pip install 'roctopus[files]'"
        ) from None
    import pyarrow as pa

    if memory < LEAST_MEMORY:
        raise InputError(
            f"'memory' must be at least 64 MB to sort rows, got {memory / 1e6:.3g} MB."
        )
    state = copy.deepcopy(start)
    records = (pa.RecordBatch.from_pydict(start.records(batch)) for batch in batches)
    first = next(records, None)
    if first is None:
        return state
    stream = pa.RecordBatchReader.from_batches(first.schema, _again(first, records))
    try:
        with (
            tempfile.TemporaryDirectory(prefix="roctopus-", dir=spill) as folder,
            duckdb.connect(
                config={
                    "memory_limit": f"{memory // 1000}KB",
                    "temp_directory": folder,
                }
            ) as connection,
        ):
            # The default setting keeps the order of a sorted result; others have not.
            connection.execute("SET enable_progress_bar = false")
            connection.register("records", stream)
            found = connection.sql("SELECT * FROM records ORDER BY key").to_arrow_reader(ROWS)
            done = 0
            for chunk in whole_groups(_columns(each) for each in found if each.num_rows):
                state.advance(chunk)
                done += len(chunk["key"])
                told(done)
    except duckdb.OutOfMemoryException:
        raise InputError(
            f"{memory / 1e6:.0f} MB are too little to sort these rows. Give more 'memory'."
        ) from None
    except (duckdb.IOException, OSError) as error:
        raise InputError(
            f"The rows could not be sorted: writing to '{spill or tempfile.gettempdir()}' failed "
            f"({' '.join(str(error).split())[:200]}). Make room there, or give another folder "
            "('spill')."
        ) from None
    return state


def _again(first: Any, others: Iterator[Any]) -> Iterator[Any]:
    yield first
    yield from others


def _columns(batch: Any) -> dict[str, Any]:
    names = batch.schema.names
    return {name: batch.column(k).to_numpy(zero_copy_only=False) for k, name in enumerate(names)}


def whole_groups(batches: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield sorted batches so that equal keys never lie in two of them."""
    held: dict[str, Any] | None = None
    for batch in batches:
        if held is not None:
            if batch["key"][0] < held["key"][-1]:
                raise RuntimeError("Sorted rows came out of order.")
            batch = {name: np.concatenate([held[name], each]) for name, each in batch.items()}
        key = batch["key"]
        if np.any(key[1:] < key[:-1]):
            raise RuntimeError("Sorted rows came out of order.")
        cut = int(np.searchsorted(key, key[-1]))
        held = {name: each[cut:] for name, each in batch.items()}
        if cut:
            yield {name: each[:cut] for name, each in batch.items()}
    if held is not None:
        yield held
