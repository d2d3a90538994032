"""REC curves, Murphy diagrams, CPA and UROC against their definitions."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.metrics import mean_pinball_loss, mean_squared_error, roc_auc_score

import roctopus as rt
from roctopus import regression as arm
from strategies import cases

levels = st.sampled_from([0.1, 0.5, 0.8])


def weights_of(case):
    return np.ones(len(case.y_true)) if case.sample_weight is None else case.sample_weight


@given(case=cases(), tolerance=st.integers(0, 40).map(lambda k: k / 8))
def test_rec_is_the_share_within_tolerance(case, tolerance):
    curve = arm.rec_curve(case.y_true, case.y_pred, sample_weight=case.sample_weight)
    distance = np.abs(case.y_pred - case.y_true)
    share = np.average(distance <= tolerance, weights=weights_of(case))
    assert curve.at(tolerance) == pytest.approx(share, abs=1e-12)
    one = type(curve.function).steps(curve.function.knots[[0, -1]], [1.0])
    area_over = one.subtract(curve.function)
    mae = np.average(distance, weights=weights_of(case))
    assert area_over.integrate(0.0, 1e7) == pytest.approx(mae, rel=1e-9, abs=1e-6)


def test_rec_baseline_is_the_best_constant():
    y = np.random.default_rng(0).exponential(size=101)

    def area_over(value):
        return np.mean(np.abs(y - value))

    assert area_over(np.median(y)) <= min(area_over(y.mean()), area_over(1.0))
    curve = arm.rec_curve(y, np.full(101, np.median(y)))
    assert curve.at(0.0) == pytest.approx(1 / 101)


@given(case=cases(max_size=9, offset=False), level=levels, data=st.data())
def test_murphy_by_definition(case, level, data):
    w = weights_of(case)
    y, p = case.y_true, case.y_pred
    low, high = np.minimum(y, p), np.maximum(y, p)
    side = np.where(p > y, 1 - level, level)
    ends = np.concatenate([low, high])
    thetas = np.concatenate([ends, ends + 0.1, [data.draw(st.floats(-120, 120))]])
    for functional in ("quantile", "expectile"):
        curve = arm.murphy_curve(
            y, p, functional=functional, level=level, sample_weight=case.sample_weight
        )
        for theta in thetas:
            active = side * ((low <= theta) & (theta < high))
            value = active if functional == "quantile" else active * np.abs(theta - y)
            expected = np.average(value, weights=w)
            assert curve.at(theta) == pytest.approx(expected, abs=1e-9 * max(1, np.abs(ends).max()))


@given(case=cases(offset=False), level=levels)
def test_murphy_areas(case, level):
    args = {"sample_weight": case.sample_weight}
    quantile = arm.murphy_curve(case.y_true, case.y_pred, level=level, **args)
    pinball = mean_pinball_loss(case.y_true, case.y_pred, alpha=level, **args)
    assert quantile.area() == pytest.approx(pinball, rel=1e-9, abs=1e-9)
    expectile = arm.murphy_curve(case.y_true, case.y_pred, functional="expectile", **args)
    squared = mean_squared_error(case.y_true, case.y_pred, **args)
    assert expectile.area() == pytest.approx(squared / 4, rel=1e-9, abs=1e-7)
    half = rt.asymmetric_absolute_error(case.y_true, case.y_pred, asymmetry=level, **args)
    assert quantile.area() == pytest.approx(half / 2, rel=1e-9, abs=1e-9)


def test_murphy_far_from_zero():
    rng = np.random.default_rng(0)
    y, p = rng.integers(0, 100, (2, 200)) / 4
    for functional in ("quantile", "expectile"):
        near = arm.murphy_curve(y, p, functional=functional)
        far = arm.murphy_curve(y + 1e12, p + 1e12, functional=functional)
        theta = np.arange(0, 25, 0.5) + 0.125
        np.testing.assert_allclose(far.at(theta + 1e12), near.at(theta), rtol=1e-10, atol=1e-12)


def test_murphy_of_perfect_forecasts_is_zero():
    for functional in ("quantile", "expectile"):
        curve = arm.murphy_curve([1.0, 2.0], [1.0, 2.0], functional=functional)
        assert curve.at([-5.0, 1.5, 9.0]).tolist() == [0, 0, 0]


def test_cpa_golden_and_special_cases():
    y = [1, 2, 3, 4, 5, 2, 4, 3, 5, 6, 7]
    x = [3, 5, 4, 6, 7, 8, 9, 10, 9, 12, 13]
    assert arm.coefficient_of_predictive_ability(y, x) == pytest.approx(0.8791666667, abs=1e-10)
    rng = np.random.default_rng(1)
    binary, score = rng.integers(0, 2, 100), np.round(rng.normal(size=100), 1)
    cpa = arm.coefficient_of_predictive_ability(binary, score)
    assert cpa == pytest.approx(roc_auc_score(binary, score), rel=1e-12)
    y, x = rng.normal(size=(2, 60))
    spearman = arm.rank_correlations(y, x).spearman
    assert arm.coefficient_of_predictive_ability(y, x) == pytest.approx(
        (1 + spearman) / 2, rel=1e-12
    )


@given(case=cases(max_size=10, offset=False))
def test_uroc_has_area_cpa(case):
    keep = weights_of(case) > 0
    assume(len(np.unique(case.y_true[keep])) > 1)
    curve = arm.uroc_curve(case.y_true, case.y_pred, sample_weight=case.sample_weight, points=4001)
    cpa = arm.coefficient_of_predictive_ability(
        case.y_true, case.y_pred, sample_weight=case.sample_weight
    )
    assert curve.exact
    assert curve.area == pytest.approx(cpa, rel=1e-12)
    assert np.trapezoid(curve.hit_rate, curve.false_alarm_rate) == pytest.approx(cpa, abs=2e-3)
    assert curve.hit_rate[-1] == pytest.approx(1.0)


def test_uroc_of_many_outcomes_is_thinned():
    rng = np.random.default_rng(2)
    y = rng.normal(size=5000)
    x = y + rng.normal(size=5000)
    curve = arm.uroc_curve(y, x)
    assert not curve.exact
    assert curve.area == pytest.approx(arm.coefficient_of_predictive_ability(y, x), abs=2e-3)


def test_refusals():
    for call in (arm.coefficient_of_predictive_ability, arm.uroc_curve):
        with pytest.raises(rt.InputError, match="nothing to rank"):
            call([1.0, 1.0], [1.0, 2.0])
    with pytest.raises(rt.InputError, match="'y_pred' is constant"):
        arm.rank_correlations([1.0, 2.0], [1.0, 1.0])
    with pytest.raises(rt.InputError, match="'level' must be greater than 0 and less than 1"):
        arm.murphy_curve([1.0], [2.0], level=1.0)
    with pytest.raises(rt.InputError, match="'functional' must be"):
        arm.murphy_curve([1.0], [2.0], functional="mode")


@given(case=cases(max_size=8, offset=False))
def test_component_sums_and_their_isometric(case):
    for loss in (rt.QuadQuad(0.8), rt.regression.LinEx(0.02), rt.regression.QuadEx(-0.02, 0.5)):
        path = arm.loss_component_path(
            case.y_true, case.y_pred, loss=loss, sample_weight=case.sample_weight, normalize=True
        )
        line = path.isometric
        best = rt.optimal_shift_error(
            case.y_true, case.y_pred, loss=loss, sample_weight=case.sample_weight
        )
        assert line.loss == pytest.approx(best, rel=1e-9, abs=1e-9)
        room = 1e-9 * max(1.0, np.abs(path.under).max(), line.slope * path.over.max())
        assert np.all(path.under <= line.slope * path.over + line.intercept + room)
        assert line.under == pytest.approx(line.slope * line.over + line.intercept, abs=room)


def test_murphy_is_zero_where_no_interval_is_open():
    """Rounding left over between two far clusters would be multiplied by the gap."""
    y, p = [0.1, 0.2, 0.3, 1e9], [0.2, 0.7, 0.4, 1e9 + 1]
    for functional, area in (("expectile", 1.27 / 16), ("quantile", 0.2125)):
        curve = arm.murphy_curve(y, p, functional=functional)
        assert curve.at(1e6) == 0.0
        assert curve.area() == pytest.approx(area, rel=1e-5)


def test_uroc_arguments():
    for bad in ({"points": 1}, {"points": 10.5}, {"thresholds": 0}):
        with pytest.raises(rt.InputError, match="must be a whole number"):
            arm.uroc_curve([1, 2, 3], [1, 2, 3], **bad)
