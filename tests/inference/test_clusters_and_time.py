"""Cases that depend on each other: clusters of any library, time, and their order."""

import numpy as np
import pandas as pd
import pytest
import torch

import roctopus as rt
from roctopus import inference

TUNING = rt.regression.ShiftTuning(rt.LinLin(0.5))


@pytest.mark.parametrize(
    "clusters",
    [torch.arange(200) // 10, (np.arange(200) // 10).tolist(), pd.Series(range(200)) // 10],
)
def test_clusters_of_any_library(clusters):
    y = np.random.default_rng(0).normal(size=200)
    found = rt.estimate(rt.uniform_cutoff_area, y, y[::-1], clusters=clusters)
    assert found.unit_sizes.tolist() == [20.0]


@pytest.mark.parametrize(
    ("clusters", "sentence"),
    [
        (pd.Series([1, None, 2], dtype="Int64"), "'clusters' has no label in row 1"),
        ([1, pd.NA, 2], "'clusters' has no label in row 1"),
        ([[1], [2], [3]], "'clusters' must contain one label per case"),
        (5, "'clusters' must contain one label per case"),
    ],
)
def test_bad_clusters(clusters, sentence):
    with pytest.raises(rt.InputError) as caught:
        rt.estimate(rt.uniform_cutoff_area, [1, 2, 3], [2, 3, 1], clusters=clusters)
    assert sentence in str(caught.value)


def test_time_without_rows_of_weight_zero():
    rng = np.random.default_rng(0)
    y, p = rng.normal(size=100), rng.normal(size=100)
    weight = np.zeros(100)
    weight[::3] = 1.0
    live = weight > 0
    found = rt.estimate(rt.uniform_cutoff_area, y, p, sample_weight=weight, time=True)
    alone = rt.estimate(rt.uniform_cutoff_area, y[live], p[live], time=True)
    assert found.standard_error == pytest.approx(alone.standard_error, rel=1e-10)


def test_columns_in_another_order_are_refused():
    rng = np.random.default_rng(0)
    y = pd.Series(rng.normal(size=60))
    p = y + rng.normal(size=60)
    mixed = pd.Series(np.arange(60) // 3).sample(frac=1, random_state=0)
    with pytest.raises(rt.InputError, match="'clusters' have the same index labels in different"):
        rt.estimate(rt.asymmetric_absolute_error, y, p, asymmetry=0.5, clusters=mixed)
    with pytest.raises(rt.InputError, match="in different orders"):
        inference.honest_value(TUNING, y, p, clusters=mixed)
    with pytest.raises(rt.InputError, match="in different orders"):
        inference.segment_values(TUNING, y, p, by=mixed)
    with pytest.raises(rt.InputError, match="in different orders"):
        inference.difference_band(
            rt.cutoff_error, y, p, p.sample(frac=1, random_state=0), along={"cutoff": [0.0]}
        )
