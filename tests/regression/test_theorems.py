"""What the paper proves, and what it could have, with ties and weights."""

import itertools

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.metrics import mean_absolute_error, mean_pinball_loss

import naive
import roctopus as rt
from strategies import cases

alphas = st.integers(0, 20).map(lambda k: k / 20)


def slack(case, power=1):
    return 1e-11 * max(1.0, np.abs(case.y_pred - case.y_true).max() * len(case.y_true) * 4) ** power


@given(case=cases())
def test_curve_is_algorithm_1(case):
    curve = rt.rroc_curve(case.y_true, case.y_pred, sample_weight=case.sample_weight)
    want = np.array(naive.rroc_curve(case.y_true, case.y_pred, case.sample_weight), dtype=float)
    np.testing.assert_array_equal(curve.shift, want[:, 2])
    np.testing.assert_allclose(curve.over, want[:, 0], rtol=1e-11, atol=slack(case))
    np.testing.assert_allclose(curve.under, want[:, 1], rtol=1e-11, atol=slack(case))
    assert curve.over[0] == 0
    assert curve.under[-1] == 0
    assert not np.signbit(curve.over).any()
    assert not np.signbit(np.where(curve.under == 0, curve.under, 1.0)).any()


@given(case=cases(), shift=st.floats(-250, 250))
def test_point_at_any_shift(case, shift):
    curve = rt.rroc_curve(case.y_true, case.y_pred, sample_weight=case.sample_weight)
    direct = rt.rroc_point(case.y_true, case.y_pred, shift=shift, sample_weight=case.sample_weight)
    point = curve.point(shift)
    room = slack(case) + 1e-11 * abs(shift) * curve.total_weight
    assert point.over == pytest.approx(direct.over, rel=1e-10, abs=room)
    assert point.under == pytest.approx(direct.under, rel=1e-10, abs=room)


@given(case=cases())
def test_theorem_7_three_forms_of_the_area(case):
    args = {"sample_weight": case.sample_weight}
    area = rt.rroc_area_over_curve(case.y_true, case.y_pred, **args)
    room = slack(case, 2)
    curve = rt.rroc_curve(case.y_true, case.y_pred, **args)
    assert area == pytest.approx(curve.area_over, rel=1e-9, abs=room)
    by_trapezia = naive.area_by_trapezia(
        naive.rroc_curve(case.y_true, case.y_pred, case.sample_weight)
    )
    assert area == pytest.approx(by_trapezia, rel=1e-9, abs=room)
    by_pairs = naive.rroc_area_over_curve(case.y_true, case.y_pred, **args)
    assert area == pytest.approx(by_pairs, rel=1e-9, abs=room)
    normalized = rt.rroc_curve(case.y_true, case.y_pred, **args, normalize=True)
    weight = curve.total_weight
    assert normalized.area_over == pytest.approx(area / weight**2, rel=1e-9, abs=room / weight**2)


@given(case=cases())
def test_lemma_4_and_proposition_5_slopes_fall(case):
    curve = rt.rroc_curve(case.y_true, case.y_pred, sample_weight=case.sample_weight)
    assume(len(curve) > 1)
    weight = np.ones(len(case.y_true)) if case.sample_weight is None else case.sample_weight
    corrections = case.y_true - case.y_pred
    for slope, alpha, shift in zip(curve.slope, curve.asymmetry, curve.shift, strict=False):
        over = weight[corrections <= shift].sum()
        assert slope == pytest.approx((weight.sum() - over) / over, rel=1e-9)
        assert alpha == pytest.approx(over / weight.sum(), rel=1e-12)
        assert alpha == pytest.approx(1 / (1 + slope), rel=1e-9)
    assert np.all(np.diff(curve.slope) < 0)
    rise, run = np.diff(curve.under), np.diff(curve.over)
    room = slack(case)
    np.testing.assert_allclose(rise, curve.slope * run, rtol=1e-6, atol=100 * room)


@given(case=cases(), alpha=alphas)
def test_lemma_1_loss_and_pinball(case, alpha):
    loss = rt.asymmetric_absolute_error(
        case.y_true, case.y_pred, asymmetry=alpha, sample_weight=case.sample_weight
    )
    pinball = mean_pinball_loss(
        case.y_true, case.y_pred, alpha=alpha, sample_weight=case.sample_weight
    )
    assert loss == pytest.approx(2 * pinball, rel=1e-12, abs=1e-12)
    point = rt.rroc_point(case.y_true, case.y_pred, sample_weight=case.sample_weight)
    assert point.loss(alpha) / point.total_weight == pytest.approx(loss, rel=1e-12, abs=1e-12)
    absolute = mean_absolute_error(case.y_true, case.y_pred, sample_weight=case.sample_weight)
    assert point.mean_absolute_error == pytest.approx(absolute, rel=1e-12, abs=1e-12)


