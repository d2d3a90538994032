"""Predictions that are missing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from roctopus.core.arrays import Floats
from roctopus.core.checks import check_choice
from roctopus.core.errors import InputError, arg, warn

Missing: TypeAlias = Literal["refuse", "common", "pairwise"]


def missing_rows(
    predictions: Mapping[str, Floats], missing: Missing
) -> tuple[NDArray[np.bool_], dict[str, NDArray[np.bool_]]]:
    """Return the rows that all models have, and the rows of each."""
    check_missing(missing)
    present = {name: ~np.isnan(each) for name, each in predictions.items()}
    lacking = {name: int(np.sum(~each)) for name, each in present.items() if not each.all()}
    common = np.logical_and.reduce(list(present.values()))
    tell_missing(lacking, int(common.sum()), len(common), missing)
    return common, present


def check_missing(missing: str) -> None:
    """Raise an error for an unknown way to treat missing predictions."""
    check_choice(missing, "missing", "refuse", "common", "pairwise")


def tell_missing(lacking: Mapping[str, int], common: int, size: int, missing: Missing) -> None:
    """Raise an error for missing predictions, or warn; ``common`` rows have all of them."""
    if not lacking:
        return
    (first, count), *more = lacking.items()
    told = f"{first!r} has no prediction in {count} of {size} rows"
    told += "".join(f", {name!r} in {count}" for name, count in more)
    empty = [name for name, count in lacking.items() if count == size]
    if empty:
        raise InputError(f"Model {empty[0]!r} has no predictions at all. Leave out this model.")
    if not common:
        raise InputError(
            f"No row has predictions of all models, so they cannot be compared: {told}."
        )
    if missing == "refuse":
        raise InputError(
            f"Model {told}. Use {arg('missing', 'common')} to compare on the {common} rows that "
            "have no missing predictions."
        )
    what = f"Model {told}."
    if missing == "common":
        warn(f"{what} All models are compared on the {common} rows that they share.")
    else:
        warn(
            f"{what} Metrics are computed on each model's own rows, so do not compare them between "
            f"models. Decisions and rankings use the {common} rows that all models share."
        )
