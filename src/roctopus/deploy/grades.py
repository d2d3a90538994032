"""Grades whose thresholds follow the costs without retraining."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import ClassifierMixin, is_classifier
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, column_or_1d

from roctopus.concepts.arm import KnobKind
from roctopus.concepts.decision import Decision
from roctopus.concepts.responses import Response, choose_method, own_classes, plain_label
from roctopus.core.arrays import Floats
from roctopus.core.errors import InputError
from roctopus.deploy.base import Deciding, Deployed, ordered_categories
from roctopus.ordinal.thresholds import (
    OrdinalLoss,
    costs_in_order,
    grade_scores,
    ordinal_thresholds,
    read_thresholds,
)


class OrdinalThresholdClassifier(ClassifierMixin, Deciding, Deployed, carries="thresholds"):
    """Grade by cutting scores at the thresholds of least cost.

    Parameters
    ----------
    estimator : regressor or classifier
        A regressor is trained on the numbers of the classes, and its predictions are the scores. A
        classifier is trained on the classes, and its score is the expected number of the class, by
        its probabilities.
    costs : array of shape (r,), or mapping of label to number, optional
        Cost of an error on a case of each class; ``predict`` accepts others, without training.
    loss : {"absolute", "zero-one", "squared"} or matrix, default "absolute"
        How the cost grows with the distance between the grade and the class, as in
        ``ordinal_thresholds``.
    labels : list, optional
        Classes from the lowest to the highest; sorted by default.
    thresholds : array of shape (r - 1,), optional
        Where to cut, if that is known: nothing is then tuned, and ``predict`` accepts no costs.
    cv : int or splitter, default 5
        Which cases are used for training, and which for tuning: a number of folds, or any
        scikit-learn splitter.
    n_jobs : int, optional
        How many trainings run at once, as everywhere in scikit-learn.

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

    answers: ClassVar[str] = "grades"
    knob_kind: ClassVar[KnobKind] = "thresholds"

    def __init__(
        self,
        estimator: Any,
        *,
        costs: Any = None,
        loss: OrdinalLoss = "absolute",
        labels: Any = None,
        thresholds: Any = None,
        cv: Any = 5,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.costs = costs
        self.loss = loss
        self.labels = labels
        self.thresholds = thresholds
        self.cv = cv
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, **fit_params: Any) -> Self:
        """Train the model, and keep out-of-fold scores to tune the thresholds on.

        Parameters
        ----------
        X : array or dataframe of shape (n, features)
            Features of the cases, as for the estimator inside.
        y : array of shape (n,)
            Classes, or their numbers.
        **fit_params
            What is passed to ``fit`` of the estimator inside; arrays with one value per row are
            split with the rows.

        Returns
        -------
        OrdinalThresholdClassifier
            The estimator itself.
        """
        codes, labels = self._read(y)
        response, truth = None, codes
        if is_classifier(self.estimator):
            response, truth = self._expected(self._method("predict_proba")), labels
        weight = self._fit_inside(X, truth, fit_params, response)
        if weight is not None and len(np.unique(codes[np.asarray(weight) > 0])) < 2:
            raise InputError(
                "'sample_weight' is zero for all classes but one. At least two classes need "
                "weights above zero."
            )
        if self.thresholds is not None:
            self.thresholds_ = read_thresholds(self.thresholds, len(self.classes_))
            return self
        cv, least = self.cv, np.bincount(codes.astype(np.intp)).min()
        enough = not isinstance(cv, int) or least >= cv
        found, self.scores_ = self._out_of_fold(X, truth, fit_params, classes=bool(enough))
        self.codes_, self.sample_weight_ = codes[found.rows], found.weights(weight)
        self.thresholds_ = self._best(self.costs)
        return self

    def _read(self, y: Any) -> tuple[Floats, Any]:
        """Read the classes; return the number of each case's class, and its label."""
        ordered = ordered_categories(y) if self.labels is None else list(self.labels)
        y = column_or_1d(y, warn=True)
        check_classification_targets(y)
        self.classes_ = np.unique(y) if ordered is None else np.asarray(ordered)
        known = self.classes_.tolist()
        twice = [each for k, each in enumerate(known) if each in known[:k]]
        if twice:
            raise InputError(
                f"'labels' contains the class {twice[0]!r} more than once. Name each class once."
            )
        unknown = sorted(set(y.tolist()) - set(self.classes_.tolist()))
        if unknown:
            raise InputError(
                f"'labels' must contain all classes in 'y', but {unknown[0]!r} is missing."
            )
        number = {label: float(k) for k, label in enumerate(self.classes_.tolist())}
        if len(y) == 0:
            raise InputError("'y' contains no cases. At least one case is needed.")
        if len(self.classes_) < 2:
            raise ValueError(f"Classifier needs at least two classes, got one class: {y[0]!r}.")
        return np.array([number[label] for label in y.tolist()]), y

    def _expected(self, method: str) -> Response:
        """Return what a classifier is asked for: the number of the class it expects."""
        numbers = tuple(map(float, range(len(self.classes_))))
        return Response(method, tuple(map(plain_label, self.classes_)), numbers)

    @classmethod
    def around(cls, fitted: Any, **parameters: Any) -> Self:
        """Return an estimator that is ready, around a model that has been trained.

        Parameters
        ----------
        fitted : estimator
            Trained model.
        **parameters
            Parameters of the class, except ``estimator``.

        Returns
        -------
        OrdinalThresholdClassifier
            Ready to predict.
        """
        made = super().around(fitted, **parameters)
        made.thresholds_ = read_thresholds(made.thresholds, len(made.classes_))
        return made

    def _response_of(self, fitted: Any) -> Response:
        if self.labels is None:
            raise InputError(
                "The order of the classes is missing. Use 'labels' to list them from the lowest to "
                "the highest."
            )
        self.classes_ = np.asarray(self.labels)
        if own_classes(fitted) is None:
            return super()._response_of(fitted)
        return self._expected(choose_method(fitted, ("predict_proba",), classifier=True))

    @classmethod
    def carry(
        cls, model: Any, knob: tuple[float, ...], context: float | None, decision: Decision
    ) -> Self:
        """Return an estimator with the thresholds; classes without names are numbers from 0.

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
        OrdinalThresholdClassifier
            Ready to predict.
        """
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
            raise InputError(
                "An estimator deployed from a decision cannot use other costs, because it has no "
                "training scores. Fit it first."
            )
        found = ordinal_thresholds(
            self.codes_,
            self.scores_,
            costs=costs_in_order(self.classes_.tolist(), costs),
            loss=self.loss,
            labels=list(range(len(self.classes_))),
            sample_weight=self.sample_weight_,
        )
        return found.thresholds

    def predict(self, X: Any, costs: Any = None) -> Any:
        """Return the class of each case.

        Parameters
        ----------
        X : array or dataframe of shape (n, features)
            Features of the cases, as for the estimator inside.
        costs : array of shape (r,), or mapping of label to number, optional
            Cost of an error on a case of each class; by default the estimator's own.

        Returns
        -------
        array of shape (n,)
            Classes.
        """
        check_is_fitted(self)
        thresholds = self.thresholds_ if costs is None else self._best(costs)
        return self.classes_[grade_scores(self._predictions(X), thresholds)]

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
            ``labels``, the order of the classes, if they do not show it.
        """
        labels = self.classes_.tolist()
        numbers = all(isinstance(each, (int, float)) for each in labels)
        return {} if numbers and labels == sorted(labels) else {"labels": labels}
