"""Comparisons, bands, bootstrap and honest values do what they promise."""

import inspect

import numpy as np
import pytest
import scipy.stats
from sklearn.model_selection import GroupKFold, KFold, TimeSeriesSplit

import roctopus as rt
from roctopus import impact as impact_arm
from roctopus import inference, probability
from simulations import samples


def losses(seed, spreads, n=200):
    rng = np.random.default_rng(seed)
    y = rng.normal(size=n)
    return y, {f"m{k}": y + s * rng.normal(size=n) for k, s in enumerate(spreads)}


def test_all_pairs_and_holm():
    y, models = losses(0, (1.0, 1.2, 2.0))
    joint = inference.compare_estimates(rt.uniform_cutoff_area, y, models)
    raw = inference.pairwise_differences(joint)
    holm = inference.pairwise_differences(joint, adjust="holm")
    p = np.array([each.pvalue for each in raw])
    want = np.empty(3)
    order = np.argsort(p)
    want[order] = np.minimum(np.maximum.accumulate(p[order] * [3, 2, 1]), 1)
    assert [each.pvalue for each in holm] == pytest.approx(want.tolist())
    for each in raw:
        a, b = (np.abs(models[m] - y) for m in (each.first, each.second))
        test = scipy.stats.ttest_rel(a, b)
        assert each.pvalue == pytest.approx(test.pvalue, rel=1e-9)
        ends = test.confidence_interval()
        assert each.interval == pytest.approx((ends.low, ends.high), rel=1e-9)


def test_comparison_of_aucs_is_delongs():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 150)
    models = {"a": y + rng.normal(size=150), "b": y + 1.5 * rng.normal(size=150)}
    ours = inference.compare_estimates(rt.roc_auc, y, models)
    theirs = probability.compare_aucs(y, models)
    np.testing.assert_allclose(ours.covariance, theirs.covariance, rtol=1e-12)


def test_the_best_is_among_those_that_may_be():
    """Five models, two of them equally good: the set holds the best in 95 % of samples."""
    kept = small = 0
    for seed in range(300):
        y, models = losses(seed, (1.0, 1.0, 1.1, 1.3, 2.0))
        joint = inference.compare_estimates(rt.uniform_cutoff_area, y, models)
        found = inference.may_be_best(joint)
        kept += "m0" in found
        small += "m4" not in found
    assert kept / 300 >= 0.925
    assert small / 300 > 0.95
    gain = inference.may_be_best(joint, sense="gain")
    assert "m4" in gain
    assert "m0" not in gain


def test_margins_and_sizes():
    y, models = losses(1, (1.0, 1.02), n=3000)
    joint = inference.compare_estimates(rt.uniform_cutoff_area, y, models)
    gap = joint.difference("m0", "m1")
    assert inference.equivalence_pvalue(gap, margin=0.2) < 0.01
    assert inference.equivalence_pvalue(gap, margin=abs(gap.value) / 2) > 0.5
    worse = inference.noninferiority_pvalue(gap, margin=0.1, sense="loss")
    assert worse < inference.noninferiority_pvalue(gap, margin=0.01, sense="loss")
    gain = inference.noninferiority_pvalue(gap, margin=0.1, sense="gain")
    statistic = (-gap.value - 0.1) / gap.standard_error
    assert gain == pytest.approx(scipy.stats.t.cdf(statistic, 2999))


def test_sample_size_by_simulation():
    """With as many cases as it says, the test finds the difference in about 80 % of samples."""
    y, models = losses(2, (1.0, 1.3), n=20000)
    joint = inference.compare_estimates(rt.uniform_cutoff_area, y, models)
    size = round(inference.cases_needed(joint.difference("m0", "m1")))
    found = 0
    for seed in range(300):
        y, models = losses(1000 + seed, (1.0, 1.3), n=size)
        joint = inference.compare_estimates(rt.uniform_cutoff_area, y, models)
        found += joint.difference("m0", "m1").pvalue < 0.05
    assert 0.72 <= found / 300 <= 0.88


