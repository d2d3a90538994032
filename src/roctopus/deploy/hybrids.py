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
    """Reframing where it is better, retraining where that is: regions learned by cross-validation.

    Parameters
    ----------
    regressor : regressor
        Its predictions are compared with the cutoff.
    classifier : classifier
        It is trained for each of some cutoffs, as in ``RetrainedCutoffClassifier``.
    cutoff : float, optional
        As in ``CutoffClassifier``.
    cutoffs : int or list of numbers, default 19
        At how many quantiles of the truths classifiers are trained and both ways are compared, or
        at which cutoffs.
    cv : int or splitter, default 5
        Which cases train, and which both ways are judged on: as in ``TunedShiftRegressorCV``.
    keep_data, cache_size
        As in ``RetrainedCutoffClassifier``.
    n_jobs : int, optional
        How many trainings run at once.
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
        """Compare both along the cutoffs, then train both on all cases."""
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
        """Return 1 where the better approach at the cutoff (one, or one per row) says so."""
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
