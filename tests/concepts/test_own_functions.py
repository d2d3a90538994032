"""Functions of the user's own: influence values by the jackknife, groups, clusters, time."""

import math

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import mean_squared_error, roc_auc_score

import roctopus as rt
from roctopus.inference import bootstrap


def drawn(size, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, size)
    return y, y + rng.normal(size=size), y + rng.normal(size=size)


def root_mean_square(y_true, y_pred):
    return math.sqrt(np.mean((np.asarray(y_pred) - np.asarray(y_true)) ** 2))


def mean_square(y_true, y_pred, *, power=2.0, sample_weight=None):
    return np.average(np.abs(y_pred - y_true) ** power, weights=sample_weight)


def median_error(y_true, y_pred):
    return np.median(np.abs(np.asarray(y_pred) - np.asarray(y_true)))


def test_leaving_out_is_the_jackknife():
    y, a, _ = drawn(40)
    left_out = [root_mean_square(np.delete(y, i), np.delete(a, i)) for i in range(40)]
    jackknife = math.sqrt(39 / 40 * np.sum((left_out - np.mean(left_out)) ** 2))
    for truth, prediction in ((y, a), (list(y), list(a)), (pd.Series(y), pd.Series(a))):
        found = rt.estimate(root_mean_square, truth, prediction)
        assert found.value == root_mean_square(y, a)
        assert found.standard_error == pytest.approx(jackknife, rel=1e-9)
        assert found.influence.sum() == pytest.approx(0, abs=1e-9)


def test_weighting_is_the_influence_function():
    y, a, b = drawn(200)
    weight = np.random.default_rng(1).integers(0, 4, 200).astype(float)
    own, known = (
        [rt.estimate(f, y, each, sample_weight=weight) for each in (a, b)]
        for f in (roc_auc_score, rt.roc_auc)
    )
    weighted_sum = np.sum(weight * own[0].influence)
    assert weighted_sum == pytest.approx(0, abs=1e-9)
    for mine, its in zip(own, known, strict=True):
        np.testing.assert_allclose(mine.influence, its.influence, rtol=1e-3, atol=1e-4)
    assert (own[0] - own[1]).value == pytest.approx((known[0] - known[1]).value)
    # The AUC's own error takes class sizes as fixed.
    ratio = (own[0] - own[1]).standard_error / (known[0] - known[1]).standard_error
    assert ratio == pytest.approx(1, rel=0.01)


def test_a_weighted_row_of_zero_is_absent():
    y, a, _ = drawn(60)
    weight = np.arange(60) % 3.0
    full = rt.estimate(mean_square, y, a, sample_weight=weight, power=3.0)
    kept = weight > 0
    short = rt.estimate(mean_square, y[kept], a[kept], sample_weight=weight[kept], power=3.0)
    assert full.value == pytest.approx(short.value)
    assert full.standard_error == pytest.approx(short.standard_error, rel=1e-6)
    assert not full.influence[~kept].any()


@pytest.mark.parametrize("dependent", ["clusters", "time", "both"])
def test_clusters_and_time_are_those_of_a_metric(dependent):
    y, a, b = drawn(150)
    given = {"clusters": np.arange(150) // 5, "time": np.arange(150) // 2}
    if dependent != "both":
        given = {dependent: given[dependent]}
    mine, its = (
        rt.estimate(f, y, a, **given) - rt.estimate(f, y, b, **given)
        for f in (mean_squared_error, lambda y, p: mean_squared_error(y, p))
    )
    losses = (a - y) ** 2 - (b - y) ** 2
    exact = rt.estimate(rt.asymmetric_squared_error, y, a, asymmetry=0.5, **given)
    exact = exact - rt.estimate(rt.asymmetric_squared_error, y, b, asymmetry=0.5, **given)
    assert mine.value == pytest.approx(losses.mean())
    assert mine.standard_error == pytest.approx(exact.standard_error, rel=1e-3)
    assert its.standard_error == pytest.approx(exact.standard_error, rel=0.03)


@pytest.mark.parametrize("dependent", [{}, {"clusters": True}, {"time": True}])
def test_many_cases_are_moved_in_groups(dependent):
    y, a, b = drawn(5000)
    if "clusters" in dependent:
        dependent = {"clusters": np.arange(5000) // 4}
    calls = []

    def counted(y_true, y_pred, sample_weight=None):
        calls.append(1)
        return mean_square(y_true, y_pred, sample_weight=sample_weight)

    found = rt.estimate(counted, y, a, **dependent) - rt.estimate(counted, y, b, **dependent)
    exact = np.std((a - y) ** 2 - (b - y) ** 2) / math.sqrt(5000)
    assert found.standard_error == pytest.approx(exact, rel=0.15)
    assert found.size == 5000
    assert len(calls) < 2 * 550


def test_what_jumps_is_told_apart_and_has_a_rough_error():
    y, a, _ = drawn(300, seed=1)
    with pytest.warns(rt.RoctopusWarning, match="median_error seems to jump when single cases"):
        found = rt.estimate(median_error, y, a)
    with pytest.warns(rt.RoctopusWarning, match="seems to jump"):
        resampled = bootstrap(median_error, y, a, replicates=300)
    assert resampled.value == found.value == median_error(y, a)
    assert 0.4 < found.standard_error / resampled.standard_error < 2.5


def test_the_bootstrap_agrees():
    y, a, _ = drawn(300)
    for function in (root_mean_square, mean_square):
        found = rt.estimate(function, y, a)
        for given in ({}, {"resampling": "multinomial"}, {"clusters": np.arange(300) // 2}):
            resampled = bootstrap(function, y, a, replicates=400, **given)
            ratio = resampled.standard_error / found.standard_error
            assert ratio == pytest.approx(1, rel=0.2)
            assert resampled.confidence_interval().low < found.value
    named = bootstrap("roc_auc", y, a, replicates=100)
    assert named.value == rt.roc_auc(y, a)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda: rt.estimate(median_error, [1, 2]),
            "'y_true' and 'y_pred', but 'y_pred' is missing",
        ),
        (lambda: rt.estimate(median_error, [1, 2], [1, 2], [1, 1]), "all other arguments by name"),
        (lambda: rt.estimate(median_error, [1, 2], [1]), "has 2 values and 'y_pred' has 1 value"),
        (
            lambda: rt.estimate(median_error, [1, 2], [1, 2], sample_weight=[1, 1]),
            "the function median_error has no argument of this name",
        ),
        (
            lambda: rt.estimate(mean_square, [1, 2], [1, 2], sample_weight=[1, -1]),
            "'sample_weight' is negative in row 1",
        ),
        (lambda: rt.estimate(lambda y, p: "much", [1, 2], [1, 2]), "returned 'much'"),
        (
            lambda: rt.estimate(lambda y, p: math.nan, [1, 2], [1, 2]),
            "returned nan. It must return a number",
        ),
    ],
)
def test_what_is_wrong_is_said(call, sentence):
    with pytest.raises(rt.InputError, match=sentence):
        call()


def test_what_a_function_raises_is_the_cause_of_an_error_that_names_it():
    y, a, _ = drawn(20)
    for call in (rt.estimate, bootstrap):
        with pytest.raises(
            rt.InputError, match=r"Calling len .* \(TypeError: .*exactly one"
        ) as caught:
            call(len, y, a)
        assert isinstance(caught.value.__cause__, TypeError)


def test_columns_that_are_read_only_once_raise_an_error():
    with pytest.raises(
        rt.InputError, match="'y_pred' must contain one value per case, but is of type list_it"
    ):
        rt.estimate(root_mean_square, [1.0, 2.0], iter([1.0, 2.0]))
