"""Murphy diagrams: the loss under every elementary scoring function (Ehm et al., 2016)."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from roctopus.concepts.context_curve import ContextCurve
from roctopus.core.arrays import Floats, to_numpy
from roctopus.core.checks import check_scalar
from roctopus.core.errors import InputError
from roctopus.core.piecewise import Piecewise
from roctopus.core.sample import read_sample

__all__ = ["murphy_curve"]


def murphy_curve(
    y_true: Any,
    y_pred: Any,
    *,
    functional: Literal["quantile", "expectile"] = "quantile",
    level: float = 0.5,
    sample_weight: Any = None,
) -> ContextCurve:
    """Return the Murphy diagram of quantile or expectile forecasts, exact at every threshold θ.

    M(θ) is the mean of w·1{lo ≤ θ < hi} for quantiles and of w·|θ − y|·1{lo ≤ θ < hi} for
    expectiles, with lo and hi the smaller and larger of y and ŷ, w = 1 − level where ŷ > y and
    w = level elsewhere. A model below another for all θ is better under *every* consistent loss.

    The scale is such that the area of the quantile curve is the pinball loss, and that of the
    expectile curve at ½ a quarter of the mean squared error; other packages use two or four times
    as much. The curve is continuous from the right where it jumps. For the uncertainty of an area
    use ``estimate`` with ``asymmetric_absolute_error`` (twice the pinball loss).

    Examples
    --------
    >>> curve = murphy_curve([3.0, 5.0], [4.0, 4.5])
    >>> curve.at([3.5, 4.7]).tolist(), curve.area()
    ([0.25, 0.25], 0.375)
    """
    alpha = check_scalar(level, "level")
    if not 0.0 < alpha < 1.0:
        raise InputError(f"'level' must be between 0 and 1, got {level!r}.")
    if functional not in ("quantile", "expectile"):
        raise InputError(f"'functional' must be 'quantile' or 'expectile', got {functional!r}.")
    sample = read_sample(y_true, y_pred, sample_weight)
    y, p = to_numpy(sample.y_true), to_numpy(sample.y_pred)
    weight = np.where(p > y, 1.0 - alpha, alpha)
    if sample.weight is not None:
        weight = weight * to_numpy(sample.weight)
    weight = weight / sample.total_weight
    wrong = p != y
    y, p, weight = y[wrong], p[wrong], weight[wrong]
    outcome = f"elementary {functional} loss at level {alpha:g}"
    function = _steps(y, p, weight) if functional == "quantile" else _slopes(y, p, weight)
    return ContextCurve(function, "threshold", outcome, "loss", backend=sample.backend)


def _events(y: Floats, p: Floats) -> tuple[Floats, Any, Any]:
    """Return the distinct ends of the intervals between ±inf, the order of all, and their ties."""
    ends = np.concatenate([np.minimum(y, p), np.maximum(y, p)])
    order = np.argsort(ends)
    ordered = ends[order]
    last: Any = np.append(ordered[1:] != ordered[:-1], True) if len(ends) else slice(None)
    if len(ends) and last.all():
        last = slice(None)
    return np.concatenate([[-np.inf], ordered[last], [np.inf]]), order, last


def _running(part: Floats, order: Any, last: Any) -> Floats:
    """Return the sum over the intervals open after each distinct end; exactly 0 where none is."""
    changes = np.concatenate([part, -part])[order]
    sums = np.asarray(np.cumsum(changes, out=changes)[last])
    opened = np.cumsum(np.where(order < len(part), 1, -1))[last]
    sums[opened == 0] = 0.0
    return sums


def _steps(y: Floats, p: Floats, weight: Floats) -> Piecewise:
    knots, order, last = _events(y, p)
    height = np.append(0.0, _running(weight, order, last))
    np.maximum(height, 0.0, out=height)
    return Piecewise.steps(knots, height, "right")


def _slopes(y: Floats, p: Floats, weight: Floats) -> Piecewise:
    """Sum w·sign(ŷ − y)·(θ − y) over the open intervals: a line between neighbouring ends."""
    if not len(y):
        return Piecewise.steps([-np.inf, np.inf], [0.0], "right")
    origin = float(np.mean(y))  # far from zero the lines would cost digits
    knots, order, last = _events(y, p)
    signed = np.where(p > y, weight, -weight)
    slope = _running(signed, order, last)[:-1]
    offset = _running(signed * (origin - y), order, last)[:-1]
    local = knots[1:-1] - origin
    start, end = np.zeros(len(knots) - 1), np.zeros(len(knots) - 1)
    for side, at in ((start, local[:-1]), (end, local[1:])):
        inner = side[1:-1]
        np.multiply(slope, at, out=inner)
        inner += offset
        np.maximum(inner, 0.0, out=inner)
    return Piecewise(knots, start, end, "right")
