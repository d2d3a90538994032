"""What an independent review found, each as a test."""

import numpy as np
import pandas as pd
import pytest
import torch
from sklearn.model_selection import KFold, RepeatedKFold, ShuffleSplit

import roctopus as rt
from roctopus import impact as impact_arm
from roctopus import inference
from roctopus.inference.bootstrap import Bootstrap

MSE = rt.asymmetric_squared_error


def autocorrelated(rng, n, rho=0.5):
    noise = rng.normal(size=n)
    for t in range(1, n):
        noise[t] += rho * noise[t - 1]
    return noise


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


def test_joint_covariances_over_time():
    negative = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        y = rng.normal(size=120)
        common = autocorrelated(rng, 120)
        models = {f"m{k}": y + common + 0.1 * rng.normal(size=120) for k in range(4)}
        joint = inference.compare_estimates(MSE, y, models, asymmetry=0.5, hac=True)
        negative += np.linalg.eigvalsh(joint.covariance).min() < -1e-12
        assert inference.may_be_best(joint)
        assert 0 <= joint.pvalue <= 1
        gap = joint.difference("m0", "m1")
        spread = joint.covariance[0, 0] + joint.covariance[1, 1] - 2 * joint.covariance[0, 1]
        assert spread == pytest.approx(gap.standard_error**2, rel=1e-6, abs=1e-12)
    assert negative == 0


def test_what_models_share_does_not_drown_their_difference():
    kept = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        common = 1e8 + 1e7 * rng.normal(size=200)
        models = {f"m{k}": common + 1e-2 * rng.normal(size=200) for k in range(3)}
        joint = inference.compare_estimates(
            rt.asymmetric_absolute_error, np.zeros(200), models, asymmetry=0.5
        )
        kept += "m0" in inference.may_be_best(joint)
    assert kept >= 36


def test_few_clusters():
    rejected = excluded = 0
    for seed in range(150):
        rng = np.random.default_rng(seed)
        ids = np.repeat(np.arange(8), 10)
        y = rng.normal(size=80)
        models = {f"m{k}": y + rng.normal(size=8)[ids] + rng.normal(size=80) for k in range(3)}
        joint = inference.compare_estimates(
            rt.asymmetric_absolute_error, y, models, asymmetry=0.5, clusters=ids
        )
        rejected += joint.pvalue < 0.05
        excluded += "m0" not in inference.may_be_best(joint)
    assert rejected / 150 <= 0.1
    assert excluded / 150 <= 0.1
    ids = np.repeat(np.arange(2), 40)
    joint = inference.compare_estimates(
        rt.asymmetric_absolute_error, y, models, asymmetry=0.5, clusters=ids
    )
    with pytest.raises(rt.InputError, match="2 independent units are too few to compare 3 models"):
        _ = joint.pvalue
    band = inference.curve_band(
        rt.cutoff_error, y, models["m0"], along={"cutoff": [0.0]}, clusters=np.repeat(range(8), 10)
    )
    single = rt.estimate(
        rt.cutoff_error, y, models["m0"], cutoff=0.0, clusters=np.repeat(range(8), 10)
    )
    low, high = single.confidence_interval(method="plain")
    assert (band.pointwise_lower[0], band.pointwise_upper[0]) == pytest.approx((low, high))


def test_more_is_better_for_gains():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    models = {"good": y + 0.3 * rng.normal(size=200), "bad": y + 5.0 * rng.normal(size=200)}
    assert inference.may_be_best(inference.compare_estimates(rt.roc_auc, y, models)) == ("good",)
    assert inference.may_be_best(rt.probability.compare_aucs(y, models)) == ("good",)
    bare = rt.concepts.joint.JointEstimates.of(
        {name: rt.estimate(rt.roc_auc, y, s) for name, s in models.items()}
    )
    with pytest.raises(rt.InputError, match="'sense' must be 'loss' or 'gain', got None"):
        inference.may_be_best(bare)


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
        (pd.Series([1, None, 2], dtype="Int64"), "'clusters' is missing in row 1"),
        ([1, pd.NA, 2], "'clusters' is missing in row 1"),
        ([[1], [2], [3]], "'clusters' must hold one label per case"),
        (5, "'clusters' must hold one label per case"),
    ],
)
def test_bad_clusters(clusters, sentence):
    with pytest.raises(rt.InputError) as caught:
        rt.estimate(rt.uniform_cutoff_area, [1, 2, 3], [2, 3, 1], clusters=clusters)
    assert sentence in str(caught.value)


