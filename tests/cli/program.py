"""The program: run in this process, which is fast, or installed, as people run it."""

import contextlib
import io
import json
import os
import subprocess
import sys
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from roctopus import cli

Done = subprocess.CompletedProcess[str]
PROGRAM = Path(sys.executable).parent / "roctopus"
SAID = ("--truth", "y", "--models", "a", "b", "--asymmetry", "0.8")
"""A question about what ``columns`` returns."""


def run(*arguments: object, cwd: str | Path, stdin: str = "", **more: str) -> Done:
    """Run the program in this process: what it printed, and its exit code.

    Its entry point is called with its own streams, filters of warnings and environment. What only
    a process of its own shows (signals, pipes, encodings) is tested with `run_program`.
    """
    streams = [io.BytesIO(), io.BytesIO()]
    stdout, stderr = (io.TextIOWrapper(stream, encoding="utf-8") for stream in streams)
    given = io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8")
    with (
        warnings.catch_warnings(),
        contextlib.chdir(cwd),
        mock.patch.dict(os.environ, {"COLUMNS": "100", **more}),
        mock.patch.multiple(
            sys,
            argv=[str(PROGRAM), *map(str, arguments)],
            stdin=given,
            stdout=stdout,
            stderr=stderr,
        ),
    ):
        warnings.resetwarnings()
        for quiet in (DeprecationWarning, ImportWarning, ResourceWarning):
            warnings.simplefilter("ignore", quiet)
        code = _exit_code()
    stdout.flush()
    stderr.flush()
    out, told = (stream.getvalue().decode(errors="replace") for stream in streams)
    return subprocess.CompletedProcess([*map(str, arguments)], code, out, told)


def _exit_code() -> int:
    try:
        cli.run()
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def run_program(*arguments: object, cwd: str | Path, stdin: str | None = None, **more: str) -> Done:
    """Run the installed program; return what it printed, and its exit code."""
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


def answer(*arguments: object, cwd: str | Path, by: Callable[..., Done] = run, **more: str) -> Any:
    """Run with ``--json`` and return what was answered."""
    done = by(*arguments, "--json", cwd=cwd, **more)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def refusal(*arguments: object, cwd: str | Path, by: Callable[..., Done] = run, **more: str) -> str:
    """Run what must be refused: one sentence on standard error, exit code 2."""
    done = by(*arguments, cwd=cwd, **more)
    assert done.returncode == 2, (done.stdout, done.stderr)
    assert done.stderr.startswith("roctopus: ")
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr
    assert "bug in roctopus" not in done.stderr
    return done.stderr


def run_here(*arguments: object) -> tuple[int, str, str]:
    """Run in the working folder: exit code, output, and errors."""
    done = run(*arguments, cwd=".")
    return done.returncode, done.stdout, done.stderr


def refused_here(*arguments: object) -> str:
    """Run in the working folder what must be refused."""
    return refusal(*arguments, cwd=".")


def write(path: Path, columns: Mapping[str, Any]) -> Path:
    """Write columns as Parquet."""
    pq.write_table(pa.table(columns), path)
    return path


def columns(size: int = 120, seed: int = 0) -> dict[str, np.ndarray]:
    """Return a truth and two models."""
    rng = np.random.default_rng(seed)
    y = rng.gamma(3.0, 10.0, size)
    return {"y": y, "a": y + rng.normal(0, 6, size), "b": y + rng.normal(0, 3, size)}
