"""Learn on some cases, judge on others: splits, and what they give case by case."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from roctopus.core.arrays import Floats
from roctopus.core.checks import check_whole
from roctopus.core.errors import InputError, warn
from roctopus.core.resampling import Random, read_generator

__all__ = ["MANY", "CrossFit", "Judged", "cross_fit", "folds", "rounds_of"]

MANY = 20_000
"""With so many cases half of them teach as much as most: fewer folds and rounds will do."""

MOST_DRAWS = 100
"""Where a class is so rare that some training part lacks it still, learning there says so."""

Rows = NDArray[np.intp]
Learned = TypeVar("Learned")


def folds(
    size: int,
    splitter: Any,
    clusters: Rows | None,
    time_ordered: bool,
    y_true: Floats,
    rng: Random,
    strata: Rows | None = None,
    *,
    alike: bool = True,
) -> Iterator[tuple[Rows, Rows]]:
    """Yield training and test rows: by any scikit-learn splitter, or a number of folds.

    ``strata`` are classes that every training part must hold: folds are drawn again until they do.
    They are not shared out evenly: then the classes held out would follow those that taught, and
    what was learned of their shares would look better than it is. ``alike`` says that all folds
    will learn the same kind of thing (a knob), not choose between models.
    """
    if hasattr(splitter, "split") and not isinstance(splitter, (str, type)):
        for rows in splitter.split(np.zeros((size, 1)), y_true, clusters):
            train, test = (np.asarray(part) for part in rows)
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
    if not alike and count > 0.5 * units:
        warn(
            f"{count} folds of {units} leave out a case or two at a time: which model looks best "
            "then hangs on them, and intervals are too short. Use fewer folds."
        )
    generator = read_generator(rng)
    for _ in range(MOST_DRAWS):
        fold = np.empty(units, dtype=np.intp)
        fold[generator.permutation(units)] = np.arange(units) % count
        of_row = fold if clusters is None else fold[clusters]
        if strata is None or _teach_all_classes(strata, of_row, count):
            break
    for k in range(count):
        yield rows[of_row != k], rows[of_row == k]


def _teach_all_classes(strata: Rows, of_row: Rows, count: int) -> bool:
    """Say whether every class has cases outside of every fold (one of a single case never has)."""
    held = np.bincount(strata * count + of_row, minlength=(int(strata.max()) + 1) * count)
    held = held.reshape(-1, count)
    several = held[held.sum(axis=1) > 1]
    return bool(np.all(several.sum(axis=1, keepdims=True) > several))


class Judged:
    """Outcomes of held-out cases; one that is judged several times counts by its mean."""

    def __init__(self, size: int) -> None:
        self.sums, self.counts = np.zeros(size), np.zeros(size)

    def add(self, rows: Rows, outcomes: Floats) -> None:
        """Take the outcomes of one fold."""
        self.sums[rows] += outcomes
        self.counts[rows] += 1.0

    def means(self) -> tuple[Rows, Floats]:
        """Return the rows that were judged, and their mean outcomes."""
        rows = np.flatnonzero(self.counts)
        return rows, self.sums[rows] / self.counts[rows]


def rounds_of(splits: Iterable[tuple[Rows, Rows]]) -> Iterator[list[tuple[Rows, Rows]]]:
    """Yield the splits in rounds that judge no case twice, as repeated folds come."""
    this: list[tuple[Rows, Rows]] = []
    seen: set[int] = set()
    for train, test in splits:
        if this and not seen.isdisjoint(test.tolist()):
            yield this
            this, seen = [], set()
        this.append((train, test))
        seen.update(test.tolist())
    if this:
        yield this


class CrossFit(NamedTuple):
    """Outcomes of held-out cases, and what was learned on each training part."""

    rows: Rows
    """The cases that were judged."""
    outcomes: Floats
    """Their mean outcomes, in the order of the rows."""
    learned: list[Any]


def cross_fit(
    splits: Iterable[tuple[Rows, Rows]],
    size: int,
    learn: Callable[[Rows], Learned],
    outcomes: Callable[[Learned, Rows], Floats],
) -> CrossFit:
    """Learn something on each training part and judge it on the cases held out."""
    judged, learned = Judged(size), []
    for train, test in splits:
        learned.append(learn(train))
        judged.add(test, outcomes(learned[-1], test))
    return CrossFit(*judged.means(), learned)
