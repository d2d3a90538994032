"""Find the files that are meant: by path, in a folder, on standard input."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from roctopus.core.errors import InputError, MissingDependencyError
from roctopus.engines.files import SQUEEZED, FileTable, TextFormat

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
}


def open_files(
    names: Sequence[str],
    *,
    delimiter: str | None = None,
    decimal: str = ".",
    encoding: str = "utf-8",
) -> list[FileTable]:
    """Find the files: each by its path; a folder with all in it; ``-`` is CSV on standard input."""
    if find_spec("pyarrow") is None:
        raise MissingDependencyError("Reading files", "pyarrow", "pip install 'roctopus[files]'")
    text = TextFormat(delimiter, decimal, encoding)
    found: list[FileTable] = []
    for name in names:
        if name == "-":
            found.append(_from_bytes("standard input", sys.stdin.buffer.read(), text))
            continue
        path = Path(name)
        found += _folder(path, text) if path.is_dir() else [_file(path, name, text)]
    seen: set[Path | str] = set()
    for table in found:
        mine: list[Path | str] = [path.resolve() for path in table.paths]
        for each in mine or [table.name]:
            if each in seen:
                raise InputError(f"'{table.name}' is given twice, so its cases would count twice.")
            seen.add(each)
    return found


def is_table(path: str) -> bool:
    """Tell whether a word is meant as a file of cases."""
    return Path(path).is_file() or _kind(Path(path)) is not None


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
    except OSError as error:
        near = _nearest(path)
        hint = f" Did you mean '{near}'?" if near else ""
        raise InputError(f"'{name}' cannot be read: {error.strerror}.{hint}") from None
    if size == 0:
        raise InputError(f"'{name}' is empty.")
    kind = _kind(path)
    if kind is None:
        raise InputError(
            f"'{name}' has an unknown file type. Known endings: {', '.join(KINDS)}, and .gz for "
            "text files."
        )
    return FileTable(name, (path,), kind, text)


def _nearest(path: Path) -> str | None:
    try:
        there = [each.name for each in path.parent.iterdir()]
    except OSError:
        return None
    near = difflib.get_close_matches(path.name, there, 1, 0.6)
    return str(path.parent / near[0]) if near else None


def _folder(path: Path, text: TextFormat) -> list[FileTable]:
    """Return the files of a folder; of Parquet and Arrow as one table, with its partitions."""
    inside = {
        each: kind
        for each in sorted(path.rglob("*"))
        if each.is_file()
        and (kind := _kind(each)) is not None
        and not any(part[0] in "._" for part in each.relative_to(path).parts)
    }
    kinds = set(inside.values())
    if len(kinds) != 1:
        what = "files of several types" if kinds else "no file of a known type"
        raise InputError(f"The folder '{path}' contains {what}. Name the files.")
    kind = kinds.pop()
    if kind in ("parquet", "arrow"):
        return [FileTable(str(path), tuple(inside), kind, text)]
    return [
        FileTable(str(each), (each,), kind, text, partitions=_partitions(each.relative_to(path)))
        for each in inside
    ]


def _partitions(path: Path) -> tuple[tuple[str, str], ...]:
    pairs = (part.partition("=") for part in path.parts[:-1])
    return tuple((name, value) for name, sign, value in pairs if sign and name)
