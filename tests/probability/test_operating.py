"""Sensitivity at a specificity: a threshold by hand, mirrored classes, and densities."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm
from sklearn.metrics import roc_curve

import roctopus as rt
from roctopus import probability as arm
from strategies import probability_cases

rates = st.sampled_from([0.01, 0.1, 0.25, 1 / 3, 0.5, 0.77, 0.9, 0.99])


@given(case=probability_cases(), rate=rates)
def test_the_other_way_round_is_the_other_class(case, rate):
    given = {"sample_weight": case.sample_weight}
    mirrored = rt.sensitivity_at_specificity(
        1 - case.y_true, -case.y_pred, specificity=rate, **given
    )
    found = rt.specificity_at_sensitivity(*case[:2], sensitivity=rate, **given)
    assert found == pytest.approx(mirrored, abs=1e-12)


@given(case=probability_cases(), rate=rates)
def test_at_least_what_any_threshold_reaches(case, rate):
    given = {"sample_weight": case.sample_weight}
    value = rt.sensitivity_at_specificity(*case[:2], specificity=rate, **given)
    curve = arm.smoothed_roc_curve(*case[:2], width=0.0, **given)
    reached = curve.true_positive_rate[curve.false_positive_rate <= 1 - rate + 1e-12]
    assert value >= reached.max() - 1e-12
    if len(np.unique(case.y_pred)) == len(case.y_pred):  # without ties, one of them has it
        assert value == pytest.approx(reached.max(), abs=1e-12)


@given(case=probability_cases(), rates=st.tuples(rates, rates))
def test_more_of_the_one_is_less_of_the_other(case, rates):
    low, high = sorted(rates)
    some, fewer = (
        rt.sensitivity_at_specificity(*case[:2], specificity=each) for each in (low, high)
    )
    assert fewer <= some + 1e-12


@pytest.mark.parametrize("digits", [1, 8])
@pytest.mark.parametrize("weighted", [False, True])
def test_points_are_on_the_curve_of_scikit_learn(digits, weighted):
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, 300)
    score = np.round(y + rng.normal(size=300), digits)
    given = {"sample_weight": rng.uniform(0.5, 2.0, 300) if weighted else None}
    false, true, _ = roc_curve(y, score, drop_intermediate=False, **given)
    for rate in (0.0713, 0.3131, 0.5077, 0.8317):
        expected = np.interp(1 - rate, false, true), 1 - np.interp(rate, true, false)
        found = (
            rt.sensitivity_at_specificity(y, score, specificity=rate, **given),
            rt.specificity_at_sensitivity(y, score, sensitivity=rate, **given),
        )
        assert found == pytest.approx(expected, abs=1e-9)


S100B = (
    "05326667403443212001000101110101011210200000000000",
    "10003122112101000110111011101010200011011112111111",
)
"""Patients with a good and a poor outcome at each distinct value of s100b in pROC's data aSAH."""

PROC_POINTS = [
    (0.1, 0.975609756097561, 1.0),
    (0.2, 0.921951219512195, 1.0),
    (0.3, 0.879674796747967, 0.972222222222222),
    (0.4, 0.823693379790941, 0.888888888888889),
    (0.5, 0.774390243902439, 0.833333333333333),
    (0.6, 0.675609756097561, 0.805555555555556),
    (0.7, 0.655284552845528, 0.56875),
    (0.8, 0.634146341463415, 0.447222222222222),
    (0.9, 0.390243902439024, 0.230555555555556),
]
"""What pROC's tests expect of coords(r.s100b, rate, input="specificity"), and "sensitivity"."""


@pytest.mark.parametrize(("rate", "sensitivity", "specificity"), PROC_POINTS)
def test_proc_agrees(rate, sensitivity, specificity):
    counts = np.array([[int(digit) for digit in row] for row in S100B])
    y, rank = (np.repeat(np.indices(counts.shape)[axis], counts.ravel()) for axis in (0, 1))
    found = (
        rt.sensitivity_at_specificity(y, rank, specificity=rate),
        rt.specificity_at_sensitivity(y, rank, sensitivity=rate),
    )
    assert found == pytest.approx((sensitivity, specificity), rel=1e-12)


def test_any_increasing_function_of_the_scores_has_the_same_error():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 400)
    score = y + rng.normal(size=400)
    one, other = (
        rt.estimate("sensitivity_at_specificity", y, each, specificity=0.9)
        for each in (score, np.exp(3 * score))
    )
    assert one.value == other.value
    np.testing.assert_array_equal(one.influence, other.influence)


@pytest.mark.parametrize("specificity", [0.5, 0.8, 0.95])
def test_error_is_that_of_known_densities(specificity):
    """Two normal classes: R(1 − R)/n₁ + r²·t(1 − t)/n₀ with the ratio r of densities."""
    rng = np.random.default_rng(2)
    size = 40_000
    y = (rng.random(size) < 0.3).astype(int)
    score = y * 1.2 + (1 + 0.5 * y) * rng.normal(size=size)
    cut, false = norm.isf(1 - specificity), 1 - specificity
    true = norm.sf(cut, 1.2, 1.5)
    ratio = norm.pdf(cut, 1.2, 1.5) / norm.pdf(cut)
    by_hand = true * (1 - true) / (0.3 * size) + ratio**2 * false * (1 - false) / (0.7 * size)
    found = rt.estimate(rt.sensitivity_at_specificity, y, score, specificity=specificity)
    assert found.value == pytest.approx(true, abs=4 * np.sqrt(by_hand))
    assert found.standard_error == pytest.approx(np.sqrt(by_hand), rel=0.04)


def test_influence_sums_to_zero_with_ties_and_weights():
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 200)
    score, weight = np.round(y + rng.normal(size=200), 1), rng.uniform(0.1, 3.0, 200)
    for name, rate in (("sensitivity", "specificity"), ("specificity", "sensitivity")):
        found = rt.estimate(f"{name}_at_{rate}", y, score, sample_weight=weight, **{rate: 0.83})
        assert np.sum(weight * found.influence) == pytest.approx(0.0, abs=1e-10 * weight.sum())


@pytest.mark.parametrize("rate", [0.0, 1.0, -0.1])
def test_rates_that_are_none(rate):
    with pytest.raises(rt.InputError, match="'specificity' must be greater than 0 and less than 1"):
        rt.sensitivity_at_specificity([0, 1], [0.2, 0.7], specificity=rate)
