"""The threshold of the largest impact, as something to tune and judge."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from roctopus.core.arrays import Floats
from roctopus.impact.curves import impact_curve
from roctopus.impact.utilities import LinearUtility


@dataclass(frozen=True)
class ImpactTuning:
    """The threshold of a model whose accepted cases have their own worth, at a price."""

    utility: Callable[[Any], LinearUtility]
    theta: float
    sense: Literal["loss", "gain"] = "gain"

    def learn(self, y_true: Floats, y_pred: Floats) -> Floats:
        """Return the threshold of the largest impact."""
        return np.array([impact_curve(y_pred, self.utility(y_true)).knob_at(self.theta)])

    def outcomes(self, y_true: Floats, y_pred: Floats, knob: Floats) -> Floats:
        """Return what each accepted case is worth."""
        return np.where(y_pred >= knob[0], self.utility(y_true).at(self.theta), 0.0)
