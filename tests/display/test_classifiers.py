"""Pictures of a fitted classifier."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

import roctopus as rt
from roctopus import display, impact
from roctopus import probability as arm

rng = np.random.default_rng(0)
X = rng.normal(size=(60, 2))
Y = np.where(X[:, 0] + rng.normal(size=60) > 0, "ill", "well")
KINDS = ("SmoothedROCDisplay", "SmoothedAreaDisplay", "SegmentDisplay", "CostCurveDisplay")


@pytest.mark.parametrize(("pos_label", "column"), [("ill", 0), ("well", 1)])
def test_displays_of_a_classifier_show_the_probabilities_of_the_positive_class(pos_label, column):
    model = LogisticRegression().fit(X, Y)
    shown = display.ReliabilityDisplay.from_estimator(model, X, Y, pos_label=pos_label)
    probability = model.predict_proba(X)[:, column]
    own = arm.reliability_curve(pos_label == Y, probability)
    np.testing.assert_array_equal(shown.curves["LogisticRegression"].outcome, own.outcome)
    given = display.ReliabilityDisplay.from_predictions(Y, probability, pos_label=pos_label)
    np.testing.assert_array_equal(given.curves["model"].outcome, own.outcome)
    for kind in KINDS:
        getattr(display, kind).from_estimator(model, X, Y, pos_label=pos_label)
        getattr(display, kind).from_predictions(Y, probability, pos_label=pos_label)


def test_what_a_picture_of_a_classifier_needs():
    model = LogisticRegression().fit(X, Y)
    with pytest.raises(rt.InputError, match=r"'y' contains text .* add pos_label='ill'"):
        display.ReliabilityDisplay.from_estimator(model, X, Y)
    with pytest.raises(rt.InputError, match="must be a fitted classifier for two classes"):
        display.ReliabilityDisplay.from_estimator(object(), X, Y)
    with pytest.raises(
        rt.InputError, match=r"needs the method predict_proba, .* or from_predictions"
    ):
        display.ReliabilityDisplay.from_estimator(LinearSVC().fit(X, Y), X, Y, pos_label="ill")
    numbers = np.where(Y == "ill", 2, 1)
    shown = display.ReliabilityDisplay.from_estimator(
        LogisticRegression().fit(X, numbers), X, numbers
    )
    assert len(shown.curves["LogisticRegression"].outcome)


@pytest.mark.parametrize("model", [LogisticRegression(), LinearSVC()], ids=["proba", "scores"])
def test_impact_of_a_classifier_is_that_of_its_scores(model):
    model.fit(X, Y)
    given = {"utility": impact.net_benefit_utility, "pos_label": "ill"}
    shown = display.ImpactDisplay.from_estimator(model, X, Y, name="m", **given)
    proba = hasattr(model, "predict_proba")
    score = model.predict_proba(X)[:, 0] if proba else -model.decision_function(X)
    own = rt.impact_curve(score, impact.net_benefit_utility(Y == "ill"))
    assert shown.impacts["m"].at(0.4) == own.at(0.4)
    assert display.ImpactDisplay.from_predictions(Y, score, **given).impacts["model"].at(
        0.4
    ) == own.at(0.4)
    for kind in ("ThresholdLinesDisplay", "ImpactProfileDisplay"):
        getattr(display, kind).from_estimator(model, X, Y, **given)
