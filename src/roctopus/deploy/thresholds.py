"""Acceptances whose threshold follows the price without retraining."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import is_classifier
from sklearn.utils.validation import check_is_fitted, column_or_1d

from roctopus.concepts.arm import KnobKind
from roctopus.concepts.decision import Decision
from roctopus.concepts.responses import TWO, Response, choose_method, own_classes
from roctopus.core.arrays import Floats, as_floats
from roctopus.core.checks import check_unit
from roctopus.core.errors import InputError
from roctopus.core.given import call_given
from roctopus.core.labels import read_labels
from roctopus.deploy.base import Deciding, Deployed, per_row
from roctopus.impact.curves import ImpactCurve, impact_curve
from roctopus.impact.utilities import value_minus_cutoff


class ImpactThresholdClassifier(Deciding, Deployed, carries="threshold"):
    """Accept cases whose predicted value is high enough at today's price.

    It is trained on values, so scikit-learn does not treat it as a classifier. It predicts 1 for
    accepted cases.

    Parameters
    ----------
    estimator : regressor or classifier
        What predicts the value. A classifier of two classes is asked for the probability of the
        positive one, or for its score if it has none.
    utility : callable, optional
        What accepting gains, made from values: ``value_times_price``, or (default)
        ``value_minus_cutoff``.
    theta : float, default 0.0
        Price; ``predict`` accepts others, for all rows or for each row.
    at_least : float, default 0.0
        Share of cases that must be accepted.
    at_most : float, default 1.0
        Share of cases that may be accepted.
    pos_label : label, optional
        Label of the positive class. Needed for text; by default the larger number, or True.
    cv : int or splitter, default 5
        Which cases are used for training, and which for tuning: a number of folds, or any
        scikit-learn splitter.
    n_jobs : int, optional
        How many trainings run at once, as everywhere in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.linear_model import LinearRegression
    >>> from roctopus.deploy import ImpactThresholdClassifier
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(300, 1))
    >>> value = 10.0 + 5.0 * X[:, 0] + rng.normal(size=300)
    >>> model = ImpactThresholdClassifier(LinearRegression(), theta=8.0).fit(X, value)
    >>> model.predict([[-2.0], [0.0]]), model.predict([[-2.0], [0.0]], theta=12.0)
    (array([0, 1]), array([0, 0]))
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
        """Train the model, and tune the threshold for every price on out-of-fold scores.

        Parameters
        ----------
        X : array or dataframe of shape (n, features)
            Features of the cases, as for the estimator inside.
        y : array of shape (n,)
            Values, or two classes.
        **fit_params
            What is passed to ``fit`` of the estimator inside; arrays with one value per row are
            split with the rows.

        Returns
        -------
        ImpactThresholdClassifier
            The estimator itself.
        """
        if not callable(self.utility):
            raise InputError(
                "'utility' must be a function of the true values, such as value_minus_cutoff, but "
                f"is {self.utility!r}. Set 'utility' before fitting. An estimator made by "
                "Decision.deploy does not contain it."
            )
        low, high = check_unit(self.at_least, "at_least"), check_unit(self.at_most, "at_most")
        truth, values, response = self._read(column_or_1d(y, warn=True))
        weight = self._fit_inside(X, truth, fit_params, response)
        self.threshold_: float | None = None
        found, scores = self._out_of_fold(X, truth, fit_params, classes=bool(response.classes))
        values, weight = values[found.rows], found.weights(weight)
        self.curve_: ImpactCurve = impact_curve(
            scores,
            call_given(self.utility, "utility", values),
            normalize=True,
            sample_weight=weight,
            **_capacity(low, high, len(values), weight),
        )
        return self

    def _read(self, y: Any) -> tuple[Any, Floats, Response]:
        """Return what to train on, what the utility is made from, and what to ask the model for."""
        classifier = is_classifier(self.estimator)
        if not classifier and self.pos_label is None:
            return y, as_floats(y), Response(self._method("predict"))
        labels = read_labels(y, "y", self.pos_label)
        values = labels.values if self.pos_label is not None else as_floats(y)
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
        """Return an estimator that is ready, around a model that has been trained.

        Parameters
        ----------
        fitted : estimator
            Trained model.
        threshold : float, optional
            Threshold for scores, where it is given.
        **parameters
            Parameters of the class, except ``estimator``.

        Returns
        -------
        ImpactThresholdClassifier
            Ready to predict.
        """
        made = super().around(fitted, **parameters)
        made.threshold_ = threshold
        return made

    @classmethod
    def carry(
        cls, model: Any, knob: tuple[float, ...], context: float | None, decision: Decision
    ) -> Self:
        """Return an estimator with a threshold, and the price and capacity it was tuned for.

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
        ImpactThresholdClassifier
            Ready to predict.
        """
        return cls.around(
            model,
            threshold=knob[0],
            utility=None,
            theta=0.0 if context is None else context,
            at_least=decision.settings.get("at_least", 0.0),
            at_most=decision.settings.get("at_most", 1.0),
        )

    def decision_function(self, X: Any) -> Floats:
        """Return the scores that are cut.

        Parameters
        ----------
        X : array or dataframe of shape (n, features)
            Features of the cases, as for the estimator inside.

        Returns
        -------
        array of shape (n,)
            Scores.
        """
        return self._predictions(X)

    def predict(self, X: Any, theta: Any = None) -> Any:
        """Return 1 for accepted cases, else 0.

        Parameters
        ----------
        X : array or dataframe of shape (n, features)
            Features of the cases, as for the estimator inside.
        theta : float or array of shape (n,), optional
            Price, one or one per row; by default the estimator's own.

        Returns
        -------
        array of shape (n,)
            1 for accepted, 0 for not.
        """
        check_is_fitted(self)
        prediction = self._predictions(X)
        fixed: float | None = self.threshold_
        if fixed is not None:
            if theta is not None:
                raise InputError(
                    "This threshold is fixed, so it does not depend on 'theta'. Leave out 'theta', "
                    "or fit the estimator to tune a threshold for each 'theta'."
                )
            return (prediction >= fixed).astype(np.intp)
        price = per_row(self.theta if theta is None else theta, "theta", len(prediction))
        return (prediction >= self.curve_.knob_at(price)).astype(np.intp)

    def judged(self, X: Any, context: Any = None) -> Floats:
        """Return the scores that are cut.

        Parameters
        ----------
        X : array or dataframe of shape (n, features)
            Features of the cases, as for the estimator inside.
        context : float, array of shape (n,) or None
            Context, one or one per row, where the numbers depend on it.

        Returns
        -------
        array of shape (n,)
            Scores.
        """
        return self._predictions(X)

    def truth_options(self) -> dict[str, Any]:
        """Return what the estimator knows about the true values, for metrics that evaluate it.

        Returns
        -------
        dict
            ``pos_label``, the positive class, if it was named.
        """
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
