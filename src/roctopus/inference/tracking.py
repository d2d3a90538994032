"""A setting that follows what is best now.

Settings are learned from looks at new cases: of a few candidates, the one whose loss, summed with
older looks counting less and less, is least. How fast the past should be forgotten is not known, so
several speeds compete with each other and with the old setting, each judged on looks later than
those it learned from. Trust moves to those that lose less, with a fixed share left for the others
(Herbster and Warmuth 1998).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from roctopus.core.arrays import Floats
from roctopus.core.orders import order_of

HALF_LIVES = (1.0, 2.0, 4.0, 8.0, 26.0, 100.0)
"""After so many steps a look counts half."""
SWITCH = 0.02
"""The share of trust that is spread over all speeds at each step, since the best one may change."""
STEP_CASES = 30.0
"""Looks are put together until they hold so many cases; then settings learn."""


@dataclass(frozen=True)
class Tracker:
    """Candidate settings, what each has lost, and what those who learn from it have lost.

    A setting may be several numbers, each with candidates of its own: what is lost with one of them
    moved, and the others as they were, adds up well enough to learn from; whether it does is judged
    with the rest.
    """

    old: tuple[float, ...]
    candidates: tuple[tuple[float, ...], ...]
    """For each number of the setting, in increasing order."""
    losses: tuple[tuple[tuple[float, ...], ...], ...] = ()
    """Discounted sums of losses: by half-life, number and candidate."""
    masses: tuple[float, ...] = ()
    """Discounted numbers of cases, by half-life."""
    trust: tuple[float, ...] = ()
    """How far each half-life is trusted, and last the old setting."""
    largest: float = 0.0
    """The largest difference of a step between the old setting and the followed one."""
    steps: int = 0
    pending: tuple[float, ...] = ()
    """Of the step under way: cases, and sums of losses of the old setting, of the followed one, and
    of each half-life's."""
    waiting: tuple[tuple[float, ...], ...] = ()
    """And sums of the losses of candidates."""

    @property
    def learned(self) -> Floats:
        """The setting that each half-life has learned, a row each; the old one before it has."""
        if not self.losses:
            return np.tile(self.old, (len(HALF_LIVES), 1))
        found = [
            [grid[int(np.argmin(lost))] for grid, lost in zip(self.candidates, each, strict=True)]
            for each in self.losses
        ]
        return np.sort(np.array(found), axis=1) if len(self.old) > 1 else np.array(found)

    @property
    def setting(self) -> Floats:
        """The setting to use next: what was learned and the old one, put together by trust."""
        if not self.trust:
            return np.array(self.old)
        return np.asarray(np.array(self.trust) @ np.vstack([self.learned, self.old]))

    @property
    def judged(self) -> Floats:
        """The settings whose losses the next look must tell: old, followed, and each learned."""
        return np.vstack([self.old, self.setting, self.learned])

    def gain_over(self, setting: Floats) -> float:
        """Return what ``setting`` would have saved per case, by what was lost of late.

        The past counts as the half-lives that are trusted say. Losses between candidates are
        straight lines.
        """
        if not self.losses:
            return 0.0
        shares, found = np.array(self.trust[:-1]), 0.0
        for share, lost, mass in zip(shares / shares.sum(), self.losses, self.masses, strict=True):
            for grid, each, old, new in zip(
                self.candidates, lost, setting, self.setting, strict=True
            ):
                before, after = np.interp([old, new], grid, each)
                found += float(share * (before - after) / mass)
        return found

    def add(self, cases: float, judged: Floats, tried: list[Floats]) -> Tracker:
        """Take in a look.

        Parameters
        ----------
        cases : float
            How many cases there were.
        judged : array
            The mean loss of each setting in ``judged``.
        tried : list of arrays
            For each number of the setting, the mean loss with each candidate, others as they were.
        """
        sums = cases * np.concatenate([[1.0], judged])
        moved = [cases * each for each in tried]
        if self.pending:
            sums = sums + np.array(self.pending)
            moved = [a + np.array(b) for a, b in zip(moved, self.waiting, strict=True)]
        held = replace(self, pending=_plain(sums), waiting=tuple(map(_plain, moved)))
        return held if sums[0] < STEP_CASES else held._step(sums, moved)

    def _step(self, sums: Floats, moved: list[Floats]) -> Tracker:
        old, followed, *learned = sums[1:] / sums[0]
        largest = max(self.largest, abs(float(old - followed)))
        trust = np.array(self.trust or [1.0 / (len(learned) + 1)] * (len(learned) + 1))
        if self.losses and largest > 0.0:
            lost = np.array([*learned, old])
            trust = trust * np.exp(-(lost - lost.min()) / largest)
            trust = (1.0 - SWITCH) * trust / trust.sum() + SWITCH / len(trust)
        return replace(
            self,
            losses=self._discounted(moved),
            masses=self._discounted_cases(float(sums[0])),
            trust=_plain(trust),
            largest=largest,
            steps=self.steps + 1,
            pending=(),
            waiting=(),
        )

    def _discounted(self, moved: list[Floats]) -> tuple[tuple[tuple[float, ...], ...], ...]:
        kept = []
        for k, life in enumerate(HALF_LIVES):
            before: Any = self.losses[k] if self.losses else [0.0] * len(moved)
            keep = 0.5 ** (1.0 / life)
            kept.append(
                tuple(_plain(keep * np.asarray(b) + m) for b, m in zip(before, moved, strict=True))
            )
        return tuple(kept)

    def _discounted_cases(self, cases: float) -> tuple[float, ...]:
        before = self.masses or (0.0,) * len(HALF_LIVES)
        kept = [0.5 ** (1.0 / life) * b for life, b in zip(HALF_LIVES, before, strict=True)]
        return _plain(np.array(kept) + cases)


def _plain(values: Floats) -> tuple[float, ...]:
    """Return numbers with six digits: enough to learn from, and small files."""
    return tuple(float(f"{each:.6g}") for each in np.asarray(values).tolist())


def spread_candidates(values: Floats, old: float, count: int = 41) -> tuple[float, ...]:
    """Return candidates: quantiles of what settings are made of, some beyond them, and the old one.

    They are rounded to about a thousandth of their spread: they are not the values of cases.
    """
    known = values[np.isfinite(values)]
    known = known[order_of(known)]  # of which quantiles are found faster
    if not len(known):
        return (old,) if math.isfinite(old) else ()
    found = np.quantile(known, (np.arange(count) + 0.5) / count)
    width = float(found[-1] - found[0]) or abs(float(found[0])) or 1.0
    width = max(width, 1e-290)  # powers of ten end soon after
    beyond = width * np.array([0.25, 0.5, 1.0, 2.0])
    digits = math.ceil(-math.log10(width)) + 3
    every = np.concatenate([found[0] - beyond[::-1], found, found[-1] + beyond])
    own = [old] if math.isfinite(old) else []
    return tuple(np.unique([*np.round(every, digits).tolist(), *own]).tolist())
