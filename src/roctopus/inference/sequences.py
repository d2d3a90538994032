"""Look again and again: whether a mean has risen above a recorded one.

A test at 5 % that is repeated every week raises a false alarm within a year almost surely. Here the
level is for all looks up to a horizon together.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from roctopus.concepts.dependence import Dependence
from roctopus.concepts.estimate import Estimate
from roctopus.core.arrays import Floats
from roctopus.core.checks import LARGEST, check_magnitude
from roctopus.core.errors import InputError
from roctopus.core.moments import dot

WINDOWS = (2, 4, 8, 16, 32)
"""Numbers of newest blocks whose mean is looked at, beside that of all."""
HORIZON = 52
"""The level is for so many looks: a year of weeks. Twice as many looks have half of it in turn."""
LEAST_FREE = 20.0
"""A block is closed when its variance would have so many degrees of freedom: then its mean is
nearly normal. Where few cases carry the variance, or neighbours are alike, that takes longer."""
STEP_FREEDOM = 2.0 / 3.0
"""Degrees of freedom of a squared difference of neighbouring blocks: they overlap."""
SURE = 0.9995
"""Blocks differ more than their cases explain if fewer than 1 of 2,000 series would as much."""
MANY_BLOCKS = 8
"""So many blocks are needed to tell that."""
HISTORIES = 4000
MOST_BLOCKS = 2048
"""Histories are simulated up to so many blocks. In longer ones false alarms come in proportion to
blocks, of a level that was halved often by then."""
FREEDOMS = (0, 1, 2, 3, 4, 6, 8, 11, 16, 22, 32, 64, 128, 512)
"""Critical values are found for these degrees of freedom; others are rounded down."""
SINGLE_LOOKS = 10
"""So many looks of one unit each, neighbours, show together how units vary: as one look would."""
CLUSTERED = 0.99
"""With fewer units than so many times the cases, units are clusters."""
BEFORE_STEPS = 4
"""Where only differences of blocks tell how they vary, nothing is said before so many blocks."""


class Block(NamedTuple):
    """Neighbouring looks that are long enough together: cases, and the sum of changes."""

    since: int = 0
    """The number of the first look, counted from 0."""
    cases: float = 0.0
    total: float = 0.0

    @property
    def change(self) -> float:
        """The mean change."""
        return self.total / self.cases


class ChangeBound(NamedTuple):
    """The mean change since a look, with bounds that hold at all looks up to the horizon.

    Parameters
    ----------
    since : int
        Number of the look, counted from 0.
    change : float
        Mean change of all cases since then.
    low : float
        Lower bound of the true mean change.
    high : float
        Upper bound of the true mean change.

    Examples
    --------
    >>> from roctopus.inference import ChangeBound
    >>> bound = ChangeBound(since=2, change=0.17, low=0.05, high=0.29)
    >>> bound.low > 0.0
    True
    """

    since: int
    change: float
    low: float
    high: float


class Variation(NamedTuple):
    """How cases vary around their mean: sums that add up over samples."""

    rows: float = 0.0
    """The number of cases, less one for each mean that was taken off."""
    squares: float = 0.0
    fourths: float = 0.0
    """The sum of squares and the root of the sum of fourth powers, or what stands for these where
    cases depend."""
    units: float = 0.0
    """The number of independent cases, or clusters, less one for each sample."""

    @staticmethod
    def of(sample: Precision) -> Variation:
        """Return that of a sample from the standard error of its mean."""
        rows, units = max(sample.cases - 1.0, 0.0), max(sample.units - 1.0, 0.0)
        if not (rows > 0.0 and sample.standard_error > 0.0 and sample.carriers > 0.0):
            return Variation(rows, units=units)
        reach = sample.cases * sample.standard_error
        if reach > LARGEST:
            check_magnitude([reach], "The costs (or gains) of all cases add up to numbers")
        squares = reach**2 * rows / sample.cases
        return Variation(rows, squares, squares / math.sqrt(sample.carriers), units)

    def __add__(self, other: object) -> Variation:
        """Put two samples together."""
        if not isinstance(other, Variation):
            return NotImplemented
        return Variation(
            self.rows + other.rows,
            self.squares + other.squares,
            math.hypot(self.fourths, other.fourths),
            self.units + other.units,
        )

    @property
    def variance(self) -> float:
        """The variance of one case, allowing for dependence: that of a mean times cases."""
        return self.squares / self.rows if self.rows > 0.0 else 0.0

    @property
    def freedom(self) -> float:
        """Degrees of freedom of the variance: fewer than units if few of these carry it."""
        if self.fourths == 0.0:
            return self.units
        kurtosis = self.units * (self.fourths / self.squares) ** 2
        return 2.0 * self.units / max(kurtosis - 1.0, 2.0)


class Precision(NamedTuple):
    """How sure the mean of a sample is: that of a record, or of a look."""

    cases: float
    standard_error: float
    carriers: float
    """How many units carry the variance: their number over their kurtosis."""
    units: float
    """The number of independent cases, or clusters."""
    freedom: float | None = None
    """Degrees of freedom of the error where cases come in order of time; None where not."""
    inflation: float = 1.0
    """How many times larger the variance of the mean is than if units were independent."""

    @staticmethod
    def of(estimate: Estimate) -> Precision:
        """Return that of an estimate; where it has one unit only, its error is not known."""
        weight = estimate.sample_weight
        cases = float(estimate.size)
        if weight is not None:  # cases of unequal weight count as fewer equal ones
            cases = float(weight.sum() ** 2 / np.sum(weight**2))
        ordered = estimate.dependence.times is not None
        try:
            error, tails = estimate.standard_error, estimate.tails
        except InputError:
            return Precision(cases, math.nan, 0.0, 1.0, 0.0 if ordered else None)
        carriers, units = (cases, cases) if tails is None else (tails.carriers, tails.units)
        if not ordered:
            return Precision(cases, error, carriers, units)
        alone = dot(estimate.terms, estimate.terms) / estimate.total_weight**2
        inflation = max(error**2 / alone, 1.0) if alone > 0.0 else 1.0
        return Precision(cases, error, carriers, units, estimate.freedom, inflation)


@dataclass(frozen=True)
class ChangeSequence:
    """Whether a mean has risen above a record that is uncertain itself, however often you look.

    Looks are combined into blocks that are long enough for their means to be nearly normal and
    nearly independent. The mean changes of the newest 2, 4, 8, 16 and 32 blocks and of all blocks
    are divided by their standard errors. The largest ratio is compared with the value that, without
    a change, it exceeds with the probability ``level`` up to the horizon (simulated). How much
    cases vary is estimated from the record, the looks, and the differences of neighbouring blocks.
    If these differences are too large for the others, they alone count: looks then depend on
    something that was not given.

    Parameters
    ----------
    record : Precision or None
        How precise the recorded mean is; None if changes are not measured against a record, such as
        differences on the same cases.
    level : float, default 0.05
        How often an alarm may be raised up to the horizon if nothing has changed.
    horizon : int, default 52
        Number of looks for which the level holds: a year of weeks.
    looks : int, default 0
        Number of looks so far.
    spread : Variation, optional
        How much the cases of the looks vary.
    inflation : float, default 1.0
        Largest variance inflation of the record and the looks.
    open : Block, optional
        Newest looks, not yet long enough for a block.
    whole : Block, optional
        All closed blocks together.
    blocks : int, default 0
        Number of closed blocks.
    recent : tuple of Block, default ()
        Newest closed blocks.
    steps : float, default 0.0
        Sum of squared differences of neighbouring blocks, in units of the variance of a case.
    largest : float, default 0.0
        Largest of these. It is left out, since a sudden change is not noise.
    single : tuple of Block, default ()
        Newest looks of one unit each, such as a cluster. A few together show how much these vary.

    Examples
    --------
    >>> record = Precision(cases=1000, standard_error=0.02, carriers=300, units=1000)
    >>> sequence = ChangeSequence(record)
    >>> for change in (0.01, 0.16, 0.18, 0.17):
    ...     sequence = sequence.add(change, Precision(200, 0.045, 60, 200))
    >>> sequence.alarm, sequence.surest.since
    (True, 2)
    """

    record: Precision | None
    level: float = 0.05
    horizon: int = HORIZON
    looks: int = 0
    spread: Variation = field(default=Variation())
    inflation: float = 1.0
    open: Block = field(default=Block())
    whole: Block = field(default=Block())
    blocks: int = 0
    recent: tuple[Block, ...] = ()
    steps: float = 0.0
    largest: float = 0.0
    single: tuple[Block, ...] = ()

    def add(self, change: float, look: Precision) -> ChangeSequence:
        """Return the sequence with another look.

        Parameters
        ----------
        change : float
            Mean change of the cases of the look against the record.
        look : Precision
            How precise that mean is. The cases must be new: none of them was in an earlier look.

        Returns
        -------
        ChangeSequence
            A new sequence; this one stays as it is.
        """
        if not math.isfinite(change):
            raise InputError(f"'change' must be a finite number, but is {change}.")
        if not look.cases > 0.0:
            raise InputError("'look' must contain at least one case, but contains none.")
        spread, single = self._varied(change, look)
        first = self.looks if self.open.cases == 0.0 else self.open.since
        cases, total = self.open.cases + look.cases, self.open.total + look.cases * change
        inflation = max(self.inflation, look.inflation)
        found = replace(
            self,
            looks=self.looks + 1,
            spread=spread,
            single=single,
            inflation=inflation,
            open=Block(first, cases, total),
        )
        return found._closed() if found._long_enough() else found

    def _varied(self, change: float, look: Precision) -> tuple[Variation, tuple[Block, ...]]:
        """Return how cases vary, and looks of one unit that do not show it yet.

        Where cases come in order of time, only record and blocks say how far they vary.
        """
        if look.freedom is not None:
            return self.spread, self.single
        if math.isfinite(look.standard_error):
            return self.spread + Variation.of(look), self.single
        single = (*self.single, Block(self.looks, look.cases, look.cases * change))
        if len(single) < SINGLE_LOOKS:
            return self.spread, single
        return self.spread + Variation.of(_of_units(single)), ()

    @property
    def _pooled(self) -> Variation:
        """How cases vary by the looks, and by the record if it shows that."""
        record = self._telling_record
        return self.spread if record is None else self.spread + Variation.of(record)

    @property
    def _telling_record(self) -> Precision | None:
        """The record; None where looks come in clusters, and it does not show how these vary."""
        rows, record = self.spread.rows, self.record
        clustered = self.spread.units < CLUSTERED * rows or any(b.cases > 1.0 for b in self.single)
        if record is None or (clustered and record.units >= CLUSTERED * record.cases):
            return None
        return record

    @property
    def _inflated(self) -> float:
        return max(self.inflation, 1.0 if self.record is None else self.record.inflation)

    def _long_enough(self) -> bool:
        pooled = self._pooled
        rate = pooled.freedom / pooled.rows if pooled.rows > 0.0 else 0.0
        return self.open.cases / self._inflated * rate >= LEAST_FREE

    def closed(self) -> ChangeSequence:
        """Return the sequence with all looks counted, however short they are.

        Returns
        -------
        ChangeSequence
            A new sequence, whose last block is closed.
        """
        return self._closed() if self.open.cases > 0.0 else self

    def begun_anew(self) -> ChangeSequence:
        """Return the sequence without its looks, but with what is known about how much cases vary.

        Returns
        -------
        ChangeSequence
            A new sequence with the same record and level.
        """
        return replace(
            self, open=Block(), whole=Block(), blocks=0, recent=(), steps=0.0, largest=0.0
        )

    def _closed(self) -> ChangeSequence:
        block, step = self.open, 0.0
        if self.recent:
            last = self.recent[-1]
            step = (block.change - last.change) ** 2 / (1.0 / block.cases + 1.0 / last.cases)
        first = self.whole.since if self.blocks else block.since
        whole = Block(first, self.whole.cases + block.cases, self.whole.total + block.total)
        recent = (*self.recent, block)[-max(WINDOWS) :]
        return replace(
            self,
            open=Block(),
            whole=whole,
            blocks=self.blocks + 1,
            recent=recent,
            steps=self.steps + step,
            largest=max(self.largest, step),
        )

    def _variance(self) -> tuple[float, float, float]:
        """Return the variance of a case, and degrees of freedom: of the record, and per block."""
        pooled, record = self._pooled, self._telling_record
        known = pooled.freedom
        if record is not None and record.freedom is not None:
            known = min(record.freedom, known)
        by_steps = STEP_FREEDOM * max(self.blocks - 2, 0)
        steps = STEP_FREEDOM * (self.steps - self.largest)
        if pooled.variance > 0.0 and self.blocks >= MANY_BLOCKS:
            from scipy.special import chdtri

            if steps / pooled.variance > float(chdtri(by_steps, 1.0 - SURE)):
                return steps / by_steps, 0.0, 0.0
        free = known + by_steps
        if free <= 0.0:
            return 0.0, 0.0, 0.0
        variance = (known * pooled.variance + steps) / free
        rows = pooled.rows or 1.0
        share = 0.0 if record is None else max(record.cases - 1.0, 0.0) / rows
        return variance, known * share, known * (1.0 - share) / self.blocks

    def _critical(self, known: float, each: float) -> float:
        """Return what the largest mean, over its error, exceeds in ``level`` of histories."""
        level, horizon = self.level, self.horizon
        while horizon < self.looks:
            level, horizon = level / 2.0, 2 * horizon
        blocks = math.ceil(horizon * self.blocks / self.looks)
        if blocks < horizon:
            blocks = min(2 ** math.ceil(math.log2(max(blocks, 1))), horizon)
        blocks = min(blocks, MOST_BLOCKS)
        ratio = 0.0
        if self.record is not None:
            ratio = 2.0 ** math.ceil(math.log2(self.whole.cases / self.blocks / self.record.cases))
        return critical_value(level, blocks, _round_down(known), _round_down(each), ratio)

    def bounds(self) -> tuple[ChangeBound, ...]:
        """Return the bounds of the mean change in all windows.

        On each side, all bounds are right at once with probability 1 − ``level``.

        Returns
        -------
        tuple of ChangeBound
            One for each window, each since another look.
        """
        return tuple(
            ChangeBound(since, change, change - reach, change + reach)
            for since, change, reach in self._reaches()
        )

    def _reaches(self) -> Iterator[tuple[int, float, float]]:
        variance, known, each = self._variance()
        critical = self._critical(known, each)
        record = 0.0 if self.record is None else 1.0 / self.record.cases
        for block in self._windows():
            error = math.sqrt(variance * (1.0 / block.cases + record))
            yield block.since, block.change, critical * error if error > 0.0 else 0.0

    def _windows(self) -> Iterator[Block]:
        yield self.whole
        for width in WINDOWS:
            if width < self.blocks:
                some = self.recent[-width:]
                cases, total = (sum(each) for each in zip(*(b[1:] for b in some), strict=True))
                yield Block(some[0].since, cases, total)

    @property
    def speaks(self) -> bool:
        """Whether there are enough cases to say anything."""
        variance, known, each = self._variance() if self.blocks else (0.0, 0.0, 0.0)
        return self.blocks > 0 and (
            known + each > 0.0 or self.blocks >= BEFORE_STEPS or not variance
        )

    @property
    def surest(self) -> ChangeBound:
        """The window whose change is most certainly an increase."""
        if not self.looks:
            raise InputError("There are no looks yet. Add one with .add(change, look).")
        if not self.speaks:
            seen = self.whole if self.blocks else self.open
            return ChangeBound(0, seen.change, -math.inf, math.inf)
        return max(self.bounds(), key=lambda each: each.low)

    @property
    def alarm(self) -> bool:
        """Whether the mean has clearly risen: whether a lower bound is above zero."""
        return self.looks > 0 and self.surest.low > 0.0


def _of_units(looks: tuple[Block, ...]) -> Precision:
    """Return how sure the mean of looks is, each of one unit."""
    cases = np.array([each.cases for each in looks])
    totals = np.array([each.total for each in looks])
    weight = float(cases.sum())
    about = Dependence(np.arange(len(looks)))
    changes = totals / cases
    mean = float(totals.sum()) / weight
    found = Precision.of(Estimate(mean, changes - mean, cases, dependence=about))
    return found._replace(cases=weight)


def _round_down(freedom: float) -> int:
    return max(each for each in FREEDOMS if each <= freedom + 1e-9)


@lru_cache(256)
def critical_value(level: float, blocks: int, known: int, each: int, ratio: float) -> float:
    """Return what the largest standardised mean of the windows exceeds in ``level`` of histories.

    Parameters
    ----------
    level : float
        The share of histories without a change.
    blocks : int
        How many blocks a history has.
    known, each : int
        Degrees of freedom of the variance: before the first block, and added with each.
    ratio : float
        The cases of a block over those of the record.
    """
    rng, at = np.random.default_rng(0), np.arange(1, blocks + 1)
    noise = rng.standard_normal((HISTORIES, blocks))
    record = rng.standard_normal((HISTORIES, 1)) * math.sqrt(ratio)
    squares = np.zeros((HISTORIES, blocks))
    freedom = known + each * at + STEP_FREEDOM * np.maximum(at - 2, 0)
    if known:
        squares += rng.chisquare(known, (HISTORIES, 1))
    if each:
        squares += np.cumsum(rng.chisquare(each, (HISTORIES, blocks)), axis=1)
    steps = np.diff(noise, axis=1) ** 2 / 2.0
    others = np.cumsum(steps, axis=1) - np.maximum.accumulate(steps, axis=1)
    squares[:, 1:] += STEP_FREEDOM * others
    first = 0 if known or each else min(BEFORE_STEPS, blocks) - 1
    largest = _largest_means(noise, record, ratio)[:, first:]
    spread = np.sqrt(squares / np.maximum(freedom, 1e-9))[:, first:]
    spread[spread == 0.0] = np.inf
    return float(np.quantile((largest / spread).max(axis=1), 1.0 - level))


def _largest_means(noise: Floats, record: Floats, ratio: float) -> Floats:
    """Return the largest standardised mean of the windows that end at each block."""
    count = noise.shape[1]
    sums = np.concatenate([np.zeros((len(noise), 1)), np.cumsum(noise, axis=1)], axis=1)
    at = np.arange(1, count + 1)
    found = (sums[:, 1:] / at - record) / np.sqrt(1.0 / at + ratio)
    for width in WINDOWS:
        if width < count:
            means = (sums[:, width:] - sums[:, :-width]) / width
            standard = (means - record) / math.sqrt(1.0 / width + ratio)
            found[:, width - 1 :] = np.maximum(found[:, width - 1 :], standard)
    return np.asarray(found)
