"""Rows and columns: weights and clusters matched by id, missing predictions, names."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from small import MODELS, N, Y

import roctopus as rt


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame])
def test_weights_and_clusters_are_matched_by_id_too(kind):
    rng = np.random.default_rng(1)
    columns = {"id": np.arange(N), **MODELS, "w": rng.random(N) + 0.5, "g": np.arange(N) // 4}
    truth = kind({"id": columns["id"], "y": Y})
    order = rng.permutation(N)
    found = [
        rt.compare(
            truth,
            kind({name: each[rows] for name, each in columns.items()}),
            id="id",
            sample_weight="w",
            clusters="g",
            arm="regression",
        ).decide(asymmetry=0.3)
        for rows in (np.arange(N), order)
    ]
    assert found[0].in_sample == pytest.approx(found[1].in_sample, rel=1e-12)
    assert found[0].value == pytest.approx(found[1].value, rel=1e-12)
    with pytest.raises(rt.InputError, match="'w' has no value for 1 of the 80 cases"):
        rt.compare(
            truth,
            kind({name: each[1:] for name, each in columns.items()}),
            id="id",
            sample_weight="w",
            arm="regression",
            missing="common",
        )


def test_prevalence_with_missing_predictions():
    rng = np.random.default_rng(0)
    y = (rng.random(200) < 0.5).astype(int)
    p = {m: np.clip(0.5 + 0.3 * (y - 0.5) + 0.2 * rng.normal(size=200), 0, 1) for m in "ab"}
    holes = {m: each.copy() for m, each in p.items()}
    lost = np.flatnonzero(y)[:60]
    holes["a"][lost] = np.nan
    kept = np.setdiff1d(np.arange(200), lost)
    with pytest.warns(rt.RoctopusWarning, match="has no prediction"):
        found = rt.compare(y, holes, arm="probability", prevalence=0.1, missing="common")
    plain = rt.compare(
        y[kept], {m: each[kept] for m, each in p.items()}, arm="probability", prevalence=0.1
    )
    mine, its = (c.decide(cost_proportion=0.2) for c in (found, plain))
    assert mine.in_sample == pytest.approx(its.in_sample)
    assert mine.in_sample == pytest.approx(found.envelope.at(0.2))


def test_names_of_columns_and_models():
    numbered = pd.DataFrame({0: MODELS["a"], 1: MODELS["b"]})
    assert rt.compare(Y, numbered, arm="regression").models == ("0", "1")
    with pytest.raises(rt.InputError, match="have the same name as text"):
        rt.compare(Y, pd.DataFrame({1: Y, "1": Y}), arm="regression")
    with pytest.raises(rt.InputError, match="several columns called 'a'"):
        rt.compare(Y, pd.DataFrame(np.c_[Y, Y], columns=["a", "a"]), arm="regression")
    strange = {"y_true": MODELS["a"], "": MODELS["b"], "nan": MODELS["c"]}
    decision = rt.compare(Y, strange, arm="regression").decide(asymmetry=0.5)
    assert rt.Decision.from_json(decision.to_json()) == decision
    assert rt.compare(Y, MODELS, arm="regression", models="a").models == ("a",)
    lazy = pl.LazyFrame(MODELS)
    assert isinstance(rt.compare(Y, lazy, arm="regression").table(asymmetry=0.5), pl.DataFrame)
