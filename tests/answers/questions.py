"""Forty questions: every arm, every verdict, one context and many."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

import roctopus as rt

OWN = ("sample_weight", "clusters", "context")
"""Options that are columns."""
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
    said: tuple[str, ...]
    """The same on the command line; files are written by ``columns``."""

    def columns(self) -> dict[str, Any]:
        """Return the columns of a file."""
        own = {name: self.options[name] for name in OWN if name in self.options}
        days = {"day": np.arange(len(self.truth))} if "time" in self.options else {}
        return {"truth": self.truth, **self.predictions, **own, **days}

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
    if many:
        return truth, models, {"arm": "regression"}, {"between": (0.6, 0.9)}, "--asymmetry 0.6:0.9"
    asked = {"under_cost": 4, "over_cost": 1}
    return truth, models, {"arm": "regression"}, asked, "--under-cost 4 --over-cost 1"


def _cutoff(truth: Any, models: dict[str, Any], many: bool) -> tuple[Any, ...]:
    options = {"arm": "cutoff", "false_positive_cost": 1.0, "false_negative_cost": 3.0}
    said = "--arm cutoff --false-positive-cost 1 --false-negative-cost 3"
    if many:
        asked = {"distribution": rt.Uniform(16, 24)}
        return truth, models, options, asked, f"{said} --distribution uniform(16,24)"
    return truth, models, options, {"cutoff": 21}, f"{said} --cutoff 21"


def _ordinal(truth: Any, models: dict[str, Any], many: bool) -> tuple[Any, ...]:
    grades = np.array(["low", "fair", "high"])[np.digitize(truth, [18.0, 22.0])]
    options = {"arm": "ordinal", "labels": ["low", "fair", "high"]}
    said = "--labels low,fair,high --costs"
    if many:
        return grades, models, options, {"between": (1, 5)}, f"{said} 1,1,1:5"
    return grades, models, options, {"costs": [3, 2, 1]}, f"{said} 3,2,1"


def _probability(truth: Any, models: dict[str, Any], many: bool) -> tuple[Any, ...]:
    ill = np.where(truth > 21.0, "ill", "well")
    options = {"arm": "probability", "pos_label": "ill"}
    scores, said = _probabilities(models), "--arm probability --positive ill"
    if many:
        asked = {"distribution": rt.Beta(2, 4)}
        return ill, scores, options, asked, f"{said} --distribution beta(2,4)"
    return ill, scores, options, {"cost_ratio": 4}, f"{said} --cost-ratio 4"


def _impact(truth: Any, models: dict[str, Any], many: bool) -> tuple[Any, ...]:
    options: dict[str, Any] = {"arm": "impact", "utility": rt.value_times_price}
    if many:
        theta = np.linspace(0.8, 1.2, len(truth))
        said = "--utility value-times-price --context-column context"
        return truth - 18.0, models, {**options, "context": theta}, {}, said
    most = len(truth) // 4
    said = f"--utility value-times-price --theta 1.1 --capacity {most}"
    return truth - 18.0, models, {**options, "at_most": most}, {"theta": 1.1}, said


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
                *data, options, asked, said = make(truth, models, many)
                more, spoken = _rows(verdict, len(truth)) if many else ({}, "")
                words = (*said.split(), *spoken.split())
                found.append(Question(name, verdict, *data, {**options, **more}, asked, words))
    return found


def _rows(verdict: str, size: int) -> tuple[dict[str, Any], str]:
    """Return weights, clusters or an order of time, by the verdict."""
    if verdict == "either":
        return {"sample_weight": np.linspace(0.5, 1.5, size)}, "--weight sample_weight"
    if verdict == "use for now":
        return {"clusters": np.arange(size) // 2}, "--clusters clusters"
    if verdict == "no model":
        return {"time": True}, "--time day"
    return {}, ""
