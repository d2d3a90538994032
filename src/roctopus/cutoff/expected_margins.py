"""The margin of the least expected cost over a distribution of cutoffs, with a proof.

A case costs C_FP·(u − v)⁺ + C_FN·(v − u)⁺, where v = W(y) and u = W(ŷ + m). The first part rises in
the margin and the second falls. So the first at m₁ plus the second at m₂ bounds the cost of all
margins in between from below. Ranges of margins are split until the best margin tried is within 0.1
% of all bounds.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np

from roctopus.concepts.problem import Knob
from roctopus.core.arrays import Floats, in_order
from roctopus.core.distributions import Continuous, Discrete
from roctopus.core.turns import Turns
from roctopus.cutoff.cases import CutoffCases
from roctopus.cutoff.cumulative import Stepped, Unrounded, reach, tabled
from roctopus.cutoff.margins import best_margin
from roctopus.cutoff.two_sides import MovedBuckets, MovedCases, Sides

CLOSE = 1e-3
"""Largest relative distance of the cost from the least possible one."""
FEW_CUTOFFS, FEW_TURNS = 64, 1 << 21
MANY = 1 << 16
FIRST, PARTS, MOST_CELLS = 64, 4, 1 << 16


def best_expected_margin(cases: CutoffCases, distribution: Continuous | Discrete) -> Knob:
    """Return the margin; with few cutoffs it is exactly the best."""
    if isinstance(distribution, Discrete):
        cutoffs, share = _atoms(distribution)
        if len(cutoffs) <= FEW_CUTOFFS and len(cutoffs) * cases.sample.size <= FEW_TURNS:
            return _of_few(cases, cutoffs, share)
    return Knob.at(_Search.of(cases, distribution).margin())


def _atoms(distribution: Discrete) -> tuple[Floats, Floats]:
    cutoffs, which = np.unique(distribution.support, return_inverse=True)
    share = np.bincount(which.ravel(), distribution.probability, len(cutoffs))
    return cutoffs[share > 0.0], share[share > 0.0] / share.sum()


def _of_few(cases: CutoffCases, cutoffs: Floats, share: Floats) -> Knob:
    """Return the best margin for a few cutoffs, each with its probability."""
    fp, fn = cases.costs.false_positive, cases.costs.false_negative
    turns = [
        Turns.of(c - cases.y_pred, cases.y_true < c, (fp, fn), cases.sample.weight)
        for c in cutoffs.tolist()
    ]

    def loss_at(margin: float) -> float:
        raised = cases.y_pred + margin
        means = [
            cases.sample.mean(
                np.where(raised >= c, fp * (cases.y_true < c), fn * (cases.y_true >= c))
            )
            for c in cutoffs.tolist()
        ]
        return float(share @ means)

    scaled = share / cases.sample.total_weight
    return best_margin(turns, lambda values: scaled @ values, loss_at, max(fp, fn))


_Tried: TypeAlias = tuple[float, float, float]
"""The expected cost of a margin, its size, and the margin itself."""


@dataclass(frozen=True, eq=False)
class _Search:
    """Finds the margin of the least expected cost."""

    held: MovedCases
    """Cases with finite predictions, by increasing prediction."""
    fixed: float
    """Cost of the other cases: infinite predictions give the same answer at any margin."""
    distribution: Continuous | Discrete

    @staticmethod
    def of(cases: CutoffCases, distribution: Continuous | Discrete) -> _Search:
        """Sort the cases."""
        size, weight = cases.sample.size, cases.sample.weight
        mass = (np.ones(size) if weight is None else weight) / cases.sample.total_weight
        fp, fn = float(cases.costs.false_positive), float(cases.costs.false_negative)
        exact = (
            Stepped.of(distribution)
            if isinstance(distribution, Discrete)
            else Unrounded(distribution)
        )
        below = _shares(exact, cases.y_true)
        order = np.argsort(cases.y_pred)
        ordered = cases.y_pred[order]
        begin = int(np.searchsorted(ordered, -np.inf, side="right"))
        stop = int(np.searchsorted(ordered, np.inf))
        never, moving, always = order[:begin], order[begin:stop], order[stop:]
        fixed = fn * float(mass[never] @ below[never]) + fp * float(
            mass[always] @ (1.0 - below[always])
        )
        held = MovedCases(ordered[begin:stop], below[moving], mass[moving], (fp, fn), exact)
        return _Search(held, fixed, distribution)

    @cached_property
    def quick(self) -> MovedCases:
        """The cases with cutoffs in a table, where they are not on points."""
        if isinstance(self.distribution, Discrete):
            return self.held
        return replace(self.held, cutoffs=tabled(self.distribution))

    def stages(self) -> list[tuple[Sides, MovedCases]]:
        """Return what bounds costs from below, and from above: from the quickest to the sharpest.

        What is above is judged by cases, each time.
        """
        quick, held = self.quick, self.held
        found: list[tuple[Sides, MovedCases]] = [(quick, quick)]
        if len(held.prediction) >= MANY:
            found = [(MovedBuckets.of(quick), quick), *found]
        return found if quick is held else [*found, (held, held)]

    def margin(self) -> float:
        """Return the margin; 0 if that is good enough."""
        if not len(self.held.prediction):
            return 0.0
        first, last = self._ends()
        edges = np.linspace(first, last, FIRST + 1)
        cells = np.stack([np.append(-np.inf, edges), np.append(edges, np.inf)])
        tried = {0.0, first, last}
        for bound, judge in self.stages():
            best = min((self.fixed + judge.most(m), abs(m), m) for m in tried)
            cells, best = self._split(bound, judge, cells, best)
            tried = {0.0, best[-1]}
            if not cells.size:
                break
        return best[-1]

    def _ends(self) -> tuple[float, float]:
        """Return margins below and above which all cases get the same answer."""
        ordered = self.held.prediction
        if isinstance(self.distribution, Discrete):
            support = self.distribution.support
            cutoffs = float(support.min()), float(support.max())
        else:
            cutoffs = reach(self.distribution)
        beyond = 0.5 * (cutoffs[1] - cutoffs[0] + float(ordered[-1] - ordered[0])) or 1.0
        return cutoffs[0] - float(ordered[-1]) - beyond, cutoffs[1] - float(ordered[0]) + beyond

    def _split(
        self, bound: Sides, judge: MovedCases, cells: Floats, best: _Tried
    ) -> tuple[Floats, _Tried]:
        """Split cells until none may hold a better margin, or the bound is too rough to tell."""
        rising, falling = bound.sides(cells[0])[0], bound.sides(cells[1])[1]
        while True:
            kept = (1.0 + CLOSE) * (self.fixed + rising + falling) < best[0] - self._nothing
            cells, rising, falling = cells[:, kept], rising[kept], falling[kept]
            width = cells[1] - cells[0]
            narrow = not np.all(width > 1e-12 * np.abs(cells).max(initial=0.0))
            if not len(rising) or len(rising) > MOST_CELLS or narrow or self._rough(bound, best):
                return cells, best
            inner = _parts(cells)
            up, down = (each.reshape(inner.shape) for each in bound.sides(inner.ravel()))
            best = self._try(judge, inner.ravel(), (up + down).ravel(), best)
            rising, falling = np.vstack([rising, up]).ravel(), np.vstack([down, falling]).ravel()
            cells = np.stack([np.vstack([cells[0], inner]), np.vstack([inner, cells[1]])])
            cells = cells.reshape(2, -1)

    @property
    def _nothing(self) -> float:
        """Largest difference that rounding can cause."""
        return 1e-14 * max(self.held.costs)

    def _try(self, judge: MovedCases, margins: Floats, lower: Floats, best: _Tried) -> _Tried:
        """Try a margin if it looks better, and return the best one so far."""
        at = int(np.argmin(lower))
        if self.fixed + lower[at] >= (1.0 - 0.1 * CLOSE) * best[0]:
            return best
        margin = float(margins[at])
        return min(best, (self.fixed + judge.most(margin), abs(margin), margin))

    def _rough(self, bound: Sides, best: _Tried) -> bool:
        """Return whether splitting cannot help: the bound is too low even at the best margin."""
        here = np.array([best[-1]])
        alone = bound.sides(here)[0] + bound.sides(np.nextafter(here, np.inf))[1]
        return bool((1.0 + 0.8 * CLOSE) * (self.fixed + alone[0]) < best[0])


def _shares(cutoffs: Stepped | Unrounded, x: Floats) -> Floats:
    """Return P(cutoff ≤ x); a search among points takes them in order."""
    return in_order(cutoffs.at_least, x) if isinstance(cutoffs, Stepped) else cutoffs.at_least(x)


def _parts(cells: Floats) -> Floats:
    """Return the margins that split each cell, a row per border; of endless cells one step off."""
    low, high = cells
    low = np.where(np.isfinite(low), low, high - np.maximum(np.abs(high), 1.0))
    high = np.where(np.isfinite(high), high, low + np.maximum(np.abs(low), 1.0))
    return np.asarray(low + (high - low) * (np.arange(1, PARTS) / PARTS)[:, None])
