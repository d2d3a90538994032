"""What is special to an arm: the picture beside the losses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from roctopus.concepts.context_map import map_envelopes
from roctopus.core.arrays import Floats
from roctopus.core.errors import InputError
from roctopus.cutoff.maps import cutoff_cost_map
from roctopus.impact.cases import read_scored
from roctopus.ordinal.surface import roc_surface
from roctopus.probability.curves import smoothed_roc_curve
from roctopus.probability.widths import canonical_width
from roctopus.regression.curves import rroc_curve
from roctopus.report.contexts import cases_that_count
from roctopus.report.packing import pack
from roctopus.report.privacy import thin

__all__ = ["make_space"]

POINTS = 400
SMOOTH_UP_TO = 20_000
"""Cases up to which curves of smoothed probabilities are drawn, too."""
PROPORTIONS = np.arange(1, 20) / 20
BINS, SURFACE_STEPS = 30, 16

Predictions = Mapping[str, Floats]
Knobs = list[list[Floats]]
"""Per model an array for each number of a setting, with a value per context."""


def make_space(
    problem: Any, predictions: Predictions, contexts: Floats, knobs: Knobs, least: int
) -> dict[str, Any]:
    """Return the picture of an arm; ``knobs`` are those shown, per model and context."""
    return _SPACES[problem.arm](problem, predictions, contexts, knobs, max(least, 1))


def _regression(
    problem: Any, predictions: Predictions, contexts: Floats, knobs: Knobs, least: int
) -> dict[str, Any]:
    curves, points = [], []
    for prediction, knob in zip(predictions.values(), knobs, strict=True):
        curve = rroc_curve(problem.y_true, prediction, sample_weight=problem.weight, normalize=True)
        point = {k: pack(v) for k, v in zip("xy", curve.sums_at(knob[0]), strict=True)}
        points.append(point)
        # The points of all stored contexts are the curve; nothing more of it is told.
        drawn = point
        if least == 1:
            over, under, _ = curve.vertices()
            at = thin(np.arange(1.0, len(over) + 1.0), 1.0, POINTS)
            drawn = {"x": pack(over[at]), "y": pack(under[at])}
        curves.append(drawn)
    with np.errstate(divide="ignore"):
        slope = (1.0 - contexts) / contexts
    return {
        "kind": "tradeoff",
        "title": "RROC space: the line of equal loss touches the best model",
        "x": "mean over-estimation",
        "y": "mean under-estimation",
        "corner": "top left",
        "views": [{"name": "RROC", "curves": curves, "points": points}],
        "slope": pack(slope),
    }


def _probability(
    problem: Any, predictions: Predictions, contexts: Floats, knobs: Knobs, least: int
) -> dict[str, Any]:
    plain: dict[str, Any] = {"name": "ROC", "curves": [], "points": []}
    smooth: dict[str, Any] = {"name": "pROC", "curves": [], "points": None}
    positive = float(np.average(problem.y_true, weights=problem.weight))
    reading = {"sample_weight": problem.weight}
    for prediction, knob in zip(predictions.values(), knobs, strict=True):
        curve = smoothed_roc_curve(problem.y_true, prediction, width=0.0, **reading)
        false, true, threshold = (np.asarray(each) for each in curve.vertices())
        accepted = cases_that_count(problem) * (positive * true + (1.0 - positive) * false)
        order = np.argsort(accepted, kind="stable")
        at = order[thin(accepted[order], float(least), POINTS)]
        plain["curves"].append({"x": pack(false[at]), "y": pack(true[at])})
        where = np.minimum(np.searchsorted(threshold, knob[0]), len(threshold) - 1)
        plain["points"].append({"x": pack(false[where]), "y": pack(true[where])})
        if len(problem) <= SMOOTH_UP_TO:
            width = canonical_width(problem.y_true, prediction, **reading).width
            drawn = smoothed_roc_curve(
                problem.y_true, prediction, width=width or 0.0, points=201, **reading
            )
            x, y, _ = (np.asarray(each) for each in drawn.vertices())
            most = min(200, max(len(x) // least, 2))
            keep = np.unique(np.linspace(0, len(x) - 1, most).astype(int))
            smooth["curves"].append({"x": pack(x[keep]), "y": pack(y[keep])})
    share = positive if problem.prevalence is None else problem.prevalence
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = contexts * (1.0 - share) / ((1.0 - contexts) * share)
    return {
        "kind": "tradeoff",
        "title": "ROC space: the line of equal cost touches the best model",
        "x": "false positive rate",
        "y": "true positive rate",
        "corner": "top left",
        "views": [plain, smooth] if smooth["curves"] else [plain],
        "slope": pack(slope),
        "diagonal": True,
    }


def _impact(
    problem: Any, predictions: Predictions, contexts: Floats, knobs: Knobs, least: int
) -> dict[str, Any]:
    curves = []
    for prediction, knob in zip(predictions.values(), knobs, strict=True):
        offers = read_scored(prediction, problem.utility, problem.weight)
        slope, intercept = offers.lines
        accepted = np.asarray(offers.accepted)
        total = offers.sample.total_weight
        count = accepted / total * cases_that_count(problem)
        at = thin(count, float(least), POINTS)
        if least > 1:  # beside a capacity, a few cases could be told apart
            limits = cases_that_count(problem) * np.array([problem.at_least, problem.at_most])
            beside = np.abs(count[at][:, None] - limits[None, :]) < least
            ends = (count[at] == 0.0) | (count[at] == count[-1])
            at = at[ends | ~beside.any(axis=1)]
        cut = np.searchsorted(-offers.threshold, -knob[0], side="right") - 1
        curves.append(
            {
                "x": pack(accepted[at] / total),
                "slope": pack(slope[at] / total),
                "intercept": pack((intercept[at] - slope[at] * offers.origin) / total),
                "at": pack(accepted[np.clip(cut, 0, len(accepted) - 1)] / total),
            }
        )
    return {
        "kind": "profile",
        "title": "Profile: what accepting more would earn at this price",
        "x": "share accepted",
        "y": problem.outcome,
        "curves": curves,
        "limits": [problem.at_least, problem.at_most],
    }


def _cutoff(
    problem: Any, predictions: Predictions, contexts: Floats, knobs: Knobs, least: int
) -> dict[str, Any]:
    low, high = float(contexts[0]), float(contexts[-1])
    cells = int(np.clip(cases_that_count(problem) // least, 8, 120))
    edges = np.linspace(low, high, cells + 1)
    middles = 0.5 * (edges[:-1] + edges[1:])
    maps = {
        name: cutoff_cost_map(
            problem.y_true, p, proportions=PROPORTIONS, sample_weight=problem.weight
        )
        for name, p in predictions.items()
    }
    position = {name: k for k, name in enumerate(predictions)}
    owner = [
        [position[name] for name in best.best_at(middles).tolist()] for best in map_envelopes(maps)
    ]
    mine = problem.false_negative_cost / (problem.false_negative_cost + problem.false_positive_cost)
    return {
        "kind": "map",
        "title": "Who is best for which cutoff and which costs",
        "x": "cutoff",
        "y": "share of false negatives in the two costs",
        "edges": pack(edges),
        "values": pack(PROPORTIONS),
        "owner": owner,
        "here": mine,
    }


def _ordinal(
    problem: Any, predictions: Predictions, contexts: Floats, knobs: Knobs, least: int
) -> dict[str, Any]:
    count = len(problem.labels)
    weight = np.ones(len(problem)) if problem.weight is None else problem.weight
    code = problem.code.astype(int)
    shapes = []
    for prediction, knob in zip(predictions.values(), knobs, strict=True):
        step = _round_step(prediction)
        edges, density = [], []
        for k in range(count):
            mine = code == k
            edges.append(_edges(prediction, prediction[mine], step, least))
            share = np.histogram(prediction[mine], edges[-1], weights=weight[mine])[0]
            density.append(share / max(share.sum(), 1e-300) / np.diff(edges[-1]))
        shape: dict[str, Any] = {
            "edges": [pack(each) for each in edges],
            "density": [pack(each) for each in density],
            "thresholds": [pack(each) for each in knob],
        }
        steps = min(SURFACE_STEPS, int(np.bincount(code).min()) // least)
        if count == 3 and steps >= 3:
            shape["surface"] = _surface(problem, prediction, steps)
        shapes.append(shape)
    return {
        "kind": "distributions",
        "title": "Where the classes lie on the score, and where to cut",
        "x": "score",
        "classes": [str(each) for each in problem.labels],
        "models": shapes,
    }


def _round_step(prediction: Floats) -> float:
    span = float(np.ptp(prediction)) or max(abs(float(prediction[0])), 1.0)
    return float(10.0 ** np.floor(np.log10(span) - 1.0))


def _edges(prediction: Floats, mine: Floats, step: float, least: int) -> Floats:
    """Return borders of bins that hold ``least`` cases of a class: equal ones, joined if needed.

    Their ends are round numbers, not the extremes.
    """
    low = np.floor(float(prediction.min()) / step) * step
    high = np.ceil(float(prediction.max()) / step) * step
    equal = np.linspace(low, high if low < high else low + step, BINS + 1)
    counts = np.histogram(mine, equal)[0]
    kept, held = [float(equal[0])], 0
    for edge, more in zip(equal[1:-1].tolist(), counts[:-1].tolist(), strict=True):
        held += more
        if held >= least:
            kept.append(edge)
            held = 0
    if held + counts[-1] < least and len(kept) > 1:
        kept.pop()
    return np.array([*kept, float(equal[-1])])


def _surface(problem: Any, prediction: Floats, steps: int) -> dict[str, Any] | None:
    try:
        surface = roc_surface(
            problem.code, prediction, labels=[0, 1, 2], sample_weight=problem.weight
        )
        corners, triangles = surface.triangles(steps)
    except InputError:
        return None
    return {"corners": pack(np.ravel(corners)), "triangles": np.ravel(triangles).tolist()}


_SPACES: dict[str, Callable[..., dict[str, Any]]] = {
    "regression": _regression,
    "cutoff": _cutoff,
    "ordinal": _ordinal,
    "probability": _probability,
    "impact": _impact,
}
