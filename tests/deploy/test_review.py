"""Faults that an independent review found, pinned."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.datasets import load_diabetes
from sklearn.ensemble import (
    BaggingRegressor,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestRegressor,
)
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.model_selection import KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

import roctopus as rt
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
from roctopus.impact import impact_curve, value_minus_cutoff
from roctopus.regression import EnsembleShift, QuantileShift

X, Y = load_diabetes(return_X_y=True)
GRADE = np.digitize(Y, [100, 200])
RIDGE = Ridge(0.1).fit(X[:220], Y[:220])
KNOWN = np.arange(220, len(Y))


def test_a_cutoff_decision_without_a_cutoff_asks_for_it():
    found = {"ridge": RIDGE.predict(X[KNOWN])}
    for given in ({"distribution": rt.Uniform(80, 250)}, {"between": (100, 200)}):
        ready = rt.compare(Y[KNOWN], found, arm="cutoff").decide(**given).deploy({"ridge": RIDGE})
        with pytest.raises(rt.InputError, match="There is no cutoff: give it to predict"):
            ready.predict(X)
        assert (ready.predict(X, cutoff=150.0) == (RIDGE.predict(X) >= 150.0)).all()


@pytest.mark.parametrize("labels", [[10, 20, 30], ["a", "b", "c"]])
def test_grades_keep_their_type(labels):
    grade = np.array(labels)[GRADE]
    model = Ridge(0.1).fit(X[:220], GRADE[:220])
    comparison = rt.compare(
        grade[KNOWN], {"ridge": model.predict(X[KNOWN])}, arm="ordinal", labels=labels
    )
    decision = rt.Decision.from_json(comparison.decide(costs=[1, 1, 5]).to_json())
    ready = decision.deploy({"ridge": model})
    assert ready.predict(X).dtype.kind == grade.dtype.kind
    assert ready.score(X, grade) > 0.4
    again = clone(ready).fit(X, grade)
    assert list(again.costs) == [1, 1, 5]
    assert again.score(X, grade) > 0.4


def test_weights_reach_thresholds():
    weight = np.where(GRADE == 2, 50.0, 1.0)
    model = OrdinalThresholdClassifier(Ridge()).fit(X, GRADE, sample_weight=weight)
    expected = rt.ordinal_thresholds(model.codes_, model.scores_, sample_weight=weight).thresholds
    assert model.thresholds_ == pytest.approx(expected)
    heavy = np.where(Y > 150, 50.0, 1.0)
    shop = ImpactThresholdClassifier(Ridge(), theta=150.0).fit(X, Y, sample_weight=heavy)
    scores = shop._out_of_fold(X, Y, 5, "predict", {"sample_weight": heavy})
    curve = impact_curve(scores, value_minus_cutoff(Y), sample_weight=heavy)
    assert shop.curve_.knob_at(150.0) == curve.knob_at(150.0)


def test_weights_under_other_names():
    weight = np.where(Y > 140, 3.0, 1.0)
    plain = CutoffClassifier(Ridge()).fit(X, Y, sample_weight=weight).cutoff_
    piped = CutoffClassifier(make_pipeline(Ridge())).fit(X, Y, ridge__sample_weight=weight)
    assert piped.cutoff_ == plain
    with sklearn.config_context(enable_metadata_routing=True):
        alias = CutoffClassifier(Ridge().set_fit_request(sample_weight="mass"))
        assert alias.fit(X, Y, mass=weight).cutoff_ == plain


@pytest.mark.parametrize("make", [CutoffClassifier, ImpactThresholdClassifier, ShiftedRegressor])
def test_one_column_of_truths(make):
    with pytest.warns(sklearn.exceptions.DataConversionWarning):
        assert make(Ridge()).fit(X, Y[:, None]).predict(X).shape == Y.shape
    with pytest.raises(ValueError, match="1d array"):
        make(Ridge()).fit(X, np.c_[Y, Y])


def test_members_must_predict_the_target():
    def fit(estimator):
        return ShiftedRegressor(estimator, rule=EnsembleShift(), asymmetry=0.9).fit(X, Y)

    with pytest.raises(rt.InputError, match="do not each predict the target"):
        fit(GradientBoostingRegressor(n_estimators=5)).predict(X)
    some = BaggingRegressor(Ridge(), 20, max_features=0.5, random_state=0)
    steps = BaggingRegressor(make_pipeline(StandardScaler(), Ridge()), 20, random_state=0)
    for each in (some, steps):
        fitted = fit(each)
        assert np.mean(fitted.predict(X) >= fitted.estimator_.predict(X)) > 0.99
    forest = fit(RandomForestRegressor(10, random_state=0))
    assert forest.predict(csr_array(X)) == pytest.approx(forest.predict(X))


def test_what_is_deployed_keeps_its_context():
    found = {"ridge": RIDGE.predict(X[KNOWN])}
    comparison = rt.compare(Y[KNOWN], found, arm="impact", utility=value_minus_cutoff)
    ready = comparison.decide(theta=200.0).deploy({"ridge": RIDGE})
    assert ready.theta == 200.0
    with pytest.raises(rt.InputError, match="'utility' must make a utility"):
        clone(ready).fit(X, Y)
    again = clone(ready).set_params(utility=value_minus_cutoff).fit(X, Y)
    assert np.mean(again.predict(X)) < 0.5
    assert np.mean(again.predict(X, theta=50.0)) > 0.9
    cut = CutoffClassifier(Ridge()).fit(X, Y).set_params(cutoff=200.0)
    assert (cut.predict(X) == cut.predict(X, cutoff=200.0)).all()
    rows = np.linspace(100, 200, len(Y))
    each = CutoffClassifier(Ridge(), cutoff=rows).fit(X, Y)
    assert (each.predict(X) == cut.predict(X, cutoff=rows)).all()


def test_borders_of_hybrids_belong_to_the_range_below():
    low, high = (
        sklearn.frozen.FrozenEstimator(ShiftedRegressor.around(RIDGE, shift=s)) for s in (0.0, 9.0)
    )
    hybrid = RegionEstimator([(0.0, 0.5, low), (0.5, 1.0, high)], context="asymmetry")
    number = RIDGE.predict(X)
    assert hybrid.predict(X, asymmetry=0.5) == pytest.approx(number)
    assert hybrid.predict(X, asymmetry=0.5001) == pytest.approx(number + 9.0)
    assert clone(hybrid).fit(X, Y).predict(X, asymmetry=1.0) == pytest.approx(number + 9.0)
    with pytest.raises(rt.InputError, match=r"needs the context: predict\(X, asymmetry="):
        hybrid.predict(X)


@pytest.mark.parametrize(("share", "n"), [(0.1, 442), (0.05, 30)])
def test_capacity_is_kept(share, n):
    shop = ImpactThresholdClassifier(Ridge(), theta=0.0, at_most=share).fit(X[:n], Y[:n])
    assert shop.curve_.accepted_at(0.0) <= share
    must = ImpactThresholdClassifier(Ridge(), theta=1e4, at_least=share).fit(X[:n], Y[:n])
    assert must.curve_.accepted_at(1e4) >= share
    with pytest.raises(rt.InputError, match="'at_most' must be between 0 and 1"):
        ImpactThresholdClassifier(Ridge(), at_most=2).fit(X, Y)


def test_training_data_are_kept_as_they_were():
    mine = X.copy()
    model = RetrainedCutoffClassifier(LogisticRegression(C=100)).fit(mine, Y)
    mine[:] = 0.0
    by_hand = LogisticRegression(C=100).fit(X, Y >= 200).predict(X)
    assert (model.predict(X, cutoff=200) == by_hand).all()


def test_classes_in_every_fold():
    order = np.argsort(GRADE, kind="stable")
    model = OrdinalThresholdClassifier(Ridge(0.1), cv=3)
    mixed = clone(model).fit(X, GRADE).score(X, GRADE)
    assert clone(model).fit(X[order], GRADE[order]).score(X, GRADE) > mixed - 0.05


def test_equal_weights_change_no_median():
    plain = CutoffClassifier(LinearRegression()).fit(X[:10], np.arange(10.0))
    tenths = CutoffClassifier(LinearRegression()).fit(
        X[:10], np.arange(10.0), sample_weight=np.full(10, 0.1)
    )
    assert plain.cutoff_ == tenths.cutoff_ == 4.5


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: ShiftedRegressor(Ridge(), asymmetry=0.9).fit(X, Y), "give a 'rule'"),
        (
            lambda: ShiftedRegressor(Ridge(), shift=1.0, rule=rt.ConstantShift()).fit(X, Y),
            "'shift' or 'rule', not both",
        ),
        (lambda: ShiftedRegressor(Ridge(), rule=rt.ConstantShift).fit(X, Y), "'rule' must be"),
        (lambda: TunedShiftRegressorCV(Ridge(), asymmetry=2).fit(X, Y), "'asymmetry' must be"),
        (
            lambda: TunedShiftRegressorCV(Ridge(), rule=QuantileShift((0.1, 0.9))).fit(X, Y),
            "use ShiftedRegressor",
        ),
        (
            lambda: OrdinalThresholdClassifier(Ridge(), labels=[0, 1, 1, 2]).fit(X, GRADE),
            "names a class twice",
        ),
        (lambda: scorer("brier_score", asymmetry=0.3), "does not take 'asymmetry'"),
        (lambda: scorer("cutoff_error"), "needs 'cutoff'"),
    ],
)
def test_refusals(call, sentence):
    with pytest.raises(rt.InputError, match=sentence):
        call()


def test_the_context_goes_through_pipelines():
    with sklearn.config_context(enable_metadata_routing=True):
        inside = CutoffClassifier(Ridge()).set_predict_request(cutoff=True)
        piped = make_pipeline(StandardScaler(), inside).fit(X, Y)
        assert piped.predict(X, cutoff=200.0).mean() < piped.predict(X, cutoff=100.0).mean()


def test_what_the_inside_takes_is_taken():
    holes = X.copy()
    holes[::7, 2] = np.nan
    boosted = HybridCutoffClassifier(
        HistGradientBoostingRegressor(max_iter=10),
        HistGradientBoostingClassifier(max_iter=10),
        cutoffs=3,
        cv=KFold(3).split(X),
    ).fit(holes, Y, sample_weight=np.ones(len(Y)))
    assert boosted.predict(holes).shape == Y.shape
    sparse = RetrainedCutoffClassifier(LogisticRegression()).fit(csr_array(X), Y)
    assert (
        sparse.predict(csr_array(X)) == LogisticRegression().fit(X, sparse.cutoff_ <= Y).predict(X)
    ).mean() > 0.99


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame])
@pytest.mark.filterwarnings("error")
def test_rows_of_frames(kind):
    frame = kind({f"x{k}": X[:, k] for k in range(X.shape[1])})
    model = HybridCutoffClassifier(Ridge(10.0), LogisticRegression(), cv=3).fit(frame, Y)
    model.regions_ = (rt.Region(-np.inf, 150.0, "reframed"), rt.Region(150.0, np.inf, "retrained"))
    cutoffs = np.where(np.arange(len(Y)) % 2, 100.0, 180.0)
    answer = model.predict(frame, cutoffs)
    assert (answer[::2] == model.retrained_.predict(frame, 180.0)[::2]).all()
    assert (answer[1::2] == model.reframed_.predict(frame, 100.0)[1::2]).all()


def test_ordered_categories_have_their_order():
    grade = pd.Series(pd.Categorical.from_codes(GRADE, ["low", "mid", "high"], ordered=True))
    model = OrdinalThresholdClassifier(Ridge(0.1)).fit(X, grade)
    assert model.classes_.tolist() == ["low", "mid", "high"]


def test_scores_of_any_kind_for_rankings():
    label = (Y > 140).astype(int)
    machine = LinearSVC().fit(X, label)
    found = scorer("roc_auc")(machine, X, label)
    assert found == pytest.approx(rt.roc_auc(label, machine.decision_function(X)))
