"""Each case's own context on the command line: every arm, segments, checks, and refusals."""

import json
import re

import jsonschema
import numpy as np
import pytest
from program import refusal, refused_here, run_here, run_program, write

import roctopus as rt
from roctopus.cli.schemas import read_schema


def columns(size=300, seed=0):
    """Return cases with all that the arms need."""
    rng = np.random.default_rng(seed)
    y = rng.gamma(3.0, 10.0, size)
    a, b = y + rng.normal(0, 6, size), y + rng.normal(-2, 3, size)
    return {
        "y": y,
        "a": a,
        "b": b,
        "grade": np.digitize(y, [20.0, 35.0]).astype(float),
        "ill": (rng.random(size) < 1 / (1 + np.exp((30 - y) / 8))) * 1,
        "p": 1 / (1 + np.exp((30 - a) / 8)),
        "q": 1 / (1 + np.exp((30 - b) / 5)),
        "share": rng.beta(4.0, 2.0, size),
        "short": rng.gamma(2.0, 2.0, size),
        "store": rng.gamma(2.0, 0.5, size),
        "cut": rng.normal(30, 8, size),
        "dear": rng.uniform(1, 14, size),
        "price": rng.uniform(0.02, 0.06, size),
        "where": rng.choice(["north", "south"], size),
    }


DATA = columns()
AB = ("--models", "a", "b")
PREDICTED = {name: DATA[name] for name in "ab"}
ARMS = {
    "regression": (
        ("-t", "y", *AB, "--arm", "regression", "--context-column", "share"),
        lambda: rt.compare(DATA["y"], PREDICTED, arm="regression", context=DATA["share"]),
    ),
    "costs": (
        ("-t", "y", *AB, "--under-cost", "short", "--over-cost", "store"),
        lambda: rt.compare(
            DATA["y"],
            PREDICTED,
            arm="regression",
            context={"under_cost": DATA["short"], "over_cost": DATA["store"]},
        ),
    ),
    "one cost": (
        ("-t", "y", *AB, "--under-cost", "short", "--over-cost", "2"),
        lambda: rt.compare(
            DATA["y"],
            PREDICTED,
            arm="regression",
            context={"under_cost": DATA["short"], "over_cost": np.full(300, 2.0)},
        ),
    ),
    "cutoff": (
        ("-t", "y", *AB, "--arm", "cutoff", "--context-column", "cut", *
         ("--false-negative-cost", "3")),
        lambda: rt.compare(
            DATA["y"], PREDICTED, arm="cutoff", context=DATA["cut"], false_negative_cost=3
        ),
    ),
    "ordinal": (
        ("-t", "grade", *AB, "--context-column", "dear", "--costs", "1,2"),
        lambda: rt.compare(
            DATA["grade"], PREDICTED, arm="ordinal", context=DATA["dear"], costs=[1, 2, 1]
        ),
    ),
    "probability": (
        ("-t", "ill", "-m", "p", "q", "--false-positive-cost", "store", *
         ("--false-negative-cost", "short")),
        lambda: rt.compare(
            DATA["ill"],
            {name: DATA[name] for name in "pq"},
            arm="probability",
            context={"false_positive_cost": DATA["store"], "false_negative_cost": DATA["short"]},
        ),
    ),
    "impact": (
        ("-t", "y", *AB, "--utility", "value-times-price", "--context-column", "price"),
        lambda: rt.compare(
            DATA["y"],
            PREDICTED,
            arm="impact",
            context=DATA["price"],
            utility=rt.value_times_price,
        ),
    ),
}  # fmt: skip


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Work in a folder of its own, with cases and new ones."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "x.parquet", DATA)
    write(tmp_path / "new.parquet", columns(400, seed=1))
    return tmp_path


