"""The best constant shift for a loss: a quantile, an expectile, a soft mean of y − ŷ."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import singledispatch
from typing import Any

import numpy as np

from roctopus.concepts.registry import Influence, metric
from roctopus.core.arrays import Floats, to_numpy
from roctopus.core.errors import InputError
from roctopus.core.running_sums import START, advance
from roctopus.core.sample import Sample
from roctopus.regression.errors import Errors, read_errors
from roctopus.regression.losses import (
    LARGEST_EXPONENT,
    TWO_COSTS,
    LinEx,
    LinLin,
    Loss,
    QuadEx,
    QuadQuad,
)

__all__ = [
    "OptimalShift",
    "best_shift",
    "optimal_interval",
    "optimal_shift",
    "optimal_shift_error",
    "rounding_of_masses",
]


@dataclass(frozen=True)
class OptimalShift:
    """All best shifts, and the one to use."""

    low: float
    high: float
    """Every shift from low to high has the same, smallest loss; the ends may be infinite."""
    chosen: float = field(init=False)
    """The best shift nearest to changing nothing."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "chosen", min(max(0.0, self.low), self.high))


def optimal_interval(
    shifts: Floats, mass: Floats, asymmetry: float, *, relative_rounding: float
) -> OptimalShift:
    """Return the α-quantile set of sorted distinct shifts with cumulative masses.

    The loss falls until the mass of corrected errors reaches α and rises after. Where it *is* α (up
    to the rounding of the masses), the loss is flat up to the next shift.
    """
    if asymmetry == 0.0:
        return OptimalShift(-math.inf, float(shifts[0]))
    if asymmetry == 1.0:
        return OptimalShift(float(shifts[-1]), math.inf)
    level = asymmetry * mass[-1]
    above = min(int(np.searchsorted(mass, level)), len(mass) - 1)
    for first in (above - 1, above):
        if 0 <= first < len(mass) - 1:
            # Rounding is forgiven up to a quarter of a neighbouring case: more is a difference.
            before = mass[first - 1] if first else 0.0
            step = min(mass[first] - before, mass[first + 1] - mass[first])
            slack = min(relative_rounding * mass[-1], 0.25 * step)
            if abs(mass[first] - level) <= slack:
                return OptimalShift(float(shifts[first]), float(shifts[first + 1]))
    return OptimalShift(float(shifts[above]), float(shifts[above]))


def rounding_of_masses(sample: Sample) -> float:
    """Return how far off, relatively, a cumulative mass may be: counts are exact, sums drift."""
    return 8.0 * float(np.finfo(np.float64).eps) * (1 if sample.weight is None else sample.size)


@singledispatch
def best_shift(loss: Loss, errors: Errors) -> OptimalShift:
    """Return the optimal constant shifts of checked errors for a loss."""
    raise InputError(
        f"'loss' must be a LinLin, QuadQuad, LinEx or QuadEx, such as LinLin(0.8); got {loss!r}."
    )


@best_shift.register
def _(loss: LinLin, errors: Errors) -> OptimalShift:
    xp, weight = errors.xp, errors.sample.weight
    corrections = 0.0 - errors.values
    if weight is None:
        corrections = xp.sort(corrections, stable=False)
    else:
        order = xp.argsort(corrections, stable=False)
        corrections, weight = xp.take(corrections, order), xp.take(weight, order)
    _, groups = advance(START, corrections, weight, xp=xp)
    return optimal_interval(
        to_numpy(groups.value),
        to_numpy(groups.mass),
        loss.asymmetry,
        relative_rounding=rounding_of_masses(errors.sample),
    )


@best_shift.register
def _(loss: QuadQuad, errors: Errors) -> OptimalShift:
    """Return the expectile: where the RROC curve crosses the ray α·|UNDER| = (1 − α)·OVER."""
    sums = errors.sums_over_shifts()
    shift, excess, shortfall, mass, above = (
        to_numpy(each)
        for each in (sums.value, sums.excess, sums.shortfall, sums.mass, sums.mass_above)
    )
    alpha, rest = loss.asymmetry, 1.0 - loss.asymmetry
    if alpha in (0.0, 1.0):
        end = float(shift[0] if alpha == 0.0 else shift[-1])
        return OptimalShift(-math.inf, end) if alpha == 0.0 else OptimalShift(end, math.inf)
    balance = rest * excess - alpha * shortfall  # increasing in the shift
    vertex = max(int(np.searchsorted(balance, 0.0, side="right")) - 1, 0)
    slope = rest * mass[vertex] + alpha * above[vertex]
    best = float(shift[vertex] - balance[vertex] / slope)
    return OptimalShift(best, best)


def _log_mean_exp(errors: Errors, a: float) -> tuple[float, float]:
    """Return the mean error μ and log mean exp(a·(e − μ)), without overflow."""
    xp = errors.xp
    mean, deviations = errors.sample.mean_and_deviations(errors.values)
    exponent = a * deviations
    largest = float(xp.max(exponent))
    if float(xp.max(xp.abs(exponent))) < 1.0:  # near 0 the logarithm of a mean near 1 would cancel
        return mean, math.log1p(errors.sample.mean(xp.expm1(exponent)))
    return mean, largest + math.log(errors.sample.mean(xp.exp(exponent - largest)))


