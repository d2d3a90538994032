"""Numbers that break careless sums: far offsets, extreme sizes, one case, equal errors."""

import warnings
from fractions import Fraction

import numpy as np
import pytest

import naive
import roctopus as rt
from roctopus import regression as arm


def exact(errors):
    return [Fraction(0)] * len(errors), [Fraction(float(e)) for e in errors]


@pytest.mark.parametrize("offset", [1e12, -1e12, 1e6])
@pytest.mark.parametrize("weighted", [False, True])
def test_offsets_give_what_exact_arithmetic_gives(offset, weighted):
    rng = np.random.default_rng(3)
    errors = rng.normal(size=60) * 5 + offset
    weight = rng.integers(1, 5, 60).astype(float) if weighted else None
    counts = None if weight is None else [int(w) for w in weight]
    truth, fractions = exact(errors)
    zeros = np.zeros(60)

    def close(value, want):
        return abs(Fraction(float(value)) - want) <= Fraction(1, 10**10) * abs(want)

    curve = rt.rroc_curve(zeros, errors, sample_weight=weight)
    for over, under, shift, want in zip(
        curve.over,
        curve.under,
        curve.shift,
        naive.rroc_curve(truth, fractions, counts),
        strict=True,
    ):
        assert close(over, want[0])
        assert close(under, want[1])
        assert Fraction(float(shift)) == want[2]
    area = naive.rroc_area_over_curve(truth, fractions, sample_weight=counts)
    assert close(rt.rroc_area_over_curve(zeros, errors, sample_weight=weight), area)
    assert close(curve.area_over, area)
    cost_area = naive.asymmetry_cost_area(truth, fractions, sample_weight=counts)
    assert close(rt.asymmetry_cost_area(zeros, errors, sample_weight=weight), cost_area)
    removable = naive.removable_error(truth, fractions, sample_weight=counts)
    assert close(arm.removable_error(zeros, errors, sample_weight=weight), removable)
    for alpha in (Fraction(1, 4), Fraction(13, 16)):
        best = naive.optimal_shift_error(truth, fractions, asymmetry=alpha, sample_weight=counts)
        found = rt.optimal_shift_error(zeros, errors, asymmetry=float(alpha), sample_weight=weight)
        assert close(found, best)
        shift = rt.optimal_shift(zeros, errors, asymmetry=float(alpha), sample_weight=weight)
        at_shift = naive.asymmetric_absolute_error(
            truth,
            fractions,
            asymmetry=alpha,
            shift=Fraction(shift.chosen),
            sample_weight=counts,
        )
        assert at_shift == best


@pytest.mark.parametrize("scale", [1e200, 1e-200, 5e-324])
def test_extreme_sizes_give_no_nan(scale):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for pattern in ([-2.0, 3.0, 1.0, 1.0, -1.0], [4.0], [0.0, 0.0], [7.0, 7.0]):
            errors = scale * np.array(pattern)
            zeros = np.zeros(len(errors))
            curve = rt.rroc_curve(zeros, errors)
            hull = rt.rroc_hull({"a": curve, "b": rt.rroc_curve(zeros, errors[::-1] / 2)})
            lines = [hull.isometric(alpha) for alpha in (0.1, 0.5, 1.0)]
            numbers = [
                *curve.over, *curve.under, *curve.shift, *curve.slope, *hull.over, *hull.under,
                *hull.asymmetry_to, hull.cost_curve.area(), curve.area_over,
                rt.rroc_area_over_curve(zeros, errors),
                *(line.loss for line in lines), *(line.intercept for line in lines),
            ]  # fmt: skip
            assert not np.isnan(numbers).any()


def test_sums_that_overflow_are_refused():
    with pytest.raises(rt.InputError, match=r"sum of the errors is too large .* Divide"):
        rt.rroc_curve(np.zeros(4), np.array([1.5e308, -1.5e308, 0.0, 1e308]))
    with pytest.raises(
        rt.InputError, match=r"difference between 'y_true' and 'y_pred' is too large .* in row 1"
    ):
        rt.rroc_curve([0.0, -1.7e308], [0.0, 1.7e308])


def test_one_case():
    curve = rt.rroc_curve([3.0], [5.0])
    assert (curve.over.tolist(), curve.under.tolist(), curve.shift.tolist()) == ([0], [0], [-2])
    assert curve.area_over == rt.rroc_area_over_curve([3.0], [5.0]) == 0.0
    assert curve.cost_curve().area() == 0.0
    assert curve.point(1.0).over == 3.0
    assert curve.point(-4.0).under == -2.0
    assert rt.optimal_shift([3.0], [5.0], asymmetry=0.3) == rt.optimal_shift(
        [3.0], [5.0], asymmetry=0.9
    )
    assert len(rt.rroc_hull({"only": curve})) == 1
    with pytest.raises(rt.InputError, match="at least two cases"):
        _ = rt.estimate(rt.rroc_area_over_curve, [3.0], [5.0]).standard_error


