"""What an independent review found, each as a test."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

import roctopus as rt
from roctopus import display
from roctopus import probability as arm


@pytest.mark.parametrize(
    ("y", "p", "roots"),
    [
        (
            [0, 1, 0, 1, 0, 1, 1, 1],
            [
                0.5000589746908691, 0.5000988513301897, 0.5000790544800371, 0.5000282755969032,
                0.5000731210422171, 0.5000888124816207, 0.5000391578559967, 0.5000968977299451,
            ],
            [2.005270597],
        ),
        (
            [1, 1, 0, 1, 0, 0, 1, 1],
            [
                0.50000688029648, 0.5000046942728352, 0.500009713445133, 0.5000081410850457,
                0.5000044001798436, 0.5000021351050074, 0.5000064948038141, 0.5000005371098435,
            ],
            [1.9466e-05, 1.99998],
        ),
        ([0, 1], [0.5, 0.50001], [1.999995]),
        ([0, 1, 1, 1], [5e-7, 1.5e-6, 1e-12, 0.0], [0.29289, 1.70711]),
        ([0, 1], [1e-13, 5e-13], [2.0]),
    ],
)  # fmt: skip
def test_scores_that_lie_close_together(y, p, roots):
    found = [root.low for root in arm.canonical_width(y, p).roots()]
    # The means themselves carry rounding: where they differ by 3e-13, four digits are left.
    assert found == pytest.approx(roots, rel=1e-3 if max(p) < 1e-5 else 2e-5)


@pytest.mark.parametrize("p", [[0.25, 0.0, 0.5], [0.3, 0.0, 0.6]])
def test_a_normal_area_of_one_half_at_every_width(p):
    found = arm.canonical_width([1, 0, 0], p, kernel="normal")
    assert [(root.low, root.high) for root in found.roots()] == [(0.0, np.inf)]


def test_the_closest_normal_width_is_found_in_reasonable_time():
    found = arm.canonical_width([1, 1, 0], [1.0, 0.0, 0.1], kernel="normal")
    assert found.width is None
    widths = np.linspace(0.001, 5.0, 20001)
    gaps = np.abs(found.area.at(widths) - found.area.probabilistic_auc)
    assert abs(found.gap) <= gaps.min() + 1e-9


def test_log_odds_of_saturated_probabilities():
    q = np.nextafter(1.0, 0.0)
    area = arm.smoothed_area([1, 0, 1, 0], [1.0, 1.0, q, 0.2], kernel="log-odds")
    assert area.auc == 0.625
    assert area.at(1.0) == pytest.approx(area.at(1.0001), abs=1e-4)
    assert 0.5 < area.at(1.0) < 0.75
    assert arm.canonical_width([1, 1, 0, 0], [1.0, q, 0.4, 0.2], kernel="log-odds").width > 0
    tiny = arm.smoothed_area([1, 0, 1], [0.0, 5e-324, 0.3], kernel="log-odds")
    assert np.isfinite(tiny.at(2.0))


def test_displays_of_a_classifier_show_its_probabilities():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    y = np.where(X[:, 0] + rng.normal(size=60) > 0, "ill", "well")
    y_model = LogisticRegression().fit(X, y)
    shown = display.ReliabilityDisplay.from_estimator(y_model, X, y)
    own = arm.reliability_curve(y == "well", y_model.predict_proba(X)[:, 1])
    np.testing.assert_array_equal(shown.curves["LogisticRegression"].probability, own.probability)
    for kind in ("SmoothedROCDisplay", "SmoothedAreaDisplay", "SegmentDisplay", "CostCurveDisplay"):
        getattr(display, kind).from_estimator(y_model, X, y)
    with pytest.raises(rt.InputError, match="must be a fitted classifier of two classes"):
        display.ReliabilityDisplay.from_estimator(object(), X, y)


def test_rows_in_another_order():
    s = pd.Series([0.9, 0.1, 0.8, 0.2, 0.7, 0.3])
    with pytest.raises(rt.InputError, match="'a' and 'b' have the same index labels in another"):
        arm.compare_aucs([1, 0, 1, 0, 1, 0], {"a": s, "b": s.sort_values()})
    mixed = pd.Series([1, 0, 1], index=[0, "a", 1])
    assert arm.roc_auc(mixed, pd.Series([0.9, 0.1, 0.2])) == 1.0
    with pytest.raises(rt.InputError, match="same index labels"):
        arm.roc_auc(mixed, pd.Series([0.9, 0.1, 0.2], index=["a", 0, 1]))


def test_messages_name_the_right_rows_and_models():
    with pytest.raises(rt.InputError, match=r"there is 1 in row 1 \(counted"):
        arm.roc_auc([0, 1, 2, 3, 2], [0.1, 0.2, 0.3, 0.4, 0.5])
    p = [0.1, 0.2, 0.3, 0.4]
    with pytest.raises(rt.InputError, match=r"'scores\['b'\]' has missing values"):
        arm.compare_aucs([0, 1, 0, 1], {"a": p, "b": [0.1, 0.2, np.nan, 0.4]})
    with pytest.raises(rt.InputError, match="It is rounding: clip it first"):
        arm.brier_score([0, 1], [0.2, np.nextafter(1, 2)])
    with pytest.raises(rt.InputError, match="'width' must be a number"):
        arm.smoothed_auc([0, 1], [0.2, 0.4], width="a")
    with pytest.raises(rt.InputError, match="The slope is too large"):
        arm.roc_slope(false_positive_cost=1e308, false_negative_cost=1e-10, prevalence=0.001)


def test_thresholds_at_the_ends():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [200, 12])
    p = np.append(rng.uniform(0, 0.9, 197), [1, 1, 1, *rng.uniform(0.2, 0.9, 12)])
    costs = {"false_positive_cost": 50, "false_negative_cost": 1}
    assert arm.choose_threshold(y, p, rule="empirical", **costs).threshold == np.inf
    assert arm.choose_threshold(y, p, **costs).threshold == np.inf
    huge = {"false_positive_cost": 1e308, "false_negative_cost": 1e308}
    assert arm.choose_threshold(y, p, **huge).cost_proportion == 0.5


def test_the_joint_test_has_no_scale():
    rng = np.random.default_rng(0)
    y = rng.normal(size=200)
    predictions = {"a": y + rng.normal(size=200), "b": y + 1.5 * rng.normal(size=200)}
    found = []
    for scale in (1e-14, 1.0, 1e9):
        estimates = {
            name: rt.estimate(rt.uniform_cutoff_area, scale * y, scale * p)
            for name, p in predictions.items()
        }
        found.append(rt.concepts.joint.JointEstimates.of(estimates).pvalue)
    assert found == pytest.approx([found[1]] * 3, rel=1e-6)


def test_a_narrow_normal_curve_and_a_constant_model():
    curve = arm.smoothed_roc_curve([0, 1], [0.2, 0.4], width=1e-300, kernel="normal")
    assert 0.0 <= curve.drawing_error <= 1.0
    shown = display.ReliabilityDisplay.from_predictions([0, 1], [0.5, 0.5])
    assert shown.ax_.lines[1].get_marker() == "o"
