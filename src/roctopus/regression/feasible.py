"""Feasible curves: a rule fitted on one sample, its loss and RROC points on another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from roctopus.concepts.context_curve import ContextCurve
from roctopus.core.arrays import Array, read_array, to_numpy
from roctopus.core.checks import check_same_length, read_finite
from roctopus.core.errors import InputError, arg
from roctopus.core.piecewise import Piecewise
from roctopus.regression.curves import rroc_curve
from roctopus.regression.paths import RROCPath
from roctopus.regression.points import cost_context_curve, rroc_point
from roctopus.regression.rules import (
    ConstantShift,
    NoShift,
    ShiftRule,
    read_asymmetries,
    require_fit,
)

GRID = np.arange(1, 100) / 100
"""Default asymmetries for rules without an exact curve."""


def feasible_cost_curve(
    rule: ShiftRule,
    y_true: Any,
    y_pred: Any,
    *,
    asymmetries: ArrayLike | None = None,
    sample_weight: Any = None,
    **soft: Any,
) -> ContextCurve:
    """Return the loss over α of a model whose shifts follow a fitted rule.

    It is the mean asymmetric absolute error you will see in use: the rule has not seen these true
    values, so the curve lies on or above the optimal one and may jump.

    Parameters
    ----------
    rule : ShiftRule
        A fitted rule, such as ``ConstantShift``.
    y_true, y_pred : array of shape (n,)
        True values and predictions, one per case.
    asymmetries : array of shape (k,), optional
        Asymmetries at which the curve is computed, with straight lines between; by default 1 %, …,
        99 %. ``NoShift`` and ``ConstantShift`` need none: their curves are exact.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.
    **soft : array, optional
        What a soft rule needs of each prediction: ``std``, ``quantiles`` or ``members``.

    Returns
    -------
    ContextCurve
        The mean cost per case over the asymmetry.

    Notes
    -----
    At a kink of the fitted sample, where several shifts were equally good, the curve takes the one
    of the asymmetries just below.

    Examples
    --------
    >>> from roctopus import ConstantShift
    >>> from roctopus.regression import feasible_cost_curve
    >>> rule = ConstantShift().fit([3, 5, 8, 9], [2, 5, 9, 7])
    >>> feasible_cost_curve(rule, [4, 6], [3, 7]).at(0.875)
    0.5
    """
    if isinstance(rule, NoShift) and asymmetries is None:
        return rroc_point(y_true, y_pred, sample_weight=sample_weight, normalize=True).cost_curve()
    if isinstance(rule, ConstantShift) and asymmetries is None:
        return _constant(rule, y_true, y_pred, sample_weight)
    path = feasible_rroc_path(
        rule, y_true, y_pred, asymmetries=asymmetries, sample_weight=sample_weight, **soft
    )
    if len(path) < 2:
        raise InputError(
            "'asymmetries' must contain at least two different numbers for a curve, but contains "
            "only one. Add another asymmetry."
        )
    over, under, alphas = path.vertices()
    curve = Piecewise.through(alphas, 2.0 * ((1.0 - alphas) * over - alphas * under))
    return cost_context_curve(curve, None, normalized=True, backend=path.backend, exact=False)


def _constant(rule: ConstantShift, y_true: Any, y_pred: Any, sample_weight: Any) -> ContextCurve:
    """Return the loss at the fitted sample's best shift: constant between kinks, so lines here."""
    lines = require_fit(rule.curve_, "ConstantShift").cost_lines
    here = rroc_curve(y_true, y_pred, sample_weight=sample_weight)
    over, under = (each / here.total_weight for each in here.sums_at(lines.shift))
    knots = np.append(0.0, lines.until)
    start, end = (2.0 * ((1.0 - a) * over - a * under) for a in (knots[:-1], knots[1:]))
    function = Piecewise(knots, start, end, "left")
    return cost_context_curve(function, lines.shift, normalized=True, backend=here.backend)


@dataclass(frozen=True, eq=False, repr=False)
class RuleRROCPath(RROCPath):
    """Points in RROC space that a rule reaches, by increasing asymmetry.

    ``feasible_rroc_path`` makes it.

    Parameters
    ----------
    x, y : array of shape (points,)
        OVER and UNDER at each point.
    knob : array of shape (points,)
        Asymmetry of each point, increasing.
    backend : str or None, default None
        Dataframe library that the data came in.
    total_weight : float
        Total weight of the cases; their number if no weights were given.
    normalized : bool
        Whether OVER and UNDER are means instead of sums.

    Examples
    --------
    >>> from roctopus import ConstantShift
    >>> from roctopus.regression import feasible_rroc_path
    >>> rule = ConstantShift().fit([3, 5, 8, 9], [2, 5, 9, 7])
    >>> path = feasible_rroc_path(rule, [4, 6], [3, 7], asymmetries=[0.1, 0.9])
    >>> path.asymmetry.tolist(), path.under.tolist()
    ([0.1, 0.9], [-1.0, 0.0])
    """

    names: ClassVar[tuple[str, str, str]] = ("over", "under", "asymmetry")

    @property
    def asymmetry(self) -> Array:
        """The asymmetries."""
        return self.knob


def feasible_rroc_path(
    rule: ShiftRule,
    y_true: Any,
    y_pred: Any,
    *,
    asymmetries: ArrayLike | None = None,
    sample_weight: Any = None,
    **soft: Any,
) -> RuleRROCPath:
    """Return the points of RROC space that a fitted rule reaches on a new sample.

    The points need not lie on a convex curve, since the rule was fitted on other cases.

    Parameters
    ----------
    rule : ShiftRule
        A fitted rule, such as ``ConstantShift``.
    y_true, y_pred : array of shape (n,)
        True values and predictions, one per case.
    asymmetries : array of shape (k,), optional
        Asymmetries at which the rule is asked for its shifts; by default 1 %, …, 99 %.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.
    **soft : array, optional
        What a soft rule needs of each prediction: ``std``, ``quantiles`` or ``members``.

    Returns
    -------
    RuleRROCPath
        The mean over- and under-estimation per case at each asymmetry.

    Examples
    --------
    >>> from roctopus import ConstantShift
    >>> from roctopus.regression import feasible_rroc_path
    >>> rule = ConstantShift().fit([3, 5, 8, 9], [2, 5, 9, 7])
    >>> feasible_rroc_path(rule, [4, 6], [3, 7], asymmetries=[0.1, 0.9]).over.tolist()
    [0.0, 2.0]
    """
    if not callable(getattr(rule, "shift", None)):
        raise InputError(
            f"{arg('rule')} must be a fitted rule, such as ConstantShift().fit(y_true, y_pred), "
            f"but is of type {type(rule).__name__}."
        )
    given = to_numpy(read_array(GRID if asymmetries is None else asymmetries, "asymmetries"))
    check_same_length(asymmetries=given)
    alphas = np.unique(read_asymmetries(given, len(given)))
    whole = rroc_point(y_true, y_pred, sample_weight=sample_weight)  # refuses what is wrong
    truths, predictions = read_finite(y_true, "y_true"), read_finite(y_pred, "y_pred")
    if sample_weight is not None:
        sample_weight = read_finite(sample_weight, "sample_weight")
    points = []
    for alpha in alphas:
        moved = predictions + rule.shift(float(alpha), predictions, **soft)
        point = rroc_point(truths, moved, sample_weight=sample_weight, normalize=True)
        points.append((point.over, point.under))
    over, under = np.array(points).T
    return RuleRROCPath(over, under, alphas, whole.backend, whole.total_weight, True)
