"""A decision is checked with a model, with the deployed one, and with what that one answered."""

import pickle
import subprocess
import sys
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

import roctopus as rt

N = 800
OLD, NEW = np.arange(400), np.arange(400, N)
RNG = np.random.default_rng(31)
X = RNG.normal(size=(N, 3))
NUMBER = 5 * X[:, 0] + 2 * X[:, 1] + RNG.normal(size=N) * 3
CLASS = (NUMBER > 1).astype(int)
GRADE = np.digitize(NUMBER, [-3, 1, 4])
QUALITY = np.array(["poor", "fair", "good", "best"])
LOGIT = LogisticRegression()
PIPED = make_pipeline(StandardScaler(), LogisticRegression())
COSTS = {"false_positive_cost": 1, "false_negative_cost": 4}
ILL = {"pos_label": "ill"}


@dataclass
class Case:
    """One question about one estimator."""

    arm: str
    estimator: Any
    y: Any
    context: dict[str, Any]
    options: dict[str, Any] = field(default_factory=dict)
    decides: bool = True
    """Whether the deployed model answers with decisions, not with numbers."""


TEXT = np.where(CLASS, "ill", "well")
CASES = {
    "shift": Case("regression", Ridge(), NUMBER, {"under_cost": 4, "over_cost": 1}, decides=False),
    "shift, pipeline": Case(
        "regression", make_pipeline(StandardScaler(), Ridge()), NUMBER, {"asymmetry": 0.2},
        decides=False,
    ),
    "margin": Case(
        "cutoff", Ridge(), NUMBER, {"cutoff": 2.0}, {"false_negative_cost": 4.0}
    ),
    "grades": Case("ordinal", Ridge(), GRADE, {"cost": 3.0}),
    "grades from 3": Case("ordinal", LOGIT, GRADE + 3, {"costs": [1, 1, 2, 4]}),
    "grades, text": Case(
        "ordinal", LOGIT, QUALITY[GRADE], {"cost": 3.0}, {"labels": list(QUALITY)}
    ),
    "grades, text, regressor": Case(
        "ordinal", Ridge(), QUALITY[GRADE], {"cost": 3.0}, {"labels": list(QUALITY)}
    ),
    "0/1": Case("probability", LOGIT, CLASS, COSTS),
    "0 is positive": Case("probability", LOGIT, CLASS, COSTS, {"pos_label": 0}),
    "bool": Case("probability", LOGIT, CLASS == 1, COSTS),
    "text": Case("probability", LOGIT, TEXT, COSTS, ILL),
    "text, scores": Case("probability", LinearSVC(), TEXT, COSTS, ILL),
    "text, pipeline": Case("probability", PIPED, TEXT, COSTS, ILL),
    "category": Case("probability", LOGIT, pd.Series(TEXT, dtype="category"), COSTS, ILL),
    "values": Case("impact", Ridge(), NUMBER, {"theta": 1.0}, {"utility": rt.value_minus_cutoff}),
    "net benefit": Case(
        "impact", LOGIT, CLASS, {"theta": 0.25}, {"utility": rt.net_benefit_utility}
    ),
    "net benefit, text": Case(
        "impact", LOGIT, TEXT, {"theta": 0.25}, {"utility": rt.net_benefit_utility} | ILL
    ),
}  # fmt: skip


def rows(column: Any, which: Any) -> Any:
    return column.iloc[which] if isinstance(column, pd.Series) else column[which]


def decided(case: Case) -> rt.Decision:
    known = rt.compare_estimators(
        {"m": case.estimator}, X[OLD], rows(case.y, OLD), arm=case.arm, **case.options
    )
    return known.decide(**case.context, models_only=True)


def as_read(check: Any) -> Any:
    """Return what a check says, to rounding."""
    return check.value, [(each.what, each.holds) for each in check.findings]


