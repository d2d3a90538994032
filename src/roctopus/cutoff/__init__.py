"""A number is predicted, yes or no is decided at a cutoff that is known later."""

from roctopus.cutoff.areas import (
    clipped_absolute_error,
    clipped_mean_absolute_error,
    uniform_cutoff_area,
)
from roctopus.cutoff.bands import do_nothing_curve, do_nothing_error, do_nothing_map
from roctopus.cutoff.curves import CutoffErrorCurve, cutoff_error_curve
from roctopus.cutoff.errors import cutoff_error, cutoff_losses
from roctopus.cutoff.expected import expected_cutoff_error
from roctopus.cutoff.maps import cutoff_cost_map
from roctopus.cutoff.output_areas import interposition_ratio, output_cutoff_area
from roctopus.cutoff.problem_types import CutoffProblem, cutoff_problem
from roctopus.cutoff.ranges import cutoff_range, cutoff_region
from roctopus.cutoff.retraining import retraining_curve, soft_retraining_curve
from roctopus.cutoff.row_cutoffs import row_cutoff_error
from roctopus.cutoff.scores import ScoreToCutoff, score_to_cutoff
from roctopus.cutoff.tables import cutoff_table
from roctopus.cutoff.trivial import cutoff_skill, trivial_predictions
from roctopus.cutoff.tuning import CutoffTuning

__all__ = [
    "CutoffErrorCurve",
    "CutoffProblem",
    "CutoffTuning",
    "ScoreToCutoff",
    "clipped_absolute_error",
    "clipped_mean_absolute_error",
    "cutoff_cost_map",
    "cutoff_error",
    "cutoff_error_curve",
    "cutoff_losses",
    "cutoff_problem",
    "cutoff_range",
    "cutoff_region",
    "cutoff_skill",
    "cutoff_table",
    "do_nothing_curve",
    "do_nothing_error",
    "do_nothing_map",
    "expected_cutoff_error",
    "interposition_ratio",
    "output_cutoff_area",
    "retraining_curve",
    "row_cutoff_error",
    "score_to_cutoff",
    "soft_retraining_curve",
    "trivial_predictions",
    "uniform_cutoff_area",
]
