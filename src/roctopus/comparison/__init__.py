"""Several models in, one decision out."""

from roctopus.comparison.backtests import Backtest, Setting
from roctopus.comparison.comparison import Comparison
from roctopus.comparison.diagnosis import Diagnosis, Part
from roctopus.comparison.entry import compare
from roctopus.comparison.knowing import Break, Knowing, Question
from roctopus.comparison.large import LargeComparison
from roctopus.comparison.regions import SureRegion
from roctopus.comparison.selection import Selected, out_of_fold, select_models
from roctopus.comparison.verdicts import DecisionCheck, Finding
from roctopus.comparison.watching import Look, Watch
from roctopus.concepts.decision import Decision, decision_schema
from roctopus.concepts.realised import RealisedValue

__all__ = [
    "Backtest",
    "Break",
    "Comparison",
    "Decision",
    "DecisionCheck",
    "Diagnosis",
    "Finding",
    "Knowing",
    "LargeComparison",
    "Look",
    "Part",
    "Question",
    "RealisedValue",
    "Selected",
    "Setting",
    "SureRegion",
    "Watch",
    "compare",
    "decision_schema",
    "out_of_fold",
    "select_models",
]
