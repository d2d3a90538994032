"""What runs on Spark's executors: batches of Arrow come in, pickled states go out.

Functions of a module are sent by name, so the executors need roctopus, not only this file.
"""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roctopus.concepts.streams import OrderedState
from roctopus.core.arrays import Floats
from roctopus.core.errors import RoctopusError
from roctopus.engines.arrow import columns_of

PLACE = "roctopus range"
STATES = "place int, rows bigint, state binary, trouble string"
"""What a task gives: where its rows belong, their number, and a state or why there is none."""


def take_rows(columns: Sequence[str], start: Any, batches: Iterator[Any]) -> Iterator[Any]:
    """Take the rows of one partition; one without rows gives nothing."""
    from pyspark import TaskContext

    context = TaskContext.get()
    place = context.partitionId() if context else 0
    state, done = copy.deepcopy(start), 0
    for batch in batches:
        try:
            state.update(read_columns(batch, columns))
        except RoctopusError as error:
            where = f" Here, row 0 is row {done} of Spark's partition {place}."
            yield _row(place, done, None, str(error) + where)
            return
        done += batch.num_rows
    if done:
        yield _row(place, done, state)


def make_records(
    columns: Sequence[str],
    start: OrderedState,
    kept: Sequence[str],
    borders: Floats,
    batches: Iterator[Any],
) -> Iterator[Any]:
    """Make records, each with the range that its key lies in."""
    import pyarrow as pa

    for batch in batches:
        try:
            records = start.records(read_columns(batch, columns))
        except RoctopusError:  # a key that sorts last tells it
            records = dict.fromkeys(kept, np.array([np.nan]))
        else:
            if np.isnan(records["key"]).any():
                raise ValueError("Records must have keys that are numbers.")
        place = np.searchsorted(borders, records["key"], side="right").astype(np.int32)
        arrays = [place, *(records[name] + 0.0 for name in kept)]  # + 0.0: there is one zero
        yield pa.RecordBatch.from_arrays(list(map(pa.array, arrays)), [PLACE, *kept])


def take_records(
    start: OrderedState, kept: Sequence[str], borders: Floats, batches: Iterator[Any]
) -> Iterator[Any]:
    """Take sorted records, range by range: a partition may hold several ranges."""
    held: list[dict[str, Floats]] = []
    place, last = -1, -np.inf
    for batch in batches:
        if batch.num_rows == 0:
            continue
        records = read_columns(batch, kept)
        keys = records["key"]
        if np.isnan(keys[-1]):
            yield _row(-1, 0, None, "refused")
            return
        if keys[0] < last or np.any(keys[1:] < keys[:-1]):
            raise AssertionError("Spark gave records out of order.")
        last = keys[-1]
        places = np.searchsorted(borders, keys, side="right")
        starts = [0, *(np.flatnonzero(np.diff(places)) + 1), len(keys)]
        for begin, end in pairwise(starts):
            if held and places[begin] != place:
                yield _advanced(start, place, held)
                held = []
            place = int(places[begin])
            held.append({name: column[begin:end] for name, column in records.items()})
    if held:
        yield _advanced(start, place, held)


def _advanced(start: OrderedState, place: int, held: list[dict[str, Floats]]) -> Any:
    """Return the state of one range, its ties put into one order whatever Spark's was."""
    records = {name: np.concatenate([part[name] for part in held]) for name in held[0]}
    keys = records["key"]
    if len(records) > 1 and np.any(keys[1:] == keys[:-1]):
        order = np.lexsort([column for name, column in records.items() if name != "key"] + [keys])
        records = {name: column[order] for name, column in records.items()}
    state = start.lifted()
    state.advance(records)
    return _row(place, len(keys), state)


def read_columns(table: Any, columns: Sequence[str]) -> dict[str, NDArray[Any]]:
    """Return the columns of a table or a batch, in their order, as numpy arrays by name."""
    return columns_of(table.rename_columns(list(columns)), columns)


def _row(place: int, rows: int, state: Any, trouble: str | None = None) -> Any:
    import pyarrow as pa

    content = None if state is None else pickle.dumps(state, pickle.HIGHEST_PROTOCOL)
    cells = [
        pa.array([place], pa.int32()),
        pa.array([rows], pa.int64()),
        pa.array([content], pa.binary()),
        pa.array([trouble], pa.string()),
    ]
    return pa.RecordBatch.from_arrays(cells, ["place", "rows", "state", "trouble"])
