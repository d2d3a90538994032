"""A model as a point in RROC space, and as a line over the asymmetry in its dual."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np

from roctopus.concepts.context_curve import ContextCurve
from roctopus.concepts.registry import Influence, metric
from roctopus.concepts.tradeoff_curve import TradeoffCurve
from roctopus.core.arrays import Array, Floats
from roctopus.core.checks import check_scalar
from roctopus.core.piecewise import Piecewise
from roctopus.regression.errors import Errors, read_errors
from roctopus.regression.two_costs import LinLin


@dataclass(frozen=True, eq=False)
class CostLines:
    """Points of RROC space by increasing shift, each best up to an asymmetry of its own."""

    over: Floats
    under: Floats
    shift: Floats
    until: Floats
    """Each point is best from the previous point's ``until`` (0 for the first) to its own."""
    rest: Floats
    """1 − ``until``, without the cancellation."""

    def curve(
        self, *, normalized: bool, backend: str | None, total_weight: float = 1.0
    ) -> ContextCurve:
        """Return the loss 2(1 − α)·OVER − 2α·UNDER of the best point as a function of α.

        Neighbouring lines meet at their common α, so the values there make the whole curve. Lines
        of totals become means when divided by their ``total_weight``.
        """
        alpha, loss = np.empty(len(self.over) + 1), np.empty(len(self.over) + 1)
        alpha[0], loss[0] = 0.0, self.over[0]
        alpha[1:] = self.until
        np.multiply(self.rest, self.over, out=loss[1:])
        loss[1:] -= self.until * self.under
        loss *= 2.0 / total_weight
        function = Piecewise.through(alpha, loss)
        return cost_context_curve(function, self.shift, normalized=normalized, backend=backend)


def cost_context_curve(
    function: Piecewise,
    shift: Floats | None,
    *,
    normalized: bool,
    backend: str | None,
    exact: bool = True,
) -> ContextCurve:
    """Name a loss over asymmetry; means and totals have different names, so they never mix."""
    return ContextCurve(
        function,
        "asymmetry",
        f"{'mean' if normalized else 'total'} asymmetric absolute error",
        "loss",
        shift,
        "shift" if shift is not None else None,
        exact,
        backend=backend,
    )


@dataclass(frozen=True)
class RROCPoint:
    """A model at one shift: total over-estimation to the right, total under-estimation downwards.

    The closer to RROC heaven, the corner (0, 0), the better. ``rroc_point`` makes it.

    Parameters
    ----------
    over : float
        Sum of the positive errors (OVER), at least 0.
    under : float
        Sum of the negative errors (UNDER), at most 0.
    shift : float
        Number that was added to every prediction.
    total_weight : float
        Total weight of the cases; their number if no weights were given.
    normalized : bool, default False
        Whether OVER and UNDER are means instead of sums.
    backend : str or None, default None
        Dataframe library that the data came in.

    Examples
    --------
    >>> point = rroc_point([3.0, 5.0, 8.0], [4.0, 4.0, 10.0])
    >>> point.over, point.under, round(point.bias, 3)
    (3.0, -1.0, 0.667)
    >>> point.loss(under_cost=4, over_cost=1)
    7.0
    """

    over: float
    under: float
    shift: float
    total_weight: float
    normalized: bool = False
    backend: str | None = None

    @property
    def mean_absolute_error(self) -> float:
        """The mean absolute error, (OVER − UNDER) per case: the Manhattan distance to heaven."""
        total = self.over - self.under
        return total if self.normalized else total / self.total_weight

    @property
    def bias(self) -> float:
        """The mean error, (OVER + UNDER) per case: 0 on the diagonal of RROC space."""
        total = self.over + self.under
        return total if self.normalized else total / self.total_weight

    @property
    def distance_to_heaven(self) -> float:
        """The Euclidean distance √(OVER² + UNDER²)."""
        return math.hypot(self.over, self.under)

    @property
    def cost_lines(self) -> CostLines:
        """The point as a line over all α."""
        return CostLines(*(np.array([v]) for v in (self.over, self.under, self.shift, 1.0, 0.0)))

    def cost_curve(self) -> ContextCurve:
        """Return the loss as a function of the asymmetry α.

        Returns
        -------
        ContextCurve
            A straight line over the asymmetry, a total or a mean as in the point.
        """
        return self.cost_lines.curve(normalized=self.normalized, backend=self.backend)

    def loss(
        self,
        asymmetry: float | None = None,
        *,
        under_cost: float | None = None,
        over_cost: float | None = None,
    ) -> float:
        """Return the asymmetric absolute error of the point (Lemma 1).

        Parameters
        ----------
        asymmetry : float, optional
            Weight of under-estimates, from 0 to 1. Give this or both costs.
        under_cost, over_cost : float, optional
            Cost of one unit of under-estimation, and of one unit of over-estimation.

        Returns
        -------
        float
            The loss, a total or a mean as in the point.
        """
        costs = LinLin(asymmetry, under_cost=under_cost, over_cost=over_cost)
        return float(costs.of_sums(self.over, self.under))


@dataclass(frozen=True, eq=False, repr=False)
class RROCVertices(TradeoffCurve):
    """Many points in RROC space, by increasing shift."""

    names: ClassVar[tuple[str, str, str]] = ("over", "under", "shift")

    @property
    def over(self) -> Array:
        """OVER at each point."""
        return self.x

    @property
    def under(self) -> Array:
        """UNDER at each point, at most 0."""
        return self.y

    @property
    def shift(self) -> Array:
        """The shift of each point, increasing."""
        return self.knob


def _scale(errors: Errors, normalize: bool) -> float:
    return 1.0 if normalize else errors.sample.total_weight