TUNING = inference.ShiftTuning(rt.LinLin(0.5))


@pytest.mark.filterwarnings("ignore:The groups parameter is ignored")
def test_splits_that_repeat_or_leave_rows_out():
    rng = np.random.default_rng(0)
    y = rng.normal(size=100)
    p = y + rng.normal(size=100)
    repeated = inference.honest_value(
        TUNING, y, p, splitter=RepeatedKFold(n_splits=5, n_repeats=3, random_state=0)
    )
    assert repeated.estimate.size == 100
    assert len(repeated.fold_choices) == 15
    some = ShuffleSplit(2, test_size=0.2, random_state=0)
    with pytest.warns(rt.RoctopusWarning, match="of 100 cases; the others are left out"):
        part = inference.honest_value(TUNING, y, p, splitter=some)
    assert part.estimate.size < 50
    with pytest.warns(rt.RoctopusWarning, match="of 100 cases"):
        found = inference.segment_values(TUNING, y, p, by=np.arange(100) % 2, splitter=some)
    assert all(abs(each.value) < 3.0 for each in found.values.values())
    ids = np.arange(100) // 5
    torn = KFold(4, shuffle=True, random_state=0)
    with pytest.raises(rt.InputError, match="'splitter' tears clusters apart"):
        inference.honest_value(TUNING, y, p, splitter=torn, clusters=ids)
    with pytest.raises(rt.InputError, match="learns from the future"):
        inference.honest_value(TUNING, y, p, splitter=KFold(4), time_ordered=True)
    with pytest.raises(rt.InputError, match="Give 'clusters' or 'time_ordered', not both"):
        inference.honest_value(TUNING, y, p, clusters=ids, time_ordered=True)


def test_segments_that_want_to_reject_all():
    rng = np.random.default_rng(0)
    segment = np.repeat(["low", "high"], 1500)
    y = (rng.random(3000) < np.where(segment == "low", 0.1, 0.9)).astype(float)
    found = inference.segment_values(
        inference.ThresholdTuning(1.0, 1.0), y, rng.random(3000), by=segment
    )
    assert found.gain.value > 0.25
    assert found.knobs["low"][0] > 0.9


def test_classes_missing_in_a_fold():
    y = np.array([0.0, 1.0] * 20 + [2.0])
    with pytest.raises(rt.InputError, match="has no cases"):
        inference.honest_value(inference.OrdinalTuning(), y, y + 0.1, splitter=5)
    with pytest.raises(rt.InputError, match="none of the classes"):
        inference.honest_value(inference.OrdinalTuning(), y + 1.0, y, splitter=5)


def test_time_without_rows_of_weight_zero():
    rng = np.random.default_rng(0)
    y, p = rng.normal(size=100), rng.normal(size=100)
    weight = np.zeros(100)
    weight[::3] = 1.0
    live = weight > 0
    for hac in (True, 5):
        found = rt.estimate(rt.uniform_cutoff_area, y, p, sample_weight=weight, hac=hac)
        alone = rt.estimate(rt.uniform_cutoff_area, y[live], p[live], hac=hac)
        assert found.standard_error == pytest.approx(alone.standard_error, rel=1e-10)


@pytest.mark.parametrize("seed", range(6))
def test_perfect_rankings_with_weights_and_clusters(seed):
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1], 20)
    found = rt.estimate(
        rt.roc_auc, y, y + 0.1, sample_weight=rng.uniform(0.3, 2, 40), clusters=np.arange(40) % 10
    )
    with pytest.warns(rt.RoctopusWarning, match="one-sided"):
        low, high = found.confidence_interval()
    assert 0.5 < low < high == pytest.approx(1.0)


