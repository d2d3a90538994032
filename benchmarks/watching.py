"""Checks, simulated: false alarms, what someone who obeys gains, and the delay of alarms.

    python benchmarks/watching.py PART [HISTORIES] [FIRST]

PART is one of single, weekly, dependent, rare, obeying, delays, noticing. Every history goes
through the library: it decides on old cases, and then looks at new ones. Rows of a table are
printed as they are ready; FIRST skips those before it. 400 histories by default.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from checks import cutoff, ordinal, probability, regression

import roctopus as rt
from roctopus.monitoring.looking import measure
from roctopus.monitoring.recorded import recorded_error
from roctopus.monitoring.watching import WatchState

WEEKS, YEARS = 52, 104
MONTH = WEEKS / 12


class Setting(NamedTuple):
    """What is drawn, what compare is told, what is decided for, and contexts of cases."""

    draw: Callable[..., Any]
    options: dict[str, Any]
    aim: dict[str, Any]
    contexts: Callable[..., Any] | None = None

    def compare(self, rng: np.random.Generator, n: int, change: float = 0.0) -> Any:
        """Return new cases."""
        y, models, *about = self.draw(rng, n, change)
        two = self.options["arm"] == "probability" and "labels" not in self.options
        while two and len(np.unique(y)) < 2:
            y, models, *about = self.draw(rng, n, change)
        own = {} if self.contexts is None else {"context": self.contexts(rng, y)}
        return rt.compare(y, models, **self.options, **own, **(about[0] if about else {}))


def impact(rng: np.random.Generator, n: int, change: float):
    """Return values and two models; the change is noise. Few are worth their price of 3."""
    y = rng.lognormal(0.0, 0.6, n)
    return y, {m: y * rng.lognormal(0.0, sd + change, n) for m, sd in (("a", 0.4), ("b", 0.45))}


def five() -> dict[str, Setting]:
    """Return a setting of each arm."""
    wrong = {"false_positive_cost": 1, "false_negative_cost": 4}
    worth = {"arm": "impact", "utility": rt.value_times_price}
    costs = {"under_cost": 4, "over_cost": 1}
    return {
        "regression": Setting(regression, {"arm": "regression"}, costs),
        "cutoff": Setting(cutoff, {"arm": "cutoff"}, {"cutoff": 50.0}),
        "probability": Setting(probability, {"arm": "probability"}, wrong),
        "ordinal": Setting(ordinal, {"arm": "ordinal"}, {"costs": [1, 2, 4]}),
        "impact": Setting(impact, worth, {"theta": 0.8}),
    }


def alarm_in_single(rng: np.random.Generator, setting: Setting, old: int, new: int) -> list[bool]:
    """Return whether value, setting, model and any of them raise an alarm."""
    decision = setting.compare(rng, old).decide(**setting.aim)
    found = setting.compare(rng, new).check(decision)
    told = {each.what: not each.holds for each in found.findings}
    return [*(told.get(what, False) for what in ("value", "knob", "model")), not found.holds]


def history(
    rng: np.random.Generator, setting: Setting, old: int, weekly: int, looks: int = WEEKS
) -> list[bool]:
    """Return whether value, setting, either of them ever raise an alarm though nothing changes.

    And whether a new setting is ever advised, which may be before an alarm.
    """
    decision = setting.compare(rng, old).decide(**setting.aim)
    state, advised = WatchState.begin(decision), False
    for week in range(looks):
        state = state.add(decision, measure(setting.compare(rng, weekly), decision), str(week))
        advised = advised or state.advised(decision) is not None
    told = [state.worse is not None, state.stale is not None]
    return [*told, any(told), advised]


def singles() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Yield rows: one check of new cases, of more than the old ones, too."""
    for name, setting in five().items():
        for old, new in ((60, 1000), (200, 200), (200, 2000), (200, 10_000), (500, 5000)):
            yield (
                f"{name} | {old:,} → {new:,}",
                lambda rng, s=setting, o=old, n=new: alarm_in_single(rng, s, o, n),
            )


