"""Yes or no at a cutoff that comes later: reframing, retraining, or the better of both."""

from __future__ import annotations

from collections import OrderedDict
from copy import deepcopy
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.model_selection import check_cv, cross_val_predict
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted, column_or_1d, validate_data

from roctopus.concepts.decision import Decision
from roctopus.concepts.envelopes import Region, envelope
from roctopus.core.arrays import Floats, take_rows
from roctopus.core.checks import check_scalar, check_whole
from roctopus.core.errors import InputError
from roctopus.core.progress import Progress
from roctopus.cutoff.curves import cutoff_error_curve
from roctopus.cutoff.retraining import retraining_curve
from roctopus.deploy.base import Deployed, per_row, weighted_median

Labels = NDArray[np.intp]
ANYTHING: dict[str, Any] = {"dtype": None, "accept_sparse": "csr", "ensure_all_finite": False}
"""What X may be is for the estimators inside to say."""


def _cutoff(given: Any, constructed: Any, learned: float | None, size: int) -> Any:
    """Return the cutoff, one or one per row: as asked for, as constructed, or as learned."""
    for each in (given, constructed, learned):
        if each is not None:
            return per_row(each, "cutoff", size)
    raise InputError("There is no cutoff: give it to predict, as in predict(X, cutoff=...).")


def _own_cutoff(constructed: Any, y: Any, weight: Any) -> float:
    """Return the cutoff that was constructed, or the median of the training data."""
    if constructed is not None and np.ndim(constructed) == 0:
        return check_scalar(constructed, "cutoff")
    return weighted_median(y, weight)


class CutoffClassifier(Deployed, carries="margin"):
    """A regressor whose predictions are compared with a cutoff: one model for all cutoffs.

    ``y`` holds numbers, so it is no classifier for scikit-learn; it predicts 1 where the number
    reaches the cutoff, else 0.

    Parameters
    ----------
    estimator : regressor
        What predicts the number.
    cutoff : float, optional
        The cutoff; by default the median of the training data, stored as ``cutoff_``. ``predict``
        takes another, also one per row.

    Examples
    --------
    >>> from sklearn.linear_model import LinearRegression
    >>> from roctopus.deploy import CutoffClassifier
    >>> X, y = [[1.0], [2.0], [3.0]], [1.0, 2.0, 3.0]
    >>> model = CutoffClassifier(LinearRegression()).fit(X, y)
    >>> model.cutoff_, model.predict([[1.4], [2.6]]), model.predict([[1.4], [2.6]], cutoff=1.2)
    (2.0, array([0, 1]), array([1, 1]))
    """

    def __init__(self, estimator: Any, *, cutoff: float | None = None) -> None:
        self.estimator = estimator
        self.cutoff = cutoff

    def fit(self, X: Any, y: Any, **fit_params: Any) -> Self:
        """Train the regressor inside."""
        y = column_or_1d(y, warn=True)
        weight = self._fit_inside(X, y, fit_params)
        self.cutoff_ = _own_cutoff(self.cutoff, y, weight)
        return self

    @classmethod
    def around(cls, fitted: Any, **parameters: Any) -> Self:
        """Return one that is ready, around a trained regressor."""
        made = super().around(fitted, **parameters)
        made.cutoff_ = None  # none was learned: it is constructed, or given at predict
        return made

    @classmethod
    def carry(
        cls, model: Any, knob: tuple[float, ...], context: float | None, decision: Decision
    ) -> Self:
        """Return one with the cutoff that was decided for; without one, ``predict`` needs it."""
        return cls.around(model, cutoff=context)

    cutoff_: float | None

    def decision_function(self, X: Any, cutoff: Any = None) -> Floats:
        """Return by how much predictions exceed the cutoff."""
        prediction = self._predictions(X)
        return np.asarray(prediction - _cutoff(cutoff, self.cutoff, self.cutoff_, len(prediction)))

    def predict(self, X: Any, cutoff: Any = None) -> Labels:
        """Return 1 where the prediction reaches the cutoff."""
        prediction = self._predictions(X)
        accepted = prediction >= _cutoff(cutoff, self.cutoff, self.cutoff_, len(prediction))
        return np.asarray(accepted, dtype=np.intp)


