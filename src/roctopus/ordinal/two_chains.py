"""Variances of the volume under the ROC surface, by a dynamic programme over two chains.

The variance needs E[U²], a sum over pairs of chains: they may share a case in some classes. A state
(a, b) holds the weight of all pairs of which the first chain has completed a classes and the second
b, at scores so far. Within one score both chains move from the state before it, each by at most one
class, since ties are strict. Every state is a running sum over states before it: O(n·r²) in all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from roctopus.core.arrays import Floats
from roctopus.core.errors import InputError
from roctopus.ordinal.grades import Grades, read_grades


@dataclass(frozen=True)
class VolumeVariances:
    """Variances of the strict volume under the ROC surface."""

    value: float
    """The volume, ties being strict."""
    bootstrap: float
    """What a stratified bootstrap with infinitely many resamples would give."""
    unbiased: float
    """The unbiased estimate; it may be negative in small samples."""


def volume_variances(y_true: Any, y_score: Any, *, labels: Any = None) -> VolumeVariances:
    """Return the exact bootstrap variance and the unbiased variance of the strict volume.

    For large samples both agree with the one of ``surface_volume(..., ties="strict")``.

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
