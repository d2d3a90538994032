"""What accepting a case is worth, as a line over the price θ."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from roctopus.core.arrays import Floats, is_text, read_array, to_numpy
from roctopus.core.checks import (
    check_finite,
    check_same_length,
    check_scalar,
    check_weights,
    name_rows,
)
from roctopus.core.errors import InputError, warn

__all__ = [
    "CostMatrix",
    "LinearUtility",
    "SecondAxis",
    "UtilityScale",
    "matrix_utility",
    "net_benefit",
    "value_minus_cutoff",
    "value_times_price",
]


@dataclass(frozen=True)
class SecondAxis:
    """Another way to read θ, such as its break-even point."""

    label: str
    of_theta: Callable[[Floats], Floats]
    to_theta: Callable[[Floats], Floats]


@dataclass(frozen=True)
class UtilityScale:
    """What θ and the utility mean, and which θ make sense: labels that travel with the numbers."""

    label: str = "θ"
    outcome: str = "impact"
    low: float = -math.inf
    high: float = math.inf
    second: SecondAxis | None = None


@dataclass(frozen=True, eq=False)
class LinearUtility:
    """What accepting each case is worth, above rejecting it: slope·θ + intercept.

    Both are arrays with one number per case, or a single number for all. They need the outcome of
    every case, of rejected ones too: where outcomes of rejected cases were never seen, no curve can
    tell what accepting them would have been worth.

    Examples
    --------
    >>> LinearUtility([2.0, 5.0, 1.0], -3.0).at(1.0).tolist()
    [-1.0, 2.0, -2.0]
    """

    slope: Any
    """A numpy array once read, as is the intercept."""
    intercept: Any
    scale: UtilityScale = field(default_factory=UtilityScale)

    def __post_init__(self) -> None:
        parts = {"slope": self.slope, "intercept": self.intercept}
        columns: dict[str, Floats] = {}
        single: dict[str, float] = {}
        for name, part in parts.items():
            if np.ndim(part) == 0 and not hasattr(part, "__len__"):
                single[name] = check_scalar(part, name)
            else:
                columns[name] = to_numpy(read_array(part, name))
                check_finite(columns[name], name)
        if not columns:
            raise InputError("'slope' or 'intercept' must hold one number per case.")
        size = check_same_length(**columns)
        for name in parts:
            column = columns[name] if name in columns else np.broadcast_to(single[name], size)
            object.__setattr__(self, name, column)

    def __len__(self) -> int:
        return len(self.slope)

    def at(self, theta: float) -> Floats:
        """Return the worth of accepting each case at one θ."""
        return np.asarray(self.slope * check_scalar(theta, "theta") + self.intercept)

    def __sub__(self, other: LinearUtility) -> LinearUtility:
        """Return the worth of accepting less that of rejecting."""
        if not isinstance(other, LinearUtility):
            return NotImplemented
        check_same_length(this=self.slope, other=other.slope)
        return LinearUtility(self.slope - other.slope, self.intercept - other.intercept, self.scale)

    def __repr__(self) -> str:
        return f"LinearUtility({len(self)} cases; {self.scale.outcome} over {self.scale.label})"


def _inverse(x: Floats) -> Floats:
    with np.errstate(divide="ignore"):
        return 1.0 / np.asarray(x, dtype=np.float64)


def _same(x: Floats) -> Floats:
    return np.asarray(x, dtype=np.float64)


def _probability(odds: Floats) -> Floats:
    return np.asarray(odds, dtype=np.float64) / (1.0 + np.asarray(odds, dtype=np.float64))


def _odds(probability: Floats) -> Floats:
    share = np.asarray(probability, dtype=np.float64)
    with np.errstate(divide="ignore"):
        return share / (1.0 - share)


def value_times_price(y_true: Any) -> LinearUtility:
    """Return the utility value·θ − 1: a case earns its value at the price θ and costs 1.

    θ is price/cost, such as that of copper over that of processing a rock; 1/θ is the value at
    which accepting breaks even. Impact is in units of the cost.

    Examples
    --------
    >>> value_times_price([0.1, 0.5, 1.2]).at(8.16 / 4.08).tolist()
    [-0.8, 0.0, 1.4]
    """
    scale = UtilityScale(
        "θ = price / cost",
        "impact (value·θ − 1)",
        0.0,
        second=SecondAxis("break-even value 1/θ", _inverse, _inverse),
    )
    return LinearUtility(_column(y_true), -1.0, scale)


def value_minus_cutoff(y_true: Any) -> LinearUtility:
    """Return the utility value − θ: a case is worth what it has above a cutoff.

    Examples
    --------
    >>> value_minus_cutoff([3, 5, 1]).at(3.5).tolist()
    [-0.5, 1.5, -2.5]
    """
    scale = UtilityScale(
        "θ = cutoff", "impact (value − θ)", second=SecondAxis("break-even value", _same, _same)
    )
    return LinearUtility(-1.0, _column(y_true), scale)


def net_benefit(
    y_true: Any, *, prevalence: float | None = None, sample_weight: Any = None
) -> LinearUtility:
    """Return the utility of decision curves: 1 for a positive, −θ for a negative.

    θ = t/(1 − t) are the odds of the threshold probability t: a false positive costs θ times what a
    true one gains. The mean impact (``normalize=True``) is at least the net benefit of accepting
    where the probability is t or more, and equal to it for probabilities calibrated on the same
    cases.

    Parameters
    ----------
    y_true : array of shape (n,)
        Labels 0 and 1, or booleans. Probabilities are allowed, too: then it is the utility a model
        expects, which ``plug_in_curve`` asks for.
    prevalence : float, optional
        The share of positives in deployment where the sample's own means nothing, as in a
        case-control study.
    sample_weight : array of shape (n,), optional
        The weights the utility will be used with; they matter with ``prevalence`` only.

    Examples
    --------
    >>> net_benefit([1, 0, 1]).at(0.25).tolist()
    [1.0, -0.25, 1.0]
    """
    label = _shares(y_true)
    scale = UtilityScale(
        "θ = odds of the threshold probability",
        "net benefit",
        0.0,
        second=SecondAxis("threshold probability", _probability, _odds),
    )
    factor = _class_factors(label, prevalence, sample_weight)
    return LinearUtility((label - 1.0) * factor, label * factor, scale)


@dataclass(frozen=True, eq=False)
class CostMatrix:
    """What the four outcomes of a decision cost: numbers, or arrays with one number per case."""

    true_positive: Any = 0.0
    false_positive: Any = 0.0
    false_negative: Any = 0.0
    true_negative: Any = 0.0

    def accept_less_reject(self, label: Floats) -> Floats:
        """Return, per case, the cost of accepting less that of rejecting."""
        parts = {
            name: _cost(getattr(self, name), name, len(label))
            for name in ("true_positive", "false_positive", "false_negative", "true_negative")
        }
        positive = parts["true_positive"] - parts["false_negative"]
        negative = parts["false_positive"] - parts["true_negative"]
        return np.asarray(label * positive + (1.0 - label) * negative)


def matrix_utility(
    y_true: Any,
    *,
    fixed: CostMatrix | None = None,
    per_theta: CostMatrix | None = None,
    prevalence: float | None = None,
    sample_weight: Any = None,
) -> LinearUtility:
    """Return the utility of a cost matrix, fixed + θ × per_theta, reduced to accept − reject.

    Entries are costs (gains are negative), the same for all cases or one per case.

    Parameters
    ----------
    y_true : array of shape (n,)
        Labels 0 and 1, or booleans; or probabilities, for the utility a model expects.
    fixed, per_theta : CostMatrix
        What outcomes cost whatever θ is, and what they cost for every unit of θ.
    prevalence, sample_weight
        As in ``net_benefit``.

    Examples
    --------
    A customer worth 200 is about to leave or not; an offer costs 10, is taken by those who stay
    anyway, and keeps a share θ of those who would leave. Contacting costs 1:

    >>> utility = matrix_utility(
    ...     [1, 0, 0],
    ...     fixed=CostMatrix(true_positive=1, false_positive=11),
    ...     per_theta=CostMatrix(true_positive=-190),
    ... )
    >>> utility.at(0.3).tolist()
    [56.0, -11.0, -11.0]
    """
    label = _shares(y_true)
    factor = _class_factors(label, prevalence, sample_weight)
    slope, intercept = (
        np.zeros(len(label)) if matrix is None else -matrix.accept_less_reject(label) * factor
        for matrix in (per_theta, fixed)
    )
    for what, sign in (("Accepting", 1.0), ("Rejecting", -1.0)):
        if np.all(sign * slope >= 0.0) and np.all(sign * intercept >= 0.0):
            warn(
                f"{what} is at least as good for every case and every θ ≥ 0: these costs leave "
                "nothing to decide. Entries are costs; write gains as negative numbers."
            )
            break
    return LinearUtility(slope, intercept, UtilityScale("θ", "impact", 0.0))


def _column(y_true: Any) -> Floats:
    values = to_numpy(read_array(y_true, "y_true"))
    check_finite(values, "y_true")
    return values


def _shares(y_true: Any) -> Floats:
    """Return labels as 0 and 1, or probabilities as they are."""
    if is_text(y_true):
        raise InputError(
            "'y_true' must hold labels 0 and 1 (or probabilities). For other labels say which one "
            "is positive, as in y_true == 'yes'."
        )
    values = _column(y_true)
    outside = (values < 0.0) | (values > 1.0)
    if outside.any():
        raise InputError(
            f"'y_true' must hold labels 0 and 1 (or probabilities), but does not in "
            f"{name_rows(outside)}. Say which label is positive, as in y_true == 1."
        )
    return values


def _class_factors(label: Floats, prevalence: float | None, sample_weight: Any) -> Any:
    """Return what each case counts so that positives have the share asked for."""
    if prevalence is None:
        return 1.0
    wanted = check_scalar(prevalence, "prevalence")
    if not 0.0 < wanted < 1.0:
        raise InputError(f"'prevalence' must lie between 0 and 1, got {prevalence!r}.")
    weight = np.ones(len(label))
    if sample_weight is not None:
        weight = to_numpy(read_array(sample_weight, "sample_weight"))
        check_same_length(y_true=label, sample_weight=weight)
        check_weights(weight)
    if np.any((label != 0.0) & (label != 1.0)):
        raise InputError("'prevalence' needs labels 0 and 1 in 'y_true', not probabilities.")
    share = float(np.sum(weight * label) / np.sum(weight))
    if share in (0.0, 1.0):
        raise InputError("'prevalence' needs cases of both classes in 'y_true'.")
    return np.where(label == 1.0, wanted / share, (1.0 - wanted) / (1.0 - share))


def _cost(value: Any, name: str, size: int) -> Any:
    if np.ndim(value) == 0 and not hasattr(value, "__len__"):
        return check_scalar(value, name)
    column = to_numpy(read_array(value, name))
    check_finite(column, name)
    if len(column) != size:
        raise InputError(
            f"'{name}' must hold a number or one per case: it has {len(column)}, 'y_true' {size}."
        )
    return column
