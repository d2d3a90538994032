"""Truths as people write them: numbers, words for the two classes, and empty cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import numpy as np

from roctopus.cli.columns import is_number
from roctopus.cli.request import Request
from roctopus.concepts.arm import Arm
from roctopus.core.arrays import Floats
from roctopus.core.checks import name_rows
from roctopus.core.errors import InputError, arg, warn
from roctopus.core.names import flag
from roctopus.engines import Files, absent, is_text, numbers, values

EVENTS = {
    "yes": "no", "y": "n", "true": "false", "t": "f", "ja": "nein nej nee", "j": "n", "si": "no",
    "sí": "no", "sì": "no", "s": "n", "oui": "non", "o": "n", "sim": "não nao", "tak": "nie",
    "wahr": "falsch", "vrai": "faux", "verdadero": "falso", "vero": "falso", "1": "0",
    "positive": "negative", "pos": "neg",
}  # fmt: skip
"""Words that name the event, each with those that name the other class."""

PERCENT = 100.0
MOST_WORDS = 20
"""So many classes may be called by words."""


def with_truths(table: Any, request: Request, truths: list[str], source: Files) -> Any:
    """Leave out cases whose truth is missing, if that was said; otherwise raise an error."""
    missing = np.zeros(table.num_rows, dtype=bool)
    for name in truths:
        missing |= (here := absent(table, name))
        if here.any() and request["missing"] == "refuse":
            raise InputError(
                f"The column {name!r} ({flag('truth')}) has no value in {name_rows(here)}. Fill in "
                f"each missing value, or leave out its case with {arg('missing', 'common')}."
            )
    if not missing.any():
        return table
    if missing.all():
        raise InputError(f"The column {truths[0]!r} ({flag('truth')}) has no values.")
    kept = np.flatnonzero(~missing)
    source.keep(kept)
    left = int(missing.sum())
    has = "has no true value and is" if left == 1 else "have no true value and are"
    warn(f"{left} of {len(missing)} rows {has} left out; {len(kept)} remain.")
    return table.take(kept)


def read_truth(table: Any, name: str, arm: Arm) -> Any:
    """Return truths: numbers, or labels of classes as text."""
    found = values(table, name) if arm.text_truths else None
    if found is None or isinstance(found, np.ndarray):
        try:
            return numbers(table, name)
        except InputError:
            texts = _words(table.column(name))
            if not texts:
                raise
            if not arm.two_classes:
                if len(texts) > MOST_WORDS:  # amounts, written in a way that is not known
                    raise
                _refuse_words(texts, name, arm)
            found = values(table, name)
    return [str(each) for each in found]


def _words(column: Any) -> list[str]:
    """Return truths such as "yes" and "no", which are no mistakes of single rows."""
    if not is_text(column.type):
        return []
    texts = [each for each in column.unique().to_pylist() if each is not None]
    return [] if any(map(is_number, texts)) else texts


def _refuse_words(texts: list[str], name: str, arm: Arm) -> NoReturn:
    """Raise an error for words where numbers are needed."""
    told = ", ".join(map(repr, texts[:3])) + (", …" if len(texts) > 3 else "")
    raise InputError(
        f"The column {name!r} (--truth) contains text ({told}), but the arm {arm.name!r} needs "
        f"numbers. Replace the text with numbers, such as 1 for {texts[0]!r} and 0 for the others."
    )


def with_event(request: Request, truth: Any, arm: Arm) -> Request:
    """Say which of two words is the event, where nobody did and the words tell.

    Of two numbers it is the larger one, which is said where they are codes, such as 1 and 2.
    """
    option = next((o.name for o in arm.spoken if "pos_label" in o.gives), None)
    if option is None or request[option] is not None:
        return request
    if isinstance(truth, np.ndarray):
        if arm.two_classes and arm.own_costs:  # elsewhere they are amounts
            _note_codes(truth)
        return request
    labels = sorted(set(truth))
    event = event_of(labels) if len(labels) == 2 else None
    if event is None:
        return request
    other = next(each for each in labels if each != event)
    warn(
        f"{event!r} is treated as the event that is predicted. If the event is {other!r}, add "
        f"{arg('pos_label', other)}."
    )
    return request.replaced(**{option: event})


def _note_codes(truth: Any) -> None:
    """Say which of two whole numbers was taken for the event, where they do not tell."""
    codes = codes_of(truth)
    if not codes:
        return
    low, high = codes
    warn(
        f"{high} is treated as the event that is predicted. If the event is {low}, add "
        f"{arg('pos_label', low)}."
    )


def codes_of(truth: Any) -> tuple[str, ...]:
    """Return two whole numbers that say which class a case is in; none if they tell the event.

    These are 0 and a larger number, and -1 and 1.
    """
    if truth.dtype.kind not in "iuf" or not len(truth):
        return ()
    low, high = float(np.nanmin(truth)), float(np.nanmax(truth))
    whole = low.is_integer() and high.is_integer() and low < high
    if not whole or low == 0.0 or (low, high) == (-1.0, 1.0):
        return ()
    if not np.all((truth == low) | (truth == high) | np.isnan(truth)):
        return ()
    return f"{low:.0f}", f"{high:.0f}"


def note_percent(predictions: Mapping[str, Floats], arm: Arm) -> None:
    """Say which predictions of two classes look like percent, and are read as scores."""
    if not (arm.two_classes and arm.own_costs):
        return
    found = []
    for name, each in predictions.items():
        there = each[~np.isnan(each)]
        if len(there) and there.min() >= 0.0 and 1.0 < there.max() <= PERCENT:
            found.append(name)
    if not found:
        return
    listed = " and ".join(map(repr, found[:3])) + (" and others" if len(found) > 3 else "")
    warn(
        f"Some predictions of {listed} are larger than 1, so they are treated as scores, not as "
        "probabilities: without tuning, every score above 0 means yes. If they are percentages, "
        "divide them by 100."
    )


def event_of(labels: Sequence[str]) -> str | None:
    """Return which of two words is the event; None if they do not tell."""
    for event, other in (labels, labels[::-1]):
        if other.lower() in EVENTS.get(event.lower(), "").split():
            return event
    return None
