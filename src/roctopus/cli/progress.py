"""How far it is: a line on the terminal from the first second on, gone when the work is done."""

from __future__ import annotations

import sys
import threading

from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from roctopus.cli.printing import make_console
from roctopus.concepts.rendering import clean

PATIENCE = 1.0
"""Seconds before anything is shown."""


class Steps:
    """The steps of a job: named as they begin, with rows where these are counted."""

    def __init__(self, total: int) -> None:
        self.total, self.done, self.shown = total, 0, False
        self.progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=make_console(stderr=True),
            transient=True,
        )
        self.task = self.progress.add_task("starting", total=total)
        self.timer = threading.Timer(PATIENCE, self.show)
        self.timer.daemon = True

    def show(self) -> None:
        """Show the line."""
        self.shown = True
        self.progress.start()

    def __enter__(self) -> Steps:
        if sys.stderr.isatty():
            self.timer.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.timer.cancel()
        if self.timer.ident is not None:  # it was started
            self.timer.join()
        if self.shown:
            self.progress.stop()

    def step(self, what: str) -> None:
        """Begin the next step."""
        self.done += 1
        self.progress.update(self.task, description=what, completed=self.done - 1)

    def part(self, done: int, total: int) -> None:
        """Say how much of a step is done."""
        self.progress.update(self.task, completed=self.done - 1 + done / max(total, 1))

    def rows(self, name: str, done: int, total: int) -> None:
        """Say how many rows of a file were read."""
        share = done / total if total else 0.0
        told = f"{clean(name)}: {done:,} of {total:,} rows"
        self.progress.update(
            self.task, description=told, completed=max(self.done - 1, 0) + min(share, 1.0)
        )
