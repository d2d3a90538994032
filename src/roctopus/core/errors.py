"""The one family of exceptions. Every message names what is wrong, where, and what to do."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

__all__ = [
    "InputError",
    "MissingDependencyError",
    "RoctopusError",
    "RoctopusWarning",
    "collected_warnings",
    "warn",
]

_collected: ContextVar[list[str] | None] = ContextVar("collected", default=None)


class RoctopusError(Exception):
    """Anything roctopus refuses to do."""


class InputError(RoctopusError, ValueError):
    """An argument that has no answer; it is a ``ValueError`` too, as scikit-learn users expect."""


class MissingDependencyError(RoctopusError, ImportError):
    """An optional package is not installed; the message names the extra that brings it."""

    def __init__(self, purpose: str, package: str, install: str) -> None:
        super().__init__(
            f"{purpose} needs {package}, which is not installed. Install it with: {install}"
        )


class RoctopusWarning(UserWarning):
    """The answer is right but may not mean what the reader thinks."""


@contextmanager
def collected_warnings() -> Iterator[list[str]]:
    """Collect what roctopus warns of, instead of showing it.

    It touches the calling thread only; ``warnings.catch_warnings`` changes the whole process, and
    with several threads leaves it changed.
    """
    found: list[str] = []
    token = _collected.set(found)
    try:
        yield found
    finally:
        _collected.reset(token)


def warn(message: str) -> None:
    """Warn at the line of the user's code that led here, however deep we are."""
    collected = _collected.get()
    if collected is not None:
        collected.append(message)
        return
    level, frame = 1, inspect.currentframe()
    while frame is not None and frame.f_globals.get("__name__", "").startswith("roctopus."):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, RoctopusWarning, stacklevel=level)
