"""A knob per segment, drawn towards the common one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from roctopus.concepts.dependence import INDEPENDENT, read_groups
from roctopus.concepts.estimate import Estimate
from roctopus.core.arrays import Floats
from roctopus.core.errors import InputError
from roctopus.core.resampling import Random, read_generator
from roctopus.core.sample import check_row_order, read_sample
from roctopus.inference.engine import Tuning, check_tuning, cross_fit, each_part, mean_estimate
from roctopus.inference.folds import Rows, folds

STRENGTHS = (0.0, 20.0, 100.0, 500.0, np.inf)
SegmentKnobs: TypeAlias = tuple[Floats, dict[int, Floats]]
"""The common setting, and those of segments."""


@dataclass(frozen=True, eq=False)
class SegmentValues:
    """A setting per segment, shrunk towards the common one, and what that gains out of sample.

    Parameters
    ----------
    knobs : dict of segment to array
        Setting to use for each segment.
    pooled : array
        Common setting.
    values : dict of segment to Estimate
        Out-of-sample mean outcome per case of each segment.
    gain : Estimate
        Out-of-sample gain per case over one common setting; positive is better.
    strength : float
        Size at which a segment's setting lies halfway between the common one and its own, in cases.

    Examples
    --------
    >>> import numpy as np
    >>> import roctopus as rt
    >>> from roctopus.inference import segment_values
    >>> from roctopus.regression import ShiftTuning
    >>> rng = np.random.default_rng(0)
    >>> shop = np.repeat(["north", "south"], 300)
    >>> y = rng.normal(size=600) + np.where(shop == "north", 2.0, 0.0)
    >>> found = segment_values(ShiftTuning(rt.LinLin(0.5)), y, np.zeros(600), by=shop)
    >>> {str(name): knob.round(1).tolist() for name, knob in found.knobs.items()}
    {'north': [1.9], 'south': [-0.0]}
    """

    knobs: dict[Any, Floats]
    pooled: Floats
    values: dict[Any, Estimate]
    gain: Estimate
    strength: float


def segment_values(
    tuning: Tuning,
    y_true: Any,
    y_pred: Any,
    *,
    by: Any,
    cv: Any = 5,
    rng: Random = 0,
) -> SegmentValues:
    """Return a setting per segment, shrunk towards the common one, and what that gains.

    How strongly settings are shrunk is tuned on held-out cases, within the training part of each
    fold.

    Parameters
    ----------
    tuning : Tuning
        What is tuned, and for what, such as ``regression.ShiftTuning(LinLin(0.8))``.
    y_true : array of shape (n,)
        True values, one per case.
    y_pred : array of shape (n,)
        Predictions (numbers, scores or probabilities), for cases the models were not trained on.
    by : array of shape (n,)
        Segment of each case, such as its shop.
    cv : int or splitter, default 5
        Number of folds, or any scikit-learn splitter.
    rng : int or Generator, default 0
        Seed or generator of random numbers: the same seed gives the same result.

    Returns
    -------
    SegmentValues
        The settings to use, the value of each segment, and the gain over one common setting.

    Examples
    --------
    >>> import numpy as np
    >>> import roctopus as rt
    >>> from roctopus.inference import segment_values
    >>> from roctopus.regression import ShiftTuning
    >>> rng = np.random.default_rng(0)
    >>> shop = np.repeat(["north", "south"], 300)
    >>> y = rng.normal(size=600) + np.where(shop == "north", 2.0, 0.0)
    >>> found = segment_values(ShiftTuning(rt.LinLin(0.5)), y, np.zeros(600), by=shop)
    >>> found.gain.value > 0.2
    True
    """
    check_tuning(tuning)
    sample = read_sample(y_true, y_pred).to_numpy()
    truth, prediction = sample.y_true, sample.y_pred
    check_row_order(y_true=y_true, by=by)
    codes, labels = read_groups(by, len(truth), "by")

    def learn(rows: Rows) -> SegmentKnobs:
        y, p, mine = truth[rows], prediction[rows], codes[rows]
        return _shrunk(tuning, y, p, mine, _choose_strength(tuning, y, p, mine, rng))

    def outcomes(found: SegmentKnobs, rows: Rows) -> list[Floats]:
        own = _with_knobs(tuning, truth, prediction, codes, found, rows)
        return [own, tuning.outcomes(truth[rows], prediction[rows], found[0])]

    splits = list(folds(len(truth), cv, INDEPENDENT, truth, rng))
    fitted = cross_fit([splits], len(truth), each_part(learn), outcomes)
    fitted.warn_if_partial(len(truth))
    rows, alone = fitted.rows, fitted.rounds[0][0]
    floor = 0.0 if tuning.sense == "loss" else -np.inf
    better, worse = (0, 1) if tuning.sense == "gain" else (1, 0)
    strength = _choose_strength(tuning, truth, prediction, codes, rng)
    pooled, knobs = _shrunk(tuning, truth, prediction, codes, strength)
    return SegmentValues(
        {label: knobs.get(k, pooled) for k, label in enumerate(labels)},
        pooled,
        {
            label: mean_estimate(alone[codes[rows] == k], floor=floor)
            for k, label in enumerate(labels)
            if np.any(codes[rows] == k)
        },
        fitted.mean(better, against=worse),
        strength,
    )


def _shrunk(tuning: Tuning, y: Floats, p: Floats, codes: Rows, strength: float) -> SegmentKnobs:
    pooled = tuning.learn(y, p)
    knobs = {}
    for code in np.unique(codes).tolist():
        mine = codes == code
        weight = 0.0 if np.isinf(strength) else mine.sum() / (mine.sum() + strength)
        if weight == 0.0:
            knobs[code] = pooled
            continue
        try:
            alone = tuning.learn(y[mine], p[mine])
        except InputError:  # a segment on which nothing can be learned
            alone = pooled
        # Accepting all or none is a knob beyond the scores, by no more than needed.
        ends = (float(p.min()), float(np.nextafter(p.max(), np.inf)))
        inside = [np.where(np.isinf(k), np.clip(k, *ends), k) for k in (pooled, alone)]
        knobs[code] = alone if weight == 1.0 else inside[0] + weight * (inside[1] - inside[0])
    return pooled, knobs


def _with_knobs(
    tuning: Tuning, y: Floats, p: Floats, codes: Rows, found: SegmentKnobs, rows: Rows
) -> Floats:
    pooled, knobs = found
    outcome = np.empty(len(rows))
    for code in np.unique(codes[rows]).tolist():
        here = codes[rows] == code
        mine = rows[here]
        outcome[here] = tuning.outcomes(y[mine], p[mine], knobs.get(code, pooled))
    return outcome


def _choose_strength(tuning: Tuning, y: Floats, p: Floats, codes: Rows, rng: Random) -> float:
    sign = 1.0 if tuning.sense == "loss" else -1.0
    rows = np.arange(len(y))
    half = read_generator(rng).permutation(len(y)) % 2 == 0
    totals = []
    for strength in STRENGTHS:
        total = 0.0
        for train, test in ((rows[half], rows[~half]), (rows[~half], rows[half])):
            found = _shrunk(tuning, y[train], p[train], codes[train], 0.5 * strength)
            total += float(np.sum(_with_knobs(tuning, y, p, codes, found, test)))
        totals.append(sign * total)
    least = min(totals)
    equal = [
        s for s, total in zip(STRENGTHS, totals, strict=True) if total <= least + 1e-12 * abs(least)
    ]
    return float(equal[-1])  # where nothing speaks for knobs of their own, one for all
