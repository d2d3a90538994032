"""Several models in, one decision out."""

from roctopus.comparison.answers import Answer
from roctopus.comparison.comparison import Comparison
from roctopus.comparison.entry import compare
from roctopus.comparison.estimators import compare_estimators, out_of_fold
from roctopus.comparison.known import Break, InSample, Knowing, Question
from roctopus.comparison.regions import SureRegion
from roctopus.comparison.selection import Selected, select_models
from roctopus.comparison.verbs import AnyComparison
from roctopus.concepts.decision import Decision
from roctopus.concepts.decision_parts import decision_schema
from roctopus.concepts.realised import RealisedValue

__all__ = [
    "Answer",
    "AnyComparison",
    "Break",
    "Comparison",
    "Decision",
    "InSample",
    "Knowing",
    "Question",
    "RealisedValue",
    "Selected",
    "SureRegion",
    "compare",
    "compare_estimators",
    "decision_schema",
    "out_of_fold",
    "select_models",
]
