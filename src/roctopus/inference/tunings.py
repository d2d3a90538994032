"""What an arm brings so that its settings are judged out of sample: learn, and outcomes."""

from __future__ import annotations

from typing import Any, Literal, Protocol

from roctopus.core.arrays import Floats
from roctopus.core.errors import InputError


class Tuning(Protocol):
    """A setting that is tuned on data; every arm has one, such as ``regression.ShiftTuning``."""

    @property
    def sense(self) -> Literal["loss", "gain"]:
        """Whether less or more is better."""

    def learn(self, y_true: Floats, y_pred: Floats) -> Floats:
        """Return the best setting on some cases."""

    def outcomes(self, y_true: Floats, y_pred: Floats, knob: Floats) -> Floats:
        """Return the loss or gain of each case at a setting."""


def check_tuning(tuning: Any) -> None:
    """Refuse what cannot be tuned."""
    if not (hasattr(tuning, "learn") and hasattr(tuning, "outcomes")):
        raise InputError(
            "'tuning' must say what is tuned, such as ShiftTuning(LinLin(0.8)), got "
            f"{type(tuning).__name__}."
        )
