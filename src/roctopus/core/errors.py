"""The one family of exceptions. Every message names what is wrong, where, and what to do."""

from __future__ import annotations

import inspect
import warnings

__all__ = ["InputError", "MissingDependencyError", "RoctopusError", "RoctopusWarning"]


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


def warn(message: str) -> None:
    """Warn at the line of the user's code that led here, however deep we are."""
    level, frame = 1, inspect.currentframe()
    while frame is not None and frame.f_globals.get("__name__", "").startswith("roctopus."):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, RoctopusWarning, stacklevel=level)
