"""Regression error characteristic: the share of cases predicted within a tolerance."""

from __future__ import annotations

from typing import Any

import numpy as np

from roctopus.concepts.context_curve import ContextCurve
from roctopus.core.arrays import to_numpy
from roctopus.core.piecewise import Piecewise
from roctopus.regression.errors import read_errors

__all__ = ["rec_curve"]


def rec_curve(y_true: Any, y_pred: Any, *, sample_weight: Any = None) -> ContextCurve:
    """Return the REC curve: the share of cases with ``|ŷ − y|`` ≤ tolerance (Bi and Bennett, 2003).

    An exact step curve. The area *over* it is the mean absolute error, whose uncertainty is that of
    ``estimate(asymmetric_absolute_error, ..., asymmetry=0.5)``. Compare it with the constant
    median, ``rec_curve(y_true, np.full(n, np.median(y_true)))``, which is the best constant.

    Examples
    --------
    >>> curve = rec_curve([3.0, 5.0, 8.0, 9.0], [2.0, 5.0, 9.0, 7.0])
    >>> curve.at([0.0, 1.0, 1.5, 2.0]).tolist()
    [0.25, 0.75, 0.75, 1.0]
    """
    errors = read_errors(y_true, y_pred, sample_weight)
    distance = to_numpy(errors.xp.abs(errors.values))
    weight = errors.sample.weight
    if weight is None:
        ordered, mass = np.sort(distance), np.arange(1.0, len(distance) + 1)
    else:
        order = np.argsort(distance)
        ordered, mass = distance[order], np.cumsum(to_numpy(weight)[order])
    last = np.append(ordered[1:] != ordered[:-1], True)
    knots, share = ordered[last], mass[last] / mass[-1]
    if knots[0] > 0.0:
        knots, share = np.append(0.0, knots), np.append(0.0, share)
    function = Piecewise.steps(np.append(knots, np.inf), share, "right")
    return ContextCurve(
        function, "tolerance", "share within tolerance", "utility", backend=errors.sample.backend
    )
