"""Find the files that are meant: by path, in a folder, on standard input."""

from __future__ import annotations

import difflib
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

from roctopus.core.checks import check_whole
from roctopus.core.errors import InputError, MissingDependencyError, arg
from roctopus.core.files import identity, reason_of
from roctopus.engines.contents import SQUEEZED
from roctopus.engines.files import FileTable
from roctopus.engines.layout import TextFormat

KINDS = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".ipc": "arrow",
    ".feather": "arrow",
    ".csv": "csv",
    ".tsv": "csv",
    ".txt": "csv",
    ".jsonl": "json",
    ".ndjson": "json",
    ".json": "json",
    ".xlsx": "sheet",
    ".xlsm": "sheet",
    ".ods": "sheet",
}


MOST_OF_A_NAME = 200


def open_files(
    names: Sequence[str],
    text: TextFormat = TextFormat(),  # noqa: B008
    sheet: str | None = None,
    header_row: int | None = None,
    memory: int = 1 << 31,
) -> list[FileTable]:
    """Find the files: each by its path; a folder with all in it; ``-`` is CSV on standard input."""
    if find_spec("pyarrow") is None:
        raise MissingDependencyError("Reading files", "pyarrow", "pip install 'roctopus[files]'")
    found: list[FileTable] = []
    for name in names:
        if name == "-":
            found.append(_from_bytes("standard input", sys.stdin.buffer.read(), text))
            continue
        path = Path(name)
        found += _folder(path, text) if os.path.isdir(path) else [_file(path, name, text)]
    seen: dict[object, list[str]] = {}
    for table in found:
        for name in map(str, table.paths or [table.name]):
            before = seen.setdefault(identity(name), [])
            before.append(name)
            if len(before) > 1:
                what = f"'{before[0]}' and '{before[1]}' are the same file"
                if before[0] == before[1]:
                    what = f"'{before[0]}' is named twice"
                raise InputError(f"{what}, so its cases would count twice. Name the file once.")
    if (sheet, header_row) != (None, None) and all(table.kind != "sheet" for table in found):
        name = "header_row" if sheet is None else "sheet"
        raise InputError(
            f"{arg(name)} can only be used for spreadsheets ({', '.join(_endings('sheet'))}), but "
            f"none of the files is a spreadsheet. Leave out {arg(name)}."
        )
    if header_row is not None:
        check_whole(header_row, "header_row", 1)
    return [replace(table, memory=memory, sheet=sheet, header_row=header_row) for table in found]


def files_in(name: str) -> list[Path]:
    """Return the files that a name stands for: itself, or those in a folder."""
    path = Path(name)
    return list(_members(path)) if os.path.isdir(path) else [path]


def _endings(kind: str) -> list[str]:
    return [ending for ending, its in KINDS.items() if its == kind]


def is_table(path: str) -> bool:
    """Return whether a word is meant as a file of cases.

    Parameters
    ----------
    path : str
        A path, or another word of a command line.

    Returns
    -------
    bool
        True for a file that is there, and for names that end like a table's.

    Examples
    --------
    >>> from roctopus.engines import is_table
    >>> is_table("sales.csv"), is_table("boosting")
    (True, False)
    """
    return os.path.isfile(path) or _kind(Path(path)) is not None


def _kind(path: Path) -> str | None:
    suffixes = [s.lower() for s in path.suffixes]
    if suffixes and suffixes[-1] in SQUEEZED:
        suffixes.pop()
    return KINDS.get(suffixes[-1]) if suffixes else None


def _from_bytes(name: str, content: bytes, text: TextFormat) -> FileTable:
    if not content.strip():
        raise InputError(f"{name[0].upper()}{name[1:]} is empty.")
    return FileTable(name, (), "csv", text, content)


def _file(path: Path, name: str, text: TextFormat) -> FileTable:
    try:
        size = path.stat().st_size
        if not path.is_file():  # a pipe
            return _from_bytes(f"'{name}'", path.read_bytes(), text)
    except (OSError, ValueError) as error:
        near = _nearest(path)
        hint = f" Did you mean '{near}'?" if near else ""
        short = name if len(name) < MOST_OF_A_NAME else f"{name[:MOST_OF_A_NAME]}…"
        raise InputError(f"'{short}' cannot be read: {reason_of(error)}.{hint}") from None
    if size == 0:
        raise InputError(f"'{name}' is empty.")
    kind = _kind(path)
    if kind is None:
        raise InputError(
            f"'{name}' has an unknown file type. Known types: {', '.join(KINDS)}; text files may "
            f"also be compressed ({', '.join(SQUEEZED)})."
        )
    return FileTable(name, (path,), kind, text)


def _nearest(path: Path) -> str | None:
    try:
        there = [each.name for each in path.parent.iterdir() if each.name != path.name]
    except (OSError, ValueError):
        return None
    near = difflib.get_close_matches(path.name, there, 1, 0.6)
    return str(path.parent / near[0]) if near else None


def _folder(path: Path, text: TextFormat) -> list[FileTable]:
    """Return the files of a folder; of Parquet and Arrow as one table, with its partitions."""
    inside = _members(path)
    kinds = set(inside.values())
    if len(kinds) != 1:
        what = f"no file of a known type. Known types: {', '.join(KINDS)}."
        if kinds:
            what = "files of several types. Name the files instead of the folder."
        raise InputError(f"The folder '{path}' contains {what}")
    kind = kinds.pop()
    if kind in ("parquet", "arrow"):
        return [FileTable(str(path), tuple(inside), kind, text)]
    return [
        FileTable(str(each), (each,), kind, text, partitions=_partitions(each.relative_to(path)))
        for each in inside
    ]


def _members(path: Path) -> dict[Path, str]:
    """Return the files of known types in a folder, with these; hidden ones are left out."""
    return {
        each: kind
        for each in sorted(path.rglob("*"))
        if each.is_file()
        and (kind := _kind(each)) is not None
        and not any(part[0] in "._" for part in each.relative_to(path).parts)
    }


def _partitions(path: Path) -> tuple[tuple[str, str], ...]:
    pairs = (part.partition("=") for part in path.parts[:-1])
    return tuple((name, value) for name, sign, value in pairs if sign and name)
