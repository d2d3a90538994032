"""Shift rules: optimal on the sample they learned, honest on another, clear when misused."""

import json
from pathlib import Path

import numpy as np
import pytest
import scipy.stats as st
from hypothesis import given
from scipy.integrate import quad

import naive
import roctopus as rt
from roctopus import regression as arm
from strategies import cases

GOLDEN = json.loads((Path(__file__).parent / "golden.json").read_text())
rng = np.random.default_rng(3)
N = 300
P = rng.uniform(0, 10, N)
Y = P + 0.3 + (0.2 + 0.2 * P) * rng.normal(size=N)
P_NEW = rng.uniform(0, 10, N)
Y_NEW = P_NEW + 0.3 + (0.2 + 0.2 * P_NEW) * rng.normal(size=N)


def loss(y, p, alpha):
    return rt.asymmetric_absolute_error(y, p, asymmetry=alpha)


@pytest.mark.parametrize("model", ["m1", "m2", "m3"])
@pytest.mark.parametrize("alpha", [0.2, 0.5, 0.8])
def test_polynomial_shift_reaches_the_golden_loss(model, alpha):
    case = GOLDEN[f"000.{model}.errors"]["inputs"]
    y, p = np.array(case["y_true"]), np.array(case["y_pred"])
    for degree in range(4):
        rule = rt.PolynomialShift(degree).fit(y, p)
        want = GOLDEN["000.polyshift"]["expected"][f"{model} alpha={alpha}"][f"deg{degree}"]
        assert loss(y, p + rule.shift(alpha, p), alpha) == pytest.approx(want, rel=1e-10)


@given(case=cases(max_size=8, offset=False))
def test_constant_shift_is_the_optimal_shift(case):
    rule = rt.ConstantShift().fit(case.y_true, case.y_pred, sample_weight=case.sample_weight)
    for alpha in (0.1, 0.5, 0.85):
        shift = rule.shift(alpha, case.y_pred)
        best = rt.optimal_shift(
            case.y_true, case.y_pred, asymmetry=alpha, sample_weight=case.sample_weight
        )
        assert np.all(shift == best.chosen)


def test_polynomial_of_degree_zero_is_as_good_as_constant():
    for alpha in (0.13, 0.5, 0.9):
        zero = rt.PolynomialShift(0).fit(Y, P).shift(alpha, P)
        constant = rt.ConstantShift().fit(Y, P).shift(alpha, P)
        assert loss(Y, P + zero, alpha) == pytest.approx(loss(Y, P + constant, alpha), rel=1e-9)
        better = rt.PolynomialShift(2).fit(Y, P).shift(alpha, P)
        assert loss(Y, P + better, alpha) <= loss(Y, P + constant, alpha) + 1e-12


def test_polynomial_shift_far_from_zero():
    near = rt.PolynomialShift(2).fit(Y, P)
    far = rt.PolynomialShift(2).fit(Y + 1e6, P + 1e6)
    np.testing.assert_allclose(far.shift(0.8, P + 1e6), near.shift(0.8, P), atol=1e-5)


def test_weights_count_in_every_fitted_rule():
    rng = np.random.default_rng(1)
    weight = rng.integers(0, 3, N).astype(float)
    repeated = weight.astype(int)
    for make in (rt.ConstantShift, lambda: rt.PolynomialShift(1)):
        weighted = make().fit(Y, P, sample_weight=weight).shift(0.8, P)
        copied = make().fit(np.repeat(Y, repeated), np.repeat(P, repeated)).shift(0.8, P)
        np.testing.assert_allclose(weighted, copied, atol=1e-7)


def test_asymmetries_per_row():
    alphas = np.where(np.arange(N) % 2, 0.9, 0.2)
    rules = [
        (rt.NoShift(), {}),
        (rt.ConstantShift().fit(Y, P), {}),
        (rt.PolynomialShift(1).fit(Y, P), {}),
        (arm.NormalShift(), {"std": 0.2 + 0.2 * P}),
        (arm.NormalShift("neighbours").fit(Y, P), {}),
        (arm.QuantileShift((0.1, 0.5, 0.9)), {"quantiles": np.add.outer(P, [-1, 0, 2])}),
        (arm.EnsembleShift(), {"members": np.add.outer(P, [-1, 0, 2, 3])}),
    ]
    for rule, soft in rules:
        mixed = rule.shift(alphas, P, **soft)
        for alpha in (0.9, 0.2):
            rows = alphas == alpha
            np.testing.assert_allclose(mixed[rows], rule.shift(alpha, P, **soft)[rows])


