"""Columns that nobody named as models, and which of them can be predictions of the truths.

A column is taken without being asked about if it holds numbers, more than one value, does not count
rows up or down, is no list of whole numbers that truths do not hold (ids, ages, years), lies where
predictions of the arm lie, and goes up or down with the truths. Where predictions are on the scale
of the truths, it must go up with them, and shifting it must not leave errors far larger than those
of a constant. Otherwise users are asked: an extra question costs less than a model nobody meant.
Up to ``MOST_ROWS`` rows are looked at; in very few a relation cannot be seen, and is not asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roctopus.concepts.arm import Arm
from roctopus.concepts.problem import Problem
from roctopus.core.arrays import Floats
from roctopus.core.errors import InputError, arg

MOST_ROWS, FEW_ROWS = 4096, 10
MOST_CLASSES = 32
FAR = 2.0
"""Predictions on the truths' scale may miss by so many times what a constant does."""
RELATED, LEAST_ROWS = 2.0, 30
"""A rank correlation of so many standard errors is a relation; those of so few rows count as 30."""
TOLD = 8


def truths_of(problem: Problem) -> tuple[Floats, ...]:
    """Return the truths as numbers that predictions can be compared with."""
    numbers = problem.class_numbers
    if numbers and problem.strata is not None:
        return (np.array(numbers, dtype=np.float64)[problem.strata],)
    return problem.columns()


def refuse_strange(
    arm: Arm, truths: Sequence[Floats], columns: Mapping[Any, NDArray[Any]], where: str
) -> None:
    """Raise an error that names the columns that cannot be predictions, and the others to paste."""
    strange = strange_columns(arm, truths, columns)
    if not strange:
        return
    told = [f"{name!r} {why}" for name, why in list(strange.items())[:TOLD]]
    told += [f"and {len(strange) - TOLD} more"] if len(strange) > TOLD else []
    others = [name for name in columns if name not in strange]
    paste = f"models={others!r}" if others else "models=[...]"
    several = "a column that does not" if len(strange) == 1 else "columns that do not"
    raise InputError(
        f"{where} has {several} look like predictions of the true values: "
        f"{', '.join(told)}. Use {arg('models')} to name the columns with predictions, as in "
        f"{paste}."
    )


def strange_columns(
    arm: Arm, truths: Sequence[Floats], columns: Mapping[Any, NDArray[Any]]
) -> dict[Any, str]:
    """Return the columns that are not taken for predictions, each with the reason."""
    size = max(map(len, columns.values()), default=0)
    rows = np.unique(np.linspace(0, max(size - 1, 0), min(size, MOST_ROWS)).astype(np.intp))
    known = [each[rows] for each in truths if np.ptp(each[rows]) > 0.0] if size else []
    found = {}
    for name, values in columns.items():
        why = "contains no numbers"
        if values.dtype.kind == "f":
            why = _why_not(arm, known, values[rows])
        if why:
            found[name] = why
    return found


def _why_not(arm: Arm, truths: Sequence[Floats], values: Floats) -> str:
    """Return why numbers cannot be predictions; nothing if they can."""
    there = np.isfinite(values)
    some, known = values[there], [each[there] for each in truths]
    if not len(some):
        return "is empty"
    low, high = float(some.min()), float(some.max())
    if low == high:
        return f"is {low:g} in all rows" if len(some) > 1 else ""
    if _counts_rows(some) and not any(map(_counts_rows, known)):
        return "counts the rows"
    if not known:
        return ""
    if _is_whole(some) and not any(_is_whole(each) and _spans(each, low, high) for each in known):
        return "contains whole numbers that are not among the true values"
    if not arm.on_truth_scale and not any(_near_classes(each, low, high) for each in known):
        return f"runs from {low:g} to {high:g}, far from the classes"
    if len(some) < FEW_ROWS:
        return ""
    if arm.on_truth_scale and not any(_on_scale(each, some) for each in known):
        return "is not on the scale of the true values"
    related = max(_relation(each, some, arm.on_truth_scale) for each in known)
    return "" if related >= RELATED else "has no visible relation to the true values"


def _is_whole(values: Floats) -> bool:
    return bool(np.all(values == np.floor(values)))


def _spans(truth: Floats, low: float, high: float) -> bool:
    """Tell whether numbers lie within the truths: in a margin, as they come from other rows."""
    margin = 0.0 if len(np.unique(truth)) <= MOST_CLASSES else float(np.ptp(truth))
    return bool(truth.min() - margin <= low and high <= truth.max() + margin)


def _counts_rows(values: Floats) -> bool:
    """Tell whether whole numbers go up or down in every row."""
    steps = np.diff(values)
    return len(steps) > 1 and _is_whole(values) and bool(np.all(steps > 0) or np.all(steps < 0))


def _near_classes(truth: Floats, low: float, high: float) -> bool:
    """Tell whether scores lie about where classes do, or have both signs, as margins have."""
    classes = np.unique(truth)
    if len(classes) > MOST_CLASSES or not _is_whole(classes) or low < 0.0 < high:
        return True
    step = float(np.diff(classes).min())
    return bool(classes[0] - step <= low and high <= classes[-1] + step)


def _on_scale(truth: Floats, values: Floats) -> bool:
    """Tell whether errors, about their median, are about as small as those of a constant."""
    low, high = np.quantile(truth, [0.01, 0.99])
    error = truth - values
    missed, spread = (np.abs(each - np.median(each)).mean() for each in (error, truth))
    return bool(low <= np.median(values) <= high and missed <= FAR * spread)


def _relation(truth: Floats, values: Floats, upwards: bool) -> float:
    """Return the rank correlation in standard errors; without its sign unless it must go up."""
    ranks = [_mid_ranks(each) for each in (truth, values)]
    if min(map(np.ptp, ranks)) == 0.0:
        return 0.0
    found = float(np.corrcoef(ranks[0], ranks[1])[0, 1] * np.sqrt(max(len(truth), LEAST_ROWS) - 1))
    return found if upwards else abs(found)


def _mid_ranks(values: Floats) -> Floats:
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - 0.5 * (counts - 1))[place])