@pytest.mark.filterwarnings("ignore::roctopus.RoctopusWarning")
@pytest.mark.parametrize("kind", ARMS)
def test_every_arm(tmp_path, kind):
    said, make = ARMS[kind]
    outputs = ("--decision", "d.json", "--png", "pictures", "-o", "page.html")
    code, out, told = run_here("compare", "x.parquet", *said, *outputs, "--json")
    assert code == 0, told
    found = json.loads(out)
    jsonschema.validate(found, read_schema("answer"))
    jsonschema.validate(json.loads((tmp_path / "d.json").read_text()), read_schema("decision"))
    decision = make().decide()
    assert found["sentence"] == decision.sentence
    assert found["decision"] == json.loads(decision.to_json())
    assert set(found["context"]) == {"contexts", "mean", "cells", "mean_unit"}
    assert (found["context"]["mean_unit"] is None) == (
        kind not in ("costs", "one cost", "probability")
    )
    assert found["assumed"] is None
    assert any("for all cases, starting with their mean" in note for note in found["notes"])
    assert (tmp_path / "pictures" / "comparison.png").stat().st_size > 5_000
    page = (tmp_path / "page.html").read_text()
    shown = json.loads(page.split('id="data">')[1].split("</script>")[0])
    assert shown["title"].startswith("Shown for one ")
    assert shown["comparisons"][0]["first"] == pytest.approx(found["context"]["mean"])
    code, out, _ = run_here("compare", "x.parquet", *said)
    assert code == 0
    head = out.strip().split("\n\n")[0].splitlines()
    assert decision.sentence.startswith(" ".join(head[:2]))
    assert all(line in decision.sentence or line.startswith("Any ") for line in head)
    several = re.search(r"^Best model for each .*, on the data used for tuning:$", out, re.M)
    one = re.search(
        r"^On the data used for tuning, \w is the best model for every .*\.$", out, re.M
    )
    assert (several is None) != (one is None)
    # The same contexts say the same of other cases.
    models = said[2 : 2 + 3]
    again = [each for each in said if each not in ("--arm", "regression", "cutoff")]
    for option in ("--costs", "--false-negative-cost" if kind == "cutoff" else "--costs"):
        if option in again:
            del again[again.index(option) : again.index(option) + 2]
    assert models[0] in ("-m", "--models")
    code, out, told = run_here(
        "check", "d.json", "new.parquet", *again, "--state", "s.json", "--json"
    )
    assert code in (0, 1, 3, 4), told
    jsonschema.validate(json.loads(out), read_schema("check"))


def test_segments():
    said = ARMS["costs"][0]
    code, out, told = run_here("compare", "x.parquet", *said, "--by", "where", "--json")
    assert code == 0, told
    for segment in json.loads(out)["segments"]:
        rows = segment["value"] == DATA["where"]
        assert segment["cases"] == rows.sum()
        costs = {"under_cost": DATA["short"][rows], "over_cost": DATA["store"][rows]}
        made = {name: each[rows] for name, each in PREDICTED.items()}
        alone = rt.compare(DATA["y"][rows], made, arm="regression", context=costs).decide()
        assert segment["decision"] == json.loads(alone.to_json())


def test_a_decision_for_one_context_in_those_that_were_met():
    asked = ("compare", "x.parquet", "-t", "y", *AB, "--under-cost", "4", "--over-cost", "1")
    assert run_here(*asked, "--decision", "d.json")[0] == 0
    said = ("check", "d.json", "new.parquet", "-t", "y", "--json")
    alone = json.loads(run_here(*said)[1])["diagnosis"]
    assert alone["context"]["loss"] == 0.0
    new = columns(400, seed=1)
    for more, context in (
        (("--context-column", "share"), new["share"]),
        (("--under-cost", "short"), {"under_cost": new["short"], "over_cost": np.ones(400)}),
    ):
        found = json.loads(run_here(*said, *more)[1])
        comparison = rt.compare(new["y"], {"b": new["b"]}, arm="regression", context=context)
        check = comparison.check(rt.Decision.from_json("d.json"))
        assert found["diagnosis"]["context"]["loss"] == check.diagnosis.context.loss != 0.0
        assert found["sentence"] == check.sentence


def test_contexts_that_make_no_sense(tmp_path):
    share, short = DATA["share"].copy(), DATA["short"].copy()
    share[[3, 7]] = np.nan
    short[9] = -1.0
    outside = DATA["share"].copy()
    outside[5] = 1.2
    endless = DATA["share"].copy()
    endless[2] = np.inf
    write(
        tmp_path / "bad.parquet",
        {**DATA, "gaps": share, "negative": short, "outside": outside, "endless": endless},
    )
    said = ("compare", "bad.parquet", "-t", "y", *AB)
    for more, told in (
        (("--arm", "regression", "--context-column", "gaps"), "'gaps' has no value in rows"),
        (("--arm", "regression", "--context-column", "outside"),
         "in --context-column must be between 0 and 1, but is 1.2 in row 6"),
        (("--arm", "regression", "--context-column", "endless"), "infinite values in row 3"),
        (("--arm", "regression", "--context-column", "where"), "'where' must contain numbers"),
        (("--arm", "regression", "--context-column", "shares"), "Did you mean 'share'?"),
        (("--context-column", "share"), "Choose the kind of problem with --arm"),
        (("--under-cost", "negative"), "--under-cost must be zero or more, but is negative in row"),
        (("--under-cost", "shorts"), "or the name of a column with the cost"),
        (("--under-cost", "short", "--over-cost", "dear2"), "must be a number, but is 'dear2'"),
    ):  # fmt: skip
        assert told in refused_here(*said, *more)


