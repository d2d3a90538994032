"""The papers' definitions, straight from the page, in O(n^k): the fast code is judged by them.

Each function takes lists (or anything iterable) and weights. Numbers may be floats or Fractions;
with Fractions the answers are exact.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

Number = Any
Numbers = Sequence[Any]


def ones(values: Numbers) -> list[int]:
    return [1] * len(values)


def errors(y_true: Numbers, y_pred: Numbers) -> list[Number]:
    return [p - y for y, p in zip(y_true, y_pred, strict=True)]


# ---------------------------------------------------------------- regression (RROC)


def _weights(y_true: Numbers, sample_weight: Numbers | None) -> Numbers:
    return ones(y_true) if sample_weight is None else sample_weight


def over_estimation(
    y_true: Numbers,
    y_pred: Numbers,
    *,
    shift: Number = 0,
    normalize: bool = False,
    sample_weight: Numbers | None = None,
) -> Number:
    """Definition 3."""
    weight = _weights(y_true, sample_weight)
    shifted = [e + shift for e in errors(y_true, y_pred)]
    total = sum(w * e for w, e in zip(weight, shifted, strict=True) if e > 0)
    return total / sum(weight) if normalize else total


def under_estimation(
    y_true: Numbers,
    y_pred: Numbers,
    *,
    shift: Number = 0,
    normalize: bool = False,
    sample_weight: Numbers | None = None,
) -> Number:
    """Definition 3."""
    weight = _weights(y_true, sample_weight)
    shifted = [e + shift for e in errors(y_true, y_pred)]
    total = sum(w * e for w, e in zip(weight, shifted, strict=True) if e < 0)
    return total / sum(weight) if normalize else total


def distance_to_heaven(y_true: Numbers, y_pred: Numbers, **options: Any) -> float:
    """§3.1, corrected by erratum 7."""
    over = over_estimation(y_true, y_pred, **options)
    under = under_estimation(y_true, y_pred, **options)
    return math.sqrt(over**2 + under**2)


def lin_lin(error: Number, asymmetry: Number) -> Number:
    """Definition 2."""
    return -2 * asymmetry * error if error < 0 else 2 * (1 - asymmetry) * error


def _mean_of(
    loss: Callable[[Number], Number], y_true: Numbers, y_pred: Numbers, weight: Numbers
) -> Number:
    losses = [loss(e) for e in errors(y_true, y_pred)]
    return sum(w * v for w, v in zip(weight, losses, strict=True)) / sum(weight)


def asymmetric_absolute_error(
    y_true: Numbers,
    y_pred: Numbers,
    *,
    asymmetry: Number | None = None,
    under_cost: Number = None,
    over_cost: Number = None,
    sample_weight: Numbers | None = None,
    shift: Number = 0,
) -> Number:
    def loss(error: Number) -> Number:
        if asymmetry is not None:
            return lin_lin(error + shift, asymmetry)
        return under_cost * -(error + shift) if error + shift < 0 else over_cost * (error + shift)

    return _mean_of(loss, y_true, y_pred, _weights(y_true, sample_weight))


def pinball_loss(
    y_true: Numbers, y_pred: Numbers, *, level: Number, sample_weight: Numbers | None = None
) -> Number:
    def loss(error: Number) -> Number:
        return max(level * -error, (1 - level) * error)

    return _mean_of(loss, y_true, y_pred, _weights(y_true, sample_weight))


def asymmetric_squared_error(
    y_true: Numbers,
    y_pred: Numbers,
    *,
    asymmetry: Number | None = None,
    under_cost: Number = None,
    over_cost: Number = None,
    sample_weight: Numbers | None = None,
) -> Number:
    if asymmetry is not None:
        under_cost, over_cost = 2 * asymmetry, 2 * (1 - asymmetry)

    def loss(error: Number) -> Number:
        return under_cost * error**2 if error < 0 else over_cost * error**2

    return _mean_of(loss, y_true, y_pred, _weights(y_true, sample_weight))


def linex_error(
    y_true: Numbers, y_pred: Numbers, *, a: float, sample_weight: Numbers | None = None
) -> float:
    def loss(error: float) -> float:
        return math.exp(a * error) - a * error - 1

    return float(_mean_of(loss, y_true, y_pred, _weights(y_true, sample_weight)))


def quadex_error(
    y_true: Numbers, y_pred: Numbers, *, a: float, d: float, sample_weight: Numbers | None = None
) -> float:
    def loss(error: float) -> float:
        return math.exp(a * error) + d * error**2 - a * error - 1

    return float(_mean_of(loss, y_true, y_pred, _weights(y_true, sample_weight)))


SMOOTH: dict[str, tuple[Callable[..., Number], tuple[str, ...]]] = {
    "QuadQuad": (asymmetric_squared_error, ("under_cost", "over_cost")),
    "LinEx": (linex_error, ("a",)),
    "QuadEx": (quadex_error, ("a", "d")),
}


def optimal_shift_error(
    y_true: Numbers, y_pred: Numbers, *, loss: Any = None, **options: Any
) -> Number:
    """The smallest mean loss over all shifts; between the smallest and largest correction."""
    if loss is None:  # convex with kinks at −e
        shifts = [-e for e in errors(y_true, y_pred)]
        return min(asymmetric_absolute_error(y_true, y_pred, shift=s, **options) for s in shifts)
    function, names = SMOOTH[type(loss).__name__]
    parameters = {name: getattr(loss, name) for name in names} | options

    def at(shift: float) -> float:
        return float(function(y_true, [p + shift for p in y_pred], **parameters))

    return smallest_over_shifts(at, y_true, y_pred, options.get("sample_weight"))


def smallest_over_shifts(
    at: Callable[[float], float], y_true: Numbers, y_pred: Numbers, sample_weight: Numbers | None
) -> float:
    """The smallest value of a convex function of the shift, by thirds."""
    weight = _weights(y_true, sample_weight)
    counted = [-e for e, w in zip(errors(y_true, y_pred), weight, strict=True) if w > 0]
    low, high = min(counted), max(counted)
    for _ in range(200):
        third = (high - low) / 3
        if at(low + third) < at(high - third):
            high -= third
        else:
            low += third
    return at((low + high) / 2)


def rroc_curve(
    y_true: Numbers, y_pred: Numbers, sample_weight: Numbers | None = None
) -> list[tuple[Number, Number, Number]]:
    """Algorithm 1 with the sign of erratum 9: (OVER, UNDER, shift) by increasing shift."""
    weight = _weights(y_true, sample_weight)
    counted = [-e for e, w in zip(errors(y_true, y_pred), weight, strict=True) if w > 0]
    return [
        (
            over_estimation(y_true, y_pred, shift=s, sample_weight=weight),
            under_estimation(y_true, y_pred, shift=s, sample_weight=weight),
            s,
        )
        for s in sorted(set(counted))
    ]


def area_by_trapezia(curve: list[tuple[Number, Number, Number]]) -> Number:
    """Definition 8."""
    return sum(-(u0 + u1) * (o1 - o0) / 2 for (o0, u0, _), (o1, u1, _) in itertools.pairwise(curve))


def rroc_area_over_curve(
    y_true: Numbers,
    y_pred: Numbers,
    *,
    sample_weight: Numbers | None = None,
    normalize: bool = False,
) -> Number:
    """The pair form of erratum 14, with weights."""
    weight = _weights(y_true, sample_weight)
    pairs = list(zip(errors(y_true, y_pred), weight, strict=True))
    total = sum(w * v * (e - f) ** 2 for e, w in pairs for f, v in pairs) / 4
    return total / sum(weight) ** 2 if normalize else total


def asymmetry_cost_area(
    y_true: Numbers, y_pred: Numbers, *, sample_weight: Numbers | None = None
) -> Number:
    """Half of Gini's mean difference over all ordered pairs, a case with itself included."""
    weight = _weights(y_true, sample_weight)
    pairs = list(zip(errors(y_true, y_pred), weight, strict=True))
    return sum(w * v * abs(e - f) for e, w in pairs for f, v in pairs) / (2 * sum(weight) ** 2)


