"""Thresholds of least cost, the losses they minimise, and how they are tuned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from roctopus.core.arrays import Floats, as_floats, read_array, to_numpy
from roctopus.core.checks import check_no_nan, read_finite
from roctopus.core.errors import InputError, arg
from roctopus.core.monotone_cuts import cheapest_cuts
from roctopus.ordinal.grades import read_grades
from roctopus.ordinal.profiles import Profile

OrdinalLoss: TypeAlias = Literal["zero-one", "absolute", "squared"] | Any
"""A name, or a matrix with a row per true class and a column per grade."""


def loss_matrix(labels: tuple[Any, ...], loss: OrdinalLoss, costs: Any) -> Floats:
    """Return c(true)·l(grade, true), a row per true class and a column per grade."""
    count = len(labels)
    apart = np.subtract.outer(np.arange(count), np.arange(count)).astype(np.float64)
    if isinstance(loss, str):
        known = {"zero-one": (apart != 0) * 1.0, "absolute": np.abs(apart), "squared": apart**2}
        if loss not in known:
            raise InputError(
                f"{arg('loss')} must be {', '.join(map(repr, known))} or a matrix, but is {loss!r}."
            )
        matrix = known[loss]
    else:
        matrix = _read(loss, "loss", (count, count), "a row and a column")
    if costs is None:
        return np.asarray(matrix)
    each = _read(costs_in_order(labels, costs), "costs", (count,), "one number")
    return np.asarray(each[:, None] * matrix)


def costs_in_order(labels: Sequence[Any], costs: Any) -> Any:
    """Return costs in order of the classes, where they were given by class."""
    if not isinstance(costs, Mapping):
        return costs
    named = ", ".join(map(repr, labels))
    for label in costs:
        if label not in labels:
            raise InputError(
                f"{arg('costs')} has a cost for {label!r}, which is not a class. The classes are "
                f"{named}."
            )
    for label in labels:
        if label not in costs:
            raise InputError(
                f"{arg('costs')} has no cost for the class {label!r}. Add a cost for this class."
            )
    return [costs[label] for label in labels]


def _read(values: Any, name: str, shape: tuple[int, ...], what: str) -> Floats:
    try:
        array = as_floats(values)
    except (TypeError, ValueError):
        raise InputError(f"{arg(name)} must contain numbers, but is {values!r}.") from None
    if array.shape != shape:
        got = array.size if array.ndim == len(shape) == 1 else f"the shape {array.shape}"
        raise InputError(
            f"{arg(name)} must have {what} for each of the {shape[0]} classes, but has {got}."
        )
    if not np.isfinite(array).all() or np.any(array < 0):
        wrong = array[~np.isfinite(array) | (array < 0)].flat[0]
        rule = "finite" if not np.isfinite(wrong) else "zero or more"
        raise InputError(
            f"All numbers in {arg(name)} must be {rule}, but one of them is {wrong:g}."
        )
    return array


@dataclass(frozen=True, eq=False)
class OrdinalThresholds:
    """Thresholds between neighbouring classes, and what they cost.

    A case gets the class whose number is the count of thresholds ≤ its score. So a score that
    equals a threshold goes to the higher class. ``ordinal_thresholds`` makes it.

    Parameters
    ----------
    thresholds : array of shape (r - 1,)
        Threshold between each class and the next, increasing: the middle of what is equally good.
    low, high : array of shape (r - 1,)
        Any thresholds with low < t ≤ high are equally good, as long as they do not decrease.
    cost : float
        Cost of the grades on the data used for tuning: a total, or a mean per case if normalised.
    labels : tuple
        Classes from the lowest to the highest.

    Notes
    -----
    In equation 6 of the paper a score that equals a threshold goes to the lower class. This makes
    no difference for thresholds between scores.

    Examples
    --------
    >>> found = ordinal_thresholds([1, 1, 2, 2, 3], [0.1, 0.5, 0.4, 0.7, 0.9])
    >>> found.grade([0.2, 0.6, 0.85])
    [1, 2, 3]
    >>> found.low.tolist(), found.high.tolist()
    ([0.1, 0.7], [0.4, 0.9])
    """

    thresholds: Floats
    low: Floats
    high: Floats
    cost: float
    labels: tuple[Any, ...]

    def grade(self, y_score: Any) -> list[Any]:
        """Return the class of each score.

        Parameters
        ----------
        y_score : array of shape (n,)
            Scores, one per case.

        Returns
        -------
        list
            The class of each case.
        """
        return [self.labels[k] for k in grade_scores(y_score, self.thresholds)]

    def __repr__(self) -> str:
        told = ", ".join(f"{t:.4g}" for t in self.thresholds)
        return f"OrdinalThresholds([{told}], cost={self.cost:.6g}, {len(self.labels)} classes)"


def read_thresholds(thresholds: Any, classes: int | None = None) -> Floats:
    """Check a vector of thresholds: increasing, one fewer than classes."""
    array = to_numpy(read_array(thresholds, "thresholds"))
    check_no_nan(array, "thresholds")
    falls = np.flatnonzero(array[1:] < array[:-1])
    if len(falls):
        first, second = array[falls[0] : falls[0] + 2]
        raise InputError(
            f"'thresholds' must not decrease, but {first:g} is followed by {second:g}."
        )
    if classes is not None and len(array) != classes - 1:
        raise InputError(
            f"'thresholds' must contain {classes - 1} numbers for {classes} classes, but contains "
            f"{len(array)}."
        )
    return array


def grade_scores(y_score: Any, thresholds: Any) -> NDArray[np.intp]:
    """Return the class number of each score: how many thresholds are at or below it.

    Parameters
    ----------
    y_score : array of shape (n,)
        Scores, one per case.
    thresholds : array of shape (r - 1,)
        Threshold between each class and the next, increasing.

    Returns
    -------
    array of int of shape (n,)
        Class numbers, from 0.

    Examples
    --------
    >>> grade_scores([0.2, 0.5, 0.9], [0.5, 0.8]).tolist()
    [0, 1, 2]
    """
    scores = read_finite(y_score, "y_score")
    return np.searchsorted(read_thresholds(thresholds), scores, side="right")


def ordinal_thresholds(
    y_true: Any,
    y_score: Any,
    *,
    costs: Any = None,
    loss: OrdinalLoss = "absolute",
    priors: Any = None,
    labels: Any = None,
    sample_weight: Any = None,
    normalize: bool = False,
) -> OrdinalThresholds:
    """Return the thresholds of least cost: they minimise Σ c(y_i)·l(h(x_i), y_i) (equation 15).

    The result is exact. Its cost is measured on the data used for tuning, so it looks better than
    it is: judge the thresholds on other data.

    Parameters
    ----------
    y_true : array of shape (n,)
        Ordered class of each case: numbers, an ordered categorical (pandas, polars ``Enum``), or
        any labels whose order ``labels`` gives.
    y_score : array of shape (n,)
        Score of each case, which should increase with the class; grades are fine, too.
    costs : array of shape (r,), or mapping of label to float, optional
        Cost of an error on a case of each class, from the lowest to the highest; 1 by default.
    loss : {"absolute", "zero-one", "squared"} or array of shape (r, r), default "absolute"
        How an error grows with the distance of grade and class; a matrix has a row per true class
        and a column per grade.
    priors : array of shape (r,), optional
        Shares of the classes in use, if they differ from the sample's.
    labels : sequence, optional
        Classes from the lowest to the highest; needed for text that is not an ordered categorical.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.
    normalize : bool, default False
        Whether to return the mean cost per case instead of the total.

    Returns
    -------
    OrdinalThresholds
        The thresholds, the range of equally good ones, and the cost.

    Notes
    -----
    All vectors of thresholds are compared, by dynamic programming over the sorted scores.

    Examples
    --------
    >>> found = ordinal_thresholds([1, 1, 2, 2, 3], [0.1, 0.5, 0.4, 0.7, 0.9])
    >>> found.thresholds.tolist(), found.cost
    ([0.25, 0.8], 1.0)
    """
    grades = read_grades(y_true, y_score, sample_weight, labels)
    matrix = loss_matrix(grades.labels, loss, costs)
    profile = Profile.of(grades, priors)
    positions = cheapest_cuts(profile.costs_below(matrix))
    low, high, middle = profile.settings(positions, matrix)
    cost = profile.cost(positions, matrix)
    scale = float(profile.below[:, -1].sum()) if normalize else 1.0
    return OrdinalThresholds(middle, low, high, cost / scale, grades.labels)


@dataclass(frozen=True)
class OrdinalTuning:
    """How thresholds between classes are tuned and judged, for ``honest_value`` and the like.

    Classes are numbered from 0.

    Parameters
    ----------
    costs : array of shape (r,), or mapping of label to float, optional
        Cost of an error on a case of each class, from the lowest to the highest; 1 by default.
    loss : {"absolute", "zero-one", "squared"} or array of shape (r, r), default "absolute"
        How an error grows with the distance of grade and class; a matrix has a row per true class
        and a column per grade.
    classes : int, default 3
        Number of classes.
    sense : {"loss", "gain"}, default "loss"
        Whether less or more is better.

    Examples
    --------
    >>> import numpy as np
    >>> tuning = OrdinalTuning(classes=3)
    >>> y_true, y_score = np.array([0.0, 0.0, 1.0, 1.0, 2.0]), np.array([0.1, 0.5, 0.4, 0.7, 0.9])
    >>> tuning.learn(y_true, y_score).tolist()
    [0.25, 0.8]
    """

    costs: Any = None
    loss: OrdinalLoss = "absolute"
    classes: int = 3
    sense: Literal["loss", "gain"] = "loss"

    def learn(self, y_true: Floats, y_pred: Floats) -> Floats:
        """Return the thresholds of least cost on a sample.

        Parameters
        ----------
        y_true : array of shape (n,)
            Class numbers, from 0.
        y_pred : array of shape (n,)
            Scores, one per case.

        Returns
        -------
        array of shape (classes - 1,)
            The thresholds.
        """
        labels = list(range(self.classes))
        return ordinal_thresholds(
            y_true, y_pred, costs=self.costs, loss=self.loss, labels=labels
        ).thresholds

    def outcomes(self, y_true: Floats, y_pred: Floats, knob: Floats) -> Floats:
        """Return the cost of each grade.

        Parameters
        ----------
        y_true : array of shape (n,)
            Class numbers, from 0.
        y_pred : array of shape (n,)
            Scores, one per case.
        knob : array of shape (classes - 1,)
            Thresholds, as ``learn`` returns them.

        Returns
        -------
        array of shape (n,)
            The cost of each case.
        """
        if not np.isin(y_true, range(self.classes)).all():
            raise InputError(
                f"'y_true' must contain class numbers from 0 to {self.classes - 1} only."
            )
        matrix = loss_matrix(tuple(range(self.classes)), self.loss, self.costs)
        return np.asarray(matrix[y_true.astype(int), grade_scores(y_pred, knob)])
