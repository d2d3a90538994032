"""Rows of Spark tables, in one process and on a cluster that loses a worker."""

import os
import sys
import threading
import time
from datetime import date

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from cluster import cluster, session
from parity import ARMS, check_exact, check_grid, for_arm, make
from spark_states import Names, Pairs, Sums, killed

import roctopus as rt
from roctopus.core.errors import InputError, MissingDependencyError
from roctopus.engines import spark as module
from roctopus.engines.spark import SparkSource

pytestmark = [
    pytest.mark.xdist_group("spark"),  # one process: sessions and clusters take seconds to start
    # PySpark checks for pandas before every mapInArrow, and warns of the newest; none is used.
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
    # PySpark 4.0 leaves the sockets open through which it collects.
    pytest.mark.filterwarnings("ignore:unclosed <socket.socket.*127.0.0.1:ResourceWarning"),
]

FILES, ROWS = 8, 3_000
COLUMNS = ["score", "label", "weight"]


def quiet(rows):
    """Hear how many rows are done, and do nothing."""


@pytest.fixture(scope="module")
def spark_cluster():
    with cluster() as made:
        yield made


@pytest.fixture(scope="module", params=["local[2]"])
def spark(request):
    """Return a session; a process has one at a time, so tests on the cluster come last."""
    on_cluster = request.param == "cluster"
    master = request.getfixturevalue("spark_cluster").url if on_cluster else request.param
    # Small splits: several tasks, and some without rows.
    options = {"spark.sql.files.maxPartitionBytes": "40000", "spark.sql.shuffle.partitions": "4"}
    with session(master, **options) as made:
        yield made


