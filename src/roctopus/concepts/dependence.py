"""How cases depend on each other."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from roctopus.concepts.times import read_times
from roctopus.core.arrays import as_series
from roctopus.core.checks import name_rows
from roctopus.core.errors import InputError, arg, warn

Codes: TypeAlias = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Dependence:
    """How cases depend on each other: rows of one cluster, rows of one time and its neighbours."""

    clusters: Codes | None = None
    """The number of each row's cluster (patient, user, site)."""
    times: Codes | None = None
    """The number of each row's time, in order: 0 for the earliest. All numbers occur."""
    cosines: float | None = None
    """Largest number of cosines for slow changes; by default it follows from the data."""
    agreed: bool = False
    """Whether these are the cosines of all estimates that are put together."""
    before: Dependence | None = None
    """How cases depend on each other really, where clusters are groups drawn to save time."""

    @property
    def independent(self) -> bool:
        """Whether rows are independent."""
        return self.clusters is None and self.times is None

    @cached_property
    def crossed(self) -> bool:
        """Whether clusters reach over several times, so that rows depend in two ways."""
        if self.clusters is None or self.times is None:
            return False
        first = np.full(int(self.clusters.max()) + 1, -1)
        first[self.clusters] = self.times
        return bool(np.any(first[self.clusters] != self.times))

    @property
    def alone(self) -> str | None:
        """Why nothing tells how clusters, or times, vary: all rows are of one; None otherwise."""
        if self.clusters is not None and not self.clusters.any():
            return f"{arg('clusters')} has only one group."
        if self.times is not None and not self.times.any():
            return f"{arg('time')} has only one time."
        return None

    def refuse_alone(self) -> None:
        """Raise an error where all rows are of one cluster, or of one time."""
        if self.alone is not None:
            raise InputError(f"{self.alone} At least two are needed.")

    def take(self, rows: Any) -> Dependence:
        """Return that of some of the rows; fewer times have fewer cosines."""
        clusters, times = _taken(self.clusters, rows), _taken(self.times, rows)
        cosines = self.cosines
        if cosines is not None and times is not None and self.times is not None and len(times):
            share = (int(times.max()) + 1) / (int(self.times.max()) + 1)
            cosines *= share
        return Dependence(clusters, times, cosines, self.agreed)


INDEPENDENT = Dependence()


def _taken(codes: Codes | None, rows: Any) -> Codes | None:
    """Return the numbers of some rows, without gaps."""
    return None if codes is None else np.unique(codes[rows], return_inverse=True)[1]


def read_groups(
    groups: Any, size: int, name: str = "clusters", least: int = 2
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
            raise InputError(
                f"{arg(name)} must contain one label per case, but is of type "
                f"{type(groups).__name__}."
            ) from None
    if len(labels) != size:
        raise InputError(
            f"{arg(name)} must have one label per case ({size}), but has {len(labels)}."
        )
    missing = np.array([_is_missing(label) for label in labels])
    if missing.any():
        fill = "label, or remove this row" if missing.sum() == 1 else "labels, or remove these rows"
        raise InputError(
            f"{arg(name)} has no label in {name_rows(missing)}. Fill in the missing {fill}."
        )
    number: dict[Any, int] = {}
    try:
        codes = [number.setdefault(label, len(number)) for label in labels]
    except TypeError:  # lists and the like
        strange = next((each for each in labels if not isinstance(each, Hashable)), labels)
        raise InputError(
            f"{arg(name)} must contain one label per case, such as a number or text, but contains "
            f"a value of type {type(strange).__name__}."
        ) from None
    if len(number) < least:
        raise InputError(f"{arg(name)} has only one group. At least two are needed.")
    return np.array(codes, dtype=np.intp), tuple(number)


def _is_missing(label: Any) -> bool:
    return label is None or type(label).__name__ == "NAType" or bool(label != label)


def read_order(time: Any, size: int, frame: Any = None) -> Codes | None:
    """Return the number of each row's time; None without an order.

    True means that rows are in order, each at a time of its own.
    """
    if time is None or (isinstance(time, (bool, np.bool_)) and not time):
        return None
    if isinstance(time, (bool, np.bool_)):
        return np.arange(size)
    values = read_times(time, frame).values
    if len(values) != size:
        raise InputError(
            f"{arg('time')} must have one time per case, but has {len(values)} "
            f"{'time' if len(values) == 1 else 'times'} for {size} cases."
        )
    return np.asarray(np.unique(values, return_inverse=True)[1], dtype=np.intp)


def read_dependence(clusters: Any, time: Any, size: int) -> Dependence:
    """Read ``clusters`` and ``time``, at least two of each."""
    found = read_any_dependence(clusters, time, size)
    found.refuse_alone()
    return found


def read_any_dependence(clusters: Any, time: Any, size: int) -> Dependence:
    """Read ``clusters`` and ``time``; rows may all be of one cluster, or of one time."""
    codes = None if clusters is None else read_groups(clusters, size, least=1)[0]
    found = Dependence(codes, read_order(time, size))
    if found.crossed:
        _warn_of_repeats(found)
    return found


def _warn_of_repeats(dependence: Dependence) -> None:
    """Warn of rows of one cluster at one time: in a panel they are often duplicates."""
    assert dependence.clusters is not None
    assert dependence.times is not None
    cells = dependence.clusters * (int(dependence.times.max()) + 1) + dependence.times
    _, first = np.unique(cells, return_index=True)
    again = np.ones(len(cells), dtype=bool)
    again[first] = False
    if 0 < again.sum() < 0.1 * len(cells):  # not the rule, so perhaps a mistake
        warn(
            f"Some rows have the same {arg('clusters')} and {arg('time')} as an earlier row: "
            f"{name_rows(again)}. If they are duplicates, remove them."
        )
