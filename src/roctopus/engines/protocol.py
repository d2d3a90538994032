"""What a source of rows and a state that reads them expect from each other.

A state never sees where rows come from, and a source never sees what is computed. States are plain
picklable objects, so that a source may send them to other processes and machines.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, Self, TypeVar

from numpy.typing import NDArray

from roctopus.core.arrays import Floats

__all__ = ["Batch", "Grid", "GridState", "Ordered", "OrderedState", "Source", "Told"]

Batch = Mapping[str, NDArray[Any]]
"""Columns by name, all of the same length: doubles, or objects where a column holds text."""

Told = Callable[[int], None]
"""Is told how many rows are done."""


class GridState(Protocol):
    """What takes rows in any order."""

    def update(self, batch: Batch) -> None:
        """Take some rows."""
        ...

    def merge(self, other: Self) -> None:
        """Take what another state has taken."""
        ...


class OrderedState(Protocol):
    """What takes records in the order of their keys."""

    def records(self, batch: Batch) -> dict[str, Floats]:
        """Return the records of some rows, one or several per row: ``key`` and other columns."""
        ...

    def advance(self, records: Mapping[str, Floats]) -> None:
        """Take records that follow, sorted by key; records of one key come in one call."""
        ...

    def lifted(self) -> Self:
        """Return an empty state that may later be merged from the right."""
        ...

    def merge(self, right: Self) -> None:
        """Take what another state has taken, all of it with larger keys."""
        ...


Grid = TypeVar("Grid", bound=GridState)
Ordered = TypeVar("Ordered", bound=OrderedState)


class Source(Protocol):
    """Where rows come from."""

    name: str

    def names(self) -> list[str]:
        """Return the names of the columns."""
        ...

    def rows(self) -> int:
        """Return the number of rows."""
        ...

    def pilot(self, columns: Sequence[str], rows: int) -> dict[str, NDArray[Any]]:
        """Return a first sample of rows."""
        ...

    def reduce(self, columns: Sequence[str], start: Grid, told: Told) -> Grid:
        """Return the state after all rows."""
        ...

    def ordered(self, columns: Sequence[str], start: Ordered, told: Told) -> Ordered:
        """Return the state after the records of all rows, in the order of their keys."""
        ...
