"""Grades and acceptances whose thresholds follow costs and prices without training anew."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.model_selection import StratifiedKFold
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, column_or_1d

from roctopus.concepts.decision import Decision
from roctopus.core.arrays import Floats
from roctopus.core.checks import check_unit
from roctopus.core.errors import InputError
from roctopus.deploy.base import Deployed, per_row
from roctopus.impact.curves import ImpactCurve, impact_curve
from roctopus.impact.utilities import value_minus_cutoff
from roctopus.ordinal.thresholds import (
    OrdinalLoss,
    grade_scores,
    ordinal_thresholds,
    read_thresholds,
)


def _ordered_categories(y: Any) -> list[Any] | None:
    """Return the classes of an ordered categorical column, in their order."""
    kind: Any = getattr(y, "dtype", None)
    return list(kind.categories) if getattr(kind, "ordered", False) else None


class OrdinalThresholdClassifier(ClassifierMixin, Deployed, carries="thresholds"):
    """Grade by cutting the scores of any regressor at the thresholds of least cost.

    Parameters
    ----------
    estimator : regressor
        It is trained on the numbers of the classes, and its predictions are the scores.
    costs : array of shape (r,), optional
        The cost of an error on a case of each class; ``predict`` takes others, without training.
    loss : {"absolute", "zero-one", "squared"} or matrix
        As in ``ordinal_thresholds``.
    labels : list, optional
        The classes from the lowest to the highest; sorted by default.
    cv : int or splitter, default 5
        Folds for the scores that thresholds are chosen on.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.linear_model import LinearRegression
    >>> from roctopus.deploy import OrdinalThresholdClassifier
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(300, 1))
    >>> y = np.digitize(X[:, 0] + 0.5 * rng.normal(size=300), [-0.5, 0.5])
    >>> model = OrdinalThresholdClassifier(LinearRegression()).fit(X, y)
    >>> plain, careful = model.predict(X), model.predict(X, costs=[1, 1, 9])
    >>> bool(np.mean(careful == 2) > np.mean(plain == 2))
    True
    """

    def __init__(
        self,
        estimator: Any,
        *,
        costs: Any = None,
        loss: OrdinalLoss = "absolute",
        labels: Any = None,
        cv: Any = 5,
    ) -> None:
        self.estimator = estimator
        self.costs = costs
        self.loss = loss
        self.labels = labels
        self.cv = cv

    def fit(self, X: Any, y: Any, **fit_params: Any) -> Self:
        """Train on the class numbers; keep out-of-fold scores to cut."""
        ordered = _ordered_categories(y) if self.labels is None else list(self.labels)
        y = column_or_1d(y, warn=True)
        check_classification_targets(y)
        self.classes_ = np.unique(y) if ordered is None else np.asarray(ordered)
        if len(set(self.classes_.tolist())) < len(self.classes_):
            raise InputError("'labels' names a class twice.")
        unknown = sorted(set(y.tolist()) - set(self.classes_.tolist()))
        if unknown:
            raise InputError(f"'labels' lacks the class {unknown[0]!r}.")
        number = {label: float(k) for k, label in enumerate(self.classes_.tolist())}
        codes = np.array([number[label] for label in y.tolist()])
        if len(y) == 0:
            raise InputError("'y' holds no cases. At least one is needed.")
        if len(self.classes_) < 2:
            raise ValueError(f"Classifier needs two classes at least, got one class: {y[0]!r}.")
        self.sample_weight_ = self._fit_inside(X, codes, fit_params)
        self.codes_ = codes
        if self.sample_weight_ is not None:
            counted = np.unique(codes[np.asarray(self.sample_weight_) > 0])
            if len(counted) < 2:
                raise InputError("'sample_weight' leaves one class only: two are needed.")
        folds = self.cv
        if isinstance(folds, int) and np.bincount(codes.astype(np.intp)).min() >= folds:
            folds = list(StratifiedKFold(folds).split(codes, codes))
        self.scores_ = self._out_of_fold(X, codes, folds, "predict", fit_params)
        self.thresholds_ = self._best(self.costs)
        return self

    @classmethod
    def around(cls, fitted: Any, *, thresholds: Any = None, **parameters: Any) -> Self:
        """Return one that is ready, around a trained regressor, with given thresholds."""
        made = super().around(fitted, **parameters)
        if made.labels is None:
            raise InputError("Give 'labels', the classes from the lowest to the highest.")
        made.classes_ = np.asarray(made.labels)
        made.thresholds_ = read_thresholds(thresholds, len(made.classes_))
        return made

    @classmethod
    def carry(
        cls, model: Any, knob: tuple[float, ...], context: float | None, decision: Decision
    ) -> Self:
        """Return one with given thresholds; classes without names are numbers from 0 on."""
        settings, costs = decision.settings, decision.context.get("costs")
        if costs is None and context is not None and "costs" in settings:
            costs = [context if each is None else each for each in settings["costs"]]
        return cls.around(
            model,
            labels=settings.get("labels", list(range(len(knob) + 1))),
            loss=settings.get("loss", "absolute"),
            costs=costs,
            thresholds=list(knob),
        )

    def _best(self, costs: Any) -> Floats:
        if not hasattr(self, "scores_"):
            raise InputError("New costs need the scores of a fit; this one was made ready.")
        found = ordinal_thresholds(
            self.codes_,
            self.scores_,
            costs=costs,
            loss=self.loss,
            labels=list(range(len(self.classes_))),
            sample_weight=self.sample_weight_,
        )
        return found.thresholds

    def predict(self, X: Any, costs: Any = None) -> Any:
        """Return the class of each case, at other costs if they are given."""
        check_is_fitted(self)
        thresholds = self.thresholds_ if costs is None else self._best(costs)
        return self.classes_[grade_scores(self._predictions(X), thresholds)]


class ImpactThresholdClassifier(Deployed, carries="threshold"):
    """Accept cases whose predicted value is high enough at today's price.

    ``y`` holds values, so it is no classifier for scikit-learn; it predicts 1 for accepted cases.

    Parameters
    ----------
    estimator : regressor
        What predicts the value.
    utility : function, optional
        What accepting is worth, made from values: ``value_times_price``, or (default)
        ``value_minus_cutoff``.
    theta : float, default 0.0
        The price; ``predict`` takes another, also one per row.
    at_least, at_most : float, default 0 and 1
        The share of cases that must and may be accepted.
    cv : int or splitter, default 5
        Folds for the scores that thresholds are chosen on.
    """

    def __init__(
        self,
        estimator: Any,
        *,
        utility: Any = value_minus_cutoff,
        theta: float = 0.0,
        at_least: float = 0.0,
        at_most: float = 1.0,
        cv: Any = 5,
    ) -> None:
        self.estimator = estimator
        self.utility = utility
        self.theta = theta
        self.at_least = at_least
        self.at_most = at_most
        self.cv = cv

    def fit(self, X: Any, y: Any, **fit_params: Any) -> Self:
        """Train the regressor; find the best threshold for every price on out-of-fold scores."""
        if not callable(self.utility):
            raise InputError(
                "'utility' must make a utility from values, such as value_minus_cutoff. One that "
                "was deployed from a decision does not know it: give it to train anew."
            )
        low, high = check_unit(self.at_least, "at_least"), check_unit(self.at_most, "at_most")
        y = column_or_1d(y, warn=True)
        weight = self._fit_inside(X, y, fit_params)
        self.threshold_: float | None = None
        truths = np.asarray(y, dtype=np.float64)
        scores = self._out_of_fold(X, y, self.cv, "predict", fit_params)
        total = float(len(truths) if weight is None else np.sum(weight))
        capacity = {}
        if low > 0.0 or high < 1.0:
            limits = np.array([low, high]) * total
            if weight is None:  # whole cases: no fewer than must, no more than may be
                limits = np.array([np.ceil(limits[0] - 1e-9), np.floor(limits[1] + 1e-9)])
            capacity = {"at_least": float(limits[0]), "at_most": float(limits[1])}
        self.curve_: ImpactCurve = impact_curve(
            scores, self.utility(truths), normalize=True, sample_weight=weight, **capacity
        )
        return self

    @classmethod
    def around(cls, fitted: Any, *, threshold: float | None = None, **parameters: Any) -> Self:
        """Return one that is ready, around a trained model, with a given threshold."""
        made = super().around(fitted, **parameters)
        made.threshold_ = threshold
        return made

    @classmethod
    def carry(
        cls, model: Any, knob: tuple[float, ...], context: float | None, decision: Decision
    ) -> Self:
        """Return one with a given threshold, and the price and capacity it was chosen for."""
        return cls.around(
            model,
            threshold=knob[0],
            utility=None,
            theta=0.0 if context is None else context,
            at_least=decision.settings.get("at_least", 0.0),
            at_most=decision.settings.get("at_most", 1.0),
        )

    def decision_function(self, X: Any) -> Floats:
        """Return the scores."""
        return self._predictions(X)

    def predict(self, X: Any, theta: Any = None) -> Any:
        """Return 1 for accepted cases, at another price (one, or one per row) if it is given."""
        check_is_fitted(self)
        prediction = self._predictions(X)
        fixed: float | None = self.threshold_
        if fixed is not None:
            if theta is not None:
                raise InputError("A given threshold does not follow the price: fit one that does.")
            return (prediction >= fixed).astype(np.intp)
        price = per_row(self.theta if theta is None else theta, "theta", len(prediction))
        return (prediction >= self.curve_.knob_at(price)).astype(np.intp)
