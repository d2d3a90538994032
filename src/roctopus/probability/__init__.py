"""Binary models that give probabilities: ranking and magnitudes together."""

from roctopus.probability.areas import (
    compare_aucs,
    probabilistic_auc,
    probabilistic_gini,
    roc_auc,
)
from roctopus.probability.costs import brier_curve, cost_curve
from roctopus.probability.curves import (
    SlopeOptimum,
    SmoothedROCCurve,
    roc_slope,
    smoothed_roc_curve,
)
from roctopus.probability.normal_widths import RootInterval
from roctopus.probability.proper import (
    ReliabilityCurve,
    ScoreParts,
    brier_score,
    log_loss,
    reliability_curve,
    score_parts,
)
from roctopus.probability.rates import false_positive_rate, true_positive_rate
from roctopus.probability.smoothed import SmoothedArea, smoothed_area, smoothed_auc
from roctopus.probability.thresholds import ThresholdChoice, choose_threshold
from roctopus.probability.tuning import ThresholdTuning
from roctopus.probability.widths import CanonicalWidth, canonical_width

__all__ = [
    "CanonicalWidth",
    "ReliabilityCurve",
    "RootInterval",
    "ScoreParts",
    "SlopeOptimum",
    "SmoothedArea",
    "SmoothedROCCurve",
    "ThresholdChoice",
    "ThresholdTuning",
    "brier_curve",
    "brier_score",
    "canonical_width",
    "choose_threshold",
    "compare_aucs",
    "cost_curve",
    "false_positive_rate",
    "log_loss",
    "probabilistic_auc",
    "probabilistic_gini",
    "reliability_curve",
    "roc_auc",
    "roc_slope",
    "score_parts",
    "smoothed_area",
    "smoothed_auc",
    "smoothed_roc_curve",
    "true_positive_rate",
]
