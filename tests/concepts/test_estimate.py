"""Standard errors, intervals and paired tests against scipy and DeLong."""

import numpy as np
import pytest
import scipy.stats as st
from sklearn.metrics import roc_auc_score

import roctopus as rt
from roctopus import regression as arm

rng = np.random.default_rng(8)
Y = rng.normal(size=60)
A, B = Y + rng.normal(size=60), Y + rng.standard_t(4, size=60) + 0.3


def losses(p):
    return np.where(p < Y, 1.6 * (Y - p), 0.4 * (p - Y))


def mean_loss(p, **options):
    return rt.estimate(rt.asymmetric_absolute_error, Y, p, asymmetry=0.8, **options)


def test_a_mean_has_students_interval():
    estimate = mean_loss(A)
    expected = st.ttest_1samp(losses(A), 0)
    assert estimate.value == pytest.approx(losses(A).mean(), rel=1e-13)
    assert estimate.standard_error == pytest.approx(st.sem(losses(A)), rel=1e-12)
    for level in (0.5, 0.95, 0.999):
        low, high = expected.confidence_interval(level)
        assert estimate.confidence_interval(level) == pytest.approx((low, high), rel=1e-10)
    assert estimate.pvalue == pytest.approx(expected.pvalue, rel=1e-9)


def test_a_difference_is_the_paired_test():
    difference = mean_loss(A) - mean_loss(B)
    expected = st.ttest_rel(losses(A), losses(B))
    assert difference.value == pytest.approx(np.mean(losses(A) - losses(B)), rel=1e-12)
    assert difference.pvalue == pytest.approx(expected.pvalue, rel=1e-10)
    low, high = expected.confidence_interval()
    assert difference.confidence_interval() == pytest.approx((low, high), rel=1e-10)


def test_size_of_the_paired_test():
    """Two models equally good: at 5 % the test rejects about 5 % of 1,000 samples."""
    generator = np.random.default_rng(0)
    rejected = 0
    for _ in range(1000):
        y = generator.normal(size=100)
        a, b = (y + generator.normal(size=100) for _ in range(2))
        difference = rt.estimate(rt.asymmetry_cost_area, y, a) - rt.estimate(
            rt.asymmetry_cost_area, y, b
        )
        rejected += difference.pvalue < 0.05
    assert 0.03 <= rejected / 1000 <= 0.07


def test_weights_use_the_sandwich():
    rng = np.random.default_rng(1)
    weight = rng.uniform(0.5, 3, 60)
    estimate = mean_loss(A, sample_weight=weight)
    mean = np.average(losses(A), weights=weight)
    sandwich = np.sqrt(60 / 59 * np.sum((weight * (losses(A) - mean)) ** 2)) / weight.sum()
    assert estimate.standard_error == pytest.approx(sandwich, rel=1e-12)
    assert estimate.size == 60
    scaled = mean_loss(A, sample_weight=weight * 1e6)
    assert scaled.standard_error == pytest.approx(estimate.standard_error, rel=1e-12)


def test_strata_give_delongs_variance():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 200)
    score = rng.normal(size=200) + y
    above = score[y == 1][:, None] > score[y == 0]
    estimate = rt.estimate(rt.roc_auc, y, score)
    delong = np.sqrt(
        np.var(above.mean(axis=1), ddof=1) / (y == 1).sum()
        + np.var(above.mean(axis=0), ddof=1) / (y == 0).sum()
    )
    assert estimate.value == pytest.approx(roc_auc_score(y, score), rel=1e-12)
    assert estimate.standard_error == pytest.approx(delong, rel=1e-12)
    half = st.norm.ppf(0.975) * delong
    assert estimate.confidence_interval(method="plain") == pytest.approx(
        (estimate.value - half, estimate.value + half)
    )
    low, high = estimate.confidence_interval()  # on the logit scale by default
    assert np.log(high / (1 - high)) + np.log(low / (1 - low)) == pytest.approx(
        2 * np.log(estimate.value / (1 - estimate.value))
    )


def test_totals_scale_their_uncertainty():
    for metric, power in ((arm.over_estimation, 1), (rt.rroc_area_over_curve, 2)):
        total = rt.estimate(metric, Y, A)
        mean = rt.estimate(metric, Y, A, normalize=True)
        assert total.value == pytest.approx(60**power * mean.value, rel=1e-12)
        assert total.standard_error == pytest.approx(60**power * mean.standard_error, rel=1e-12)


def test_repr_is_short():
    assert repr(mean_loss(A)).startswith("Estimate(")
    assert "n=60" in repr(mean_loss(A))
    assert "unknown" in repr(rt.estimate(arm.over_estimation, [1.0], [2.0]))


def test_refusals():
    with pytest.raises(rt.InputError, match="one estimate has 60 rows and the other has 59 rows"):
        mean_loss(A) - rt.estimate(rt.asymmetric_absolute_error, Y[1:], A[1:], asymmetry=0.8)
    with pytest.raises(rt.InputError, match="the same weights"):
        mean_loss(A) - mean_loss(B, sample_weight=np.ones(60))
    with pytest.raises(rt.InputError, match="the same classes"):
        rt.Estimate(0.0, np.zeros(2), strata=np.array([0, 1])) - rt.Estimate(0.0, np.zeros(2))
    with pytest.raises(
        rt.InputError, match="'confidence_level' must be greater than 0 and less than 1, but is 95"
    ):
        mean_loss(A).confidence_interval(95)
    with pytest.raises(rt.InputError, match="at least two cases in every class"):
        _ = rt.Estimate(0.0, np.ones(3), strata=np.array([0, 0, 1])).standard_error
    with pytest.raises(rt.InputError, match=r"There is no \w+ 'roc_auc_score'.*removable_error"):
        rt.estimate("roc_auc_score", [0, 1], [0, 1])


def test_identical_models_do_not_differ():
    same = mean_loss(A) - mean_loss(A)
    assert (same.value, same.pvalue) == (0.0, 1.0)


def test_rounding_is_not_a_difference():
    y = np.random.default_rng(0).uniform(size=200)
    a, b = (
        rt.estimate(rt.asymmetric_absolute_error, y, p, asymmetry=0.5)
        for p in (y + 0.1, (y + 0.3) - 0.2)
    )
    assert (a - b).pvalue == 1.0
    shifted = rt.estimate(rt.asymmetric_absolute_error, y, y + 0.5, asymmetry=0.5)
    with pytest.warns(
        rt.RoctopusWarning, match="All cases give the same value, so the p-value is 0"
    ):
        assert (shifted - a).pvalue == 0.0


def test_estimates_keep_their_own_weights():
    weight = np.ones(60)
    estimate = mean_loss(A, sample_weight=weight)
    weight[:] = 0
    assert estimate.size == 60
    with pytest.raises(TypeError):
        estimate - "1"
    assert "unknown" in repr(rt.Estimate(0.5, np.ones(3), strata=np.array([0, 1, 1])))
