"""What columns are for, and how text is read as that: names, times, numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from roctopus.engines.columns import is_text
from roctopus.engines.dates import read_dates
from roctopus.engines.signs import NoNumbersError, Written, decimals_of, whole_names

AsNumbers: TypeAlias = Callable[[Any, str], tuple[Any, Written]]
"""Reads a column of text, by its name, as numbers, and tells how they are written."""


@dataclass(frozen=True)
class Roles:
    """What columns are for, as far as that matters for reading them.

    Other columns of text are read as numbers where that is possible.

    Parameters
    ----------
    names : frozenset of str, optional
        Columns that contain names, such as ids, which are not read as numbers.
    times : frozenset of str, optional
        Columns that contain times.
    untouched : frozenset of str, optional
        Columns that are only looked at.
    numbers : frozenset of str, optional
        Columns that must contain numbers.

    Examples
    --------
    >>> from roctopus.engines import Roles
    >>> Roles(names=frozenset({"customer"})).names
    frozenset({'customer'})
    """

    names: frozenset[str] = frozenset()
    times: frozenset[str] = frozenset()
    untouched: frozenset[str] = frozenset()
    numbers: frozenset[str] = frozenset()


ANY = Roles()


def by_roles(
    table: Any, columns: Sequence[str], roles: Roles, dates: str | None, as_numbers: AsNumbers
) -> tuple[Any, list[str]]:
    """Read text as what it is for, by all of its rows; return what readers should know of that."""
    read: dict[str, Written] = {}
    for name in columns:
        if name in roles.untouched or not is_text(table.schema.field(name).type):
            continue
        column = table.column(name)
        if name in roles.names:
            column = whole_names(column)
        elif name in roles.times:
            column = read_dates(column, name, dates)
        else:
            try:
                column, read[name] = as_numbers(column, name)
            except NoNumbersError:
                if name in roles.numbers or decimals_of(column) is not None:
                    raise
        table = replaced(table, name, column)
    return table, notes_on(read)


def replaced(table: Any, name: str, column: Any) -> Any:
    """Return a table with another column of that name."""
    return table.set_column(table.column_names.index(name), name, column)


def say_notes(name: str, notes: Iterable[str]) -> str:
    """Return notes on a file as sentences."""
    return f"'{name}': {' '.join(f'{note[:1].upper()}{note[1:]}.' for note in notes)}"


def notes_on(read: Mapping[str, Written]) -> list[str]:
    """Return what readers should know of how the numbers of columns were read."""
    notes = []
    percent = [name for name, how in read.items() if how.percent]
    grouped = {name: how.thousands for name, how in read.items() if how.unclear and how.thousands}
    if percent:
        notes.append(f"percentages in {_listed(percent)} were read as shares, so 50% is 0.5")
    for sign in dict.fromkeys(grouped.values()):
        mine = [name for name in grouped if grouped[name] == sign]
        notes.append(
            f"in {_listed(mine)}, 1{sign}234 was read as 1234, because other columns of the file "
            f"use {read[mine[0]].decimal!r} as the decimal sign"
        )
    return notes


def _listed(names: Sequence[str]) -> str:
    several = "columns" if len(names) > 1 else "column"
    return f"{several} {', '.join(map(repr, names))}"
