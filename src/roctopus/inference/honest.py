"""Honest values: a knob tuned on the data that score it flatters the model; these do not."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from roctopus.concepts.dependence import read_dependence, read_groups
from roctopus.concepts.estimate import Estimate
from roctopus.core.arrays import Floats
from roctopus.core.checks import check_whole
from roctopus.core.errors import InputError, warn
from roctopus.core.resampling import Random, read_generator
from roctopus.core.sample import read_sample
from roctopus.inference.tunings import Tuning

__all__ = ["HonestValue", "Judged", "folds", "honest_value"]

Fold = tuple[NDArray[np.intp], NDArray[np.intp]]


@dataclass(frozen=True, eq=False)
class HonestValue:
    """What a tuned knob gives on cases it was not tuned on."""

    estimate: Estimate
    """The mean outcome per case, each judged with a knob learned on others."""
    in_sample: float
    """The mean outcome with the knob tuned on the cases themselves."""
    knob: Floats
    """The setting learned on all cases: the one to use."""
    fold_knobs: Floats
    """The settings of the folds: do they agree?"""
    sense: Literal["loss", "gain"]

    @property
    def value(self) -> float:
        """The honest mean outcome."""
        return self.estimate.value

    @property
    def optimism(self) -> float:
        """How much better the knob looks on the data it was tuned on."""
        gap = self.value - self.in_sample
        return gap if self.sense == "loss" else -gap

    def __repr__(self) -> str:
        return (
            f"HonestValue({self.value:.5g}, standard_error={self.estimate.standard_error:.3g}; "
            f"in-sample {self.in_sample:.5g}, optimism {self.optimism:.2g})"
        )


def folds(
    size: int,
    splitter: Any,
    clusters: NDArray[np.intp] | None,
    time_ordered: bool,
    y_true: Floats,
    rng: Random,
) -> Iterator[Fold]:
    """Yield training and test rows: by any scikit-learn splitter, or a number of folds."""
    if hasattr(splitter, "split"):
        for train, test in splitter.split(np.zeros((size, 1)), y_true, clusters):
            if clusters is not None and np.isin(clusters[test], clusters[train]).any():
                raise InputError(
                    "'splitter' tears clusters apart. Use one that keeps groups together, such as "
                    "GroupKFold, or a number of folds."
                )
            if time_ordered and train.max() > test.min():
                raise InputError("'splitter' learns from the future. Use TimeSeriesSplit.")
            yield train, test
        return
    count = check_whole(splitter, "splitter", 2)
    units = size if clusters is None else int(clusters.max()) + 1
    if units < count + int(time_ordered):
        raise InputError(f"'splitter' asks for {count} folds, but there are {units} to split.")
    rows = np.arange(size)
    if time_ordered:  # always learn on the past
        edges = np.linspace(0, size, count + 2).astype(int)
        for begin, end in itertools.pairwise(edges[1:].tolist()):
            yield rows[:begin], rows[begin:end]
        return
    fold = np.empty(units, dtype=np.intp)
    fold[read_generator(rng).permutation(units)] = np.arange(units) % count
    of_row = fold if clusters is None else fold[clusters]
    for k in range(count):
        yield rows[of_row != k], rows[of_row == k]


def honest_value(
    tuning: Tuning,
    y_true: Any,
    y_pred: Any,
    *,
    splitter: Any = 5,
    clusters: Any = None,
    time_ordered: bool = False,
    rng: Random = 0,
) -> HonestValue:
    """Cross-fit a knob: learn it on some folds, judge it on the others.

    Parameters
    ----------
    tuning : ShiftTuning, ThresholdTuning, ImpactTuning or OrdinalTuning
        What is tuned, and for what.
    y_true, y_pred : array of shape (n,)
        Truths and predictions (scores, probabilities) of cases the model was not trained on.
    splitter : int or splitter, default 5
        The number of folds, or any of scikit-learn's splitters.
    clusters : array of shape (n,), optional
        Rows that belong together stay together, in folds and in the standard error.
    time_ordered : bool, default False
        The rows are in order of time: knobs are learned on the past only (the first fold is not
        judged), and the standard error allows for autocorrelation.
    rng : int or Generator, default 0
        For the folds.

    Examples
    --------
    >>> import numpy as np
    >>> import roctopus as rt
    >>> from roctopus.inference import honest_value
    >>> from roctopus.inference.tunings import ShiftTuning
    >>> rng = np.random.default_rng(0)
    >>> y = rng.normal(size=60)
    >>> found = honest_value(ShiftTuning(rt.LinLin(0.9)), y, y + rng.normal(size=60))
    >>> found.in_sample < found.value
    True
    """
    sample = read_sample(y_true, y_pred).to_numpy()
    truth, prediction = sample.y_true, sample.y_pred
    if clusters is not None and time_ordered:
        raise InputError("Give 'clusters' or 'time_ordered', not both.")
    codes = None if clusters is None else read_groups(clusters, len(truth))[0]
    judged = Judged(len(truth))
    knobs = []
    for train, test in folds(len(truth), splitter, codes, time_ordered, truth, rng):
        knob = tuning.learn(truth[train], prediction[train])
        judged.add(test, tuning.outcomes(truth[test], prediction[test], knob))
        knobs.append(knob)
    rows, values = judged.means(warning=not time_ordered)
    kept = None if codes is None else codes[rows]
    dependence = read_dependence(kept, time_ordered, len(values))
    estimate = Estimate(float(values.mean()), values - values.mean(), dependence=dependence)
    best = tuning.learn(truth, prediction)
    return HonestValue(
        estimate,
        float(np.mean(tuning.outcomes(truth, prediction, best)[rows])),
        best,
        np.array(knobs),
        tuning.sense,
    )


class Judged:
    """Outcomes of held-out cases; one that is judged several times counts by its mean."""

    def __init__(self, size: int) -> None:
        self.sums, self.counts = np.zeros(size), np.zeros(size)

    def add(self, rows: NDArray[np.intp], outcomes: Floats) -> None:
        """Take the outcomes of one fold."""
        self.sums[rows] += outcomes
        self.counts[rows] += 1.0

    def means(self, *, warning: bool) -> tuple[NDArray[np.intp], Floats]:
        """Return the rows that were judged, and their mean outcomes."""
        rows = np.flatnonzero(self.counts)
        if len(rows) < 2:
            raise InputError("The splits judge fewer than two cases.")
        if warning and len(rows) < len(self.counts):
            told = f"{len(rows)} of {len(self.counts)}"
            warn(f"The splits judge {told} cases; the others are left out.")
        return rows, self.sums[rows] / self.counts[rows]
