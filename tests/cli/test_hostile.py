"""Broken and hostile files: a sentence each, and nothing that was read is written over."""

import gzip
import json
import os
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.feather as feather
import pytest
from program import SAID, answer, columns, refusal, run, run_program, write

import roctopus as rt


def lines(**more):
    """Return a file of 60 cases as lines; columns that are given take the place of others."""
    found = {**columns(60), "c": ["x"] * 60, **more}
    rows = [",".join(map(str, row)) for row in zip(*found.values(), strict=True)]
    return "\n".join([",".join(found), *rows]) + "\n"


def with_cell(text):
    """Return the file with another fifth prediction of "a"."""
    predictions = list(map(str, columns(60)["a"]))
    predictions[4] = text
    return lines(a=predictions)


def arrow(path, **more):
    table = pa.table({**columns(60), **more})
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)


@pytest.mark.parametrize("cell", ["١٢", "１２", "1\x002", "1_000", "\x0012"])
def test_cells_that_are_not_numbers(tmp_path, cell):
    (tmp_path / "x.csv").write_text(with_cell(cell))
    told = refusal("compare", "x.csv", *SAID, cwd=tmp_path)
    assert "The column 'a' must contain numbers, but contains the text " in told
    assert " in line 6. Correct or remove this row." in told


@pytest.mark.parametrize("blank", ["   ", "\t", "\xa0"])
def test_cells_of_blanks_are_empty(tmp_path, blank):
    (tmp_path / "x.csv").write_text(with_cell(blank))
    assert "missing" in refusal("compare", "x.csv", *SAID, cwd=tmp_path)
    found = answer("compare", "x.csv", *SAID, "--missing", "common", cwd=tmp_path)
    assert found["cases"] == 59


def test_json_lines_in_other_encodings(tmp_path):
    rows = [dict(zip("yab", row, strict=True)) for row in zip(*columns(60).values(), strict=True)]
    text = "\n".join(json.dumps({**row, "c": "é"}, ensure_ascii=False) for row in rows)
    for encoding in ("latin-1", "utf-16"):
        (tmp_path / "x.jsonl").write_bytes(text.encode(encoding))
        told = refusal("compare", "x.jsonl", *SAID, cwd=tmp_path)
        assert "is not entirely in UTF-8" in told
        assert "--encoding" in told
        found = answer("compare", "x.jsonl", *SAID, "--by", "c", "--encoding", encoding,
                       cwd=tmp_path)  # fmt: skip
        assert [each["value"] for each in found["segments"]] == ["é"]


def test_compressed_files_whose_name_does_not_say_so(tmp_path):
    (tmp_path / "x.csv").write_bytes(gzip.compress(lines().encode()))
    told = refusal("compare", "x.csv", *SAID, cwd=tmp_path)
    assert "'x.csv' is compressed with gzip. Rename it, so that its name ends in .gz." in told
    write(tmp_path / "y.csv", columns(60))
    assert "is a Parquet file" in refusal("compare", "y.csv", *SAID, cwd=tmp_path)
    (tmp_path / "z.csv").write_bytes(b"PK\x03\x04 and so on")
    assert "a spreadsheet or a zip archive" in refusal("compare", "z.csv", *SAID, cwd=tmp_path)


BOMB = 30_000_000
"""Rows of four letters: 120 MB, and 120 kB on the disk."""


