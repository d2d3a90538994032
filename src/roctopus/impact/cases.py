"""Cases ranked by score, with what accepting each of them is worth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NoReturn, TypeAlias

import numpy as np
from numpy.typing import NDArray

from roctopus.core.arrays import Array, Floats, frame_backend, read_array, to_numpy
from roctopus.core.checks import check_scalar
from roctopus.core.errors import InputError, arg, warn
from roctopus.core.given import call_given, takes
from roctopus.core.labels import number_labels, read_labelled_sample
from roctopus.core.orders import order_of
from roctopus.core.piecewise import Index
from roctopus.core.sample import Sample, check_row_order, read_sample
from roctopus.impact.utilities import LinearUtility, UtilityScale

Utility: TypeAlias = LinearUtility | Callable[..., LinearUtility]
"""A utility, or a function that makes one from true values, such as ``value_times_price``.

A function with a parameter ``sample_weight`` gets the weights, too.
"""


@dataclass(frozen=True, eq=False)
class Ranking:
    """The cases from the highest score down, equal scores together."""

    order: Index
    last_of_tie: NDArray[np.bool_]
    threshold: Floats
    """+inf (reject all), then the distinct scores from the highest down."""

    @staticmethod
    def of(score: Floats) -> Ranking:
        """Sort the scores."""
        order = order_of(score)[::-1]
        ordered = score[order]
        last = np.append(ordered[1:] != ordered[:-1], True)
        return Ranking(order, last, np.append(np.inf, ordered if last.all() else ordered[last]))

    def totals(self, values: Floats) -> Floats:
        """Return the sums over the cases accepted at each threshold."""
        totals: Floats
        if values.strides == (0,):  # one number for all cases
            totals = np.arange(len(self.order) + 1.0) * float(values[0])
        else:
            totals = np.empty(len(self.order) + 1)
            totals[0] = 0.0
            np.cumsum(values[self.order], out=totals[1:])
        if self.last_of_tie.all():
            return totals
        return np.asarray(totals[np.append(True, self.last_of_tie)])


@dataclass(frozen=True, eq=False)
class Offers:
    """The cases that count, in numpy: score, weight, and the line of what accepting is worth."""

    sample: Sample
    slope: Floats
    intercept: Floats
    scale: UtilityScale
    at_least: float = 0.0
    at_most: float = np.inf

    @property
    def score(self) -> Floats:
        """The scores."""
        scores: Floats = self.sample.y_pred
        return scores

    def weighted(self, values: Floats) -> Floats:
        """Return the values times the weights."""
        weight = self.sample.weight
        return values if weight is None else values * weight

    def worth(self, theta: float) -> Floats:
        """Return what accepting each case is worth at one θ."""
        return self.slope * theta + self.intercept

    @cached_property
    def ranking(self) -> Ranking:
        """The cases by falling score."""
        return Ranking.of(self.score)

    @cached_property
    def accepted(self) -> Floats:
        """The weight accepted at each threshold."""
        if self.sample.weight is None:
            return self.ranking.totals(np.broadcast_to(1.0, self.sample.size))
        return self.ranking.totals(self.sample.weight)

    def unit(self, normalize: bool) -> float:
        """Return what a value of each case is multiplied by so that its mean is the total."""
        return 1.0 if normalize else self.sample.total_weight

    @property
    def limited(self) -> bool:
        """Whether there is a capacity."""
        return self.at_least > 0.0 or not np.isinf(self.at_most)

    @cached_property
    def allowed(self) -> Index | slice:
        """The thresholds that keep to the capacity."""
        if not self.limited:
            return slice(None)
        slack = 1e-9 * self.sample.total_weight  # weights are added up in floating point
        kept = (self.accepted >= self.at_least - slack) & (self.accepted <= self.at_most + slack)
        if not kept.any():
            refuse_capacity(self.at_least, self.at_most, self.sample.total_weight)
        return np.flatnonzero(kept)

    @property
    def threshold(self) -> Floats:
        """The thresholds that may be chosen, from the highest down."""
        return self.ranking.threshold[self.allowed]

    @property
    def shares(self) -> tuple[float, float]:
        """The least and the largest share that a threshold may accept."""
        accepted = self.accepted[self.allowed]
        total = self.sample.total_weight
        return float(accepted[0]) / total, float(accepted[-1]) / total

    @cached_property
    def origin(self) -> float:
        """A θ about which lines are written: far from zero it saves digits, else it is zero."""
        return common_origin(self.slope, self.intercept)

    @cached_property
    def parts(self) -> tuple[Floats, Floats]:
        """Slope of every case, and its intercept at the origin, times the weights."""
        about = self.intercept + self.slope * self.origin if self.origin else self.intercept
        return self.weighted(self.slope), self.weighted(about)

    @cached_property
    def lines(self) -> tuple[Floats, Floats]:
        """Slope and intercept (at the origin) of the impact of every threshold."""
        slope, intercept = (self.ranking.totals(part) for part in self.parts)
        return slope, intercept

    def best(self, theta: float) -> tuple[float, float, float]:
        """Return the largest impact at one θ, its threshold, and the weight it accepts.

        Of equally good thresholds it is the one that accepts fewest.
        """
        totals = self.ranking.totals(self.weighted(self.worth(theta)))[self.allowed]
        first = int(np.argmax(totals))
        # Sums carry rounding: those on the way to the best one, not what comes after it.
        rounding = 8.0 * np.finfo(np.float64).eps * float(np.max(np.abs(totals[: first + 1])))
        position = int(np.argmax(totals >= totals[first] - rounding))
        accepted = float(self.accepted[self.allowed][position])
        return float(totals[position]), float(self.threshold[position]), accepted

    def all_accepted(self, theta: float) -> float:
        """Return the impact of accepting all cases."""
        return float(np.sum(self.weighted(self.worth(theta))))

    def warn_if_constant(self) -> None:
        """Say when θ changes nothing."""
        if not self.slope.any():
            warn_of_constant()


def warn_of_constant() -> None:
    """Warn that θ changes nothing."""
    warn(
        "All slopes of the utility are zero, so its value does not depend on θ and the curve is "
        "constant."
    )


def refuse_capacity(at_least: float, at_most: float, total: float) -> NoReturn:
    """Raise an error for a capacity that no threshold keeps to."""
    raise InputError(
        f"No threshold accepts between {at_least:g} and {at_most:g} of the {total:g} cases, "
        "because cases with equal scores are accepted together. Use a wider range from 'at_least' "
        "to 'at_most'."
    )


def common_origin(slopes: Array, intercepts: Array) -> float:
    """Return the θ near which all cases break even, if there is one, else zero.

    Where it is large, sums of slope·θ and intercept would cancel.
    """
    step = 1 + int(slopes.shape[0]) // 4096  # any θ will do, a good one helps
    slope, intercept = to_numpy(slopes[::step]), to_numpy(intercepts[::step])
    largest = float(np.max(np.abs(slope)))
    if largest == 0.0:
        return 0.0
    scaled = slope / largest
    middle = -float(np.sum(scaled * intercept) / np.sum(scaled * scaled)) / largest
    if not np.isfinite(middle):
        return 0.0
    left = np.abs(intercept + slope * middle)
    return middle if np.sum(left) < 0.125 * np.sum(np.abs(intercept)) else 0.0


def _finish(
    sample: Sample, utility: LinearUtility, at_least: float | None, at_most: float | None
) -> Offers:
    utility = utility.to_numpy()
    slope, intercept = utility.slope, utility.intercept
    if sample.kept is not None:
        kept = to_numpy(sample.kept) > 0
        slope, intercept = slope[kept], intercept[kept]
    limits = read_capacity(at_least, at_most, sample.total_weight)
    return Offers(sample, slope, intercept, utility.scale, *limits)


def read_capacity(
    at_least: float | None, at_most: float | None, total: float
) -> tuple[float, float]:
    """Check and read the least and the largest weight that is accepted."""
    limits = []
    for name, limit, default in (("at_least", at_least, 0.0), ("at_most", at_most, np.inf)):
        number = default if limit is None else check_scalar(limit, name)
        if limit is not None and not 0.0 <= number <= total * (1.0 + 1e-12):
            raise InputError(
                f"{arg(name)} must be between 0 and the number of cases ({total:g}), but is "
                f"{number:g}."
            )
        limits.append(number)
    if limits[0] > limits[1]:
        raise InputError(
            f"{arg('at_least')} ({limits[0]:g}) must not exceed {arg('at_most')} ({limits[1]:g})."
        )
    return limits[0], limits[1]


def check_utility(utility: Any) -> None:
    """Raise an error for what is not a utility; a maker must be called first."""
    if not isinstance(utility, LinearUtility):
        _refuse_metric(utility)
        known = getattr(utility, "__name__", "<").isidentifier()
        told = f"the function {utility.__name__}" if known else f"of type {type(utility).__name__}"
        hint = " Use a utility such as value_times_price(y_true)."
        if known:
            hint = f" Call the function first, as in {utility.__name__}(y_true)."
        raise InputError(f"{arg('utility')} must be a LinearUtility, but is {told}.{hint}")


def _refuse_metric(utility: Any) -> None:
    """Raise an error for a metric, such as net_benefit, in place of a utility of that name."""
    if hasattr(utility, "metric"):
        name = utility.__name__
        hint = f" Use {name}_utility." if name == "net_benefit" else ""
        raise InputError(
            f"{arg('utility')} must be a LinearUtility, or a function that makes one from "
            f"{arg('y_true')}, but {name} is a metric.{hint}"
        )


def read_scored(
    y_score: Any,
    utility: Any,
    sample_weight: Any = None,
    at_least: float | None = None,
    at_most: float | None = None,
) -> Offers:
    """Check and read scores, and what accepting each case is worth."""
    check_utility(utility)
    check_row_order(utility=utility.column, y_score=y_score, sample_weight=sample_weight)
    columns = [to_numpy(read_array(y_score, "y_score")), None]
    if sample_weight is not None:
        columns[1] = to_numpy(read_array(sample_weight, "sample_weight"))
    utility = utility.to_numpy()
    sample = read_sample(utility.intercept, *columns, names=("utility", "y_score"))
    backend = frame_backend(y_score) or frame_backend(utility.column)
    return _finish(replace(sample, backend=backend), utility, at_least, at_most)


def read_offers(
    y_true: Any,
    y_score: Any,
    utility: Any,
    sample_weight: Any = None,
    at_least: float | None = None,
    at_most: float | None = None,
    pos_label: Any = None,
) -> Offers:
    """Check and read true values and scores; make the utility if it is a function.

    Truths of two classes become 0 and 1 first, where ``pos_label`` says which one is positive.
    """
    labels = number_labels(y_true)
    truth = labels.column
    if labels.text or pos_label is not None:
        truth = labels.read("y_true", pos_label).values
    sample = read_labelled_sample(y_true, truth, y_score, sample_weight, "y_score").to_numpy()
    made = utility
    _refuse_metric(utility)
    if callable(utility) and not isinstance(utility, LinearUtility):
        weighing = sample_weight is not None and takes(utility, "sample_weight")
        weight = {"sample_weight": sample_weight} if weighing else {}
        made = call_given(utility, "utility", truth, **weight)
    if not isinstance(made, LinearUtility):
        raise InputError(
            f"{arg('utility')} must be a LinearUtility, or a function that makes one from "
            f"{arg('y_true')}, such as value_times_price, but is of type {type(made).__name__}."
        )
    rows = sample.size if sample.kept is None else len(sample.kept)
    if len(made) != rows:
        raise InputError(
            f"{arg('utility')} and {arg('y_true')} must have the same number of cases, but have "
            f"{len(made)} and {rows}."
        )
    return _finish(sample, made, at_least, at_most)