def expected_asymmetric_error(
    y_true: Numbers,
    y_pred: Numbers,
    *,
    distribution: Any,
    sample_weight: Numbers | None = None,
) -> float:
    """E[L*(α)]: a sum over the distribution's points, or quadrature between the kinks of L*."""

    def best(alpha: float) -> float:
        loss = optimal_shift_error(y_true, y_pred, asymmetry=alpha, sample_weight=sample_weight)
        return float(loss)

    if hasattr(distribution, "support"):
        points = zip(distribution.support, distribution.probability, strict=True)
        return float(sum(p * best(alpha) for alpha, p in points))
    weight = _weights(y_true, sample_weight)
    pairs = list(zip(errors(y_true, y_pred), weight, strict=True))
    kinks = {sum(w for e, w in pairs if e >= t) / sum(weight) for t, _ in pairs}
    knots = sorted(kinks | {0.0, distribution.low, distribution.high, 1.0})
    return _mean_of_lines(best, knots, distribution)


def _mean_of_lines(best: Callable[[float], float], knots: Numbers, distribution: Any) -> float:
    """The expected value of a function that is a line between neighbouring knots."""
    total = 0.0
    known = [(x, best(x), float(distribution.cdf(x))) for x in knots]
    for (left, start, below), (right, end, above) in itertools.pairwise(known):
        if right > left:  # E[line; cell] needs P(cell) and E[x; cell] only
            mass = above - below
            # E[x − left; cell] = (right − left)·P(cell) − ∫(F(x) − F(left))dx, by Gauss's rule
            area = _gauss(distribution.cdf, left, right)
            mean = right * above - left * below
            total += start * mass + (end - start) * (mean - area - left * mass) / (right - left)
    return total


