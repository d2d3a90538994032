"""Intervals on the right scale, for clusters and for time; degenerate cases."""

import numpy as np
import pandas as pd
import pytest
import scipy.stats

import roctopus as rt
from roctopus import inference

rng = np.random.default_rng(0)
Y = rng.normal(size=300)
P = Y + rng.normal(size=300)


def test_means_have_students_interval():
    loss = np.abs(P - Y)
    found = rt.estimate(rt.uniform_cutoff_area, Y, P)
    want = scipy.stats.ttest_1samp(loss, 0).confidence_interval(0.9)
    assert found.confidence_interval(0.9) == pytest.approx((want.low, want.high), rel=1e-12)


def test_clusters_are_what_is_independent():
    """Cluster sums of a mean: the textbook formula."""
    clusters = np.repeat(np.arange(60), 5)
    found = rt.estimate(rt.uniform_cutoff_area, Y, P, clusters=clusters)
    loss = np.abs(P - Y)
    sums = np.bincount(clusters, loss - loss.mean())
    assert found.standard_error == pytest.approx(
        np.sqrt(60 / 59 * np.sum(sums**2)) / 300, rel=1e-12
    )
    assert found.freedom == pytest.approx(59.0)
    labels = [f"patient {k}" for k in clusters]
    for same in (labels, pd.Series(labels), clusters[::-1][::-1]):
        again = rt.estimate(rt.uniform_cutoff_area, Y, P, clusters=same)
        assert again.standard_error == pytest.approx(found.standard_error, rel=1e-12)
    alone = rt.estimate(rt.uniform_cutoff_area, Y, P, clusters=np.arange(300))
    plain = rt.estimate(rt.uniform_cutoff_area, Y, P)
    assert alone.standard_error == pytest.approx(plain.standard_error, rel=1e-12)


@pytest.mark.filterwarnings("ignore:Most of the variance .* comes from about")
def test_clustered_rows_naive_and_ours():
    """Ten rows per patient who share their error: the naive interval covers < 85 %, ours ≥ 92 %."""
    generator = np.random.default_rng(1)
    truth = np.sqrt(2 / np.pi) * np.sqrt(1.25)
    naive = ours = 0
    ids = np.repeat(np.arange(50), 10)
    for _ in range(400):
        error = generator.normal(size=50)[ids] + 0.5 * generator.normal(size=500)
        y = generator.normal(size=500)
        for clusters in (None, ids):
            found = rt.estimate(rt.uniform_cutoff_area, y, y + error, clusters=clusters)
            low, high = found.confidence_interval()
            if clusters is None:
                naive += low <= truth <= high
            else:
                ours += low <= truth <= high
    assert naive / 400 < 0.85
    assert ours / 400 >= 0.92


def test_autocorrelated_errors_naive_and_ours():
    """Errors of a first-order process with ρ = 0.6."""
    generator = np.random.default_rng(2)
    n, rho = 500, 0.6
    truth = np.sqrt(2 / np.pi) / np.sqrt(1 - rho**2)
    naive = ours = 0
    for _ in range(400):
        noise = generator.normal(size=n + 100)
        error = np.empty(n + 100)
        error[0] = noise[0]
        for t in range(1, n + 100):
            error[t] = rho * error[t - 1] + noise[t]
        error = error[100:]
        y = generator.normal(size=n)
        for time in (None, True):
            found = rt.estimate(
                rt.regression.over_estimation, y, y + error, normalize=True, time=time
            )
            low, high = found.confidence_interval()
            if time:
                ours += low <= 0.5 * truth <= high
            else:
                naive += low <= 0.5 * truth <= high
    assert naive / 400 < 0.85
    assert ours / 400 >= 0.92


def test_no_autocorrelation_changes_little():
    plain = rt.estimate(rt.uniform_cutoff_area, Y, P)
    by_data = rt.estimate(rt.uniform_cutoff_area, Y, P, time=True)
    assert by_data.standard_error == pytest.approx(plain.standard_error, rel=0.25)


def test_scales():
    area = rt.estimate(rt.rroc_area_over_curve, Y, P, normalize=True)
    low, high = area.confidence_interval(method="log")
    assert np.log(high) + np.log(low) == pytest.approx(2 * np.log(area.value))
    plain = area.confidence_interval(method="plain")
    assert plain.high + plain.low == pytest.approx(2 * area.value)
    safer = area.confidence_interval(method="studentized")
    assert safer == area.confidence_interval(method="studentized")  # reproducible
    assert 0 < safer.low < area.value < safer.high


