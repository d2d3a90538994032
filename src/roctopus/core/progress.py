"""A line on the terminal, or below a notebook's cell, that says how far long work is."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TextIO


def _stream() -> TextIO | None:
    """Return where people look on: a terminal, or the output of a notebook's cell."""
    if sys.stderr.isatty():
        return sys.stderr
    return sys.stdout if type(sys.stdout).__module__.startswith("ipykernel") else None


class Progress:
    """Shown from a second on, on a terminal or in a notebook; or passed on to a callback."""

    def __init__(
        self, what: str, total: int, wanted: bool | Callable[[str, int, int], None]
    ) -> None:
        self.what, self.total, self.begun = what, total, time.monotonic()
        self.teller = wanted if callable(wanted) else None
        self.stream = _stream() if wanted else None
        self.shown = 0.0

    def show(self, done: int) -> None:
        """Say how much is done, and how long the rest will take."""
        if self.teller is not None:
            self.teller(self.what, done, self.total)
            return
        now = time.monotonic()
        early = now - self.begun < 1.0 or (now - self.shown < 0.2 and done < self.total)
        if self.stream is None or early:
            return
        self.shown = now
        left = (now - self.begun) * (self.total - done) / max(done, 1)
        end = "\n" if done == self.total else ""
        text = f"\r{self.what}: {done:,} of {self.total:,}, {left:.0f} s left "
        print(text, end=end, file=self.stream, flush=True)