BANDS = {
    "optimal_shift_error": (rt.optimal_shift_error, {"asymmetry": np.linspace(0.1, 0.9, 25)}, {}),
    "cutoff_error": (rt.cutoff_error, {"cutoff": np.linspace(-1.2, 1.2, 25)}, {}),
    "over_estimation": (
        rt.regression.over_estimation,
        {"shift": np.linspace(-1.5, 1.5, 25)},
        {"normalize": True},
    ),
    "impact": (
        impact_arm.impact,
        {"theta": np.linspace(-1.0, 1.0, 25)},
        {"utility": impact_arm.value_minus_cutoff, "normalize": True},
    ),
}


@samples(100, 500)
@pytest.mark.parametrize("name", BANDS)
def test_simultaneous_bands_cover_the_whole_curve(name, samples):
    """Samples of 400: between 92 and 98 %; pointwise bands would miss far more often."""
    metric, along, context = BANDS[name]
    ((key, points),) = along.items()
    rng = np.random.default_rng(5)

    def draw(n):
        y = rng.normal(size=n)
        return y, y + rng.normal(size=n)

    y, p = draw(2000 * samples)
    truth = np.array([metric(y, p, **{key: float(x)}, **context) for x in points])
    together = single = 0
    for _ in range(samples):
        band = inference.curve_band(metric, *draw(400), along=along, **context)
        together += np.all((band.lower <= truth) & (truth <= band.upper))
        single += np.all((band.pointwise_lower <= truth) & (truth <= band.pointwise_upper))
    assert 0.92 <= together / samples <= 0.98
    assert single < together


@samples(60, 200)
def test_the_best_along_a_curve(samples):
    """Two equally good models among three: the first is kept at every cutoff in 95 % of samples."""
    kept = 0
    for seed in range(samples):
        y, models = losses(seed, (1.0, 1.0, 3.0))
        cutoffs = np.linspace(-1.0, 1.0, 9)
        found = inference.best_along(rt.cutoff_error, y, models, along={"cutoff": cutoffs})
        kept += all("m0" in names for names in found.values())
        assert any("m2" not in names for names in found.values())
    assert kept / samples >= 0.91


@samples(100, 500)
@pytest.mark.parametrize("width", [0.0, 0.5])
@pytest.mark.parametrize("name", ["true_positive_rate", "false_positive_rate"])
def test_bands_along_roc_curves(name, width, samples):
    """Both rates along the threshold hold the true curve, for points and for segments."""
    metric = getattr(probability, name)
    rng = np.random.default_rng(0)

    def draw(n):
        y = rng.integers(0, 2, n)
        y[:4] = [0, 0, 1, 1]
        return y, 1 / (1 + np.exp(-(2 * y - 1 + 1.5 * rng.normal(size=n))))

    thresholds = np.linspace(0.1, 0.9, 17)
    big = draw(2000 * samples)
    truth = np.array([metric(*big, threshold=float(t), width=width) for t in thresholds])
    covered = 0
    for _ in range(samples):
        band = inference.curve_band(
            metric, *draw(400), along={"threshold": thresholds}, width=width
        )
        covered += np.all((band.lower <= truth) & (truth <= band.upper))
    assert 0.92 <= covered / samples <= 0.98


def test_dominance_with_confidence():
    rng = np.random.default_rng(0)
    y = rng.normal(size=1500)
    # Good for low cutoffs, bad for high ones.
    a, b = np.where(y < 0, y, y + 1.5 * rng.normal(size=1500)), y + 0.7 * rng.normal(size=1500)
    band = inference.difference_band(
        rt.cutoff_error, y, a, b, along={"cutoff": np.linspace(-1.5, 1.5, 61)}
    )
    answers = [region.answer for region in band.regions()]
    assert answers[0] == "below"
    assert "above" in answers
    edges = [region.low for region in band.regions()]
    assert edges == sorted(edges)
    assert list(band.frame("pandas").columns)[:2] == ["cutoff", "value"]


