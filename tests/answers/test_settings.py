"""How far a setting may move."""

import numpy as np
import pytest
from tests.answers.questions import questions

import roctopus as rt

QUESTIONS = {question.name: question for question in questions()}
MOVABLE = [
    name
    for name, question in QUESTIONS.items()
    if name.startswith(("regression, u", "probability, u", "impact, u"))
    and "at_most" not in question.options
]


@pytest.mark.parametrize("name", MOVABLE)
def test_settings_within_the_tolerance_cost_no_more(name: str) -> None:
    question = QUESTIONS[name]
    decision = question.answer.decision
    assert decision.within is not None
    low, high = decision.within
    assert low <= decision.knob[0] <= high
    problem, aim = question.comparison.aim(
        *(question.asked.get(key) for key in ("between", "criterion", "distribution")),
        {k: v for k, v in question.asked.items() if k not in ("between", "distribution")},
    )
    prediction = question.comparison.predictions[decision.model]

    def cost(setting: float) -> float:
        sign = 1.0 if problem.sense == "loss" else -1.0
        knob = np.array([setting])
        return max(
            sign * float(np.mean(problem.outcomes(prediction, knob, x)))
            for x in aim.contexts.tolist()
        )

    best = cost(decision.knob[0])
    assert cost(low) <= best + decision.tolerance + 1e-9
    assert cost(high) <= best + decision.tolerance + 1e-9
    values = problem.knob_values(prediction)
    for beyond in (low - 0.1 * np.ptp(values), high + 0.1 * np.ptp(values)):
        if values.min() <= beyond <= values.max():
            assert cost(beyond) > best + 0.5 * decision.tolerance


def test_the_interval_of_a_shift_holds_the_best_one() -> None:
    best, held = 0.8416212335729143, 0  # the 80 % quantile of the errors
    for seed in range(60):
        rng = np.random.default_rng(seed)
        truth = rng.normal(size=200)
        comparison = rt.compare(truth, {"a": truth - rng.normal(size=200)}, arm="regression")
        low, high = comparison.setting_interval(asymmetry=0.8)
        held += low <= best <= high
    assert held >= 53  # 95 % of 60, less 2.4 standard errors


def test_several_numbers_have_no_interval() -> None:
    question = QUESTIONS["ordinal, use, one context"]
    assert question.answer.decision.within is None
    with pytest.raises(rt.InputError, match="consists of 2 numbers"):
        question.comparison.setting_interval(**question.asked)


def test_a_setting_that_keeps_a_capacity_does_not_move() -> None:
    assert QUESTIONS["impact, use, one context"].answer.decision.within is None
    assert QUESTIONS["impact, use, many contexts"].answer.decision.within is not None
