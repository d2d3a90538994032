"""Words and numbers in pictures: titles that fit, numbers without exponents, shares in percent."""

from __future__ import annotations

import math
import textwrap
from typing import Any


def say_number(value: float) -> str:
    """Return a number with four digits, without an exponent where people write none."""
    if 1e4 <= abs(value) < 1e9:
        return f"{round(value, 3 - math.floor(math.log10(abs(value)))):,.0f}"
    return f"{value:.4g}"


def say_share(share: float) -> str:
    """Return a share in percent; its two parts stay on one line."""
    return f"{100.0 * share:.0f}\u00a0%"


def wrap(text: str, points: float, size: float) -> str:
    """Break a name into lines of about so many points in letters of a size."""
    letters = max(8, int(points / (0.55 * size)))
    lines = textwrap.wrap(text, letters, break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines) or text


def fit(text: Any, room: float) -> None:
    """Break a matplotlib text into lines of at most so many points, where words allow it."""
    scale: float = 72.0 / text.figure.figure.dpi
    words, angle = text.get_text().split(" "), text.get_rotation()
    text.set_rotation(0.0)

    def width(line: str) -> float:
        text.set_text(line)
        return float(text.get_window_extent().width) * scale

    lines = [" ".join(words)]
    if width(lines[0]) > room:
        lines = words[:1]
        for word in words[1:]:
            longer = f"{lines[-1]} {word}"
            if width(longer) <= room:
                lines[-1] = longer
            else:
                lines.append(word)
    text.set(text="\n".join(lines), rotation=angle)
