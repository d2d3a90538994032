"""Estimators that tune themselves take every splitter of scikit-learn, and classifiers inside."""

import numpy as np
import pytest
import sklearn
from joblib import parallel_config
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    LeaveOneOut,
    PredefinedSplit,
    RepeatedKFold,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
    cross_val_predict,
)
from sklearn.svm import LinearSVC

import roctopus as rt
from roctopus.deploy import (
    CutoffClassifier,
    HybridCutoffClassifier,
    ImpactThresholdClassifier,
    OrdinalThresholdClassifier,
    RetrainedCutoffClassifier,
    ShiftedRegressor,
    TunedShiftRegressorCV,
)
from roctopus.impact import impact_curve, value_minus_cutoff

N = 60
RNG = np.random.default_rng(11)
X = RNG.normal(size=(N, 2))
Y = X[:, 0] + 0.5 * RNG.normal(size=N)
GRADE = np.digitize(Y, [-0.5, 0.5])
GROUPS = RNG.integers(0, 12, N)
WEIGHT = RNG.uniform(0.5, 2.0, N)
SPLITTERS = {
    "five folds": 5,
    "time": TimeSeriesSplit(4),
    "repeated": RepeatedKFold(n_splits=3, n_repeats=2, random_state=0),
    "groups": GroupKFold(4),
    "predefined": PredefinedSplit(np.arange(N) % 4 - 1),
    "one out": LeaveOneOut(),
    "random": ShuffleSplit(4, random_state=0),
    "given": list(KFold(3).split(X)),
}


def by_loop(estimator, truth, splits, method="predict", weight=None):
    """Return rows and predictions by hand, in the order of rows."""
    rows, said = [], []
    for train, test in splits:
        params = {} if weight is None else {"sample_weight": weight[train]}
        model = clone(estimator).fit(X[train], truth[train], **params)
        rows.extend(test)
        said.extend(getattr(model, method)(X[test]))
    order = np.argsort(rows, kind="stable")
    return np.array(rows)[order], np.array(said)[order]


def splits_of(cv, truth):
    cv = KFold(cv) if isinstance(cv, int) else cv
    return cv if isinstance(cv, list) else list(cv.split(X, truth, **given_groups(cv)))


def given_groups(cv):
    return {"groups": GROUPS} if isinstance(cv, GroupKFold) else {}


@pytest.mark.parametrize("name", SPLITTERS)
def test_every_splitter_is_a_loop_by_hand(name):
    cv = SPLITTERS[name]
    fit = given_groups(cv) | {"sample_weight": WEIGHT}
    rows, said = by_loop(Ridge(), Y, splits_of(cv, Y), weight=WEIGHT)
    weight = WEIGHT[rows] / np.bincount(rows)[rows]
    tuned = TunedShiftRegressorCV(Ridge(), cv=cv, asymmetry=0.8).fit(X, Y, **fit)
    rule = rt.ConstantShift().fit(Y[rows], said, sample_weight=weight)
    wanted = Ridge().fit(X, Y, sample_weight=WEIGHT).predict(X)
    assert tuned.predict(X) == pytest.approx(wanted + rule.shift(0.8, wanted), rel=1e-12)
    shop = ImpactThresholdClassifier(Ridge(), cv=cv).fit(X, Y, **fit)
    curve = impact_curve(said, value_minus_cutoff(Y[rows]), sample_weight=weight)
    for theta in (-0.4, 0.1, 0.6):
        assert shop.curve_.knob_at(theta) == curve.knob_at(theta)


@pytest.mark.parametrize("name", SPLITTERS)
def test_thresholds_of_every_splitter(name):
    cv = SPLITTERS[name]
    splits = splits_of(StratifiedKFold(5) if cv == 5 else cv, GRADE)
    rows, said = by_loop(Ridge(), GRADE.astype(float), splits)
    shares = 1.0 / np.bincount(rows)[rows]
    found = OrdinalThresholdClassifier(Ridge(), cv=cv).fit(X, GRADE, **given_groups(cv))
    wanted = rt.ordinal_thresholds(GRADE[rows], said, sample_weight=shares, labels=[0, 1, 2])
    assert found.thresholds_ == pytest.approx(wanted.thresholds, rel=1e-12)


@pytest.mark.parametrize("name", ["time", "repeated", "groups", "random"])
def test_hybrids_take_every_splitter(name):
    cv = SPLITTERS[name]
    model = HybridCutoffClassifier(Ridge(), LogisticRegression(), cutoffs=[-0.3, 0.2], cv=cv)
    model.fit(X, Y, **given_groups(cv))
    rows, said = by_loop(Ridge(), Y, splits_of(cv, Y))
    weight = 1.0 / np.bincount(rows)[rows]
    for cutoff in (-0.3, 0.2):
        _, label = by_loop(LogisticRegression(), (cutoff <= Y).astype(int), splits_of(cv, Y))
        again = np.average(label != (Y[rows] >= cutoff), weights=weight)
        once = np.average((said >= cutoff) != (Y[rows] >= cutoff), weights=weight)
        assert model.envelope_.at(cutoff) == pytest.approx(min(again, once), rel=1e-12)


def test_partitions_give_what_they_gave_to_the_last_bit():
    said = cross_val_predict(Ridge(), X, Y, cv=KFold(4))
    tuned = TunedShiftRegressorCV(Ridge(), cv=4, asymmetry=0.8).fit(X, Y)
    wanted = Ridge().fit(X, Y).predict(X)
    shift = rt.ConstantShift().fit(Y, said).shift(0.8, wanted)
    assert (tuned.predict(X) == wanted + shift).all()
    with parallel_config(backend="threading"):
        several = TunedShiftRegressorCV(Ridge(), cv=4, asymmetry=0.8, n_jobs=2).fit(X, Y)
    assert (several.predict(X) == tuned.predict(X)).all()


