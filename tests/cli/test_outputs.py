"""Where answers are written: links, pipes, closed streams, and files that stay as they are."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from program import PROGRAM, SAID, columns, refusal, run, run_program, write

import roctopus as rt


@pytest.fixture
def folder(tmp_path):
    write(tmp_path / "x.parquet", columns())
    return tmp_path


def test_links_modes_and_devices_stay_what_they_are(folder):
    (folder / "real.json").write_text("old\n")
    (folder / "real.json").chmod(0o600)
    (folder / "link.json").symlink_to("real.json")
    done = run("compare", "x.parquet", *SAID, "--decision", "link.json", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert (folder / "link.json").is_symlink()
    assert (folder / "real.json").stat().st_mode & 0o777 == 0o600
    rt.Decision.from_json(folder / "real.json")
    os.mkfifo(folder / "pipe.json")
    reader = subprocess.Popen(["cat", "pipe.json"], cwd=folder, stdout=subprocess.PIPE, text=True)
    done = run("compare", "x.parquet", *SAID, "--decision", "pipe.json", cwd=folder)
    assert json.loads(reader.communicate(timeout=60)[0])["arm"] == "regression"
    assert (folder / "pipe.json").is_fifo()


def test_nothing_is_written_over(folder):
    before = (folder / "x.parquet").read_bytes()
    told = refusal("compare", "x.parquet", *SAID, "--decision", "x.parquet", cwd=folder)
    assert "already used" in told
    assert (folder / "x.parquet").read_bytes() == before
    both = ("--decision", "o.json", "-o", "o.json")
    assert "already used" in refusal("compare", "x.parquet", *SAID, *both, cwd=folder)
    assert "is a folder" in refusal("compare", "x.parquet", *SAID, "-o", ".", cwd=folder)


def test_a_page_that_cannot_be_made_takes_nothing_with_it(folder):
    few = {name: values[:8] for name, values in columns().items()}
    write(folder / "few.parquet", few)
    outputs = ("--decision", "d.json", "-o", "o.html", "--png", "pictures")
    done = run("compare", "few.parquet", *SAID, *outputs, cwd=folder)
    assert done.returncode == 5
    assert "Expected cost" in done.stdout
    assert done.stdout.rstrip().split("Written: ")[1].startswith("d.json, pictures/")
    assert "A page made of groups of at least 10 cases needs 60 cases or more" in done.stderr
    assert done.stderr.endswith("The answer itself is complete.\n")
    rt.Decision.from_json(folder / "d.json")
    assert not (folder / "o.html").exists()
    assert (folder / "pictures" / "choices.png").exists()


def test_what_can_be_written_is(folder, monkeypatch):
    replace = Path.replace

    def full(self, new):
        if Path(new).suffix in (".html", ".png"):
            raise OSError(28, "No space left on device")
        return replace(self, new)

    monkeypatch.setattr(Path, "replace", full)
    outputs = ("--decision", "d.json", "-o", "o.html", "--png", "pictures")
    done = run("compare", "x.parquet", *SAID, *outputs, cwd=folder)
    assert done.returncode == 5
    assert "Use " in done.stdout
    assert done.stdout.endswith("Written: d.json\n")
    assert "more could not be written either. The answer itself is complete." in done.stderr
    assert done.stderr.count("\n") == 1
    rt.Decision.from_json(folder / "d.json")
    assert not (folder / "o.html").exists()
    assert list((folder / "pictures").iterdir()) == []


def test_pictures_that_cannot_be_written_are_refused_early(folder, monkeypatch):
    (folder / "file").write_text("")
    said = ("compare", "x.parquet", *SAID, "--decision", "d.json", "--png")
    for name in ("file", "file/below"):
        assert "--png needs a folder, but 'file' is a file" in refusal(
            *said, name, cwd=folder
        ).replace(f"{folder}/", "")
    monkeypatch.setattr(os, "access", lambda path, mode: "pictures" not in str(path))
    (folder / "pictures").mkdir()
    assert "permission denied" in refusal(*said, "pictures/new", cwd=folder)
    assert not (folder / "d.json").exists()


def test_a_verdict_survives_a_closed_pipe(folder):
    run("compare", "x.parquet", *SAID, "--decision", "d.json", cwd=folder)
    write(folder / "worse.parquet", {**columns(seed=1), "y": columns(seed=1)["y"] + 30.0})
    for name, code in (("x.parquet", 0), ("worse.parquet", 3)):
        done = subprocess.run(
            ["bash", "-c", f"{PROGRAM} check d.json {name} -t y -m a b | true; "
             "exit ${PIPESTATUS[0]}"],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )  # fmt: skip
        assert done.returncode == code, done.stderr
    helped = subprocess.run(
        ["bash", "-c", f"{PROGRAM} compare --help | true; exit ${{PIPESTATUS[0]}}"], check=False
    )
    assert helped.returncode == 0


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_streams_that_lack_signs(folder, encoding):
    done = run_program("compare", "x.parquet", *SAID, cwd=folder, PYTHONIOENCODING=encoding)
    assert done.returncode == 0, done.stderr
    assert run_program("compare", "-h", cwd=folder, PYTHONIOENCODING=encoding).returncode == 0


def test_a_closed_stream(folder):
    closed = subprocess.run(
        f"{PROGRAM} compare x.parquet {' '.join(SAID)} >&-", shell=True, cwd=folder, check=False
    )
    assert closed.returncode == 0
