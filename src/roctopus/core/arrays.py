"""One way in for arrays, columns and lists; one way out to numpy.

Arrays of any library that follows the array API standard stay where they are (torch in, torch
out); dataframe columns and lists become numpy. The kernels below ask for a namespace ``xp`` and use
only what the standard has.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeAlias

import array_api_compat
import numpy as np
from numpy.typing import NDArray

from roctopus.core.errors import InputError, arg

Array: TypeAlias = Any
"""A one-dimensional float64 array of any library with an array API namespace."""

Floats: TypeAlias = NDArray[np.float64]
"""A numpy array of doubles."""

PREDICTIONS = ("y_pred", "y_prob", "y_score", "predictions", "scores")
"""Arguments that may be given the probabilities of several classes by mistake."""

GLANCE, FEW_VALUES = 4096, 32
"""How many cases are looked at for classes first, and how many classes that may show."""


def shared_namespace(**arrays: Array) -> Any:
    """Return the array namespace of all given arrays, or say which ones do not match."""
    try:
        return array_api_compat.array_namespace(*arrays.values())
    except TypeError:
        kinds = " and ".join(
            f"{arg(name)} is of type {type(array).__name__}" for name, array in arrays.items()
        )
        raise InputError(
            f"All arrays must come from the same library, but {kinds}. Convert all arrays to one "
            "type first."
        ) from None


def count_true(mask: Array, *, xp: Any) -> int:
    """Return how many are true; the count of the standard is not right in all versions."""
    if isinstance(mask, np.ndarray):
        return int(np.count_nonzero(mask))
    return int(xp.sum(xp.astype(mask, xp.int64)))


def distinct_values(values: Array, *, xp: Any) -> Floats:
    """Return the distinct values, sorted, in numpy.

    A few, as classes are, are expected among the first cases: then no sort is needed.
    """
    seen = np.unique(to_numpy(values[: min(GLANCE, values.shape[0])]))
    if len(seen) <= FEW_VALUES:
        counts = (count_true(values == float(value), xp=xp) for value in seen)
        if sum(counts) == values.shape[0]:
            return seen
    return np.sort(to_numpy(xp.unique_values(values)))


def to_numpy(array: Array) -> Floats:
    """Bring an array of any library to numpy, without a copy where it already is there."""
    if isinstance(array, np.ndarray):
        return array
    if array_api_compat.is_torch_array(array) or array_api_compat.is_cupy_array(array):
        array = array_api_compat.to_device(array, "cpu")  # the others come when numpy asks
    return np.asarray(array, dtype=np.float64)


def as_float(value: Any) -> float:
    """Return a number as a double; an integer too large for one becomes infinite."""
    try:
        return float(value)
    except OverflowError:
        return -math.inf if value < 0 else math.inf


def as_floats(values: Any) -> Floats:
    """Return numbers of any shape as doubles; integers too large for them become infinite.

    What is not a number raises TypeError or ValueError, as in numpy.
    """
    try:
        return np.asarray(values, dtype=np.float64)
    except OverflowError:
        held = np.asarray(values, dtype=object)
        return np.array([as_float(each) for each in held.ravel().tolist()]).reshape(held.shape)


def is_single(value: Any) -> bool:
    """Tell whether something is one value; rows of a list may differ in length."""
    try:
        return np.ndim(value) == 0
    except ValueError:
        return False


def is_foreign(value: Any) -> bool:
    """Tell whether a value is an array of a library other than numpy, maybe on a device."""
    return not isinstance(value, np.ndarray) and bool(array_api_compat.is_array_api_obj(value))


def on_device_of(array: Array, values: Any, *, xp: Any) -> Array:
    """Bring a few numbers to where an array is."""
    return xp.asarray(np.ascontiguousarray(values), device=array_api_compat.device(array))


def sort_with_order(values: Array, *, xp: Any, descending: bool = False) -> tuple[Array, Array]:
    """Return the sorted values and where they were.

    The standard has one or the other; torch gives both from one sort, without a gather.
    """
    if array_api_compat.is_torch_array(values):
        ordered, order = values.sort(stable=False, descending=descending)
        return ordered, order
    order = xp.argsort(values, stable=False, descending=descending)
    return xp.take(values, order), order


def as_series(column: Any) -> Any | None:
    """Return a dataframe column as narwhals sees it; None for what is none."""
    if column is None or isinstance(column, np.ndarray):  # by far the most common: be quick
        return None
    import narwhals as nw

    native = nw.from_native(column, allow_series=True, pass_through=True)
    return native if isinstance(native, nw.Series) else None


def is_text(column: Any) -> bool:
    """Tell whether a column holds labels and not numbers."""
    series = as_series(column)
    if series is not None:
        import narwhals as nw

        return not (series.dtype.is_numeric() or series.dtype == nw.Boolean)
    if isinstance(column, (list, tuple)):
        plain = (int, float, complex, np.number, list, tuple, np.ndarray)  # what read_array judges
        return any(not isinstance(value, plain) for value in column)
    kind = getattr(getattr(column, "dtype", None), "kind", None)
    listed = hasattr(column, "to_pylist") and not hasattr(column, "column_names")
    return kind in ("O", "U", "S", "T") or listed


def frame_backend(value: Any) -> str | None:
    """Return the dataframe library a column or frame comes from, so that answers can go back."""
    if value is None or isinstance(value, np.ndarray):
        return None
    import narwhals as nw

    native = nw.from_native(value, allow_series=True, pass_through=True)
    if isinstance(native, (nw.Series, nw.DataFrame)):
        return str(native.implementation.value)
    return None


def read_array(value: Any, name: str) -> Array:
    """Return ``value`` as a one-dimensional float64 array, in its own library where it has one.

    Numbers only: text, objects, complex numbers, dates and tables are refused by name, since a
    silent conversion would hide the mistake.
    """
    kind = type(value).__name__
    if not array_api_compat.is_array_api_obj(value):
        value = _column_to_numpy(value, name)
    elif isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        count = int(np.ma.getmaskarray(value).sum())
        raise InputError(
            f"{arg(name)} is a masked array with {count} masked row{'' if count == 1 else 's'}. "
            f"Remove masked rows from all arrays; '{name}.compressed()' returns the other rows."
        )
    if array_api_compat.is_torch_array(value):
        value = value.detach().contiguous()  # a column of a matrix is searched and sorted slowly
    if value.ndim == 0:
        named = {"ndarray": "a 0-dimensional array", "NoneType": "None"}
        got = named.get(kind, f"a single {kind}")
        raise InputError(f"{arg(name)} must contain one number per case, but is {got}.")
    if value.ndim != 1:
        hint = _one_column(name, value.shape[1]) if value.ndim == 2 else ""
        raise InputError(
            f"{arg(name)} must be one-dimensional, but has the shape {tuple(value.shape)}.{hint}"
        )
    xp = array_api_compat.array_namespace(value)
    if not _is_real(value, xp):
        raise InputError(
            f"{arg(name)} must contain real numbers, but has the dtype {value.dtype}. Convert it "
            "to float first."
        )
    if value.dtype == xp.float64:
        return value
    value = xp.astype(value, xp.float64)
    if value.dtype != xp.float64:
        raise InputError(
            f"{type(value).__name__} cannot convert {arg(name)} to double precision. With JAX, set "
            " jax.config.update('jax_enable_x64', True) before creating arrays."
        )
    return value


def row_count(column: Any) -> int:
    """Return how many rows a column of any kind has; a single value is one."""
    single = getattr(column, "ndim", 1) == 0 or not hasattr(column, "__len__")
    return 1 if single else len(column)


def _one_column(name: str, count: int) -> str:
    """Say how to make one column of several."""
    if count == 1:
        return f" Use '{name}.ravel()'."
    if name.partition("[")[0] not in PREDICTIONS:
        return f" Pass one column, as in {name}[:, 0]."
    if count == 2:
        return (
            f" Pass the column of the positive class, as in {name}[:, 1] (the columns are in the "
            "order of the classifier's classes_)."
        )
    return f" For ordered classes, turn them into one score with score_from_probabilities({name})."


def _is_real(value: Array, xp: Any) -> bool:
    if isinstance(value, np.ndarray):  # the standard's isdtype does not know objects and text
        return value.dtype.kind in "biuf"
    return bool(xp.isdtype(value.dtype, ("bool", "integral", "real floating")))


def _column_to_numpy(value: Any, name: str) -> NDArray[Any]:
    """Turn a dataframe column or a list into numpy; anything but numbers raises an error."""
    import narwhals as nw

    native = nw.from_native(value, allow_series=True, pass_through=True)
    if isinstance(native, (nw.DataFrame, nw.LazyFrame)):
        names = native.collect_schema().names()
        columns = ", ".join(map(repr, names[:5])) + (", …" if len(names) > 5 else "")
        raise InputError(
            f"{arg(name)} must be a column, but is a table with the "
            f"column{'' if len(names) == 1 else 's'} {columns}. Pass one column, as in "
            f"table[{names[0] if names else 'column'!r}]."
        )
    if isinstance(native, nw.Series):
        column = f"{arg(name)} (column {native.name!r})" if native.name else arg(name)
        if not (native.dtype.is_numeric() or native.dtype == nw.Boolean):
            raise InputError(
                f"{column} must be numeric, but its type is {native.dtype}. "
                "Convert it to numbers, or pass another column."
            )
        # Missing numbers become NaN here and are refused, with their rows, by the checks.
        return native.cast(nw.Float64).to_numpy()
    if str(getattr(value, "dtype", "")) == "category":
        raise InputError(
            f"{arg(name)} must be numeric, but its type is categorical. Convert it to numbers."
        )
    try:
        return np.asarray(value)
    except ValueError:
        raise InputError(
            f"{arg(name)} must contain one number per case, but its rows have different lengths."
        ) from None


FEW = 10_000
"""Up to so many points the order does not matter: everything stays in the processor's cache."""


def in_order(function: Callable[[Floats], Floats], x: Floats) -> Floats:
    """Evaluate at the points in increasing order, and give the values in the order asked.

    Binary searches of sorted points walk through memory; those of unsorted ones jump, which takes
    several times as long as sorting the points first.
    """
    if x.ndim != 1 or len(x) <= FEW or bool(np.all(x[1:] >= x[:-1])):
        return function(x)
    order = np.argsort(x)
    values = np.empty(len(x))
    values[order] = function(x[order])
    return values


def take_rows(table: Any, rows: NDArray[np.intp]) -> Any:
    """Return some rows of a table or column of any kind, in the same kind."""
    import narwhals as nw

    if hasattr(table, "take_rows"):
        return table.take_rows(rows)
    if hasattr(table, "iloc"):
        return table.iloc[rows]
    if hasattr(table, "to_pylist") and hasattr(table, "take"):  # pyarrow
        return table.take(rows)
    found = nw.from_native(table, eager_only=True, allow_series=True, pass_through=True)
    if isinstance(found, (nw.DataFrame, nw.Series)):
        return found[rows].to_native()
    return table[rows] if hasattr(table, "shape") else [table[row] for row in rows.tolist()]
