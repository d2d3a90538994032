"""Rows in batches, put through states: in parallel, and always added up in the same order."""

from __future__ import annotations

import copy
import os
from abc import abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from typing import Any, TypeVar

import numpy as np

from roctopus.concepts.streams import RowsDone
from roctopus.core.errors import InputError
from roctopus.engines.sorting import advance_sorted

ROWS_AT_ONCE = 1 << 18
"""Rows that one thread takes in before its sums are added to the others."""


T = TypeVar("T")


@contextmanager
def reading(say: Callable[[Exception], str], *others: type[Exception]) -> Iterator[None]:
    """Turn what goes wrong while rows are read into a sentence."""
    import pyarrow as pa

    try:
        yield
    except InputError:
        raise
    except (pa.ArrowException, OSError, EOFError, ValueError, *others) as error:
        raise InputError(say(error)) from None


def in_short(error: Exception) -> str:
    """Return what an error says, on one line."""
    return " ".join(str(error).split())[:300]


class BatchedSource:
    """Rows that are read in batches, and sorted beyond memory."""

    name: str
    memory: int
    spill: str | None

    @abstractmethod
    def _batches(self, columns: Sequence[str]) -> Iterator[dict[str, Any]]:
        """Yield all rows."""

    def ordered(self, columns: Sequence[str], start: Any, told: RowsDone) -> Any:
        """Return the state after all rows in order; what memory does not hold is written to disk.

        Parameters
        ----------
        columns : sequence of str
            Names of the columns; rows are sorted by the first of them.
        start : state
            State before the first row.
        told : callable
            Called with the number of rows done.

        Returns
        -------
        state
            The state after the last row.
        """
        batches = self._batches(columns)
        return advance_sorted(batches, start, told, memory=self.memory, spill=self.spill)

    def _joined(self, found: list[dict[str, Any]], columns: Sequence[str]) -> dict[str, Any]:
        """Return columns of several batches in one; raise an error for none at all."""
        if not found:
            raise InputError(f"'{self.name}' has no rows.")
        return {name: np.concatenate([each[name] for each in found]) for name in columns}


def reduce_parts(parts: Iterable[Iterable[dict[str, Any]]], start: Any, told: RowsDone) -> Any:
    """Return the state after all parts, each of which yields batches.

    Parts are worked on by all cores; their states are merged in the order of the parts, so that a
    sum does not depend on which thread was first.
    """
    state, done = copy.deepcopy(start), 0
    # A large block that is freed once makes the C library keep memory for the many columns of
    # batches to come. Otherwise each goes back to the system, and comes from there again.
    np.empty(31 << 20, dtype=np.uint8)
    workers = max(os.cpu_count() or 1, 1)
    waiting: deque[Future[tuple[Any, int]]] = deque()

    def take_first() -> None:
        nonlocal done
        found, rows = waiting.popleft().result()
        state.merge(found)
        done += rows
        told(done)

    with ThreadPoolExecutor(workers) as pool:
        try:
            for part in parts:
                waiting.append(pool.submit(copy_context().run, _run, part, start))
                if len(waiting) > workers + 1:
                    take_first()
            while waiting:
                take_first()
        except BaseException:
            for future in waiting:
                future.cancel()
            raise
    return state


def _run(part: Iterable[dict[str, Any]], start: Any) -> tuple[Any, int]:
    state, rows = copy.deepcopy(start), 0
    for batch in part:
        state.update(batch)
        rows += _rows_of(batch)
    return state, rows


def _rows_of(batch: dict[str, Any]) -> int:
    return len(next(iter(batch.values())))


def in_blocks(
    items: Iterable[T],
    rows_of: Callable[[Any], int] = _rows_of,
    rows_at_once: int = ROWS_AT_ONCE,
) -> Iterator[list[T]]:
    """Group what comes one after another, such as batches, so that each block has enough rows."""
    block: list[T] = []
    rows = 0
    for item in items:
        block.append(item)
        rows += rows_of(item)
        if rows >= rows_at_once:
            yield block
            block, rows = [], 0
    if block:
        yield block
