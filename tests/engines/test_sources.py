"""What goes wrong with sources ends in one sentence, and leaves nothing behind."""

import subprocess
import tempfile

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from parity import Batches

import roctopus as rt
from roctopus.core.errors import InputError, RoctopusWarning
from roctopus.engines import sorting
from roctopus.engines.sources import read_memory
from roctopus.impact import LinearUtility, value_times_price
from roctopus.scanning import LargeComparison


def columns(size=400, seed=0, **more):
    rng = np.random.default_rng(seed)
    y = rng.gamma(2.0, 1.0, size)
    found = {"y": y, "a": y + rng.normal(size=size), "b": y + 2.0 * rng.normal(size=size)}
    return found | more


def write(folder, *tables):
    folder.mkdir(exist_ok=True)
    for number, each in enumerate(tables):
        pq.write_table(each if isinstance(each, pa.Table) else pa.table(each),
                       folder / f"part-{number}.parquet")  # fmt: skip
    return folder


def scan(source, **more):
    return rt.compare(
        "y", source, **{"models": ["a", "b"], "arm": "regression", "mode": "grid", **more}
    )


def refused(source, words, **more):
    with pytest.raises(InputError, match=words):
        scan(source, **more)


@pytest.fixture
def folder(tmp_path):
    return write(tmp_path / "cases", columns(), columns(seed=1))


def test_what_fits_is_compared_in_memory(folder):
    found = rt.compare("y", folder, arm="regression")
    assert not isinstance(found, LargeComparison)
    assert found.models == ("a", "b")
    assert found.cases == 800
    small = rt.compare("y", folder, arm="regression", memory="64MB", mode="grid")
    assert isinstance(small, LargeComparison)


def test_paths_datasets_and_relations_are_the_same(folder):
    with duckdb.connect() as connection:
        relation = connection.sql(f"SELECT * FROM read_parquet('{folder}/*.parquet')")
        sources = [str(folder), folder, ds.dataset(folder), relation]
        found = [scan(each).decide(asymmetry=0.7) for each in sources]
    assert {(each.model, each.knob, each.data, each.cases) for each in found} == {
        (found[0].model, found[0].knob, found[0].data, 800)
    }
    for each in found:
        assert each.in_sample == pytest.approx(found[0].in_sample, rel=1e-12)


def test_columns_that_are_not_there(folder):
    refused(folder, "has no column 'c'. Its columns: 'y', 'a', 'b'", models=["a", "c"])
    refused(folder, "has no column 'w'", sample_weight="w")
    with pytest.raises(InputError, match="'y_true' must be the name of a column"):
        rt.compare(np.zeros(3), folder, arm="regression", mode="grid")


def test_files_that_differ(tmp_path):
    drift = write(tmp_path / "drift", columns(), {"y": [1.0], "a": [2.0]})
    refused(drift, r"part-1.parquet' has no column 'b'")
    mixed = write(tmp_path / "mixed", columns(), {"y": [1.0], "a": ["many"], "b": [1.0]})
    refused(mixed, "The column 'a' must contain numbers, but contains text, such as 'many'")
    whole = write(tmp_path / "whole", columns(), {"y": [1, 2], "a": [True, False], "b": [3, 4]})
    assert scan(whole).cases == 402  # whole numbers among doubles are numbers


def test_parts_without_rows_change_nothing(tmp_path):
    some = pa.table(columns())
    parts = write(tmp_path / "parts", some.slice(0, 0), some, some.slice(0, 0))
    assert scan(parts).decide(asymmetry=0.5).cases == 400
    nothing = write(tmp_path / "nothing", some.slice(0, 0))
    refused(nothing, "has no rows")


