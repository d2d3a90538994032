"""A model is asked for what was decided on; where that is not sure, it is refused."""

import json
from pathlib import Path

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.svm import LinearSVC

import roctopus as rt
from roctopus.impact import net_benefit

RNG = np.random.default_rng(1)
X = RNG.normal(size=(200, 2))
ILL = X[:, 0] + RNG.normal(size=200) > 0.8
TEXT = np.where(ILL, "ill", "well")
MODEL = LogisticRegression().fit(X, TEXT)  # its classes are 'ill' and 'well'
CHANCE = MODEL.predict_proba(X)[:, 0]
COSTS = {"false_positive_cost": 1, "false_negative_cost": 5}


def decide(predictions, truth=ILL, arm="probability", context=COSTS, **options):
    return rt.compare(truth, {"m": predictions}, arm=arm, **options).decide(**context)


def test_truths_made_by_hand_do_not_say_which_class_is_meant():
    decision = decide(CHANCE)  # of ILL, as an error of ours once advised
    flagged = decision.knob[0] <= CHANCE
    with pytest.raises(
        rt.InputError, match=r"'ill' and 'well', but the truths .* pos_label='well'"
    ):
        decision.deploy({"m": MODEL})
    by_name = decision.deploy({"m": MODEL}, pos_label="ill")
    by_proof = decision.deploy({"m": MODEL}, X=X[:9], predictions=CHANCE[:9])
    for ready in (by_name, by_proof):
        np.testing.assert_array_equal(ready.predict(X) == "ill", flagged)
    with pytest.raises(rt.InputError, match="'pos_label' must be 'ill' or 'well'"):
        decision.deploy({"m": MODEL}, pos_label="sick")
    with pytest.raises(rt.InputError, match="differs from 'predictions' by up to"):
        decision.deploy({"m": MODEL}, X=X[:9], predictions=CHANCE[:9] + 0.01)
    with pytest.raises(rt.InputError, match="Give both 'X' and 'predictions'"):
        decision.deploy({"m": MODEL}, X=X[:9])


def test_labels_say_it_whatever_their_order():
    decision = decide(CHANCE, TEXT, pos_label="ill")
    assert decision.responses["m"].classes == ("well", "ill")
    swapped = LogisticRegression().fit(X, np.where(ILL, "well", "ill"))
    for model in (MODEL, swapped):  # the other one learned labels that were swapped
        said = model.predict_proba(X)[:, list(model.classes_).index("ill")]
        found = decision.deploy({"m": model}).predict(X) == "ill"
        np.testing.assert_array_equal(found, said >= decision.knob[0])
    other = LogisticRegression().fit(X, np.where(ILL, "sick", "sound"))
    with pytest.raises(rt.InputError, match="'sick' and 'sound', but the truths decided on"):
        decision.deploy({"m": other})


def test_the_impact_arm_asks_classifiers_for_probabilities():
    model = LogisticRegression().fit(X, ILL)
    chance = model.predict_proba(X)[:, 1]
    decision = decide(chance, ILL, "impact", {"theta": 0.25}, utility=net_benefit)
    found = decision.deploy({"m": model}).predict(X)
    np.testing.assert_array_equal(found, chance >= decision.knob[0])
    assert found.sum() > 1.5 * model.predict(X).sum()


def test_scores_are_scores_and_probabilities_are_probabilities():
    svm, logit = LinearSVC().fit(X, ILL), LogisticRegression().fit(X, ILL)
    scores, chance = svm.decision_function(X), logit.predict_proba(X)[:, 1]
    by_scores, by_chance = decide(scores), decide(chance)
    np.testing.assert_array_equal(
        by_scores.deploy({"m": svm}).predict(X), scores >= by_scores.knob[0]
    )
    found = by_scores.deploy({"m": logit}, X=X, predictions=logit.decision_function(X))
    np.testing.assert_array_equal(found.predict(X), logit.decision_function(X) >= by_scores.knob[0])
    with pytest.raises(rt.InputError, match="look like probabilities"):
        by_chance.deploy({"m": svm})
    with pytest.raises(rt.InputError, match="two"):
        by_chance.deploy({"m": LogisticRegression().fit(X, np.digitize(X[:, 0], [-1, 1]))})


def test_hard_labels_may_be_probabilities():
    model = LogisticRegression().fit(X, ILL)
    hard = model.predict(X).astype(float)
    decision = decide(hard)
    with pytest.raises(
        rt.InputError, match=r"may be those of 'predict_proba' or 'predict'\. Prove"
    ):
        decision.deploy({"m": model})
    ready = decision.deploy({"m": model}, X=X, predictions=hard)
    np.testing.assert_array_equal(ready.predict(X), hard >= decision.knob[0])


def test_numbers_and_classes_are_not_mixed_up():
    number = X[:, 0] + RNG.normal(size=200)
    model, classifier = Ridge().fit(X, number), LogisticRegression().fit(X, ILL)
    for arm, context in (("regression", {"asymmetry": 0.8}), ("cutoff", {"cutoff": 0.5})):
        decision = decide(model.predict(X), number, arm, context)
        with pytest.raises(rt.InputError, match="it predicts classes, but the decision is about"):
            decision.deploy({"m": classifier})
        found = rt.compare_estimators({"m": Ridge()}, X, number, arm=arm, cv=3).decide(**context)
        with pytest.raises(rt.InputError, match="predicts classes"):
            rt.compare_estimators({"m": LogisticRegression()}, X, number, arm=arm)
        assert found.deploy().predict(X).shape == (200,)
    probable = rt.compare_estimators({"m": LogisticRegression()}, X, ILL, arm="probability")
    with pytest.raises(rt.InputError, match="'predict_proba' of a classifier, which this is not"):
        probable.decide(**COSTS).deploy({"m": LinearRegression().fit(X, ILL)})


def test_a_decision_from_a_file_needs_the_models():
    found = rt.compare_estimators(
        {"m": LogisticRegression()}, X, TEXT, arm="probability", pos_label="ill"
    )
    decision = rt.Decision.from_dict(found.decide(**COSTS).to_dict())
    with pytest.raises(rt.InputError, match="Give 'models', the trained ones"):
        decision.deploy()
    assert set(decision.deploy({"m": MODEL}).predict(X)) == {"ill", "well"}


OLD = json.loads((Path(__file__).parent / "decisions_0_1_0.json").read_text())


@pytest.mark.parametrize("arm", OLD)
def test_decisions_of_older_versions_are_read(arm):
    decision = rt.Decision.from_dict(OLD[arm])
    assert (decision.arm, decision.schema_version, decision.responses) == (arm, 2, {})
    assert rt.Decision.from_json(decision.to_json()) == decision
    number = 10 + 3 * X[:, 0]
    ready = decision.deploy({"a": Ridge().fit(X, number)})
    assert len(ready.predict(X)) == 200
    if arm in ("probability", "impact"):
        model = LogisticRegression().fit(X, ILL)
        found = decision.deploy({"a": model}).predict(X)
        np.testing.assert_array_equal(found, model.predict_proba(X)[:, 1] >= decision.knob[0])
    if arm == "ordinal":
        with pytest.raises(rt.InputError, match="older version"):
            decision.deploy({"a": MODEL})
