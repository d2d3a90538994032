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
from roctopus.regression import (
    ConstantShift,
    Hybrid,
    LinEx,
    LinLin,
    NoShift,
    PolynomialShift,
    QuadEx,
    QuadQuad,
    asymmetric_absolute_error,
    asymmetric_squared_error,
    asymmetry_cost_area,
    asymmetry_cost_curve,
    distance_to_heaven,
    expected_asymmetric_error,
    linex_error,
    optimal_shift,
    optimal_shift_error,
    quadex_error,
    rroc_area_over_curve,
    rroc_curve,
    rroc_hull,
    rroc_point,
    shift_decomposition,
)

__all__ = [
    "Beta",
    "ConstantShift",
    "ContextCurve",
    "ContextMap",
    "Empirical",
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
    "PointMass",
    "PolynomialShift",
    "QuadEx",
    "QuadQuad",
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
    "distance_to_heaven",
    "envelope",
    "estimate",
    "expected_asymmetric_error",
    "linex_error",
    "optimal_shift",
    "optimal_shift_error",
    "quadex_error",
    "registered_metrics",
    "rroc_area_over_curve",
    "rroc_curve",
    "rroc_hull",
    "rroc_point",
    "shift_decomposition",
]
