"""The bootstrap: what is drawn together, totals, rows of weight zero, any unit."""

import numpy as np
import pytest

import roctopus as rt
from roctopus import impact as impact_arm
from roctopus import inference
from roctopus.inference.bootstrap import Bootstrap


def test_bootstrap_keeps_rows_and_their_utilities_together():
    rng = np.random.default_rng(0)
    y = rng.normal(size=200) + 1.0
    s = y + rng.normal(size=200)
    ready = inference.bootstrap(
        impact_arm.impact, y, s, utility=rt.value_minus_cutoff(y), theta=1.0, replicates=200
    )
    made = inference.bootstrap(
        impact_arm.impact, y, s, utility=rt.value_minus_cutoff, theta=1.0, replicates=200
    )
    assert ready.replicates.mean() == pytest.approx(made.replicates.mean(), rel=0.05)


@pytest.mark.parametrize("resampling", ["poisson", "multinomial"])
def test_bootstrap_of_a_total_takes_the_total_weight_as_fixed(resampling):
    rng = np.random.default_rng(0)
    p = 5.0 + rng.normal(size=200)
    for metric in (rt.regression.over_estimation, rt.rroc_area_over_curve):
        found = inference.bootstrap(metric, np.zeros(200), p, replicates=400, resampling=resampling)
        plain = rt.estimate(metric, np.zeros(200), p)
        assert found.standard_error == pytest.approx(plain.standard_error, rel=0.2)


def test_bootstrap_leaves_out_rows_of_weight_zero():
    rng = np.random.default_rng(0)
    y, p = rng.integers(0, 2, 360), rng.random(360)
    weight = np.zeros(360)
    weight[np.flatnonzero(y == 0)[:15]] = weight[np.flatnonzero(y == 1)[:15]] = 1.0
    live = weight > 0
    options = {"replicates": 200, "resampling": "multinomial"}
    found = inference.bootstrap(rt.roc_auc, y, p, sample_weight=weight, **options)
    alone = inference.bootstrap(rt.roc_auc, y[live], p[live], **options)
    assert len(found.replicates) == 200
    assert found.standard_error == pytest.approx(alone.standard_error, rel=0.25)


def test_bca_does_not_turn_round():
    low, high = Bootstrap(100.0, np.arange(1000.0) / 20, 0.16).confidence_interval(0.999)
    assert low <= high


@pytest.mark.parametrize("unit", [1e150, 1e-160])
def test_bootstrap_in_any_unit(unit):
    rng = np.random.default_rng(0)
    y = rng.normal(size=50)
    p = y + rng.normal(size=50)
    plain, scaled = (
        inference.bootstrap(
            rt.asymmetric_absolute_error, y * u, p * u, asymmetry=0.5, replicates=200
        ).confidence_interval()
        for u in (1.0, unit)
    )
    assert np.array(scaled) / unit == pytest.approx(np.array(plain), rel=1e-6)
