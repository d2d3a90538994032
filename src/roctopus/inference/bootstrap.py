"""The bootstrap: intervals for any metric with weights, without a formula."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from roctopus.arms import find_arm, find_metric
from roctopus.concepts.dependence import read_groups
from roctopus.concepts.estimate import Estimate
from roctopus.concepts.intervals import ConfidenceInterval, check_level
from roctopus.concepts.own_functions import OwnFunction
from roctopus.concepts.registry import Metric, estimate, is_own
from roctopus.core.arrays import Floats, is_single, read_array, shared_namespace, to_numpy
from roctopus.core.checks import check_choice, check_same_length, check_weights, check_whole
from roctopus.core.errors import InputError, warn
from roctopus.core.labels import number_labels
from roctopus.core.progress import Progress
from roctopus.core.resampling import (
    Random,
    can_draw_like,
    device_poisson_counts,
    poisson_counts,
    read_generator,
)

Resampling = Literal["poisson", "multinomial"]


@dataclass(frozen=True, eq=False)
class Bootstrap:
    """Values of a metric on resampled data.

    ``roctopus.inference.bootstrap`` makes it.

    Parameters
    ----------
    value : float
        Value on the data themselves.
    replicates : array
        Value on each resample.
    acceleration : float
        How the standard error changes with the value, for BCa: from the influence values.

    Examples
    --------
    >>> import numpy as np
    >>> import roctopus as rt
    >>> from roctopus.inference import bootstrap
    >>> rng = np.random.default_rng(0)
    >>> y = rng.normal(size=200)
    >>> found = bootstrap(rt.pinball_loss, y, y + rng.normal(size=200), replicates=200, level=0.8)
    >>> found
    Bootstrap(0.434655, standard_error=0.02971, 200 replicates)
    >>> low, high = found.confidence_interval()
    >>> round(low, 2), round(high, 2)
    (0.38, 0.49)
    """

    value: float
    replicates: Floats
    acceleration: float

    @property
    def standard_error(self) -> float:
        """The standard deviation of the replicates."""
        return float(np.std(self.replicates, ddof=1))

    def confidence_interval(
        self, confidence_level: float = 0.95, *, method: Literal["percentile", "bca"] = "bca"
    ) -> ConfidenceInterval:
        """Return an interval for the true value, from quantiles of the replicates.

        Parameters
        ----------
        confidence_level : float, default 0.95
            Probability that an interval contains the true value.
        method : {"percentile", "bca"}, default "bca"
            "percentile" uses the quantiles themselves; "bca" moves them for bias and skewness.

        Returns
        -------
        ConfidenceInterval
            The ends of the interval, ``low`` and ``high``.
        """
        from scipy.special import ndtr, ndtri

        level = check_level(confidence_level)
        ends = np.array([0.5 - 0.5 * level, 0.5 + 0.5 * level])
        if method == "bca":
            below = np.mean(self.replicates < self.value)
            equal = np.mean(self.replicates == self.value)
            share = np.clip(below + 0.5 * equal, 0.5 / len(self.replicates), None)
            bias = float(ndtri(min(share, 1.0 - 0.5 / len(self.replicates))))
            moved = bias + ndtri(ends)
            # Far out the correction would turn round; there it has no meaning.
            ends = np.sort(ndtr(bias + moved / np.maximum(1.0 - self.acceleration * moved, 0.1)))
        elif method != "percentile":
            raise InputError(f"'method' must be 'percentile' or 'bca', but is {method!r}.")
        low, high = np.quantile(self.replicates, ends)
        return ConfidenceInterval(float(low), float(high))

    def __repr__(self) -> str:
        return (
            f"Bootstrap({self.value:.6g}, standard_error={self.standard_error:.4g}, "
            f"{len(self.replicates)} replicates)"
        )


def bootstrap(
    metric: str | Callable[..., float],
    y_true: Any,
    y_pred: Any,
    *,
    replicates: int = 1000,
    resampling: Resampling = "poisson",
    clusters: Any = None,
    rng: Random = 0,
    progress: bool = True,
    sample_weight: Any = None,
    **context: Any,
) -> Bootstrap:
    """Evaluate a metric, or a function of your own, on resampled data.

    Resampling changes the weights of rows, not the rows, unless a function of your own has no
    argument ``sample_weight``. For torch and CuPy arrays, Poisson replicates of metrics that are
    functions of weighted sums (mean losses, the area over the RROC curve) are drawn on the device.

    Parameters
    ----------
    metric : function or str
        A metric, or any function of true values and predictions that returns a number.
    y_true, y_pred : array of shape (n,)
        True values and predictions, one per case.
    replicates : int, default 1000
        Number of times the data are resampled.
    resampling : {"poisson", "multinomial"}, default "poisson"
        Independent Poisson(1) counts, or exactly as many units as there are. With multinomial
        counts the classes of metrics for which they are strata (AUC, volumes) keep their sizes.
    clusters : array of shape (n,), optional
        Group of each row: whole clusters are resampled.
    rng : int or Generator, default 0
        Seed or generator of random numbers: the same seed gives the same result.
    progress : bool, default True
        Whether to show progress on a terminal if it takes long.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.
    **context : object
        Other arguments of the metric, such as ``asymmetry``.

    Returns
    -------
    Bootstrap
        The value and its replicates, from which intervals follow.

    Examples
    --------
    >>> import numpy as np
    >>> import roctopus as rt
    >>> from roctopus.inference import bootstrap
    >>> rng = np.random.default_rng(0)
    >>> y = rng.normal(size=200)
    >>> found = bootstrap(rt.uniform_cutoff_area, y, y + rng.normal(size=200), replicates=200)
    >>> low, high = found.confidence_interval()
    >>> low < found.value < high
    True

    A function of your own, such as a median, which has no other error:

    >>> def median_error(y_true, y_pred):
    ...     return np.median(np.abs(y_pred - y_true))
    >>> bootstrap(median_error, y, y + rng.normal(size=200), replicates=200)
    Bootstrap(0.717078, standard_error=0.06501, 200 replicates)
    """
    count = check_whole(replicates, "replicates", 2)
    check_choice(resampling, "resampling", "poisson", "multinomial")
    if "time" in context:
        raise InputError(
            "'time' cannot be used here, because the bootstrap assumes that cases are independent. "
            "Leave out 'time'."
        )
    generator = read_generator(rng)
    weighing = {} if sample_weight is None else {"sample_weight": sample_weight}
    found = estimate(metric, y_true, y_pred, clusters=clusters, **weighing, **context)
    bar = Progress("bootstrap", count, progress)
    if is_own(metric):
        own = OwnFunction.of(metric, (y_true, y_pred), {**weighing, **context})
        return _finish(found, _shown(_of_own(own, clusters, count, resampling, generator), bar))
    entry = find_metric(metric)
    if entry.batch is not None and resampling == "poisson" and clusters is None:
        columns = [y_true, y_pred, *weighing.values()]
        if all(map(can_draw_like, columns)):
            drawn = _drawn_on_device(entry, columns, count, generator, context)
            return _finish(found, _shown(drawn, bar))
    labels, pos_label = number_labels(y_true), context.pop("pos_label", None)
    column = labels.column if pos_label is None else labels.read("y_true", pos_label).values
    truth, prediction = (
        to_numpy(read_array(c, n)) for c, n in ((column, "y_true"), (y_pred, "y_pred"))
    )
    check_same_length(y_true=truth, y_pred=prediction)
    weight = np.ones(len(truth))
    if sample_weight is not None:
        weight = to_numpy(read_array(sample_weight, "sample_weight"))
        check_weights(weight)
    rows = np.arange(len(truth))
    unit = rows if clusters is None else read_groups(clusters, len(rows))[0]
    row_wise = any(not is_single(each) or hasattr(each, "__len__") for each in context.values())
    if not row_wise:  # what belongs to rows must stay with them
        shifted = find_arm(entry.arm).knob == "shift"
        rows = np.argsort(prediction - truth if shifted else prediction)
        rows = rows[weight[rows] > 0.0]
    truth, prediction, weight = truth[rows], prediction[rows], weight[rows]
    unit = np.unique(unit[rows], return_inverse=True)[1]
    strata = None if clusters is not None or found.strata is None else found.strata[rows]
    total = float(weight.sum())

    def blocks() -> Iterator[Floats]:
        for counts in _counts(unit, strata, count, resampling, generator):
            weights = counts if sample_weight is None else counts * weight
            if entry.batch is None:
                each = [
                    _value(entry.function, truth, prediction, row, total, context)
                    for row in weights
                ]
                yield np.array(each)
            else:
                yield entry.batch(truth, prediction, weights, total=total, **context)

    return _finish(found, _shown(blocks(), bar))


def _of_own(
    own: OwnFunction,
    clusters: Any,
    replicates: int,
    resampling: Resampling,
    generator: np.random.Generator,
) -> Iterator[Floats]:
    """Yield replicates of a function of the user's own."""
    size = len(own)
    unit = np.arange(size) if clusters is None else read_groups(clusters, size)[0]
    for counts in _counts(unit, None, replicates, resampling, generator):
        yield np.array([_own_value(own, row) for row in counts])


