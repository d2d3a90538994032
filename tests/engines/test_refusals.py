"""What cannot be done beyond memory, and sources that fail or change."""

import duckdb
import numpy as np
import pyarrow.dataset as ds
import pytest
from parity import Batches, dataset, large, memory

import roctopus as rt
from roctopus.core.errors import InputError
from roctopus.engines import sorting


def test_exact_refuses_what_it_cannot_do_for_cutoffs():
    rng = np.random.default_rng(0)
    columns = {"y": rng.normal(size=500), "a": rng.normal(size=500)}
    found = large("y", dataset(columns), ["a"], "cutoff", "exact")
    for asked in (
        {"between": (0.3, 0.9)},
        {"distribution": rt.Output()},
        {"distribution": rt.Uniform(-1, 1)},
    ):
        with pytest.raises(InputError, match="mode='exact' cannot be used for a range"):
            found.decide(**asked)
    one = {"cutoff": 0.3}
    expected = memory("y", columns, ["a"], "cutoff").decide(**one)
    assert found.decide(**one).in_sample == pytest.approx(expected.in_sample, rel=1e-11)


def test_odd_losses_are_refused_in_every_mode():
    rng = np.random.default_rng(0)
    columns = {"g": rng.integers(0, 4, 500) * 1.0, "a": rng.normal(size=500)}
    odd = [[0, 1, 2, 9], [1, 0, 5, 2], [3, 0.5, 0, 1], [9, 1, 2, 0]]
    for mode in ("grid", "exact"):
        with pytest.raises(InputError, match="must cost at least as much as a nearer class"):
            large("g", dataset(columns), ["a"], "ordinal", mode, loss=odd)


def test_engines_that_fail_say_so(tmp_path):
    columns = {"y": np.arange(100_000.0), "a": np.arange(100_000.0), "b": np.arange(100_000.0)}
    connection = duckdb.connect()
    connection.execute(
        "CREATE TABLE t AS SELECT range::DOUBLE y, range::DOUBLE a FROM range(90000)"
    )
    broken = "SELECT y, CASE WHEN y = 89999 THEN error('boom') ELSE a END a FROM t"
    with pytest.raises(InputError, match=r"DuckDB cannot read .*boom"):
        large("y", connection.sql(broken), ["a"], "regression", "grid")
    found = large("y", connection.table("t"), ["a"], "regression", "grid")
    connection.execute("DROP TABLE t")
    with pytest.raises(InputError, match="DuckDB cannot read"):
        found.decide(asymmetry=0.5)
    connection.close()
    with pytest.raises(InputError, match="DuckDB cannot read"):
        large("y", found.source.relation, ["a"], "regression", "grid")
    with pytest.raises(InputError, match=r"Call decide\(\.\.\.\) first"):
        _ = large("y", dataset(columns), ["a"], "regression", "grid").fingerprint
    filtered = dataset(columns).filter(ds.field("y") > 3)
    with pytest.raises(InputError, match="A dataset with a filter"):
        large("y", filtered, ["a"], "regression", "grid")
    huge = {"y": np.linspace(-1e300, 1e300, 50), "a": np.zeros(50)}
    with pytest.raises(InputError, match="too large to be squared"):
        large("y", dataset(huge), ["a"], "regression", "grid").decide(asymmetry=0.5)


def test_arguments_that_make_no_sense():
    columns = {"y": np.arange(50.0), "a": np.arange(50.0), "b": np.arange(50.0)}
    for more, words in (
        ({"models": "ab"}, "'models' must be a list"),
        ({"models": ["a", "a"]}, "names 'a' more than once"),
        ({"memory": "9999999999999999TB"}, "'memory' must be"),
        ({"arm": "ordinal", "labels": 5}, "'labels' must be a list of single classes"),
        ({"arm": "ordinal", "labels": [[1], [2]]}, "'labels' must be a list of single classes"),
        ({"arm": "impact", "utility": np.maximum}, "'utility' failed"),
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
    with pytest.raises(InputError, match="because it needs all rows in memory"):
        found.decide(distribution=rt.Uniform(0, 1), hybrid=True)
    with pytest.raises(InputError, match="'spill' must be an existing folder"):
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
    with pytest.raises(
        InputError, match="had 100 cases in the first scan, but 101 cases in a later scan"
    ):
        found.decide(asymmetry=0.5)
