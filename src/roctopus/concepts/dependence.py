"""How cases depend on each other."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from roctopus.core.arrays import as_series
from roctopus.core.checks import check_whole, name_rows
from roctopus.core.errors import InputError, arg


class Dependence(NamedTuple):
    """How cases depend on each other: rows of one cluster, or neighbours in time."""

    clusters: NDArray[np.intp] | None = None
    """The number of each row's cluster (patient, user, site)."""
    lags: int | None = None
    """Rows are in order of time, and correlated over so many steps; −1 means: see for yourself."""


INDEPENDENT = Dependence()


def read_groups(
    groups: Any, size: int, name: str = "clusters"
) -> tuple[NDArray[np.intp], tuple[Any, ...]]:
    """Return the number of each row's group, and the groups' labels in order of appearance."""
    series = as_series(groups)
    if series is not None:
        labels = series.to_list()
    else:
        listing = next((m for m in ("to_pylist", "tolist") if hasattr(groups, m)), None)
        try:
            labels = list(getattr(groups, listing)() if listing else groups)
        except TypeError:
            raise InputError(f"{arg(name)} must contain one label per case.") from None
    if len(labels) != size:
        raise InputError(f"{arg(name)} must have one entry per case: {len(labels)}, not {size}.")
    missing = np.array([_is_missing(label) for label in labels])
    if missing.any():
        raise InputError(f"{arg(name)} is missing in {name_rows(missing)}.")
    number: dict[Any, int] = {}
    try:
        codes = [number.setdefault(label, len(number)) for label in labels]
    except TypeError:  # lists and the like
        raise InputError(f"{arg(name)} must contain one label per case.") from None
    if len(number) < 2:
        raise InputError(f"{arg(name)} has only one group. At least two are needed.")
    return np.array(codes, dtype=np.intp), tuple(number)


def _is_missing(label: Any) -> bool:
    return label is None or type(label).__name__ == "NAType" or bool(label != label)


def read_dependence(clusters: Any, hac: Any, size: int) -> Dependence:
    """Read ``clusters`` and ``hac``; one of them at most."""
    ordered = hac is not None and not (isinstance(hac, (bool, np.bool_)) and not hac)
    if clusters is not None and ordered:
        raise InputError("Give 'clusters' or 'hac', not both.")
    if clusters is not None:
        return Dependence(read_groups(clusters, size)[0])
    if not ordered:
        return INDEPENDENT
    if isinstance(hac, (bool, np.bool_)):
        return Dependence(lags=-1)
    lags = check_whole(hac, "hac", 0)
    if lags >= size:
        raise InputError(f"'hac' must be less than the number of cases, {size}, got {lags}.")
    return Dependence(lags=lags)
