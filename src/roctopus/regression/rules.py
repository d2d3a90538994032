"""Rules that turn an asymmetry into shifts: fitted on one sample, used on another.

A rule is fitted once and then asked for the shift of every prediction at any asymmetry, which may
be one number or one per row: ``rule.fit(y_true, y_pred).shift(0.8, y_pred_new)``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol, Self, TypeVar

import numpy as np

from roctopus.core.arrays import Floats, is_single, read_array, to_numpy
from roctopus.core.checks import check_finite, check_unit, check_whole, name_rows, read_finite
from roctopus.core.errors import InputError
from roctopus.regression.curves import RROCCurve, rroc_curve
from roctopus.regression.errors import OptimalShift, read_errors
from roctopus.regression.losses import Loss
from roctopus.regression.shifts import optimal_shift
from roctopus.regression.two_costs import LinLin

T = TypeVar("T")


class ShiftRule(Protocol):  # numpydoc ignore=PR01
    """The methods that every shift rule has: ``fit`` and ``shift``.

    A class of your own with these two methods is a rule.

    Examples
    --------
    >>> from roctopus import ConstantShift
    >>> rule: ShiftRule = ConstantShift().fit([3, 5, 8, 9], [2, 5, 9, 7])
    >>> rule.shift(0.5, [4.0]).tolist()
    [0.0]
    """

    def fit(self, y_true: Any, y_pred: Any, *, sample_weight: Any = None) -> Self:
        """Learn the shifts from a sample.

        Parameters
        ----------
        y_true, y_pred : array of shape (n,)
            True values and predictions, one per case.
        sample_weight : array of shape (n,), optional
            Weight of each case; cases of weight 0 are ignored.

        Returns
        -------
        ShiftRule
            The rule itself.
        """

    def shift(self, asymmetry: Any, y_pred: Any, **soft: Any) -> Floats:
        """Return what to add to every prediction.

        Parameters
        ----------
        asymmetry : float or array of shape (n,)
            Weight of under-estimates, from 0 to 1.
        y_pred : array of shape (n,)
            Predictions, one per case.
        **soft : array, optional
            What a soft rule needs of each prediction: ``std``, ``quantiles`` or ``members``.

        Returns
        -------
        array of shape (n,)
            The shift of each prediction.
        """


def read_asymmetries(asymmetry: Any, size: int) -> Floats:
    """Return one asymmetry per row from one number or one per row."""
    if is_single(asymmetry):
        return np.full(size, LinLin(asymmetry).asymmetry)
    alphas = to_numpy(read_array(asymmetry, "asymmetry"))
    if len(alphas) != size:
        raise InputError(
            f"'asymmetry' has length {len(alphas)}, but 'y_pred' has length {size}. Use a single "
            "number, or one number per prediction."
        )
    check_finite(alphas, "asymmetry")
    outside = (alphas < 0) | (alphas > 1)
    if outside.any():
        told = f"is {alphas[outside][0]:g}" if outside.sum() == 1 else "is outside this range"
        raise InputError(
            f"'asymmetry' must be between 0 and 1, but {told} in {name_rows(outside)}."
        )
    return alphas


def read_both(asymmetry: Any, y_pred: Any) -> tuple[Floats, Floats]:
    """Return one asymmetry per row and finite predictions, as numpy."""
    predictions = read_finite(y_pred, "y_pred")
    return read_asymmetries(asymmetry, len(predictions)), predictions


def require_fit(fitted: T | None, rule: str) -> T:
    """Return what a rule has learned; raise an error if it has not been fitted."""
    if fitted is None:
        raise InputError(f"{rule} is not fitted. Call fit(y_true, y_pred) first.")
    return fitted


@dataclass(eq=False)
class NoShift:
    """Leave the predictions as they are.

    Examples
    --------
    >>> NoShift().fit([3, 5], [2, 6]).shift(0.8, [4.0, 6.0]).tolist()
    [0.0, 0.0]
    """

    def fit(self, y_true: Any, y_pred: Any, *, sample_weight: Any = None) -> Self:
        """Do nothing: there is nothing to learn.

        Parameters
        ----------
        y_true, y_pred : array of shape (n,)
            True values and predictions, one per case.
        sample_weight : array of shape (n,), optional
            Weight of each case; cases of weight 0 are ignored.

        Returns
        -------
        NoShift
            The rule itself.
        """
        return self

    def shift(self, asymmetry: Any, y_pred: Any) -> Floats:
        """Return zeros.

        Parameters
        ----------
        asymmetry : float or array of shape (n,)
            Weight of under-estimates, from 0 to 1.
        y_pred : array of shape (n,)
            Predictions, one per case.

        Returns
        -------
        array of shape (n,)
            Zeros.
        """
        return np.zeros(len(read_both(asymmetry, y_pred)[0]))


@dataclass(eq=False)
class ConstantShift:
    """Add the shift that was best on the fitting sample at the same asymmetry (CoSh).

    Attributes
    ----------
    curve_ : RROCCurve
        RROC curve of the fitting sample.

    Examples
    --------
    >>> rule = ConstantShift().fit([3, 5, 8, 9], [2, 5, 9, 7])
    >>> rule.shift(0.8, [4.0, 6.0]).tolist()
    [2.0, 2.0]
    """

    curve_: RROCCurve | None = field(default=None, init=False, repr=False)

    def fit(self, y_true: Any, y_pred: Any, *, sample_weight: Any = None) -> Self:
        """Learn the RROC curve, which has the best shift for every asymmetry.

        Parameters
        ----------
        y_true, y_pred : array of shape (n,)
            True values and predictions, one per case.
        sample_weight : array of shape (n,), optional
            Weight of each case; cases of weight 0 are ignored.

        Returns
        -------
        ConstantShift
            The rule itself.
        """
        self.curve_ = rroc_curve(y_true, y_pred, sample_weight=sample_weight)
        return self

    def shift(self, asymmetry: Any, y_pred: Any) -> Floats:
        """Return the shift of every prediction.

        Parameters
        ----------
        asymmetry : float or array of shape (n,)
            Weight of under-estimates, from 0 to 1.
        y_pred : array of shape (n,)
            Predictions, one per case.

        Returns
        -------
        array of shape (n,)
            The shift of each prediction.
        """
        curve = require_fit(self.curve_, "ConstantShift")
        alphas, predictions = read_both(asymmetry, y_pred)
        if is_single(asymmetry):
            return np.full(len(predictions), curve.optimal_shift(float(asymmetry)).chosen)
        distinct, which = np.unique(alphas, return_inverse=True)
        chosen = [curve.optimal_shift(float(alpha)).chosen for alpha in distinct]
        return np.array(chosen)[which]


@dataclass(eq=False)
class LossShift:
    """Add the shift that was best on the fitting sample for one loss, at any asymmetry.

    Parameters
    ----------
    loss : Loss
        What an error costs, such as ``QuadQuad(0.8)``.

    Attributes
    ----------
    best_ : OptimalShift
        Best shifts of the fitting sample.

    Examples
    --------
    >>> from roctopus import QuadQuad
    >>> rule = LossShift(QuadQuad(0.5)).fit([3, 5, 8, 9], [2, 5, 9, 7])
    >>> rule.shift(0.5, [4.0, 6.0]).tolist()
    [0.5, 0.5]
    """

    loss: Loss
    best_: OptimalShift | None = field(default=None, init=False, repr=False)

    def fit(self, y_true: Any, y_pred: Any, *, sample_weight: Any = None) -> Self:
        """Learn the best shift.

        Parameters
        ----------
        y_true, y_pred : array of shape (n,)
            True values and predictions, one per case.
        sample_weight : array of shape (n,), optional
            Weight of each case; cases of weight 0 are ignored.

        Returns
        -------
        LossShift
            The rule itself.
        """
        self.best_ = optimal_shift(y_true, y_pred, loss=self.loss, sample_weight=sample_weight)
        return self

    def shift(self, asymmetry: Any, y_pred: Any) -> Floats:
        """Return the shift of every prediction.

        Parameters
        ----------
        asymmetry : float or array of shape (n,)
            Weight of under-estimates, from 0 to 1.
        y_pred : array of shape (n,)
            Predictions, one per case.

        Returns
        -------
        array of shape (n,)
            The shift of each prediction.
        """
        best = require_fit(self.best_, "LossShift")
        return np.full(len(read_finite(y_pred, "y_pred")), best.chosen)


@dataclass(eq=False)
class PolynomialShift:
    """Add a polynomial of the prediction, the best of its degree on the fitting sample (PoSh).

    Use it if large predictions need a different shift from small ones.

    Parameters
    ----------
    degree : int, default 1
        Degree of the polynomial; 0 is ``ConstantShift``, up to the choice among equally good
        shifts.

    Notes
    -----
    Minimising the mean asymmetric absolute error of ŷ + b₀ + b₁ŷ + … + b_D ŷ^D is quantile
    regression of y − ŷ on powers of ŷ: a linear programme, solved exactly.

    Examples
    --------
    >>> y_true, y_pred = [2.0, 4.0, 6.0, 8.0], [1.0, 2.0, 3.0, 4.0]
    >>> rule = PolynomialShift(degree=1).fit(y_true, y_pred)
    >>> rule.shift(0.5, [5.0]).round(6).tolist()
    [5.0]
    """

    degree: int = 1
    sample_: tuple[Floats, Floats, Floats] | None = field(default=None, init=False, repr=False)
    scale_: tuple[float, float] = field(default=(0.0, 1.0), init=False, repr=False)
    solved_: dict[float, Floats] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        self.degree = check_whole(self.degree, "degree", 0)

    def fit(self, y_true: Any, y_pred: Any, *, sample_weight: Any = None) -> Self:
        """Keep the sample; coefficients are computed when an asymmetry is first used.

        Parameters
        ----------
        y_true, y_pred : array of shape (n,)
            True values and predictions, one per case.
        sample_weight : array of shape (n,), optional
            Weight of each case; cases of weight 0 are ignored.

        Returns
        -------
        PolynomialShift
            The rule itself.
        """
        errors = read_errors(y_true, y_pred, sample_weight)
        predictions = to_numpy(errors.sample.y_pred)
        weight = errors.sample.weight
        weights = np.ones(len(predictions)) if weight is None else to_numpy(weight)
        low, high = float(predictions.min()), float(predictions.max())
        self.scale_ = ((low + high) / 2, (high - low) / 2 or 1.0)
        self.sample_ = (predictions, -to_numpy(errors.values), weights / weights.sum())
        self.solved_ = {}
        return self

    def shift(self, asymmetry: Any, y_pred: Any) -> Floats:
        """Return the shift of every prediction.

        Parameters
        ----------
        asymmetry : float or array of shape (n,)
            Weight of under-estimates, from 0 to 1.
        y_pred : array of shape (n,)
            Predictions, one per case.

        Returns
        -------
        array of shape (n,)
            The shift of each prediction.
        """
        alphas, predictions = read_both(asymmetry, y_pred)
        require_fit(self.sample_, "PolynomialShift")
        if not len(predictions):
            return np.zeros(0)
        distinct, which = np.unique(alphas, return_inverse=True)
        coefficients = np.array([self.coefficients(float(alpha)) for alpha in distinct])
        return np.asarray(np.sum(self._powers(predictions) * coefficients[which], axis=1))

    def coefficients(self, asymmetry: float) -> Floats:
        """Return the coefficients of the polynomial for an asymmetry.

        Parameters
        ----------
        asymmetry : float
            Weight of under-estimates, from 0 to 1.

        Returns
        -------
        array of shape (degree + 1,)
            The coefficients b₀, b₁, … in powers of the prediction scaled to [−1, 1].
        """
        sample = require_fit(self.sample_, "PolynomialShift")
        asymmetry = check_unit(asymmetry, "asymmetry")
        if asymmetry not in self.solved_:
            self.solved_[asymmetry] = self._solve(asymmetry, *sample)
        return self.solved_[asymmetry]

    def _powers(self, predictions: Floats) -> Floats:
        middle, half = self.scale_
        return np.vander((predictions - middle) / half, self.degree + 1, increasing=True)

    def _solve(
        self, asymmetry: float, predictions: Floats, corrections: Floats, weight: Floats
    ) -> Floats:
        """Solve the dual: max cᵀu with Xᵀu = 0 and −(1 − α)w ≤ u ≤ αw; b are its multipliers.

        It has as many rows as coefficients, however many cases there are.
        """
        from scipy.optimize import linprog

        size, powers = len(predictions), self._powers(predictions)
        # The solver's tolerances are absolute: bring the corrections near zero and one.
        middle = float(np.median(corrections))
        centred = corrections - middle
        unit = float(np.sum(weight * np.abs(centred))) or 1.0
        bounds = size * np.column_stack([(asymmetry - 1.0) * weight, asymmetry * weight])
        found = linprog(
            -centred / unit,
            A_eq=powers.T,
            b_eq=np.zeros(self.degree + 1),
            bounds=bounds,
            method="highs-ds",
        )
        if found.status != 0:
            raise InputError(
                "The solver found no polynomial shift for these data. Use a smaller 'degree' (the "
                f"solver says: {found.message})."
            )
        rough = -found.eqlin.marginals * unit
        inside = (found.x > bounds[:, 0]) & (found.x < bounds[:, 1])
        loss = LinLin(asymmetry)
        best = min(
            (rough, _through(powers[inside], centred[inside], rough)),
            key=lambda b: float(np.sum(weight * loss.values(powers @ b - centred, np))),
        )
        return np.asarray(best + middle * np.eye(self.degree + 1)[0])


def _through(powers: Floats, corrections: Floats, otherwise: Floats) -> Floats:
    """Return the polynomial through the cases that the optimum passes through, exactly."""
    if len(powers) != powers.shape[1] or np.linalg.matrix_rank(powers) < powers.shape[1]:
        return otherwise
    return np.asarray(np.linalg.solve(powers, corrections))
