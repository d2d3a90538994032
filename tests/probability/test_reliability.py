"""Bands of the reliability curve: shares by hand, all of them together, and pictures."""

import numpy as np
import pytest

import roctopus as rt
from roctopus import probability as arm
from roctopus.display import ReliabilityDisplay
from simulations import samples


def drawn(rng, size, base=0.0):
    odds = base + rng.normal(size=size)
    risk = 1.0 / (1.0 + np.exp(-odds))
    return (rng.random(size) < risk).astype(int), risk


def test_shares_by_hand():
    rng = np.random.default_rng(0)
    y, p = drawn(rng, 400)
    weight = rng.uniform(0.5, 2.0, 400)
    band = arm.reliability_curve(y, p, sample_weight=weight).band(bins=4)
    order = np.argsort(p)
    below = np.cumsum(weight[order]) - weight[order] / 2
    number = np.floor(4 * below / weight.sum()).astype(int)
    for k in range(4):
        rows = order[number == k]
        w, yes = weight[rows], y[rows]
        share = np.average(yes, weights=w)
        size = len(rows)
        error = np.sqrt(np.sum((w * (yes - share)) ** 2) * size / (size - 1)) / w.sum()
        assert band.contexts[k] == pytest.approx(np.average(p[rows], weights=w))
        assert band.value[k] == pytest.approx(share)
        assert band.standard_error[k] == pytest.approx(error)


def test_rows_of_weight_zero_are_absent():
    rng = np.random.default_rng(1)
    y, p = drawn(rng, 200)
    weight = (rng.random(200) < 0.7).astype(float)
    kept, customer = weight > 0, rng.integers(0, 40, 200)
    one = arm.reliability_curve(y, p, sample_weight=weight).band(bins=5, clusters=customer)
    other = arm.reliability_curve(y[kept], p[kept]).band(bins=5, clusters=customer[kept])
    np.testing.assert_allclose(one.value, other.value)
    np.testing.assert_allclose(one.standard_error, other.standard_error)


def test_clusters_widen_the_band():
    rng = np.random.default_rng(2)
    y, p = (np.repeat(each, 4) for each in drawn(rng, 200))  # each case four times
    curve = arm.reliability_curve(y, p)
    alone, together = curve.band(bins=5), curve.band(bins=5, clusters=np.repeat(np.arange(200), 4))
    assert np.all(together.standard_error > 1.8 * alone.standard_error)


@pytest.mark.parametrize("given", [{}, {"clusters": np.arange(400) // 4}, {"time": True}])
def test_a_bin_without_positives_is_as_sure_as_its_units_are_many(given):
    """Ten bins of 40 cases: those outside the bin say nothing about it."""
    p = np.linspace(0.01, 0.9, 400)
    y = (p > 0.1) & (np.random.default_rng(5).random(400) < p)
    found = arm.reliability_curve(y, p).band(**given)
    assert found.value[0] == found.pointwise_lower[0] == 0.0
    units = 10 if "clusters" in given else 40
    assert found.pointwise_upper[0] == pytest.approx(1 - 0.05 ** (1 / units))


@samples(200, 1000)
@pytest.mark.parametrize("base", [0.0, -2.5])
def test_the_diagonal_is_inside_for_calibrated_probabilities(base, samples):
    """Within four Monte Carlo errors, or more than 95 %: intervals of few positives are long."""
    rng = np.random.default_rng(3)
    inside = simultaneous = 0
    for _ in range(samples):
        band = arm.reliability_curve(*drawn(rng, 600, base)).band()
        held = (band.lower <= band.contexts) & (band.contexts <= band.upper)
        simultaneous += bool(held.all())
        inside += np.mean(
            (band.pointwise_lower <= band.contexts) & (band.contexts <= band.pointwise_upper)
        )
    assert simultaneous / samples > 0.95 - 4 * np.sqrt(0.95 * 0.05 / samples)
    assert 0.93 <= inside / samples <= 0.985


def test_a_curve_of_numbers_only_has_no_band():
    curve = arm.ReliabilityCurve(np.array([0.2]), np.array([0.3]), np.array([1.0]))
    with pytest.raises(
        rt.InputError, match=r"made without cases.* Make the curve with reliability_curve"
    ):
        curve.band()


def test_bands_are_drawn_as_intervals():
    y, p = drawn(np.random.default_rng(4), 300)
    display = ReliabilityDisplay.from_predictions(y, p, bands=True)
    (bars,) = display.ax_.containers
    band = display.curves["model"].band()
    np.testing.assert_array_equal(bars.lines[0].get_xdata(), band.contexts)
    (ends,) = bars.lines[2]
    low, high = np.transpose([segment[:, 1] for segment in ends.get_segments()])
    np.testing.assert_allclose([low, high], [band.lower, band.upper])
    assert arm.reliability_curve(y, p).band().plot().ax_.get_xlabel() == "probability"
