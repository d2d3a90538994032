"""Predictions that are missing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from roctopus.core.arrays import Floats
from roctopus.core.errors import InputError, warn

__all__ = ["Missing", "missing_rows"]

Missing: TypeAlias = Literal["refuse", "common", "pairwise"]


def missing_rows(
    predictions: Mapping[str, Floats], missing: Missing
) -> tuple[NDArray[np.bool_], dict[str, NDArray[np.bool_]]]:
    """Return the rows that all models have, and the rows of each."""
    if missing not in ("refuse", "common", "pairwise"):
        raise InputError(f"'missing' must be 'refuse', 'common' or 'pairwise', got {missing!r}.")
    present = {name: ~np.isnan(each) for name, each in predictions.items()}
    lacking = {name: int(np.sum(~each)) for name, each in present.items() if not each.all()}
    common = np.logical_and.reduce(list(present.values()))
    if not lacking:
        return common, present
    told = ", ".join(f"{name!r} {count}" for name, count in lacking.items())
    size = len(common)
    empty = [name for name, count in lacking.items() if count == size]
    if empty:
        raise InputError(f"Model {empty[0]!r} has no predictions at all.")
    if missing == "refuse":
        raise InputError(
            f"Predictions are missing: {told} of {size} rows. missing='common' takes the "
            f"{int(common.sum())} rows that all models have."
        )
    if not common.any():
        raise InputError(f"No row has predictions of all models. Missing: {told} of {size} rows.")
    what = f"Predictions are missing ({told} of {size} rows)."
    if missing == "common":
        warn(f"{what} All models are compared on the {int(common.sum())} rows that they share.")
    else:
        warn(
            f"{what} Each model's own figures are from its own rows, and not comparable; "
            f"decisions and rankings are made on the {int(common.sum())} rows that all share."
        )
    return common, present