NODES, WEIGHTS = np.polynomial.legendre.leggauss(8)


def _gauss(f: Callable[[Any], Any], low: float, high: float) -> float:
    """Exact for polynomials up to degree 15."""
    return float(WEIGHTS @ f(low + (high - low) * (NODES + 1) / 2)) * (high - low) / 2


def removable_error(
    y_true: Numbers, y_pred: Numbers, *, sample_weight: Numbers | None = None
) -> Number:
    """∫(F_e(t) − 1{t ≥ 0})²dt, the CRPS of the error distribution at 0."""
    weight = _weights(y_true, sample_weight)
    pairs = list(zip(errors(y_true, y_pred), weight, strict=True))
    knots = sorted({e for e, _ in pairs} | {0})
    area = 0
    for left, right in itertools.pairwise(knots):
        share = sum(w for e, w in pairs if e <= left) / sum(weight)
        area += (right - left) * (share - (1 if left >= 0 else 0)) ** 2
    return area


# ---------------------------------------------------------------- ranking


def coefficient_of_predictive_ability(
    y_true: Numbers, y_pred: Numbers, *, sample_weight: Numbers | None = None
) -> float:
    """The mean of the AUCs of "y ≥ t" over thresholds t, weighted by their numbers of pairs."""
    weight = _weights(y_true, sample_weight)
    rows = [row for row in zip(y_true, y_pred, weight, strict=True) if row[2] > 0]
    reached = possible = 0.0
    for t in sorted({y for y, _, _ in rows})[1:]:
        for _, p, w in (row for row in rows if row[0] >= t):
            for _, q, v in (row for row in rows if row[0] < t):
                possible += w * v
                reached += w * v * (1.0 if p > q else 0.5 if p == q else 0.0)
    return reached / possible


# ---------------------------------------------------------------- cutoffs (binarised regression)


def cutoff_losses(
    y_true: Numbers,
    y_pred: Numbers,
    cutoff: Number,
    *,
    false_positive_cost: Number = 1,
    false_negative_cost: Number = 1,
) -> list[Number]:
    """Equation 1 with z = 1{value ≥ c}."""
    losses = []
    for y, p in zip(y_true, y_pred, strict=True):
        false_positive, false_negative = p >= cutoff and y < cutoff, p < cutoff and y >= cutoff
        losses.append(false_positive_cost * false_positive + false_negative_cost * false_negative)
    return losses


def cutoff_error(
    y_true: Numbers,
    y_pred: Numbers,
    *,
    cutoff: Number,
    sample_weight: Numbers | None = None,
    **costs: Number,
) -> Number:
    """Definition 2."""
    weight = _weights(y_true, sample_weight)
    losses = cutoff_losses(y_true, y_pred, cutoff, **costs)
    return sum(w * q for w, q in zip(weight, losses, strict=True)) / sum(weight)


def _cutoff_area(
    y_true: Numbers, y_pred: Numbers, low: Number, high: Number, **options: Any
) -> Number:
    """∫Q(c)dc between low and high: Q is constant between neighbouring knots."""
    inner = {k for k in (*y_true, *y_pred) if low < k < high and abs(k) != math.inf}
    knots = sorted(inner | {low, high})
    heights = [cutoff_error(y_true, y_pred, cutoff=right, **options) for right in knots[1:]]
    cells = zip(itertools.pairwise(knots), heights, strict=True)
    return sum((right - left) * height for (left, right), height in cells if height)


def uniform_cutoff_area(y_true: Numbers, y_pred: Numbers, **options: Any) -> Number:
    """The area under the UCE curve."""
    ends = (*y_true, *y_pred)
    return _cutoff_area(y_true, y_pred, min(ends), max(ends), **options)


