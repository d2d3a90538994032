"""Random weights for resampling, in blocks of bounded memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from roctopus.core.errors import InputError

__all__ = ["Random", "poisson_counts", "read_generator"]

Random: TypeAlias = "int | np.random.Generator"

BLOCK = 1 << 22
"""Counts held at a time."""
CELLS = 1 << 16


def _poisson_table() -> NDArray[np.uint8]:
    """Return counts such that a cell drawn evenly is a Poisson(1) count, to 1 in 65,536.

    The mean is then 1 up to 1e-5, which is less than any bootstrap can see.
    """
    share, total = 1.0, 0.0
    table: list[int] = []
    for count in range(12):
        share = float(np.exp(-1.0)) if count == 0 else share / count
        until = round(CELLS * (total + share))
        table += [count] * (until - len(table))
        total += share
    return np.array(table + [1] * (CELLS - len(table)), dtype=np.uint8)[:CELLS]


TABLE = _poisson_table()


def read_generator(rng: Random) -> np.random.Generator:
    """Return a generator from a seed, or as given."""
    whole = isinstance(rng, (int, np.integer)) and not isinstance(rng, bool)
    if isinstance(rng, np.random.Generator) or (whole and rng >= 0):
        return np.random.default_rng(rng)
    raise InputError(
        f"'rng' must be a seed (a whole number from 0 on) or a Generator, got {rng!r}."
    )


def poisson_counts(
    size: int, replicates: int, generator: np.random.Generator
) -> Iterator[NDArray[np.float32]]:
    """Yield blocks of Poisson(1) counts: a row per replicate, a column per unit.

    Counts are looked up in a table, which takes a tenth of the time of drawing them. They are small
    and whole, so single precision holds them exactly, at half the cost.
    """
    rows = max(1, BLOCK // max(size, 1))
    for begin in range(0, replicates, rows):
        shape = (min(rows, replicates - begin), size)
        cells = np.frombuffer(generator.bytes(2 * shape[0] * size), dtype=np.uint16)
        yield TABLE[cells].reshape(shape).astype(np.float32)
