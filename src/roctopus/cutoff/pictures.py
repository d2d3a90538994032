"""The picture of the cutoff arm: who is best for which cutoff and costs."""

from __future__ import annotations

from typing import Any

import numpy as np

from roctopus.concepts.context_map import map_envelopes
from roctopus.concepts.pictures import Knobs, cases_that_count
from roctopus.concepts.problem import Predictions
from roctopus.core.arrays import Floats
from roctopus.cutoff.curves import PROPORTIONS, cutoff_cost_map
from roctopus.cutoff.problem import CutoffDecisions


def map_picture(
    problem: CutoffDecisions, predictions: Predictions, contexts: Floats, knobs: Knobs, least: int
) -> dict[str, Any]:
    """Return it as data; ``knobs`` are those shown, per model and context."""
    low, high = float(contexts[0]), float(contexts[-1])
    cells = int(np.clip(cases_that_count(problem) // least, 8, 120))
    edges = np.linspace(low, high, cells + 1)
    middles = 0.5 * (edges[:-1] + edges[1:])
    maps = {
        name: cutoff_cost_map(problem.y_true, p, sample_weight=problem.weight)
        for name, p in predictions.items()
    }
    position = {name: k for k, name in enumerate(predictions)}
    owner = [
        [position[name] for name in best.best_at(middles).tolist()] for best in map_envelopes(maps)
    ]
    mine = problem.false_negative_cost / (problem.false_negative_cost + problem.false_positive_cost)
    return {
        "kind": "map",
        "title": "Which model is best for which cutoff and costs",
        "x": "cutoff",
        "y": "share of a wrong no in both costs",
        "edges": edges,
        "values": PROPORTIONS,
        "owner": owner,
        "here": mine,
    }
