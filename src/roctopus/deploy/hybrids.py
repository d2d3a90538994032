"""Yes or no at a cutoff that comes later: one model for all cutoffs, or a classifier for each."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted, column_or_1d, validate_data

from roctopus.comparison.folding import OutOfFold, Trainee, make_splits, predict_folds
from roctopus.concepts.envelopes import Region, envelope
from roctopus.concepts.responses import Response
from roctopus.core.arrays import take_rows
from roctopus.cutoff.curves import cutoff_error_curve
from roctopus.cutoff.retraining import retraining_curve
from roctopus.deploy.base import Deployed
from roctopus.deploy.cutoffs import CutoffClassifier, Labels, choose_cutoff
from roctopus.deploy.retraining import (
    ANYTHING,
    AtOneCutoff,
    RetrainedCutoffClassifier,
    read_cutoffs,
    train_side,
)

FEWEST = 5
"""With fewer cases on a side of a cutoff no classifier is tried: the larger side is the answer."""


class _Side(Deployed):
    """A classifier that may be trained on one class only."""

    def __init__(self, estimator: Any) -> None:
        self.estimator = estimator

    def fit(self, X: Any, y: Any, **fit_params: Any) -> Self:
        self.estimator_ = train_side(self.estimator, X, y, self._fit_params(fit_params))
        return self

    def predict(self, X: Any) -> Any:
        return self.estimator_.predict(X)


class HybridCutoffClassifier(AtOneCutoff):
    """Use one regressor at the cutoffs where it is better, and classifiers at the others.

    Cross-validation decides which of the two is better at which cutoff.

    Parameters
    ----------
    regressor : regressor
        Its predictions are compared with the cutoff.
    classifier : classifier
        It is trained for each of some cutoffs, as in ``RetrainedCutoffClassifier``.
    cutoff : float, optional
        Cutoff; by default the median of the training data. ``predict`` accepts others.
    cutoffs : int or list of float, default 19
        Cutoffs at which classifiers are trained and both ways are compared: a number of quantiles
        of the true values, or the cutoffs themselves.
    cv : int or splitter, default 5
        Which cases are used for training, and which for comparing both ways: a number of folds, or
        any scikit-learn splitter.
    keep_data : bool, default False
        Whether to keep the training data, also in files made by pickle. A classifier for any
        other cutoff is then trained when that cutoff is first used.
    cache_size : int, default 32
        How many classifiers for other cutoffs to keep, of those used last.
    n_jobs : int, optional
        How many trainings run at once, as everywhere in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.linear_model import LinearRegression, LogisticRegression
    >>> from roctopus.deploy import HybridCutoffClassifier
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(200, 1))
    >>> y = X[:, 0] + 0.5 * rng.normal(size=200)
    >>> both = LinearRegression(), LogisticRegression()
    >>> model = HybridCutoffClassifier(*both, cutoffs=3).fit(X, y)
    >>> model.predict([[-1.0], [1.0]], cutoff=0.0)
    array([0, 1])
    """

    def __init__(
        self,
        regressor: Any,
        classifier: Any,
        *,
        cutoff: float | None = None,
        cutoffs: Any = 19,
        cv: Any = 5,
        keep_data: bool = False,
        cache_size: int = 32,
        n_jobs: int | None = None,
    ) -> None:
        self.regressor = regressor
        self.classifier = classifier
        self.cutoff = cutoff
        self.cutoffs = cutoffs
        self.cv = cv
        self.keep_data = keep_data
        self.cache_size = cache_size
        self.n_jobs = n_jobs

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inside = [get_tags(each).input_tags for each in (self.regressor, self.classifier)]
        tags.input_tags.sparse = all(each.sparse for each in inside)
        tags.target_tags.required = True
        return tags

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> Self:
        """Compare both ways along the cutoffs, then train both on all cases.

        Parameters
        ----------
        X : array or dataframe of shape (n, features)
            Features of the cases, as for the estimator inside.
        y : array of shape (n,)
            True values, one per case: numbers.
        sample_weight : array of shape (n,), optional
            Weight of each case; cases of weight 0 are ignored.
        groups : array of shape (n,), optional
            Which rows belong together, such as those of one customer, for splitters that use it.

        Returns
        -------
        HybridCutoffClassifier
            The estimator itself.
        """
        _, truths = validate_data(self, X, y, y_numeric=True, **ANYTHING)
        truths = truths.astype(np.float64)
        weight = {} if sample_weight is None else {"sample_weight": column_or_1d(sample_weight)}
        self.points_ = read_cutoffs(self.cutoffs, truths)
        self.reframed_ = CutoffClassifier(self.regressor, cutoff=self.cutoff)
        self.reframed_.fit(X, truths, **weight)
        self.cutoff_ = self.reframed_.cutoff_
        self.retrained_ = RetrainedCutoffClassifier(
            self.classifier,
            cutoff=self.cutoff,
            cutoffs=self.points_,
            keep_data=self.keep_data,
            cache_size=self.cache_size,
            n_jobs=self.n_jobs,
        ).fit(X, truths, **weight)
        self.envelope_ = self._compare(X, truths, weight, groups)
        self.regions_: tuple[Region, ...] = self.envelope_.regions
        return self

    def _compare(self, X: Any, truths: Any, weight: dict[str, Any], groups: Any) -> Any:
        """Return where which way is better, by cases that were not trained on."""
        number = self.cv is None or isinstance(self.cv, int)
        splits = make_splits(self.cv, X, truths, groups, None, classes=False)

        def ask(estimator: Any, truth: Any, splits: Any) -> OutOfFold:
            trainee = Trainee(estimator, truth, Response("predict"))
            return predict_folds(
                {type(self).__name__: trainee}, X, splits, fit_params=weight, n_jobs=self.n_jobs
            )

        found = ask(self.regressor, truths, splits)
        labels: dict[float, Any] = {}
        for point in self.points_.tolist():
            label = (truths >= point).astype(np.intp)
            if np.bincount(label, minlength=2).min() < FEWEST:
                labels[point] = np.full(len(found.rows), int(label.mean() >= 0.5))
                continue
            if number:  # with both sides in every fold
                splits = make_splits(self.cv, X, label, groups, None, classes=True)
            (labels[point],) = ask(_Side(self.classifier), label, splits).predictions.values()
        (predicted,) = found.predictions.values()
        mine = {"sample_weight": found.weights(weight.get("sample_weight"))}
        judged = truths[found.rows]
        return envelope(
            {
                "reframed": cutoff_error_curve(judged, predicted, **mine).sampled(self.points_),
                "retrained": retraining_curve(judged, labels, **mine),
            }
        )

    def predict(self, X: Any, cutoff: Any = None) -> Labels:
        """Return 1 where the better way at the cutoff says yes, else 0.

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
        check_is_fitted(self)
        size = validate_data(self, X, reset=False, **ANYTHING).shape[0]
        cutoffs = np.broadcast_to(choose_cutoff(cutoff, self.cutoff, self.cutoff_, size), size)
        inner = np.array([region.low for region in self.regions_[1:]])
        owner = [region.model for region in self.regions_]
        again = np.array(owner)[np.searchsorted(inner, cutoffs)] == "retrained"
        found = self.reframed_.predict(X, cutoffs)
        rows = np.flatnonzero(again)
        if len(rows):
            part = X if len(rows) == size else take_rows(X, rows)
            found[rows] = self.retrained_.predict(part, cutoffs[rows])
        return found