def test_studentized_intervals_of_few_cases_and_on_their_scale():
    rng = np.random.default_rng(0)
    few = rt.estimate(rt.uniform_cutoff_area, [1.0, 2.0, 4.0], [2.0, 1.0, 9.0])
    with pytest.raises(rt.InputError, match="need at least ten cases"):
        few.confidence_interval(method="studentized")
    y = rng.normal(size=40)
    area = rt.estimate(rt.rroc_area_over_curve, y, y + rng.lognormal(size=40), normalize=True)
    low, high = area.confidence_interval(method="studentized")
    assert 0 < low < area.value < high < 50 * area.value
    auc = rt.estimate(rt.roc_auc, (y > 0).astype(int), y + rng.normal(size=40))
    low, high = auc.confidence_interval(method="studentized")
    assert 0 < low < auc.value < high < 1


def test_bands_are_no_narrower_than_intervals():
    rng = np.random.default_rng(0)
    y, p = rng.normal(size=100), rng.normal(size=100)
    for seed in range(5):
        band = inference.curve_band(rt.cutoff_error, y, p, along={"cutoff": [0.0, 1e-9]}, rng=seed)
        assert band.quantile >= band.pointwise
    with pytest.raises(rt.InputError, match="must be a difference of estimates"):
        inference.equivalence_pvalue(0.1, margin=1.0)


def test_labels_of_thresholds():
    rng = np.random.default_rng(0)
    score = rng.random(400)
    for low in (1.0, -1.0):
        with pytest.raises(rt.InputError, match="labels 0 and 1"):
            inference.honest_value(inference.ThresholdTuning(1, 1), (score > 0.5) + low, score)


def wild_models():
    rng = np.random.default_rng(0)
    y = rng.normal(size=300)
    a, b, c = (y + rng.normal(size=300) for _ in range(3))
    c[7] = 1e7
    return y, {"a": a, "b": b, "c": c}


@pytest.mark.parametrize("order", ["abc", "cab", "bca"])
@pytest.mark.parametrize("unit", [1.0, 1e150, 1e-150])
def test_a_wild_model_changes_nothing_for_the_others(order, unit):
    y, models = wild_models()
    joint = inference.compare_estimates(
        rt.asymmetric_absolute_error,
        y * unit,
        {name: models[name] * unit for name in order},
        asymmetry=0.5,
    )
    assert set(inference.may_be_best(joint)) == {"a", "b", "c"}
    plain = inference.compare_estimates(rt.asymmetric_absolute_error, y, models, asymmetry=0.5)
    assert joint.pvalue == pytest.approx(plain.pvalue, rel=1e-3)
    assert joint.pvalue > 0.3


def test_best_along_where_the_best_changes():
    """Near ties that cross: the best of both contexts is kept in 95 % of samples, together."""
    rng = np.random.default_rng(0)
    missed = 0
    for _ in range(600):
        a, b = rng.normal(size=200) + 1e-3, rng.normal(size=200) - 1e-3
        found = inference.best_along(
            rt.asymmetric_absolute_error,
            np.zeros(200),
            {"a": a, "b": b},
            along={"asymmetry": [0.495, 0.505]},
        )
        missed += not ("b" in found[0.495] and "a" in found[0.505])
    assert missed / 600 <= 0.07


def test_steps_of_time_are_found_on_differences():
    """Shared white noise hides that the difference is autocorrelated."""
    rng = np.random.default_rng(0)

    def slow(n):
        noise = rng.normal(size=n)
        for k in range(1, n):
            noise[k] = 0.8 * noise[k - 1] + 0.6 * noise[k]
        return noise

    shared = np.abs(5 * rng.normal(size=400)) + 10
    models = {name: shared + 0.5 * slow(400) for name in "ab"}
    joint = inference.compare_estimates(
        rt.asymmetric_absolute_error, np.zeros(400), models, asymmetry=0.5, hac=True
    )
    assert joint.difference("a", "b").lags > 10


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


