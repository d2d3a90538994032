"""Backtests: the coverage of their intervals, their speed, and what they say of real series.

Usage: python benchmarks/backtests.py [--replicates 1000] [--data FOLDER]

Coverage is of nominal 95 % intervals of ``Backtest.saving``: cases come in periods that share an
effect, of its own or like that of the period before (first-order, 0.5); each has 1 + Poisson(4)
cases. The truth is the expected saving of the very shifts that were learned.

With ``--data``, a folder that holds ``dee.csv`` and ``treasury.csv`` of KEEL:

- dee: the daily price of electricity, 365 days in order (lag-1 autocorrelation 0.68).
- treasury: 1,049 weeks, but the file is shuffled (lag-1 autocorrelation −0.05). Its column
  "demandDeposits" holds, names being off by one, the currency in circulation, which grew almost
  every week: sorted by it, rows are nearly in order of time (0.99). The rank is the week here.
- wizmir would be a third, but is shuffled too, and no column tells the order: it is left out.

Models are trained on the first third and predict the rest. The asymmetries of the rows are made up.
"""

from __future__ import annotations

import argparse
import time as clock
import warnings
from pathlib import Path

import numpy as np
from scipy.stats import norm

import roctopus as rt

ASYMMETRY, BIAS, SHARED, OWN = 0.8, 0.2, 0.6, 1.0


def pinball(shift):
    """Return the expected loss of normal errors after a shift."""
    spread = np.hypot(SHARED, OWN)
    z = (np.asarray(shift) + BIAS) / spread
    over = spread * (z * norm.cdf(z) + norm.pdf(z))
    under = over - spread * z
    return 2.0 * ((1.0 - ASYMMETRY) * over + ASYMMETRY * under)


def sample(rng, periods, rho):
    """Return times and errors: periods share an effect."""
    effect = np.empty(periods)
    effect[0] = rng.normal()
    for k in range(1, periods):
        effect[k] = rho * effect[k - 1] + np.sqrt(1.0 - rho**2) * rng.normal()
    time = np.repeat(np.arange(periods), 1 + rng.poisson(4, periods))
    return time, BIAS + SHARED * effect[time] + OWN * rng.normal(size=len(time))


def covered(rng, periods, rho, start=30, refit=10):
    """Return whether intervals hold the truth: frozen, retuned, and frozen if time is ignored."""
    time, error = sample(rng, periods + start, rho)
    comparison = rt.compare(np.zeros(len(time)), {"model": error}, arm="regression")
    found = comparison.backtest(time=time, start=start, refit=refit, asymmetry=ASYMMETRY)
    used = {
        name: np.array([(e.period, e.rule[0][3][0]) for e in found.settings if e.policy == name])
        for name in ("frozen", "retuned")
    }
    frozen = used["frozen"][0, 1]
    at = np.searchsorted(used["retuned"][:, 0], found.period, side="right") - 1
    truths = {
        ("frozen", "untuned"): float(pinball(0.0) - pinball(frozen)),
        ("retuned", "frozen"): float(np.mean(pinball(frozen) - pinball(used["retuned"][at, 1]))),
    }
    hits = []
    for pair, truth in truths.items():
        low, high = found.interval(*pair)
        hits.append(low <= truth <= high)
    gap = found.outcomes["untuned"] - found.outcomes["frozen"]
    half = 1.96 * gap.std(ddof=1) / np.sqrt(len(gap))
    hits.append(abs(gap.mean() - truths["frozen", "untuned"]) <= half)
    return hits


def coverage(replicates):
    """Print a table of coverages."""
    print("| periods | effects | frozen | retuned over frozen | frozen, cases as independent |")
    print("|---|---|---|---|---|")
    for periods in (60, 200):
        for rho in (0.0, 0.5):
            rng = np.random.default_rng(0)
            hits = np.array([covered(rng, periods, rho) for _ in range(replicates)])
            told = " | ".join(f"{100 * share:.1f} %" for share in hits.mean(axis=0))
            print(f"| {periods} | {'AR(1), 0.5' if rho else 'independent'} | {told} |", flush=True)
    error = 100.0 * np.sqrt(0.05 * 0.95 / replicates)
    print(f"\n{replicates} samples each; Monte Carlo error {error:.1f} %\n")