def clipped_mean_absolute_error(
    y_true: Numbers, y_pred: Numbers, *, low: Number, high: Number, **options: Any
) -> Number:
    """The area between two cutoffs (Theorem 2)."""
    return _cutoff_area(y_true, y_pred, low, high, **options)


def output_cutoff_area(
    y_true: Numbers,
    y_pred: Numbers,
    *,
    low: Number = -math.inf,
    high: Number = math.inf,
    exclude_self: bool = False,
    sample_weight: Numbers | None = None,
    **costs: Number,
) -> Number:
    """The mean of Q(y_j) over the cases of the region; on request over pairs i ≠ j only."""
    weight = _weights(y_true, sample_weight)
    total = mass = 0
    for j, cutoff in enumerate(y_true):
        if weight[j] == 0 or not low <= cutoff <= high:
            continue
        others = [w - (exclude_self and i == j) for i, w in enumerate(weight)]
        losses = cutoff_losses(y_true, y_pred, cutoff, **costs)
        total += weight[j] * sum(w * q for w, q in zip(others, losses, strict=True)) / sum(others)
        mass += weight[j]
    return total / mass


def expected_cutoff_error(
    y_true: Numbers, y_pred: Numbers, *, distribution: Any, normalize: bool = True, **options: Any
) -> Number:
    """Definition 3: a sum over the distribution's points, or over cells on which Q is constant."""
    if type(distribution).__name__ == "Output":
        ends = {n: getattr(distribution, n) for n in ("low", "high")}
        region = {n: end for n, end in ends.items() if end is not None}
        return output_cutoff_area(y_true, y_pred, **region, **options)
    if hasattr(distribution, "probability"):
        points = list(zip(distribution.support, distribution.probability, strict=True))
        width = max(distribution.support) - min(distribution.support)
        mean = sum(p * cutoff_error(y_true, y_pred, cutoff=c, **options) for c, p in points)
    else:
        width = distribution.high - distribution.low if hasattr(distribution, "high") else None
        distribution = distribution.part() if hasattr(distribution, "part") else distribution
        mean = 0
        for left, right in itertools.pairwise(sorted({*y_true, *y_pred})):
            mass = float(distribution.cdf(np.array(right)) - distribution.cdf(np.array(left)))
            mean += mass * cutoff_error(y_true, y_pred, cutoff=right, **options)
    return mean if normalize else width * mean


def cutoff_skill(y_true: Numbers, y_pred: Numbers, *, y_train: Numbers, **options: Any) -> Number:
    if "distribution" in options:
        measure: Callable[..., Number] = expected_cutoff_error
    else:
        measure = output_cutoff_area
    median = [float(np.median(y_train))] * len(y_true)
    return 1 - measure(y_true, y_pred, **options) / measure(y_true, median, **options)


def do_nothing_error(
    y_true: Numbers,
    y_pred: Numbers,
    *,
    low: Number,
    high: Number,
    do_nothing_cost: Number,
    cutoff: Number | None = None,
    false_positive_cost: Number = 1,
    false_negative_cost: Number = 1,
    sample_weight: Numbers | None = None,
) -> Number:
    weight = _weights(y_true, sample_weight)
    total = 0
    for y, p, w in zip(y_true, y_pred, weight, strict=True):
        if p >= high:
            total += w * (false_positive_cost if y < (high if cutoff is None else cutoff) else 0)
        elif p < low:
            total += w * (false_negative_cost if y >= (low if cutoff is None else cutoff) else 0)
        else:
            total += w * do_nothing_cost
    return total / sum(weight)


# ---------------------------------------------------------------- ordered classes


def _of_class(y_true: Numbers, weight: Numbers) -> list[list[int]]:
    counted = [i for i, w in enumerate(weight) if w > 0]
    return [[i for i in counted if y_true[i] == c] for c in sorted({y_true[i] for i in counted})]


def chain_credit(scores: Numbers, ties: str) -> float:
    """1 for increasing scores; a run of t equal ones has 1/t! of it, or nothing."""
    credit, run = 1.0, 1
    for a, b in itertools.pairwise(scores):
        if a > b or (a == b and ties == "strict"):
            return 0.0
        run = run + 1 if a == b else 1
        credit /= run
    return credit


def volume_under_surface(
    y_true: Numbers,
    y_score: Numbers,
    *,
    ties: str = "average",
    sample_weight: Numbers | None = None,
) -> float:
    """Equation 8 over all sequences of one case per class."""
    weight = _weights(y_true, sample_weight)
    reached = possible = 0.0
    for chain in itertools.product(*_of_class(y_true, weight)):
        mass = math.prod(weight[i] for i in chain)
        possible += mass
        reached += mass * chain_credit([y_score[i] for i in chain], ties)
    return reached / possible


