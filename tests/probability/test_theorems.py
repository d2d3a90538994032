"""Smoothed areas by definition, polygons by their area, widths by an exhaustive solver."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq
from sklearn.metrics import brier_score_loss, roc_auc_score
from sklearn.metrics import log_loss as their_log_loss

import naive
import roctopus as rt
from roctopus import ordinal
from roctopus import probability as arm
from strategies import probability_cases

widths = st.sampled_from([0.0, 1e-9, 0.03, 0.125, 0.25, 0.5, 1.0, 1.7, 4.0])


def weight_of(case):
    return {"sample_weight": case.sample_weight}


def numbers(case):
    weight = np.ones(len(case.y_true)) if case.sample_weight is None else case.sample_weight
    return case.y_true, case.y_pred, weight


@given(case=probability_cases(), width=widths)
def test_area_by_the_definition(case, width):
    y, p, weight = numbers(case)
    slow = naive.smoothed_auc(y, p, width=width, sample_weight=weight)
    assert arm.smoothed_auc(y, p, width=width, **weight_of(case)) == pytest.approx(slow, abs=1e-12)


@given(case=probability_cases(), width=widths)
def test_the_polygon_has_the_area(case, width):
    for kernel in ("uniform", "log-odds"):
        options = {"width": width, "kernel": kernel, **weight_of(case)}
        curve = arm.smoothed_roc_curve(*case[:2], **options)
        area = arm.smoothed_auc(*case[:2], **options)
        slack = 1e-14 / width if width else 0.0  # the rounding of p ± d/2
        assert curve.area == pytest.approx(area, abs=1e-10 + slack)
        assert len(curve) <= 2 * len(case.y_true) + 1
        assert (curve.x[0], curve.y[0], curve.x[-1], curve.y[-1]) == pytest.approx((1, 1, 0, 0))
        assert np.all(np.diff(curve.x) <= 1e-12)
        assert np.all(np.diff(curve.y) <= 1e-12)
        if kernel == "log-odds" and width > 0:
            assert np.all((curve.threshold >= 0) & (curve.threshold <= 1))


@given(case=probability_cases())
def test_the_normal_curve_has_its_area_within_the_bound(case):
    curve = arm.smoothed_roc_curve(*case[:2], width=0.6, kernel="normal", points=2001)
    area = arm.smoothed_auc(*case[:2], width=0.6, kernel="normal")
    assert curve.area == pytest.approx(area, abs=2 * curve.drawing_error + 1e-9)
    assert curve.drawing_error < 1e-3


@given(case=probability_cases())
def test_area_goes_from_the_auc_to_one_half(case):
    for kernel in ("uniform", "normal", "log-odds"):
        area = arm.smoothed_area(*case[:2], kernel=kernel, **weight_of(case))
        assert area.at(1e-12) == pytest.approx(area.auc, abs=1e-6) or kernel != "uniform"
        assert area.at(1e9) == pytest.approx(0.5, abs=1e-6)
        a, b = area.parts(0.3), area.parts(0.7)
        assert a.falling >= b.falling - 1e-12
        assert a.rising <= b.rising + 1e-12


def exhaustive_roots(y, p, weight, target):
    """Evaluate between all break points, where Area is a quadratic in 1/d, and solve each."""
    pairs = [
        (x - z, w * v)
        for (a, x, w), (b, z, v) in itertools.product(zip(y, p, weight, strict=True), repeat=2)
        if a == 1 and b == 0 and w * v > 0
    ]
    total = sum(m for _, m in pairs)
    cuts = sorted({abs(gap) for gap, _ in pairs} | {0.0})
    found = []
    for low, high in itertools.pairwise([*cuts, 1e6]):
        inside = [(g, m) for g, m in pairs if abs(g) <= low]
        a = -sum(m * np.sign(g) * g * g for g, m in inside) / 2 / total
        b = sum(m * g for g, m in inside) / total
        c = sum(m for _, m in inside) / 2 / total
        c += sum(m for g, m in pairs if abs(g) > low and g > 0) / total - target
        if max(abs(a), abs(b), abs(c)) < 1e-12:
            found.append((low, high))
            continue
        for root in np.roots([c, b, a]) if abs(c) > 1e-13 else np.roots([b, a]):
            real = abs(root.imag) < 1e-7 * max(1, abs(root)) and root.real > 1e-12
            if real and low * (1 - 1e-9) <= root.real <= high * (1 + 1e-9):
                found.append((root.real, root.real))
    return found


@given(case=probability_cases(max_size=8))
def test_the_width_is_the_smallest_of_all_roots(case):
    y, p, weight = numbers(case)
    found = arm.canonical_width(y, p, **weight_of(case))
    target = found.area.probabilistic_auc
    slow = exhaustive_roots(y, p, weight, target)
    if abs(found.area.auc - target) <= 1e-12:
        assert found.width == 0.0
        return
    if not slow:
        # None but, perhaps, one that only touches within rounding.
        assert found.width is None or abs(found.gap) < 1e-9
        return
    smallest = min(low for low, _ in slow)
    if found.width is None:
        gaps = [found.area.at(low) - target for low, _ in slow]
        assert min(map(abs, gaps)) > 0  # a root of the brute force that is none
        assert min(map(abs, gaps)) < 1e-6
    else:
        assert found.width == pytest.approx(max(smallest, 0), abs=1e-5)
        assert abs(found.area.at(found.width) - target) < 1e-10


@given(case=probability_cases(max_size=7))
def test_no_width_is_closer_where_none_exists(case):
    found = arm.canonical_width(*case[:2], **weight_of(case))
    if found.width is None:
        grid = np.concatenate([[0.0], np.geomspace(1e-6, 1e3, 400)])
        gaps = np.abs(found.area.at(grid) - found.area.probabilistic_auc)
        assert abs(found.gap) <= gaps.min() + 1e-9


def test_about_three_percent_of_small_samples_have_no_width():
    rng = np.random.default_rng(0)
    none = 0
    for _ in range(400):
        size = rng.integers(3, 9)
        y = np.concatenate([[0, 1], rng.integers(0, 2, size - 2)])
        none += arm.canonical_width(y, rng.random(size)).width is None
    assert 0.005 <= none / 400 <= 0.08


def test_whole_intervals_of_widths():
    found = arm.canonical_width([1, 0], [1.0, 0.0])
    assert found.width == 0.0
    roots = found.roots()
    assert roots[0].low == 0.0
    assert roots[-1].high == pytest.approx(1.0)
    flat = arm.canonical_width([1, 0], [0.5, 0.5])
    assert flat.roots()[-1].high == np.inf


def test_widths_of_larger_samples_solve_the_equation():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 4000)
    p = 1 / (1 + np.exp(-(2 * y - 1 + 1.5 * rng.normal(size=4000))))
    for kernel in ("uniform", "log-odds"):
        found = arm.canonical_width(y, p, kernel=kernel)
        assert abs(found.gap) < 1e-11
        below = np.linspace(0, found.width, 50)[1:-1]
        gaps = found.area.at(below) - found.area.probabilistic_auc
        assert np.all(np.sign(gaps) == np.sign(gaps[0]))
    few = slice(0, 300)
    found = arm.canonical_width(y[few], p[few], kernel="normal")
    area = found.area
    root = brentq(lambda d: area.at(d) - area.probabilistic_auc, 0.3, 3.0)
    assert found.width == pytest.approx(root, rel=1e-9)


def test_many_pairs_under_a_normal_kernel():
    rng = np.random.default_rng(6)
    y = rng.integers(0, 2, 5000)
    p = 1 / (1 + np.exp(-(2 * y - 1 + 1.5 * rng.normal(size=5000))))
    area = arm.smoothed_area(y, p, kernel="normal")
    for width in (1e-4, 0.3, 2.0):
        assert area.at(width) == pytest.approx(area.parts(width).area, abs=1e-12)


@given(case=probability_cases())
def test_peers(case):
    y, p, weight = numbers(case)
    assert arm.roc_auc(y, p, **weight_of(case)) == pytest.approx(
        roc_auc_score(y, p, sample_weight=weight)
    )
    brier = brier_score_loss(y, p, sample_weight=weight)
    assert arm.brier_score(y, p, **weight_of(case)) == pytest.approx(brier)
    assert arm.brier_curve(y, p, **weight_of(case)).area() == pytest.approx(brier, abs=1e-12)
    inside = np.clip(p, 0.01, 0.99)
    assert arm.log_loss(y, inside, **weight_of(case)) == pytest.approx(
        their_log_loss(y, inside, sample_weight=weight, labels=[0, 1])
    )


def test_delong_is_that_of_the_ordinal_arm():
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 200)
    a, b = (np.round(y + rng.normal(size=200), 1) for _ in range(2))
    ours = rt.estimate(arm.roc_auc, y, a) - rt.estimate(arm.roc_auc, y, b)
    theirs = ordinal.compare_volumes(y, {"a": a, "b": b}).difference("a", "b")
    assert ours.standard_error == pytest.approx(theirs.standard_error, rel=1e-12)
    assert ours.pvalue == pytest.approx(theirs.pvalue, rel=1e-9)
    joint = arm.compare_aucs(y, {"a": a, "b": b})
    assert joint.difference("a", "b").pvalue == pytest.approx(theirs.pvalue, rel=1e-9)
    assert joint.pvalue == pytest.approx(theirs.pvalue, rel=1e-9)


def naive_cost(y, p, weight, threshold, c):
    accepted = p >= threshold
    false_positive = np.average(accepted & (y == 0), weights=weight)
    false_negative = np.average(~accepted & (y == 1), weights=weight)
    return 2 * c * false_positive + 2 * (1 - c) * false_negative


@given(case=probability_cases(), c=st.integers(0, 16).map(lambda k: k / 16))
def test_cost_and_brier_curves_by_definition(case, c):
    y, p, weight = numbers(case)
    best = min(naive_cost(y, p, weight, t, c) for t in [*p, np.inf])
    curve = arm.cost_curve(y, p, **weight_of(case))
    assert curve.at(c) == pytest.approx(best, abs=1e-12)
    knob = curve.knob_at(min(max(c, 0.01), 0.99))
    inner = min(max(c, 0.01), 0.99)
    assert naive_cost(y, p, weight, knob, inner) == pytest.approx(curve.at(inner), abs=1e-12)
    fixed = arm.cost_curve(y, p, threshold=0.4, **weight_of(case))
    assert fixed.at(c) == pytest.approx(naive_cost(y, p, weight, 0.4, c), abs=1e-12)
    by_probability = arm.brier_curve(y, p, **weight_of(case))
    if c > 0:
        assert by_probability.at(c) == pytest.approx(naive_cost(y, p, weight, c, c), abs=1e-12)
        assert by_probability.at(c) >= curve.at(c) - 1e-12


@given(case=probability_cases())
def test_parts_of_scores(case):
    y, p, weight = numbers(case)
    parts = arm.score_parts(y, p, **weight_of(case))
    assert parts.score == pytest.approx(parts.calibration + parts.refinement)
    assert parts.calibration >= 0
    assert parts.discrimination >= -1e-12
    base = np.average(y, weights=weight)
    assert parts.uncertainty == pytest.approx(base * (1 - base))
    inside = np.clip(p, 0.05, 0.95)
    log = arm.score_parts(y, inside, score="log", **weight_of(case))
    assert log.calibration >= 0
    assert log.refinement <= log.uncertainty + 1e-12
    again = arm.reliability_curve(y, p, **weight_of(case))
    assert np.all(np.diff(again.outcome) >= 0)


def test_probabilistic_auc_is_improper():
    """The docstring's example: rounding honest probabilities raises pAUC and hurts Brier."""
    rng = np.random.default_rng(3)
    truth = rng.beta(1, 4, 40_000)
    y = (rng.random(40_000) < truth).astype(float)
    hard = (truth >= 0.25).astype(float)
    assert arm.probabilistic_auc(y, hard) > arm.probabilistic_auc(y, truth) + 0.05
    assert arm.brier_score(y, hard) > arm.brier_score(y, truth) + 0.05


