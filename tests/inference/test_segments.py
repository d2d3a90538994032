"""A setting of its own for every segment."""

import numpy as np
import pytest

import roctopus as rt
from roctopus import inference

TUNING = rt.regression.ShiftTuning(rt.LinLin(0.5))


def test_segments_that_want_to_reject_all():
    rng = np.random.default_rng(0)
    segment = np.repeat(["low", "high"], 1500)
    y = (rng.random(3000) < np.where(segment == "low", 0.1, 0.9)).astype(float)
    found = inference.segment_values(
        rt.probability.ThresholdTuning(1.0, 1.0), y, rng.random(3000), by=segment
    )
    assert found.gain.value > 0.25
    assert found.knobs["low"][0] > 0.9


def test_segments_of_single_cases_share_a_knob():
    z = np.random.default_rng(0).normal(size=200)
    found = inference.segment_values(TUNING, z, 0 * z, by=np.arange(200))
    assert all(knob == pytest.approx(found.pooled) for knob in found.knobs.values())
