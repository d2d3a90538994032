"""Data to try things on: real data, made-up examples, and the problems of the papers.

Three real data sets come with the package, for estimators: ``load_concrete``, ``load_power_plant``
and ``load_wine``. Their authors and licences are in ``ATTRIBUTION.md`` beside the files. The
examples are made up and come with models' predictions. The papers' problems are read from a
folder, or fetched.
"""

from __future__ import annotations

import csv
import tomllib
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

import numpy as np

from roctopus.core.arrays import Floats
from roctopus.datasets.problems import PaperProblem, ProblemData, list_problems, load_problem
from roctopus.datasets.real import load_concrete, load_power_plant, load_wine

__all__ = [
    "Example",
    "PaperProblem",
    "ProblemData",
    "list_problems",
    "load_apartments",
    "load_apples",
    "load_bakery",
    "load_concrete",
    "load_phones",
    "load_power_plant",
    "load_problem",
    "load_screening",
    "load_wine",
]


@dataclass(frozen=True, eq=False)
class Example:
    """True values and several models' predictions of the same cases, with their story.

    Parameters
    ----------
    story : str
        What the data are about.
    unit : str
        Unit of the true values.
    y_true : array of shape (n,) or list
        True values: numbers, or a list of labels.
    predictions : dict of str to array of shape (n,)
        Predictions by model.
    columns : dict of str to array, optional
        Further columns of the cases.
    text : str, default ""
        The file itself, as CSV.

    Examples
    --------
    >>> from roctopus.datasets import load_phones
    >>> phones = load_phones()
    >>> phones.unit, len(phones.y_true), list(phones.predictions)
    ('money', 500, ['linear', 'forest', 'age only'])
    """

    story: str
    unit: str
    y_true: Any
    predictions: dict[str, Floats]
    columns: dict[str, Any] = field(default_factory=dict)
    text: str = ""


def _load(name: str) -> Example:
    here = files(__package__)
    about = tomllib.loads(here.joinpath("examples.toml").read_text(encoding="utf-8"))[name]
    text = here.joinpath(f"{name}.csv").read_text(encoding="utf-8")
    header, *rows = csv.reader(text.splitlines())
    columns = {
        each: _numbers(column) for each, column in zip(header, zip(*rows, strict=True), strict=True)
    }
    del columns[header[0]]  # the number of the case
    return Example(
        story=about["story"],
        unit=about["unit"],
        y_true=columns.pop(about["truth"]),
        columns={each: columns.pop(each) for each in about["beside"]},
        predictions=columns,
        text=text,
    )


def _numbers(column: tuple[str, ...]) -> Any:
    try:
        return np.array(column, dtype=np.float64)
    except ValueError:
        return list(column)


def load_bakery() -> Example:
    """Return a year of daily bread: the demand, and five models' forecasts of it.

    The data are made up.

    Returns
    -------
    Example
        The true values, the predictions by model, and the story.

    Examples
    --------
    >>> from roctopus.datasets import load_bakery
    >>> bakery = load_bakery()
    >>> len(bakery.y_true), list(bakery.predictions)[:2]
    (365, ['ridge', 'random forest'])
    """
    return _load("bakery")


def load_apartments() -> Example:
    """Return apartments with their prices (thousands), and four models' forecasts of them.

    The data are made up.

    Returns
    -------
    Example
        The true values, the predictions by model, and the story.

    Examples
    --------
    >>> from roctopus.datasets import load_apartments
    >>> sorted(set(load_apartments().columns["district"]))
    ['harbour', 'north', 'old town', 'park']
    """
    return _load("apartments")


def load_apples() -> Example:
    """Return apples graded by hand, and the scores of three models from a camera.

    The data are made up.

    Returns
    -------
    Example
        The true values, the predictions by model, and the story.

    Examples
    --------
    >>> from roctopus.datasets import load_apples
    >>> sorted(set(load_apples().y_true))
    ['juice', 'kitchen', 'table']
    """
    return _load("apples")


def load_screening() -> Example:
    """Return who turned out ill (1), and four models' probabilities of it.

    The data are made up.

    Returns
    -------
    Example
        The true values, the predictions by model, and the story.

    Examples
    --------
    >>> from roctopus.datasets import load_screening
    >>> int(load_screening().y_true.sum()) > 50
    True
    """
    return _load("screening")


def load_phones() -> Example:
    """Return old phones: what each resells for, what its repair costs, and three models' scores.

    The data are made up.

    Returns
    -------
    Example
        The true values, the predictions by model, and the story.

    Examples
    --------
    >>> from roctopus.datasets import load_phones
    >>> sorted(load_phones().columns)
    ['repair']
    """
    return _load("phones")
