"""Columns of sources: kinds of numbers, labels, long tables."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from parity import dataset, large

import roctopus as rt


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


def test_classes_named_downwards_have_thresholds(recwarn):
    rng = np.random.default_rng(0)
    found = rt.compare(
        np.arange(300) % 3, {"a": rng.normal(size=300)}, arm="ordinal", labels=[2, 1, 0]
    )
    assert np.isfinite(found.decide(cost=1.0).value)
