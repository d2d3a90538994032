"""Hashes of data that do not depend on the order of rows and can be summed over parts."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from roctopus.core.arrays import Floats


def fingerprint(columns: Sequence[Floats]) -> str:
    """Return a hash of the rows of some columns, whatever their order.

    Every row is hashed by itself and the hashes are added, so rows may come in any order.
    """
    return fingerprint_of(hash_rows(columns), len(columns), len(columns[0]))


def hash_rows(columns: Sequence[Floats]) -> tuple[int, ...]:
    """Return sums of hashes of the rows; those of parts of the rows can be added up."""
    sums = []
    for seed in (0x9E3779B97F4A7C15, 0xD1B54A32D192ED03):
        mixed = np.full(len(columns[0]), seed, dtype=np.uint64)
        for column in columns:  # the finisher of splitmix64, number by number
            bits = (np.asarray(column, dtype=np.float64) + 0.0).view(np.uint64)
            mixed = (mixed ^ bits) * np.uint64(0xBF58476D1CE4E5B9)
            mixed ^= mixed >> np.uint64(27)
            mixed *= np.uint64(0x94D049BB133111EB)
            mixed ^= mixed >> np.uint64(31)
        sums.append(int(mixed.sum(dtype=np.uint64)))
    return tuple(sums)


def fingerprint_of(sums: Sequence[int], columns: int, rows: int) -> str:
    """Return the hash that sums over all rows lead to."""
    return fingerprint_of_text(f"{columns} {rows} {[each % 2**64 for each in sums]}")


def fingerprint_of_text(text: str) -> str:
    """Return the hash of a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
