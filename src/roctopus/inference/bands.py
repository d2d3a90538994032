"""Bands along a curve: where the truth lies at one context, or at all of them together."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roctopus.concepts.estimate import Estimate
from roctopus.concepts.intervals import Scale, check_level
from roctopus.concepts.joint import JointEstimates
from roctopus.concepts.registry import estimate
from roctopus.core.arrays import Floats, frame_backend, read_array, to_numpy
from roctopus.core.checks import check_finite
from roctopus.core.errors import InputError
from roctopus.core.resampling import Random, read_generator
from roctopus.core.sample import check_row_order
from roctopus.inference.band import Band
from roctopus.inference.comparing import all_pairs, compare_estimates
from roctopus.inference.deviations import largest_deviations

__all__ = ["best_along", "best_sets", "curve_band", "difference_band"]

DRAWS = 10_000
BUCKETS = 1 << 14
"""Terms of more units are added up, with random signs, in so many sums: these show how contexts
hang together to 1 in 100, however few units matter. Standard errors use all terms."""


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
    generator = read_generator(rng)
    sketch: _Sketch | None = None
    freedom: int | None = None
    scale: Scale = "plain"
    units = math.inf
    for each in estimates:
        scale = each.scale
        units = min(units, float(each.unit_sizes[each.unit_sizes > 0].min()))
        value.append(each.value)
        error.append(each.standard_error)
        if error[-1] > 0.0:
            sketch = sketch or _Sketch(each, generator)
            rows.append(_of_unit_length(sketch.of(each)))
            lags, freedom = max(lags, each.lags), each.freedom
    upper = 0.5 + 0.5 * level
    quantile = pointwise = float(ndtri(upper) if freedom is None else stdtrit(freedom, upper))
    if len(rows) > 1:
        correlation = _correlation(np.array(rows), lags)
        draws = largest_deviations(correlation, freedom, generator, DRAWS, two_sided=True)
        quantile = max(pointwise, float(np.quantile(draws, level)))
    found = np.array(value), np.array(error)
    return Band(name, points, *found, quantile, pointwise, level, scale, units, backend)


class _Sketch:
    """Sums of terms with random signs, whose products are those of the terms up to 1 in 100."""

    def __init__(
        self, like: Estimate, generator: np.random.Generator, buckets: int = BUCKETS
    ) -> None:
        size, self.buckets = len(like.terms), buckets
        self.whole = size <= buckets or like.dependence.lags is not None
        if not self.whole:
            self.bucket = generator.integers(0, buckets, size)
            self.sign = 2.0 * generator.integers(0, 2, size) - 1.0

    def of(self, estimate: Estimate) -> Floats:
        """Return the sums."""
        terms = estimate.unbiased_terms
        if self.whole:
            return terms
        sums = np.bincount(self.bucket, self.sign * terms, self.buckets)
        return np.asarray(sums, dtype=np.float64)


def _of_unit_length(row: Floats) -> NDArray[np.float32]:
    largest = float(np.max(np.abs(row)))
    if largest == 0.0 or not math.isfinite(largest):
        return np.zeros(len(row), dtype=np.float32)
    row = row / largest
    return np.asarray(row / np.sqrt(np.sum(row**2)), dtype=np.float32)


def _correlation(rows: NDArray[np.float32], lags: int) -> Floats:
    """Return how the values at different contexts hang together."""
    spread = (rows @ rows.T).astype(np.float64)
    for lag in range(1, lags + 1):
        across = (rows[:, lag:] @ rows[:, :-lag].T).astype(np.float64)
        spread += (1.0 - lag / (lags + 1.0)) * (across + across.T)
    live = np.diag(spread) > 0.0
    scale = np.sqrt(np.where(live, np.diag(spread), 1.0))
    found = np.asarray(spread / np.outer(scale, scale))
    np.fill_diagonal(found, 1.0)
    return found


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
    check_row_order(y_true=y_true, first=first, second=second)

    def differences() -> Iterator[Estimate]:
        for x in points.tolist():
            both = [estimate(metric, y_true, p, **{**context, name: x}) for p in (first, second)]
            yield both[0] - both[1]

    return _band(name, points, differences(), level, rng, _backend((first, y_true)))


def best_along(
    metric: Callable[..., float],
    y_true: Any,
    predictions: Mapping[str, Any],
    *,
    along: Mapping[str, Any],
    confidence_level: float = 0.95,
    rng: Random = 0,
    **context: Any,
) -> dict[float, tuple[str, ...]]:
    """Return the models that may be best at each context, all contexts together.

    Wherever it lies, the best model of every context is in its set, with the confidence asked for.

    Examples
    --------
    >>> import numpy as np
    >>> import roctopus as rt
    >>> from roctopus.inference import best_along
    >>> rng = np.random.default_rng(0)
    >>> y = rng.normal(size=500)
    >>> models = {"good": y + 0.5 * rng.normal(size=500), "bad": y + 2.0 * rng.normal(size=500)}
    >>> best_along(rt.optimal_shift_error, y, models, along={"asymmetry": [0.2, 0.8]})
    {0.2: ('good',), 0.8: ('good',)}
    """
    level = check_level(confidence_level)
    name, points = _read_along(along)
    joints = (
        compare_estimates(metric, y_true, predictions, **{**context, name: x})
        for x in points.tolist()
    )
    return dict(zip(points.tolist(), best_sets(joints, level, rng), strict=True))


def best_sets(joints: Iterable[JointEstimates], level: float, rng: Random) -> list[tuple[str, ...]]:
    """Return the models that may be best at each of several contexts, all together.

    At every context one model is truly best: at most as many models as there are contexts. Each of
    them is compared with all others at once, at a share of the error that makes up for that.
    """
    generator = read_generator(rng)
    sketch: _Sketch | None = None
    freedom, lags, sign = None, 0, 1.0
    names: tuple[str, ...] = ()
    values, errors, sketches = [], [], []
    for joint in joints:  # one context at a time: only sums are kept
        first = joint.estimates[0]
        sketch = sketch or _Sketch(first, generator, BUCKETS // 4)
        sign, names = 1.0 if joint.sense == "loss" else -1.0, joint.names
        freedom, lags = first.freedom, max(lags, first.lags)
        value, error, _, unit = all_pairs(joint)
        values.append(sign * (value[:, None] - value))
        errors.append(error)
        total = unit * first.total_weight
        rows = np.array([sketch.of(each) for each in joint.estimates])
        sketches.append((rows - rows[0]) / total)
    worse, error = np.array(values), np.array(errors)  # contexts, models, other models
    drawn = _deviations(np.array(sketches), lags, freedom, generator)
    kept: list[tuple[str, ...]] = [()] * len(worse)
    within = 1.0 - (1.0 - level) / max(min(len(names), len(worse)), 1)
    for k, model in enumerate(names):
        live = error[:, k] > 0.0
        quantile = 0.0
        if live.any():
            apart = (drawn[:, :, k, None] - drawn)[:, live] / error[:, k][live]
            quantile = max(float(np.quantile(apart.max(axis=1), within)), 0.0)
        beaten = np.any(worse[:, k] > quantile * error[:, k] + 1e-12 * np.abs(worse[:, k]), axis=1)
        for x in np.flatnonzero(~beaten).tolist():
            kept[x] = (*kept[x], model)
    return kept


def _deviations(
    rows: Floats, lags: int, freedom: int | None, generator: np.random.Generator
) -> NDArray[np.float32]:
    """Draw deviations of all values together: draws by contexts by models.

    ``rows`` hold, for every context and model, what each unit adds. They are multiplied by random
    normal numbers, the same for all; units that hang together in time by numbers that do, too.
    """
    contexts, models, units = rows.shape
    flat = rows.reshape(contexts * models, units).astype(np.float32)
    found = np.empty((DRAWS, contexts, models), dtype=np.float32)
    step = max(1, (1 << 22) // units)
    for begin in range(0, DRAWS, step):
        count = min(step, DRAWS - begin)
        noise = generator.standard_normal((count, units + lags), dtype=np.float32)
        if lags:  # a moving mean of noise has the weights that the standard errors have
            running = np.cumsum(np.concatenate([np.zeros((count, 1)), noise], axis=1), axis=1)
            width = lags + 1
            noise = ((running[:, width:] - running[:, :-width]) / np.sqrt(width)).astype(np.float32)
        found[begin : begin + count] = (noise @ flat.T).reshape(count, contexts, models)
    if freedom is not None:
        scale = np.sqrt(generator.chisquare(freedom, DRAWS) / freedom)
        found /= scale[:, None, None].astype(np.float32)
    return found


def _backend(args: Any) -> str | None:
    return next((found for each in args if (found := frame_backend(each))), None)
