"""The public names: read by type checkers, editors, and ``__init__.py``."""

from roctopus.regression.costs import asymmetry_cost_area as asymmetry_cost_area
from roctopus.regression.costs import asymmetry_cost_curve as asymmetry_cost_curve
from roctopus.regression.costs import expected_asymmetric_error as expected_asymmetric_error
from roctopus.regression.costs import removable_error as removable_error
from roctopus.regression.costs import shift_decomposition as shift_decomposition
from roctopus.regression.curves import Isometric as Isometric
from roctopus.regression.curves import RROCCurve as RROCCurve
from roctopus.regression.curves import rroc_area_over_curve as rroc_area_over_curve
from roctopus.regression.curves import rroc_curve as rroc_curve
from roctopus.regression.errors import OptimalShift as OptimalShift
from roctopus.regression.exponential import LinEx as LinEx
from roctopus.regression.exponential import QuadEx as QuadEx
from roctopus.regression.exponential import linex_error as linex_error
from roctopus.regression.exponential import quadex_error as quadex_error
from roctopus.regression.feasible import feasible_cost_curve as feasible_cost_curve
from roctopus.regression.feasible import feasible_rroc_path as feasible_rroc_path
from roctopus.regression.hulls import Hybrid as Hybrid
from roctopus.regression.hulls import RROCHull as RROCHull
from roctopus.regression.hulls import rroc_hull as rroc_hull
from roctopus.regression.losses import Loss as Loss
from roctopus.regression.neighbours import murphy_curve as murphy_curve
from roctopus.regression.neighbours import rec_curve as rec_curve
from roctopus.regression.output_shift import OutputWeights as OutputWeights
from roctopus.regression.output_shift import output_weights as output_weights
from roctopus.regression.paths import RROCPath as RROCPath
from roctopus.regression.paths import loss_component_path as loss_component_path
from roctopus.regression.paths import rroc_path as rroc_path
from roctopus.regression.points import RROCPoint as RROCPoint
from roctopus.regression.points import distance_to_heaven as distance_to_heaven
from roctopus.regression.points import over_estimation as over_estimation
from roctopus.regression.points import rroc_point as rroc_point
from roctopus.regression.points import under_estimation as under_estimation
from roctopus.regression.quantiles import pinball_loss as pinball_loss
from roctopus.regression.ranking import UROCCurve as UROCCurve
from roctopus.regression.ranking import (
    coefficient_of_predictive_ability as coefficient_of_predictive_ability,
)
from roctopus.regression.ranking import rank_correlations as rank_correlations
from roctopus.regression.ranking import uroc_curve as uroc_curve
from roctopus.regression.rules import ConstantShift as ConstantShift
from roctopus.regression.rules import LossShift as LossShift
from roctopus.regression.rules import NoShift as NoShift
from roctopus.regression.rules import PolynomialShift as PolynomialShift
from roctopus.regression.rules import ShiftRule as ShiftRule
from roctopus.regression.shifts import ShiftTuning as ShiftTuning
from roctopus.regression.shifts import optimal_shift as optimal_shift
from roctopus.regression.shifts import optimal_shift_error as optimal_shift_error
from roctopus.regression.soft_rules import EnsembleShift as EnsembleShift
from roctopus.regression.soft_rules import NormalShift as NormalShift
from roctopus.regression.soft_rules import QuantileShift as QuantileShift
from roctopus.regression.two_costs import LinLin as LinLin
from roctopus.regression.two_costs import QuadQuad as QuadQuad
from roctopus.regression.two_costs import asymmetric_absolute_error as asymmetric_absolute_error
from roctopus.regression.two_costs import asymmetric_squared_error as asymmetric_squared_error
