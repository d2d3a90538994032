"""The best margin: predictions are raised by it before they are compared with cutoffs.

A case turns from no to yes at the margin c − ŷ. So one sort gives the cost of every margin, at one
cutoff or with a cutoff of each case. Several cutoffs give several such step functions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from roctopus.concepts.problem import Knob
from roctopus.core.arrays import Floats
from roctopus.core.turns import Combine, Stretches, Turns, best_stretch, stretches, thinned

TRIES = 24
"""Number of other margins to try if neighbouring predictions are too close to be separated."""


MANY = 2_000
"""With this many cases, those that cannot matter at one cutoff are dropped before the sort."""


def one_margin(
    truth: Floats,
    prediction: Floats,
    cutoff: float | Floats,
    costs: tuple[float, float],
    weight: Floats | None = None,
    near: float = 0.0,
) -> Knob:
    """Return the best margin for one cutoff, or with one for each case; see ``best_margin``."""
    total = float(len(truth) if weight is None else weight.sum())
    at, below = np.asarray(cutoff - prediction), np.asarray(truth < cutoff)

    def loss_at(margin: float) -> float:
        said = prediction + margin >= cutoff
        wrong = said & below, ~(said | below)
        over, under = (
            np.count_nonzero(each) if weight is None else float(each @ weight) for each in wrong
        )
        return (costs[0] * over + costs[1] * under) / total

    few = thinned(at, below, costs, weight) if len(at) >= MANY else None
    if few is not None:
        turns = Turns.of(few[0], few[1], costs, few[2])
        found = stretches([turns], lambda values: values[0] / total)
        done, tried = _try_best(found, [turns], loss_at, max(costs))
        if done:
            return _knob(tried)
    turns = Turns.of(at, below, costs, weight)
    return best_margin([turns], lambda values: values[0] / total, loss_at, max(costs), near)


def best_margin(
    turns: Sequence[Turns],
    combine: Combine,
    loss_at: Callable[[float], float],
    size: float,
    near: float = 0.0,
    found: Stretches | None = None,
) -> Knob:
    """Return the best margin: 0 if none is better, otherwise the middle of an equally good range.

    ``loss_at`` returns the true cost of a margin, so that rounding in ŷ + m is allowed for;
    ``size`` is the size of the sums that values are made of. If rounding keeps margins from what
    they should give, those between turns that are not ``near`` to each other are tried, too.
    ``found`` are the ranges to look at, where they are known.
    """
    done, tried = _try_best(found or stretches(turns, combine), turns, loss_at, size)
    if not done and near > 0.0:
        apart = [each.joined(near) for each in turns]
        tried += _try_best(stretches(apart, combine), apart, loss_at, size)[1]
    if not done:
        tried.append((loss_at(0.0), 0.0, (0.0, 0.0)))
    return _knob(tried)


def _knob(tried: list[_Attempt]) -> Knob:
    _, margin, ends = min(tried)
    return Knob.at(margin, *ends)


_Attempt: TypeAlias = tuple[float, float, tuple[float, float]]
"""What a margin costs, the margin, and the range it was taken from."""


def _try_best(
    found: Stretches, turns: Sequence[Turns], loss_at: Callable[[float], float], size: float
) -> tuple[bool, list[_Attempt]]:
    """Try margins of the best ranges; return whether the only one left costs what was counted."""
    tried: list[_Attempt] = []
    for _ in range(TRIES):
        first, (low, high) = best_stretch(found, size)
        counted = float(found.value[first])
        for margin in _inside(low, high, turns):
            loss = loss_at(margin)
            if loss <= counted + 1e-12 * size:
                return True, [(loss, margin, (low, high))]
            tried.append((loss, margin, (low, high)))
        found = _without(found, low, high)
        if not np.isfinite(found.value).any():
            break
    return False, tried


def _inside(low: float, high: float, turns: Sequence[Turns]) -> list[float]:
    """Return margins of a range, the preferred one first; where it has no end, well beyond all."""
    if low <= 0.0 < high:
        return [0.0]
    if math.isfinite(low) and math.isfinite(high):
        return [0.5 * low + 0.5 * high, low, math.nextafter(low, math.inf)]
    ends = [end for each in turns if len(each.at) for end in (each.at[0], each.at[-1])]
    beyond = well_beyond(float(min(ends)), float(max(ends)))
    return [low + beyond if math.isfinite(low) else high - beyond]


def well_beyond(low: float, high: float) -> float:
    """Return a step beyond the ends of a range that is not lost to rounding."""
    step = max(high - low, 1e-6 * max(abs(low), abs(high)))
    return step if step > 1e-9 else 1.0


def _without(found: Stretches, low: float, high: float) -> Stretches:
    """Return the ranges that are left once one range is excluded."""
    inside = (found.start >= low) & (found.end <= high)
    return found._replace(value=np.where(inside, np.inf, found.value))


def margin_at(prediction: Floats, knob: Floats) -> Floats:
    """Return predictions raised by a margin; old decisions have none, which means 0."""
    return prediction + float(knob[0]) if len(knob) and knob[0] else prediction
