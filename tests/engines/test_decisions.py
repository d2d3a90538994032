"""Decisions beyond memory: out-of-sample values, ties, wild models and capacities."""

import numpy as np
import pytest
from parity import Batches, dataset, large, memory

import roctopus as rt
from roctopus.impact import value_minus_cutoff, value_times_price


@pytest.mark.parametrize("seed", range(3))
def test_rows_that_repeat_are_judged_honestly(seed):
    rng = np.random.default_rng(seed)
    y = rng.poisson(4, 20_000) * 1.0
    columns = {
        "g": np.digitize(y, [2.5, 5.5]) * 1.0,
        "a": np.round(y + 2 * rng.normal(size=20_000)),
    }
    mine = memory("g", columns, ["a"], "ordinal").decide(cost=1.0)
    its = large("g", dataset(columns), ["a"], "ordinal", "exact").decide(cost=1.0)
    assert abs(its.value - mine.value) < 0.2 * (mine.high - mine.low)


@pytest.mark.simulation
@pytest.mark.filterwarnings("ignore:Model .* ranks cases in the wrong order")  # by chance
def test_choosing_among_cutoff_models_is_honest():
    """Twenty coins: choosing one on a half and judging it on the other does not flatter it."""
    choices, held = [], 0
    names = [f"m{k}" for k in range(20)]
    for seed in range(60):
        rng = np.random.default_rng(seed)
        columns = {"y": rng.normal(size=400)}
        columns |= {name: rng.normal(size=400) for name in names}
        found = large("y", dataset(columns), names, "cutoff", "grid")
        _, honest = found.learned(*found.aim(None, None, None, {"cutoff": 0.0}))
        choices.append(honest.policy.value)
        decision = found.decide(cutoff=0.0, models_only=True)
        held += decision.low <= 0.5 <= decision.high
        assert decision.in_sample < 0.48
        assert found.decide(cutoff=0.0).verdict == "no model"
    assert np.mean(choices) == pytest.approx(0.5, abs=0.015)
    assert held >= 0.85 * 60


@pytest.mark.parametrize(
    ("buckets", "limits", "weight"),
    [(16, {"at_most": 300}, None), (4096, {"at_least": 200, "at_most": 400}, "w")],
)
@pytest.mark.parametrize("utility", [value_times_price, value_minus_cutoff])
def test_bounds_hold_under_a_capacity(buckets, limits, weight, utility):
    rng = np.random.default_rng(1)
    y = rng.gamma(2, 0.3, 1000)
    columns = {"y": y, "b": 0.9 * y + 0.3 * rng.normal(size=1000), "w": rng.lognormal(size=1000)}
    exact = memory("y", columns, ["b"], "impact", weight, utility=utility, **limits)
    found = large(
        "y", dataset(columns), ["b"], "impact", "grid", weight, buckets=buckets, utility=utility,
        **limits,
    )  # fmt: skip
    x = np.linspace(0, 3, 301)
    value, curve = exact.curves()["b"].at(x), found.curves()["b"]
    assert np.all(curve.lower.at(x) <= value)
    assert np.all(value <= curve.upper.at(x))
    assert np.isfinite(curve.lower.at(x)).all()


@pytest.mark.parametrize("asymmetry", [0.0, 1.0])
def test_no_half_knows_the_extremes_of_the_other(asymmetry):
    rng = np.random.default_rng(1)
    y = rng.normal(size=5000)
    columns = {"y": y, "a": y + rng.standard_cauchy(5000)}
    found = large("y", dataset(columns), ["a"], "regression", "exact")
    assert found.decide(asymmetry=asymmetry).value > 0.0


@pytest.mark.parametrize("order", [["a", "b", "c"], ["b", "c", "a"]])
def test_a_wild_model_drowns_no_other(order):
    rng = np.random.default_rng(1)
    y = rng.normal(size=20_000)
    b = y + rng.normal(size=20_000)
    columns = {"y": y, "a": y + 1e9 * rng.normal(size=20_000), "b": b}
    columns["c"] = b + 0.05 * rng.normal(size=20_000)
    mine = memory("y", columns, order, "regression").decide(asymmetry=0.3)
    its = large("y", dataset(columns), order, "regression", "exact").decide(asymmetry=0.3)
    assert (its.model, its.verdict) == (mine.model, mine.verdict)
    assert its.margin_high - its.margin_low == pytest.approx(
        mine.margin_high - mine.margin_low, rel=0.02
    )


def test_a_half_without_rows_leaves_baselines_to_all_rows():
    columns = {"y": np.array([1.0, 2.0, 3.0, 5.0]), "a": np.array([1.0, 2.5, 3.0, 4.0])}
    found = rt.compare("y", Batches(columns, 1), models=["a"], arm="regression", mode="grid")
    with pytest.warns(rt.RoctopusWarning, match="too few different rows"):
        decision = found.decide(asymmetry=0.5, models_only=True)
    assert decision.beside["best constant"].value == pytest.approx(5.0 / 4.0)


def test_thresholds_are_those_of_memory_beside_empty_buckets():
    rng = np.random.default_rng(0)
    p = rng.random(20_000)
    columns = {"l": (rng.random(20_000) < p) * 1.0, "a": np.round(p, 1), "b": np.round(p, 2)}
    mine = memory("l", columns, ["a", "b"], "probability").decide(cost_proportion=0.3)
    its = large("l", dataset(columns), ["a", "b"], "probability", "exact")
    assert its.decide(cost_proportion=0.3).knob == pytest.approx(mine.knob, rel=1e-12)


def test_of_equal_models_the_first_named_is_taken():
    columns = {"l": np.arange(500) % 2 * 1.0, "a": np.full(500, 0.5), "b": np.full(500, 0.5)}
    its = large("l", dataset(columns), ["a", "b"], "probability", "grid")
    assert its.decide(cost_proportion=0.3, models_only=True).model == "a"


def test_equal_scores_are_opened_as_one():
    rng = np.random.default_rng(0)
    p = rng.random(200_000)
    columns = {"l": (rng.random(200_000) < p) * 1.0, "a": np.round(p, 1), "b": np.round(p, 2)}
    mine = memory("l", columns, ["a", "b"], "probability").decide(cost_proportion=0.3)
    found = large("l", dataset(columns), ["a", "b"], "probability", "exact", memory="64MB")
    its = found.decide(cost_proportion=0.3)
    assert its.in_sample == pytest.approx(mine.in_sample, rel=1e-11)


@pytest.mark.parametrize("name", ["check", "judge", "to_html", "value_of_knowing", "backtest"])
def test_what_needs_all_rows_in_memory_says_so(name):
    data = {"y": np.arange(300.0) % 7, "a": np.arange(300.0) % 5}
    large = rt.compare("y", Batches(data, 90), models=["a"], arm="regression", mode="grid")
    with pytest.raises(AttributeError, match=f"'{name}' needs all rows in memory"):
        getattr(large, name)
    assert not hasattr(large, name)
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = large.nothing
