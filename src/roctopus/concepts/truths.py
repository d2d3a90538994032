"""Truths as arms take them."""

from __future__ import annotations

from typing import Any

from roctopus.core.arrays import Floats, is_text
from roctopus.core.checks import read_finite
from roctopus.core.errors import InputError, arg


def read_numbers(y_true: Any, arm: str) -> Floats:
    """Return truths that must be numbers."""
    if is_text(y_true):
        raise InputError(
            f"The arm {arm!r} needs numbers in {arg('y_true')}, but it holds text. For ordered "
            "classes use arm='ordinal', for two classes arm='probability' with y_true == 'yes'."
        )
    return read_finite(y_true, "y_true")
