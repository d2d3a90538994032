"""How many cases a study needs, before any data or from a pilot."""

from __future__ import annotations

import math
from dataclasses import dataclass

from roctopus.concepts.estimate import Estimate
from roctopus.concepts.intervals import check_level
from roctopus.concepts.rendering import Rendered, Sheet, short
from roctopus.core.checks import check_positive, check_share
from roctopus.core.errors import InputError, arg, warn
from roctopus.inference.assumptions import Assumed, from_pilot, pilot_warnings
from roctopus.inference.goals import Enough, fewest, inflation, short_enough, shows


@dataclass(frozen=True, repr=False)
class SampleSize(Rendered):
    """How many cases to collect, for what, and what the number is based on.

    Made by :func:`sample_size`; print it to read it.

    Parameters
    ----------
    cases : int
        Number of cases; with clusters about this many.
    clusters : int or None
        Number of clusters; None where cases are independent.
    cases_as_assumed : int
        How many would be enough without assurance: if the spread were exactly as assumed or as in
        the pilot, and the same in every sample.
    half_width : float or None
        How far the interval may reach to each side; None if the goal is to show a gain.
    gain : float or None
        The gain that the test should show; None if the goal is a short interval.
    power : float or None
        Probability with which the gain is shown.
    confidence_level : float
        Probability that an interval contains the true value.
    assurance : float or None
        Probability that the number is enough; None where there is nothing to be assured of, as for
        a power where the spread is assumed.
    basis : str
        What the number is based on, in words.
    warnings : tuple of str, default ()
        What was warned of: a pilot that is small, or whose variance depends on few cases.

    Examples
    --------
    >>> from roctopus.inference import Assumed, sample_size
    >>> found = sample_size(Assumed.rate(0.9, share=0.2), half_width=0.05)
    >>> print(found.sentence)
    Collect 1,149 cases for a 95 % interval of at most 0.05 to each side. With a probability of
    80 % (the assurance), these are enough. This is based on an assumed rate of 0.9 among 20 % of
    the cases. Without assurance, 998 cases would be enough.
    """

    cases: int
    clusters: int | None
    cases_as_assumed: int
    half_width: float | None
    gain: float | None
    power: float | None
    confidence_level: float
    assurance: float | None
    basis: str
    warnings: tuple[str, ...] = ()

    @property
    def count(self) -> str:
        """What to collect, in words."""
        if self.clusters is None:
            return f"{self.cases:,} cases"
        return f"{self.clusters:,} clusters (about {self.cases:,} cases)"

    @property
    def goal(self) -> str:
        """What the cases are for, in words."""
        level = f"{100.0 * self.confidence_level:g} % interval"
        if self.half_width is not None:
            return f"{level} of at most {self.half_width:g} to each side"
        assert self.power is not None
        return f"{level} that shows a gain of {self.gain:g} with {100.0 * self.power:g} % power"

    @property
    def sentence(self) -> str:
        """The answer in a few short sentences."""
        said = f"Collect {self.count} for a {self.goal}."
        if self.assurance is not None:
            sure = f"{100.0 * self.assurance:g} %"
            said += f" With a probability of {sure} (the assurance), these are enough."
        said += f" This is based on {self.basis}."
        if self.cases_as_assumed < self.cases:
            said += f" Without assurance, {self.cases_as_assumed:,} cases would be enough."
        return said

    def sheet(self) -> Sheet:
        """Return what notebooks and Markdown show.

        Returns
        -------
        Sheet
            The sentence, the table and the notes, as plain text.
        """
        assured = "–" if self.assurance is None else f"{100.0 * self.assurance:g} %"
        header = ("cases", "clusters", "goal", "assurance", "cases without assurance")
        clusters = "–" if self.clusters is None else f"{self.clusters:,}"
        row = (f"{self.cases:,}", clusters, self.goal, assured, f"{self.cases_as_assumed:,}")
        return Sheet(self.sentence, header, (row,), self.warnings)

    def __str__(self) -> str:
        return self.sentence

    def __repr__(self) -> str:
        return short(f"SampleSize, {self.count}", f"  for a {self.goal}", f"  from {self.basis}")


