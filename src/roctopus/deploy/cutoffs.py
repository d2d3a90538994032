"""Yes or no at a cutoff that comes later, by one model for all cutoffs."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import column_or_1d

from roctopus.concepts.arm import KnobKind
from roctopus.concepts.decision import Decision
from roctopus.core.arrays import Floats, is_single
from roctopus.core.checks import check_scalar
from roctopus.core.errors import InputError
from roctopus.cutoff.margins import margin_at
from roctopus.deploy.base import Deciding, Deployed, per_row, weighted_median

Labels = NDArray[np.intp]


def choose_cutoff(given: Any, constructed: Any, learned: float | None, size: int) -> Any:
    """Return the cutoff, one or one per row: as asked for, as constructed, or as learned."""
    for each in (given, constructed, learned):
        if each is not None:
            return per_row(each, "cutoff", size)
    raise InputError("The cutoff is missing. Pass it to predict, as in predict(X, cutoff=...).")


def own_cutoff(constructed: Any, y: Any, weight: Any) -> float:
    """Return the cutoff that was constructed, or the median of the training data."""
    if constructed is not None and is_single(constructed):
        return check_scalar(constructed, "cutoff")
    return weighted_median(y, weight)


class CutoffClassifier(Deciding, Deployed, carries="margin"):
    """A regressor whose predictions are compared with a cutoff: one model for all cutoffs.

    It is trained on numbers, so scikit-learn does not treat it as a classifier. It predicts 1 if
    the predicted number plus the margin reaches the cutoff, else 0.

    Parameters
    ----------
    estimator : regressor
        What predicts the number.
    cutoff : float, optional
        The cutoff; by default the median of the training data, stored as ``cutoff_``. ``predict``
        accepts others, for all rows or for each row.
    margin : float, default 0.0
        What is added to predictions before they are compared with the cutoff: above 0 where a
        wrong no costs more than a wrong yes.

    Examples
    --------
    >>> from sklearn.linear_model import LinearRegression
    >>> from roctopus.deploy import CutoffClassifier
    >>> X, y = [[1.0], [2.0], [3.0]], [1.0, 2.0, 3.0]
    >>> model = CutoffClassifier(LinearRegression()).fit(X, y)
    >>> model.cutoff_, model.predict([[1.4], [2.6]]), model.predict([[1.4], [2.6]], cutoff=1.2)
    (2.0, array([0, 1]), array([1, 1]))
    """

    answers: ClassVar[str] = "yes or no at a cutoff"
    knob_kind: ClassVar[KnobKind] = "margin"

    def __init__(self, estimator: Any, *, cutoff: float | None = None, margin: float = 0.0) -> None:
        self.estimator = estimator
        self.cutoff = cutoff
        self.margin = margin

    def fit(self, X: Any, y: Any, **fit_params: Any) -> Self:
        """Train the regressor inside.

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
        CutoffClassifier
            The estimator itself.
        """
        check_scalar(self.margin, "margin")
        y = column_or_1d(y, warn=True)
        weight = self._fit_inside(X, y, fit_params)
        self.cutoff_ = own_cutoff(self.cutoff, y, weight)
        return self

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
        CutoffClassifier
            Ready to predict.
        """
        made = super().around(fitted, **parameters)
        made.cutoff_ = None  # none was learned: it is constructed, or given at predict
        return made

    @classmethod
    def carry(
        cls, model: Any, knob: tuple[float, ...], context: float | None, decision: Decision
    ) -> Self:
        """Return an estimator with the margin and the cutoff that was decided for.

        Without a cutoff, ``predict`` needs one. Decisions of older versions have no margin.

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
        CutoffClassifier
            Ready to predict.
        """
        return cls.around(model, cutoff=context, margin=knob[0] if knob else 0.0)

    cutoff_: float | None

    def decision_function(self, X: Any, cutoff: Any = None) -> Floats:
        """Return by how much predictions plus the margin exceed the cutoff.

        Parameters
        ----------
        X : array or dataframe of shape (n, features)
            Features of the cases, as for the estimator inside.
        cutoff : float or array of shape (n,), optional
            Cutoff, one or one per row; by default the estimator's own.

        Returns
        -------
        array of shape (n,)
            In the unit of the true values; yes from 0 on.
        """
        prediction = self.judged(X)
        return np.asarray(
            prediction - choose_cutoff(cutoff, self.cutoff, self.cutoff_, len(prediction))
        )

    def predict(self, X: Any, cutoff: Any = None) -> Labels:
        """Return 1 where the prediction plus the margin reaches the cutoff, else 0.

        Parameters
        ----------
        X : array or dataframe of shape (n, features)
            Features of the cases, as for the estimator inside.
        cutoff : float or array of shape (n,), optional
            Cutoff, one or one per row; by default the estimator's own.

        Returns
        -------
        array of shape (n,)
            1 for yes, 0 for no.
        """
        prediction = self.judged(X)
        accepted = prediction >= choose_cutoff(cutoff, self.cutoff, self.cutoff_, len(prediction))
        return np.asarray(accepted, dtype=np.intp)

    def judged(self, X: Any, context: Any = None) -> Floats:
        """Return the numbers that are compared with cutoffs.

        Parameters
        ----------
        X : array or dataframe of shape (n, features)
            Features of the cases, as for the estimator inside.
        context : float, array of shape (n,) or None
            Context, one or one per row, where the numbers depend on it.

        Returns
        -------
        array of shape (n,)
            Predictions plus the margin.
        """
        return margin_at(self._predictions(X), np.array([self.margin]))
