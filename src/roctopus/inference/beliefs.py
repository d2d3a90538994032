"""Which model is best, what a wrong choice costs, and what more data are worth."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from roctopus.concepts.decision_parts import Verdict
from roctopus.core.arrays import Floats
from roctopus.core.resampling import Random, read_generator
from roctopus.inference.rivals import DIFFERENCES, STANDING, Rivals, draw_rivals, find_rivals

FARTHEST = 2.0
"""So many of its own standard errors a value may be moved for having been chosen."""

RARELY = 0.02
"""The regret of a choice is above what a decision records with this probability."""


@dataclass(frozen=True, eq=False)
class Beliefs:
    """What out-of-sample values and their covariance say about the best model."""

    best: Floats
    """For each model the probability that it is the best."""
    stake: float
    """The expected cost, per case, of the chosen model over that of the best one."""
    regret_above: float
    """The probability that this cost exceeds the tolerance."""
    worth: dict[int, float]
    """The expected saving per case, by the number of further cases the choice would be based on."""
    chosen: int
    """The position of the chosen model."""
    most: float = 0.0
    """What the chosen model costs more than the best one, but for 2 % of chances."""


@dataclass(frozen=True, eq=False)
class Shrunk:
    """Values of models, each corrected for the chance that it was chosen because it was lucky."""

    value: Floats
    error: Floats
    """Standard errors."""


def believe(
    values: Floats,
    covariance: Floats,
    cases: int,
    *,
    sign: float,
    tolerance: float,
    more: Sequence[int] | None = None,
    chosen: int | None = None,
    freedom: float | None = None,
    rng: Random = 0,
) -> Beliefs:
    """Return how likely each model is the best, and what is at stake in choosing one now.

    Parameters
    ----------
    values : array of shape (k,)
        Mean out-of-sample outcomes of the models.
    covariance : array of shape (k, k)
        Their covariance. Only differences between models matter, so the covariance of the
        differences to any one model will do.
    cases : int
        The number of cases the values were measured on.
    sign : 1 or -1
        1 if less is better, −1 if more is better.
    tolerance : float
        The largest cost per case that does not matter.
    more : sequence of int, optional
        Numbers of further cases to value, by default once, three and ten times ``cases``.
    chosen : int, optional
        The position of the model in use, by default the best one.
    freedom : int, optional
        Degrees of freedom of the covariance; without it, errors are normal.
    rng : int or Generator, default 0
        For the draws. The same seed gives the same numbers.

    Notes
    -----
    True differences are taken to be normal with covariance τ² times that of their errors, where
    τ is ½, 1, 2 or 4. The data say how likely each τ is. Given τ, true differences have means s
    times the measured ones and covariance s times that of the errors, s = τ²/(1 + τ²).

    With N further cases, errors have n/(n + N) of their variance. What the posterior mean will
    then be is drawn from what is believed now. The expected saving is the mean of its minimum,
    compared with the chosen model; it grows with N up to the stake.
    """
    losses = sign * np.asarray(values, dtype=np.float64)
    at = int(np.argmin(losses)) if chosen is None else chosen
    counts = (cases, 3 * cases, 10 * cases) if more is None else more
    rows = find_rivals(losses, covariance, at, freedom)
    if len(rows) == 1 or not np.isfinite(losses[at] + covariance[at, at]):
        return _certain(losses, counts, at)
    found = draw_rivals(losses, covariance, rows, freedom, read_generator(rng))
    place = int(np.flatnonzero(rows == at)[0])
    best, regrets = _outcomes(found, place, len(losses))
    beyond = (found.unit * regrets > tolerance).mean(axis=1)
    worth = {int(count): _worth(found, place, cases / (cases + count)) for count in counts}
    stake = found.unit * float(found.weights @ regrets.mean(axis=1))
    return Beliefs(best, stake, float(found.weights @ beyond), worth, at, _most(found, regrets))


def _outcomes(found: Rivals, place: int, models: int) -> tuple[Floats, Floats]:
    """Return each model's chance to be best, and the regret of one by spread and draw."""
    shrunk = DIFFERENCES.shrinkage()
    best, regrets = np.zeros(models), np.zeros((len(shrunk), found.noise.shape[1]))
    for k, share in enumerate(found.weights):
        drawn = found.draw(shrunk[k], shrunk[k])
        least = drawn.min(axis=0)
        regrets[k] = drawn[place] - least
        ties = drawn <= least + 1e-6
        count = ties.sum(axis=0)
        best[found.rows] += share * (ties if count.max() == 1 else ties / count).mean(axis=1)
    return best, regrets


def _most(found: Rivals, regrets: Floats) -> float:
    """Return what the regret exceeds rarely."""
    draws = np.sort(regrets, axis=None)

    def reached(regret: float) -> float:
        return float(found.weights @ np.mean(regrets <= regret, axis=1))

    return found.unit * float(draws[bisect_left(draws, 1.0 - RARELY, key=reached)])


