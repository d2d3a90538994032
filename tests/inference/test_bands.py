"""Bands along curves, and the best model along them."""

import numpy as np
import pytest

import roctopus as rt
from roctopus import inference
from simulations import samples


def test_bands_are_no_narrower_than_intervals():
    rng = np.random.default_rng(0)
    y, p = rng.normal(size=100), rng.normal(size=100)
    for seed in range(5):
        band = inference.curve_band(rt.cutoff_error, y, p, along={"cutoff": [0.0, 1e-9]}, rng=seed)
        assert band.quantile >= band.pointwise
    with pytest.raises(rt.InputError, match="must be the difference between two estimates"):
        inference.equivalence_pvalue(0.1, margin=1.0)


@samples(100, 600)
def test_best_along_where_the_best_changes(samples):
    """Near ties that cross: the best of both contexts is kept in 95 % of samples, together."""
    rng = np.random.default_rng(0)
    missed = 0
    for _ in range(samples):
        a, b = rng.normal(size=200) + 1e-3, rng.normal(size=200) - 1e-3
        found = inference.best_along(
            rt.asymmetric_absolute_error,
            np.zeros(200),
            {"a": a, "b": b},
            along={"asymmetry": [0.495, 0.505]},
        )
        missed += not ("b" in found[0.495] and "a" in found[0.505])
    assert missed / samples <= 0.07


def test_bands_of_rare_events_from_very_many_cases():
    rng = np.random.default_rng(0)
    y = np.zeros(200_000)
    y[:60] = 1
    score = rng.normal(size=len(y)) + 1.5 * y
    along = {"threshold": np.linspace(0.5, 2.5, 15)}
    rate = rt.probability.true_positive_rate
    few = inference.curve_band(rate, y[:300], score[:300], along=along)
    for seed in range(3):
        many = inference.curve_band(rate, y, score, along=along, rng=seed)
        assert many.quantile == pytest.approx(few.quantile, abs=0.06)
