"""Several files: parts of one table, or tables whose rows are matched."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from roctopus.core.errors import InputError, warn
from roctopus.engines import FileTable, refuse_missing

__all__ = ["Told", "group_files", "read_group", "read_matched"]

Told = Callable[[str, int, int], None]
"""Is told what is being read, how many rows of it are, and of how many."""


def group_files(tables: list[FileTable], id: str | None) -> list[list[FileTable]]:
    """Put files with the same columns together."""
    groups: dict[frozenset[str], list[FileTable]] = {}
    for table in tables:
        groups.setdefault(frozenset(table.schema.names), []).append(table)
    found = list(groups.values())
    if len(found) == 1:
        return found
    if id is None:
        raise InputError(
            f"'{found[0][0].name}' and '{found[1][0].name}' have different columns. Say with --id "
            "which column matches their rows."
        )
    for group in found:
        refuse_missing([id], group[0].schema.names, group[0].name)
    seen: dict[str, str] = {}
    for group in found:
        for name in group[0].schema.names:
            if name != id and name in seen:
                raise InputError(
                    f"'{seen[name]}' and '{group[0].name}' both have a column {name!r}. Rename it "
                    "in one of them."
                )
            seen[name] = group[0].name
    return found


def read_matched(
    groups: list[list[FileTable]], wanted: list[str], truth: str, id: str | None, told: Told
) -> Any:
    """Read all files; match the rows of those with other columns to those with the truths."""
    base = next(group for group in groups if truth in group[0].schema.names)
    table = read_group(base, wanted, told)
    if id is not None:
        _refuse_twice(table, id, base[0].name)
    for group in groups:
        mine = [n for n in wanted if n != id and n in group[0].schema.names]
        if group is base or not mine:
            continue
        assert id is not None
        other = read_group(group, [id, *mine], told)
        _refuse_twice(other, id, group[0].name)
        table = _joined(table, other, id, group[0].name)
    return table


def read_group(group: list[FileTable], wanted: list[str], told: Told) -> Any:
    """Read files with the same columns as one table."""
    import pyarrow as pa

    mine = [name for name in wanted if name in group[0].schema.names]
    parts = [each.read(mine, partial(told, f"reading {each.name}")) for each in group]
    if len(parts) == 1:
        return parts[0]
    try:
        return pa.concat_tables(parts, promote_options="permissive")
    except pa.ArrowException:
        raise InputError(
            f"The files have different kinds of values in the same columns: see '{group[0].name}' "
            "and those beside it."
        ) from None


def _refuse_twice(table: Any, id: str, name: str) -> None:
    import pyarrow as pa
    import pyarrow.compute as pc

    ids = table.column(id)
    if ids.null_count:
        raise InputError(f"'{name}' has {ids.null_count} rows without {id!r}.")
    try:
        twice = len(ids) - pc.count_distinct(ids).as_py()
    except pa.ArrowException:
        raise InputError(f"The column {id!r} (--id) holds {ids.type}: rows have no name.") from None
    if twice:
        raise InputError(
            f"'{name}' has {twice} rows whose {id!r} was there before. Each case must have one row."
        )


def _joined(table: Any, other: Any, id: str, name: str) -> Any:
    """Add the columns of another table, in the order of the first one's ids."""
    import pyarrow as pa
    import pyarrow.compute as pc

    here, there = table.column(id).combine_chunks(), other.column(id).combine_chunks()
    try:
        at = pc.index_in(here, there.cast(here.type))
    except pa.ArrowException:
        raise InputError(
            f"{id!r} holds {here.type} in one file and {there.type} in '{name}'."
        ) from None
    matched = len(at) - at.null_count
    if matched == 0:
        raise InputError(f"No {id!r} of '{name}' is among those of the truths.")
    if matched < len(there):
        warn(f"{len(there) - matched} rows of '{name}' have no truth and are left out.")
    for column in other.column_names:
        if column != id:
            table = table.append_column(column, other.column(column).take(at))
    return table
