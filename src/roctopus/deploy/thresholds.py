"""Acceptances whose threshold follows the price without retraining."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import is_classifier
from sklearn.utils.validation import check_is_fitted, column_or_1d

from roctopus.concepts.arm import KnobKind
from roctopus.concepts.decision import Decision
from roctopus.concepts.responses import TWO, Response, choose_method, own_classes
from roctopus.core.arrays import Floats
from roctopus.core.checks import check_unit
from roctopus.core.errors import InputError
from roctopus.core.labels import read_labels
from roctopus.deploy.base import Deciding, Deployed, per_row
from roctopus.impact.curves import ImpactCurve, impact_curve
from roctopus.impact.utilities import value_minus_cutoff


class ImpactThresholdClassifier(Deciding, Deployed, carries="threshold"):
    """Accept cases whose predicted value is high enough at today's price.

    ``y`` holds values, so it is no classifier for scikit-learn; it predicts 1 for accepted cases.

    Parameters
    ----------
    estimator : regressor or classifier
        What predicts the value. A classifier of two classes is asked for the probability of the
        positive one, or for its score if it has none.
    utility : function, optional
        What accepting is worth, made from values: ``value_times_price``, or (default)
        ``value_minus_cutoff``.
    theta : float, default 0.0
        The price; ``predict`` takes another, also one per row.
    at_least, at_most : float, default 0 and 1
        The share of cases that must and may be accepted.
    pos_label : label, optional
        The positive class, where ``y`` holds two classes: the utility gets 1 for it, and 0 for the
        other. Classes that are text need it.
    cv : int or splitter, default 5
        Which cases train, and which thresholds are chosen on: as in ``TunedShiftRegressorCV``.
    n_jobs : int, optional
        How many trainings run at once.
    """

    answers: ClassVar[str] = "yes or no at a threshold"
    knob_kind: ClassVar[KnobKind] = "threshold"

    def __init__(
        self,
        estimator: Any,
        *,
        utility: Any = value_minus_cutoff,
        theta: float = 0.0,
        at_least: float = 0.0,
        at_most: float = 1.0,
        pos_label: Any = None,
        cv: Any = 5,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.utility = utility
        self.theta = theta
        self.at_least = at_least
        self.at_most = at_most
        self.pos_label = pos_label
        self.cv = cv
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, **fit_params: Any) -> Self:
        """Train the model; find the best threshold for every price on out-of-fold scores."""
        if not callable(self.utility):
            raise InputError(
                "'utility' must make a utility from values, such as value_minus_cutoff. An "
                "estimator deployed from a decision does not have it. Give it to train again."
            )
        low, high = check_unit(self.at_least, "at_least"), check_unit(self.at_most, "at_most")
        truth, values, response = self._read(column_or_1d(y, warn=True))
        weight = self._fit_inside(X, truth, fit_params, response)
        self.threshold_: float | None = None
        found, scores = self._out_of_fold(X, truth, fit_params, classes=bool(response.classes))
        values, weight = values[found.rows], found.weights(weight)
        self.curve_: ImpactCurve = impact_curve(
            scores,
            self.utility(values),
            normalize=True,
            sample_weight=weight,
            **_capacity(low, high, len(values), weight),
        )
        return self

    def _read(self, y: Any) -> tuple[Any, Floats, Response]:
        """Return what to train on, what the utility is made from, and what to ask the model for."""
        classifier = is_classifier(self.estimator)
        if not classifier and self.pos_label is None:
            return y, np.asarray(y, dtype=np.float64), Response(self._method("predict"))
        labels = read_labels(y, "y", self.pos_label)
        values = labels.values if self.pos_label is not None else np.asarray(y, dtype=np.float64)
        if not classifier:
            return values, values, Response(self._method("predict"))
        method = self._method("predict_proba", "decision_function")
        return y, values, Response(method, labels.classes, TWO)

    def _response_of(self, fitted: Any) -> Response:
        its = own_classes(fitted)
        if its is None:
            return super()._response_of(fitted)
        method = choose_method(fitted, ("predict_proba", "decision_function"), classifier=True)
        return Response(method, read_labels(list(its), "y", self.pos_label).classes, TWO)

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
                raise InputError("A fixed threshold cannot follow the price. Fit one instead.")
            return (prediction >= fixed).astype(np.intp)
        price = per_row(self.theta if theta is None else theta, "theta", len(prediction))
        return (prediction >= self.curve_.knob_at(price)).astype(np.intp)

    def judged(self, X: Any, context: Any = None) -> Floats:
        """Return the scores that are cut."""
        return self._predictions(X)

    def truth_options(self) -> dict[str, Any]:
        """Return the positive class, where it was named."""
        return {} if self.pos_label is None else {"pos_label": self.pos_label}


def _capacity(low: float, high: float, count: int, weight: Any) -> dict[str, float]:
    """Return how many cases, or how much weight, must and may be accepted."""
    if low <= 0.0 and high >= 1.0:
        return {}
    if weight is None:  # whole cases: no fewer than must, no more than may be
        low, high = np.ceil(low * count - 1e-9), np.floor(high * count + 1e-9)
    else:
        low, high = low * float(np.sum(weight)), high * float(np.sum(weight))
    return {"at_least": float(low), "at_most": float(high)}