def _side(errors: Errors, shift: float, sign: int) -> Any:
    shifted = errors.values + check_scalar(shift, "shift")
    larger = errors.xp.maximum if sign > 0 else errors.xp.minimum
    return larger(shifted, errors.xp.zeros_like(shifted[:1]))


def _influence_of_side(errors: Errors, shift: float, normalize: bool, sign: int) -> Influence:
    part = _side(errors, shift, sign)
    scaled = _scale(errors, normalize) * (part - errors.sample.mean(part))
    return Influence.of(errors.sample, scaled)


@metric(arm="regression", read=read_errors, influence=partial(_influence_of_side, sign=+1))
def over_estimation(
    y_true: Any,
    y_pred: Any,
    *,
    shift: float = 0.0,
    normalize: bool = False,
    sample_weight: Any = None,
) -> float:
    """Return OVER: the sum of the positive errors ŷ + shift − y (Definition 3).

    It says how much too high the predictions are, all cases together.

    Parameters
    ----------
    y_true, y_pred : array of shape (n,)
        True values and predictions, one per case.
    shift : float, default 0
        Number added to every prediction, in the unit of the predictions.
    normalize : bool, default False
        Whether to divide by the total weight, so that sums become means.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    float
        OVER, at least 0, in the unit of the predictions.

    Examples
    --------
    >>> over_estimation([3.0, 5.0, 8.0], [4.0, 4.0, 10.0])
    3.0
    """
    errors = read_errors(y_true, y_pred, sample_weight)
    part = _side(errors, shift, +1)
    return errors.sample.mean(part) if normalize else errors.sample.total(part)


@metric(
    arm="regression", read=read_errors, influence=partial(_influence_of_side, sign=-1), sense="gain"
)
def under_estimation(
    y_true: Any,
    y_pred: Any,
    *,
    shift: float = 0.0,
    normalize: bool = False,
    sample_weight: Any = None,
) -> float:
    """Return UNDER: the sum of the negative errors ŷ + shift − y (Definition 3), at most 0.

    It says how much too low the predictions are, all cases together.

    Parameters
    ----------
    y_true, y_pred : array of shape (n,)
        True values and predictions, one per case.
    shift : float, default 0
        Number added to every prediction, in the unit of the predictions.
    normalize : bool, default False
        Whether to divide by the total weight, so that sums become means.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    float
        UNDER, at most 0, in the unit of the predictions.

    Examples
    --------
    >>> under_estimation([3.0, 5.0, 8.0], [4.0, 4.0, 10.0])
    -1.0
    """
    errors = read_errors(y_true, y_pred, sample_weight)
    part = _side(errors, shift, -1)
    return errors.sample.mean(part) if normalize else errors.sample.total(part)


def rroc_point(
    y_true: Any,
    y_pred: Any,
    *,
    shift: float = 0.0,
    normalize: bool = False,
    sample_weight: Any = None,
) -> RROCPoint:
    """Return a model's point in RROC space, with a shift added to its predictions.

    Parameters
    ----------
    y_true, y_pred : array of shape (n,)
        True values and predictions, one per case.
    shift : float, default 0
        Number added to every prediction, in the unit of the predictions.
    normalize : bool, default False
        Whether to divide by the total weight, so that sums become means.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    RROCPoint
        Over- and under-estimation, from which bias, mean absolute error and loss follow.

    Examples
    --------
    >>> point = rroc_point([3.0, 5.0, 8.0], [4.0, 4.0, 10.0])
    >>> point.over, point.under, round(point.mean_absolute_error, 6)
    (3.0, -1.0, 1.333333)
    """
    errors = read_errors(y_true, y_pred, sample_weight)
    sample, scale = errors.sample, errors.sample.total_weight if normalize else 1.0
    over, under = (sample.total(_side(errors, shift, sign)) / scale for sign in (+1, -1))
    return RROCPoint(over, under, float(shift), sample.total_weight, normalize, sample.backend)


def _influence_of_distance(errors: Errors, shift: float, normalize: bool) -> Influence:
    over, under = _side(errors, shift, +1), _side(errors, shift, -1)
    mean_over, mean_under = errors.sample.mean(over), errors.sample.mean(under)
    distance = math.hypot(mean_over, mean_under)
    if distance == 0.0:
        return Influence.of(errors.sample, errors.xp.zeros_like(over))
    cosine, sine = mean_over / distance, mean_under / distance
    along = cosine * (over - mean_over) + sine * (under - mean_under)
    return Influence.of(errors.sample, _scale(errors, normalize) * along)


@metric(arm="regression", read=read_errors, influence=_influence_of_distance)
def distance_to_heaven(
    y_true: Any,
    y_pred: Any,
    *,
    shift: float = 0.0,
    normalize: bool = False,
    sample_weight: Any = None,
) -> float:
    """Return the Euclidean distance √(OVER² + UNDER²) to RROC heaven.

    Unlike the mean absolute error it penalises an imbalance of over- and under-estimates. (The
    paper calls it MMSE, though it is neither a mean nor a square.)

    Parameters
    ----------
    y_true, y_pred : array of shape (n,)
        True values and predictions, one per case.
    shift : float, default 0
        Number added to every prediction, in the unit of the predictions.
    normalize : bool, default False
        Whether to divide by the total weight, so that sums become means.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    float
        The distance, in the unit of the predictions.

    Examples
    --------
    >>> distance_to_heaven([3.0, 5.0, 8.0], [6.0, 1.0, 8.0])
    5.0
    """
    point = rroc_point(
        y_true, y_pred, shift=shift, normalize=normalize, sample_weight=sample_weight
    )
    return point.distance_to_heaven
