"""Calibration error: how far shares of positives are from probabilities, beyond chance."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roctopus.concepts.registry import Influence, metric
from roctopus.concepts.squares import Squares
from roctopus.core.arrays import Floats
from roctopus.probability.bins import ALONE, Bins
from roctopus.probability.cases import TwoClasses, read_two_classes


@dataclass(frozen=True, eq=False)
class _Gaps:
    """The gap d between share of positives and mean probability in each bin, and its variance.

    With weights w and residuals e = r − d, the variance of d is estimated by A / D, where A = Σw²e²
    and D = W² − 2W·Σw³/Σw² + Σw². That is unbiased for equal variances, and s²/n without weights.
    """

    bins: Bins
    residual: Floats
    """Outcome less probability of each case."""

    @staticmethod
    def of(cases: TwoClasses, bins: Any) -> _Gaps:
        """Measure the gaps."""
        return _Gaps(Bins.of(cases, bins), cases.positive - cases.score)

    @cached_property
    def gap(self) -> Floats:
        """The gap of each bin."""
        return self.bins.mean(self.residual)

    @cached_property
    def _powers(self) -> tuple[Floats, Floats]:
        """The sums of squared and of cubed weights in each bin."""
        weight = self.bins.weight
        return self.bins.total(weight**2), self.bins.total(weight**3)

    @cached_property
    def _divisor(self) -> Floats:
        """The divisor D; NaN for bins of one case."""
        (squares, cubes), mass = self._powers, self.bins.mass
        found = mass**2 - 2.0 * mass * cubes / squares + squares
        return np.where(found > ALONE * mass**2, found, np.nan)

    @cached_property
    def counts(self) -> NDArray[np.bool_]:
        """Whether a bin has several cases; one alone shows no noise, and so no error."""
        return ~np.isnan(self._divisor)

    @cached_property
    def _spread(self) -> Floats:
        """The sum A of each bin."""
        bins = self.bins
        return bins.total((bins.weight * (self.residual - self.gap[bins.of_case])) ** 2)

    @cached_property
    def noise(self) -> Floats:
        """The variance of each gap; 0 for bins of one case."""
        return np.where(self.counts, self._spread / self._divisor, 0.0)

    def mean(self, values: Floats) -> float:
        """Return the mean over the bins that count, by weight; other bins count as 0."""
        mass = self.bins.mass
        return float(np.sum(np.where(self.counts, mass * values, 0.0)) / np.sum(mass))

    @property
    def error(self) -> float:
        """The mean squared gap, without noise."""
        return self.mean(self.gap**2 - self.noise)

    def influence(self) -> Influence:
        """Return the derivative of the error in the weight of each case."""
        bins, at, weight = self.bins, self.bins.of_case, self.bins.weight
        squares, cubes = (each[at] for each in self._powers)
        gap, mass, divisor = (each[at] for each in (self.gap, bins.mass, self._divisor))
        rest = self.residual - gap
        pull = bins.total(weight**2 * (self.residual - self.gap[at]))[at]
        spread = 2.0 * weight * rest**2 - 2.0 * pull * rest / mass
        wider = 2.0 * (mass + weight - cubes / squares)
        wider -= 2.0 * mass * weight * (3.0 * weight - 2.0 * cubes / squares) / squares
        noise = self._spread[at] * (1.0 - mass * wider / divisor) + mass * spread
        noise = noise / divisor
        own = np.where(self.counts[at], 2.0 * gap * self.residual - gap**2 - noise, 0.0)
        found = Influence.of(bins.cases.sample, own - self.error)
        return found._replace(squares=self._squares())

    def _squares(self) -> Squares:
        """Return the gaps, scaled by the share of their bin, as means of all cases."""
        bins, at = self.bins, self.bins.of_case
        share = bins.mass / np.sum(bins.mass)
        values = np.where(self.counts[at], (self.residual - self.gap[at]) / np.sqrt(share[at]), 0.0)
        sample = bins.cases.sample
        group = sample.per_row(at).astype(np.intp, copy=False)
        return Squares(self.mean(self.noise), sample.per_row(values), group)


@metric(
    arm="probability",
    read=read_two_classes,
    influence=lambda cases, bins: _Gaps.of(cases, bins).influence(),
)
def calibration_error(
    y_true: Any,
    y_prob: Any,
    *,
    bins: int = 10,
    pos_label: Any = None,
    sample_weight: Any = None,
) -> float:
    """Return the mean squared difference between probability and share of positives.

    Cases are put into bins of neighbouring probabilities. In each bin the share of positives less
    the mean probability is squared, and what chance adds to that square is subtracted. Calibrated
    probabilities have 0 on average, and may have a little less. The square root of the value is the
    usual difference, in units of probability.

    It is the part of the Brier score that recalibration could remove, so it is a cost, too: what
    using these probabilities as thresholds costs more than using calibrated ones.

    Parameters
    ----------
    y_true : array of shape (n,)
        Two classes.
    y_prob : array of shape (n,)
        Probabilities of the positive class.
    bins : int, default 10
        Number of bins of about equal weight. Equal probabilities are in the same bin. Fewer bins
        are less noisy, and see less of what happens inside a bin.
    pos_label : label, optional
        Label of the positive class. Needed for text; by default the larger number, or True.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    float
        The mean squared difference, at most 1; slightly below 0 where differences are smaller than
        chance makes them.

    See Also
    --------
    reliability_curve : Where probabilities are too low or too high, with bands.
    score_parts : The whole Brier score or log loss, in parts.

    Notes
    -----
    With the share w, the mean probability p̄ and the share of positives ȳ of each bin, the value is
    Σ w·((ȳ − p̄)² − v), where v is the estimated variance of ȳ − p̄. The expected calibration error
    (ECE) is the sum of w times the absolute value of ȳ − p̄. It is at most the root of Σ w·(ȳ − p̄)²,
    and even calibrated probabilities have one above 0: about 0.06 with 400 cases and ten bins. No
    correction makes it unbiased, which is why squares are used here.

    The variance of the value grows with its true value, and ``estimate`` makes intervals with
    Wilson's idea from that. Its p-value is that of calibrated probabilities (in these bins), by a
    chi-square distribution.
    With ``clusters`` or ``time`` it subtracts what chance adds to dependent cases, so the value is
    another one. As in standard errors, a weight of 2 is not two cases. Bins of a single case count
    as 0. The bootstrap adds noise that is not subtracted: do not use it here.

    References
    ----------
    C. A. T. Ferro and T. E. Fricker (2012). A bias-corrected decomposition of the Brier score.
    Quarterly Journal of the Royal Meteorological Society 138, 1954-1960.
    A. Kumar, P. Liang and T. Ma (2019). Verified uncertainty calibration. NeurIPS 32.

    Examples
    --------
    >>> import numpy as np
    >>> import roctopus as rt
    >>> rng = np.random.default_rng(0)
    >>> risk = rng.beta(2, 4, 2000)  # true probabilities
    >>> event, bold = rng.random(2000) < risk, risk**2 / (risk**2 + (1 - risk) ** 2)
    >>> for p in (risk, bold):
    ...     found = rt.estimate(rt.calibration_error, event, p)
    ...     low, high = found.confidence_interval()
    ...     print(f"{found.value:.4f} ({low:.4f} to {high:.4f}), p = {found.pvalue:.3f}")
    0.0003 (0.0000 to 0.0025), p = 0.214
    0.0105 (0.0071 to 0.0152), p = 0.000
    """
    cases = read_two_classes(y_true, y_prob, sample_weight, pos_label=pos_label)
    return _Gaps.of(cases, bins).error