def weeklies() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Yield rows: a year of weekly looks."""
    for name, setting in five().items():
        for weekly in (30, 100, 400):
            yield (
                f"{name} | 1,000, then 52 × {weekly}",
                lambda rng, s=setting, w=weekly: history(rng, s, 1000, w),
            )


def persistent(rho: float, told: bool) -> Setting:
    """Return errors that follow each other, over all looks of a history."""
    last = [0.0]

    def draw(rng: np.random.Generator, n: int, change: float):
        noise = rng.normal(0.0, np.sqrt(1.0 - rho**2), n)
        errors = np.empty(n)
        for k in range(n):
            last[0] = errors[k] = rho * last[0] + noise[k]
        y = rng.gamma(2.0, 10.0, n)
        return y, {"a": y + 5.0 * errors}, {"time": np.arange(n)} if told else {}

    return Setting(draw, {"arm": "regression"}, {"under_cost": 4, "over_cost": 1})


DAY = 20
"""So many cases share a shock."""


def shocked_numbers(rng: np.random.Generator, n: int, shock: float, bias: float):
    """Return numbers, and predictions whose errors share a shock within a day."""
    day = np.repeat(np.arange(-(-n // DAY)), DAY)[:n]
    y = 20.0 + 4.0 * rng.normal(size=n)
    errors = bias + shock * rng.normal(size=day[-1] + 1)[day] + rng.normal(size=n)
    return y, {"a": y - errors}, {"clusters": day}


def shocked_odds(rng: np.random.Generator, n: int, shock: float, bias: float):
    """Return labels, and log odds whose errors share a shock within a day."""
    day = np.repeat(np.arange(-(-n // DAY)), DAY)[:n]
    odds = rng.normal(-1.0, 1.5, n)
    y = (rng.random(n) < 1.0 / (1.0 + np.exp(-odds))) * 1.0
    errors = bias + shock * rng.normal(size=day[-1] + 1)[day] + rng.normal(size=n)
    return y, {"a": odds - errors}, {"clusters": day}


def daily(shock: float) -> dict[str, Setting]:
    """Return an arm with a shift and one with a threshold, both with cases in days."""
    costs = {"under_cost": 4, "over_cost": 1}
    wrong = {"false_positive_cost": 1, "false_negative_cost": 4}
    labels = {"arm": "probability", "labels": [0, 1]}
    return {
        "shift": Setting(
            lambda rng, n, change: shocked_numbers(rng, n, shock, change),
            {"arm": "regression"},
            costs,
        ),
        "threshold": Setting(
            lambda rng, n, change: shocked_odds(rng, n, shock, change), labels, wrong
        ),
    }


def noticed(rng: np.random.Generator, setting: Setting, looks: int = YEARS) -> list[float]:
    """Return the look at which a bias of one sd is noticed, and at which a setting is advised."""
    decision = setting.compare(rng, 1000).decide(**setting.aim)
    state, advised = WatchState.begin(decision), np.inf
    for day in range(looks):
        state = state.add(decision, measure(setting.compare(rng, DAY, 1.0), decision), str(day))
        if not np.isfinite(advised) and state.advised(decision) is not None:
            advised = day + 1
        told = min(state.worse or np.inf, state.stale or np.inf)
        if np.isfinite(told) and np.isfinite(advised):
            break
    return [told, advised]


def noticing(histories: int) -> None:
    """Print the median look at which a bias of one sd is noticed, and at which advice is given."""
    for shock in (0.3, 1.0):
        for name, setting in daily(shock).items():
            found = [noticed(np.random.default_rng([5, k]), setting) for k in range(histories)]
            told, advised = np.median(np.array(found), axis=0)
            share = 100 * np.mean(np.isfinite(found), axis=0)[0]
            print(f"| {name}, {shock} | {told:g} | {advised:g} | {share:.0f} % |", flush=True)


def dependents() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Yield rows: looks of one cluster, and autocorrelated errors, with ``time=``."""
    for shock in (0.3, 1.0):
        for name, setting in daily(shock).items():
            yield (
                f"days, shocks of {shock} sd, {name} | 1,000, then {YEARS} × {DAY}",
                lambda rng, s=setting: history(rng, s, 1000, DAY, YEARS),
            )
    for rho in (0.7, 0.8, 0.9):
        for weekly in (100, 400):
            yield (
                f"AR {rho} | 1,000, then 52 × {weekly}",
                lambda rng, r=rho, w=weekly: history(rng, persistent(r, True), 1000, w),
            )


def worth_100(rng: np.random.Generator, n: int, change: float):
    """Return 1 % of cases that are worth 100, the others next to nothing."""
    y = np.where(rng.random(n) < 0.01, 100.0, rng.exponential(0.5, n))
    return y, {"a": y * rng.lognormal(0.0, 0.5, n)}


def few_positives(rng: np.random.Generator, n: int, change: float):
    """Return 2 % positives."""
    p = rng.beta(0.3, 14.7, n)
    odds = np.log(p / (1.0 - p)) + rng.normal(0.0, 0.3, n)
    y = (rng.random(n) < p) * 1.0
    return y, {"a": 1.0 / (1.0 + np.exp(-odds))}


