"""Decisions at a cutoff, judged on other cases than those a model was chosen on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from roctopus.core.arrays import Floats
from roctopus.cutoff.errors import cutoff_losses


@dataclass(frozen=True)
class CutoffTuning:
    """Yes or no at a cutoff, by comparing the prediction with it: no knob, but models differ."""

    cutoff: float
    false_positive_cost: float = 1.0
    false_negative_cost: float = 1.0
    sense: Literal["loss", "gain"] = "loss"

    def learn(self, y_true: Floats, y_pred: Floats) -> Floats:
        """Return the setting of no knob."""
        return np.empty(0)

    def outcomes(self, y_true: Floats, y_pred: Floats, knob: Floats) -> Floats:
        """Return the cost of each decision."""
        return cutoff_losses(
            y_true,
            y_pred,
            cutoff=self.cutoff,
            false_positive_cost=self.false_positive_cost,
            false_negative_cost=self.false_negative_cost,
        )
