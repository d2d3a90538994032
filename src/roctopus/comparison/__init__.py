"""Several models in, one decision out."""

from roctopus.comparison.checking import DecisionCheck, Finding
from roctopus.comparison.comparison import Comparison
from roctopus.comparison.entry import compare
from roctopus.comparison.knowing import Break, Knowing, Question
from roctopus.comparison.large import LargeComparison
from roctopus.comparison.regions import SureRegion
from roctopus.comparison.selection import Selected, out_of_fold, select_models
from roctopus.concepts.decision import Decision, decision_schema
from roctopus.concepts.realised import RealisedValue

__all__ = [
    "Break",
    "Comparison",
    "Decision",
    "DecisionCheck",
    "Finding",
    "Knowing",
    "LargeComparison",
    "Question",
    "RealisedValue",
    "Selected",
    "SureRegion",
    "compare",
    "decision_schema",
    "out_of_fold",
    "select_models",
]
