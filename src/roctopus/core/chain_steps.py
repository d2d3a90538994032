"""Ordered chains along sorted scores: chunk by chunk, or class by class on a device.

``core.chains`` has the same share for samples in memory, with the chains through each case.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from roctopus.core.arrays import Array, Floats, sort_with_order
from roctopus.core.chains import Ties
from roctopus.core.sample import Sample


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


def sorted_parts(sample: Sample, classes: Floats) -> tuple[list[Array], list[Array] | None]:
    """Return the sorted scores of each class, and their masses where there are weights."""
    xp, weight = sample.xp, sample.weight
    scores, masses = [], []
    for value in classes:
        mine = sample.y_true == float(value)
        if weight is None:
            scores.append(xp.sort(sample.y_pred[mine], stable=False))
        else:
            score, order = sort_with_order(sample.y_pred[mine], xp=xp)
            scores.append(score)
            masses.append(xp.take(weight[mine], order))
    return scores, None if weight is None else masses


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
