"""Cases to learn on and cases to judge: splits, in rounds that judge every case once."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roctopus.concepts.dependence import Dependence
from roctopus.core.arrays import Floats
from roctopus.core.checks import check_whole
from roctopus.core.errors import InputError, arg, warn
from roctopus.core.resampling import Random, read_generator

MANY = 20_000
"""With so many cases half of them teach as much as most: fewer folds and rounds will do."""

FEWEST_TIMES = 3

MOST_DRAWS = 100
"""Where a class is so rare that some training part lacks it still, learning there says so."""

Rows = NDArray[np.intp]
Split = tuple[Rows, Rows]
"""Cases to learn on, and cases to judge."""


def folds(
    size: int,
    cv: Any,
    dependence: Dependence,
    y_true: Floats,
    rng: Random,
    strata: Rows | None = None,
    *,
    alike: bool = True,
) -> Iterator[Split]:
    """Yield training and test rows: by any scikit-learn splitter, or a number of folds.

    ``strata`` are classes that every training part must hold: folds are drawn again until they do.
    They are not shared out evenly: then the classes held out would follow those that taught, and
    what was learned of their shares would look better than it is. ``alike`` says that all folds
    will learn the same kind of thing (a knob), not choose between models.

    Clusters stay together. In order of time the past teaches: folds are blocks of time, and the
    first is not judged. Where clusters reach over several blocks, no cluster teaches about itself.
    """
    clusters, times = dependence.clusters, dependence.times
    if hasattr(cv, "split") and not isinstance(cv, (str, bytes, type)):
        for rows in cv.split(np.zeros((size, 1)), y_true, clusters):
            train, test = (np.asarray(part) for part in rows)
            together = clusters if times is None else None
            if together is not None and np.isin(together[test], together[train]).any():
                raise InputError(
                    "'cv' has cases of the same cluster in the training and the test part of a "
                    "split. Use a splitter that keeps clusters together, such as GroupKFold, or "
                    "set 'cv' to a number of folds."
                )
            if times is not None and times[train].max() >= times[test].min():
                raise InputError(
                    "'cv' trains on cases from the same time as the cases it evaluates, or from "
                    "later times. Set 'cv' to a number of folds, which are then blocks of time."
                )
            yield train, test
        return
    dependence.refuse_alone()
    units, what = size, "cases"
    if times is not None:
        units, what = int(times.max()) + 1, "times"
    elif clusters is not None:
        units, what = int(clusters.max()) + 1, "clusters"
    if units < 2:
        raise InputError(f"A decision needs at least two {what}, but there is only {units}.")
    if times is not None and units < FEWEST_TIMES:
        raise InputError(
            f"A decision in order of time needs at least {FEWEST_TIMES} different times (one to "
            f"tune on, two to measure costs on), but there are only {units}. Leave out "
            f"{arg('time')}, or use more precise times."
        )
    count = check_whole(cv, "cv", 2)
    least = count + int(times is not None)
    if units < least:
        raise InputError(
            f"'cv' asks for {count} folds, which need at least {least} {what}, but there are only "
            f"{units}. Use at most {units - int(times is not None)} folds."
        )
    generator = read_generator(rng)
    if times is not None:
        yield from _blocks(times, clusters if dependence.crossed else None, count, generator)
        return
    if not alike and count > 0.5 * units:
        warn(
            f"With {count} folds, only one or two of {units} {what} are left out at a time. "
            "Single cases then decide which model looks best, and intervals are too narrow. Use "
            "more cases, or fewer folds."
        )
    for _ in range(MOST_DRAWS):
        fold = np.empty(units, dtype=np.intp)
        fold[generator.permutation(units)] = np.arange(units) % count
        of_row = fold if clusters is None else fold[clusters]
        if strata is None or _teach_all_classes(strata, of_row, count):
            break
    for k in range(count):
        yield np.flatnonzero(of_row != k), np.flatnonzero(of_row == k)


def _blocks(
    times: Rows, clusters: Rows | None, count: int, generator: np.random.Generator
) -> Iterator[Split]:
    """Yield blocks of time, about equally many cases in each, with all that came before.

    With clusters, each block is judged in parts, by what others had taught before.
    """
    cases = np.cumsum(np.bincount(times))
    wanted = np.linspace(0, cases[-1], count + 2).astype(int)[1:-1]
    starts = np.searchsorted(cases, wanted) + 1
    steps = np.arange(count)
    starts = np.maximum.accumulate(starts - steps) + steps  # every block has a time of its own
    starts = np.minimum(starts, len(cases) - count + steps)
    groups = np.zeros(1, dtype=np.intp) if clusters is None else np.unique(clusters)
    parts = min(count, len(groups))
    part = generator.permutation(len(groups)) % parts
    for begin, end in itertools.pairwise([*starts.tolist(), len(cases)]):
        past, now = times < begin, (begin <= times) & (times < end)
        for k in range(parts):
            mine = np.ones(len(times), bool) if clusters is None else part[clusters] == k
            others = past if clusters is None or not (past & ~mine).any() else past & ~mine
            if (now & mine).any():
                yield np.flatnonzero(others), np.flatnonzero(now & mine)


def _teach_all_classes(strata: Rows, of_row: Rows, count: int) -> bool:
    """Say whether every class has cases outside of every fold (one of a single case never has)."""
    counts = np.bincount(strata * count + of_row, minlength=(int(strata.max()) + 1) * count)
    held = counts.reshape(-1, count)
    several = held[held.sum(axis=1) > 1]
    return bool(np.all(several.sum(axis=1, keepdims=True) > several))


def rounds_of(splits: Iterable[Split], size: int) -> Iterator[list[Split]]:
    """Yield the splits in rounds that judge no case twice, as repeated folds come."""
    this: list[Split] = []
    seen = np.zeros(size, dtype=np.bool_)
    for train, test in splits:
        if seen[test].any():
            yield this
            this, seen[:] = [], False
        this.append((train, test))
        seen[test] = True
    if this:
        yield this


def fold_rounds(
    truth: Floats,
    cv: Any,
    times: int,
    *,
    dependence: Dependence,
    alike: bool,
    rng: Random,
    strata: Rows | None = None,
) -> Iterator[list[Split]]:
    """Yield rounds of folds: those of the splitter, or some drawn at random so many times.

    All rounds judge the same cases. Where those of a splitter do not, they become one round.
    """
    generator, size = read_generator(rng), len(truth)
    for _ in range(1 if is_fixed(cv, dependence) else times):
        splits = folds(size, cv, dependence, truth, generator, strata, alike=alike)
        found = list(rounds_of(splits, size))
        several = found if len(found) > 1 else []
        judged = [np.sort(np.concatenate([test for _, test in each])) for each in several]
        if any(not np.array_equal(each, judged[0]) for each in judged):
            if not alike:
                warn(
                    "The splits evaluate some cases more often than others, so intervals are too "
                    "short where a model is chosen. Use folds or repeated folds, which evaluate "
                    "all cases equally often."
                )
            found = [[split for each in found for split in each]]
        yield from found


def is_fixed(cv: Any, dependence: Dependence) -> bool:
    """Tell whether folds are given, by time or by a splitter, and not drawn at random."""
    by_time = dependence.times is not None and not dependence.crossed
    return by_time or hasattr(cv, "split")
