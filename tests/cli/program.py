"""The installed program, run as people run it."""

import io
import json
import os
import subprocess
import sys
import warnings
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from roctopus.cli import main

PROGRAM = Path(sys.executable).parent / "roctopus"
SAID = ("--truth", "y", "--models", "a", "b", "--asymmetry", "0.8")
"""A question about what ``columns`` returns."""


def run(*arguments, cwd, stdin=None, **more):
    """Run the program; return what it printed, and its exit code."""
    environment = {**os.environ, "COLUMNS": "100", **more}
    return subprocess.run(
        [str(PROGRAM), *map(str, arguments)],
        cwd=cwd,
        capture_output=True,
        text=True,
        errors="replace",
        input=stdin,
        env=environment,
        timeout=300,
        check=False,
    )


def answer(*arguments, cwd, **more):
    """Run with ``--json`` and return what was answered."""
    done = run(*arguments, "--json", cwd=cwd, **more)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def refusal(*arguments, cwd, **more):
    """Run what must be refused: one sentence on standard error, exit code 2."""
    done = run(*arguments, cwd=cwd, **more)
    assert done.returncode == 2, (done.stdout, done.stderr)
    assert done.stderr.startswith("roctopus: ")
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr
    assert "fault of roctopus" not in done.stderr
    return done.stderr


def run_here(*arguments):
    """Run the program in this process, which is faster: exit code, output, and errors."""
    out, told = io.StringIO(), io.StringIO()
    with warnings.catch_warnings(), redirect_stdout(out), redirect_stderr(told):
        warnings.simplefilter("always")
        warnings.showwarning = main._print_note
        code = main._run(main.gather([str(each) for each in arguments]))
    return code, out.getvalue(), told.getvalue()


def refused_here(*arguments):
    """Run in this process what must be refused."""
    code, _, told = run_here(*arguments)
    assert code == 2, told
    assert told.startswith("roctopus: ")
    assert told.count("\n") == 1
    assert "fault of roctopus" not in told
    return told


def write(path, columns):
    """Write columns as Parquet."""
    pq.write_table(pa.table(columns), path)
    return path


def columns(size=120, seed=0):
    """Return a truth and two models."""
    rng = np.random.default_rng(seed)
    y = rng.gamma(3.0, 10.0, size)
    return {"y": y, "a": y + rng.normal(0, 6, size), "b": y + rng.normal(0, 3, size)}
