"""Do verdicts keep their promises? Samples of five worlds, decided, and judged by the truth.

Usage: python -m benchmarks.verdicts FILE [--samples 400] [--processes 2] [--only TEXT ...]

FILE gets a JSON line per cell; cells that are in it already are not run again. Three designs:
"apart", 40 cells in which all models but one are worse by a given share; "drawn", in which the
true differences are drawn, ½, 1 or 2 standard errors large; "shuffled", in which truths are
shuffled, so that no model helps. The tables are those of ``docs/verdicts.md``.
"""

from __future__ import annotations

import argparse
import itertools
import json
import warnings
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from benchmarks.verdict_tables import SPREADS, Cell, finished, report
from benchmarks.worlds import WORLDS, Floats, Sample, World

import roctopus as rt
from roctopus.inference.cross_fitting import Honest
from roctopus.inference.policies import Learned

SIZES, MODELS, APART = (60, 200, 1000), (2, 3, 8), (0.0, 0.03, 0.1)


def cells() -> list[Cell]:
    """Return 40 cells of a Latin square in each arm, and those of the other two designs."""
    found = []
    for a, arm in enumerate(WORLDS):
        square = [(i, j, (i + j + a) % 3) for i, j in itertools.product(range(3), repeat=2)]
        del square[2 * a]
        found += [Cell("apart", arm, SIZES[i], MODELS[j], APART[k]) for i, j, k in square]
        sizes = [SIZES[a % 3], SIZES[(a + 1) % 3], SIZES[1 + a % 2]]  # 60 are too few for spread 2
        for k, (spread, size) in enumerate(zip(SPREADS, sizes, strict=True)):
            found.append(Cell("drawn", arm, size, MODELS[(a + 2 * k) % 3], spread))
        found.append(Cell("shuffled", arm, SIZES[a % 3], 3, 0.0))
    return found


class Told(NamedTuple):
    """What an answer says, and what is true of it. Values are losses."""

    verdict: str
    chosen: int | None
    chances: Floats
    stake: float
    worth: float
    tolerance: float
    interval: tuple[float, float]
    deployed: Floats
    """The true value of each model with the setting it would be deployed with."""

    def holds(self, value: float) -> bool:
        """Tell whether a value lies in the interval."""
        return self.interval[0] <= value <= self.interval[1]


def compared(world: World, sample: Sample) -> tuple[rt.Comparison, Learned, Honest]:
    """Compare models on a sample; what is learned here is used again when it is decided."""
    comparison = rt.compare(*sample, arm=world.arm, **world.options)
    asked = comparison.aim(None, None, None, dict(world.context))
    return comparison, *comparison.learned(*asked)


def ask(world: World, sample: Sample, noises: Floats) -> Told:
    """Decide, and look up the truth."""
    comparison, learned, _ = compared(world, sample)
    decision = comparison.decide(**world.context)
    names = list(sample.predictions)
    deployed = [
        world.sign * world.value(world.cuts(learned.knobs[name].chosen), noise)
        for name, noise in zip(names, noises, strict=True)
    ]
    low, high = sorted((world.sign * decision.low, world.sign * decision.high))
    return Told(
        decision.verdict,
        names.index(decision.model) if decision.model in names else None,
        np.array([decision.chances[name] for name in names]),
        decision.stake,
        dict(decision.worth)[len(sample.truth)],
        decision.tolerance,
        (low, high),
        np.array(deployed),
    )


@cache
def unshared_error(arm: str) -> float:
    """Return the standard error, for one case, of what two equal models do not share."""
    world = WORLDS[arm]
    rng = np.random.default_rng(0)
    truth, predictions = world.sample(rng, 100_000, np.full(2, world.noise))
    comparison = rt.compare(truth, predictions, arm=world.arm, **world.options)
    problem, aim = comparison.aim(None, None, None, dict(world.context))
    outcomes = []
    for each in predictions.values():
        knob = problem.tune(each, aim.contexts, np.zeros(1)).chosen
        outcomes.append(problem.outcomes(each, knob, float(aim.contexts[0])))
    return float(np.std(outcomes[0] - outcomes[1]) / np.sqrt(2.0))


def true_values(cell: Cell, world: World, rng: np.random.Generator, error: float) -> Floats:
    """Return what models are worth when they are tuned as well as can be, as losses."""
    best = world.least
    if cell.design == "drawn":
        return best + cell.level * error * rng.normal(size=cell.models)
    worse = np.full(cell.models, best + cell.level * abs(best))
    worse[rng.integers(cell.models)] = best
    return worse


def one_sample(cell: Cell, world: World, rng: np.random.Generator, error: float) -> dict[str, Any]:
    """Draw one sample, decide, and return what is counted, in units of a standard error."""
    noises = world.noise_for(true_values(cell, world, rng, error))
    values = world.losses_of(noises)
    sample = world.sample(rng, cell.size, noises)
    if cell.design == "shuffled":
        sample = sample._replace(truth=rng.permutation(sample.truth))
        return {"verdict": ask(world, sample, noises).verdict}
    told = ask(world, sample, noises)
    if told.chosen is None:
        return {"verdict": told.verdict}
    mine = told.deployed[told.chosen]
    costs = {
        "tolerance": told.tolerance,
        "regret": values[told.chosen] - values.min(),
        "regret_deployed": mine - told.deployed.min(),
        "stake": told.stake,
    }
    found: dict[str, Any] = {"verdict": told.verdict, "covered": told.holds(mine)}
    if cell.design == "drawn":
        more = joined(sample, world.sample(rng, cell.size, noises))
        later = list(sample.predictions).index(compared(world, more)[2].ranked[0])
        costs |= {"worth": told.worth, "saved": values[told.chosen] - values[later]}
        found |= {"chances": told.chances.tolist(), "best": int(np.argmin(values))}
        found["best_deployed"] = int(np.argmin(told.deployed))
    return found | {name: cost / error for name, cost in costs.items()}


def joined(first: Sample, second: Sample) -> Sample:
    """Return the cases of two samples."""
    predictions = {
        name: np.concatenate([each, second.predictions[name]])
        for name, each in first.predictions.items()
    }
    return Sample(np.concatenate([first.truth, second.truth]), predictions)


def run(cell: Cell, samples: int) -> dict[str, Any]:
    """Simulate a cell."""
    warnings.simplefilter("ignore")
    world, rng = WORLDS[cell.arm], np.random.default_rng(crc32(cell.name.encode()))
    error = unshared_error(cell.arm) / np.sqrt(cell.size)
    count = samples // 2 if cell.design == "shuffled" else samples
    return {"cell": cell, "samples": [one_sample(cell, world, rng, error) for _ in range(count)]}


def simulate(file: Path, wanted: list[Cell], samples: int, mapped: Callable[..., Any]) -> None:
    """Run what is not done yet, and write each cell when it is; ``mapped`` is ``map`` of a pool."""
    done = finished(file)
    left = [cell for cell in wanted if cell not in done]
    with file.open("a", encoding="utf-8") as out:
        for row in mapped(partial(run, samples=samples), left):
            out.write(json.dumps(row, default=float) + "\n")
            out.flush()
            print("done:", row["cell"].name, flush=True)


def main() -> None:
    """Read the options, simulate and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--samples", type=int, default=400)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--only", nargs="+", default=[""], help="cells whose name holds a text")
    given = parser.parse_args()
    wanted = [cell for cell in cells() if any(text in cell.name for text in given.only)]
    with ProcessPoolExecutor(given.processes) as pool:
        simulate(given.file, wanted, given.samples, pool.map)
    report(finished(given.file))


if __name__ == "__main__":
    main()