def test_normal_rule_is_the_normal_quantile():
    std = 0.2 + 0.2 * P
    np.testing.assert_allclose(
        arm.NormalShift().shift(0.8, P, std=std), std * st.norm.ppf(0.8), rtol=1e-12
    )


def test_area_of_the_normal_rule_is_the_mean_crps():
    """∫ of the realised loss over α is the mean CRPS of the normal forecasts."""
    std = 0.2 + 0.2 * P
    z = (Y - P) / std
    crps = std * (z * (2 * st.norm.cdf(z) - 1) + 2 * st.norm.pdf(z) - 1 / np.sqrt(np.pi))
    u = np.linspace(-8, 8, 4001)  # α = Φ(u)
    losses = [loss(Y, P + std * v, st.norm.cdf(v)) for v in u]
    np.testing.assert_allclose(arm.NormalShift().shift(0.3, P, std=std), std * st.norm.ppf(0.3))
    area = np.trapezoid(losses * st.norm.pdf(u), u)
    assert area == pytest.approx(crps.mean(), rel=1e-5)
    # And the formula itself, by quadrature of its definition for one forecast.
    y, p, s = Y[0], P[0], std[0]
    below, _ = quad(lambda x: st.norm.cdf(x, p, s) ** 2, p - 9 * s, y)
    above, _ = quad(lambda x: st.norm.sf(x, p, s) ** 2, y, p + 9 * s)
    assert crps[0] == pytest.approx(below + above, rel=1e-6)


@pytest.mark.parametrize("spread", ["residual", "neighbours", "bins"])
def test_estimated_spreads(spread):
    rule = arm.NormalShift(spread, size=40).fit(Y, P)
    centre = rule.shift(0.5, [1.0, 9.0])
    std = rule.shift(st.norm.cdf(1), [1.0, 9.0]) - centre
    if spread == "residual":
        errors = Y - P
        np.testing.assert_allclose(centre, errors.mean())
        np.testing.assert_allclose(std, errors.std())
    else:
        assert std[0] == pytest.approx(0.4, abs=0.2)
        assert std[1] == pytest.approx(2.0, abs=0.7)
    gain = loss(Y_NEW, P_NEW, 0.9) - loss(Y_NEW, P_NEW + rule.shift(0.9, P_NEW), 0.9)
    assert gain > 0


def test_spreads_survive_an_offset_of_the_errors():
    near = arm.NormalShift("bins").fit(Y, P).shift(0.8, P)
    far = arm.NormalShift("bins").fit(Y + 2.0**30, P).shift(0.8, P)
    np.testing.assert_allclose(far - 2.0**30, near, atol=1e-5)


def test_quantile_and_ensemble_rules():
    rng = np.random.default_rng(1)
    members = np.sort(rng.normal(size=(N, 50)), axis=1) + P[:, None]
    shift = arm.EnsembleShift().shift(0.3, P, members=members)
    np.testing.assert_allclose(P + shift, members[:, 14])  # the 15th of 50
    for alpha in (0.0, 1.0):
        end = arm.EnsembleShift().shift(alpha, P, members=members)
        np.testing.assert_allclose(P + end, members[:, 0 if alpha == 0 else -1])
    levels = (0.1, 0.4, 0.8)
    quantiles = np.add.outer(P, [-2.0, 0.0, 1.0])
    for alpha, want in ((0.05, -2.0), (0.25, -1.0), (0.4, 0.0), (0.6, 0.5), (0.95, 1.0)):
        shift = arm.QuantileShift(levels).shift(alpha, P, quantiles=quantiles)
        np.testing.assert_allclose(shift, want, atol=1e-12)


