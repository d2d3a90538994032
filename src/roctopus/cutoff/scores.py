"""One classifier for all cutoffs: each score is mapped to the cutoff it stands for."""

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

    With such a map, a classifier (say, trained at the median) decides at any cutoff without being
    trained again. It has become a regression model, and all curves and measures of this arm apply.
    ``score_to_cutoff`` makes it.

    Parameters
    ----------
    scores : array of shape (k,)
        Distinct scores, increasing.
    cutoffs : array of shape (k,)
        Cutoff of each score, increasing.

    Examples
    --------
    >>> scores = score_to_cutoff([10, 30, 20, 40], [0.1, 0.6, 0.3, 0.8])
    >>> scores.cutoffs.tolist()
    [10.0, 20.0, 30.0, 40.0]
    """

    scores: Floats
    cutoffs: Floats

    def predict(self, y_score: Any) -> Floats:
        """Return the numbers that scores stand for.

        Between known scores they lie on straight lines; outside they stay level.

        Parameters
        ----------
        y_score : array of shape (n,)
            Scores, one per case.

        Returns
        -------
        array of shape (n,)
            Predicted numbers, in the unit of the true values.
        """
        return np.interp(read_some(y_score, "y_score"), self.scores, self.cutoffs)


def score_to_cutoff(
    y_true: Any,
    y_score: Any,
    *,
    method: Literal["rate", "isotonic"] = "rate",
    sample_weight: Any = None,
) -> ScoreToCutoff:
    """Learn which cutoff a score stands for, on data with known true values.

    Fit it on training or validation data, then compare ``predict(scores)`` with any cutoff.

    Parameters
    ----------
    y_true : array of shape (n,)
        True values, one per case.
    y_score : array of shape (n,)
        Scores, one per case: the higher, the larger the true value is expected to be.
    method : {"rate", "isotonic"}, default "rate"
        "rate" calls as many cases positive at each cutoff as there are, as nearly as ties allow:
        the score at a quantile stands for the true value at the same quantile. "isotonic" is the
        mean true value at each score, made increasing.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    ScoreToCutoff
        The map.

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
    raise InputError(f"'method' must be 'rate' or 'isotonic', but is {method!r}.")
