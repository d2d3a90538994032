"""Baselines stand beside models: what they give, and when they are the advice."""

import numpy as np
import pytest
from small import N, Y, fresh

import roctopus as rt
from roctopus.impact import value_minus_cutoff

RNG = np.random.default_rng(3)
NOISE = {name: RNG.normal(size=N) for name in "ab"}
CHANCES = {name: 1 / (1 + np.exp(-p)) for name, p in NOISE.items()}
QUESTIONS = {
    "regression": (Y, NOISE, {}, {"asymmetry": 0.7}, (0.4, 0.8)),
    "cutoff": (Y, NOISE, {}, {"cutoff": 0.4}, (0.3, 0.7)),
    "ordinal": (np.digitize(Y, [-0.5, 0.5]), NOISE, {}, {"cost": 2.0}, (1.0, 3.0)),
    "probability": ((Y > 0.3) * 1, CHANCES, {}, {"cost_proportion": 0.6}, (0.4, 0.8)),
    "impact": (Y, NOISE, {"utility": value_minus_cutoff}, {"theta": 0.1}, (-0.2, 0.4)),
}
every_arm = pytest.mark.parametrize("arm", QUESTIONS)


def compared(arm):
    y, models, options, context, between = QUESTIONS[arm]
    return rt.compare(y, models, arm=arm, **options), context, between


@every_arm
def test_models_that_say_nothing_are_not_used(arm):
    found, context, between = compared(arm)
    for asked in (context, {"between": between}):
        answer = found.answer(**asked)
        decision = answer.decision
        assert decision.verdict == "no model"
        assert decision.is_baseline
        assert decision.model == next(iter(decision.beside))
        assert decision.runner_up in NOISE
        first = next(row for row in answer.rows if row.baseline)
        told = (decision.model, decision.value, decision.low, decision.high)
        assert told == (first.name, first.value, first.low, first.high)
        assert str(decision).startswith("No model ")
        assert rt.Decision.from_json(decision.to_json()) == decision
        forced = found.decide(**asked, models_only=True)
        assert forced.model == decision.runner_up


def test_always_yes_and_always_no_cost_what_the_classes_say():
    found, context, _ = compared("probability")
    beside = found.decide(**context).beside
    share = np.mean(Y > 0.3)
    assert beside["always yes"].value == pytest.approx(2 * 0.6 * (1 - share))
    assert beside["always no"].value == pytest.approx(2 * 0.4 * share)
    found, context, _ = compared("impact")
    beside = found.decide(**context).beside
    assert beside["everyone"].value == pytest.approx(np.mean(Y - 0.1))
    assert beside["nobody"].value == 0.0


@pytest.mark.parametrize("arm", ["regression", "ordinal", "probability", "impact"])
def test_regret_is_that_against_the_best_model_of_baselines_too(arm):
    """The best constant may beat every model: its regret is then negative, and nothing fails."""
    found, _, (low, high) = compared(arm)
    answer = found.answer(between=(low, high), criterion="regret")
    for row in answer.rows:
        assert row.low <= row.value <= row.high
        assert row.low < row.high
    if arm != "regression":
        return
    decision = answer.decision
    assert (decision.verdict, decision.model) == ("no model", "best constant")
    assert decision.in_sample < 0.0
    curve, contexts = found.envelope.curve, np.array([low, high])
    error = decision.knob[0] - Y
    costs = [np.mean(np.where(error > 0, 2 * (1 - a) * error, -2 * a * error)) for a in contexts]
    assert decision.in_sample == pytest.approx(np.max(costs - curve.at(contexts)))


def test_a_model_may_be_called_as_a_baseline_is():
    named = {"best constant": Y + 0.1, "b": NOISE["b"]}
    found = rt.compare(Y, named, arm="regression").answer(asymmetry=0.7)
    assert found.decision.model == "best constant"
    assert not found.decision.is_baseline
    names = [row.name for row in found.rows if row.baseline]
    assert names == ["best constant (baseline)"]


def test_few_cases_that_carry_the_variance_are_told_of_the_decision_only():
    """A baseline with a heavy tail says nothing about the model that is used."""
    rng = np.random.default_rng(0)
    y = rng.normal(size=500)
    models = {"a": y + 0.2 * rng.normal(size=500), "b": y + rng.normal(size=500)}
    rare = np.r_[np.full(3, 60.0), np.zeros(497)]
    seen = rt.compare(y + rare, {n: p + rare for n, p in models.items()}, arm="regression")
    found = seen.decide(asymmetry=0.5)
    assert found.verdict == "use"
    assert not any("Most of the variance of this value" in note for note in found.warnings)
    unseen = rt.compare(y + rare, models, arm="regression")
    found = unseen.decide(asymmetry=0.5, models_only=True)
    assert any("Most of the variance of this value" in note for note in found.warnings)


def test_tables_say_which_rows_are_baselines():
    table = fresh("cutoff").table(cutoff=0.2, backend="pandas")
    assert table["baseline"].tolist() == [False] * 3 + [True] * 2
    assert set(table["model"][3:]) == {"always yes", "always no"}
    assert table[table["baseline"]][["raw", "chance", "in_sample"]].isna().all(axis=None)
    assert table[~table["baseline"]]["chance"].sum() == pytest.approx(1.0)
