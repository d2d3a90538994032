"""Pictures (extra ``plot``): matplotlib displays in the manner of scikit-learn's."""

from roctopus.display.backtests import BacktestDisplay
from roctopus.display.components import LossComponentDisplay
from roctopus.display.cost import AsymmetryCostDisplay, MurphyDisplay, RECDisplay
from roctopus.display.cutoff import CutoffDecompositionDisplay, CutoffErrorDisplay
from roctopus.display.errors import ErrorDensityDisplay, UROCDisplay, regression_overview
from roctopus.display.impact import (
    ImpactDisplay,
    ImpactGainDisplay,
    ImpactProfileDisplay,
    ThresholdLinesDisplay,
)
from roctopus.display.maps import ContextMapDisplay
from roctopus.display.ordinal import (
    OrdinalCostDisplay,
    OrdinalThresholdDisplay,
    SurfaceVolumeDisplay,
)
from roctopus.display.probability import CostCurveDisplay, ReliabilityDisplay
from roctopus.display.rroc import RROCDisplay
from roctopus.display.smoothing import SegmentDisplay, SmoothedAreaDisplay, SmoothedROCDisplay
from roctopus.display.surface import PairwiseROCDisplay, ROCSurfaceDisplay

__all__ = [
    "AsymmetryCostDisplay",
    "BacktestDisplay",
    "ContextMapDisplay",
    "CostCurveDisplay",
    "CutoffDecompositionDisplay",
    "CutoffErrorDisplay",
    "ErrorDensityDisplay",
    "ImpactDisplay",
    "ImpactGainDisplay",
    "ImpactProfileDisplay",
    "LossComponentDisplay",
    "MurphyDisplay",
    "OrdinalCostDisplay",
    "OrdinalThresholdDisplay",
    "PairwiseROCDisplay",
    "RECDisplay",
    "ROCSurfaceDisplay",
    "RROCDisplay",
    "ReliabilityDisplay",
    "SegmentDisplay",
    "SmoothedAreaDisplay",
    "SmoothedROCDisplay",
    "SurfaceVolumeDisplay",
    "ThresholdLinesDisplay",
    "UROCDisplay",
    "regression_overview",
]
