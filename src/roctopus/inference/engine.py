"""The engine of out-of-sample values: learn on some cases, judge on others, round by round."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, Literal, Protocol, TypeAlias, TypeVar

import numpy as np

from roctopus.concepts.dependence import INDEPENDENT, Dependence
from roctopus.concepts.estimate import Estimate
from roctopus.concepts.joint import JointEstimates
from roctopus.core.arrays import Floats
from roctopus.core.errors import InputError, warn
from roctopus.core.moments import weighted_mean
from roctopus.inference.folds import Rows, Split

T = TypeVar("T")
CHOSEN = 2.0
"""How often the variance between rounds counts where each fold chooses among models.

Rounds share most of their cases, so they differ less than choices on fresh cases do. For settings
of one model it counts once."""


class Tuning(Protocol):
    """What is tuned, and for what: a setting that is learned on some cases and judged on others.

    Every arm has a tuning, such as ``regression.ShiftTuning``. Your own needs ``sense``, ``learn``
    and ``outcomes``.

    Parameters
    ----------
    *args
        Of the tuning; ``ShiftTuning`` takes a loss.
    **kwargs
        Of the tuning.

    Examples
    --------
    >>> import numpy as np
    >>> from roctopus.inference import honest_value
    >>> class Median:
    ...     sense = "loss"
    ...     def learn(self, y_true, y_pred):
    ...         return np.array([np.median(y_true - y_pred)])
    ...     def outcomes(self, y_true, y_pred, knob):
    ...         return np.abs(y_true - y_pred - knob[0])
    >>> rng = np.random.default_rng(0)
    >>> y, p = rng.normal(5.0, 1.0, 200), rng.normal(3.0, 1.0, 200)
    >>> honest_value(Median(), y, p).knob.round(1)
    array([2.1])
    """

    @property
    def sense(self) -> Literal["loss", "gain"]:
        """Whether less or more is better."""

    def learn(self, y_true: Floats, y_pred: Floats) -> Floats:
        """Return the best setting on some cases.

        Parameters
        ----------
        y_true : array of shape (n,)
            True values, one per case.
        y_pred : array of shape (n,)
            Predictions (numbers, scores or probabilities).

        Returns
        -------
        array
            The numbers of the setting.
        """

    def outcomes(self, y_true: Floats, y_pred: Floats, knob: Floats) -> Floats:
        """Return the loss or gain of each case at a setting.

        Parameters
        ----------
        y_true : array of shape (n,)
            True values, one per case.
        y_pred : array of shape (n,)
            Predictions (numbers, scores or probabilities).
        knob : array
            Numbers of the setting.

        Returns
        -------
        array of shape (n,)
            What each case costs or earns.
        """


def check_tuning(tuning: Any) -> None:
    """Raise an error for what cannot be tuned."""
    if not (hasattr(tuning, "learn") and hasattr(tuning, "outcomes")):
        raise InputError(
            "'tuning' must be a tuning such as ShiftTuning(LinLin(0.8)), but is of type "
            f"{type(tuning).__name__}."
        )


@dataclass(frozen=True, eq=False)
class CrossFit(Generic[T]):
    """Outcomes of cases, each judged by what was learned on others."""

    rows: Rows
    """The cases that were judged."""
    rounds: list[list[Floats]]
    """Their outcomes: for each round of folds, an array per policy."""
    learned: list[T]
    """What was learned on each training part."""
    weight: Floats | None
    dependence: Dependence
    floor: float = -math.inf
    """What a mean outcome cannot be below: 0 for losses."""
    unsteady: float = 1.0
    """How often the variance between rounds counts in that of a mean."""

    def mean(self, policy: int = 0, against: int | None = None) -> Estimate:
        """Return the mean outcome of a policy, or how much more it is than another's."""
        if against is None:
            outcomes = [each[policy] for each in self.rounds]
            found = mean_over_rounds(outcomes, self.dependence, self.weight, self.unsteady)
            return replace(found, floor=self.floor)
        outcomes = [each[policy] - each[against] for each in self.rounds]
        return mean_over_rounds(outcomes, self.dependence, self.weight, self.unsteady)

    def covariance(self, count: int) -> tuple[Floats, Floats | None]:
        """Return that of the first policies' means, and variances of differences between rounds.

        As for one mean, it is that of one round, plus that between rounds.
        """
        joint = [
            JointEstimates.of(
                {
                    str(k): mean_estimate(values, self.weight, self.dependence)
                    for k, values in enumerate(each[:count])
                }
            )
            for each in self.rounds
        ]
        within = np.mean([each.covariance for each in joint], axis=0)
        if len(joint) == 1:
            return within, None
        means = np.array([list(each.values.values()) for each in joint])
        between = np.atleast_2d(np.cov(means, rowvar=False, ddof=1))
        gaps = means[:, :, None] - means[:, None, :]
        return within + between, gaps.var(axis=0, ddof=1)

    def warn_if_partial(self, size: int) -> None:
        """Warn where splits leave out some of so many cases."""
        if len(self.rows) < size:
            warn(f"The splits evaluate {len(self.rows)} of {size} cases; the others are left out.")

    def settled(self, settle: Callable[[Floats], Floats]) -> CrossFit[T]:
        """Return the same with one outcome per case, made from the columns of each policy."""
        return replace(self, rounds=[[settle(values) for values in each] for each in self.rounds])


