"""A year of weekly checks, simulated: false alarms, and the delay until a real change is told.

    python benchmarks/watching.py [HISTORIES]   (200 by default; about a minute per 100 and row)

Every history decides on old cases and then looks 52 times at new ones through the library itself.
Beside the confidence sequence stand the tests it replaces: one per week at 5 %, and one at a time
fixed in advance, which may be looked at once.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from checks import cutoff, ordinal, probability, regression

import roctopus as rt
from roctopus.monitoring.diagnosis import diagnose, recorded_error
from roctopus.monitoring.watching import WatchState

WEEKS = 52
MONTH = WEEKS / 12


def impact(rng: np.random.Generator, n: int, change: float):
    """Return values and three models; the change is noise."""
    y = rng.lognormal(0.0, 0.6, n)
    return y, {m: y * rng.lognormal(0.0, sd + change, n) for m, sd in (("a", 0.4), ("b", 0.45))}


def settings() -> dict[str, tuple[Any, dict[str, Any], dict[str, Any], Callable[..., Any] | None]]:
    """Return, by name, what is drawn, what compare is told, what is decided for, and contexts."""
    costs = {"under_cost": 4, "over_cost": 1}
    wrong = {"false_positive_cost": 1, "false_negative_cost": 4}

    def shares(rng: np.random.Generator, y: Any) -> Any:
        return rng.beta(4.0, 2.0, len(y))

    def near(rng: np.random.Generator, y: Any) -> Any:
        return y + rng.normal(0.0, 4.0, len(y))

    worth = {"arm": "impact", "utility": rt.value_times_price}
    return {
        "regression, 4 to 1": (regression, {"arm": "regression"}, costs, None),
        "regression, each its own asymmetry": (regression, {"arm": "regression"}, {}, shares),
        "regression, a rule": (regression, {"arm": "regression"}, {"hybrid": True}, shares),
        "cutoff 50": (cutoff, {"arm": "cutoff"}, {"cutoff": 50.0}, None),
        "cutoff, each near its truth": (cutoff, {"arm": "cutoff"}, {}, near),
        "probability, 1 to 4": (probability, {"arm": "probability"}, wrong, None),
        "ordinal, costs 1, 2, 4": (ordinal, {"arm": "ordinal"}, {"costs": [1, 2, 4]}, None),
        "impact, price 1": (impact, worth, {"theta": 1.0}, None),
    }


def history(
    rng: np.random.Generator, setting: Any, old: int, weekly: int, drift: Callable[[int], float]
) -> tuple[int | None, int | None, list[tuple[float, float]], float]:
    """Return the looks at which the value and the knob were first told, and weekly changes."""
    draw, options, aim, contexts = setting

    def compare(n: int, change: float) -> Any:
        y, models = draw(rng, n, change)
        own = {} if contexts is None else {"context": contexts(rng, y)}
        return rt.compare(y, models, **options, **own)

    decision = compare(old, 0.0).decide(**aim)
    state = WatchState.begin(decision)
    weeks = []
    for week in range(WEEKS):
        found, parts = diagnose(compare(weekly, drift(week + 1)), decision)
        state = state.add(found, parts, str(week), weekly)
        weeks.append((parts.change, found.standard_error))
    return state.worse, state.stale, weeks, recorded_error(decision)


def false_alarms(histories: int) -> None:
    """Print how often a year without change raises an alarm."""
    print(f"A year without change: alarms in per cent of {histories} histories\n")
    print("| decided for | old, weekly | value | knob | either | a test at 5 % every week |")
    print("|---|---|---|---|---|---|")
    for name, setting in settings().items():
        for old, weekly in ((1000, 100), (400, 400)):
            rng = np.random.default_rng(0)
            told = np.zeros((histories, 4), dtype=bool)
            for k in range(histories):
                worse, stale, weeks, error = history(rng, setting, old, weekly, lambda week: 0.0)
                naive = any(abs(change) > 1.96 * np.hypot(se, error) for change, se in weeks)
                told[k] = worse is not None, stale is not None, bool(worse or stale), naive
            shares = " | ".join(f"{100 * share:.1f}" for share in told.mean(axis=0))
            print(f"| {name} | {old}, {weekly} | {shares} |", flush=True)


def delays(histories: int) -> None:
    """Print how long a loss that grows by one standard error of a week per month goes unseen."""
    print("\nOne standard error of a week's mean more every month: median weeks until it is told\n")
    print(
        "| old, weekly | the sequence | a test at a fixed time, half the times | told in a year |"
    )
    print("|---|---|---|---|")
    for old, weekly in ((1000, 100), (4000, 100), (400, 400)):
        rng = np.random.default_rng(1)
        # Loss is in proportion to the noise, whose mean absolute value has this coefficient of
        # variation: the change below raises the mean loss by one standard error of a week.
        step = 0.76 / np.sqrt(weekly)

        def noisy(rng: np.random.Generator, n: int, change: float):
            y = rng.normal(0.0, 10.0, n)
            return y, {"a": y + (1.0 + change) * rng.normal(0.0, 5.0, n)}

        setting = (noisy, {"arm": "regression"}, {"asymmetry": 0.5}, None)
        first, tests = [], []
        for _ in range(histories):
            worse, _, weeks, error = history(
                rng, setting, old, weekly, lambda week, step=step: step * week / MONTH
            )
            first.append(np.inf if worse is None else worse)
            change = np.cumsum([each for each, _ in weeks]) / np.arange(1, WEEKS + 1)
            spread = np.sqrt(np.cumsum([se**2 for _, se in weeks])) / np.arange(1, WEEKS + 1)
            tests.append(change > 1.645 * np.hypot(spread, error))
        power = np.mean(tests, axis=0)
        fixed = int(np.argmax(power >= 0.5)) + 1 if power.max() >= 0.5 else np.inf
        share = 100 * np.mean(np.isfinite(first))
        print(f"| {old}, {weekly} | {np.median(first):g} | {fixed:g} | {share:.0f} % |", flush=True)


if __name__ == "__main__":
    warnings.simplefilter("ignore", rt.RoctopusWarning)
    asked = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    delays(asked)
    false_alarms(asked)
