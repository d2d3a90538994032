"""Options: ranges, prices at the ends, and sentences that name them."""

import numpy as np
import pytest
from program import SAID, columns, refusal, run, write


@pytest.fixture
def folder(tmp_path):
    write(tmp_path / "x.parquet", columns())
    return tmp_path


def test_nothing_earned_untuned(tmp_path):
    rng = np.random.default_rng(0)
    risk = rng.beta(1, 2, 300)
    write(tmp_path / "x.parquet", {"y": (rng.random(300) < risk) * 1, "p": risk})
    done = run(
        "compare", "x.parquet", "-t", "y", "-m", "p", "--utility", "net-benefit",
        "--theta", "40", cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_options_in_sentences(folder):
    told = refusal("compare", "x.parquet", *SAID[:5], "--asymmetry", "0.9:0.2", cwd=folder)
    assert "the range must be" in told
    negative = {**columns(), "w": -np.ones(120)}
    write(folder / "w.parquet", negative)
    assert "--weight" in refusal("compare", "w.parquet", *SAID, "--weight", "w", cwd=folder)


def test_bare_calls_help(folder):
    done = run(cwd=folder)
    assert done.returncode == 0
    assert done.stderr == ""
    assert "Start with" in done.stdout
