"""Baselines: what they cost by their definitions, deployed, and advised where no model helps."""

import json
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from tests.answers.questions import VERDICTS, Question, questions

import roctopus as rt

QUESTIONS = {question.name: question for question in questions()}
ONE = [name for name in QUESTIONS if name.endswith("one context")]
NONE = [name for name in QUESTIONS if "no model" in name]
PINBALL = {True: 4.0, False: 1.0}


def by_name(answer: Any) -> dict[str, Any]:
    return {row.name: row for row in answer.rows if row.baseline}


def brute_force(arm: str, question: Question) -> dict[str, float]:
    """Return what each baseline gives on the data, from its definition."""
    truth, size = question.truth, len(question.truth)
    if arm == "regression":
        errors = np.subtract.outer(truth, truth)  # truth less constant
        costs = np.where(errors > 0.0, 4.0 * errors, -errors).mean(axis=0)
        return {"best constant": float(costs.min())}
    if arm == "cutoff":
        yes = np.mean(truth >= 21)
        return {"always yes": float(1.0 - yes), "always no": float(3.0 * yes)}
    if arm == "ordinal":
        grade = np.array([["low", "fair", "high"].index(each) for each in truth])
        cost = np.array([3.0, 2.0, 1.0])[grade]
        return {"one grade for all": min(float(np.mean(cost * abs(grade - k))) for k in range(3))}
    if arm == "probability":
        ill = np.mean(truth == "ill")
        return {"always yes": float(0.4 * (1.0 - ill)), "always no": float(1.6 * ill)}
    worth = truth * 1.1 - 1.0
    share = (size // 4) / size
    return {"as many as allowed, at random": float(share * worth.mean()), "nobody": 0.0}


@pytest.mark.parametrize("name", ONE)
def test_baselines_are_what_their_definitions_say(name: str) -> None:
    question = QUESTIONS[name]
    arm = question.options["arm"]
    comparison = question.comparison
    learned, _ = comparison.learned(*comparison.aim(None, None, None, dict(question.asked)))
    expected = brute_force(arm, question)
    assert dict(learned.beside) == pytest.approx(expected, abs=1e-12)
    rows = by_name(question.answer)
    assert set(rows) == set(expected)
    for key, value in expected.items():
        if "best" in key or "one grade" in key:  # tuned: out of sample it costs more
            assert rows[key].value >= value - 1e-12
        else:
            assert rows[key].value == pytest.approx(value, abs=1e-12)
        assert rows[key].low <= rows[key].value <= rows[key].high


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_headline_is_the_row_of_what_is_advised(name: str) -> None:
    answer = QUESTIONS[name].answer
    decision, rows = answer.decision, {row.name: row for row in answer.rows}
    mine = rows[decision.model]
    assert (decision.value, decision.low, decision.high) == (mine.value, mine.low, mine.high)
    sign = 1.0 if decision.sense == "loss" else -1.0
    for kind in (False, True):
        values = [sign * row.value for row in answer.rows if row.baseline is kind]
        assert values == sorted(values)
    assert sum(decision.chances.values()) == pytest.approx(1.0)
    assert decision.verdict in VERDICTS
    assert decision.is_baseline is (decision.verdict == "no model")


@pytest.mark.parametrize("name", QUESTIONS)
def test_gains_are_differences_of_what_is_shown(name: str) -> None:
    decision = QUESTIONS[name].answer.decision
    sign = 1.0 if decision.sense == "loss" else -1.0
    others = [*decision.beside.values(), *([decision.raw] if decision.raw else [])]
    for each in others:
        assert each.gain_low <= each.gain <= each.gain_high
        if each.gain_low < each.gain_high:
            assert each.gain == pytest.approx(sign * (each.value - decision.value), abs=1e-12)


@pytest.mark.parametrize("name", NONE)
def test_an_advised_baseline_is_deployed_in_another_process(name: str, tmp_path: Any) -> None:
    question = QUESTIONS[name]
    answer = question.answer
    decision = answer.decision
    assert decision.verdict == "no model"
    path = tmp_path / "decision.json"
    decision.to_json(path)
    call = "cutoff=20.0" if question.options["arm"] == "cutoff" else ""
    code = (
        "import json, sys, numpy as np, roctopus as rt\n"
        "deployed = rt.Decision.from_json(sys.argv[1]).deploy()\n"
        f"print(json.dumps(deployed.predict(np.zeros((1000, 2)), {call}).tolist()))\n"
    )
    run = [sys.executable, "-c", code, str(path)]
    found = json.loads(subprocess.run(run, capture_output=True, check=True, text=True).stdout)
    meant = {
        "best constant": decision.knob[0] if question.options["arm"] == "regression" else None,
        "always yes": "ill" if question.options["arm"] == "probability" else 1,
        "always no": "well" if question.options["arm"] == "probability" else 0,
        "everyone": 1,
        "nobody": 0,
    }
    if decision.share < 1.0:
        assert np.mean(found) == pytest.approx(decision.share, abs=0.05)
    elif decision.model == "one grade for all":
        assert set(found) == {decision.words["baseline"].rpartition(" ")[2].strip("'")}
    elif meant[decision.model] is not None:
        assert found == pytest.approx([meant[decision.model]] * 1000)


@pytest.mark.parametrize("name", NONE)
def test_an_advised_baseline_is_judged_and_checked(name: str) -> None:
    question = QUESTIONS[name]
    comparison = question.comparison
    decision = question.answer.decision
    known = {k: v for k, v in question.asked.items() if k == "distribution"}
    with pytest.warns(rt.RoctopusWarning, match="made on"):
        value = comparison.judge(decision, **known).value
    assert value == pytest.approx(decision.in_sample, abs=1e-12)
    with pytest.warns(rt.RoctopusWarning, match="made on"):
        check = comparison.check(decision, **known)
    assert {finding.what for finding in check.findings} >= {"value", "model"}
    assert all(finding.holds for finding in check.findings if finding.what == "model")


def test_a_model_may_have_the_name_of_a_baseline() -> None:
    rng = np.random.default_rng(0)
    truth = rng.normal(size=80)
    models = {"best constant": rng.normal(size=80), "b": rng.normal(size=80)}
    answer = rt.compare(truth, models, arm="regression").answer(asymmetry=0.7)
    assert [row.name for row in answer.rows if row.baseline] == ["best constant (baseline)"]
    assert answer.decision.model == "best constant (baseline)"
    assert answer.decision.deploy().predict(np.zeros((3, 1))).shape == (3,)


def test_a_model_that_must_be_used_is_named() -> None:
    question = QUESTIONS["regression, no model, one context"]
    decision = question.comparison.decide(**question.asked, models_only=True)
    assert not decision.is_baseline
    assert decision.verdict != "no model"
    assert decision.beside["best constant"].gain < 0.0


def test_tolerance_is_in_the_unit_of_the_costs() -> None:
    question = QUESTIONS["regression, use for now, one context"]
    comparison = question.comparison
    assert comparison.decide(**question.asked).verdict == "use for now"
    loose = comparison.decide(**question.asked, tolerance=1.0)
    assert (loose.verdict, loose.tolerance) == ("either", 1.0)
    with pytest.raises(rt.InputError, match="'tolerance' must be positive"):
        comparison.decide(**question.asked, tolerance=0.0)