def pairwise_ranking_accuracy(
    y_true: Numbers,
    y_score: Numbers,
    *,
    average: str = "pairs",
    ties: str = "average",
    sample_weight: Numbers | None = None,
) -> float:
    """Equations 16, 17 and 18."""
    weight = _weights(y_true, sample_weight)
    groups = _of_class(y_true, weight)

    def compare(low: list[int], high: list[int]) -> tuple[float, float]:
        reached = possible = 0.0
        for i, j in itertools.product(low, high):
            possible += weight[i] * weight[j]
            reached += weight[i] * weight[j] * chain_credit([y_score[i], y_score[j]], ties)
        return reached, possible

    if average == "consecutive":
        cuts = range(1, len(groups))
        sides = [[list(itertools.chain(*half)) for half in (groups[:s], groups[s:])] for s in cuts]
        found = [compare(low, high) for low, high in sides]
    else:
        found = [compare(low, high) for low, high in itertools.combinations(groups, 2)]
    if average == "pairs":
        return sum(reached for reached, _ in found) / sum(possible for _, possible in found)
    return sum(reached / possible for reached, possible in found) / len(found)


# ---------------------------------------------------------------- probabilities


def _pair_mean(
    credit: Callable[[Number, Number], Number],
    y_true: Numbers,
    y_prob: Numbers,
    sample_weight: Numbers | None,
) -> float:
    """The mean of a credit over all pairs of a positive and a negative."""
    weight = _weights(y_true, sample_weight)
    rows = list(zip(y_true, y_prob, weight, strict=True))
    high = max(y for y, _, w in rows if w > 0)
    reached = possible = 0.0
    for y, x, w in rows:
        for z, other, v in rows:
            if w > 0 and v > 0 and y == high and z != high:
                possible += w * v
                reached += w * v * credit(x, other)
    return reached / possible


def roc_auc(y_true: Numbers, y_score: Numbers, *, sample_weight: Numbers | None = None) -> float:
    return _pair_mean(
        lambda x, y: 1.0 if x > y else 0.5 if x == y else 0.0, y_true, y_score, sample_weight
    )


def probabilistic_auc(
    y_true: Numbers, y_prob: Numbers, *, sample_weight: Numbers | None = None
) -> float:
    """½ + ½ mean(x − y), with the ½ of erratum 23."""
    return _pair_mean(lambda x, y: 0.5 + 0.5 * (x - y), y_true, y_prob, sample_weight)


def probabilistic_gini(
    y_true: Numbers, y_prob: Numbers, *, sample_weight: Numbers | None = None
) -> float:
    return 2 * probabilistic_auc(y_true, y_prob, sample_weight=sample_weight) - 1


def smoothed_auc(
    y_true: Numbers, y_prob: Numbers, *, width: Number, sample_weight: Numbers | None = None
) -> float:
    """The mean of g_d over all pairs."""

    def credit(x: Number, y: Number) -> Number:
        if abs(x - y) >= width and x != y:
            return 1.0 if x > y else 0.0
        overlap = (1 - abs(x - y) / width) ** 2 / 2 if width > 0 else 0.5
        return 1 - overlap if x > y else overlap

    return _pair_mean(credit, y_true, y_prob, sample_weight)


def _mean_score(
    loss: Callable[[bool, float], float],
    y_true: Numbers,
    y_prob: Numbers,
    sample_weight: Numbers | None,
) -> float:
    weight = _weights(y_true, sample_weight)
    high = max(y for y, w in zip(y_true, weight, strict=True) if w > 0)
    rows = zip(y_true, y_prob, weight, strict=True)
    return float(sum(w * loss(y == high, p) for y, p, w in rows if w > 0) / sum(weight))


def brier_score(y_true: Numbers, y_prob: Numbers, *, sample_weight: Numbers | None = None) -> float:
    return _mean_score(lambda y, p: (p - y) ** 2, y_true, y_prob, sample_weight)


def log_loss(y_true: Numbers, y_prob: Numbers, *, sample_weight: Numbers | None = None) -> float:
    return _mean_score(lambda y, p: -math.log(p if y else 1 - p), y_true, y_prob, sample_weight)


