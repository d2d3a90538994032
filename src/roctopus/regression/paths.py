"""Paths in RROC space for shifts of your own, and the two parts of other losses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from roctopus.core.arrays import Floats, to_numpy
from roctopus.core.checks import read_some
from roctopus.core.errors import InputError, arg
from roctopus.core.given import call_given
from roctopus.regression.errors import Errors, OptimalShift, read_errors
from roctopus.regression.losses import Loss
from roctopus.regression.points import RROCVertices, rroc_point
from roctopus.regression.shifts import check_loss


@dataclass(frozen=True, eq=False, repr=False)
class RROCPath(RROCVertices):
    """Points in RROC space by increasing shift; between them nothing is known.

    ``rroc_path`` makes it.

    Parameters
    ----------
    x, y : array of shape (points,)
        OVER and UNDER at each point.
    knob : array of shape (points,)
        Shift of each point, increasing.
    backend : str or None, default None
        Dataframe library that the data came in.
    total_weight : float
        Total weight of the cases; their number if no weights were given.
    normalized : bool
        Whether OVER and UNDER are means instead of sums.

    Examples
    --------
    >>> y_pred = np.array([2.0, 5.0, 9.0])
    >>> path = rroc_path([3.0, 5.0, 8.0], lambda s: y_pred * (1 + s), shifts=[-0.1, 0.1])
    >>> path.frame("pandas").round(2)
       over  under  shift
    0   0.1   -1.7   -0.1
    1   2.4   -0.8    0.1
    """

    total_weight: float
    normalized: bool


def read_shifts(shifts: ArrayLike) -> Floats:
    """Return distinct finite shifts, in order."""
    return np.unique(read_some(shifts, "shifts"))


def rroc_path(
    y_true: Any,
    shifted: Callable[[float], Any],
    *,
    shifts: ArrayLike,
    sample_weight: Any = None,
    normalize: bool = False,
) -> RROCPath:
    """Return the points of RROC space that a model reaches as you shift it in your own way.

    Use it if each case moves at its own rate, or even in another direction (Fig. 12). The curve
    need be neither monotone nor convex, so it is computed at the given shifts only.

    Parameters
    ----------
    y_true : array of shape (n,)
        True values, one per case.
    shifted : function
        Takes a shift and returns the shifted predictions, an array of shape (n,).
    shifts : array of shape (k,)
        Shifts at which the path is computed.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.
    normalize : bool, default False
        Whether to divide by the total weight, so that sums become means.

    Returns
    -------
    RROCPath
        One point per shift.

    Examples
    --------
    >>> y_pred = np.array([2.0, 5.0, 9.0])
    >>> path = rroc_path([3.0, 5.0, 8.0], lambda s: y_pred * (1 + s), shifts=[-0.1, 0.0, 0.1])
    >>> path.over.round(6).tolist()
    [0.1, 1.0, 2.4]
    """
    settings = read_shifts(shifts)
    if not callable(shifted):
        raise InputError(
            f"{arg('shifted')} must be a function of the shift, but is of type "
            f"{type(shifted).__name__}."
        )
    points = [
        rroc_point(
            y_true,
            call_given(shifted, "shifted", float(s)),
            sample_weight=sample_weight,
            normalize=normalize,
        )
        for s in settings
    ]
    over, under = np.array([(point.over, point.under) for point in points]).T
    first = points[0]
    return RROCPath(over, under, settings, first.backend, first.total_weight, normalize)


@dataclass(frozen=True)
class LossIsometric:
    """The line of equal loss in component space: under = slope·over + intercept."""

    slope: float
    intercept: float
    loss: float
    over: float
    under: float
    """The point where the line touches: the best shift's."""
    shift: OptimalShift


