"""What trained models say of new cases, as the decision was made on: also deployed ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import FixedThresholdClassifier
from sklearn.utils.validation import check_is_fitted

from roctopus.arms import find_arm
from roctopus.concepts.decision import Decision
from roctopus.concepts.responses import Response
from roctopus.core.checks import check_mapping
from roctopus.core.errors import InputError, arg
from roctopus.deploy.base import Deployed
from roctopus.deploy.responses import (
    AskedClassifier,
    Carrying,
    ScoringRegressor,
    settle_response,
)
from roctopus.deploy.scorers import look_inside
from roctopus.deploy.shipping import RegionEstimator


def ask_models(decision: Decision, model: Any, X: Any, pos_label: Any) -> dict[str, Any]:
    """Return raw predictions by model; of a deployed one, those of the model inside.

    An advised baseline has no model inside: what it answers is returned.
    """
    if isinstance(model, Mapping):
        named = dict(check_mapping(model, "model", "trained models"))
    elif isinstance(look_inside(model)[0], RegionEstimator):
        return _of_parts(decision, model, X)
    elif len(decision.used_models) > 1:
        told = ", ".join(map(repr, decision.used_models))
        raise InputError(
            f"{arg('model')} must be a dict of trained models by name, because the decision uses "
            f"several models: {told}."
        )
    else:
        named = {decision.model: model}
    return {name: _raw(decision, name, each, X, pos_label) for name, each in named.items()}


def _of_parts(decision: Decision, model: Any, X: Any) -> dict[str, Any]:
    """Return raw predictions of the models in a deployed hybrid."""
    inside, before = look_inside(model)
    for each in before:
        X = each.transform(X)
    if len(inside.parts) != len(decision.regions):
        raise InputError(
            f"{arg('model')} was deployed from another decision: it has {len(inside.parts)} "
            f"ranges, this decision has {len(decision.regions)}. Use the model deployed from this "
            "decision."
        )
    parts = zip(decision.regions, inside.parts, strict=True)
    found = {region[2]: part[2] for region, part in parts}
    return {name: _raw(decision, name, each, X, None) for name, each in found.items()}


def _raw(decision: Decision, name: str, model: Any, X: Any, pos_label: Any) -> Any:
    """Return what a model says, without what a decision makes of it."""
    if decision.is_baseline and name == decision.model:
        return model.predict(X)
    inside, before = look_inside(model)
    carried = _carried(inside)
    if carried is None:
        return _response(decision, name, model, pos_label).ask(model, X)
    for each in before:
        X = each.transform(X)
    if isinstance(carried, AskedClassifier):
        return carried.decision_function(X)
    if isinstance(carried, ScoringRegressor):
        return carried.predict(X)
    return _response(decision, name, carried, pos_label).ask(carried, X)


def _carried(deployed: Any) -> Any:
    """Return the model in an estimator that carries a decision; None if it is a model itself."""
    if isinstance(deployed, FixedThresholdClassifier):
        inside = deployed.estimator
        return inside.estimator if isinstance(inside, FrozenEstimator) else None
    if isinstance(deployed, Deployed) and isinstance(deployed.estimator, FrozenEstimator):
        return deployed.estimator.estimator
    return None


def _response(decision: Decision, name: str, model: Any, pos_label: Any) -> Response:
    """Return what to ask a model for; one that did not win is asked for the same as the winner."""
    if hasattr(model, "__sklearn_tags__") and hasattr(model, "fit"):
        check_is_fitted(model)
    if name not in decision.responses and decision.responses:
        alike = replace(next(iter(decision.responses.values())), quantiles=())
        decision = replace(decision, responses={**decision.responses, name: alike})
    return settle_response(Carrying(name, model, find_arm(decision.arm), decision, pos_label), None)
