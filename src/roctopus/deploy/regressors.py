"""Regressors whose predictions are shifted to suit the costs."""

from __future__ import annotations

from copy import deepcopy
from typing import Any, Self

import numpy as np
from scipy.sparse import issparse
from sklearn.base import RegressorMixin, clone
from sklearn.utils.validation import check_is_fitted, column_or_1d

from roctopus.concepts.decision import Decision
from roctopus.core.arrays import Floats, is_single
from roctopus.core.errors import InputError
from roctopus.deploy.base import Deployed, per_row
from roctopus.regression.problem import RegressionProblem
from roctopus.regression.rules import ConstantShift
from roctopus.regression.soft_rules import EnsembleShift, NormalShift, QuantileShift
from roctopus.regression.two_costs import LinLin


class _Shifting(RegressorMixin, Deployed):
    """Shift what the estimator inside predicts."""

    asymmetry: Any
    cost_ratio: float | None
    under_cost: float | None
    over_cost: float | None

    def _asymmetry(self, asymmetry: Any, size: int) -> Any:
        """Return the asymmetry: as asked for at predict, or as constructed."""
        if asymmetry is not None:
            return per_row(asymmetry, "asymmetry", size)
        words = ("cost_ratio", "under_cost", "over_cost")
        given = {name: value for name in words if (value := getattr(self, name)) is not None}
        if not given:
            own = 0.5 if self.asymmetry is None else self.asymmetry
            return per_row(own, "asymmetry", size)
        if self.asymmetry is not None:
            given["asymmetry"] = self.asymmetry
        return RegressionProblem(np.zeros(1)).read_context(given)[1]

    def _by_rule(self, rule: Any, X: Any, asymmetry: Any) -> Floats:
        """Return predictions shifted by a rule, which may want their spread."""
        if isinstance(rule, NormalShift) and rule.spread is None:
            check_is_fitted(self)
            try:
                middle, std = self.estimator_.predict(X, return_std=True)
            except TypeError:
                raise InputError(
                    "NormalShift() needs a regressor whose predict method takes 'return_std', but "
                    f"{type(self.estimator_).__name__} does not take it. Use another regressor, or "
                    "NormalShift(spread='residual')."
                ) from None
            alphas = self._asymmetry(asymmetry, len(middle))
            std = np.maximum(std, np.finfo(np.float64).tiny)  # a sure prediction is not shifted
            return np.asarray(middle + rule.shift(alphas, middle, std=std))
        prediction = self._predictions(X)
        alphas = self._asymmetry(asymmetry, len(prediction))
        if isinstance(rule, EnsembleShift):
            members = self._members(X)
            if not np.allclose(members.mean(axis=1), prediction, rtol=1e-6):
                raise InputError(
                    f"EnsembleShift cannot be used with {type(self.estimator_).__name__}, because "
                    "its prediction is not the mean of its 'estimators_'. Use a random forest or "
                    "bagging."
                )
            return prediction + rule.shift(alphas, prediction, members=members)
        if isinstance(rule, QuantileShift):
            if not hasattr(self, "quantile_estimators_"):
                raise InputError(
                    "QuantileShift can only be used in ShiftedRegressor, which trains a model for "
                    "each of its levels."
                )
            table = np.column_stack([each.predict(X) for each in self.quantile_estimators_])
            table = np.sort(table, axis=1)  # quantiles of separate models may cross a little
            return prediction + rule.shift(alphas, prediction, quantiles=table)
        return np.asarray(prediction + rule.shift(alphas, prediction))

    def _members(self, X: Any) -> Floats:
        members = getattr(self.estimator_, "estimators_", None)
        if members is None:
            raise InputError(
                f"EnsembleShift needs an ensemble with 'estimators_', which "
                f"{type(self.estimator_).__name__} does not have. Use a random forest or bagging, "
                "but not inside a pipeline."
            )
        members = members.ravel().tolist() if isinstance(members, np.ndarray) else list(members)
        rows = X if issparse(X) else np.asarray(X, dtype=np.float64)  # trees know no names
        columns = getattr(self.estimator_, "estimators_features_", [slice(None)] * len(members))
        return np.column_stack(
            [each.predict(rows[:, mine]) for each, mine in zip(members, columns, strict=True)]
        )


