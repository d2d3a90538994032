"""Cases are graded into ordered classes: does the ranking hold, and where to cut."""

from roctopus.ordinal.cost_curves import ordinal_cost_curve
from roctopus.ordinal.labels import OrdinalConfusion, ordinal_confusion, ordinal_table
from roctopus.ordinal.pairs import (
    ClassPairAUC,
    class_pair_auc,
    pairwise_ranking_accuracy,
    pairwise_roc_curves,
)
from roctopus.ordinal.scores import score_from_probabilities
from roctopus.ordinal.surface import ROCSurface, SurfacePoints, roc_surface
from roctopus.ordinal.thresholds import OrdinalThresholds, grade_scores, ordinal_thresholds
from roctopus.ordinal.trend import JonckheereTest, jonckheere_test
from roctopus.ordinal.tuning import OrdinalTuning
from roctopus.ordinal.two_chains import VolumeVariances, volume_variances
from roctopus.ordinal.volume import (
    SurfaceVolume,
    compare_volumes,
    surface_volume,
    volume_under_surface,
)

__all__ = [
    "ClassPairAUC",
    "JonckheereTest",
    "OrdinalConfusion",
    "OrdinalThresholds",
    "OrdinalTuning",
    "ROCSurface",
    "SurfacePoints",
    "SurfaceVolume",
    "VolumeVariances",
    "class_pair_auc",
    "compare_volumes",
    "grade_scores",
    "jonckheere_test",
    "ordinal_confusion",
    "ordinal_cost_curve",
    "ordinal_table",
    "ordinal_thresholds",
    "pairwise_ranking_accuracy",
    "pairwise_roc_curves",
    "roc_surface",
    "score_from_probabilities",
    "surface_volume",
    "volume_under_surface",
    "volume_variances",
]
