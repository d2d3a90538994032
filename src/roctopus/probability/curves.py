"""ROC curves of probabilities that are segments, and the points that suit a slope."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from roctopus.concepts.tradeoff_curve import ROCCurve
from roctopus.core.arrays import Floats
from roctopus.core.chains import ClassScores
from roctopus.core.checks import check_not_negative, check_unit, check_whole
from roctopus.core.errors import InputError, warn
from roctopus.core.hulls import upper_hull
from roctopus.core.smoothing import WindowSums
from roctopus.probability.cases import read_two_classes
from roctopus.probability.smoothed import Kernel, check_kernel, check_width, kernel_classes


@dataclass(frozen=True)
class SlopeOptimum:
    """The best point of an ROC curve for a slope, or the whole segment of equally good ones.

    ``SmoothedROCCurve.optimum`` makes it. Its ends are in order of falling thresholds.

    Parameters
    ----------
    slope : float
        The slope.
    false_positive_rate, true_positive_rate : tuple of two floats
        The rates at both ends, increasing; equal for one point.
    threshold : tuple of two floats
        The thresholds of both ends, the larger one first: rates grow as thresholds fall.

    Examples
    --------
    >>> from roctopus.probability import smoothed_roc_curve
    >>> curve = smoothed_roc_curve([1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.3, 0.2], width=0.0)
    >>> found = curve.optimum(slope=1.0)
    >>> found.threshold, found.true_positive_rate
    ((0.6, 0.6), (1.0, 1.0))
    """

    slope: float
    false_positive_rate: tuple[float, float]
    true_positive_rate: tuple[float, float]
    threshold: tuple[float, float]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class SmoothedROCCurve(ROCCurve):
    """A ROC curve of probabilities that are segments of some width (pROC), or of no width (ROC).

    ``smoothed_roc_curve`` makes it.

    Parameters
    ----------
    x, y : array of shape (vertices,)
        False and true positive rate at each vertex.
    knob : array of shape (vertices,)
        Threshold of each vertex, increasing.
    backend : str or None, default None
        Dataframe library that the data came in.
    width : float
        Width of the segments.
    kernel : {"uniform", "normal", "log-odds"}
        Shape of the segments.
    drawing_error : float, default 0.0
        How far the drawn polygon may be from the curve, in rates; 0 where it is exact.

    Examples
    --------
    >>> from roctopus.probability import smoothed_roc_curve
    >>> curve = smoothed_roc_curve([1, 0, 1, 0], [0.9, 0.6, 0.55, 0.2], width=0.1)
    >>> len(curve), round(curve.area, 6)
    (8, 0.78125)
    """

    width: float
    kernel: Kernel
    drawing_error: float = 0.0

    def optimum(self, slope: float) -> SlopeOptimum:
        """Return the point with the largest TPR − slope·FPR, or the segment of such points.

        Of several separate ones it is that with the largest threshold.

        Parameters
        ----------
        slope : float
            The slope, 0 or more: from costs and prevalence (``roc_slope``), or the tangent of an
            angle.

        Returns
        -------
        SlopeOptimum
            The point or segment. Thresholds of wide segments may be outside [0, 1], where no
            probability can be cut; a warning says so.
        """
        number = check_not_negative(slope, "slope")
        x, y, threshold = self.vertices()
        value = y - number * x
        top = int(np.argmax(value))
        best = value >= value[top] - 1e-12 * (np.abs(y) + number * np.abs(x) + 1e-3)
        # By increasing threshold, so falling rates: of separate optima the one accepting fewest.
        last = int(np.flatnonzero(best)[-1])
        other = np.flatnonzero(~best[:last])
        first = int(other[-1]) + 1 if len(other) else 0
        ends = (float(threshold[last]), float(threshold[first]))
        self._warn_of_thresholds(number, ends)
        return SlopeOptimum(
            number,
            (float(x[last]), float(x[first])),
            (float(y[last]), float(y[first])),
            ends,
        )

    def _warn_of_thresholds(self, slope: float, ends: tuple[float, float]) -> None:
        high, low = ends
        if not math.isfinite(high) or (low >= -1e-12 and high <= 1.0 + 1e-12):
            return
        partly = "partly " if low <= 1.0 and high >= 0.0 else ""
        warn(
            f"The best thresholds for the slope {slope:.4g} ({low:.4g} to {high:.4g}) lie "
            f"{partly}outside [0, 1], because segments of width {self.width:.4g} reach beyond the "
            "probabilities. A threshold above 1 accepts no case, and a threshold below 0 accepts "
            "all cases."
        )

    def hull(self) -> SmoothedROCCurve:
        """Return the convex hull.

        Returns
        -------
        SmoothedROCCurve
            The vertices that are best for some slope.
        """
        x, y, threshold = self.vertices()
        kept = np.sort(upper_hull(x, y))
        kept = np.unique(np.concatenate([[0], kept, [len(x) - 1]]))
        return SmoothedROCCurve(
            x[kept], y[kept], threshold[kept], self.backend,
            width=self.width, kernel=self.kernel, drawing_error=self.drawing_error,
        )  # fmt: skip


def roc_slope(
    *, false_positive_cost: float, false_negative_cost: float, prevalence: float
) -> float:
    """Return the slope of lines of equal cost in ROC space: (1 − π)·C_FP / (π·C_FN).

    Parameters
    ----------
    false_positive_cost : float
        Cost of a false positive: yes was decided where no was right.
    false_negative_cost : float
        Cost of a false negative: no was decided where yes was right.
    prevalence : float
        Share of positives π.

    Returns
    -------
    float
        The slope; an infinite one raises an error.

    Examples
    --------
    >>> from roctopus.probability import roc_slope
    >>> roc_slope(false_positive_cost=1, false_negative_cost=4, prevalence=0.2)
    1.0
    """
    up = check_not_negative(false_positive_cost, "false_positive_cost")
    down = check_not_negative(false_negative_cost, "false_negative_cost")
    share = check_unit(prevalence, "prevalence")
    if share * down == 0.0:
        cause = "there are no positives" if share == 0.0 else "misses cost nothing"
        raise InputError(f"The slope is infinite, because {cause}. It is best to accept no case.")
    slope = (1.0 - share) / share * (up / down)
    if math.isinf(slope):
        raise InputError(
            "The slope is too large for a floating-point number, because false positives cost far "
            "more than false negatives. It is best to accept no case at these costs."
        )
    return slope


def smoothed_roc_curve(
    y_true: Any,
    y_prob: Any,
    *,
    width: float,
    kernel: Kernel = "uniform",
    points: int = 801,
    pos_label: Any = None,
    sample_weight: Any = None,
) -> SmoothedROCCurve:
    """Return the pROC curve: the ROC curve when every probability is a segment of a width.

    With width 0 it is the ROC curve. With ``kernel="log-odds"`` thresholds are probabilities again
    and never leave [0, 1].

    Parameters
    ----------
    y_true : array of shape (n,)
        Two classes.
    y_prob : array of shape (n,)
        Probabilities of the positive class.
    width : float
        The width d ≥ 0; on the log-odds scale for ``kernel="log-odds"``.
    kernel : {"uniform", "normal", "log-odds"}, default "uniform"
        Shape of the segments: uniform of width d; normal of standard deviation d/2; or uniform on
        the log-odds scale, where they never leave [0, 1].
    points : int, default 801
        Number of thresholds that a curve of normal segments is drawn at.
    pos_label : label, optional
        Label of the positive class. Needed for text; by default the larger number, or True.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    SmoothedROCCurve
        The vertices by increasing threshold; ``area`` is ``smoothed_auc`` at this width.

    See Also
    --------
    canonical_width : The width at which the area is pAUC.

    Notes
    -----
    At a threshold t, the rates are the mean parts of the segments of each class above t. For
    uniform segments the curve is a polygon with at most 2n vertices, exact up to the rounding of
    their ends p ± d/2. For normal ones ``drawing_error`` is a bound.

    References
    ----------
    C. Ferri, P. Flach, J. Hernández-Orallo and A. Senad. Modifying ROC curves to incorporate
    predicted probabilities. ROC Analysis in Machine Learning, 2005.

    Examples
    --------
    >>> import roctopus as rt
    >>> curve = rt.smoothed_roc_curve([1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.3, 0.2], width=0.5)
    >>> round(curve.area, 6)
    0.793333
    """
    check_kernel(kernel)
    d = check_width(width)
    cases = read_two_classes(y_true, y_prob, sample_weight, pos_label=pos_label)
    positives, negatives = kernel_classes(cases, kernel)
    backend = cases.sample.backend
    error = 0.0
    ends = np.union1d(negatives.score, positives.score)
    # Segments narrower than the rounding of their middles are points.
    if d == 0.0 or (kernel != "normal" and np.any(ends - 0.5 * d == ends + 0.5 * d)):
        plain = ROCCurve.between(negatives, positives)
        false, true, threshold = plain.vertices()
    elif kernel == "normal":
        check_whole(points, "points", 2)
        threshold, error = _normal_grid(positives, negatives, d, points)
        false, true = (_normal_rates(each, threshold, d) for each in (negatives, positives))
    else:
        threshold = np.union1d(ends - 0.5 * d, ends + 0.5 * d)
        false, true = (_uniform_rates(each, threshold, d) for each in (negatives, positives))
    if kernel == "log-odds":
        with np.errstate(over="ignore"):
            inside = 1.0 / (1.0 + np.exp(-threshold))
        threshold = np.where(np.isinf(threshold), threshold, inside)
    return SmoothedROCCurve(
        false, true, threshold, backend, width=d, kernel=kernel, drawing_error=error
    )


def _uniform_rates(scores: ClassScores, threshold: Floats, width: float) -> Floats:
    """Return the mean part of the segments that lies above each threshold."""
    start = threshold - 0.5 * width
    low = np.searchsorted(scores.score, start, side="right")
    high = np.maximum(np.searchsorted(scores.score, threshold + 0.5 * width, side="left"), low)
    running = np.append(0.0, np.cumsum(scores.mass))
    _, part, _ = WindowSums(scores, width).moments(start, low, high)
    rate = (running[-1] - running[high] + part) / running[-1]
    rate[0], rate[-1] = 1.0, 0.0  # below all segments, above all: so up to rounding, too
    return np.asarray(np.clip(rate, 0.0, 1.0))


def _normal_grid(
    positives: ClassScores, negatives: ClassScores, width: float, points: int
) -> tuple[Floats, float]:
    """Return thresholds to draw at, and how far straight lines between them may be off."""
    deviation = 0.5 * width
    low = min(float(positives.score[0]), float(negatives.score[0])) - 8.0 * deviation
    high = max(float(positives.score[-1]), float(negatives.score[-1])) + 8.0 * deviation
    grid = np.linspace(low, high, points)
    step = (high - low) / (points - 1)
    # |Φ''| ≤ 0.242/σ², and a chord is off by at most h²/8 of it, in each rate.
    return grid, min(1.0, 0.242 / 8.0 * min(step / deviation, 10.0) ** 2)


def _normal_rates(scores: ClassScores, threshold: Floats, width: float) -> Floats:
    from scipy.special import ndtr

    rates = np.empty(len(threshold))
    step = max(1, (1 << 22) // len(scores.score))
    for begin in range(0, len(threshold), step):
        part = threshold[begin : begin + step, None]
        above = ndtr((scores.score - part) / (0.5 * width))
        rates[begin : begin + step] = above @ scores.mass / scores.total
    return rates
