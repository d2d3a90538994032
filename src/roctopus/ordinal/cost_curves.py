"""The least cost of grades as the cost of one class moves."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from roctopus.concepts.context_curve import ContextCurve
from roctopus.core.arrays import Floats
from roctopus.core.checks import check_interval, check_not_negative, check_scalar
from roctopus.core.monotone_cuts import CutLine, cheapest_cuts, trace_lowest_lines
from roctopus.core.piecewise import Piecewise
from roctopus.ordinal.grades import place_of_class, read_grades
from roctopus.ordinal.profiles import Profile
from roctopus.ordinal.thresholds import OrdinalLoss, loss_matrix


def _best_line(profile: Profile, fixed: Floats, moving: Floats, cost: float) -> CutLine:
    """Return the best positions at a cost c of one class, and what they cost as a line over c.

    The line is the cost of errors on the other classes, plus c times the errors on this one.
    """
    positions = cheapest_cuts(profile.costs_below(fixed + cost * moving))
    return CutLine(positions, profile.cost(positions, fixed), profile.cost(positions, moving))


def ordinal_cost_curve(
    y_true: Any,
    y_score: Any,
    *,
    moving: Any,
    low: float,
    high: float,
    costs: Any = None,
    loss: OrdinalLoss = "absolute",
    priors: Any = None,
    labels: Any = None,
    sample_weight: Any = None,
) -> ContextCurve:
    """Return the least mean cost as the cost of one class moves, with the thresholds that follow.

    Read it as: what does it cost, and where do I cut, if errors on this class cost more or less?

    Parameters
    ----------
    y_true : array of shape (n,)
        Ordered class of each case: numbers, an ordered categorical (pandas, polars ``Enum``), or
        any labels whose order ``labels`` gives.
    y_score : array of shape (n,)
        Score of each case, which should increase with the class; grades are fine, too.
    moving : label
        Class whose cost moves.
    low, high : float
        Range of its cost.
    costs : array of shape (r,), or mapping of label to float, optional
        Cost of an error on a case of each class, from the lowest to the highest; 1 by default. The
        entry of the moving class is ignored.
    loss : {"absolute", "zero-one", "squared"} or array of shape (r, r), default "absolute"
        How an error grows with the distance of grade and class; a matrix has a row per true class
        and a column per grade.
    priors : array of shape (r,), optional
        Shares of the classes in use, if they differ from the sample's.
    labels : sequence, optional
        Classes from the lowest to the highest; needed for text that is not an ordered categorical.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    ContextCurve
        The mean cost per case over the moving cost, exact, concave and made of lines, each with its
        thresholds as the setting.

    Examples
    --------
    >>> y_true, y_score = [1, 1, 2, 2, 3], [0.1, 0.5, 0.4, 0.7, 0.6]
    >>> curve = ordinal_cost_curve(y_true, y_score, moving=3, low=0, high=4)
    >>> round(curve.at(0.5), 6), curve.knob_at(3.0).tolist()
    (0.3, [0.25, 0.55])
    """
    first, last = check_not_negative(low, "low"), check_scalar(high, "high")
    check_interval(first, last, "The range of the cost")
    grades = read_grades(y_true, y_score, sample_weight, labels)
    row = place_of_class(moving, grades.labels, "moving")
    fixed = loss_matrix(grades.labels, loss, costs).copy()
    alone = np.zeros_like(fixed)
    alone[row] = loss_matrix(grades.labels, loss, None)[row]
    fixed[row] = 0.0
    profile = Profile.of(grades, priors)
    knots, pieces = trace_lowest_lines(partial(_best_line, profile, fixed, alone), first, last)
    _, intercept, slope = (np.array(column) for column in zip(*pieces, strict=True))
    scale = float(profile.below[:, -1].sum())
    start, end = ((intercept + slope * at) / scale for at in (knots[:-1], knots[1:]))
    middle = 0.5 * (knots[:-1] + knots[1:])
    thresholds = np.array(
        [
            profile.settings(piece.cuts, fixed + cost * alone)[2]
            for piece, cost in zip(pieces, middle, strict=True)
        ]
    )
    return ContextCurve(
        Piecewise(knots, start, end),
        f"cost of class {moving}",
        "mean cost of grades",
        "loss",
        thresholds,
        "threshold",
        backend=grades.sample.backend,
    )
