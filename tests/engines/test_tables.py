"""Tables of the same rows, in memory and beyond: what has the same name is the same number."""

import numpy as np
import pytest
from parity import ARMS, MODELS, Batches, beyond, for_arm, in_memory, make, question

import roctopus as rt

pytestmark = pytest.mark.filterwarnings("ignore::roctopus.core.errors.RoctopusWarning")
SPLIT = {"cost", "gain", "low", "high", "chance"}
"""Columns that depend on how rows are split: five folds in memory, two halves beyond."""


def tables(columns, arm, kind, mode, **asked):
    memory = in_memory(columns, arm, kind)
    large = beyond(Batches(columns, 700), columns, arm, kind, mode)
    return [
        {name: np.asarray(table[name]) for name in table.column_names}
        for table in (each.table(backend="pyarrow", **asked) for each in (memory, large))
    ]


@pytest.mark.parametrize("arm", ARMS)
@pytest.mark.parametrize("kind", ["plain", "ties", "weights", "offset"])
def test_shared_columns_are_the_same_numbers(arm, kind):
    columns = for_arm(make(kind, size=2000), arm, kind)
    memory, large = tables(columns, arm, kind, "exact", measures="all", **question(arm, kind)[2])
    order = [memory["model"].tolist().index(model) for model in large["model"].tolist()]
    assert sorted(order) == list(range(len(order)))
    assert large["baseline"].tolist() == [False, False] + [True] * (len(order) - 2)
    shared = memory.keys() & large.keys() - SPLIT - {"model"}
    beyond_measures = set(beyond(Batches(columns, 700), columns, arm, kind, "grid").measures("a"))
    assert beyond_measures <= shared
    for name in shared:
        np.testing.assert_allclose(memory[name][order], large[name], rtol=1e-10, err_msg=name)


@pytest.mark.parametrize("arm", sorted(set(ARMS) - {"impact"}))
def test_bounds_are_not_named_like_intervals(arm):
    """``_low`` and ``_high`` are a confidence interval; bounds of a scan are something else."""
    columns = for_arm(make("plain", size=2000), arm, "plain")
    memory, large = tables(columns, arm, "plain", "grid", measures="all")
    for name in set(large) - {"model"}:
        if not name.endswith(("_at_least", "_at_most")):
            slack = 1e-12 * np.abs(memory[name])  # sums are added in another order
            assert np.all(large[f"{name}_at_least"] <= memory[name] + slack)
            assert np.all(memory[name] - slack <= large[f"{name}_at_most"])
            assert not {f"{name}_low", f"{name}_lower"} & set(large)


@pytest.mark.parametrize("size", [1e150, 1e160, 1e200, 1e300])
@pytest.mark.parametrize("spread", [1.0, 0.0])
def test_far_errors_give_what_memory_gives(size, spread):
    rng = np.random.default_rng(0)
    truth = rng.normal(size=500)
    errors = {"a": spread * rng.normal(size=500) + 1.0, "b": rng.normal(size=500) ** 3}
    columns = {"y": truth, **{name: truth + size * each for name, each in errors.items()}}
    large = beyond(Batches(columns, 70), columns, "regression", "plain", "grid")
    for model in MODELS:
        found = large.measures(model)["rroc_area_over_curve"]
        expected = rt.rroc_area_over_curve(truth, columns[model], normalize=True)
        np.testing.assert_allclose(found, expected, rtol=1e-10)