Learn: TypeAlias = Callable[[Sequence[Rows]], Sequence[T]]
"""Learns something on each of some parts of the cases."""


def each_part(learn: Callable[[Rows], T]) -> Learn[T]:
    """Learn on one part after the other."""
    return lambda parts: [learn(rows) for rows in parts]


def cross_fit(
    rounds: Iterable[Sequence[Split]],
    size: int,
    learn: Learn[T],
    judge: Callable[[T, Rows], Sequence[Floats]],
    *,
    weight: Floats | None = None,
    dependence: Dependence = INDEPENDENT,
    enough: Callable[[list[T]], bool] = lambda _: False,
    floor: float = -math.inf,
    unsteady: float = 1.0,
) -> CrossFit[T]:
    """Learn something on each training part and judge it on the cases held out.

    ``judge`` returns the outcomes of some cases, an array per policy that is looked at. Rounds are
    drawn until what was learned is ``enough``; all must judge the same cases.
    """
    learned: list[T] = []
    columns: list[list[Floats]] = []
    rows: Rows = np.empty(0, dtype=np.intp)
    for splits in rounds:
        taught, rows, outcomes = _one_round(splits, size, learn, judge)
        learned += taught
        columns.append(outcomes)
        if enough(learned):
            break
    kept = dependence.take(rows)
    judged = None if weight is None else weight[rows]
    return CrossFit(rows, columns, learned, judged, kept, floor, unsteady)


def _one_round(
    splits: Sequence[Split],
    size: int,
    learn: Learn[T],
    judge: Callable[[T, Rows], Sequence[Floats]],
) -> tuple[Sequence[T], Rows, list[Floats]]:
    """Return what was learned, and which cases were judged, with the mean outcomes of each."""
    learned = _learn(learn, [train for train, _ in splits])
    sums: list[Floats] = []
    counts = np.bincount(np.concatenate([test for _, test in splits]), minlength=size)
    once = counts.max() == 1
    for taught, (_, test) in zip(learned, splits, strict=True):
        outcomes = judge(taught, test)
        sums = sums or [np.zeros((size, *each.shape[1:])) for each in outcomes]
        for total, each in zip(sums, outcomes, strict=True):
            total[test] = each if once else total[test] + each
    rows = np.flatnonzero(counts)
    if len(rows) < size or not once:
        sums = [total[rows] / counts[rows].reshape(-1, *(1,) * (total.ndim - 1)) for total in sums]
    return learned, rows, sums


def _learn(learn: Learn[T], parts: Sequence[Rows]) -> Sequence[T]:
    try:
        return learn(parts)
    except InputError as refusal:
        raise InputError(
            "The training part of a fold cannot be used for tuning: "
            f"{refusal.marked} Use more cases, or fewer folds."
        ) from None


def mean_estimate(
    values: Floats,
    weight: Floats | None = None,
    dependence: Dependence = INDEPENDENT,
    floor: float = -math.inf,
) -> Estimate:
    """Return the mean of outcomes that cases have with settings that are taken as fixed."""
    value = weighted_mean(values, weight)
    return Estimate(value, values - value, weight, dependence=dependence, floor=floor)


def mean_over_rounds(
    rounds: Sequence[Floats],
    dependence: Dependence,
    weight: Floats | None = None,
    unsteady: float = 1.0,
) -> Estimate:
    """Return the mean outcome, with the spread between rounds of folds in its variance.

    A round's own variance takes its choices as fixed. Averaged outcomes look too certain: cases
    near each other share a choice. So it is the variance of one round, plus that between rounds,
    as often as ``unsteady`` says.
    """
    first, *others = rounds
    if all(np.array_equal(first, each) for each in others):  # as where nothing is tuned
        return mean_estimate(first, weight, dependence)
    found = mean_estimate(np.mean(rounds, axis=0), weight, dependence)
    if found.standard_error == 0.0:
        return found
    values, errors = _errors(rounds, dependence, weight)
    within, between = float(np.mean(errors**2)), float(np.var(values, ddof=1))
    wanted = math.sqrt(within + unsteady * between)
    return replace(found, influence=found.influence * (wanted / found.standard_error))


def _errors(
    rounds: Sequence[Floats], dependence: Dependence, weight: Floats | None
) -> tuple[Floats, Floats]:
    """Return the mean of each round, and its standard error."""
    if not dependence.independent or weight is not None:
        found = [mean_estimate(each, weight, dependence) for each in rounds]
        return np.array([each.value for each in found]), np.array(
            [each.standard_error for each in found]
        )
    table, size = np.array(rounds), len(rounds[0])
    values = table.mean(axis=1)
    table -= values[:, None]
    largest = max(float(table.max()), -float(table.min())) or 1.0  # squares stay in range
    table /= largest
    errors = largest * np.sqrt(np.einsum("ij,ij->i", table, table) / (size * (size - 1.0)))
    return values, errors
