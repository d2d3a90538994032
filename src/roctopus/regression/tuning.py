"""The shift, as something to tune on some cases and judge on others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from roctopus.core.arrays import Floats
from roctopus.regression.losses import Loss
from roctopus.regression.shifts import optimal_shift

__all__ = ["ShiftTuning"]


@dataclass(frozen=True)
class ShiftTuning:
    """The shift of a regression model, for a loss such as ``LinLin(0.8)``."""

    loss: Loss
    sense: Literal["loss", "gain"] = "loss"

    def learn(self, y_true: Floats, y_pred: Floats) -> Floats:
        """Return the best shift."""
        return np.array([optimal_shift(y_true, y_pred, loss=self.loss).chosen])

    def outcomes(self, y_true: Floats, y_pred: Floats, knob: Floats) -> Floats:
        """Return the loss of each shifted prediction."""
        return np.asarray(self.loss.values(y_pred + knob[0] - y_true, np))
