"""The two sides of a contest, ready to be timed: in this process, or in R."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import tempfile
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from benchmarks.peers.contests import R_TOOLS, Contest
from benchmarks.peers.data import Data, make
from benchmarks.peers.tasks import TASKS, Task


class Side(Protocol):
    """One tool at one task."""

    process: str
    """The folder of /proc of the process that does the work."""

    def load(self, data: Data) -> None:
        """Bring the data into the tool's own types."""

    def seconds(self) -> float:
        """Do the work, and return how long it took."""

    def value(self) -> Any:
        """Do the work, and return numbers that can be compared."""


class Here:
    """A tool for Python."""

    process = "/proc/self"

    def __init__(self, work: Task | Contest) -> None:
        self.work = work

    def load(self, data: Data) -> None:
        """Bring the data into the tool's own types."""
        self.data, self.inputs = data, self.work.prepare(data)

    def seconds(self) -> float:
        """Do the work, and return how long it took."""
        start = time.perf_counter()
        self.work.run(*self.inputs)
        return time.perf_counter() - start

    def value(self) -> Any:
        """Do the work, and return numbers that can be compared."""
        return self.work.value(self.work.run(*self.inputs), self.data)


class R:
    """A conversation with ``peers.R``."""

    def __init__(self) -> None:
        if shutil.which("Rscript") is None:
            raise FileNotFoundError("Rscript is not installed.")
        script = Path(__file__).with_name("peers.R")
        self.server = subprocess.Popen(
            ["Rscript", "--vanilla", str(script)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.process = f"/proc/{self.server.pid}"

    def ask(self, *words: object) -> str:
        """Send a command, and return the answer."""
        assert self.server.stdin is not None
        assert self.server.stdout is not None
        print(*words, file=self.server.stdin, flush=True)
        said = self.server.stdout.readline().strip()
        if said.startswith("error:") or not said:
            raise RuntimeError(said.removeprefix("error:").strip() or "R stopped.")
        return said

    def close(self) -> None:
        """End the conversation."""
        assert self.server.stdin is not None
        self.server.stdin.close()
        self.server.wait(timeout=60)


class There:
    """A tool for R; the clock stands in R."""

    def __init__(self, contest: Contest, r: R, folder: str) -> None:
        self.contest, self.r, self.folder = contest, r, Path(folder)
        self.process = r.process

    def load(self, data: Data) -> None:
        """Write the columns to files, and have R read them."""
        for name in ("y", "p", "q"):
            np.asarray(getattr(data, name), dtype=np.float64).tofile(self.folder / name)
        self.r.ask("load", self.folder)

    def seconds(self) -> float:
        """Do the work, and return how long it took."""
        return float(self.r.ask("time", self.contest.tool, self.contest.task))

    def value(self) -> Any:
        """Do the work, and return numbers that can be compared."""
        file = self.folder / "value"
        self.r.ask("value", self.contest.tool, self.contest.task, file)
        return np.fromfile(file)


@contextlib.contextmanager
def theirs(contest: Contest) -> Iterator[Side]:
    """Open the other tool's side."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # other packages' own deprecations
        if contest.tool not in R_TOOLS:
            yield Here(contest)
            return
        r = R()
        try:
            with tempfile.TemporaryDirectory() as folder:
                yield There(contest, r, folder)
        finally:
            r.close()


def ours(contest: Contest) -> Side:
    """Return our side."""
    return Here(TASKS[contest.task])


def peak_growth(side: Side, data: Data) -> float:
    """Return how many MiB the resident memory grows at most while the work is done once.

    The process must be fresh: memory that an earlier run gave back to the allocator is not seen.
    """
    side.load(make(data.kind, 1000))
    side.seconds()  # imports
    side.load(data)
    Path(side.process, "clear_refs").write_text("5")  # Linux: the peak starts anew
    before = _status(side.process, "VmRSS")
    side.seconds()
    return (_status(side.process, "VmHWM") - before) / 1024


def _status(process: str, name: str) -> float:
    for line in Path(process, "status").read_text().splitlines():
        if line.startswith(name):
            return float(line.split()[1])
    raise OSError(f"This system does not tell {name}.")
