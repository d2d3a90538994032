"""Shifts beyond lin-lin and beyond a constant."""

import numpy as np
import pytest
import scipy.stats as st
from hypothesis import given

import naive
import roctopus as rt
from roctopus import regression as arm
from strategies import cases


@given(case=cases(offset=False))
def test_expectile_equals_scipys(case):
    for alpha in (0.1, 0.5, 0.8):
        found = rt.optimal_shift(
            case.y_true, case.y_pred, loss=rt.QuadQuad(alpha), sample_weight=case.sample_weight
        )
        corrections = case.y_true - case.y_pred
        keep = slice(None) if case.sample_weight is None else case.sample_weight > 0
        weight = None if case.sample_weight is None else case.sample_weight[keep]
        expected = st.expectile(corrections[keep], alpha=alpha, weights=weight)
        assert found.chosen == pytest.approx(expected, rel=1e-6, abs=1e-6)


@given(case=cases(max_size=8, offset=False))
def test_smooth_shifts_are_stationary(case):
    errors = case.y_pred - case.y_true
    for loss, slope in (
        (rt.regression.LinEx(0.05), lambda e: 0.05 * np.expm1(0.05 * e)),
        (rt.regression.LinEx(-0.2), lambda e: -0.2 * np.expm1(-0.2 * e)),
        (rt.regression.QuadEx(0.05, 0.3), lambda e: 0.05 * np.expm1(0.05 * e) + 0.6 * e),
    ):
        shift = rt.optimal_shift(
            case.y_true, case.y_pred, loss=loss, sample_weight=case.sample_weight
        ).chosen
        slopes = slope(errors + shift)
        weight = np.ones(len(errors)) if case.sample_weight is None else case.sample_weight
        assert np.sum(weight * slopes) == pytest.approx(
            0, abs=1e-9 * np.sum(weight * np.abs(slopes)) + 1e-12
        )


def test_normal_errors_have_closed_forms():
    rng = np.random.default_rng(0)
    errors = rng.normal(0.4, 1.5, 400_000)
    zeros = np.zeros(len(errors))
    a, d = 0.7, 0.3
    linex = rt.optimal_shift(zeros, errors, loss=rt.regression.LinEx(a)).chosen
    assert linex == pytest.approx(-0.4 - a * 1.5**2 / 2, abs=0.02)
    from scipy.special import lambertw

    x = a**2 / (2 * d)
    expected = a / (2 * d) - float(lambertw(x * np.exp(a**2 * 1.5**2 / 2 + x)).real) / a - 0.4
    quadex = rt.optimal_shift(zeros, errors, loss=rt.regression.QuadEx(a, d)).chosen
    assert quadex == pytest.approx(expected, abs=0.02)


def test_huge_errors_do_not_overflow_the_shift():
    errors = np.array([0.0, 1e6])
    assert rt.optimal_shift([0, 0], errors, loss=rt.regression.LinEx(1.0)).chosen == pytest.approx(
        -1e6 + np.log(2), rel=1e-12
    )
    assert np.isfinite(rt.optimal_shift([0, 0], errors, loss=rt.regression.QuadEx(1.0, 1.0)).chosen)


def test_ends_of_the_asymmetry():
    found = rt.optimal_shift([0.0, 0.0], [1.0, 3.0], loss=rt.QuadQuad(0.0))
    assert (found.low, found.high) == (-np.inf, -3.0)
    found = rt.optimal_shift([0.0, 0.0], [1.0, 3.0], loss=rt.QuadQuad(1.0))
    assert (found.low, found.high) == (-1.0, np.inf)


