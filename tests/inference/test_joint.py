"""Several models jointly: covariances, few clusters, gains, wild models."""

import numpy as np
import pytest

import roctopus as rt
from roctopus import inference

MSE = rt.asymmetric_squared_error


def autocorrelated(rng, n, rho=0.5):
    noise = rng.normal(size=n)
    for t in range(1, n):
        noise[t] += rho * noise[t - 1]
    return noise


def wild_models():
    rng = np.random.default_rng(0)
    y = rng.normal(size=300)
    a, b, c = (y + rng.normal(size=300) for _ in range(3))
    c[7] = 1e7
    return y, {"a": a, "b": b, "c": c}


def test_joint_covariances_over_time():
    negative = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        y = rng.normal(size=120)
        common = autocorrelated(rng, 120)
        models = {f"m{k}": y + common + 0.1 * rng.normal(size=120) for k in range(4)}
        joint = inference.compare_estimates(MSE, y, models, asymmetry=0.5, time=True)
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
    with pytest.raises(
        rt.InputError, match=r"2 independent cases \(or clusters\) are too few to compare 3 models"
    ):
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
    with pytest.raises(rt.InputError, match="'sense' must be 'loss' or 'gain', but is None"):
        inference.may_be_best(bare)


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
        rt.asymmetric_absolute_error, np.zeros(400), models, asymmetry=0.5, time=True
    )
    assert joint.difference("a", "b").cosines < 25


def test_the_joint_test_has_no_scale():
    rng = np.random.default_rng(0)
    y = rng.normal(size=200)
    predictions = {"a": y + rng.normal(size=200), "b": y + 1.5 * rng.normal(size=200)}
    found = []
    for scale in (1e-14, 1.0, 1e9):
        estimates = {
            name: rt.estimate(rt.uniform_cutoff_area, scale * y, scale * p)
            for name, p in predictions.items()
        }
        found.append(rt.concepts.joint.JointEstimates.of(estimates).pvalue)
    assert found == pytest.approx([found[1]] * 3, rel=1e-6)
