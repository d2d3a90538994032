"""What deployed estimators share: one inside, and a context that may change at predict."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn import get_config
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import cross_val_predict
from sklearn.utils import Bunch, get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.validation import check_is_fitted

from roctopus.concepts.arm import KnobKind
from roctopus.concepts.decision import Decision
from roctopus.core.arrays import Floats, read_array, to_numpy
from roctopus.core.checks import check_finite, check_scalar
from roctopus.core.errors import InputError, arg


def require_method(estimator: Any, *methods: str) -> str:
    """Return the first method an estimator has; say which it lacks and what to use."""
    for method in methods:
        if hasattr(estimator, method):
            return method
    wanted = " or ".join(f"'{method}'" for method in methods)
    raise InputError(
        f"{type(estimator).__name__} has no method {wanted}. Use an estimator that has it."
    )


def per_row(value: Any, name: str, size: int) -> Any:
    """Return a context as one number, or one per row."""
    if np.ndim(value) == 0:
        return check_scalar(value, name)
    column = to_numpy(read_array(value, name))
    check_finite(column, name)
    if len(column) != size:
        raise InputError(f"{arg(name)} has {len(column)} values for {size} rows.")
    return column


def weighted_median(values: Any, weight: Any = None) -> float:
    """Return the median; a weight of 2 is the case twice."""
    numbers = np.asarray(values, dtype=np.float64)
    if weight is None:
        return float(np.median(numbers))
    order = np.argsort(numbers)
    ordered, running = numbers[order], np.cumsum(np.asarray(weight, dtype=np.float64)[order])
    half, slack = 0.5 * running[-1], 1e-12 * running[-1]  # weights are added up in floating point
    low = int(np.searchsorted(running, half - slack, side="left"))
    high = int(np.searchsorted(running, half + slack, side="right"))
    return float(0.5 * (ordered[low] + ordered[min(high, len(ordered) - 1)]))


def weight_of(params: dict[str, Any]) -> Any:
    """Return the weights among the parameters of a fit, also those for a step of a pipeline."""
    named = [each for name, each in params.items() if name.endswith("sample_weight")]
    return next((each for each in named if each is not None), None)


CARRIERS: dict[KnobKind, type[Deployed]] = {}
"""The estimators that carry decisions, by kind of knob; the package lists them all."""


class Deployed(MetaEstimatorMixin, BaseEstimator):
    """An estimator around another one, whose predictions it turns into decisions.

    A class that ``carries`` a kind of knob is what decisions of that kind are deployed as, in
    whatever arm they were made.
    """

    estimator: Any

    def __init_subclass__(cls, *, carries: KnobKind | None = None, **options: Any) -> None:
        super().__init_subclass__(**options)
        if carries is not None:
            CARRIERS[carries] = cls

    @classmethod
    def carry(
        cls, model: Any, knob: tuple[float, ...], context: float | None, decision: Decision
    ) -> Self:
        """Return one that carries a setting around a trained model.

        ``context`` is the one context that was decided for, where it was one.
        """
        raise NotImplementedError

    def get_metadata_routing(self) -> MetadataRouter:
        """Return how ``sample_weight`` and the like get to the estimator inside."""
        mapping = MethodMapping().add(caller="fit", callee="fit")
        router = MetadataRouter(owner=type(self).__name__)
        router.add_self_request(self)  # the context at predict
        return router.add(estimator=self.estimator, method_mapping=mapping)

    def _fit_params(self, given: dict[str, Any]) -> dict[str, Any]:
        if get_config()["enable_metadata_routing"]:
            routed: Bunch = process_routing(self, "fit", **given)
            return dict(routed.estimator.fit)
        return given

    def _fit_inside(self, X: Any, y: Any, given: dict[str, Any]) -> Any:
        """Train the estimator inside; return the weights it was trained with, if any."""
        params = self._fit_params(given)
        self.estimator_ = clone(self.estimator).fit(X, y, **params)
        self._copy_features()
        return weight_of(params)

    def _copy_features(self) -> None:
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))

    def _out_of_fold(self, X: Any, y: Any, cv: Any, method: str, given: dict[str, Any]) -> Floats:
        """Return predictions of cases by estimators that were not trained on them."""
        params = {name: each for name, each in given.items() if each is not None}
        if get_config()["enable_metadata_routing"]:
            params = given
        found = cross_val_predict(self.estimator, X, y, cv=cv, method=method, params=params)
        return np.asarray(found, dtype=np.float64)

    @classmethod
    def around(cls, fitted: Any, **parameters: Any) -> Self:
        """Return one that is ready: around a model that is trained already."""
        made = cls(FrozenEstimator(fitted), **parameters)  # training anew leaves it as it is
        made.estimator_ = fitted
        made._copy_features()
        return made

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "estimator_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inside = get_tags(self.estimator)
        tags.input_tags.sparse = inside.input_tags.sparse
        tags.input_tags.allow_nan = inside.input_tags.allow_nan
        tags.target_tags.required = True
        return tags

    def _predictions(self, X: Any) -> Floats:
        """Return the numbers that the estimator inside predicts."""
        check_is_fitted(self)
        require_method(self.estimator_, "predict")
        return np.asarray(self.estimator_.predict(X), dtype=np.float64)
