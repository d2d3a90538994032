"""Sentences of the library in the words of the command line."""

from __future__ import annotations

__all__ = ["in_options"]

WORDS = {
    "missing='common'": "--missing common",
    "'sample_weight'": "--weight",
    "'clusters'": "--clusters",
    "'y_true'": "--truth",
    "'labels'": "--labels",
    "labels=": "--labels ",
    "'costs_between'": "--costs",
    "'costs'": "--costs",
    "'loss'": "--costs",
    "'between'": "the range",
    "'time_ordered'": "--time",
    "'distribution'": "--distribution",
    "'prevalence'": "--prevalence",
    "'criterion'": "--criterion",
    "'at_most'": "--capacity",
    "'at_least'": "--at-least",
    "'theta'": "--theta",
    "'asymmetry'": "--asymmetry",
    "'cutoff'": "--cutoff",
    "'utility'": "--utility",
    "'cost_proportion'": "--cost-proportion",
    "'under_cost'": "--under-cost",
    "'over_cost'": "--over-cost",
    "'false_positive_cost'": "--false-positive-cost",
    "'false_negative_cost'": "--false-negative-cost",
    "'context'": "--context-column",
    "'state'": "--state",
    "'predictions'": "--models",
    "'min_cases'": "--min-cases",
    "exact=True": "--exact",
}
"""Names of arguments, and the options that give them."""


def in_options(sentence: str) -> str:
    """Return a sentence about arguments as one about options."""
    for name, option in WORDS.items():
        sentence = sentence.replace(name, option)
    return sentence
