"""Functions that users give as arguments: what they take, and what is said where they fail."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any

from roctopus.core.errors import InputError, arg


def takes(function: Any, name: str) -> bool:
    """Tell whether a function has an argument of that name; some functions of C do not say."""
    try:
        return name in signature(function).parameters
    except (TypeError, ValueError):
        return False


def call_given(function: Callable[..., Any], name: str, *values: Any, **more: Any) -> Any:
    """Call a function that was given as an argument; what it raises is the cause of our error."""
    try:
        return function(*values, **more)
    except InputError:
        raise
    except Exception as error:
        raise InputError(
            f"The function passed as {arg(name)} failed ({type(error).__name__}: {error})."
        ) from error
