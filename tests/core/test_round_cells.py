"""Cells with round borders: several cases in each, and borders that tell no last digits."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from roctopus.core.round_cells import RoundCells, round_up

ANY = st.floats(-1e300, 1e300, allow_nan=False, allow_infinity=False)
LISTS = {
    "any": st.lists(ANY, min_size=1, max_size=60),
    "small": st.lists(st.floats(-1e-290, 1e-290), min_size=1, max_size=60),
    "ties": st.lists(st.integers(-4, 4).map(float), min_size=1, max_size=200),
    "far": st.lists(st.floats(0, 30).map(lambda x: 1e12 + x), min_size=1, max_size=100),
    "heavy": st.lists(
        st.tuples(st.floats(1.0, 9.0), st.integers(-300, 299), st.sampled_from([-1.0, 1.0])).map(
            lambda x: x[2] * x[0] * 10.0 ** x[1]
        ),
        min_size=1,
        max_size=100,
    ),
    "spread": st.tuples(st.integers(0, 10**6), st.integers(1, 3000)).map(
        lambda x: np.random.default_rng(x[0]).standard_cauchy(x[1]).tolist()
    ),
    "same": st.tuples(ANY, st.integers(1, 50)).map(lambda x: [x[0]] * x[1]),
}
VALUES = st.one_of(*LISTS.values())
LEAST = st.sampled_from([1, 3, 10, 30])


def is_of_tree(border, step):
    """Tell whether a number has no digits below a power of ten: all borders of the tree have few.

    The tree cuts at whole multiples of 1 × 10ᵏ, and below ``step`` nothing is cut.
    """
    power = int(np.floor(np.log10(step) + 1e-9))
    exact = Fraction(repr(float(border))) / Fraction(10) ** power
    return exact.denominator == 1


@given(values=VALUES, least=LEAST, most=st.sampled_from([1, 8, 400]), wide=st.booleans())
def test_every_cell_holds_enough_or_none(values, least, most, wide):
    numbers = np.array(values)
    cells = RoundCells.of([numbers], least, most, wide=wide)
    assert np.all(np.diff(cells.cuts) > 0.0)
    assert cells.cuts[0] <= numbers.min()
    assert cells.cuts[-1] > numbers.max()
    found = cells.numbers(numbers)
    assert np.all(cells.cuts[found] <= numbers)
    assert np.all(numbers < cells.cuts[found + 1])
    counts = np.bincount(found, minlength=cells.count)
    if len(numbers) >= least:
        assert counts[counts > 0].min() >= least
    else:
        assert np.count_nonzero(counts) == 1
    assert cells.count <= most + 2


@given(values=VALUES, other=VALUES, least=LEAST)
def test_each_group_has_enough_in_every_cell(values, other, least):
    groups = [np.array(values), np.array(other)]
    assume(all(len(each) >= least for each in groups))
    cells = RoundCells.of(groups, least, 400)
    for group in groups:
        counts = np.bincount(cells.numbers(group), minlength=cells.count)
        assert counts[counts > 0].min() >= least


@given(values=VALUES, least=LEAST)
def test_borders_are_round(values, least):
    cells = RoundCells.of([np.array(values)], least, 400)
    assert all(is_of_tree(each, cells.finest) for each in cells.cuts)
    # Each border but the outer ones is the only multiple of its own digit's unit close to it: the
    # tree cuts 10 at 5, 5 at 2 and 3 at 2, so widths are 1, 2, 3 or 5 times a power of ten at most.
    assert float(f"{cells.finest:.0e}") == cells.finest
    assert str(f"{cells.finest:.0e}")[0] in "125"


def border_in_tree(border):
    """Tell whether a border is met on the way down from the root, by going there."""
    exact = abs(Fraction(repr(float(border))))
    if exact == 0:
        return True
    power = int(np.floor(np.log10(float(exact)))) - 1
    while Fraction(10) ** power < exact:
        power += 1
    low, width, unit = Fraction(0), 10, Fraction(10) ** (power - 1)
    for _ in range(200):
        if exact in (low, low + width * unit):
            return True
        if width == 1:
            width, unit = 10, unit / 10
        first = {10: 5, 5: 2, 3: 2, 2: 1}[width]
        if exact < low + first * unit:
            width = first
        else:
            low, width = low + first * unit, width - first
    return False


@given(values=st.one_of(LISTS["spread"], LISTS["far"], LISTS["ties"]), least=LEAST)
def test_borders_are_of_one_tree(values, least):
    cells = RoundCells.of([np.array(values)], least, 400)
    assert all(border_in_tree(each) for each in cells.cuts)


@given(values=VALUES, least=LEAST, seed=st.integers(0, 99))
def test_another_order_gives_the_same_borders(values, least, seed):
    numbers = np.array(values)
    mixed = np.random.default_rng(seed).permutation(numbers)
    first, second = (RoundCells.of([each], least, 400) for each in (numbers, mixed))
    np.testing.assert_array_equal(first.cuts, second.cuts)


@given(
    seed=st.integers(0, 10**6),
    count=st.integers(20, 3000),
    least=st.sampled_from([3, 10, 30]),
    offset=st.sampled_from([0.0, 1e6, -1e9]),
    scale=st.sampled_from([800.0, 5000.0]),
)
def test_last_digits_do_not_matter(seed, count, least, offset, scale):
    rng = np.random.default_rng(seed)
    whole = np.floor(offset + scale * rng.standard_t(3, count))
    first, second = (RoundCells.of([whole + rng.random(count)], least, 400) for _ in range(2))
    assume(first.finest == second.finest and first.finest >= 1.0)  # no border is between wholes
    np.testing.assert_array_equal(first.cuts, second.cuts)


@given(values=VALUES)
def test_equal_values_are_not_cut_apart(values):
    numbers = np.array(values)
    cells = RoundCells.of([numbers], 2, 400)
    found = cells.numbers(np.repeat(numbers, 3))
    assert np.all(found.reshape(-1, 3) == found.reshape(-1, 3)[:, :1])


@pytest.mark.parametrize("value", [0.0, -0.0, 1.0, -1.0, 123.456, 1e-300, -1e300, 1e12 + 0.25])
@pytest.mark.parametrize("count", [1, 50])
def test_all_equal_values_are_in_one_cell_that_is_wide(value, count):
    cells = RoundCells.of([np.full(count, value)], 10, 400)
    assert cells.count == 1
    assert cells.cuts[0] <= value < cells.cuts[1]
    if value != 0.0:
        assert cells.cuts[1] - cells.cuts[0] >= abs(value)


def test_far_values_are_cut_as_finely_as_near_ones():
    numbers = np.random.default_rng(0).normal(size=2000)
    near = RoundCells.of([numbers], 10, 400)
    far = RoundCells.of([numbers + 1e12], 10, 400)
    assert 0.5 * near.count < far.count < 2.0 * near.count
    assert np.ptp(far.inner_cuts) < 10.0


def test_an_extreme_value_is_not_told():
    numbers = np.append(np.random.default_rng(0).normal(size=300), 7.3456e5)
    cells = RoundCells.of([numbers], 10, 400)
    assert cells.cuts[-1] == 1e6
    assert cells.cuts[-2] < 3.0


@given(values=VALUES, least=LEAST)
def test_what_is_empty_is_cut_off_in_large_pieces(values, least):
    numbers = np.array(values)
    cells = RoundCells.of([numbers], least, 400)
    counts = np.bincount(cells.numbers(numbers), minlength=cells.count)
    # The border of an empty cell is next to a case: it must not be close to it by choice.
    assert not np.any((counts[1:] == 0) & (counts[:-1] == 0))
    assert counts[0] > 0
    assert counts[-1] > 0


@given(x=st.floats(1e-290, 1e290))
def test_rounding_up(x):
    found = round_up(x)
    assert x <= found <= 2.5000001 * x
    assert f"{found:.0e}"[0] in "125"
    assert float(f"{found:.0e}") == found
    assert round_up(found) == found


def test_nothing_is_rounded_up_to_nothing():
    assert round_up(0.0) == 0.0
