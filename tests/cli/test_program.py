"""How the program behaves: output for people, files, checks, and what it refuses."""

import json
import os
import pty
import resource
import select
import signal
import subprocess
import sys
import time

import jsonschema
import numpy as np
import pytest
from program import PROGRAM, answer, refusal, run, run_program, write

import roctopus as rt
from roctopus.arms import find_arm
from roctopus.cli.main import gather
from roctopus.cli.schemas import read_schema

SAID = ("--truth", "y", "--models", "a", "b", "--under-cost", "4", "--over-cost", "1")


def columns(size=200, seed=0, shift=0.0):
    rng = np.random.default_rng(seed)
    y = rng.gamma(3.0, 10.0, size)
    return {
        "y": y + shift,
        "a": y + rng.normal(0, 6, size),
        "b": y + rng.normal(0, 3, size) - 2,
        "text": ["x"] * size,
    }


@pytest.fixture
def folder(tmp_path):
    write(tmp_path / "x.parquet", columns())
    return tmp_path


def test_the_answer_comes_first(folder):
    done = run("compare", "x.parquet", *SAID, cwd=folder)
    assert done.returncode == 0
    made = {name: each for name, each in columns().items() if name in "ab"}
    decision = rt.compare(columns()["y"], made, arm="regression").decide(under_cost=4, over_cost=1)
    lines = done.stdout.strip().splitlines()
    assert lines[0].startswith("Use b and add ")
    assert decision.sentence.startswith(" ".join(lines[:2]))
    assert lines[1].startswith("Expected cost: ")
    assert "\x1b" not in done.stdout
    assert done.stderr == ""
    rows = [line for line in lines if line.startswith(("a  ", "b  ", "best constant "))]
    assert [line.split("  ")[0] for line in rows] == ["b", "a", "best constant"]
    assert rows[0].endswith("> 99 %")
    assert "200 cases; an under-estimate costs 4 and an over-estimate 1" in done.stdout
    assert lines[-1] == (
        "On the data used for tuning, b is the best model for every ratio of costs from 1:20 to "
        "20:1 (cost of an under-estimate : cost of an over-estimate)."
    )


def on_a_terminal(folder, *arguments, program=PROGRAM, **environment):
    """Run with a terminal as output; return what it showed."""
    ours, theirs = pty.openpty()
    job = subprocess.Popen(
        [str(program), *arguments],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm-256color", **environment},
    )
    os.close(theirs)
    shown = b""
    while True:
        if select.select([ours], [], [], 60)[0]:
            try:
                part = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            shown += part
        else:
            raise AssertionError("The program hangs.")
    os.close(ours)
    assert job.wait(60) == 0
    return shown.decode()


AT_ONCE = """
import threading, sys
class AtOnce(threading.Timer):
    def __init__(self, patience, show):
        super().__init__(0.0, show)
    def start(self):
        super().start()
        self.join()
threading.Timer = AtOnce
from roctopus.cli import run
run()
"""
"""The program without the second that passes before progress is shown."""


@pytest.mark.newest
def test_colours_and_progress_on_a_terminal_only(folder):
    said = ("-c", AT_ONCE, "compare", "x.parquet", *SAID)
    shown = on_a_terminal(folder, *said, program=sys.executable)
    assert "\x1b[1;" in shown
    assert "━" in shown
    plain = on_a_terminal(folder, "compare", "x.parquet", *SAID, NO_COLOR="1")
    assert not any(f"\x1b[{code}m" in plain for code in ("32", "1;32", "1;33"))
    assert "48;5;" not in plain
    quiet = subprocess.run([sys.executable, *said], cwd=folder, capture_output=True, check=True)
    assert quiet.stderr == b""


