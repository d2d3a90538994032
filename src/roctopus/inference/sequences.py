"""Look as often as you like: whether a mean has risen above a recorded one.

A test at 5 % that is repeated every week raises a false alarm within a year almost surely. Bounds
of a confidence sequence hold at all times at once.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from roctopus.core.errors import InputError

EXPECTED = 4.0
"""Changes of about so many standard errors of the record are looked for."""


class ChangeRun(NamedTuple):
    """Sums over all looks since one of them: mean changes times cases, and their variance."""

    since: int
    """The number of the first look, counted from 0."""
    cases: float = 0.0
    total: float = 0.0
    variance: float = 0.0

    def add(self, change: float, standard_error: float, cases: float) -> ChangeRun:
        """Take in another look."""
        return ChangeRun(
            self.since,
            self.cases + cases,
            self.total + cases * change,
            self.variance + (cases * standard_error) ** 2,
        )

    @property
    def change(self) -> float:
        """The mean change."""
        return self.total / self.cases

    @property
    def standard_error(self) -> float:
        """The standard error of the mean of the new cases."""
        return math.sqrt(self.variance) / self.cases


class ChangeBound(NamedTuple):
    """The mean change since a look, with bounds that hold at all times."""

    since: int
    change: float
    low: float
    high: float


@dataclass(frozen=True)
class ChangeSequence:
    """A confidence sequence for the change of a mean against a record that is uncertain itself.

    ``recorded_error`` is the standard error of the record, and ``recorded_cases`` the number of its
    cases, if it is a mean of as many. Then its spread and that of the new cases stand in for each
    other where one is smaller: a look, or a record, in which a rare loss did not happen would
    seem certain otherwise.

    Means of looks are taken as normal, as is the record. The likelihood of the changes seen, if the
    true one is drawn from the positive half of a normal distribution, against that of none, is a
    martingale; so it ever reaches 20 in 5 % of all histories at most (Ville's inequality). The
    record's own error is part of the likelihood, so it is not counted again at every look.

    The mean since the first look finds late changes late. So further runs begin at looks 1, 2, 4,
    8, …; run j may raise 1/((j + 1)(j + 2)) of all false alarms, which add up to 1.

    Examples
    --------
    >>> sequence = ChangeSequence(recorded_error=0.02)
    >>> for change in (0.01, 0.12, 0.15, 0.14):
    ...     sequence = sequence.add(change, standard_error=0.04, cases=200)
    >>> sequence.alarm, sequence.surest.since
    (True, 1)
    """

    recorded_error: float
    recorded_cases: float | None = None
    looks: int = 0
    runs: tuple[ChangeRun, ...] = ()
    level: float = 0.05
    """How often an alarm may be raised in all time if nothing has changed."""
    scale: float = 0.0
    """The standard deviation of the changes that are looked for; if 0, fixed at the first look."""

    def add(self, change: float, standard_error: float, cases: float) -> ChangeSequence:
        """Return the sequence with another look: new cases, none of which was seen before."""
        if not (math.isfinite(change) and math.isfinite(standard_error) and cases > 0.0):
            raise InputError("A look needs a finite change with its standard error, and cases.")
        scale = self.scale or EXPECTED * (self.recorded_error or standard_error)
        runs = self.runs
        if self.looks & (self.looks - 1) == 0:  # 0, 1, 2, 4, 8, …
            runs = (*runs, ChangeRun(self.looks))
        taken = tuple(run.add(change, standard_error, cases) for run in runs)
        return replace(self, looks=self.looks + 1, runs=taken, scale=scale)

    def bounds(self) -> tuple[ChangeBound, ...]:
        """Return the bounds of all runs: on each side all hold at all times, but for ``level``."""
        found = []
        for run, error, level in self._changes():
            reach = error * _reach((self.scale / error) ** 2, level) if error > 0.0 else 0.0
            found.append(ChangeBound(run.since, run.change, run.change - reach, run.change + reach))
        return tuple(found)

    def _changes(self) -> Iterator[tuple[ChangeRun, float, float]]:
        """Yield every run with the standard error of its change, and its share of alarms."""
        for j, run in enumerate(self.runs):
            new, record = run.standard_error, self.recorded_error
            if self.recorded_cases is not None:
                share = math.sqrt(self.recorded_cases / run.cases)
                new, record = max(new, record * share), max(record, new / share)
            yield run, math.hypot(new, record), self.level / ((j + 1) * (j + 2))

    @property
    def surest(self) -> ChangeBound:
        """The run whose change is surest to be an increase."""
        if not self.runs:
            raise InputError("There have been no looks yet.")
        return max(self.bounds(), key=lambda each: each.low)

    @property
    def alarm(self) -> bool:
        """Whether the mean has clearly risen: whether a lower bound is above zero."""
        for run, error, level in self._changes():
            if run.change <= 0.0:
                continue
            if error == 0.0:
                return True
            ratio = _log_likelihood_ratio(run.change / error, (self.scale / error) ** 2)
            if ratio > -math.log(level):
                return True
        return False


def _log_likelihood_ratio(change: float, expected: float) -> float:
    """Return the logarithm of the likelihood of a change if there is one, against none.

    The change is in standard errors, and ``expected`` is the variance of those looked for.
    """
    from scipy.special import log_ndtr

    share = expected / (1.0 + expected)
    tail = float(log_ndtr(change * math.sqrt(share)))
    return math.log(2.0) - 0.5 * math.log1p(expected) + 0.5 * share * change**2 + tail


def _reach(expected: float, level: float) -> float:
    """Return the change at which the likelihood ratio is 1 over the level; it grows with it."""
    low, high = 0.0, 1.0
    while _log_likelihood_ratio(high, expected) < -math.log(level):
        low, high = high, 2.0 * high
    for _ in range(60):
        middle = 0.5 * (low + high)
        if _log_likelihood_ratio(middle, expected) < -math.log(level):
            low = middle
        else:
            high = middle
    return high
