"""The public names: read by type checkers, editors, and ``__init__.py``."""

from roctopus.probability.areas import compare_aucs as compare_aucs
from roctopus.probability.areas import probabilistic_auc as probabilistic_auc
from roctopus.probability.areas import probabilistic_gini as probabilistic_gini
from roctopus.probability.areas import roc_auc as roc_auc
from roctopus.probability.benefit import net_benefit as net_benefit
from roctopus.probability.calibration import calibration_error as calibration_error
from roctopus.probability.costs import brier_curve as brier_curve
from roctopus.probability.costs import cost_curve as cost_curve
from roctopus.probability.curves import SlopeOptimum as SlopeOptimum
from roctopus.probability.curves import SmoothedROCCurve as SmoothedROCCurve
from roctopus.probability.curves import roc_slope as roc_slope
from roctopus.probability.curves import smoothed_roc_curve as smoothed_roc_curve
from roctopus.probability.normal_widths import RootInterval as RootInterval
from roctopus.probability.operating import (
    sensitivity_at_specificity as sensitivity_at_specificity,
)
from roctopus.probability.operating import (
    specificity_at_sensitivity as specificity_at_sensitivity,
)
from roctopus.probability.partial import partial_auc as partial_auc
from roctopus.probability.precision import PrecisionRecallCurve as PrecisionRecallCurve
from roctopus.probability.precision import average_precision as average_precision
from roctopus.probability.precision import precision_recall_curve as precision_recall_curve
from roctopus.probability.proper import ScoreParts as ScoreParts
from roctopus.probability.proper import brier_score as brier_score
from roctopus.probability.proper import log_loss as log_loss
from roctopus.probability.proper import score_parts as score_parts
from roctopus.probability.rates import false_positive_rate as false_positive_rate
from roctopus.probability.rates import true_positive_rate as true_positive_rate
from roctopus.probability.reliability import ReliabilityCurve as ReliabilityCurve
from roctopus.probability.reliability import reliability_curve as reliability_curve
from roctopus.probability.smoothed import SmoothedArea as SmoothedArea
from roctopus.probability.smoothed import smoothed_area as smoothed_area
from roctopus.probability.smoothed import smoothed_auc as smoothed_auc
from roctopus.probability.thresholds import ThresholdChoice as ThresholdChoice
from roctopus.probability.thresholds import ThresholdTuning as ThresholdTuning
from roctopus.probability.thresholds import choose_threshold as choose_threshold
from roctopus.probability.widths import CanonicalWidth as CanonicalWidth
from roctopus.probability.widths import canonical_width as canonical_width
