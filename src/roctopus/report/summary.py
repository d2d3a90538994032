"""What a shared page is made of: cells of each model, and a few answers, rounded.

Everything on the page is computed from a summary, so it tells nothing of the rows that the summary
does not tell. ``docs/privacy.md`` says what that is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from roctopus.arms import find_arm
from roctopus.comparison import Comparison
from roctopus.concepts.model_cells import ModelCells
from roctopus.concepts.problem import Predictions, Problem, mean_context
from roctopus.concepts.streams import PartsDone
from roctopus.core.arrays import Floats
from roctopus.core.errors import InputError, arg, warn
from roctopus.inference.aims import Aim, read_distribution
from roctopus.inference.policies import ends_of
from roctopus.report.contexts import STEPS, answered_contexts, first_shown, holding, shown_range
from roctopus.report.honest import Told, answers_at
from roctopus.report.settings import Settings

FEWEST = 6
"""A page needs this many times ``min_cases`` cases."""
SAME = 4.0 * float(np.finfo(np.float64).eps)
"""Predictions that differ by the same number, but for this share of their size, share cells."""


@dataclass(frozen=True, eq=False)
class Summary:
    """All that a shared page knows. No row is in it, and nothing that was not rounded."""

    problem: Problem
    """What was asked and what it costs, on a small sample that stands for the cases."""
    constant_problem: Problem
    """The same on a sample that constant predictions are learned from."""
    aim: Aim
    models: dict[str, ModelCells]
    meant: frozenset[str]
    """The models whose predictions can be used as they are."""
    cases: int
    least: int
    timed: bool
    told: tuple[Told, ...]
    """Answers at a few contexts."""
    asked: Told | None
    """The answer for the range or distribution that was asked for."""

    @property
    def answered(self) -> list[float]:
        """The contexts of the answers."""
        return [each.context for each in self.told]

    def cells_of(self, number: int) -> Any:
        """Return the cells of a model."""
        return list(self.models.values())[number].cells


def summarise(
    comparison: Comparison,
    problem: Problem,
    aim: Aim,
    least: int,
    told: PartsDone,
    given: bool = True,
) -> Summary:
    """Return what a shared page may know of a comparison.

    ``given`` says that somebody asked for the contexts of the aim.
    """
    _refuse_too_few(len(problem), least)
    at_borders = problem.context_kind == "truth" and aim.distribution is None
    wanted = ends_of(aim) if given and at_borders else ()
    models, constant = cells_of_models(problem, comparison.predictions, least, wanted)
    settings = Settings(models, constant, least)
    first = next(iter(models.values()))
    if at_borders:
        problem, aim = _at_borders(comparison, problem, aim, first, least if given else None)
    shell = _on_sample(problem, first)
    asked, aim = aim, _without_rows(shell, aim)
    stored = _stored_contexts(shell, aim, first)
    work = len(problem) * len(models)
    answered = answered_contexts(shell, stored, _first_of(shell, aim, stored), work, exact=False)
    meant = frozenset(settings.meant(problem, comparison.predictions))
    answers = answers_at(comparison, problem, asked, answered, settings, told)
    return Summary(
        shell,
        shell if constant is None else _on_sample(problem, constant),
        aim,
        models,
        meant,
        len(problem),
        least,
        comparison.dependence.times is not None,
        *answers,
    )


def without_copies(comparison: Comparison) -> Comparison:
    """Return the comparison without models that are another one plus a constant.

    That is where such models cannot share cells. Cells of both would tell the cases between them.
    """
    kind = find_arm(comparison.problem.arm).cells
    if kind is None or kind.movable:
        return comparison
    kept: dict[str, Floats] = {}
    for name, prediction in comparison.predictions.items():
        like = next((other for other in kept if _is_moved(kept[other], prediction)), None)
        if like is None:
            kept[name] = prediction
            continue
        warn(
            f"Model {name!r} predicts the same as {like!r} plus a constant. The page leaves out "
            f"{name!r}, since both together could reveal single cases. Use {arg('exact', True)} to "
            "show both."
        )
    return comparison if len(kept) == len(comparison.models) else comparison.of_models([*kept])


def _is_moved(first: Floats, second: Floats) -> bool:
    """Tell whether predictions that vary differ by the same number, which is not 0."""
    if not (np.isfinite(first).all() and np.isfinite(second).all() and np.ptp(second) > 0.0):
        return False
    return _same_but(first, second) and not np.array_equal(first, second)


def _refuse_too_few(cases: int, least: int) -> None:
    """Refuse a page whose cells could not hold ``least`` cases each."""
    if cases < FEWEST * least:
        raise InputError(
            f"A page made of groups of at least {least} cases needs {FEWEST * least} cases or "
            f"more, but there are only {cases}. Use a smaller {arg('min_cases')}, or "
            f"{arg('exact', True)}."
        )


def cells_of_models(
    problem: Problem, predictions: Predictions, least: int, asked: Sequence[float] = ()
) -> tuple[dict[str, ModelCells], ModelCells | None]:
    """Return the cells of each model, and of a constant prediction where that is tuned by a shift.

    Models whose predictions differ by the same number in all cases share cells: two sets of them
    would tell more than each. ``asked`` are the contexts that the page is to answer for.
    """
    kind = find_arm(problem.arm).cells
    if kind is None:
        raise InputError(
            f"A page without single cases cannot be made for the arm {problem.arm!r}. Use "
            f"{arg('exact', True)} for a page with exact values."
        )
    named: dict[str, Floats] = dict(predictions)
    constant = find_arm(problem.arm).knob == "shift"
    if constant:
        named = {"": np.zeros(len(problem)), **named}  # no model has an empty name
    lay = kind.lay(problem, named, least, np.array(asked, dtype=np.float64))
    own: dict[str, Floats] = {}
    found: dict[str, ModelCells] = {}
    for name, prediction in named.items():
        like = next((o for o in own if kind.movable and _same_but(own[o], prediction)), None)
        if like is None:
            own[name] = prediction
            found[name] = kind.fill(problem.of_model(name), prediction, lay(name))
            continue
        found[name] = _moved(found[like], float(prediction[0] - own[like][0]), like == "")
    return {name: found[name] for name in predictions}, found.get("") if constant else None


def _moved(cells: ModelCells, by: float, constant: bool) -> ModelCells:
    """Return the cells of predictions that are larger by a number, which is rounded.

    The number is a model's, and tells no row; but of a model that predicts the same for every case
    it is the prediction of every row, and lies on a border.
    """
    step, cuts = cells.cells.finest, cells.cells.cuts
    if not constant:
        return cells.moved(step * round(by / step), 0.5 * step)
    known = -cuts[::-1]  # the nearest border would tell in which half of a cell it lies
    at = int(np.clip(np.searchsorted(known, by, side="right") - 1, 0, len(known) - 2))
    below = float(known[at])
    return cells.moved(below, max(float(known[at + 1]) - below, abs(by - below)))


def _same_but(first: Floats, second: Floats) -> bool:
    """Tell whether predictions differ by the same number in all cases."""
    size = max(float(np.abs(each).max()) for each in (first, second))
    return bool(np.ptp(second - first) <= SAME * size)


def _on_sample(problem: Problem, cells: ModelCells) -> Problem:
    truth, _, weight = cells.sample()
    return problem.on(truth, weight)


def _without_rows(problem: Problem, aim: Aim) -> Aim:
    """Return the aim with a distribution of truths replaced by that of their cells."""
    if aim.distribution is None:
        return aim
    found = read_distribution(problem, aim.source)
    return replace(
        aim, distribution=found, contexts=np.array([mean_context(found, problem.domain)])
    )


def _stored_contexts(problem: Problem, aim: Aim, cells: ModelCells) -> Floats:
    """Return contexts at which answers are given: where cells are exact, or evenly spread ones."""
    if problem.context_kind == "truth":
        return cells.cells.inner_cuts
    return np.linspace(*shown_range(problem, aim), STEPS)


def _first_of(problem: Problem, aim: Aim, stored: Floats) -> float:
    found = first_shown(aim, holding(aim, float(stored[0]), float(stored[-1])))
    return _nearest(stored, found) if problem.context_kind == "truth" else found


def _at_borders(
    comparison: Comparison, problem: Problem, aim: Aim, cells: ModelCells, least: int | None
) -> tuple[Problem, Aim]:
    """Return what was asked, with cutoffs inside cells moved to borders.

    Saying yes to every case costs what the cases below the cutoff cost: that would count them.
    ``least`` is None if nobody asked for the cutoffs.
    """
    known = cells.cells.inner_cuts
    ends = [float(x) for x in np.unique(ends_of(aim))]
    moved = [_nearest(known, x) for x in ends]
    if moved == ends:
        return problem, aim
    if len(set(moved)) < len(ends):
        raise InputError(
            f"There are too few cases from {ends[0]:g} to {ends[-1]:g}, because the page is made "
            f"of groups of {least} cases or more. Use a wider range, or {arg('exact', True)}."
        )
    if least is not None:
        said = [" to ".join(f"{x:g}" for x in each) for each in (ends, moved)]
        warn(
            f"A page made of groups of {least} cases or more cannot answer for a cutoff of "
            f"{said[0]}, because too few cases are beyond it. It answers for {said[1]}."
        )
    given = {name: x for name, x in aim.given.items() if name not in ("between", problem.context)}
    if aim.ranged:
        return comparison.aim((moved[0], moved[1]), aim.criterion, None, given)
    return comparison.aim(None, None, None, {**given, **problem.context_words(moved[0])})


def _nearest(known: Floats, x: float) -> float:
    return float(known[np.argmin(np.abs(known - x))])
