"""A model is asked for what was decided on; where that is not sure, it is refused."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.ensemble import IsolationForest
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.model_selection import cross_validate
from sklearn.svm import LinearSVC

import roctopus as rt
from roctopus.impact import net_benefit_utility

RNG = np.random.default_rng(1)
X = RNG.normal(size=(200, 2))
ILL = X[:, 0] + RNG.normal(size=200) > 0.8
TEXT = np.where(ILL, "ill", "well")
MODEL = LogisticRegression().fit(X, TEXT)  # its classes are 'ill' and 'well'
CHANCE = MODEL.predict_proba(X)[:, 0]
COSTS = {"false_positive_cost": 1, "false_negative_cost": 5}


def decide(predictions, truth=ILL, arm="probability", context=COSTS, **options):
    found = rt.compare(truth, {"m": predictions}, arm=arm, **options)
    return found.decide(**context, models_only=True)


def test_truths_made_by_hand_do_not_say_which_class_is_meant():
    decision = decide(CHANCE)  # of ILL, as an error of ours once advised
    flagged = decision.knob[0] <= CHANCE
    with pytest.raises(
        rt.InputError, match=r"'ill' and 'well', but the true values .* pos_label='well'"
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
    with pytest.raises(
        rt.InputError, match="can only be used together, but 'predictions' is missing"
    ):
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
    with pytest.raises(
        rt.InputError, match="'sick' and 'sound', but the true values in the decision"
    ):
        decision.deploy({"m": other})


def test_the_impact_arm_asks_classifiers_for_probabilities():
    model = LogisticRegression().fit(X, ILL)
    chance = model.predict_proba(X)[:, 1]
    decision = decide(chance, ILL, "impact", {"theta": 0.25}, utility=net_benefit_utility)
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
    with pytest.raises(
        rt.InputError, match=r"do not look like the output of this model .decision_function"
    ):
        by_chance.deploy({"m": svm})
    with pytest.raises(rt.InputError, match="two"):
        by_chance.deploy({"m": LogisticRegression().fit(X, np.digitize(X[:, 0], [-1, 1]))})


def test_hard_labels_may_be_probabilities():
    model = LogisticRegression().fit(X, ILL)
    hard = model.predict(X).astype(float)
    decision = decide(hard)
    with pytest.raises(
        rt.InputError,
        match=r"record whether 'predict_proba' or 'predict' made the predictions\. To show it",
    ):
        decision.deploy({"m": model})
    ready = decision.deploy({"m": model}, X=X, predictions=hard)
    np.testing.assert_array_equal(ready.predict(X), hard >= decision.knob[0])


def test_numbers_and_classes_are_not_mixed_up():
    number = X[:, 0] + RNG.normal(size=200)
    model, classifier = Ridge().fit(X, number), LogisticRegression().fit(X, ILL)
    for arm, context in (("regression", {"asymmetry": 0.8}), ("cutoff", {"cutoff": 0.5})):
        decision = decide(model.predict(X), number, arm, context)
        with pytest.raises(rt.InputError, match="it is a classifier, but the decision is about"):
            decision.deploy({"m": classifier})
        found = rt.compare_estimators({"m": Ridge()}, X, number, arm=arm, cv=3)
        with pytest.raises(rt.InputError, match="predicts classes"):
            rt.compare_estimators({"m": LogisticRegression()}, X, number, arm=arm)
        decision = found.decide(**context, models_only=True)
        assert decision.deploy().predict(X).shape == (200,)
    probable = rt.compare_estimators({"m": LogisticRegression()}, X, ILL, arm="probability")
    with pytest.raises(
        rt.InputError, match="'predict_proba' of a classifier, but this model is not"
    ):
        probable.decide(**COSTS, models_only=True).deploy({"m": LinearRegression().fit(X, ILL)})


def test_a_decision_from_a_file_needs_the_models():
    found = rt.compare_estimators(
        {"m": LogisticRegression()}, X, TEXT, arm="probability", pos_label="ill"
    )
    decision = rt.Decision.from_dict(found.decide(**COSTS, models_only=True).to_dict())
    with pytest.raises(rt.InputError, match=r"'models' is missing\. Pass the trained models"):
        decision.deploy()
    assert set(decision.deploy({"m": MODEL}).predict(X)) == {"ill", "well"}


class Foreign:
    """A model of another library: no estimator of scikit-learn."""

    def __init__(self, said):
        self.said = said

    def predict(self, X):
        """Return numbers."""
        return self.said(X)


@pytest.mark.parametrize("labels", [(1, 2), (1, 0), (-1, 1), ("well", "ill")])
def test_regressors_on_classes_answer_with_classes(labels):
    truth = np.array(labels)[ILL.astype(int)]
    given = {"arm": "probability", "pos_label": labels[1]}
    found = rt.compare_estimators({"m": Ridge()}, X, truth, **given)
    decision = found.decide(**COSTS, models_only=True)
    plain = Ridge().fit(X, ILL.astype(float)).predict(X)
    wanted = np.array(labels)[(plain >= decision.knob[0]).astype(int)]
    np.testing.assert_array_equal(decision.deploy().predict(X), wanted)


@pytest.mark.parametrize("labels", [(1, 2), (-1, 1)])
def test_results_of_regressors_are_trained_again_on_what_they_were_trained_on(labels):
    truth = np.array(labels)[ILL.astype(int)]
    results = cross_validate(Ridge(), X, truth, return_estimator=True, return_indices=True)
    found = rt.Comparison.from_cv_results(results, X, truth, arm="probability")
    decision = found.decide(**COSTS, models_only=True)
    wanted = np.array(labels)[(Ridge().fit(X, truth).predict(X) >= decision.knob[0]).astype(int)]
    np.testing.assert_array_equal(decision.deploy().predict(X), wanted)


def test_numbers_that_a_model_does_not_say_are_refused():
    model = LogisticRegression().fit(X, ILL)
    chance = model.predict_proba(X)[:, 1]
    for made in (100 * chance, np.log(chance)):
        with pytest.raises(rt.InputError, match="do not look like the output"):
            decide(made).deploy({"m": model})
    forest = IsolationForest(n_estimators=5, random_state=0).fit(X)
    with pytest.raises(rt.InputError, match="does not record which method"):
        decide(-forest.score_samples(X)).deploy({"m": forest})
    grade = np.digitize(X[:, 0] + RNG.normal(size=200), [-1, 0, 1])
    graded = LogisticRegression().fit(X, grade)
    above = graded.predict_proba(X)[:, 2:].sum(axis=1)
    with pytest.raises(rt.InputError, match="do not look like the output"):
        decide(above, grade, "ordinal", {"cost": 2.0}).deploy({"m": graded})


def test_what_is_said_of_the_positive_class_is_not_contradicted():
    model = LogisticRegression().fit(X, np.where(ILL, 1, -1))
    chance = model.predict_proba(X)[:, 0]
    decision = decide(chance, ILL.astype(int), pos_label=0)
    found = decision.deploy({"m": model}).predict(X)
    np.testing.assert_array_equal(found == -1, chance >= decision.knob[0])
    ill = decide(CHANCE, TEXT, pos_label="ill")
    with pytest.raises(rt.InputError, match="the positive class of the decision is 'ill'"):
        ill.deploy({"m": MODEL}, pos_label="well")
    number = X[:, 0] + 0.1
    shifted = decide(number, X[:, 0], "regression", {"asymmetry": 0.8})
    with pytest.raises(rt.InputError, match="'pos_label' can only be used for classifiers"):
        shifted.deploy({"m": Foreign(lambda X: X[:, 0])}, pos_label="foo")
    ready = shifted.deploy({"m": Foreign(lambda X: X[:, 0] + 0.1)})
    np.testing.assert_array_equal(ready.predict(X), number + shifted.knob[0])


@pytest.mark.filterwarnings("ignore:About .* cases carry")
def test_single_precision_does_not_move_the_threshold():
    low = np.float32(0.3)
    said = np.where(ILL, np.nextafter(low, np.float32(1)), low)
    said[:2] = 1.0 - ILL[:2]  # so that not all are right
    model = Foreign(None)
    model.classes_, model.predict_proba = [False, True], lambda X: np.column_stack([1 - said, said])
    ready = decide(said).deploy({"m": model})
    np.testing.assert_array_equal(ready.predict(X)[2:], ILL[2:])
    np.testing.assert_array_equal(ready.predict_proba(X)[:, 1], said)


def test_deployed_grades_keep_their_thresholds():
    grade = np.digitize(X[:, 0] + RNG.normal(size=200), [-1, 1])
    graded = rt.compare_estimators({"m": Ridge()}, X, grade, arm="ordinal")
    found = graded.decide(cost=5.0, models_only=True)
    again = clone(found.deploy()).fit(X[:50], np.r_[grade[:47], 0, 1, 2])
    np.testing.assert_array_equal(again.thresholds_, found.knob)
    with pytest.raises(rt.InputError, match="cannot use other costs"):
        again.predict(X, costs=[1, 1, 1])


def test_hybrids_of_all_kinds_of_models_answer_with_classes():
    kinds = {"logit": LogisticRegression(), "line": Ridge()}
    found = rt.compare_estimators(kinds, X, TEXT, arm="probability", pos_label="ill")
    decision = found.decide(distribution=rt.Uniform(0, 1), hybrid=True)
    regions = ((0.0, 0.3, "line", (0.2,)), (0.3, 1.0, "logit", (0.5,)))
    said = {name: found.response(name) for name in kinds}
    ready = replace(decision, regions=regions, responses=said).deploy()
    share = np.linspace(0, 1, 200)
    line = Ridge().fit(X, ILL.astype(float)).predict(X) >= 0.2
    logit = LogisticRegression().fit(X, TEXT).predict_proba(X)[:, 0] >= 0.5
    wanted = np.where(np.where(share <= 0.3, line, logit), "ill", "well")
    np.testing.assert_array_equal(ready.predict(X, cost_proportion=share), wanted)


OLD = json.loads((Path(__file__).parent / "decisions_0_1_0.json").read_text())


@pytest.mark.parametrize("arm", OLD)
def test_decisions_of_older_versions_are_read(arm):
    decision = rt.Decision.from_dict(OLD[arm])
    told = {"clear": "use"}.get(OLD[arm]["answer"], "use for now")
    assert (decision.verdict, decision.model) == (told, OLD[arm]["model"])
    assert decision.model in str(decision)
    assert (decision.arm, decision.schema_version, decision.responses) == (arm, 3, {})
    assert rt.Decision.from_json(decision.to_json()) == decision
    number = 10 + 3 * X[:, 0]
    ready = decision.deploy({"a": Ridge().fit(X, number)})
    assert len(ready.predict(X)) == 200
    if arm in ("probability", "impact"):
        model = LogisticRegression().fit(X, ILL)
        chance = model.predict_proba(X)[:, 1]
        proof = {"X": X, "predictions": chance} if arm == "impact" else {}
        found = decision.deploy({"a": model}, **proof).predict(X)
        np.testing.assert_array_equal(found, chance >= decision.knob[0])
    if arm == "impact":  # of any scores: a file that does not say which cannot be sure
        with pytest.raises(rt.InputError, match="'predict_proba' or 'decision_function'"):
            decision.deploy({"a": model})
    if arm == "ordinal":
        with pytest.raises(rt.InputError, match="older version"):
            decision.deploy({"a": MODEL})
