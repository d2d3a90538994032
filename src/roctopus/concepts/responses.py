"""What a model predicts for a case: which of its methods is called, and the number made of it.

Comparisons, deployed estimators and scorers all ask here, so that what is deployed is what was
decided.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from roctopus.core.arrays import Floats, as_floats, is_single, to_numpy
from roctopus.core.errors import InputError
from roctopus.core.orders import order_of

METHODS = ("predict", "predict_proba", "decision_function")
LEVELS = np.linspace(0.0, 1.0, 11)
INSTEAD = (
    "Wrap the classifier in CalibratedClassifierCV to get probabilities, or pass "
    "response='predict' to compare_estimators to use the predicted classes."
)
TWO = (0.0, 1.0)
"""The numbers of two classes; predictions are about the second one."""


@dataclass(frozen=True)
class Response:
    """How the predictions of a model were made, and what they look like."""

    method: str | None = None
    """The method that was asked; None where predictions were given as numbers."""
    classes: tuple[Any, ...] = ()
    """The classes from the lowest to the highest; of two, the second is the positive one."""
    numbers: tuple[float, ...] = ()
    """What each class counts as in predictions: 0 and 1, or grades."""
    quantiles: tuple[float, ...] = ()
    """The predictions decided on, at 0 %, 10 %, …, 100 %; empty if not known."""

    @property
    def pos_label(self) -> Any:
        """The positive class of two; None if there are not two."""
        return self.classes[1] if self.numbers == TWO else None

    def seen(self, prediction: Floats) -> Response:
        """Return the same, with the deciles of predictions."""
        ordered = prediction[order_of(prediction)]  # of which quantiles are found faster
        found = np.quantile(ordered, LEVELS, method="inverted_cdf")
        return replace(self, quantiles=tuple(found.tolist()))

    def ask(self, estimator: Any, X: Any, *, partial: bool = False) -> Floats:
        """Return an estimator's prediction of each case."""
        assert self.method is not None
        return respond(estimator, X, self.method, self.classes, self.numbers, partial=partial)


def plain_label(label: Any) -> Any:
    """Return a class as a file holds it: text, a number, true or false."""
    plain = label.item() if isinstance(label, np.generic) else label
    return plain if isinstance(plain, (str, bool, int, float)) else str(plain)


def own_classes(estimator: Any) -> tuple[Any, ...] | None:
    """Return the classes of a trained classifier; None for other estimators."""
    found = getattr(estimator, "classes_", None)
    if found is None:
        return None
    if np.ndim(np.asarray(found, dtype=object)) != 1 or not all(map(is_single, found)):
        raise InputError(
            f"{type(estimator).__name__} predicts several targets, but must predict one."
        )
    return tuple(map(plain_label, found))


def choose_method(estimator: Any, allowed: Sequence[str], *, classifier: bool) -> str:
    """Return the method to call: for a classifier, one that says more than its classes."""
    if not classifier:
        wanted: tuple[str, ...] = ("predict",)
    else:
        wanted = tuple(method for method in allowed if method != "predict")
        if not wanted:
            raise InputError(
                f"{type(estimator).__name__} predicts classes, but a number per case is needed. "
                "Use a regressor."
            )
    for has in (estimator, type(estimator)):  # some know only once they are trained
        for method in wanted:
            if hasattr(has, method):
                return method
    told = " or ".join(f"'{method}'" for method in wanted)
    more = f" {INSTEAD}" if classifier else ""
    raise InputError(f"{type(estimator).__name__} has no method {told}.{more}")


