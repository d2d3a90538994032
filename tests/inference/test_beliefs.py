"""Which model is best, what a wrong choice costs, what more data are worth, and what to do."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from roctopus.inference.beliefs import believe, default_tolerance, shrink, verdict
from simulations import samples

SHARED = 0.6
"""The correlation of the models' errors."""


def equal_correlations(models):
    return SHARED + (1.0 - SHARED) * np.eye(models)


def draw_problem(rng, models):
    """Return values and a covariance of full rank."""
    factor = rng.normal(size=(models, models + 2))
    return rng.normal(size=models), factor @ factor.T / models


def same(found, wanted, *, unit=1.0):
    assert found.best == pytest.approx(wanted.best, abs=1e-3)
    assert found.stake == pytest.approx(unit * wanted.stake, rel=1e-6)
    assert found.regret_above == pytest.approx(wanted.regret_above, abs=1e-3)
    assert list(found.worth.values()) == pytest.approx(
        [unit * each for each in wanted.worth.values()], rel=1e-6
    )


def ask(values, covariance, tolerance=0.1, sign=1.0, **more):
    return believe(values, covariance, 100, sign=sign, tolerance=tolerance, **more)


@given(st.integers(0, 10_000), st.integers(2, 8))
def test_neither_order_nor_sign_nor_unit_matters(seed, models):
    rng = np.random.default_rng(seed)
    values, covariance = draw_problem(rng, models)
    plain = ask(values, covariance)
    order = rng.permutation(models)
    mixed = ask(values[order], covariance[np.ix_(order, order)])
    assert order[mixed.chosen] == plain.chosen
    assert mixed.best == pytest.approx(plain.best[order], abs=1e-3)
    assert mixed.stake == pytest.approx(plain.stake, rel=1e-6)
    same(ask(-values, covariance, sign=-1.0), plain)
    same(ask(1e9 * values, 1e18 * covariance, 1e8), plain, unit=1e9)
    same(ask(values + 3.0, covariance + 2.0), plain)


@given(st.integers(0, 10_000), st.integers(1, 8))
def test_more_data_are_worth_more_up_to_the_stake(seed, models):
    values, covariance = draw_problem(np.random.default_rng(seed), models)
    found = ask(values, covariance, more=(0, 10, 100, 1_000, 10**9))
    worth = list(found.worth.values())
    assert worth[0] == 0.0
    assert np.all(np.diff([*worth, found.stake]) >= -1e-12)
    assert found.worth[10**9] == pytest.approx(found.stake, rel=1e-3, abs=1e-12)
    assert found.best.sum() == pytest.approx(1.0)
    assert 0.0 <= found.regret_above <= 1.0


@pytest.mark.parametrize("gap", [0.0, 0.4, 1.5, 3.0])
def test_two_models_in_closed_form(gap):
    """Everything is a function of one z: a normal share, and the loss of a normal regret."""
    variance, unit = 0.7, np.sqrt(1.4)
    found = ask(np.array([1.0, 1.0 + gap]), variance * np.eye(2), 0.2, more=(100, 900))
    spread = np.array([0.5, 1.0, 2.0, 4.0]) ** 2
    weight = np.array([0.3, 0.3, 0.2, 0.2]) * norm.pdf(gap / unit, scale=np.sqrt(1.0 + spread))
    weight /= weight.sum()
    share = spread / (1.0 + spread)
    mean, deviation = share * gap, np.sqrt(share) * unit

    def regret(deviation):
        at = mean / deviation
        return weight @ (deviation * (norm.pdf(at) - at * norm.sf(at)))

    assert found.best[0] == pytest.approx(weight @ norm.cdf(mean / deviation), abs=0.01)
    assert found.stake == pytest.approx(regret(deviation), rel=0.03, abs=1e-3)
    above = norm.sf((mean + 0.2) / deviation)
    assert found.regret_above == pytest.approx(weight @ above, abs=0.01)
    for count, noise in ((100, 0.5), (900, 0.1)):
        learned = np.sqrt(share - noise * spread / (spread + noise)) * unit
        assert found.worth[count] == pytest.approx(regret(learned), rel=0.03, abs=1e-3)


def test_more_data_are_counted_in_cases():
    assert list(ask(np.arange(3.0), np.eye(3)).worth) == [100, 300, 1_000]