@given(case=cases(), alpha=st.one_of(alphas, st.floats(0, 1)))
def test_optimal_shift_is_brute_force_over_all_candidates(case, alpha):
    found = rt.optimal_shift(
        case.y_true, case.y_pred, asymmetry=alpha, sample_weight=case.sample_weight
    )

    def loss(shift):
        return naive.asymmetric_absolute_error(
            case.y_true, case.y_pred, asymmetry=alpha, shift=shift, sample_weight=case.sample_weight
        )

    weight = np.ones(len(case.y_true)) if case.sample_weight is None else case.sample_weight
    candidates = np.unique((case.y_true - case.y_pred)[weight > 0])
    losses = np.array([loss(s) for s in candidates])
    best = losses.min()
    room = 1e-10 * max(1.0, best)
    assert loss(found.chosen) <= best + room
    assert found.low <= found.chosen <= found.high
    assert abs(found.chosen) <= abs(candidates[losses <= best + 0]).min() + 1e-12
    # Every candidate in the interval is as good; that none is missed is tested for counts below.
    inside = (candidates >= found.low) & (candidates <= found.high)
    assert np.all(losses[inside] <= best + room)


@given(case=cases(offset=False), alpha=alphas)
def test_optimal_interval_is_complete_for_counts(case, alpha):
    """With unit weights masses are exact, so no optimal candidate may be missed."""
    found = rt.optimal_shift(case.y_true, case.y_pred, asymmetry=alpha)
    corrections = np.sort(case.y_true - case.y_pred)
    n = len(corrections)
    below = np.searchsorted(corrections, corrections, side="left")
    upto = np.searchsorted(corrections, corrections, side="right")
    # s is an α-quantile iff #{t < s} ≤ αn ≤ #{t ≤ s}; α is a multiple of 1/20.
    twentieths = round(alpha * 20)
    quantile = (20 * below <= twentieths * n) & (twentieths * n <= 20 * upto)
    inside = (corrections >= found.low) & (corrections <= found.high)
    np.testing.assert_array_equal(inside, quantile)


@given(case=cases())
def test_cost_curve_facts(case):
    args = {"sample_weight": case.sample_weight}
    curve = rt.asymmetry_cost_curve(case.y_true, case.y_pred, **args)
    room = slack(case)
    area = naive.asymmetry_cost_area(case.y_true, case.y_pred, **args)
    assert curve.area() == pytest.approx(area, rel=1e-10, abs=room)
    parts = rt.shift_decomposition(case.y_true, case.y_pred, **args)
    assert parts.removable + parts.irreducible == pytest.approx(
        parts.mean_absolute_error, rel=1e-10, abs=room
    )
    assert parts.removable >= 0
    unshifted = rt.asymmetry_cost_curve(case.y_true, case.y_pred, shift=0.0, **args)
    assert unshifted.area() == pytest.approx(parts.mean_absolute_error, rel=1e-10, abs=room)
    assert unshifted.expect(rt.Uniform(0, 1)) == pytest.approx(unshifted.area(), abs=room)
    # Concave, zero at both ends, below the unshifted line.
    knots = curve.function.knots
    assert curve.at(0.0) == curve.at(1.0) == 0.0
    slopes = np.diff(curve.at(knots)) / np.diff(knots)
    assert np.all(np.diff(slopes) <= 1e-6 * np.abs(slopes).max(initial=0) + 1e3 * room)
    assert np.all(curve.at(knots) <= unshifted.at(knots) + room)
    # Its largest value is the mean absolute deviation from the mean error (minimax).
    errors = case.y_pred - case.y_true
    mean = np.average(errors, weights=case.sample_weight)
    deviation = np.average(np.abs(errors - mean), weights=case.sample_weight)
    assert np.max(curve.at(knots)) <= deviation + room
    crossing = np.linspace(0, 1, 2001)
    assert np.max(curve.at(crossing)) >= deviation * (1 - 2e-3) - room