def test_real_soft_regressors():
    from sklearn.ensemble import RandomForestRegressor
    from sklearn.linear_model import BayesianRidge

    X, X_new = P[:, None], P_NEW[:, None]
    bayes = BayesianRidge().fit(X, Y)
    mean, std = bayes.predict(X_new, return_std=True)
    forest = RandomForestRegressor(60, min_samples_leaf=5, random_state=0).fit(X, Y)
    trees = np.column_stack([tree.predict(X_new) for tree in forest.estimators_])
    for alpha in (0.15, 0.9):
        shifted = mean + arm.NormalShift().shift(alpha, mean, std=std)
        assert loss(Y_NEW, shifted, alpha) < loss(Y_NEW, mean, alpha)
        soft = forest.predict(X_new)
        shifted = soft + arm.EnsembleShift().shift(alpha, soft, members=trees)
        assert np.isfinite(loss(Y_NEW, shifted, alpha))


def test_feasible_constant_rule_is_exact_everywhere():
    rule = rt.ConstantShift().fit(Y, P)
    curve = arm.feasible_cost_curve(rule, Y_NEW, P_NEW)
    optimal = rt.asymmetry_cost_curve(Y_NEW, P_NEW)
    assert curve.exact
    for alpha in np.linspace(0.0005, 0.9995, 211):
        direct = loss(Y_NEW, P_NEW + rule.shift(alpha, P_NEW), alpha)
        assert curve.at(alpha) == pytest.approx(direct, rel=1e-9)
        assert curve.at(alpha) >= optimal.at(alpha) - 1e-12
    assert curve.function.jumps
    same = arm.feasible_cost_curve(rule, Y, P)
    alphas = np.linspace(0, 1, 101)
    np.testing.assert_allclose(
        same.at(alphas), rt.asymmetry_cost_curve(Y, P).at(alphas), atol=1e-12
    )


def test_feasible_sampled_rules_and_regions():
    rules = {
        "none": (rt.NoShift(), {}),
        "polynomial": (rt.PolynomialShift(1).fit(Y, P), {}),
        "normal": (arm.NormalShift(), {"std": 0.2 + 0.2 * P_NEW}),
    }
    grid = np.linspace(0.05, 0.95, 19)
    curves = {
        name: arm.feasible_cost_curve(rule, Y_NEW, P_NEW, asymmetries=grid, **soft)
        for name, (rule, soft) in rules.items()
        if name != "none"
    }
    for name, curve in curves.items():
        rule, soft = rules[name]
        assert not curve.exact
        for alpha in grid:
            direct = loss(Y_NEW, P_NEW + rule.shift(alpha, P_NEW, **soft), alpha)
            assert curve.at(alpha) == pytest.approx(direct, rel=1e-12)
    found = rt.envelope(curves)
    assert found.regions[0].low == 0.05
    assert not found.curve.exact
    none = arm.feasible_cost_curve(rt.NoShift(), Y_NEW, P_NEW)
    assert none.area() == pytest.approx(np.mean(np.abs(Y_NEW - P_NEW)))


def test_feasible_path():
    rule = rt.ConstantShift().fit(Y, P)
    path = arm.feasible_rroc_path(rule, Y_NEW, P_NEW, asymmetries=[0.1, 0.5, 0.9])
    for alpha, over, under in zip(path.asymmetry, path.over, path.under, strict=True):
        point = rt.rroc_point(Y_NEW, P_NEW + rule.shift(alpha, P_NEW), normalize=True)
        assert (over, under) == (point.over, point.under)
    assert list(path.frame("pandas").columns) == ["over", "under", "asymmetry"]


