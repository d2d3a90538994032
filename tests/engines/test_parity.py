"""Files, DuckDB and plain batches give what memory gives: exactly, or within certified bounds."""

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from parity import (
    ARMS,
    Batches,
    Shifted,
    beyond,
    check_bounds,
    check_exact,
    check_grid,
    for_arm,
    in_memory,
    make,
)

from roctopus.engines import arrow
from roctopus.impact import value_minus_cutoff

KINDS = ["ties", "weights", "offset", "tails"]
pytestmark = pytest.mark.filterwarnings("ignore::roctopus.core.errors.RoctopusWarning")
every_arm = pytest.mark.parametrize("arm", ARMS)


@pytest.fixture(scope="module", params=KINDS)
def kind(request):
    return request.param


@pytest.fixture(scope="module")
def data(kind):
    return make(kind)


@every_arm
@pytest.mark.parametrize("rows", [700, 1 << 16])
def test_files_equal_memory(kind, data, arm, rows, tmp_path, monkeypatch):
    columns = for_arm(data, arm, kind)
    table = pa.table(columns)
    for number, begin in enumerate((0, 100, 100, 4000)):  # the third has no rows
        end = (100, 100, 4000, len(table))[number]
        part = table.slice(begin, end - begin)
        pq.write_table(part, tmp_path / f"{number}.parquet", row_group_size=900)
    monkeypatch.setattr(arrow, "ROWS", rows)
    source = ds.dataset(tmp_path)
    check_exact(source, columns, arm, kind)
    if rows < 1000:
        check_grid(source, columns, arm, kind, buckets=256)


@every_arm
def test_duckdb_under_a_limit_equals_memory(kind, data, arm):
    columns = for_arm(data, arm, kind)
    with duckdb.connect(config={"memory_limit": "256MB"}) as connection:
        connection.register("cases", pa.table(columns))
        source = connection.sql("SELECT * FROM cases")
        check_exact(source, columns, arm, kind, memory="256MB")
        check_grid(source, columns, arm, kind, memory="256MB")


@pytest.mark.newest
@every_arm
def test_batches_and_their_order_change_nothing(kind, data, arm):
    columns = for_arm(data, arm, kind)
    shuffled = np.random.default_rng(1).permutation(len(columns["y"]))
    other = {name: each[shuffled] for name, each in columns.items()}
    one = check_exact(Batches(columns, 6000), columns, arm, kind)
    two = check_exact(Batches(other, 350), columns, arm, kind)
    assert one.knob == pytest.approx(two.knob, rel=1e-12)
    # Halves are drawn by place, so honest values differ, by less than they are uncertain.
    assert abs(one.value - two.value) <= 0.5 * (one.high - one.low)


@pytest.mark.newest
@every_arm
def test_a_bad_first_sample_costs_resolution_only(kind, data, arm):
    columns = for_arm(data, arm, kind)
    check_grid(Shifted(columns, 500), columns, arm, kind)
    check_exact(Shifted(columns, 500), columns, arm, kind)


def difficult(draw, size):
    """Draw numbers with ties, offsets, and values of very different size."""
    scale = draw(st.sampled_from([1.0, 1e-9, 1e6]))
    offset = draw(st.sampled_from([0.0, 1e12, -3.0]))
    steps = draw(st.lists(st.integers(-6, 6), min_size=size, max_size=size))
    wild = draw(st.lists(st.sampled_from([1.0, 1.0, 1.0, 1e3]), min_size=size, max_size=size))
    return offset + scale * np.array(steps, dtype=float) * np.array(wild)


@st.composite
def samples(draw):
    size = draw(st.integers(4, 40))
    whole = [draw(st.lists(st.integers(0, 2), min_size=size - 3, max_size=size - 3))]
    columns = {"y": difficult(draw, size), "a": difficult(draw, size), "b": difficult(draw, size)}
    columns["grade"] = np.array([0, 1, 2, *whole[0]], dtype=float)
    columns["label"] = (columns["grade"] > 0).astype(float)
    if draw(st.booleans()):
        weights = st.sampled_from([0.25, 1.0, 3.0])
        columns["w"] = np.array(draw(st.lists(weights, min_size=size, max_size=size)))
    return columns


@pytest.mark.newest
@every_arm
@given(
    columns=samples(),
    batch=st.integers(1, 9),
    buckets=st.sampled_from([16, 64, 4096]),
    pilot=st.sampled_from([Batches, Shifted]),
)
@settings(deadline=None)
def test_bounds_hold_the_truth_and_exact_is_exact_always(arm, columns, batch, buckets, pilot):
    columns = for_arm(columns, arm, "any")
    memory = in_memory(columns, arm, "any")
    large = beyond(pilot(columns, batch), columns, arm, "any", "grid", buckets=buckets)
    check_bounds(memory, large, columns, arm, "any")
    check_exact(Batches(columns, batch), columns, arm, "any", buckets=buckets)


def test_rounding_makes_no_setting_of_its_own():
    y = np.array([0.0] * 14 + [-1e-9] * 4 + [0.0])
    columns = {"y": y, "a": np.zeros(19), "b": np.array([0.0] * 18 + [1.0])}
    check_grid(Batches(columns, 1), columns, "regression", "any", buckets=16)


def test_offers_at_any_cutoff_have_bounds_on_both_sides():
    columns = make("ties", 900)
    memory = in_memory_with(columns)
    large = large_with(columns)
    check_bounds(memory, large, columns, "impact", "ties")


def in_memory_with(columns):
    import roctopus as rt

    models = {name: columns[name] for name in ("a", "b")}
    return rt.compare(columns["y"], models, arm="impact", utility=value_minus_cutoff)


def large_with(columns):
    import roctopus as rt

    return rt.compare(
        "y", Batches(columns, 100), models=["a", "b"], arm="impact", mode="grid", buckets=64,
        utility=value_minus_cutoff,
    )  # fmt: skip
