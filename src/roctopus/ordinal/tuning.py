"""The thresholds between classes, as something to tune on some cases and judge on others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from roctopus.core.arrays import Floats
from roctopus.core.errors import InputError
from roctopus.ordinal.losses import OrdinalLoss, loss_matrix
from roctopus.ordinal.thresholds import grade_scores, ordinal_thresholds


@dataclass(frozen=True)
class OrdinalTuning:
    """The thresholds between ordered classes 0, 1, 2, …, for a loss and costs per class."""

    costs: Any = None
    loss: OrdinalLoss = "absolute"
    classes: int = 3
    sense: Literal["loss", "gain"] = "loss"

    def learn(self, y_true: Floats, y_pred: Floats) -> Floats:
        """Return the thresholds of least cost."""
        labels = list(range(self.classes))
        return ordinal_thresholds(
            y_true, y_pred, costs=self.costs, loss=self.loss, labels=labels
        ).thresholds

    def outcomes(self, y_true: Floats, y_pred: Floats, knob: Floats) -> Floats:
        """Return the cost of each grade."""
        if not np.isin(y_true, range(self.classes)).all():
            raise InputError(f"'y_true' must hold classes 0 to {self.classes - 1}.")
        matrix = loss_matrix(tuple(range(self.classes)), self.loss, self.costs)
        return np.asarray(matrix[y_true.astype(int), grade_scores(y_pred, knob)])
