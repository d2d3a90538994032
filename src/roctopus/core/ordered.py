"""Evaluate a function that searches, at many points."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from roctopus.core.arrays import Floats

FEW = 10_000
"""Up to so many points the order does not matter: everything stays in the processor's cache."""


def in_order(function: Callable[[Floats], Floats], x: Floats) -> Floats:
    """Evaluate at the points in increasing order, and give the values in the order asked.

    Binary searches of sorted points walk through memory; those of unsorted ones jump, which takes
    several times as long as sorting the points first.
    """
    if x.ndim != 1 or len(x) <= FEW or bool(np.all(x[1:] >= x[:-1])):
        return function(x)
    order = np.argsort(x)
    values = np.empty(len(x))
    values[order] = function(x[order])
    return values