def test_columns_in_another_order_are_refused():
    rng = np.random.default_rng(0)
    y = pd.Series(rng.normal(size=60))
    p = y + rng.normal(size=60)
    mixed = pd.Series(np.arange(60) // 3).sample(frac=1, random_state=0)
    with pytest.raises(rt.InputError, match="'clusters' have the same index labels in another"):
        rt.estimate(rt.asymmetric_absolute_error, y, p, asymmetry=0.5, clusters=mixed)
    with pytest.raises(rt.InputError, match="in another order"):
        inference.honest_value(TUNING, y, p, clusters=mixed)
    with pytest.raises(rt.InputError, match="in another order"):
        inference.segment_values(TUNING, y, p, by=mixed)
    with pytest.raises(rt.InputError, match="in another order"):
        inference.difference_band(
            rt.cutoff_error, y, p, p.sample(frac=1, random_state=0), along={"cutoff": [0.0]}
        )


def test_segments_of_single_cases_share_a_knob():
    z = np.random.default_rng(0).normal(size=200)
    found = inference.segment_values(TUNING, z, 0 * z, by=np.arange(200))
    assert all(knob == pytest.approx(found.pooled) for knob in found.knobs.values())


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


def test_more_refusals():
    rng = np.random.default_rng(0)
    y = rng.normal(size=30)
    p = y + rng.normal(size=30)
    loss = rt.estimate(rt.uniform_cutoff_area, y, p)
    weighted = rt.estimate(rt.uniform_cutoff_area, y, p, sample_weight=np.arange(30.0))
    refusals = [
        (lambda: inference.honest_value(rt.LinLin(0.5), y, p), "'tuning' must say what is tuned"),
        (lambda: inference.segment_values([TUNING], y, p, by=y > 0), "'tuning' must say"),
        (lambda: inference.honest_value(TUNING, y, p, splitter="5"), "'splitter' must be"),
        (lambda: inference.honest_value(TUNING, y, p, splitter=KFold), "'splitter' must be"),
        (
            lambda: inference.honest_value(TUNING, y, p, splitter=KFold(3), repeats=2),
            "'repeats' is for random folds",
        ),
        (lambda: inference.cases_needed(0.3), "'difference' must be a difference"),
        (lambda: inference.may_be_best({"a": loss}), "'joint' must be JointEstimates"),
        (lambda: inference.pairwise_differences({"a": loss}), "'joint' must be JointEstimates"),
        (lambda: loss.covariance(weighted), "same weights"),
        (
            lambda: inference.bootstrap(rt.uniform_cutoff_area, y, p, hac=True),
            "'hac' has no meaning here",
        ),
    ]
    for call, sentence in refusals:
        with pytest.raises(rt.InputError, match=sentence):
            call()
    with pytest.warns(rt.RoctopusWarning, match="leave out a case or two at a time"):
        inference.honest_value(TUNING, y, {"a": p, "b": p + y}, splitter=30)
    with pytest.warns(rt.RoctopusWarning, match="replicates do not differ"):
        inference.bootstrap(rt.roc_auc, [0, 0, 0, 1, 1, 1] * 3, [0, 0, 0, 1, 1, 1] * 3)


def test_repeated_folds_of_a_splitter_count_as_rounds():
    rng = np.random.default_rng(0)
    y = rng.normal(size=100)
    models = {f"m{k}": y + rng.normal(size=100) for k in range(8)}
    once = inference.honest_value(TUNING, y, models, splitter=KFold(5))
    often = RepeatedKFold(n_splits=5, n_repeats=20, random_state=0)
    repeated = inference.honest_value(TUNING, y, models, splitter=often)
    assert repeated.estimate.standard_error > 0.95 * once.estimate.standard_error


def test_a_rate_counts_the_cases_of_its_class():
    y = np.r_[np.ones(1000), np.zeros(1)]
    score = np.r_[np.full(1000, 0.9), 0.1]
    found = rt.estimate(rt.probability.true_positive_rate, y, score, threshold=0.5)
    with pytest.warns(rt.RoctopusWarning, match="share of 1000 cases"):
        low, high = found.confidence_interval()
    assert (low, high) == (pytest.approx(0.05 ** (1 / 1000)), 1.0)
