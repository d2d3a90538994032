"""Parts of the ROC curve and the precision-recall curve: theorems, and scikit-learn's numbers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, roc_auc_score
from sklearn.metrics import precision_recall_curve as their_curve

import roctopus as rt
from strategies import probability_cases

rates = st.sampled_from([0.0, 0.1, 0.25, 1 / 3, 0.5, 0.77, 1.0])
ranges = st.tuples(rates, rates).filter(lambda pair: pair[0] < pair[1])
sides = st.sampled_from(["false_positive_rate", "true_positive_rate"])


def given_weight(case):
    return {"sample_weight": case.sample_weight}


def drawn(seed, size=300, digits=1):
    rng = np.random.default_rng(seed)
    y = (rng.random(size) < 0.3).astype(int)
    return y, np.round(y + rng.normal(size=size), digits), rng.uniform(0.1, 2.0, size)


@given(case=probability_cases(), side=sides)
def test_the_whole_range_is_the_area(case, side):
    part = rt.partial_auc(*case[:2], **{side: (0, 1)}, **given_weight(case))
    assert part == pytest.approx(rt.roc_auc(*case[:2], **given_weight(case)), abs=1e-12)


@given(case=probability_cases(), side=sides, between=ranges, cut=st.floats(0.01, 0.99))
def test_neighbouring_ranges_add_up(case, side, between, cut):
    low, high = between
    middle = low + cut * (high - low)
    parts = [
        rt.partial_auc(*case[:2], **{side: each}, **given_weight(case))
        for each in ((low, middle), (middle, high), between)
    ]
    assert parts[0] + parts[1] == pytest.approx(parts[2], abs=1e-12)


@given(case=probability_cases(), between=ranges)
def test_sides_are_mirrored_by_swapping_the_classes(case, between):
    low, high = between
    right = rt.partial_auc(*case[:2], true_positive_rate=between, **given_weight(case))
    other = rt.partial_auc(
        1 - case.y_true, -case.y_pred, false_positive_rate=(1 - high, 1 - low), **given_weight(case)
    )
    whole = rt.partial_auc(1 - case.y_true, -case.y_pred, true_positive_rate=(low, high),
                           **given_weight(case))  # fmt: skip
    mirrored = rt.partial_auc(
        *case[:2], false_positive_rate=(1 - high, 1 - low), **given_weight(case)
    )
    # 1 − FPR of the one is the TPR of the other, and the other way round.
    assert whole == pytest.approx(mirrored, abs=1e-12)
    assert right == pytest.approx(other, abs=1e-12)


@given(case=probability_cases(), side=sides, between=ranges)
def test_standardized_is_one_at_best_and_half_by_chance(case, side, between):
    given = {side: between, "standardize": True, **given_weight(case)}
    best = rt.partial_auc(case.y_true, case.y_true, **given)
    assert best == pytest.approx(1.0)
    assert rt.partial_auc(case.y_true, np.zeros(len(case.y_true)), **given) == pytest.approx(0.5)
    assert rt.partial_auc(*case[:2], **given) <= 1.0 + 1e-12


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("most", [0.05, 0.2, 0.5])
def test_scikit_learn_agrees(seed, most):
    y, score, weight = drawn(seed)
    for weighing in ({}, {"sample_weight": weight}):
        ours = rt.partial_auc(y, score, false_positive_rate=(0, most), standardize=True, **weighing)
        assert ours == pytest.approx(roc_auc_score(y, score, max_fpr=most, **weighing), rel=1e-12)
        given = {"true_positive_rate": (1 - most, 1), "standardize": True, **weighing}
        theirs = roc_auc_score(1 - y, -score, max_fpr=most, **weighing)  # classes exchanged
        assert rt.partial_auc(y, score, **given) == pytest.approx(theirs, rel=1e-12)
        ours, theirs = (
            f(y, score, **weighing) for f in (rt.average_precision, average_precision_score)
        )
        assert ours == pytest.approx(theirs, rel=1e-12)
        curve = rt.precision_recall_curve(y, score, **weighing)
        precision, recall, threshold = their_curve(y, score, **weighing)
        np.testing.assert_allclose(curve.precision, precision, rtol=1e-12)
        np.testing.assert_allclose(curve.recall, recall, rtol=1e-12, atol=1e-15)
        np.testing.assert_array_equal(curve.threshold[:-1], threshold)


@given(case=probability_cases())
def test_average_precision_is_the_area_and_at_least_what_any_ranking_has(case):
    given = given_weight(case)
    value = rt.average_precision(*case[:2], **given)
    curve = rt.precision_recall_curve(*case[:2], **given)
    assert curve.area == pytest.approx(value, abs=1e-12)
    share = np.average(case.y_true, weights=case.sample_weight)
    assert curve.prevalence == pytest.approx(share)
    assert rt.average_precision(case.y_true, case.y_true, **given) == pytest.approx(1.0)
    assert rt.average_precision(case.y_true, 0 * case.y_pred, **given) == pytest.approx(share)
    worst = rt.average_precision(case.y_true, -case.y_true, **given)
    assert worst == pytest.approx(share)
    assert value <= 1.0 + 1e-12


def test_the_curve_is_a_table_of_the_users_kind():
    pd = pytest.importorskip("pandas")
    y, score, _ = drawn(0)
    frame = rt.precision_recall_curve(pd.Series(y), pd.Series(score)).frame()
    assert isinstance(frame, pd.DataFrame)
    assert list(frame.columns) == ["recall", "precision", "threshold"]


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({}, "Give the range of either 'false_positive_rate' or 'true_positive_rate'"),
        (
            {"false_positive_rate": (0, 0.2), "true_positive_rate": (0, 1)},
            "Give the range of either",
        ),
        ({"false_positive_rate": 0.2}, "'false_positive_rate' must be two numbers"),
        ({"true_positive_rate": (0.9, 0.2)}, "'true_positive_rate' must be two rates between 0"),
        ({"false_positive_rate": (0, 1.2)}, "'false_positive_rate' must be two rates between 0"),
    ],
)
def test_ranges_that_are_none(given, sentence):
    with pytest.raises(rt.InputError, match=sentence):
        rt.partial_auc([0, 1], [0.2, 0.7], **given)
