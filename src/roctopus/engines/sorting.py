"""Sort more records than memory holds, with DuckDB, and move a state over them."""

from __future__ import annotations

import copy
import os
import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

import numpy as np

from roctopus.concepts.streams import Columns, RowsDone
from roctopus.core.errors import InputError, MissingDependencyError, arg

ROWS = 1 << 17
"""Rows of a sorted batch."""
LEAST_MEMORY = 64_000_000


def advance_sorted(
    batches: Iterable[Columns], start: Any, told: RowsDone, *, memory: int, spill: str | None = None
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
            f"{arg('memory')} must be at least 64 MB to sort rows, but is {memory / 1e6:.3g} MB."
        )
    place = spill or tempfile.gettempdir()
    if not isinstance(place, (str, os.PathLike)) or not os.path.isdir(place):
        raise InputError(f"'spill' must be an existing folder, but is {spill!r}.")
    state = copy.deepcopy(start)
    trouble: list[Exception] = []
    records = _records(batches, start, trouble)
    first = next(records, None)
    if first is None:
        return state
    stream = pa.RecordBatchReader.from_batches(first.schema, chain([first], records))
    settings: dict[str, Any] = {"memory_limit": f"{memory // 1000}KB"}
    with tempfile.TemporaryDirectory(prefix="roctopus-", dir=place) as folder:
        settings["temp_directory"] = folder
        try:
            with duckdb.connect(config=settings) as connection:
                # The default setting keeps the order of a sorted result; others have not.
                connection.execute("SET enable_progress_bar = false")
                connection.register("records", stream)
                done = 0
                try:
                    found = arrow_reader(connection.sql("SELECT * FROM records ORDER BY key"), ROWS)
                    for chunk in whole_groups(_columns(each) for each in found if each.num_rows):
                        state.advance(chunk)
                        done += len(chunk["key"])
                        told(done)
                except BaseException:
                    _let_go(connection)
                    raise
        except (duckdb.Error, OSError) as error:
            if trouble:  # what went wrong while rows were read comes wrapped
                raise trouble[0] from None
            raise InputError(_why(error, memory, place, folder)) from None
    return state


def _let_go(connection: Any) -> None:
    """Stop a query, and wait until its threads have let go of our rows.

    DuckDB 1.1 keeps Python's lock while it closes, and waits for its threads; these need that lock
    to free rows that numpy owns, and wait for ever. Asleep, we hold no lock.
    """
    connection.interrupt()
    time.sleep(0.5)


def _records(batches: Iterable[Columns], start: Any, trouble: list[Exception]) -> Iterator[Any]:
    import pyarrow as pa

    try:
        for batch in batches:
            yield pa.RecordBatch.from_pydict(start.records(batch))
    except Exception as error:
        trouble.append(error)
        raise


def _why(error: Exception, memory: int, place: Any, folder: str) -> str:
    """Say what a sort lacked: memory, or room for what memory does not hold."""
    told = (str(error).splitlines() or [""])[0].split(". ")[0].rstrip(".")[:200]
    free = shutil.disk_usage(folder).free
    if "memory" in told.lower() and free > memory // 4:
        return (
            f"{memory / 1e6:.0f} MB of memory are not enough to sort these rows. Increase "
            f"{arg('memory')}."
        )
    return (
        f"The rows could not be sorted, because the folder for temporary files, '{place}', has "
        f"only {free / 1e6:.0f} MB left. Free some space in this folder, or choose another folder "
        f"with 'spill' ({told})."
    )


def arrow_reader(relation: Any, rows: int) -> Any:
    """Return the batches of a relation; before DuckDB 2 the method has another name."""
    read = getattr(relation, "to_arrow_reader", None) or relation.fetch_arrow_reader
    return read(rows)


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
