"""Truths as arms take them."""

from __future__ import annotations

from typing import Any

from roctopus.core.arrays import Floats, is_text, read_array, to_numpy
from roctopus.core.checks import check_finite
from roctopus.core.errors import InputError, arg


def read_numbers(y_true: Any, arm: str) -> Floats:
    """Return truths that must be numbers."""
    if is_text(y_true):
        raise InputError(
            f"The arm {arm!r} needs numbers in {arg('y_true')}, but it holds text. For ordered "
            "classes use arm='ordinal', for two classes arm='probability' with y_true == 'yes'."
        )
    values = to_numpy(read_array(y_true, "y_true"))
    check_finite(values, "y_true")
    return values
