"""Values are those of new data: folds, splitters, untuned values, margins and answers."""

import numpy as np
import pytest
from sklearn.model_selection import ShuffleSplit
from small import MODELS, N, Y, fresh

import roctopus as rt
from roctopus.concepts.dependence import INDEPENDENT
from roctopus.impact import value_minus_cutoff
from roctopus.inference.folds import folds
from simulations import samples


@pytest.mark.filterwarnings("ignore:The splits evaluate")
def test_splits_that_overlap():
    weight = np.random.default_rng(1).random(N) + 0.1
    some = ShuffleSplit(5, test_size=0.25, random_state=0)
    single = rt.compare(Y, {"a": MODELS["a"]}, arm="cutoff", sample_weight=weight, cv=some).decide(
        cutoff=0.2, models_only=True
    )
    sums, counts = np.zeros(N), np.zeros(N)
    losses = ((MODELS["a"] >= 0.2) != (Y >= 0.2)).astype(float)
    for _, test in some.split(Y):
        sums[test] += losses[test]
        counts[test] += 1
    judged = counts > 0
    expected = np.average((sums / np.maximum(counts, 1))[judged], weights=weight[judged])
    assert single.raw.value == pytest.approx(expected)
    with pytest.warns(rt.RoctopusWarning, match="more often than others"):
        fresh(cv=some).decide(asymmetry=0.4)


@samples(6, 20)
def test_untuned_values_are_honest(samples):
    """Thirty equal models: the best of them as they are flatters, unless chosen elsewhere."""
    rng = np.random.default_rng(0)
    values = []
    for _ in range(samples):
        y = rng.normal(size=200)
        models = {f"m{k}": y + rng.normal(size=200) for k in range(30)}
        found = rt.compare(y, models, arm="regression").value_of_knowing(rt.Uniform(0.2, 0.8))
        values.append(found.untuned.value)
    assert np.mean(values) == pytest.approx(np.sqrt(2 / np.pi), abs=0.03)


@samples(50, 150)
@pytest.mark.parametrize("arm", ["probability", "impact"])
def test_of_two_equal_models_one_is_seldom_called_the_best(arm, samples):
    """Two equal models: one is called the best in at most about one of ten samples."""
    rng = np.random.default_rng(0)
    use = 0
    for _ in range(samples):
        y = rng.normal(size=100)
        models = {m: y + rng.normal(size=100) for m in "ab"}
        if arm == "probability":
            y, models = (y > 0) * 1, {m: 1 / (1 + np.exp(-p)) for m, p in models.items()}
            given, found = {"cost_proportion": 0.2}, rt.compare(y, models, arm=arm)
        else:
            given, found = (
                {"theta": 0.2},
                rt.compare(y, models, arm=arm, utility=value_minus_cutoff),
            )
        use += found.decide(**given, models_only=True).verdict == "use"
    assert use / samples <= 0.14


@pytest.mark.filterwarnings("ignore:All cases give the same value")
def test_few_cases():
    three = rt.compare([1.0, 2.0, 3.0], {"a": [1.0, 2.5, 3.5]}, arm="regression")
    assert three.decide(asymmetry=0.5, models_only=True).model == "a"
    assert three.decide(asymmetry=0.5).verdict == "no model"
    with pytest.raises(rt.InputError, match="at least two cases"):
        rt.compare([1.0], {"a": [1.0]}, arm="regression").decide(asymmetry=0.5)
    rare = np.r_[1, np.zeros(N - 1)]
    chances = {m: 1 / (1 + np.exp(-p)) for m, p in MODELS.items()}
    with pytest.raises(rt.InputError, match="The training part of a fold cannot be used"):
        rt.compare(rare, chances, arm="probability").decide(cost_proportion=0.5)


def test_margins_are_paired():
    """What two models share does not widen the margin between them, however folds fall."""
    rng = np.random.default_rng(0)
    y = 100 * rng.normal(size=300)
    shared = y + 50 * rng.normal(size=300)
    models = {m: shared + 0.1 * rng.normal(size=300) for m in "ab"}
    decision = rt.compare(y, models, arm="regression").decide(asymmetry=0.7)
    assert decision.margin_high - decision.margin_low < 0.1
    assert decision.high - decision.low > 3.0


def test_folds_do_not_look_at_the_outcomes():
    """A score that says nothing of a fair coin: half the decisions are wrong, whatever is tuned.

    Folds that share out the classes evenly promised 0.43 here.
    """
    values = []
    for seed in range(60):
        coin = np.random.default_rng(seed).integers(0, 2, 24)
        flat = rt.compare(coin, {"flat": np.full(24, 0.5)}, arm="probability")
        costs = {"false_positive_cost": 1, "false_negative_cost": 1}
        values.append(flat.decide(**costs, models_only=True).value)
    assert np.mean(values) == pytest.approx(0.5, abs=0.04)


def test_every_training_part_holds_every_class():
    code = np.repeat([0, 1, 2], [40, 40, 2])
    for seed in range(20):
        parts = folds(82, 5, INDEPENDENT, code, seed, code)
        assert all(set(code[train]) == {0, 1, 2} for train, _ in parts)
