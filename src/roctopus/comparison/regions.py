"""Which model is best where, and which could be."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from roctopus.concepts.envelopes import Envelope
from roctopus.concepts.intervals import check_level
from roctopus.concepts.joint import JointEstimates
from roctopus.concepts.problem import Problem
from roctopus.core.arrays import Floats
from roctopus.core.resampling import Random
from roctopus.inference.aims import read_range
from roctopus.inference.best_sets import best_sets

POINTS = 33


class SureRegion(NamedTuple):
    """A range of contexts in which one model is best on the data.

    Parameters
    ----------
    low : float
        Lowest context of the range.
    high : float
        Highest context of the range.
    model : str
        Model that is best in it.
    may_be_best : tuple of str
        All models that could be best in the region or at its borders; the borders are uncertain,
        too.
    sure_from : float or None
        Lowest tested context at which this model alone could be best; None if there is none.
    sure_to : float or None
        Highest tested context at which this model alone could be best; None if there is none.

    Examples
    --------
    >>> import numpy as np
    >>> import roctopus as rt
    >>> rng = np.random.default_rng(0)
    >>> y = rng.normal(20.0, 5.0, 400)
    >>> models = {"a": y + rng.normal(0.0, 2.0, 400), "b": y + rng.normal(0.0, 3.0, 400)}
    >>> region = rt.compare(y, models, arm="regression").regions()[0]
    >>> region.model, region.may_be_best, region.sure
    ('a', ('a',), True)
    """

    low: float
    high: float
    model: str
    may_be_best: tuple[str, ...]
    sure_from: float | None
    sure_to: float | None

    @property
    def sure(self) -> bool:
        """Whether no other model could be best in it, nor at its borders."""
        return self.may_be_best == (self.model,)


def best_within(best: Envelope, low: float, high: float) -> list[tuple[float, float, str]]:
    """Return the regions between two contexts."""
    return [
        (max(first, low), min(last, high), model)
        for first, last, model in best.regions
        if max(first, low) < min(last, high)
    ]


def _range(
    problem: Problem, best: Envelope, between: tuple[float, float] | None
) -> tuple[float, float]:
    """Return the range to test: what was asked for, or where something changes."""
    if between is not None:
        return read_range(problem, between)
    low, high = problem.domain
    knots = best.curve.function.knots
    inner = knots[np.isfinite(knots)]
    first, last = (float(inner[0]), float(inner[-1])) if len(inner) else (0.0, 0.0)
    margin = 0.05 * (last - first) or 1.0
    return (
        low if np.isfinite(low) else first - margin,
        high if np.isfinite(high) else last + margin,
    )


def sure_regions(
    problem: Problem,
    best: Envelope,
    between: tuple[float, float] | None,
    confidence_level: float,
    joints: Callable[[Floats], Iterable[JointEstimates]],
    rng: Random,
) -> tuple[SureRegion, ...]:
    """Return the regions with the models that could be best in them, all together at a level.

    ``joints`` estimates all models at some contexts.
    """
    level = check_level(confidence_level)
    low, high = _range(problem, best, between)
    found = best_within(best, low, high) if between is not None else list(best.regions)
    names = best.names
    if len(names) == 1:
        return tuple(SureRegion(*region, names, low, high) for region in found)
    # Contexts spread over the range, but not its ends: there all models may be equal.
    points = low + (high - low) * (np.arange(POINTS) + 0.5) / POINTS
    sets = best_sets(joints(points), level, rng)
    regions = []
    for first, last, model in found:
        begin, end = np.searchsorted(points, [first, last])
        # With the tested contexts beyond both borders: these are uncertain themselves.
        around = range(max(begin - 1, 0), min(end + 1, len(points)))
        may = {name for k in around for name in sets[k]} | {model}
        sure = [float(points[k]) for k in range(begin, end) if sets[k] == (model,)]
        ends = (sure[0], sure[-1]) if len(sure) and _unbroken(sets, points, sure, model) else None
        chosen = tuple(name for name in names if name in may)
        regions.append(SureRegion(first, last, model, chosen, *(ends or (None, None))))
    return tuple(regions)


def _unbroken(sets: list[tuple[str, ...]], points: Floats, sure: list[float], model: str) -> bool:
    """Tell whether the model is alone at all tested contexts between the first and the last."""
    begin, end = np.searchsorted(points, [sure[0], sure[-1]])
    return all(sets[k] == (model,) for k in range(begin, end + 1))
