"""New cases before their truths arrive: whether predictions look as they did, never what they cost.

Predictions may move because the world did, or because the model is asked about other cases. Either
may cost nothing. So a look without truths says what moved, and when to look closer.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from roctopus.arms import find_arm
from roctopus.concepts.decision import Decision
from roctopus.concepts.rendering import Rendered, Sheet, clean, short
from roctopus.concepts.responses import LEVELS
from roctopus.core.arrays import Floats, read_array, to_numpy
from roctopus.core.errors import InputError, arg
from roctopus.core.lazy import upward
from roctopus.monitoring.deployed import recorded_response

RARE = 0.01
"""Predictions have moved if independent cases from before would differ as much so rarely."""


@dataclass(frozen=True, repr=False)
class ArrivedCases(Rendered):
    """How predictions of new cases differ from those that a decision was made on.

    Made by :func:`~roctopus.check_predictions`; print it to read it.

    Parameters
    ----------
    decision : Decision
        What was decided.
    cases : int
        Number of new cases.
    median : float
        Median prediction now.
    median_then : float
        Median prediction when it was decided.
    yes : float or None
        Share of new cases that are answered with yes; None where nothing is answered with yes.
    yes_then : float or None
        Share of cases that were answered with yes when it was decided.
    pvalue : float
        How often independent cases from before would differ as much.

    Examples
    --------
    >>> import numpy as np
    >>> import roctopus as rt
    >>> rng = np.random.default_rng(0)
    >>> y = rng.normal(size=500)
    >>> comparison = rt.compare(y, {"a": y + rng.normal(0.0, 0.3, 500)}, arm="regression")
    >>> decision = comparison.decide(under_cost=4, over_cost=1)
    >>> found = rt.check_predictions(decision, rng.normal(3.0, 1.0, 200))
    >>> found.moved, round(found.median, 1)
    (True, 3.1)
    """

    decision: Decision
    cases: int
    median: float
    median_then: float
    yes: float | None
    yes_then: float | None
    pvalue: float

    @property
    def moved(self) -> bool:
        """Whether predictions differ from those of before by more than chance explains."""
        return self.pvalue < RARE

    @property
    def sentence(self) -> str:
        """What is seen, and what it does not say."""
        head = "Predictions have moved" if self.moved else "Predictions look as they did"
        told = f"the median is {self.median:.4g} on {self.cases:,} new cases"
        told += f" and was {self.median_then:.4g} when you decided"
        if self.yes is not None and self.yes_then is not None:
            told += f"; {100 * self.yes:.1f} % are answered with yes ({100 * self.yes_then:.0f} %"
            told += " when you decided)"
        what = "cost" if self.decision.sense == "loss" else "gain"
        close = (
            f"That says nothing about the {what} yet: check again as soon as true values are known"
            + (", and look where the new cases come from." if self.moved else ".")
        )
        return f"{head}: {told}. {close}"

    def sheet(self) -> Sheet:
        """Return what notebooks and Markdown show.

        Returns
        -------
        Sheet
            The sentence, the table and the notes, as plain text.
        """
        rows = [("median prediction", f"{self.median_then:.4g}", f"{self.median:.4g}")]
        if self.yes is not None and self.yes_then is not None:
            rows.append(("share of yes", f"{self.yes_then:.2f}", f"{self.yes:.3f}"))
        return Sheet(self.sentence, ("", "when you decided", "now"), tuple(rows), ())

    def __str__(self) -> str:
        return self.sentence

    def __repr__(self) -> str:
        what = "moved" if self.moved else "as before"
        return short(
            f"ArrivedCases, predictions {what}: {clean(self.decision.model, 40)}",
            f"  median {self.median:.4g}, was {self.median_then:.4g}; {self.cases:,} new cases",
        )


def check_predictions(
    decision: Decision | str | os.PathLike[str],
    predictions: Any = None,
    *,
    model: Any = None,
    X: Any = None,
) -> ArrivedCases:
    """Compare predictions of new cases, whose true values are not known yet, with earlier ones.

    Parameters
    ----------
    decision : Decision or path
        What was decided, or its file. It recorded deciles of the predictions.
    predictions : array of shape (n,), optional
        Raw predictions of the new cases.
    model : estimator, optional
        Trained or the deployed model, instead of ``predictions``.
    X : array or dataframe of shape (n, features), optional
        Features of the new cases, for ``model``.

    Returns
    -------
    ArrivedCases
        Whether predictions have moved, and how; print it to read it.

    Notes
    -----
    The shares of new predictions below the recorded deciles are compared with the earlier ones
    (Kolmogorov and Smirnov). Rows that depend on each other differ more than this test expects.

    Examples
    --------
    >>> import numpy as np
    >>> import roctopus as rt
    >>> rng = np.random.default_rng(0)
    >>> y = rng.normal(size=500)
    >>> decision = rt.compare(y, {"a": y + rng.normal(0.0, 0.3, 500)}, arm="regression").decide(
    ...     under_cost=4, over_cost=1
    ... )
    >>> rt.check_predictions(decision, rng.normal(3.0, 1.0, 200)).moved
    True
    """
    known = decision if isinstance(decision, Decision) else Decision.from_json(decision)
    if known.is_baseline or len(known.used_models) != 1:
        what = "is a baseline" if known.is_baseline else "uses several models"
        raise InputError(
            f"The decision {what}, but predictions can only be compared if it uses a single model."
        )
    then = np.array(recorded_response(known).quantiles)
    if not len(then):
        raise InputError(
            "The decision does not contain the distribution of its predictions. Make the decision "
            "again with this version of roctopus."
        )
    now = _read(known, predictions, model, X)
    threshold = _threshold(known)
    yes = None if threshold is None else float(np.mean(now >= threshold))
    return ArrivedCases(
        known,
        len(now),
        float(np.median(now)),
        float(then[len(then) // 2]),
        yes,
        None if threshold is None else 1.0 - float(np.interp(threshold, then, LEVELS)),
        _alike(now, then, known.cases),
    )


def refuse_unclear(predictions: Any, model: Any, X: Any) -> None:
    """Raise an error unless there are either predictions, or a model with what it predicts from."""
    if predictions is not None and model is not None:
        raise InputError(
            f"{arg('predictions')} and {arg('model')} cannot be combined. Leave out one of them."
        )
    if model is not None and X is None:
        raise InputError(f"{arg('model')} cannot predict without {arg('X')}. Add {arg('X')}.")
    if X is not None and model is None:
        raise InputError(
            f"{arg('X')} can only be used with {arg('model')}. Add {arg('model')}, or leave out "
            f"{arg('X')}."
        )
    if predictions is None and model is None:
        raise InputError(
            f"The predictions are missing. Use {arg('predictions')}, or {arg('model')} with "
            f"{arg('X')}."
        )


def _read(decision: Decision, predictions: Any, model: Any, X: Any) -> Floats:
    refuse_unclear(predictions, model, X)
    if model is not None:
        predictions = upward("ask_models")(decision, model, X, None)
    if isinstance(predictions, Mapping):
        if decision.model not in predictions:
            raise InputError(
                f"The decision is for model {decision.model!r}, but {arg('predictions')} does not "
                "contain this model. Add its predictions."
            )
        predictions = predictions[decision.model]
    found = to_numpy(read_array(predictions, "predictions"))
    if not len(found):
        raise InputError(f"{arg('predictions')} must contain at least one case, but is empty.")
    return found


def _threshold(decision: Decision) -> float | None:
    """Return the prediction from which on the answer is yes; None where there is no one."""
    arm = find_arm(decision.arm)
    if arm.knob == "threshold" and len(decision.knob) == 1:
        return decision.knob[0]
    least = decision.context.get(arm.context)
    if arm.knob == "margin" and isinstance(least, (int, float)):
        return float(least) - decision.knob[0]
    return None


def _alike(now: Floats, then: Floats, cases: int) -> float:
    """Return how often shares below recorded quantiles would differ as much by chance.

    Of equal predictions, some lie below a quantile and some do not: only what is certain counts.
    """
    from scipy.special import kolmogorov

    ordered, size = np.sort(now), len(now)
    below, upto = (np.searchsorted(ordered, then[1:-1], side=s) / size for s in ("left", "right"))
    farthest = float(np.max(np.maximum(below - LEVELS[1:-1], LEVELS[1:-1] - upto)))
    return float(kolmogorov(max(farthest, 0.0) * np.sqrt(size * cases / (size + cases))))
