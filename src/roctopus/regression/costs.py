"""Loss over asymmetry: what the best shift buys, and what no shift can remove."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from roctopus.concepts.context_curve import ContextCurve
from roctopus.concepts.given_distributions import Distribution, as_distribution
from roctopus.concepts.registry import Influence, metric
from roctopus.core.arrays import Floats, shared_namespace, to_numpy
from roctopus.core.distributions import cell_moments
from roctopus.core.running_sums import START, TwoSidedSums, advance
from roctopus.regression.curves import rroc_curve
from roctopus.regression.errors import Errors, read_errors
from roctopus.regression.points import rroc_point


def asymmetry_cost_curve(
    y_true: Any, y_pred: Any, *, shift: float | None = None, sample_weight: Any = None
) -> ContextCurve:
    """Return the mean asymmetric absolute error as a function of the asymmetry α.

    By default the shift is the best one for each α. The curve L*(α) is then concave and 0 at both
    ends, and its setting is the shift. With a fixed ``shift`` (0 leaves the predictions as they
    are) it is a straight line.

    Read it as: how much does an unknown asymmetry cost with this model? The area under L* is half
    the mean absolute difference of two errors; without a shift it is the mean absolute error.

    Parameters
    ----------
    y_true, y_pred : array of shape (n,)
        True values and predictions, one per case.
    shift : float, optional
        Number added to every prediction at all asymmetries. By default each asymmetry gets its own
        best shift.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    ContextCurve
        The mean cost per case at every asymmetry from 0 to 1, with the shift as its setting.

    Notes
    -----
    This is the cost space of the RROC paper (Definition 10). Costs are 2α and 2(1 − α) per unit
    (Definition 2), so they sum to 2. If yours are ``under_cost`` and ``over_cost``, multiply by
    (under_cost + over_cost)/2 to get your unit.

    Examples
    --------
    >>> curve = asymmetry_cost_curve([3, 5, 8, 9], [2, 5, 9, 7])
    >>> curve.at(0.875), curve.knob_at(0.875)
    (0.375, 2.0)
    >>> curve.area()
    0.625
    """
    if shift is not None:
        point = rroc_point(y_true, y_pred, shift=shift, sample_weight=sample_weight, normalize=True)
        return point.cost_curve()
    totals = rroc_curve(y_true, y_pred, sample_weight=sample_weight)
    return totals.cost_lines.curve(
        normalized=True, backend=totals.backend, total_weight=totals.total_weight
    )


def _half_mean_difference(sums: TwoSidedSums) -> float:
    """∫L* dα = Σ C_j·(W − C_j)·Δ_j / W², a sum of non-negative terms."""
    mass, above = to_numpy(sums.mass), to_numpy(sums.mass_above)
    return float(
        np.sum(mass[:-1] / mass[-1] * (above[:-1] / mass[-1] * np.diff(to_numpy(sums.value))))
    )


def _at_own_shift(errors: Errors, per_vertex: Floats) -> Floats:
    """Return for each case the value at the vertex whose shift corrects its error."""
    corrections = 0.0 - to_numpy(errors.values)
    order = np.argsort(corrections)
    ordered = corrections[order]
    vertex = np.cumsum(np.append(False, ordered[1:] != ordered[:-1]))
    corrections[order] = per_vertex[vertex]
    return corrections


def _influence_of_cost_area(errors: Errors) -> Influence:
    """Return mean_j|e_i − e_j| − E|e − e'| of each case.

    The mean distance of an error to all errors is OVER − UNDER at the shift that corrects it.
    """
    sums = errors.sums_over_shifts()
    distance = (to_numpy(sums.excess) + to_numpy(sums.shortfall)) / float(sums.mass[-1])
    area = _half_mean_difference(sums)
    del sums  # five arrays that the sort below need not keep company
    return Influence.of(errors.sample, _at_own_shift(errors, distance) - 2.0 * area)


@metric(arm="regression", read=read_errors, influence=_influence_of_cost_area, scale="log")
def asymmetry_cost_area(y_true: Any, y_pred: Any, *, sample_weight: Any = None) -> float:
    """Return the expected loss at the best shift when every asymmetry is equally likely: ∫L*(α)dα.

    It is the error that no shift removes: half the mean absolute difference ``|e − e'|`` of two
    errors drawn from the sample (half of Gini's mean difference).

    Parameters
    ----------
    y_true, y_pred : array of shape (n,)
        True values and predictions, one per case.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    float
        The expected cost per case, in the unit of the predictions.

    Examples
    --------
    >>> asymmetry_cost_area([3, 5, 8, 9], [2, 5, 9, 7])
    0.625
    """
    return _half_mean_difference(read_errors(y_true, y_pred, sample_weight).sums_over_shifts())


def _expected_losses(errors: Errors, distribution: Distribution) -> Floats:
    """Average the loss of each case at the best shift over the distribution.

    At asymmetry α the best shift is the vertex whose range α lies in. A case is under-estimated by
    all vertices below its own and over-estimated by all above, so its mean loss is again an excess
    and a shortfall, with E[α; range] and E[1 − α; range] as masses of the vertices.
    """
    sums = errors.sums_over_shifts()
    shift, mass = to_numpy(sums.value), to_numpy(sums.mass)
    borders = np.append(0.0, mass / mass[-1])
    probability, mean = cell_moments(as_distribution(distribution), borders)
    xp = shared_namespace(shift=shift)
    _, under = advance(START, shift, mean, xp=xp)
    _, over = advance(START, 0.0 - shift[::-1], (probability - mean)[::-1], xp=xp)
    return _at_own_shift(errors, 2.0 * (under.excess + over.excess[::-1]))


@metric(arm="regression", read=read_errors, per_case=_expected_losses)
def expected_asymmetric_error(
    y_true: Any, y_pred: Any, *, distribution: Distribution, sample_weight: Any = None
) -> float:
    """Return the expected loss at the best shift under a distribution of asymmetries: E[L*(α)].

    Use it when you can say how likely each asymmetry is, but not which one you will meet.

    Parameters
    ----------
    y_true, y_pred : array of shape (n,)
        True values and predictions, one per case.
    distribution : Distribution
        How likely each asymmetry is: ``Beta(4, 2)``, ``Uniform(0.6, 0.9)``, past asymmetries as
        ``Empirical([...])``, or any frozen ``scipy.stats`` distribution on [0, 1].
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    float
        The expected cost per case, with costs 2α and 2(1 − α) per unit.

    Examples
    --------
    >>> from roctopus import Uniform
    >>> expected_asymmetric_error([3, 5, 8, 9], [2, 5, 9, 7], distribution=Uniform(0, 1))
    0.625
    """
    curve = asymmetry_cost_curve(y_true, y_pred, sample_weight=sample_weight)
    return curve.expect(distribution)


def _influence_of_removable(errors: Errors) -> Influence:
    own = Influence.of_mean(errors.sample, errors.xp.abs(errors.values))
    return own._replace(values=own.values - _influence_of_cost_area(errors).values)


@metric(arm="regression", read=read_errors, influence=_influence_of_removable, scale="log")
def removable_error(y_true: Any, y_pred: Any, *, sample_weight: Any = None) -> float:
    """Return the part of the mean absolute error that shifting removes, averaged over all α.

    It is never negative, and 0 only if all errors are 0.

    Parameters
    ----------
    y_true, y_pred : array of shape (n,)
        True values and predictions, one per case.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    float
        The removable part of the mean absolute error, in the unit of the predictions.

    Notes
    -----
    It equals the CRPS of the error distribution at 0, ∫(F_e(t) − 1{t ≥ 0})²dt.

    Examples
    --------
    >>> removable_error([3, 5, 8, 9], [2, 5, 9, 7])
    0.375
    """
    sums = read_errors(y_true, y_pred, sample_weight).sums_over_shifts()
    value, mass, above = (to_numpy(each) for each in (sums.value, sums.mass, sums.mass_above))
    # In terms of the corrections −e: the integral of F² left of 0 and of (1 − F)² right of 0.
    below, rest = np.append(0.0, mass / mass[-1]), np.append(1.0, above / mass[-1])
    knots = np.concatenate([[min(value[0], 0.0)], value, [max(value[-1], 0.0)]])
    left = np.diff(np.minimum(knots, 0.0))
    right = np.diff(np.maximum(knots, 0.0))
    return float(np.sum(below**2 * left + rest**2 * right))


@dataclass(frozen=True)
class ShiftDecomposition:
    """The mean absolute error in two parts: what shifting removes, and what stays.

    Both parts are averages over all asymmetries: the mean absolute error is the area under the
    unshifted cost curve, and the part that stays is the area under the optimally shifted one.

    Parameters
    ----------
    mean_absolute_error : float
        The whole, in the unit of the predictions.
    removable : float
        The part that shifting removes.
    irreducible : float
        The part that stays.

    Examples
    --------
    >>> shift_decomposition([3, 5, 8, 9], [2, 5, 9, 7]).removable
    0.375
    """

    mean_absolute_error: float
    removable: float
    irreducible: float

    def __str__(self) -> str:
        share = self.removable / self.mean_absolute_error if self.mean_absolute_error else 0.0
        return (
            f"Of the mean absolute error {self.mean_absolute_error:.4g}, {self.removable:.4g} "
            f"({share:.0%}) can be removed by a shift that suits the asymmetry; "
            f"{self.irreducible:.4g} stays."
        )


def shift_decomposition(
    y_true: Any, y_pred: Any, *, sample_weight: Any = None
) -> ShiftDecomposition:
    """Split the mean absolute error into what a shift removes and what stays.

    Print the result to read it as a sentence. If most of the error can be removed, a shift helps
    more than a better model.

    Parameters
    ----------
    y_true, y_pred : array of shape (n,)
        True values and predictions, one per case.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    ShiftDecomposition
        Three numbers in the unit of the predictions: ``mean_absolute_error``, and its parts
        ``removable`` and ``irreducible``.

    Examples
    --------
    >>> print(shift_decomposition([3, 5, 8, 9], [2, 5, 9, 7]))
    Of the mean absolute error 1, 0.375 (38%) can be removed by a shift that suits the
    asymmetry; 0.625 stays.
    """
    point = rroc_point(y_true, y_pred, sample_weight=sample_weight, normalize=True)
    return ShiftDecomposition(
        point.mean_absolute_error,
        removable_error(y_true, y_pred, sample_weight=sample_weight),
        asymmetry_cost_area(y_true, y_pred, sample_weight=sample_weight),
    )
