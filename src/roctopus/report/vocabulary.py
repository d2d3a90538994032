"""The words of each arm: one page, five vocabularies."""

from __future__ import annotations

from typing import Any

from roctopus.comparison import Comparison

__all__ = ["vocabulary"]

WORDS: dict[str, dict[str, Any]] = {
    "regression": {
        "question": "Which model, which shift?",
        "context": "asymmetry",
        "symbol": "α",
        "left": "over-estimates hurt",
        "middle": "both alike",
        "right": "under-estimates hurt",
        "ratio": "an under-estimate costs {} × an over-estimate",
        "ends": ["only over-estimates cost", "only under-estimates cost"],
        "untuned": "no shift",
    },
    "cutoff": {
        "question": "Which model, for which cutoff?",
        "context": "cutoff",
        "symbol": "c",
        "left": "low cutoffs",
        "right": "high cutoffs",
        "plain": "the cutoff is {}",
        "untuned": "as it is",
    },
    "ordinal": {
        "question": "Which model, which thresholds?",
        "context": "cost",
        "symbol": "cost",
        "left": "cheap",
        "right": "dear",
        "untuned": "nearest class",
    },
    "probability": {
        "question": "Which model, which threshold?",
        "context": "cost proportion",
        "symbol": "c",
        "left": "false negatives hurt",
        "middle": "both alike",
        "right": "false positives hurt",
        "ratio": "a false positive costs {} × a false negative",
        "ends": ["only false negatives cost", "only false positives cost"],
        "untuned": "threshold c",
    },
    "impact": {
        "question": "Which model, which threshold, at which price?",
        "context": "price",
        "symbol": "θ",
        "left": "low prices",
        "right": "high prices",
        "untuned": "believing predictions",
    },
}


def vocabulary(comparison: Comparison, problem: Any, unit: str) -> dict[str, Any]:
    """Return the words for one comparison; all of it is text, and shown as text."""
    words = dict(WORDS[problem.arm])
    words |= {
        "knob": problem.knob_name,
        "outcome": problem.outcome,
        "sense": problem.sense,
        "unit": unit,
    }
    if problem.arm == "ordinal":
        label = str(problem.labels[problem.moving])
        words |= {
            "context": f"cost of an error on class {label}",
            "plain": f"an error on class {label} costs {{}}",
            "classes": [str(each) for each in problem.labels],
        }
    if problem.arm == "impact":
        label = problem.utility.scale.label
        words |= {"context": label, "plain": f"{label.split(' =')[0]} is {{}}"}
    return words
