"""Small examples that come with the package, made by us; no network."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from importlib.resources import files

import numpy as np

from roctopus.core.arrays import Floats

__all__ = ["Example", "load_bakery"]


@dataclass(frozen=True, eq=False)
class Example:
    """Truths and several models' predictions of the same cases, with their story."""

    story: str
    unit: str
    y_true: Floats
    predictions: dict[str, Floats]


def load_bakery() -> Example:
    """Return a year of daily bread: the demand, and five models' forecasts of it.

    Examples
    --------
    >>> from roctopus.datasets import load_bakery
    >>> bakery = load_bakery()
    >>> len(bakery.y_true), list(bakery.predictions)[:2]
    (365, ['ridge', 'random forest'])
    """
    text = files(__package__).joinpath("bakery.csv").read_text(encoding="utf-8")
    header, *rows = csv.reader(text.splitlines())
    table = np.array(rows, dtype=np.float64)
    columns = dict(zip(header, table.T, strict=True))
    del columns["day"]
    return Example(
        story=(
            "A bakery bakes tonight what five models forecast for tomorrow. A loaf too few loses a "
            "sale; a loaf too many is given away. How much each costs is argued about every month."
        ),
        unit="loaves",
        y_true=columns.pop("demand"),
        predictions=columns,
    )
