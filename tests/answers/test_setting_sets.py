"""Where the best setting may lie: the sets of a decision."""

import json
import math
import re
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom
from tests.answers.questions import questions

import roctopus as rt
from roctopus.concepts.records import sealed
from roctopus.concepts.said_settings import say_setting
from roctopus.inference.cost_steps import CostSteps
from roctopus.inference.parts import Parts
from roctopus.inference.setting_sets import setting_set

QUESTIONS = {question.name: question for question in questions()}
ONE = [name for name in QUESTIONS if name.endswith("one context") and "no model" not in name]
STEPPED = [name for name in ONE if not name.startswith("regression")]


def errors(size: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).normal(size=size)


def shifted(error: Any, **options: Any) -> Any:
    """Compare one model whose corrections are given."""
    truth = np.linspace(0.0, 100.0, len(error))
    return rt.compare(truth, {"a": truth - error}, arm="regression", **options)


@pytest.mark.parametrize("size", [60, 200, 1001])
@pytest.mark.parametrize("share", [0.5, 0.8, 0.93])
def test_the_set_of_a_shift_is_two_order_statistics(size: int, share: float) -> None:
    error = np.sort(errors(size))
    decision = shifted(error).decide(asymmetry=share)
    low, high = (int(np.argmin(np.abs(error - end))) + 1 for end in shifted_ends(decision))
    assert error[low - 1] == pytest.approx(decision.setting_low[0])
    below, above = binom.cdf(low - 1, size, share), binom.sf(high - 1, size, share)
    assert max(below, above) <= 0.025
    assert binom.cdf(low, size, share) > 0.025 < binom.sf(high - 2, size, share)


def shifted_ends(decision: Any) -> tuple[float, float]:
    return decision.setting_low[0], decision.setting_high[0]


def test_a_quantile_beyond_the_data_has_no_bound() -> None:
    even = np.random.default_rng(0).uniform(size=40)
    decision = shifted(even).decide(asymmetry=0.97)
    assert decision.setting_high == (math.inf,)
    low = f"at least {decision.setting_low[0]:.3g}"
    assert f"best shift for future cases is {low}" in decision.sentence
    other = shifted(even).decide(asymmetry=0.03)
    high = f"at most {other.setting_high[0]:.3g}"
    assert f"best shift for future cases is {high}" in other.sentence
    assert rt.Decision.from_json(decision.to_json()) == decision


@pytest.mark.parametrize("name", STEPPED)
@pytest.mark.parametrize("coarse", [False, True])
def test_parts_are_tuned_as_the_arm_tunes_them(name: str, coarse: bool) -> None:
    question = QUESTIONS[name]
    asked = {k: v for k, v in question.asked.items() if k != "between"}
    problem, aim = question.comparison.aim(None, None, None, asked)
    problem = problem.unlimited()
    prediction = next(iter(question.comparison.predictions.values()))
    if coarse:
        prediction = np.round(prediction, 1)
    context = float(aim.contexts[0])
    knobs = len(problem.tune(prediction, aim.contexts, np.zeros(1)).chosen)
    steps = CostSteps.of(problem, problem.turning(prediction, context), context, knobs)
    rows = np.random.default_rng(1).permutation(len(problem))[:60].reshape(2, 30)
    for line, found in zip(rows, steps.best(rows), strict=True):
        part, mine = problem.take(line), prediction[line]
        tuned = part.tune(mine, aim.contexts, np.zeros(1)).chosen
        values = [float(np.mean(part.outcomes(mine, knob, context))) for knob in (tuned, found)]
        assert values[0] == pytest.approx(values[1], abs=1e-12)


