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

    The cost proportion c = C_FP/(C_FP + C_FN) is the share of a false positive in both costs. Costs
    are on a scale where a false positive costs 2c and a false negative 2(1 − c), so each costs 1 at
    c = ½. By default the threshold is the best one on these data for each c, so that the curve is
    optimistic; the curve's knob says which. A fixed ``threshold`` gives a straight line.

    Parameters
    ----------
    y_true : array of shape (n,)
        Two classes.
    y_score : array of shape (n,)
        Probabilities or any other scores: only their order matters.
    threshold : float, optional
        A threshold that is used for all c; by default the best one for each.
    prevalence : float, optional
        Share of positives in deployment; by default that of the sample. ½ gives Drummond and
        Holte's normalised expected cost.
    pos_label : label, optional
        Label of the positive class. Needed for text; by default the larger number, or True.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    ContextCurve
        The cost at each c: lower is better.

    See Also
    --------
    brier_curve : The cost where probabilities are cut at c itself.
    choose_threshold : One threshold to ship.

    Notes
    -----
    At a threshold the cost is 2c·(1 − π)·FPR + 2(1 − c)·π·FNR with the prevalence π. The best ones
    are the lower envelope of these lines.

    References
    ----------
    C. Drummond and R. C. Holte (2006). Cost curves: an improved method for visualizing classifier
    performance. Machine Learning 65, 95-130.

    Examples
    --------
    >>> from roctopus.probability import cost_curve
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

    Parameters
    ----------
    y_true : array of shape (n,)
        Two classes.
    y_prob : array of shape (n,)
        Probabilities of the positive class.
    prevalence : float, optional
        Share of positives in deployment; by default that of the sample.
    pos_label : label, optional
        Label of the positive class. Needed for text; by default the larger number, or True.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    ContextCurve
        The cost at each c, on the scale of ``cost_curve``: lower is better.

    See Also
    --------
    cost_curve : The cost at the best threshold.
    brier_score : The area of the curve.

    Notes
    -----
    2c·(1 − π)·FPR(c) + 2(1 − c)·π·FNR(c) with the prevalence π. At c = 0 it is the limit from the
    right, at which probabilities of 0 are rejected.

    References
    ----------
    J. Hernández-Orallo, P. Flach and C. Ferri (2011). Brier curves: a new cost-based visualisation
    of classifier performance. ICML 2011, 585-592.

    Examples
    --------
    >>> from roctopus.probability import brier_curve
    >>> curve = brier_curve([1, 0, 1, 0], [0.9, 0.6, 0.55, 0.2])
    >>> round(curve.at(0.5), 4), round(curve.area(), 6)
    (0.25, 0.153125)
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