def speed():
    """Print how long 1,500 periods of one case and three models take."""
    rng = np.random.default_rng(0)
    size = 1500
    y = rng.normal(size=size)
    models = {
        name: y + scale * rng.normal(size=size)
        for name, scale in zip("abc", (1, 1.1, 1.2), strict=True)
    }
    for context in (None, rng.uniform(0.3, 0.9, size)):
        comparison = rt.compare(y, models, arm="regression", context=context)
        begun = clock.perf_counter()
        comparison.backtest(time=np.arange(size), **({"asymmetry": 0.8} if context is None else {}))
        kind = "one context" if context is None else "contexts of rows"
        print(f"1,500 periods, 3 models, {kind}: {clock.perf_counter() - begun:.1f} s")
    print()


def fitted(features, target):
    """Train on the first third; return predictions of the rest."""
    from sklearn.ensemble import GradientBoostingRegressor, RandomForestRegressor
    from sklearn.linear_model import RidgeCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    first = len(target) // 3
    made = {
        "ridge": make_pipeline(StandardScaler(), RidgeCV(np.logspace(-3, 3, 13))),
        "forest": RandomForestRegressor(200, min_samples_leaf=3, random_state=0),
        "boosting": GradientBoostingRegressor(random_state=0),
    }
    return first, {
        name: model.fit(features[:first], target[:first]).predict(features[first:])
        for name, model in made.items()
    }


def unchanged(y, models, contexts, time, options, first):
    """Change everything after some times; tell whether choices or outcomes before changed."""
    rng = np.random.default_rng(0)

    def replay(*data):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return rt.compare(data[0], data[1], arm="regression", context=data[2]).backtest(
                time=time, **options
            )

    before, checked = replay(y, models, contexts), 0
    bins = time // options["period"]
    for t in np.linspace(bins.min() + first - 1, bins.max() - 1, 6).astype(int):
        later = bins > t
        mix = rng.permutation(len(y))
        now = replay(
            np.where(later, y[mix] * 1.7, y),
            {name: np.where(later, p[mix] - 0.3, p) for name, p in models.items()},
            np.where(later, 1.0 - contexts, contexts),
        )
        number = t - bins.min()
        for a, b in zip(before.settings, now.settings, strict=True):
            if a.policy != "oracle" and a.period <= number + 1:
                checked += 1
                if (a.rule, a.cases) != (b.rule, b.cases):
                    return f"LEAK: {a.policy} of period {a.period} knows what came after {number}"
        rows = before.period <= number
        for policy in set(before.policies) - {"oracle"}:
            checked += 1
            if not np.array_equal(before.outcomes[policy][rows], now.outcomes[policy][rows]):
                return f"LEAK: outcomes of {policy} know what came after {number}"
    return f"no leak: {checked} choices and series of outcomes are the same, whatever came after"


def real(folder):
    """Print backtests of two real series."""
    for name in ("dee", "treasury"):
        path = folder / f"{name}.csv"
        columns = path.read_text(encoding="utf-8").splitlines()[0].split(",")
        table = np.loadtxt(path, delimiter=",", skiprows=1)
        target = columns.index("target")
        if name == "treasury":
            shuffled = np.corrcoef(table[:-1, target], table[1:, target])[0, 1]
            table = table[np.argsort(table[:, columns.index("demandDeposits")], kind="stable")]
        y = table[:, target]
        order = np.corrcoef(y[:-1], y[1:])[0, 1]
        first, models = fitted(np.delete(table, target, axis=1), y)
        y, time = y[first:], np.arange(first, len(y))
        # Made up: what an under-estimate costs swings, and is the larger the later in the week.
        swing = np.sin(2.0 * np.pi * time / (90 if name == "dee" else 200))
        contexts = np.clip(0.6 + 0.3 * swing + 0.02 * (time % 7 - 3), 0.05, 0.95)
        options = {"period": 7 if name == "dee" else 4, "refit": 4}
        comparison = rt.compare(y, models, arm="regression", context=contexts)
        found = comparison.backtest(time=time, **options)
        note = f", as shipped {shuffled:.2f}" if name == "treasury" else ""
        print(f"### {name}: {len(y)} cases, lag-1 autocorrelation {order:.2f}{note}\n")
        print(f"{found}\n")
        start = int(found.judged[0])
        print(f"{unchanged(y, models, contexts, time, options, start)}\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--replicates", type=int, default=1000)
    parser.add_argument("--data", type=Path)
    asked = parser.parse_args()
    if asked.data is not None:
        real(asked.data)
    speed()
    coverage(asked.replicates)
