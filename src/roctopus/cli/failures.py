"""Whatever goes wrong, as one sentence on standard error."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from roctopus.cli.options import words
from roctopus.concepts.rendering import clean
from roctopus.core.errors import InputError, RoctopusError

UNUSABLE, UNWRITTEN = 2, 5
"""Exit codes: there is no answer; there is one, but not all of its files."""


class UnwrittenError(Exception):
    """The answer was printed, but files that were asked for could not be written."""

    def __init__(self, failures: Sequence[Exception]) -> None:
        super().__init__(*failures)
        self.failures = tuple(failures)


def end_by(error: Exception) -> int:
    """Say what went wrong; return the exit code."""
    if isinstance(error, UnwrittenError):
        first, *others = error.failures
        more = f" {len(others)} more could not be written either." if others else ""
        fail(f"{_sentence(first)}{more} The answer itself is complete.")
        return UNWRITTEN
    return fail(_sentence(error))


def fail(sentence: str) -> int:
    """Write a sentence to standard error; return the exit code of what cannot be answered."""
    sys.stderr.write(f"roctopus: {clean(' '.join(sentence.split()), 3000)}\n")
    return UNUSABLE


def _sentence(error: Exception) -> str:
    if isinstance(error, InputError):
        return error.said(words())
    if isinstance(error, RoctopusError):
        return str(error)
    if isinstance(error, MemoryError):
        return "There is not enough memory for this data."
    if isinstance(error, OSError):
        where = f"'{error.filename}': " if error.filename else ""
        return f"{where}{error.strerror or error}. No file was left half written."
    told = getattr(error, "format_message", None)
    if told is not None:  # wrong use of options
        return f"{str(told()).rstrip('.')}. See roctopus --help."
    if os.environ.get("ROCTOPUS_TRACEBACK"):
        raise error
    return (
        f"This is a bug in roctopus, please report it: {type(error).__name__}: {error}. (Set "
        "ROCTOPUS_TRACEBACK=1 to see where.)"
    )
