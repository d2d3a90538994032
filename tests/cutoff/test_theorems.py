"""Theorems and corollaries of the binarised-regression paper, in their corrected form."""

import itertools

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import naive
import roctopus as rt
from roctopus import cutoff as arm
from roctopus import regression
from roctopus.core.piecewise import Piecewise
from strategies import cases

costs = st.sampled_from([(1.0, 1.0), (2.0, 0.5), (0.0, 3.0)])


def options(case, cost=(1.0, 1.0)):
    return {
        "sample_weight": case.sample_weight,
        "false_positive_cost": cost[0],
        "false_negative_cost": cost[1],
    }


def weights_of(case):
    return np.ones(len(case.y_true)) if case.sample_weight is None else case.sample_weight


def near(value, want, case):
    spread = max(1.0, float(np.abs(case.y_pred - case.y_true).max()))
    assert value == pytest.approx(want, rel=1e-10, abs=1e-10 * spread)


@given(case=cases(), cost=costs)
def test_curve_by_definition_at_every_knot_and_between(case, cost):
    curve = rt.cutoff_error_curve(case.y_true, case.y_pred, **options(case, cost))
    ends = np.unique(np.concatenate([case.y_true, case.y_pred]))
    cutoffs = np.concatenate([ends, (ends[1:] + ends[:-1]) / 2, [ends[0] - 1, ends[-1] + 1]])
    slow = [
        naive.cutoff_error(
            case.y_true, case.y_pred, cutoff=c, **(options(case, cost) | {"sample_weight": w})
        )
        for w in [weights_of(case)]
        for c in cutoffs
    ]
    np.testing.assert_allclose(curve.at(cutoffs), slow, rtol=1e-12, atol=1e-12)
    # The same from merged knots as from the sorted ends.
    merged = Piecewise.at(curve.function, cutoffs)
    np.testing.assert_array_equal(curve.at(cutoffs), merged)
    parts = cost[0] * curve.false_positives.at(cutoffs) + cost[1] * curve.false_negatives.at(
        cutoffs
    )
    np.testing.assert_allclose(curve.at(cutoffs), parts, atol=1e-12)


@given(case=cases(), cost=costs)
def test_theorem_1_the_uniform_area_is_the_mean_absolute_error(case, cost):
    curve = rt.cutoff_error_curve(case.y_true, case.y_pred, **options(case, cost))
    area = rt.uniform_cutoff_area(case.y_true, case.y_pred, **options(case, cost))
    near(curve.area(), area, case)
    if cost == (1.0, 1.0):
        errors = np.abs(case.y_pred - case.y_true)
        near(area, np.average(errors, weights=weights_of(case)), case)


@given(case=cases(), alpha=st.sampled_from([0.0, 0.2, 0.5, 0.85, 1.0]))
def test_bridge_to_the_regression_arm(case, alpha):
    bridge = options(case, (2 * (1 - alpha), 2 * alpha))
    area = rt.uniform_cutoff_area(case.y_true, case.y_pred, **bridge)
    loss = rt.asymmetric_absolute_error(
        case.y_true, case.y_pred, asymmetry=alpha, sample_weight=case.sample_weight
    )
    near(area, loss, case)
    near(rt.cutoff_error_curve(case.y_true, case.y_pred, **bridge).area(), loss, case)


@given(case=cases())
def test_curve_is_twice_the_quantile_murphy_diagram_off_the_knots(case):
    weight = {"sample_weight": case.sample_weight}
    curve = rt.cutoff_error_curve(case.y_true, case.y_pred, **weight)
    murphy = regression.murphy_curve(case.y_true, case.y_pred, **weight)
    ends = np.unique(np.concatenate([case.y_true, case.y_pred]))
    off = (ends[1:] + ends[:-1]) / 2
    off = off[~np.isin(off, ends)]
    np.testing.assert_allclose(curve.at(off), 2 * murphy.at(off), atol=1e-12)


@pytest.mark.filterwarnings("ignore:No cutoff of the distribution lies")
@given(case=cases(offset=False), cost=costs)
def test_corollary_1_and_theorem_2_regions(case, cost):
    low, high = arm.cutoff_range(case.y_true, {"m": case.y_pred})
    assume(high - low > 1e-6)
    area = rt.uniform_cutoff_area(case.y_true, case.y_pred, **options(case, cost))
    distribution = rt.Uniform(low, high)
    expected = rt.expected_cutoff_error(
        case.y_true, case.y_pred, distribution=distribution, **options(case, cost)
    )
    near(expected * (high - low), area, case)
    a, b = low + 0.3 * (high - low), low + 0.65 * (high - low)
    clipped = rt.clipped_mean_absolute_error(
        case.y_true, case.y_pred, low=a, high=b, **options(case, cost)
    )
    curve = rt.cutoff_error_curve(case.y_true, case.y_pred, **options(case, cost))
    near(curve.area(a, b), clipped, case)
    near(curve.restrict(a, b).area(), clipped, case)
    near(curve.expect(rt.Uniform(a, b)) * (b - a), clipped, case)
    if case.sample_weight is None and cost == (1.0, 1.0):
        per_case = arm.clipped_absolute_error(case.y_true, case.y_pred, low=a, high=b)
        near(per_case.mean(), clipped, case)