def test_widths_areas_and_optima_at_the_edges():
    none = arm.canonical_width([1, 1, 1, 0], [0.1, 0.7, 0.7, 0.5], kernel="normal")
    assert none.width is None
    for p in ([1.0, 0.0], [0.3, 0.3]):
        found = arm.canonical_width([1, 0], p, kernel="normal")
        assert found.width == 0.0
        assert found.roots()[0].low == 0.0
    equal_means = arm.canonical_width(
        [1] * 5 + [0] * 5, [0.7, 1, 0.6, 0.6, 0.3, 0.2, 0.8, 0.7, 1, 0.5]
    )
    assert equal_means.width is None or equal_means.width < 10
    assert arm.smoothed_auc([1, 0], [0.5, 0.5], width=1e-17) == 0.5
    assert arm.smoothed_roc_curve([1, 0], [0.9, 0.2], width=1e-17).area == 1.0
    assert arm.smoothed_auc([1, 0], [0.9, 0.2], width=1e155) == pytest.approx(0.5)
    y, p = [1, 0, 1, 0], [0.10, 0.05, 0.9, 0.2]
    assert arm.smoothed_area(y, p, kernel="log-odds").auc == arm.roc_auc(y, p)
    apart = arm.smoothed_roc_curve([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1], width=0.0).optimum(1.0)
    assert apart.threshold == (0.9, 0.9)
    steep = arm.smoothed_roc_curve([1, 0], [0.9, 0.2], width=0.0).optimum(1e13)
    assert steep.true_positive_rate == (1.0, 1.0)