def test_output_weights_move_the_sample():
    rng = np.random.default_rng(1)
    y = rng.uniform(0, 1, 20_000)
    weights = arm.output_weights(y, rt.Beta(3, 2), bins=50)
    assert np.average(y, weights=weights.sample_weight) == pytest.approx(0.6, abs=0.005)
    assert weights.covered == pytest.approx(1.0, abs=1e-3)
    w = weights.sample_weight
    assert weights.effective_sample_size == pytest.approx(w.sum() ** 2 / (w**2).sum())
    assert weights.effective_sample_size < 20_000
    same = arm.output_weights(y, rt.Empirical(y), bins=50)
    np.testing.assert_allclose(same.sample_weight, 1.0)
    half = arm.output_weights(y, rt.Uniform(0.5, 1.5))
    assert half.covered == pytest.approx(0.5, abs=0.01)
    tied = arm.output_weights(np.round(y * 4), rt.Empirical([4.0]))
    assert np.all((tied.sample_weight > 0) == (np.round(y * 4) == 4))


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: rt.ConstantShift().shift(0.5, P), "ConstantShift is not fitted. Call fit"),
        (lambda: rt.PolynomialShift().shift(0.5, P), "PolynomialShift is not fitted"),
        (lambda: arm.NormalShift("bins").shift(0.5, P), "NormalShift is not fitted"),
        (
            lambda: arm.feasible_cost_curve(rt.ConstantShift(), Y, P),
            "ConstantShift is not fitted",
        ),
        (lambda: arm.NormalShift().shift(0.5, P), "The spread of the predictions is missing"),
        (
            lambda: arm.NormalShift().shift(0.5, P, std=[1.0]),
            "one value per prediction, but has 1, and 'y_pred' has 300",
        ),
        (
            lambda: arm.NormalShift().shift(0.5, [1.0, 2.0], std=[1.0, 0.0]),
            "in row 1 ",
        ),
        (
            lambda: arm.NormalShift().shift(0.5, [1.0, 2.0], std=[-1.0, 1.0]),
            "in row 0 ",
        ),
        (
            lambda: arm.NormalShift().shift(1.0, [1.0], std=[1.0]),
            "for which a normal shift is infinite",
        ),
        (lambda: arm.NormalShift("trees"), "'spread' must be"),
        (lambda: arm.NormalShift("bins", size=1), "'size' must be a whole number of at least 2"),
        (
            lambda: arm.NormalShift("bins", size=2).fit([1.0, 2.0, 3.0], [1.0, 2.0, 3.0]),
            "spread is zero",
        ),
        (
            lambda: arm.QuantileShift((0.9, 0.1)),
            "'levels' must",
        ),
        (
            lambda: arm.QuantileShift((0.1, 0.9)).shift(
                0.5, [1.0, 1.0], quantiles=[[0, 1], [2, 1]]
            ),
            "must be in ascending order, but those in row 1 ",
        ),
        (
            lambda: arm.QuantileShift((0.1, 0.9)).shift(0.5, [1.0], quantiles=[[0, 1, 2]]),
            r"the shape \(1, 2\), with one row .* has the shape \(1, 3\)",
        ),
        (
            lambda: arm.EnsembleShift().shift(0.5, P, members=np.zeros((3, 2))),
            r"shape \(300, members\)",
        ),
        (
            lambda: arm.EnsembleShift().shift(0.5, [1.0], members=[[1.0, np.nan]]),
            "'members' has missing or infinite values in row 0",
        ),
        (lambda: rt.PolynomialShift(-1), "'degree' must be a whole number"),
        (
            lambda: rt.NoShift().shift([0.5, 0.5], [1.0]),
            "'asymmetry' has length 2, but 'y_pred' has length 1",
        ),
        (lambda: rt.NoShift().shift([0.5, 1.5], [1.0, 1.0]), "in row 1 "),
        (
            lambda: arm.output_weights(Y, rt.Uniform(1e3, 2e3)),
            "'target' must overlap the range of 'y_true'",
        ),
        (
            lambda: arm.output_weights(Y, rt.Uniform(0, 1), bins=0),
            "'bins' must be a whole number",
        ),
    ],
)
def test_misuse_gets_a_sentence(call, sentence):
    with pytest.raises(rt.InputError, match=sentence):
        call()


def test_naive_loss_is_ours():
    assert naive.asymmetric_absolute_error(Y, P, asymmetry=0.8) == pytest.approx(loss(Y, P, 0.8))


@pytest.mark.parametrize("offset", [0.0, 1e6, 1e8, 1e10])
def test_polynomial_shift_is_exact_far_from_zero(offset):
    x, y = np.arange(6.0), np.array([0.0, 2.0, 1.0, 5.0, 4.0, 9.0])
    rule = rt.PolynomialShift(1).fit(y, x + offset)
    got = loss(y, x + offset + rule.shift(0.5, x + offset), 0.5)
    near = rt.PolynomialShift(1).fit(y, x)
    assert got == pytest.approx(loss(y, x + near.shift(0.5, x), 0.5), rel=1e-5)