def tiers(rng: np.random.Generator, n: int, change: float):
    """Return prices in tiers: outcomes have few values."""
    y = rng.choice([0.0, 1.0, 10.0, 50.0], n, p=[0.7, 0.2, 0.08, 0.02])
    return y, {"a": y + rng.normal(0.0, 3.0, n)}


def rares() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Yield rows: few cases carry the worth."""
    worth = {"arm": "impact", "utility": rt.value_times_price}
    costs = {"false_positive_cost": 1, "false_negative_cost": 20}
    rows = {
        "1 % worth 100": Setting(worth_100, worth, {"theta": 0.5}),
        "2 % positives": Setting(few_positives, {"arm": "probability"}, costs),
        "tiers": Setting(tiers, worth, {"theta": 0.5}),
    }
    for name, setting in rows.items():
        for weekly in (100, 400):
            yield (
                f"{name} | 1,000, then 52 × {weekly}",
                lambda rng, s=setting, w=weekly: history(rng, s, 1000, w),
            )


def alarms(rows: Iterator[tuple[str, Callable[..., Any]]], histories: int, first: str) -> None:
    """Print how often each row raises an alarm though nothing has changed."""
    begun = not first
    for name, run in rows:
        begun = begun or name.startswith(first)
        if begun:
            told = np.array([run(np.random.default_rng([7, k])) for k in range(histories)])
            each = " | ".join(f"{100 * share:.1f}" for share in told.mean(axis=0))
            print(f"| {name} | {each} |", flush=True)


class World(NamedTuple):
    """Errors of days with shocks that all rows of a day share."""

    shock: float
    bias: Callable[[int], float] = lambda week: 0.0
    spread: Callable[[int], float] = lambda week: 1.0
    rows: int = 30

    def draw(self, rng: np.random.Generator, days: int, week: int = -1) -> Any:
        """Return cases of some days, in the clusters that they come in."""
        day = np.repeat(np.arange(days), self.rows)
        bias, spread = (0.0, 1.0) if week < 0 else (self.bias(week), self.spread(week))
        errors = bias + rng.normal(0.0, self.shock, days)[day]
        errors = errors + spread * rng.normal(size=len(day))
        y = 20.0 + 4.0 * rng.normal(size=len(day))
        return rt.compare(y, {"a": y - errors}, arm="regression", clusters=day), errors

    def loss(self, week: int, shift: float) -> float:
        """Return the expected loss of a shift, exactly: errors are normal."""
        from scipy.special import ndtr

        total = np.hypot(self.spread(week), self.shock)
        z = (shift - self.bias(week)) / total
        density = np.exp(-0.5 * z * z) / np.sqrt(2.0 * np.pi)
        return float(total * (4.0 * (density - z * ndtr(-z)) + z * ndtr(z) + density))

    def best(self, week: int) -> float:
        """Return the best shift of a week."""
        from scipy.special import ndtri

        return self.bias(week) + float(np.hypot(self.spread(week), self.shock) * ndtri(0.8))


def worlds() -> dict[str, World]:
    """Return two years in which nothing, or something changes."""
    found = {}
    for shock in (0.3, 1.0):
        found |= {
            f"nothing changes, shocks of {shock} sd": World(shock),
            f"slow drift, {shock}": World(shock, lambda week: 1.5 * week / YEARS),
            f"sudden shift, {shock}": World(shock, lambda week: 1.0 * (week >= 40)),
            f"season, {shock}": World(shock, lambda week: 0.7 * np.sin(2 * np.pi * week / 52)),
        }
    return found


def obey(rng: np.random.Generator, world: World) -> tuple[float, float, float, int]:
    """Return the losses of two years: of someone who obeys, who ignores, who knows; and moves."""
    comparison, _ = world.draw(rng, 40)
    decision = comparison.decide(under_cost=4, over_cost=1)
    state, used, moves = WatchState.begin(decision), decision, 0
    lost = np.zeros(3)
    for week in range(YEARS):
        shifts = used.knob[0], decision.knob[0], world.best(week)
        lost += [world.loss(week, shift) for shift in shifts]
        look = measure(world.draw(rng, 7, week)[0], used)
        state = state.add(used, look, str(week))
        move = state.advised(used)
        if move is not None:
            used, moves = replace(used, knob=move.setting), moves + 1
    return (*lost.tolist(), moves)


def decay(rng: np.random.Generator, shock: float) -> tuple[float, float, float, int]:
    """Return the same for a model whose noise doubles in two years, and retraining heals it."""
    trained, moves, lost = 0, 0, np.zeros(3)

    def world(since: int) -> World:
        return World(shock, spread=lambda week: 1.0 + (week - since) / YEARS)

    decision = used = world(0).draw(rng, 40)[0].decide(under_cost=4, over_cost=1)
    state = WatchState.begin(used)
    for week in range(YEARS):
        now = world(trained)
        lost += [
            now.loss(week, used.knob[0]),
            world(0).loss(week, decision.knob[0]),
            world(week).loss(week, world(week).best(week)),
        ]
        look = measure(now.draw(rng, 7, week)[0], used)
        state = state.add(used, look, str(week))
        parts = state.diagnosis(look.parts, used)
        move = state.advised(used)
        if state.value.alarm and parts.model.loss >= (parts.knob.loss if move else 0.0):
            trained, moves = week, moves + 1
            used = world(week).draw(rng, 40)[0].decide(under_cost=4, over_cost=1)
            state = WatchState.begin(used)
        elif move is not None:
            used, moves = replace(used, knob=move.setting), moves + 1
    return (*lost.tolist(), moves)


def obeying(histories: int, first: str) -> None:
    """Print what obeying costs or gains, relative to ignoring, and to knowing all."""
    rows: dict[str, Callable[..., Any]] = {
        name: lambda rng, w=world: obey(rng, w) for name, world in worlds().items()
    }
    rows |= {f"a model decays, {s}": lambda rng, s=s: decay(rng, s) for s in (0.3, 1.0)}
    begun = not first
    for name, run in rows.items():
        begun = begun or name.startswith(first)
        if begun:
            found = np.array([run(np.random.default_rng([3, k])) for k in range(histories)])
            rest = 100 * (found[:, 0] / found[:, 1] - 1.0)
            gain = (found[:, 1] - found[:, 0]).mean() / (found[:, 1] - found[:, 2]).mean()
            cells = f"{rest.mean():+.2f} % | {rest.max():+.2f} % | {gain:.2f}"
            print(f"| {name} | {cells} | {found[:, 3].mean():.1f} |", flush=True)


def delays(histories: int) -> None:
    """Print how long a loss that grows by one standard error of a week per month goes unseen."""
    for old, weekly in ((1000, 100), (4000, 100), (400, 400)):
        # Loss is in proportion to the noise, whose mean absolute value has this coefficient of
        # variation: the change below raises the mean loss by one standard error of a week.
        step = 0.76 / np.sqrt(weekly)

        def noisy(rng: np.random.Generator, n: int, change: float):
            y = rng.normal(0.0, 10.0, n)
            return y, {"a": y + (1.0 + change) * rng.normal(0.0, 5.0, n)}

        setting = Setting(noisy, {"arm": "regression"}, {"asymmetry": 0.5})
        first, tests = [], []
        for k in range(histories):
            rng = np.random.default_rng([1, k])
            decision = setting.compare(rng, old).decide(**setting.aim)
            state, weeks = WatchState.begin(decision), []
            for week in range(WEEKS):
                cases = setting.compare(rng, weekly, step * (week + 1) / MONTH)
                look = measure(cases, decision)
                state = state.add(decision, look, str(week))
                weeks.append((look.parts.change, look.value.standard_error))
            first.append(np.inf if state.worse is None else state.worse)
            change = np.cumsum([each for each, _ in weeks]) / np.arange(1, WEEKS + 1)
            spread = np.sqrt(np.cumsum([se**2 for _, se in weeks])) / np.arange(1, WEEKS + 1)
            tests.append(change > 1.645 * np.hypot(spread, recorded_error(decision)))
        power = np.mean(tests, axis=0)
        fixed = int(np.argmax(power >= 0.5)) + 1 if power.max() >= 0.5 else np.inf
        share = 100 * np.mean(np.isfinite(first))
        print(f"| {old}, {weekly} | {np.median(first):g} | {fixed:g} | {share:.0f} % |", flush=True)


def main(part: str = "", histories: str = "400", first: str = "") -> None:
    """Run one part."""
    count = int(histories)
    rows = {"single": singles, "weekly": weeklies, "dependent": dependents, "rare": rares}
    if part in rows:
        alarms(rows[part](), count, first)
    elif part == "obeying":
        obeying(count, first)
    elif part == "delays":
        delays(count)
    elif part == "noticing":
        noticing(count)
    else:
        print(__doc__)


if __name__ == "__main__":
    warnings.simplefilter("ignore", rt.RoctopusWarning)
    main(*sys.argv[1:])