@dataclass(frozen=True, eq=False, repr=False)
class ComponentPath(RROCPath):
    """The two parts of a loss, of over-estimates and (negative) of under-estimates, by shift.

    ``loss_component_path`` makes it.

    Parameters
    ----------
    x, y : array of shape (points,)
        Both parts at each point.
    knob : array of shape (points,)
        Shift of each point, increasing.
    backend : str or None, default None
        Dataframe library that the data came in.
    total_weight : float
        Total weight of the cases; their number if no weights were given.
    normalized : bool
        Whether the parts are means instead of sums.
    isometric : LossIsometric
        Line of equal loss through the best shift.
    loss : Loss
        What an error costs.

    Examples
    --------
    >>> from roctopus import QuadQuad
    >>> from roctopus.regression import loss_component_path
    >>> loss = QuadQuad(0.8)
    >>> path = loss_component_path([3, 5, 8, 9], [2, 5, 9, 7], loss=loss, shifts=[0.0, 1.0])
    >>> path.over.round(2).tolist()
    [1.0, 5.0, 5.92]
    """

    isometric: LossIsometric
    loss: Loss


def _sums(plain: Loss, errors: Errors, shift: float) -> tuple[float, float]:
    """Return the sums of over- and under-estimates' losses, asymmetric weights left out."""
    moved = errors.values + shift
    xp, zero = errors.xp, errors.xp.zeros_like(moved)
    values = plain.values(moved, xp)
    over = errors.sample.total(xp.where(moved < 0, zero, values))
    under = errors.sample.total(xp.where(moved < 0, values, zero))
    return over, 0.0 - under


def loss_component_path(
    y_true: Any,
    y_pred: Any,
    *,
    loss: Loss,
    shifts: ArrayLike | None = None,
    sample_weight: Any = None,
    normalize: bool = False,
) -> ComponentPath:
    """Return what over- and under-estimates add to a loss, at many shifts.

    OVER and UNDER do not determine a squared or an exponential loss. Its lines of equal loss are
    straight only in the space of its own two parts.

    Parameters
    ----------
    y_true, y_pred : array of shape (n,)
        True values and predictions, one per case.
    loss : Loss
        What an error costs, such as ``QuadQuad(0.8)``.
    shifts : array of shape (k,), optional
        Shifts at which the path is computed, besides the best one; by default 200 between the
        smallest and the largest correction.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.
    normalize : bool, default False
        Whether to divide by the total weight, so that sums become means.

    Returns
    -------
    ComponentPath
        One point per shift, and the isometric through the best one.

    Notes
    -----
    For ``QuadQuad`` the parts are Σe² over positive and over negative errors, and the isometric's
    slope is (1 − α)/α. For other losses the two parts add up, with slope 1.

    Examples
    --------
    >>> from roctopus import QuadQuad
    >>> from roctopus.regression import loss_component_path
    >>> path = loss_component_path([3, 5, 8, 9], [2, 5, 9, 7], loss=QuadQuad(0.5), shifts=[0.0])
    >>> path.over.tolist(), path.under.tolist(), path.isometric.shift.chosen
    ([1.0, 2.5], [-5.0, -2.5], 0.5)
    """
    plain, over_cost, under_cost = check_loss(loss).components()
    errors = read_errors(y_true, y_pred, sample_weight)
    best = loss.best_shift(errors)
    settings = _shifts(errors, best, shifts)
    unit = errors.sample.total_weight if normalize else 1.0
    sums = np.array([_sums(plain, errors, float(s)) for s in settings]) / unit
    over, under = (float(each) / unit for each in _sums(plain, errors, best.chosen))
    slope = over_cost / under_cost if under_cost else np.inf
    total = over_cost * over - under_cost * under
    intercept = under - slope * over if under_cost else -np.inf
    line = LossIsometric(slope, intercept, total, over, under, best)
    sample = errors.sample
    return ComponentPath(
        sums[:, 0], sums[:, 1], settings, sample.backend, sample.total_weight, normalize, line, loss
    )


def _shifts(errors: Errors, best: OptimalShift, shifts: ArrayLike | None) -> Floats:
    if shifts is None:
        corrections = to_numpy(0.0 - errors.values)
        chosen = np.linspace(corrections.min(), corrections.max(), 200)
    else:
        chosen = read_shifts(shifts)
    return np.unique(np.append(chosen, best.chosen))
