"""The volume under the ROC surface, with its uncertainty, for one model and for several."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from roctopus.concepts.intervals import ConfidenceInterval, interval
from roctopus.concepts.joint import JointEstimates, compare_rankings
from roctopus.concepts.registry import Influence, metric
from roctopus.core.arrays import Floats
from roctopus.core.chains import Ties, chains_through
from roctopus.core.errors import InputError, warn
from roctopus.ordinal.grades import (
    Grades,
    check_ties,
    class_variance,
    read_graded_rows,
    read_grades,
)
from roctopus.ordinal.trend import runs_backwards


def _value_and_influence(grades: Grades, ties: Ties) -> tuple[float, Influence]:
    """Return VUS and (V_i − VUS)/p_k, where V_i is the share of chains through case i (DeLong)."""
    check_ties(ties)
    value, through = chains_through(grades.classes, ties)
    total = grades.sample.total_weight
    scaled = [
        (share - value) * (total / each.total)
        for share, each in zip(through, grades.classes, strict=True)
    ]
    return value, grades.influence(grades.per_case(scaled))


@metric(
    arm="ordinal",
    read=read_graded_rows,
    influence=lambda grades, ties: _value_and_influence(grades, ties)[1],
    sense="gain",
    scale="logit",
)
def volume_under_surface(
    y_true: Any,
    y_score: Any,
    *,
    labels: Any = None,
    ties: Ties = "average",
    sample_weight: Any = None,
) -> float:
    """Return VUS, the share of correctly ranked sequences of one case per class.

    It is the AUC for two classes. A random ranking of r classes gets 1/r!, so compare only models
    with the same classes, or use ``surface_volume(...).corrected``. A value below chance warns if
    scores fall with the class.

    Parameters
    ----------
    y_true : array of shape (n,)
        Ordered class of each case: numbers, an ordered categorical (pandas, polars ``Enum``), or
        any labels whose order ``labels`` gives.
    y_score : array of shape (n,)
        Score of each case, which should increase with the class; grades are fine, too.
    labels : sequence, optional
        Classes from the lowest to the highest; needed for text that is not an ordered categorical.
    ties : {"average", "strict"}, default "average"
        Whether tied scores of different classes get the credit of a random order (1/t! for t of
        them, as in scikit-learn's AUC), or none (equation 8 of the paper).
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    float
        The share, from 0 to 1.

    Notes
    -----
    It is the volume under the surface of the true positive rates of the r classes. Arrays on a
    device stay there.

    Examples
    --------
    >>> volume_under_surface([1, 1, 2, 2, 3], [0.1, 0.5, 0.4, 0.7, 0.9])
    0.75
    >>> volume_under_surface(["low", "high"], [0.1, 0.5], labels=["low", "high"])
    1.0
    """
    check_ties(ties)
    grades = read_grades(y_true, y_score, sample_weight, labels, anywhere=True)
    value = grades.volume(ties)
    _warn_below_chance(value, grades, ties)
    return value


def _chance(classes: int) -> float:
    return math.exp(-math.lgamma(classes + 1))


def _warn_below_chance(value: float, grades: Grades, ties: Ties) -> None:
    """Warn of scores that fall with the class.

    Being below chance is not enough: half of all random rankings are, and strict ties have no
    chance level.
    """
    chance = _chance(len(grades.labels))
    if ties == "average" and value < chance and runs_backwards(grades):
        warn(
            f"The volume {value:.3g} is below that of a random ranking ({chance:.3g}), and higher "
            "classes tend to have lower scores. Check the sign of the scores."
        )


@dataclass(frozen=True)
class SurfaceVolume:
    """The volume under the ROC surface, with its standard error and its chance level.

    ``surface_volume`` makes it.

    Parameters
    ----------
    value : float
        Share of sequences of one case per class that are in order.
    standard_error : float
        Standard error of the value.
    labels : tuple
        Classes from the lowest to the highest.
    class_sizes : tuple of int
        Number of cases of each class.

    Examples
    --------
    >>> found = surface_volume([1, 1, 2, 2, 3, 3], [0.1, 0.5, 0.4, 0.7, 0.6, 0.9])
    >>> round(found.chance, 4), round(found.corrected, 4)
    (0.1667, 0.4)
    """

    value: float
    standard_error: float
    labels: tuple[Any, ...]
    class_sizes: tuple[int, ...]

    @property
    def chance(self) -> float:
        """The value of a random ranking, 1/r!; it is less with strict ties."""
        return _chance(len(self.labels))

    @property
    def corrected(self) -> float:
        """The value on a scale that is 0 for a random and 1 for a perfect ranking."""
        return (self.value - self.chance) / (1.0 - self.chance)

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return an interval on the logit scale, so that it stays between 0 and 1.

        Parameters
        ----------
        confidence_level : float, default 0.95
            Probability that an interval contains the true value.

        Returns
        -------
        ConfidenceInterval
            The ends of the interval, ``low`` and ``high``.
        """
        units = float(min(self.class_sizes))
        return interval(
            self.value, self.standard_error, confidence_level, scale="logit", units=units
        )

    def __repr__(self) -> str:
        return (
            f"SurfaceVolume({self.value:.4g}, standard_error={self.standard_error:.4g}; chance "
            f"{self.chance:.4g}, {len(self.labels)} classes)"
        )


def surface_volume(
    y_true: Any,
    y_score: Any,
    *,
    labels: Any = None,
    ties: Ties = "average",
    sample_weight: Any = None,
) -> SurfaceVolume:
    """Return the volume under the ROC surface with its standard error, interval and chance level.

    Intervals are reliable from about thirty cases per class. If every chain of a sample is in
    order, there is no spread to estimate from and a warning says so: the true volume may still be
    below 1.

    Parameters
    ----------
    y_true : array of shape (n,)
        Ordered class of each case: numbers, an ordered categorical (pandas, polars ``Enum``), or
        any labels whose order ``labels`` gives.
    y_score : array of shape (n,)
        Score of each case, which should increase with the class; grades are fine, too.
    labels : sequence, optional
        Classes from the lowest to the highest; needed for text that is not an ordered categorical.
    ties : {"average", "strict"}, default "average"
        Whether tied scores of different classes get the credit of a random order (1/t! for t of
        them, as in scikit-learn's AUC), or none (equation 8 of the paper).
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    SurfaceVolume
        The value with its standard error, and ``corrected`` for chance.

    Notes
    -----
    The standard error is DeLong's, generalised to chains: the stratified jackknife. It
    equals the standard error of ``estimate(volume_under_surface, ...)``, and is faster to compute,
    since no order of rows is needed.

    Examples
    --------
    >>> surface_volume([1, 1, 2, 2, 3, 3], [0.1, 0.5, 0.4, 0.7, 0.6, 0.9])
    SurfaceVolume(0.5, standard_error=0.3536; chance 0.1667, 3 classes)
    """
    found = volume_of(read_grades(y_true, y_score, sample_weight, labels), ties)
    if math.isnan(found.standard_error):
        raise InputError("A standard error needs at least two cases in every class.")
    return found


def volume_of(grades: Grades, ties: Ties) -> SurfaceVolume:
    """Return the volume; its standard error is NaN where a class has one case."""
    check_ties(ties)
    value, through = chains_through(grades.classes, ties)
    _warn_below_chance(value, grades, ties)
    parts = zip(grades.classes, through, strict=True)
    variance = sum(class_variance(each, share - value) for each, share in parts)
    sizes = tuple(each.cases for each in grades.classes)
    return SurfaceVolume(value, math.sqrt(variance), grades.labels, sizes)


def compare_volumes(
    y_true: Any,
    scores: Mapping[str, Any],
    *,
    labels: Any = None,
    ties: Ties = "average",
    sample_weight: Any = None,
) -> JointEstimates:
    """Compare the volumes of several models on the same cases.

    Parameters
    ----------
    y_true : array of shape (n,)
        Ordered class of each case: numbers, an ordered categorical (pandas, polars ``Enum``), or
        any labels whose order ``labels`` gives.
    scores : mapping of str to array of shape (n,)
        Scores by model.
    labels : sequence, optional
        Classes from the lowest to the highest; needed for text that is not an ordered categorical.
    ties : {"average", "strict"}, default "average"
        Whether tied scores of different classes get the credit of a random order (1/t! for t of
        them, as in scikit-learn's AUC), or none (equation 8 of the paper).
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    JointEstimates
        The volumes with their covariance, from which differences and tests follow.

    Examples
    --------
    >>> y_true = [1, 1, 2, 2, 3, 3]
    >>> models = {"a": [0.1, 0.5, 0.4, 0.7, 0.6, 0.9], "b": [0.1, 0.2, 0.3, 0.4, 0.9, 0.8]}
    >>> found = compare_volumes(y_true, models)
    >>> found.difference("b", "a").value
    0.5
    """

    def measured(name: str, score: Any) -> tuple[float, Influence]:
        return _value_and_influence(read_graded_rows(y_true, score, sample_weight, labels), ties)

    return compare_rankings(scores, measured)


@dataclass(frozen=True)
class VolumeVariances:
    """The value of the strict volume under the ROC surface, and two variances of it.

    ``volume_variances`` makes it.

    Parameters
    ----------
    value : float
        The volume; tied scores are not in order.
    bootstrap : float
        Variance that a stratified bootstrap with infinitely many resamples would give.
    unbiased : float
        Unbiased estimate of the variance; it may be negative in small samples.

    Examples
    --------
    >>> found = volume_variances([1, 1, 1, 2, 2, 2], [1, 2, 3, 2, 4, 5])
    >>> round(found.value, 4), round(found.unbiased**0.5, 4)
    (0.7778, 0.2222)
    """

    value: float
    bootstrap: float
    unbiased: float


def volume_variances(y_true: Any, y_score: Any, *, labels: Any = None) -> VolumeVariances:
    """Return the exact bootstrap variance and the unbiased variance of the strict volume.

    In large samples both agree with that of ``surface_volume(..., ties="strict")``.

    Parameters
    ----------
    y_true : array of shape (n,)
        Ordered class of each case: numbers, an ordered categorical (pandas, polars ``Enum``), or
        any labels whose order ``labels`` gives.
    y_score : array of shape (n,)
        Score of each case, which should increase with the class; grades are fine, too.
    labels : sequence, optional
        Classes from the lowest to the highest; needed for text that is not an ordered categorical.

    Returns
    -------
    VolumeVariances
        The volume and its two variances.

    Examples
    --------
    >>> y_true = [1, 1, 1, 2, 2, 2]
    >>> found = volume_variances(y_true, [1, 2, 3, 2, 4, 5])
    >>> round(found.value, 4), round(found.bootstrap, 6), round(found.unbiased, 6)
    (0.7778, 0.046639, 0.049383)
    """
    grades = read_grades(y_true, y_score, None, labels)
    counts = _counts(grades)
    sizes = counts.sum(axis=1)
    if sizes.min() < 2:
        raise InputError("A variance needs at least two cases in every class.")
    value = _one_chain(counts, sizes)
    other, same = (1.0 - 1.0 / sizes) / sizes, (2.0 - 1.0 / sizes) / sizes**2
    second_moment = _two_chains(counts, sizes, other, same)
    squared = _two_chains(counts, sizes, 1.0 / (sizes - 1.0), np.zeros(len(sizes)))
    return VolumeVariances(value, max(second_moment - value**2, 0.0), value**2 - squared)


def _counts(grades: Grades) -> Floats:
    """Return how many cases of each class (row) have each distinct score (column)."""
    scores = np.unique(grades.score)
    counts = np.zeros((len(grades.labels), len(scores)))
    for number, each in enumerate(grades.classes):
        counts[number, np.searchsorted(scores, each.score)] = each.mass
    return counts


def _before(running: Floats) -> Floats:
    """Return the running sum before each score."""
    return np.append(0.0, running[:-1])


def _one_chain(counts: Floats, sizes: Floats) -> float:
    state = np.ones(counts.shape[1])
    before = state
    for count, size in zip(counts, sizes, strict=True):
        state = np.cumsum(before * count) / size
        before = _before(state)
    return float(state[-1])


def _two_chains(counts: Floats, sizes: Floats, other: Floats, same: Floats) -> float:
    """Return the sum over pairs of chains of the product of what their cases pay.

    The first chain to take a case of class k pays 1/n_k, the second ``other[k]`` for another case;
    both taking the same case pay ``same[k]``. States are symmetric: b ≤ a suffices.
    """
    classes = len(sizes)
    row = [np.ones(counts.shape[1])]  # states (a − 1, 0..a − 1), before each score
    end = 1.0
    for a in range(classes):
        taken = counts[a]
        states: list[Floats] = []
        for b in range(a + 2):
            if b <= a:  # the second chain is behind: it has completed b classes
                step = row[b] * taken / sizes[a]
                if b:
                    step += states[b - 1] * counts[b - 1] * other[b - 1]
                    step += row[b - 1] * taken * counts[b - 1] / sizes[a] * other[b - 1]
            else:  # both complete class a
                different = taken * (taken - 1.0) * other[a] / sizes[a]
                step = 2.0 * states[a] * taken * other[a]
                step += row[a] * (taken * same[a] + different)
            running = np.cumsum(step)
            end = float(running[-1])
            states.append(_before(running))
        row = states
    return end
