"""Two prices at once: exact curves over the first, one for each value of the second."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from roctopus.concepts.context_map import ContextMap
from roctopus.core.checks import read_finite
from roctopus.core.errors import InputError
from roctopus.core.given import call_given
from roctopus.impact.curves import impact_curve
from roctopus.impact.utilities import LinearUtility


def impact_map(
    y_score: Any,
    utility: Callable[[float], LinearUtility],
    *,
    second: str,
    values: Any,
    normalize: bool = False,
    sample_weight: Any = None,
) -> ContextMap:
    """Return the impact over two prices: exact along θ, at given values of the second price.

    Parameters
    ----------
    y_score : array of shape (n,)
        Scores in any unit, one per case: only their order matters.
    utility : function
        Takes a value of the second price and returns a LinearUtility.
    second : str
        Name of the second price.
    values : array of shape (k,)
        Values of the second price, increasing.
    normalize : bool, default False
        Whether to divide by the total weight, so that totals become means per case.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    ContextMap
        The impact over both prices.

    Examples
    --------
    Rocks contain copper and gold; θ is the price of copper, the second price that of gold:

    >>> import numpy as np
    >>> from roctopus.impact import LinearUtility, impact_map
    >>> copper, gold = np.array([0.1, 0.6, 0.4]), np.array([0.3, 0.0, 0.1])
    >>> rocks = impact_map(
    ...     [1, 3, 2],
    ...     lambda price: LinearUtility(copper, gold * price - 1.0),
    ...     second="price of gold",
    ...     values=[0.0, 2.0],
    ... )
    >>> round(rocks.at(2.0, 0.0), 6), round(rocks.at(2.0, 2.0), 6)
    (0.2, 0.2)
    """
    if not callable(utility):
        raise InputError(
            "'utility' must be a function: it takes one of 'values', and returns a LinearUtility. "
            f"It is of type {type(utility).__name__}."
        )
    points = np.unique(read_finite(values, "values"))
    curves = (
        impact_curve(
            y_score,
            call_given(utility, "utility", value),
            normalize=normalize,
            sample_weight=sample_weight,
        ).plain()
        for value in points.tolist()
    )
    return ContextMap(str(second), points, tuple(curves))