@pytest.mark.parametrize("name", ["x.csv.gz", "x.jsonl.gz"])
def test_a_small_file_does_not_fill_the_memory(tmp_path, name):
    head, row = ("y,a\n", "1,2\n") if "csv" in name else ("", '{"y": 1, "a": 2}\n')
    with gzip.open(tmp_path / name, "wt", compresslevel=1) as file:
        file.write(head + "".join(f"{row[:-1]}\n" for _ in range(20)))
        block = row * 100_000
        for _ in range(BOMB // 100_000 * 4 // len(row)):
            file.write(block)
    said = ("-t", "y", "-m", "a", "--asymmetry", "0.5", "--memory", "300MB")
    told = refusal("compare", name, *said, cwd=tmp_path)
    assert f"'{name}'" in told
    assert "--memory" in told


def test_a_damaged_name_of_a_column(tmp_path):
    feather.write_feather(
        pa.table({**columns(60), "strange": range(60)}), str(tmp_path / "x.arrow")
    )
    held = (tmp_path / "x.arrow").read_bytes()
    (tmp_path / "x.arrow").write_bytes(held.replace(b"strange", b"strang\x9e"))
    told = refusal("compare", "x.arrow", *SAID, cwd=tmp_path)
    assert "'x.arrow' cannot be read as ARROW: it is damaged" in told
    with pytest.raises(rt.InputError, match="cannot be read as ARROW: it is damaged"):
        rt.compare("y", str(tmp_path / "x.arrow"), models=["a"], arm="regression", mode="grid")


@pytest.mark.parametrize("damage", [2**30, -5])
@pytest.mark.parametrize("option", ["--by", "--clusters", "--time"])
def test_damaged_buffers_do_not_end_the_process(tmp_path, damage, option):
    names = [f"name {k}" for k in range(60)]
    table = pa.table({**columns(60), "g": names})
    feather.write_feather(table, str(tmp_path / "x.arrow"), compression="uncompressed")
    held = (tmp_path / "x.arrow").read_bytes()
    offsets = np.cumsum([0, *map(len, names)]).astype("<i4").tobytes()
    at = held.index(offsets)
    wrong = struct.pack("<i", damage)
    (tmp_path / "x.arrow").write_bytes(held[: at + 80] + wrong + held[at + 84 :])
    done = run_program("compare", "x.arrow", *SAID, option, "g", cwd=tmp_path)
    assert done.returncode == 2, done.stderr
    assert "'x.arrow' cannot be read as ARROW: it is damaged" in done.stderr
    scan = (
        "import roctopus as rt\n"
        "rt.compare('y', 'x.arrow', models=['a', 'g'], arm='regression', mode='grid')"
    )
    done = subprocess.run(
        [sys.executable, "-c", scan], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "InputError" in done.stderr


SCANS = """
import sys
import pyarrow.dataset as ds
import roctopus as rt
for _ in range(100):
    for source in ("x.arrow", ds.dataset("x.arrow", format=sys.argv[1])):
        try:
            rt.compare("y", source, models=["a", "b"], arm="regression", mode="grid")
        except rt.InputError as refusal:
            print(refusal)
"""


@pytest.mark.parametrize("kind", ["ipc", "feather"])
def test_a_damaged_dictionary_does_not_end_the_process(tmp_path, kind):
    """The scanner of pyarrow's datasets (26.0) ends it, often, in one of its threads."""
    arrow(tmp_path / "x.arrow", g=pa.array(["x"] * 60).dictionary_encode())
    held = bytearray((tmp_path / "x.arrow").read_bytes())
    at = held.index(b"\xff\xff\xff\xff", 16) + 8  # the first message after the schema
    held[at : at + 16] = b"\xff" * 16
    (tmp_path / "x.arrow").write_bytes(held)
    done = subprocess.run(
        [sys.executable, "-c", SCANS, kind],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("cannot be read: it is damaged") == 200


def test_links_that_lead_to_themselves(tmp_path):
    (tmp_path / "loop.csv").symlink_to("loop.csv")
    told = refusal("compare", "loop.csv", *SAID, cwd=tmp_path)
    assert told.endswith("Too many levels of symbolic links.\n")
    (tmp_path / "f").mkdir()
    (tmp_path / "f" / "again").symlink_to(tmp_path / "f")
    (tmp_path / "f" / "loop.csv").symlink_to("loop.csv")
    (tmp_path / "f" / "x.csv").write_text(lines())
    assert answer("compare", "f", *SAID, cwd=tmp_path)["cases"] == 60


TIMES = {
    "seconds": pa.array([2**62] * 60, pa.timestamp("s")),
    "milliseconds": pa.array([-(2**62)] * 60, pa.timestamp("ms")),
    "days": pa.array([2**31 - 1] * 60, pa.date32()),
    "zone": pa.array([0] * 60, pa.timestamp("s", tz="Mars/Olympus")),
    "offset": pa.array([0] * 60, pa.timestamp("s", tz="+99:99")),
    "duration": pa.array([2**60] * 60, pa.duration("s")),
}


@pytest.mark.parametrize("kind", TIMES)
def test_times_that_python_does_not_know(tmp_path, kind):
    arrow(tmp_path / "x.arrow", g=TIMES[kind])
    for option in ("--by", "--time", "--clusters"):
        told = refusal("compare", "x.arrow", *SAID, option, "g", cwd=tmp_path)
        assert "outside the years 1 to 9999, or have an unknown time zone" in told
    for said in (("-t", "g"), ("-t", "y", "-w", "g")):
        told = refusal("compare", "x.arrow", *said, "-m", "a", "--asymmetry", "1", cwd=tmp_path)
        assert "The column 'g' must contain numbers, but its type is" in told
    assert run("compare", "x.arrow", *SAID, cwd=tmp_path).returncode == 0
    costs = ("-t", "y", "--prediction-column", "b", "--asymmetry", "1")
    for long in (("--model-column", "g", "--id", "a"), ("--model-column", "a", "--id", "g")):
        told = refusal("compare", "x.arrow", *costs, *long, cwd=tmp_path)
        assert "outside the years 1 to 9999, or have an unknown time zone" in told


@pytest.mark.parametrize("kind", [pa.list_(pa.int64()), pa.struct({"k": pa.int64()})])
def test_truths_that_are_no_single_values(tmp_path, kind):
    held = [[1]] * 60 if pa.types.is_list(kind) else [{"k": 1}] * 60
    arrow(tmp_path / "x.arrow", g=pa.array(held, kind))
    for option in ("--asymmetry", "--costs", "--prevalence"):
        told = refusal("compare", "x.arrow", "-t", "g", "-m", "a", option, "1", cwd=tmp_path)
        assert "'g' must contain" in told


LONG = "x" * 5000


@pytest.mark.parametrize("name", [LONG, LONG + ".csv", "a/" * 3000 + "b.csv", "a\0.csv"])
def test_names_that_no_file_can_have(tmp_path, name):
    for told in (
        refusal("compare", name, *SAID, cwd=tmp_path),
        refusal("look", name, cwd=tmp_path),
    ):
        assert "cannot be read: " in told
        assert len(told) < 400
    for models in ({}, {"models": ["a"], "mode": "grid"}):
        with pytest.raises(rt.InputError, match="cannot be read: "):
            rt.compare("y", name, arm="regression", **models)
    (tmp_path / "x.csv").write_text(lines())
    for option in () if "\0" in name else ("--decision", "--output", "--png"):  # no shell passes it
        done = run("compare", "x.csv", *SAID, option, name, cwd=tmp_path)
        assert (done.returncode, done.stdout) == (2, ""), option
        assert "bug in roctopus" not in done.stderr
    assert [each.name for each in tmp_path.iterdir()] == ["x.csv"]
    cases = rt.compare("y", str(tmp_path / "x.csv"), models=["a"], arm="regression")
    with pytest.raises((rt.InputError, OSError, ValueError)):
        cases.check(cases.decide(asymmetry=0.8), state=tmp_path / name)
    done = run("compare", "x.csv", "-t", "c", "-m", "a", "--costs", name, cwd=tmp_path)
    assert (done.returncode, "bug in roctopus" in done.stderr) == (2, False)


WAYS = ("hard link", "symbolic link", "name", "folder")


def test_a_file_by_two_names_is_one(tmp_path):
    (tmp_path / "x.csv").write_text(lines())
    os.link(tmp_path / "x.csv", tmp_path / "y.csv")
    (tmp_path / "z.csv").symlink_to("x.csv")
    for other in ("y.csv", "z.csv", "./x.csv"):
        told = refusal("compare", "x.csv", other, *SAID, cwd=tmp_path)
        same = f"'x.csv' and '{other}' are the same file"
        assert (same if other != "./x.csv" else "'x.csv'") in told
        assert "so its cases would count twice" in told


@pytest.mark.parametrize(
    ("option", "by"),
    [(option, by) for option in ("--decision", "--output") for by in WAYS]
    + [("--png", by) for by in WAYS[:2]],
)
def test_what_was_read_is_not_written_over(tmp_path, option, by):
    (tmp_path / "in").mkdir()
    (tmp_path / "out").mkdir()
    data = tmp_path / "in" / "x.csv"
    data.write_text(lines())
    name = "in/x.csv" if by in ("name", "folder") else "out/comparison.png"
    if by == "hard link":
        os.link(data, tmp_path / name)
    if by == "symbolic link":
        (tmp_path / name).symlink_to(data)
    read = "in" if by == "folder" else "in/x.csv"
    if option == "--png":  # a folder: its pictures have names of their own
        name = str(Path(name).parent)
    refusal("compare", read, *SAID, option, name, cwd=tmp_path)
    assert data.read_text() == lines()
    assert {each.name for each in (tmp_path / "out").iterdir()} <= {"comparison.png"}


def test_a_check_does_not_write_over_what_it_read(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "x.csv").write_text(lines())
    assert run("compare", "in", *SAID, "--decision", "d.json", cwd=tmp_path).returncode == 0
    os.link(tmp_path / "d.json", tmp_path / "e.json")
    decided = (tmp_path / "d.json").read_text()
    for option in ("--state", "--output", "--retuned"):
        for name in ("in/x.csv", "e.json"):
            refusal("check", "d.json", "in", "-t", "y", option, name, cwd=tmp_path)
    assert (tmp_path / "in" / "x.csv").read_text() == lines()
    assert (tmp_path / "d.json").read_text() == decided


@pytest.mark.parametrize("number", ["1_000", "١", "1__0", "0x10"])
def test_costs_are_plain_numbers(tmp_path, number):
    (tmp_path / "x.csv").write_text(lines())
    told = refusal(
        "compare", "x.csv", "-t", "y", "-m", "a", "--under-cost", number, cwd=tmp_path
    )  # fmt: skip
    assert "--under-cost must be a number" in told