def test_a_single_model_is_the_best():
    found = ask(np.array([2.0]), np.array([[1.0]]))
    assert found.best.tolist() == [1.0]
    assert (found.stake, found.regret_above, found.chosen) == (0.0, 0.0, 0)
    assert set(found.worth.values()) == {0.0}


def test_identical_models_share_their_chance():
    values = np.array([1.0, 1.0, 1.2])
    covariance = equal_correlations(3)
    covariance[:2, :2] = 1.0
    found = ask(values, covariance)
    assert found.best[0] == found.best[1]
    assert 2.0 * found.best[0] > found.best[2] > 0.0
    every = ask(np.full(4, 0.3), np.full((4, 4), 0.7))
    assert every.best == pytest.approx(0.25)
    assert every.stake == 0.0
    assert verdict(every, gain=1.0, gain_error=0.1) == "either"


def test_a_difference_without_spread_is_certain():
    found = ask(np.array([1.0, 1.5]), np.full((2, 2), 0.7))
    assert found.best.tolist() == [1.0, 0.0]
    assert found.stake == 0.0
    other = ask(np.array([1.0, 1.5]), np.full((2, 2), 0.7), chosen=1)
    assert other.stake == pytest.approx(0.5)
    assert other.regret_above == pytest.approx(1.0)


def test_a_wild_model_does_not_hide_what_is_known_of_the_others():
    close = 1.0 + np.array([[0.0, -1e-4], [-1e-4, 0.0]])
    covariance = np.eye(3)
    covariance[:2, :2] = close
    covariance[2, 2] = 100.0
    alone = ask(np.array([1.0, 1.05]), close)
    found = ask(np.array([1.0, 1.05, 60.0]), covariance)
    assert found.best[:2] == pytest.approx(alone.best, abs=1e-6)
    assert found.best[0] > 0.95


@pytest.mark.parametrize("endless", [np.inf, -np.inf])
def test_infinite_values_and_variances(endless):
    covariance = np.eye(3)
    covariance[2] = covariance[:, 2] = np.inf
    for values in (np.array([1.0, 1.1, endless]), np.full(3, endless), np.array([1.0, 1.1, 0.5])):
        found = ask(values, covariance)
        assert np.isfinite(found.best).all()
        assert found.best.sum() == pytest.approx(1.0)
        assert np.isfinite([found.stake, *found.worth.values()]).all()
        assert not np.isnan(shrink(values, covariance, sign=1.0).value).any()


def test_few_degrees_of_freedom_leave_more_doubt():
    values, covariance = np.array([0.0, 2.5]), np.eye(2)
    sure, unsure = ask(values, covariance), ask(values, covariance, freedom=4)
    assert sure.best[0] > unsure.best[0] + 0.01
    assert sure.stake < unsure.stake


def test_the_same_seed_gives_the_same_numbers():
    values, covariance = draw_problem(np.random.default_rng(5), 6)
    first, again = (ask(values, covariance, rng=3) for _ in range(2))
    assert np.array_equal(first.best, again.best)
    assert first.worth == again.worth


def test_the_model_in_use_may_be_another_than_the_best():
    values = np.array([1.0, 1.4])
    best, other = (ask(values, np.eye(2), chosen=k) for k in (0, 1))
    assert best.best.tolist() == other.best.tolist()
    assert other.stake > best.stake
    assert other.worth[100] > best.worth[100]


