"""The mean of Φ over pairs, binned, against all pairs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr

from roctopus.core.chains import ClassScores
from roctopus.core.normal_pairs import mean_normal_order

scores = st.lists(st.floats(-50, 50, allow_nan=False), min_size=1, max_size=15).map(np.array)


@given(x=scores, y=scores, deviation=st.sampled_from([1e-6, 0.03, 1.0, 7.0, 1e4]))
def test_equals_the_mean_over_all_pairs(x, y, deviation):
    found = mean_normal_order(ClassScores.of(x, None), ClassScores.of(y, None), deviation)
    slow = ndtr((x[:, None] - y) / deviation).mean()
    rounding = 1e-15 * np.ptp(np.append(x, y)) / deviation
    assert found.value == pytest.approx(slow, abs=found.error + 1e-14 + rounding)
    assert found.error < 1e-12


def test_weights_and_offsets():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=300), rng.normal(size=200)
    w, v = rng.uniform(0.5, 2, 300), rng.uniform(0.5, 2, 200)
    near = mean_normal_order(ClassScores.of(x, w), ClassScores.of(y, v), 0.4)
    slow = np.average(ndtr((x[:, None] - y) / 0.4), weights=np.outer(w, v))
    assert near.value == pytest.approx(slow, abs=1e-12)
    far = 2.0**30  # exact sums
    moved = (np.round(each * 1024) / 1024 for each in (x, y))
    a, b = moved
    here, there = (
        mean_normal_order(ClassScores.of(a + c, w), ClassScores.of(b + c, v), 0.4).value
        for c in (0.0, far)
    )
    assert there == pytest.approx(here, abs=1e-12)
