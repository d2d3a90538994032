"""The regression arm's neighbours: REC curves and Murphy diagrams."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from roctopus.concepts.context_curve import ContextCurve
from roctopus.core.arrays import Floats, to_numpy
from roctopus.core.checks import check_choice, check_share
from roctopus.core.intervals import Intervals, OpenMass
from roctopus.core.piecewise import Piecewise
from roctopus.core.sample import Sample, read_sample
from roctopus.regression.errors import read_errors


def murphy_curve(
    y_true: Any,
    y_pred: Any,
    *,
    functional: Literal["quantile", "expectile"] = "quantile",
    level: float = 0.5,
    sample_weight: Any = None,
) -> ContextCurve:
    """Return the Murphy diagram of quantile or expectile forecasts, exact at every threshold θ.

    A model whose curve lies below another's at all θ is better under *every* consistent loss: no
    choice of a loss can reverse their order.

    Parameters
    ----------
    y_true, y_pred : array of shape (n,)
        True values and predictions, one per case.
    functional : {"quantile", "expectile"}, default "quantile"
        What the predictions forecast.
    level : float, default 0.5
        Level of the quantile or the expectile, between 0 and 1.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    ContextCurve
        The mean elementary score at every threshold θ, in the unit of the predictions.

    Notes
    -----
    M(θ) is the mean of ``w·1{lo ≤ θ < hi}`` for quantiles and of ``w·|θ − y|·1{lo ≤ θ < hi}`` for
    expectiles. Here lo and hi are the smaller and the larger of y and ŷ; w = 1 − level where ŷ > y,
    and w = level elsewhere. The curve is continuous from the right where it jumps.

    The area of the quantile curve is the pinball loss; that of the expectile curve at ½ is a
    quarter of the mean squared error. Other packages use two or four times as much. For the
    uncertainty of an area use ``estimate`` with ``asymmetric_absolute_error`` (twice the pinball
    loss).

    Examples
    --------
    >>> curve = murphy_curve([3.0, 5.0], [4.0, 4.5])
    >>> curve.at([3.5, 4.7]).tolist(), curve.area()
    ([0.25, 0.25], 0.375)
    """
    alpha = check_share(level, "level")
    check_choice(functional, "functional", "quantile", "expectile")
    sample = read_sample(y_true, y_pred, sample_weight).to_numpy()
    outcome = f"elementary {functional} loss at level {alpha:g}"
    function = (_steps if functional == "quantile" else _slopes)(sample, alpha)
    return ContextCurve(function, "threshold", outcome, "loss", backend=sample.backend)


def _steps(sample: Sample, level: float) -> Piecewise:
    """Count the cases with a threshold between true value and prediction."""
    over, under = (Intervals.of_errors(sample, sign) for sign in (+1, -1))
    return OpenMass([(1.0 - level, over), (level, under)], sample.total_weight, "right")


def _slopes(sample: Sample, level: float) -> Piecewise:
    """Sum w·sign(ŷ − y)·(θ − y) over the open intervals: a line between neighbouring ends."""
    wrong = sample.y_pred != sample.y_true
    y, p = sample.y_true[wrong], sample.y_pred[wrong]
    if not len(y):
        return Piecewise.steps([-np.inf, np.inf], [0.0], "right")
    signed = np.where(p > y, 1.0 - level, -level) / sample.total_weight
    if sample.weight is not None:
        signed *= sample.weight[wrong]
    origin = float(np.mean(y))  # far from zero the lines would cost digits
    ends = np.concatenate([np.minimum(y, p), np.maximum(y, p)])
    order = np.argsort(ends)
    ordered = ends[order]
    last = np.append(ordered[1:] != ordered[:-1], True)
    slope = _running(signed, order, last)[:-1]
    offset = _running(signed * (origin - y), order, last)[:-1]
    local = ordered[last] - origin
    start, end = np.zeros(len(local) + 1), np.zeros(len(local) + 1)
    for side, at in ((start, local[:-1]), (end, local[1:])):
        inner = side[1:-1]
        np.multiply(slope, at, out=inner)
        inner += offset
        np.maximum(inner, 0.0, out=inner)
    return Piecewise(np.concatenate([[-np.inf], ordered[last], [np.inf]]), start, end, "right")


def _running(part: Floats, order: Any, last: Any) -> Floats:
    """Return the sum over the intervals open after each distinct end; exactly 0 where none is."""
    changes = np.concatenate([part, -part])[order]
    sums = np.asarray(np.cumsum(changes, out=changes)[last])
    opened = np.cumsum(np.where(order < len(part), 1, -1))[last]
    sums[opened == 0] = 0.0
    return sums


def rec_curve(y_true: Any, y_pred: Any, *, sample_weight: Any = None) -> ContextCurve:
    """Return the REC curve: the share of cases whose absolute error is within each tolerance.

    Read it as: how many predictions are off by at most 2? The area *over* the curve is the mean
    absolute error.

    Parameters
    ----------
    y_true, y_pred : array of shape (n,)
        True values and predictions, one per case.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    ContextCurve
        The share of cases with ``|ŷ − y|`` ≤ tolerance, an exact step curve over the tolerance.

    Notes
    -----
    From Bi and Bennett (2003). The uncertainty of its area is that of
    ``estimate(asymmetric_absolute_error, ..., asymmetry=0.5)``. Compare it with the best constant,
    ``rec_curve(y_true, np.full(n, np.median(y_true)))``.

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
