"""`roctopus check` asks the question that the decision recorded."""

import json

import numpy as np
import pytest
from program import SAID, columns, refusal, run, write


@pytest.fixture
def folder(tmp_path):
    write(tmp_path / "x.parquet", columns())
    return tmp_path


def test_a_check_of_another_prevalence_is_refused(tmp_path):
    rng = np.random.default_rng(0)
    for name in ("old", "new"):
        risk = rng.beta(1, 2, 300)
        write(tmp_path / f"{name}.parquet", {"y": (rng.random(300) < risk) * 1, "p": risk})
    said = ("--truth", "y", "--models", "p", "--utility", "net-benefit")
    asked = ("--theta", ".4", "--prevalence", ".2", "--decision", "d.json")
    assert run("compare", "old.parquet", *said, *asked, cwd=tmp_path).returncode == 0
    assert "prevalence" in refusal("check", "d.json", "new.parquet", *said, cwd=tmp_path)
    done = run("check", "d.json", "new.parquet", *said, "--prevalence", ".2", cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_the_distribution_is_in_the_decision(tmp_path):
    write(tmp_path / "old.parquet", {**columns(300), "c": columns(300, 3)["y"]})
    write(tmp_path / "new.parquet", {**columns(300, 1), "c": columns(300, 4)["y"]})
    base = ("--truth", "y", "--models", "a", "b")
    for distribution, more in (
        (("--arm", "cutoff", "--distribution", "beta(2,4) on 20%:60%"), ()),
        (("--arm", "cutoff", "--distribution", "output"), ()),
        (("--arm", "cutoff", "--distribution", "normal(30, 8) on 5:60"), ()),
        (("--cutoff-column", "c"), ("--cutoff-column", "c")),
    ):
        made = run(
            "compare", "old.parquet", *base, *distribution, "--decision", "d.json", cwd=tmp_path
        )
        assert made.returncode == 0, made.stderr
        done = run("check", "d.json", "new.parquet", *base, *more, "--json", cwd=tmp_path)
        assert done.returncode in (0, 1), done.stderr
        assert 0.0 < json.loads(done.stdout)["value"] < 1.0
    assert "--cutoff-column" in refusal("check", "d.json", "new.parquet", *base, cwd=tmp_path)


def test_check_ignores_no_option(folder):
    run("compare", "x.parquet", *SAID, "--decision", "d.json", cwd=folder)
    for more in (("--labels", "x,y"), ("--capacity", "5"), ("--prevalence", ".2")):
        told = refusal("check", "d.json", "x.parquet", "-t", "y", "-m", "a", *more, cwd=folder)
        assert "is not an option of the arm 'regression'" in told


def patients(size, seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=size)
    ill = rng.random(size) < 1 / (1 + np.exp(-2 * x))
    return np.where(ill, "ill", "well"), 1 / (1 + np.exp(-2 * x))


def test_answers_of_the_deployed_model(tmp_path):
    said = ("--truth", "y", "--positive", "ill")
    truth, risk = patients(600, 0)
    write(tmp_path / "old.parquet", {"y": truth, "m": risk})
    costs = ("--false-positive-cost", "1", "--false-negative-cost", "4", "--decision", "d.json")
    made = run("compare", "old.parquet", "--models", "m", *said, *costs, cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    threshold = json.loads((tmp_path / "d.json").read_text())["knob"][0]
    truth, risk = patients(400, 1)
    write(tmp_path / "raw.parquet", {"y": truth, "m": risk})
    raw = json.loads(run("check", "d.json", "raw.parquet", *said, "--json", cwd=tmp_path).stdout)
    yes = risk >= threshold
    for answers in (
        yes,
        yes * 1,
        yes * 1.0,
        np.where(yes, "ill", "well"),
        np.where(yes, "yes", "no"),
    ):
        (tmp_path / "new.csv").write_text(
            "y,m\n" + "\n".join(f"{y},{m}" for y, m in zip(truth, answers, strict=True)) + "\n"
        )
        told = refusal("check", "d.json", "new.csv", *said, cwd=tmp_path)
        assert "dd --deployed" in told
        done = run("check", "d.json", "new.csv", *said, "--deployed", cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, "")
        assert "whether the threshold is out of date" in " ".join(done.stdout.split())
        again = run("check", "d.json", "new.csv", *said, "--deployed", "--json", cwd=tmp_path)
        found = json.loads(again.stdout)
        assert found["value"] == pytest.approx(raw["value"])
        assert [each["what"] for each in found["findings"]] == ["value"]


def test_shifted_predictions_are_not_shifted_twice(tmp_path):
    said = ("--truth", "y", "--models", "a")
    old, new = columns(600), columns(600, 1)
    write(tmp_path / "old.parquet", old)
    run("compare", "old.parquet", *said, "--asymmetry", ".9", "--decision", "d.json", cwd=tmp_path)
    shift = json.loads((tmp_path / "d.json").read_text())["knob"][0]
    write(tmp_path / "raw.parquet", new)
    write(tmp_path / "new.parquet", {**new, "a": new["a"] + shift})
    raw = run("check", "d.json", "raw.parquet", *said, cwd=tmp_path)
    told = refusal("check", "d.json", "new.parquet", *said, cwd=tmp_path)
    assert f"look as if they were already shifted by {shift:.4g}" in told
    assert "add --deployed; if they are raw predictions, add --no-deployed." in told
    done = run("check", "d.json", "new.parquet", *said, "--deployed", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (raw.returncode, raw.stdout)
    insisted = run("check", "d.json", "new.parquet", *said, "--no-deployed", cwd=tmp_path)
    assert insisted.returncode == 3


def test_a_named_utility_is_in_the_decision(tmp_path):
    for name, seed in (("old", 0), ("new", 1)):
        truth, risk = patients(500, seed)
        write(tmp_path / f"{name}.parquet", {"y": truth, "m": risk})
    said = ("--truth", "y", "--models", "m", "--positive", "ill")
    asked = ("--utility", "net-benefit", "--theta", ".3", "--decision", "d.json")
    assert run("compare", "old.parquet", *said, *asked, cwd=tmp_path).returncode == 0
    short = run("check", "d.json", "new.parquet", *said, cwd=tmp_path)
    long = run("check", "d.json", "new.parquet", *said, *asked[:2], cwd=tmp_path)
    assert (short.returncode, short.stdout) == (long.returncode, long.stdout)
    assert short.returncode == 0, short.stderr
