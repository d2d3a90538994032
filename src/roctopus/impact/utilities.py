"""What accepting a case is worth, as a line over the price θ."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roctopus.core.arrays import (
    Array,
    Floats,
    is_foreign,
    is_single,
    on_device_of,
    read_array,
    shared_namespace,
    to_numpy,
)
from roctopus.core.checks import check_finite, check_number, check_same_length, check_scalar
from roctopus.core.errors import InputError, arg
from roctopus.core.sample import check_row_order


@dataclass(frozen=True)
class SecondAxis:
    """Another way to read θ, such as its break-even point.

    Parameters
    ----------
    label : str
        Label of the axis.
    of_theta : function
        Takes an array of θ and returns the values to show.
    to_theta : function
        Takes values and returns θ.
    word : str, optional
        Keyword that gives θ by it, if it is a share below 1.

    Examples
    --------
    >>> odds = SecondAxis("threshold probability", lambda x: x / (1 + x), lambda t: t / (1 - t))
    >>> odds.of_theta(0.25)
    0.2
    """

    label: str
    of_theta: Callable[[Floats], Floats]
    to_theta: Callable[[Floats], Floats]
    word: str | None = None


@dataclass(frozen=True)
class UtilityScale:
    """What θ and the utility mean, and which θ make sense: labels that travel with the numbers.

    Parameters
    ----------
    label : str, default "θ"
        Meaning of θ, for axes.
    outcome : str, default "impact"
        Meaning of the values, for axes.
    low, high : float, default infinite
        Smallest and largest θ that make sense.
    second : SecondAxis, optional
        Another way to read θ.
    gained : str, default ""
        What accepting a case gains, in words; empty if not known.

    Examples
    --------
    >>> scale = UtilityScale(label="copper price / processing cost", low=0.0)
    >>> scale.check(2)
    2.0
    """

    label: str = "θ"
    outcome: str = "impact"
    low: float = -math.inf
    high: float = math.inf
    second: SecondAxis | None = None
    gained: str = ""

    def __post_init__(self) -> None:
        low, high = check_number(self.low, "low"), check_number(self.high, "high")
        if not low < high:
            raise InputError(
                f"'low' must be less than 'high', but 'low' is {low:g} and 'high' is {high:g}."
            )
        object.__setattr__(self, "low", low)
        object.__setattr__(self, "high", high)

    def check(self, theta: Any) -> float:
        """Return θ as a number; a θ that makes no sense here raises an error.

        Parameters
        ----------
        theta : float
            Price θ.

        Returns
        -------
        float
            The same θ.
        """
        at = check_scalar(theta, "theta")
        if not self.low <= at <= self.high:
            limits = f"between {self.low:g} and {self.high:g}"
            limits = f"at least {self.low:g}" if math.isinf(self.high) else limits
            raise InputError(f"{arg('theta')} must be {limits}, but is {at:g}.")
        return at

    @property
    def ways(self) -> tuple[tuple[str, ...], ...]:
        """The keywords in which θ can be given."""
        word = None if self.second is None else self.second.word
        return (("theta",),) if word is None else (("theta",), (word,))

    def from_shares(self, word: str, shares: Floats) -> Floats:
        """Return θ for values of the second axis, such as threshold probabilities.

        Parameters
        ----------
        word : str
            Keyword of the second axis, such as "threshold_probability".
        shares : array of shape (k,)
            Values from 0 to 1.

        Returns
        -------
        array of shape (k,)
            The prices θ.
        """
        assert self.second is not None
        wrong = ~((shares >= 0.0) & (shares < 1.0))
        if wrong.any():
            raise InputError(
                f"{arg(word)} must be at least 0 and less than 1, but is {shares[wrong][0]:g}."
            )
        return self.second.to_theta(shares)

    def second_axis(self, theta: Floats) -> tuple[str, Floats] | None:
        """Return the values of the second axis, such as break-even points.

        Parameters
        ----------
        theta : array of shape (k,)
            Prices θ.

        Returns
        -------
        tuple of str and array, or None
            The label of the second axis and its values; None if there is no such axis.
        """
        second = self.second
        return None if second is None else (second.label, np.asarray(second.of_theta(theta)))


@dataclass(frozen=True, eq=False)
class LinearUtility:
    """The value of accepting each case rather than rejecting it: slope·θ + intercept.

    It needs the outcome of every case, of rejected ones, too: if the outcomes of rejected cases
    were never seen, no curve can show what accepting them would have given.

    Parameters
    ----------
    slope, intercept : float or array of shape (n,)
        One number per case, or one for all cases. Arrays on a device stay there.
    scale : UtilityScale, optional
        Meaning and range of θ.
    column : array of shape (n,), optional
        Your own column, whose index rows are compared with.

    Attributes
    ----------
    single : dict of str to float
        Parts that were given as one number for all cases.

    Examples
    --------
    >>> LinearUtility([2.0, 5.0, 1.0], -3.0).at(1.0).tolist()
    [-1.0, 2.0, -2.0]
    """

    slope: Any
    intercept: Any
    scale: UtilityScale = field(default_factory=UtilityScale)
    column: Any = field(default=None, repr=False)
    single: dict[str, float] = field(init=False, repr=False, default_factory=dict)

    def __post_init__(self) -> None:
        if not isinstance(self.scale, UtilityScale):
            raise InputError(
                "'scale' must be a scale such as UtilityScale('price'), but is of type "
                f"{type(self.scale).__name__}."
            )
        parts = {"slope": self.slope, "intercept": self.intercept}
        check_row_order(**parts)
        columns: dict[str, Array] = {}
        single = self.single
        kept = len({type(part) for part in parts.values() if is_foreign(part)}) == 1
        for name, part in parts.items():
            if is_single(part):
                single[name] = check_scalar(part, name)
            else:
                kept = kept and is_foreign(part)  # of one library, or else all in numpy
                columns[name] = read_array(part, name)
                check_finite(columns[name], name)
                if self.column is None:
                    object.__setattr__(self, "column", part)
        if not columns:
            raise InputError(
                "'slope' and 'intercept' are both single numbers, but at least one of them must "
                "contain one number per case."
            )
        size = check_same_length(**columns)
        for name, column in columns.items():
            # The user's own arrays may change.
            columns[name] = _copy(column) if kept else np.array(to_numpy(column))
        some = next(iter(columns.values()))
        for name, number in single.items():
            columns[name] = np.broadcast_to(number, size)
            if kept:
                xp = shared_namespace(column=some)
                columns[name] = xp.broadcast_to(on_device_of(some, [number], xp=xp), (size,))
        for name, column in columns.items():
            object.__setattr__(self, name, column)

    def __len__(self) -> int:
        return int(self.slope.shape[0])

    def to_numpy(self) -> LinearUtility:
        """Return the same utility in numpy.

        Returns
        -------
        LinearUtility
            The utility, with numpy arrays.
        """
        if isinstance(self.slope, np.ndarray):
            return self
        parts = (self.single.get(name, getattr(self, name)) for name in ("slope", "intercept"))
        slope, intercept = (p if isinstance(p, float) else to_numpy(p) for p in parts)
        return replace(self, slope=slope, intercept=intercept)

    def take_rows(self, rows: NDArray[np.intp]) -> LinearUtility:
        """Return the utility of some of the cases.

        Parameters
        ----------
        rows : array of int of shape (k,)
            Positions of the cases.

        Returns
        -------
        LinearUtility
            The utility of these cases, in this order.
        """
        found = self.to_numpy()
        parts = (found.single.get(name, getattr(found, name)) for name in ("slope", "intercept"))
        slope, intercept = (p if isinstance(p, float) else p[rows] for p in parts)
        return replace(found, slope=slope, intercept=intercept, column=None)

    @property
    def middle_price(self) -> float:
        """A θ at which about half of the cases break even."""
        slope, intercept = to_numpy(self.slope), to_numpy(self.intercept)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            even = -intercept / slope
        even = even[np.isfinite(even)]
        found = float(np.median(even)) if len(even) else 0.0
        return float(np.clip(found, self.scale.low, self.scale.high))

    def at(self, theta: float | Floats) -> Floats:
        """Return the value of accepting each case.

        Parameters
        ----------
        theta : float or array of shape (n,)
            Price θ for all cases, or one for each.

        Returns
        -------
        array of shape (n,)
            The value of each case.
        """
        at = theta if isinstance(theta, np.ndarray) else check_scalar(theta, "theta")
        return to_numpy(self.slope * at + self.intercept)

    def __sub__(self, other: LinearUtility) -> LinearUtility:
        """Return the value of accepting less that of rejecting."""
        if not isinstance(other, LinearUtility):
            return NotImplemented
        check_same_length(this=self.slope, other=other.slope)
        this = self
        if type(this.slope) is not type(other.slope):
            this, other = this.to_numpy(), other.to_numpy()
        return LinearUtility(this.slope - other.slope, this.intercept - other.intercept, self.scale)

    def __repr__(self) -> str:
        return f"LinearUtility({len(self)} cases; {self.scale.outcome} over {self.scale.label})"


def _inverse(x: Floats) -> Floats:
    with np.errstate(divide="ignore"):
        return 1.0 / np.asarray(x, dtype=np.float64)


def _same(x: Floats) -> Floats:
    return np.asarray(x, dtype=np.float64)


def value_times_price(y_true: Any) -> LinearUtility:
    """Return the utility value·θ − 1: a case earns its value at the price θ and costs 1.

    θ is price/cost, such as the price of copper over the cost of processing a rock; 1/θ is the
    value at which accepting breaks even. Impact is in units of the cost.

    Parameters
    ----------
    y_true : array of shape (n,)
        Value of each case, such as its copper grade.

    Returns
    -------
    LinearUtility
        The value of accepting each case, as a line over θ.

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
        gained="its value times θ, minus 1",
    )
    return LinearUtility(_read_anywhere(y_true), -1.0, scale, y_true)


def value_minus_cutoff(y_true: Any) -> LinearUtility:
    """Return the utility value − θ: accepting a case gains its value minus a cutoff.

    Parameters
    ----------
    y_true : array of shape (n,)
        Value of each case.

    Returns
    -------
    LinearUtility
        The value of accepting each case, as a line over θ.

    Examples
    --------
    >>> value_minus_cutoff([3, 5, 1]).at(3.5).tolist()
    [-0.5, 1.5, -2.5]
    """
    scale = UtilityScale(
        "θ = cutoff",
        "impact (value − θ)",
        second=SecondAxis("break-even value", _same, _same),
        gained="its value minus θ",
    )
    return LinearUtility(-1.0, _read_anywhere(y_true), scale, y_true)


def _read_anywhere(y_true: Any) -> Array:
    values = read_array(y_true, "y_true")
    check_finite(values, "y_true")
    return values


def _copy(column: Array) -> Array:
    return shared_namespace(column=column).asarray(column, copy=True)
