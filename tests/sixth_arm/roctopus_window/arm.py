"""The record: all that roctopus asks of the arm."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from roctopus.concepts.arm import Arm, Option, Picture
from roctopus.concepts.asking import Asked, Said
from roctopus.concepts.pictures import Drawn, Knobs
from roctopus.concepts.registry import Influence, metric
from roctopus.core.arrays import Floats
from roctopus.core.checks import check_positive
from roctopus.core.errors import InputError
from roctopus_window.grid import WindowGrid
from roctopus_window.problem import WindowProblem, read_window


def make_problem(y_true: Any, weight: Floats | None, late_cost: float = 3.0) -> WindowProblem:
    """Make the problem from what ``compare`` is given."""
    return WindowProblem(read_window(y_true), weight, check_positive(late_cost, "late_cost"))


def _costs(
    y_true: Any, y_pred: Any, patience: float, late_cost: float = 3.0, sample_weight: Any = None
) -> tuple[Floats, Floats | None]:
    weight = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    problem = make_problem(y_true, weight, late_cost)
    return problem.outcomes(np.asarray(y_pred, dtype=np.float64), np.zeros(1), patience), weight


def _influence(y_true: Any, y_pred: Any, **given: Any) -> Influence:
    costs, weight = _costs(y_true, y_pred, **given)
    return Influence(costs - np.average(costs, weights=weight), weight)


@metric(arm="window", influence=_influence)
def window_error(
    y_true: Any, y_pred: Any, *, patience: float, late_cost: float = 3.0, sample_weight: Any = None
) -> float:
    """Return the mean cost of waiting and being late."""
    costs, weight = _costs(y_true, y_pred, patience, late_cost, sample_weight)
    return float(np.average(costs, weights=weight))


def picture(cases: Drawn, contexts: Floats, knobs: Knobs) -> Picture:
    """Draw mean waiting against mean lateness, with the setting of each context."""
    curves = []
    for (problem, prediction), knob in zip(cases.values(), knobs, strict=True):
        opens, closes = (each - prediction for each in problem.columns())
        parts = [
            (np.maximum(opens - s, 0.0), np.maximum(s - closes - x, 0.0))
            for s, x in zip(knob[0], contexts, strict=True)
        ]
        x, y = (np.array([np.average(p[k], weights=problem.weight) for p in parts]) for k in (0, 1))
        curves.append({"x": x, "y": y})
    return {
        "kind": "tradeoff",
        "title": "Waiting and being late: the line of equal cost touches the best model",
        "x": "mean waiting",
        "y": "mean lateness beyond patience",
        "views": [{"name": "window", "curves": curves, "points": curves}],
        "slope": np.full(len(contexts), -1.0 / next(iter(cases.values()))[0].late_cost),
    }


def ask(said: Said) -> Asked:
    """Read the command line."""
    cost = said.number("late_cost")
    options = {} if cost is None else {"late_cost": cost}
    aim = said.context("patience")
    if not aim and not said.known_later:
        raise InputError("Say how long people wait after closing with --patience, such as 0:10.")
    return Asked(options, aim)


def recorded(settings: Mapping[str, Any], context: Mapping[str, Any], said: Said) -> dict[str, Any]:
    """Return what a decision's record says of ``compare``'s options."""
    return dict(settings)


WINDOW = Arm(
    name="window",
    question="A case is open for a while. When do I arrive?",
    problem=make_problem,
    options=("late_cost",),
    context=WindowProblem.context,
    context_kind=WindowProblem.context_kind,
    knob="shift",
    responses=("predict",),
    metrics=(window_error,),
    grid=WindowGrid,
    pictures={"window": picture},
    words={
        "question": "Which model, how much earlier or later?",
        "context": "patience",
        "symbol": "τ",
        "left": "nobody waits",
        "right": "everybody waits",
        "plain": "the patience is {}",
        "untuned": "arriving as predicted",
    },
    spoken=(
        Option("patience", "How long after closing arriving costs nothing.", "range"),
        Option("late_cost", "Of a minute beyond patience; waiting costs 1.", checks=True),
    ),
    panel="Costs: window (a case is open for a while)",
    ask=ask,
    recorded=recorded,
)
