"""scikit-learn estimators that carry a decision into production."""

from roctopus.deploy.cutoffs import (
    CutoffClassifier,
    HybridCutoffClassifier,
    RetrainedCutoffClassifier,
)
from roctopus.deploy.regressors import ShiftedRegressor, TunedShiftRegressorCV
from roctopus.deploy.scorers import scorer
from roctopus.deploy.shipping import RegionEstimator, deploy_decision
from roctopus.deploy.thresholds import ImpactThresholdClassifier, OrdinalThresholdClassifier

__all__ = [
    "CutoffClassifier",
    "HybridCutoffClassifier",
    "ImpactThresholdClassifier",
    "OrdinalThresholdClassifier",
    "RegionEstimator",
    "RetrainedCutoffClassifier",
    "ShiftedRegressor",
    "TunedShiftRegressorCV",
    "deploy_decision",
    "scorer",
]
