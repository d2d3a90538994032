"""A metric along a context, with an interval at each value of it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from roctopus.concepts.frames import make_frame
from roctopus.concepts.intervals import Scale
from roctopus.core.arrays import Floats
from roctopus.core.lazy import upward


class BandRegion(NamedTuple):
    """Neighbouring contexts with one answer.

    Parameters
    ----------
    low : float
        Lowest context of the range.
    high : float
        Highest context of the range.
    answer : {"below", "above", "undecided"}
        Whether the difference is clearly below or above zero in this region.

    Examples
    --------
    >>> from roctopus.inference import BandRegion
    >>> BandRegion(0.2, 0.8, "below").answer
    'below'
    """

    low: float
    high: float
    answer: str


@dataclass(frozen=True, eq=False)
class Band:
    """A metric at several contexts, with an interval at each context.

    ``lower`` and ``upper`` contain the whole true curve, at these contexts, with the stated
    confidence; ``pointwise_lower`` and ``pointwise_upper`` contain it at each of them, one at a
    time. The band says nothing about contexts in between, and has no width where all cases agree.

    Parameters
    ----------
    context : str
        Name of the context, such as "asymmetry".
    contexts : array
        Contexts looked at.
    value : array
        Metric at each context.
    standard_error : array
        Its standard error at each of them.
    quantile : float
        Half the width of the simultaneous band, in standard errors.
    pointwise : float
        Half the width of the pointwise intervals, in standard errors.
    confidence_level : float
        Probability that all statements are true together.
    scale : {"plain", "log", "logit"}, default "plain"
        Scale on which the band is made, as for a single interval.
    units : float, default inf
        Number of independent units, for values on which all of them agree.
    backend : str or None, default None
        Dataframe library that the data came in.
    floor : float, default -inf
        What true values cannot be below: 0 for losses.
    outcome : str, default "value"
        What the values are, such as "net benefit".

    Examples
    --------
    >>> import numpy as np
    >>> import roctopus as rt
    >>> from roctopus.inference import curve_band
    >>> rng = np.random.default_rng(0)
    >>> y = rng.normal(size=300)
    >>> p = y + rng.normal(size=300)
    >>> band = curve_band(rt.optimal_shift_error, y, p, along={"asymmetry": [0.2, 0.5, 0.8]})
    >>> band.lower.round(3), band.upper.round(3)
    (array([0.482, 0.693, 0.475]), array([0.588, 0.851, 0.617]))
    """

    context: str
    contexts: Floats
    value: Floats
    standard_error: Floats
    quantile: float
    pointwise: float
    confidence_level: float
    scale: Scale = "plain"
    units: float = math.inf
    backend: str | None = None
    floor: float = -math.inf
    outcome: str = "value"

    def _ends(self, quantile: float) -> tuple[Floats, Floats]:
        """Return both ends of a band so many standard errors wide."""
        value, error = self.value, self.standard_error
        if self.scale == "plain":
            low = np.maximum(value - quantile * error, np.minimum(self.floor, value))
            return low, value + quantile * error
        inside = (value > 0.0) & ((value < 1.0) | (self.scale == "log"))
        middle = np.where(inside, value, 0.5)
        slope = middle * (1.0 - middle) if self.scale == "logit" else middle
        factor = np.exp(np.minimum(quantile * np.where(inside, error, 0.0) / slope, 700.0))
        if self.scale == "log":
            return np.where(inside, value / factor, value), np.where(inside, value * factor, value)
        odds = middle / (1.0 - middle)
        # At 0 and 1 all units agree: a larger share of others would have shown itself.
        miss = 1.0 - self.confidence_level
        if quantile > self.pointwise:
            miss = math.erfc(quantile / math.sqrt(2.0))
        reach = 1.0 - miss ** (1.0 / self.units)
        low = np.where(inside, odds / factor / (1.0 + odds / factor), value - reach * (value > 0.5))
        high = np.where(inside, 1.0 / (1.0 + 1.0 / (odds * factor)), value + reach * (value < 0.5))
        return low, high

    @property
    def lower(self) -> Floats:
        """The lower end of the simultaneous band."""
        return self._ends(self.quantile)[0]

    @property
    def upper(self) -> Floats:
        """The upper end of the simultaneous band."""
        return self._ends(self.quantile)[1]

    @property
    def pointwise_lower(self) -> Floats:
        """The lower ends of intervals at single contexts."""
        return self._ends(self.pointwise)[0]

    @property
    def pointwise_upper(self) -> Floats:
        """The upper ends of intervals at single contexts."""
        return self._ends(self.pointwise)[1]

    def regions(self) -> tuple[BandRegion, ...]:
        """Return where a difference is clearly "below" or "above" zero, or "undecided".

        All statements are right at once with the confidence of the band. A region ends halfway
        between the last context of one answer and the first of the next.

        Returns
        -------
        tuple of BandRegion
            The ranges of contexts in order, each with its answer.
        """
        answers = np.where(
            self.upper < 0.0, "below", np.where(self.lower > 0.0, "above", "undecided")
        )
        change = np.flatnonzero(answers[1:] != answers[:-1])
        borders = 0.5 * (self.contexts[change] + self.contexts[change + 1])
        edges = np.concatenate([self.contexts[:1], borders, self.contexts[-1:]])
        first = np.append(0, change + 1)
        return tuple(
            BandRegion(float(low), float(high), str(answers[k]))
            for low, high, k in zip(edges[:-1], edges[1:], first, strict=True)
        )

    def frame(self, backend: str | None = None) -> Any:
        """Return the band as a dataframe, with a row per context.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, optional
            Library of the dataframe that is returned. By default the one your data came in.

        Returns
        -------
        dataframe
            The context, the value, its standard error, and the ends of the simultaneous and the
            pointwise intervals.
        """
        names = ("value", "standard_error", "lower", "upper", "pointwise_lower", "pointwise_upper")
        columns = {self.context: self.contexts} | {name: getattr(self, name) for name in names}
        return make_frame(columns, self.backend, backend)

    def plot(self, *, name: str = "estimate", **options: Any) -> Any:
        """Draw the metric with its simultaneous band, and the pointwise one inside it.

        Parameters
        ----------
        name : str, default "estimate"
            What the legend calls it.
        **options
            As in ``roctopus.display.BandDisplay.plot``, such as ``ax`` and ``curve_kwargs``.

        Returns
        -------
        BandDisplay
            The picture, with ``ax_`` and ``figure_``.
        """
        return upward("plot_band")(self, name, options)

    def __repr__(self) -> str:
        low, high = self.contexts[[0, -1]]
        return (
            f"Band({len(self.contexts)} values of {self.context} from {low:g} to {high:g}, "
            f"{100 * self.confidence_level:g} % simultaneous: ± {self.quantile:.2f} standard "
            "errors)"
        )
