"""Inputs that are normal for us: heavy ties, weights (zeros too), offsets, tiny samples."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st


class Case(NamedTuple):
    y_true: np.ndarray
    y_pred: np.ndarray
    sample_weight: np.ndarray | None


def values(tied: bool) -> st.SearchStrategy[float]:
    """Multiples of ¼ in a small range tie often and add exactly; the others are any doubles."""
    if tied:
        return st.integers(-8, 8).map(lambda k: k / 4)
    return st.floats(-100, 100, allow_nan=False, width=64)


def weights(size: int) -> st.SearchStrategy[np.ndarray | None]:
    some = st.lists(st.integers(0, 4), min_size=size, max_size=size)
    counts = some.filter(any).map(lambda w: np.array(w, dtype=float))
    fractions = counts.map(lambda w: w * 0.1)
    return st.one_of(st.none(), counts, fractions)


@st.composite
def cases(draw: st.DrawFn, max_size: int = 12, offset: bool = True) -> Case:
    """Truths and predictions of the same cases, sometimes far from zero."""
    size = draw(st.integers(1, max_size))
    element = values(draw(st.booleans()))
    y_true, y_pred = (
        np.array(draw(st.lists(element, min_size=size, max_size=size))) for _ in range(2)
    )
    shared = draw(st.sampled_from([0.0, 0.0, 1e6])) if offset else 0.0
    return Case(y_true + shared, y_pred + shared, draw(weights(size)))


@st.composite
def graded_cases(draw: st.DrawFn, max_size: int = 9, offset: bool = True) -> Case:
    """Ordered classes, each with a case that counts, and scores that often tie."""
    classes = draw(st.integers(2, 4))
    size = draw(st.integers(classes, max_size))
    more = st.lists(st.integers(0, classes - 1), min_size=size - classes, max_size=size - classes)
    y_true = np.array([*range(classes), *draw(more)], dtype=float)
    element = values(draw(st.booleans()))
    y_score = np.array(draw(st.lists(element, min_size=size, max_size=size)))
    weight = draw(weights(size))
    if weight is not None:
        weight[:classes] = np.maximum(weight[:classes], 0.1)
    shared = draw(st.sampled_from([0.0, 0.0, 1e6])) if offset else 0.0
    order = draw(st.permutations(range(size)))
    return Case(y_true[order], y_score[order] + shared, None if weight is None else weight[order])


@st.composite
def probability_cases(draw: st.DrawFn, max_size: int = 10) -> Case:
    """Two classes, each with a case that counts, and probabilities that often tie."""
    size = draw(st.integers(2, max_size))
    more = st.lists(st.integers(0, 1), min_size=size - 2, max_size=size - 2)
    y_true = np.array([0, 1, *draw(more)], dtype=float)
    tied = st.integers(0, 8).map(lambda k: k / 8)
    fine = st.integers(0, 10**9).map(lambda k: k / 10**9)
    element = draw(st.sampled_from([tied, fine]))
    y_prob = np.array(draw(st.lists(element, min_size=size, max_size=size)))
    weight = draw(weights(size))
    if weight is not None:
        weight[:2] = np.maximum(weight[:2], 0.1)
    order = draw(st.permutations(range(size)))
    return Case(y_true[order], y_prob[order], None if weight is None else weight[order])
