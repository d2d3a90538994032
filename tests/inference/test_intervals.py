"""Intervals of perfect rankings, of few cases, of rates."""

import numpy as np
import pytest

import roctopus as rt


@pytest.mark.parametrize("seed", range(6))
def test_perfect_rankings_with_weights_and_clusters(seed):
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1], 20)
    found = rt.estimate(
        rt.roc_auc, y, y + 0.1, sample_weight=rng.uniform(0.3, 2, 40), clusters=np.arange(40) % 10
    )
    with pytest.warns(rt.RoctopusWarning, match="one-sided"):
        low, high = found.confidence_interval()
    assert 0.5 < low < high == pytest.approx(1.0)


def test_studentized_intervals_of_few_cases_and_on_their_scale():
    rng = np.random.default_rng(0)
    few = rt.estimate(rt.uniform_cutoff_area, [1.0, 2.0, 4.0], [2.0, 1.0, 9.0])
    with pytest.raises(rt.InputError, match="need at least 10 cases"):
        few.confidence_interval(method="studentized")
    y = rng.normal(size=40)
    area = rt.estimate(rt.rroc_area_over_curve, y, y + rng.lognormal(size=40), normalize=True)
    low, high = area.confidence_interval(method="studentized")
    assert 0 < low < area.value < high < 50 * area.value
    auc = rt.estimate(rt.roc_auc, (y > 0).astype(int), y + rng.normal(size=40))
    low, high = auc.confidence_interval(method="studentized")
    assert 0 < low < auc.value < high < 1


def test_a_rate_counts_the_cases_of_its_class():
    y = np.r_[np.ones(1000), np.zeros(1)]
    score = np.r_[np.full(1000, 0.9), 0.1]
    found = rt.estimate(rt.probability.true_positive_rate, y, score, threshold=0.5)
    with pytest.warns(rt.RoctopusWarning, match="share of 100 % among 1000 cases"):
        low, high = found.confidence_interval()
    assert (low, high) == (pytest.approx(0.05 ** (1 / 1000)), 1.0)
