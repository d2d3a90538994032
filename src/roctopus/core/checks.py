"""All input checks and their sentences: which argument, which rows, what to do."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from numbers import Integral
from typing import Any, TypeAlias, TypeVar

import numpy as np

from roctopus.core.arrays import Array, Floats, as_float, read_array, shared_namespace, to_numpy
from roctopus.core.errors import InputError, arg

T = TypeVar("T")


Places: TypeAlias = Callable[[list[int], int], tuple[str, list[str]]]
"""Says of some rows, among how many, what they are called ("line") and which they are."""
_places: ContextVar[Places | None] = ContextVar("places", default=None)


@contextmanager
def rows_called(places: Places | None) -> Iterator[None]:
    """Let errors name rows as users see them, such as by the lines of a file."""
    token = _places.set(places)
    try:
        yield
    finally:
        _places.reset(token)


def name_rows(mask: Array, most: int = 5) -> str:
    """Name the first few rows of a mask by position: ``rows 3, 7 and 12 (counted from 0)``."""
    found = to_numpy(mask)
    rows = np.flatnonzero(found)
    places = _places.get()
    what, named, after = "row", [str(row) for row in rows[:most]], " (counted from 0)"
    if places is not None:
        what, named = places(rows[:most].tolist(), len(found))
        after = ""
    if len(rows) > most:
        named.append(f"{len(rows) - most} more")
    several = f"{what}s {', '.join(named[:-1])} and {named[-1]}"
    return f"{several if len(named) > 1 else f'{what} {named[0]}'}{after}"


def say_wrong(values: Array, wrong: Array, several: str = "has values outside this range") -> str:
    """Return what is wrong: the value if it is one row, or the rows and an example."""
    found = to_numpy(values)[to_numpy(wrong)]
    if len(found) == 1:
        return f"is {found[0]:g} in {name_rows(wrong)}"
    return f"{several} in {name_rows(wrong)}, such as {found[0]:g}"


def say_rows(count: int) -> str:
    """Return how many rows there are."""
    return "1 row" if count == 1 else f"{count:,} rows"


def check_same_length(**arrays: Array) -> int:
    """Return the common length; raise an error for empty arrays and arrays of different length."""
    lengths = {name: int(array.shape[0]) for name, array in arrays.items()}
    size = next(iter(lengths.values()))
    if any(length != size for length in lengths.values()):
        *others, last = (
            f"{arg(name)} has {length} {'value' if length == 1 else 'values'}"
            for name, length in lengths.items()
        )
        told = f"{', '.join(others)} and {last}"
        raise InputError(f"All arrays must have the same length, but {told}.")
    if size == 0:
        names = " and ".join(arg(name) for name in lengths)
        raise InputError(
            f"{names} must contain at least one case, but {'is' if len(lengths) == 1 else 'are'} "
            "empty."
        )
    return size


def check_no_nan(array: Array, name: str) -> None:
    """Raise an error for NaN, naming its rows."""
    _check_values(array, name, infinite=True)


def check_finite(array: Array, name: str) -> None:
    """Raise an error for NaN and infinities, naming their rows."""
    _check_values(array, name, infinite=False)


def _check_values(array: Array, name: str, *, infinite: bool) -> None:
    xp = shared_namespace(**{name: array})
    # One pass decides the common case: a sum is finite only if every term is.
    with np.errstate(over="ignore", invalid="ignore"):
        if math.isfinite(float(xp.sum(array))):
            return
    nan = xp.isnan(array)
    if bool(xp.any(nan)):
        raise InputError(
            f"{arg(name)} has missing values (NaN) in {name_rows(nan)}. Fill them in, or remove "
            "their rows from all arrays."
        )
    if infinite:
        return
    endless = xp.isinf(array)
    if bool(xp.any(endless)):
        raise InputError(
            f"{arg(name)} has infinite values in {name_rows(endless)}. Clip them to a finite "
            "bound, or remove their rows from all arrays."
        )


MOST = 10**9
"""Larger than any sensible count of rows, points or repetitions."""
SMALLEST, LARGEST = 1e-150, 1e150
"""The squares of numbers between these are numbers, too."""


def check_magnitude(values: Any, what: str) -> None:
    """Raise an error for numbers so large or so small that their squares are lost.

    The largest number decides; infinite ones are left to those who can use them.
    """
    if not np.size(values):
        return
    ends = np.array([np.min(values), np.max(values)], dtype=np.float64)
    if np.isinf(ends).any():
        values = np.asarray(values)[np.isfinite(values)]
        ends = np.array([np.min(values, initial=0.0), np.max(values, initial=0.0)])
    largest = float(np.max(np.abs(ends)))
    if largest > LARGEST or 0.0 < largest < SMALLEST:
        extreme = "large" if largest > 1.0 else "small"
        raise InputError(
            f"{what} that are too {extreme} to be squared: the largest absolute value is "
            f"{largest:.2g}. Choose a unit in which this value lies between {SMALLEST:g} and "
            f"{LARGEST:g}."
        )


def read_finite(value: Any, name: str) -> Floats:
    """Read a column of finite numbers into numpy."""
    column = to_numpy(read_array(value, name))
    check_finite(column, name)
    return column


def read_some(value: Any, name: str) -> Floats:
    """Read a column of finite numbers, of which there must be at least one."""
    column = read_finite(value, name)
    check_same_length(**{name: column})
    return column


def check_weights(weight: Array, name: str = "sample_weight") -> None:
    """Raise an error for missing, infinite or negative weights, and if all are zero."""
    check_finite(weight, name)
    check_same_length(**{name: weight})
    xp = shared_namespace(**{name: weight})
    with np.errstate(over="ignore"):
        total = float(xp.sum(weight))
    if float(xp.min(weight)) >= 0.0 and 1e-100 <= total <= 1e100:
        return
    negative = weight < 0
    if bool(xp.any(negative)):
        rows = name_rows(negative)
        raise InputError(f"{arg(name)} is negative in {rows}. Weights must be zero or more.")
    if not bool(xp.any(weight > 0)):
        raise InputError(f"{arg(name)} is zero for every case. At least one must be positive.")
    told = f"{total:g}" if math.isfinite(total) else "infinite"
    raise InputError(
        f"The sum of {arg(name)} must be between 1e-100 and 1e100, but is {told}. Multiply all "
        "weights by a constant."
    )


def number_in(text: str) -> float | None:
    """Return the number that a text writes, in plain digits and nothing else; None if it is none.

    Python itself reads ``1_000`` and the digits of other scripts, too.
    """
    try:
        return float(text) if text.isascii() and "_" not in text else None
    except ValueError:
        return None


def check_scalar(value: Any, name: str) -> float:
    """Return ``value`` as a float; anything but a single finite number raises an error."""
    number = _float(value, name)
    if not math.isfinite(number):
        if isinstance(value, Integral):
            told = f"is too large for a floating-point number ({_about(int(value))})"
        else:
            told = f"must be a finite number, but is {_plain(value)}"
        raise InputError(f"{arg(name)} {told}.")
    return number


def check_number(value: Any, name: str) -> float:
    """Return ``value`` as a float, which may be infinite; NaN and other types raise an error."""
    number = _float(value, name)
    if math.isnan(number):
        raise InputError(f"{arg(name)} must be a number, but is NaN.")
    return number


def _float(value: Any, name: str) -> float:
    if isinstance(value, (str, bytes)):
        raise InputError(f"{arg(name)} must be a number, but is the text {value!r}.")
    try:
        return as_float(value)
    except (TypeError, ValueError):
        shown = _plain(value)
        shown = shown if len(shown) <= 60 else f"{shown[:50]}…"
        raise InputError(f"{arg(name)} must be a number, but is {shown}.") from None


def _plain(value: Any) -> str:
    """Return a value as users write it: a number of numpy without its type."""
    return repr(value.item() if isinstance(value, np.generic) else value)


def _about(number: int) -> str:
    """Return the size of an integer that no double holds."""
    return f"about {'-' if number < 0 else ''}1e{math.floor(math.log10(abs(number)))}"


def check_pair(value: Any, name: str) -> tuple[float, float]:
    """Return two finite numbers."""
    try:
        first, second = value
    except (TypeError, ValueError):
        raise InputError(f"{arg(name)} must be two numbers, but is {_plain(value)}.") from None
    return check_scalar(first, name), check_scalar(second, name)


def _check_range(value: Any, name: str, inside: Callable[[float], bool], told: str) -> float:
    number = check_scalar(value, name)
    if not inside(number):
        raise InputError(f"{arg(name)} must {told}, but is {_plain(value)}.")
    return number


def say_within(low: float, high: float) -> str:
    """Return a range of allowed numbers as a part of a sentence: "at least 0"."""
    if math.isinf(high):
        return "a number" if math.isinf(low) else f"at least {low:g}"
    return f"at most {high:g}" if math.isinf(low) else f"between {low:g} and {high:g}"


def check_unit(value: Any, name: str) -> float:
    """Return ``value`` as a float in [0, 1]."""
    return _check_range(value, name, lambda x: 0.0 <= x <= 1.0, "be between 0 and 1")


def check_share(value: Any, name: str) -> float:
    """Return a number between 0 and 1, and neither of them."""
    return _check_range(value, name, lambda x: 0.0 < x < 1.0, "be greater than 0 and less than 1")


def check_positive(value: Any, name: str) -> float:
    """Return ``value`` as a float above zero."""
    return _check_range(value, name, lambda x: x > 0.0, "be positive")


def check_not_negative(value: Any, name: str) -> float:
    """Return a number that is zero or more."""
    return _check_range(value, name, lambda x: x >= 0.0, "be zero or more")


def check_choice(value: Any, name: str, *choices: str) -> None:
    """Raise an error for what is none of the choices."""
    if not isinstance(value, str) or value not in choices:
        *others, last = (repr(choice) for choice in choices)
        told = f"{', '.join(others)} or {last}"
        raise InputError(f"{arg(name)} must be {told}, but is {value!r}.")


def check_whole(value: Any, name: str, least: int) -> int:
    """Return ``value`` as an int of at least ``least``; numpy's integers are welcome."""
    if not isinstance(value, Integral) or isinstance(value, bool) or value < least:
        raise InputError(
            f"{arg(name)} must be a whole number of at least {least}, but is {_plain(value)}."
        )
    if int(value) > MOST:
        size = as_float(value)
        told = f"{size:.3g}" if math.isfinite(size) else _about(int(value))
        raise InputError(f"{arg(name)} must be at most {MOST:,}, but is {told}.")
    return int(value)


def check_interval(low: float, high: float, what: str) -> None:
    """Raise an error for an interval whose ends are not ordered."""
    if math.isnan(low) or math.isnan(high) or not low < high:
        raise InputError(
            f"{what} must go from a lower to a higher number, but the ends are {low} and {high}."
        )


def check_mapping(value: Any, name: str, holding: str) -> dict[str, Any]:
    """Return a non-empty mapping of names as a dict; the usual slip is to pass the bare thing."""
    if not isinstance(value, Mapping):
        raise InputError(
            f"{arg(name)} must be a mapping of model names to {holding}, such as {{'my model': "
            f"...}}, but is of type {type(value).__name__}."
        )
    if not value:
        raise InputError(f"{arg(name)} is empty. Add at least one model.")
    named = {str(key): item for key, item in value.items()}
    if len(named) < len(value):
        texts = [str(key) for key in value]
        twice = next(text for text in texts if texts.count(text) > 1)
        first, second = [repr(key) for key in value if str(key) == twice][:2]
        raise InputError(
            f"Names in {arg(name)} must differ as text, but {first} and {second} are both "
            f"{twice!r}. Rename one of them."
        )
    return named