def test_one_kind_of_context_at_a_time():
    said = ("compare", "x.parquet", "-t", "y", *AB)
    own, cut = ("--arm", "regression", "--context-column", "share"), ("--context-column", "cut")
    for more, told in (
        ((*own, "--asymmetry", "0.8"), "together with --asymmetry"),
        ((*own, "--asymmetry", "0.6:0.9"), "together with --asymmetry"),
        ((*own, "--under-cost", "4"), "together with --under-cost"),
        ((*own, "--under-cost", "short"), "together with --under-cost"),
        ((*own, "--distribution", "uniform(0, 1)"), "together with --distribution"),
        (
            (*own, "--criterion", "regret"),
            "--criterion can only be used with a range, such as --asymmetry",
        ),
        ((*own, "--cutoff", "25"), "--cutoff is not an option of the arm 'regression'"),
        ((*own, "--mode", "grid"), "--context-column needs all rows in memory"),
        (("--under-cost", "short", "--mode", "grid"), "--under-cost needs all rows in memory"),
        (("--under-cost", "short", "--asymmetry", "0.8"), "together with --asymmetry"),
        ((*cut, "--cutoff", "25"), "together with --cutoff"),
        ((*cut, "--cutoff-column", "cut"), "cannot be combined with --cutoff-column"),
        (
            ("--cutoff", "25", "--false-positive-cost", "store"),
            "but 'store' is a column",
        ),
    ):
        assert told in refused_here(*said, *more)
    graded = ("compare", "x.parquet", "-t", "grade", *AB, "--context-column", "dear", "--costs")
    assert "--costs must contain 2 numbers" in refused_here(*graded, "1,2,3")
    assert "--costs must contain 2 numbers" in refused_here(*graded, "1,2:3")


@pytest.mark.filterwarnings("ignore::roctopus.RoctopusWarning")
def test_checks_in_other_contexts_are_refused():
    ARMS["regression"][1]().decide().to_json("own.json")
    ARMS["costs"][1]().decide().to_json("costs.json")
    plain = rt.compare(DATA["y"], PREDICTED, arm="regression")
    plain.decide(asymmetry=0.7).to_json("plain.json")
    plain.decide(between=(0.6, 0.9)).to_json("range.json")
    ARMS["cutoff"][1]().decide(cutoff=30).to_json("cutoff.json")
    share, short = ("--context-column", "share"), ("--under-cost", "short")
    for name, more, told in (
        ("own", (), "a value of 'asymmetry' that differs per case. Name the column"),
        ("own", short, "a value of 'asymmetry' that differs per case. Name the column"),
        (
            "costs",
            (),
            "costs that differ per case. Name their columns with --under-cost and --over-cost",
        ),
        ("costs", share, "Name their columns with --under-cost and --over-cost"),
        ("plain", short, "was made for 'asymmetry', not for costs"),
        ("plain", ("--under-cost", "4"), "must name a column of the new cases, but is '4'"),
        ("plain", ("--under-cost", "typo"), "must name a column of the new cases, but is 'typo'"),
        ("plain", (*share, *short), "together with --under-cost"),
        ("plain", ("--false-positive-cost", "store"), "is not an option of the arm 'regression'"),
        ("range", share, "was made for a range, so it is not checked on"),
        ("cutoff", ("--false-positive-cost", "store"), "but 'store' is a column"),
    ):
        assert told in refused_here("check", f"{name}.json", "new.parquet", "-t", "y", *more)


@pytest.mark.newest
def test_the_program_itself(tmp_path):
    said = ("compare", "x.parquet", "-t", "y", *AB, "--context-column", "share", "--asymmetry", "1")
    assert "a value for each case" in refusal(
        *said, "--arm", "regression", cwd=tmp_path, by=run_program
    )