def sample_size(
    basis: Estimate | Assumed,
    *,
    half_width: float | None = None,
    gain: float | None = None,
    power: float = 0.8,
    confidence_level: float = 0.95,
    assurance: float = 0.8,
) -> SampleSize:
    """Return how many cases make an interval short enough, or show a gain.

    Give either ``half_width`` or ``gain``.

    Parameters
    ----------
    basis : Estimate or Assumed
        A pilot: the estimate of any metric, or the difference of two on the same cases. With
        clusters, the answer is a number of clusters. Before any data, an assumption:
        ``Assumed.mean``, ``Assumed.rate``, ``Assumed.auc``, or ``Assumed.simulated`` for any
        metric.
    half_width : float, optional
        How far the interval may reach to each side, in the unit of the metric.
    gain : float, optional
        The true difference that the interval should show, by leaving out zero. Where ``basis`` is
        not a difference: how far the true value is from a fixed value that the interval should
        leave out.
    power : float, default 0.8
        The probability with which the gain is shown.
    confidence_level : float, default 0.95
        Probability that an interval contains the true value.
    assurance : float, default 0.8
        The probability that the number is enough, at least 0.5. The variance of a pilot is
        uncertain, and that of the new cases varies. For a ``half_width``: how likely the interval
        of the new cases is short enough. For a ``gain``: how likely the power is reached.

    Returns
    -------
    SampleSize
        How many cases, or clusters, to collect; print it to read it.

    Notes
    -----
    The planned variance is the pilot's variance times a quantile of F, with degrees of
    freedom 2n / (kurtosis − 1) in place of n − 1, which is right for normal values only. Excess
    kurtosis of a pilot is multiplied by 4, since small samples rarely contain the tail. New cases
    are assumed to be like those of the pilot, with the same share of each class and clusters of the
    same sizes. Totals, such as ``over_estimation`` without ``normalize=True``, cannot be planned
    for.

    Examples
    --------
    >>> import numpy as np
    >>> import roctopus as rt
    >>> from roctopus.inference import sample_size
    >>> rng = np.random.default_rng(0)
    >>> y = rng.normal(size=80)
    >>> pilot = rt.estimate("asymmetric_absolute_error", y, y + rng.normal(size=80), asymmetry=0.5)
    >>> sample_size(pilot, half_width=0.05)
    SampleSize, 595 cases
      for a 95 % interval of at most 0.05 to each side
      from a pilot of 80 cases
    """
    if not isinstance(basis, Estimate | Assumed):
        raise InputError(
            f"{arg('basis')} must be an Estimate, as returned by estimate(...), or an assumption "
            f"such as Assumed.mean(...), but is of type {type(basis).__name__}."
        )
    level, sure = check_level(confidence_level), _check_assurance(assurance)
    assumed = from_pilot(basis) if isinstance(basis, Estimate) else basis
    enough = _read_goal(assumed, half_width, gain, level, power)
    warnings = pilot_warnings(basis, assumed) if isinstance(basis, Estimate) else ()
    for each in warnings:
        warn(each)
    varies = half_width is not None  # a power is about samples of any variance
    certain = not varies and math.isinf(assumed.freedom)

    def assured(units: int) -> bool:
        return enough(units, inflation(assumed, units if varies else math.inf, sure))

    units, per_unit = fewest(assumed, assured), assumed.cases_per_unit or 1.0
    return SampleSize(
        cases=math.ceil(units * per_unit),
        clusters=None if assumed.cases_per_unit is None else units,
        cases_as_assumed=math.ceil(fewest(assumed, lambda n: enough(n, 1.0)) * per_unit),
        half_width=half_width,
        gain=gain,
        power=None if gain is None else power,
        confidence_level=level,
        assurance=None if certain else sure,
        basis=assumed.basis,
        warnings=warnings,
    )


def _read_goal(
    assumed: Assumed, half_width: float | None, gain: float | None, level: float, power: float
) -> Enough:
    if half_width is not None and gain is None:
        return short_enough(assumed, check_positive(half_width, "half_width"), level)
    if gain is not None and half_width is None:
        return shows(assumed, check_positive(gain, "gain"), level, check_share(power, "power"))
    if gain is not None:
        raise InputError(
            f"{arg('half_width')} and {arg('gain')} cannot be combined. Leave out one of them."
        )
    raise InputError(
        f"The goal is missing. Use {arg('half_width')} for a short interval, or {arg('gain')} to "
        "show a gain."
    )


def _check_assurance(assurance: float) -> float:
    sure = check_share(assurance, "assurance")
    if sure < 0.5:
        raise InputError(f"{arg('assurance')} must be at least 0.5, but is {assurance!r}.")
    return sure
