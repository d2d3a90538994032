"""Which models could be best at each of several contexts, all statements together."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from roctopus.concepts.joint import JointEstimates
from roctopus.core.arrays import Floats
from roctopus.core.resampling import Random, read_generator
from roctopus.inference.comparing import all_pairs
from roctopus.inference.deviations import BUCKETS, Sketch

DRAWS = 10_000


def best_sets(joints: Iterable[JointEstimates], level: float, rng: Random) -> list[tuple[str, ...]]:
    """Return the models that could be best at each of several contexts, all together.

    At every context one model is truly best, or one of several equally good ones is meant: at most
    as many models as there are contexts. Each of them is compared with all others at once, at a
    share of the error that makes up for that. That *all* equally good models stay is not promised.
    """
    generator = read_generator(rng)
    sketch: Sketch | None = None
    freedom, sign = math.inf, 1.0
    names: tuple[str, ...] = ()
    values, errors, sketches = [], [], []
    for joint in joints:  # one context at a time: only sums are kept
        first = joint.estimates[0]
        sketch = sketch or Sketch(first, generator, BUCKETS // 4)
        sign, names = 1.0 if joint.sense == "loss" else -1.0, joint.names
        freedom = min(freedom, math.inf if first.freedom is None else first.freedom)
        value, error, _, unit = all_pairs(joint)
        values.append(sign * (value[:, None] - value))
        errors.append(error)
        total = unit * first.total_weight
        rows = np.array([sketch.of(each) for each in joint.estimates])
        sketches.append((rows - rows[0]) / total)
    worse, error = np.array(values), np.array(errors)  # contexts, models, other models
    assert sketch is not None
    drawn = _deviations(sketch.finished(np.array(sketches)), freedom, generator)
    kept: list[tuple[str, ...]] = [()] * len(worse)
    within = 1.0 - (1.0 - level) / max(min(len(names), len(worse)), 1)
    for k, model in enumerate(names):
        live = error[:, k] > 0.0
        quantile = 0.0
        if live.any():
            apart = (drawn[:, :, k, None] - drawn)[:, live] / error[:, k][live]
            quantile = max(float(np.quantile(apart.max(axis=1), within)), 0.0)
        beaten = np.any(worse[:, k] > quantile * error[:, k] + 1e-12 * np.abs(worse[:, k]), axis=1)
        for x in np.flatnonzero(~beaten).tolist():
            kept[x] = (*kept[x], model)
    return kept


def _deviations(
    rows: Floats, freedom: float, generator: np.random.Generator
) -> NDArray[np.float32]:
    """Draw deviations of all values together: draws by contexts by models.

    ``rows`` hold, for every context and model, what each unit adds. They are multiplied by random
    normal numbers, the same for all.
    """
    contexts, models, units = rows.shape
    flat = rows.reshape(contexts * models, units).astype(np.float32)
    found = np.empty((DRAWS, contexts, models), dtype=np.float32)
    step = max(1, (1 << 22) // units)
    for begin in range(0, DRAWS, step):
        count = min(step, DRAWS - begin)
        noise = generator.standard_normal((count, units), dtype=np.float32)
        found[begin : begin + count] = (noise @ flat.T).reshape(count, contexts, models)
    if math.isfinite(freedom):
        scale = np.sqrt(generator.chisquare(freedom, DRAWS) / freedom)
        found /= scale[:, None, None].astype(np.float32)
    return found
