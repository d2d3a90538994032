"""From a decision to an estimator that carries it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, MetaEstimatorMixin, RegressorMixin, is_regressor
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import FixedThresholdClassifier
from sklearn.utils.validation import check_is_fitted

from roctopus.arms import find_arm
from roctopus.concepts.arm import Arm
from roctopus.concepts.decision import Decision
from roctopus.concepts.problem import ContextKind
from roctopus.concepts.responses import Response, own_classes
from roctopus.core.arrays import take_rows
from roctopus.core.checks import check_mapping
from roctopus.core.errors import InputError, arg
from roctopus.deploy.base import CARRIERS, Deciding, per_row
from roctopus.deploy.responses import (
    AskedClassifier,
    Carrying,
    ScoringRegressor,
    read_proof,
    settle_response,
)


def deploy_decision(
    decision: Decision,
    models: Mapping[str, Any] | None = None,
    *,
    X: Any = None,
    predictions: Any = None,
    pos_label: Any = None,
) -> Any:
    """Return a scikit-learn estimator that applies a decision, around trained models.

    It uses the kind of predictions that the decision was made on; a model that cannot make them
    raises an error.

    Parameters
    ----------
    decision : Decision
        What was decided.
    models : mapping of str to estimator, optional
        Trained models, under the names they had in the comparison. Without them, the model is
        trained on all cases, if estimators were compared (``compare_estimators``).
    X : array or dataframe of shape (n, features), optional
        Some cases, to test that a deployed model gives the ``predictions``.
    predictions : array, or mapping of str to array, optional
        What the models predicted for these cases in the comparison.
    pos_label : label, optional
        Label of the positive class. Needed for text; by default the larger number, or True.

    Returns
    -------
    estimator
        A fitted estimator whose ``predict`` returns what to do: shifted numbers, yes or no, or
        grades.

    Examples
    --------
    >>> import numpy as np
    >>> import roctopus as rt
    >>> from sklearn.linear_model import LinearRegression
    >>> from roctopus.deploy import deploy_decision
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(200, 2))
    >>> y = X[:, 0] + rng.normal(size=200)
    >>> line = LinearRegression().fit(X[:100], y[:100])
    >>> comparison = rt.compare(y[100:], {"line": line.predict(X[100:])}, arm="regression")
    >>> decision = comparison.decide(under_cost=4, over_cost=1)
    >>> ready = deploy_decision(decision, {"line": line})
    >>> bool(np.allclose(ready.predict(X), line.predict(X) + decision.knob[0]))
    True
    """
    if not isinstance(decision, Decision):
        raise InputError(
            f"{arg('decision')} must be a Decision, but is of the type {type(decision).__name__!r}."
        )
    if decision.is_baseline:
        return _deploy_baseline(decision)
    if models is None:
        if decision.refit is None:
            raise InputError(
                "'models' is missing. Pass the trained models: without them, a decision can only "
                "be deployed in the Python process in which compare_estimators made it."
            )
        models = {name: decision.refit(name) for name in decision.used_models}
    named = check_mapping(models, "models", "trained models")
    proof = read_proof(X, predictions, decision.used_models)
    arm, ready = find_arm(decision.arm), {}
    for name in decision.used_models:
        if name not in named:
            raise InputError(
                f"The decision needs the model {name!r}, but 'models' contains only "
                f"{', '.join(map(repr, named))}."
            )
        if hasattr(named[name], "__sklearn_tags__") and hasattr(named[name], "fit"):
            check_is_fitted(named[name])
        question = Carrying(name, named[name], arm, decision, pos_label)
        ready[name] = settle_response(question, None if proof is None else (X, proof[name]))
    if decision.regions:
        parts = [
            (low, high, FrozenEstimator(_ready(arm, decision, named[model], knob, ready[model])))
            for low, high, model, knob in decision.regions
        ]
        return RegionEstimator(parts, context=arm.context, context_kind=arm.context_kind)
    mine = decision.model
    return _ready(arm, decision, named[mine], decision.knob, ready[mine])


def _deploy_baseline(decision: Decision) -> Any:
    """Return an estimator that follows a baseline: it needs no model."""
    arm, response = find_arm(decision.arm), decision.responses[decision.model]
    value, knob = response.quantiles[0], decision.knob
    if decision.share < 1.0:
        value, knob = 1.0, (0.5,)
    model = ConstantModel(value, share=decision.share)
    return _ready(arm, decision, model, knob, replace(response, method="predict"))


def _ready(
    arm: Arm, decision: Decision, model: Any, knob: tuple[float, ...], response: Response
) -> Any:
    """Return a trained model with a setting, by the kind of knob."""
    if arm.knob is None:
        return FrozenEstimator(model)
    if arm.knob == "threshold" and response.pos_label is not None:
        asked = AskedClassifier(model, response.method, response.classes)
        return FixedThresholdClassifier(
            FrozenEstimator(asked),
            threshold=knob[0],
            pos_label=response.pos_label,
            response_method="decision_function",
        )
    inside = model
    if own_classes(model) is not None or not hasattr(model, "__sklearn_tags__"):
        inside = ScoringRegressor(model, response.method, response.classes, response.numbers)
    return CARRIERS[arm.knob].carry(inside, knob, decision.context.get(arm.context), decision)


class ConstantModel(RegressorMixin, BaseEstimator):
    """A model that looks at no case: it predicts the same for all, or for a share at random.

    Parameters
    ----------
    value : float
        What it predicts.
    share : float, default 1
        The share of cases that get it, drawn at random; the others get 0.
    random_state : int, default 0
        For the draws, which differ from call to call.
    """

    def __init__(self, value: float, *, share: float = 1.0, random_state: int = 0) -> None:
        self.value = value
        self.share = share
        self.random_state = random_state

    def fit(self, X: Any = None, y: Any = None) -> ConstantModel:
        """Do nothing: it is ready."""
        return self

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Return the constant."""
        size = X.shape[0] if hasattr(X, "shape") else len(X)
        if self.share >= 1.0:
            return np.full(size, self.value)
        if not hasattr(self, "generator_"):
            self.generator_ = np.random.default_rng(self.random_state)
        return np.where(self.generator_.random(size) < self.share, self.value, 0.0)