@given(case=cases(), alpha=st.floats(0, 1))
def test_cost_curve_is_the_smallest_loss(case, alpha):
    curve = rt.asymmetry_cost_curve(case.y_true, case.y_pred, sample_weight=case.sample_weight)
    best = naive.optimal_shift_error(
        case.y_true, case.y_pred, asymmetry=alpha, sample_weight=case.sample_weight
    )
    assert curve.at(alpha) == pytest.approx(best, rel=1e-10, abs=slack(case))
    at_knob = naive.asymmetric_absolute_error(
        case.y_true,
        case.y_pred,
        asymmetry=alpha,
        shift=curve.knob_at(alpha),
        sample_weight=case.sample_weight,
    )
    assert at_knob == pytest.approx(best, rel=1e-10, abs=slack(case))


@given(case=cases(max_size=7), data=st.data())
def test_isometric_touches_the_best_model(case, data):
    second = data.draw(
        st.lists(st.integers(-8, 8), min_size=len(case.y_true), max_size=len(case.y_true))
    )
    alpha = data.draw(st.integers(1, 20)) / 20
    predictions = {"a": case.y_pred, "b": case.y_true + np.array(second) / 4}
    curves = {
        name: rt.rroc_curve(case.y_true, p, sample_weight=case.sample_weight)
        for name, p in predictions.items()
    }
    line = rt.rroc_hull(curves).isometric(alpha)
    losses = {
        name: curve.total_weight
        * naive.optimal_shift_error(
            case.y_true, predictions[name], asymmetry=alpha, sample_weight=case.sample_weight
        )
        for name, curve in curves.items()
    }
    room = 20 * slack(case)
    assert line.loss == pytest.approx(min(losses.values()), rel=1e-9, abs=room)
    assert losses[line.model] == pytest.approx(min(losses.values()), rel=1e-9, abs=room)
    on_line = line.slope * line.contact.over + line.intercept
    assert on_line == pytest.approx(line.contact.under, rel=1e-9, abs=room)
    for curve in curves.values():  # no curve reaches above the line
        over, under, _ = curve.vertices()
        assert np.all(under <= line.slope * over + line.intercept + 10 * room / alpha)


@given(case=cases())
def test_curves_do_not_depend_on_a_constant_shift(case):
    """A model and its shifted copy have one RROC curve; the first one named owns the hull."""
    shifted = case.y_pred + 1.5
    curves = {
        "copy": rt.rroc_curve(case.y_true, shifted, sample_weight=case.sample_weight),
        "model": rt.rroc_curve(case.y_true, case.y_pred, sample_weight=case.sample_weight),
    }
    hull = rt.rroc_hull(curves)
    exact = np.array_equal(curves["copy"].over, curves["model"].over)
    assert not exact or set(hull.owner) == {"copy"}
    assert hull.cost_curve.area() == pytest.approx(
        curves["model"].cost_curve().area(), rel=1e-9, abs=20 * slack(case)
    )


def test_random_areas_pairwise():
    """Theorem 7 by simulation: the area over the curve estimates half the variance."""
    rng = np.random.default_rng(4)
    for sd, n in itertools.product((0.01, 3.0), (10**4,)):
        area = rt.rroc_area_over_curve(np.zeros(n), rng.normal(0, sd, n), normalize=True)
        assert area == pytest.approx(sd**2 / 2, rel=0.05)


def test_figure_9_by_simulation():
    """A random model has twice the area of the truth plus noise and of the constant mean."""
    rng = np.random.default_rng(9)
    areas = {"random": [], "noisy": [], "constant": []}
    for _ in range(60):
        y = rng.normal(0, 0.01, 1000)
        areas["random"].append(rt.rroc_area_over_curve(y, rng.normal(0, 0.01, 1000)))
        areas["noisy"].append(rt.rroc_area_over_curve(y, y + rng.normal(0, 0.01, 1000)))
        areas["constant"].append(rt.rroc_area_over_curve(y, np.full(1000, y.mean())))
    # σ²n²/2 with σ² = 2e-4, 1e-4 and 1e-4 (less 1/n for the estimated mean)
    assert np.mean(areas["random"]) == pytest.approx(100, rel=0.02)
    assert np.mean(areas["noisy"]) == pytest.approx(50, rel=0.02)
    assert np.mean(areas["constant"]) == pytest.approx(50, rel=0.02)
    # The caption's 93.28, 49.83 and 50.31 are ordinary draws of these.
    for name, printed in (("random", 93.28), ("noisy", 49.83), ("constant", 50.31)):
        spread = np.std(areas[name])
        assert abs(printed - np.mean(areas[name])) < 3 * spread
