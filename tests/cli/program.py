"""The installed program, run as people run it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

PROGRAM = Path(sys.executable).parent / "roctopus"


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


def write(path, columns):
    """Write columns as Parquet."""
    pq.write_table(pa.table(columns), path)
    return path
