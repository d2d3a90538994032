"""The one family of exceptions. Every message names what is wrong, where, and what to do."""

from __future__ import annotations

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
