"""Rules for soft regressors: each prediction has its own spread, and so its own shift."""

from __future__ import annotations

from dataclasses import dataclass, field
from reprlib import repr as short
from typing import Any, Literal, Self

import numpy as np

from roctopus.core.arrays import Floats, as_floats, read_array, to_numpy
from roctopus.core.checks import check_choice, check_finite, check_whole, name_rows, say_wrong
from roctopus.core.errors import InputError, arg
from roctopus.regression.errors import read_errors
from roctopus.regression.rules import read_both, require_fit

Spread = Literal["residual", "neighbours", "bins"]


@dataclass(eq=False)
class NormalShift:
    """Shift each prediction by its own spread: bias + std·Φ⁻¹(α), right for normal errors.

    A soft regressor gives ``std`` with each prediction (``predict(X, return_std=True)``). For
    others the spread and the bias are estimated from the fitting sample; use out-of-fold
    predictions there.

    Parameters
    ----------
    spread : {"residual", "neighbours", "bins"}, optional
        How the spread is estimated: one for all predictions, that of the ``size`` nearest
        predictions, or that of bins of ``size`` predictions. By default ``std`` is given with the
        predictions.
    size : int, default 30
        Number of neighbours, or of cases in a bin.

    Examples
    --------
    >>> NormalShift().shift(0.8, [4.0, 6.0], std=[1.0, 2.0]).round(3).tolist()
    [0.842, 1.683]
    """

    spread: Spread | None = None
    size: int = 30
    table_: tuple[Floats, Floats, Floats] | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        if self.spread is not None:
            check_choice(self.spread, "spread", "residual", "neighbours", "bins")
        self.size = check_whole(self.size, "size", 2)

    def fit(self, y_true: Any, y_pred: Any, *, sample_weight: Any = None) -> Self:
        """Estimate bias and spread along the predictions; with a soft regressor, do nothing.

        Parameters
        ----------
        y_true, y_pred : array of shape (n,)
            True values and predictions, one per case.
        sample_weight : array of shape (n,), optional
            Weight of each case; cases of weight 0 are ignored.

        Returns
        -------
        NormalShift
            The rule itself.
        """
        if self.spread is None:
            return self
        errors = read_errors(y_true, y_pred, sample_weight)
        weight = errors.sample.weight
        predictions = to_numpy(errors.sample.y_pred)
        order = np.argsort(predictions)
        at, corrections = predictions[order], -to_numpy(errors.values)[order]
        origin = corrections.mean()  # squares of far errors would cost the digits of their spread
        corrections -= origin
        weights = np.ones(len(order)) if weight is None else to_numpy(weight)[order]
        low, high = self._windows(at)
        mass, first, second = (
            np.append(0.0, np.cumsum(weights * power))
            for power in (1.0, corrections, corrections**2)
        )
        total = mass[high] - mass[low]
        bias = (first[high] - first[low]) / total
        square = (second[high] - second[low]) / total
        std = np.sqrt(np.maximum(square - bias**2, 0.0))
        if not np.all(std > 0):
            if self.spread == "residual":
                raise InputError("The spread is zero, because all errors are equal.")
            raise InputError(
                "The spread is zero for some or all predictions, because the errors of similar "
                "predictions are all equal. Use spread='residual' or a larger 'size'."
            )
        self.table_ = (at, bias + origin, std)
        return self

    def _windows(self, at: Floats) -> tuple[Any, Any]:
        """Return, for each sorted case, the first and the last + 1 case of its window."""
        n, position = len(at), np.arange(len(at))
        size = min(self.size, n)
        if self.spread == "residual":
            return np.zeros(n, dtype=int), np.full(n, n)
        # Equal predictions stay together, or the answer would depend on the order of rows.
        begin = np.searchsorted(at, at, side="left")
        stop = np.searchsorted(at, at, side="right")
        if self.spread == "bins":
            bins = max(n // size, 1)
            edges = np.round(np.linspace(0, n, bins + 1)).astype(int)
            edges = np.append(np.unique(begin[edges[:-1]]), n)
            which = np.searchsorted(edges, position, side="right") - 1
            return edges[which], edges[which + 1]
        # The window of a tie is centred on the tie.
        low = np.clip((begin + stop) // 2 - size // 2, 0, n - size)
        return begin[low], stop[low + size - 1]

    def shift(self, asymmetry: Any, y_pred: Any, *, std: Any = None) -> Floats:
        """Return the shift of every prediction.

        Parameters
        ----------
        asymmetry : float or array of shape (n,)
            Weight of under-estimates, from 0 to 1.
        y_pred : array of shape (n,)
            Predictions, one per case.
        std : array of shape (n,), optional
            Standard deviation of each prediction; needed if ``spread`` is None.

        Returns
        -------
        array of shape (n,)
            The shift of each prediction.
        """
        from scipy.special import ndtri

        alphas, predictions = read_both(asymmetry, y_pred)
        outside = (alphas <= 0) | (alphas >= 1)
        if outside.any():
            raise InputError(
                f"'asymmetry' is {np.ravel(alphas[outside])[0]:g}, for which a normal shift is "
                "infinite. Use a value greater than 0 and less than 1."
            )
        bias, spread = self._spread(predictions, std)
        return np.asarray(bias + spread * ndtri(alphas))

    def _spread(self, predictions: Floats, std: Any) -> tuple[Floats, Floats]:
        if std is not None:
            return np.zeros(len(predictions)), read_spread(std, len(predictions))
        if self.spread is None:
            raise InputError(
                "The spread of the predictions is missing. Pass it as 'std', or estimate it with "
                "NormalShift(spread='residual').fit(y_true, y_pred)."
            )
        at, bias, spread = require_fit(self.table_, "NormalShift")
        if self.spread == "bins":
            nearest = np.clip(np.searchsorted(at, predictions, side="right") - 1, 0, len(at) - 1)
        else:
            right = np.clip(np.searchsorted(at, predictions), 0, len(at) - 1)
            left = np.maximum(right - 1, 0)
            closer = np.abs(at[left] - predictions) < np.abs(at[right] - predictions)
            nearest = np.where(closer, left, right)
        return bias[nearest], spread[nearest]


def read_spread(std: Any, size: int) -> Floats:
    """Return one positive spread per prediction."""
    spread = to_numpy(read_array(std, "std"))
    if len(spread) != size:
        raise InputError(
            f"'std' must have one value per prediction, but has {len(spread)}, and 'y_pred' has "
            f"{size}."
        )
    check_finite(spread, "std")
    if (spread <= 0).any():
        told = say_wrong(spread, spread <= 0, "is 0 or less")
        raise InputError(f"'std' must be greater than 0, but {told}.")
    return spread


@dataclass(eq=False)
class QuantileShift:
    """Move each prediction to its own predictive α-quantile, between quantiles at known levels.

    Parameters
    ----------
    levels : tuple of float
        Increasing levels of the quantiles, between 0 and 1.

    Examples
    --------
    >>> rule = QuantileShift(levels=(0.1, 0.5, 0.9))
    >>> rule.shift(0.7, [4.0], quantiles=[[3.0, 4.0, 6.0]]).tolist()
    [1.0]
    """

    levels: tuple[float, ...]

    def __post_init__(self) -> None:
        try:
            levels = as_floats(self.levels)
        except (TypeError, ValueError):
            levels = np.zeros(0)
        inside = np.all((levels > 0) & (levels < 1))
        if levels.ndim != 1 or not len(levels) or not inside:
            raise InputError(
                "'levels' must contain numbers greater than 0 and less than 1, but is "
                f"{short(self.levels)}."
            )
        if np.any(np.diff(levels) <= 0):
            raise InputError(
                "'levels' must be in ascending order, without repeated numbers, but is "
                f"{short(self.levels)}."
            )

    def fit(self, y_true: Any, y_pred: Any, *, sample_weight: Any = None) -> Self:
        """Do nothing: the quantiles come with the predictions.

        Parameters
        ----------
        y_true, y_pred : array of shape (n,)
            True values and predictions, one per case.
        sample_weight : array of shape (n,), optional
            Weight of each case; cases of weight 0 are ignored.

        Returns
        -------
        QuantileShift
            The rule itself.
        """
        return self

    def shift(self, asymmetry: Any, y_pred: Any, *, quantiles: Any) -> Floats:
        """Return the shift of every prediction; beyond the known levels the outermost one is used.

        Parameters
        ----------
        asymmetry : float or array of shape (n,)
            Weight of under-estimates, from 0 to 1.
        y_pred : array of shape (n,)
            Predictions, one per case.
        quantiles : array of shape (n, levels)
            Predicted quantiles of each case, at ``levels``.

        Returns
        -------
        array of shape (n,)
            The shift of each prediction.
        """
        alphas, predictions = read_both(asymmetry, y_pred)
        table = _read_table(quantiles, "quantiles", (len(predictions), len(self.levels)))
        crossed = np.any(np.diff(table, axis=1) < 0, axis=1)
        if crossed.any():
            raise InputError(
                "The values in each row of 'quantiles' must be in ascending order, but those in "
                f"{name_rows(crossed)} are not. Sort each row first."
            )
        levels = np.asarray(self.levels)
        right = np.clip(np.searchsorted(levels, alphas), 1, max(len(levels) - 1, 1))
        if len(levels) == 1:
            return table[:, 0] - predictions
        left, rows = right - 1, np.arange(len(predictions))
        share = np.clip((alphas - levels[left]) / (levels[right] - levels[left]), 0.0, 1.0)
        return np.asarray(
            (1 - share) * table[rows, left] + share * table[rows, right] - predictions
        )


@dataclass(eq=False)
class EnsembleShift:
    """Move each prediction to the α-quantile of an ensemble's members, such as a forest's trees.

    Examples
    --------
    >>> EnsembleShift().shift(0.75, [4.0], members=[[3.0, 4.0, 5.0, 6.0]]).tolist()
    [1.0]
    """

    def fit(self, y_true: Any, y_pred: Any, *, sample_weight: Any = None) -> Self:
        """Do nothing: the members come with the predictions.

        Parameters
        ----------
        y_true, y_pred : array of shape (n,)
            True values and predictions, one per case.
        sample_weight : array of shape (n,), optional
            Weight of each case; cases of weight 0 are ignored.

        Returns
        -------
        EnsembleShift
            The rule itself.
        """
        return self

    def shift(self, asymmetry: Any, y_pred: Any, *, members: Any) -> Floats:
        """Return the shift of every prediction.

        Parameters
        ----------
        asymmetry : float or array of shape (n,)
            Weight of under-estimates, from 0 to 1.
        y_pred : array of shape (n,)
            Predictions, one per case.
        members : array of shape (n, members)
            Predictions of the ensemble's members for each case.

        Returns
        -------
        array of shape (n,)
            The shift of each prediction.
        """
        alphas, predictions = read_both(asymmetry, y_pred)
        table = np.sort(_read_table(members, "members", (len(predictions), None)), axis=1)
        count = table.shape[1]
        # The α-quantile that minimises the loss over the members: the first with share ≥ α.
        rank = np.ceil(alphas * count - 1e-9).astype(int) - 1
        member = table[np.arange(len(predictions)), np.clip(rank, 0, count - 1)]
        return np.asarray(member - predictions)


def _read_table(table: Any, name: str, shape: tuple[int, int | None]) -> Floats:
    try:
        values = as_floats(table)
    except (TypeError, ValueError):
        raise InputError(
            f"{arg(name)} must be a table of numbers, one row per prediction."
        ) from None
    rows, columns = shape
    if (
        values.size == 0
        or values.ndim != 2
        or len(values) != rows
        or values.shape[1] != (columns or values.shape[1])
    ):
        what = "member" if columns is None else "level"
        wanted = f"({rows}, {'members' if columns is None else columns})"
        raise InputError(
            f"{arg(name)} must have the shape {wanted}, with one row per prediction and one column "
            f"per {what}, but has the shape {values.shape}."
        )
    if not np.all(np.isfinite(values)):
        bad = ~np.all(np.isfinite(values), axis=1)
        raise InputError(
            f"{arg(name)} has missing or infinite values in {name_rows(bad)}. Remove these rows "
            "from all arrays, or fill them in."
        )
    return values