def test_polynomial_shift_with_a_wild_outlier():
    generator = np.random.default_rng(0)
    p = generator.uniform(0, 1, 30)
    y = np.append(p[:-1] + generator.normal(size=29), 1e8)
    rule = rt.PolynomialShift(1).fit(y, p)
    total = loss(y, p + rule.shift(0.5, p), 0.5) * 30
    constant = loss(y, p + rt.ConstantShift().fit(y, p).shift(0.5, p), 0.5) * 30
    assert total <= constant
    # An optimum passes through as many cases as it has coefficients.
    assert np.sum(np.abs(y - p - rule.shift(0.5, p)) < 1e-9) >= 2


def test_degenerate_polynomials():
    same = rt.PolynomialShift(2).fit([1.0, 2.0, 4.0], [3.0, 3.0, 3.0])
    assert same.shift(0.5, [3.0])[0] == pytest.approx(-1.0)
    few = rt.PolynomialShift(3).fit([1.0, 2.0], [0.0, 1.0])
    np.testing.assert_allclose(few.shift(0.3, [0.0, 1.0]), [1.0, 1.0], atol=1e-9)
    assert len(few.shift(0.3, [])) == 0
    assert rt.PolynomialShift(np.int64(1)).degree == 1


@pytest.mark.parametrize("spread", ["neighbours", "bins"])
def test_spreads_do_not_depend_on_the_order_of_tied_rows(spread):
    rng = np.random.default_rng(1)
    p = np.repeat([0.0, 5.0], 100)
    y = np.concatenate([np.zeros(50), np.tile([-10.0, 10.0], 25), p[100:] + rng.normal(size=100)])
    forward = arm.NormalShift(spread).fit(y, p).shift(0.9, [0.0, 5.0])
    backward = arm.NormalShift(spread).fit(y[::-1], p[::-1]).shift(0.9, [0.0, 5.0])
    np.testing.assert_allclose(forward, backward, rtol=1e-9)
    pooled = y[:100]
    expected = pooled.mean() + pooled.std() * st.norm.ppf(0.9)
    assert forward[0] == pytest.approx(expected, rel=1e-9)


def test_few_distinct_outcomes_get_their_fair_share():
    weights = arm.output_weights([0.0, 0.0, 1.0, 1.0], rt.Uniform(0, 1)).sample_weight
    np.testing.assert_allclose(weights, 1.0)
    ratings = arm.output_weights([1.0, 2.0, 3.0, 4.0, 5.0], rt.Uniform(1, 5)).sample_weight
    np.testing.assert_allclose(ratings, [0.625, 1.25, 1.25, 1.25, 0.625])  # rounded to the nearest
    halves = arm.output_weights([1.0, 2.0, 3.0], rt.Empirical([1.0, 3.0]), bins=np.int64(3))
    np.testing.assert_allclose(halves.sample_weight, [1.5, 0.0, 1.5])


def test_sampled_curves_need_asymmetries_and_take_any_array_library():
    import torch

    rule = rt.PolynomialShift(1).fit(Y, P)
    with pytest.raises(rt.InputError, match="at least two different numbers for a curve"):
        arm.feasible_cost_curve(rule, Y, P, asymmetries=[0.5])
    with pytest.raises(rt.InputError, match="'asymmetries' must contain at least one case"):
        arm.feasible_cost_curve(rule, Y, P, asymmetries=[])
    weight = np.linspace(1, 2, N)
    ours = arm.feasible_cost_curve(rule, Y, P, sample_weight=weight, asymmetries=[0.2, 0.8])
    y, p, w = (torch.asarray(v) for v in (Y, P, weight))
    theirs = arm.feasible_cost_curve(rule, y, p, sample_weight=w, asymmetries=[0.2, 0.8])
    np.testing.assert_allclose(theirs.at([0.2, 0.5, 0.8]), ours.at([0.2, 0.5, 0.8]), rtol=1e-12)
    grid = arm.feasible_cost_curve(rt.NoShift(), Y, P, asymmetries=[0.2, 0.8])
    assert grid.domain == (0.2, 0.8)