def _worth(found: Rivals, place: int, share: float) -> float:
    """Return what is saved by choosing again when errors have a share of their variance."""
    now, later, total = DIFFERENCES.shrinkage(), DIFFERENCES.shrinkage(share), 0.0
    for k, weight in enumerate(found.weights):
        drawn = found.draw(now[k], max(now[k] - share * later[k], 0.0))
        total += weight * float(drawn[place].mean() - drawn.min(axis=0).mean())
    return float(found.unit * total)


def _certain(losses: Floats, counts: Sequence[int], at: int) -> Beliefs:
    """Return what is believed where nothing competes with the best model."""
    least = losses == losses.min()
    stake = 0.0 if least[at] else float(losses[at] - losses.min())
    worth = dict.fromkeys(map(int, counts), stake)
    return Beliefs(least / least.sum(), stake, float(stake > 0.0), worth, at, stake)


def shrink(values: Floats, covariance: Floats, *, sign: float) -> Shrunk:
    """Correct the value of each model for having been chosen among rivals.

    The best of several measured values is too good: luck helped it to the top. Rivals are the
    models within four paired standard errors of the best; their values move towards the mean of
    the rivals, by as much as the data say that they differ by chance. Other models stay as they
    are.

    Parameters
    ----------
    values, covariance
        Mean out-of-sample outcomes of the models, and their covariance.
    sign : 1 or -1
        1 if less is better, −1 if more is better.

    Notes
    -----
    With v̄ the mean of the rivals and dᵢ = vᵢ − v̄ of variance cᵢ, each τ is weighted by how likely
    it makes dᵢ. It is one of those of ``believe`` or 8, so that a model that is clearly ahead is
    moved less. The value is v̄ + E[s]dᵢ, its variance that of v̄ plus E[s]cᵢ plus the variance of
    s dᵢ over τ.

    Being chosen moves no value by more than about two of its own standard errors. What would be
    moved farther stays as it is: a rival whose value is wild says nothing of it.
    """
    value = np.array(values, dtype=np.float64)
    error = np.sqrt(np.diag(covariance))
    losses = sign * value
    rows = find_rivals(losses, covariance, int(np.argmin(losses)))
    if len(rows) == 1:
        return Shrunk(value, error)
    among = covariance[np.ix_(rows, rows)]
    own = _centred_variances(among)
    middle = float(np.mean(value[rows]))
    away = value[rows] - middle
    weights = STANDING.weigh(np.divide(away**2, own, out=np.zeros(len(rows)), where=own > 0.0), 1)
    shrunk = STANDING.shrinkage()
    share = shrunk @ weights
    variance = among.mean() + share * own + (shrunk**2 @ weights - share**2) * away**2
    moved = (share - 1.0) * away
    near = np.abs(moved) <= FARTHEST * error[rows]
    error[rows] = np.where(near, np.sqrt(np.maximum(variance, 0.0)), error[rows])
    value[rows] += np.where(near, moved, 0.0)
    return Shrunk(value, error)


def _centred_variances(covariance: Floats) -> Floats:
    """Return the variances of differences to the mean of all; rounding is not a variance."""
    own = np.diag(covariance)
    variance = own - 2.0 * covariance.mean(axis=1) + covariance.mean()
    return np.where(variance > 1e-12 * own, variance, 0.0)


def default_tolerance(gain: float, baseline: float) -> float:
    """Return the cost per case that does not matter unless the user says otherwise.

    It is 1 % of what the best model gains over the best baseline, but at least 0.1 % of the
    baseline's own value.
    """
    return max(0.01 * max(gain, 0.0), 0.001 * abs(baseline))


def verdict(
    beliefs: Beliefs,
    *,
    gain: float,
    gain_error: float,
    freedom: float | None = None,
    models: int | None = None,
) -> Verdict:
    """Return what to do: use a model, either of several, one for now, or none.

    Parameters
    ----------
    beliefs : Beliefs
        What is believed about the models.
    gain, gain_error : float
        The paired gain of the chosen model over the best baseline, and its standard error.
    freedom : int, optional
        Degrees of freedom of the standard error; without it, errors are normal.
    models : int, optional
        The number of models that the chosen one was the best of, by default all of them.
    """
    from scipy.special import ndtri, stdtrit

    level = 1.0 - 0.05 / (len(beliefs.best) if models is None else models)
    quantile = float(ndtri(level) if freedom is None else stdtrit(freedom, level))
    if not gain > (quantile * gain_error if gain_error > 0.0 else 0.0):
        return "no model"
    if beliefs.best[beliefs.chosen] >= 0.95:
        return "use"
    return "either" if beliefs.regret_above <= 0.10 else "use for now"
