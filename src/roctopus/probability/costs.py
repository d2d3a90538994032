"""Costs of two-class decisions over the cost proportion: cost curves and Brier curves."""

from __future__ import annotations

from typing import Any

import numpy as np

from roctopus.concepts.context_curve import ContextCurve
from roctopus.core.arrays import Floats
from roctopus.core.checks import check_number, check_unit
from roctopus.core.hulls import envelope_function
from roctopus.core.orders import order_of
from roctopus.core.piecewise import Piecewise
from roctopus.probability.cases import TwoClasses, read_scores, read_two_classes

OUTCOME = "mean cost, 2c a false positive and 2(1 − c) a false negative"


def error_rates(cases: TwoClasses) -> tuple[Floats, Floats, Floats]:
    """Return thresholds (all scores and +inf) with the shares falsely accepted and rejected."""
    score, weight = cases.sample.y_pred, cases.sample.weight
    order = order_of(score)
    ordered, positive = score[order], cases.positive[order]
    first = np.append(np.append(True, ordered[1:] != ordered[:-1]), True)
    shares = []
    for mine in (~positive, positive):
        running = np.append(0.0, np.cumsum(mine if weight is None else weight[order] * mine))
        shares.append((running / running[-1])[first])
    return np.append(ordered[first[:-1]], np.inf), 1.0 - shares[0], shares[1]


def _prior(cases: TwoClasses, prevalence: float | None) -> float:
    return cases.prevalence if prevalence is None else check_unit(prevalence, "prevalence")


def cost_curve(
    y_true: Any,
    y_score: Any,
    *,
    threshold: float | None = None,
    prevalence: float | None = None,
    pos_label: Any = None,
    sample_weight: Any = None,
) -> ContextCurve:
    """Return the mean cost over the cost proportion c, at the best threshold or a fixed one.

    c = C_FP/(C_FP + C_FN) is the false positive's part of the costs, which are 2c and 2(1 − c) a
    case, so that they are 1 each at c = ½. By default the threshold is the best one on these data
    for each c (the knob; a cost curve as Drummond and Holte draw it, in-sample and so optimistic);
    a fixed ``threshold`` gives a straight line. Any scores will do.

    ``prevalence`` replaces the sample's share of positives; ½ gives their normalised expected cost.

    Examples
    --------
    >>> curve = cost_curve([1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.3, 0.2])
    >>> round(curve.at(0.4), 4), curve.knob_at(0.4)
    (0.16, 0.6)
    """
    cases = read_scores(y_true, y_score, sample_weight, pos_label=pos_label)
    share = _prior(cases, prevalence)
    cuts, accepted, rejected = error_rates(cases)
    if threshold is not None:
        at = int(np.searchsorted(cuts, check_number(threshold, "threshold")))
        ends = 2.0 * share * rejected[at], 2.0 * (1.0 - share) * accepted[at]
        knob = np.array([float(threshold)])
        line = Piecewise(np.array([0.0, 1.0]), np.array([ends[0]]), np.array([ends[1]]))
        return _curve(line, knob, cases.sample.backend)
    return _curve(*_best(cuts, accepted, rejected, share), cases.sample.backend)


def best_thresholds(cases: TwoClasses, proportions: Floats) -> Floats:
    """Return the threshold of least cost on the cases at each cost proportion."""
    function, knob = _best(*error_rates(cases), cases.prevalence)
    return knob[function.piece_of(proportions)]


def _best(
    cuts: Floats, accepted: Floats, rejected: Floats, share: float
) -> tuple[Piecewise, Floats]:
    """Return the lower envelope of the costs of all thresholds, and the threshold of each piece.

    Cost = 2(1 − c)·π·FNR + 2c·(1 − π)·FPR: a line in c for every threshold.
    """
    start, stop = 2.0 * share * rejected, 2.0 * (1.0 - share) * accepted
    function, best = envelope_function(start - stop, -start, 0.0, 1.0)
    return function.scale(-1.0), cuts[best]


def brier_curve(
    y_true: Any,
    y_prob: Any,
    *,
    prevalence: float | None = None,
    pos_label: Any = None,
    sample_weight: Any = None,
) -> ContextCurve:
    """Return the mean cost over the cost proportion c when probabilities are cut at c itself.

    That is the best threshold for calibrated probabilities, so the distance to ``cost_curve`` shows
    what miscalibration costs at each c. Its area is the Brier score (with the sample's prevalence).
    At c = 0 it is the limit from the right, at which probabilities of 0 are rejected.

    Examples
    --------
    >>> curve = brier_curve([1, 0, 1, 0], [0.9, 0.6, 0.55, 0.2])
    >>> round(curve.area(), 6)
    0.153125
    """
    cases = read_two_classes(y_true, y_prob, sample_weight, pos_label=pos_label)
    share = _prior(cases, prevalence)
    cuts, accepted, rejected = error_rates(cases)
    inner = cuts[(cuts > 0.0) & (cuts < 1.0)]
    knots = np.concatenate([[0.0], inner, [1.0]])
    # Between two probabilities the same cases are accepted: those at or above the upper one.
    at = np.searchsorted(cuts, knots[1:])
    up, down = 2.0 * (1.0 - share) * accepted[at], 2.0 * share * rejected[at]
    start, end = (edge * up + (1.0 - edge) * down for edge in (knots[:-1], knots[1:]))
    return _curve(Piecewise(knots, start, end, "left"), None, cases.sample.backend)


def _curve(function: Piecewise, knob: Floats | None, backend: str | None) -> ContextCurve:
    return ContextCurve(
        function,
        "cost proportion",
        OUTCOME,
        "loss",
        knob,
        "threshold" if knob is not None else None,
        backend=backend,
    )
