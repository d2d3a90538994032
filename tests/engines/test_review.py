"""What an independent reviewer of comparisons beyond memory found."""

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from parity import Batches

import roctopus as rt
from roctopus.core.errors import InputError
from roctopus.engines import sorting
from roctopus.impact import value_minus_cutoff, value_times_price


def dataset(columns):
    return ds.dataset(pa.table(columns))


def memory(truth, columns, models, arm, weight=None, **options):
    return rt.compare(
        columns[truth],
        {name: columns[name] for name in models},
        arm=arm,
        sample_weight=None if weight is None else columns[weight],
        **options,
    )


def large(truth, source, models, arm, mode, weight=None, **options):
    return rt.compare(
        truth, source, models=models, arm=arm, mode=mode, sample_weight=weight, **options
    )


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


def test_choosing_among_cutoff_models_is_honest():
    values = []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        columns = {"y": rng.normal(size=400)}
        columns |= {f"m{k}": rng.normal(size=400) for k in range(20)}
        names = [f"m{k}" for k in range(20)]
        found = large("y", dataset(columns), names, "cutoff", "grid").decide(cutoff=0.0)
        values.append(found.value)
        assert found.in_sample < 0.48
    assert np.mean(values) == pytest.approx(0.5, abs=0.015)  # coin flips


def test_exact_refuses_what_it_cannot_do_for_cutoffs():
    rng = np.random.default_rng(0)
    columns = {"y": rng.normal(size=500), "a": rng.normal(size=500)}
    found = large("y", dataset(columns), ["a"], "cutoff", "exact")
    for asked in ({"between": (0.3, 0.9)}, {"distribution": rt.Output()}):
        with pytest.raises(InputError, match="mode='exact' beyond memory knows a cutoff"):
            found.decide(**asked)
    expected = memory("y", columns, ["a"], "cutoff").decide(distribution=rt.Uniform(-1, 1))
    assert found.decide(distribution=rt.Uniform(-1, 1)).in_sample == pytest.approx(
        expected.in_sample, rel=1e-11
    )


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


def test_odd_losses_are_refused_in_every_mode():
    rng = np.random.default_rng(0)
    columns = {"g": rng.integers(0, 4, 500) * 1.0, "a": rng.normal(size=500)}
    odd = [[0, 1, 2, 9], [1, 0, 5, 2], [3, 0.5, 0, 1], [9, 1, 2, 0]]
    for mode in ("grid", "exact"):
        with pytest.raises(InputError, match="the loss must grow with the distance"):
            large("g", dataset(columns), ["a"], "ordinal", mode, loss=odd)


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
    assert (its.model, its.answer) == (mine.model, mine.answer)
    assert its.margin_high - its.margin_low == pytest.approx(
        mine.margin_high - mine.margin_low, rel=0.02
    )


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
    assert its.decide(cost_proportion=0.3).model == "a"


def test_equal_scores_are_opened_as_one():
    rng = np.random.default_rng(0)
    p = rng.random(200_000)
    columns = {"l": (rng.random(200_000) < p) * 1.0, "a": np.round(p, 1), "b": np.round(p, 2)}
    mine = memory("l", columns, ["a", "b"], "probability").decide(cost_proportion=0.3)
    found = large("l", dataset(columns), ["a", "b"], "probability", "exact", memory="64MB")
    its = found.decide(cost_proportion=0.3)
    assert its.in_sample == pytest.approx(mine.in_sample, rel=1e-11)


def test_whole_numbers_first_and_others_later(tmp_path):
    rows = ["y,a,b", *(f"{k},{k + 1},{k + 2}" for k in range(200_000)), "1.5,2.5,3.5"]
    (tmp_path / "cases.csv").write_text("\n".join(rows))
    found = large("y", tmp_path / "cases.csv", ["a", "b"], "regression", "grid")
    assert found.cases == 200_001


def test_long_tables_from_a_source():
    long = {"id": [0, 1, 2, 3] * 2, "m": ["a"] * 4 + ["b"] * 4, "y": [1.0, 2.0, 3.0, 4.0] * 2,
            "prediction": [1.0, 2.5, 3.0, 4.5, 2.0, 3.0, 4.0, 5.0]}  # fmt: skip
    found = rt.compare("y", dataset(long), id="id", model_column="m", arm="regression")
    assert found.models == ("a", "b")


