"""What it costs to grade a case of one class as another."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import numpy as np

from roctopus.core.arrays import Floats
from roctopus.core.errors import InputError, arg

OrdinalLoss: TypeAlias = Literal["zero-one", "absolute", "squared"] | Any
"""A name, or a matrix with a row per true class and a column per grade."""


def loss_matrix(labels: tuple[Any, ...], loss: OrdinalLoss, costs: Any) -> Floats:
    """Return c(true)·l(grade, true), a row per true class and a column per grade."""
    count = len(labels)
    apart = np.subtract.outer(np.arange(count), np.arange(count)).astype(np.float64)
    if isinstance(loss, str):
        known = {"zero-one": (apart != 0) * 1.0, "absolute": np.abs(apart), "squared": apart**2}
        if loss not in known:
            raise InputError(
                f"{arg('loss')} must be one of {', '.join(map(repr, known))} or a matrix, got "
                f"{loss!r}."
            )
        matrix = known[loss]
    else:
        matrix = _read(loss, "loss", (count, count), "a row and a column")
    if costs is None:
        return np.asarray(matrix)
    return np.asarray(_read(costs, "costs", (count,), "one number")[:, None] * matrix)


def _read(values: Any, name: str, shape: tuple[int, ...], what: str) -> Floats:
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{arg(name)} must hold numbers, got {values!r}.") from None
    if array.shape != shape:
        raise InputError(
            f"{arg(name)} must have {what} for each of the {shape[0]} classes, got shape "
            f"{array.shape}."
        )
    if not np.isfinite(array).all() or np.any(array < 0):
        raise InputError(f"{arg(name)} must be finite and zero or more.")
    return array
