"""Numbers on a shared page have the digits that rounding leaves of them, and no more."""

import json
import math
import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pages import Opened, data_of, examples

import roctopus as rt
from roctopus.concepts.decision_parts import Beside
from roctopus.concepts.sentences import say_numbers
from roctopus.concepts.wording import step_of
from roctopus.datasets import load_bank_predictions
from roctopus.report import make_page

ARMS = ["regression", "cutoff", "ordinal", "probability", "impact"]


@given(
    st.lists(st.integers(-3000, 3000), min_size=1, max_size=4),
    st.sampled_from([1, 2, 5]),
    st.integers(-9, 9),
)
def test_the_step_of_rounded_numbers(counts, digit, power):
    step = float(f"{digit}e{power}")
    values = [float(f"{count * step:.12g}") for count in counts]
    found = step_of(*values)
    if not any(counts):
        assert found == 0.0
        return
    assert found >= step * (1 - 1e-9) or step % found == pytest.approx(0.0, abs=1e-9 * step)
    for value in values:
        assert value / found == pytest.approx(round(value / found), abs=1e-6)
    mantissa = found / 10.0 ** math.floor(math.log10(found) + 1e-9)
    assert min(abs(mantissa - each) for each in (1, 2, 5)) < 1e-9


def test_steps_that_are_known():
    assert step_of(6.5, 6.0, 7.0) == 0.5
    assert step_of(0.25, 0.1, 0.55) == 0.05
    assert step_of(8.0, 7.0, 9.0) == 1.0
    assert step_of(110.0) == 10.0
    assert step_of(-np.inf, 0.0) == 0.0


def decimals(text):
    return len(text.partition(".")[2])


def number(text):
    return float(text.replace("−", "-").replace(",", ""))


@pytest.mark.parametrize("arm", ARMS)
def test_the_table_shows_what_is_known(chrome, pages, arm):
    """Rounded numbers have the digits of their step, curves those of their bounds."""
    data = data_of(pages(arm))
    opened = Opened(chrome, pages(arm))
    for answer in data["answers"]:
        opened.go_to(answer["context"])
        for row in answer["rows"]:
            kind = "baseline" if row["baseline"] else "model"
            name = row["name"] if row["baseline"] else data["models"].index(row["name"])
            line = opened.page.locator(f'tr[data-{kind}="{name}"]')
            told = [row[each] for each in ("value", "low", "high")]
            texts = [
                line.locator(f'[data-cell="{each}"]').inner_text()
                for each in ("honest", "low", "high")
            ]
            assert [number(text) for text in texts] == pytest.approx(told, rel=1e-9)
            step = step_of(*told)
            digits = max(0, -math.floor(math.log10(step) + 1e-9)) if step else 0
            assert {decimals(text) for text in texts} == {digits}
            assert told[1] <= told[0] <= told[2]
        off = opened.number("footer [data-value]")
        for k in range(len(data["models"])):
            text = opened.page.locator(f'tr[data-model="{k}"] [data-cell="value"]').inner_text()
            if off > 0.0:  # the largest of all models
                assert 10.0 ** -decimals(text) >= 1e-3 * off
            shown = opened.cell(str(k), "value")[0]
            assert abs(number(text) - shown) <= max(off, 1e-3 * abs(shown))
    opened.close()


@pytest.mark.parametrize("arm", ARMS)
def test_sentences_of_a_page_have_the_digits_of_rounding(pages, arm):
    for answer in data_of(pages(arm))["answers"]:
        decision = rt.Decision.from_json(answer["text"])
        assert decision.from_page
        told = (decision.value, decision.low, decision.high)
        texts = say_numbers(decision, *told)
        assert [number(text) for text in texts] == pytest.approx(told, rel=1e-9)
        value, low, high = texts
        assert f"{value} per case (95 % interval {low} to {high})" in decision.sentence
        for line in (answer["doubts"], answer["action"]):
            for word in line.replace("(", " ").replace(")", " ").split():
                text = word.strip(".,;%")
                if "." in text and text.replace(".", "").replace(",", "").isdigit():
                    assert len(text.replace(".", "").lstrip("0")) <= 5, line


@pytest.mark.parametrize("arm", ARMS)
def test_intervals_reach_as_far_as_those_of_cases_and_rows_are_in_order(pages, arm):
    """To the nearest steps, 16.4 (12.2 to 23.4) would be 20 (20 to 20)."""
    comparison, first = examples()[arm]
    problem, _ = comparison.aim(first.pop("between", None), None, None, first)
    data = data_of(pages(arm))
    sign = 1.0 if problem.sense == "loss" else -1.0
    for answer in data["answers"]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            mine = comparison.answer(**problem.context_words(answer["context"]))
        for row, exact in zip(answer["rows"], mine.rows, strict=True):
            assert row["name"] == exact.name
            room = 1e-6 * (row["high"] - row["low"])
            assert row["low"] <= exact.low + room
            assert row["high"] >= exact.high - room
        for baseline in (False, True):
            shown = [sign * row["value"] for row in answer["rows"] if row["baseline"] is baseline]
            assert shown == sorted(shown)


