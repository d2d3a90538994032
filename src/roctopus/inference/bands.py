"""Bands along a curve: where the truth lies at one context, or at all of them together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from roctopus.concepts.estimate import Estimate
from roctopus.concepts.frames import make_frame
from roctopus.concepts.intervals import check_level
from roctopus.concepts.registry import estimate
from roctopus.core.arrays import Floats, frame_backend, read_array, to_numpy
from roctopus.core.checks import check_finite
from roctopus.core.errors import InputError
from roctopus.core.resampling import Random, read_generator
from roctopus.inference.deviations import largest_deviations

__all__ = ["Band", "BandRegion", "curve_band", "difference_band"]

DRAWS = 10_000


class BandRegion(NamedTuple):
    """Neighbouring contexts with one answer."""

    low: float
    high: float
    answer: str


@dataclass(frozen=True, eq=False)
class Band:
    """A metric at several contexts, with an interval at each.

    ``lower`` and ``upper`` hold the whole true curve, at these contexts, with the confidence asked
    for; ``pointwise_lower`` and ``pointwise_upper`` hold it at each of them, one at a time. Between
    contexts nothing is claimed, and where all cases agree there is no width: look at more contexts
    where that matters.
    """

    context: str
    contexts: Floats
    value: Floats
    standard_error: Floats
    quantile: float
    """How many standard errors the simultaneous band is wide."""
    pointwise: float
    """How many the pointwise one is."""
    confidence_level: float
    backend: str | None = None

    @property
    def lower(self) -> Floats:
        """The lower end of the simultaneous band."""
        return self.value - self.quantile * self.standard_error

    @property
    def upper(self) -> Floats:
        """The upper end of the simultaneous band."""
        return self.value + self.quantile * self.standard_error

    @property
    def pointwise_lower(self) -> Floats:
        """The lower ends of intervals at single contexts."""
        return self.value - self.pointwise * self.standard_error

    @property
    def pointwise_upper(self) -> Floats:
        """The upper ends of intervals at single contexts."""
        return self.value + self.pointwise * self.standard_error

    def regions(self) -> tuple[BandRegion, ...]:
        """Return where a difference is surely "below" zero, surely "above", or "undecided".

        All statements hold together with the confidence of the band. A region ends halfway between
        the last context of one answer and the first of the next.
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
        """Return the band as a dataframe of your kind."""
        names = ("value", "standard_error", "lower", "upper", "pointwise_lower", "pointwise_upper")
        columns = {self.context: self.contexts} | {name: getattr(self, name) for name in names}
        return make_frame(columns, self.backend, backend)

    def __repr__(self) -> str:
        low, high = self.contexts[[0, -1]]
        return (
            f"Band({len(self.contexts)} values of {self.context} from {low:g} to {high:g}, "
            f"{100 * self.confidence_level:g} % simultaneous: ± {self.quantile:.2f} standard "
            "errors)"
        )


def _read_along(along: Any) -> tuple[str, Floats]:
    if not isinstance(along, Mapping) or len(along) != 1:
        raise InputError(
            "'along' must map the name of one context to its values, as in {'asymmetry': [...]}."
        )
    ((name, values),) = along.items()
    points = np.unique(to_numpy(read_array(values, str(name))))
    check_finite(points, str(name))
    if not len(points):
        raise InputError(f"'along' holds no values of {name!r}.")
    return str(name), points


def _band(
    name: str,
    points: Floats,
    estimates: Iterable[Estimate],
    level: float,
    rng: Random,
    backend: str | None,
) -> Band:
    """Find the quantile of the largest standardised deviation along the contexts.

    It is a multiplier bootstrap with normal multipliers: given the data the influence process is
    then a normal one, whose covariance over the contexts is all that has to be known. Influence
    values are kept as single-precision rows, one per context: plenty for a quantile.
    """
    from scipy.special import ndtri, stdtrit

    value, error, rows, lags = [], [], [], 0
    freedom: int | None = None
    for each in estimates:
        value.append(each.value)
        error.append(each.standard_error)
        if error[-1] > 0.0:
            rows.append(_standardised(each))
            lags, freedom = max(lags, each.lags), each.freedom
    upper = 0.5 + 0.5 * level
    quantile = pointwise = float(ndtri(upper) if freedom is None else stdtrit(freedom, upper))
    if len(rows) > 1:
        correlation = _correlation(np.array(rows), lags)
        generator = read_generator(rng)
        draws = largest_deviations(correlation, freedom, generator, DRAWS, two_sided=True)
        quantile = max(pointwise, float(np.quantile(draws, level)))
    return Band(name, points, np.array(value), np.array(error), quantile, pointwise, level, backend)


