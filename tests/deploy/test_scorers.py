"""Scorers ask each estimator for what the measure judges."""

import pickle
from functools import cache

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score, cross_validate
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

import roctopus as rt
from contract.test_metrics import CONTEXTS
from roctopus.arms import find_arm
from roctopus.deploy import (
    CutoffClassifier,
    HybridCutoffClassifier,
    ImpactThresholdClassifier,
    OrdinalThresholdClassifier,
    RegionEstimator,
    RetrainedCutoffClassifier,
    ShiftedRegressor,
    TunedShiftRegressorCV,
    scorer,
)
from roctopus.impact import value_minus_cutoff

RNG = np.random.default_rng(4)
X = RNG.normal(size=(90, 2))
Y = X[:, 0] + 0.5 * RNG.normal(size=90)
TARGETS = {"numbers": Y, "grades": np.digitize(Y, [-0.5, 0.5]), "classes": (Y > 0).astype(int)}
KNN = KNeighborsRegressor(7)
OURS = {
    "shifted": ShiftedRegressor(KNN),
    "tuned": TunedShiftRegressorCV(KNN, cv=3, asymmetry=0.8),
    "cutoff": CutoffClassifier(KNN),
    "retrained": RetrainedCutoffClassifier(LogisticRegression(), cutoffs=3),
    "hybrid": HybridCutoffClassifier(KNN, LogisticRegression(), cutoffs=3, cv=3),
    "ordinal": OrdinalThresholdClassifier(KNN, cv=3),
    "impact": ImpactThresholdClassifier(KNN, cv=3),
}
KINDS = {"cutoff": "margin", "ordinal": "thresholds", "impact": "threshold"}


def target_of(name: str, arm: str) -> str:
    if name == "ordinal":
        return "grades"
    return {"ordinal": "grades", "probability": "classes"}.get(arm, "numbers")


@cache
def fitted(name: str, target: str):
    return clone(OURS[name]).fit(X, TARGETS[target])


def by_hand(name, metric, context):
    """Return the numbers that should be judged; None where nothing should."""
    model = fitted(name, target_of(name, metric.arm))
    if name in ("shifted", "tuned"):
        return model.predict(X)
    if name in ("retrained", "hybrid"):
        if metric.name != "cutoff_error":
            return None
        return np.where(model.predict(X, context["cutoff"]), np.inf, -np.inf)
    inside = find_arm(metric.arm).knob == KINDS[name]
    return model.estimator_.predict(X) if inside else None


@pytest.mark.parametrize("name", OURS)
@pytest.mark.parametrize("metric", rt.registered_metrics(), ids=lambda each: each.name)
def test_every_measure_of_every_estimator(metric, name):
    target = target_of(name, metric.arm)
    model, truth = fitted(name, target), TARGETS[target]
    if name == "tuned" and metric.arm == "probability":
        return  # a shifted probability is none
    for context in CONTEXTS[metric.name]:
        score, numbers = scorer(metric.name, **context), by_hand(name, metric, context)
        if numbers is None:
            with pytest.raises(
                rt.InputError, match=r"cannot evaluate .*, which predicts .* Use the metric '"
            ):
                score(model, X, truth)
            continue
        means = {"normalize": True} if "normalize=True" in repr(score) else {}
        value = metric.function(truth, numbers, **{**means, **context})
        assert score(model, X, truth) == (value if metric.sense == "gain" else -value)


@pytest.mark.parametrize("name", ["cutoff", "retrained", "hybrid"])
def test_decisions_at_a_cutoff_are_not_cut_again(name):
    folds = KFold(3, shuffle=True, random_state=0)
    found = cross_val_score(
        OURS[name], X, Y, cv=folds, scoring=scorer("cutoff_error", cutoff=0.3), error_score="raise"
    )
    wrong = []
    for train, test in folds.split(X):
        said = clone(OURS[name]).fit(X[train], Y[train]).predict(X[test], cutoff=0.3)
        wrong.append(-np.mean(said != (Y[test] >= 0.3)))
    assert found == pytest.approx(wrong, rel=1e-12)


@pytest.mark.parametrize("name", OURS)
def test_inside_pipelines_and_searches(name):
    target = "grades" if name == "ordinal" else "numbers"
    context = {
        "ordinal": ("volume_under_surface", {}),
        "impact": ("impact", {"utility": value_minus_cutoff, "theta": 0.2}),
    }.get(name, ("cutoff_error", {"cutoff": 0.2}))
    score = scorer(context[0], **context[1])
    piped = make_pipeline(StandardScaler(), clone(OURS[name]))
    step = type(OURS[name]).__name__.lower()
    part = "regressor" if name == "hybrid" else "estimator"
    grid = {f"{step}__{part}__{'C' if name == 'retrained' else 'n_neighbors'}": [3, 9]}
    search = GridSearchCV(piped, grid, cv=2, scoring=score, error_score="raise")
    search.fit(X, TARGETS[target])
    steps = search.best_estimator_
    alone = score(steps[-1], steps[0].transform(X), TARGETS[target])
    assert score(steps, X, TARGETS[target]) == score(search, X, TARGETS[target]) == alone
    assert search.score(X, TARGETS[target]) == alone