def on_cluster(test):
    """Run a test on the cluster; quick runs and the run on the lowest versions leave these out."""
    slow = pytest.mark.slow(reason="starts a Spark master, two workers and their executors")
    there = pytest.mark.parametrize("spark", ["cluster"], indirect=True)
    return pytest.mark.cluster(slow(there(test)))


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(7)
    size = FILES * ROWS
    label = rng.integers(0, 2, size).astype(float)
    return {
        "score": np.round(rng.normal(label, 1.0, size), 1),  # heavy ties
        "label": label,
        "weight": rng.lognormal(0.0, 3.0, size),
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("cases")
    for number in range(FILES):
        part = slice(number * ROWS, (number + 1) * ROWS)
        pq.write_table(
            pa.table({name: column[part] for name, column in data.items()}),
            folder / f"{number}.parquet",
            compression="none",
        )
    return str(folder)


@pytest.fixture
def source(spark, folder):
    return SparkSource(spark.read.parquet(folder), name="cases")


@pytest.fixture
def small_ranges(monkeypatch):
    monkeypatch.setattr(module, "PER_RANGE", 3_000)


def table(spark, rows, schema):
    return SparkSource(spark.createDataFrame(rows, schema), name="cases")


def area(data):
    """Return the weight of pairs, straight from its definition, one score at a time."""
    total = 0.0
    zero, score, weight = data["label"] == 0, data["score"], data["weight"]
    for each in np.unique(score):
        ones = weight[~zero & (score == each)].sum()
        below, tied = weight[zero & (score < each)].sum(), weight[zero & (score == each)].sum()
        total += ones * (below + tied / 2)
    return total


def test_says_what_there_is(source, data):
    assert source.names() == COLUMNS
    assert source.rows() == FILES * ROWS
    pilot = source.pilot(["weight", "label"], 100)
    assert list(pilot) == ["weight", "label"]
    assert len(pilot["weight"]) == 100
    assert np.isin(pilot["weight"], data["weight"]).all()


def test_reduce_is_numpy(source, data):
    told = []
    start = Sums(COLUMNS)
    found = source.reduce(COLUMNS, start, told.append)
    assert found.rows == told[0] == FILES * ROWS
    assert len(told) == 1
    assert start.rows == 0
    np.testing.assert_allclose(found.sums, [data[name].sum() for name in COLUMNS], rtol=1e-12)
    again = source.reduce(COLUMNS, start, quiet)
    assert again.sums.tobytes() == found.sums.tobytes()


@pytest.mark.parametrize("copies", [1, 2])
def test_ordered_is_numpy(source, data, small_ranges, copies):
    told = []
    found = source.ordered(COLUMNS, Pairs(copies), told.append)
    assert told == [FILES * ROWS]
    assert found.merges > 3
    np.testing.assert_allclose(found.pairs, copies**2 * area(data), rtol=1e-12)


def test_ordered_forgets_how_rows_came(spark, source, small_ranges):
    found = source.ordered(COLUMNS, Pairs(), quiet)
    shuffled = SparkSource(source.frame.repartition(5, "weight"))
    assert shuffled.ordered(COLUMNS, Pairs(), quiet).results.tobytes() == found.results.tobytes()
    one = SparkSource(source.frame.orderBy("weight").coalesce(1))
    assert one.ordered(COLUMNS, Pairs(), quiet).results.tobytes() == found.results.tobytes()


def test_few_different_rows_are_spread_too(spark, monkeypatch):
    monkeypatch.setattr(module, "SAMPLED", 100)
    monkeypatch.setattr(module, "PER_RANGE", 1_000)
    columns = ["double(id % 20) score", "double(id % 2) label", "double(1) weight"]
    source = SparkSource(spark.range(20_000).selectExpr(*columns))
    found = source.ordered(COLUMNS, Pairs(), quiet)
    assert found.merges > 10
    assert found.pairs == sum(1_000 * 1_000 for one in range(1, 20, 2) for _ in range(0, one, 2))


def test_without_rows(spark, source):
    empty = SparkSource(source.frame.where("score > 1e9"))
    assert empty.reduce(COLUMNS, Sums(COLUMNS), quiet).rows == 0
    assert empty.ordered(COLUMNS, Pairs(), quiet).merges == 0
    assert len(empty.pilot(COLUMNS, 5)["score"]) == 0


def test_kinds_of_columns(spark):
    rows = [(1, None, "high", " 2.5"), (0, 4.0, "low", None)] * 3
    source = table(spark, rows, "flag int, `odd.name` double, name string, written string")
    found = source.reduce(["flag", "odd.name"], Sums(["flag", "odd.name"]), quiet)
    assert (found.missing, found.sums.tolist()) == (3, [3.0, 12.0])
    assert source.reduce(["name"], Names("name"), quiet).counts == {"high": 3, "low": 3}
    assert source.reduce(["written"], Sums(["written"]), quiet).sums.tolist() == [7.5]


def test_refuses_with_a_sentence(spark, source):
    with pytest.raises(InputError, match=r"'cases' has no column 'scor'. Did you mean 'score'?"):
        source.reduce(["scor"], Sums(["scor"]), quiet)
    days = table(spark, [(date(2026, 1, 1), "x")], "day date, text string")
    with pytest.raises(
        InputError, match="The column 'day' must contain numbers, but its type is date"
    ):
        days.ordered(["day"], Pairs(), quiet)
    holes = SparkSource(spark.createDataFrame([("a",), (None,)], "text string").coalesce(1))
    with pytest.raises(InputError, match=r"'text' has no value in row .* of Spark's partition"):
        holes.reduce(["text"], Names("text"), quiet)


def test_what_a_state_refuses_reaches_the_driver(spark, monkeypatch):
    monkeypatch.setattr(module, "SAMPLED", 100)
    monkeypatch.setattr(module, "ENOUGH", 1)
    columns = ["double(id) score", "double(if(id = 77, 3, id % 2)) label", "double(1) weight"]
    source = SparkSource(spark.range(20_000).selectExpr(*columns))
    with pytest.raises(InputError, match=r"The column 'label' must hold 0 and 1"):
        source.ordered(COLUMNS, Pairs(), quiet)


def test_needs_a_spark_table_and_spark(monkeypatch):
    with pytest.raises(InputError, match="must be a Spark DataFrame, but are of the type 'dict'"):
        SparkSource({})
    monkeypatch.setitem(sys.modules, "pyspark", None)
    with pytest.raises(MissingDependencyError, match=r"roctopus\[spark\].*openjdk"):
        SparkSource({})


class Killer(threading.Thread):
    """Kills the worker of the third task that begins: of two at a time, at least one is done."""

    def __init__(self, made, folder):
        super().__init__(daemon=True)
        self.made, self.folder = made, folder

    def run(self):
        end = time.monotonic() + 60
        while len(traces := list(self.folder.iterdir())) < 3 and time.monotonic() < end:
            time.sleep(0.01)
        newest = max(traces, key=lambda trace: trace.stat().st_mtime_ns)
        while not (where := newest.read_text()):
            pass
        self.made.kill_worker(where)
        killed(self.folder).touch()


@on_cluster
@pytest.mark.parametrize("how", ["reduce", "ordered"])
def test_a_worker_that_dies_changes_no_digit(
    spark, spark_cluster, source, data, small_ranges, tmp_path, how
):
    spark_cluster.bring_workers(2)

    def found(traces):
        if how == "reduce":
            return source.reduce(COLUMNS, Sums(COLUMNS, traces), quiet).sums
        return source.ordered(COLUMNS, Pairs(1, traces), quiet).results

    calm = found(None)
    expected = [data[name].sum() for name in COLUMNS] if how == "reduce" else [area(data)]
    np.testing.assert_allclose(calm[: len(expected)], expected, rtol=1e-12)
    killer = Killer(spark_cluster, tmp_path)
    killer.start()
    assert found(str(tmp_path)).tobytes() == calm.tobytes()
    killer.join()
    tasks = [name.split("-")[0] for name in os.listdir(tmp_path)]
    assert len(tasks) > len(set(tasks)), "no task was lost: the worker was killed too late"


@on_cluster
def test_sentences_come_from_a_cluster_too(spark):
    rows = [(float(k), float(k), "1") for k in range(40)] + [(1.0, 2.0, "x")]
    frame = spark.createDataFrame(rows, "y double, a double, b string").repartition(1)
    with pytest.raises(InputError, match=r"The column 'b' must contain numbers, but contains text"):
        rt.compare("y", frame, arm="regression", models=["a", "b"], mode="grid")


OTHER_ARMS = [arm for arm in ARMS if arm != "regression"]


def elsewhere(arm):
    """Leave an arm to thorough runs: all are compared in one process, and one on the cluster."""
    reason = "the other arms on a Spark cluster"
    return pytest.param(arm, marks=pytest.mark.thorough(reason=reason))


def parity_frame(spark, folder, kind, arm):
    """Write the data of an arm to files, some without rows, and read them with Spark."""
    columns = for_arm(make(kind, 3000), arm, kind)
    columns["w"] = np.random.default_rng(3).integers(0, 4, 3000).astype(float)
    whole = pa.table(columns)
    for number, (begin, end) in enumerate(((0, 1000), (1000, 1000), (1000, 3000))):
        pq.write_table(whole.slice(begin, end - begin), folder / f"{number}.parquet")
    return columns, spark.read.parquet(str(folder))


@pytest.mark.parametrize("arm", ARMS)
@pytest.mark.filterwarnings("ignore::roctopus.core.errors.RoctopusWarning")
def test_comparisons_equal_memory(spark, tmp_path, arm):
    columns, frame = parity_frame(spark, tmp_path, "ties", arm)
    check_exact(frame, columns, arm, "ties", sorted_for=["a"])
    check_grid(frame, columns, arm, "ties")


@on_cluster
@pytest.mark.parametrize("arm", ["regression", *(elsewhere(arm) for arm in OTHER_ARMS)])
@pytest.mark.filterwarnings("ignore::roctopus.core.errors.RoctopusWarning")
def test_comparisons_on_a_cluster_equal_memory(spark, spark_cluster, tmp_path, arm):
    spark_cluster.bring_workers(2)
    kind = "offset" if arm in ("regression", "cutoff") else "tails"
    columns, frame = parity_frame(spark, tmp_path, kind, arm)
    check_exact(frame, columns, arm, kind, sorted_for=["b"])
