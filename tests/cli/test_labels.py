"""Truths such as "yes" and "no", as files hold them."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from program import answer, refusal, run

rng = np.random.default_rng(3)
Y = rng.integers(0, 2, 300)
WORDS = np.where(Y == 1, "yes", "no")
ILL = np.where(Y == 1, "ill", "well")
A = np.clip(0.3 + 0.3 * Y + 0.2 * rng.normal(size=300), 0.01, 0.99)
COSTS = ("--false-positive-cost", 1, "--false-negative-cost", 5)
WORTH = ("--utility", "net-benefit", "--theta", "0.3")


@pytest.fixture
def folder(tmp_path):
    rows = "".join(f"{w},{i},{y},{a}\n" for w, i, y, a in zip(WORDS, ILL, Y, A, strict=True))
    (tmp_path / "x.csv").write_text("churned,state,y,a\n" + rows)
    pq.write_table(pa.table({"churned": WORDS, "y": Y, "flag": Y == 1, "a": A}), tmp_path / "x.pq")
    (tmp_path / "x.pq").rename(tmp_path / "x.parquet")
    return tmp_path


def decided(*said, cwd):
    found = answer("compare", *said, "--models", "a", cwd=cwd)["decision"]
    return {name: found[name] for name in ("model", "knob", "value", "low", "high", "data")}


@pytest.mark.parametrize("asked", [COSTS, WORTH, (*WORTH, "--prevalence", "0.2")])
def test_words_decide_as_numbers_do(folder, asked):
    plain = decided("x.csv", "--truth", "y", *asked, cwd=folder)
    assert decided("x.csv", "--truth", "churned", "--positive", "yes", *asked, cwd=folder) == plain
    assert decided("x.csv", "--truth", "y", "--positive", "1", *asked, cwd=folder) == plain
    words = ("x.parquet", "--truth", "flag", "--positive", "true")
    assert decided(*words, *asked, cwd=folder) == plain


@pytest.mark.parametrize("asked", [COSTS, (*COSTS, "--mode", "grid"), WORTH])
def test_words_without_the_positive_one(folder, asked):
    said = ("compare", "x.csv", "--models", "a", *asked)
    told = refusal(*said, "--truth", "state", cwd=folder)
    assert "contains text (" in told
    assert "If 'ill' is the event you predict, add --positive ill; if it is 'well', add" in told
    told = refusal(*said, "--truth", "state", "--positive", "maybe", cwd=folder)
    assert "--positive is 'maybe', which is not a class of" in told
    guessed = answer(*said, "--truth", "churned", cwd=folder)
    said_so = answer(*said, "--truth", "churned", "--positive", "yes", cwd=folder)
    assert guessed["decision"] == said_so["decision"]
    note = (
        "'yes' is treated as the event that is predicted. If the event is 'no', add --positive no."
    )
    assert note in guessed["notes"]


def test_words_of_files_that_are_scanned(folder):
    scanned = ("--mode", "exact", *COSTS)
    plain = decided("x.parquet", "--truth", "y", *scanned, cwd=folder)
    words = ("x.parquet", "--truth", "churned", "--positive", "yes")
    assert decided(*words, *scanned, cwd=folder) == plain
    assert decided(*words, *COSTS, cwd=folder)["data"] == plain["data"]


def test_words_are_checked_and_split_into_segments(folder):
    words = ("--truth", "churned", "--positive", "yes")
    said = ("x.csv", *words, "--models", "a", *COSTS)
    done = run("compare", *said, "--decision", "d.json", "--by", "y", "--json", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert {each["decision"] for each in json.loads(done.stdout)["segments"]} == {None}
    done = run("check", "d.json", "x.csv", *words, "--json", cwd=folder)
    assert done.returncode in (0, 1, 3, 4), done.stderr


def test_words_that_were_guessed_are_checked_without_saying_them_again(folder):
    said = ("x.csv", "--truth", "churned", "--models", "a", *COSTS)
    done = run("compare", *said, "--decision", "d.json", cwd=folder)
    assert done.returncode == 0, done.stderr
    done = run("check", "d.json", "x.csv", "--truth", "churned", cwd=folder)
    assert done.returncode in (0, 1, 3, 4), done.stderr


@pytest.mark.parametrize(("no", "yes"), [(2, 1), (0, -1), (5, 3)])
@pytest.mark.parametrize("scanned", [(), ("--mode", "grid")])
def test_codes_that_do_not_tell_the_event(tmp_path, no, yes, scanned):
    """1 and 2 of a code book, and what Access writes for true: -1."""
    rows = "".join(f"{yes if y else no},{a}\n" for y, a in zip(Y, A, strict=True))
    (tmp_path / "x.csv").write_text("churned,a\n" + rows)
    said = ("compare", "x.csv", "--truth", "churned", "--models", "a", *COSTS, *scanned)
    note = f"{no} is treated as the event that is predicted. If the event is {yes}, add --positive"
    assert f"{note} {yes}." in answer(*said, cwd=tmp_path)["notes"]
    told = answer(*said, "--positive", yes, cwd=tmp_path)["notes"]
    assert not any("is treated as the event" in each for each in told)


@pytest.mark.parametrize(("no", "yes"), [(0, 1), (-1, 1), (0, 2)])
def test_numbers_that_tell_the_event(tmp_path, no, yes):
    rows = "".join(f"{yes if y else no},{a}\n" for y, a in zip(Y, A, strict=True))
    (tmp_path / "x.csv").write_text("churned,a\n" + rows)
    said = ("compare", "x.csv", "--truth", "churned", "--models", "a", *COSTS)
    assert not any("event" in each for each in answer(*said, cwd=tmp_path)["notes"])


def test_percent_without_a_sign_are_noted(tmp_path):
    rows = "".join(
        f"{y},{100 * a:.1f},{a:.3f},{9 * a - 3:.3f}\n" for y, a in zip(Y, A, strict=True)
    )
    (tmp_path / "x.csv").write_text("y,a,b,c\n" + rows)
    said = ("compare", "x.csv", "--truth", "y", *COSTS)
    told = " ".join(answer(*said, "--models", "a,b,c", cwd=tmp_path)["notes"])
    assert "Some predictions of 'a' are larger than 1, so they are treated as scores" in told
    assert "If they are percentages, divide them by 100." in told
    assert "divide them by 100" not in " ".join(
        answer(*said, "--models", "b,c", cwd=tmp_path)["notes"]
    )


def test_amounts_are_no_codes(tmp_path):
    rows = "".join(f"{1 + y},{a}\n" for y, a in zip(Y, A, strict=True))
    (tmp_path / "x.csv").write_text("worth,a\n" + rows)
    said = ("--truth", "worth", "--models", "a", "--utility", "value-minus-cutoff", "--theta", 1.5)
    assert not any(
        "event" in each for each in answer("compare", "x.csv", *said, cwd=tmp_path)["notes"]
    )
