"""More than two actions: ordered thresholds of the largest impact."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from roctopus.concepts.context_curve import ContextCurve
from roctopus.core.arrays import Floats
from roctopus.core.checks import check_interval, check_mapping, check_scalar, read_finite
from roctopus.core.errors import InputError
from roctopus.core.monotone_cuts import CutLine, cheapest_cuts, trace_lowest_lines
from roctopus.core.piecewise import Index, Piecewise
from roctopus.impact.cases import Offers, read_scored
from roctopus.impact.curves import CONTEXT, outcome_name


@dataclass(frozen=True, eq=False)
class ActionThresholds:
    """Which action to take for which scores, at one θ.

    ``action_thresholds`` makes it.

    Parameters
    ----------
    thresholds : array of shape (actions - 1,)
        Threshold between each action and the next, increasing. A score at a threshold gets the
        higher action.
    actions : tuple of str
        Actions, from that for the lowest scores to that for the highest.
    impact : float
        Total value of all cases under their actions.
    theta : float
        Price θ.

    Examples
    --------
    >>> from roctopus.impact import LinearUtility, action_thresholds
    >>> actions = {
    ...     "waste": LinearUtility([0.0, 0.0, 0.0], 0.0),
    ...     "mill": LinearUtility([0.1, 0.5, 0.9], -1.0),
    ... }
    >>> found = action_thresholds([1, 2, 3], actions, theta=1.5)
    >>> found.thresholds.tolist(), found.choose([1.5, 3.5])
    ([3.0], ['waste', 'mill'])
    """

    thresholds: Floats
    actions: tuple[str, ...]
    impact: float
    theta: float

    def choose(self, y_score: Any) -> list[str]:
        """Return the action for each score.

        Parameters
        ----------
        y_score : array of shape (n,)
            Scores, one per case.

        Returns
        -------
        list of str
            The action of each case.
        """
        scores = read_finite(y_score, "y_score")
        numbers = np.searchsorted(self.thresholds, scores, side="right")
        return [self.actions[k] for k in numbers]

    def __repr__(self) -> str:
        borders = ", ".join(f"{t:.4g}" for t in self.thresholds)
        return (
            f"ActionThresholds({' | '.join(self.actions)} at [{borders}]: impact "
            f"{self.impact:.6g} at θ = {self.theta:g})"
        )


@dataclass(frozen=True, eq=False)
class _Choices:
    """What the cases below each position earn under each action: slope and intercept over θ."""

    names: tuple[str, ...]
    first: Offers
    slope: Floats
    intercept: Floats
    origin: float
    """The θ about which lines are written, as in ``Offers``."""

    @staticmethod
    def read(y_score: Any, utilities: Any, sample_weight: Any) -> _Choices:
        if not isinstance(utilities, Mapping):
            raise InputError(
                "'utilities' must be a mapping of actions to utilities, but is of type "
                f"{type(utilities).__name__}."
            )
        if len(utilities) < 2:
            raise InputError(
                f"'utilities' must contain at least two actions, but contains {len(utilities)}."
            )
        named = check_mapping(utilities, "utilities", "utilities")
        every = [read_scored(y_score, each, sample_weight) for each in named.values()]
        first = every[0]
        origin = max((offers.origin for offers in every), key=abs)
        every = [
            replace(offers, intercept=offers.intercept + offers.slope * origin) for offers in every
        ]
        # From the lowest score up: what lies below a position is all less what is accepted there.
        slope, intercept = (
            np.array([_below(first, offers.weighted(getattr(offers, part))) for offers in every])
            for part in ("slope", "intercept")
        )
        return _Choices(tuple(named), first, slope, intercept, origin)

    def solve(self, theta: float) -> CutLine:
        """Return the best cuts at a θ counted from the origin; costs are negative impacts.

        Of equally good cuts the highest are taken: fewer cases get the higher action.
        """
        cuts = cheapest_cuts(-(self.slope * theta + self.intercept), highest=True)
        return CutLine(cuts, -self._earned(cuts, self.intercept), -self._earned(cuts, self.slope))

    def _earned(self, cuts: Index, below: Floats) -> float:
        ends = np.concatenate([[0], cuts, [below.shape[1] - 1]])
        return float(sum(row[b] - row[a] for row, a, b in zip(below, ends, ends[1:], strict=False)))

    def thresholds(self, cuts: Index) -> Floats:
        """Return the lowest score above each cut; +inf above all."""
        return np.append(self.first.ranking.threshold[:0:-1], np.inf)[cuts]


def _below(offers: Offers, values: Floats) -> Floats:
    """Return the sums over the cases below each distinct score, and over all."""
    ranking = offers.ranking
    first_of_tie = ranking.last_of_tie[::-1]  # from the lowest score up
    running = np.append(0.0, np.cumsum(values[ranking.order][::-1]))
    starts = np.flatnonzero(first_of_tie)
    return np.asarray(running[np.append(starts, len(values))])


def action_thresholds(
    y_score: Any, utilities: Mapping[str, Any], *, theta: float, sample_weight: Any = None
) -> ActionThresholds:
    """Return the ordered thresholds of the largest impact at one θ, exactly.

    Use it if there are more than two actions, such as to discard, leach or mill a rock.

    Parameters
    ----------
    y_score : array of shape (n,)
        Scores in any unit, one per case: only their order matters.
    utilities : mapping of str to LinearUtility
        Value of each action for every case; actions are in order, from that for the lowest scores
        to that for the highest.
    theta : float
        Price θ.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    ActionThresholds
        The thresholds between the actions, and their impact.

    Examples
    --------
    >>> from roctopus.impact import LinearUtility, action_thresholds
    >>> grade = [0.1, 0.3, 0.5, 0.9]
    >>> found = action_thresholds(
    ...     [1, 2, 3, 4],
    ...     {
    ...         "waste": LinearUtility([0.0] * 4, 0.0),
    ...         "leach": LinearUtility([0.4 * g for g in grade], -0.2),
    ...         "mill": LinearUtility(grade, -1.0),
    ...     },
    ...     theta=2.0,
    ... )
    >>> found
    ActionThresholds(waste | leach | mill at [2, 4]: impact 1.04 at θ = 2)
    """
    choices = _Choices.read(y_score, utilities, sample_weight)
    at = choices.first.scale.check(theta)
    best = choices.solve(at - choices.origin)
    impact = 0.0 - (best.intercept + best.slope * (at - choices.origin))
    return ActionThresholds(choices.thresholds(best.cuts), choices.names, impact, at)


def action_curve(
    y_score: Any,
    utilities: Mapping[str, Any],
    *,
    low: float,
    high: float,
    normalize: bool = False,
    sample_weight: Any = None,
) -> ContextCurve:
    """Return the impact of the best ordered thresholds over a range of θ, exactly.

    Parameters
    ----------
    y_score : array of shape (n,)
        Scores in any unit, one per case: only their order matters.
    utilities : mapping of str to LinearUtility
        Value of each action for every case; actions are in order, from that for the lowest scores
        to that for the highest.
    low, high : float
        Smallest and largest θ.
    normalize : bool, default False
        Whether to divide by the total weight, so that totals become means per case.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    ContextCurve
        The impact over θ, with the thresholds as the setting.

    Examples
    --------
    >>> from roctopus.impact import LinearUtility, action_curve
    >>> actions = {
    ...     "waste": LinearUtility([0.0, 0.0, 0.0], 0.0),
    ...     "mill": LinearUtility([0.1, 0.5, 0.9], -1.0),
    ... }
    >>> curve = action_curve([1, 2, 3], actions, low=0.0, high=4.0)
    >>> round(curve.at(2.0), 6), curve.knob_at(2.5).tolist()
    (0.8, [2.0])
    """
    check_interval(check_scalar(low, "low"), check_scalar(high, "high"), "The range of 'theta'")
    choices = _Choices.read(y_score, utilities, sample_weight)
    first, last = (choices.first.scale.check(end) - choices.origin for end in (low, high))
    knots, lines = trace_lowest_lines(choices.solve, first, last)
    slope, intercept = (
        -np.array([getattr(line, part) for line in lines]) for part in ("slope", "intercept")
    )
    factor = 1.0 / choices.first.sample.total_weight if normalize else 1.0
    borders = knots + choices.origin
    borders[0], borders[-1] = float(low), float(high)
    start, end = (intercept + slope * x for x in (knots[:-1], knots[1:]))
    return ContextCurve(
        Piecewise(borders, start, end).scale(factor),
        CONTEXT,
        outcome_name(choices.first.scale, normalize),
        "utility",
        np.array([choices.thresholds(line.cuts) for line in lines]),
        "threshold",
        backend=choices.first.sample.backend,
    )