def test_heavy_tails_are_said_to_be_heavy():
    generator = np.random.default_rng(3)
    y = generator.normal(size=400)
    p = y + generator.lognormal(0.0, 1.5, 400)
    found = rt.estimate(rt.rroc_area_over_curve, y, p, normalize=True)
    with pytest.warns(rt.RoctopusWarning, match="variance .* of 400 cases, as with a heavy tail"):
        usual = found.confidence_interval()
    assert usual.high > found.confidence_interval(method="log").high


def test_values_at_the_end_of_their_range():
    y = np.repeat([0, 1], [30, 20])
    found = rt.estimate(rt.roc_auc, y, y + 0.1 * np.arange(50) / 50)
    assert found.value == 1.0
    with pytest.warns(
        rt.RoctopusWarning, match=r"the largest possible one\. The interval is one-sided"
    ):
        low, high = found.confidence_interval()
    assert (low, high) == (pytest.approx(0.05 ** (1 / 20)), 1.0)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda: rt.estimate(rt.uniform_cutoff_area, Y, P, clusters=[1, 2]),
            "'clusters' must have one label per case (300), but has 2.",
        ),
        (
            lambda: rt.estimate(rt.uniform_cutoff_area, Y, P, clusters=np.zeros(300)),
            "'clusters' has only one group.",
        ),
        (
            lambda: rt.estimate(rt.uniform_cutoff_area, [1, 2], [1, 3], clusters=[1, None]),
            "'clusters' has no label in row 1",
        ),
        (
            lambda: rt.estimate(rt.uniform_cutoff_area, Y, P, time=np.zeros(300)),
            "'time' has only one time.",
        ),
        (
            lambda: rt.estimate(rt.uniform_cutoff_area, Y, P, time=np.zeros(299)),
            "'time' must have one time per case, but has 299 times for 300 cases.",
        ),
        (
            lambda: rt.estimate(rt.uniform_cutoff_area, [1.0], [2.0]).standard_error,
            "A standard error needs at least two cases, but there is only one.",
        ),
        (
            lambda: rt.estimate(rt.roc_auc, [0, 1, 1], [0.1, 0.2, 0.3]).standard_error,
            "A standard error needs at least two cases in every class, but a class has only one.",
        ),
        (
            lambda: rt.estimate(rt.uniform_cutoff_area, Y, P).confidence_interval(1.0),
            "'confidence_level' must be greater than 0 and less than 1, but is 1.",
        ),
        (
            lambda: rt.estimate(rt.uniform_cutoff_area, Y, P).confidence_interval(
                method="studentized", rng="dice"
            ),
            "'rng' must be a seed (a whole number of at least 0) or a Generator, but is 'dice'.",
        ),
        (
            lambda: (
                rt.estimate(rt.uniform_cutoff_area, Y, P, time=True)
                - rt.estimate(rt.uniform_cutoff_area, Y, P)
            ),
            "needs the same times in both",
        ),
        (
            lambda: inference.bootstrap(rt.uniform_cutoff_area, Y, P, rng=-1),
            "'rng' must be a seed",
        ),
        (
            lambda: inference.bootstrap(rt.uniform_cutoff_area, Y, P, replicates=1),
            "'replicates' must be",
        ),
        (
            lambda: inference.curve_band(rt.cutoff_error, Y, P, along=[1, 2]),
            "'along' must be a dictionary with one name",
        ),
        (
            lambda: inference.compare_estimates(
                rt.uniform_cutoff_area, Y, {"a": P, "b": np.append(P[:-1], np.nan)}
            ),
            "Model 'b': 'y_pred' has missing values",
        ),
        (
            lambda: inference.honest_value(
                rt.regression.ShiftTuning(rt.LinLin(0.5)), [1, 2, 3], [1, 2, 3], cv=5
            ),
            "5 folds, which need at least 5 cases, but there are only 3.",
        ),
    ],
)
def test_refusals(call, sentence):
    with pytest.raises(rt.InputError) as caught:
        call()
    assert sentence in str(caught.value)