@pytest.mark.filterwarnings("ignore:The groups parameter is ignored by KFold")
def test_groups_stay_together():
    whole = TunedShiftRegressorCV(Ridge(), cv=GroupKFold(4), asymmetry=0.8)
    wanted = whole.fit(X, Y, groups=GROUPS).predict(X)
    number = TunedShiftRegressorCV(Ridge(), cv=4, asymmetry=0.8).fit(X, Y, groups=GROUPS)
    assert (number.predict(X) == wanted).all()
    with pytest.raises(rt.InputError, match="'cv' splits groups"):
        TunedShiftRegressorCV(Ridge(), cv=KFold(4)).fit(X, Y, groups=GROUPS)
    search = GridSearchCV(Ridge(), {"alpha": [1.0]}, cv=GroupKFold(2))
    nested = TunedShiftRegressorCV(search, cv=GroupKFold(4), asymmetry=0.8)
    assert (nested.fit(X, Y, groups=GROUPS).predict(X) == wanted).all()
    with sklearn.config_context(enable_metadata_routing=True):
        routed = clone(whole).set_params(estimator=Ridge().set_fit_request(sample_weight="mass"))
        ones = np.ones(N)
        assert routed.fit(X, Y, groups=GROUPS, mass=ones).predict(X) == pytest.approx(wanted)
        assert (clone(number).fit(X, Y, groups=GROUPS).predict(X) == wanted).all()


def test_a_classifier_of_grades_is_asked_for_the_expected_class():
    names = np.array(["low", "mid", "high"])
    model = OrdinalThresholdClassifier(LogisticRegression(), labels=names.tolist(), cv=3)
    model.fit(X, names[GRADE])
    _, said = by_loop(
        LogisticRegression(), GRADE, list(StratifiedKFold(3).split(X, GRADE)), "predict_proba"
    )
    wanted = rt.ordinal_thresholds(GRADE, said @ [0, 1, 2]).thresholds
    assert model.thresholds_ == pytest.approx(wanted)
    chance = model.estimator_.predict_proba(X)
    expected = chance[:, [model.estimator_.classes_.tolist().index(each) for each in names]]
    grade = names[np.searchsorted(model.thresholds_, expected @ [0, 1, 2], side="right")]
    assert (model.predict(X) == grade).all()
    ready = OrdinalThresholdClassifier.around(
        model.estimator_, labels=names.tolist(), thresholds=model.thresholds_
    )
    assert (ready.predict(X) == model.predict(X)).all()


@pytest.mark.parametrize("labels", [(0, 1), (False, True), ("well", "ill"), ("ill", "well")])
def test_a_classifier_in_an_impact_classifier_is_asked_for_probabilities(labels):
    event = (Y > 0.2).astype(int)
    named = {} if labels[1] == 1 else {"pos_label": labels[1]}
    model = ImpactThresholdClassifier(LogisticRegression(), theta=0.3, cv=3, **named)
    model.fit(X, np.array(labels)[event])
    splits = list(StratifiedKFold(3).split(X, np.array(labels)[event]))
    _, said = by_loop(LogisticRegression(), event, splits, "predict_proba")
    threshold = impact_curve(said[:, 1], value_minus_cutoff(event)).knob_at(0.3)
    chance = LogisticRegression().fit(X, event).predict_proba(X)[:, 1]
    assert model.curve_.knob_at(0.3) == pytest.approx(threshold, rel=1e-9)
    assert (model.predict(X) == (chance >= model.curve_.knob_at(0.3))).all()
    assert model.decision_function(X) == pytest.approx(chance)
    scores = ImpactThresholdClassifier(LinearSVC(), cv=3, **named).fit(X, np.array(labels)[event])
    wanted = LinearSVC().fit(X, event).decision_function(X)
    assert scores.decision_function(X) == pytest.approx(wanted, rel=1e-3, abs=1e-3)


CLASSIFIER = LogisticRegression()


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: TunedShiftRegressorCV(CLASSIFIER).fit(X, GRADE), "Use a regressor"),
        (lambda: ShiftedRegressor(CLASSIFIER).fit(X, GRADE), "Use a regressor"),
        (lambda: CutoffClassifier(CLASSIFIER).fit(X, GRADE), "Use a regressor"),
        (lambda: CutoffClassifier.around(clone(CLASSIFIER).fit(X, GRADE)), "Use a regressor"),
        (lambda: HybridCutoffClassifier(CLASSIFIER, CLASSIFIER).fit(X, Y), "Use a regressor"),
        (lambda: RetrainedCutoffClassifier(Ridge()).fit(X, Y), "Use a classifier"),
        (lambda: OrdinalThresholdClassifier(LinearSVC()).fit(X, GRADE), "CalibratedClassifierCV"),
        (
            lambda: ImpactThresholdClassifier(CLASSIFIER).fit(X, np.where(Y > 0, "a", "b")),
            "add pos_label=",
        ),
        (lambda: ImpactThresholdClassifier(CLASSIFIER).fit(X, GRADE), "must have two classes"),
    ],
)
def test_what_does_not_fit_is_refused(call, sentence):
    with pytest.raises(rt.InputError, match=sentence):
        call()
