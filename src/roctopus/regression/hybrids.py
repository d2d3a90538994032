"""Hybrid models: choose one of two shifted models at random for every case."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from roctopus.core.arrays import Floats, read_array, to_numpy
from roctopus.core.checks import check_mapping, check_same_length
from roctopus.core.errors import InputError


@dataclass(frozen=True)
class Hybrid:
    """A coin toss between two shifted models reaches any point between them, in expectation.

    It is not an average of predictions: every prediction is wholly one model's.
    """

    models: tuple[str, str]
    shifts: tuple[float, float]
    weight: float
    """The probability of the second model."""
    over: float
    under: float
    """The expected point in RROC space."""

    def sample(self, predictions: Mapping[str, Any], *, rng: int | np.random.Generator) -> Floats:
        """Draw the hybrid's predictions; the same ``rng`` seed gives the same draw."""
        given = check_mapping(predictions, "predictions", "predictions")
        missing = [model for model in self.models if model not in given]
        if missing:
            raise InputError(f"'predictions' lacks the model {missing[0]!r} of this hybrid.")
        first, second = (
            to_numpy(read_array(given[model], f"predictions[{model!r}]")) + shift
            for model, shift in zip(self.models, self.shifts, strict=True)
        )
        size = check_same_length(**{"the first model": first, "the second model": second})
        use_second = np.random.default_rng(rng).random(size) < self.weight
        return np.where(use_second, second, first)