def test_the_file_that_cannot_be_read_is_named(folder):
    whole = (folder / "part-1.parquet").read_bytes()
    (folder / "part-1.parquet").write_bytes(whole[: len(whole) // 2])
    refused(folder, r"part-1.parquet.*cannot be read")
    (folder / "part-1.parquet").write_bytes(b"PAR1 is how it begins")
    refused(folder, r"part-1.parquet.*cannot be read")


@pytest.mark.parametrize("kind", ["files", "duckdb", "batches"])
def test_missing_numbers_are_counted_alike(tmp_path, kind):
    data = columns()
    data["a"][[3, 50]] = np.nan
    data["b"][[50, 60, 70]] = np.nan
    with duckdb.connect() as connection:
        whole = pa.table(data)
        connection.register("cases", whole)
        source = {
            "files": lambda: write(tmp_path / "f", whole.slice(0, 55), whole.slice(55)),
            "duckdb": lambda: connection.sql("SELECT * FROM cases"),
            "batches": lambda: Batches(data, 9),
        }[kind]()  # fmt: skip
        told = (
            "Model 'a' has no prediction in 2 of 400 rows, 'b' in 3. "
            "Use missing='common' to compare on the 396"
        )
        refused(source, told)
        with pytest.warns(RoctopusWarning, match="compared on the 396 rows that they share"):
            found = scan(source, missing="common").decide(asymmetry=0.5)
        assert found.cases == 396
    with pytest.raises(InputError, match=told):
        rt.compare("y", pa.table(data), arm="regression")


def test_numbers_that_are_wrong_are_counted():
    empty = columns(a=np.full(400, np.nan))
    refused(Batches(empty, 50), "Model 'a' has no predictions at all")
    truth = columns()
    truth["y"][7] = np.nan
    refused(Batches(truth, 50), "In 1 of 400 rows, the column 'y' has no value")
    wild = columns()
    wild["b"][:3] = np.inf
    refused(Batches(wild, 50), "In 3 of 400 rows, the column 'b' is infinite")
    heavy = columns(w=np.full(400, -1.0))
    refused(Batches(heavy, 50), "In 400 of 400 rows, the column 'w' is negative", sample_weight="w")
    absent = columns(w=np.zeros(400))
    refused(Batches(absent, 50), "No row .* has a weight above 0", sample_weight="w")
    with pytest.raises(InputError, match="'a' is not between 0 and 1"):
        rt.compare("y", Batches(columns(y=np.arange(400) % 2.0), 50), models=["a"],
                   arm="probability", mode="grid")  # fmt: skip
    one = {"y": np.ones(50), "a": np.linspace(0, 1, 50)}
    with pytest.raises(InputError, match="only one class"):
        rt.compare("y", Batches(one, 9), arm="probability", mode="grid")


def test_what_only_memory_can_do_is_refused(folder):
    refused(folder, "'clusters' needs all rows in memory", clusters="a", models=["b"])
    refused(folder, "missing='pairwise' needs all rows", missing="pairwise")
    with pytest.raises(InputError, match="'utility' must be a function, such as value_times_price"):
        scan(folder, arm="impact", utility=LinearUtility([1.0], 2.0))
    limited = scan(folder, arm="impact", utility=value_times_price, at_most=100, mode="exact")
    with pytest.raises(InputError, match="limits on how many cases are accepted"):
        limited.decide(theta=1.0)
    with pytest.raises(InputError, match="'mode' can only be used for data that are read in parts"):
        rt.compare([1, 2], {"a": [1, 2]}, arm="regression", mode="grid")
    refused(folder, "'mode' must be 'grid' or 'exact'", mode="fast")


@pytest.mark.parametrize("memory", ["1MB", "much", -3, True])
def test_memory_must_make_sense(folder, memory):
    refused(folder, "'memory' must be", memory=memory)
    assert read_memory("1.5 GiB") == 3 << 29


def test_labels_in_text_and_odd_names(tmp_path):
    data = columns(600)
    name = 'grade "of" it.x'
    data[name] = np.array(["low", "mid", "high"])[np.digitize(data["y"], [1.0, 3.0])]
    labels = ["low", "mid", "high"]
    memory = rt.compare(data[name], {"a": data["a"]}, arm="ordinal", labels=labels)
    with duckdb.connect() as connection:
        connection.register("cases", pa.table(data))
        for source in (write(tmp_path / "f", data), connection.table("cases")):
            found = rt.compare(
                name, source, models=["a"], arm="ordinal", labels=labels, mode="exact"
            )
            decided = found.decide(costs=[1, 2, 3])
            assert decided.in_sample == pytest.approx(memory.decide(costs=[1, 2, 3]).in_sample)
    with pytest.raises(InputError, match="Use 'labels' to list the classes in order"):
        rt.compare(name, Batches(data, 90), models=["a"], arm="ordinal", mode="grid")
    with pytest.raises(InputError, match="contains values that are not in 'labels', such as"):
        rt.compare(name, Batches(data, 90), models=["a"], arm="ordinal", labels=labels[:2],
                   mode="grid")  # fmt: skip


def test_text_files_and_partitions(tmp_path):
    data = pa.table(columns())
    for year in (2025, 2026):
        part = tmp_path / "years" / f"year={year}"
        part.mkdir(parents=True)
        pq.write_table(data, part / "cases.parquet")
    assert scan(tmp_path / "years").cases == 800
    pyarrow.csv.write_csv(data, tmp_path / "cases.csv")
    found = scan(tmp_path / "cases.csv").decide(asymmetry=0.6)
    assert found.in_sample == pytest.approx(
        scan(Batches(columns(), 400)).decide(asymmetry=0.6).in_sample
    )


def test_sorting_that_runs_out_of_room_leaves_nothing(tmp_path, monkeypatch):
    spill = tmp_path / "spill"
    spill.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(spill)], check=False
    ).returncode
    assert mounted == 0, "this test needs a small file system, and the right to mount one"
    try:
        size = 4_000_000
        rng = np.random.default_rng(0)
        data = {"y": rng.normal(size=size), "a": rng.normal(size=size)}
        source = write(tmp_path / "many", data)
        found = rt.compare(
            "y", source, arm="cutoff", mode="exact", memory="64MB", spill=str(spill), progress=False
        )
        with pytest.raises(InputError, match=r"could not be sorted|not enough to sort"):
            found.measures("a")
        assert list(spill.iterdir()) == []
    finally:
        subprocess.run(["umount", str(spill)], check=True)