def test_rows_that_repeat_in_clusters_tell_nothing_new() -> None:
    rng = np.random.default_rng(3)
    ill = rng.random(150) < 0.4
    score = ill + rng.normal(size=150)
    four, who = np.tile(np.arange(150), 4), np.tile(np.arange(150), 4)
    once = rt.compare(ill, {"a": score}, arm="probability").decide(cost_ratio=3)
    again = rt.compare(ill[four], {"a": score[four]}, arm="probability", clusters=who)
    repeated = again.decide(cost_ratio=3)
    assert repeated.setting_low == pytest.approx(once.setting_low)
    assert repeated.setting_high == pytest.approx(once.setting_high)
    plain, own = shifted(errors(150)), shifted(np.tile(errors(150), 4), clusters=who)
    first, second = (
        shifted_ends(each.decide(asymmetry=0.8, models_only=True)) for each in (plain, own)
    )
    ranks = [np.searchsorted(np.sort(errors(150)), ends) for ends in (first, second)]
    assert np.abs(ranks[0] - ranks[1]).max() <= 1


def test_weights_and_time_widen_the_set_of_a_shift() -> None:
    error = errors(400)
    slow = np.convolve(errors(419, 1), np.ones(20) / np.sqrt(20.0), "valid")
    weight = np.random.default_rng(2).lognormal(sigma=1.5, size=400)

    def width(comparison: Any) -> float:
        problem, aim = comparison.aim(None, None, None, {"asymmetry": 0.7})
        found = setting_set(
            problem,
            comparison.predictions["a"],
            aim,
            np.zeros(1),
            dependence=comparison.dependence,
        )
        assert found is not None
        return float(found.high[0] - found.low[0])

    assert width(shifted(error, sample_weight=weight)) > 1.3 * width(shifted(error))
    assert width(shifted(slow, time=True)) > 1.5 * width(shifted(slow))
    assert width(shifted(error, sample_weight=np.full(400, 3.0))) == width(shifted(error))


def test_parts_keep_clusters_whole_and_time_together() -> None:
    clusters = np.random.default_rng(0).integers(0, 30, 200)
    clusters[:30] = np.arange(30)
    for (rows,) in Parts.of(200, rt_dependence(clusters=clusters)).draw(0):
        taken = np.unique(clusters[rows])
        assert len(taken) == 9  # 30^(2/3)
        assert len(rows) == np.isin(clusters, taken).sum()
    for lines in Parts.of(200, rt_dependence(time=True)).draw(0):
        assert (np.diff(lines, axis=1) == 1).all()
        assert lines.max() < 200


def rt_dependence(**options: Any) -> Any:
    return shifted(errors(200), **options).dependence


@pytest.mark.parametrize("name", ONE)
def test_decisions_hold_what_is_asked_for_alone(name: str) -> None:
    question = QUESTIONS[name]
    decision = question.answer.decision
    if "at_most" in question.options:
        assert decision.setting_low == decision.setting_high == ()
        return
    assert len(decision.setting_low) == len(decision.setting_high) == len(decision.knob)
    values = question.comparison.predictions[decision.model]
    for low, knob, high in zip(
        decision.setting_low, decision.knob, decision.setting_high, strict=True
    ):
        assert low <= knob <= high or not values.min() <= knob <= values.max()
    if len(decision.knob) == 1:
        found = question.comparison.setting_interval(**question.asked)
        assert found == (decision.setting_low[0], decision.setting_high[0])
        wide = question.comparison.setting_interval(**question.asked, confidence_level=0.99)
        assert wide.low <= found.low < found.high <= wide.high


def test_what_takes_long_is_not_in_decisions_but_can_be_asked_for() -> None:
    for name in ("cutoff, use, many contexts", "regression, use, many contexts"):
        question = QUESTIONS[name]
        decision = question.answer.decision
        assert decision.setting_low == decision.setting_high == ()
        low, high = question.comparison.setting_interval(**question.asked)
        assert low < decision.knob[0] < high
    own = QUESTIONS["impact, use, many contexts"].answer.decision  # a context for each case
    assert own.setting_low[0] < own.knob[0] < own.setting_high[0]


def test_baselines_and_hybrids_have_none() -> None:
    assert QUESTIONS["probability, no model, one context"].answer.decision.setting_low == ()
    rng = np.random.default_rng(0)
    truth, late = rng.normal(20.0, 4.0, 600), rng.exponential(size=(2, 600))
    models = {"low": truth - late[0], "high": truth + late[1]}
    found = rt.compare(truth, models, arm="regression")
    hybrid = found.decide(distribution=rt.Uniform(0.02, 0.98), hybrid=True)
    assert hybrid.regions
    assert (hybrid.within, hybrid.setting_low, hybrid.setting_high) == (None, (), ())
    assert say_setting(hybrid) == ""


