"""One picture of every display of models, drawn from predictions."""

import numpy as np

import roctopus as rt
from roctopus import display
from roctopus.display.base import ModelDisplay

rng = np.random.default_rng(0)
X = rng.normal(size=(90, 2))
NUMBER = 10 + X @ [2.0, 1.0] + rng.normal(size=90)
LABEL = (X[:, 0] + rng.normal(size=90) > 0) * 1
GRADE = np.digitize(NUMBER, [9.0, 11.0])
CHANCES = [1 / (1 + np.exp(-(a * X[:, 0] + rng.normal(size=90)))) for a in (2.0, 0.7)]
NUMBERS = [NUMBER + rng.normal(0, s, 90) for s in (0.6, 1.5)]
GIVEN = {
    "LossComponentDisplay": {"loss": rt.QuadQuad(0.8)},
    "OrdinalThresholdDisplay": {"costs": [1, 1, 4]},
}
CLASSIFIED = {
    "CostCurveDisplay",
    "NetBenefitDisplay",
    "PrecisionRecallDisplay",
    "ReliabilityDisplay",
    "SegmentDisplay",
    "SmoothedAreaDisplay",
    "SmoothedROCDisplay",
}
GRADED = {
    "OrdinalCostDisplay",
    "OrdinalThresholdDisplay",
    "PairwiseROCDisplay",
    "ROCSurfaceDisplay",
    "SurfaceVolumeDisplay",
}
BY_CLASS = {"OrdinalThresholdDisplay", "SegmentDisplay", "ThresholdLinesDisplay"}
"""Here colours stand for classes or thresholds, and not for models."""
KINDS = [name for name in dir(display) if name.endswith("Display")]
MODELS = [name for name in KINDS if issubclass(getattr(display, name), ModelDisplay)]


def truths(kind):
    return LABEL if kind in CLASSIFIED else GRADE if kind in GRADED else NUMBER


def predictions(kind):
    return CHANCES if kind in CLASSIFIED else NUMBERS


def rows(kind):
    return slice(0, 40) if kind == "SegmentDisplay" else slice(None)


def drawn(kind, which=0, **options):
    these = rows(kind)
    options = {"name": f"model {which}", **GIVEN.get(kind, {}), **options}
    make = getattr(display, kind).from_predictions
    return make(truths(kind)[these], predictions(kind)[which][these], **options)