class ShiftedRegressor(_Shifting, carries="shift"):
    """A regressor whose predictions are shifted: by a number, or by a rule.

    Parameters
    ----------
    estimator : regressor
        What predicts.
    shift : float, default 0.0
        What is added to every prediction, where there is no rule.
    rule : ShiftRule, optional
        A rule of the regression arm: one that was fitted, such as ``ConstantShift``, or a soft one:
        ``NormalShift()`` for estimators with ``return_std``, ``EnsembleShift()`` for forests,
        ``QuantileShift(levels)``, for which a copy of the estimator is trained at each level.
    asymmetry : float, optional
        Context of a rule, ½ by default; ``predict`` accepts others, for all rows or for each row.
    cost_ratio : float, optional
        How many times as much an under-estimate costs as an over-estimate, instead of the
        asymmetry.
    under_cost : float, optional
        Cost of an under-estimate by one unit; with ``over_cost``, instead of the asymmetry.
    over_cost : float, optional
        Cost of an over-estimate by one unit.
    level_parameter : str, default "quantile"
        Estimator's parameter for the quantile that it predicts, for ``QuantileShift``.

    Examples
    --------
    >>> from sklearn.linear_model import LinearRegression
    >>> from roctopus.deploy import ShiftedRegressor
    >>> X, y = [[1.0], [2.0], [3.0]], [1.0, 2.0, 3.0]
    >>> ShiftedRegressor(LinearRegression(), shift=0.5).fit(X, y).predict([[4.0]]).round(6)
    array([4.5])
    """

    def __init__(
        self,
        estimator: Any,
        *,
        shift: Any = 0.0,
        rule: Any = None,
        asymmetry: Any = None,
        cost_ratio: float | None = None,
        under_cost: float | None = None,
        over_cost: float | None = None,
        level_parameter: str = "quantile",
    ) -> None:
        self.estimator = estimator
        self.shift = shift
        self.rule = rule
        self.asymmetry = asymmetry
        self.cost_ratio = cost_ratio
        self.under_cost = under_cost
        self.over_cost = over_cost
        self.level_parameter = level_parameter

    @classmethod
    def carry(
        cls, model: Any, knob: tuple[float, ...], context: float | None, decision: Decision
    ) -> Self:
        """Return an estimator with a fixed shift, around a trained regressor.

        Parameters
        ----------
        model : estimator
            Trained model.
        knob : tuple of float
            Numbers of the setting.
        context : float or None
            One context that was decided for; None where there is no single one.
        decision : Decision
            What was decided.

        Returns
        -------
        ShiftedRegressor
            Ready to predict.
        """
        return cls.around(model, shift=knob[0])

    def fit(self, X: Any, y: Any, **fit_params: Any) -> Self:
        """Train the estimator inside; the shift is given.

        Parameters
        ----------
        X : array or dataframe of shape (n, features)
            Features of the cases, as for the estimator inside.
        y : array of shape (n,)
            True values, one per case: numbers.
        **fit_params
            What is passed to ``fit`` of the estimator inside; arrays with one value per row are
            split with the rows.

        Returns
        -------
        ShiftedRegressor
            The estimator itself.
        """
        _check_rule(self.rule)
        costs = ("asymmetry", "cost_ratio", "under_cost", "over_cost")
        given = [name for name in costs if getattr(self, name) is not None]
        if self.rule is None and given:
            raise InputError(
                f"'{given[0]}' can only be used with a rule, but 'rule' is None. Leave out "
                f"'{given[0]}', or add a rule, such as rule=ConstantShift()."
            )
        if self.rule is not None and np.any(np.asarray(self.shift) != 0.0):
            raise InputError("'shift' and 'rule' cannot be combined. Leave out one of them.")
        y = column_or_1d(y, warn=True)
        self._fit_inside(X, y, fit_params)
        if isinstance(self.rule, QuantileShift):
            params = self._fit_params(fit_params)
            self.quantile_estimators_ = [
                clone(self.estimator)
                .set_params(**{self.level_parameter: level})
                .fit(X, y, **params)
                for level in self.rule.levels
            ]
        return self

    def predict(self, X: Any, asymmetry: Any = None) -> Floats:
        """Return shifted predictions.

        Parameters
        ----------
        X : array or dataframe of shape (n, features)
            Features of the cases, as for the estimator inside.
        asymmetry : float or array of shape (n,), optional
            Asymmetry for a rule, one or one per row; by default the estimator's own.

        Returns
        -------
        array of shape (n,)
            Predictions plus the shift.
        """
        if self.rule is None:
            if asymmetry is not None:
                raise InputError(
                    "'asymmetry' can only be used with a rule, but 'rule' is None. Leave out "
                    "'asymmetry', or add a rule, such as rule=ConstantShift()."
                )
            prediction = self._predictions(X)
            return np.asarray(prediction + per_row(self.shift, "shift", len(prediction)))
        return self._by_rule(self.rule, X, asymmetry)


