"""The public names: read by type checkers, editors, and ``__init__.py``."""

from roctopus.display.backtests import BacktestDisplay as BacktestDisplay
from roctopus.display.components import LossComponentDisplay as LossComponentDisplay
from roctopus.display.cost import AsymmetryCostDisplay as AsymmetryCostDisplay
from roctopus.display.cost import MurphyDisplay as MurphyDisplay
from roctopus.display.cost import RECDisplay as RECDisplay
from roctopus.display.cutoff import CutoffDecompositionDisplay as CutoffDecompositionDisplay
from roctopus.display.cutoff import CutoffErrorDisplay as CutoffErrorDisplay
from roctopus.display.errors import ErrorDensityDisplay as ErrorDensityDisplay
from roctopus.display.errors import UROCDisplay as UROCDisplay
from roctopus.display.errors import regression_overview as regression_overview
from roctopus.display.impact import ImpactDisplay as ImpactDisplay
from roctopus.display.impact import ImpactGainDisplay as ImpactGainDisplay
from roctopus.display.impact import ImpactProfileDisplay as ImpactProfileDisplay
from roctopus.display.impact import ThresholdLinesDisplay as ThresholdLinesDisplay
from roctopus.display.maps import ContextMapDisplay as ContextMapDisplay
from roctopus.display.ordinal import OrdinalCostDisplay as OrdinalCostDisplay
from roctopus.display.ordinal import OrdinalThresholdDisplay as OrdinalThresholdDisplay
from roctopus.display.ordinal import SurfaceVolumeDisplay as SurfaceVolumeDisplay
from roctopus.display.probability import CostCurveDisplay as CostCurveDisplay
from roctopus.display.probability import ReliabilityDisplay as ReliabilityDisplay
from roctopus.display.rroc import RROCDisplay as RROCDisplay
from roctopus.display.smoothing import SegmentDisplay as SegmentDisplay
from roctopus.display.smoothing import SmoothedAreaDisplay as SmoothedAreaDisplay
from roctopus.display.smoothing import SmoothedROCDisplay as SmoothedROCDisplay
from roctopus.display.surface import PairwiseROCDisplay as PairwiseROCDisplay
from roctopus.display.surface import ROCSurfaceDisplay as ROCSurfaceDisplay