class RetrainedCutoffClassifier(MetaEstimatorMixin, BaseEstimator):
    """A classifier trained anew for every cutoff, when it is first asked for.

    It keeps the training data. Classifiers are kept, too, the ``cache_size`` last used. Where all
    training cases lie on one side of a cutoff, that side is the answer.

    Parameters
    ----------
    estimator : classifier
        What is trained on ``y >= cutoff``.
    cutoff : float, optional
        As in ``CutoffClassifier``.
    cache_size : int, default 32
        How many classifiers to keep.
    progress : bool, default False
        Show progress on a terminal while many are trained.
    """

    def __init__(
        self,
        estimator: Any,
        *,
        cutoff: float | None = None,
        cache_size: int = 32,
        progress: bool = False,
    ) -> None:
        self.estimator = estimator
        self.cutoff = cutoff
        self.cache_size = cache_size
        self.progress = progress

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Keep the data, and train at the own cutoff."""
        self.most_ = check_whole(self.cache_size, "cache_size", 1)
        checked, truths = validate_data(self, X, y, y_numeric=True, **ANYTHING)
        # Copies: classifiers are trained later, and the caller's data may change by then.
        self.X_ = deepcopy(X) if hasattr(X, "columns") else checked.copy()
        self.y_ = truths.astype(np.float64)
        self.sample_weight_ = None if sample_weight is None else column_or_1d(sample_weight)
        self.cutoff_ = _own_cutoff(self.cutoff, self.y_, self.sample_weight_)
        self.trained_: OrderedDict[float, Any] = OrderedDict()
        self.at(self.cutoff_)
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = get_tags(self.estimator).input_tags.sparse
        tags.target_tags.required = True
        return tags

    def at(self, cutoff: float) -> Any:
        """Return the classifier for a cutoff, or the only answer there is (0 or 1)."""
        check_is_fitted(self)
        if cutoff in self.trained_:
            self.trained_.move_to_end(cutoff)
            return self.trained_[cutoff]
        label = (self.y_ >= cutoff).astype(np.intp)
        found: Any = int(label[0])
        if label.min() != label.max():
            weighing = {} if self.sample_weight_ is None else {"sample_weight": self.sample_weight_}
            found = clone(self.estimator).fit(self.X_, label, **weighing)
        self.trained_[cutoff] = found
        while len(self.trained_) > self.most_:
            self.trained_.popitem(last=False)
        return found

    def predict(self, X: Any, cutoff: Any = None) -> Labels:
        """Return 1 where the classifier of the cutoff (one, or one per row) says so."""
        check_is_fitted(self)
        rows = validate_data(self, X, reset=False, **ANYTHING)
        X = X if hasattr(X, "columns") else rows
        size = rows.shape[0]
        cutoffs = np.broadcast_to(_cutoff(cutoff, self.cutoff, self.cutoff_, size), size)
        found = np.empty(size, dtype=np.intp)
        distinct, which = np.unique(cutoffs, return_inverse=True)
        bar = Progress("cutoffs", len(distinct), self.progress)
        for k, each in enumerate(distinct.tolist()):
            mine = np.flatnonzero(which == k)
            model = self.at(each)
            if isinstance(model, int):
                found[mine] = model
            else:
                part = X if len(mine) == size else take_rows(X, mine)
                found[mine] = model.predict(part)
            bar.show(k + 1)
        return found


class HybridCutoffClassifier(MetaEstimatorMixin, BaseEstimator):
    """Reframing where it is better, retraining where that is: regions learned by cross-validation.

    Parameters
    ----------
    regressor : regressor
        Its predictions are compared with the cutoff.
    classifier : classifier
        It is trained anew for every cutoff.
    cutoff : float, optional
        As in ``CutoffClassifier``.
    cutoffs : int, default 19
        At how many quantiles of the truths both are compared.
    cv : int or splitter, default 5
        The folds.
    cache_size : int, default 32
        How many classifiers to keep.
    """

    def __init__(
        self,
        regressor: Any,
        classifier: Any,
        *,
        cutoff: float | None = None,
        cutoffs: int = 19,
        cv: Any = 5,
        cache_size: int = 32,
    ) -> None:
        self.regressor = regressor
        self.classifier = classifier
        self.cutoff = cutoff
        self.cutoffs = cutoffs
        self.cv = cv
        self.cache_size = cache_size

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inside = [get_tags(each).input_tags for each in (self.regressor, self.classifier)]
        tags.input_tags.sparse = all(each.sparse for each in inside)
        tags.target_tags.required = True
        return tags

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Compare both along the cutoffs, then train both on all cases."""
        _, truths = validate_data(self, X, y, y_numeric=True, **ANYTHING)
        truths = truths.astype(np.float64)
        weight = {} if sample_weight is None else {"sample_weight": column_or_1d(sample_weight)}
        self.reframed_ = CutoffClassifier(self.regressor, cutoff=self.cutoff)
        self.reframed_.fit(X, truths, **weight)
        self.retrained_ = RetrainedCutoffClassifier(
            self.classifier, cutoff=self.cutoff, cache_size=self.cache_size
        ).fit(X, truths, **weight)
        given = hasattr(self.cv, "split") or isinstance(self.cv, (int, type(None)))
        cv = self.cv if given else list(self.cv)  # a generator of splits is used up by one use
        splits = list(check_cv(cv).split(X, truths))
        self.cutoff_ = self.reframed_.cutoff_
        count = check_whole(self.cutoffs, "cutoffs", 1)
        points = np.unique(np.quantile(truths, np.arange(1, count + 1) / (count + 1)))
        predicted = cross_val_predict(self.regressor, X, truths, cv=splits, params=weight)
        labels: dict[float, Any] = {}
        for point in points.tolist():
            label = (truths >= point).astype(np.intp)
            if np.bincount(label, minlength=2).min() < 5:
                labels[point] = np.full(len(truths), int(label.mean() >= 0.5))
            else:
                folds = list(check_cv(cv, label, classifier=True).split(X, label))
                labels[point] = cross_val_predict(
                    self.classifier, X, label, cv=folds, params=weight
                )
        curves = {
            "reframed": cutoff_error_curve(truths, predicted, **weight).sampled(points),
            "retrained": retraining_curve(truths, labels, **weight),
        }
        self.envelope_ = envelope(curves)
        self.points_ = points
        self.regions_: tuple[Region, ...] = self.envelope_.regions
        return self

    def predict(self, X: Any, cutoff: Any = None) -> Labels:
        """Return 1 where the better approach at the cutoff (one, or one per row) says so."""
        check_is_fitted(self)
        size = validate_data(self, X, reset=False, **ANYTHING).shape[0]
        cutoffs = np.broadcast_to(_cutoff(cutoff, self.cutoff, self.cutoff_, size), size)
        inner = np.array([region.low for region in self.regions_[1:]])
        owner = [region.model for region in self.regions_]
        again = np.array(owner)[np.searchsorted(inner, cutoffs)] == "retrained"
        found = self.reframed_.predict(X, cutoffs)
        rows = np.flatnonzero(again)
        if len(rows):
            part = X if len(rows) == size else take_rows(X, rows)
            found[rows] = self.retrained_.predict(part, cutoffs[rows])
        return found
