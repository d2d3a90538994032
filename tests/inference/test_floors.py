"""A loss is never below zero, and neither is its interval."""

import numpy as np
import pytest

import roctopus as rt
from roctopus.impact import value_minus_cutoff
from roctopus.inference import honest_value
from roctopus.probability import ThresholdTuning


def rare(rng, n=40):
    """Return two classes and scores that are wrong about one case or two."""
    y = np.arange(n) % 2
    score = np.where(y == 1, 0.9, 0.1) + 0.05 * rng.random(n)
    score[rng.permutation(n)[:2]] = 0.5
    return y, {"a": score, "b": np.clip(score + 0.01 * rng.normal(size=n), 0.0, 1.0)}


@pytest.mark.filterwarnings("ignore::roctopus.RoctopusWarning")
@pytest.mark.parametrize("seed", range(4))
def test_no_surface_shows_a_loss_below_zero(seed):
    y, models = rare(np.random.default_rng(seed))
    comparison = rt.compare(y, models, arm="probability")
    decision = comparison.decide(cost_proportion=0.4)
    table = comparison.table(cost_proportion=0.4, measures="all", backend="pandas")
    lows = [decision.low, *table["low"], *table["brier_score_low"], *table["log_loss_low"]]
    judged = rt.compare(y[::-1], {m: p[::-1] for m, p in models.items()}, arm="probability")
    lows.append(judged.judge(decision).confidence_interval().low)
    regret = comparison.decide(between=(0.2, 0.6), criterion="regret")
    lows.append(regret.low if regret.value >= 0.0 else 0.0)
    lows.append(
        comparison.value_of_knowing(rt.Uniform(0.2, 0.8)).following.confidence_interval().low
    )
    lows.append(
        honest_value(ThresholdTuning(1.0, 2.0), y, models["a"]).estimate.confidence_interval().low
    )
    assert min(lows) >= 0.0


@pytest.mark.filterwarnings("ignore::roctopus.RoctopusWarning")
def test_gains_and_differences_may_be_below_zero():
    rng = np.random.default_rng(0)
    y = rng.normal(size=60)
    found = rt.compare(y, {"a": rng.normal(size=60)}, arm="impact", utility=value_minus_cutoff)
    assert found.table(theta=0.5, backend="pandas")["low"].min() < 0.0
    loss = rt.estimate("asymmetric_absolute_error", y, np.zeros(60), asymmetry=0.5)
    gap = loss - rt.estimate("asymmetric_absolute_error", y, np.full(60, 0.01), asymmetry=0.5)
    assert gap.confidence_interval().low < 0.0
    assert loss.scaled(-1.0).confidence_interval().low < 0.0


def test_the_interval_of_a_loss_still_covers_its_true_value():
    """With few wrong cases the floor binds often; it takes nothing from the coverage."""
    rng = np.random.default_rng(0)
    inside = bound = 0
    for _ in range(1000):
        y, p = rng.normal(size=60), np.zeros(60)
        wide = rt.estimate("asymmetric_absolute_error", y, p, asymmetry=0.5).confidence_interval()
        inside += wide.low <= np.sqrt(2.0 / np.pi) <= wide.high
        few = np.where(rng.random(60) < 0.05, 1.0, 0.0)
        kept = rt.estimate("asymmetric_absolute_error", few, p, asymmetry=0.5)
        bound += kept.value > 0.0 and kept.confidence_interval(method="plain").low == 0.0
    assert 0.93 <= inside / 1000 <= 0.97
    assert bound > 300
