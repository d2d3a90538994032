"""``roctopus look``: what a file was read as, and a command that works as it is printed."""

import json
import shlex
import sys
from pathlib import Path

import numpy as np
import pytest
from program import SAID, answer, columns, refusal, run, write

sys.path.insert(0, str(Path(__file__).parents[1] / "engines"))
import catalogue

FILES = {each.name: each for each in catalogue.catalogue()}
NONE = ("--decimal", "%", "text (", "No column looks", "seems to contain the true values")
"""What says why there is no command."""
REAL = Path(__file__).parents[2].parent / "shared" / "data"
REAL_FILES = sorted(REAL.glob("*.csv"))
BUNDLED = sorted((Path(__file__).parents[2] / "src" / "roctopus" / "datasets").glob("*.csv"))


def looked(*said, cwd):
    done = run("look", *said, cwd=cwd)
    assert done.returncode == 0, done.stderr
    return done.stdout


def printed(text):
    """Return the command that was printed, as a shell reads it."""
    lines = [line for line in text.splitlines() if line.startswith("roctopus compare")]
    return shlex.split(lines[0])[1:] if lines else []


def without(command, option):
    """Return a command without an option and its value."""
    at = command.index(option)
    return command[:at] + command[at + 2 :]


@pytest.mark.parametrize("name", FILES)
def test_the_command_for_a_file_of_the_catalogue_works(name, tmp_path):
    file = FILES[name]
    (tmp_path / name).write_bytes(file.content)
    said = [part for n, v in file.said.items() for part in (f"--{n}", v)]
    if name == "twice.csv":
        assert "several columns" in refusal("look", name, cwd=tmp_path)
        return
    shown = looked(name, *said, cwd=tmp_path)
    command = printed(shown)
    if not command:
        assert any(part in shown for part in NONE)
        assert file.asked or name == "indian.csv"  # of which all rows are the same
        return
    done = run(*command, "--json", cwd=tmp_path)
    assert done.returncode == 0, (command, done.stderr)
    if file.positive is not None:
        assert command[command.index("--positive") + 1] == file.positive
        guessed = answer(*without(command, "--positive"), cwd=tmp_path)
        assert guessed["rows"] == json.loads(done.stdout)["rows"]
        assert f"{file.positive!r} is treated as the event" in " ".join(guessed["notes"])
    if "b" in file.means and not file.asked:
        assert command[command.index("--truth") + 1] == "y"
    if "score" in file.means and not file.asked:
        assert command[command.index("--models") + 1] == "score"


@pytest.mark.parametrize("path", [*REAL_FILES, *BUNDLED], ids=lambda path: path.name)
def test_the_command_for_a_real_file_works(path, tmp_path):
    command = printed(looked(path, cwd=tmp_path))
    done = run(*command, "--json", cwd=tmp_path)
    assert done.returncode == 0, (command, done.stderr)


def test_roles_are_guessed_by_name_and_content(tmp_path):
    found = columns(60)
    days = [f"{1 + k % 28}.{1 + k // 28}.2024" for k in range(60)]
    text = "".join(
        ";".join([str(k), d, *(f"{x:.2f}".replace(".", ",") for x in xs), str(w)]) + "\n"
        for k, d, *xs, w in zip(range(900, 960), days, *found.values(), [2, 3] * 30, strict=True)
    )
    (tmp_path / "x.csv").write_text("customer_id;Datum;demand;pred_a;pred_b;weight\n" + text)
    shown = looked("x.csv", cwd=tmp_path)
    roles = {line.split()[0]: line for line in shown.splitlines() if line.strip()}
    assert "id" in roles["customer_id"]
    assert "dates" in roles["Datum"]
    assert "time" in roles["Datum"]
    assert "truth" in roles["demand"]
    assert "prediction" in roles["pred_a"]
    assert "weight" in roles["weight"]
    command = printed(shown)
    assert command[1:7] == ["x.csv", "--truth", "demand", "--models", "pred_a", "pred_b"]
    assert command[command.index("--time") :][:2] == ["--time", "Datum"]
    assert run(*command, cwd=tmp_path).returncode == 0


