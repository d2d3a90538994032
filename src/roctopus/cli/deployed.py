"""Columns of predictions, or of what the deployed model answered, from files."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from roctopus.concepts.decision import Decision
from roctopus.core.arrays import Floats
from roctopus.engines import numbers, values
from roctopus.monitoring.deployed import read_answers
from roctopus.monitoring.noticing import refuse_words


def reader(decision: Decision, deployed: bool | None) -> Callable[[Any, str], Floats]:
    """Return what reads a column of predictions from a table."""
    return partial(_predictions, decision, deployed)


def _predictions(decision: Decision, deployed: bool | None, table: Any, name: str) -> Floats:
    """Return a column of predictions, or of answers of the deployed model, as numbers."""
    if name in (decision.model, *decision.used_models):
        column = values(table, name)
        if deployed:
            return read_answers(decision, column)
        refuse_words(decision, column)
    return numbers(table, name)
