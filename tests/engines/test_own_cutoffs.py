"""Rows that each have their own cutoff, beyond memory: a threshold on prediction − cutoff."""

import numpy as np
import pytest
from parity import Batches, dataset, large, memory

import roctopus as rt

COSTS = [(1.0, 1.0), (1.0, 4.0), (2.0, 0.5), (0.0, 3.0)]
NONE = (None, None, None, {})


def draw(seed, size=1500):
    """Return columns; those of every second seed are full of ties, some have infinite ones."""
    rng = np.random.default_rng(seed)
    y, c = rng.normal(size=(2, size))
    found = {
        "y": y,
        "a": 0.7 * y + 0.5 * rng.normal(size=size) + 0.3,
        "b": y + rng.normal(size=size),
        "c": 0.5 * c,
        "w": rng.integers(1, 4, size) * 1.0,
    }
    if seed % 2:  # eighths, so that differences have no rounding
        found = {name: np.round(8.0 * each) / 8.0 for name, each in found.items()}
    if seed % 3 == 2:
        found["a"][:50], found["b"][20:60] = np.inf, -np.inf
    return found


def both(columns, mode, weight="w", buckets=64, **options):
    mine = memory("y", columns, ["a", "b"], "cutoff", weight, context=columns["c"], **options)
    its = large(
        "y", dataset(columns), ["a", "b"], "cutoff", mode, weight, context="c", buckets=buckets,
        progress=False, **options,
    )  # fmt: skip
    return mine, its


@pytest.mark.parametrize("seed", range(12))
def test_margins_are_those_of_memory(seed):
    fp, fn = COSTS[seed % len(COSTS)]
    weight = "w" if seed % 5 else None
    columns = draw(seed)
    for mode in ("exact", "grid"):
        mine, its = both(columns, mode, weight, false_positive_cost=fp, false_negative_cost=fn)
        want, _ = mine.learned(*mine.aim(*NONE))
        found, _ = its.learned(*its.aim(*NONE))
        for name, score in want.scores.items():
            if mode == "exact":
                assert found.scores[name] == pytest.approx(score, rel=1e-12, abs=1e-14)
            else:
                assert found.scores[name] >= score - 1e-12
            raised = columns[name] + found.knobs[name].chosen
            wrong = (raised >= columns["c"]) != (columns["y"] >= columns["c"])
            costs = wrong * np.where(columns["y"] >= columns["c"], fn, fp)
            mass = None if weight is None else columns["w"]
            assert found.scores[name] == pytest.approx(np.average(costs, weights=mass), abs=1e-12)


def test_the_record_is_that_of_memory():
    found = both(draw(0, 4000), "exact", buckets=4096, false_negative_cost=4.0)
    mine, its = (each.decide() for each in found)
    assert its.data == mine.data
    assert its.knob_low == pytest.approx(mine.knob_low)
    assert its.context["contexts"] == "of each case"
    assert its.context["mean"] == pytest.approx(mine.context["mean"])
    assert its.in_words == mine.in_words
    assert its.value == pytest.approx(mine.value, abs=0.02)
    np.testing.assert_allclose(its.context["cells"], mine.context["cells"], atol=0.01)


def test_tables_and_other_questions():
    mine, its = both(draw(1), "grid")
    assert its.table(backend="pandas")["model"].tolist()[:2] == ["a", "b"]
    one = {"cutoff": 0.25}
    assert its.decide(**one).data == mine.decide(**one).data
    assert its.decide(**one).value != its.decide().value


def test_decimals_count_as_equal_where_only_rounding_parts_them():
    columns = {name: np.round(each, 1) for name, each in draw(0).items()}
    mine, its = both(columns, "exact", false_negative_cost=4.0)
    raised = np.round(10 * (columns["a"] - columns["c"])).astype(int)
    truth = columns["y"] >= columns["c"]
    best = min(
        np.average(np.where(raised >= cut, ~truth, 4.0 * truth), weights=columns["w"])
        for cut in range(raised.min(), raised.max() + 2)
    )
    assert its.learned(*its.aim(*NONE))[0].scores["a"] == pytest.approx(best, rel=1e-12)
    assert mine.learned(*mine.aim(*NONE))[0].scores["a"] <= best + 1e-12


def test_what_is_wrong_with_cutoffs_is_said():
    columns = draw(0, 200)
    columns["c"][3] = np.nan
    with pytest.raises(rt.InputError, match="In 1 of 200 rows, the column 'c' has no value"):
        large("y", Batches(columns, 50), ["a"], "cutoff", "grid", context="c")
    columns["c"][3] = np.inf
    with pytest.raises(rt.InputError, match="In 1 of 200 rows, the column 'c' is infinite"):
        large("y", Batches(columns, 50), ["a"], "cutoff", "grid", context="c")
    with pytest.raises(rt.InputError, match="'theta'"):
        large("y", dataset(draw(0, 200)), ["a"], "cutoff", "grid", context={"theta": "c"})
    with pytest.raises(rt.InputError, match="'context' needs all rows in memory"):
        large("y", dataset(draw(0, 200)), ["a"], "regression", "grid", context="c")
