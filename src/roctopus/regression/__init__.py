"""Over- and under-estimates cost differently: which model and shift for which asymmetry."""

from roctopus.regression.best_shifts import OptimalShift
from roctopus.regression.components import loss_component_path
from roctopus.regression.costs import (
    asymmetry_cost_area,
    asymmetry_cost_curve,
    expected_asymmetric_error,
    removable_error,
    shift_decomposition,
)
from roctopus.regression.curves import Isometric, RROCCurve, rroc_area_over_curve, rroc_curve
from roctopus.regression.exponential import LinEx, QuadEx, linex_error, quadex_error
from roctopus.regression.feasible import feasible_cost_curve, feasible_rroc_path
from roctopus.regression.hulls import RROCHull, rroc_hull
from roctopus.regression.hybrids import Hybrid
from roctopus.regression.losses import Loss
from roctopus.regression.neighbours import murphy_curve, rec_curve
from roctopus.regression.output_shift import OutputWeights, output_weights
from roctopus.regression.paths import RROCPath, rroc_path
from roctopus.regression.points import (
    RROCPoint,
    distance_to_heaven,
    over_estimation,
    rroc_point,
    under_estimation,
)
from roctopus.regression.ranking import (
    UROCCurve,
    coefficient_of_predictive_ability,
    rank_correlations,
    uroc_curve,
)
from roctopus.regression.rules import ConstantShift, LossShift, NoShift, PolynomialShift, ShiftRule
from roctopus.regression.shifts import ShiftTuning, optimal_shift, optimal_shift_error
from roctopus.regression.soft_rules import EnsembleShift, NormalShift, QuantileShift
from roctopus.regression.two_costs import (
    LinLin,
    QuadQuad,
    asymmetric_absolute_error,
    asymmetric_squared_error,
)

__all__ = [
    "ConstantShift",
    "EnsembleShift",
    "Hybrid",
    "Isometric",
    "LinEx",
    "LinLin",
    "Loss",
    "LossShift",
    "NoShift",
    "NormalShift",
    "OptimalShift",
    "OutputWeights",
    "PolynomialShift",
    "QuadEx",
    "QuadQuad",
    "QuantileShift",
    "RROCCurve",
    "RROCHull",
    "RROCPath",
    "RROCPoint",
    "ShiftRule",
    "ShiftTuning",
    "UROCCurve",
    "asymmetric_absolute_error",
    "asymmetric_squared_error",
    "asymmetry_cost_area",
    "asymmetry_cost_curve",
    "coefficient_of_predictive_ability",
    "distance_to_heaven",
    "expected_asymmetric_error",
    "feasible_cost_curve",
    "feasible_rroc_path",
    "linex_error",
    "loss_component_path",
    "murphy_curve",
    "optimal_shift",
    "optimal_shift_error",
    "output_weights",
    "over_estimation",
    "quadex_error",
    "rank_correlations",
    "rec_curve",
    "removable_error",
    "rroc_area_over_curve",
    "rroc_curve",
    "rroc_hull",
    "rroc_path",
    "rroc_point",
    "shift_decomposition",
    "under_estimation",
    "uroc_curve",
]