def _own_value(own: OwnFunction, counts: Floats) -> float:
    """Evaluate the function on a resample; NaN where it has no value."""
    weight = counts if own.weight is None else counts * own.weight
    if not weight.any():
        return float("nan")
    try:
        return own.at(weight.astype(np.float64))
    except (InputError, ValueError, ZeroDivisionError):
        return float("nan")


def _drawn_on_device(
    entry: Metric,
    columns: list[Any],
    count: int,
    generator: np.random.Generator,
    context: dict[str, Any],
) -> Iterator[Floats]:
    """Yield replicates of a metric of weighted sums; only these leave the device."""
    assert entry.batch is not None
    truth, prediction, *weights = (read_array(column, "column") for column in columns)
    xp = shared_namespace(y_true=truth, y_pred=prediction)
    total = float(xp.sum(weights[0])) if weights else float(truth.shape[0])
    for counts in device_poisson_counts(truth, count, generator):
        weighted = counts * weights[0] if weights else counts
        yield entry.batch(truth, prediction, weighted, total=total, **context)


def _shown(blocks: Iterator[Floats], bar: Progress) -> Floats:
    """Gather the replicates, showing how many there are."""
    kept: list[Floats] = []
    for block in blocks:
        kept.append(block)
        bar.show(sum(map(len, kept)))
    return np.concatenate(kept)