def _mean_part_above(
    chosen: bool,
    y_true: Numbers,
    y_score: Numbers,
    threshold: float,
    width: float,
    sample_weight: Numbers | None,
) -> float:
    """The mean part of the segments of one class that lies at or above the threshold."""
    weight = _weights(y_true, sample_weight)
    high = max(y for y, w in zip(y_true, weight, strict=True) if w > 0)
    total = mass = 0.0
    for y, s, w in zip(y_true, y_score, weight, strict=True):
        if (y == high) == chosen:
            if width == 0:
                part = float(s >= threshold)
            else:
                part = min(max(s + width / 2 - threshold, 0.0), width) / width
            total, mass = total + w * part, mass + w
    return total / mass


def true_positive_rate(
    y_true: Numbers,
    y_score: Numbers,
    *,
    threshold: float,
    width: float = 0.0,
    sample_weight: Numbers | None = None,
) -> float:
    return _mean_part_above(True, y_true, y_score, threshold, width, sample_weight)


def false_positive_rate(
    y_true: Numbers,
    y_score: Numbers,
    *,
    threshold: float,
    width: float = 0.0,
    sample_weight: Numbers | None = None,
) -> float:
    return _mean_part_above(False, y_true, y_score, threshold, width, sample_weight)


def roc_points(
    y_true: Numbers, y_score: Numbers, sample_weight: Numbers | None
) -> list[tuple[float, float]]:
    """The false and the true positive rate at each threshold, from none accepted to all."""
    weight = _weights(y_true, sample_weight)
    cuts = sorted({s for s, w in zip(y_score, weight, strict=True) if w > 0}, reverse=True)
    points = [(0.0, 0.0)]
    for cut in cuts:
        false, true = (
            _mean_part_above(side, y_true, y_score, cut, 0.0, sample_weight)
            for side in (False, True)
        )
        points.append((false, true))
    return points


def partial_auc(
    y_true: Numbers,
    y_score: Numbers,
    *,
    false_positive_rate: tuple[float, float] | None = None,
    true_positive_rate: tuple[float, float] | None = None,
    standardize: bool = False,
    sample_weight: Numbers | None = None,
) -> float:
    """Trapezia of the ROC curve inside a strip: a vertical one, or a horizontal one on its right.

    On its right means: of the curve of (TPR, 1 − FPR), which is a function of the TPR.
    """
    points = roc_points(y_true, y_score, sample_weight)
    if true_positive_rate is not None:
        points = [(true, 1.0 - false) for false, true in points]
    low, high = false_positive_rate or true_positive_rate or (0.0, 1.0)
    area = 0.0
    for (a, b), (c, d) in itertools.pairwise(points):
        left, right = max(a, low), min(c, high)
        if left < right:
            ends = [b + (d - b) * (x - a) / (c - a) for x in (left, right)]
            area += (right - left) * sum(ends) / 2
    if not standardize:
        return area
    chance = (high - low) * (low + high) / 2
    if true_positive_rate is not None:
        chance = (high - low) - chance
    return 0.5 * (1 + (area - chance) / (high - low - chance))


def sensitivity_at_specificity(
    y_true: Numbers,
    y_score: Numbers,
    *,
    specificity: float,
    sample_weight: Numbers | None = None,
) -> float:
    """The highest point of the ROC polygon at a false positive rate."""
    rate = 1.0 - specificity
    found = 0.0
    for (a, b), (c, d) in itertools.pairwise(roc_points(y_true, y_score, sample_weight)):
        if abs(c - rate) <= 1e-12:
            found = max(found, d)
        elif a <= rate < c:
            found = max(found, b + (d - b) * (rate - a) / (c - a))
    return found


def specificity_at_sensitivity(
    y_true: Numbers,
    y_score: Numbers,
    *,
    sensitivity: float,
    sample_weight: Numbers | None = None,
) -> float:
    """The leftmost point of the ROC polygon at a true positive rate, as a specificity."""
    found = 0.0
    for (a, b), (c, d) in itertools.pairwise(roc_points(y_true, y_score, sample_weight)):
        if abs(b - sensitivity) <= 1e-12:
            found = max(found, 1.0 - a)
        elif b < sensitivity <= d + 1e-12:
            part = min((sensitivity - b) / (d - b), 1.0)
            found = max(found, 1.0 - (a + (c - a) * part))
    return found


def average_precision(
    y_true: Numbers, y_score: Numbers, *, sample_weight: Numbers | None = None
) -> float:
    """The mean over positives of the share of positives among the cases scored at least as high."""
    weight = _weights(y_true, sample_weight)
    rows = [r for r in zip(y_true, y_score, weight, strict=True) if r[2] > 0]
    high = max(y for y, _, _ in rows)
    reached = possible = 0.0
    for y, s, w in rows:
        if y == high:
            true = sum(v for z, x, v in rows if x >= s and z == high)
            reached += w * true / sum(v for _, x, v in rows if x >= s)
            possible += w
    return reached / possible