class RegionEstimator(Deciding, MetaEstimatorMixin, BaseEstimator):
    """A trained hybrid, with an estimator for each range of contexts.

    Made by ``Decision.deploy``. Pass the context to ``predict`` by its name in the arm
    (``asymmetry=0.7``): one for all rows, or one per row. A context outside all ranges uses the
    nearest range.

    Parameters
    ----------
    parts : list of (float, float, estimator)
        Ranges of contexts from low to high, each with its fitted estimator.
    context : str
        Name of the context, such as "asymmetry".
    context_kind : {"share", "truth", "cost", "price"}, optional
        What a context is. A "share" must be between 0 and 1; a "truth" is passed on to the
        estimators, which compare predictions with it.

    Examples
    --------
    >>> from sklearn.dummy import DummyRegressor
    >>> from roctopus.deploy import RegionEstimator
    >>> constants = (DummyRegressor(strategy="constant", constant=c) for c in (1, 9))
    >>> low, high = (each.fit([[0]], [0]) for each in constants)
    >>> parts = [(0.0, 0.5, low), (0.5, 1.0, high)]
    >>> model = RegionEstimator(parts, context="asymmetry", context_kind="share")
    >>> model.predict([[0], [0]], asymmetry=[0.2, 0.8])
    array([1, 9])
    """

    answers: ClassVar[str] = "what the context asks for"
    needs_context: ClassVar[bool] = True

    def __init__(
        self, parts: Any, *, context: str, context_kind: ContextKind | None = None
    ) -> None:
        self.parts = parts
        self.context = context
        self.context_kind = context_kind

    def fit(self, X: Any = None, y: Any = None) -> RegionEstimator:
        """Do nothing: the estimators inside have been trained.

        Parameters
        ----------
        X : array or dataframe, optional
            Not used.
        y : array, optional
            Not used.

        Returns
        -------
        RegionEstimator
            The estimator itself.
        """
        return self

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def predict(self, X: Any, **context: Any) -> NDArray[Any]:
        """Return each row's prediction by the estimator of its context.

        Parameters
        ----------
        X : array or dataframe of shape (n, features)
            Features of the cases, as for the estimator inside.
        **context
            Context by its name, such as ``asymmetry=0.7``: one for all rows, or one per row.

        Returns
        -------
        array of shape (n,)
            What the estimators inside return.
        """
        if set(context) != {self.context}:
            other = next((name for name in context if name != self.context), None)
            told = f"'{self.context}' is missing" if other is None else f"'{other}' cannot be used"
            raise InputError(
                f"{told}: the decision chooses a model by the value of '{self.context}'. Use "
                f"predict(X, {self.context}=...)."
            )
        size = X.shape[0] if hasattr(X, "shape") else len(X)
        contexts = np.broadcast_to(per_row(context[self.context], self.context, size), size)
        outside = contexts[(contexts < 0.0) | (contexts > 1.0)]
        if self.context_kind == "share" and len(outside):
            raise InputError(f"'{self.context}' must be between 0 and 1, but is {outside[0]:g}.")
        inner = np.array([low for low, _, _ in self.parts[1:]])
        which = np.searchsorted(inner, contexts)  # a border belongs to the range below it
        found: NDArray[Any] | None = None
        for k, (_, _, part) in enumerate(self.parts):
            rows = np.flatnonzero(which == k)
            if not len(rows):
                continue
            mine = take_rows(X, rows)
            cut = self.context_kind == "truth"
            answer = part.estimator.predict(mine, contexts[rows]) if cut else part.predict(mine)
            if found is None:
                found = np.empty(size, dtype=answer.dtype)
            found[rows] = answer
        return np.empty(0) if found is None else found

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
        decided = self.context_kind == "truth" or all(is_regressor(part) for *_, part in self.parts)
        return arm.context == self.context and decided

    def judged(self, X: Any, context: Any) -> Any:
        """Return predictions in a context; at a cutoff, infinite ones for yes and no.

        Parameters
        ----------
        X : array or dataframe of shape (n, features)
            Features of the cases, as for the estimator inside.
        context : float, array of shape (n,) or None
            Context, one or one per row, where the numbers depend on it.

        Returns
        -------
        array of shape (n,)
            The numbers that measures judge.
        """
        found = self.predict(X, **{self.context: context})
        return np.where(found == 1, np.inf, -np.inf) if self.context_kind == "truth" else found
