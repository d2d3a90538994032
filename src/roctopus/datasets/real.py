"""Real data that come with the package, in the shape that scikit-learn's loaders give."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import numpy as np

from roctopus.concepts.frames import make_frame
from roctopus.datasets.problems import list_problems


def _load(name: str, return_X_y: bool, as_frame: bool) -> Any:
    from sklearn.utils import Bunch

    data = list_problems()[name].bundled()
    X, y = np.column_stack(list(data.columns.values())), data.y_true
    frame = None
    if as_frame:
        frame = make_frame({**data.columns, "target": y}, None, "pandas")
        X, y = frame[list(data.columns)], frame["target"]
    if return_X_y:
        return X, y
    return Bunch(
        data=X,
        target=y,
        frame=frame,
        feature_names=list(data.columns),
        target_names=[data.problem.target],
        DESCR=describe(name),
    )


def describe(name: str) -> str:
    """Return what a bundled file holds, whose work it is, and under which licence."""
    text = files(__package__).joinpath("ATTRIBUTION.md").read_text(encoding="utf-8")
    sections = (part.partition("\n\n") for part in text.split("\n## "))
    return {title: body.strip() for title, _, body in sections}[f"{name}.csv"]


def load_concrete(*, return_X_y: bool = False, as_frame: bool = False) -> Any:
    """Return 1,030 concrete samples: ingredients, age, and compressive strength in MPa.

    By I-Cheng Yeh (1998), UCI, doi:10.24432/C5PK67, licence CC BY 4.0. The samples are from 427
    mixes: pass the mix as ``groups`` to judge models on mixes they have not seen.

    Parameters
    ----------
    return_X_y : bool, default False
        Return the features and the target only.
    as_frame : bool, default False
        Return a pandas DataFrame and a Series instead of arrays.

    Returns
    -------
    Bunch or tuple
        ``data``, ``target``, ``frame``, ``feature_names``, ``target_names`` and ``DESCR``, or
        ``(data, target)``.

    Examples
    --------
    >>> from roctopus.datasets import load_concrete
    >>> X, y = load_concrete(return_X_y=True)
    >>> X.shape, float(y.max())
    ((1030, 8), 82.6)
    """
    return _load("concrete", return_X_y, as_frame)


def load_power_plant(*, return_X_y: bool = False, as_frame: bool = False) -> Any:
    """Return 9,568 hours of a power plant: the weather, and the electrical output in MW.

    The hours were published in random order, without dates, so ``time`` cannot be given. By Pınar
    Tüfekci and Heysem Kaya (2014), UCI, doi:10.24432/C5002N, licence CC BY 4.0.

    Parameters
    ----------
    return_X_y : bool, default False
        Return the features and the target only.
    as_frame : bool, default False
        Return a pandas DataFrame and a Series instead of arrays.

    Returns
    -------
    Bunch or tuple
        ``data``, ``target``, ``frame``, ``feature_names``, ``target_names`` and ``DESCR``, or
        ``(data, target)``.

    Examples
    --------
    >>> from roctopus.datasets import load_power_plant
    >>> load_power_plant().feature_names
    ['AT', 'V', 'AP', 'RH']
    """
    return _load("ccpp", return_X_y, as_frame)


def load_wine(*, return_X_y: bool = False, as_frame: bool = False) -> Any:
    """Return 4,898 Portuguese white wines: laboratory values, and the tasters' grade from 3 to 9.

    By Paulo Cortez, António Cerdeira, Fernando Almeida, Telmo Matos and José Reis (2009), UCI,
    doi:10.24432/C56S3T, licence CC BY 4.0. 937 rows repeat an earlier one: pass equal rows as one
    group (``groups``) to judge models on wines they have not seen.

    Parameters
    ----------
    return_X_y : bool, default False
        Return the features and the target only.
    as_frame : bool, default False
        Return a pandas DataFrame and a Series instead of arrays.

    Returns
    -------
    Bunch or tuple
        ``data``, ``target``, ``frame``, ``feature_names``, ``target_names`` and ``DESCR``, or
        ``(data, target)``.

    Examples
    --------
    >>> from roctopus.datasets import load_wine
    >>> grades = load_wine().target
    >>> int((grades >= 8).sum())
    180
    """
    return _load("wine-white", return_X_y, as_frame)
