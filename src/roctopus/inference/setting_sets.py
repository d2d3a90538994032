"""Confidence sets for the best setting: where the one that is best for all cases to come may lie.

A shift is a quantile of the corrections, and has a quantile's interval: two of the corrections. A
threshold is where a sum of steps is least. It is found with an error of order n^(-1/3) that is not
normal, and the bootstrap fails; subsampling holds.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from roctopus.arms import find_arm
from roctopus.concepts.dependence import INDEPENDENT, Dependence
from roctopus.concepts.problem import Problem
from roctopus.core.arrays import Floats
from roctopus.core.errors import InputError
from roctopus.core.orders import order_of
from roctopus.core.resampling import Random
from roctopus.inference.aims import Aim
from roctopus.inference.cost_steps import CostSteps
from roctopus.inference.engine import mean_estimate
from roctopus.inference.parts import DRAWS, Parts
from roctopus.inference.policies import tune_for


class SettingSet(NamedTuple):
    """The ends of a confidence set for each number of a setting; infinite where there is none."""

    low: Floats
    high: Floats


def setting_set(
    problem: Problem,
    prediction: Floats,
    aim: Aim,
    knob: Floats,
    *,
    dependence: Dependence = INDEPENDENT,
    level: float = 0.95,
    rng: Random = 0,
) -> SettingSet | None:
    """Return a confidence set for the best setting, where one is quickly found.

    That is for one context, for the contexts of the cases, and for a distribution of contexts whose
    mean stands for it. None for ranges, for other distributions and where a capacity must be kept.
    """
    several = aim.ranged or (aim.distribution is not None and not problem.linear)
    if several or problem.unlimited() is not problem or not len(knob):
        return None
    context = float(aim.contexts[0])
    turning = problem.turning(prediction, context)
    if turning is None or not np.isfinite(turning).any():
        return None
    if is_smooth(problem):
        under, over = (
            problem.outcomes(prediction + turning, np.array([step]), context)
            for step in (-1.0, 1.0)
        )
        return _quantile_set(turning, under, over, problem.weight, dependence, level)
    steps = CostSteps.of(problem, turning, context, len(knob))
    finite = turning[np.isfinite(turning)]
    ends = finite.min(), finite.max()
    parts = Parts.of(len(problem), dependence)
    found = np.concatenate([steps.best(rows) for rows in parts.draw(rng)])
    around = parts.around(np.clip(knob, *ends), np.clip(found, *ends), level, smooth=False)
    return _bounded(*around, *ends)


def retuned_set(
    problem: Problem,
    prediction: Floats,
    aim: Aim,
    knob: Floats,
    *,
    dependence: Dependence = INDEPENDENT,
    level: float = 0.95,
    rng: Random = 0,
) -> SettingSet:
    """Return a confidence set for the best setting of any aim, by tuning again on many parts."""
    values = problem.knob_values(prediction)
    ends = float(values.min()), float(values.max())
    none = np.zeros(len(aim.contexts))

    parts, found = Parts.of(len(problem), dependence), []
    for rows in (line for lines in parts.draw(rng) for line in lines):
        try:
            knobs = tune_for(problem.take(rows), prediction[rows], aim, none)
        except InputError:  # as of a part with one class only
            continue
        found.append(np.clip(knobs.chosen, *ends))
    if len(found) < DRAWS // 4:
        raise InputError("One class has too few cases for an interval of the setting.")
    middle = np.clip(knob, *ends)
    return _bounded(*parts.around(middle, np.array(found), level, smooth=is_smooth(problem)), *ends)


def _bounded(low: Floats, high: Floats, first: float, last: float) -> SettingSet:
    """Return a set without the ends that are not among the values at which anything changes."""
    return SettingSet(np.where(low > first, low, -np.inf), np.where(high < last, high, np.inf))


def is_smooth(problem: Problem) -> bool:
    """Tell whether a small move of the setting changes the outcome of every case a little."""
    return find_arm(problem.arm).knob == "shift"


def _quantile_set(
    turning: Floats,
    under: Floats,
    over: Floats,
    weight: Floats | None,
    dependence: Dependence,
    level: float,
) -> SettingSet | None:
    """Return the corrections between which the best shift lies, by their ranks.

    As many cases lie below the best shift as a binomial variable says, were they independent and of
    equal weight; others count as fewer cases.
    """
    from scipy.special import bdtrik

    ranked = _Ranked.of(turning, under, over, weight)
    if not 0.0 < ranked.share < 1.0:
        return None
    size = ranked.worth(dependence)
    fewest, most = bdtrik([0.5 - 0.5 * level, 0.5 + 0.5 * level], size, ranked.share) / size
    first = ranked.rank(np.nextafter(fewest, 1.0))
    last = ranked.rank(most) + 1
    low = ranked.at[first] if fewest > 0.0 else -math.inf
    high = ranked.at[last] if last < len(ranked.at) else math.inf
    return SettingSet(np.array([low]), np.array([high]))


class _Ranked(NamedTuple):
    """Corrections, of which a share should lie below the best shift."""

    turning: Floats
    own: Floats
    """The share that the costs of each case ask for."""
    mass: Floats
    """How much each case counts: a unit too low and a unit too high together."""
    share: float
    at: Floats
    """The corrections in order."""
    running: Floats
    """The share of the mass up to each of them."""

    @staticmethod
    def of(turning: Floats, under: Floats, over: Floats, weight: Floats | None) -> _Ranked:
        """Rank cases by what they cost a unit too low and a unit too high."""
        both = under + over
        own = np.divide(under, both, out=np.zeros(len(both)), where=both > 0.0)
        mass = both if weight is None else both * weight
        share = float(np.average(own, weights=mass)) if mass.any() else 0.0
        if _alike(mass):
            running = np.arange(1.0, len(mass) + 1.0) / len(mass)
            return _Ranked(turning, own, mass, share, np.sort(turning), running)
        order = order_of(turning)
        running = np.cumsum(mass[order])
        return _Ranked(turning, own, mass, share, turning[order], running / running[-1])

    def rank(self, share: float) -> int:
        """Return the rank of the first correction up to which there is a share of the mass."""
        return int(np.searchsorted(self.running, share))

    def worth(self, dependence: Dependence) -> float:
        """Return how many independent cases of equal weight would tell as much."""
        size = len(self.at)
        if dependence.independent and _alike(self.mass) and _alike(self.own):
            return float(size)
        plain = _below(self.turning, self.at[math.ceil(self.share * size) - 1]) - self.share
        mine = _below(self.turning, self.at[self.rank(self.share)]) - self.own
        first, second = mean_estimate(plain), mean_estimate(mine, self.mass, dependence)
        if 0.0 in (first.standard_error, second.standard_error):
            return float(size)
        reach = [np.ptp(each.confidence_interval(0.95, method="plain")) for each in (first, second)]
        return float(size * (reach[0] / reach[1]) ** 2)


def _alike(values: Floats) -> bool:
    """Tell whether values are the same up to rounding."""
    return bool(np.ptp(values) <= 1e-9 * np.max(np.abs(values)))


def _below(values: Floats, setting: float) -> Floats:
    """Tell which values are below a setting: 1, or a half of those that equal it."""
    return 0.5 * (1.0 * (values < setting) + 1.0 * (values <= setting))
