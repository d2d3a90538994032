"""The public names: read by type checkers, editors, and ``__init__.py``."""

from roctopus.ordinal.cost_curves import ordinal_cost_curve as ordinal_cost_curve
from roctopus.ordinal.labels import OrdinalConfusion as OrdinalConfusion
from roctopus.ordinal.labels import ordinal_confusion as ordinal_confusion
from roctopus.ordinal.labels import ordinal_table as ordinal_table
from roctopus.ordinal.pairs import ClassPairAUC as ClassPairAUC
from roctopus.ordinal.pairs import class_pair_auc as class_pair_auc
from roctopus.ordinal.pairs import pairwise_ranking_accuracy as pairwise_ranking_accuracy
from roctopus.ordinal.pairs import pairwise_roc_curves as pairwise_roc_curves
from roctopus.ordinal.scores import score_from_probabilities as score_from_probabilities
from roctopus.ordinal.surface import ROCSurface as ROCSurface
from roctopus.ordinal.surface import SurfacePoints as SurfacePoints
from roctopus.ordinal.surface import roc_surface as roc_surface
from roctopus.ordinal.thresholds import OrdinalThresholds as OrdinalThresholds
from roctopus.ordinal.thresholds import OrdinalTuning as OrdinalTuning
from roctopus.ordinal.thresholds import grade_scores as grade_scores
from roctopus.ordinal.thresholds import ordinal_thresholds as ordinal_thresholds
from roctopus.ordinal.trend import JonckheereTest as JonckheereTest
from roctopus.ordinal.trend import jonckheere_test as jonckheere_test
from roctopus.ordinal.volume import SurfaceVolume as SurfaceVolume
from roctopus.ordinal.volume import VolumeVariances as VolumeVariances
from roctopus.ordinal.volume import compare_volumes as compare_volumes
from roctopus.ordinal.volume import surface_volume as surface_volume
from roctopus.ordinal.volume import volume_under_surface as volume_under_surface
from roctopus.ordinal.volume import volume_variances as volume_variances