@given(case=cases(), cost=costs)
def test_theorems_3_and_4_the_output_area(case, cost):
    curve = rt.cutoff_error_curve(case.y_true, case.y_pred, **options(case, cost))
    area = rt.output_cutoff_area(case.y_true, case.y_pred, **options(case, cost))
    w = weights_of(case)
    assert area == pytest.approx(np.average(curve.at(case.y_true), weights=w), abs=1e-12)
    ratios = arm.interposition_ratio(case.y_true, case.y_pred, sample_weight=case.sample_weight)
    side = np.where(case.y_pred > case.y_true, *cost)
    assert area == pytest.approx(np.average(side * ratios, weights=w), abs=1e-12)
    over_rank = curve.over_true_rank()
    assert over_rank.area() == pytest.approx(area, abs=1e-12)
    assert over_rank.context == "true rank"


@given(case=cases(offset=False))
def test_interposition_ratios_by_definition(case):
    w = weights_of(case)
    ratios = arm.interposition_ratio(case.y_true, case.y_pred, sample_weight=case.sample_weight)
    for i, (y, p) in enumerate(zip(case.y_true, case.y_pred, strict=True)):
        between = (min(y, p) < case.y_true) & (case.y_true <= max(y, p))
        want = w[between].sum() / w.sum() if w[i] > 0 else 0.0
        assert ratios[i] == pytest.approx(want, abs=1e-12)


@given(
    case=cases(offset=False), scale=st.sampled_from([0.5, 4.0]), move=st.sampled_from([0.0, 8.0])
)
def test_output_area_has_no_unit(case, scale, move):
    moved = (scale * v + move for v in (case.y_true, case.y_pred))
    tied = np.round(case.y_true * 4) / 4 == case.y_true
    assume(tied.all() and (np.round(case.y_pred * 4) / 4 == case.y_pred).all())
    before = rt.output_cutoff_area(*case[:2], sample_weight=case.sample_weight)
    after = rt.output_cutoff_area(*moved, sample_weight=case.sample_weight)
    assert after == pytest.approx(before, abs=1e-12)


@given(
    case=cases(offset=False), cost=costs, region=st.sampled_from([{}, {"low": -1.0, "high": 1.0}])
)
def test_output_area_without_self_pairs(case, cost, region):
    w = weights_of(case)
    assume(w.sum() > 1 and np.all(w == np.round(w)))
    inside = (case.y_true >= region.get("low", -np.inf)) & (
        case.y_true <= region.get("high", np.inf)
    )
    assume((w[inside] > 0).any())
    arguments = {**options(case, cost), **region, "exclude_self": True}
    area = rt.output_cutoff_area(case.y_true, case.y_pred, **arguments)
    slow = naive.output_cutoff_area(case.y_true, case.y_pred, **(arguments | {"sample_weight": w}))
    assert area == pytest.approx(slow, abs=1e-10)
    estimate = rt.estimate(rt.output_cutoff_area, case.y_true, case.y_pred, **arguments)
    assert np.sum(w * estimate.influence) == pytest.approx(0, abs=1e-8 * w.sum())


def test_self_pairs_bias_the_area_as_erratum_40_says():
    rng = np.random.default_rng(3)
    n, repeats = 6, 4000
    areas = {False: [], True: []}
    for _ in range(repeats):
        y = rng.normal(size=n)
        p = y + rng.normal(size=n) - 0.5
        for exclude, found in areas.items():
            found.append(rt.output_cutoff_area(y, p, exclude_self=exclude))
    big = rng.normal(size=10**6)
    noisy = big + rng.normal(size=10**6) - 0.5
    truth = rt.output_cutoff_area(big, noisy)
    error = 4 * np.std(areas[True]) / np.sqrt(repeats)
    assert np.mean(areas[True]) == pytest.approx(truth, abs=error)
    bias = (np.mean(noisy < big) - truth) / n
    assert np.mean(areas[False]) - truth == pytest.approx(bias, abs=error)


@given(size=st.integers(2, 12))
def test_erratum_40_infinite_models_without_self_pairs(size):
    y = np.arange(float(size))
    for end in (-np.inf, np.inf):
        area = rt.output_cutoff_area(y, np.full(size, end), exclude_self=True)
        assert area == pytest.approx(0.5)