def test_choice_of_a_threshold():
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, 300)
    p = np.clip(0.3 + 0.4 * y + 0.2 * rng.normal(size=300), 0, 1)
    costs = {"false_positive_cost": 1.0, "false_negative_cost": 3.0}
    empirical = arm.choose_threshold(y, p, rule="empirical", **costs)
    assert empirical.threshold == arm.cost_curve(y, p).knob_at(0.25)
    assert empirical.cost_proportion == 0.25
    bagged = arm.choose_threshold(y, p, **costs)
    assert bagged == arm.choose_threshold(y, p, **costs)
    assert abs(bagged.threshold - empirical.threshold) < 0.2
    assert (bagged.positives, bagged.negatives) == (y.sum(), 300 - y.sum())
    assert arm.choose_threshold(y, p, rule="probability", **costs).threshold == 0.25
    with pytest.warns(rt.RoctopusWarning, match=r"too few positives \(2\) to choose a threshold"):
        few = arm.choose_threshold([1, 1] + [0] * 20, np.linspace(1, 0, 22), **costs)
    assert (few.rule, few.threshold) == ("probability", 0.25)


def test_slopes():
    assert arm.roc_slope(
        false_positive_cost=2, false_negative_cost=1, prevalence=0.5
    ) == pytest.approx(2.0)
    y, p = [1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.3, 0.2]
    curve = arm.smoothed_roc_curve(y, p, width=0.0)
    for slope in np.linspace(0, 4, 33):
        best = curve.optimum(slope)
        value = np.max(curve.y - slope * curve.x)
        assert best.true_positive_rate[0] - slope * best.false_positive_rate[0] == pytest.approx(
            value
        )


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: arm.roc_auc([1, 1], [0.1, 0.2]), "'y_true' has only one class (1)"),
        (
            lambda: arm.brier_score([0, 1, 2], [0.1, 0.2, 0.3]),
            "must have two classes, but has at least three: 0, 1 and 2 (1 is in row 1",
        ),
        (
            lambda: arm.probabilistic_auc([0, 1, 1], [0.1, 1.2, -0.3]),
            "'y_prob' must be between 0 and 1, but is outside this range in rows 1 and 2",
        ),
        (
            lambda: arm.roc_auc(["no", "yes"], [0.1, 0.4]),
            "'y_true' contains text ('no', 'yes'). If 'no' is the event you predict, add",
        ),
        (
            lambda: arm.brier_score([0.1, 0.4], [0, 1]),
            "but has values from 0.1 to 0.4. Have 'y_true' and 'y_prob' been swapped?",
        ),
        (
            lambda: arm.log_loss([0, 1], [0.1, 0.0]),
            "In row 1 (counted from 0), 'y_prob' gives a probability of 0",
        ),
        (lambda: arm.smoothed_auc([0, 1], [0.1, 0.4], width=-1), "'width' must be zero or more"),
        (lambda: arm.smoothed_auc([0, 1], [0.1, 0.4], width=np.inf), "'width' must be a finite"),
        (
            lambda: arm.smoothed_auc([0, 1], [0.1, 0.4], width=1, kernel="cosine"),
            "'kernel' must be 'uniform', 'normal' or 'log-odds', but is 'cosine'.",
        ),
        (
            lambda: arm.smoothed_roc_curve([0, 1], [0.1, 0.4], width=0).optimum(np.inf),
            "'slope' must be a finite number",
        ),
        (
            lambda: arm.smoothed_roc_curve([0, 1], [0.1, 0.4], width=0).optimum(-1.0),
            "'slope' must be zero or more",
        ),
        (
            lambda: arm.roc_slope(false_positive_cost=1, false_negative_cost=0, prevalence=0.3),
            "The slope is infinite",
        ),
        (
            lambda: arm.roc_slope(false_positive_cost=-1, false_negative_cost=1, prevalence=0.3),
            "'false_positive_cost' must be zero or more",
        ),
        (
            lambda: arm.choose_threshold(
                [0, 1], [0.1, 0.4], false_positive_cost=0, false_negative_cost=0
            ),
            "at least one must be positive",
        ),
        (
            lambda: arm.choose_threshold(
                [0, 1], [0.1, 0.4], false_positive_cost=1, false_negative_cost=1, rule="best"
            ),
            "'rule' must be 'bagged', 'empirical' or 'probability', but is 'best'.",
        ),
        (
            lambda: arm.score_parts([0, 1], [0.1, 0.4], score="hinge"),
            "'score' must be 'brier' or 'log', but is 'hinge'.",
        ),
    ],
)
def test_refusals(call, sentence):
    with pytest.raises(rt.InputError) as caught:
        call()
    assert sentence in str(caught.value)
