"""One classifier for all cutoffs: its score mapped to the cutoffs it stands for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from roctopus.core.arrays import Floats
from roctopus.core.checks import read_some
from roctopus.core.errors import InputError
from roctopus.core.sample import read_sample


@dataclass(frozen=True, eq=False)
class ScoreToCutoff:
    """An increasing map from scores to the largest cutoff at which they count as positive.

    A classifier (say, trained at the median) with such a map decides at any cutoff, without being
    trained again: it has become a regression model, and all curves and measures apply.
    """

    scores: Floats
    """Distinct scores, increasing."""
    cutoffs: Floats
    """The cutoff of each, increasing."""

    def predict(self, y_score: Any) -> Floats:
        """Return the predicted numbers: straight lines between known scores, level outside."""
        return np.interp(read_some(y_score, "y_score"), self.scores, self.cutoffs)


def score_to_cutoff(
    y_true: Any,
    y_score: Any,
    *,
    method: Literal["rate", "isotonic"] = "rate",
    sample_weight: Any = None,
) -> ScoreToCutoff:
    """Learn which cutoff a score stands for, on data with known truths.

    ``method="rate"`` calls as many cases positive at each cutoff as there are, as nearly as ties
    allow: the score at a quantile stands for the truth at the same quantile. ``"isotonic"`` is the
    mean truth at each score, made increasing. Fit it on training or validation data, then cut
    ``predict(scores)``.

    Examples
    --------
    >>> scores = score_to_cutoff([10, 30, 20, 40], [0.1, 0.6, 0.3, 0.8])
    >>> scores.predict([0.2, 0.7]).tolist()
    [15.0, 35.0]
    """
    sample = read_sample(y_true, y_score, sample_weight, names=("y_true", "y_score")).to_numpy()
    y, score = sample.y_true, sample.y_pred
    weight = np.ones(len(y)) if sample.weight is None else sample.weight
    distinct, position = np.unique(score, return_inverse=True)
    mass = np.bincount(position, weight)
    if method == "rate":
        middle = np.cumsum(mass) - 0.5 * mass
        order = np.argsort(y)
        reached = np.searchsorted(np.cumsum(weight[order]), middle)
        return ScoreToCutoff(distinct, y[order][np.minimum(reached, len(y) - 1)])
    if method == "isotonic":
        from scipy.optimize import isotonic_regression

        mean = np.bincount(position, weight * y) / mass
        return ScoreToCutoff(distinct, np.asarray(isotonic_regression(mean, weights=mass).x))
    raise InputError(f"'method' must be 'rate' or 'isotonic', got {method!r}.")