def test_a_failing_sort_removes_its_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    class Broken:
        def records(self, batch):
            return {"key": batch["y"]}

        def advance(self, records):
            raise InputError("enough")

    batches = [{"y": np.arange(5.0)}, {"y": np.arange(5.0)}]
    with pytest.raises(InputError, match="enough"):
        sorting.advance_sorted(batches, Broken(), lambda rows: None, memory=1 << 28)
    assert list(tmp_path.iterdir()) == []


def test_rows_out_of_order_are_noticed():
    with pytest.raises(RuntimeError, match="out of order"):
        list(sorting.whole_groups([{"key": np.array([1.0, 2.0])}, {"key": np.array([1.5])}]))
    chunks = [
        {"key": np.array([1.0, 2.0])},
        {"key": np.array([2.0, 2.0])},
        {"key": np.array([3.0])},
    ]
    assert [len(each["key"]) for each in sorting.whole_groups(chunks)] == [1, 3, 1]


def test_decisions_agree_with_memory():
    data = columns(40_000, w=np.random.default_rng(5).integers(1, 4, 40_000).astype(float))
    models = {"a": data["a"], "b": data["b"]}
    memory = rt.compare(data["y"], models, arm="regression", sample_weight=data["w"])
    large = scan(Batches(data, 7000), sample_weight="w", mode="exact")
    for context in (
        {"asymmetry": 0.8},
        {"under_cost": 9.0, "over_cost": 1.0},
        {"between": (0.3, 0.9)},
        {"between": (0.3, 0.9), "criterion": "regret"},
        {"distribution": rt.Uniform(0.2, 0.9)},
    ):
        mine, its = memory.decide(**context), large.decide(**context)
        assert its.model == mine.model
        assert its.verdict == mine.verdict
        assert its.candidates == mine.candidates
        assert list(its.beside) == list(mine.beside)
        for name, each in mine.beside.items():
            assert its.beside[name].value == pytest.approx(each.value, rel=1e-3)
        assert its.in_sample == pytest.approx(mine.in_sample, rel=1e-11, abs=1e-12)
        assert its.knob == pytest.approx(mine.knob, rel=1e-9)
        width = mine.high - mine.low
        assert abs(its.value - mine.value) < 0.02 * width + 1e-6
        if mine.criterion != "worst":  # both ends are equally bad, and either may be the worse
            assert its.high - its.low == pytest.approx(width, rel=0.01, abs=1e-6)
        assert its.margin == pytest.approx(mine.margin, rel=0.01)
    table = large.table(asymmetry=0.8, backend="pandas")
    assert list(table.columns) == list(memory.table(asymmetry=0.8, backend="pandas").columns)
    regions = large.regions()
    assert (regions[0].low, regions[-1].high) == (0.0, 1.0)
    assert {region.model for region in regions} == {region.model for region in memory.regions()}


def test_standard_errors_are_those_of_memory():
    data = columns(3000, w=np.random.default_rng(5).lognormal(size=3000))
    large = scan(Batches(data, 170), sample_weight="w", mode="exact")
    problem, aim = large.aim(None, None, None, {"asymmetry": 0.8})
    learned, honest = large.learned(problem, aim)
    # At a fixed shift the loss is a mean: its standard error has a formula.
    for model in ("a", "b"):
        plain = rt.estimate(
            rt.asymmetric_absolute_error, data["y"], data[model] + learned.knobs[model].chosen[0],
            asymmetry=0.8, sample_weight=data["w"],
        )  # fmt: skip
        assert learned.scores[model] == pytest.approx(plain.value, rel=1e-11)
        assert honest.models[model].standard_error == pytest.approx(plain.standard_error, rel=0.02)
    assert honest.untuned.size == 3000
    untuned = rt.estimate(
        rt.asymmetric_absolute_error, data["y"], data["a"], asymmetry=0.8, sample_weight=data["w"]
    )
    assert honest.untuned.value == pytest.approx(untuned.value, rel=1e-11)
    assert honest.untuned.standard_error == pytest.approx(untuned.standard_error, rel=1e-9)
    ends, expected = honest.untuned.confidence_interval(), untuned.confidence_interval()
    assert tuple(ends) == pytest.approx(tuple(expected), rel=1e-9)


def test_a_large_comparison_says_what_it_is(folder):
    found = scan(folder)
    assert "800 cases of" in repr(found)
    drawn = found.plot(context=0.7)
    assert {text.get_text() for text in drawn.ax_.texts} >= {"a", "b"}
    with pytest.raises(InputError, match="'measures' names 'x'"):
        found.table(measures=["x"])
