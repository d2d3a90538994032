"""Bands along a curve: where the truth lies at one context, or at all of them together."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roctopus.concepts.estimate import Estimate
from roctopus.concepts.intervals import Scale, check_level
from roctopus.concepts.registry import estimate
from roctopus.core.arrays import Floats, frame_backend, read_array, to_numpy
from roctopus.core.checks import check_finite
from roctopus.core.errors import InputError
from roctopus.core.resampling import Random, read_generator
from roctopus.core.sample import check_row_order
from roctopus.inference.band import Band
from roctopus.inference.best_sets import best_sets
from roctopus.inference.comparing import compare_estimates
from roctopus.inference.deviations import Sketch, joint_deviations

DRAWS = 10_000


def _read_along(along: Any) -> tuple[str, Floats]:
    if not isinstance(along, Mapping) or len(along) != 1:
        told = f"is of type {type(along).__name__}"
        if isinstance(along, Mapping):
            told = f"has {len(along)} names"
        raise InputError(
            "'along' must be a dictionary with one name and its values, such as "
            f"{{'asymmetry': [0.2, 0.5, 0.8]}}, but {told}."
        )
    ((name, values),) = along.items()
    points = np.unique(to_numpy(read_array(values, str(name))))
    check_finite(points, str(name))
    if not len(points):
        raise InputError(f"'along' contains no values of {name!r}.")
    return str(name), points


def band_of(
    name: str,
    points: Floats,
    estimates: Iterable[Estimate],
    level: float,
    rng: Random,
    backend: str | None,
) -> Band:
    """Make a band of estimates on the same cases, one per context.

    Its width is the quantile of the largest standardised deviation along the contexts.

    It is a multiplier bootstrap with normal multipliers: given the data the influence process is
    then a normal one, whose covariance over the contexts is all that has to be known. Influence
    values are kept as single-precision rows, one per context: plenty for a quantile.
    """
    from scipy.special import ndtri, stdtrit

    value, error, rows = [], [], []
    generator = read_generator(rng)
    sketch: Sketch | None = None
    freedom: float | None = None
    scale: Scale = "plain"
    units, floor = math.inf, -math.inf
    for each in estimates:
        scale, floor = each.scale, each.floor
        units = min(units, each.fewest_units)
        value.append(each.value)
        error.append(each.standard_error)
        if error[-1] > 0.0:
            sketch = sketch or Sketch(each, generator)
            rows.append(_of_unit_length(sketch.of(each)))
            if each.freedom is not None:
                freedom = min(freedom or math.inf, each.freedom)
    upper = 0.5 + 0.5 * level
    quantile = pointwise = float(ndtri(upper) if freedom is None else stdtrit(freedom, upper))
    if len(rows) > 1:
        assert sketch is not None
        correlation = _correlation(sketch.finished(np.array(rows)))
        draws = joint_deviations(correlation, freedom, generator, DRAWS)
        largest = np.max(np.abs(draws), axis=1)
        quantile = max(pointwise, float(np.quantile(largest, level)))
    found = np.array(value), np.array(error)
    return Band(name, points, *found, quantile, pointwise, level, scale, units, backend, floor)


def _of_unit_length(row: Floats) -> NDArray[np.float32]:
    largest = float(np.max(np.abs(row)))
    if largest == 0.0 or not math.isfinite(largest):
        return np.zeros(len(row), dtype=np.float32)
    row = row / largest
    return np.asarray(row / np.sqrt(np.sum(row**2)), dtype=np.float32)


def _correlation(rows: Floats) -> Floats:
    """Return how the values at different contexts are correlated."""
    spread = np.asarray(rows @ rows.T, dtype=np.float64)
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
    metric : callable
        A registered metric, such as ``optimal_shift_error`` (along ``asymmetry``), ``cutoff_error``
        (along ``cutoff``) or ``impact`` (along ``theta``).
    *args : array of shape (n,)
        Its first arguments: the true values and the predictions.
    along : mapping
        Context's name and the values to look at. The band holds at these; a few hundred are enough
        for a smooth curve.
    confidence_level : float, default 0.95
        Probability that all statements are true together.
    rng : int or Generator, default 0
        Seed or generator of random numbers: the same seed gives the same result.
    **context
        Further arguments of ``estimate`` for this metric: ``clusters``, ``time``,
        ``sample_weight``.

    Returns
    -------
    Band
        The value at each context with its intervals.

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
    estimates = (estimate(metric, *args, **{**context, name: x}) for x in points.tolist())
    found = band_of(name, points, estimates, level, rng, _backend(args))
    return replace(found, outcome=_say(metric))


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
    """Return the paired difference of two models along a context, with bands.

    Its ``regions()`` say where one model is clearly better: dominance with confidence.

    Parameters
    ----------
    metric : callable
        A registered metric, such as ``optimal_shift_error`` (along ``asymmetry``), ``cutoff_error``
        (along ``cutoff``) or ``impact`` (along ``theta``).
    y_true : array of shape (n,)
        True values, one per case.
    first : array of shape (n,)
        Predictions of the first model.
    second : array of shape (n,)
        Predictions of the second model, whose values are subtracted.
    along : mapping
        Context's name and the values to look at. The band holds at these; a few hundred are enough
        for a smooth curve.
    confidence_level : float, default 0.95
        Probability that all statements are true together.
    rng : int or Generator, default 0
        Seed or generator of random numbers: the same seed gives the same result.
    **context
        Further arguments of ``estimate`` for this metric: ``clusters``, ``time``,
        ``sample_weight``.

    Returns
    -------
    Band
        The difference first − second at each context with its intervals.

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

    found = band_of(name, points, differences(), level, rng, _backend((first, y_true)))
    return replace(found, outcome=f"difference in {_say(metric)}")


def _say(metric: Callable[..., float] | str) -> str:
    """Return the name of a metric in words."""
    name = metric if isinstance(metric, str) else getattr(metric, "__name__", "value")
    return str(name).replace("_", " ")


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
    """Return the models that could be best at each context, all contexts together.

    With the stated confidence, every context's set contains its truly best model.

    Parameters
    ----------
    metric : callable
        A registered metric, such as ``optimal_shift_error`` (along ``asymmetry``), ``cutoff_error``
        (along ``cutoff``) or ``impact`` (along ``theta``).
    y_true : array of shape (n,)
        True values, one per case.
    predictions : mapping of str to array of shape (n,)
        Predictions (numbers, scores or probabilities) of each model.
    along : mapping
        Context's name and the values to look at.
    confidence_level : float, default 0.95
        Probability that all statements are true together.
    rng : int or Generator, default 0
        Seed or generator of random numbers: the same seed gives the same result.
    **context
        Further arguments of ``estimate`` for this metric: ``clusters``, ``time``,
        ``sample_weight``.

    Returns
    -------
    dict of float to tuple of str
        For each context, the names of the models that could be best there.

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


def _backend(args: Any) -> str | None:
    return next((found for each in args if (found := frame_backend(each))), None)