@given(train=st.lists(st.integers(0, 9), min_size=1, max_size=9), case=cases(offset=False))
def test_theorem_5_trivial_classifiers_are_constant_models(train, case):
    """Their labels, made cutoff by cutoff, give the curves of constant predictions."""
    train = np.array(train) / 2 - 2
    trivial = arm.trivial_predictions(case.y_true, y_train=train)
    middle = np.sort(train)[[(len(train) - 1) // 2, len(train) // 2]]
    cutoffs = [c for c in np.arange(-20, 21) / 8 if not middle[0] < c <= middle[1]]
    for name, decide in {
        "always positive": lambda c: True,
        "always negative": lambda c: False,
        "majority class": lambda c: np.mean(train >= c) > 0.5 or (train >= c).all(),
    }.items():
        labels = {c: np.full(len(case.y_true), float(decide(c))) for c in cutoffs}
        retrained = rt.retraining_curve(case.y_true, labels, sample_weight=case.sample_weight)
        curve = rt.cutoff_error_curve(case.y_true, trivial[name], sample_weight=case.sample_weight)
        np.testing.assert_allclose(retrained.at(cutoffs), curve.at(cutoffs), atol=1e-12)


@pytest.mark.parametrize("n", [*range(1, 9), 100, 101])
def test_theorem_6_and_corollary_2_the_median_model(n):
    y = np.arange(1.0, n + 1)
    curve = rt.cutoff_error_curve(y, np.full(n, np.median(y)))
    over_rank = curve.over_true_rank()
    peak = over_rank.function.start.max()
    if n % 2:
        assert peak == pytest.approx((n - 1) / (2 * n))
        assert over_rank.area() == pytest.approx((n * n - 1) / (4 * n * n))
    else:
        assert peak == pytest.approx(0.5)
        assert over_rank.at(0.5 + 1 / (2 * n)) == pytest.approx(0.5)
        assert over_rank.area() == pytest.approx(0.25)


@given(
    truths=st.lists(st.integers(0, 6).map(float), min_size=1, max_size=8),
    data=st.data(),
)
def test_theorem_7_the_largest_output_area(truths, data):
    y = np.array(truths)
    above = np.array([np.sum(y > t) for t in y])
    at_most = np.array([np.sum(y <= t) for t in y])
    most = np.maximum(above, at_most).sum() / len(y) ** 2
    worst = np.where(above > at_most, np.inf, -np.inf)
    assert rt.output_cutoff_area(y, worst) == pytest.approx(most)
    values = st.sampled_from([-np.inf, np.inf, *range(-1, 8)])
    p = np.array(data.draw(st.lists(values, min_size=len(y), max_size=len(y))), dtype=float)
    assert 0 <= rt.output_cutoff_area(y, p) <= most + 1e-12
    if len(set(truths)) == len(truths):
        n = len(truths)
        bound = 0.75 if n % 2 == 0 else 0.75 + 1 / (4 * n * n)
        assert most == pytest.approx(bound)


@pytest.mark.filterwarnings("ignore:No cutoff of the distribution lies")
@given(case=cases(offset=False), other=cases(offset=False))
def test_dominance_does_not_depend_on_the_distribution(case, other):
    """A model below another at every cutoff is better under every distribution."""
    n = min(len(case.y_true), len(other.y_true))
    y, a, b = case.y_true[:n], case.y_pred[:n], other.y_pred[:n]
    curves = {"a": rt.cutoff_error_curve(y, a), "b": rt.cutoff_error_curve(y, b)}
    best = rt.envelope(curves)
    cutoffs = np.unique(np.concatenate([y, a, b]))
    lowest = np.minimum(curves["a"].at(cutoffs), curves["b"].at(cutoffs))
    np.testing.assert_array_equal(best.at(cutoffs), lowest)
    named = [curves[name].at(c) for name, c in zip(best.best_at(cutoffs), cutoffs, strict=True)]
    np.testing.assert_allclose(named, lowest, rtol=1e-12)
    for distribution in (rt.Normal(0, 5), rt.Beta(2, 5, -100, 100), rt.Empirical(y), rt.Output()):
        expected = [c.expect(distribution) for c in curves.values()]
        assert best.expect(distribution) <= min(expected) + 1e-12
        if best.never_best == ("b",):
            assert expected[0] <= expected[1] + 1e-12


def test_pairs_of_cutoffs_and_cases_by_definition():
    rng = np.random.default_rng(1)
    y, p, c = rng.integers(0, 6, (3, 40)).astype(float)
    w = rng.integers(0, 3, 40).astype(float)
    found = arm.row_cutoff_error(y, p, cutoffs=c, sample_weight=w, false_positive_cost=2.0)
    losses = [
        naive.cutoff_losses([a], [b], d, false_positive_cost=2.0)[0]
        for a, b, d in zip(y, p, c, strict=True)
    ]
    assert found.realised.value == pytest.approx(np.average(losses, weights=w))
    pairs = [
        w[i] * w[j] * naive.cutoff_losses([y[i]], [p[i]], c[j], false_positive_cost=2.0)[0]
        for i, j in itertools.product(range(40), repeat=2)
    ]
    assert found.independent.value == pytest.approx(sum(pairs) / w.sum() ** 2)
    assert np.sum(w * found.difference.influence) == pytest.approx(0, abs=1e-10)
