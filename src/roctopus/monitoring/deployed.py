"""What a deployed model answered, taken back to predictions on which the decision answers so.

A shift is subtracted, which gives the raw predictions. Behind yes and no, and behind grades, there
is no way back to the scores: cases get predictions that lead to the same answer, which is all that
judging the decision needs. No setting can be tuned on them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from roctopus.arms import find_arm
from roctopus.concepts.decision import Decision
from roctopus.concepts.responses import Response
from roctopus.core.arrays import Floats, read_array, to_numpy
from roctopus.core.errors import InputError, arg
from roctopus.core.labels import number_labels, plain_class

WORDS = (("no", "yes"), ("false", "true"))


def decides(decision: Decision) -> bool:
    """Tell whether the deployed model answers with decisions, behind which scores are hidden."""
    return find_arm(decision.arm).knob not in (None, "shift")


def read_answers(decision: Decision, column: Any) -> Floats:
    """Return answers as numbers: what was predicted, 0 for no and 1 for yes, or grades from 0 on.

    They may be the classes that were decided about, numbers from 0 on, or yes and no.
    """
    if not decides(decision):
        return to_numpy(read_array(column, "predictions"))
    numbered = number_labels(column, "predictions")
    values = to_numpy(read_array(numbered.column, "predictions"))
    distinct, rows = np.unique(values, return_inverse=True)
    names = numbered.names
    met = [plain_class(float(v)) if names is None else names[int(v)] for v in distinct]
    ways = list(_ways(decision))
    for way in ways:
        if set(met) <= set(way):
            return np.array([float(way.index(each)) for each in met])[rows]
    strange = next(each for each in met if each not in ways[0])
    raise InputError(
        f"Because of {arg('deployed')}, {arg('predictions')} must contain what the deployed model "
        f"decided (such as {' or '.join(map(repr, ways[0][:6]))}), but contains {strange!r}. If "
        f"these are predictions of the original model, leave out {arg('deployed')}."
    )


def recorded_response(decision: Decision) -> Response:
    """Return how the predictions that were decided on were made."""
    return decision.responses.get(decision.model, Response())


def _ways(decision: Decision) -> Iterator[Sequence[Any]]:
    """Yield the ways in which answers may be written, each from the lowest to the highest."""
    grades = find_arm(decision.arm).knob == "thresholds"
    size = len(decision.knob) + 1 if grades else 2
    classes = recorded_response(decision).classes
    if len(classes) == size:
        yield classes
    yield range(size)
    if not grades:
        for words in WORDS:
            yield words
            yield tuple(each.title() for each in words)
            yield tuple(each.upper() for each in words)


def undo(decision: Decision, knob: Sequence[float], said: Floats) -> Floats:
    """Return predictions that a setting turns into these answers."""
    kind = find_arm(decision.arm).knob
    if kind is None:
        return said
    if kind == "shift":
        return said - knob[0]
    leading = _leading_to_grades(knob) if kind == "thresholds" else _leading_to_no_and_yes(knob)
    if kind == "margin" and np.isinf(knob).any():  # an infinite margin is always yes
        leading = _leading_to_no_and_yes([-knob[0]])
    found = leading[said.astype(np.intp)]
    if np.isnan(found).any():
        never = next(iter(_ways(decision)))[int(said[np.isnan(found)][0])]
        raise InputError(
            f"{arg('predictions')} contains {never!r}, but the model deployed with this decision "
            f"never returns {never!r}. Use the output of that model."
        )
    return found


def _leading_to_no_and_yes(knob: Sequence[float]) -> Floats:
    """Return predictions that are below and above any threshold; NaN for what is never said."""
    if np.isinf(knob).any():
        return np.array([-np.inf, np.nan] if knob[0] > 0.0 else [np.nan, np.inf])
    return np.array([-np.inf, np.inf])


def _leading_to_grades(knob: Sequence[float]) -> Floats:
    """Return a score of each grade: one from its lower threshold on, and below its upper one."""
    edges = np.array([-np.inf, *knob, np.inf])
    below = np.where(np.isfinite(edges[1:]), np.nextafter(edges[1:], -np.inf), 0.0)
    scores = np.where(np.isfinite(edges[:-1]), edges[:-1], below)
    return np.where(edges[:-1] < edges[1:], scores, np.nan)
