"""Grades as labels, beside the ranking they were made from."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from roctopus.concepts.frames import make_frame
from roctopus.core.arrays import Floats, frame_backend
from roctopus.core.chains import Ties
from roctopus.core.checks import check_mapping
from roctopus.core.errors import InputError
from roctopus.ordinal.grades import read_grades
from roctopus.ordinal.pairs import AVERAGES, pairwise_ranking_accuracy
from roctopus.ordinal.thresholds import (
    OrdinalLoss,
    grade_scores,
    loss_matrix,
    ordinal_thresholds,
    read_thresholds,
)
from roctopus.ordinal.volume import SurfaceVolume, volume_of


@dataclass(frozen=True, eq=False)
class OrdinalConfusion:
    """How many cases of each class (row) got each grade (column).

    ``ordinal_confusion`` makes it.

    Parameters
    ----------
    counts : array of shape (r, r)
        Total weight of the cases of each class and grade.
    labels : tuple
        Classes from the lowest to the highest.
    backend : str or None, default None
        Dataframe library that the data came in.

    Examples
    --------
    >>> y_true, y_score = [1, 1, 2, 2, 3], [0.1, 0.5, 0.4, 0.7, 0.9]
    >>> found = ordinal_confusion(y_true, y_score, thresholds=[0.3, 0.8])
    >>> found.counts.tolist()
    [[1.0, 1.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 1.0]]
    >>> found.cost(costs=[2, 1, 1])
    0.4
    """

    counts: Floats
    labels: tuple[Any, ...]
    backend: str | None = None

    @property
    def accuracy(self) -> float:
        """The share of cases that were graded as their class."""
        return float(np.trace(self.counts) / self.counts.sum())

    @property
    def mean_absolute_error(self) -> float:
        """The mean distance between class and grade, in classes."""
        return self.cost("absolute")

    def cost(self, loss: OrdinalLoss = "absolute", costs: Any = None) -> float:
        """Return the mean cost per case.

        Parameters
        ----------
        loss : {"absolute", "zero-one", "squared"} or array of shape (r, r), default "absolute"
            How an error grows with the distance of grade and class; a matrix has a row per true
            class and a column per grade.
        costs : array of shape (r,), or mapping of label to float, optional
            Cost of an error on a case of each class, from the lowest to the highest; 1 by default.

        Returns
        -------
        float
            The mean cost, in the unit of the costs.
        """
        matrix = loss_matrix(self.labels, loss, costs)
        return float(np.sum(self.counts * matrix) / self.counts.sum())

    def frame(self, backend: str | None = None) -> Any:
        """Return the matrix as a dataframe.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, optional
            Library of the dataframe that is returned. By default the one your data came in.

        Returns
        -------
        dataframe
            One row per class, with a column per grade.
        """
        columns: dict[str, Any] = {"class": list(self.labels)}
        columns |= {f"graded {label}": self.counts[:, k] for k, label in enumerate(self.labels)}
        return make_frame(columns, self.backend, backend)


def ordinal_confusion(
    y_true: Any, y_score: Any, *, thresholds: Any, labels: Any = None, sample_weight: Any = None
) -> OrdinalConfusion:
    """Grade the scores by thresholds and count classes against grades.

    Parameters
    ----------
    y_true : array of shape (n,)
        Ordered class of each case: numbers, an ordered categorical (pandas, polars ``Enum``), or
        any labels whose order ``labels`` gives.
    y_score : array of shape (n,)
        Score of each case, which should increase with the class; grades are fine, too.
    thresholds : array of shape (r - 1,)
        Threshold between each class and the next, increasing.
    labels : sequence, optional
        Classes from the lowest to the highest; needed for text that is not an ordered categorical.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    OrdinalConfusion
        The counts, from which accuracy, mean absolute error and cost follow.

    Examples
    --------
    >>> found = ordinal_confusion([1, 1, 2, 2, 3], [0.1, 0.5, 0.4, 0.7, 0.9], thresholds=[0.3, 0.8])
    >>> found.accuracy, found.mean_absolute_error
    (0.8, 0.2)
    """
    grades = read_grades(y_true, y_score, sample_weight, labels)
    count = len(grades.labels)
    given = grade_scores(grades.score, read_thresholds(thresholds, count))
    weight = grades.sample.weight
    cells = grades.codes * count + given
    counts = np.bincount(cells, weights=weight, minlength=count * count).reshape(count, count)
    return OrdinalConfusion(counts.astype(np.float64), grades.labels, grades.sample.backend)


def ordinal_table(
    y_true: Any,
    scores: Mapping[str, Any],
    *,
    thresholds: Mapping[str, Any] | None = None,
    costs: Any = None,
    loss: OrdinalLoss = "absolute",
    labels: Any = None,
    ties: Ties = "average",
    sample_weight: Any = None,
    backend: str | None = None,
) -> Any:
    """Return a dataframe with ranking measures and label measures of several models.

    The best ranking need not give the best labels, so both are shown side by side.

    Parameters
    ----------
    y_true : array of shape (n,)
        Ordered class of each case: numbers, an ordered categorical (pandas, polars ``Enum``), or
        any labels whose order ``labels`` gives.
    scores : mapping of str to array of shape (n,)
        Scores by model.
    thresholds : mapping of str to array of shape (r - 1,), optional
        Thresholds by model. By default those of least cost on these data, which makes the labels
        look better than they are; the last column says so.
    costs : array of shape (r,), or mapping of label to float, optional
        Cost of an error on a case of each class, from the lowest to the highest; 1 by default.
    loss : {"absolute", "zero-one", "squared"} or array of shape (r, r), default "absolute"
        How an error grows with the distance of grade and class; a matrix has a row per true class
        and a column per grade.
    labels : sequence, optional
        Classes from the lowest to the highest; needed for text that is not an ordered categorical.
    ties : {"average", "strict"}, default "average"
        Whether tied scores of different classes get the credit of a random order (1/t! for t of
        them, as in scikit-learn's AUC), or none (equation 8 of the paper).
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.
    backend : {"pandas", "polars", "pyarrow"}, optional
        Library of the dataframe that is returned. By default the one your data came in.

    Returns
    -------
    dataframe
        One row per model; ``mean_cost`` is in the unit of the costs. If a volume has no interval
        (one case in a class, or every chain in order), its ends are NaN.

    Examples
    --------
    >>> y_true, scores = [1, 1, 2, 2, 3, 3], {"a": [0.1, 0.5, 0.4, 0.7, 0.6, 0.9]}
    >>> ordinal_table(y_true, scores, backend="pandas")[["model", "volume", "accuracy"]]
      model  volume  accuracy
    0     a     0.5  0.666667
    """
    named = check_mapping(scores, "scores", "scores")
    given = None if thresholds is None else check_mapping(thresholds, "thresholds", "thresholds")
    for name in given or ():
        if name not in named:
            raise InputError(
                f"'thresholds' contains the model {name!r}, which is missing from 'scores'. Use "
                "the same models in both arguments."
            )
    reading = {"labels": labels, "sample_weight": sample_weight}
    rows = []
    for name, each in named.items():
        if given is None:
            cuts = ordinal_thresholds(y_true, each, costs=costs, loss=loss, **reading).thresholds
        elif name in given:
            cuts = given[name]
        else:
            raise InputError(
                f"'scores' contains the model {name!r}, but 'thresholds' does not. Add the "
                "thresholds of this model."
            )
        confusion = ordinal_confusion(y_true, each, thresholds=cuts, **reading)
        accuracies = {
            f"u_{average}": pairwise_ranking_accuracy(
                y_true, each, average=average, ties=ties, **reading
            )
            for average in AVERAGES
        }
        rows.append(
            {"model": name}
            | _volume(volume_of(read_grades(y_true, each, sample_weight, labels), ties))
            | accuracies
            | {
                "accuracy": confusion.accuracy,
                "mean_absolute_error": confusion.mean_absolute_error,
                "mean_cost": confusion.cost(loss, costs),
                "thresholds": "given" if given is not None else "of least cost on these data",
            }
        )
    columns = {column: [row[column] for row in rows] for column in rows[0]}
    backends = (frame_backend(each) for each in (y_true, *named.values()))
    return make_frame(columns, next(filter(None, backends), None), backend)


def _volume(found: SurfaceVolume) -> dict[str, float]:
    """Return the volume with its interval, NaN where there is none."""
    low, high = found.confidence_interval() if found.standard_error > 0.0 else (math.nan, math.nan)
    return {
        "volume": found.value,
        "volume_low": low,
        "volume_high": high,
        "chance": found.chance,
        "corrected": found.corrected,
    }
