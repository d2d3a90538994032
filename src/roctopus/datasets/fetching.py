"""Bring the papers' data from OpenML or UCI, as rows of text with the target last."""

from __future__ import annotations

import csv
import hashlib
import io
import shlex
import socket
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.error import HTTPError
from urllib.request import urlopen
from xml.etree import ElementTree

UCI = "https://archive.ics.uci.edu/ml/machine-learning-databases/"
PATIENCE = 30.0
"""Seconds."""


@dataclass(frozen=True)
class Origin:
    """Where a table is, and how to bring it into shape."""

    target: tuple[int, ...]
    """Positions of the target among the columns; several are summed."""
    openml: int | None = None
    uci: str | None = None
    header: bool = False
    """Whether the first line of a file of UCI is no data."""
    drop: tuple[int, ...] = ()

    @property
    def place(self) -> str:
        """Where it is, in words."""
        return f"data set {self.openml} of OpenML" if self.openml else f"{self.uci} of UCI"


def fetch_rows(origin: Origin) -> list[list[str]]:
    """Return rows of text, the target last; raise OSError or ValueError if that fails."""
    rows = _from_openml(origin.openml) if origin.openml else _from_uci(origin)
    if not rows or any(len(row) <= max(*origin.target, *origin.drop, 0) for row in rows):
        raise ValueError("it is not the expected table")
    rest = [k for k in range(len(rows[0])) if k not in (*origin.target, *origin.drop)]
    return [
        [row[k] for k in rest if k < len(row)] + [_sum([row[k] for k in origin.target])]
        for row in rows
    ]


def _from_openml(data_id: int) -> list[list[str]]:
    from sklearn.datasets import fetch_openml

    with tempfile.TemporaryDirectory() as folder, _patience():
        found = fetch_openml(
            data_id=data_id,
            data_home=folder,
            target_column=None,
            as_frame=False,
            parser="liac-arff",
            n_retries=1,
        )
    texts = [
        [_category(found.categories[name], code) for code in column]
        if name in found.categories
        else [str(value) for value in column]
        for name, column in zip(found.feature_names, found.data.T, strict=True)
    ]
    return [list(row) for row in zip(*texts, strict=True)]


@contextmanager
def _patience() -> Iterator[None]:
    """Limit the time to wait for a connection; scikit-learn would wait forever."""
    before = socket.getdefaulttimeout()
    socket.setdefaulttimeout(PATIENCE)
    try:
        yield
    finally:
        socket.setdefaulttimeout(before)


def _category(categories: Sequence[str], code: float) -> str:
    return "" if code != code else categories[int(code)]


def _from_uci(origin: Origin) -> list[list[str]]:
    try:
        with urlopen(f"{UCI}{origin.uci}", timeout=PATIENCE) as answer:
            content = answer.read()
    except HTTPError as error:
        error.close()
        raise
    if str(origin.uci).endswith((".zip", ".xlsx")):
        return _from_sheet(content)[origin.header :]
    text = content.decode("utf-8", errors="replace")
    lines = [line for line in text.splitlines() if line.strip()][origin.header :]
    if not lines:
        return []
    mark = next((each for each in ";," if each in lines[0]), None)
    return list(csv.reader(lines, delimiter=mark)) if mark else [shlex.split(x) for x in lines]


def _from_sheet(content: bytes) -> list[list[str]]:
    """Return the numbers of the first sheet of an Excel file, which may lie in an archive."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            inner = [name for name in archive.namelist() if name.endswith(".xlsx")]
            if inner:
                return _from_sheet(archive.read(inner[0]))
            sheet = ElementTree.fromstring(archive.read("xl/worksheets/sheet1.xml"))
    except (zipfile.BadZipFile, KeyError, ElementTree.ParseError) as error:
        raise ValueError(f"that is not an Excel file: {error}") from error
    space = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
    rows = [
        [cell.findtext(f"{space}v", "") for cell in row.iter(f"{space}c")]
        for row in sheet.iter(f"{space}row")
    ]
    return [row for row in ([x for x in row if x] for row in rows) if row]


def _sum(cells: list[str]) -> str:
    return cells[0] if len(cells) == 1 else str(sum(int(cell) for cell in cells))


def checksum(rows: Iterable[Sequence[str]]) -> str:
    """Return the SHA-256 of the values.

    Neither the order of rows nor the way a number is written matters: true copies have the same.
    """
    lines = sorted("\x1f".join(_plain(cell) for cell in row) for row in rows)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _plain(cell: str) -> str:
    text = cell.strip()
    if text in ("", "?", "nan"):
        return ""
    try:
        return format(float(text), ".10g")
    except ValueError:
        return text