def _finish(found: Estimate, kept: Floats) -> Bootstrap:
    """Leave out what has no value, and find the acceleration."""
    largest = float(np.max(np.abs(found.terms)))
    terms = found.terms / largest if 0.0 < largest < np.inf else np.zeros(1)
    cubes, squares = float(np.sum(terms**3)), float(np.sum(terms**2))
    acceleration = cubes / (6.0 * squares**1.5) if squares > 0.0 else 0.0
    if largest == 0.0:
        warn(
            "All cases give the same value, so all replicates are equal. This does not mean "
            "that the value is certain."
        )
    missing = np.isnan(kept)
    if missing.mean() > 0.1:
        raise InputError(
            f"{100 * missing.mean():.0f} % of the resamples have no value: there are too few cases "
            "(or too few of a class) to bootstrap."
        )
    if missing.any():
        count = np.count_nonzero(missing)
        told = (
            "1 resample has no value and is"
            if count == 1
            else f"{count} resamples have no value and are"
        )
        warn(f"{told} left out.")
    return Bootstrap(found.value, kept[~missing], acceleration)


def _value(
    metric: Callable[..., float],
    y: Floats,
    p: Floats,
    weight: NDArray[np.floating[Any]],
    total: float,
    context: dict[str, Any],
) -> float:
    """Evaluate the metric on a resample, brought to the total weight of the data."""
    drawn = float(weight.sum())
    if drawn == 0.0:
        return float("nan")
    try:
        scaled = weight.astype(np.float64) * (total / drawn)
        return metric(y, p, sample_weight=scaled, **context)
    except InputError:
        return float("nan")


def _counts(
    unit: NDArray[np.intp],
    strata: NDArray[np.intp] | None,
    replicates: int,
    resampling: Resampling,
    generator: np.random.Generator,
) -> Iterator[NDArray[np.floating[Any]]]:
    """Yield blocks of how often each row is drawn: a row per replicate."""
    size = int(unit.max()) + 1
    alone = size == len(unit)
    if resampling == "poisson":
        for block in poisson_counts(size, replicates, generator):
            yield block if alone else block[:, unit]
        return
    groups = [np.arange(size)]
    if strata is not None:
        groups = [np.flatnonzero(strata == k) for k in np.unique(strata)]
    for _ in range(replicates):
        drawn = np.zeros(size)
        for group in groups:
            rows = group[generator.integers(0, len(group), len(group))]
            drawn += np.bincount(rows, minlength=size)
        yield (drawn if alone else drawn[unit])[None, :]