@given(case=cases(max_size=8, offset=False))
def test_multipliers_by_definition(case):
    rng = np.random.default_rng(len(case.y_true))
    multiplier = rng.integers(1, 5, len(case.y_true)) / 2
    curve = rt.rroc_curve(
        case.y_true, case.y_pred, multiplier=multiplier, sample_weight=case.sample_weight
    )
    for over, under, shift in zip(curve.over, curve.under, curve.shift, strict=True):
        moved = case.y_pred + shift * multiplier
        room = 1e-9 * max(1.0, np.abs(moved - case.y_true).max() * len(moved) * 4)
        want = naive.over_estimation(case.y_true, moved, sample_weight=case.sample_weight)
        assert over == pytest.approx(want, rel=1e-9, abs=room)
        want = naive.under_estimation(case.y_true, moved, sample_weight=case.sample_weight)
        assert under == pytest.approx(want, rel=1e-9, abs=room)
    assert np.all(np.diff(curve.slope) < 0)
    halfway = rt.rroc_curve(
        case.y_true,
        case.y_pred,
        multiplier=multiplier,
        sample_weight=case.sample_weight,
        normalize=True,
    )
    assert np.allclose(halfway.over * curve.total_weight, curve.over)


def test_refusals():
    with pytest.raises(
        rt.InputError, match=r"'multiplier' must be positive, but is 0 or less in row 1 .*rroc_path"
    ):
        rt.rroc_curve([0.0, 0.0], [1.0, 2.0], multiplier=[1.0, 0.0])
    with pytest.raises(
        rt.InputError,
        match="'multiplier' must have as many values as 'y_true', 2, but has 1",
    ):
        rt.rroc_curve([0.0, 0.0], [1.0, 2.0], multiplier=[1.0])
    with pytest.raises(rt.InputError, match="'loss' must be a loss such as LinLin"):
        rt.optimal_shift([0.0], [1.0], loss=0.8)
    with pytest.raises(rt.InputError, match="'a' must not be zero"):
        rt.regression.LinEx(0.0)
    with pytest.raises(rt.InputError, match=r"'a' must not be zero, .* parabola"):
        rt.regression.QuadEx(0.0, 1.0)
    with pytest.raises(rt.InputError, match="'d' must be positive"):
        rt.regression.QuadEx(1.0, 0.0)
    with pytest.raises(
        rt.InputError, match=r"exponent a·error is 1000, so exp\(a·error\) is too large"
    ):
        rt.regression.linex_error([0.0], [1000.0], a=1.0)
    with pytest.raises(rt.InputError, match="'shifts' has missing values"):
        arm.rroc_path([0.0], lambda s: [s], shifts=[np.nan])


def test_exponential_losses_at_the_edge_of_their_parameters():
    errors = np.random.default_rng(1).normal(size=20)
    zeros = np.zeros(20)
    for a in (1e-200, 1e-12, 1e-6):
        shift = rt.optimal_shift(zeros, errors, loss=rt.regression.LinEx(a)).chosen
        assert shift == pytest.approx(-errors.mean() - a * errors.var() / 2, rel=1e-9)
    linex = rt.optimal_shift(zeros, errors, loss=rt.regression.LinEx(1.0)).chosen
    for d in (1e-17, 1e-14, 1e-9):
        shift = rt.optimal_shift(zeros, errors, loss=rt.regression.QuadEx(1.0, d)).chosen
        assert shift == pytest.approx(linex, rel=1e-6)
    for a in (1e-200, 1e200, -1e200):
        assert np.isfinite(
            rt.optimal_shift(zeros, errors, loss=rt.regression.QuadEx(a, 1.0)).chosen
        )
    flat = rt.optimal_shift(zeros, errors, loss=rt.regression.QuadEx(1e-9, 1.0)).chosen
    assert flat == pytest.approx(-errors.mean(), rel=1e-6)
    wild = rt.optimal_shift([0, 0], [0.0, 1e6], loss=rt.regression.QuadEx(1.0, 1.0)).chosen
    assert -1e6 < wild < 0
    with pytest.raises(rt.InputError, match="Use rroc_curve"):
        arm.loss_component_path(zeros, errors, loss=rt.LinLin(0.5))
