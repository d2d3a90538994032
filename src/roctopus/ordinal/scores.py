"""Scores from the probabilities of ordered classes; you choose which."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from roctopus.core.arrays import Floats, as_floats
from roctopus.core.checks import check_whole, name_rows
from roctopus.core.errors import InputError

TOLERANCE = 1e-6
"""Largest distance of the sum of probabilities from 1, as in single precision."""


def score_from_probabilities(
    probabilities: Any,
    *,
    method: Literal["expected", "median", "above"],
    above: int | None = None,
) -> Floats:
    """Return one score per case from a matrix of class probabilities.

    Use it for classifiers of ordered classes that return ``predict_proba``.

    Parameters
    ----------
    probabilities : array of shape (n, r)
        Probability of each class, in the order of the classes.
    method : {"expected", "median", "above"}
        "expected" is the mean class number Σ k·p_k; "median" is the class at which the cumulative
        probability reaches one half; "above" is the probability of being above class number
        ``above``.
    above : int, optional
        Class number for the method "above", counted from 0.

    Returns
    -------
    array of shape (n,)
        The scores.

    Examples
    --------
    >>> probabilities = [[0.5, 0.3, 0.2], [0.1, 0.3, 0.6]]
    >>> score_from_probabilities(probabilities, method="expected").round(6).tolist()
    [0.7, 1.5]
    >>> score_from_probabilities(probabilities, method="above", above=1).tolist()
    [0.2, 0.6]
    """
    try:
        matrix = as_floats(probabilities)
    except (TypeError, ValueError) as error:
        raise InputError(
            "'probabilities' must be a matrix of numbers, but cannot be converted to numbers "
            f"({error})."
        ) from None
    if matrix.ndim != 2 or matrix.shape[1] < 2:
        raise InputError(
            "'probabilities' must have a row per case and a column per class, but has the shape "
            f"{matrix.shape}."
        )
    negative = np.any(matrix < 0, axis=1)
    if negative.any():
        raise InputError(
            f"'probabilities' is negative in {name_rows(negative)}. All probabilities must be zero "
            "or more."
        )
    strange = ~(np.abs(matrix.sum(axis=1) - 1.0) < TOLERANCE)
    if strange.any():
        raise InputError(
            f"Each row of 'probabilities' must add up to 1, but {name_rows(strange)} "
            f"{'does' if strange.sum() == 1 else 'do'} not."
        )
    if above is not None and method != "above":
        raise InputError(
            f"The argument 'above' can only be used with method='above', but method is {method!r}."
        )
    if method == "expected":
        return np.asarray(matrix @ np.arange(matrix.shape[1]))
    running = np.cumsum(matrix, axis=1)
    if method == "median":
        return np.asarray(np.argmax(running >= 0.5 - TOLERANCE, axis=1), dtype=np.float64)
    if method == "above":
        if above is None:
            raise InputError(
                "With method='above', the argument 'above' is missing. Pass the position of a "
                "class, counted from 0, for example above=0."
            )
        column = check_whole(above, "above", 0)
        if column > matrix.shape[1] - 2:
            raise InputError(
                "'above' must be the position of a class (counted from 0) below the highest class, "
                f"so at most {matrix.shape[1] - 2}, but is {column}."
            )
        return np.asarray(matrix[:, column + 1 :].sum(axis=1))
    raise InputError(f"'method' must be 'expected', 'median' or 'above', but is {method!r}.")
