"""Batches put through states: in parallel, and always added up in the same order."""

from __future__ import annotations

import copy
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from typing import Any

import numpy as np

from roctopus.concepts.streams import RowsDone

ROWS_AT_ONCE = 1 << 18
"""Rows that one thread takes in before its sums are added to the others."""


def reduce_parts(
    parts: Iterable[Callable[[], Iterator[dict[str, Any]]]], start: Any, told: RowsDone
) -> Any:
    """Return the state after all parts, each a function that yields batches.

    Parts are worked on by all cores; their states are merged in the order of the parts, so that a
    sum does not hang on which thread was first.
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


def _run(part: Callable[[], Iterator[dict[str, Any]]], start: Any) -> tuple[Any, int]:
    state, rows = copy.deepcopy(start), 0
    for batch in part():
        state.update(batch)
        rows += len(next(iter(batch.values())))
    return state, rows


def in_blocks(
    batches: Iterable[dict[str, Any]], rows_at_once: int = ROWS_AT_ONCE
) -> Iterator[Callable[[], Iterator[dict[str, Any]]]]:
    """Group batches that come one after another into parts."""
    block: list[dict[str, Any]] = []
    rows = 0
    for batch in batches:
        block.append(batch)
        rows += len(next(iter(batch.values())))
        if rows >= rows_at_once:
            yield _listed(block)
            block, rows = [], 0
    if block:
        yield _listed(block)


def _listed(block: list[dict[str, Any]]) -> Callable[[], Iterator[dict[str, Any]]]:
    return lambda: iter(block)
