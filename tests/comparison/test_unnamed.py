"""A frame without ``models=``: columns that cannot be predictions are named, never taken."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import roctopus as rt
from roctopus.arms import find_arm
from roctopus.comparison.unnamed import strange_columns
from roctopus.datasets import (
    load_apartments,
    load_apples,
    load_bakery,
    load_phones,
    load_screening,
)

N = 300


def regression_frame(seed: int = 0) -> dict[str, Any]:
    """Return truths, two models, and what stands beside them in real tables."""
    rng = np.random.default_rng(seed)
    y = 40.0 + 10.0 * rng.normal(size=N)
    return {
        "y": y,
        "ridge": y + 4.0 * rng.normal(size=N),
        "weak": 40.0 + 0.3 * (y - 40.0) + rng.normal(size=N),
        "row_id": np.arange(N),
        "age": rng.integers(18, 90, N),
        "humidity": rng.uniform(size=N),
        "city": rng.choice(["north", "south"], N),
        "day": pd.date_range("2026-01-01", periods=N),
        "batch": np.full(N, 7),
        "noise": 40.0 + 10.0 * rng.normal(size=N),
        "income": 1e4 + 300.0 * y,
        "nothing": np.full(N, np.nan),
    }


STRANGE = {"row_id", "age", "humidity", "city", "day", "batch", "noise", "income", "nothing"}


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_columns_that_cannot_be_predictions_are_named_and_the_others_can_be_pasted(
    make: Any,
) -> None:
    frame = make(regression_frame())
    for arm in ("regression", "cutoff"):
        with pytest.raises(rt.InputError) as refused:
            rt.compare("y", frame, arm=arm)
        told = str(refused.value)
        found = re.search(r"models=(\[.*\])", told)
        assert found is not None
        assert found[1] == "['ridge', 'weak']"
        assert "'row_id' counts the rows" in told
        assert "'city' contains no numbers" in told
        named = rt.compare("y", frame, arm=arm, models=["ridge", "weak"])
        assert named.models == ("ridge", "weak")


def test_each_kind_of_column_has_its_reason() -> None:
    frame = regression_frame()
    columns = {name: np.asarray(each) for name, each in frame.items() if name != "y"}
    floats = {
        name: each.astype(float) if each.dtype.kind in "if" else each
        for name, each in columns.items()
    }
    found = strange_columns(find_arm("regression"), [frame["y"]], floats)
    assert set(found) == STRANGE
    assert found["age"] == "contains whole numbers that are not among the true values"
    assert found["humidity"] == "is not on the scale of the true values"
    assert found["income"] == "is not on the scale of the true values"
    assert found["noise"] == "has no visible relation to the true values"
    assert found["batch"] == "is 7 in all rows"
    assert found["nothing"] == "is empty"


def test_a_named_column_is_taken_whatever_it_looks_like() -> None:
    frame = pd.DataFrame(regression_frame())
    assert rt.compare("y", frame, arm="regression", models=["age", "batch"]).models == (
        "age",
        "batch",
    )


def test_columns_that_are_something_else_are_not_asked_about() -> None:
    columns = regression_frame()
    kept = {name: columns[name] for name in ("y", "ridge", "weak", "row_id", "city")}
    kept["weight"] = np.ones(N)
    found = rt.compare(
        "y", pd.DataFrame(kept), arm="regression", id="row_id", clusters="city",
        sample_weight="weight",
    )  # fmt: skip
    assert found.models == ("ridge", "weak")


@pytest.mark.parametrize(
    ("load", "options"),
    [
        (load_bakery, {"arm": "regression"}),
        (load_apartments, {"arm": "cutoff"}),
        (load_apples, {"arm": "ordinal", "labels": ["juice", "kitchen", "table"]}),
        (load_screening, {"arm": "probability"}),
        (load_phones, {"arm": "impact", "utility": rt.value_times_price}),
    ],
)
def test_examples_as_a_frame_need_no_names_and_ids_are_noticed(
    load: Any, options: dict[str, Any]
) -> None:
    example = load()
    frame = pd.DataFrame(dict(example.predictions))
    truth = np.asarray(example.y_true)
    assert rt.compare(truth, frame, **options).models == tuple(example.predictions)
    age = np.random.default_rng(1).integers(18, 90, len(frame))
    for name, column in (("row_id", np.arange(len(frame))), ("age", age)):
        with pytest.raises(rt.InputError, match=f"true values: '{name}' "):
            rt.compare(truth, frame.assign(**{name: column}), **options)


def test_classes_scores_and_features_of_two_classes() -> None:
    rng = np.random.default_rng(0)
    y = (rng.uniform(size=N) < 0.4).astype(float)
    columns = {
        "decided": (rng.uniform(size=N) < 0.2 + 0.6 * y).astype(float),
        "chance": np.clip(0.3 * y + 0.7 * rng.uniform(size=N), 0.0, 1.0),
        "temperature": 36.5 + y + 0.3 * rng.normal(size=N),
        "age": np.floor(40.0 + 20.0 * y + 10.0 * rng.normal(size=N)),
    }
    columns["margin"] = y - 0.5 + rng.normal(size=N)
    columns["reversed"] = 0.5 - y + rng.normal(size=N)
    for arm in ("probability", "ordinal", "impact"):
        assert set(strange_columns(find_arm(arm), [y], columns)) == {"temperature", "age"}


def test_few_rows_ask_for_no_relation() -> None:
    frame = pd.DataFrame({"y": [3, 5, 8, 2], "a": [4, 4, 4, 5], "row": [1, 2, 3, 4]})
    with pytest.raises(rt.InputError, match=r"'row' counts the rows.*models=\['a'\]"):
        rt.compare("y", frame, arm="regression")
    assert rt.compare("y", frame[["y", "a"]], arm="regression").models == ("a",)


def test_missing_predictions_do_not_hide_what_a_column_is() -> None:
    columns = pd.DataFrame(regression_frame())[["y", "ridge", "age"]].astype(float)
    columns.loc[::3, ["ridge", "age"]] = np.nan
    with pytest.raises(rt.InputError, match=r"'age' contains whole.*models=\['ridge'\]"):
        rt.compare("y", columns, arm="regression", missing="common")


@pytest.mark.parametrize("mode", [None, "grid"])
def test_files_are_judged_by_their_first_rows(tmp_path: Path, mode: Any) -> None:
    columns = {n: c for n, c in regression_frame().items() if n not in ("day", "nothing")}
    pq.write_table(pa.table(columns), tmp_path / "rows.parquet")
    with pytest.raises(rt.InputError, match=r"'row_id' counts.*models=\['ridge', 'weak'\]"):
        rt.compare("y", tmp_path / "rows.parquet", arm="regression", mode=mode)
    few = {name: columns[name] for name in ("y", "ridge", "weak")}
    pq.write_table(pa.table(few), tmp_path / "few.parquet")
    found = rt.compare("y", tmp_path / "few.parquet", arm="regression", mode=mode)
    assert found.models == ("ridge", "weak")


def test_many_columns_are_judged_by_some_rows() -> None:
    rng = np.random.default_rng(0)
    y = rng.normal(size=20_000)
    columns = {f"m{k}": y + rng.normal(size=len(y)) for k in range(200)} | {"zero": 0.0 * y}
    assert set(strange_columns(find_arm("regression"), [y], columns)) == {"zero"}
