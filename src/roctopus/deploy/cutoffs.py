"""Yes or no at a cutoff that comes later: reframing, retraining, or the better of both."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.model_selection import cross_val_predict
from sklearn.utils.validation import check_is_fitted, column_or_1d, validate_data

from roctopus.concepts.envelopes import Region, envelope
from roctopus.core.arrays import Floats
from roctopus.core.checks import check_whole
from roctopus.core.progress import Progress
from roctopus.cutoff.curves import cutoff_error_curve
from roctopus.cutoff.retraining import retraining_curve
from roctopus.deploy.base import Deployed, per_row, weighted_median

__all__ = ["CutoffClassifier", "HybridCutoffClassifier", "RetrainedCutoffClassifier"]

Labels = NDArray[np.intp]


def _cutoff(given: Any, own: float, size: int) -> Any:
    """Return the cutoff: as asked for at predict (one, or one per row), or the own one."""
    return own if given is None else per_row(given, "cutoff", size)


class CutoffClassifier(Deployed):
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
        self._fit_inside(X, y, fit_params)
        middle = weighted_median(y, fit_params.get("sample_weight"))
        self.cutoff_ = middle if self.cutoff is None else per_row(self.cutoff, "cutoff", 0)
        return self

    @classmethod
    def around(cls, fitted: Any, **parameters: Any) -> Self:
        """Return one that is ready, around a trained regressor."""
        made = super().around(fitted, **parameters)
        made.cutoff_ = per_row(made.cutoff, "cutoff", 0)
        return made

    def decision_function(self, X: Any, cutoff: Any = None) -> Floats:
        """Return by how much predictions exceed the cutoff."""
        prediction = self._predictions(X)
        return np.asarray(prediction - _cutoff(cutoff, self.cutoff_, len(prediction)))

    def predict(self, X: Any, cutoff: Any = None) -> Labels:
        """Return 1 where the prediction reaches the cutoff."""
        prediction = self._predictions(X)
        accepted = prediction >= _cutoff(cutoff, self.cutoff_, len(prediction))
        return np.asarray(accepted, dtype=np.intp)


class RetrainedCutoffClassifier(MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
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
        checked, truths = validate_data(
            self, X, y, dtype=None, y_numeric=True, skip_check_array=False
        )
        self.X_, self.y_ = (X if hasattr(X, "columns") else checked), truths.astype(np.float64)
        self.sample_weight_ = None if sample_weight is None else column_or_1d(sample_weight)
        middle = weighted_median(self.y_, self.sample_weight_)
        self.cutoff_ = middle if self.cutoff is None else per_row(self.cutoff, "cutoff", 0)
        self.trained_: OrderedDict[float, Any] = OrderedDict()
        self.at(self.cutoff_)
        return self

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
        rows = validate_data(self, X, dtype=None, reset=False)
        X = X if hasattr(X, "columns") else rows
        size = rows.shape[0]
        cutoffs = np.broadcast_to(_cutoff(cutoff, self.cutoff_, size), size)
        found = np.empty(size, dtype=np.intp)
        distinct, which = np.unique(cutoffs, return_inverse=True)
        bar = Progress("cutoffs", len(distinct), self.progress)
        for k, each in enumerate(distinct.tolist()):
            mine = np.flatnonzero(which == k)
            model = self.at(each)
            if isinstance(model, int):
                found[mine] = model
            else:
                part = X if len(mine) == size else _take(X, mine)
                found[mine] = model.predict(part)
            bar.show(k + 1)
        return found


def _take(X: Any, rows: Any) -> Any:
    if hasattr(X, "iloc"):
        return X.iloc[rows]
    return X[rows] if hasattr(X, "shape") else np.asarray(X)[rows]


class HybridCutoffClassifier(MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
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

    def fit(self, X: Any, y: Any) -> Self:
        """Compare both along the cutoffs, then train both on all cases."""
        _, truths = validate_data(self, X, y, dtype=None, y_numeric=True)
        truths = truths.astype(np.float64)
        self.reframed_ = CutoffClassifier(self.regressor, cutoff=self.cutoff).fit(X, truths)
        self.retrained_ = RetrainedCutoffClassifier(
            self.classifier, cutoff=self.cutoff, cache_size=self.cache_size
        ).fit(X, truths)
        self.cutoff_ = self.reframed_.cutoff_
        count = check_whole(self.cutoffs, "cutoffs", 1)
        points = np.unique(np.quantile(truths, np.arange(1, count + 1) / (count + 1)))
        predicted = cross_val_predict(self.regressor, X, truths, cv=self.cv)
        labels: dict[float, Any] = {}
        for point in points.tolist():
            label = (truths >= point).astype(np.intp)
            if np.bincount(label, minlength=2).min() < 5:
                labels[point] = np.full(len(truths), int(label.mean() >= 0.5))
            else:
                labels[point] = cross_val_predict(self.classifier, X, label, cv=self.cv)
        curves = {
            "reframed": cutoff_error_curve(truths, predicted).sampled(points),
            "retrained": retraining_curve(truths, labels),
        }
        self.envelope_ = envelope(curves)
        self.points_ = points
        self.regions_: tuple[Region, ...] = self.envelope_.regions
        return self

    def predict(self, X: Any, cutoff: Any = None) -> Labels:
        """Return 1 where the better approach at the cutoff (one, or one per row) says so."""
        check_is_fitted(self)
        size = validate_data(self, X, dtype=None, reset=False).shape[0]
        cutoffs = np.broadcast_to(_cutoff(cutoff, self.cutoff_, size), size)
        inner = np.array([region.low for region in self.regions_[1:]])
        owner = [region.model for region in self.regions_]
        again = np.array(owner)[np.searchsorted(inner, cutoffs)] == "retrained"
        found = self.reframed_.predict(X, cutoffs)
        rows = np.flatnonzero(again)
        if len(rows):
            part = (
                X if len(rows) == size else _take(X if hasattr(X, "iloc") else np.asarray(X), rows)
            )
            found[rows] = self.retrained_.predict(part, cutoffs[rows])
        return found
