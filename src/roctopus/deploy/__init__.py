"""scikit-learn estimators that carry a decision into production."""

from roctopus.deploy.cutoffs import CutoffClassifier
from roctopus.deploy.grades import OrdinalThresholdClassifier
from roctopus.deploy.hybrids import HybridCutoffClassifier
from roctopus.deploy.regressors import ShiftedRegressor, TunedShiftRegressorCV
from roctopus.deploy.retraining import RetrainedCutoffClassifier
from roctopus.deploy.scorers import scorer
from roctopus.deploy.shipping import RegionEstimator, deploy_decision
from roctopus.deploy.thresholds import ImpactThresholdClassifier

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
