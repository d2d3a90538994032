"""Costs in the user's words on the command line: ratios, ranges, threshold probabilities."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from program import answer, refusal, run, write

RNG = np.random.default_rng(0)
N = 200
Y = 20.0 + 3.0 * RNG.normal(size=N)
A = Y + RNG.normal(size=N)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    chance = 1.0 / (1.0 + np.exp(20.0 - A))
    columns = {"y": Y, "a": A, "ill": (Y > 20.0).astype(float), "p": chance, "row": np.arange(N)}
    write(tmp_path / "x.parquet", columns)
    return tmp_path


NUMBERS = ("x.parquet", "--truth", "y", "--models", "a")
CLASSES = ("x.parquet", "--truth", "ill", "--models", "p")


@pytest.mark.parametrize(
    ("words", "same"),
    [
        (
            (*NUMBERS, "--arm", "regression", "--cost-ratio", "2:8"),
            (*NUMBERS, "--asymmetry", "0.66666666666666666:0.88888888888888888"),
        ),
        (
            (*NUMBERS, "--under-cost", "2:8", "--over-cost", "1"),
            (*NUMBERS, "--asymmetry", "0.66666666666666666:0.88888888888888888"),
        ),
        ((*NUMBERS, "--under-cost", "4"), (*NUMBERS, "--under-cost", "4", "--over-cost", "1")),
        (
            (*CLASSES, "--arm", "probability", "--cost-ratio", "4"),
            (*CLASSES, "--cost-proportion", "0.2"),
        ),
        ((*CLASSES, "--threshold-probability", "0.2"), (*CLASSES, "--cost-proportion", "0.2")),
        (
            (*CLASSES, "--utility", "net-benefit", "--threshold-probability", "0.2"),
            (*CLASSES, "--utility", "net-benefit", "--theta", "0.25"),
        ),
    ],
)
def test_words_lead_to_the_same_decision(
    folder: Path, words: tuple[str, ...], same: tuple[str, ...]
) -> None:
    found, plain = (answer("compare", *each, cwd=folder)["decision"] for each in (words, same))
    assert found["knob"] == pytest.approx(plain["knob"])
    assert found["value"] == pytest.approx(plain["value"])


def test_a_range_is_printed_recorded_and_checked(folder: Path) -> None:
    asked = (*NUMBERS, "--under-cost", "2:8", "--over-cost", "1", "--criterion", "regret")
    done = run("compare", *asked, "--decision", "d.json", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "an under-estimate costs 2 to 8 times as much as an over-estimate" in done.stdout
    record = answer("compare", *asked, cwd=folder)["context"]
    assert record == {"under_cost": [2.0, 8.0], "over_cost": 1.0, "criterion": "regret"}
    asked = (*NUMBERS, "--arm", "regression", "--cost-ratio", "2:8")
    run("compare", *asked, "--decision", "w.json", cwd=folder)
    write(folder / "new.parquet", {"y": Y + 0.1, "a": A + RNG.normal(size=N)})
    checked = run("check", "w.json", "new.parquet", *NUMBERS[1:], cwd=folder)
    assert checked.returncode in (0, 1, 3), checked.stderr


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ((*NUMBERS, "--cost-ratio", "4"), "Choose one with --arm regression or --arm probability"),
        ((*NUMBERS, "--asymmetry", "2:8"), "use --cost-ratio 2:8"),
        ((*NUMBERS, "--asymmetry", "4"), "use --cost-ratio 4"),
        (
            (*NUMBERS, "--cost-ratio", "4", "--under-cost", "4"),
            "--cost-ratio cannot be combined with --under-cost.",
        ),
        (
            (*NUMBERS, "--cost-ratio", "4", "--asymmetry", "0.2"),
            "--asymmetry cannot be combined with --cost-ratio.",
        ),
        (
            (*NUMBERS, "--under-cost", "2:x"),
            "must be a number, a range such as 2:8, or the name of a column",
        ),
        (
            (*CLASSES, "--utility", "net-benefit", "--theta", "1", "--threshold-probability", ".2"),
            "--theta cannot be combined with --threshold-probability",
        ),
        (
            (*NUMBERS, "--utility", "value-times-price", "--threshold-probability", ".2"),
            "--threshold-probability can only be used with a net benefit",
        ),
        (
            ("x.parquet", "--truth", "y", "--asymmetry", "0.5"),
            "Columns that may contain predictions: 'a' (",
        ),
    ],
)
def test_refusals_say_the_options_that_work(folder: Path, said: tuple[str, ...], told: str) -> None:
    assert told in refusal("compare", *said, cwd=folder)