@pytest.mark.parametrize("resampling", ["poisson", "multinomial"])
def test_bootstrap_of_a_mean_is_scipys(resampling):
    rng = np.random.default_rng(0)
    y = rng.normal(size=300)
    p = y + rng.exponential(size=300)
    ours = inference.bootstrap(rt.uniform_cutoff_area, y, p, replicates=3000, resampling=resampling)
    known = inspect.signature(scipy.stats.bootstrap).parameters  # its name for the seed changed
    seed = {"rng" if "rng" in known else "random_state": np.random.default_rng(1)}
    theirs = scipy.stats.bootstrap(
        (np.abs(p - y),), np.mean, n_resamples=3000, method="BCa", **seed
    )
    for level in (0.5, 0.95):
        quantiles = [0.5 - level / 2, 0.5 + level / 2]
        np.testing.assert_allclose(
            np.quantile(ours.replicates, quantiles),
            np.quantile(theirs.bootstrap_distribution, quantiles),
            atol=0.2 * ours.standard_error,
        )
    low, high = ours.confidence_interval()
    want = theirs.confidence_interval
    assert (low, high) == pytest.approx((want.low, want.high), abs=0.25 * ours.standard_error)
    again = inference.bootstrap(
        rt.uniform_cutoff_area, y, p, replicates=3000, resampling=resampling
    )
    np.testing.assert_array_equal(ours.replicates, again.replicates)


def test_bootstrap_with_classes_clusters_and_weights():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    p = 1 / (1 + np.exp(-(y + rng.normal(size=200))))
    found = inference.bootstrap(rt.roc_auc, y, p, replicates=400, resampling="multinomial")
    delong = rt.estimate(rt.roc_auc, y, p)
    assert found.standard_error == pytest.approx(delong.standard_error, rel=0.15)
    ids = np.repeat(np.arange(40), 5)
    error = rng.normal(size=40)[ids]
    truth = rng.normal(size=200)
    whole = inference.bootstrap(
        rt.uniform_cutoff_area, truth, truth + error, clusters=ids, replicates=400
    )
    clustered = rt.estimate(rt.uniform_cutoff_area, truth, truth + error, clusters=ids)
    assert whole.standard_error == pytest.approx(clustered.standard_error, rel=0.2)
    weight = rng.uniform(0.5, 2.0, 200)
    weighted = inference.bootstrap(
        rt.uniform_cutoff_area, truth, truth + error, sample_weight=weight, replicates=50
    )
    assert weighted.value == pytest.approx(np.average(np.abs(error), weights=weight))


def test_poisson_counts_are_poisson():
    from roctopus.core.resampling import TABLE

    share = np.bincount(TABLE, minlength=9)[:9] / len(TABLE)
    np.testing.assert_allclose(share, scipy.stats.poisson(1).pmf(np.arange(9)), atol=2e-5)
    assert TABLE.mean() == pytest.approx(1.0, abs=1e-4)


def test_honest_values_show_the_optimism():
    """With 30 cases a tuned shift flatters; cross-fitting is right on average."""
    rng = np.random.default_rng(0)
    tuning = rt.regression.ShiftTuning(rt.LinLin(0.9))
    in_sample, honest, true = [], [], []
    y_new = rng.normal(size=200_000)
    p_new = y_new + rng.normal(size=200_000)
    for _ in range(200):
        y = rng.normal(size=30)
        p = y + rng.normal(size=30)
        found = inference.honest_value(tuning, y, p, cv=10)
        in_sample.append(found.in_sample)
        honest.append(found.value)
        true.append(tuning.outcomes(y_new, p_new, found.knob).mean())
    assert np.mean(in_sample) < np.mean(true) - 0.02
    assert np.mean(honest) == pytest.approx(np.mean(true), abs=0.03)


