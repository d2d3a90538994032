"""What a decision can be asked for: numbers, ranges, distributions, capacities."""

from statistics import NormalDist

import numpy as np
import pytest
from scipy import stats
from small import MODELS, N, Y, fresh

import roctopus as rt
from roctopus.impact import LinearUtility, value_times_price


def test_no_answer_of_another_context_is_given():
    once = fresh()
    distributions = [rt.Empirical([0.1]), rt.Empirical([0.9]), rt.PointMass(0.2), rt.PointMass(0.7)]
    for distribution in distributions:
        assert once.decide(distribution=distribution) == fresh().decide(distribution=distribution)
    for alpha in (0.1234567, 0.1234569):
        assert once.decide(asymmetry=alpha).in_sample == fresh().decide(asymmetry=alpha).in_sample
    cuts = fresh("cutoff")
    for distribution in (NormalDist(0, 0.1), NormalDist(1, 0.1)):
        given = {"distribution": distribution, "models_only": True}
        assert cuts.decide(**given) == fresh("cutoff").decide(**given)
    assert once.decide(under_cost=4, over_cost=1).value == pytest.approx(
        2.5 * once.decide(asymmetry=0.8).value
    )


@pytest.mark.filterwarnings("ignore:Most of the variance .* comes from about .* cases")
def test_capacity_holds_without_tuning_too():
    value = np.abs(Y) + 0.1
    models = {m: np.abs(p) + 0.05 for m, p in MODELS.items()}
    found = rt.compare(value, models, arm="impact", utility=value_times_price, at_most=8)
    decision = found.decide(theta=3.0, models_only=True)
    best_eight = np.sort(3.0 * value - 1.0)[-8:].sum() / N
    _, honest = found.learned(*found.aim(None, None, None, {"theta": 3.0}))
    assert all(each.value <= best_eight for each in honest.of("raw").values())
    assert decision.value <= best_eight
    table = found.table(theta=3.0, measures=["impact"], backend="pandas")
    rows = table[~table["baseline"]]
    assert table["gain"].max() <= best_eight
    assert rows["impact"].to_numpy() == pytest.approx(rows["in_sample"].to_numpy())
    exact = rt.compare(
        value, models, arm="impact", utility=value_times_price, at_least=10, at_most=10
    )
    assert (
        exact.decide(theta=3.0, models_only=True).model in "abc"
    )  # a tenth of a fold is no whole number


def test_the_low_end_of_a_range_of_cutoffs_counts():
    y = [50, 50, 50, 60, 60, 70, 40, 45, 62, 68]
    p = [45, 44, 43, 61, 62, 71, 41, 42, 63, 69]
    found = rt.compare(y, {"a": p}, arm="cutoff")
    worst = found.decide(between=(50, 65), models_only=True)
    raised = np.array(p) + worst.knob[0]
    assert worst.in_sample == np.mean((raised >= 50) != (np.array(y) >= 50)) == 0.3


def test_a_case_of_huge_worth_hides_nothing():
    score = np.arange(20.0, 0.0, -1.0)
    worth = np.r_[np.full(5, 0.5), np.full(5, -0.1), np.full(9, 0.05), -1e14]
    found = rt.compare(
        worth, {"a": score}, arm="impact", utility=LinearUtility(np.zeros(20), worth)
    )
    decision = found.decide(theta=0.0, models_only=True)
    assert decision.in_sample == pytest.approx(np.cumsum(worth).max() / 20)


def test_a_distribution_without_a_mean():
    found = fresh("cutoff").value_of_knowing(stats.cauchy())
    assert found.in_sample.following <= found.in_sample.frozen


def test_questions_at_the_ends():
    found = fresh().value_of_knowing(rt.Empirical([0.0, 1.0]))
    assert found.question is None or " ?" not in found.question.text


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda: fresh("cutoff").decide(cutoff=0.3, false_positive_cost="x"),
            "false_positive_cost",
        ),
        (lambda: rt.compare(Y, MODELS, arm=["regression"]), "'arm' must be one of"),
        (
            lambda: rt.compare(np.arange(N) % 3, MODELS, arm="ordinal", costs="abc"),
            "'costs' must contain numbers",
        ),
        (
            lambda: rt.compare(np.arange(N) % 3, MODELS, arm="ordinal", costs_between=3),
            "'costs_between' must be two numbers",
        ),
        (lambda: fresh().table(criterion="worst"), "Say what errors cost"),
    ],
)
def test_more_refusals(call, sentence):
    with pytest.raises(rt.InputError, match=sentence):
        call()
