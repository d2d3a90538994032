"""The problems of the papers as a registry; their data are bundled, in a folder, or fetched."""

from __future__ import annotations

import bz2
import csv
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from http.client import HTTPException
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from roctopus.concepts.distributions import Beta
from roctopus.core.arrays import Floats
from roctopus.core.errors import InputError
from roctopus.core.files import replacing
from roctopus.datasets.fetching import Origin, checksum, fetch_rows

MISSING = ("", "?")


@dataclass(frozen=True)
class PaperProblem:
    """A problem of the papers: the question, the unit, the cutoffs, and where the data come from.

    ``list_problems`` lists all of them.

    Parameters
    ----------
    name : str
        Short name, such as "dee".
    question : str
        What is asked.
    target : str
        Name of the target column.
    unit : str
        Unit of the target.
    rows : int
        Number of rows.
    features : tuple of str
        Names of the columns before the target.
    source : str
        Where the data come from.
    licence : str
        Licence of the data.
    checksum : str
        SHA-256 of the values.
    nominal : tuple of str, optional
        Names of the features that are not numbers.
    cutoffs : tuple of four float, optional
        Shapes a and b of a beta distribution of cutoffs, and the part of the target's range over
        which it lies, as two shares.
    type : int, optional
        Type 1 to 6 of the paper's Table 1 (see :func:`roctopus.cutoff.cutoff_problem`).
    warning : str, default ""
        What to know before the data are used.
    origin : Origin, optional
        Where the data can be downloaded.

    Examples
    --------
    >>> from roctopus.datasets import list_problems
    >>> problem = list_problems()["airfoil"]
    >>> problem.unit, problem.rows
    ('dB', 1503)
    """

    name: str
    question: str
    target: str
    unit: str
    rows: int
    features: tuple[str, ...]
    source: str
    licence: str
    checksum: str
    nominal: tuple[str, ...] = ()
    cutoffs: tuple[float, float, float, float] | None = None
    type: int | None = None
    warning: str = ""
    origin: Origin | None = None

    def load(
        self, data_home: str | os.PathLike[str] | None = None, *, download: bool = True
    ) -> ProblemData:
        """Return the data: from a folder, from the package, or downloaded and kept in that folder.

        Parameters
        ----------
        data_home : path, optional
            Folder with the data. By default ``ROCTOPUS_DATA``, or ``roctopus_data`` in the home
            folder.
        download : bool, default True
            Whether data that are not there are downloaded.

        Returns
        -------
        ProblemData
            The features and the target.
        """
        folder = default_home() if data_home is None else Path(data_home).expanduser()
        if folder.exists() and not folder.is_dir():
            raise InputError(f"'data_home' must be a folder, but '{folder}' is a file.")
        path = folder / f"{self.name}.csv"
        if not path.exists():
            if self._file.is_file():
                return self.bundled()
            self._fetch(path, download=download)
        header, rows = _read(path)
        self._check(header, rows, f"'{path}'")
        return self._data(rows)

    @property
    def _file(self) -> Traversable:
        """Where the data are if they come with the package: compressed, to keep it small."""
        return files("roctopus.datasets").joinpath(f"{self.name}.csv.bz2")

    def bundled(self) -> ProblemData:
        """Return the data that come with the package.

        Returns
        -------
        ProblemData
            The features and the target; a problem that is not bundled raises an error.
        """
        _, rows = _read(self._file)
        return self._data(rows)

    def _data(self, rows: list[list[str]]) -> ProblemData:
        *cells, target = zip(*rows, strict=True)
        nominal = self.features if self.nominal == ("*",) else self.nominal
        return ProblemData(
            problem=self,
            columns={
                name: list(column) if name in nominal else _numbers(column)
                for name, column in zip(self.features, cells, strict=True)
            },
            y_true=_numbers(target),
        )

    def _fetch(self, path: Path, *, download: bool) -> None:
        """Bring the data and write them as they are read; nothing is left if they are not right."""
        wanted = (
            f"a CSV file with a header, {self.rows:,} rows and {len(self.features) + 1} columns, "
            "of which the last is the target"
        )
        if self.origin is None or not download:
            why = "cannot be downloaded" if self.origin is None else "'download' is False"
            raise InputError(
                f"The data of '{self.name}' are not in '{path.parent}', and {why} (source: "
                f"{self.source}). Save them in this folder as '{path.name}', {wanted}."
            )
        try:
            rows = fetch_rows(self.origin)
        except (OSError, ValueError, HTTPException) as error:
            raise InputError(
                f"The data of '{self.name}' are not in '{path.parent}', and could not be "
                f"downloaded from {self.origin.place} ({error}). Connect to the internet, or save "
                f"the data there as '{path.name}', {wanted}."
            ) from error
        header = [*self.features, "target"]
        self._check(header, rows, f"The download from {self.origin.place}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with (
                replacing(path) as temporary,
                temporary.open("w", newline="", encoding="utf-8") as file,
            ):
                csv.writer(file).writerows([header, *rows])
        except OSError as error:
            raise InputError(
                f"The data of '{self.name}' were downloaded, but cannot be saved in "
                f"'{path.parent}' ({error.strerror}). Choose another folder with 'data_home'."
            ) from error

    def _check(self, header: list[str], rows: list[list[str]], what: str) -> None:
        wanted = len(self.features) + 1
        wrong = [k for k, row in enumerate([header, *rows], 1) if len(row) != wanted]
        if len(rows) != self.rows or wrong:
            told = f"has {len(rows):,} {'row' if len(rows) == 1 else 'rows'}"
            if len(rows) == self.rows:
                told = f"line {wrong[0]} has {len([header, *rows][wrong[0] - 1])}"
            raise InputError(
                f"{what} must have {self.rows:,} rows of {wanted} cells, like the paper's "
                f"'{self.name}', but {told}. Use another copy of the data."
            )
        if checksum(rows) != self.checksum:
            raise InputError(
                f"{what} contains other values than the paper's '{self.name}': the checksum is "
                f"{checksum(rows)[:12]}…, but must be {self.checksum[:12]}…. Use another copy of "
                "the data."
            )


