"""Forty questions: every arm, every verdict, one context and many."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

import roctopus as rt

VERDICTS = ("use", "either", "use for now", "no model")


@dataclass(frozen=True, eq=False)
class Question:
    """Data, and what is asked of them."""

    name: str
    verdict: str
    """What the data were made for."""
    truth: Any
    predictions: dict[str, Any]
    options: dict[str, Any]
    """Of ``compare``."""
    asked: dict[str, Any]
    """Of ``answer``."""

    @cached_property
    def comparison(self) -> Any:
        """The models, compared once."""
        return rt.compare(self.truth, self.predictions, **self.options)

    @cached_property
    def answer(self) -> Any:
        """The answer, found once."""
        return self.comparison.answer(**self.asked)


def _forecasts(verdict: str, seed: int) -> tuple[Any, dict[str, Any]]:
    """Return truths and models that lead to a verdict."""
    rng = np.random.default_rng(seed)
    size = {"use": 400, "either": 400, "use for now": 90, "no model": 120}[verdict]
    truth = 20.0 + 4.0 * rng.normal(size=size)
    noise = rng.normal(size=(3, size))
    if verdict == "use":
        models = {"forest": truth - 1.0 + noise[0], "linear": truth + 3.0 * noise[1]}
    elif verdict == "either":
        first = truth - 1.0 + 2.0 * noise[0]
        models = {"forest": first, "linear": first + 0.001 * noise[1]}
    elif verdict == "use for now":
        models = {"forest": truth - 1.0 + 2.0 * noise[0], "linear": truth + 2.05 * noise[1]}
    else:
        models = {"forest": 20.0 + 4.0 * noise[0], "linear": 20.0 + 4.0 * noise[1]}
    models["nearest"] = 20.0 + 6.0 * noise[2]
    return truth, models


def _probabilities(models: dict[str, Any]) -> dict[str, Any]:
    return {name: 1.0 / (1.0 + np.exp(-(p - 21.0))) for name, p in models.items()}


def _regression(truth: Any, models: dict[str, Any], many: bool) -> tuple[Any, ...]:
    asked = {"between": (0.6, 0.9)} if many else {"under_cost": 4, "over_cost": 1}
    return truth, models, {"arm": "regression"}, asked


def _cutoff(truth: Any, models: dict[str, Any], many: bool) -> tuple[Any, ...]:
    options = {"arm": "cutoff", "false_positive_cost": 1.0, "false_negative_cost": 3.0}
    asked = {"distribution": rt.Uniform(16, 24)} if many else {"cutoff": 21}
    return truth, models, options, asked


def _ordinal(truth: Any, models: dict[str, Any], many: bool) -> tuple[Any, ...]:
    grades = np.array(["low", "fair", "high"])[np.digitize(truth, [18.0, 22.0])]
    options = {"arm": "ordinal", "labels": ["low", "fair", "high"]}
    asked = {"between": (1, 5)} if many else {"costs": [3, 2, 1]}
    return grades, models, options, asked


def _probability(truth: Any, models: dict[str, Any], many: bool) -> tuple[Any, ...]:
    ill = np.where(truth > 21.0, "ill", "well")
    options = {"arm": "probability", "pos_label": "ill"}
    asked = {"distribution": rt.Beta(2, 4)} if many else {"cost_ratio": 4}
    return ill, _probabilities(models), options, asked


def _impact(truth: Any, models: dict[str, Any], many: bool) -> tuple[Any, ...]:
    options: dict[str, Any] = {"arm": "impact", "utility": rt.value_times_price}
    if many:
        theta = np.linspace(0.8, 1.2, len(truth))
        return truth - 18.0, models, {**options, "context": theta}, {}
    return truth - 18.0, models, {**options, "at_most": len(truth) // 4}, {"theta": 1.1}


MAKERS: dict[str, Callable[..., tuple[Any, ...]]] = {
    "regression": _regression,
    "cutoff": _cutoff,
    "ordinal": _ordinal,
    "probability": _probability,
    "impact": _impact,
}


def questions() -> list[Question]:
    """Return all forty."""
    found = []
    for arm, make in MAKERS.items():
        for number, verdict in enumerate(VERDICTS):
            for many in (False, True):
                truth, models = _forecasts(verdict, 10 * number + many)
                name = f"{arm}, {verdict}, {'many contexts' if many else 'one context'}"
                found.append(Question(name, verdict, *make(truth, models, many)))
    return found
