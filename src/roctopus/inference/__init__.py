"""How sure can I be? Comparisons, bands, bootstrap, out-of-sample values, sample sizes."""

from roctopus.inference.assumptions import Assumed
from roctopus.inference.band import Band, BandRegion
from roctopus.inference.bands import best_along, curve_band, difference_band
from roctopus.inference.bootstrap import Bootstrap, bootstrap
from roctopus.inference.comparing import (
    PairwiseDifference,
    compare_estimates,
    may_be_best,
    pairwise_differences,
)
from roctopus.inference.deciding import (
    cases_needed,
    equivalence_pvalue,
    noninferiority_pvalue,
)
from roctopus.inference.engine import Tuning
from roctopus.inference.honest import Choice, HonestValue, honest_value
from roctopus.inference.sample_sizes import SampleSize, sample_size
from roctopus.inference.segments import SegmentValues, segment_values
from roctopus.inference.sequences import ChangeBound, ChangeSequence

__all__ = [
    "Assumed",
    "Band",
    "BandRegion",
    "Bootstrap",
    "ChangeBound",
    "ChangeSequence",
    "Choice",
    "HonestValue",
    "PairwiseDifference",
    "SampleSize",
    "SegmentValues",
    "Tuning",
    "best_along",
    "bootstrap",
    "cases_needed",
    "compare_estimates",
    "curve_band",
    "difference_band",
    "equivalence_pvalue",
    "honest_value",
    "may_be_best",
    "noninferiority_pvalue",
    "pairwise_differences",
    "sample_size",
    "segment_values",
]
