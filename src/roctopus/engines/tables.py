"""Several files as one source: parts of one table, or tables whose rows are matched."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roctopus.core.checks import rows_called, say_rows
from roctopus.core.errors import InputError, arg, warn
from roctopus.core.names import refuse_missing
from roctopus.engines.arrow import ArrowSource, columns_of
from roctopus.engines.batches import in_short
from roctopus.engines.contents import LETTERS, letters_in
from roctopus.engines.files import FileTable
from roctopus.engines.layout import TextFormat
from roctopus.engines.opening import open_files
from roctopus.engines.roles import Roles, say_notes
from roctopus.engines.stand_ins import notes_on_stand_ins

Telling = Callable[[str, int, int], None]
"""Called with what is being read, how many rows have been read, and of how many."""


class Files(ArrowSource):
    r"""Files, folders, or CSV on standard input, as one source of rows.

    Files with the same columns are parts of one table; the rows of others are matched.

    Parameters
    ----------
    names : list of path
        Paths of files and folders. A folder stands for the files in it, "-" for CSV on standard
        input.
    id : column name, optional
        Column that names each case, with one row per case; rows of files with different columns are
        matched by it.
    delimiter : str, optional
        What separates the columns of a CSV file. By default this and the following are found out
        from all rows of a column; where two readings fit, an error shows both.
    decimal : str, optional
        Decimal sign in CSV files: "." or ",".
    thousands : str, optional
        What separates thousands in CSV files, such as "," or "'".
    dates : {"dmy", "mdy", "ymd"}, optional
        Order of day, month and year.
    encoding : str, optional
        How CSV files are encoded, such as "latin-1".
    sheet : str, optional
        Sheet of a spreadsheet; by default the only one with values.
    header_row : int, optional
        Number of the row of a spreadsheet with the names of columns; by default the first row that
        is not empty.
    memory : int, default 2147483648
        How many bytes of memory may be used; ``compare`` sets it.
    spill : path, optional
        Folder for rows that are sorted and do not fit into memory.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from roctopus.engines import Files
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "sales.csv"
    ...     _ = path.write_text("day;sold;forecast\n1;12,5;11\n2;9;10,5\n")
    ...     files = Files([str(path)])
    ...     files.names(), files.table(["sold"])["sold"].to_pylist()
    (['day', 'sold', 'forecast'], [12.5, 9.0])
    """

    def __init__(
        self,
        names: Sequence[str],
        *,
        id: str | None = None,
        delimiter: str | None = None,
        decimal: str | None = None,
        thousands: str | None = None,
        dates: str | None = None,
        encoding: str | None = None,
        sheet: str | None = None,
        header_row: int | None = None,
        memory: int = 1 << 31,
        spill: str | None = None,
    ) -> None:
        self.text = TextFormat(delimiter, decimal, thousands, dates, encoding)
        self.tables = open_files(names, self.text, sheet, header_row, memory)
        self.roles = Roles()
        self._sizes: list[tuple[FileTable, int]] = []
        self._kept: NDArray[np.intp] | None = None
        self.name = self.tables[0].name if len(self.tables) == 1 else "the files"
        self.id, self.memory, self.spill = id, memory, spill

    def use(self, memory: int, spill: str | None, id: str | None, roles: Roles) -> Files:
        """Use what a question allows and names, in place of what was given before.

        Parameters
        ----------
        memory : int
            How many bytes of memory may be used.
        spill : path or None
            Folder for rows that are sorted and do not fit into memory.
        id : column name or None
            Column that names each case, where none was given before.
        roles : Roles
            What the columns are for.

        Returns
        -------
        Files
            The same source.
        """
        if memory != self.memory:
            self.tables = [replace(table, memory=memory) for table in self.tables]
            self.__dict__.pop("groups", None)
        self.memory, self.spill, self.id = memory, spill, self.id or id
        self.roles = roles
        return self

    @cached_property
    def groups(self) -> list[list[FileTable]]:
        """Files with the same columns, together."""
        found: dict[frozenset[str], list[FileTable]] = {}
        for table in self.tables:
            found.setdefault(frozenset(table.schema.names), []).append(table)
        groups = list(found.values())
        if len(groups) > 1:
            _refuse_unmatched(groups, self.id)
        return groups

    def names(self) -> list[str]:
        """Return the names of the columns.

        Returns
        -------
        list of str
            The names, each once, in the order of the files.
        """
        if len(self.groups) == 1:
            return list(self.groups[0][0].schema.names)
        return list(dict.fromkeys(n for group in self.groups for n in group[0].schema.names))

    def holds_numbers(self, name: str) -> bool:
        """Return whether a column contains numbers.

        Parameters
        ----------
        name : column name
            Column.

        Returns
        -------
        bool
            True for integers and decimal numbers.
        """
        import pyarrow as pa

        kind = self._kind(name)
        return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))

    def groups_by(self, name: str) -> bool:
        """Return whether a column may contain times, or the names of groups.

        Parameters
        ----------
        name : column name
            Column.

        Returns
        -------
        bool
            True for integers, text, dates and times.
        """
        import pyarrow as pa

        kind = self._kind(name)
        tests = (pa.types.is_integer, pa.types.is_string, pa.types.is_temporal)
        return any(test(kind) for test in (*tests, pa.types.is_dictionary))

    def _kind(self, name: str) -> Any:
        return next(
            field.type for group in self.groups for field in group[0].schema if field.name == name
        )

    def rows(self) -> int:
        """Return the number of rows; for CSV files an estimate from their size.

        Returns
        -------
        int
            The number of rows.
        """
        return sum(_rows(table) for table in self.groups[0])

    @cached_property
    def _dataset(self) -> Any:
        import pyarrow.dataset as ds

        if any(table.content is not None for table in self.tables):
            raise InputError(
                "Standard input cannot be read several times. Save the data as a file first."
            )
        if len(self.groups) > 1:
            raise InputError(
                f"Files that are matched with {arg('id')} cannot be read in parts. Join the files "
                "into one file first, or use a sample that fits into memory."
            )
        parts = [table.dataset() for table in self.tables]
        return parts[0] if len(parts) == 1 else ds.dataset(parts)

    def _columns_of(self, fragment: Any, batch: Any, columns: Sequence[str]) -> dict[str, Any]:
        """Return columns of a batch, with the numbers that its file writes as text."""
        import pyarrow as pa

        path = str(getattr(fragment, "path", ""))  # a sheet is in memory, and has none
        texts = [t for t in self.tables if t.kind == "csv" and path in map(str, t.paths)]
        rows = pa.Table.from_batches([batch])
        with rows_called(_in_batch):
            for table in texts:
                rows = table.lines.converted(rows, columns)
            return columns_of(rows, columns)

    def _parts(self, columns: Sequence[str]) -> Iterator[Iterator[dict[str, Any]]]:
        """Yield what reads some of the rows each; totals at the end cannot be left out."""
        for table in self.tables:
            if table.kind == "csv" and table.lines.totals.rows:
                told = ", ".join(map(repr, table.lines.totals.words))
                raise InputError(
                    f"'{table.name}' ends with totals ({told}), which cannot be left out when a "
                    "file is read in parts. Delete these rows from the file."
                )
        return super()._parts(columns)

    def pilot(self, columns: Sequence[str], rows: int) -> dict[str, NDArray[Any]]:
        """Return rows from the beginnings of some of the files.

        Parameters
        ----------
        columns : sequence of str
            Names of the columns.
        rows : int
            About how many rows to return.

        Returns
        -------
        dict of str to array
            The columns.
        """
        texts = [table for table in self.tables if table.kind == "csv"]
        for note in (note for table in texts for note in table.notes_of(columns)):
            warn(note)
        for table in texts:
            if not table.lines.totals.rows and table.lines.may_end_with_sums(columns):
                warn(
                    f"The last row of '{table.name}' may be a total: its values are about as "
                    f"large as those of the rows above it combined. If it is a total, remove it."
                )
        found = super().pilot(columns, rows)
        numeric = [(name, each) for name, each in found.items() if each.dtype.kind == "f"]
        for note in notes_on_stand_ins(numeric):
            warn(say_notes(self.name, [note]))
        return found

    def table(self, columns: Sequence[str]) -> Any:
        """Return columns as an Arrow table in memory: numbers, and text that is not a number.

        Parameters
        ----------
        columns : sequence of str
            Names of the columns.

        Returns
        -------
        pyarrow.Table
            The columns, with all rows.
        """
        import pyarrow as pa

        table = self.read(columns)
        kept = self.roles.names | self.roles.times
        found = columns_of(table, [name for name in columns if name not in kept])
        return pa.table({name: found.get(name, table.column(name)) for name in columns})

    def read(self, columns: Sequence[str], told: Telling = lambda *_: None) -> Any:
        """Return columns as they are, in the order of the file that has the first of them.

        Rows of files with other columns are matched to the rows of that one.

        Parameters
        ----------
        columns : sequence of str
            Names of the columns.
        told : callable, optional
            Called with what is being done, the number of parts done, and the number of parts.

        Returns
        -------
        pyarrow.Table
            The columns, with all rows.
        """
        refuse_missing(columns, self.names(), self.name)
        base = next(group for group in self.groups if columns[0] in group[0].schema.names)
        if self.id is None:
            return self._read(base, columns, told)
        table = self._with_ids(base, columns, told)
        for group in self.groups:
            mine = set(columns).intersection(group[0].schema.names) - {self.id}
            if group is not base and mine:
                other = self._with_ids(group, columns, told)
                table = _joined(table, other, self.id, group[0].name)
        return table.select(list(columns))

    def _with_ids(self, group: list[FileTable], columns: Sequence[str], told: Telling) -> Any:
        assert self.id is not None
        table = self._read(group, list(dict.fromkeys([self.id, *columns])), told)
        _refuse_twice(table, self.id, group[0].name)
        return table

    def _read(self, group: list[FileTable], wanted: Sequence[str], told: Telling) -> Any:
        """Read files with the same columns as one table."""
        import pyarrow as pa

        mine = [name for name in wanted if name in group[0].schema.names]
        names = self.roles.names | ({self.id} if self.id is not None else set())
        roles = replace(self.roles, names=names)
        parts = [each.read(mine, partial(told, f"reading {each.name}"), roles) for each in group]
        if not self._sizes:
            self._sizes = [(t, len(part)) for t, part in zip(group, parts, strict=True)]
        if len(parts) == 1:
            return parts[0]
        try:
            return pa.concat_tables(parts, promote_options="permissive")
        except pa.ArrowException as error:
            raise InputError(
                f"A column has one type of values in '{group[0].name}', but another type in "
                f"another file ({in_short(error)}). Use the same type in all files."
            ) from None

    def keep(self, rows: NDArray[np.intp]) -> None:
        """Record which of the rows that were read are used: errors count all of them.

        Parameters
        ----------
        rows : array of int
            Numbers of the rows, counted from 0.
        """
        self._kept = rows

    def naming_rows(self) -> AbstractContextManager[None]:
        """Return a context in which errors name rows as users see them.

        Returns
        -------
        context manager
            For a ``with`` statement.
        """
        return rows_called(self.places)

    def places(self, rows: list[int], size: int) -> tuple[str, list[str]]:
        """Return where rows are, as users see them: lines of a CSV file, or rows of a sheet.

        Parameters
        ----------
        rows : list of int
            Numbers of the rows, counted from 0.
        size : int
            Number of all rows. If another number was read, cases are counted from 1 instead.

        Returns
        -------
        tuple of (str, list of str)
            What is counted, such as "row", and each place.
        """
        if self._kept is not None and size == len(self._kept):
            rows, size = self._kept[rows].tolist(), sum(count for _, count in self._sizes)
        if size != sum(count for _, count in self._sizes):
            return "case", _numbered(rows, f"of {size} (counted from 1)")
        found, what = [], "row"
        for row in rows:
            for table, count in self._sizes:
                if row < count:
                    what, (place,) = table.places([row], count)
                    found.append(place if len(self._sizes) == 1 else f"{place} of '{table.name}'")
                    break
                row -= count
        return what, found


def _in_batch(rows: list[int], size: int) -> tuple[str, list[str]]:
    return "row", _numbered(rows, "of a part of the file")


def _numbered(rows: list[int], of: str) -> list[str]:
    """Return the numbers of rows from 1, the last with what they are counted in."""
    named = [str(row + 1) for row in rows]
    return [*named[:-1], f"{named[-1]} {of}"]


def _rows(table: FileTable) -> int:
    if table.kind in ("parquet", "arrow", "sheet"):
        return table.rows()
    size = len(table.content or b"") + sum(letters_in(path) for path in table.paths)
    return size // (LETTERS * max(len(table.schema.names), 1)) + 1


def _refuse_unmatched(groups: list[list[FileTable]], id: str | None) -> None:
    """Raise an error for files with different columns that nothing matches, or that share one."""
    if id is None:
        raise InputError(
            f"'{groups[0][0].name}' and '{groups[1][0].name}' have different columns. Use "
            f"{arg('id')} to name the column that identifies the cases in both."
        )
    seen: dict[str, str] = {}
    for first, *_ in groups:
        refuse_missing([id], first.schema.names, first.name)
        for name in first.schema.names:
            if name != id and name in seen:
                raise InputError(
                    f"'{seen[name]}' and '{first.name}' both have a column {name!r}. Rename it in "
                    "one of them."
                )
            seen[name] = first.name


def _refuse_twice(table: Any, id: str, name: str) -> None:
    import pyarrow as pa
    import pyarrow.compute as pc

    ids = table.column(id)
    if ids.null_count:
        told = "1 row has" if ids.null_count == 1 else f"{ids.null_count:,} rows have"
        raise InputError(
            f"{told} no value in the column {id!r} ({arg('id')}) of '{name}'. Fill in each missing "
            "value, or remove its row."
        )
    try:
        twice = len(ids) - pc.count_distinct(ids).as_py()
    except pa.ArrowException:
        raise InputError(
            f"The column {id!r} ({arg('id')}) must identify rows by numbers or text, but its type "
            f"is {ids.type}."
        ) from None
    if twice:
        raise InputError(
            f"Each case must have exactly one row, but {say_rows(twice)} of '{name}' "
            f"{'repeats' if twice == 1 else 'repeat'} a value of {id!r} from an earlier row."
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
            f"The column {id!r} ({arg('id')}) has the type {here.type} in one file, but "
            f"{there.type} in '{name}'. Use the same type in both."
        ) from None
    matched = len(at) - at.null_count
    if matched == 0:
        raise InputError(
            f"No value in the column {id!r} ({arg('id')}) of '{name}' belongs to a case with a "
            "true value. Check that both files identify cases in the same way."
        )
    if matched < len(there):
        left = len(there) - matched
        told = "row has no true value and is" if left == 1 else "rows have no true value and are"
        warn(f"In '{name}', {left:,} {told} left out.")
    for column in other.column_names:
        if column != id:
            table = table.append_column(column, other.column(column).take(at))
    return table
