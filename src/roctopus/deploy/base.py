"""What deployed estimators share: one inside, and a context that may change at predict."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from sklearn import get_config
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone, is_classifier
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import GridSearchCV, GroupKFold, RandomizedSearchCV
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import (
    MetadataRouter,
    MethodMapping,
    get_routing_for_object,
    process_routing,
)
from sklearn.utils.validation import check_is_fitted

from roctopus.comparison.folding import OutOfFold, Trainee, make_splits, predict_folds
from roctopus.concepts.arm import Arm, KnobKind
from roctopus.concepts.decision import Decision
from roctopus.concepts.responses import Response, choose_method, own_classes
from roctopus.core.arrays import Floats, is_single, read_array, to_numpy
from roctopus.core.checks import check_finite, check_scalar, say_rows
from roctopus.core.errors import InputError, arg


def per_row(value: Any, name: str, size: int) -> Any:
    """Return a context as one number, or one per row."""
    if is_single(value):
        return check_scalar(value, name)
    column = to_numpy(read_array(value, name))
    check_finite(column, name)
    if len(column) != size:
        raise InputError(
            f"{arg(name)} has length {len(column)}, but there {'is' if size == 1 else 'are'} "
            f"{say_rows(size)}. Use a single number, or one value per row."
        )
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


def ordered_categories(y: Any) -> list[Any] | None:
    """Return the classes of an ordered categorical column, in their order."""
    kind: Any = getattr(y, "dtype", None)
    return list(kind.categories) if getattr(kind, "ordered", False) else None


def weight_of(params: dict[str, Any]) -> Any:
    """Return the weights among the parameters of a fit, also those for a step of a pipeline."""
    named = [each for name, each in params.items() if name.endswith("sample_weight")]
    return next((each for each in named if each is not None), None)


class Deciding:
    """An estimator whose answers are decisions: measures judge the numbers it decides on."""

    answers: ClassVar[str]
    """What it answers, for sentences."""
    knob_kind: ClassVar[KnobKind]
    needs_context: ClassVar[bool] = False
    """Whether it has nothing to judge until the context is known."""

    def suits(self, arm: Arm) -> bool:
        """Return whether the measures of an arm can judge what the estimator answers.

        Parameters
        ----------
        arm : Arm
            Record of the arm.

        Returns
        -------
        bool
            True if they can.
        """
        return arm.knob == self.knob_kind

    def judged(self, X: Any, context: Any) -> Floats:
        """Return the numbers that measures judge.

        Parameters
        ----------
        X : array or dataframe of shape (n, features)
            Features of the cases, as for the estimator inside.
        context : float, array of shape (n,) or None
            Context, one or one per row, where the numbers depend on it.

        Returns
        -------
        array of shape (n,)
            The numbers that the estimator decides on.
        """
        raise NotImplementedError

    def truth_options(self) -> dict[str, Any]:
        """Return what the estimator knows about the true values, for metrics that evaluate it.

        Returns
        -------
        dict
            Options of the measures; empty where there is nothing to add.
        """
        return {}


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
        """Return an estimator that applies a setting, around a trained model.

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
        estimator
            Ready to predict.
        """
        raise NotImplementedError

    def get_metadata_routing(self) -> MetadataRouter:
        """Return how ``sample_weight`` and the like reach the estimator inside.

        Returns
        -------
        MetadataRouter
            For scikit-learn's metadata routing.
        """
        mapping = MethodMapping().add(caller="fit", callee="fit")
        router = MetadataRouter(owner=type(self).__name__)
        router.add_self_request(self)  # the context at predict
        cv = getattr(self, "cv", None)
        if hasattr(self, "cv") and (hasattr(cv, "split") or cv is None or isinstance(cv, int)):
            splitter = cv if hasattr(cv, "split") else GroupKFold()  # as groups make of a number
            router.add(
                splitter=splitter, method_mapping=MethodMapping().add(caller="fit", callee="split")
            )
        return router.add(estimator=self.estimator, method_mapping=mapping)

    def _fit_params(self, given: dict[str, Any]) -> dict[str, Any]:
        """Return what the estimator inside is trained with."""
        if given and get_config()["enable_metadata_routing"]:
            return dict(process_routing(self, "fit", **given).estimator.fit)
        searches = isinstance(self.estimator, (GridSearchCV, RandomizedSearchCV))
        kept = searches or not hasattr(self, "cv")  # groups are for splitters
        return {name: each for name, each in given.items() if kept or name != "groups"}

    def _groups(self, given: dict[str, Any]) -> Any:
        """Return what the splitter keeps together."""
        if given and get_config()["enable_metadata_routing"]:
            routed = process_routing(self, "fit", **given)
            return routed.splitter.split.get("groups") if "splitter" in routed else None
        return given.get("groups")

    def _fit_inside(
        self, X: Any, y: Any, given: dict[str, Any], response: Response | None = None
    ) -> Any:
        """Train the estimator inside; return the weights it was trained with, if any."""
        self.response_ = response or Response(self._method("predict"))
        params = self._fit_params(given)
        self.estimator_ = clone(self.estimator).fit(X, y, **params)
        self._copy_features()
        return weight_of(params)

    def _method(self, *allowed: str) -> str:
        """Return what the estimator inside is asked for; raise an error if it cannot give it."""
        return choose_method(self.estimator, allowed, classifier=is_classifier(self.estimator))

    def _copy_features(self) -> None:
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))

    def _out_of_fold(
        self, X: Any, y: Any, given: dict[str, Any], *, classes: bool = False
    ) -> tuple[OutOfFold, Floats]:
        """Predict cases by estimators that were not trained on them, as ``cv`` splits them."""
        params, settings = self._fit_params(given), self.get_params(deep=False)
        if params and get_config()["enable_metadata_routing"]:  # under the names given here
            asked = get_routing_for_object(self.estimator).consumes("fit", given)
            params = {name: given[name] for name in asked}
        name = type(self.estimator).__name__
        found = predict_folds(
            {name: Trainee(self.estimator, y, self.response_)},
            X,
            make_splits(settings["cv"], X, y, self._groups(given), None, classes=classes),
            fit_params=params,
            n_jobs=settings["n_jobs"],
        )
        return found, found.predictions[name]

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
        estimator
            Ready to predict.
        """
        made = cls(FrozenEstimator(fitted), **parameters)  # training anew leaves it as it is
        made.estimator_ = fitted
        made.response_ = made._response_of(fitted)
        made._copy_features()
        return made

    def _response_of(self, fitted: Any) -> Response:
        """Return what a trained model is asked for."""
        classifier = own_classes(fitted) is not None
        return Response(choose_method(fitted, ("predict",), classifier=classifier))

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
        return self.response_.ask(self.estimator_, X, partial=True)