@samples(40, 100)
@pytest.mark.parametrize("arm", ["regression", "cutoff"])
def test_honest_choice_of_models_and_regions(arm, samples):
    """Eight equal models: the best in-sample flatters, at every context of a hull anew."""
    rng = np.random.default_rng(0)
    contexts = (0.2, 0.5, 0.8) if arm == "regression" else (-0.5, 0.0, 0.5)
    make = (
        (lambda a: rt.regression.ShiftTuning(rt.LinLin(a)))
        if arm == "regression"
        else rt.cutoff.CutoffTuning
    )
    tunings = [make(x) for x in contexts]
    in_sample, honest, covered = [], [], 0
    y = rng.normal(size=400_000)
    p = y + rng.normal(size=400_000)
    # Equal models: whichever is chosen, with a knob that is near its best, gives this.
    true = np.mean([t.outcomes(y, p, t.learn(y, p)).mean() for t in tunings])
    for _ in range(samples):
        y = rng.normal(size=200)
        models = {f"m{k}": y + rng.normal(size=200) for k in range(8)}
        found = inference.honest_value(tunings, y, models)
        in_sample.append(found.in_sample)
        honest.append(found.value)
        low, high = found.estimate.confidence_interval()
        covered += low <= true <= high
        assert len(found.choices) == 3
        assert len(found.fold_choices) in (5, 25)
    assert np.mean(in_sample) < true - 0.02
    assert np.mean(honest) == pytest.approx(true, abs=0.015)
    assert covered >= 0.88 * samples


def test_honest_choice_of_one_model():
    rng = np.random.default_rng(0)
    y = rng.normal(size=300)
    models = {"bad": y + 3 * rng.normal(size=300), "good": y + rng.normal(size=300)}
    tuning = rt.regression.ShiftTuning(rt.LinLin(0.7))
    found = inference.honest_value(tuning, y, models)
    alone = inference.honest_value(tuning, y, models["good"], repeats=5)
    assert found.choices[0].model == "good"
    assert (found.value, found.in_sample) == (alone.value, alone.in_sample)
    with pytest.raises(rt.InputError, match="'tuning' is empty"):
        inference.honest_value([], y, models)
    both = [tuning, rt.impact.ImpactTuning(impact_arm.value_minus_cutoff, 0.2)]
    with pytest.raises(rt.InputError, match="both losses"):
        inference.honest_value(both, y, models)


@pytest.mark.parametrize(
    ("tuning", "kind"),
    [
        (rt.regression.ShiftTuning(rt.QuadQuad(0.7)), "number"),
        (rt.impact.ImpactTuning(impact_arm.value_minus_cutoff, 0.2), "number"),
        (rt.probability.ThresholdTuning(1.0, 5.0), "label"),
        (rt.ordinal.OrdinalTuning(costs=[1, 1, 3]), "grade"),
    ],
)
@pytest.mark.filterwarnings("ignore:The splits evaluate 240 of 300 cases")
def test_every_arm_can_be_cross_fitted(tuning, kind):
    rng = np.random.default_rng(0)
    n = 300
    y = {
        "number": rng.normal(size=n),
        "label": rng.integers(0, 2, n),
        "grade": rng.integers(0, 3, n),
    }[kind].astype(float)
    p = y + rng.normal(size=n)
    if kind == "label":
        p = 1 / (1 + np.exp(-p))
    ids = np.repeat(np.arange(60), 5)
    for options in (
        {},
        {"cv": KFold(4)},
        {"cv": GroupKFold(4), "clusters": ids},
        {"clusters": ids},
        {"cv": TimeSeriesSplit(4)},
        {"time": True},
    ):
        found = inference.honest_value(tuning, y, p, **options)
        worse = found.value >= found.in_sample - 0.05
        assert worse if tuning.sense == "loss" else found.value <= found.in_sample + 0.05
        assert found.estimate.standard_error > 0


def test_segments():
    rng = np.random.default_rng(0)
    shop = rng.choice(["a", "b", "c"], 900)
    tuning = rt.regression.ShiftTuning(rt.LinLin(0.5))
    moved = {"a": 0.0, "b": 1.5, "c": -1.0}
    y = rng.normal(size=900) + np.array([moved[s] for s in shop])
    found = inference.segment_values(tuning, y, np.zeros(900), by=shop)
    assert found.gain.value > 0.2
    assert found.gain.pvalue < 1e-6
    for name, shift in moved.items():
        assert found.knobs[name][0] == pytest.approx(shift, abs=0.3)
    alike = inference.segment_values(tuning, rng.normal(size=900), np.zeros(900), by=shop)
    assert abs(alike.gain.value) < 0.02
    assert alike.strength > 0
