"""One table of options: help, requests and errors are made from it, and arms bring their own."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from program import SAID, answer, columns, refusal, refused_here, run, run_here, write

import roctopus as rt
from roctopus.arms import known_arms
from roctopus.cli import options
from roctopus.cli.request import Request
from roctopus.core.errors import InputError, arg

SIXTH = Path(__file__).parents[1] / "sixth_arm"


@pytest.fixture
def folder(tmp_path):
    write(tmp_path / "x.parquet", columns())
    return tmp_path


@pytest.fixture
def _sixth(monkeypatch):
    monkeypatch.syspath_prepend(str(SIXTH))
    known_arms.cache_clear()
    yield
    known_arms.cache_clear()


def test_a_new_option_is_one_line(folder, monkeypatch):
    line = options.Line("colour", "Of the page.", "NAME", "Output", gives=("paint",))
    monkeypatch.setattr(options, "AFTER", (*options.AFTER, line))
    for command in ("compare", "check"):
        assert "--colour" in run(command, "--help", cwd=folder).stdout
        assert Request.of(command, [], {"colour": "red"})["colour"] == "red"
        assert Request.of(command, [], {})["colour"] is None
    told = InputError(f"{arg('paint')} and {arg('colour')} must be a colour.")
    assert told.said(options.words()) == "--colour and --colour must be a colour."
    assert answer("compare", "x.parquet", *SAID, "--colour", "red", cwd=folder)["cases"] == 120


def test_every_option_of_an_arm_is_there(folder):
    for arm in known_arms().values():
        for option in arm.spoken:
            for command in ("compare", "check") if option.checks else ("compare",):
                names = [line.name for line in options.lines(command)]
                assert names.count(option.name) == 1
            assert all(options.words()[name] for name in (option.name, *option.gives))


def test_options_that_no_command_knows():
    with pytest.raises(InputError, match="check has no option --theta"):
        Request.of("check", [], {"theta": "1"})


def test_columns_are_called_as_they_are(folder):
    told = refusal("compare", "x.parquet", *SAID, "--weight", "state", cwd=folder)
    assert "has no column 'state'. Its columns" in told
    data = {**columns(), "state": -np.ones(120), "labels": np.full(120, np.nan)}
    write(folder / "state.parquet", data)
    told = refusal("compare", "state.parquet", *SAID, "--weight", "state", cwd=folder)
    assert "--weight is negative in rows" in told
    told = refusal("compare", "state.parquet", *SAID, "--weight", "labels", cwd=folder)
    assert "The column 'labels' has no value" in told
    assert "--" not in told.split("'labels'")[1]


def test_errors_name_the_option(folder):
    said = ("compare", "x.parquet", "-t", "y", "-m", "a", "--utility", "value-minus-cutoff")
    told = refusal(*said, "--theta", "3", "--capacity", "900", cwd=folder)
    assert told.startswith("roctopus: --capacity must be between 0 and the number of cases (120)")
    told = refusal(*said, "--theta", "3", "--capacity", "2", "--at-least", "3", cwd=folder)
    assert "--at-least (3) must not exceed --capacity (2)" in told
    asked = ("compare", "x.parquet", *SAID[:5])
    assert "--memory must be" in refusal(*asked, "--asymmetry", "0.7", "--memory", "x", cwd=folder)
    assert "--asymmetry must be between 0 and 1" in refusal(*asked, "--asymmetry", "7", cwd=folder)
    holes = columns()
    holes["a"][3] = np.nan
    write(folder / "holes.parquet", holes)
    told = refusal("compare", "holes.parquet", *SAID, cwd=folder)
    assert "Use --missing common to compare on the 119 rows" in told


def test_truths_in_words(folder):
    data = {**columns(), "paid": ["yes", "no"] * 60}
    write(folder / "words.parquet", data)
    said = ("compare", "words.parquet", "-t", "paid", "-m", "a", "--asymmetry", "0.3")
    told = refusal(*said, cwd=folder)
    assert (
        "'paid' (--truth) contains text ('yes', 'no'), but the arm 'regression' needs num" in told
    )
    assert "such as 1 for 'yes' and 0 for the others" in told


def test_unknown_arms_are_refused_with_the_known_ones(folder):
    told = refusal("compare", "x.parquet", *SAID[:5], "--arm", "ordinary", cwd=folder)
    assert "--arm must be one of 'regression', 'cutoff', 'ordinal'" in told
    assert "but is 'ordinary'" in told
    told = refusal("compare", "x.parquet", *SAID[:5], cwd=folder)
    assert "--arm (regression, cutoff, ordinal, probability, impact)" in told


def test_an_arm_of_another_package_brings_its_options(folder, monkeypatch):
    first = known_arms()["regression"]
    spoken = (replace(first.spoken[2], name="tilt", help="How far it leans."),)
    other = replace(first, name="tilted", spoken=spoken, panel="Costs: tilted")
    monkeypatch.setattr("roctopus.arms.known_arms", lambda: {**known_arms(), "tilted": other})
    told = run("compare", "--help", cwd=folder).stdout
    assert "Costs: tilted" in told
    assert "How far it leans." in told
    clash = replace(other, spoken=(replace(spoken[0], name="weight"),))
    monkeypatch.setattr("roctopus.arms.known_arms", lambda: {"tilted": clash})
    told = refusal("compare", "x.parquet", cwd=folder)
    assert "The arm 'tilted' defines --weight, which is already an option" in told


@pytest.mark.usefixtures("_sixth")
def test_the_sixth_arm_on_the_command_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    opens = rng.normal(600.0, 60.0, 200)
    data = {"opens": opens, "closes": opens + rng.gamma(2.0, 10.0, 200)}
    models = {"a": opens + rng.normal(5.0, 15.0, 200), "b": opens + rng.normal(-9.0, 25.0, 200)}
    write(tmp_path / "x.parquet", {**data, **models})
    asked = ("compare", "x.parquet", "-m", "a", "b", "--patience", "5", "--late-cost", "4")
    truth = np.stack([data["opens"], data["closes"]], axis=1)
    decision = rt.compare(truth, models, arm="window", late_cost=4.0).decide(patience=5.0)
    for said in (("-t", "opens", "-t", "closes"), ("--truth", "opens,closes")):
        code, out, told = run_here(*asked, *said, "--json", "--decision", "d.json")
        assert code == 0, told
        assert json.loads(out)["sentence"] == decision.sentence
    checked = ("check", "d.json", "x.parquet", "-t", "opens,closes", "--json")
    code, out, told = run_here(*checked)
    assert code == 0, told
    assert json.loads(out)["holds"]
    assert "--patience" in refused_here(*asked[:5], "-t", "opens,closes", "--arm", "window")


def test_several_files_and_patterns_in_python(tmp_path):
    data = columns()
    case = np.arange(120)
    shuffled = np.random.default_rng(1).permutation(120)
    write(tmp_path / "truth.parquet", {"case": case, "y": data["y"]})
    rows = zip(case[shuffled], data["a"][shuffled], data["b"][shuffled], strict=True)
    text = "case;p_a;p_b\n" + "".join(f"{c};{a!s};{b!s}\n" for c, a, b in rows)
    (tmp_path / "p.csv").write_text(text)
    files = rt.engines.Files([tmp_path / "truth.parquet", tmp_path / "p.csv"], delimiter=";")
    found = rt.compare("y", files, arm="regression", models=["p_*"], id="case")
    whole = rt.compare(data["y"], {"p_a": data["a"], "p_b": data["b"]}, arm="regression")
    assert found.decide(asymmetry=0.8).sentence == whole.decide(asymmetry=0.8).sentence
    paths = [str(tmp_path / "truth.parquet"), str(tmp_path / "p.csv")]
    found = rt.compare("y", paths, arm="regression", models=["p_*"], id="case")
    assert found.decide(asymmetry=0.8).sentence == whole.decide(asymmetry=0.8).sentence
    files = rt.engines.Files(paths, delimiter=";")
    with pytest.raises(
        InputError, match="The pattern 'q_\\*' in 'models' matches no column of 'the files'"
    ):
        rt.compare("y", files, arm="regression", models=["q_*"], id="case")
    with pytest.raises(InputError, match="cannot be read in parts"):
        rt.compare("y", files, arm="regression", models=["p_*"], mode="grid")


def test_a_capacity_per_period(folder):
    days = [f"2026-05-{1 + k // 12:02d}" for k in range(120)]
    write(folder / "days.parquet", {**columns(), "day": np.array(days)})
    said = ("-t", "y", "-m", "a", "--utility", "value-minus-cutoff")
    asked = ("compare", "days.parquet", *said, "--theta", "0")
    limit = ("--capacity", "3", "--per", "day")
    found = answer(*asked, *limit, "--decision", "d.json", cwd=folder)
    assert found["decision"]["settings"]["at_most_per_period"] == 3.0
    assert any("of 10 periods" in note for note in found["notes"])
    told = run(*asked, *limit, cwd=folder).stdout
    assert "in an average period, within the capacity of 3" in " ".join(told.split())
    check = ("check", "d.json", "days.parquet", *said[:2], *said[4:])
    assert run(*check, "--per", "day", cwd=folder).returncode == 0
    assert "Name the column of periods with --per" in refusal(*check, cwd=folder)
    assert (
        "--per sets the periods of a capacity, but the capacity is missing. Add --capacity or"
        in refusal(*asked, "--per", "day", cwd=folder)
    )
    scanned = refusal(*asked, *limit, "--mode", "grid", cwd=folder)
    assert "--per needs all rows in memory" in scanned
    split = answer(*asked, *limit, "--by", "day", cwd=folder)["segments"]
    assert len(split) == 10
