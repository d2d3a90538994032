"""Every case has its own worth: what a model earns, at which threshold, as prices move."""

from roctopus.impact.actions import ActionThresholds, action_curve, action_thresholds
from roctopus.impact.baselines import decision_curve, oracle_curve, plug_in_curve
from roctopus.impact.curves import ImpactCurve, impact_curve
from roctopus.impact.expected import expected_impact, h_measure, impact_skill
from roctopus.impact.labels import CostMatrix, matrix_utility, net_benefit
from roctopus.impact.maps import impact_map
from roctopus.impact.profiles import ImpactProfile, impact_profile, rociv_curve
from roctopus.impact.scores import impact, impact_gain
from roctopus.impact.summary import ImpactSummary, impact_summary
from roctopus.impact.tuning import ImpactTuning
from roctopus.impact.utilities import (
    LinearUtility,
    SecondAxis,
    UtilityScale,
    value_minus_cutoff,
    value_times_price,
)

__all__ = [
    "ActionThresholds",
    "CostMatrix",
    "ImpactCurve",
    "ImpactProfile",
    "ImpactSummary",
    "ImpactTuning",
    "LinearUtility",
    "SecondAxis",
    "UtilityScale",
    "action_curve",
    "action_thresholds",
    "decision_curve",
    "expected_impact",
    "h_measure",
    "impact",
    "impact_curve",
    "impact_gain",
    "impact_map",
    "impact_profile",
    "impact_skill",
    "impact_summary",
    "matrix_utility",
    "net_benefit",
    "oracle_curve",
    "plug_in_curve",
    "rociv_curve",
    "value_minus_cutoff",
    "value_times_price",
]