def _standardised(estimate: Estimate) -> NDArray[np.float32]:
    """Return what each unit adds, such that sums of products are covariances up to a factor."""
    terms = estimate.terms
    by_class = estimate.dependence.clusters is None and estimate.dependence.lags is None
    if estimate.strata is not None and by_class:  # as for a single standard error
        sizes = estimate.unit_sizes
        terms = terms * np.sqrt(sizes / np.maximum(sizes - 1.0, 1.0))[estimate.strata]
    return np.asarray(terms / np.sqrt(np.sum(terms**2)), dtype=np.float32)


def _correlation(rows: NDArray[np.float32], lags: int) -> Floats:
    """Return how the values at different contexts hang together."""
    spread = (rows @ rows.T).astype(np.float64)
    for lag in range(1, lags + 1):
        across = (rows[:, lag:] @ rows[:, :-lag].T).astype(np.float64)
        spread += (1.0 - lag / (lags + 1.0)) * (across + across.T)
    scale = np.sqrt(np.diag(spread))
    return np.asarray(spread / np.outer(scale, scale))


def curve_band(
    metric: Callable[..., float],
    *args: Any,
    along: Mapping[str, Any],
    confidence_level: float = 0.95,
    rng: Random = 0,
    **context: Any,
) -> Band:
    """Return a metric along a context, with pointwise and simultaneous intervals.

    Parameters
    ----------
    metric : function
        A registered metric, such as ``optimal_shift_error`` (along ``asymmetry``), ``cutoff_error``
        (along ``cutoff``) or ``impact`` (along ``theta``).
    *args
        Its arguments: truths and predictions.
    along : mapping
        The context's name and the values to look at. The band speaks of these; a few hundred will
        do for a smooth curve.
    confidence_level : float, default 0.95
        For all contexts together.
    rng : int or Generator, default 0
        For the quantile of the largest deviation.
    **context
        What else ``estimate`` takes for this metric: ``clusters``, ``hac``, ``sample_weight``.

    Examples
    --------
    >>> import numpy as np
    >>> import roctopus as rt
    >>> from roctopus.inference import curve_band
    >>> rng = np.random.default_rng(0)
    >>> y = rng.normal(size=300)
    >>> p = y + rng.normal(size=300)
    >>> curve_band(rt.optimal_shift_error, y, p, along={"asymmetry": np.linspace(0.1, 0.9, 17)})
    Band(17 values of asymmetry from 0.1 to 0.9, 95 % simultaneous: ± 2.45 standard errors)
    """
    level = check_level(confidence_level)
    name, points = _read_along(along)
    found = (estimate(metric, *args, **{**context, name: x}) for x in points.tolist())
    return _band(name, points, found, level, rng, _backend(args))


def difference_band(
    metric: Callable[..., float],
    y_true: Any,
    first: Any,
    second: Any,
    *,
    along: Mapping[str, Any],
    confidence_level: float = 0.95,
    rng: Random = 0,
    **context: Any,
) -> Band:
    """Return the paired difference first − second of two models along a context, with bands.

    Its ``regions()`` say where one is surely better: dominance with confidence.

    Examples
    --------
    >>> import numpy as np
    >>> import roctopus as rt
    >>> from roctopus.inference import difference_band
    >>> rng = np.random.default_rng(0)
    >>> y = rng.normal(size=500)
    >>> good, bad = y + 0.5 * rng.normal(size=500), y + 2.0 * rng.normal(size=500)
    >>> band = difference_band(
    ...     rt.optimal_shift_error, y, good, bad, along={"asymmetry": [0.2, 0.5, 0.8]}
    ... )
    >>> [region.answer for region in band.regions()]
    ['below']
    """
    level = check_level(confidence_level)
    name, points = _read_along(along)

    def differences() -> Iterator[Estimate]:
        for x in points.tolist():
            both = [estimate(metric, y_true, p, **{**context, name: x}) for p in (first, second)]
            yield both[0] - both[1]

    return _band(name, points, differences(), level, rng, _backend((first, y_true)))


def _backend(args: Any) -> str | None:
    return next((found for each in args if (found := frame_backend(each))), None)
