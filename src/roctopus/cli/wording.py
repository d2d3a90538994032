"""Sentences of the library in the words of the command line."""

from __future__ import annotations

from roctopus.core.errors import InputError, RoctopusWarning

__all__ = ["WORDS", "in_options"]

OTHERS = {
    "sample_weight": "--weight",
    "y_true": "--truth",
    "costs_between": "--costs",
    "loss": "--costs",
    "between": "the range",
    "time_ordered": "--time",
    "at_most": "--capacity",
    "context": "--context-column",
    "predictions": "--models",
}
"""Options by arguments of other names."""
SAME = (
    "clusters", "labels", "costs", "distribution", "prevalence", "criterion", "at_least", "theta",
    "asymmetry", "cutoff", "utility", "cost_proportion", "under_cost", "over_cost",
    "false_positive_cost", "false_negative_cost", "state", "min_cases", "exact", "missing", "mode",
    "memory", "delimiter", "decimal", "encoding", "models", "id", "model_column",
    "prediction_column",
)  # fmt: skip


WORDS = OTHERS | {name: "--" + name.replace("_", "-") for name in SAME}


def in_options(told: object) -> str:
    """Return a sentence about arguments as one about options."""
    return told.said(WORDS) if isinstance(told, (InputError, RoctopusWarning)) else str(told)
