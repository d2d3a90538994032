"""Numbers as people read them: with the digits that their error allows."""

from __future__ import annotations

import math


def decimals_for(error: float) -> int | None:
    """Return how many decimals an error allows: two of its digits; None if it does not say."""
    if not (math.isfinite(error) and error > 0.0):
        return None
    return max(0, 1 - math.floor(math.log10(error)))


def say_number(value: float, error: float) -> str:
    """Return a number with the digits its standard error allows, and with a true minus sign.

    Examples
    --------
    >>> say_number(14.0312, 0.21)
    '14.03'
    >>> say_number(-12345.678, 88.0)
    '−12,346'
    """
    decimals = decimals_for(error)
    if decimals is None or decimals > 12 or not math.isfinite(value):
        text = f"{value:.4g}"
    else:
        text = f"{round(value, decimals) + 0.0:,.{decimals}f}"
    return text.replace("-", "−")