def test_the_least_regret_has_no_interval() -> None:
    question = QUESTIONS["regression, use, many contexts"]
    with pytest.raises(rt.InputError, match="depends on all models"):
        question.comparison.setting_interval(between=(0.6, 0.9), criterion="regret")


def test_files_without_sets_are_read() -> None:
    decision = QUESTIONS["probability, use, one context"].answer.decision
    record = json.loads(decision.to_json())
    for name in ("setting_low", "setting_high", "checksum"):
        del record[name]
    read = rt.Decision.from_dict(sealed(record))
    assert (read.setting_low, read.setting_high) == ((), ())
    assert read.knob == decision.knob


@pytest.mark.parametrize("arm", ["cutoff", "probability"])
def test_sets_of_thresholds_hold_the_best_one(arm: str) -> None:
    held = 0
    for seed in range(80):
        rng = np.random.default_rng(seed)
        truth = rng.normal(size=200)
        score = truth + rng.normal(size=200)
        if arm == "cutoff":  # y given ŷ is normal around ŷ/2: yes pays from P(y ≥ 0) = 1/4 on
            comparison = rt.compare(truth, {"a": score}, arm=arm)
            asked = {"cutoff": 0.0, "false_negative_cost": 3.0}
            best = 0.6744897501960817 * math.sqrt(2.0)
        else:
            comparison = rt.compare(truth >= 0.0, {"a": score}, arm=arm)
            asked, best = {"cost_ratio": 3}, -0.6744897501960817 * math.sqrt(2.0)
        decision = comparison.decide(**asked, models_only=True)
        held += decision.setting_low[0] <= best <= decision.setting_high[0]
    assert held >= 71  # 95 % of 80, less 2.6 standard errors


def test_a_set_that_reaches_the_last_score_has_no_bound() -> None:
    """Beyond it all thresholds do the same, such as infinity: never say yes."""
    rng = np.random.default_rng(5)
    grade = rng.choice(3, 400, p=[0.5, 0.49, 0.01]).astype(float)
    score = np.minimum(grade, 1.0) + 0.5 * rng.normal(size=400)
    decision = rt.compare(grade, {"a": score}, arm="ordinal").decide(costs=[1, 1, 1])
    assert decision.knob[1] == math.inf
    ends = zip(decision.setting_low, decision.knob, decision.setting_high, strict=True)
    assert all(low <= chosen <= high for low, chosen, high in ends)
    assert ", and at least" in decision.sentence


@pytest.mark.parametrize("seed", range(12))
def test_the_threshold_that_is_said_decides_as_the_one_that_is_recorded(seed: int) -> None:
    """Who types it in by hand accepts the same cases, also where scores have few decimals."""
    rng = np.random.default_rng(seed)
    ill = rng.random(900) < 0.3
    score = np.round(1.0 / (1.0 + np.exp(1.5 - 1.6 * ill - rng.normal(size=900))), 3)
    decision = rt.compare(ill, {"a": score}, arm="probability").decide(
        false_positive_cost=1, false_negative_cost=3
    )
    (said,) = re.findall(r"say yes when the probability is ([\d.]+) or more", decision.sentence)
    assert np.array_equal(score >= float(said), score >= decision.knob[0])


def test_costs_of_the_decision_do_not_turn_a_threshold_into_a_margin() -> None:
    rng = np.random.default_rng(0)
    truth = rng.gamma(3.0, 3.0, 300)
    models = {"a": truth + rng.normal(0.0, 2.0, 300)}
    costs = {"false_positive_cost": 1, "false_negative_cost": 4}
    first = rt.compare(truth, models, arm="cutoff").decide(cutoff=7, **costs)
    second = rt.compare(truth, models, arm="cutoff", **costs).decide(cutoff=7)
    assert say_setting(first) == say_setting(second)
    assert "best threshold for future cases" in first.sentence
