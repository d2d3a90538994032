"""What a decision recorded for its checks; of older files, what can be told from the rest."""

from __future__ import annotations

from roctopus.concepts.decision import Decision
from roctopus.inference.sequences import Precision

RECORDED = 1.959963984540054
"""The recorded interval reaches so many standard errors to each side."""
WIDER = 1.2
"""An interval for 98 % is so much wider than one for 95 %."""
FLATTERS = 4.16
RARELY = 3.84
"""A setting that was learned from a sample loses so many times more than expected in 5 % of
samples, whether it is a shift or a threshold."""


def recorded_error(decision: Decision) -> float:
    """Return the standard error of the value that a decision recorded."""
    if decision.basis is not None:
        return decision.basis.standard_error
    # A low end at 0, below which no loss is, says less than the high end.
    return max(decision.high - decision.value, decision.value - decision.low) / RECORDED


def recorded_sample(decision: Decision) -> Precision:
    """Return how sure the recorded value is."""
    basis, cases = decision.basis, float(decision.cases)
    error = recorded_error(decision)
    if basis is None:
        return Precision(cases, error, cases / 3.0, cases)
    return Precision(cases, error, basis.carriers, basis.units, basis.freedom, basis.inflation)


def setting_limit(decision: Decision) -> float:
    """Return what the setting may lose per case before it is called out of date.

    A setting learned from a sample is never exactly the best. It may lose as much as comes from
    that alone in 19 of 20 samples, or as does not matter.
    """
    basis = decision.basis
    if basis is not None:
        expected = basis.tuning_loss
    else:
        error, value = recorded_error(decision), abs(decision.value)
        expected = abs(decision.value - decision.in_sample) / FLATTERS
        expected = max(expected, error**2 / value if value else 0.0)
    return max(decision.tolerance, RARELY * expected)


def model_limit(decision: Decision) -> float:
    """Return what the choice may cost more than another model before that one is called better.

    A baseline is advised where no model is shown to beat it. Some may have beaten it all along, by
    as much as the recorded interval of the difference says.
    """
    basis = decision.basis
    if decision.is_baseline:
        return max(decision.tolerance, -WIDER * (decision.margin_low or 0.0))
    return max(decision.tolerance, RARELY * decision.stake if basis is None else basis.regret)
