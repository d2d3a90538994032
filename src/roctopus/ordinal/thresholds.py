"""Where to cut the scores: the thresholds of least cost, exactly."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roctopus.concepts.context_curve import ContextCurve
from roctopus.core.arrays import Floats, read_array, to_numpy
from roctopus.core.checks import check_finite, check_interval, check_no_nan, check_scalar
from roctopus.core.errors import InputError
from roctopus.core.piecewise import Piecewise
from roctopus.ordinal.grades import Grades, read_grades
from roctopus.ordinal.losses import OrdinalLoss, loss_matrix

__all__ = [
    "OrdinalThresholds",
    "grade_scores",
    "ordinal_cost_curve",
    "ordinal_thresholds",
    "read_thresholds",
]


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
            f"'thresholds' must hold {classes - 1} numbers for {classes} classes, got {len(array)}."
        )
    return array


def grade_scores(y_score: Any, thresholds: Any) -> NDArray[np.intp]:
    """Return the class number of each score: how many thresholds are ≤ it.

    Examples
    --------
    >>> grade_scores([0.2, 0.5, 0.9], [0.5, 0.8]).tolist()
    [0, 1, 2]
    """
    scores = to_numpy(read_array(y_score, "y_score"))
    check_finite(scores, "y_score")
    return np.searchsorted(read_thresholds(thresholds), scores, side="right")


@dataclass(frozen=True, eq=False)
class Profile:
    """The mass of every class below each possible position of a threshold."""

    scores: Floats
    """The distinct scores, increasing; position j lies just below score j."""
    below: Floats
    """A row per class: its mass below each position; the last column holds all."""
    labels: tuple[Any, ...]

    @staticmethod
    def of(grades: Grades, priors: Any = None) -> Profile:
        """Sort the scores and run up the mass of each class."""
        grades.refuse_empty()
        order = np.argsort(grades.score)
        ordered = grades.score[order]
        last = np.append(ordered[1:] != ordered[:-1], True)
        codes, weight = grades.codes.astype(np.int16)[order], grades.sample.weight
        mass = None if weight is None else weight[order]
        below = np.zeros((len(grades.labels), int(np.count_nonzero(last)) + 1))
        for number, row in enumerate(below):
            mine = codes == number
            row[1:] = np.cumsum(mine if mass is None else np.where(mine, mass, 0.0))[last]
        if priors is not None:
            below *= _prior_weights(priors, below[:, -1])[:, None]
        return Profile(ordered[last], below, grades.labels)

    def costs_below(self, loss: Floats) -> Floats:
        """Return C_h(t), what all cases below position t (column) cost as grade h (row)."""
        return np.asarray(loss.T @ self.below)

    def optimum(self, cost: Floats) -> NDArray[np.intp]:
        """Return the positions of the thresholds of least cost, the lowest of equally good ones.

        Along the sorted scores the class can only rise. The best way to reach class h at position t
        is a running minimum over where it was entered: O(n·r) in all.
        """
        reached = cost[0]
        entered = []
        for as_grade in cost[1:]:
            entered.append(reached - as_grade)
            reached = as_grade + np.minimum.accumulate(entered[-1])
        positions = np.empty(len(entered), dtype=np.intp)
        end = len(self.scores)
        for h in range(len(entered) - 1, -1, -1):
            end = int(np.argmin(entered[h][: end + 1]))
            positions[h] = end
        return positions

    def confusion(self, positions: NDArray[np.intp]) -> Floats:
        """Return the mass of every true class (row) that gets every grade (column)."""
        ends = np.concatenate([[0], positions, [len(self.scores)]])
        return np.diff(self.below[:, ends], axis=1)

    def cost(self, positions: NDArray[np.intp], loss: Floats) -> float:
        """Return the total cost of a vector of positions."""
        return float(np.sum(self.confusion(positions) * loss))

    def between(self, low: int, high: int) -> tuple[float, float, float]:
        """Return the thresholds from position low to high: low end, high end, and the middle."""
        first = float(self.scores[low - 1]) if low > 0 else -np.inf
        last = float(self.scores[high]) if high < len(self.scores) else np.inf
        if np.isinf(first) and np.isinf(last):  # it does not matter at all
            middle = 0.5 * float(self.scores[0]) + 0.5 * float(self.scores[-1])
        else:  # infinite if one end is: no score, however far out, changes sides
            middle = 0.5 * first + 0.5 * last
        # Between neighbouring doubles there is no middle; the low end itself is out of bounds.
        return first, last, last if middle == first and np.isfinite(first) else middle

    def settings(self, positions: NDArray[np.intp], loss: Floats) -> tuple[Floats, Floats, Floats]:
        """Return the ends and the middle of the equally good thresholds, each with others kept.

        The cost is a sum of one term per threshold, so they can be looked at one by one.
        """
        ends = np.concatenate([[0], positions, [len(self.scores)]])
        found = []
        for h, position in enumerate(positions.tolist(), start=1):
            gain = loss[:, h - 1] - loss[:, h]
            low = self._reach(gain, position, int(ends[h - 1]))
            high = self._reach(gain, position, int(ends[h + 1]))
            found.append(self.between(low, high))
        first, last, middle = np.array(found).T
        return first, last, middle

    def _reach(self, gain: Floats, position: int, limit: int) -> int:
        """Return how far a threshold can move towards a limit without changing the cost.

        Moves are judged by the cases they pass, not by totals: a cheap class must not drown in the
        rounding of a dear one.
        """
        step = 1 if limit > position else -1
        reached, width = position, 64
        while reached != limit:
            stop = reached + step * min(width, abs(limit - reached))
            ahead = np.arange(reached + step, stop + step, step)
            passed = self.below[:, ahead] - self.below[:, [position]]
            change, size = gain @ passed, np.abs(gain) @ np.abs(passed)
            other = np.flatnonzero(np.abs(change) > 1e-12 * size)
            if len(other):
                return reached + step * int(other[0])
            reached, width = stop, 2 * width
        return reached


def _prior_weights(priors: Any, mass: Floats) -> Floats:
    given = to_numpy(read_array(priors, "priors"))
    check_finite(given, "priors")
    if len(given) != len(mass):
        raise InputError(f"'priors' must hold one number for each of the {len(mass)} classes.")
    if np.any(given < 0) or not given.sum() > 0:
        raise InputError("'priors' must be zero or more, and some positive.")
    return np.asarray(given / given.sum() * mass.sum() / mass)


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
    costs : array of shape (r,), optional
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
    positions = profile.optimum(profile.costs_below(matrix))
    low, high, middle = profile.settings(positions, matrix)
    cost = profile.cost(positions, matrix)
    scale = float(profile.below[:, -1].sum()) if normalize else 1.0
    return OrdinalThresholds(middle, low, high, cost / scale, grades.labels)


@dataclass(frozen=True, eq=False)
class _Lines:
    """Costs as lines over the cost c of one class: what the others cost, plus c times its own."""

    profile: Profile
    fixed: Floats
    moving: Floats

    def solve(self, cost: float) -> tuple[NDArray[np.intp], float, float]:
        """Return the best positions at a cost, with intercept and slope of their line."""
        positions = self.profile.optimum(self.profile.costs_below(self.fixed + cost * self.moving))
        return (
            positions,
            self.profile.cost(positions, self.fixed),
            self.profile.cost(positions, self.moving),
        )

    @cached_property
    def scale(self) -> float:
        """The total mass."""
        return float(self.profile.below[:, -1].sum())


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

    The curve is exact: concave, made of lines, each with its vector of thresholds as the knob.

    Parameters
    ----------
    y_true, y_score : array of shape (n,)
        Ordered classes and scores.
    moving : label
        The class whose cost moves.
    low, high : float
        The range of its cost.
    costs, loss, priors, labels, sample_weight
        As in ``ordinal_thresholds``; the entry of ``costs`` for the moving class is ignored.

    Examples
    --------
    >>> y_true, y_score = [1, 1, 2, 2, 3], [0.1, 0.5, 0.4, 0.7, 0.6]
    >>> curve = ordinal_cost_curve(y_true, y_score, moving=3, low=0, high=4)
    >>> round(curve.at(0.5), 6), curve.knob_at(3.0).tolist()
    (0.3, [0.25, 0.55])
    """
    first, last = check_scalar(low, "low"), check_scalar(high, "high")
    check_interval(first, last, "The range of the cost")
    if first < 0.0:
        raise InputError(f"'low' must be zero or more, got {low!r}.")
    grades = read_grades(y_true, y_score, sample_weight, labels)
    if moving not in grades.labels:
        raise InputError(f"'moving' must be one of the classes, got {moving!r}.")
    row = grades.labels.index(moving)
    fixed = loss_matrix(grades.labels, loss, costs).copy()
    alone = np.zeros_like(fixed)
    alone[row] = loss_matrix(grades.labels, loss, None)[row]
    fixed[row] = 0.0
    lines = _Lines(Profile.of(grades, priors), fixed, alone)
    knots, pieces = _trace(lines, first, last)
    intercept, slope = (np.array([piece[k] for piece in pieces]) for k in (1, 2))
    start = (intercept + slope * knots[:-1]) / lines.scale
    end = (intercept + slope * knots[1:]) / lines.scale
    middle = 0.5 * (knots[:-1] + knots[1:])
    thresholds = np.array(
        [
            lines.profile.settings(piece[0], fixed + cost * alone)[2]
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


def _trace(lines: _Lines, low: float, high: float) -> tuple[Floats, list[Any]]:
    """Find all lines of the lower envelope: where two of them meet, a third may lie below."""
    pieces = [lines.solve(low)]
    knots = [low]
    waiting = [(high, lines.solve(high))]
    while waiting:
        end, right = waiting[-1]
        left = pieces[-1]
        rise = left[2] - right[2]
        meet = (right[1] - left[1]) / rise if rise else end
        if not rise or not knots[-1] < meet < end:
            if meet <= knots[-1] and rise:
                pieces[-1] = right  # the left one is best at a point only
            waiting.pop()
            continue
        between = lines.solve(meet)
        height = left[1] + left[2] * meet
        if between[1] + between[2] * meet < height - 1e-12 * abs(height):
            waiting.append((meet, between))
        else:
            knots.append(meet)
            pieces.append(right)
            waiting.pop()
    return np.array([*knots, high]), pieces
