"""Values of the RROC paper, in exact arithmetic, to 1e-12 relative."""

import json
from pathlib import Path

import numpy as np
import pytest

import roctopus as rt
from roctopus import regression as arm

GOLDEN = json.loads((Path(__file__).parent / "golden.json").read_text())
MODELS = ("m1", "m2", "m3", "m4")
Y_TRUE = GOLDEN["000.m1.errors"]["inputs"]["y_true"]


def y_pred(model):
    return GOLDEN[f"000.{model}.errors"]["inputs"]["y_pred"]


def expected(name):
    return GOLDEN[f"000.{name}"]["expected"]


def close(value, want):
    # The paper's decimals are not doubles: the input itself is off by eps times its size, about 10.
    return value == pytest.approx(want, rel=1e-12, abs=2e-14)


def all_close(values, want):
    np.testing.assert_allclose(values, want, rtol=1e-12, atol=5e-14)


@pytest.mark.parametrize("model", MODELS)
def test_point_and_scalars(model):
    point = rt.rroc_point(Y_TRUE, y_pred(model))
    assert close(point.over, expected(f"{model}.OVER"))
    assert close(point.under, expected(f"{model}.UNDER"))
    assert close(point.mean_absolute_error, expected(f"{model}.MAE"))
    assert point.bias == pytest.approx(expected(f"{model}.bias"), rel=1e-12, abs=1e-15)
    assert close(point.distance_to_heaven, expected(f"{model}.MMSE"))
    area = rt.rroc_area_over_curve(Y_TRUE, y_pred(model))
    assert close(area, expected(f"{model}.AOC"))
    assert close(area * 2 / 100, expected(f"{model}.var"))
    assert close(area * 2 / 100 + point.bias**2, expected(f"{model}.MSE"))
    half_variance = rt.rroc_area_over_curve(Y_TRUE, y_pred(model), normalize=True)
    assert close(half_variance, expected(f"{model}.var") / 2)


@pytest.mark.parametrize("model", MODELS)
def test_curve(model):
    curve = rt.rroc_curve(Y_TRUE, y_pred(model))
    want = np.array(expected(f"{model}.vertices"))
    # m4's ties are ties of decimals; as doubles its errors differ in the last bit.
    if model == "m4":
        curve = rt.rroc_curve(np.zeros(10), expected("m4.errors"))
    all_close(np.column_stack([curve.over, curve.under, curve.shift]), want)
    assert close(curve.area_over, expected(f"{model}.AOC"))


@pytest.mark.parametrize("model", MODELS)
def test_loss_and_isometric_at_08(model):
    point = rt.rroc_point(Y_TRUE, y_pred(model))
    loss = expected(f"{model}.loss_alpha0.8")
    assert close(point.loss(0.8), loss)
    mean = rt.asymmetric_absolute_error(Y_TRUE, y_pred(model), asymmetry=0.8)
    assert close(10 * mean, loss)
    line = rt.rroc_hull({model: point}).isometric(0.8)
    assert close(line.slope, 0.25)
    assert close(line.intercept, expected(f"{model}.isometric_intercept_alpha0.8"))
    assert close(line.intercept, -line.loss / (2 * 0.8))


@pytest.mark.parametrize("model", MODELS)
def test_optimal_shift(model):
    errors = expected(f"{model}.errors")
    for alpha, want in expected(f"{model}.optimal_constant_shift").items():
        found = rt.optimal_shift(np.zeros(10), errors, loss=rt.LinLin(float(alpha)))
        assert close(found.low, want["shift_lo"])
        assert close(found.high, want["shift_hi"])
        loss = rt.optimal_shift_error(np.zeros(10), errors, asymmetry=float(alpha))
        assert close(loss, want["mean_loss"])


@pytest.mark.parametrize("model", MODELS)
def test_cost_curve_and_areas(model):
    errors = expected(f"{model}.errors")
    curve = rt.asymmetry_cost_curve(np.zeros(10), errors)
    want = expected(f"{model}.cost_curve_vertices")
    all_close(curve.function.knots, want["alpha"])
    all_close(curve.at(curve.function.knots), want["loss"])
    area = expected(f"{model}.cost_area_optimal_shift")
    assert close(curve.area(), area["area_opt"])
    parts = rt.shift_decomposition(np.zeros(10), errors)
    assert close(parts.irreducible, area["area_opt"])
    assert close(parts.mean_absolute_error, area["area_none"])
    assert close(parts.removable, area["crps0"])
    unshifted = rt.asymmetry_cost_curve(np.zeros(10), errors, shift=0.0)
    assert close(unshifted.area(), area["area_none"])