def test_equal_steps_are_not_needed_for_the_order():
    """Values of heavy tails are rounded in steps of their own."""
    bank = load_bank_predictions()
    utility = rt.value_minus_cutoff(bank.y_true)
    comparison = rt.compare(
        bank.y_true, bank.predictions, arm="impact", utility=utility, at_most=1000
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        page = make_page(comparison, theta=3.0, progress=False)
    data = json.loads(page.split('id="data">')[1].split("</script>")[0])["comparisons"][0]
    for answer in data["answers"]:
        for baseline in (False, True):
            shown = [row["value"] for row in answer["rows"] if row["baseline"] is baseline]
            assert shown == sorted(shown, reverse=True)
        decision = rt.Decision.from_json(answer["text"])
        for row in answer["rows"]:
            if row["name"] in decision.beside:
                assert decision.beside[row["name"]].value == row["value"]
            if row["name"] == decision.model:
                assert (row["value"], row["low"]) == (decision.value, decision.low)


def test_a_small_cost_beside_a_large_one_is_not_nothing(pages):
    """A cost of 0.01 beside one of 0.91, which is rounded to 0.05, is 99 % less, and not 100 %."""
    page = data_of(pages("regression"))["answers"][3]["text"]
    beside = Beside(0.91, 0.9, 0.95, 0.9, 0.85, 0.9)
    made = replace(
        rt.Decision.from_json(page),
        value=0.01,
        low=0.005,
        high=0.025,
        raw=None,
        beside={"no": beside},
    )
    assert "99 % less" in made.sentence


def test_a_rounded_setting_does_not_stand_beside_itself():
    """A margin that is rounded to none is what leaving the threshold at the cutoff is."""
    rng = np.random.default_rng(7)
    y = np.round(rng.lognormal(2.0, 1.5, 365), 2)
    models = {"a": y * rng.lognormal(0.0, 0.6, 365), "b": y * rng.lognormal(0.1, 0.4, 365)}
    comparison = rt.compare(y, models, arm="cutoff", false_positive_cost=1, false_negative_cost=4)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        page = make_page(comparison, cutoff=30, progress=False)
    data = json.loads(page.split('id="data">')[1].split("</script>")[0])["comparisons"][0]
    plain = 0
    for answer in data["answers"]:
        decision = rt.Decision.from_json(answer["text"])
        if decision.knob == (0.0,):
            plain += 1
            assert decision.raw is None
            assert "leave the threshold" not in answer["doubts"]
    assert plain


def test_a_decision_made_here_has_the_digits_of_its_error():
    comparison, first = examples()["regression"]
    decision = comparison.decide(**first)
    assert not decision.from_page
    assert any(decimals(text) > 0 for text in say_numbers(decision, 8.0, 7.5, 8.5))


@pytest.mark.parametrize(
    ("value", "beside", "said"),
    [
        ((0.25, 0.1, 0.55), Beside(0.65, 0.6, 0.65, 0.4, 0.2, 0.6), "0.4 less than"),
        ((6.5, 6.0, 7.0), Beside(23.5, 22.0, 24.0, 17.0, 16.0, 18.0), "about 72 % less than"),
    ],
)
def test_percents_of_rounded_numbers_are_approximate(pages, value, beside, said):
    """A cost of 0.65, rounded to 0.05, may be 30 to 90 % more than one of 0.25."""
    page = data_of(pages("regression"))["answers"][3]["text"]
    names = dict(zip(("value", "low", "high"), value, strict=True))
    told = replace(rt.Decision.from_json(page), **names, raw=None, beside={"no": beside})
    assert said in told.sentence
    assert ("% less" in told.sentence) is ("%" in said)


def test_values_are_told_within_their_errors():
    """Costs of a class grow along the page; what is told of low ones is not as coarse."""
    rng = np.random.default_rng(0)
    grade = np.clip(np.rint(rng.normal(2.0, 0.9, 1000)), 0, 4).astype(int)
    models = {f"m{k}": grade + rng.normal(0.0, 0.7 + 0.05 * k, 1000) for k in range(3)}
    comparison = rt.compare(grade, models, arm="ordinal")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        answer = comparison.answer(costs=[1, 1, 1, 1, 1])
        page = make_page(comparison, costs=[1, 1, 1, 1, 1], progress=False)
    data = json.loads(page.split('id="data">')[1].split("</script>")[0])
    (told,) = [x for x in data["comparisons"][0]["answers"] if x["context"] == 1.0]
    for row, mine in zip(told["rows"], answer.rows, strict=True):
        assert row["name"] == mine.name
        error = (mine.high - mine.low) / 3.92
        assert abs(row["value"] - mine.value) <= error
        assert row["low"] == pytest.approx(mine.low, abs=error)
