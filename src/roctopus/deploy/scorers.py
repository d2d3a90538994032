"""Scorers for scikit-learn, made from measures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from inspect import Parameter, signature
from typing import Any, NamedTuple

from sklearn.frozen import FrozenEstimator
from sklearn.pipeline import Pipeline
from sklearn.utils.metadata_routing import MetadataRequest

from roctopus.arms import find_arm, find_metric, known_arms
from roctopus.concepts.arm import Arm
from roctopus.concepts.registry import Metric
from roctopus.concepts.responses import TWO, Response, choose_method, own_classes
from roctopus.concepts.wording import listed
from roctopus.core.arrays import Floats
from roctopus.core.errors import InputError
from roctopus.core.labels import read_labels
from roctopus.deploy.base import Deciding, ordered_categories


class Heard(NamedTuple):
    """What an estimator says of cases, and what it knows of their truths."""

    numbers: Floats
    options: dict[str, Any]


@dataclass(frozen=True, eq=False, repr=False)
class Scorer:
    """A measure as a scorer: it asks an estimator, and judges what that says; more is better."""

    function: Callable[..., float]
    context: Mapping[str, Any]
    response_method: Any = None
    pos_label: Any = None
    weight_request: bool | str | None = None

    @property
    def metric(self) -> Metric:
        """The measure."""
        return Metric.of(self.function)

    def __call__(self, estimator: Any, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the score of a trained estimator."""
        inside, before = look_inside(estimator)
        if isinstance(inside, Deciding) and self.response_method is None:
            for each in before:
                X = each.transform(X)
            heard = self._hear(inside, X)
        else:
            heard = Heard(self._response(estimator, y).ask(estimator, X, partial=True), {})
        options = {**heard.options, **self.context}
        pos_label = options.pop("pos_label", None) if self.pos_label is None else self.pos_label
        truth = y if pos_label is None else read_labels(y, "y", pos_label).values
        if sample_weight is not None:
            options["sample_weight"] = sample_weight
        value = float(self.function(truth, heard.numbers, **options))
        return value if self.metric.sense == "gain" else -value

    def _hear(self, decider: Deciding, X: Any) -> Heard:
        """Return the numbers that one of our estimators decides on."""
        arm, entry = find_arm(self.metric.arm), self.metric
        at = self.context.get(arm.context) if is_about_one(entry, arm) else None
        if not decider.suits(arm) or (decider.needs_context and at is None):
            fitting = [
                repr(each.name)
                for other in known_arms().values()
                for each in other.entries()
                if decider.suits(other) and (is_about_one(each, other) or not decider.needs_context)
            ]
            advice = "Use the metric " + listed(fitting, "or") + ", or evaluate" if fitting else ""
            its = "estimator_" if hasattr(decider, "estimator_") else "estimator"
            raise InputError(
                f"The metric {entry.name!r} cannot evaluate {type(decider).__name__}, which "
                f"predicts {decider.answers}. {advice or 'Evaluate'} the model inside it (its "
                f"attribute '{its}')."
            )
        return Heard(decider.judged(X, at), decider.truth_options())

    def _response(self, estimator: Any, y: Any) -> Response:
        """Return what to ask an estimator of any other kind for."""
        arm, its = find_arm(self.metric.arm), own_classes(estimator)
        if self.response_method is None:
            method = choose_method(estimator, self._allowed(arm), classifier=its is not None)
        else:
            given = self.response_method
            wanted = (given,) if isinstance(given, str) else tuple(given)
            method = next((each for each in wanted if hasattr(estimator, each)), wanted[0])
        if its is None or arm.knob not in ("threshold", "thresholds"):
            return Response(method)
        if arm.knob == "threshold":
            return Response(method, read_labels(list(its), "y", self.pos_label).classes, TWO)
        labels = self.context.get("labels", ordered_categories(y))
        order = list(its if labels is None else labels)
        problem = arm.read(order, None, {} if labels is None else {"labels": order})
        return Response(method, problem.classes, problem.class_numbers)

    def _allowed(self, arm: Arm) -> tuple[str, ...]:
        """Return what may be asked for: any score, unless only other measures are rankings."""
        if self.metric.ranks or not any(each.ranks for each in arm.entries()):
            return arm.responses
        return tuple(each for each in arm.responses if each != "decision_function")

    def set_score_request(self, *, sample_weight: bool | str | None = None) -> Scorer:
        """Return a scorer that asks for weights, in scikit-learn's metadata routing."""
        return replace(self, weight_request=sample_weight)

    def get_metadata_routing(self) -> MetadataRequest:
        """Return whether weights are asked for."""
        request = MetadataRequest(owner=repr(self))
        request.score.add_request(param="sample_weight", alias=self.weight_request)
        return request

    def __repr__(self) -> str:
        given = {"response_method": self.response_method, "pos_label": self.pos_label}
        named = {name: each for name, each in given.items() if each is not None}
        told = [f"{name}={each!r}" for name, each in {**named, **self.context}.items()]
        return f"scorer({', '.join([repr(self.metric.name), *told])})"


