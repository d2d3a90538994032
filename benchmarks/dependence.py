"""Intervals of rows that depend on each other: do they cover, and is dependence noticed.

Usage: python -m benchmarks.dependence FILE [--samples 500] [--only TEXT ...]

FILE gets a JSON line per cell; cells that are in it already are not run again. Errors are normal.
"tuned" is the cost of a tuned shift when an under-estimate costs 4 and an over-estimate 1, against
the true cost of what is deployed; "mean" is a mean of the errors themselves. "width" is that of an
interval with ``time=`` on independent rows, relative to one without it: on the same blocks of time,
or on random folds. The table is that of ``docs/coverage.md``.
"""

from __future__ import annotations

import argparse
import json
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from benchmarks.backtests import covered
from scipy.stats import norm

import roctopus as rt
from roctopus.concepts.decision import Decision
from roctopus.concepts.dependence import INDEPENDENT, Dependence
from roctopus.concepts.estimate import Estimate
from roctopus.inference.folds import Split, folds

Floats = np.ndarray
COSTS = {"under_cost": 4.0, "over_cost": 1.0}
BEST = float(norm.ppf(0.8))


class Result(NamedTuple):
    """Whether an interval covers (or a warning was given), and how wide it is beside another."""

    hit: bool
    width: float = float("nan")


def pinball(shift: float, under: float = 4.0, over: float = 1.0) -> float:
    """Return the expected cost of standard normal errors after a shift."""
    upward = shift * norm.cdf(shift) + norm.pdf(shift)
    return float(over * upward + under * (upward - shift))


def slow(size: int, rho: float, rng: np.random.Generator) -> Floats:
    """Return a first-order autoregression of variance 1."""
    noise = rng.normal(size=size)
    for k in range(1, size):
        noise[k] = rho * noise[k - 1] + np.sqrt(1.0 - rho**2) * noise[k]
    return noise


def noisy(size: int, rho: float, rng: np.random.Generator) -> Floats:
    """Return noise with a slow part: a fifth of the variance."""
    return np.sqrt(0.2) * slow(size, rho, rng) + np.sqrt(0.8) * rng.normal(size=size)


def panel(periods: int, rng: np.random.Generator) -> tuple[Floats, Floats, Floats]:
    """Return times, clusters within them, and errors: a third of the variance is each one's."""
    time = np.repeat(np.arange(periods), 50)
    cluster = time * 10 + np.tile(np.repeat(np.arange(10), 5), periods)
    parts = slow(periods, 0.5, rng)[time], rng.normal(size=10 * periods)[cluster]
    return time, cluster, (parts[0] + parts[1] + rng.normal(size=len(time))) / np.sqrt(3.0)


def tuned(errors: Floats, rng: np.random.Generator, **given: Any) -> Result:
    """Decide, and compare with the true cost of the shift."""
    y = rng.normal(size=len(errors))
    return Result(_holds(_decide(y, {"a": y + errors}, **given)))


def _decide(y: Floats, models: dict[str, Floats], **given: Any) -> Decision:
    return rt.compare(y, models, arm="regression", **given).decide(**COSTS, models_only=True)


def _holds(decision: Decision) -> bool:
    return decision.low <= pinball(decision.knob[0]) <= decision.high


def mean(errors: Floats, dependence: Dependence) -> Result:
    """Return whether the interval of a mean holds 0, and its width beside that of independence."""
    value = float(errors.mean())
    ends = [
        Estimate(value, errors - value, dependence=each).confidence_interval(method="plain")
        for each in (dependence, INDEPENDENT)
    ]
    (low, high), (first, last) = ends
    return Result(low <= 0.0 <= high, (high - low) / (last - first))


def in_time(make: Callable[..., Floats], size: int, rho: float, rng: Any) -> Result:
    """Return a tuned cost in order of time."""
    return tuned(make(size, rho, rng), rng, time=True)


def mean_in_time(size: int, rho: float, rng: Any) -> Result:
    """Return a mean in order of time."""
    return mean(slow(size, rho, rng), Dependence(times=np.arange(size)))


def in_panels(periods: int, rng: Any) -> Result:
    """Return a tuned cost of periods that hold clusters."""
    time, cluster, errors = panel(periods, rng)
    return tuned(errors, rng, time=time, clusters=cluster)


def clusters(count: int, equal: bool, rng: Any) -> tuple[Floats, Floats]:
    """Return clusters and errors; a fifth of the variance is shared within clusters."""
    sizes = np.full(count, 10)
    if not equal:
        sizes = np.round(np.exp(rng.uniform(0.0, np.log(100.0), count))).astype(int)
    codes = np.repeat(np.arange(count), sizes)
    shared = np.sqrt(0.2) * rng.normal(size=count)[codes]
    return codes, shared + np.sqrt(0.8) * rng.normal(size=len(codes))


def in_clusters(count: int, equal: bool, rng: Any) -> Result:
    """Return a mean of clusters."""
    codes, errors = clusters(count, equal, rng)
    return mean(errors, Dependence(codes))


def saving(periods: int, rho: float, rng: Any) -> Result:
    """Return what a frozen shift saves in a backtest."""
    return Result(covered(rng, periods, rho)[0])


def equal_models(size: int, rng: Any, count: int = 8) -> tuple[Floats, dict[str, Floats]]:
    """Return some equal models."""
    y = rng.normal(size=size)
    return y, {f"m{k}": y + rng.normal(size=size) for k in range(count)}


