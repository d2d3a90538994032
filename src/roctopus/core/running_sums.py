"""Sorted running sums: the kernel under curves that a sliding knob traces.

For break points t_i with masses m_i, the *excess* at a knob setting s is Σ m_i·(s − t_i)₊. Between
two neighbouring break points it grows linearly, by (mass so far) × (gap). Only non-negative
increments are ever added, never "cumulative sum minus count × value": an offset of 1e12 in the data
must not change a digit that matters.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import array_api_compat

from roctopus.core.arrays import Array


@dataclass(frozen=True)
class RunningSums:
    """The state carried from one sorted chunk to the next."""

    value: float
    """The largest break point seen."""
    mass: float
    """The mass at or below it."""
    excess: float
    """Σ mass·(value − t)₊ there."""


START = RunningSums(value=0.0, mass=0.0, excess=0.0)
"""Nothing seen yet. With no mass the value has no effect."""


@dataclass(frozen=True, eq=False)
class GroupSums:
    """One entry per distinct break point of a chunk, ties collapsed."""

    value: Array
    mass: Array
    excess: Array


def advance(
    state: RunningSums, values: Array, masses: Array | None, *, xp: Any
) -> tuple[RunningSums, GroupSums]:
    """Move the state over a sorted chunk of whole tie groups.

    ``masses=None`` means one per row: counts stay exact integers. Data in memory are one chunk from
    ``START``; data beyond memory are many.
    """
    if masses is None:
        mass = xp.arange(
            1, values.shape[0] + 1, dtype=xp.float64, device=array_api_compat.device(values)
        )
    else:
        mass = xp.cumulative_sum(masses)
    last_of_tie = xp.concat([values[1:] != values[:-1], xp.ones_like(values[:1], dtype=xp.bool)])
    if not bool(xp.all(last_of_tie)):
        values, mass = values[last_of_tie], mass[last_of_tie]
    carried = 0.0
    if state.mass > 0.0:
        mass = mass + state.mass
        carried = state.excess + state.mass * (float(values[0]) - state.value)
    growth = mass[:-1] * (values[1:] - values[:-1])
    excess = xp.cumulative_sum(growth, include_initial=True)
    if carried > 0.0:
        excess = excess + carried
    end = RunningSums(float(values[-1]), float(mass[-1]), float(excess[-1]))
    return end, GroupSums(values, mass, excess)


@dataclass(frozen=True, eq=False)
class TwoSidedSums:
    """Excess and shortfall at every distinct break point, in increasing order."""

    value: Array
    mass: Array
    """Mass at or below each break point."""
    mass_above: Array
    """Mass above it, summed from the right: a difference of large masses would lose a small one."""
    excess: Array
    """Σ m·(value − t)₊"""
    shortfall: Array
    """Σ m·(t − value)₊"""


def two_sided_sums(values: Array, masses: Array | None, *, xp: Any) -> TwoSidedSums:
    """Sort, then run the kernel from the left (excess) and from the right (shortfall)."""
    if masses is None:
        values = xp.sort(values, stable=False)
        mirrored_masses = None
    else:
        order = xp.argsort(values, stable=False)
        values, masses = xp.take(values, order), xp.take(masses, order)
        mirrored_masses = xp.flip(masses)
    _, forward = advance(START, values, masses, xp=xp)
    _, backward = advance(START, 0.0 - xp.flip(values), mirrored_masses, xp=xp)
    if masses is None:
        above = forward.mass[-1] - forward.mass  # counts are exact
    else:
        above = xp.concat([xp.flip(backward.mass)[1:], xp.zeros_like(forward.mass[:1])])
    shortfall = xp.flip(backward.excess)
    return TwoSidedSums(forward.value, forward.mass, above, forward.excess, shortfall)
