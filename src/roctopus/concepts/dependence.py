"""Reading how cases depend on each other."""

from __future__ import annotations

from typing import Any

import numpy as np

from roctopus.concepts.estimate import INDEPENDENT, Dependence
from roctopus.core.arrays import as_series
from roctopus.core.checks import check_whole, name_rows
from roctopus.core.errors import InputError

__all__ = ["read_clusters", "read_dependence"]


def read_clusters(clusters: Any, size: int) -> np.ndarray[Any, np.dtype[np.intp]]:
    """Return the number of each row's cluster; labels may be anything that can be compared."""
    series = as_series(clusters)
    labels = list(series.to_list() if series is not None else clusters)
    if len(labels) != size:
        raise InputError(f"'clusters' must have one entry per case: {len(labels)}, not {size}.")
    missing = np.array([label is None or label != label for label in labels])
    if missing.any():
        raise InputError(f"'clusters' is missing in {name_rows(missing)}.")
    number: dict[Any, int] = {}
    codes = np.array([number.setdefault(label, len(number)) for label in labels], dtype=np.intp)
    if len(number) < 2:
        raise InputError("'clusters' holds one cluster only. At least two are needed.")
    return codes


def read_dependence(clusters: Any, hac: bool | int, size: int) -> Dependence:
    """Read ``clusters`` and ``hac``; one of them at most."""
    if clusters is not None and hac is not False:
        raise InputError("Give 'clusters' or 'hac', not both.")
    if clusters is not None:
        return Dependence(read_clusters(clusters, size))
    if hac is False or hac is None:
        return INDEPENDENT
    if hac is True:
        return Dependence(lags=-1)
    lags = check_whole(hac, "hac", 0)
    if lags >= size:
        raise InputError(f"'hac' must be less than the {size} cases there are, got {lags}.")
    return Dependence(lags=lags)
