"""Replay policies forward in time: at every step the past, and nothing else, may teach."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from roctopus.comparison.dependent_rows import persistent
from roctopus.comparison.models import ComparedModels
from roctopus.comparison.row_contexts import RowContexts
from roctopus.comparison.rules import Rule
from roctopus.concepts.dependence import Dependence
from roctopus.core.arrays import Floats
from roctopus.core.checks import check_whole
from roctopus.core.errors import InputError, arg
from roctopus.core.progress import Progress
from roctopus.inference.aims import read_aim
from roctopus.inference.folds import Rows
from roctopus.monitoring.backtests import Backtest, Setting
from roctopus.monitoring.periods import Periods, past_rows, read_periods, read_start
from roctopus.monitoring.timelines import Timeline

Found = TypeVar("Found")
Learner: TypeAlias = Callable[[Rows, Iterable[str]], Rule]
START = "'start'"


def backtest(
    comparison: ComparedModels,
    context: dict[str, Any],
    time: Any,
    window: int | None,
    refit: int,
    start: int | None,
    period: Any,
    delay: int,
) -> Backtest:
    """Replay policies forward in time: ``Comparison.backtest`` says how."""
    periods = read_periods(time, comparison.frame, len(comparison.problem), period)
    order = np.argsort(periods.number, kind="stable")
    edges = np.searchsorted(periods.number[order], np.arange(len(periods) + 1))
    refit, delay = check_whole(refit, "refit", 1), check_whole(delay, "delay", 0)
    start = read_start(start, delay, edges)
    if window is not None:
        check_whole(window, "window", 1)
    for name, value in (("window", window), ("refit", refit)):
        if value is not None and value > len(periods):
            raise InputError(
                f"{arg(name)} must not exceed the number of periods ({len(periods)}), but is "
                f"{value}."
            )
    known = np.arange(edges[start])
    cases = _in_order(comparison, context, order, known, periods, start + delay)
    learned, outcomes = _over_time(cases, periods, edges, start + delay, delay, window, refit)
    judged = np.arange(edges[start + delay], edges[-1])
    weight = cases.problem.weight
    return Backtest(
        outcomes,
        order[judged],
        periods.number[order[judged]],
        periods,
        tuple(learned),
        None if weight is None else weight[judged],
        cases.contexts.values[judged],
        cases.problem.context,
        cases.problem.sense,
        cases.problem.knob_name,
        refit,
        len(known),
        comparison.backend,
        _cosines(comparison, periods.number, order[judged]),
    )


def _cosines(comparison: ComparedModels, period: Rows, judged: Rows) -> float | None:
    """Return how many cosines signed errors ask for, over the periods that were judged."""
    times = np.unique(period[judged], return_inverse=True)[1]
    problem = comparison.problem.take(judged)
    mine = {name: each[judged] for name, each in comparison.predictions.items()}
    return persistent(Dependence(times=times), problem, mine).cosines


def _in_order(
    comparison: ComparedModels,
    context: dict[str, Any],
    order: Rows,
    begun: Rows,
    periods: Periods,
    first: int,
) -> Timeline:
    """Bring cases into order of time; what settings depend on comes from the start part."""
    for name in ("between", "criterion", "distribution", "hybrid"):
        if name in context:
            raise InputError(
                f"{arg(name)} cannot be used in a backtest. Use a single "
                f"{comparison.problem.context}. For a separate {comparison.problem.context} in "
                f"each case, pass {arg('context')} to compare."
            )
    problem, own = comparison.problem.take(order), comparison.contexts
    predictions = {name: each[order] for name, each in comparison.predictions.items()}
    if not context and own is None:
        raise InputError(
            f"A backtest needs the {problem.context}. Use {arg(problem.context)} here. For a "
            f"separate {problem.context} in each case, pass {arg('context')} to compare."
        )
    known = _taught(problem.take(begun).settled, first, periods, len(begun), START)
    aim = None
    if context:
        known, aim = read_aim(known, given=context)
        if aim.ranged:
            raise InputError(
                f"A backtest needs a single {problem.context}, but {aim.text} is a range. For a "
                f"separate {problem.context} in each case, pass {arg('context')} to compare."
            )
        own = RowContexts(np.full(len(order), aim.contexts[0]))
    else:
        assert own is not None
        own = own.take(order)
    whole = known.on(problem.truth(), problem.weight)
    return Timeline(whole, predictions, own, aim, begun)


def _taught(
    learn: Callable[[], Found], before: int, periods: Periods, cases: int, longer: str
) -> Found:
    """Learn, or raise an error that names the period before which nothing can be learned."""
    label = periods.label(before)
    if not cases:
        raise InputError(
            f"There are no cases to learn from before period {label}. Use a longer {longer}, or "
            "another 'period'."
        )
    try:
        return learn()
    except InputError as refusal:
        raise InputError(
            f"The {cases} case{'' if cases == 1 else 's'} before period {label} cannot be used for "
            f"tuning: {refusal.marked} Use a longer {longer}."
        ) from None


def _over_time(
    cases: Timeline,
    periods: Periods,
    edges: NDArray[np.intp],
    first: int,
    delay: int,
    window: int | None,
    refit: int,
) -> tuple[list[Setting], dict[str, Floats]]:
    """Learn and judge, period by period; return what was used from when on, and outcomes."""
    end, names, size = len(edges) - 1, cases.names, len(cases.begun)
    judged = np.arange(edges[first], edges[end])
    tunes, follows = cases.problem.knob_name is not None, cases.aim is None

    def teach(learner: Learner, rows: Rows, models: Iterable[str], before: int) -> Rule:
        longer = START if window is None or rows is cases.begun else "'window'"
        return _taught(partial(learner, rows, models), before, periods, len(rows), longer)

    plain = cases.plainest()
    frozen = teach(cases.hold, cases.begun, names, first)
    known: dict[str, Rule] = {"untuned": [(-np.inf, np.inf, plain, ())], "frozen": frozen}
    if follows and tunes:
        known["following"] = teach(cases.follow, cases.begun, (frozen[0][2],), first)
    if follows and len(names) > 1:
        known["hybrid"] = teach(cases.follow, cases.begun, names, first)
    settings = {name: [Setting(name, first, size, tuple(rule))] for name, rule in known.items()}
    outcomes = {
        name: cases.untuned(plain, judged) if name == "untuned" else cases.judge(rule, judged)
        for name, rule in known.items()
    }
    anew: dict[str, Learner] = {"retuned": cases.hold}
    if follows and (tunes or len(names) > 1):
        anew["retuned hybrid"] = cases.follow
    for name in (*anew, "oracle"):
        settings[name], outcomes[name] = [], np.empty(len(judged))
    bar = Progress("periods", end - first, True)
    for now in range(first, end, refit):
        rows = np.arange(edges[now], edges[min(now + refit, end)])
        bar.show(now - first)
        if not len(rows):
            continue
        past = past_rows(edges, now, delay, window)
        found = {name: teach(learner, past, names, now) for name, learner in anew.items()}
        found["oracle"] = cases.look_back(rows, len(frozen[0][3]))
        for name, rule in found.items():
            taught = len(rows) if name == "oracle" else len(past)
            settings[name].append(Setting(name, now, taught, tuple(rule)))
            outcomes[name][rows - judged[0]] = cases.judge(rule, rows)
    bar.show(end - first)
    return [each for used in settings.values() for each in used], outcomes