def is_about_one(entry: Metric, arm: Arm) -> bool:
    """Tell whether a measure is about one context, which must be given."""
    there = signature(entry.function).parameters.get(arm.context)
    needed = there is not None and there.default is Parameter.empty
    return needed or any(arm.context in group for group in entry.needs)


def look_inside(estimator: Any) -> tuple[Any, list[Pipeline]]:
    """Return what is at the end of pipelines and searches, and what comes before it."""
    before: list[Pipeline] = []
    while True:
        if isinstance(estimator, Pipeline):
            before += [estimator[:-1]] if len(estimator) > 1 else []
            estimator = estimator[-1]
        elif isinstance(estimator, FrozenEstimator):
            estimator = estimator.estimator
        elif hasattr(estimator, "best_estimator_"):
            estimator = estimator.best_estimator_
        else:
            return estimator, before


def scorer(
    metric: str | Callable[..., float],
    /,
    *,
    response_method: Any = None,
    pos_label: Any = None,
    **context: Any,
) -> Scorer:
    """Return a scorer for ``cross_validate`` and ``GridSearchCV``, for which more is better.

    Regressors are scored by their predictions. Classifiers are scored by the probability of the
    positive class, by scores where a ranking is all that matters, or by the expected class where
    classes are ordered. Estimators of ``roctopus.deploy`` are judged by the numbers they decide on,
    also inside pipelines and searches; ``RetrainedCutoffClassifier`` and ``HybridCutoffClassifier``
    by their decisions at the metric's cutoff.

    Parameters
    ----------
    metric : str or callable
        A registered metric or its name, such as ``optimal_shift_error`` or "optimal_shift_error".
    response_method : str or list of str, optional
        Estimator's method that is scored instead.
    pos_label : label, optional
        Label of the positive class. Needed for text; by default the larger number, or True.
    **context
        Further arguments of the metric, such as ``asymmetry=0.8``. Metrics that are totals are
        divided by the number of cases, so that folds of unequal size can be compared, unless
        ``normalize=False`` is given.

    Returns
    -------
    Scorer
        Called with a fitted estimator, ``X`` and ``y``, it returns a number; losses are negative.

    Examples
    --------
    >>> from sklearn.linear_model import LinearRegression
    >>> from roctopus.deploy import scorer
    >>> X, y = [[1.0], [2.0], [3.0], [4.0]], [1.0, 2.0, 3.0, 5.0]
    >>> loss = scorer("asymmetric_absolute_error", asymmetry=0.5)
    >>> loss
    scorer('asymmetric_absolute_error', asymmetry=0.5)
    >>> round(loss(LinearRegression().fit(X, y), X, y), 4)
    -0.25
    """
    entry = find_metric(metric)
    if pos_label is not None and find_arm(entry.arm).knob != "threshold":
        context["pos_label"] = pos_label
    known = signature(entry.function).parameters
    strange = [each for each in context if each not in known]
    needed = [
        each.name
        for each in known.values()
        if each.kind is Parameter.KEYWORD_ONLY
        and each.default is Parameter.empty
        and each.name not in context
    ]
    if strange:
        raise InputError(
            f"The metric {entry.name!r} has no argument '{strange[0]}'. Leave out '{strange[0]}'."
        )
    if needed:
        raise InputError(
            f"The metric {entry.name!r} needs '{needed[0]}', as in scorer({entry.name!r}, "
            f"{needed[0]}=...)."
        )
    if "normalize" in known and known["normalize"].default is False:
        context = {"normalize": True, **context}
    return Scorer(entry.function, context, response_method, pos_label)