@pytest.mark.parametrize("name", CASES)
@pytest.mark.filterwarnings("ignore:Model 'm' ranks the classes in the wrong order")
def test_all_ways_say_the_same(name):
    case = CASES[name]
    decision = decided(case)
    ready, model = decision.deploy(), decision.refit("m")
    stored = rt.Decision.from_dict(decision.to_dict())
    y = rows(case.y, NEW)
    raw = rt.check(stored, model=model, X=X[NEW], y=y)
    assert {each.what for each in raw.findings} == {"value", "knob"}
    assert all(each.startswith("Neighbouring rows") for each in raw.notes)  # by chance
    inside = rt.check(stored, model={"m": ready}, X=X[NEW], y=y)
    assert as_read(inside) == as_read(raw)

    answers = ready.predict(X[NEW])
    said = rt.check(stored, predictions=answers, y=y, deployed=True)
    assert said.value == pytest.approx(raw.value, rel=1e-12)
    assert (said.low, said.high) == pytest.approx((raw.low, raw.high), rel=1e-9)
    if not case.decides:
        assert [each.holds for each in said.findings] == [each.holds for each in raw.findings]
        assert said.diagnosis.new_knob == pytest.approx(raw.diagnosis.new_knob)
        return
    assert [each.what for each in said.findings] == ["value"]
    assert "needs raw predictions" in said.sentence
    assert said.advice != "retune"
    with pytest.raises(rt.InputError, match=r"[aA]dd deployed=True"):
        rt.check(stored, predictions=answers, y=y)


def test_shifted_predictions_are_noticed():
    decision = decided(CASES["shift"])
    ready, y = decision.deploy(), NUMBER[NEW]
    comparison = rt.compare(y, {"m": ready.predict(X[NEW])}, arm="regression")
    for ask in (comparison.check, comparison.judge):
        with pytest.raises(rt.InputError, match=r"already shifted by .* add deployed=True"):
            ask(decision)
    raw = rt.compare(y, {"m": ready.estimator_.predict(X[NEW])}, arm="regression")
    assert comparison.check(decision, deployed=True).holds == raw.check(decision).holds
    assert comparison.judge(decision, deployed=True).value == pytest.approx(
        raw.judge(decision).value
    )
    assert not comparison.check(decision, deployed=False).holds


def test_raw_predictions_that_moved_are_not_taken_for_shifted_ones():
    decision = decided(CASES["shift"])
    raw = decision.deploy().estimator_.predict(X[NEW])
    for bias in (-2.0, 8.0):
        rt.compare(NUMBER[NEW], {"m": raw + bias}, arm="regression").check(decision)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("margin", ["no", "yes"]),
        ("values", ["False", "True"]),
        ("0 is positive", ["no", "yes"]),
        ("text", [0, 1]),
        ("grades, text", [0, 1, 2, 3]),
    ],
)
def test_answers_in_other_words(name, words):
    case = CASES[name]
    decision = decided(case)
    answers, y = decision.deploy().predict(X[NEW]), rows(case.y, NEW)
    classes = decision.responses["m"].classes or (0, 1)
    other = [words[classes.index(each)] for each in answers.tolist()]
    found = [
        rt.check(decision, predictions=each, y=y, deployed=True).value for each in (answers, other)
    ]
    assert found[0] == found[1]


