"""Every arm end to end: from files, through the installed program, to the Python API's numbers."""

import gzip
import json
from functools import cache

import jsonschema
import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet as pq
import pytest
from program import answer, run, write

import roctopus as rt
from roctopus.cli.answers import aim_of
from roctopus.cli.schemas import read_schema
from roctopus.comparison import decision_schema

SIZE = 240


def make_cases(arm, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.gamma(3.0, 10.0, SIZE)
    models = {"a": y + rng.normal(0, 6, SIZE) - 2, "b": 0.8 * y + 6 + rng.normal(0, 4, SIZE)}
    columns = {
        "w": rng.integers(1, 4, SIZE).astype(float),
        "who": (np.arange(SIZE) // 4).astype(str),
        "day": rng.permutation(SIZE),
        "shop": np.where(rng.random(SIZE) < 0.5, "north", "south"),
        "c": rng.normal(30, 8, SIZE),
    }
    if arm == "probability":
        risk = rng.beta(1, 3, SIZE)
        y = (rng.random(SIZE) < risk).astype(int)
        models = {"a": risk, "b": np.clip(risk + rng.normal(0, 0.1, SIZE), 0, 1)}
    if arm == "ordinal":
        y = rng.integers(0, 3, SIZE)
        models = {"a": y + rng.normal(0, 0.7, SIZE), "b": y + rng.normal(0, 1.0, SIZE)}
        columns["name"] = np.array(["low", "mid", "top"])[y]
    if arm == "impact":
        columns["repair"] = rng.gamma(4.0, 5.0, SIZE)
    return y, models, columns


COSTLY = rt.LinearUtility


def asked():
    """Options of the command line, and the same question in Python."""
    y, _, extra = make_cases("impact")
    span = (float(y.min()), float(y.max()))
    low, high = span[0] + 0.2 * (span[1] - span[0]), span[0] + 0.6 * (span[1] - span[0])
    slope, intercept = {"slope": y, "intercept": -extra["repair"]}.values()
    costs = {"false_positive_cost": 1.0, "false_negative_cost": 4.0}
    name = {"labels": ["low", "mid", "top"]}
    return [
        ("regression", "--under-cost 4 --over-cost 1", {}, {"under_cost": 4, "over_cost": 1}),
        ("regression", "--under-cost 4", {}, {"under_cost": 4, "over_cost": 1}),
        ("regression", "--asymmetry 0.8", {}, {"asymmetry": 0.8}),
        ("regression", "--asymmetry 0.6:0.9", {}, {"between": (0.6, 0.9)}),
        (
            "regression",
            "--asymmetry 0.6:0.9 --criterion regret",
            {},
            {"between": (0.6, 0.9), "criterion": "regret"},
        ),
        ("regression", "--arm regression", {}, {"distribution": rt.Uniform(0, 1)}),
        (
            "regression",
            "--arm regression --distribution uniform(0.5,0.9)",
            {},
            {"distribution": rt.Uniform(0.5, 0.9)},
        ),
        ("cutoff", "--cutoff 25", {}, {"cutoff": 25}),
        ("cutoff", "--cutoff 20:40", {}, {"between": (20, 40)}),
        (
            "cutoff",
            "--cutoff 25 --false-positive-cost 1 --false-negative-cost 4",
            costs,
            {"cutoff": 25},
        ),
        ("cutoff", "--cutoff-column c", {}, {"distribution": rt.Empirical(extra["c"])}),
        (
            "cutoff",
            "--arm cutoff --distribution beta(2,4)\ton\t20%:60%",
            {},
            {"distribution": rt.Beta(2, 4, low, high)},
        ),
        ("cutoff", "--arm cutoff --distribution output", {}, {"distribution": rt.Output()}),
        ("ordinal", "--costs 1,3,5 --labels low,mid,top", name, {"costs": [1, 3, 5]}),
        ("ordinal", "--costs top=5,low=1,mid=3 --labels low,mid,top", name, {"costs": [1, 3, 5]}),
        (
            "ordinal",
            "--costs 1,2,2:8 --labels low,mid,top",
            {**name, "costs": [1, 2, 2], "moving": "top", "costs_between": (2, 8)},
            {"between": (2, 8)},
        ),
        (
            "ordinal",
            "--costs matrix.csv --labels low,mid,top",
            {**name, "loss": [[0.0, 1.0, 4.0], [1.0, 0.0, 1.0], [9.0, 2.0, 0.0]]},
            {"costs": [1, 1, 1]},
        ),
        (
            "probability",
            "--false-positive-cost 1 --false-negative-cost 4",
            {},
            costs,
        ),
        (
            "probability",
            "--cost-proportion 0.1:0.3 --prevalence 0.1",
            {"prevalence": 0.1},
            {"between": (0.1, 0.3)},
        ),
        (
            "impact",
            "--utility value-times-price --theta 0.03:0.06",
            {"utility": rt.value_times_price},
            {"between": (0.03, 0.06)},
        ),
        (
            "impact",
            "--utility value-minus-cutoff --theta 30 --capacity 50",
            {"utility": rt.value_minus_cutoff, "at_most": 50},
            {"theta": 30},
        ),
        (
            "impact",
            "--utility value-minus-cutoff --theta 30 --capacity 1 --per who",
            {"utility": rt.value_minus_cutoff, "at_most": 1, "per": extra["who"]},
            {"theta": 30},
        ),
        (
            "impact",
            "--value y --cost repair --theta 1.4",
            {"utility": COSTLY(y, -extra["repair"])},
            {"theta": 1.4},
        ),
        (
            "impact",
            "--utility slope=y,intercept=minus --theta 0.5:1",
            {"utility": COSTLY(slope, intercept)},
            {"between": (0.5, 1.0)},
        ),
    ]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("cases")
    for arm in ("regression", "cutoff", "ordinal", "probability", "impact"):
        y, models, columns = make_cases(arm)
        minus = {"minus": -columns["repair"]} if arm == "impact" else {}
        write(made / f"{arm}.parquet", {"y": y, **models, **columns, **minus})
    (made / "matrix.csv").write_text("0,1,4\n1,0,1\n9,2,0\n")
    return made


@pytest.mark.parametrize(("arm", "said", "options", "aim"), asked(), ids=lambda x: str(x)[:40])
def test_the_program_says_what_python_says(folder, arm, said, options, aim):
    truth = "name" if arm == "ordinal" else "y"
    words = [word.replace("\t", " ") for word in said.split(" ")]
    found = answer(
        "compare", f"{arm}.parquet", "--truth", truth, "--models", "a", "b", *words, cwd=folder
    )
    y, models, columns = make_cases(arm)
    comparison = rt.compare(
        columns["name"].tolist() if arm == "ordinal" else y, models, arm=arm, **options
    )
    decision = comparison.decide(**aim)
    jsonschema.validate(found, read_schema("answer"))
    jsonschema.validate(found["decision"], decision_schema())
    assert found["decision"] == json.loads(decision.to_json())
    assert found["sentence"] == decision.sentence
    table = comparison.table(**aim, backend="pyarrow").to_pydict()
    assert [row["name"] for row in found["rows"]] == table["model"]
    for name in ("low", "high", "raw", "chance", "in_sample", "baseline"):
        said = [np.nan if row[name] is None else row[name] for row in found["rows"]]
        assert said == pytest.approx(table[name], rel=1e-15, nan_ok=True)
    under = comparison.envelope_of(aim_of(comparison, aim)[0])  # the costs that were asked for
    regions = [(r["model"], r["low"]) for r in found["regions"] if isinstance(r["low"], float)]
    finite = [region for region in under.regions if np.isfinite(region.low)]
    assert regions == [(region.model, region.low) for region in finite]


def as_csv(table, path):
    pyarrow.csv.write_csv(table, path)


def as_gz(table, path):
    with gzip.open(path, "wb") as file:
        pyarrow.csv.write_csv(table, file)


def as_tsv(table, path):
    pyarrow.csv.write_csv(table, path, pyarrow.csv.WriteOptions(delimiter="\t"))


def as_jsonl(table, path):
    path.write_text("".join(json.dumps(row) + "\n" for row in table.to_pylist()))


def as_arrow(table, path):
    with pa.ipc.new_file(path, table.schema) as writer:
        writer.write_table(table)


def as_feather(table, path):
    pyarrow.feather.write_feather(table, path)


def as_folder(table, path):
    pq.write_to_dataset(table, path, partition_cols=["shop"])


def as_parts(table, path):
    path.mkdir()
    for k in range(3):
        as_csv(table.slice(k * 80, 80), path / f"part-{k}.csv")


@cache
def as_parquet(folder, *said):
    return answer("compare", folder / "regression.parquet", *said, cwd=folder)


WAYS = {
    "x.csv": as_csv,
    "x.csv.gz": as_gz,
    "x.tsv": as_tsv,
    "x.jsonl": as_jsonl,
    "x.arrow": as_arrow,
    "x.feather": as_feather,
    "partitioned": as_folder,
    "parts": as_parts,
}


@pytest.mark.parametrize("name", WAYS)
def test_every_kind_of_file_gives_the_same(folder, tmp_path, name):
    table = pq.read_table(folder / "regression.parquet")
    WAYS[name](table, tmp_path / name)
    said = ["--truth", "y", "--models", "a,b", "--under-cost", "4", "--weight", "w"]
    expected = as_parquet(folder, *said)
    found = answer("compare", name, *said, cwd=tmp_path)
    if name == "partitioned":  # rows come in another order, and folds with them
        assert found["decision"]["data"] == expected["decision"]["data"]
        assert found["decision"]["in_sample"] == pytest.approx(expected["decision"]["in_sample"])
    else:
        assert found == expected


def test_standard_input(folder, tmp_path):
    table = pq.read_table(folder / "regression.parquet")
    as_csv(table, tmp_path / "x.csv")
    said = ["--truth", "y", "--models", "a", "b", "--asymmetry", "0.7"]
    piped = answer("compare", "-", *said, cwd=tmp_path, stdin=(tmp_path / "x.csv").read_text())
    assert piped == answer("compare", "x.csv", *said, cwd=tmp_path)


def test_weights_clusters_and_time(folder):
    y, models, columns = make_cases("regression")
    said = [
        "compare",
        "regression.parquet",
        "--truth",
        "y",
        "--models",
        "[ab]",
        "--asymmetry",
        "0.8",
    ]
    cases = {
        ("--weight", "w"): rt.compare(y, models, arm="regression", sample_weight=columns["w"]),
        ("--clusters", "who"): rt.compare(
            y, models, arm="regression", clusters=columns["who"].tolist()
        ),
        ("--time", "day"): rt.compare(y, models, arm="regression", time=columns["day"]),
    }
    for more, comparison in cases.items():
        found = answer(*said, *more, cwd=folder)
        assert found["decision"] == json.loads(comparison.decide(asymmetry=0.8).to_json())


def test_segments(folder):
    y, models, columns = make_cases("regression")
    said = ["compare", "regression.parquet", "-t", "y", "-m", "a", "-m", "b", "--asymmetry", "0.8"]
    found = answer(*said, "--by", "shop", cwd=folder)
    assert [each["value"] for each in found["segments"]] == ["north", "south"]
    for each in found["segments"]:
        mine = columns["shop"] == each["value"]
        part = rt.compare(y[mine], {m: p[mine] for m, p in models.items()}, arm="regression")
        assert each["cases"] == mine.sum()
        assert each["decision"] == json.loads(part.decide(asymmetry=0.8).to_json())


def test_long_tables_and_files_matched_by_id(folder, tmp_path):
    y, models, _ = make_cases("regression")
    case = [f"case {k}" for k in range(SIZE)]
    shuffled = np.random.default_rng(1).permutation(SIZE)
    write(tmp_path / "truth.parquet", {"case": case, "y": y})
    for name, each in models.items():
        mine = [case[k] for k in shuffled]
        write(tmp_path / f"{name}.parquet", {"case": mine, name: each[shuffled]})
    both = [f"{c}" for c in case] * 2
    write(
        tmp_path / "long.parquet",
        {
            "case": both,
            "y": np.tile(y, 2),
            "model": ["a"] * SIZE + ["b"] * SIZE,
            "prediction": np.concatenate(list(models.values())),
        },
    )
    expected = json.loads(rt.compare(y, models, arm="regression").decide(asymmetry=0.8).to_json())
    said = ["--truth", "y", "--asymmetry", "0.8", "--id", "case"]
    matched = answer(
        "compare", "truth.parquet", "a.parquet", "b.parquet", *said, "-m", "a,b", cwd=tmp_path
    )
    long = answer("compare", "long.parquet", *said, "--model-column", "model", cwd=tmp_path)
    assert matched["decision"] == long["decision"] == expected


def test_missing_predictions(folder, tmp_path):
    y, models, _ = make_cases("regression")
    models["a"][:5] = np.nan
    columns = {name: [None if np.isnan(v) else v for v in each] for name, each in models.items()}
    write(tmp_path / "x.parquet", {"y": y, **columns})
    said = ["compare", "x.parquet", "--truth", "y", "--models", "a", "b", "--asymmetry", "0.8"]
    done = run(*said, cwd=tmp_path)
    assert done.returncode == 2
    assert "'a' has no prediction in 5 of 240 rows" in done.stderr
    found = answer(*said, "--missing", "common", cwd=tmp_path)
    assert found["cases"] == SIZE - 5
    assert any("5 of 240 rows" in note for note in found["notes"])


def test_cutoffs_that_follow_the_cases_are_noted(tmp_path):
    rng = np.random.default_rng(0)
    y = rng.gamma(3.0, 10.0, 400)
    columns = {"y": y, "a": y + rng.normal(0, 5, 400), "near": y + rng.normal(0, 3, 400)}
    write(tmp_path / "x.parquet", columns)
    found = answer(
        "compare", "x.parquet", "-t", "y", "-m", "a", "--cutoff-column", "near", cwd=tmp_path
    )
    assert any("So cutoffs depend on the cases" in note for note in found["notes"])
