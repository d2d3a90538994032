"""Shifts of any kind: the points a model reaches as a user's own function moves its predictions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from roctopus.core.arrays import Floats
from roctopus.core.checks import check_same_length, read_finite
from roctopus.regression.points import RROCVertices, rroc_point


@dataclass(frozen=True, eq=False, repr=False)
class RROCPath(RROCVertices):
    """Points in RROC space by increasing shift; nothing is known between them."""

    total_weight: float
    normalized: bool


def read_shifts(shifts: ArrayLike) -> Floats:
    """Return distinct finite shifts, in order."""
    settings = np.unique(read_finite(shifts, "shifts"))
    check_same_length(shifts=settings)
    return settings


def rroc_path(
    y_true: Any,
    shifted: Callable[[float], Any],
    *,
    shifts: ArrayLike,
    sample_weight: Any = None,
    normalize: bool = False,
) -> RROCPath:
    """Return the points of RROC space that ``shifted(s)``, the predictions at shift s, reaches.

    For shifts that move cases at their own rates, even in different directions (Fig. 12): the curve
    need be neither monotone nor convex, so it is known at the given shifts only.

    Examples
    --------
    >>> y_pred = np.array([2.0, 5.0, 9.0])
    >>> path = rroc_path([3.0, 5.0, 8.0], lambda s: y_pred * (1 + s), shifts=[-0.1, 0.0, 0.1])
    >>> path.over.round(6).tolist()
    [0.1, 1.0, 2.4]
    """
    settings = read_shifts(shifts)
    points = [
        rroc_point(y_true, shifted(float(s)), sample_weight=sample_weight, normalize=normalize)
        for s in settings
    ]
    return RROCPath(
        np.array([point.over for point in points]),
        np.array([point.under for point in points]),
        settings,
        points[0].backend,
        points[0].total_weight,
        normalize,
    )
