"""Choose a model and its operating point when deployment costs are unknown, vary, or differ.

A **context** says what errors cost, a **rule** turns it into a **knob** setting, a **curve** is the
outcome along contexts, an **area** its expectation, an **envelope** says who dominates where.
"""

from roctopus._version import __version__
from roctopus.comparison import Comparison, compare
from roctopus.concepts.context_curve import ContextCurve
from roctopus.concepts.context_map import ContextMap
from roctopus.concepts.decision import Decision
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
from roctopus.concepts.envelopes import Envelope, Region, envelope
from roctopus.concepts.estimate import Estimate
from roctopus.concepts.foreign_laws import Truncated
from roctopus.concepts.output_law import Output
from roctopus.concepts.registry import estimate, registered_metrics
from roctopus.concepts.tradeoff_curve import TradeoffCurve
from roctopus.core.errors import (
    InputError,
    MissingDependencyError,
    RoctopusError,
    RoctopusWarning,
)
from roctopus.cutoff import (
    clipped_mean_absolute_error,
    cutoff_error,
    cutoff_error_curve,
    cutoff_problem,
    expected_cutoff_error,
    output_cutoff_area,
    retraining_curve,
    uniform_cutoff_area,
)
from roctopus.impact import (
    LinearUtility,
    impact_curve,
    impact_gain,
    impact_summary,
    net_benefit,
    value_minus_cutoff,
    value_times_price,
)
from roctopus.ordinal import (
    ordinal_thresholds,
    pairwise_ranking_accuracy,
    roc_surface,
    surface_volume,
    volume_under_surface,
)
from roctopus.probability import (
    brier_score,
    canonical_width,
    probabilistic_auc,
    roc_auc,
    smoothed_auc,
    smoothed_roc_curve,
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
    "Comparison",
    "ConstantShift",
    "ContextCurve",
    "ContextMap",
    "Decision",
    "Empirical",
    "Envelope",
    "Estimate",
    "Exponential",
    "Gamma",
    "Hybrid",
    "InputError",
    "LinEx",
    "LinLin",
    "LinearUtility",
    "LogNormal",
    "MissingDependencyError",
    "NoShift",
    "Normal",
    "Output",
    "PointMass",
    "PolynomialShift",
    "QuadEx",
    "QuadQuad",
    "Region",
    "RoctopusError",
    "RoctopusWarning",
    "TradeoffCurve",
    "Truncated",
    "Uniform",
    "__version__",
    "asymmetric_absolute_error",
    "asymmetric_squared_error",
    "asymmetry_cost_area",
    "asymmetry_cost_curve",
    "brier_score",
    "canonical_width",
    "clipped_mean_absolute_error",
    "compare",
    "cutoff_error",
    "cutoff_error_curve",
    "cutoff_problem",
    "distance_to_heaven",
    "envelope",
    "estimate",
    "expected_asymmetric_error",
    "expected_cutoff_error",
    "impact_curve",
    "impact_gain",
    "impact_summary",
    "linex_error",
    "net_benefit",
    "optimal_shift",
    "optimal_shift_error",
    "ordinal_thresholds",
    "output_cutoff_area",
    "pairwise_ranking_accuracy",
    "probabilistic_auc",
    "quadex_error",
    "registered_metrics",
    "retraining_curve",
    "roc_auc",
    "roc_surface",
    "rroc_area_over_curve",
    "rroc_curve",
    "rroc_hull",
    "rroc_point",
    "shift_decomposition",
    "smoothed_auc",
    "smoothed_roc_curve",
    "surface_volume",
    "uniform_cutoff_area",
    "value_minus_cutoff",
    "value_times_price",
    "volume_under_surface",
]
