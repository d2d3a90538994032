"""Numbers that stand for missing values, such as -999: what they are and where they lie."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from roctopus.core.arrays import Floats
from roctopus.engines.columns import numbers

NINES = frozenset(
    sign * float(digit * places) / 10**decimals
    for sign in (1, -1)
    for digit in "98"
    for places in range(2, 9)
    for decimals in range(min(places, 4))
)
"""What weather services, surveys and loggers write: -999, 9999.9, -88."""
ENDS = frozenset(
    [-(2.0**15), 2.0**15 - 1, 2.0**16 - 1, -(2.0**31), 2.0**31 - 1, 2.0**32 - 1, -(2.0**63)]
    + [sign * 10.0**power for sign in (1, -1) for power in (20, 30, 36)]
)
"""The ends of ranges of machine numbers, and fill values."""
FEWEST = 10
"""So many other values show where values lie."""


def notes_on_stand_ins(columns: Iterable[tuple[str, Floats]]) -> list[str]:
    """Say which numbers of columns may stand for missing values."""
    notes = []
    for name, values in columns:
        for number, times in stand_ins(values):
            often = "once" if times == 1 else f"{times:,} times"
            notes.append(
                f"{number:g} occurs {often} in column {name!r}, far from all other values (if it "
                "stands for a missing value, empty these cells)"
            )
    return notes


def in_table(table: Any, columns: Sequence[str]) -> list[str]:
    """Say which numbers of a table's columns may stand for missing values."""
    import pyarrow as pa
    import pyarrow.compute as pc

    found = []
    for name in columns:
        kind = table.schema.field(name).type
        if pa.types.is_integer(kind) or pa.types.is_floating(kind):
            ends = pc.min_max(table.column(name)).as_py().values()
            if any(float(end) in NINES | ENDS for end in ends if end is not None):
                found.append((name, numbers(table, name)))
    return notes_on_stand_ins(found)


def stand_ins(values: Floats) -> list[tuple[float, int]]:
    """Return the lowest and the highest number if they may stand for missing values, and how often.

    They are far away if the gap is as wide as the range of all others, or if they alone are
    negative.
    """
    there = values[np.isfinite(values)]
    found = []
    for end in (np.min, np.max):
        if not len(there):
            break
        number = float(end(there))
        others = there[there != number]
        if number not in NINES | ENDS or len(others) < FEWEST:
            continue
        low, high = float(others.min()), float(others.max())
        gap = low - number if number < low else number - high
        if low < high and (gap >= high - low or number < 0.0 <= low):
            found.append((number, len(there) - len(others)))
            there = others
    return found
