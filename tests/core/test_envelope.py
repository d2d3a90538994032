"""Envelopes against the minimum of all functions at many points, and their owners and crossings."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.test_piecewise import functions
from roctopus import InputError
from roctopus.core import cells
from roctopus.core import envelope as ranges
from roctopus.core.envelope import lower_envelope, upper_envelope
from roctopus.core.piecewise import Piecewise


def inner_points(functions, found):
    """Points inside every cell of everything, where continuity does not matter."""
    knots = np.unique(np.concatenate([found.function.knots, *(f.knots for f in functions)]))
    knots = knots[np.isfinite(knots)]
    share = np.array([[0.1], [0.5], [0.9]])
    points = (knots[:-1] + share * np.diff(knots)).ravel()
    return points[(points > knots[0]) & (points < knots[-1])]


def check(functions, found, best):
    points = inner_points(functions, found)
    everyone = np.array([f.at(points) for f in functions])
    np.testing.assert_allclose(found.function.at(points), best(everyone, axis=0), atol=1e-10)
    cell = found.function.piece_of(points)
    owned = everyone[found.owner[cell], np.arange(len(points))]
    np.testing.assert_allclose(owned, best(everyone, axis=0), atol=1e-10)
    for number, f in enumerate(functions):
        mine = found.owner[cell] == number
        np.testing.assert_array_equal(found.piece[cell[mine]], f.piece_of(points[mine]))
    # Neighbouring cells differ: nothing of a loser is left.
    same = (found.owner[1:] == found.owner[:-1]) & (found.piece[1:] == found.piece[:-1])
    assert not same.any()


@pytest.mark.parametrize("block", [2, 1 << 16])
@pytest.mark.parametrize("pieces", [1, 2, 256])
@given(many=st.lists(functions(continuity="left"), min_size=1, max_size=5))
def test_lower_and_upper(block, pieces, many):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cells, "BLOCK", block)
        patch.setattr(ranges, "PIECES_PER_RANGE", pieces)
        check(many, lower_envelope(many), np.min)
        check(many, upper_envelope(many), np.max)


@given(
    lines=st.lists(
        st.tuples(st.integers(-3, 3), st.integers(-3, 3), st.integers(-3, 3)),
        min_size=1,
        max_size=5,
    )
)
def test_tails_that_cross_far_out(lines):
    """Functions on the whole line with a kink at 0 and slopes at both ends."""
    many = [
        Piecewise(
            np.array([-np.inf, 0.0, np.inf]),
            np.array([value, value], dtype=float),
            np.array([value, value], dtype=float),
            "right",
            (float(left), float(right)),
        )
        for value, left, right in lines
    ]
    for find, best in ((lower_envelope, np.min), (upper_envelope, np.max)):
        found = find(many)
        points = np.concatenate([np.linspace(-20, 20, 241) + 1 / 7, [-1e6, 1e6]])
        everyone = np.array([f.at(points) for f in many])
        np.testing.assert_allclose(found.function.at(points), best(everyone, axis=0), atol=1e-9)
        for number, f in enumerate(many):
            mine = found.owner[found.function.piece_of(points)] == number
            assert np.array_equal(
                found.piece[found.function.piece_of(points[mine])], f.piece_of(points[mine])
            )


def test_crossings_are_exact():
    falling, rising = Piecewise.through([0, 1], [1, 0]), Piecewise.through([0, 1], [0.2, 0.7])
    found = lower_envelope([falling, rising])
    np.testing.assert_allclose(found.function.knots, [0, 0.8 / 1.5, 1], rtol=1e-15)
    assert found.owner.tolist() == [1, 0]


def test_equal_functions_belong_to_the_first():
    f = Piecewise.through([0, 0.3, 1], [0, 1, 0])
    assert lower_envelope([f, f]).owner.tolist() == [0, 0]


def test_differences_by_rounding_do_not_take_turns():
    rng = np.random.default_rng(0)
    y = np.sqrt(np.arange(1, 1002.0))
    f = Piecewise.through(np.linspace(0, 1, 1001), y)
    g = Piecewise.through(np.linspace(0, 1, 1001), y * (1 + 1e-15 * rng.normal(size=1001)))
    assert len(np.unique(lower_envelope([f, g]).owner)) == 2
    assert np.all(lower_envelope([f, g], tie_tolerance=1e-12).owner == 0)
    level = [Piecewise.through([0, 1], [height, height]) for height in (1 + 1e-15, 1.0)]
    assert lower_envelope(level).owner.tolist() == [1]
    assert lower_envelope(level, tie_tolerance=1e-12).owner.tolist() == [0]


def test_refuses_functions_on_different_ranges():
    with pytest.raises(InputError, match="different ranges"):
        lower_envelope([Piecewise.through([0, 1], [0, 0]), Piecewise.through([0, 2], [0, 0])])


def lines(knots, heights):
    return Piecewise.through(np.array(knots, dtype=float), np.array(heights, dtype=float))


@given(
    many=st.lists(
        st.tuples(
            st.lists(st.integers(1, 8), min_size=2, max_size=2, unique=True),
            st.lists(st.integers(-5, 5), min_size=4, max_size=4),
        ),
        min_size=2,
        max_size=4,
    )
)
def test_lines_that_meet_at_knots(many):
    """Crossings that rounding puts on a knot make no empty cells and give none to a loser."""
    functions = [lines([0, *sorted(inner), 9], heights) for inner, heights in many]
    for find, best in ((lower_envelope, np.min), (upper_envelope, np.max)):
        found = find(functions, tie_tolerance=1e-12)
        assert np.all(np.diff(found.function.knots) > 0)
        points = np.linspace(0, 9, 37)
        expected = best([f.at(points) for f in functions], axis=0)
        np.testing.assert_allclose(found.function.at(points), expected, atol=1e-9)


def test_a_crossing_at_the_very_end():
    good, awful = lines([0, 1], [2, 2]), lines([0, 1], [2e16, 0.2])
    assert lower_envelope([good, awful]).owner.tolist()[0] == 0
    assert float(lower_envelope([good, awful]).function.at(0.5)) == 2.0


def test_tails_after_a_jump():
    knots = np.array([-np.inf, 0.0, np.inf])
    flat = Piecewise.steps(knots, [0.0, 10.0], "left")
    rising = Piecewise(knots, np.zeros(2), np.zeros(2), "left", (0.0, 1.0))
    found = lower_envelope([flat, rising])
    assert float(found.function.at(100.0)) == 10.0
    assert float(found.function.at(4.0)) == 4.0