def calibration_error(
    y_true: Numbers, y_prob: Numbers, *, bins: int = 10, sample_weight: Numbers | None = None
) -> float:
    """Σ w·((ȳ − p̄)² − v): v is the weighted spread of the gap, unbiased if variances are equal.

    A case is in the bin that half of the weight of its probability reaches into.
    """
    weight = _weights(y_true, sample_weight)
    rows = [r for r in zip(y_true, y_prob, weight, strict=True) if r[2] > 0]
    high, total = max(y for y, _, _ in rows), math.fsum(w for _, _, w in rows)
    found: dict[int, list[tuple[float, float]]] = {}
    for y, p, w in rows:
        below = math.fsum(v for _, q, v in rows if q < p)
        same = math.fsum(v for _, q, v in rows if q == p)
        number = min(int(bins * (below + same / 2) / total + 1e-9), bins - 1)
        found.setdefault(number, []).append((w, (y == high) - p))
    value = 0.0
    for cases in found.values():
        mass = math.fsum(w for w, _ in cases)
        gap = math.fsum(w * r for w, r in cases) / mass
        shares = [w / mass for w, _ in cases]
        # The expected sum of squared shares times squared residuals, for residuals of variance 1.
        one = sum(
            s**2 * sum(((i == j) - t) ** 2 for j, t in enumerate(shares))
            for i, s in enumerate(shares)
        )
        if len(cases) > 1:
            spread = sum(s**2 * (r - gap) ** 2 for s, (_, r) in zip(shares, cases, strict=True))
            value += mass * (gap**2 - spread * sum(s**2 for s in shares) / one)
    return value / total


def net_benefit(
    y_true: Numbers,
    y_prob: Numbers,
    *,
    threshold_probability: float,
    prevalence: float | None = None,
    sample_weight: Numbers | None = None,
) -> float:
    """π·TPR − (1 − π)·FPR·t/(1 − t), with the sample's share of positives unless one is given."""
    weight = _weights(y_true, sample_weight)
    high = max(y for y, w in zip(y_true, weight, strict=True) if w > 0)
    mass = sum(w for y, w in zip(y_true, weight, strict=True) if y == high)
    share = mass / sum(weight) if prevalence is None else prevalence
    t = threshold_probability
    true = true_positive_rate(y_true, y_prob, threshold=t, sample_weight=sample_weight)
    false = false_positive_rate(y_true, y_prob, threshold=t, sample_weight=sample_weight)
    return float(share * true - (1 - share) * false * t / (1 - t))


# ---------------------------------------------------------------- impact


def _worths(y_true: Numbers, utility: Any, theta: float) -> list[float]:
    return [float(worth) for worth in utility(y_true).at(theta)]


def impact(
    y_true: Numbers,
    y_score: Numbers,
    *,
    utility: Any,
    theta: float,
    at_least: float = 0.0,
    at_most: float = math.inf,
    normalize: bool = False,
    sample_weight: Numbers | None = None,
) -> float:
    """Equation 1, for every threshold there is."""
    weight = _weights(y_true, sample_weight)
    rows = list(zip(y_score, _worths(y_true, utility, theta), weight, strict=True))
    totals = [
        sum(w * f for s, f, w in rows if s >= t)
        for t in [math.inf, *y_score]
        if at_least - 1e-9 <= sum(w for s, _, w in rows if s >= t) <= at_most + 1e-9
    ]
    return float(max(totals) / (sum(weight) if normalize else 1.0))


def _all_or_none(y_true: Numbers, utility: Any, theta: float, weight: Numbers) -> float:
    worths = _worths(y_true, utility, theta)
    return float(max(0.0, sum(w * f for w, f in zip(weight, worths, strict=True))))


def impact_gain(
    y_true: Numbers,
    y_score: Numbers,
    *,
    utility: Any,
    theta: float,
    normalize: bool = False,
    sample_weight: Numbers | None = None,
) -> float:
    weight = _weights(y_true, sample_weight)
    best = impact(y_true, y_score, utility=utility, theta=theta, sample_weight=sample_weight)
    gain = best - _all_or_none(y_true, utility, theta, weight)
    return float(gain / (sum(weight) if normalize else 1.0))


Line = tuple[float, float]


def _lines(y_true: Numbers, utility: Any) -> list[Line]:
    """What each case is worth, as a line over θ: slope and value at 0."""
    base, moved = (_worths(y_true, utility, theta) for theta in (0.0, 1.0))
    return [(b - a, a) for a, b in zip(base, moved, strict=True)]


