"""The canonical width: the smallest one whose smoothed area is pAUC, proved to be the smallest."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from roctopus.core.arrays import Floats
from roctopus.core.smoothing import pair_areas
from roctopus.probability.normal_widths import (
    TOUCH,
    RootInterval,
    closest_normal,
    normal_roots,
)
from roctopus.probability.smoothed import Kernel, SmoothedArea, smoothed_area

FEW_PAIRS = 200_000
"""Widths at which so many pairs start to overlap are solved exactly, cell by cell."""
SMALLEST = 1e-100
"""Widths below this are taken as 0: squares of such differences vanish."""


@dataclass(frozen=True, eq=False)
class CanonicalWidth:
    """The smallest width d with Area(d) = pAUC, if there is one.

    ``canonical_width`` makes it.

    Parameters
    ----------
    width : float or None
        The width; 0.0 if the AUC is pAUC, and None if no width exists.
    closest : float
        The width itself, or where the area comes closest to pAUC; infinite if only in the limit.
    gap : float
        Area − pAUC at the closest width.
    area : SmoothedArea
        The area at any width.

    Examples
    --------
    >>> from roctopus.probability import canonical_width
    >>> found = canonical_width([1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.3, 0.2])
    >>> round(found.width, 6), round(found.area.at(found.width), 4)
    (1.66094, 0.6583)
    """

    width: float | None
    closest: float
    gap: float
    area: SmoothedArea

    def roots(self) -> tuple[RootInterval, ...]:
        """Return all widths whose area is pAUC, by increasing width.

        Returns
        -------
        tuple of RootInterval
            The widths; empty if there are none.
        """
        found: list[RootInterval] = []
        for root in _roots(self.area):
            if found and root.low <= found[-1].high * (1.0 + 1e-9) + 1e-15:
                found[-1] = RootInterval(found[-1].low, max(root.high, found[-1].high))
            else:
                found.append(root)
        return tuple(found)

    def __repr__(self) -> str:
        if self.width is None:
            return f"CanonicalWidth(none exists; closest {self.closest:.6g}, gap {self.gap:.3g})"
        return f"CanonicalWidth({self.width:.10g})"


def canonical_width(
    y_true: Any,
    y_prob: Any,
    *,
    kernel: Kernel = "uniform",
    pos_label: Any = None,
    sample_weight: Any = None,
) -> CanonicalWidth:
    """Return the smallest width d ≥ 0 of segments for which Area(d) = pAUC.

    The paper claims that such a width always exists, but it may not: then ``width`` is None and the
    closest one is given.

    Parameters
    ----------
    y_true : array of shape (n,)
        Two classes.
    y_prob : array of shape (n,)
        Probabilities of the positive class.
    kernel : {"uniform", "normal", "log-odds"}, default "uniform"
        Shape of the segments: uniform of width d; normal of standard deviation d/2; or uniform on
        the log-odds scale, where they never leave [0, 1].
    pos_label : label, optional
        Label of the positive class. Needed for text; by default the larger number, or True.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    CanonicalWidth
        The width, and how close the area comes to pAUC.

    See Also
    --------
    smoothed_area : The area as a function of the width.

    Notes
    -----
    No smaller width exists: ranges of widths are left out only where the falling and the rising
    part of the area prove that they contain none. A gap below 1e-12 counts as none, and with the
    normal kernel two roots closer than 1e-9 in d/(1 + d) as one.

    References
    ----------
    C. Ferri, P. Flach, J. Hernández-Orallo and A. Senad. Modifying ROC curves to incorporate
    predicted probabilities. ROC Analysis in Machine Learning, 2005.

    Examples
    --------
    >>> from roctopus.probability import canonical_width
    >>> canonical_width([1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.3, 0.2])
    CanonicalWidth(1.660940319)
    >>> canonical_width([1, 1, 1, 0], [1.0, 0.0, 0.0, 0.1])
    CanonicalWidth(none exists; closest 1.12857, gap -0.0133)
    """
    area = smoothed_area(
        y_true, y_prob, kernel=kernel, pos_label=pos_label, sample_weight=sample_weight
    )
    first = next(_roots(area), None)
    width = None if first is None else first.low
    closest = _closest(area) if width is None else width
    reached = area.at(closest) if math.isfinite(closest) else 0.5
    return CanonicalWidth(width, closest, reached - area.probabilistic_auc, area)


def _roots(area: SmoothedArea) -> Iterator[RootInterval]:
    """Yield all roots by increasing width."""
    target = area.probabilistic_auc
    if abs(area.auc - target) <= TOUCH:
        yield RootInterval(0.0, 0.0)
    if area.kernel == "normal":
        yield from normal_roots(area)
        return
    largest = area.largest_difference
    yield from _roots_below(area, largest)
    yield from _Cells.beyond(area, largest).roots()


def _roots_below(area: SmoothedArea, largest: float) -> Iterator[RootInterval]:
    """Search the widths up to the largest difference, discarding what is proved to hold no root."""
    if largest <= 0.0:
        return
    target = area.probabilistic_auc
    edges = {0.0: area.parts(0.0), largest: area.parts(largest)}
    waiting = [(0.0, largest)]
    while waiting:
        low, high = waiting.pop()
        a, b = edges[low], edges[high]
        if not b.falling + a.rising - TOUCH <= target <= a.falling + b.rising + TOUCH:
            continue
        if _overlapping(area, high) - _overlapping(area, low) <= FEW_PAIRS:
            yield from _Cells.between(area, low, high).roots()
            continue
        middle = 0.5 * (low + high)
        if not low < middle < high:
            if abs(a.falling + a.rising - target) <= 1e-11:
                yield RootInterval(low, low)
            continue
        edges[middle] = area.parts(middle)
        waiting += [(middle, high), (low, middle)]


def _overlapping(area: SmoothedArea, width: float) -> int:
    """Count the pairs of distinct scores whose difference is less than a width."""
    x, y = area.positives.score, area.negatives.score
    low = np.searchsorted(y, x - width, side="right")
    return int(np.sum(np.maximum(np.searchsorted(y, x + width, side="left") - low, 0)))


def _pairs_between(area: SmoothedArea, low: float, high: float) -> tuple[Floats, Floats]:
    """Return signed differences δ ≠ 0 with low ≤ |δ| < high, and the pairs' masses, by |δ|."""
    x, y = area.positives.score, area.negatives.score
    below, above = np.searchsorted(y, x - low, "right"), np.searchsorted(y, x + low, "left")
    if low == 0.0:  # tied pairs overlap at any width
        below, above = above, below
    gaps, masses = [], []
    for first, last in (
        (np.searchsorted(y, x - high, "right"), below),
        (above, np.searchsorted(y, x + high, "left")),
    ):
        count = np.maximum(last - first, 0)
        owner = np.repeat(np.arange(len(x)), count)
        start = np.repeat(first - np.append(0, np.cumsum(count)[:-1]), count)
        other = start + np.arange(len(owner))
        gaps.append(x[owner] - y[other])
        masses.append(area.positives.mass[owner] * area.negatives.mass[other])
    gap, mass = np.concatenate(gaps), np.concatenate(masses)
    order = np.argsort(np.abs(gap), kind="stable")
    return gap[order], mass[order]


