"""Ordered chains: one case of every class, scores increasing along the classes.

The share of correctly ordered chains is the volume under the ROC surface. Cases of a class are held
by their distinct scores; a step of the dynamic programme over classes is one running sum and one
binary search of sorted scores. Sums are divided by a class's mass once per step: adding up 1/n
would cost digits, never dividing would overflow.

Tied scores of consecutive classes share the credit of a random order, 1/t! for t of them, or get
none (strict).

``chain_share`` takes the classes apart and is the fastest in numpy. ``advance_chains`` runs along
all cases in one order, with a carry and in any array library: for data on a device or beyond
memory.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from roctopus.core.arrays import Array, Floats
from roctopus.core.piecewise import Index

__all__ = [
    "ClassScores",
    "Ties",
    "advance_chains",
    "chain_share",
    "chains_through",
    "share_of_parts",
    "start_of_chains",
]

Ties: TypeAlias = Literal["average", "strict"]


@dataclass(frozen=True, eq=False)
class ClassScores:
    """The scores of one class."""

    score: Floats
    """Distinct, increasing."""
    mass: Floats
    """The mass at each score."""
    squares: Floats
    """The sum of the squared masses at each score; the mass itself where every case has mass 1."""
    total: float
    cases: int
    order: Index | None = None
    """Where the sorted cases were, if that was asked for."""
    group: Index | None = None
    """The number of the score each sorted case has; None without ties."""

    @staticmethod
    def of(scores: Floats, weight: Floats | None, *, keep_order: bool = False) -> ClassScores:
        """Sort the scores and join ties."""
        order = None
        if weight is None and not keep_order:
            ordered = np.sort(scores)
        else:
            order = np.argsort(scores)
            ordered = scores[order]
        mass = squares = np.ones(len(ordered)) if weight is None else weight[order]
        if weight is not None:
            squares = mass * mass
        group = None
        first = ordered[1:] != ordered[:-1]
        if not first.all():
            group = np.append(0, np.cumsum(first)) if keep_order else None
            start = np.flatnonzero(np.append(True, first))
            same = squares is mass
            ordered, mass = ordered[start], np.add.reduceat(mass, start)
            squares = mass if same else np.add.reduceat(squares, start)
        total = float(len(scores)) if weight is None else float(mass.sum())
        kept = order if keep_order else None
        return ClassScores(ordered, mass, squares, total, len(scores), kept, group)

    def mirrored(self) -> ClassScores:
        """Return the scores in the opposite direction."""
        return ClassScores(
            -self.score[::-1], self.mass[::-1], self.squares[::-1], self.total, self.cases
        )


def _links(
    classes: Sequence[ClassScores],
    running: Sequence[Floats],
    number: int,
    ties: Ties,
) -> Iterator[Floats]:
    """Yield, for t = 1, 2, …, what may stand before a case of a class at each of its scores.

    It is the share of chains over the classes up to ``number − t`` that end below the score, times
    the shares of the t − 1 classes between that are tied with it.
    """
    score = classes[number].score
    tied: Floats | None = None
    for before in range(number - 1, -2, -1):
        if before < 0:
            ended = np.ones(len(score))
        else:
            other = classes[before]
            position = np.searchsorted(other.score, score)
            ended = running[before][position]
        yield ended if tied is None else tied * ended
        if before < 0 or ties == "strict":
            return
        position = np.minimum(position, len(other.score) - 1)
        equal = other.score[position] == score
        if not equal.any():
            return
        share = np.where(equal, other.mass[position], 0.0) / other.total
        tied = share if tied is None else tied * share


def _run(
    classes: Sequence[ClassScores], ties: Ties, *, keep_links: bool = False
) -> tuple[list[Floats], list[list[Floats]]]:
    """Return, per class, the share of chains up to it that end at its first j scores.

    On request with the links that led there.
    """
    running: list[Floats] = []
    kept: list[list[Floats]] = []
    for number, each in enumerate(classes):
        links = list(_links(classes, running, number, ties))
        ends = links[0] if len(links) == 1 else _weighed(links)
        sums = np.empty(len(ends) + 1)
        sums[0] = 0.0
        np.cumsum(ends * each.mass, out=sums[1:])
        sums /= each.total
        running.append(sums)
        if keep_links:
            kept.append(links)
    return running, kept


def _weighed(links: Sequence[Floats]) -> Floats:
    """Give every run of ties its credit."""
    total = links[0].copy()
    for t, link in enumerate(links[1:], start=2):
        total += link / math.factorial(t)
    return total


def chain_share(classes: Sequence[ClassScores], ties: Ties) -> float:
    """Return the share of chains that are in order."""
    running, _ = _run(classes, ties)
    return float(running[-1][-1])


def chains_through(classes: Sequence[ClassScores], ties: Ties) -> tuple[float, list[Floats]]:
    """Return the share of chains in order, and that of the chains through a case of each score."""
    running, before = _run(classes, ties, keep_links=True)
    mirrored = [each.mirrored() for each in reversed(classes)]
    _, after = _run(mirrored, ties, keep_links=True)
    through = []
    for left, right in zip(before, reversed(after), strict=True):
        share = left[0] * right[0][::-1]
        # A run of tied classes around this one reaches back over ``a`` and forth over ``b``.
        for a, b in itertools.product(range(len(left)), range(len(right))):
            if a or b:
                share += left[a] * right[b][::-1] / math.factorial(a + b + 1)
        through.append(share)
    return float(running[-1][-1]), through


def start_of_chains(classes: int) -> Floats:
    """Return the sums before any case: one chain over no class, none over more."""
    return np.eye(1, classes + 1)


def advance_chains(
    state: Floats,
    scores: Array,
    codes: Array,
    masses: Array | None,
    ties: Ties,
    *,
    xp: Any,
) -> Floats:
    """Move running sums of chains over a sorted chunk of whole tie groups.

    A row of the state holds, at place c, the mass of the ordered chains over the first c classes.
    Cases have classes ``codes`` from 0 on (others are passed over) and a mass each, or one
    (``None``). From the identity matrix in place of a start, a chunk becomes a matrix of its own:
    chunks found apart are then combined by ``left @ right``.
    """
    differs = scores[1:] != scores[:-1]
    if bool(xp.all(differs)):
        return np.stack([_advance_untied(row, codes, masses, xp) for row in state])
    ends = xp.concat([differs, xp.ones_like(differs[:1])])
    (last,) = xp.nonzero(ends)
    numbers = range(state.shape[1] - 1)
    grouped = [_mass_by_group(_mass_of(codes == k, masses, xp), last, xp) for k in numbers]
    return np.stack([_advance_groups(row, grouped, ties, xp) for row in state])


def _mass_of(mine: Array, masses: Array | None, xp: Any) -> Array:
    return xp.astype(mine, xp.float64) if masses is None else xp.where(mine, masses, 0.0)


def _mass_by_group(mass: Array, last: Array, xp: Any) -> Array:
    """Return the mass of each tie group: rounding of the running sum cancels in sums of these."""
    running = xp.take(xp.cumulative_sum(mass), last)
    return running - xp.concat([xp.zeros_like(running[:1]), running[:-1]])


def _advance_untied(row: Floats, codes: Array, masses: Array | None, xp: Any) -> Floats:
    """Run through the classes; a case of one class never adds to the sum of the class before."""
    ended, before = row.copy(), None
    for number in range(1, len(row)):
        mine = codes == number - 1
        if before is not None:
            steps = xp.where(mine, before, 0.0)
            steps = steps if masses is None else steps * masses
        elif row[number - 1] == 0.0:  # chains of a lifted chunk that begin later
            continue
        else:
            steps = _mass_of(mine, masses, xp)
            steps = steps if row[number - 1] == 1.0 else steps * float(row[number - 1])
        if number == len(row) - 1:
            ended[number] += float(xp.sum(steps))
            break
        running = xp.cumulative_sum(steps)
        ended[number] += float(running[-1])
        before = running + float(row[number]) if row[number] else running
    return ended


def _advance_groups(row: Floats, grouped: Sequence[Array], ties: Ties, xp: Any) -> Floats:
    """Run through the classes; what stands before a group ended in the groups before it."""
    ended = row.copy()
    before = [xp.full_like(grouped[0], float(row[0]))]
    for number, mass in enumerate(grouped, start=1):
        links = before[-1]
        if ties == "average":
            # m_c·(R_{c−1} + m_{c−1}/2·(R_{c−2} + m_{c−2}/3·(…))), from the inside out.
            links = before[0]
            for k in range(1, number):
                links = before[k] + grouped[k - 1] * links / float(number - k + 1)
        running = xp.cumulative_sum(links * mass, include_initial=True)
        ended[number] += float(running[-1])
        before.append(running[:-1] + float(row[number]) if row[number] else running[:-1])
    return ended


def share_of_parts(
    scores: Sequence[Array], masses: Sequence[Array] | None, ties: Ties, *, xp: Any
) -> float:
    """Return the share of chains that are in order, of the sorted scores of each class.

    As for ``ClassScores``, but ties within a class are not joined first: on a device that would
    take longer than all the rest.
    """
    running: list[Array] = []
    tied_masses: list[Array] = []
    for number, score in enumerate(scores):
        mass = None if masses is None else masses[number]
        ends = _ends_before(scores, running, tied_masses, score, ties, xp)
        if ends is None:
            ends = xp.ones_like(score) if mass is None else mass
        elif mass is not None:
            ends = ends * mass
        total = float(score.shape[0]) if mass is None else float(xp.sum(mass))
        running.append(xp.cumulative_sum(ends, include_initial=True) / total)
        if ties == "average":
            share = xp.ones_like(score) if mass is None else mass
            tied_masses.append(xp.cumulative_sum(share, include_initial=True) / total)
    return float(running[-1][-1])


def _ends_before(
    scores: Sequence[Array],
    running: Sequence[Array],
    reached: Sequence[Array],
    score: Array,
    ties: Ties,
    xp: Any,
) -> Array | None:
    """Return the share of chains up to the class before that each score may follow; None is 1."""
    number = len(running)
    if number == 0:
        return None
    first = xp.searchsorted(scores[number - 1], score)
    ends = xp.take(running[-1], first)
    if ties == "strict":
        return ends
    last = xp.searchsorted(scores[number - 1], score, side="right")
    link = None
    for length in range(2, number + 2):  # so many classes share one score
        if not bool(xp.any(last != first)):
            return ends
        before = number - length
        share = xp.take(reached[before + 1], last) - xp.take(reached[before + 1], first)
        share = xp.where(last != first, share, 0.0)
        link = share if link is None else link * share
        credit = link / math.factorial(length)
        if before < 0:
            return ends + credit
        first = xp.searchsorted(scores[before], score)
        ends = ends + credit * xp.take(running[before], first)
        last = xp.searchsorted(scores[before], score, side="right")
    return ends