def test_equal_errors_are_one_vertex_and_leave_nothing_after_a_shift():
    y = np.arange(5.0)
    curve = rt.rroc_curve(y, y + 2)
    assert len(curve) == 1
    assert rt.optimal_shift_error(y, y + 2, asymmetry=0.7) == 0.0
    assert rt.shift_decomposition(y, y + 2).removable == 2.0
    with pytest.warns(rt.RoctopusWarning, match="does not mean that the value is certain"):
        rt.estimate(rt.rroc_area_over_curve, y, y + 2).confidence_interval()


def test_ends_of_the_asymmetry():
    y, p = [3.0, 5.0, 8.0], [4.0, 4.0, 10.0]
    assert rt.optimal_shift(y, p, asymmetry=0.0) == rt.rroc_curve(y, p).isometric(0.0).shift
    free_under = rt.optimal_shift(y, p, asymmetry=0.0)
    assert (free_under.low, free_under.high, free_under.chosen) == (-np.inf, -2.0, -2.0)
    free_over = rt.optimal_shift(y, p, asymmetry=1.0)
    assert (free_over.low, free_over.high, free_over.chosen) == (1.0, np.inf, 1.0)
    line = rt.rroc_curve(y, p).isometric(0.0)
    assert (line.slope, line.loss) == (np.inf, 0.0)


def test_a_weight_lost_in_rounding_does_no_harm():
    weight = np.array([1.0, 1e-300, 1.0, 1e-300])
    errors = np.array([1.0, 0.5, -1.0, -2.0])
    curve = rt.rroc_curve(np.zeros(4), errors, sample_weight=weight)
    assert len(curve) == 4
    hull = rt.rroc_hull(
        {"a": curve, "b": rt.rroc_curve(np.zeros(4), -errors, sample_weight=weight)}
    )
    assert not np.isnan(hull.cost_curve.area())
    assert hull.cost_curve.at(0.5) == pytest.approx(2.0)


@pytest.mark.parametrize("n", [1000, 20_000])
@pytest.mark.parametrize("factor", [1.0, 0.1, 1 / 3, 1e-9, 1e9])
def test_scaled_weights_give_the_same_interval(n, factor):
    """Sums of equal weights drift, but a tie of masses stays one."""
    weight = np.full(n, factor)
    ramp = np.arange(float(n))
    found = rt.optimal_shift(np.zeros(n), ramp, asymmetry=0.3, sample_weight=weight)
    assert (found.low, found.high) == (-0.7 * n, -0.7 * n + 1)
    halves = np.repeat([-1.0, 3.0], n // 2)
    found = rt.optimal_shift(np.zeros(n), halves, asymmetry=0.5, sample_weight=weight)
    assert (found.low, found.high, found.chosen) == (-3.0, 1.0, 0.0)
    curve = rt.rroc_curve(np.zeros(n), halves, sample_weight=weight)
    assert curve.optimal_shift(0.5) == found


def test_a_tiny_weight_beside_a_huge_one_counts():
    y, p, weight = [0.0, 0.0], [0.0, -1e20], [1e17, 1.0]
    parts = rt.shift_decomposition(y, p, sample_weight=weight)
    assert parts.mean_absolute_error == pytest.approx(1000.0)
    assert parts.irreducible == pytest.approx(1000.0)
    assert parts.removable == pytest.approx(1000.0 * 1e-17)
    curve = rt.rroc_curve(y, [0.0, -10.0], sample_weight=weight)
    assert curve.point(5.0).under == -5.0
    assert curve.slope[0] == pytest.approx(1e-17)
    assert rt.asymmetry_cost_curve(y, [0, -1e18], sample_weight=[1, 1e-20]).at(1.0) == 0.0


def test_the_area_does_not_depend_on_which_row_comes_first():
    errors, weight = np.array([1e15, 0.1, 0.2, 0.3]), np.array([1e-40, 1.0, 1.0, 1.0])
    areas = [
        rt.rroc_area_over_curve(
            np.zeros(4), np.roll(errors, k), sample_weight=np.roll(weight, k), normalize=True
        )
        for k in range(4)
    ]
    assert areas == pytest.approx([0.01 / 3 + 1e30 * 1e-40 / 6] * 4, rel=1e-12)


def test_weights_out_of_range_are_refused():
    for weight in ([1e308, 1e308], [5e-324, 5e-324]):
        with pytest.raises(rt.InputError, match="Multiply all weights by a constant"):
            rt.asymmetry_cost_area([0.0, 1.0], [0.5, 1.0], sample_weight=weight)


def test_rows_are_those_given_even_after_absent_ones():
    with pytest.raises(rt.InputError, match="too large for a floating-point number in row 1 "):
        rt.rroc_point([0.0, -1.5e308], [0.0, 1.5e308], sample_weight=[0.0, 1.0])


def test_an_infinite_area_has_an_infinite_interval():
    estimate = rt.estimate(rt.rroc_area_over_curve, np.zeros(3), [1e200, -1e200, 0.0])
    assert estimate.confidence_interval() == (0.0, np.inf)


def test_negative_zero_is_zero():
    curve = rt.rroc_curve([-0.0, 0.0], [0.0, -0.0])
    assert len(curve) == 1
    for column in (curve.over, curve.under, curve.shift):
        assert not np.signbit(column).any()
