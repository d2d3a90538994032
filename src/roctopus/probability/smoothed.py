"""The area under the ROC curve when every probability is a segment of some width."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from roctopus.core.arrays import Floats, as_floats
from roctopus.core.chains import ClassScores
from roctopus.core.checks import check_choice, check_not_negative
from roctopus.core.normal_pairs import mean_normal_order
from roctopus.core.smoothing import SmoothedParts, pair_areas
from roctopus.probability.cases import TwoClasses, read_two_classes

Kernel: TypeAlias = Literal["uniform", "normal", "log-odds"]
CHUNK = 1 << 22
"""Pairs compared at a time by the normal kernel."""


def check_kernel(kernel: Any) -> None:
    """Raise an error for an unknown kernel."""
    check_choice(kernel, "kernel", "uniform", "normal", "log-odds")


@dataclass(frozen=True, eq=False, repr=False)
class SmoothedArea:
    """The smoothed AUC as a function of the width d of the segments: Area(d).

    ``smoothed_area`` makes it. It is continuous, the AUC at d = 0, and tends to ½; in between it
    may rise and fall.

    Parameters
    ----------
    positives, negatives : ClassScores
        Sorted scores of the two classes, on the scale of the kernel.
    kernel : {"uniform", "normal", "log-odds"}
        Shape of the segments.
    probabilistic_auc : float
        The pAUC, which the canonical width makes the area equal to.

    Examples
    --------
    >>> from roctopus.probability import smoothed_area
    >>> area = smoothed_area([1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.3, 0.2])
    >>> area
    SmoothedArea(uniform segments; 2 positives, 3 negatives)
    >>> round(area.largest_difference, 4), round(area.probabilistic_auc, 4)
    (0.7, 0.6583)
    """

    positives: ClassScores
    negatives: ClassScores
    kernel: Kernel
    probabilistic_auc: float

    def parts(self, width: float) -> SmoothedParts:
        """Return the falling and the rising part of the area at a width.

        Parameters
        ----------
        width : float
            Width of the segments, 0 or more.

        Returns
        -------
        SmoothedParts
            The parts of pairs in the right and in the wrong order; their sum is the area.
        """
        if self.kernel == "normal" and width > 0.0:
            return _normal_parts(self.positives, self.negatives, width)
        return pair_areas(self.positives, self.negatives, width)

    def at(self, width: ArrayLike) -> Any:
        """Return the area at a width.

        Parameters
        ----------
        width : float or array
            Width of the segments, 0 or more.

        Returns
        -------
        float or array
            The area at each width.
        """
        widths = as_floats(width)
        values = np.array([self._at(check_width(w)) for w in widths.ravel().tolist()])
        return float(values[0]) if widths.ndim == 0 else values.reshape(widths.shape)

    def _at(self, width: float) -> float:
        many = len(self.positives.score) * len(self.negatives.score) > CHUNK
        if self.kernel == "normal" and width > 0.0 and many:
            deviation = width / math.sqrt(2.0)  # of a pair; each segment has half the width
            return mean_normal_order(self.positives, self.negatives, deviation).value
        return self.parts(width).area

    def __repr__(self) -> str:
        cases = f"{self.positives.cases} positives, {self.negatives.cases} negatives"
        return f"SmoothedArea({self.kernel} segments; {cases})"

    @property
    def auc(self) -> float:
        """The area at width 0."""
        return self.parts(0.0).area

    @property
    def largest_difference(self) -> float:
        """The width from which on all segments overlap."""
        x, y = self.positives.score, self.negatives.score
        return float(max(x[-1] - y[0], y[-1] - x[0], 0.0))


def check_width(width: float) -> float:
    """Return a width, zero or more."""
    return check_not_negative(width, "width")


def _normal_parts(positives: ClassScores, negatives: ClassScores, width: float) -> SmoothedParts:
    """Compare all pairs, some at a time: each segment has standard deviation d/2, a pair d/√2."""
    from scipy.special import ndtr

    falling = rising = 0.0
    step = max(1, CHUNK // len(negatives.score))
    for begin in range(0, len(positives.score), step):
        x = positives.score[begin : begin + step, None]
        mass = positives.mass[begin : begin + step, None] * negatives.mass
        gap = x - negatives.score
        order = mass * ndtr(np.sqrt(2.0) * gap / width)
        right = gap > 0.0
        falling += float(np.sum(order[right]))
        rising += float(np.sum(order[~right]))
    pairs = positives.total * negatives.total
    return SmoothedParts(falling / pairs, rising / pairs)


def _log_odds(scores: Floats, every: Floats) -> Floats:
    """Return log-odds; 0 and 1 are moved inwards, by 1/(2n) or half the way to the next."""
    inner = every[(every > 0.0) & (every < 1.0)]
    near = 0.5 / len(every)
    least = min(near, 0.5 * float(inner.min())) if len(inner) else near
    most = min(near, 0.5 * (1.0 - float(inner.max()))) if len(inner) else near
    inside = np.maximum(scores, max(least, 5e-324))
    rest = np.where(scores == 1.0, most, 1.0 - inside)  # 1 − most may round to 1
    return np.log(np.where(scores == 1.0, 1.0 - most, inside)) - np.log(rest)


def kernel_classes(cases: TwoClasses, kernel: Kernel) -> tuple[ClassScores, ClassScores]:
    """Return the sorted scores of positives and negatives on the scale of the kernel."""
    if kernel != "log-odds":
        return cases.positives, cases.negatives
    positive, negative = (
        ClassScores.of(_log_odds(scores, cases.score), weight)
        for scores, weight in (cases.part(True), cases.part(False))
    )
    return positive, negative


def smoothed_area(
    y_true: Any,
    y_prob: Any,
    *,
    kernel: Kernel = "uniform",
    pos_label: Any = None,
    sample_weight: Any = None,
) -> SmoothedArea:
    """Return Area(d), the smoothed AUC as a function of the width.

    Parameters
    ----------
    y_true : array of shape (n,)
        Two classes.
    y_prob : array of shape (n,)
        Probabilities of the positive class.
    kernel : {"uniform", "normal", "log-odds"}, default "uniform"
        Shape of the segments: uniform of width d; normal of standard deviation d/2; or uniform on
        the log-odds scale, where they never leave [0, 1].
    pos_label : label, optional
        Label of the positive class. Needed for text; by default the larger number, or True.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    SmoothedArea
        The area at any width, with ``at``.

    See Also
    --------
    smoothed_auc : The area at one width.
    canonical_width : The width at which it is pAUC.

    References
    ----------
    C. Ferri, P. Flach, J. Hernández-Orallo and A. Senad. Modifying ROC curves to incorporate
    predicted probabilities. ROC Analysis in Machine Learning, 2005.

    Examples
    --------
    >>> from roctopus.probability import smoothed_area
    >>> area = smoothed_area([1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.3, 0.2])
    >>> round(area.auc, 4), round(area.at(0.5), 4), round(area.at(8.0), 4)
    (0.8333, 0.7933, 0.5382)
    """
    check_kernel(kernel)
    cases = read_two_classes(y_true, y_prob, sample_weight, pos_label=pos_label)
    slope = cases.mean(cases.score, True) - cases.mean(cases.score, False)
    return SmoothedArea(*kernel_classes(cases, kernel), kernel, 0.5 + 0.5 * slope)


def smoothed_auc(
    y_true: Any,
    y_prob: Any,
    *,
    width: float,
    kernel: Kernel = "uniform",
    pos_label: Any = None,
    sample_weight: Any = None,
) -> float:
    """Return Area(d): the AUC when every probability p stands for a segment of width d around p.

    Pairs whose segments overlap are in order with some probability only, so close calls count less.

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
    pos_label : label, optional
        Label of the positive class. Needed for text; by default the larger number, or True.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    float
        The area: the AUC for d = 0, and near ½ for wide segments.

    See Also
    --------
    smoothed_area : The area as a function of the width.
    smoothed_roc_curve : The curve whose area it is.

    Notes
    -----
    Uniform segments take O(n log n). With normal ones many pairs are put into bins, with an error
    proved to be below 1e-12. On the log-odds scale, probabilities of 0 and 1 are moved inwards by
    1/(2n) first, or half the way to the next one if that is less.

    References
    ----------
    C. Ferri, P. Flach, J. Hernández-Orallo and A. Senad. Modifying ROC curves to incorporate
    predicted probabilities. ROC Analysis in Machine Learning, 2005.

    Examples
    --------
    >>> import roctopus as rt
    >>> round(rt.smoothed_auc([1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.3, 0.2], width=1.0), 6)
    0.7275
    """
    number = check_width(width)
    area = smoothed_area(
        y_true, y_prob, kernel=kernel, pos_label=pos_label, sample_weight=sample_weight
    )
    return float(area.at(number))
