"""The kernel in one chunk, in many chunks, in other array libraries, against the definition."""

from fractions import Fraction

import array_api_compat
import array_api_strict
import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from roctopus.core.running_sums import START, advance, two_sided_sums

numpy_namespace = array_api_compat.array_namespace(np.zeros(1))


def definition(values, masses):
    distinct = sorted(set(values))
    pairs = list(zip(values, masses, strict=True))
    return (
        distinct,
        [sum(m for t, m in pairs if t <= s) for s in distinct],
        [sum(m * (s - t) for t, m in pairs if t <= s) for s in distinct],
        [sum(m * (t - s) for t, m in pairs if t >= s) for s in distinct],
    )


tied_values = st.lists(st.integers(-5, 5).map(float), min_size=1, max_size=15)


@given(values=tied_values, data=st.data())
def test_equals_the_definition(values, data):
    size = len(values)
    masses = data.draw(
        st.one_of(st.none(), st.lists(st.integers(1, 4), min_size=size, max_size=size))
    )
    given_masses = None if masses is None else np.array(masses, dtype=float)
    sums = two_sided_sums(np.array(values), given_masses, xp=numpy_namespace)
    expected = definition(values, masses or [1] * size)
    for got, want in zip(
        (sums.value, sums.mass, sums.excess, sums.shortfall), expected, strict=True
    ):
        np.testing.assert_array_equal(got, want)


@given(values=tied_values, cuts=st.lists(st.integers(-5, 5), max_size=3), weighted=st.booleans())
def test_chunks_of_whole_tie_groups_give_the_same(values, cuts, weighted):
    values = np.sort(values)
    masses = np.arange(1.0, len(values) + 1) if weighted else None
    end, whole = advance(START, values, masses, xp=numpy_namespace)
    borders = np.searchsorted(values, sorted(cuts))
    state, parts = START, []
    for low, high in zip([0, *borders], [*borders, len(values)], strict=True):
        if low < high:
            chunk = None if masses is None else masses[low:high]
            state, part = advance(state, values[low:high], chunk, xp=numpy_namespace)
            parts.append(part)
    assert state == end
    for field in ("value", "mass", "excess"):
        joined = np.concatenate([getattr(part, field) for part in parts])
        np.testing.assert_array_equal(joined, getattr(whole, field))


@pytest.mark.parametrize(
    "library", [torch.asarray, array_api_strict.asarray], ids=["torch", "strict"]
)
@pytest.mark.parametrize("weighted", [False, True])
def test_other_array_libraries_stay_themselves(library, weighted):
    rng = np.random.default_rng(0)
    values, masses = rng.integers(-5, 5, 40).astype(float), rng.uniform(1, 2, 40)
    expected = two_sided_sums(values, masses if weighted else None, xp=numpy_namespace)
    array = library(values)
    sums = two_sided_sums(
        array,
        library(masses) if weighted else None,
        xp=array_api_compat.array_namespace(array),
    )
    for field in ("value", "mass", "excess", "shortfall"):
        assert type(getattr(sums, field)) is type(array)
        np.testing.assert_allclose(
            np.asarray(getattr(sums, field)), getattr(expected, field), rtol=1e-13
        )


@pytest.mark.parametrize("offset", [0.0, 1e6, 1e12, -1e12])
def test_an_offset_changes_no_digit_that_matters(offset):
    values = np.random.default_rng(1).normal(size=300) + offset
    exact = definition([Fraction(v) for v in values], [1] * 300)
    sums = two_sided_sums(values, None, xp=numpy_namespace)
    for got, want in ((sums.excess, exact[2]), (sums.shortfall, exact[3])):
        for a, b in zip(got, want, strict=True):
            assert abs(Fraction(float(a)) - b) <= Fraction(1, 10**12) * b