def test_hull_of_three_curves():
    hull = rt.rroc_hull({m: rt.rroc_curve(Y_TRUE, y_pred(m)) for m in ("m1", "m2", "m3")})
    want = expected("hull.vertices")
    all_close(np.column_stack([hull.over, hull.under, hull.shift]), [row[:3] for row in want])
    assert list(hull.owner) == [row[3] for row in want]
    assert [list(hull.owner).count(m) for m in ("m1", "m3", "m2")] == [6, 3, 3]
    assert hull.never_best == ()


def test_hybrid_of_two_points():
    points = {m: rt.rroc_point(Y_TRUE, y_pred(m)) for m in ("m1", "m2", "m3")}
    hull = rt.rroc_hull(points)
    assert list(hull.owner) == ["m1", "m3"]
    assert hull.never_best == ("m2",)
    assert close(hull.slope[0], expected("hybrid.slope"))
    alpha = expected("hybrid.alpha")
    assert close(hull.regions[0].high, alpha)
    for model in ("m1", "m3"):
        assert close(points[model].loss(hull.regions[0].high), expected("hybrid.loss_def2"))
        assert close(points[model].loss(alpha) / 2, expected("hybrid.loss_without_factor2"))
    assert close(hull.isometric(hull.regions[0].high).intercept, expected("hybrid.intercept"))


def test_errors_as_printed():
    for model in MODELS:
        np.testing.assert_allclose(
            np.subtract(y_pred(model), Y_TRUE), expected(f"{model}.errors"), atol=1e-14
        )


@pytest.mark.parametrize("model", MODELS)
def test_shifts_of_other_losses(model):
    errors = expected(f"{model}.errors")
    for alpha, want in expected(f"{model}.quadquad_shift").items():
        found = rt.optimal_shift(np.zeros(10), errors, loss=rt.QuadQuad(float(alpha)))
        assert found.low == found.high == pytest.approx(want, rel=1e-12, abs=1e-15)
    for a, want in expected(f"{model}.linex_shift").items():
        found = rt.optimal_shift(np.zeros(10), errors, loss=rt.regression.LinEx(float(a)))
        assert found.chosen == pytest.approx(want, rel=1e-12)


def test_figure_12_a_polynomial_of_the_prediction():
    case = GOLDEN["000.fig12.purple"]
    p = np.array(y_pred("m1"))
    curve = rt.rroc_curve(Y_TRUE, 0.9 * p + 0.002 * p**3)
    all_close(np.column_stack([curve.over, curve.under, curve.shift]), case["expected"]["vertices"])
    assert close(curve.area_over, case["expected"]["AOC"])
    assert close(curve.point(0.0).over, case["expected"]["OVER"])
    assert close(curve.point(0.0).under, case["expected"]["UNDER"])


def test_figure_12_a_shift_times_a_polynomial():
    case = GOLDEN["000.fig12.orange"]
    p = np.array(y_pred("m1"))
    multiplier = 1 + 1.5 * p**2
    all_close(multiplier, case["inputs"]["multipliers"])
    curve = rt.rroc_curve(Y_TRUE, p - 0.004 * p**3, multiplier=multiplier)
    want = case["expected"]
    np.testing.assert_allclose(
        np.column_stack([curve.over, curve.under, curve.shift]),
        want["vertices"],
        rtol=1e-12,
        atol=2e-13,
    )
    assert close(curve.area_over, want["AOC"])
    assert close(curve.point(0.0).over, want["OVER_s0"])
    assert close(curve.point(0.0).under, want["UNDER_s0"])
    path = arm.rroc_path(Y_TRUE, lambda s: p - 0.004 * p**3 + s * multiplier, shifts=curve.shift)
    all_close(path.over, curve.over)
    all_close(path.under, curve.under)