@dataclass(frozen=True, eq=False)
class _Cells:
    """Ranges of widths on which the gap to pAUC is a/d² + b/d + c."""

    low: Floats
    high: Floats
    a: Floats
    b: Floats
    c: Floats

    @staticmethod
    def between(area: SmoothedArea, low: float, high: float) -> _Cells:
        """Cut at the differences of pairs: there a further pair starts to overlap."""
        gap, mass = _pairs_between(area, low, high)
        base = pair_areas(area.positives, area.negatives, low)
        share, size = mass / (area.positives.total * area.negatives.total), np.abs(gap)
        # A pair that starts to overlap turns from 1 or 0 into ½ + δ/d ∓ δ²/(2d²).
        changes = (-0.5 * gap * size * share, gap * share, np.where(gap > 0, -0.5, 0.5) * share)
        start = (base.square, base.linear, base.constant - area.probabilistic_auc)
        a, b, c = (s + np.append(0.0, np.cumsum(d)) for s, d in zip(start, changes, strict=True))
        edges = np.concatenate([[low], size, [high]])
        wide = edges[1:] > edges[:-1]
        return _Cells(edges[:-1][wide], edges[1:][wide], a[wide], b[wide], c[wide])

    @staticmethod
    def beyond(area: SmoothedArea, largest: float) -> _Cells:
        """All segments overlap: one cell up to infinity."""
        # Wide enough that no pair is lost to rounding, no wider: rounding grows with the width.
        base = pair_areas(area.positives, area.negatives, 2.0 * largest or 1.0)
        values = [base.square, base.linear, base.constant - area.probabilistic_auc]
        if area.kernel == "uniform":  # d² − 2d + ρ = 0: keep the 2 free of rounding
            slope = 2.0 * (area.probabilistic_auc - 0.5)
            values[1] = slope if abs(slope) > 1e-15 else 0.0  # below, it is rounding of the means
            values[2] = -0.5 * values[1]
        one = (np.array([v]) for v in (largest, math.inf, *values))
        return _Cells(*one)

    def roots(self) -> Iterator[RootInterval]:
        """Yield the widths without gap, by increasing width."""
        a, b, c = self.a, self.b, self.c
        # The first cell begins at 0, where only tied pairs overlap: there a and b are 0.
        with np.errstate(divide="ignore", invalid="ignore"):
            least = np.where(self.low > 0.0, self.low, self.high)
            flat = np.abs(a) / least**2 + np.abs(b) / least + np.abs(c) <= TOUCH
        inside = b * b - 4.0 * a * c
        # Within rounding of 0 the area touches pAUC, or crosses it twice in one place.
        touching = np.abs(inside) <= 1e-12 * (b * b + np.abs(4.0 * a * c))
        root = np.sqrt(np.where(touching, 0.0, np.maximum(inside, 0.0)))
        half = -0.5 * (b + np.copysign(root, b))
        with np.errstate(divide="ignore", invalid="ignore"):
            found = np.stack([a / half, half / c])
        real = (inside >= 0.0) | touching
        slack = 1e-12
        hit = real & (found >= self.low * (1 - slack)) & (found <= self.high * (1 + slack))
        hit &= np.isfinite(found) & (found > SMALLEST) & ~flat
        for cell in np.flatnonzero(flat | hit.any(axis=0)).tolist():
            low, high = float(self.low[cell]), float(self.high[cell])
            if flat[cell]:
                yield RootInterval(low, high)
                continue
            for width in sorted(set(found[hit[:, cell], cell].tolist())):
                at = min(max(width, low), high)
                yield RootInterval(at, at)

    def closest(self) -> tuple[float, float]:
        """Return the smallest gap in size, and its width: at an end, or where the slope is 0."""
        with np.errstate(divide="ignore", invalid="ignore"):
            turn = -2.0 * self.a / self.b
        turn = np.where((turn > self.low) & (turn < self.high), turn, self.low)
        gaps = [
            np.abs(self.a * w * w + self.b * w + self.c)
            for w in (_over(self.low), _over(turn), _over(self.high))
        ]
        every = np.concatenate(gaps)
        places = np.concatenate([self.low, turn, self.high])
        best = int(np.nanargmin(every))
        return float(every[best]), float(places[best])


def _over(width: Floats) -> Floats:
    """Return 1/d; NaN at 0, where the cell has no value of its own."""
    with np.errstate(divide="ignore"):
        return np.where(width > 0.0, 1.0 / width, np.nan)


def _closest(area: SmoothedArea) -> float:
    """Return the width whose area is closest to pAUC, among all; for areas that never reach it."""
    target = area.probabilistic_auc
    if area.kernel == "normal":
        return closest_normal(area)
    largest = area.largest_difference
    best = [(abs(area.auc - target), 0.0), _Cells.beyond(area, largest).closest()]
    edges = {0.0: area.parts(0.0), largest: area.parts(largest)}
    waiting = [(0.0, largest)] if largest > 0.0 else []
    while waiting:
        low, high = waiting.pop()
        a, b = edges[low], edges[high]
        least = max(b.falling + a.rising - target, target - a.falling - b.rising)
        if least >= min(best)[0]:
            continue
        middle = 0.5 * (low + high)
        few = _overlapping(area, high) - _overlapping(area, low) <= FEW_PAIRS
        if few or not low < middle < high:
            best.append(_Cells.between(area, low, high).closest())
            continue
        edges[middle] = area.parts(middle)
        waiting += [(middle, high), (low, middle)]
    return min(best)[1]
