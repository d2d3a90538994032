"""Knobs and how they are tuned: learn a setting on some cases, lose by it on others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np

from roctopus.core.arrays import Floats
from roctopus.core.errors import InputError
from roctopus.cutoff.errors import cutoff_losses
from roctopus.impact.curves import impact_curve
from roctopus.impact.utilities import LinearUtility
from roctopus.ordinal.losses import OrdinalLoss, loss_matrix
from roctopus.ordinal.thresholds import grade_scores, ordinal_thresholds
from roctopus.probability.thresholds import ThresholdRule, choose_threshold
from roctopus.regression.losses import Loss
from roctopus.regression.shifts import optimal_shift

__all__ = [
    "CutoffTuning",
    "ImpactTuning",
    "OrdinalTuning",
    "ShiftTuning",
    "ThresholdTuning",
    "Tuning",
]


class Tuning(Protocol):
    """A knob that is tuned on data."""

    sense: Literal["loss", "gain"]

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
