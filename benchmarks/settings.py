"""Does the confidence set for the setting hold the best one? Simulated in a world of each arm.

    python -m benchmarks.settings [SAMPLES] [FILE]

Results are kept in FILE (settings.json) cell by cell; a second run goes on where the first ended.
"clusters" are ten cases with a shared part of the errors (half of their variance), "time" is an
autoregression of errors with a coefficient of .5. The worlds are in ``worlds.py``.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.worlds import WORLDS, Floats, World

import roctopus as rt
from roctopus.inference.policies import tune_for
from roctopus.inference.setting_sets import setting_set

SIZES = (60, 200, 1_000)
ROWS = ("independent", "clusters", "time")
CLUSTER, SHARED, PERSISTENT = 10, 0.5, 0.5


def draw_noise(rng: np.random.Generator, size: int, rows: str) -> Floats:
    """Return standard normal errors that depend on each other as rows do."""
    own = rng.normal(size=size)
    if rows == "clusters":
        common = np.repeat(rng.normal(size=size // CLUSTER), CLUSTER)
        return np.sqrt(SHARED) * common + np.sqrt(1.0 - SHARED) * own
    if rows == "time":
        for k in range(1, size):
            own[k] = PERSISTENT * own[k - 1] + np.sqrt(1.0 - PERSISTENT**2) * own[k]
    return own


def told(rows: str, size: int) -> dict[str, Any]:
    """Return how ``compare`` is told of it."""
    if rows == "clusters":
        return {"clusters": np.arange(size) // CLUSTER}
    return {"time": True} if rows == "time" else {}


def one(world: World, rng: np.random.Generator, size: int, rows: str, best: Floats) -> Floats:
    """Return of each cut whether its set holds the best one, and how wide it is."""
    truth = world.draw(rng, size)
    score = truth + world.noise * draw_noise(rng, size, rows)
    models = {"model": world.show(score)}
    try:
        compared = rt.compare(truth, models, arm=world.arm, **world.options, **told(rows, size))
    except rt.InputError:  # a class is missing
        return np.full((2, len(best)), np.nan)
    problem, aim = compared.aim(None, None, None, dict(world.context))
    prediction = compared.predictions["model"]
    knob = tune_for(problem, prediction, aim, np.zeros(1)).chosen
    found = setting_set(problem, prediction, aim, knob, dependence=compared.dependence)
    ends = np.sort([world.cuts(end) for end in found], axis=0)
    return np.array([(ends[0] <= best) & (best <= ends[1]), ends[1] - ends[0]])


def cell(arm: str, size: int, rows: str, samples: int) -> list[list[float]]:
    """Return how often sets hold the best cuts, and their median width in noise of the scores."""
    world = WORLDS[arm]
    best = world.best_cuts(world.noise)
    seed = [list(WORLDS).index(arm), size, ROWS.index(rows)]
    rng = np.random.default_rng(seed)
    found = np.array([one(world, rng, size, rows, best) for _ in range(samples)])
    held = np.nanmean(found[:, 0], axis=0)
    width = np.nanmedian(found[:, 1], axis=0) / world.noise
    return [held.tolist(), width.tolist()]


def table(known: dict[str, Any]) -> str:
    """Return the results as a table."""
    lines = ["| arm | rows | n = 60 | n = 200 | n = 1,000 |", "|---|---|---|---|---|"]
    for arm in WORLDS:
        for rows in ROWS:
            cells = []
            for size in SIZES:
                held, width = known[f"{arm} {size} {rows}"]
                shown = (f"{h:.3f} ({w:.2g})" for h, w in zip(held, width, strict=True))
                cells.append(", ".join(shown))
            lines.append(f"| {arm} | {rows} | {' | '.join(cells)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    samples = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000
    file = Path(sys.argv[2] if len(sys.argv) > 2 else "settings.json")
    known = json.loads(file.read_text()) if file.exists() else {}
    for rows in ROWS:
        for arm in WORLDS:
            for size in SIZES:
                name = f"{arm} {size} {rows}"
                if name not in known:
                    known[name] = cell(arm, size, rows, samples)
                    file.write_text(json.dumps(known))
                    print(name, known[name], flush=True)
    print(table(known))