def test_missing_values_are_counted(tmp_path):
    found = columns(60)
    found["y"][:3] = np.nan
    write(tmp_path / "x.parquet", found)
    shown = looked("x.parquet", cwd=tmp_path)
    assert "3" in next(line for line in shown.splitlines() if line.startswith("y "))
    command = printed(shown)
    assert command[-2:] == ["--missing", "common"]
    told = answer(*command, cwd=tmp_path)
    assert told["cases"] == 57
    note = "3 of 60 rows have no true value and are left out; 57 remain."
    assert note in told["notes"]
    told = refusal("compare", "x.parquet", *SAID, cwd=tmp_path)
    assert "The column 'y' (--truth) has no value in rows 1, 2 and 3." in told
    assert "--missing common" in told


@pytest.mark.parametrize("kind", ["struct", "list", "bytes", "duration", "far", "zone", "clock"])
def test_columns_that_cannot_be_used_are_shown(tmp_path, kind):
    import pyarrow as pa

    found = columns(40)
    strange = {
        "struct": pa.array([{"$numberDecimal": "1.5"}] * 40),
        "list": pa.array([[1.0, 2.0]] * 40),
        "bytes": pa.array([b"\xff\x00"] * 40),
        "duration": pa.array(range(40), pa.duration("s")),
        "far": pa.array([10**14 + k for k in range(40)], pa.timestamp("s")),
        "zone": pa.array(range(40), pa.timestamp("s", tz="Mars/Olympus")),
        "clock": pa.array(range(40), pa.time32("s")),
    }
    write(tmp_path / "x.parquet", {**found, "x": strange[kind]})
    command = printed(looked("x.parquet", cwd=tmp_path))
    assert run(*command, cwd=tmp_path).returncode == 0


def test_a_file_that_cannot_be_used_at_all(tmp_path):
    (tmp_path / "x.csv").write_text("y,a\n")
    assert "'x.csv' has no rows." in refusal("look", "x.csv", cwd=tmp_path)


def test_a_truth_that_was_not_read_is_not_replaced_by_another(tmp_path):
    file = FILES["one_comma_among_points.csv"]
    (tmp_path / file.name).write_bytes(file.content)
    shown = looked(file.name, cwd=tmp_path)
    assert printed(shown) == []
    assert "'y' seems to contain the true values" in shown
    assert "line 9" in shown


def test_codes_of_two_classes_are_classes(tmp_path):
    rng = np.random.default_rng(5)
    score = rng.random(90)
    (tmp_path / "x.csv").write_text("churn,score\n" + "".join(
        f"{1 + (rng.random() < s)},{s:.3f}\n" for s in score
    ))  # fmt: skip
    shown = looked("x.csv", cwd=tmp_path)
    assert "--positive names the event, which may be '2' or '1'." in shown
    command = printed(shown)
    assert command[command.index("--positive") + 1] == "2"
    assert answer(*command, cwd=tmp_path)["arm"] == "probability"


def test_numbers_of_rows_are_no_truth(tmp_path):
    rows = zip(range(1, 121), *columns().values(), strict=True)
    (tmp_path / "x.csv").write_text(
        "Lfd,Umsatz,A,B\n" + "".join(f"{','.join(map(str, r))}\n" for r in rows)
    )
    command = printed(looked("x.csv", cwd=tmp_path))
    assert command[command.index("--truth") + 1] == "Umsatz"


def test_a_question_is_shown_instead_of_a_guess(tmp_path):
    file = FILES["thousands_or_decimals.csv"]
    (tmp_path / file.name).write_bytes(file.content)
    shown = looked(file.name, cwd=tmp_path)
    assert "--decimal ." in shown
    assert "--thousands ." in shown
    assert printed(shown) == []
    command = printed(looked(file.name, "--decimal", ",", cwd=tmp_path))
    assert command[-2:] == ["--decimal", ","]
