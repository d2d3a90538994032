"""Checks of a decision on new data: rare false alarms, and those that cannot be made."""

import numpy as np
import pytest
from small import MODELS, Y, fresh

import roctopus as rt


@pytest.mark.simulation
def test_alarms_are_rare_and_name_another_model():
    alarms = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        checks = []
        for size in (200, 200):
            y = rng.gamma(2.0, 10.0, size)
            models = {"a": y + rng.normal(0, 5, size) - 2, "b": y + rng.normal(0, 5, size) + 1}
            checks.append(rt.compare(y, models, arm="regression"))
        found = checks[1].check(checks[0].decide(between=(0.2, 0.8)))
        alarms += not found.holds
        for finding in found.findings:
            if finding.what == "model" and not finding.holds:
                assert not finding.sentence.endswith(f"{found.decision.model}.")
    assert alarms <= 5


def test_checks_that_cannot_be_made():
    y = np.arange(60.0)
    models = {"a": y + np.sin(y), "b": y + np.cos(3 * y)}
    known = rt.compare(y, models, arm="regression")
    few = rt.compare(y[:20] + 0.5, {m: p[:20] for m, p in models.items()}, arm="regression")
    with pytest.raises(rt.InputError, match="20 cases are too few"):
        few.check(known.decide(asymmetry=0.7))
    regret = known.decide(between=(0.2, 0.8), criterion="regret")
    alone = rt.compare(y + 0.5, {regret.model: models[regret.model]}, arm="regression")
    with pytest.raises(rt.InputError, match="minimises regret"):
        alone.check(regret)
    both = rt.compare(y + 0.5, models, arm="regression").check(regret)
    assert "when you decided" not in both.sentence


def test_settings_are_checked():
    decided = fresh("cutoff", false_positive_cost=9.0).decide(cutoff=0.1)
    y = Y + 0.01
    with pytest.raises(rt.InputError, match=r"made with false_positive_cost 9\.0, but here it is"):
        rt.compare(y, MODELS, arm="cutoff").judge(decided)
    distribution = rt.Uniform(-1, 1)
    spread = fresh("cutoff").decide(distribution=distribution)
    other = rt.compare(y, MODELS, arm="cutoff")
    with pytest.raises(rt.InputError, match="needs 'distribution'"):
        other.judge(spread)
    at = other.problem.curve_at(other.prediction_of(spread.model), np.array(spread.knob))
    assert other.judge(spread, distribution=distribution).value == pytest.approx(
        at.expect(distribution)
    )
    grade = np.digitize(Y, [-0.5, 0.5])
    three = rt.compare(grade, MODELS, arm="ordinal").decide(cost=2.0)
    four = rt.compare(np.digitize(y, [-0.5, 0.5, 1.0]), MODELS, arm="ordinal")
    with pytest.raises(rt.InputError, match="made with labels"):
        four.judge(three)
