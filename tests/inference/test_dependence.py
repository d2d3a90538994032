"""Rows that depend on each other: in time, in clusters, in both."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from benchmarks.dependence import Blocks, widened
from hypothesis import given
from hypothesis import strategies as st

import roctopus as rt
from roctopus import inference
from roctopus.concepts.dependence import Dependence
from roctopus.concepts.estimate import Estimate
from roctopus.concepts.units import ClusterSpread
from roctopus.core.correlations import cosine_count, cosine_sums
from roctopus.inference.folds import folds


def slow(size, rho, rng):
    """Return a first-order autoregression of variance 1."""
    noise = rng.normal(size=size)
    for k in range(1, size):
        noise[k] = rho * noise[k - 1] + np.sqrt(1.0 - rho**2) * noise[k]
    return noise


def mean_of(values, **dependence):
    value = float(np.mean(values))
    return Estimate(value, values - value, dependence=Dependence(**dependence))


@given(st.integers(2, 40), st.floats(0.5, 39), st.integers(0, 10))
def test_cosine_sums_are_their_definition(size, suits, seed):
    rows = np.random.default_rng(seed).normal(size=(2, size))
    count = min(max(int(suits), 4), size - 1)
    bias = min(max(0.05 * ((count / suits) ** 2 - 1.0), 0.0), 0.2)
    at = np.pi * (np.arange(size) + 0.5) / size
    naive = [
        [
            np.sqrt((1.0 + bias) * 2.0 / count) * np.sum(np.cos(j * at) * row)
            for j in range(1, count + 1)
        ]
        for row in rows
    ]
    np.testing.assert_allclose(cosine_sums(rows, suits), naive, atol=1e-12)


def test_all_cosines_give_the_usual_variance():
    x = np.random.default_rng(0).normal(size=50)
    every = cosine_sums(x - x.mean(), 49)
    assert np.sum(every**2) == pytest.approx(50 / 49 * np.sum((x - x.mean()) ** 2))


def test_the_more_alike_neighbours_are_the_fewer_cosines():
    rng = np.random.default_rng(1)
    counts = [
        np.median([cosine_count(slow(400, rho, rng)) for _ in range(20)]) for rho in (0, 0.5, 0.9)
    ]
    assert counts[0] > 2 * counts[1] > 4 * counts[2]
    assert cosine_count(np.ones(30)) > 15
    assert cosine_count(np.array([1.0, 2.0])) == 1


@given(st.lists(st.integers(1, 30), min_size=2, max_size=12))
def test_few_clusters_are_bell_and_mccaffreys(sizes):
    """The degrees of freedom by the matrices themselves."""
    codes = np.repeat(np.arange(len(sizes)), sizes)
    share = np.array(sizes) / sum(sizes)
    centre = np.eye(len(sizes)) - np.outer(share, np.ones(len(sizes)))
    whole = centre.T @ np.diag(1.0 / (1.0 - share)) @ centre @ np.diag(sizes)
    found = ClusterSpread.of(codes, None)
    assert found.freedom == pytest.approx(np.trace(whole) ** 2 / np.trace(whole @ whole))
    np.testing.assert_allclose(found.factor**2, 1.0 / (1.0 - share))


def test_clusters_within_times_change_nothing():
    rng = np.random.default_rng(0)
    times = np.repeat(np.arange(30), 10)
    clusters = times * 2 + rng.integers(0, 2, 300)
    x = slow(30, 0.5, rng)[times] + rng.normal(size=300)
    alone, both = mean_of(x, times=times), mean_of(x, times=times, clusters=clusters)
    assert both.standard_error == pytest.approx(alone.standard_error, rel=1e-12)
    assert both.freedom == alone.freedom


def test_clusters_across_times_add_to_the_variance():
    rng = np.random.default_rng(0)
    times, clusters = (each.ravel() for each in np.meshgrid(np.arange(40), np.arange(25)))
    x = (
        0.7 * slow(40, 0.5, rng)[times]
        + 0.7 * rng.normal(size=25)[clusters]
        + rng.normal(size=1000)
    )
    by_time, by_cluster = mean_of(x, times=times), mean_of(x, clusters=clusters)
    both = mean_of(x, times=times, clusters=clusters)
    assert both.standard_error > max(by_time.standard_error, by_cluster.standard_error)
    assert both.standard_error < np.hypot(by_time.standard_error, by_cluster.standard_error)
    assert both.freedom == min(by_time.freedom, by_cluster.freedom)
    noise = rng.normal(size=1000)
    plain = mean_of(noise)
    assert mean_of(noise, times=times, clusters=clusters).standard_error < 2 * plain.standard_error


def test_rows_are_put_in_order_of_time():
    rng = np.random.default_rng(2)
    y = slow(240, 0.7, rng) + 5.0
    models = {"a": y + slow(240, 0.7, rng), "b": y + slow(240, 0.7, rng)}
    days = pd.date_range("2026-01-01", periods=240)
    frame = pd.DataFrame({"y": y, "day": days, **models})
    mixed = frame.sample(frac=1.0, random_state=0).reset_index(drop=True)
    asked = {"under_cost": 4, "over_cost": 1}
    first = rt.compare("y", frame, models=["a", "b"], arm="regression", time=True).decide(**asked)
    for each, time in (
        (frame, "day"),
        (mixed, "day"),
        (pl.from_pandas(mixed), "day"),
        (mixed, mixed["day"]),
        (mixed, mixed["day"].astype(str).tolist()),
    ):
        found = rt.compare("y", each, models=["a", "b"], arm="regression", time=time)
        again = found.decide(**asked)
        assert again.knob == first.knob
        assert (again.value, again.low, again.high) == pytest.approx(
            (first.value, first.low, first.high)
        )


def test_times_that_repeat_are_summed_and_judged_together():
    rng = np.random.default_rng(3)
    day = np.repeat(np.arange(60), 20)
    y = rng.normal(size=1200)
    error = slow(60, 0.6, rng)[day] + rng.normal(size=1200)
    models = {"a": y + error, "b": y + error + 0.5 * rng.normal(size=1200)}
    by_day = rt.compare(y, models, arm="regression", time=day)
    alone = rt.compare(y, models, arm="regression")
    asked = {"under_cost": 4, "over_cost": 1}
    wide, narrow = by_day.decide(**asked), alone.decide(**asked)
    assert wide.high - wide.low > 1.3 * (narrow.high - narrow.low)
    for splits in by_day.rounds():
        for train, test in splits:
            assert day[train].max() < day[test].min()


def test_folds_keep_both_clusters_and_time():
    rng = np.random.default_rng(0)
    times, clusters = (each.ravel() for each in np.meshgrid(np.arange(12), np.arange(9)))
    mixed = rng.permutation(len(times))
    about = Dependence(clusters[mixed], times[mixed])
    seen = np.zeros(len(times), int)
    for train, test in folds(len(times), 3, about, np.zeros(len(times)), 0):
        assert about.times[train].max() < about.times[test].min()
        assert not np.isin(about.clusters[test], about.clusters[train]).any()
        seen[test] += 1
    assert seen.max() == 1
    assert set(about.times[seen == 0]) == {0, 1, 2}


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"time": ["a", "b"] * 30}, "'time' contains text that is not a date, such as 'a'"),
        ({"time": [1] * 60}, "'time' has only one time. At least two are needed."),
        ({"clusters": [1] * 60}, "'clusters' has only one group. At least two are needed."),
        ({"time": list(range(59))}, "'time' has 59."),
        (
            {"time": ["2026-01-01T00:00+01:00", "2026-01-02T00:00"] * 30},
            "Some values in 'time' have a time zone, but there is no time zone in rows 1, 3",
        ),
        ({"time": "day"}, "'time' is the column name 'day', but 'predictions' is not"),
    ],
)
def test_bad_times(given, sentence):
    y = np.random.default_rng(0).normal(size=60)
    with pytest.raises(rt.InputError) as caught:
        rt.compare(y, {"a": y[::-1]}, arm="regression", **given).decide(asymmetry=0.8)
    assert sentence in str(caught.value)


def test_zones_are_instants():
    y = np.random.default_rng(0).normal(size=4)
    zones = [
        "2026-01-01T00:00+01:00",
        "2026-01-01T00:00+00:00",
        "2026-01-01T00:00-01:00",
        "2025-12-31T23:00+00:00",
    ]
    found = rt.compare(y, {"a": y[::-1]}, arm="regression", time=zones, cv=2)
    assert found.dependence.times.tolist() == [0, 1, 2, 0]


def test_honest_values_take_both():
    rng = np.random.default_rng(0)
    day, shop = (each.ravel() for each in np.meshgrid(np.arange(20), np.arange(10)))
    y = rng.normal(size=200)
    tuning = rt.regression.ShiftTuning(rt.LinLin(0.8))
    found = inference.honest_value(tuning, y, y + rng.normal(size=200), clusters=shop, time=day)
    assert found.estimate.dependence.crossed
    assert len(found.estimate.influence) < 200


def independent(rng, size=200):
    y = rng.normal(size=size)
    return y, {"a": y + rng.normal(size=size), "b": y + rng.normal(size=size)}


def told(y, models, **given):
    frame = pd.DataFrame({"y": y, **models, **given})
    return rt.compare("y", frame, models=list(models), arm="regression").dependent


@pytest.mark.simulation
def test_independent_rows_are_seldom_taken_for_dependent_ones():
    rng = np.random.default_rng(0)
    false = sum(
        told(*independent(rng), shop=rng.integers(0, 20, 200)) is not None for _ in range(300)
    )
    assert false / 300 <= 0.05


@pytest.mark.simulation
def test_dependent_rows_are_noticed():
    rng = np.random.default_rng(0)
    in_time = of_shops = 0
    for _ in range(200):
        y, _ = independent(rng)
        shared = slow(200, 0.3, rng)
        models = {name: y + shared + 0.3 * rng.normal(size=200) for name in "ab"}
        in_time += told(y, models) is not None
        shop = np.repeat(np.arange(20), 10)
        shared = np.sqrt(0.2) * rng.normal(size=20)[shop] + np.sqrt(0.8) * rng.normal(size=200)
        of_shops += told(y, dict.fromkeys("ab", y + shared)) is not None
    assert in_time / 200 >= 0.9
    assert of_shops / 200 >= 0.87  # 0.91 in 2,000 samples of benchmarks/dependence.py


def test_the_notice_names_what_to_give_and_is_recorded():
    rng = np.random.default_rng(0)
    shop = rng.permutation(np.repeat(np.arange(40), 10))
    y = rng.normal(size=400)
    models = {"a": y + rng.normal(size=40)[shop] + rng.normal(size=400)}
    frame = pd.DataFrame({"y": y, "shop": [f"shop {k}" for k in shop], **models})
    with pytest.warns(rt.RoctopusWarning, match="Rows with the same 'shop' have similar errors"):
        found = rt.compare("y", frame, models=["a"], arm="regression")
    decision = found.decide(under_cost=2, over_cost=1)
    assert any("Use clusters='shop'." in each for each in decision.warnings)
    with_them = rt.compare("y", frame, models=["a"], arm="regression", clusters="shop")
    assert with_them.dependent is None


def test_the_surest_dependence_is_named_however_sure_it_is():
    rng = np.random.default_rng(0)
    day = np.repeat(np.arange(100), 50)
    y = rng.normal(size=5000)
    models = {"a": y + rng.normal(size=100)[day] + 0.01 * rng.normal(size=5000)}
    with pytest.warns(rt.RoctopusWarning, match="Rows with the same 'day' have similar errors"):
        told(y, models, day=day, half=day // 2)


def test_what_is_given_is_noted():
    rng = np.random.default_rng(0)
    day, shop = (each.ravel() for each in np.meshgrid(np.arange(30), np.arange(12)))
    y = rng.normal(size=360)
    models = {"a": y + slow(30, 0.7, rng)[day] + rng.normal(size=360)}
    costs = {"under_cost": 2, "over_cost": 1}
    both = rt.compare(y, models, arm="regression", time=day, clusters=shop).decide(**costs)
    assert any(
        each.startswith("Some clusters have rows at several times.") for each in both.warnings
    )
    assert any("carry as much information as about" in each for each in both.warnings)
    few = rt.compare(y, models, arm="regression", clusters=shop).decide(**costs)
    assert any(each.startswith("There are only 12 clusters.") for each in few.warnings)
    twice = day.copy()
    twice[:3] = 1
    twice[1] = 0
    with pytest.warns(
        rt.RoctopusWarning, match="same 'clusters' and 'time' as an earlier row: row 2"
    ):
        rt.compare(y, models, arm="regression", time=twice, clusters=shop)


@pytest.mark.simulation
@pytest.mark.parametrize("count", [1, 3])
def test_an_order_of_independent_rows_widens_intervals_little(count):
    """By at most 12 % on average; by 7 and 3 % in 500 samples of benchmarks/dependence.py."""
    rng = np.random.default_rng(0)
    widths = [widened(200, count, Blocks(), rng).width for _ in range(60)]
    assert np.mean(widths) <= 1.12
