"""Chains along one order, in one chunk, in many and lifted, against chains class by class."""

import itertools

import array_api_compat
import array_api_strict
import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from roctopus.core.chain_steps import advance_chains, share_of_parts
from roctopus.core.chains import ClassScores, chain_share

numpy_namespace = array_api_compat.array_namespace(np.zeros(1))
LIBRARIES = {"numpy": np.asarray, "torch": torch.asarray, "strict": array_api_strict.asarray}


def cases(seed, classes, *, levels, weighted, size=120):
    """Sorted scores, with or without ties, of classes that all have cases."""
    rng = np.random.default_rng(seed)
    code = np.append(np.arange(classes), rng.integers(0, classes, size))
    score = rng.normal(size=len(code)) + 0.5 * code
    score = np.round(score * levels) / levels if levels else score
    weight = rng.uniform(0.5, 2.0, len(code)) if weighted else None
    order = np.argsort(score)
    return score[order], code[order], None if weight is None else weight[order]


def by_class(score, code, weight, classes, ties):
    parts = []
    for number in range(classes):
        mine = code == number
        parts.append(ClassScores.of(score[mine], None if weight is None else weight[mine]))
    return chain_share(parts, ties), np.array([part.total for part in parts])


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("ties", ["average", "strict"])
@pytest.mark.parametrize("levels", [None, 1, 10])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("classes", [2, 3, 4, 5, 6])
def test_one_order_gives_what_the_classes_apart_give(library, ties, levels, weighted, classes):
    score, code, weight = cases(classes, classes, levels=levels, weighted=weighted)
    expected, totals = by_class(score, code, weight, classes, ties)
    make = LIBRARIES[library]
    arrays = make(score), make(code.astype(np.int8)), None if weight is None else make(weight)
    xp = array_api_compat.array_namespace(arrays[0])
    start = np.eye(1, classes + 1)
    found = advance_chains(start, *arrays, ties, xp=xp)[0, -1] / np.prod(totals)
    assert found == pytest.approx(expected, rel=1e-12)
    scores = [make(score[code == number]) for number in range(classes)]
    masses = None if weight is None else [make(weight[code == k]) for k in range(classes)]
    assert share_of_parts(scores, masses, ties, xp=xp) == pytest.approx(expected, rel=1e-12)


@given(
    seed=st.integers(0, 99),
    classes=st.integers(2, 6),
    levels=st.sampled_from([None, 1, 3]),
    ties=st.sampled_from(["average", "strict"]),
    weighted=st.booleans(),
    cuts=st.lists(st.floats(-2, 5), max_size=3),
)
def test_chunks_carried_or_lifted_give_the_whole(seed, classes, levels, ties, weighted, cuts):
    score, code, weight = cases(seed, classes, levels=levels, weighted=weighted, size=30)
    start = np.eye(1, classes + 1)
    whole = advance_chains(start, score, code, weight, ties, xp=numpy_namespace)
    borders = [0, *np.searchsorted(score, sorted(cuts)), len(score)]  # between tie groups
    carried, lifted = start, np.eye(classes + 1)
    for low, high in itertools.pairwise(borders):
        if low < high:
            chunk = (score[low:high], code[low:high], None if weight is None else weight[low:high])
            carried = advance_chains(carried, *chunk, ties, xp=numpy_namespace)
            part = advance_chains(np.eye(classes + 1), *chunk, ties, xp=numpy_namespace)
            lifted = lifted @ part
    np.testing.assert_allclose(carried, whole, rtol=1e-12)
    np.testing.assert_allclose(start @ lifted, whole, rtol=1e-12)


def test_many_classes_neither_overflow_nor_vanish():
    classes, copies = 60, 3
    scores = list(np.arange(float(classes * copies)).reshape(classes, copies))
    for weight in (1e6, 1e-5):
        masses = [np.full(copies, weight)] * classes
        share = share_of_parts(scores, masses, "average", xp=numpy_namespace)
        assert share == pytest.approx(1.0, rel=1e-12)


def test_classes_that_are_passed_over_change_nothing():
    score, code, weight = cases(1, 4, levels=None, weighted=True)
    kept = code < 3
    whole = advance_chains(np.eye(1, 4), score, code, weight, "average", xp=numpy_namespace)
    without = advance_chains(
        np.eye(1, 4), score[kept], code[kept], weight[kept], "average", xp=numpy_namespace
    )
    np.testing.assert_allclose(whole, without, rtol=1e-13)
