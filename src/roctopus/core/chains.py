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
from typing import Literal, TypeAlias

import numpy as np

from roctopus.core.arrays import Floats
from roctopus.core.piecewise import Index

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