@best_shift.register
def _(loss: LinEx, errors: Errors) -> OptimalShift:
    """Return s = −(1/a)·log mean exp(a·e), in closed form."""
    mean, spread = _log_mean_exp(errors, loss.a)
    best = -mean - spread / loss.a
    return OptimalShift(best, best)


@best_shift.register
def _(loss: QuadEx, errors: Errors) -> OptimalShift:
    """Solve mean exp(a·(e + s)) − 1 + (2d/a)·(μ + s) = 0 by Newton's method.

    With v = a·(μ + s) + c, c = log mean exp(a·(e − μ)) ≥ 0, the left side is
    exp(v) − 1 + k·(v − c), k = 2d/a²: increasing and convex, so steps from the right never
    overshoot the root, which lies in [0, c].
    """
    mean, spread = _log_mean_exp(errors, loss.a)
    pull = 2.0 * loss.d / abs(loss.a) / abs(loss.a)
    scale = max(pull, 1.0)  # dividing by it, a pull that overflows to inf does no harm
    ratio = pull / scale if math.isfinite(scale) else 1.0
    v = min(spread, LARGEST_EXPONENT)
    for _ in range(2000):
        step = (math.expm1(v) / scale + ratio * (v - spread)) / (math.exp(v) / scale + ratio)
        v -= step
        if abs(step) <= 4.0 * float(np.finfo(np.float64).eps) * abs(v):
            break
    best = -mean + (v - spread) / loss.a
    return OptimalShift(best, best)


def _chosen_loss(
    loss: Loss | None,
    asymmetry: float | None,
    under_cost: float | None,
    over_cost: float | None,
) -> Loss:
    if loss is None:
        return LinLin(asymmetry, under_cost=under_cost, over_cost=over_cost)
    if (asymmetry, under_cost, over_cost) != (None, None, None):
        raise InputError("Give either 'loss' or the asymmetry or both costs, not several of them.")
    return loss


def optimal_shift(
    y_true: Any,
    y_pred: Any,
    *,
    loss: Loss | None = None,
    asymmetry: float | None = None,
    under_cost: float | None = None,
    over_cost: float | None = None,
    sample_weight: Any = None,
) -> OptimalShift:
    """Return the constant shifts with the smallest loss on this sample.

    For the asymmetric absolute loss they are the α-quantiles of y − ŷ: the more under-estimates
    cost, the higher the shift. Give the asymmetry, or both costs, or any ``loss``: ``LinLin``,
    ``QuadQuad`` (an expectile), ``LinEx`` or ``QuadEx`` (both in closed form).

    Examples
    --------
    >>> optimal_shift([3, 5, 8, 9], [2, 5, 9, 7], loss=LinLin(0.8))
    OptimalShift(low=2.0, high=2.0, chosen=2.0)
    >>> optimal_shift([3, 5, 8, 9], [2, 5, 9, 7], under_cost=1, over_cost=1).chosen
    0.0
    >>> optimal_shift([3, 5, 8, 9], [2, 5, 9, 7], loss=QuadQuad(0.5)).chosen
    0.5
    """
    chosen = _chosen_loss(loss, asymmetry, under_cost, over_cost)
    return best_shift(chosen, read_errors(y_true, y_pred, sample_weight))


def _shifted_losses(
    y_true: Any,
    y_pred: Any,
    *,
    loss: Loss | None = None,
    asymmetry: float | None = None,
    under_cost: float | None = None,
    over_cost: float | None = None,
    sample_weight: Any = None,
) -> tuple[Errors, Any]:
    chosen = _chosen_loss(loss, asymmetry, under_cost, over_cost)
    errors = read_errors(y_true, y_pred, sample_weight)
    shift = best_shift(chosen, errors).chosen
    return errors, chosen.values(errors.values + shift, errors.xp)


def _influence(*args: Any, **kwargs: Any) -> Influence:
    # At the optimum a small move of the shift changes nothing: only the losses themselves count.
    errors, losses = _shifted_losses(*args, **kwargs)
    return Influence.of_mean(errors.sample, losses)


@metric(arm="regression", influence=_influence, needs=(("loss",), *TWO_COSTS))
def optimal_shift_error(
    y_true: Any,
    y_pred: Any,
    *,
    loss: Loss | None = None,
    asymmetry: float | None = None,
    under_cost: float | None = None,
    over_cost: float | None = None,
    sample_weight: Any = None,
) -> float:
    """Return the mean loss after the best constant shift; for the asymmetric absolute loss, L*(α).

    Give the asymmetry, or both costs, or any ``loss``. The shift is chosen on the sample that
    scores it, so the value flatters a little (of order 1/n).

    Examples
    --------
    >>> optimal_shift_error([3, 5, 8, 9], [2, 5, 9, 7], asymmetry=0.875)
    0.375
    """
    errors, losses = _shifted_losses(
        y_true,
        y_pred,
        loss=loss,
        asymmetry=asymmetry,
        under_cost=under_cost,
        over_cost=over_cost,
        sample_weight=sample_weight,
    )
    return errors.sample.mean(losses)