def test_files_are_written(folder):
    done = run(
        "compare", "x.parquet", *SAID, "--png", "p/q", "--decision", "d.json", "-o", "x.html",
        cwd=folder,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert (folder / "p" / "q" / "comparison.png").read_bytes().startswith(b"\x89PNG")
    assert (folder / "p" / "q" / "rroc.png").stat().st_size > 10_000
    assert rt.Decision.from_json(folder / "d.json").model in "ab"
    assert (folder / "x.html").read_text().startswith("<!doctype html>")
    for name in ("comparison.png", "d.json", "x.html"):
        assert name in done.stdout


def as_the_shell_reads(line):
    """Return the words of a command line."""
    said = subprocess.run(
        f"printf '%s\\0' {line}", shell=True, capture_output=True, text=True, check=True
    )
    return said.stdout.split("\0")[:-1]


@pytest.mark.newest
@pytest.mark.parametrize("arm", ["", "regression", "cutoff", "ordinal", "probability", "impact"])
def test_every_demo_tells_its_story_and_its_command_gives_the_same(tmp_path, arm):
    done = run("demo", *arm.split(), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    (made,) = (tmp_path / "roctopus-demo").iterdir()
    pictures = {path.name for path in made.glob("*.png")}
    assert pictures == {
        "comparison.png",
        "choices.png",
        *(f"{name}.png" for name in find_arm(arm or "regression").pictures),
    }
    first = (made / "decision.json").read_text()
    (line,) = (line for line in done.stdout.splitlines() if line.startswith("$ "))
    again = run(*as_the_shell_reads(line[2:])[1:], cwd=tmp_path)
    assert again.returncode == 0, again.stderr
    assert (made / "decision.json").read_text() == first
    assert again.stdout in done.stdout


def test_help_version_and_schemas(tmp_path):
    assert run_program("--help", cwd=tmp_path).returncode == 0
    for said in (("--help",), ("compare", "--help"), ("check", "-h"), ("demo", "-h")):
        done = run(*said, cwd=tmp_path)
        assert done.returncode == 0
        assert "roctopus" in done.stdout
    assert "Example:" in run("compare", "--help", cwd=tmp_path).stdout
    assert run("--version", cwd=tmp_path).stdout.strip() == f"roctopus {rt.__version__}"
    for what in ("answer", "check", "decision"):
        assert json.loads(run("schema", what, cwd=tmp_path).stdout) == read_schema(what)


def test_completion_of_the_shell_that_runs_it(tmp_path):
    """The program asks which shell started it; the test may have been started by none."""
    line = f"{PROGRAM} --show-completion; exit $?"
    done = subprocess.run(
        ["bash", "-c", line], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert "complete" in done.stdout


def test_check(folder):
    run("compare", "x.parquet", *SAID, "--decision", "d.json", cwd=folder)
    said = ("--truth", "y", "--models", "a", "b")
    write(folder / "same.parquet", columns(300, seed=1))
    write(folder / "moved.parquet", columns(300, seed=2, shift=6.0))
    same = run("check", "d.json", "same.parquet", *said, cwd=folder)
    assert same.returncode == 0
    assert same.stdout.startswith("The decision still holds: on 300 new cases")
    moved = run("check", "d.json", "moved.parquet", *said, "--json", cwd=folder)
    assert moved.returncode == 3  # re-tune
    found = json.loads(moved.stdout)
    jsonschema.validate(found, read_schema("check"))
    decision = rt.Decision.from_json(folder / "d.json")
    new = columns(300, seed=2, shift=6.0)
    comparison = rt.compare(new["y"], {m: new[m] for m in "ab"}, arm="regression")
    assert found["value"] == comparison.judge(decision).value
    assert found["sentence"] == comparison.check(decision).sentence
    assert {each["what"]: each["holds"] for each in found["findings"]}["knob"] is False
    assert "No such file" in refusal("check", "no.json", "same.parquet", *said, cwd=folder)
    broken = (folder / "d.json").read_text().replace('"knob"', '"knub"', 1)
    (folder / "e.json").write_text(broken)
    assert "cannot be read as a decision" in refusal(
        "check", "e.json", "same.parquet", *said, cwd=folder
    )


@pytest.mark.parametrize(
    ("arm", "said", "ask"),
    [
        ("cutoff", ["--truth", "y"], ["--cutoff", "30", "--false-negative-cost", "3"]),
        ("ordinal", ["--truth", "y"], ["--costs", "1,2,3"]),
        ("ordinal", ["--truth", "y"], ["--arm", "ordinal", "--costs", "1,2,1:4"]),
        ("probability", ["--truth", "y"], ["--cost-proportion", "0.2", "--prevalence", "0.3"]),
        (
            "impact",
            ["--truth", "y", "--utility", "value-minus-cutoff"],
            ["--theta", "30", "--capacity", "100"],
        ),
    ],
)
def test_decisions_of_every_arm_can_be_checked(tmp_path, arm, said, ask):
    for name, seed in (("old", 0), ("new", 1)):
        rng = np.random.default_rng(seed)
        found = columns(400, seed)
        if arm == "ordinal":
            found["y"] = rng.integers(0, 3, 400)
            found |= {m: found["y"] + rng.normal(0, 0.8, 400) for m in "ab"}
        if arm == "probability":
            risk = rng.beta(1, 2, 400)
            found |= {"y": (rng.random(400) < risk) * 1, "a": risk, "b": risk**2}
        write(tmp_path / f"{name}.parquet", found)
    models = ["--models", "a", "b"]
    made = run("compare", "old.parquet", *said, *models, *ask, "--decision", "d.json", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    done = run("check", "d.json", "new.parquet", *said, *models, "--json", cwd=tmp_path)
    found = json.loads(done.stdout)
    codes = {"wait": 0, "retrain": 1, "retune": 3, "accept": 4}
    assert done.returncode == codes[found["advice"]], done.stderr
    jsonschema.validate(found, read_schema("check"))
    assert found["cases"] == 400


STRANGE = [
    "x'; DROP TABLE cases; --",
    '"quoted" name',
    "$(touch stolen) `touch stolen`",
    "[bold red]markup[/]",
    "-starts like an option",
    "a,b*",
    "ünï ☃ 日本",
    "../../etc/passwd",
]


def test_strange_names_are_names(tmp_path):
    found = columns()
    renamed = {"y": found["y"]} | {name: found["a"] + k for k, name in enumerate(STRANGE)}
    write(tmp_path / "x.parquet", renamed)
    said = [f"--models={name}" for name in STRANGE]
    done = run("compare", "x.parquet", "-t", "y", *said, "--asymmetry", "0.7", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    for name in STRANGE:
        assert name in done.stdout
    listed = answer("compare", "x.parquet", "-t", "y", *said, "--asymmetry", "0.7", cwd=tmp_path)
    assert listed["models"] == STRANGE
    assert sorted(p.name for p in tmp_path.iterdir()) == ["x.parquet"]


def test_terminals_are_not_commanded_by_data(tmp_path):
    found = columns()
    write(tmp_path / "x.parquet", {"y": found["y"], "a\x1b]0;owned\x07": found["a"]})
    done = run("compare", "x.parquet", "-t", "y", "-m", "*", "--asymmetry", "0.7", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "\x1b" not in done.stdout
    assert "�]0;owned" in done.stdout


def test_what_is_missing_or_wrong_is_a_sentence(folder):
    def says(*arguments, **more):
        return refusal("compare", *arguments, cwd=folder, **more)

    text = "y,a,b\n" + "\n".join(f"{k},{k + 1},{k * 2}" for k in range(50)) + "\n"
    (folder / "good.csv").write_text(text)
    assert "Did you mean 'x.parquet'?" in says("x.parqet", *SAID)
    assert "no column 'yy'. Did you mean 'y'?" in says("x.parquet", "-t", "yy", "-m", "a")
    near = says("x.parquet", "-t", "y", "-m", "tezt", "--asymmetry", "0.5")
    assert "Did you mean 'text'?" in near
    listed = says("x.parquet", "-t", "y", "--asymmetry", "0.5")
    assert "Columns that may contain predictions: 'a', 'b'." in listed
    assert "matches no column" in says("x.parquet", "-t", "y", "-m", "z*", "--asymmetry", "0.5")
    assert "--truth" in says("x.parquet", "-m", "a", "--asymmetry", "0.5")
    assert "--arm" in says("x.parquet", "-t", "y", "-m", "a")
    held = says("x.parquet", "-t", "y", "-m", "text", "--asymmetry", "0.5")
    assert (
        "'text' must contain numbers, but contains text in rows 1, 2, 3, 4, 5 and 195 more" in held
    )
    (folder / "some.csv").write_text(text.replace("\n7,8,14\n", "\n7,n/b,14\n"))
    assert "the text 'n/b' in line 9" in says("some.csv", *SAID)
    (folder / "empty.csv").write_text("")
    assert "'empty.csv' is empty" in says("empty.csv", *SAID)
    (folder / "header.csv").write_text("y,a,b\n")
    assert "no rows" in says("header.csv", *SAID)
    (folder / "cut.parquet").write_bytes((folder / "x.parquet").read_bytes()[:-200])
    assert "damaged, truncated" in says("cut.parquet", *SAID)
    (folder / "other.csv").write_text(text.replace(",", ";"))
    for said in ((), ("--delimiter", ";")):
        assert answer("compare", "other.csv", *SAID, *said, cwd=folder)["cases"] == 50
    assert "has no column 'y'" in says("other.csv", *SAID, "--delimiter", "|")
    (folder / "ragged.csv").write_text(text + "1,2\n")
    assert "different numbers of columns" in says("ragged.csv", *SAID)
    (folder / "mixed.csv").write_bytes(text.replace("a,", "ä,", 1).encode("latin-1"))
    for said in ((), ("--encoding", "latin-1")):
        german = answer("compare", "mixed.csv", "-t", "y", "-m", "ä", "--asymmetry", "0.5", *said,
                        cwd=folder)  # fmt: skip
        assert german["models"] == ["ä"]
        assert any("--encoding" in note for note in german["notes"]) == (not said)
    (folder / "data.xls").write_text("x")
    assert "unknown file type" in says("data.xls", *SAID)
    (folder / "one.csv").write_text("y,a,b\n1,2,3\n")
    assert "at least two cases" in says("one.csv", *SAID)
    assert "Standard input is empty" in says("-", *SAID, stdin="")
    assert "cannot be combined" in says("x.parquet", *SAID, "--asymmetry", "0.5")
    assert "is not an option" in says("x.parquet", *SAID, "--arm", "cutoff")
    assert "must be a number" in says("x.parquet", "-t", "y", "-m", "a", "--asymmetry", "much")
    assert "one of" in says("x.parquet", *SAID, "--arm", "regresion")
    assert "between 0 and 1" in says("x.parquet", "-t", "y", "-m", "a", "--asymmetry", "1.5")
    assert "uniform" in says(
        "x.parquet", "-t", "y", "-m", "a", "--arm", "cutoff", "--distribution", "cauchy(1)"
    )
    assert "No such option" in says("x.parquet", *SAID, "--truht", "y")
    write(folder / "wide.parquet", {**columns(), "c": [1.0] * 200})
    assert "different columns" in says("x.parquet", "wide.parquet", *SAID)


def test_one_model_is_tuned(folder):
    found = answer("compare", "x.parquet", "-t", "y", "-m", "a", "--asymmetry", "0.8", cwd=folder)
    assert found["verdict"] == found["decision"]["verdict"] == "use"
    assert any("one model" in note for note in found["notes"])


def test_models_only_and_what_does_not_matter(tmp_path):
    rng = np.random.default_rng(0)
    y = rng.normal(size=300)
    noise = {name: rng.normal(size=300) for name in "ab"}
    twins = {name: y + 0.3 * rng.normal(size=300) for name in "cd"}
    write(tmp_path / "x.parquet", {"y": y, **noise, **twins, "shop": ["n", "s"] * 150})

    def verdicts(models, *said):
        given = ("-t", "y", "-m", *models, "--asymmetry", "0.5", "--by", "shop", *said)
        found = answer("compare", "x.parquet", *given, cwd=tmp_path)
        parts = [found, *(each["decision"] for each in found["segments"])]
        return [each["verdict"] for each in parts]

    assert verdicts("ab") == ["no model"] * 3
    assert set(verdicts("ab", "--models-only")) <= {"use", "either", "use for now"}
    assert verdicts("cd") == ["use for now"] * 3
    assert verdicts("cd", "--tolerance", "0.5") == ["either"] * 3
    said = ("-t", "y", "-m", "a", "b", "--asymmetry", "0.5")
    done = run("compare", "x.parquet", *said, cwd=tmp_path)
    assert done.stdout.strip().startswith("No model ")
    told = refusal("compare", "x.parquet", *said, "--tolerance", "-1", cwd=tmp_path)
    assert "--tolerance" in told


def test_what_cannot_be_written_leaves_the_old_file_whole(folder):
    assert "no folder" in refusal(
        "compare", "x.parquet", *SAID, "--decision", "no/where/d.json", cwd=folder
    )
    (folder / "dir").mkdir()
    told = refusal("compare", "x.parquet", *SAID, "--decision", "dir", cwd=folder)
    assert "dir" in told
    assert list((folder / "dir").iterdir()) == []


def full_disk(folder):
    """Return a place with next to no room: a small tmpfs, else a limit on the size of files."""
    small = folder / "small"
    small.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=8k", "tmpfs", str(small)],
        capture_output=True,
        check=False,
    )
    return small, mounted.returncode == 0


@pytest.mark.newest
def test_a_full_disk_leaves_the_old_file_whole(folder):
    small, mounted = full_disk(folder)
    try:
        (small / "d.json").write_text("old\n")
        (small / "x.html").write_text("old\n")
        for option, name in (("-o", "x.html"), ("--png", ".")):
            target = small / name
            done = subprocess.run(
                [str(PROGRAM), "compare", "x.parquet", *SAID, option, str(target)],
                cwd=folder,
                capture_output=True,
                text=True,
                check=False,
                preexec_fn=None if mounted else _small_files,
            )
            assert done.returncode == 5, done.stdout
            assert "No file was left half written" in done.stderr
            assert "Use " in done.stdout
            assert done.stderr.count("\n") == 1
        assert (small / "d.json").read_text() == "old\n"
        assert sorted(p.name for p in small.iterdir()) == ["d.json", "x.html"]
    finally:
        if mounted:
            subprocess.run(["umount", str(small)], check=True)


def _small_files():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))


def _can_be_interrupted():
    """Undo what some runners of tests do: ignore SIGINT, for all that they start."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def interruptible(folder, *command):
    """Start a process that SIGINT reaches, beside a file that it is told to replace."""
    (folder / "d.json").write_text("old\n")
    return subprocess.Popen(
        [*map(str, command), *SAID, "--decision", "d.json"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=_can_be_interrupted,
    )


def check_interrupted(job, folder, source):
    _, told = job.communicate(timeout=300)
    assert told == "roctopus: Interrupted. No file was left half written.\n"
    assert job.returncode == 130
    assert (folder / "d.json").read_text() == "old\n"
    assert sorted(p.name for p in folder.iterdir()) == ["d.json", source]


@pytest.mark.newest
def test_interrupted_while_it_reads(tmp_path):
    """Ctrl-C while the program waits for rows: that it has opened the pipe is the sign."""
    os.mkfifo(tmp_path / "x.csv")
    job = interruptible(tmp_path, PROGRAM, "compare", "x.csv")
    while True:
        assert job.poll() is None, job.communicate()
        try:
            pipe = os.open(tmp_path / "x.csv", os.O_WRONLY | os.O_NONBLOCK)
            break
        except OSError:  # nobody reads yet
            time.sleep(0.01)
    job.send_signal(signal.SIGINT)
    os.close(pipe)
    check_interrupted(job, tmp_path, "x.csv")


MOMENTS = {
    "gathering": """
def watch(frame, event, value):
    if event == "call" and frame.f_code.co_name == "_is_file":
        sys.setprofile(None)
        os.kill(os.getpid(), signal.SIGINT)
sys.setprofile(watch)
""",
    "ending": """
import roctopus.cli.failures as failures
say = failures.fail
def fail(sentence):
    say(sentence)
    os.kill(os.getpid(), signal.SIGINT)
failures.fail = fail
def watch(frame, event, value):
    name = frame.f_globals.get("__name__", "")
    if event == "call" and name.startswith("roctopus.inference") and frame.f_code.co_name[0] != "<":
        sys.setprofile(None)
        os.kill(os.getpid(), signal.SIGINT)
sys.setprofile(watch)
""",
    "deciding": """
def watch(frame, event, value):
    name = frame.f_globals.get("__name__", "")
    if event == "call" and name.startswith("roctopus.inference") and frame.f_code.co_name[0] != "<":
        sys.setprofile(None)
        os.kill(os.getpid(), signal.SIGINT)
sys.setprofile(watch)
""",
    "writing": """
def watch(event, values):
    if event == "tempfile.mkstemp":
        os.kill(os.getpid(), signal.SIGINT)
sys.addaudithook(watch)
""",
    "replacing": """
def watch(event, values):
    if event == "os.rename" and str(values[1]).endswith("d.json"):
        os.kill(os.getpid(), signal.SIGINT)
sys.addaudithook(watch)
""",
}
"""Programs that interrupt themselves: before they begin, at the first call of inference, around the
file, and again while they end, as Arrow does."""


@pytest.mark.newest
@pytest.mark.parametrize("moment", MOMENTS)
def test_an_interrupted_run_leaves_the_old_file_whole(tmp_path, moment):
    write(tmp_path / "x.parquet", columns())
    code = (
        f"import os, signal, sys\n{MOMENTS[moment]}\n"
        "from roctopus.cli import run; sys.argv[0] = 'roctopus'; run()"
    )
    job = interruptible(tmp_path, sys.executable, "-c", code, "compare", "x.parquet")
    check_interrupted(job, tmp_path, "x.parquet")


@pytest.mark.newest
def test_nobody_reads_on(folder):
    done = subprocess.run(
        f"{PROGRAM} compare x.parquet {' '.join(SAID)} | head -1",
        shell=True,
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""


def test_several_models_after_one_option(tmp_path):
    (tmp_path / "f.csv").write_text("x")
    file = str(tmp_path / "f.csv")
    assert gather(["--models", "a", "b", "--id", "c"]) == [
        "--models", "a", "--models", "b", "--id", "c",
    ]  # fmt: skip
    assert gather(["-m", "a", file, "-t", "y"]) == ["--models", "a", file, "-t", "y"]
    assert gather(["f", "--models=a b"]) == ["f", "--models=a b"]


def test_what_is_not_installed_is_named(tmp_path):
    code = (
        "import sys; sys.modules['typer'] = None\n"
        "from roctopus.cli import run; sys.argv = ['roctopus']; run()"
    )
    python = PROGRAM.parent / "python"
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "pip install 'roctopus[cli,files]'" in done.stderr
    assert done.stderr.count("\n") == 1
