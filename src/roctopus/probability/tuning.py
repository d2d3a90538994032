"""The threshold, as something to tune on some cases and judge on others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from roctopus.core.arrays import Floats
from roctopus.core.errors import InputError
from roctopus.probability.thresholds import ThresholdRule, choose_threshold


@dataclass(frozen=True)
class ThresholdTuning:
    """The threshold of a model that gives probabilities, for the costs of wrong decisions."""

    false_positive_cost: float
    false_negative_cost: float
    rule: ThresholdRule = "empirical"
    sense: Literal["loss", "gain"] = "loss"

    def learn(self, y_true: Floats, y_pred: Floats) -> Floats:
        """Return the threshold."""
        if float(np.max(y_true)) != 1.0:
            raise InputError("'y_true' must hold labels 0 and 1, of which 1 is the positive one.")
        found = choose_threshold(
            y_true,
            y_pred,
            false_positive_cost=self.false_positive_cost,
            false_negative_cost=self.false_negative_cost,
            rule=self.rule,
        )
        return np.array([found.threshold])

    def outcomes(self, y_true: Floats, y_pred: Floats, knob: Floats) -> Floats:
        """Return the cost of each decision."""
        accepted, positive = y_pred >= knob[0], y_true > 0.0
        return np.where(
            accepted & ~positive,
            self.false_positive_cost,
            np.where(~accepted & positive, self.false_negative_cost, 0.0),
        )
