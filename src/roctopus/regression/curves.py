"""The RROC curve: every point a model reaches as a constant shift is added to its predictions."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from roctopus.concepts.context_curve import ContextCurve
from roctopus.concepts.registry import Influence, metric
from roctopus.core.arrays import Array, Floats, read_array, shared_namespace, to_numpy
from roctopus.core.checks import check_finite, check_scalar, name_rows
from roctopus.core.errors import InputError, arg
from roctopus.core.resampling import sums_of_weightings
from roctopus.regression.errors import (
    Errors,
    OptimalShift,
    optimal_interval,
    read_errors,
    rounding_of_masses,
)
from roctopus.regression.points import CostLines, RROCPoint, RROCVertices
from roctopus.regression.two_costs import LinLin


@dataclass(frozen=True)
class Isometric:
    """The line of equal loss through the best point of an RROC curve (Definition 5).

    It is the line UNDER = slope·OVER + intercept. All of its points cost the same, and it touches
    the curve where the loss is smallest.

    Parameters
    ----------
    asymmetry : float
        Weight of under-estimates, from 0 to 1.
    slope : float
        Slope (1 − α)/α; infinite for α = 0, where the line is vertical.
    intercept : float
        Height at OVER = 0: −loss/(2α) if costs are given as α; −inf for a vertical line.
    loss : float
        Loss that all points of the line share, a total or a mean as in the curve.
    contact : RROCPoint
        Best point, where the line touches the curve.
    shift : OptimalShift
        All shifts of the model that are equally good.
    model : str or None, default None
        Name of the model that is touched, if there are several.

    Examples
    --------
    >>> line = rroc_curve([3.0, 5.0, 8.0], [4.0, 4.0, 10.0]).isometric(0.8)
    >>> round(line.slope, 4), line.contact.over, line.shift.chosen
    (0.25, 5.0, 1.0)
    """

    asymmetry: float
    slope: float
    intercept: float
    loss: float
    contact: RROCPoint
    shift: OptimalShift
    model: str | None = None


def isometric_through(
    point: RROCPoint, shift: OptimalShift, costs: LinLin, model: str | None = None
) -> Isometric:
    """Return the isometric of the given costs through a point."""
    alpha = costs.asymmetry
    slope = (1.0 - alpha) / alpha if alpha > 1e-300 else math.inf
    intercept = point.under - slope * point.over if alpha > 1e-300 else -math.inf
    loss = float(costs.of_sums(point.over, point.under))
    return Isometric(alpha, slope, intercept, loss, point, shift, model)


@dataclass(frozen=True, eq=False, repr=False)
class RROCCurve(RROCVertices):
    """The vertices of an RROC curve, by increasing shift; straight lines join them.

    At each vertex the shift corrects an error exactly. Two rays end the curve: straight down from
    the first vertex (OVER = 0), and straight right from the last (UNDER = 0). ``rroc_curve`` makes
    it.

    Parameters
    ----------
    x, y : array of shape (vertices,)
        OVER and UNDER at each vertex.
    knob : array of shape (vertices,)
        Shift of each vertex, increasing.
    backend : str or None, default None
        Dataframe library that the data came in.
    mass : array of shape (vertices,)
        Weight (times multiplier) of the cases that are over-estimated just above each vertex.
    mass_above : array of shape (vertices,)
        Weight of the cases that are still under-estimated there.
    total_weight : float
        Total weight of the cases; their number if no weights were given.
    normalized : bool
        Whether OVER and UNDER are means instead of sums.
    rounding : float
        Relative rounding error of the masses.

    Examples
    --------
    >>> curve = rroc_curve([3.0, 5.0, 8.0], [4.0, 4.0, 10.0])
    >>> curve.point(-1.0).over, curve.optimal_shift(0.5).chosen
    (1.0, -1.0)
    >>> curve.area_over
    7.0
    """

    mass: Array
    mass_above: Array
    total_weight: float
    normalized: bool
    rounding: float

    @property
    def asymmetry(self) -> Floats:
        """For each segment between neighbouring vertices, the α at which all of it is best."""
        mass = to_numpy(self.mass)
        return np.asarray(mass[:-1] / mass[-1])

    @property
    def slope(self) -> Floats:
        """The slope of each segment between neighbouring vertices, decreasing (Lemma 4)."""
        return np.asarray(to_numpy(self.mass_above)[:-1] / to_numpy(self.mass)[:-1])

    @property
    def area_over(self) -> float:
        """The area over the curve by trapezia (Definition 8)."""
        _, under, shift = self.vertices()
        step = to_numpy(self.mass)[:-1] * np.diff(shift)
        with np.errstate(over="ignore"):
            return float(np.sum(-0.5 * (under[1:] + under[:-1]) * step))

    def sums_at(self, shifts: Floats) -> tuple[Floats, Floats]:
        """Return OVER and UNDER at any shifts: on segments, at vertices or on the end rays.

        Parameters
        ----------
        shifts : array of shape (k,)
            Numbers added to every prediction.

        Returns
        -------
        over : array of shape (k,)
            OVER at each shift, at least 0.
        under : array of shape (k,)
            UNDER at each shift, at most 0.
        """
        over, under, knots = self.vertices()
        mass, above = to_numpy(self.mass), to_numpy(self.mass_above)
        vertex = np.searchsorted(knots, shifts, side="right") - 1
        left = np.maximum(vertex, 0)
        right = np.minimum(vertex + 1, len(knots) - 1)
        rising = np.where(vertex < 0, 0.0, mass[left]) * (shifts - knots[left])
        falling = np.where(vertex < 0, mass[-1], above[left]) * (knots[right] - shifts)
        return over[left] + rising, under[right] - falling

    def point(self, shift: float) -> RROCPoint:
        """Return the point at any shift: on a segment, at a vertex or on an end ray.

        Parameters
        ----------
        shift : float
            Number added to every prediction, in the unit of the predictions.

        Returns
        -------
        RROCPoint
            The model at that shift.
        """
        knob = check_scalar(shift, "shift")
        over, under = (float(each[0]) for each in self.sums_at(np.array([knob])))
        return RROCPoint(over, under, knob, self.total_weight, self.normalized, self.backend)

    def optimal_shift(self, asymmetry: float) -> OptimalShift:
        """Return all shifts that are best for an asymmetry.

        Parameters
        ----------
        asymmetry : float
            Weight of under-estimates, from 0 to 1.

        Returns
        -------
        OptimalShift
            The interval of the best shifts, and the one to use.
        """
        return optimal_interval(
            to_numpy(self.shift), to_numpy(self.mass), asymmetry, relative_rounding=self.rounding
        )

    def isometric(
        self,
        asymmetry: float | None = None,
        *,
        under_cost: float | None = None,
        over_cost: float | None = None,
    ) -> Isometric:
        """Slide the line of equal loss from heaven until it touches the curve.

        Parameters
        ----------
        asymmetry : float, optional
            Weight of under-estimates, from 0 to 1. Give this or both costs.
        under_cost, over_cost : float, optional
            Cost of one unit of under-estimation, and of one unit of over-estimation.

        Returns
        -------
        Isometric
            The line, with the point and the shifts where it touches.
        """
        costs = LinLin(asymmetry, under_cost=under_cost, over_cost=over_cost)
        shift = self.optimal_shift(costs.asymmetry)
        return isometric_through(self.point(shift.chosen), shift, costs)

    @cached_property
    def cost_lines(self) -> CostLines:
        """The vertices as lines over α, each best between the α of its two segments.

        A vertex whose weight is lost in the rounding of the sum has no α of its own and is left
        out.
        """
        over, under, shift = self.vertices()
        mass, above = to_numpy(self.mass), to_numpy(self.mass_above)
        until, rest = mass / mass[-1], above / mass[-1]
        # Of several vertices with one α the last is kept, so that the curve ends where UNDER is 0.
        wide = np.append((until[1:] > until[:-1]) & (until[:-1] > 0.0), True)
        if not wide.all():
            over, under, shift, until, rest = (
                each[wide] for each in (over, under, shift, until, rest)
            )
        return CostLines(over, under, shift, until, rest)

    def cost_curve(self) -> ContextCurve:
        """Return the loss at the best shift as a function of α.

        Returns
        -------
        ContextCurve
            A concave curve over the asymmetry, a total or a mean as in this curve.
        """
        return self.cost_lines.curve(normalized=self.normalized, backend=self.backend)

    def columns(self) -> dict[str, Any]:
        """Return the columns of ``frame()``.

        Returns
        -------
        dict of str to array
            OVER, UNDER and the shift of each vertex, and the asymmetries for which it is best.
        """
        share = np.concatenate([[0.0], self.asymmetry, [1.0]])
        return super().columns() | {"asymmetry_from": share[:-1], "asymmetry_to": share[1:]}


def rroc_curve(
    y_true: Any,
    y_pred: Any,
    *,
    multiplier: Any = None,
    sample_weight: Any = None,
    normalize: bool = False,
) -> RROCCurve:
    """Return the RROC curve: OVER against UNDER for every constant shift (Definition 7).

    It has one vertex per distinct error. Read it from heaven, the corner (0, 0): the closer a curve
    comes to it, the less the model costs. Its slope at a vertex says for which asymmetry that shift
    is best.

    Parameters
    ----------
    y_true, y_pred : array of shape (n,)
        True values and predictions, one per case.
    multiplier : array of shape (n,), optional
        Positive factor k of each case: a shift s then moves its prediction by s·k (Fig. 12). For
        any other way to shift, see ``rroc_path``.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.
    normalize : bool, default False
        Whether to divide by the total weight, so that sums become means.

    Returns
    -------
    RROCCurve
        The exact curve.

    Notes
    -----
    It takes O(n log n) time. Ties are equal doubles: decimals such as 0.123 − 0.211 and 1.845 −
    1.933 differ in the last bit, so round the errors first if that matters. Normalised curves of
    samples of different sizes can share a picture.

    Examples
    --------
    >>> curve = rroc_curve([3.0, 5.0, 8.0], [4.0, 4.0, 10.0])
    >>> curve.over.tolist(), curve.under.tolist(), curve.shift.tolist()
    ([0.0, 1.0, 5.0], [-4.0, -2.0, 0.0], [-2.0, -1.0, 1.0])
    >>> curve.isometric(under_cost=4, over_cost=1).shift.chosen
    1.0
    """
    errors = read_errors(y_true, y_pred, sample_weight)
    with np.errstate(over="ignore"):
        sums = errors.sums_over_shifts(_read_multiplier(multiplier, errors))
    if not math.isfinite(float(sums.excess[-1]) + float(sums.shortfall[0])):
        raise InputError(
            "The sum of the errors is too large for a floating-point number. Divide "
            f"{arg('y_true')} and 'y_pred' by a constant first, such as 1e100."
        )
    over, under, mass, above = sums.excess, 0.0 - sums.shortfall, sums.mass, sums.mass_above
    sample, total = errors.sample, errors.sample.total_weight
    if normalize:
        over, under, mass, above = over / total, under / total, mass / total, above / total
    rounding = rounding_of_masses(sample)
    return RROCCurve(
        over, under, sums.value, sample.backend, mass, above, total, normalize, rounding
    )


def _read_multiplier(multiplier: Any, errors: Errors) -> Array | None:
    if multiplier is None:
        return None
    sample = errors.sample
    factor = read_array(multiplier, "multiplier")
    shared_namespace(y_pred=sample.y_pred, multiplier=factor)
    check_finite(factor, "multiplier")
    given = sample.size if sample.kept is None else int(sample.kept.shape[0])
    if int(factor.shape[0]) != given:
        raise InputError(
            f"'multiplier' must have as many values as 'y_true', {given}, but has "
            f"{int(factor.shape[0])}."
        )
    if not bool(sample.xp.all(factor > 0)):
        rows = name_rows(~(to_numpy(factor) > 0))
        raise InputError(
            f"'multiplier' must be positive, but is 0 or less in {rows}. If a shift moves some "
            "cases up and others down, use rroc_path instead, which computes the curve point by "
            "point."
        )
    return factor if sample.kept is None else factor[sample.kept > 0]


def _influence_of_area(errors: Errors, normalize: bool) -> Influence:
    _, deviations = errors.sample.mean_and_deviations(errors.values)
    scale = 1.0 if normalize else errors.sample.total_weight**2
    with np.errstate(over="ignore", invalid="ignore"):
        half_square = 0.5 * deviations * deviations
        values = scale * (half_square - errors.sample.mean(half_square))
    return Influence.of(errors.sample, values)


def _areas_of_weightings(
    y_true: Array, y_pred: Array, weights: Array, *, total: float, normalize: bool = False
) -> Floats:
    """Return the areas for many weightings, each brought to one total weight."""
    xp = shared_namespace(y_true=y_true)
    error = y_pred - y_true
    error = error - xp.mean(error)
    drawn, first, second = sums_of_weightings([xp.ones_like(error), error, error * error], weights)
    variance = second / drawn - (first / drawn) ** 2
    return np.asarray(0.5 * variance * (1.0 if normalize else total**2))


@metric(
    arm="regression",
    read=read_errors,
    influence=_influence_of_area,
    scale="log",
    batch=_areas_of_weightings,
)
def rroc_area_over_curve(
    y_true: Any, y_pred: Any, *, sample_weight: Any = None, normalize: bool = False
) -> float:
    """Return AOC, the area over the RROC curve: half the error variance times W² (Theorem 7).

    The bias does not matter, since a shift removes it: AOC compares what models still cost once
    they are shifted well.

    Parameters
    ----------
    y_true, y_pred : array of shape (n,)
        True values and predictions, one per case.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.
    normalize : bool, default False
        Whether to divide by W², the square of the total weight.

    Returns
    -------
    float
        The area, in squared units of the predictions.

    Notes
    -----
    W is the total weight, or the number of cases if there are no weights. AOC equals the trapezia
    of ``rroc_curve`` and half the sum of w_i·w_j·(e_i − e_j)² over all pairs, but needs no sort.

    Examples
    --------
    >>> rroc_area_over_curve([3.0, 5.0, 8.0], [4.0, 4.0, 10.0])
    7.0
    >>> rroc_curve([3.0, 5.0, 8.0], [4.0, 4.0, 10.0]).area_over
    7.0
    """
    errors = read_errors(y_true, y_pred, sample_weight)
    _, deviations = errors.sample.mean_and_deviations(errors.values)
    scale = 1.0 if normalize else errors.sample.total_weight**2
    with np.errstate(over="ignore"):
        return 0.5 * scale * errors.sample.mean(deviations * deviations)
