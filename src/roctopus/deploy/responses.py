"""What a deployed model is asked for: exactly what the decision was made on, or nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Self

import numpy as np
from sklearn.base import (
    BaseEstimator,
    ClassifierMixin,
    MetaEstimatorMixin,
    RegressorMixin,
)

from roctopus.concepts.arm import Arm
from roctopus.concepts.decision import Decision
from roctopus.concepts.responses import TWO, Response, own_classes, respond
from roctopus.concepts.wording import listed
from roctopus.core.arrays import Floats, read_array, to_numpy
from roctopus.core.errors import InputError

CLOSE = 1e-9
"""Predictions are the same if they differ by no more, for their size."""


class ScoringRegressor(RegressorMixin, MetaEstimatorMixin, BaseEstimator):
    """A trained model that predicts one number per case: of a classifier the expected class.

    Parameters
    ----------
    estimator : object
        What is asked: a classifier, or a model of any other library.
    method : {"predict", "predict_proba", "decision_function"}
        What it is asked for.
    classes : tuple
        Its classes from the lowest to the highest.
    numbers : tuple of numbers
        What each class counts as.
    """

    def __init__(self, estimator: Any, method: Any, classes: Any, numbers: Any) -> None:
        self.estimator = estimator
        self.method = method
        self.classes = classes
        self.numbers = numbers

    def fit(self, X: Any, y: Any) -> Self:
        """Do nothing: it is trained."""
        return self

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def predict(self, X: Any) -> Floats:
        """Return one number per case."""
        return respond(self.estimator, X, self.method, self.classes, self.numbers)


class AskedClassifier(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    """A trained model as a classifier of two classes that says exactly what was decided on.

    Parameters
    ----------
    estimator : object
        What is asked: a classifier, a regressor on classes, or a model of any other library.
    method : {"predict", "predict_proba", "decision_function"}
        What it is asked for.
    classes : tuple
        The negative and the positive class.
    """

    def __init__(self, estimator: Any, method: Any, classes: Any) -> None:
        self.estimator = estimator
        self.method = method
        self.classes = classes

    def fit(self, X: Any, y: Any) -> Self:
        """Do nothing: it is trained."""
        return self

    def __sklearn_is_fitted__(self) -> bool:
        return True

    @property
    def classes_(self) -> Any:
        """The negative and the positive class, of the type that the model knows them by."""
        if own_classes(self.estimator) is None:
            return np.array(self.classes)
        return np.asarray(self.estimator.classes_)[self._order]

    @property
    def _order(self) -> list[int]:
        its = own_classes(self.estimator)
        return [0, 1] if its is None else [its.index(each) for each in self.classes]

    def decision_function(self, X: Any) -> Floats:
        """Return what is compared with the threshold, in double precision."""
        return respond(self.estimator, X, self.method, self.classes, TWO)

    def predict(self, X: Any) -> Any:
        """Return what the model predicts."""
        return self.estimator.predict(X)

    def __getattr__(self, name: str) -> Any:
        if name == "predict_proba":  # where the model has it
            ask = self.__dict__["estimator"].predict_proba
            return lambda X: np.asarray(ask(X))[:, self._order]
        raise AttributeError(name)


class Carrying(NamedTuple):
    """Which model is to carry which decision."""

    name: str
    model: Any
    arm: Arm
    decision: Decision
    pos_label: Any

    @property
    def recorded(self) -> Response:
        """How the predictions that were decided on were made."""
        return self.decision.responses.get(self.name, Response())

    def refuse(self, why: str) -> InputError:
        """Return an error about the model."""
        return InputError(f"Model {self.name!r} ({type(self.model).__name__}): {why}")


def settle_response(question: Carrying, proof: tuple[Any, Floats] | None) -> Response:
    """Return what to ask a model for; raise an error if that is not sure.

    ``proof`` are cases, and what the model predicts of them.
    """
    recorded, its = question.recorded, own_classes(question.model)
    doubt = False
    if its is None:
        if recorded.method not in (None, "predict"):
            raise question.refuse(
                f"the decision was made on the output of '{recorded.method}' of a classifier, but "
                "this model is not a classifier."
            )
        if question.pos_label is not None:
            raise question.refuse("'pos_label' can only be used for classifiers with two classes.")
        found = [Response("predict", recorded.classes, recorded.numbers)]
        others = ("predict_proba", "decision_function", "score_samples")
        doubt = recorded.method is None and any(hasattr(question.model, each) for each in others)
    elif question.arm.responses == ("predict",):
        raise question.refuse("it is a classifier, but the decision is about predicted numbers.")
    else:
        orders = _orders(question, its)
        found = [Response(method, *order) for method in _methods(question) for order in orders]
    if proof is not None:
        return _proven(question, found, *proof)
    if doubt or len(found) > 1:
        raise question.refuse(_doubt(question, found))
    return found[0]


def _methods(question: Carrying) -> list[str]:
    """Return what a classifier may have been asked for: as recorded, or as predictions look."""
    recorded, model = question.recorded, question.model
    if recorded.method is not None:
        if not hasattr(model, recorded.method):
            raise question.refuse(
                f"the decision was made on the output of '{recorded.method}', a method that this "
                "model does not have."
            )
        return [recorded.method]
    known = [
        method
        for method in question.arm.responses
        if method != "predict" and hasattr(model, method)
    ]
    seen, numbers = recorded.quantiles, recorded.numbers or TWO
    if not seen:  # an older file, or one from a page
        old = question.name not in question.decision.responses
        if old and question.arm.context_kind == "share" and "predict_proba" in known:
            return ["predict_proba"]  # nothing else was taken then
        return [*known, "predict"]
    inside = min(numbers) <= seen[0] and seen[-1] <= max(numbers)
    wide = tuple(numbers) == TWO or seen[-1] - seen[0] > numbers[1] - numbers[0]
    fits = {"predict_proba": inside and wide, "decision_function": seen[0] < 0.0 < seen[-1]}
    found = [method for method in known if fits[method]]
    if all(each in numbers for each in seen):
        found.append("predict")
    if not found:
        raise question.refuse(
            f"the decision was made on predictions from {seen[0]:.3g} to {seen[-1]:.3g}, which do "
            f"not look like the output of this model ({', '.join(known) or 'classes only'}). "
            "Decide again on its unchanged output, or make the step that changed the output a part "
            "of the model."
        )
    return found


def _orders(
    question: Carrying, its: tuple[Any, ...]
) -> list[tuple[tuple[Any, ...], tuple[float, ...]]]:
    """Return the orders its classes may have, with the number each counts as."""
    recorded, pos_label = question.recorded, question.pos_label
    if question.arm.knob == "thresholds":
        if not recorded.classes:
            raise question.refuse(
                "the decision was written by an older version of roctopus, which did not record "
                "how classes were predicted. Decide again with this version."
            )
        if set(its) == set(recorded.classes):
            return [(recorded.classes, recorded.numbers)]
        if len(its) != len(recorded.classes):
            raise question.refuse(
                f"it has {len(its)} classes, but the decision is about {len(recorded.classes)}."
            )
        return [(its, recorded.numbers), (its[::-1], recorded.numbers)]
    if len(its) != 2:
        raise question.refuse(f"it has {len(its)} classes, but the decision is about two classes.")
    if pos_label is not None:
        if pos_label not in its:
            raise question.refuse(
                f"'pos_label' must be {its[0]!r} or {its[1]!r}, but is {pos_label!r}."
            )
        if set(its) == set(recorded.classes) and pos_label != recorded.classes[1]:
            raise question.refuse(
                f"'pos_label' is {pos_label!r}, but the positive class of the decision is "
                f"{recorded.classes[1]!r}."
            )
        return [((its[0] if pos_label == its[1] else its[1], pos_label), TWO)]
    if set(its) == set(recorded.classes):
        return [(recorded.classes, TWO)]
    if _coded(its) and (not recorded.classes or _coded(recorded.classes)):
        upper = not recorded.classes or recorded.classes[1] == max(recorded.classes)
        return [((min(its), max(its)) if upper else (max(its), min(its)), TWO)]
    return [(its, TWO), (its[::-1], TWO)]


def _coded(classes: Sequence[Any]) -> bool:
    """Tell whether two classes are 0 and 1, false and true, or -1 and 1: then 1 is positive."""
    return set(classes) in ({0, 1}, {-1, 1})


def _doubt(question: Carrying, found: Sequence[Response]) -> str:
    """Say what is not sure, and the words that make it so."""
    prove = "pass some cases and this model's predictions for them, as in deploy(models, X=..., "
    prove += "predictions=...)"
    classes = list(dict.fromkeys(each.classes for each in found))
    if len(found) == 1:
        return (
            "the decision does not record which method of the model made the predictions. To "
            f"show it, {prove}."
        )
    if len(classes) == 1:
        told = " or ".join(f"'{each.method}'" for each in found)
        return (
            f"the decision does not record whether {told} made the predictions. To show it, "
            f"{prove}."
        )
    known = listed([*map(repr, classes[0])])
    recorded = listed([*map(repr, question.recorded.classes)] or ["numbers"])
    differ = f"its classes are {known}, but the true values in the decision were {recorded}."
    if question.arm.knob == "thresholds":
        return f"{differ} To show in which order they match, {prove}."
    return (
        f"{differ} Name the positive class, as in deploy(models, pos_label={classes[0][1]!r}), or "
        f"{prove}."
    )


def _proven(question: Carrying, found: Sequence[Response], X: Any, prediction: Floats) -> Response:
    """Return the one of several responses that gives the predictions of some cases."""
    least = np.inf
    for each in found:
        said = each.ask(question.model, X)
        if said.shape != prediction.shape:
            raise question.refuse(
                f"'predictions' has {len(prediction)} numbers, but 'X' has {len(said)} rows."
            )
        size = float(np.max(np.abs(prediction), initial=0.0))
        gap = float(np.max(np.abs(said - prediction), initial=0.0))
        if gap <= CLOSE * size or np.array_equal(said, prediction):
            return each
        least = min(least, gap)
    told = " or ".join(dict.fromkeys(f"'{each.method}'" for each in found))
    raise question.refuse(
        f"its output for 'X' ({told}) differs from 'predictions' by up to {least:.3g}. Use the "
        "model that made these predictions."
    )


def read_proof(X: Any, predictions: Any, models: Sequence[str]) -> dict[str, Floats] | None:
    """Return the predictions of each model that are to be shown again, where they are given."""
    if X is None and predictions is None:
        return None
    if X is None or predictions is None:
        missing = "X" if X is None else "predictions"
        raise InputError(
            f"'X' and 'predictions' can only be used together, but '{missing}' is missing."
        )
    if not isinstance(predictions, Mapping):
        if len(models) > 1:
            raise InputError(
                "'predictions' must be a dict of predictions by model name, because the decision "
                "uses several models."
            )
        predictions = {models[0]: predictions}
    lacking = [name for name in models if name not in predictions]
    if lacking:
        raise InputError(f"'predictions' has no entry for the model {lacking[0]!r}.")
    return {name: to_numpy(read_array(predictions[name], "predictions")) for name in models}
