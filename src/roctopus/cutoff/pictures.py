"""The picture of the cutoff arm: which model is best for which cutoff and costs."""

from __future__ import annotations

from typing import Any

import numpy as np

from roctopus.concepts.context_map import map_envelopes
from roctopus.concepts.pictures import Drawn, Knobs
from roctopus.core.arrays import Floats
from roctopus.cutoff.curves import PROPORTIONS, cutoff_cost_map

CELLS = 120
"""Largest number of columns of the map."""


def map_picture(cases: Drawn, contexts: Floats, knobs: Knobs) -> dict[str, Any]:
    """Return it as data: one column per context, or a selection of very many."""
    kept = np.unique(np.linspace(0, len(contexts) - 1, CELLS + 1).astype(int))
    edges = contexts[kept]
    maps = {
        name: cutoff_cost_map(problem.y_true, p, sample_weight=problem.weight)
        for name, (problem, p) in cases.items()
    }
    problem = next(iter(cases.values()))[0]
    position = {name: k for k, name in enumerate(cases)}
    owner = [
        [position[name] for name in best.best_at(edges[1:]).tolist()]
        for best in map_envelopes(maps)
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