@samples(400, 4_000)
def test_beliefs_are_calibrated(samples):
    """Over spreads of ½, 1 and 2 standard errors together, as the note on methods reports."""
    rng = np.random.default_rng(0)
    chance, best, told, true, worth, saved = [], [], 0.0, 0.0, 0.0, 0.0
    for models in (2, 3, 8):
        covariance = equal_correlations(models)
        factor = np.linalg.cholesky(covariance)
        for spread in np.tile([0.5, 1.0, 2.0], samples // 3):
            truth = spread * np.sqrt(1.0 - SHARED) * rng.normal(size=models)
            values, second = (truth + factor @ rng.normal(size=models) for _ in range(2))
            found = believe(values, covariance, 50, sign=1.0, tolerance=0.1, more=(50,))
            chance += found.best.tolist()
            best += (truth == truth.min()).tolist()
            told += found.stake
            true += truth[found.chosen] - truth.min()
            worth += found.worth[50]
            saved += truth[found.chosen] - truth[np.argmin(values + second)]
    chance, best = np.array(chance), np.array(best)
    for low in np.arange(0.0, 1.0, 0.1):
        inside = (low <= chance) & ((chance < low + 0.1) | (low > 0.85))
        if inside.sum() >= 100:
            error = np.sqrt(0.25 / inside.sum())
            assert abs(chance[inside].mean() - best[inside].mean()) < 0.05 + 2.0 * error
    assert told / true == pytest.approx(1.0, abs=0.2)
    assert worth / saved == pytest.approx(1.0, abs=0.25)


@samples(1_000, 10_000)
@pytest.mark.parametrize("ahead", [0.0, 3.0])
def test_the_interval_of_the_winner_covers(samples, ahead):
    """Among 8 equal models, and with one that is 3 standard errors ahead of 7 equal ones."""
    rng, covered, plain = np.random.default_rng(1), 0, 0
    covariance = equal_correlations(8)
    factor = np.linalg.cholesky(covariance)
    truth = np.zeros(8)
    truth[3] = -ahead * np.sqrt(1.0 - SHARED)
    for _ in range(samples):
        values = truth + factor @ rng.normal(size=8)
        winner, found = int(np.argmin(values)), shrink(values, covariance, sign=1.0)
        covered += abs(found.value[winner] - truth[winner]) <= 1.96 * found.error[winner]
        plain += abs(values[winner] - truth[winner]) <= 1.96
    assert covered / samples >= (0.91 if ahead else 0.93)
    assert covered / samples <= 0.98
    assert ahead or plain < covered


def test_shrinking_keeps_order_and_leaves_outsiders():
    values, covariance = np.array([1.0, 1.2, 9.0, 1.1]), 0.01 * np.eye(4)
    found = shrink(values, covariance, sign=1.0)
    assert np.argsort(found.value).tolist() == [0, 3, 1, 2]
    assert found.value[0] > values[0]
    assert found.value[2] == values[2]
    assert found.error[2] == 0.1
    assert np.all((found.error > 0.05) & (found.error <= 0.1))  # rivals say something of each other
    mirrored = shrink(-values, covariance, sign=-1.0)
    assert mirrored.value == pytest.approx(-found.value)
    alone = shrink(values[:1], covariance[:1, :1], sign=1.0)
    assert (alone.value[0], alone.error[0]) == (1.0, 0.1)


def test_shrinking_identical_models_changes_nothing():
    found = shrink(np.full(3, 2.0), np.full((3, 3), 0.25), sign=-1.0)
    assert found.value.tolist() == [2.0] * 3
    assert found.error.tolist() == [0.5] * 3


@pytest.mark.parametrize(
    ("gain", "baseline", "wanted"),
    [(50.0, -10.0, 0.5), (-5.0, -200.0, 0.2), (1.0, 0.0, 0.01), (0.0, 0.0, 0.0)],
)
def test_default_tolerance(gain, baseline, wanted):
    assert default_tolerance(gain, baseline) == pytest.approx(wanted)


def test_verdicts():
    sure = ask(np.array([0.0, 3.5]), np.eye(2), 0.1)
    open_ = ask(np.array([0.0, 0.1]), np.eye(2), 0.01)
    small = ask(np.array([0.0, 0.1]), np.eye(2), 5.0)
    assert verdict(sure, gain=5.0, gain_error=1.0) == "use"
    assert verdict(small, gain=5.0, gain_error=1.0) == "either"
    assert verdict(open_, gain=5.0, gain_error=1.0) == "use for now"
    assert verdict(sure, gain=-1.0, gain_error=1.0) == "no model"
    # With two models the gain must exceed 1.960 standard errors, with one 1.645.
    assert verdict(sure, gain=1.7, gain_error=1.0) == "no model"
    assert verdict(sure, gain=1.7, gain_error=1.0, models=1) == "use"
    assert verdict(sure, gain=2.0, gain_error=1.0, freedom=10) == "no model"
    assert verdict(sure, gain=1e-9, gain_error=0.0) == "use"
    assert verdict(sure, gain=0.0, gain_error=0.0) == "no model"
