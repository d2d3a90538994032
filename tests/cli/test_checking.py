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
