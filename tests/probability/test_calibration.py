"""Calibration error: bins by hand, scikit-learn's bins, no bias, and honest intervals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2, norm
from sklearn.calibration import calibration_curve

import roctopus as rt
from roctopus import probability as arm
from roctopus.datasets import load_screening
from strategies import probability_cases


def sigmoid(x):
    return 1.0 / (1.0 + np.exp(-x))


def drawn(rng, size, *, boldness=1.0):
    """Draw outcomes, and probabilities that exaggerate their log-odds."""
    odds = rng.normal(size=size)
    return (rng.random(size) < sigmoid(odds)).astype(int), sigmoid(boldness * odds)


def test_two_bins_by_hand():
    y, p = [0, 1, 0, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.8, 0.6]
    below = np.array([-0.1, 0.8, -0.3])
    above = np.array([0.3, 0.2, 0.4])
    squares = [gap.mean() ** 2 - gap.var(ddof=1) / 3 for gap in (below, above)]
    assert rt.calibration_error(y, p, bins=2) == pytest.approx(np.mean(squares))


@given(case=probability_cases(), bins=st.integers(1, 12), factor=st.sampled_from([0.001, 3.0, 1e6]))
def test_the_unit_of_weights_does_not_matter(case, bins, factor):
    weight = np.ones(len(case.y_true)) if case.sample_weight is None else case.sample_weight
    one, other = (
        rt.calibration_error(*case[:2], bins=bins, sample_weight=each)
        for each in (weight, factor * weight)
    )
    assert one == pytest.approx(other, abs=1e-12)
    assert -1.0 <= one <= 1.0


@given(case=probability_cases(), bins=st.integers(1, 12))
def test_the_other_class_is_as_well_calibrated(case, bins):
    given = {"bins": bins, "sample_weight": case.sample_weight}
    value = rt.calibration_error(*case[:2], **given)
    distinct = len(np.unique(case.y_pred)) == len(case.y_pred) and case.sample_weight is None
    if distinct and len(case.y_true) % bins == 0:  # otherwise bins are others, seen from above
        other = rt.calibration_error(1 - case.y_true, 1 - case.y_pred, **given)
        assert other == pytest.approx(value, abs=1e-9)
    assert rt.calibration_error(case.y_true, case.y_true, **given) == pytest.approx(0.0)


@pytest.mark.parametrize("bins", [5, 10])
def test_bins_are_those_of_scikit_learn(bins):
    rng = np.random.default_rng(0)
    y, p = drawn(rng, 1000, boldness=2.0)
    share, mean = calibration_curve(y, p, n_bins=bins, strategy="quantile")
    band = arm.reliability_curve(y, p).band(bins=bins)
    np.testing.assert_allclose(band.contexts, mean, rtol=1e-12)
    np.testing.assert_allclose(band.value, share, rtol=1e-12)
    size = 1000 / bins
    spread = [
        (y[part] - p[part]).var(ddof=1) / size
        for part in np.array_split(np.argsort(p, kind="stable"), bins)
    ]
    expected = np.mean((share - mean) ** 2) - np.mean(spread)
    assert rt.calibration_error(y, p, bins=bins) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("model", "error"), [("naive Bayes", 0.04976033031175941), ("boosting", 0.0038225679120552566)]
)
def test_the_debiased_error_of_verified_calibration(model, error):
    """What uncertainty-calibration 0.1.4 returns: get_binning_ce(p, y, p=2, debias=True) ** 2."""
    people = load_screening()
    tenths = np.round(people.predictions[model], 1)
    assert rt.calibration_error(people.y_true, tenths, bins=10_000) == pytest.approx(error)


def test_jackknife_of_few_probabilities():
    """Few distinct ones stay in their bins when a case is left out."""
    rng = np.random.default_rng(1)
    y, p = drawn(rng, 600, boldness=2.0)
    p = np.clip(np.round(5 * p) / 5, 0.02, 0.98)
    given = {"bins": 200}
    found = rt.estimate("calibration_error", y, p, **given)
    left_out = [
        rt.calibration_error(np.delete(y, row), np.delete(p, row), **given) for row in range(600)
    ]
    by_hand = np.sqrt(599 / 600 * np.sum((left_out - np.mean(left_out)) ** 2))
    assert found.standard_error == pytest.approx(by_hand, rel=0.02)


@pytest.mark.simulation
@pytest.mark.parametrize("weighted", [False, True])
def test_calibrated_probabilities_have_none_on_average(weighted):
    rng = np.random.default_rng(2)
    values, noise = [], []
    for _ in range(400):
        y, p = drawn(rng, 300)
        weight = None
        if weighted:  # half of the positives are left out, and the others count twice
            keep = (y == 0) | (rng.random(300) < 0.5)
            y, p, weight = y[keep], p[keep], 1.0 + y[keep]
        found = rt.estimate(rt.calibration_error, y, p, sample_weight=weight)
        values.append(found.value)
        noise.append(found.noise)
    assert abs(np.mean(values)) < 4 * np.std(values) / 20
    assert np.mean(noise) > 4 * abs(np.mean(values))


@pytest.mark.simulation
@pytest.mark.parametrize("boldness", [1.0, 1.5, 3.0])
def test_intervals_cover_and_tests_keep_their_size(boldness):
    rng = np.random.default_rng(3)
    truth = 0.0
    if boldness != 1.0:
        truth = rt.calibration_error(*drawn(rng, 1_000_000, boldness=boldness))
    found = [
        rt.estimate(rt.calibration_error, *drawn(rng, 400, boldness=boldness)) for _ in range(400)
    ]
    ends = [each.confidence_interval() for each in found]
    assert 0.915 <= np.mean([low <= truth <= high for low, high in ends]) <= 0.985
    sure = np.array([each.pvalue < 0.05 for each in found])
    assert np.mean(sure == [low > 0.0 for low, _ in ends]) > 0.95  # nearly the same question
    assert np.mean(sure) < 0.09 if boldness == 1.0 else np.mean(sure) > 0.3
    if boldness == 1.0:
        assert 0.4 < np.mean([each.pvalue < 0.5 for each in found]) < 0.6


@pytest.mark.simulation
def test_clusters_add_noise_that_is_subtracted():
    """Rows of a customer have a risk in common that the probabilities do not see."""
    rng = np.random.default_rng(4)
    customer, middles = np.repeat(np.arange(80), 10), norm.ppf((np.arange(100) + 0.5) / 100)
    alone, together, covered = [], [], []
    for _ in range(120):
        odds, common = rng.normal(size=800), 1.5 * rng.normal(size=80)[customer]
        y = (rng.random(800) < sigmoid(odds + common)).astype(int)
        risk = np.mean(sigmoid(odds + 1.5 * middles[:, None]), axis=0)
        alone.append(rt.calibration_error(y, risk))
        found = rt.estimate(rt.calibration_error, y, risk, clusters=customer)
        together.append(found.value)
        covered.append(found.confidence_interval().low <= 0.0)
    assert abs(np.mean(together)) < 4 * np.std(together) / np.sqrt(120)
    assert np.mean(alone) > 4 * np.std(alone) / np.sqrt(120)
    assert np.mean(covered) > 0.88


def test_a_difference_of_two_models_is_plain():
    rng = np.random.default_rng(5)
    y, p = drawn(rng, 2000)
    bold = p**2 / (p**2 + (1 - p) ** 2)
    one, other = (rt.estimate("calibration_error", y, each) for each in (bold, p))
    gap = one - other
    assert gap.value == pytest.approx(one.value - other.value)
    assert gap.noise == 0.0
    low, high = gap.confidence_interval()
    assert high - gap.value == pytest.approx(gap.value - low)
    assert gap.pvalue < 0.01 < 0.1 < other.pvalue
    assert (one / 3).noise == pytest.approx(one.noise / 3)
    assert (one - 0.01).noise == (one / other).noise == 0.0


def test_the_interval_grows_with_the_true_value():
    rng = np.random.default_rng(6)
    found = rt.estimate("calibration_error", *drawn(rng, 500, boldness=1.5))
    low, high = found.confidence_interval()
    for end in (low, high):
        variance = (found.standard_error**2 * (end + found.noise / 2)) / (found.value + found.noise)
        assert abs(found.value - end) / np.sqrt(variance) == pytest.approx(1.9647, abs=1e-3)
    assert high - found.value > found.value - low
    plain = found.confidence_interval(method="plain")
    assert plain.high - found.value == pytest.approx(1.9647 * found.standard_error, rel=1e-3)


def test_p_values_are_those_of_a_chi_square():
    """With equal variances in all bins the sum of squares is one, with a degree per bin."""
    rng = np.random.default_rng(8)
    y, p = rng.integers(0, 2, 4000), 0.5 + 1e-6 * rng.normal(size=4000)
    found = rt.estimate("calibration_error", y, p)
    gaps = [part.mean() - 0.5 for part in np.array_split(y[np.argsort(p)], 10)]
    statistic = np.sum(np.square(gaps)) * 400 / 0.25
    assert found.pvalue == pytest.approx(chi2.sf(statistic, 10), abs=0.02)


def test_few_cases():
    assert rt.calibration_error([0, 1], [0.3, 0.6]) == 0.0  # a bin each: nothing shows its noise
    assert rt.calibration_error([0, 1], [0.5, 0.5]) == pytest.approx(-0.25)
    found = rt.estimate("calibration_error", [0, 1, 0, 1], [0.2, 0.2, 0.7, 0.7], bins=2)
    low, high = found.confidence_interval()
    assert low <= found.value <= high
    assert high >= 0.0


@pytest.mark.parametrize("bins", [0, -1, 2.5, "10", True])
def test_bins_that_are_none(bins):
    with pytest.raises(rt.InputError, match="'bins' must be a whole number of at least 1"):
        rt.calibration_error([0, 1], [0.2, 0.7], bins=bins)
