"""Yes or no at a cutoff that comes later: a classifier per cutoff, or the better of both ways."""

from __future__ import annotations

from collections import OrderedDict
from copy import deepcopy
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone, is_regressor
from sklearn.dummy import DummyClassifier
from sklearn.utils import get_tags
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted, column_or_1d, validate_data

from roctopus.concepts.arm import KnobKind
from roctopus.core.arrays import Floats, is_single, take_rows
from roctopus.core.checks import check_whole, read_finite
from roctopus.core.errors import InputError
from roctopus.core.progress import Progress
from roctopus.deploy.base import Deciding
from roctopus.deploy.cutoffs import Labels, choose_cutoff, own_cutoff

ANYTHING: dict[str, Any] = {"dtype": None, "accept_sparse": "csr", "ensure_all_finite": False}
"""What X may be is for the estimators inside to say."""


class AtOneCutoff(Deciding, MetaEstimatorMixin, BaseEstimator):
    """What says yes or no at one cutoff, and has no number for all of them."""

    answers: ClassVar[str] = "yes or no at one cutoff"
    knob_kind: ClassVar[KnobKind] = "margin"
    needs_context: ClassVar[bool] = True

    def predict(self, X: Any, cutoff: Any = None) -> Labels:
        """Return 1 for yes and 0 for no, at a cutoff.

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
        raise NotImplementedError

    def judged(self, X: Any, context: Any) -> Floats:
        """Return numbers that are above the cutoff where the answer is yes.

        Parameters
        ----------
        X : array or dataframe of shape (n, features)
            Features of the cases, as for the estimator inside.
        context : float, array of shape (n,) or None
            Context, one or one per row, where the numbers depend on it.

        Returns
        -------
        array of shape (n,)
            Infinite for yes, minus infinite for no.
        """
        return np.where(self.predict(X, context) == 1, np.inf, -np.inf)


def read_cutoffs(given: Any, truths: Floats) -> Floats:
    """Return cutoffs in order: so many quantiles of the truths, or those given."""
    if not is_single(given):
        return np.unique(read_finite(given, "cutoffs"))
    count = check_whole(given, "cutoffs", 1)
    return np.unique(np.quantile(truths, np.arange(1, count + 1) / (count + 1)))


def train_side(estimator: Any, X: Any, label: Labels, params: dict[str, Any]) -> Any:
    """Return a classifier trained on yes and no; where there is one of them only, it is said."""
    if label.min() == label.max():
        return DummyClassifier().fit(X, label)
    return clone(estimator).fit(X, label, **params)


class RetrainedCutoffClassifier(AtOneCutoff):
    """Classifiers trained for some cutoffs; a cutoff in between uses the nearest one.

    The nearest cutoff is the one with the fewest training cases in between (the lower of two
    equally near). If all training cases lie on one side of a cutoff, that side is predicted.

    Parameters
    ----------
    estimator : classifier
        What is trained on ``y >= cutoff``.
    cutoff : float, optional
        Cutoff; by default the median of the training data. ``predict`` accepts others. It always
        has a classifier of its own.
    cutoffs : int or list of float, default 19
        Cutoffs for which classifiers are trained: a number of quantiles of the true values, or the
        cutoffs themselves.
    keep_data : bool, default False
        Whether to keep the training data, also in files made by pickle. A classifier for any
        other cutoff is then trained when that cutoff is first used.
    cache_size : int, default 32
        How many classifiers for other cutoffs to keep, of those used last.
    n_jobs : int, optional
        How many trainings run at once, as everywhere in scikit-learn.
    progress : bool, default False
        Whether to show progress on a terminal while many are trained.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.linear_model import LogisticRegression
    >>> from roctopus.deploy import RetrainedCutoffClassifier
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(200, 1))
    >>> y = X[:, 0] + 0.5 * rng.normal(size=200)
    >>> model = RetrainedCutoffClassifier(LogisticRegression(), cutoffs=3).fit(X, y)
    >>> model.predict([[-1.0], [1.0]], cutoff=0.0)
    array([0, 1])
    """

    def __init__(
        self,
        estimator: Any,
        *,
        cutoff: float | None = None,
        cutoffs: Any = 19,
        keep_data: bool = False,
        cache_size: int = 32,
        n_jobs: int | None = None,
        progress: bool = False,
    ) -> None:
        self.estimator = estimator
        self.cutoff = cutoff
        self.cutoffs = cutoffs
        self.keep_data = keep_data
        self.cache_size = cache_size
        self.n_jobs = n_jobs
        self.progress = progress

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Train a classifier for each cutoff.

        Parameters
        ----------
        X : array or dataframe of shape (n, features)
            Features of the cases, as for the estimator inside.
        y : array of shape (n,)
            True values, one per case: numbers.
        sample_weight : array of shape (n,), optional
            Weight of each case; cases of weight 0 are ignored.

        Returns
        -------
        RetrainedCutoffClassifier
            The estimator itself.
        """
        if is_regressor(self.estimator):
            raise InputError(
                f"'estimator' must be a classifier, but {type(self.estimator).__name__} is a "
                "regressor. Use a classifier, or wrap the regressor in CutoffClassifier."
            )
        self.most_ = check_whole(self.cache_size, "cache_size", 1)
        checked, truths = validate_data(self, X, y, y_numeric=True, **ANYTHING)
        truths = truths.astype(np.float64)
        weight = None if sample_weight is None else column_or_1d(sample_weight)
        if weight is not None and not np.any(weight > 0):
            raise InputError(
                "'sample_weight' is zero in all rows. At least one weight must be above zero."
            )
        params = {} if weight is None else {"sample_weight": weight}
        data = X if hasattr(X, "columns") else checked
        self.cutoff_ = own_cutoff(self.cutoff, truths, weight)
        grid = np.union1d(read_cutoffs(self.cutoffs, truths), self.cutoff_)
        self.range_ = float(truths.min()), float(truths.max())
        self.grid_, self.borders_ = _apart(grid, truths, weight)
        self.trained_ = self._train(data, truths, params)
        self.extra_: OrderedDict[float, Any] = OrderedDict()
        # Copies: classifiers are trained later, and the caller's data may change by then.
        self.data_ = (deepcopy(data), truths.copy(), deepcopy(params)) if self.keep_data else None
        return self

    def _train(self, X: Any, truths: Floats, params: dict[str, Any]) -> list[Any]:
        jobs = (
            delayed(train_side)(self.estimator, X, (truths >= each).astype(np.intp), params)
            for each in self.grid_.tolist()
        )
        bar, found = Progress("trainings", len(self.grid_), self.progress), []
        for each in Parallel(n_jobs=self.n_jobs, return_as="generator")(jobs):
            found.append(each)
            bar.show(len(found))
        return found

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = get_tags(self.estimator).input_tags.sparse
        tags.target_tags.required = True
        return tags

    def at(self, cutoff: float) -> Any:
        """Return the classifier that is used at a cutoff.

        Parameters
        ----------
        cutoff : float
            Cutoff, in the unit of the true values.

        Returns
        -------
        classifier
            The nearest cutoff's; with ``keep_data=True`` its own.
        """
        check_is_fitted(self)
        place = int(np.searchsorted(self.borders_, cutoff))
        if self.data_ is None or self.grid_[place] == cutoff:
            return self.trained_[place]
        if cutoff not in self.extra_:
            X, truths, params = self.data_
            label = (truths >= cutoff).astype(np.intp)
            self.extra_[cutoff] = train_side(self.estimator, X, label, params)
        self.extra_.move_to_end(cutoff)
        while len(self.extra_) > self.most_:
            self.extra_.popitem(last=False)
        return self.extra_[cutoff]

    def predict(self, X: Any, cutoff: Any = None) -> Labels:
        """Return 1 where the classifier of the cutoff says yes, else 0.

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
        rows = validate_data(self, X, reset=False, **ANYTHING)
        X = X if hasattr(X, "columns") else rows
        size = rows.shape[0]
        cutoffs = np.broadcast_to(choose_cutoff(cutoff, self.cutoff, self.cutoff_, size), size)
        found = (cutoffs <= self.range_[0]).astype(np.intp)  # beyond all training cases
        inside = np.flatnonzero((cutoffs > self.range_[0]) & (cutoffs <= self.range_[1]))
        which = np.searchsorted(self.borders_, cutoffs[inside])
        same = cutoffs[inside] if self.data_ is not None else self.grid_[which]
        for each in np.unique(same).tolist():
            mine = inside[same == each]
            part = X if len(mine) == size else take_rows(X, mine)
            found[mine] = self.at(each).predict(part)
        return found


def _apart(grid: Floats, truths: Floats, weight: Any) -> tuple[Floats, Floats]:
    """Return cutoffs with cases between them, and the last cutoff that is nearest to each in rank.

    A cutoff's rank is the weight of the cases below it.
    """
    order = np.argsort(truths, kind="stable")
    ordered = truths[order]
    mass = np.ones(len(order)) if weight is None else np.asarray(weight, dtype=np.float64)[order]
    running = np.cumsum(mass)
    below = np.concatenate([[0.0], running])[np.searchsorted(ordered, grid)]
    _, first = np.unique(below, return_index=True)
    grid, below = grid[first], below[first]
    middle = 0.5 * (below[1:] + below[:-1])
    return grid, ordered[np.searchsorted(running, middle, side="right")]
