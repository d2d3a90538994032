"""The exact best setting, by a look at the rows of a few buckets."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from roctopus.concepts.problem import Knob, Problem
from roctopus.concepts.streams import ModelGrid, Small
from roctopus.core.arrays import Floats
from roctopus.core.errors import InputError, arg
from roctopus.inference.aims import Aim
from roctopus.inference.policies import best_references, tune_one
from roctopus.scanning.grids import Grids, Opened
from roctopus.scanning.scans import OpeningScan

MOST_LOOKS = 12
"""So many further scans are made."""


def open_buckets(grids: Grids, problem: Problem, aim: Aim, scan: Callable[[Any], Any]) -> Opened:
    """Return the rows among which the best settings of all models lie.

    Buckets around the settings are opened, then more of them, until settings that are at least
    as good as the truth lie among known rows: then they are the truth.
    """
    if not grids.opens:
        raise InputError(
            f"{arg('mode', 'exact')} cannot be used for a range or a distribution of cutoffs. Use "
            f"a single cutoff, or {arg('mode', 'grid')}."
        )
    for grid in grids.scan.grids.values():
        grid.check_exact(problem.settings(), aim.ranged)
    ends = [replace(aim, contexts=np.array([x]), criterion="expected") for x in aim.contexts]
    aims = [*ends, aim] if aim.criterion == "regret" else [aim]
    wanted = {name: np.empty(0, dtype=np.intp) for name in grids.reading.models}
    opened: Opened | None = None
    for look in range(MOST_LOOKS):
        more = _still_closed(grids, problem, aims, opened, wanted, reach=4**look)
        if not more:
            assert opened is not None
            return opened
        wanted |= more
        most = max(grids.memory // 400, 100_000)
        found = scan(OpeningScan(grids.reading, grids.scan.grids, wanted, most))
        opened = {name: found.rows(name) for name in grids.reading.models}
    raise InputError(
        "Further scans could not distinguish the best setting from others. Use more "
        f"{arg('buckets')}, or {arg('mode', 'grid')}."
    )


def _still_closed(
    grids: Grids,
    problem: Problem,
    aims: Sequence[Aim],
    opened: Opened | None,
    wanted: Mapping[str, Any],
    reach: int,
) -> dict[str, Any]:
    """Return the buckets to open for models whose best settings are not known yet."""
    had = {name: grids.small(name, problem, None, opened) for name in grids.reading.models}
    cases = {name: (each, small.prediction) for name, (each, small) in had.items()}
    found = {}
    for name, (own, small) in had.items():
        grid = grids.scan.grids[name]
        spots: list[int] = []
        for aim in aims:
            _, handicaps = best_references(cases, aim)
            knob, value, _ = tune_one(own, small.prediction, aim, handicaps)
            mine = _spots(grid, knob, small, small.prediction)
            closed = opened is None or bool(set(mine) - set(wanted[name].tolist()))
            for best in grid.best_cases(None if opened is None else opened[name]):
                if not _covers(best, aim):
                    continue
                ideal = grids.on(problem.unlimited(), best)
                there, least, _ = tune_one(ideal, best.prediction, aim, handicaps)
                if abs(least - value) > 1e-12 * max(abs(value), abs(least)):
                    closed = True
                    mine += _spots(grid, there, best, best.prediction)
            spots += mine if closed else []
        if not spots:
            continue
        live = np.unique(small.bucket)
        at = np.searchsorted(live, np.array(spots, dtype=np.intp))
        near = np.clip(at[:, None] + np.arange(-reach, reach + 1), 0, len(live) - 1)
        chosen = np.union1d(wanted[name], live[near.ravel()])
        if len(chosen) > len(wanted[name]):
            found[name] = chosen
    return found


def _spots(grid: ModelGrid, knob: Knob, small: Small, keys: Floats) -> list[int]:
    """Return the buckets on both sides of a setting."""
    ends = np.concatenate([knob.chosen, knob.low, knob.high])
    ends = grid.keys_at(ends[~np.isnan(ends)])
    order = np.argsort(keys)
    at = np.searchsorted(keys[order], ends)
    both = np.clip(np.concatenate([at, at - 1]), 0, len(keys) - 1)
    spots: list[int] = small.bucket[order][both].tolist()
    return spots


def _covers(small: Small, aim: Aim) -> bool:
    """Tell whether a sample holds for the contexts of an aim."""
    return bool(small.low <= float(aim.contexts.max()) and float(aim.contexts.min()) <= small.high)
