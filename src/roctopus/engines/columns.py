"""Columns of Arrow tables as numpy arrays, with a sentence where they hold something else."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from roctopus.core.arrays import Floats
from roctopus.core.checks import name_rows
from roctopus.core.errors import InputError, arg
from roctopus.engines.signs import ABSENT, UNKNOWN, read_numbers


def numbers(table: Any, name: str) -> Floats:
    """Return a column of an Arrow table as numbers; missing ones are NaN.

    Parameters
    ----------
    table : pyarrow.Table
        Table.
    name : column name
        Column: numbers, or text that can be read as numbers.

    Returns
    -------
    array of shape (n,)
        The numbers.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from roctopus.engines import numbers
    >>> numbers(pa.table({"price": ["3.5", None, "4"]}), "price")
    array([3.5, nan, 4. ])
    """
    import pyarrow as pa

    column = _decoded(table, name)
    kind = column.type
    if pa.types.is_null(kind):
        return np.full(len(column), np.nan)
    if pa.types.is_boolean(kind) or pa.types.is_decimal(kind):
        column = column.cast(pa.float64())
    elif is_text(kind):
        column, _ = read_numbers(column, name)
    elif not (pa.types.is_integer(kind) or pa.types.is_floating(kind)):
        raise InputError(f"The column {name!r} must contain numbers, but its type is {kind}.")
    return _floats(column.cast(pa.float64(), safe=False))


def _floats(column: Any) -> Floats:
    """Return doubles as they lie in memory; what is missing becomes NaN.

    Arrow's own way to numpy loads pandas first, which takes longer than most tables.
    """
    parts = [
        np.from_dlpack(chunk) if chunk.null_count == 0 else chunk.to_numpy(zero_copy_only=False)
        for chunk in column.chunks
        if len(chunk)
    ]
    return np.concatenate(parts) if parts else np.empty(0)


def _decoded(table: Any, name: str) -> Any:
    import pyarrow as pa

    column = table.column(name)
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    return column.cast(pa.large_string()) if is_text(column.type) else column


def is_text(kind: Any) -> bool:
    """Return whether an Arrow type is text, coded by a dictionary or not.

    Parameters
    ----------
    kind : pyarrow.DataType
        Type of a column.

    Returns
    -------
    bool
        True for text.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from roctopus.engines import is_text
    >>> is_text(pa.string()), is_text(pa.float64())
    (True, False)
    """
    import pyarrow as pa

    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    tests = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
    return any(test(kind) for test in tests)


def absent(table: Any, name: str) -> NDArray[np.bool_]:
    """Return the rows in which a column of numbers or labels is empty.

    Parameters
    ----------
    table : pyarrow.Table
        Table.
    name : column name
        Column.

    Returns
    -------
    array of bool
        True where the cell is empty, NaN, or a word for missing, such as "NA".

    Examples
    --------
    >>> import pyarrow as pa
    >>> from roctopus.engines import absent
    >>> absent(pa.table({"price": ["3.5", None, "NA"]}), "price")
    array([False,  True,  True])
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    column = _decoded(table, name)
    if is_text(column.type):
        text = pc.utf8_trim_whitespace(column)
        empty = pc.is_in(text, pa.array(sorted(ABSENT | UNKNOWN), text.type))
        return np.asarray(pc.or_(pc.is_null(column), empty).to_numpy())
    return np.asarray(pc.is_null(column, nan_is_null=True).to_numpy())


def values(table: Any, name: str) -> Any:
    """Return a column of an Arrow table as it is; missing values raise an error.

    Parameters
    ----------
    table : pyarrow.Table
        Table.
    name : column name
        Column.

    Returns
    -------
    array or list
        An array of numbers, or a list of text, dates and the like.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from roctopus.engines import values
    >>> values(pa.table({"rain": ["yes", "no"]}), "rain")
    ['yes', 'no']
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    column = _decoded(table, name)
    kind = column.type
    if pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        raise InputError(
            f"The column {name!r} contains text that is not in UTF-8. Name its encoding, such as "
            f"{arg('encoding', 'latin-1')}."
        )
    if pa.types.is_nested(kind):
        raise InputError(
            f"The column {name!r} must contain one value per row, but its type is {kind}."
        )
    absent = pc.is_null(column)
    if is_text(kind):
        column = pc.utf8_trim_whitespace(column)
        absent = pc.or_(absent, pc.is_in(column, pa.array(sorted(ABSENT), kind)))
    if pc.any(absent).as_py():
        empty = np.asarray(absent.to_numpy())
        raise InputError(
            f"The column {name!r} has no value in {name_rows(empty)}. Fill in each missing value, "
            "or remove its row."
        )
    if pa.types.is_integer(kind):
        return column.to_numpy()  # doubles would merge ids
    if pa.types.is_floating(kind):
        return _floats(column.cast(pa.float64(), safe=False))
    try:
        return column.to_pylist()
    except (LookupError, OverflowError, ValueError, pa.ArrowException) as error:
        raise InputError(
            f"Some values in the column {name!r}, whose type is {kind}, cannot be used: they are "
            "too large, lie outside the years 1 to 9999, or have an unknown time zone "
            f"({error})."
        ) from None