def respond(
    estimator: Any,
    X: Any,
    method: str,
    classes: Sequence[Any] = (),
    numbers: Sequence[float] = (),
    *,
    partial: bool = False,
) -> Floats:
    """Return the number that a trained estimator predicts for each case.

    ``predict`` of a regressor is that number. A classifier's class counts as its number,
    ``predict_proba`` gives the probability of the positive class or, of more than two, the expected
    number, and ``decision_function`` the score of the positive class. A class that a ``partial``
    estimator has not met has the probability 0.
    """
    if not hasattr(estimator, method):
        more = "" if method == "predict" else f" {INSTEAD}"
        if method == "predict_proba" and getattr(estimator, "voting", None) == "hard":
            more = " Create it with voting='soft' to get probabilities, or pass "
            more += "response='predict' to compare_estimators to use the predicted classes."
        raise InputError(f"{type(estimator).__name__} has no method '{method}'.{more}")
    its = own_classes(estimator)
    if its is None or not classes:
        return _column(getattr(estimator, method)(X), estimator, method)
    strange = set(its) - set(classes)
    if strange or (not partial and len(its) < len(classes)):
        raise InputError(
            f"{type(estimator).__name__} was trained on the classes {_listed(its)}, but the "
            f"classes here are {_listed(classes)}."
        )
    found = getattr(estimator, method)(X)
    if method == "predict":
        value = dict(zip(classes, numbers, strict=True))
        return np.array([value[plain_label(each)] for each in np.asarray(found).ravel().tolist()])
    if method == "predict_proba":
        table = np.asarray(found, dtype=np.float64)
        if table.ndim != 2 or table.shape[1] != len(its):
            raise InputError(
                f"{type(estimator).__name__} must return one probability per class ({len(its)}), "
                f"but returns a table of shape {table.shape}."
            )
        if tuple(numbers) == TWO:
            met = classes[1] in its
            return table[:, its.index(classes[1])].copy() if met else np.zeros(len(table))
        value = dict(zip(classes, numbers, strict=True))
        return np.asarray(table @ np.array([value[each] for each in its]))
    if len(its) != 2:
        raise InputError(
            f"{type(estimator).__name__} returns one score per class, but a single score is "
            "needed. Wrap it in CalibratedClassifierCV, or use a classifier with 'predict_proba'."
        )
    scores = _column(found, estimator, method)
    return scores if its[1] == classes[-1] else -scores


def _listed(classes: Sequence[Any]) -> str:
    told = ", ".join(map(repr, classes[:6]))
    return f"{told}, …" if len(classes) > 6 else told


def _column(found: Any, estimator: Any, method: str) -> Floats:
    try:
        numbers = as_floats(found)
    except (TypeError, ValueError):
        raise InputError(
            f"'{method}' of {type(estimator).__name__} gives {np.asarray(found).flat[0]!r}, which "
            "is not a number."
        ) from None
    if numbers.ndim == 2 and numbers.shape[1] == 1:
        numbers = numbers[:, 0]
    if numbers.ndim != 1:
        raise InputError(
            f"'{method}' of {type(estimator).__name__} gives {numbers.shape[1]} numbers per case, "
            "but one is needed."
        )
    return to_numpy(numbers)


def read_responses(given: Any) -> dict[str, Response]:
    """Return how predictions were made, from a file."""
    if not isinstance(given, Mapping):
        raise ValueError("'responses' must be an object")
    found = {}
    for name, each in given.items():
        if not isinstance(each, Mapping) or set(each) != set(Response.__dataclass_fields__):
            raise ValueError(f"the response of {name!r} is incomplete")
        method = each["method"]
        if method is not None and method not in METHODS:
            raise ValueError(f"there is no method {method!r}")
        columns = {part: tuple(each[part]) for part in ("classes", "numbers", "quantiles")}
        for part in ("numbers", "quantiles"):
            columns[part] = tuple(map(float, columns[part]))
        if len(columns["quantiles"]) not in (0, len(LEVELS)):
            raise ValueError(f"the response of {name!r} has too few or too many quantiles")
        if len(columns["classes"]) != len(columns["numbers"]):
            raise ValueError(f"the response of {name!r} has classes without a number")
        found[str(name)] = Response(method, **columns)
    return found
