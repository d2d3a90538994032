"""Regions: where a model is best, how sure that is, and hybrids made of them."""

import pickle

import numpy as np
import pytest
from small import MODELS, Y, fresh

import roctopus as rt
from roctopus.impact import LinearUtility


def test_regions_claim_only_what_was_tested():
    rng = np.random.default_rng(0)
    y = rng.normal(size=500)
    equal = {name: y + rng.normal(size=500) for name in "abc"}
    found = rt.compare(y, equal, arm="cutoff").regions()
    assert len(found) > 20
    assert not any(region.sure for region in found)
    y = rng.normal(size=30_000)
    tail = rng.exponential(size=(2, 30_000)) ** 2
    crossing = rt.compare(y, {"a": y + tail[0], "b": y - tail[1]}, arm="regression")
    for region in crossing.regions(between=(0.0, 0.97)):  # the curves cross at 0.5 in truth
        if region.sure_to is not None:
            assert (region.sure_to < 0.5) if region.model == "b" else (region.sure_from > 0.5)
        assert set(region.may_be_best) == {"a", "b"} or not region.low < 0.5 < region.high


def test_regions_of_unbounded_contexts():
    utility = LinearUtility(np.r_[np.ones(4), -np.ones(4)], np.zeros(8))
    y = np.arange(1.0, 9)
    found = rt.compare(y, {"a": -y, "b": y}, arm="impact", utility=utility).regions()
    assert [(r.low, r.high, r.model) for r in found] == [(-np.inf, 0, "b"), (0, np.inf, "a")]
    one = rt.compare([1.0, 1, 1], {"a": [1.0, 1, 1], "b": [1.0, 1, 1]}, arm="cutoff")
    assert one.regions()[0].model == "a"
    with pytest.raises(rt.InputError, match="'between'"):
        fresh("cutoff").regions(between=(0, np.inf))


# errors that cost 20
@pytest.mark.filterwarnings("ignore:Most of the variance .* comes from about .* cases")
def test_where_it_stays_best_under_the_costs_given():
    costs = {"false_positive_cost": 20.0, "false_negative_cost": 1.0}
    here = fresh("cutoff").decide(cutoff=0.5, **costs, models_only=True)
    there = fresh("cutoff", **costs).decide(cutoff=0.5, models_only=True)
    assert here.stays_best == there.stays_best
    assert here.settings == there.settings == costs
    grade = np.digitize(Y, [-0.5, 0.5])
    for given in ([20, 1, 3], [1, 20, 3]):
        found = rt.compare(grade, MODELS, arm="ordinal")
        decision = found.decide(costs=given, models_only=True)
        assert decision.stays_best is not None
        assert decision.stays_best[0] <= 3 <= decision.stays_best[1]


def test_regions_under_the_costs_given():
    grade = np.digitize(Y, [-0.5, 0.5])
    asked = rt.compare(grade, MODELS, arm="ordinal").regions(costs=[1, 20, 3])
    given = rt.compare(grade, MODELS, arm="ordinal", costs=[1, 20, 3]).regions()
    assert asked == given
    assert asked != rt.compare(grade, MODELS, arm="ordinal").regions()


def test_hybrids_are_for_the_distribution_and_pay():
    rng = np.random.default_rng(0)
    y = rng.normal(size=600)
    models = {"up": y + rng.exponential(size=600), "down": y - rng.exponential(size=600)}
    found = rt.compare(y, models, arm="regression")
    alone = found.decide(distribution=rt.Uniform(0.85, 0.95), hybrid=True)
    assert alone.regions == ()
    both = found.decide(distribution=rt.Uniform(0.05, 0.95), hybrid=True)
    single = found.decide(distribution=rt.Uniform(0.05, 0.95))
    assert len(both.regions) >= 2
    assert both.value < single.value
    for _, _, model in both.model_ranges:
        assert f"{model} from" in str(both)
    assert rt.Decision.from_json(both.to_json()) == both
    for low, high, model, knob in both.regions:
        assert low < high
        assert model in models
        assert len(knob) == 1


def test_a_pickled_comparison_is_little_more_than_its_data():
    rng = np.random.default_rng(0)
    y = rng.gamma(3.0, 10.0, 20_000)
    models = {name: y + rng.normal(0.0, sd, len(y)) for name, sd in {"a": 3.0, "b": 4.0}.items()}
    comparison = rt.compare(y, models, arm="regression")
    found = comparison.regions()  # with all that is kept for the next question
    comparison.answer(under_cost=3, over_cost=1)
    text = pickle.dumps(comparison)
    assert len(text) <= 1.2 * 3 * y.nbytes
    assert pickle.loads(text).regions() == found


@pytest.mark.parametrize("arm", ["regression", "cutoff", "probability", "impact"])
def test_regions_of_very_many_cases_take_their_settings_from_curves(arm, monkeypatch):
    rng = np.random.default_rng(1)
    y = rng.normal(0.0, 1.0, 3_000)
    scores = {name: y + rng.normal(0.0, sd, len(y)) for name, sd in {"a": 0.8, "b": 0.9}.items()}
    options = {}
    if arm == "probability":
        y, scores = (y > 0.0) * 1, {n: 1.0 / (1.0 + np.exp(-s)) for n, s in scores.items()}
    if arm == "impact":
        options = {"utility": rt.value_times_price}
    between = {"cutoff": (-1.0, 1.0), "impact": (0.5, 2.0)}.get(arm, (0.1, 0.9))
    one_by_one = rt.compare(y, scores, arm=arm, **options).regions(between=between)
    monkeypatch.setattr("roctopus.comparison.models.MANY", 1)
    assert rt.compare(y, scores, arm=arm, **options).regions(between=between) == one_by_one
