"""Measures in a table are computed with everything that compare was given."""

import numpy as np
import pytest
from small import MODELS, N, Y, fresh

import roctopus as rt


def test_measures_know_what_compare_was_told():
    shop = np.arange(N) // 8
    plain, clustered = fresh(), fresh(clusters=shop)
    tables = [
        c.table(asymmetry=0.7, measures=["optimal_shift_error"], backend="pandas")
        for c in (plain, clustered)
    ]
    low = rt.estimate(
        rt.optimal_shift_error, Y, MODELS[tables[1]["model"][0]], asymmetry=0.7, clusters=shop
    ).confidence_interval()[0]
    assert tables[1]["optimal_shift_error_low"][0] == pytest.approx(low)
    assert tables[0]["optimal_shift_error_low"][0] != pytest.approx(low)
    costly = fresh("cutoff", false_positive_cost=9.0)
    table = costly.table(cutoff=0.1, measures=["cutoff_error"], backend="pandas")
    assert table["cutoff_error"].to_numpy() == pytest.approx(table["loss_in_sample"].to_numpy())


@pytest.mark.parametrize("names", [("low", "mid", "top"), (1, 2, 3), (0, 1, 2)])
def test_measures_of_ordered_classes_do_not_hang_on_their_names(names):
    rng = np.random.default_rng(3)
    code = rng.integers(0, 3, 60)
    grade = [names[k] for k in code]
    score = code + rng.normal(size=60)
    found = rt.compare(grade, {"a": score}, arm="ordinal", labels=list(names))
    table = found.table(measures=["volume_under_surface"], backend="pandas")
    assert table["volume_under_surface"].tolist() == [rt.volume_under_surface(code, score)]
    said = found.decide(costs=[5, 1, 2]).in_words
    assert f"on class {names[2]} costs 2; on {names[0]} 5, on {names[1]} 1" in said
