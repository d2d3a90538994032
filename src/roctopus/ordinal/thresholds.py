"""Thresholds of least cost, the losses they are for, and their tuning out of sample."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from roctopus.core.arrays import Floats, read_array, to_numpy
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
                f"{arg('loss')} must be one of {', '.join(map(repr, known))} or a matrix, got "
                f"{loss!r}."
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
            raise InputError(f"{arg('costs')} has no cost for the class {label!r}.")
    return [costs[label] for label in labels]


def _read(values: Any, name: str, shape: tuple[int, ...], what: str) -> Floats:
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"{arg(name)} must contain numbers, got {values!r}.") from None
    if array.shape != shape:
        raise InputError(
            f"{arg(name)} must have {what} for each of the {shape[0]} classes, got shape "
            f"{array.shape}."
        )
    if not np.isfinite(array).all() or np.any(array < 0):
        raise InputError(f"{arg(name)} must be finite and zero or more.")
    return array


@dataclass(frozen=True, eq=False)
class OrdinalThresholds:
    """Thresholds between neighbouring classes, and what they cost.

    A case gets the class whose number is the count of thresholds ≤ its score: one that equals a
    threshold goes to the higher class, as everywhere here. (Equation 6 of the paper has it in the
    lower class; there is no difference for thresholds between scores.)
    """

    thresholds: Floats
    """One per border, increasing; the middle of what is equally good."""
    low: Floats
    high: Floats
    """Any thresholds with low < t ≤ high are equally good, as long as they do not decrease."""
    cost: float
    labels: tuple[Any, ...]

    def grade(self, y_score: Any) -> list[Any]:
        """Return the class of each score."""
        return [self.labels[k] for k in grade_scores(y_score, self.thresholds)]

    def __repr__(self) -> str:
        told = ", ".join(f"{t:.4g}" for t in self.thresholds)
        return f"OrdinalThresholds([{told}], cost={self.cost:.6g}, {len(self.labels)} classes)"


def read_thresholds(thresholds: Any, classes: int | None = None) -> Floats:
    """Check a vector of thresholds: increasing, one fewer than classes."""
    array = to_numpy(read_array(thresholds, "thresholds"))
    check_no_nan(array, "thresholds")
    if np.any(array[1:] < array[:-1]):
        raise InputError("'thresholds' must not decrease.")
    if classes is not None and len(array) != classes - 1:
        raise InputError(
            f"'thresholds' must contain {classes - 1} numbers for {classes} classes, got "
            f"{len(array)}."
        )
    return array


def grade_scores(y_score: Any, thresholds: Any) -> NDArray[np.intp]:
    """Return the class number of each score: how many thresholds are ≤ it.

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
    """Return the thresholds that minimise Σ c(y_i)·l(h(x_i), y_i) exactly (equation 15).

    All vectors of thresholds are considered, by dynamic programming over the sorted scores. Chosen
    on the data that score it, the cost is optimistic: judge it on other data.

    Parameters
    ----------
    y_true, y_score : array of shape (n,)
        Ordered classes and scores.
    costs : array of shape (r,), or mapping from label to number, optional
        The cost c of an error on a case of each class, from lowest to highest; 1 by default.
    loss : {"absolute", "zero-one", "squared"} or matrix of shape (r, r)
        The loss l, by the distance of grade and class; a matrix has a row per true class and a
        column per grade.
    priors : array of shape (r,), optional
        The shares of the classes in deployment, if they differ from the sample's.
    labels : sequence, optional
        The classes from the lowest to the highest.
    sample_weight : array of shape (n,), optional
        Weights; a row of weight 0 is absent.
    normalize : bool, default False
        Return the mean cost per case instead of the total.

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
    """The thresholds between ordered classes 0, 1, 2, …, for a loss and costs per class."""

    costs: Any = None
    loss: OrdinalLoss = "absolute"
    classes: int = 3
    sense: Literal["loss", "gain"] = "loss"

    def learn(self, y_true: Floats, y_pred: Floats) -> Floats:
        """Return the thresholds of least cost."""
        labels = list(range(self.classes))
        return ordinal_thresholds(
            y_true, y_pred, costs=self.costs, loss=self.loss, labels=labels
        ).thresholds

    def outcomes(self, y_true: Floats, y_pred: Floats, knob: Floats) -> Floats:
        """Return the cost of each grade."""
        if not np.isin(y_true, range(self.classes)).all():
            raise InputError(f"'y_true' must contain classes 0 to {self.classes - 1}.")
        matrix = loss_matrix(tuple(range(self.classes)), self.loss, self.costs)
        return np.asarray(matrix[y_true.astype(int), grade_scores(y_pred, knob)])