class Blocks:
    """The folds of rows in order of time, for a comparison that takes rows as independent."""

    def split(self, X: Floats, y: Any = None, groups: Any = None) -> Iterator[Split]:
        """Yield training and test rows."""
        size = len(X)
        return folds(size, 5, Dependence(times=np.arange(size)), np.zeros(size), 0)


def widened(size: int, count: int, cv: Any, rng: Any) -> Result:
    """Return a tuned cost of independent rows in order of time, and its width beside no order."""
    y, models = equal_models(size, rng, count)
    told, plain = _decide(y, models, time=True), _decide(y, models, cv=cv)
    return Result(_holds(told), (told.high - told.low) / (plain.high - plain.low))


def following(size: int, rng: Any) -> Result:
    """Follow asymmetries that are uniform from .2 to .8 with the best of eight equal models."""
    y, models = equal_models(size, rng)
    compared = rt.compare(y, models, arm="regression")
    found = compared.value_of_knowing(rt.Uniform(0.2, 0.8)).following
    low, high = found.confidence_interval()
    grid = np.linspace(0.2, 0.8, 61)
    truth = np.mean([_followed(compared, alpha) for alpha in grid])
    return Result(low <= truth <= high)


def _followed(compared: Any, alpha: float) -> float:
    """Return the true cost of the model and the shift that are best on the sample."""
    at = np.array([alpha])
    name, _ = min(compared.curves().items(), key=lambda pair: float(pair[1].at(at)[0]))
    shift = compared.problem.tune(
        compared.predictions[name], np.array([alpha]), np.zeros(1)
    ).chosen[0]
    return pinball(float(shift), 2.0 * alpha, 2.0 * (1.0 - alpha))


def hybrid(size: int, rng: Any) -> Result:
    """Decide for a range of asymmetries with one rule per part of it."""
    y, models = equal_models(size, rng)
    compared = rt.compare(y, models, arm="regression")
    decision = compared.decide(distribution=rt.Uniform(0.2, 0.8), hybrid=True, models_only=True)
    grid = np.linspace(0.2, 0.8, 61)

    def shift(alpha: float) -> float:
        for low, high, _, knob in decision.regions:
            if low <= alpha <= high:
                return float(knob[0])
        return float(decision.knob[0])

    truth = np.mean([pinball(shift(a), 2.0 * a, 2.0 * (1.0 - a)) for a in grid])
    return Result(decision.low <= truth <= decision.high)


def noticed(kind: str, rng: Any) -> Result:
    """Return whether dependence is noticed."""
    y = rng.normal(size=200)
    errors = rng.normal(size=200)
    if kind == "AR .3":
        errors = slow(200, 0.3, rng)
    elif kind == "20 clusters, ICC .2":
        errors = clusters(20, True, rng)[1]
    return Result(rt.compare(y, {"a": y + errors}, arm="regression").dependent is not None)


CELLS: dict[str, Callable[..., Result]] = {
    **{f"tuned, AR .5, n = {n}": partial(in_time, slow, n, 0.5) for n in (60, 200, 1000)},
    **{f"tuned, AR .8, n = {n}": partial(in_time, slow, n, 0.8) for n in (200, 1000)},
    **{f"tuned, a fifth AR .9, n = {n}": partial(in_time, noisy, n, 0.9) for n in (60, 200, 1000)},
    **{f"tuned, {n} periods of 50 with clusters": partial(in_panels, n) for n in (20, 60)},
    **{
        f"mean, AR {rho:g}, n = {n}": partial(mean_in_time, n, rho)
        for rho in (0.0, 0.5, 0.8)
        for n in (60, 200, 1000)
    },
    **{
        f"saving of a backtest, {n} periods, AR {rho:g}": partial(saving, n, rho)
        for n, rho in ((20, 0.5), (60, 0.5), (60, 0.8))
    },
    **{f"{n} equal clusters": partial(in_clusters, n, True) for n in (10, 20, 50)},
    **{f"{n} clusters of 1 to 100": partial(in_clusters, n, False) for n in (10, 20, 50)},
    **{f"following, 8 equal models, n = {n}": partial(following, n) for n in (60, 200)},
    **{f"hybrid, 8 equal models, n = {n}": partial(hybrid, n) for n in (60, 200)},
    **{
        f"width, {count} equal, n = {n}, beside {what}": partial(widened, n, count, cv)
        for what, cv in (("the same folds", Blocks()), ("random folds", 5))
        for count in (1, 3)
        for n in (60, 200, 1000)
    },
    **{
        f"noticed: {kind}": partial(noticed, kind)
        for kind in ("independent", "AR .3", "20 clusters, ICC .2")
    },
}


def run(path: Path, samples: int, only: list[str]) -> None:
    """Simulate the cells that the file does not hold yet."""
    lines = path.read_text().splitlines() if path.exists() else []
    there = {json.loads(line)["cell"] for line in lines}
    for name, draw in CELLS.items():
        if name in there or not any(text in name for text in only):
            continue
        rng = np.random.default_rng(crc32(name.encode()))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = [draw(rng) for _ in range(samples)]
        line = {
            "cell": name,
            "samples": samples,
            "rate": float(np.mean([each.hit for each in found])),
            "width": float(np.mean([each.width for each in found])),
        }
        with path.open("a") as file:
            file.write(json.dumps(line) + "\n")
        print(line, flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("file", type=Path)
    parser.add_argument("--samples", type=int, default=500)
    parser.add_argument("--only", nargs="*", default=[""])
    given = parser.parse_args()
    run(given.file, given.samples, given.only)