def _check_rule(rule: Any) -> None:
    known = hasattr(rule, "shift") and hasattr(rule, "fit") and not isinstance(rule, type)
    if rule is not None and not known:
        told = repr(rule)
        if isinstance(rule, type):
            told = f"the class {rule.__name__}. Add parentheses: {rule.__name__}()"
        raise InputError(f"'rule' must be an instance such as ConstantShift(), but is {told}.")


class TunedShiftRegressorCV(_Shifting):
    """A regressor whose shift is tuned on predictions of cases it was not trained on.

    Parameters
    ----------
    estimator : regressor
        What predicts; in the end it is trained on all cases.
    rule : ShiftRule, optional
        How shifts are learned: ``ConstantShift()`` by default, ``PolynomialShift(degree)``,
        ``NormalShift(spread=...)``.
    asymmetry : float, optional
        Context of a rule, ½ by default; ``predict`` accepts others, for all rows or for each row.
    cost_ratio : float, optional
        How many times as much an under-estimate costs as an over-estimate, instead of the
        asymmetry.
    under_cost : float, optional
        Cost of an under-estimate by one unit; with ``over_cost``, instead of the asymmetry.
    over_cost : float, optional
        Cost of an over-estimate by one unit.
    cv : int or splitter, optional
        Which cases are used for training, and which for tuning: a number of folds, or any
        scikit-learn splitter. Cases that are never predicted are not used for tuning; those
        predicted several times count as one each. ``fit(X, y, groups=...)`` gives the splitter its
        groups.
    n_jobs : int, optional
        How many trainings run at once, as everywhere in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.linear_model import LinearRegression
    >>> from roctopus.deploy import TunedShiftRegressorCV
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(500, 1))
    >>> y = X[:, 0] + rng.normal(size=500)
    >>> model = TunedShiftRegressorCV(LinearRegression(), asymmetry=0.9).fit(X, y)
    >>> bool(np.mean(model.predict(X) > y) > 0.85)
    True
    """

    def __init__(
        self,
        estimator: Any,
        *,
        rule: Any = None,
        asymmetry: Any = None,
        cost_ratio: float | None = None,
        under_cost: float | None = None,
        over_cost: float | None = None,
        cv: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.rule = rule
        self.asymmetry = asymmetry
        self.cost_ratio = cost_ratio
        self.under_cost = under_cost
        self.over_cost = over_cost
        self.cv = cv
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, **fit_params: Any) -> Self:
        """Tune the shift on out-of-fold predictions, then train on all cases.

        Parameters
        ----------
        X : array or dataframe of shape (n, features)
            Features of the cases, as for the estimator inside.
        y : array of shape (n,)
            True values, one per case: numbers.
        **fit_params
            What is passed to ``fit`` of the estimator inside; arrays with one value per row are
            split with the rows.

        Returns
        -------
        TunedShiftRegressorCV
            The estimator itself.
        """
        _check_rule(self.rule)
        if isinstance(self.rule, QuantileShift):
            raise InputError(
                "The rule QuantileShift has nothing to tune by cross-validation. Use "
                "ShiftedRegressor with this rule."
            )
        self._asymmetry(None, np.size(self.asymmetry))  # refuses what is wrong, before the work
        if self.asymmetry is not None and is_single(self.asymmetry):
            LinLin(self.asymmetry)
        y = column_or_1d(y, warn=True)
        weight = self._fit_inside(X, y, fit_params)
        rule = ConstantShift() if self.rule is None else deepcopy(self.rule)
        found, predictions = self._out_of_fold(X, y, fit_params)
        truths = np.asarray(y, dtype=np.float64)[found.rows]
        self.rule_ = rule.fit(truths, predictions, sample_weight=found.weights(weight))
        return self

    def predict(self, X: Any, asymmetry: Any = None) -> Floats:
        """Return shifted predictions.

        Parameters
        ----------
        X : array or dataframe of shape (n, features)
            Features of the cases, as for the estimator inside.
        asymmetry : float or array of shape (n,), optional
            Asymmetry for a rule, one or one per row; by default the estimator's own.

        Returns
        -------
        array of shape (n,)
            Predictions plus the shift.
        """
        check_is_fitted(self)
        return self._by_rule(self.rule_, X, asymmetry)