def _sum_of_lines(lines: list[Line], weight: Numbers, inside: Iterable[int]) -> Line:
    chosen = list(inside)
    slope, start = (sum(weight[k] * lines[k][part] for k in chosen) for part in (0, 1))
    return float(slope), float(start)


def _crossings(pairs: Iterable[tuple[Line, Line]]) -> set[float]:
    """Every θ at which two lines meet."""
    return {(b2 - b1) / (a1 - a2) for (a1, b1), (a2, b2) in pairs if a1 != a2}


def _kinks_of_impact(
    y_true: Numbers, y_score: Numbers, utility: Any, weight: Numbers
) -> set[float]:
    """Every θ at which two thresholds may be equally good."""
    lines = _lines(y_true, utility)
    sums = [
        _sum_of_lines(lines, weight, (k for k, s in enumerate(y_score) if s >= t))
        for t in [math.inf, *y_score]
    ]
    return _crossings(itertools.combinations(sums, 2))


def _expected_over_theta(
    best: Callable[[float], float], distribution: Any, kinks: set[float]
) -> float:
    """E[f(θ)] of a function that is a line between its kinks."""
    if hasattr(distribution, "probability"):
        points = zip(distribution.support, distribution.probability, strict=True)
        return float(sum(p * best(theta) for theta, p in points))
    low, high = distribution.low, distribution.high
    inner = {t for t in kinks if low < t < high}
    return _mean_of_lines(best, sorted(inner | {low, high}), distribution)


def expected_impact(
    y_true: Numbers,
    y_score: Numbers,
    *,
    utility: Any,
    distribution: Any,
    normalize: bool = False,
    sample_weight: Numbers | None = None,
) -> float:
    weight = _weights(y_true, sample_weight)

    def best(theta: float) -> float:
        return impact(y_true, y_score, utility=utility, theta=theta, sample_weight=sample_weight)

    kinks = _kinks_of_impact(y_true, y_score, utility, weight)
    total = _expected_over_theta(best, distribution, kinks)
    return total / (sum(weight) if normalize else 1.0)


def impact_skill(
    y_true: Numbers,
    y_score: Numbers,
    *,
    utility: Any,
    distribution: Any,
    sample_weight: Numbers | None = None,
) -> float:
    known = {"utility": utility, "distribution": distribution, "sample_weight": sample_weight}
    reached = expected_impact(y_true, y_score, **known)
    oracle, trivial = _oracle_and_trivial(
        distribution, y_true, utility, _weights(y_true, sample_weight)
    )
    return (reached - trivial) / (oracle - trivial)


def _oracle_and_trivial(
    distribution: Any, y_true: Numbers, utility: Any, weight: Numbers
) -> tuple[float, float]:
    nothing = (0.0, 0.0)
    lines = _lines(y_true, utility)
    everyone = _sum_of_lines(lines, weight, range(len(lines)))

    def oracle(theta: float) -> float:
        worths = _worths(y_true, utility, theta)
        return float(sum(w * max(0.0, f) for w, f in zip(weight, worths, strict=True)))

    def trivial(theta: float) -> float:
        return _all_or_none(y_true, utility, theta, weight)

    return (
        _expected_over_theta(oracle, distribution, _crossings((line, nothing) for line in lines)),
        _expected_over_theta(trivial, distribution, _crossings([(everyone, nothing)])),
    )


def digits_lost_by_skill(
    y_true: Numbers,
    y_score: Numbers,
    *,
    utility: Any,
    distribution: Any,
    sample_weight: Numbers | None = None,
) -> float:
    """How many digits cancel where hardly anything can be improved on."""
    weight = _weights(y_true, sample_weight)
    oracle, trivial = _oracle_and_trivial(distribution, y_true, utility, weight)
    possible = oracle - trivial
    return math.inf if possible <= 0.0 else math.log10(abs(oracle) / possible)


# ---------------------------------------------------------------- piecewise functions


def piecewise_at(
    knots: Numbers, start: Numbers, end: Numbers, x: Number, continuity: str = "right"
) -> Number:
    """Evaluate by scanning the pieces; a knot belongs to the piece on its left or right."""
    pieces = list(zip(knots[:-1], knots[1:], start, end, strict=True))
    if continuity == "right":
        pieces.reverse()
    for x0, x1, y0, y1 in pieces:
        if x0 <= x <= x1:
            return y0 + (y1 - y0) * (x - x0) / (x1 - x0)
    raise ValueError(x)