@dataclass(frozen=True, eq=False)
class ProblemData:
    """The data of a problem: features by name, and the target.

    ``load_problem`` reads them.

    Parameters
    ----------
    problem : PaperProblem
        The problem.
    columns : dict of str to array or list
        Features by name: numbers (NaN if missing), or a list of texts.
    y_true : array of shape (n,)
        True values, one per case.

    Examples
    --------
    >>> from roctopus.datasets import list_problems
    >>> concrete = list_problems()["concrete"].bundled()
    >>> list(concrete.columns)[:2], concrete.matrix().shape
    (['cement', 'blast_furnace_slag'], (1030, 8))
    """

    problem: PaperProblem
    columns: dict[str, Any]
    y_true: Floats

    @property
    def cutoffs(self) -> Beta:
        """The distribution of cutoffs, in the unit of the target."""
        if self.problem.cutoffs is None:
            raise InputError(f"No cutoffs are published for '{self.problem.name}'.")
        a, b, low, high = self.problem.cutoffs
        start, end = float(self.y_true.min()), float(self.y_true.max())
        return Beta(a, b, start + low * (end - start), start + high * (end - start))

    def matrix(self) -> Floats:
        """Return the features as numbers.

        Returns
        -------
        array of shape (n, k)
            Numbers, and an indicator for each nominal value but the first; NaN if missing.
        """
        parts: list[Floats] = []
        for column in self.columns.values():
            parts += _indicators(column) if isinstance(column, list) else [column]
        return np.column_stack(parts)


def _read(path: Traversable) -> tuple[list[str], list[list[str]]]:
    """Return the header and the rows of a CSV file; blank lines do not count."""
    try:
        content = path.read_bytes()
        packed = path.name.endswith(".bz2")
        lines = str(bz2.decompress(content) if packed else content, "utf-8-sig").splitlines()
        header, *rows = [row for row in csv.reader(lines) if row] or [[]]
    except OSError as error:
        raise InputError(f"'{path}' cannot be read ({error.strerror}).") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(
            f"'{path}' is not a CSV file in UTF-8 ({error}). Save the file as CSV in UTF-8."
        ) from error
    return header, rows


def _indicators(column: list[str]) -> list[Floats]:
    values, code = np.unique(column, return_inverse=True)
    missing = np.isin(values, MISSING)
    first = int(np.argmin(missing))
    return [
        np.where(missing[code], np.nan, (code == k).astype(np.float64))
        for k in np.flatnonzero(~missing)
        if k != first
    ]


def _numbers(column: tuple[str, ...]) -> Floats:
    return np.array([np.nan if cell in MISSING else float(cell) for cell in column])


def default_home() -> Path:
    """Return the folder of data: ``ROCTOPUS_DATA``, or ``roctopus_data`` in the home folder."""
    return Path(os.environ.get("ROCTOPUS_DATA", "~/roctopus_data")).expanduser()


@cache
def list_problems() -> Mapping[str, PaperProblem]:
    """Return all problems of the papers, by name and in the paper's order.

    Returns
    -------
    dict of str to PaperProblem
        The problems; ``load_problem`` reads their data.

    Examples
    --------
    >>> from roctopus.datasets import list_problems
    >>> problems = list_problems()
    >>> problems["wine-red"].question, problems["wine-red"].licence
    ('Is a red wine good enough for this shop?', 'CC BY 4.0')
    """
    text = files("roctopus.datasets").joinpath("problems.toml").read_text(encoding="utf-8")
    found: dict[str, PaperProblem] = {}
    for name, entry in tomllib.loads(text).items():
        origin = entry.pop("fetch", None)
        place = None if origin is None else Origin(**_with_tuples(origin))
        found[name] = PaperProblem(name=name, origin=place, **_with_tuples(entry))
    return MappingProxyType(found)


def _with_tuples(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(each) if isinstance(each, list) else each for key, each in entry.items()}


def load_problem(
    name: str, *, data_home: str | os.PathLike[str] | None = None, download: bool = True
) -> ProblemData:
    """Return the data of one of the papers' problems, checked against their checksum.

    Three problems come with the package; the others are downloaded from OpenML or UCI and kept in
    the folder.

    Parameters
    ----------
    name : str
        Name of the problem, as ``list_problems`` has it.
    data_home : path, optional
        Folder with the data, in which ``NAME.csv`` is looked for first. By default
        ``ROCTOPUS_DATA``, or ``roctopus_data`` in the home folder.
    download : bool, default True
        Whether data that are not there are downloaded.

    Returns
    -------
    ProblemData
        The features and the target.

    Examples
    --------
    >>> from roctopus.datasets import load_problem
    >>> load_problem("dee", data_home="nowhere")
    Traceback (most recent call last):
    ...
    roctopus.core.errors.InputError: The data of 'dee' are not in 'nowhere', and cannot be
    downloaded (source: KEEL). Save them in this folder as 'dee.csv', a CSV file with a header, 365
    rows and 7 columns, of which the last is the target.
    """
    known = list_problems()
    if name not in known:
        raise InputError(f"There is no problem called {name!r}. Available: {', '.join(known)}.")
    return known[name].load(data_home, download=download)
