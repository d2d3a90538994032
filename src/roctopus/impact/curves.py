"""Impact curves: what the best threshold earns at every price."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from roctopus.concepts.context_curve import ContextCurve
from roctopus.core.arrays import Floats, as_floats
from roctopus.core.errors import InputError, arg
from roctopus.core.hulls import envelope_function
from roctopus.core.piecewise import Continuity, Index, Piecewise
from roctopus.impact.cases import Offers, read_scored
from roctopus.impact.lines import ThresholdLines, lines_of, read_foreign_lines
from roctopus.impact.utilities import UtilityScale

CONTEXT = "theta"


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ImpactCurve(ContextCurve):
    """The impact of the best threshold at every θ, with the share of cases it accepts.

    Each threshold is a line over θ, and the curve is their upper envelope, so it is convex.
    Thresholds are chosen on the data that measure them, so the curve looks better than it is;
    ``follow`` shows what its thresholds give on other data. ``impact_curve`` makes it.

    Parameters
    ----------
    function : Piecewise
        Outcome as a function of the context.
    context : str
        Meaning of the argument, such as "asymmetry".
    outcome : str
        Meaning of the value, such as "mean asymmetric absolute error".
    sense : {"loss", "utility"}, default "loss"
        Whether less or more is better.
    knob : array of shape (pieces,) or (pieces, settings), optional
        Setting of each piece, if the curve was tuned.
    knob_name : str, optional
        Name of the setting, such as "shift".
    exact : bool, default True
        Whether all values are exact; False if values between known contexts were filled in.
    lower, upper : Piecewise, optional
        Certified bounds of the curve, if the data did not fit in memory.
    backend : str or None, default None
        Dataframe library that the data came in.
    known : array of shape (k,), optional
        Contexts at which the curve is known, increasing; by default everywhere. Elsewhere
        ``function`` has the nearest known value, for ``nearest()``.
    outputs : Empirical, optional
        Distribution of the sample's true values, which ``Output()`` stands for.
    knob_follows : bool, default False
        Whether settings move with the context; ``knob`` is then added to it.
    accepted : array of shape (pieces,)
        Share of cases that each piece's threshold accepts.
    trivial : Piecewise
        Impact of the better of accepting and rejecting all (or as many at random as the capacity
        allows).
    scale : UtilityScale
        Meaning and range of θ.
    normalize : bool
        Whether impacts are means per case instead of totals.

    Examples
    --------
    >>> from roctopus.impact import impact_curve, value_times_price
    >>> grade, sensor = [0.1, 0.29, 0.3, 0.5, 0.8, 1.2], [1, 3, 3, 2, 5, 4]
    >>> curve = impact_curve(sensor, value_times_price(grade))
    >>> round(curve.at(2.0), 6), curve.knob_at(2.0)
    (2.0, 4.0)
    >>> round(curve.gain.at(2.0), 6)
    1.62
    """

    accepted: Floats
    trivial: Piecewise
    scale: UtilityScale
    normalize: bool

    @property
    def baselines(self) -> dict[str, Piecewise]:
        """The better of accepting and rejecting all."""
        return {"trivial": self.trivial}

    def telling_range(self) -> tuple[float, float]:
        """Return the range of θ that a picture should show.

        In this range, between 1 % and 99 % of the cases are accepted.

        Returns
        -------
        tuple of two float
            The lowest and the highest θ to show.
        """
        knots = self.function.knots
        inner = knots[np.isfinite(knots)]
        choosing = np.flatnonzero((self.accepted > 0.01) & (self.accepted < 0.99))
        if len(choosing):
            chosen = knots[choosing[0] : choosing[-1] + 2]
            inner = chosen[np.isfinite(chosen)] if np.isfinite(chosen).any() else inner
        return (float(inner.min()), float(inner.max())) if len(inner) else (0.0, 1.0)

    def piece_of(self, context: ArrayLike) -> Index:
        """Return the number of each θ's piece; at a knot the one that accepts fewer cases.

        Parameters
        ----------
        context : float or array
            Prices θ.

        Returns
        -------
        array of int
            Numbers of pieces, from 0.
        """
        right = super().piece_of(context)
        points = as_floats(context)
        left = np.searchsorted(self.function.knots[1:-1], points, side="left")
        return np.where(self.accepted[left] <= self.accepted[right], left, right)

    def accepted_at(self, context: ArrayLike) -> Any:
        """Return the share of cases that the best threshold accepts at a θ.

        Parameters
        ----------
        context : float or array
            One price θ, or several.

        Returns
        -------
        float or array
            The share at each θ, from 0 to 1.
        """
        self.check_known(context)
        share = self.accepted[self.piece_of(context)]
        return float(share) if share.ndim == 0 else share

    @property
    def gain(self) -> ContextCurve:
        """What the model earns beyond the best trivial decision, at its best threshold.

        Without a capacity it is never negative. With a capacity, the trivial decision fills it at
        random, and a reversed ranking does worse.
        """
        function = self.function.subtract(self.trivial)
        inner = np.searchsorted(self.function.knots[1:-1], function.knots[:-1], side="right")
        return replace(
            self.plain(),
            function=replace(function, continuity=self.continuity),
            outcome=f"gain in {self.outcome} over the best trivial decision",
            knob=None if self.knob is None else self.knob[inner],
        )

    def follow(self, y_score: Any, utility: Any, *, sample_weight: Any = None) -> ContextCurve:
        """Return what these thresholds give on other data.

        Choose thresholds on validation data and judge them on test data: the difference is by how
        much the curve looked too good. Use ``normalize=True`` for both if they differ in size.

        Parameters
        ----------
        y_score : array of shape (n,)
            Scores in any unit, one per case: only their order matters.
        utility : LinearUtility
            Value of accepting each case, such as ``value_times_price(y_true)``.
        sample_weight : array of shape (n,), optional
            Weight of each case; cases of weight 0 are ignored.

        Returns
        -------
        ContextCurve
            The impact of the thresholds of this curve on the other data.
        """
        if self.known is not None:
            raise InputError(
                "This curve is only known at some values of θ, so its thresholds cannot be used on "
                "other data. Use the whole curve, as impact_curve returned it."
            )
        offers = read_scored(y_score, utility, sample_weight)
        if offers.scale.outcome != self.scale.outcome:
            raise InputError(
                f"The curve shows the {self.scale.outcome}, but {arg('utility')} gives the "
                f"{offers.scale.outcome}. Use the utility that the curve was made with."
            )
        assert self.knob is not None
        knots, knob = self.function.knots, self.knob
        if len(knots) == 2 and np.isinf(knots).all():  # on other data θ may matter
            knots, knob = np.array([-np.inf, offers.origin, np.inf]), np.repeat(knob, 2)
        # Accepted are the scores at or above the threshold.
        position = np.searchsorted(-offers.ranking.threshold, -knob, side="right") - 1
        slope, intercept = (totals[position] for totals in offers.lines)
        function = through_lines(knots, slope, intercept, offers.origin, self.continuity)
        factor = 1.0 / offers.sample.total_weight if self.normalize else 1.0
        backend = offers.sample.backend
        return replace(self.plain(), function=function.scale(factor), knob=knob, backend=backend)

    def restrict(self, low: float, high: float) -> Self:
        """Return the part of the curve between two θ.

        Parameters
        ----------
        low, high : float
            Lowest and highest θ to keep.

        Returns
        -------
        ImpactCurve
            The part.
        """
        part = super().restrict(low, high)
        if self.known is not None:  # sampled anew
            return part
        return replace(part, accepted=self.accepted[self.function.pieces_within(low, high)])

    def sampled(self, contexts: Any) -> Self:
        """Return the curve as if it were known at these θ only.

        Parameters
        ----------
        contexts : array of shape (k,)
            Prices θ to keep.

        Returns
        -------
        ImpactCurve
            A curve that raises an error at other θ.
        """
        whole = super().sampled(contexts)
        assert whole.known is not None
        return replace(whole, accepted=self.accepted[self.piece_of(whole.known)])

    def columns(self) -> dict[str, Any]:
        """Return the columns of ``frame()``, with the share accepted.

        Returns
        -------
        dict of str to array
            Prices, impacts, thresholds and shares accepted.
        """
        return super().columns() | {"accepted": self.accepted}


def outcome_name(scale: UtilityScale, normalize: bool) -> str:
    """Return what a curve shows; totals and means cannot be compared."""
    return f"{'mean' if normalize else 'total'} {scale.outcome}"


def through_lines(
    knots: Floats,
    slope: Floats,
    intercept: Floats,
    origin: float,
    continuity: Continuity = "right",
) -> Piecewise:
    """Return the function that has its own line on every piece; it may jump."""
    ends = []
    for at, other in ((knots[:-1], knots[1:]), (knots[1:], knots[:-1])):
        x = np.where(np.isfinite(at), at, np.where(np.isfinite(other), other, origin))
        ends.append(slope * (x - origin) + intercept)
    tails = tuple(float(slope[k]) if np.isinf(knots[k]) else 0.0 for k in (0, -1))
    return Piecewise(knots, ends[0], ends[1], continuity, (tails[0], tails[1]))


def impact_curve(
    y_score: Any,
    utility: Any,
    *,
    threshold: float | None = None,
    at_least: float | None = None,
    at_most: float | None = None,
    normalize: bool = False,
    sample_weight: Any = None,
) -> ImpactCurve:
    """Return the impact over θ, at the best threshold for each θ or at a fixed one.

    A case is accepted if its score is at or above the threshold; equal scores are accepted
    together. Rejecting all (+inf) and accepting all are among the thresholds. Read it as: what does
    this model earn as the price moves, and how many cases should be accepted?

    Parameters
    ----------
    y_score : array of shape (n,)
        Scores in any unit, one per case: only their order matters.
    utility : LinearUtility
        Value of accepting each case, such as ``value_times_price(y_true)``.
    threshold : float, optional
        A fixed threshold, which gives a straight line; −inf accepts all. By default each θ gets its
        own best threshold.
    at_least : float, optional
        Smallest number of cases (total weight) that must be accepted.
    at_most : float, optional
        Capacity: largest number of cases (total weight) that may be accepted.
    normalize : bool, default False
        Whether to divide by the total weight, so that totals become means per case.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    ImpactCurve
        The impact, the threshold and the share accepted at every θ.

    Notes
    -----
    If the scores and the utility are on a device, the sums are computed there.

    Examples
    --------
    >>> from roctopus.impact import impact_curve, value_times_price
    >>> grade = [0.1, 0.29, 0.3, 0.5, 0.8, 1.2, 0.05, 0.6]
    >>> sensor = [1, 3, 3, 2, 5, 4, 2, 3]
    >>> curve = impact_curve(sensor, value_times_price(grade))
    >>> round(curve.at(2.0), 6), curve.knob_at(2.0), curve.accepted_at(2.0)
    (2.0, 4.0, 0.25)
    >>> round(curve.gain.at(2.0), 6)
    2.0
    """
    if threshold is not None and not at_least is at_most is None:
        limit = "'at_most'" if at_least is None else "'at_least'"
        raise InputError(
            f"'threshold' cannot be combined with the capacity {limit}. Leave out {limit}, or "
            "leave out 'threshold' to choose the threshold within the capacity."
        )
    foreign = read_foreign_lines(y_score, utility, sample_weight, threshold, at_least, at_most)
    if foreign is not None:
        return _curve(foreign, normalize)
    offers = read_scored(y_score, utility, sample_weight, at_least, at_most)
    offers.warn_if_constant()
    return curve_of(offers, threshold, normalize)


def curve_of(offers: Offers, threshold: float | None, normalize: bool) -> ImpactCurve:
    """Find the upper envelope of all thresholds, or draw the line of one."""
    return _curve(lines_of(offers, threshold), normalize)


def _curve(lines: ThresholdLines, normalize: bool) -> ImpactCurve:
    scale, factor = lines.scale, 1.0
    if normalize:
        factor = 1.0 / lines.total_weight
    function, line = envelope_function(
        lines.slope, lines.intercept, scale.low, scale.high, lines.origin
    )
    # A knot belongs to the side that accepts fewer: for slopes of one sign always the same side.
    accepted = lines.accepted[line]
    fewer: Continuity = "right" if accepted[-1] < accepted[0] else "left"
    return ImpactCurve(
        function=replace(function.scale(factor), continuity=fewer),
        context=CONTEXT,
        outcome=outcome_name(scale, normalize),
        sense="utility",
        knob=lines.threshold[line],
        knob_name="threshold",
        backend=lines.backend,
        accepted=accepted / lines.total_weight,
        trivial=_trivial(lines).scale(factor),
        scale=scale,
        normalize=normalize,
    )


def trivial_of(offers: Offers) -> Piecewise:
    """Return what the best decision without a model earns; a capacity is filled at random."""
    return _trivial(lines_of(offers, None))


def _trivial(lines: ThresholdLines) -> Piecewise:
    shares = np.unique(np.array(lines.shares))
    slope, intercept = (shares * total for total in lines.everything)
    scale = lines.scale
    return envelope_function(slope, intercept, scale.low, scale.high, lines.origin)[0]
