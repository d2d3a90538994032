"""Widths of normal segments whose area is pAUC, by bisection of what cannot be ruled out."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from roctopus.core.smoothing import SmoothedParts
from roctopus.probability.smoothed import SmoothedArea

NARROW = 1e-9
"""Ranges of widths under a normal kernel are looked at no closer than this."""
NEAR = 1e-7
"""A closest area is looked for no closer than this before it is polished."""
FLAT = 1e-11
"""Areas that differ by less are one: finer, ranges without end would have to be cut."""
TOUCH = 1e-12
"""A gap this small counts as none: long sums carry that much rounding."""


@dataclass(frozen=True)
class RootInterval:
    """Widths whose area is pAUC: one width, or a whole interval of them.

    ``CanonicalWidth.roots`` returns them.

    Parameters
    ----------
    low, high : float
        Its ends, which are equal for one width.

    Examples
    --------
    >>> from roctopus.probability import canonical_width
    >>> found = canonical_width([1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.3, 0.2])
    >>> [(round(root.low, 6), round(root.high, 6)) for root in found.roots()]
    [(1.66094, 1.66094)]
    """

    low: float
    high: float


def _normal_width(share: float) -> float:
    """Return the width for a position between 0 (no width) and 1 (infinite)."""
    return share / (1.0 - share) if share < 1.0 else math.inf


def _normal_parts(area: SmoothedArea, share: float) -> SmoothedParts:
    if share < 1.0:
        return area.parts(_normal_width(share))
    ordered = area.parts(0.0).falling
    return SmoothedParts(0.5 * ordered, 0.5 * (1.0 - ordered))


def _last_share(area: SmoothedArea) -> float:
    """Return where to stop: if pAUC is ½, the area comes to it in the limit, which is no root."""
    if abs(area.probabilistic_auc - 0.5) > 1e-9 or area.largest_difference == 0.0:
        return 1.0
    width = 100.0 * area.largest_difference
    return width / (1.0 + width)


def _is_level(area: SmoothedArea) -> bool:
    """Tell whether the area is pAUC at every width.

    It is analytic in 1/d, so it is so everywhere or at single widths only: some widths tell.
    """
    if max(abs(area.auc - area.probabilistic_auc), abs(area.probabilistic_auc - 0.5)) > TOUCH:
        return False
    widths = area.largest_difference * np.geomspace(0.03, 30.0, 16)
    return bool(np.all(np.abs(area.at(widths) - area.probabilistic_auc) <= TOUCH))


def normal_roots(area: SmoothedArea) -> Iterator[RootInterval]:
    """Search all widths; both parts are monotone here, too."""
    from scipy.optimize import brentq

    target = area.probabilistic_auc
    if _is_level(area):
        yield RootInterval(0.0, math.inf)
        return
    waiting = [(0.0, _last_share(area))]
    edges = {share: _normal_parts(area, share) for share in waiting[0]}
    while waiting:
        low, high = waiting.pop()
        a, b = edges[low], edges[high]
        if not b.falling + a.rising - TOUCH <= target <= a.falling + b.rising + TOUCH:
            continue
        level = a.falling - b.falling <= FLAT and b.rising - a.rising <= FLAT
        if level or high - low < NARROW:
            ends = (_normal_width(low), _normal_width(high))
            gaps = (a.area - target, b.area - target)
            if low > 0.0 and high < 1.0 and gaps[0] * gaps[1] < 0.0:
                root = brentq(lambda d: area.at(d) - target, *ends, xtol=1e-15, rtol=1e-14)
                yield RootInterval(root, root)
            elif level:
                yield RootInterval(*ends)
            elif low > 0.0 and min(map(abs, gaps)) <= FLAT:
                at = ends[0] if abs(gaps[0]) <= abs(gaps[1]) else ends[1]
                yield RootInterval(at, at)
            continue
        middle = 0.5 * (low + high)
        edges[middle] = _normal_parts(area, middle)
        waiting += [(middle, high), (low, middle)]


def closest_normal(area: SmoothedArea) -> float:
    """Return a width whose area is closest to pAUC: none is closer by more than ``NEAR``."""
    from scipy.optimize import minimize_scalar

    target = area.probabilistic_auc
    edges = {share: _normal_parts(area, share) for share in (0.0, 1.0)}
    best = min((abs(part.area - target), share) for share, part in edges.items())
    waiting = [(0.0, 1.0)]
    while waiting:
        low, high = waiting.pop()
        a, b = edges[low], edges[high]
        least = max(b.falling + a.rising - target, target - a.falling - b.rising)
        if least >= best[0] - NEAR or high - low < NARROW:
            continue
        if best[0] <= FLAT:  # in the limit of no width or of infinite width
            break
        middle = 0.5 * (low + high)
        edges[middle] = _normal_parts(area, middle)
        best = min(best, (abs(edges[middle].area - target), middle))
        waiting += [(middle, high), (low, middle)]
    at = best[1]
    if 0.0 < at < 1.0:
        near = max(at - 0.01, 0.5 * at), min(at + 0.01, 0.5 + 0.5 * at)
        found = minimize_scalar(
            lambda share: abs(area.at(_normal_width(share)) - target),
            bounds=near,
            method="bounded",
            options={"xatol": 1e-12},
        )
        best = min(best, (float(found.fun), float(found.x)))
    return _normal_width(best[1])
