"""Choose a model and its operating point when deployment costs are unknown, vary, or differ.

A **context** says what errors cost, a **rule** turns it into a **knob** setting, a **curve** is the
outcome along contexts, an **area** its expectation, an **envelope** says who dominates where.
"""

from roctopus._version import __version__
from roctopus.concepts.context_curve import ContextCurve, Envelope, Region, envelope
from roctopus.concepts.context_map import ContextMap
from roctopus.concepts.distributions import (
    Beta,
    Empirical,
    Exponential,
    Gamma,
    LogNormal,
    Normal,
    PointMass,
    Uniform,
)
from roctopus.concepts.estimate import Estimate
from roctopus.concepts.registry import estimate, registered_metrics
from roctopus.concepts.tradeoff_curve import TradeoffCurve
from roctopus.core.errors import (
    InputError,
    MissingDependencyError,
    RoctopusError,
    RoctopusWarning,
)
from roctopus.regression.components import loss_component_path
from roctopus.regression.costs import (
    asymmetry_cost_area,
    asymmetry_cost_curve,
    expected_asymmetric_error,
    removable_error,
    shift_decomposition,
)
from roctopus.regression.curves import rroc_area_over_curve, rroc_curve
from roctopus.regression.feasible import feasible_cost_curve, feasible_rroc_path
from roctopus.regression.hulls import rroc_hull
from roctopus.regression.hybrids import Hybrid
from roctopus.regression.losses import LinEx, LinLin, QuadEx, QuadQuad
from roctopus.regression.mean_losses import (
    asymmetric_absolute_error,
    asymmetric_squared_error,
    linex_error,
    quadex_error,
)
from roctopus.regression.murphy import murphy_curve
from roctopus.regression.output_shift import output_weights
from roctopus.regression.paths import rroc_path
from roctopus.regression.points import (
    distance_to_heaven,
    over_estimation,
    rroc_point,
    under_estimation,
)
from roctopus.regression.ranking import (
    coefficient_of_predictive_ability,
    rank_correlations,
    uroc_curve,
)
from roctopus.regression.rec import rec_curve
from roctopus.regression.rules import ConstantShift, NoShift, PolynomialShift
from roctopus.regression.shifts import optimal_shift, optimal_shift_error
from roctopus.regression.soft_rules import EnsembleShift, NormalShift, QuantileShift

__all__ = [
    "Beta",
    "ConstantShift",
    "ContextCurve",
    "ContextMap",
    "Empirical",
    "EnsembleShift",
    "Envelope",
    "Estimate",
    "Exponential",
    "Gamma",
    "Hybrid",
    "InputError",
    "LinEx",
    "LinLin",
    "LogNormal",
    "MissingDependencyError",
    "NoShift",
    "Normal",
    "NormalShift",
    "PointMass",
    "PolynomialShift",
    "QuadEx",
    "QuadQuad",
    "QuantileShift",
    "Region",
    "RoctopusError",
    "RoctopusWarning",
    "TradeoffCurve",
    "Uniform",
    "__version__",
    "asymmetric_absolute_error",
    "asymmetric_squared_error",
    "asymmetry_cost_area",
    "asymmetry_cost_curve",
    "coefficient_of_predictive_ability",
    "distance_to_heaven",
    "envelope",
    "estimate",
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
    "registered_metrics",
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
