"""Odd values: what people and programs hand over by mistake or on purpose."""

from __future__ import annotations

import datetime
from copy import copy
from random import Random
from typing import Any

import numpy as np

NUMBERS = [0, 1, -1, 0.5, 2, 3, 1e-300, 1e300, -1e300, 1e308, 10**400, 2**63, float("inf")]
NUMBERS += [float("-inf"), float("nan"), -0.0, True, False, 5e-324, np.float32(0.3), np.int8(-3)]
TEXTS = ["", "a", "b", "nan", "1e999", "yes", "x" * 5000, "\0", "é\u202e", "=1+1", "1_000", "１２"]
OBJECTS = [None, object(), {}, [], (), set(), b"a", 1j, datetime.date(2024, 1, 3), int, len, ...]


def column(draw: Random, size: int) -> Any:
    """Return a column, mostly of numbers, of any kind that Python has for it."""
    numbers = np.random.default_rng(draw.randrange(2**32))
    made: list[Any] = [
        numbers.normal(size=size),
        numbers.random(size),
        numbers.integers(0, 2, size),
        numbers.integers(0, 4, size),
        numbers.gamma(2.0, 10.0, size) * 10.0 ** draw.choice([-300, -150, -8, 0, 8, 150, 300]),
        np.full(size, draw.choice([0.0, 1.0, 1e300])),
        numbers.normal(size=size).astype(np.float32),
        ["a", "b", "c"][: draw.randint(1, 3)] * (size // 2),
    ]
    return draw.choice(made[:6]) if draw.random() < 0.9 else draw.choice(made)


def spoilt(draw: Random, values: Any) -> Any:
    """Return a column with something wrong with it."""
    values = np.asarray(values)
    kind = draw.randrange(12)
    if kind == 0:
        return values.reshape(-1)[:0]
    if kind == 1:
        return np.array(draw.choice(NUMBERS), dtype=object)
    if kind == 2:
        return values[: draw.randrange(len(values) + 1)]
    if kind == 3 and values.dtype.kind == "f" and len(values):
        values = values.copy()
        values[draw.randrange(len(values))] = draw.choice([np.nan, np.inf, -np.inf, 1e308, -1e308])
        return values
    if kind == 4:
        return values[:, None]
    if kind == 5:
        return [*values[:-1].tolist(), copy(draw.choice([*NUMBERS, *TEXTS, *OBJECTS]))]
    if kind == 6:
        return copy(draw.choice([*NUMBERS, *TEXTS, *OBJECTS]))
    if kind == 7:
        return values.astype(object)
    if kind == 8:
        return values.astype(str)
    if kind == 9:
        return np.ma.masked_array(values, np.arange(len(values)) == 1)
    if kind == 10:
        return values.astype("datetime64[D]") if values.dtype.kind == "i" else values.astype(bytes)
    return iter(values.tolist())


def odd(draw: Random) -> Any:
    """Return any odd value."""
    kind = draw.randrange(6)
    if kind < 2:
        return draw.choice(NUMBERS)
    if kind == 2:
        return draw.choice(TEXTS)
    if kind == 3:
        return copy(draw.choice(OBJECTS))
    some = [draw.choice(NUMBERS) for _ in range(draw.randrange(5))]
    return some if kind == 4 else dict(zip("abcde", some, strict=False))