def test_a_classifier_of_ordered_classes_is_asked_for_the_expected_class():
    grade = np.array(["low", "mid", "high"])[TARGETS["grades"]]
    model = KNeighborsClassifier(9).fit(X, grade)
    order = ["low", "mid", "high"]
    columns = [model.classes_.tolist().index(each) for each in order]
    expected = model.predict_proba(X)[:, columns] @ [0.0, 1.0, 2.0]
    value = rt.volume_under_surface(TARGETS["grades"], expected)
    assert scorer("volume_under_surface", labels=order)(model, X, grade) == value
    ordered = pd.Series(pd.Categorical(grade, order, ordered=True))
    assert scorer("volume_under_surface")(model, X, ordered) == value
    with pytest.raises(
        rt.InputError, match=r"order of the classes is unknown. List the classes in 'labels'"
    ):
        scorer("volume_under_surface")(model, X, grade)
    graded = OrdinalThresholdClassifier(KNeighborsClassifier(9), labels=order, cv=3).fit(X, grade)
    assert scorer("volume_under_surface")(graded, X, grade) == value


@pytest.mark.parametrize("positive", ["ill", "well"])
def test_the_positive_class_of_text(positive):
    label = np.where(Y > 0, "ill", "well")
    truth = (label == positive).astype(int)
    model = LogisticRegression().fit(X, label)
    chance = model.predict_proba(X)[:, model.classes_.tolist().index(positive)]
    score = scorer("brier_score", pos_label=positive)
    assert score(model, X, label) == -rt.brier_score(truth, chance)
    machine = LinearSVC().fit(X, label)
    sign = 1 if machine.classes_[1] == positive else -1
    found = scorer("roc_auc", pos_label=positive)(machine, X, label)
    assert found == rt.roc_auc(truth, sign * machine.decision_function(X))
    options = {"utility": value_minus_cutoff, "theta": 0.4}
    shop = ImpactThresholdClassifier(LogisticRegression(), pos_label=positive, cv=3).fit(X, label)
    worth = rt.impact.impact(truth, chance, normalize=True, **options)
    assert scorer("impact", **options)(shop, X, label) == worth
    with pytest.raises(rt.InputError, match=r"'y' contains text .*add pos_label="):
        scorer("brier_score")(model, X, label)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda: scorer("linex_error", a=0.1)(LogisticRegression().fit(X, Y > 0), X, Y),
            "LogisticRegression predicts classes, but a number per case is needed",
        ),
        (lambda: scorer("linex_error", a=0.1, pos_label=1), "has no argument 'pos_label'"),
        (
            lambda: scorer("brier_score")(LinearSVC().fit(X, Y > 0), X, Y > 0),
            "LinearSVC has no method 'predict_proba'. Wrap the classifier in Calibrated",
        ),
        (
            lambda: scorer("uniform_cutoff_area")(fitted("hybrid", "numbers"), X, Y),
            "predicts yes or no at one cutoff. Use the metric 'cutoff_error', or",
        ),
    ],
)
def test_refusals(call, sentence):
    with pytest.raises(rt.InputError, match=sentence):
        call()


def test_totals_are_means_unless_asked_for():
    model = Ridge().fit(X, Y)
    twice, truth = np.r_[X, X], np.r_[Y, Y]
    for name in ("rroc_area_over_curve", "over_estimation", "distance_to_heaven"):
        mean, total = scorer(name), scorer(name, normalize=False)
        assert mean(model, twice, truth) == pytest.approx(mean(model, X, Y), rel=1e-12)
        assert abs(total(model, twice, truth)) > 1.4 * abs(total(model, X, Y))


def test_regions_are_asked_in_their_context():
    frozen = [
        sklearn.frozen.FrozenEstimator(ShiftedRegressor.around(KNN.fit(X, Y), shift=s))
        for s in (0.0, 0.5)
    ]
    hybrid = RegionEstimator(
        [(0.0, 0.5, frozen[0]), (0.5, 1.0, frozen[1])], context="asymmetry", context_kind="share"
    )
    for asymmetry, shift in ((0.3, 0.0), (0.8, 0.5)):
        found = scorer("asymmetric_absolute_error", asymmetry=asymmetry)(hybrid, X, Y)
        number = KNN.predict(X) + shift
        assert found == -rt.asymmetric_absolute_error(Y, number, asymmetry=asymmetry)
    with pytest.raises(
        rt.InputError, match=r"RegionEstimator, which predicts .* Use the metric 'optimal_shift"
    ):
        scorer("removable_error")(hybrid, X, Y)


def test_scorers_are_pickled_cloned_weighted_and_named():
    score = scorer("cutoff_error", cutoff=0.2)
    assert repr(score) == "scorer('cutoff_error', cutoff=0.2)"
    model, weight = fitted("cutoff", "numbers"), np.arange(90.0)
    again = pickle.loads(pickle.dumps(clone(GridSearchCV(Ridge(), {}, scoring=score)).scoring))
    wanted = -rt.cutoff_error(Y, model.estimator_.predict(X), cutoff=0.2, sample_weight=weight)
    assert again(model, X, Y, sample_weight=weight) == wanted
    several = {"a": score, "b": scorer("uniform_cutoff_area")}
    found = cross_validate(OURS["cutoff"], X, Y, cv=2, scoring=several, error_score="raise")
    assert {"test_a", "test_b"} <= set(found)
    with sklearn.config_context(enable_metadata_routing=True):
        found = cross_val_score(
            CutoffClassifier(Ridge().set_fit_request(sample_weight=False)),
            X,
            Y,
            cv=KFold(2),
            scoring=score.set_score_request(sample_weight=True),
            params={"sample_weight": weight},
            error_score="raise",
        )
    for value, (train, test) in zip(found, KFold(2).split(X), strict=True):
        said = Ridge().fit(X[train], Y[train]).predict(X[test])
        wanted = -rt.cutoff_error(Y[test], said, cutoff=0.2, sample_weight=weight[test])
        assert value == pytest.approx(wanted)
    chosen = scorer("cutoff_error", cutoff=0.2, response_method="decision_function")
    assert chosen(model, X, Y) == -rt.cutoff_error(Y, model.decision_function(X), cutoff=0.2)
