"""Columns of Arrow tables as numpy arrays, with a sentence where they hold something else."""

from __future__ import annotations

from typing import Any

import numpy as np

from roctopus.core.arrays import Floats
from roctopus.core.checks import name_rows
from roctopus.core.errors import InputError, arg


def numbers(table: Any, name: str) -> Floats:
    """Return a column of numbers; missing ones are NaN."""
    import pyarrow as pa

    column = _decoded(table, name)
    kind = column.type
    if pa.types.is_null(kind):
        return np.full(len(column), np.nan)
    if pa.types.is_boolean(kind) or pa.types.is_decimal(kind):
        column = column.cast(pa.float64())
    elif pa.types.is_string(kind) or pa.types.is_large_string(kind):
        column = _from_text(column, name)
    elif not (pa.types.is_integer(kind) or pa.types.is_floating(kind)):
        raise InputError(f"The column {name!r} must contain numbers, but contains {kind}.")
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
    is_coded = pa.types.is_dictionary(column.type)
    return column.cast(column.type.value_type) if is_coded else column


def _from_text(column: Any, name: str) -> Any:
    """Read text as numbers, or say which rows hold none."""
    import pyarrow as pa
    import pyarrow.compute as pc

    trimmed = pc.utf8_trim_whitespace(column)
    try:
        return trimmed.cast(pa.float64())
    except pa.ArrowInvalid:
        pass
    texts = trimmed.to_pylist()
    found = [_number(text) for text in texts]
    wrong = np.array([number is None for number in found])
    if not wrong.any():
        return pa.array(found, pa.float64())
    first = texts[int(np.argmax(wrong))]
    raise InputError(
        f"The column {name!r} must contain numbers, but contains text in {name_rows(wrong)}, such "
        f"as {first[:20]!r}. Correct or remove these rows."
    )


def _number(text: str | None) -> float | None:
    """Return a number as Python reads it; NaN if there is nothing, None if there is no number."""
    if text is None or text == "":
        return float("nan")
    try:
        return None if "_" in text else float(text)
    except ValueError:
        return None


def values(table: Any, name: str) -> Any:
    """Return a column as it is: numbers, or text as a list; raise an error for missing values."""
    import pyarrow as pa
    import pyarrow.compute as pc

    column = _decoded(table, name)
    if pa.types.is_binary(column.type) or pa.types.is_large_binary(column.type):
        raise InputError(
            f"The column {name!r} contains text that is not in UTF-8. Give the encoding, such as "
            f"{arg('encoding', 'latin-1')}."
        )
    if column.null_count:
        empty = np.asarray(pc.is_null(column).to_numpy())
        raise InputError(
            f"The column {name!r} is empty in {name_rows(empty)}. Fill them in, or remove them."
        )
    if pa.types.is_integer(column.type) or pa.types.is_floating(column.type):
        return _floats(column.cast(pa.float64(), safe=False))
    return column.to_pylist()