def test_a_deployed_model_in_another_process(tmp_path):
    case = CASES["text, pipeline"]
    decision = decided(case)
    decision.to_json(tmp_path / "decision.json")
    with open(tmp_path / "ready.pickle", "wb") as file:
        pickle.dump((decision.deploy(), X[NEW], TEXT[NEW]), file)
    code = (
        "import pickle, roctopus as rt\n"
        "ready, X, y = pickle.load(open('ready.pickle', 'rb'))\n"
        "print(rt.check('decision.json', model=ready, X=X, y=y))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    here = rt.check(decision, model=decision.deploy(), X=X[NEW], y=TEXT[NEW])
    assert done.stdout == f"{here}\n"


def test_a_deployed_rule():
    shares = np.random.default_rng(1).uniform(0.1, 0.9, N)
    models = {"a": Ridge(), "b": Ridge(alpha=300.0)}
    known = rt.compare_estimators(
        models, X[OLD], NUMBER[OLD], arm="regression", context=shares[OLD]
    )
    decision = known.decide(hybrid=True, models_only=True)
    assert decision.regions
    ready = decision.deploy()
    asked = {"y": NUMBER[NEW], "context": shares[NEW]}
    raw = rt.check(decision, model=ready, X=X[NEW], **asked)
    answers = ready.predict(X[NEW], asymmetry=shares[NEW])
    said = rt.check(decision, predictions=answers, deployed=True, **asked)
    assert said.value == pytest.approx(raw.value)


def test_a_deployed_baseline():
    y = np.random.default_rng(0).permutation(CLASS)
    known = rt.compare_estimators({"m": LOGIT}, X[OLD], y[OLD], arm="probability")
    decision = known.decide(**COSTS)
    assert decision.is_baseline
    found = rt.check(decision, model=decision.deploy(), X=X[NEW], y=y[NEW])
    assert found.value == pytest.approx(np.mean(y[NEW] == 0))


def test_another_model_is_found_to_be_better():
    decision = decided(CASES["shift"])
    poor = Ridge(alpha=1e5).fit(X[OLD], NUMBER[OLD])
    found = rt.check(
        decision, model={"m": poor, "other": decision.refit("m")}, X=X[NEW], y=NUMBER[NEW]
    )
    assert "Another model is better now: other." in found.sentence


def test_a_state_takes_answers(tmp_path):
    decision = decided(CASES["text"])
    answers = decision.deploy().predict(X[NEW])
    for look, part in enumerate(np.array_split(np.arange(len(NEW)), 4)):
        found = rt.check(
            decision,
            predictions=answers[part],
            y=TEXT[NEW][part],
            deployed=True,
            state=tmp_path / "state.json",
            clusters=part % 7,
        )
        assert (found.watch.looks, found.advice) == (look + 1, "wait")
    assert found.watch.cases == len(NEW)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, "The predictions are missing. Use 'predictions'"),
        ({"model": Ridge()}, "'model' cannot predict without 'X'"),
        (
            {"model": Ridge(), "X": X, "predictions": NUMBER},
            "'predictions' and 'model' cannot be combined",
        ),
        ({"predictions": NUMBER, "X": X}, "'X' can only be used with 'model'"),
        (
            {"model": Ridge(), "X": X, "deployed": True},
            "'deployed' can only be used with 'predictions'",
        ),
    ],
)
def test_what_cannot_be_asked(given, told):
    decision = decided(CASES["shift"])
    with pytest.raises(rt.InputError, match=told):
        rt.check(decision, y=NUMBER, **given)


def test_answers_that_cannot_be():
    decision = decided(CASES["text"])
    wrong = np.where(CLASS[NEW], "ill", "healthy")
    with pytest.raises(rt.InputError, match=r"such as 'well' or 'ill'\), but contains 'healthy'"):
        rt.check(decision, predictions=wrong, y=TEXT[NEW], deployed=True)
    spread = rt.compare(NUMBER[OLD], {"m": 5 * X[OLD, 0]}, arm="cutoff")
    many = spread.decide(distribution=rt.Uniform(-5, 5), models_only=True)
    with pytest.raises(rt.InputError, match="is for a single cutoff, "):
        rt.check(many, predictions=CLASS[NEW], y=NUMBER[NEW], deployed=True)
    never = replace(decided(CASES["grades"]), knob=(0.5, 1.5, 1.5))
    with pytest.raises(rt.InputError, match="contains 2, but the model deployed with"):
        rt.check(never, predictions=GRADE[NEW], y=GRADE[NEW], deployed=True)