def test_labels_of_digits(tmp_path):
    columns = {"g": [str(k % 3) for k in range(300)], "a": np.arange(300.0)}
    pq.write_table(pa.table(columns), tmp_path / "cases.parquet")
    found = large("g", tmp_path, ["a"], "ordinal", "grid", labels=["0", "1", "2"])
    assert found.decide(cost=1.0).cases == 300


def test_engines_that_fail_say_so(tmp_path):
    columns = {"y": np.arange(100_000.0), "a": np.arange(100_000.0), "b": np.arange(100_000.0)}
    connection = duckdb.connect()
    connection.execute(
        "CREATE TABLE t AS SELECT range::DOUBLE y, range::DOUBLE a FROM range(90000)"
    )
    broken = "SELECT y, CASE WHEN y = 89999 THEN error('boom') ELSE a END a FROM t"
    with pytest.raises(InputError, match=r"cannot be read.*boom"):
        large("y", connection.sql(broken), ["a"], "regression", "grid")
    found = large("y", connection.table("t"), ["a"], "regression", "grid")
    connection.execute("DROP TABLE t")
    with pytest.raises(InputError, match="cannot be read"):
        found.decide(asymmetry=0.5)
    connection.close()
    with pytest.raises(InputError, match="cannot be read"):
        large("y", found.source.relation, ["a"], "regression", "grid")
    with pytest.raises(InputError, match="decide first"):
        _ = large("y", dataset(columns), ["a"], "regression", "grid").fingerprint
    filtered = dataset(columns).filter(ds.field("y") > 3)
    with pytest.raises(InputError, match="filtered dataset"):
        large("y", filtered, ["a"], "regression", "grid")
    huge = {"y": np.linspace(-1e300, 1e300, 50), "a": np.zeros(50)}
    with pytest.raises(InputError, match="too large to be squared"):
        large("y", dataset(huge), ["a"], "regression", "grid").decide(asymmetry=0.5)


def test_arguments_that_make_no_sense():
    columns = {"y": np.arange(50.0), "a": np.arange(50.0), "b": np.arange(50.0)}
    for more, words in (
        ({"models": "ab"}, "'models' must be a list"),
        ({"models": ["a", "a"]}, "names a model twice"),
        ({"memory": "9999999999999999TB"}, "'memory' must be"),
        ({"arm": "ordinal", "labels": 5}, "'labels' must list"),
        ({"arm": "ordinal", "labels": [[1], [2]]}, "'labels' must list"),
        ({"arm": "impact", "utility": np.maximum}, "'utility' must"),
        ({"arm": "impact", "utility": lambda y: y}, "must return a LinearUtility"),
        ({"arm": "probability"}, "must have two classes, but has 50"),
    ):
        asked = {"models": ["a"], "arm": "regression", "mode": "grid", **more}
        if asked["arm"] == "probability":
            columns = columns | {"a": columns["a"] / 50.0}
        with pytest.raises(InputError, match=words):
            rt.compare("y", Batches(columns, 9), **asked)
    found = rt.compare("y", Batches(columns, 9), models=["a"], arm="regression", mode="exact",
                       spill=5)  # fmt: skip
    with pytest.raises(InputError, match="hybrid decision needs all rows"):
        found.decide(distribution=rt.Uniform(0, 1), hybrid=True)
    with pytest.raises(InputError, match="'spill' must be a folder"):
        sorting.advance_sorted([], None, lambda rows: None, memory=1 << 28, spill=5)


def test_data_that_change_between_scans_are_noticed():
    class Growing(Batches):
        def reduce(self, columns, start, told):
            done = super().reduce(columns, start, told)
            self.columns = {n: np.append(each, each[:1]) for n, each in self.columns.items()}
            return done

    rng = np.random.default_rng(0)
    columns = {"y": rng.normal(size=100), "a": rng.normal(size=100)}
    found = large("y", Growing(columns, 30), ["a"], "regression", "grid")
    with pytest.raises(InputError, match="had 100 cases at first, and 101 when it was scanned"):
        found.decide(asymmetry=0.5)


def test_classes_named_downwards_have_thresholds(recwarn):
    rng = np.random.default_rng(0)
    found = rt.compare(
        np.arange(300) % 3, {"a": rng.normal(size=300)}, arm="ordinal", labels=[2, 1, 0]
    )
    assert np.isfinite(found.decide(cost=1.0).value)
