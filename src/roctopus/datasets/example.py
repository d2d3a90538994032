"""An example: true values, and several models' predictions of them."""

from __future__ import annotations

import bz2
import csv
import tomllib
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

import numpy as np

from roctopus.core.arrays import Floats


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
    source : str, default "made up"
        Whose data these are, where they come from, and under which licence.

    Examples
    --------
    >>> from roctopus.datasets import load_concrete_predictions
    >>> concrete = load_concrete_predictions()
    >>> concrete.unit, len(concrete.y_true), list(concrete.predictions)
    ('MPa', 1030, ['linear', 'neighbours', 'forest', 'boosting'])
    """

    story: str
    unit: str
    y_true: Any
    predictions: dict[str, Floats]
    columns: dict[str, Any] = field(default_factory=dict)
    text: str = ""
    source: str = "made up"


def load_example(name: str) -> Example:
    """Read NAME.csv, which may be compressed, and what ``examples.toml`` says of it."""
    here = files(__package__)
    about = tomllib.loads(here.joinpath("examples.toml").read_text(encoding="utf-8"))[name]
    packed = here.joinpath(f"{name}.csv.bz2")
    content = packed if packed.is_file() else here.joinpath(f"{name}.csv")
    read = bz2.decompress if content is packed else bytes
    text = read(content.read_bytes()).decode("utf-8")
    header, *rows = csv.reader(text.splitlines())
    columns = {
        each: _numbers(column) for each, column in zip(header, zip(*rows, strict=True), strict=True)
    }
    columns.pop(about.pop("number", ""), None)
    return Example(
        y_true=columns.pop(about.pop("truth")),
        columns={each: columns.pop(each) for each in about.pop("beside")},
        predictions=columns,
        text=text,
        **about,
    )


def _numbers(column: tuple[str, ...]) -> Any:
    try:
        return np.array(column, dtype=np.float64)
    except ValueError:
        return list(column)
