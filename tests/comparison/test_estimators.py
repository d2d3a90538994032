"""Estimators compared by predictions of cases they were not trained on, by any splitter."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.ensemble import StackingClassifier, VotingClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneOut,
    PredefinedSplit,
    RepeatedKFold,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
    cross_val_predict,
    cross_validate,
)
from sklearn.svm import SVR
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import roctopus as rt
from roctopus.arms import known_arms
from roctopus.comparison import out_of_fold
from roctopus.impact import net_benefit_utility

N = 120
RNG = np.random.default_rng(5)
X = RNG.normal(size=(N, 3))
Y = 4 * X[:, 0] + RNG.normal(size=N)
CLASS = (Y > 1).astype(int)
GRADE = np.digitize(Y, [-2, 2])
GROUP = np.arange(N) // 4
MODELS = {"line": Ridge(), "tree": DecisionTreeRegressor(max_depth=3, random_state=0)}
CLASSIFIERS = {
    "logit": LogisticRegression(),
    "tree": DecisionTreeClassifier(max_depth=3, random_state=0),
}


def same(one: rt.Comparison, other: rt.Comparison, **context: object) -> None:
    """The numbers of two comparisons are the same to the last bit."""
    assert one.fingerprint == other.fingerprint
    first, second = one.decide(**context), other.decide(**context)
    for name in ("model", "knob", "value", "low", "high", "in_sample", "margin", "cases"):
        assert getattr(first, name) == getattr(second, name)


@pytest.mark.parametrize(
    ("arm", "y", "method", "context", "options"),
    [
        ("regression", Y, "predict", {"asymmetry": 0.8}, {}),
        ("cutoff", Y, "predict", {"cutoff": 1.0}, {}),
        ("ordinal", GRADE, "predict", {"cost": 2.0}, {}),
        ("impact", Y, "predict", {"theta": 1.0}, {"utility": rt.value_minus_cutoff}),
        ("probability", CLASS, "predict_proba", {"cost_proportion": 0.2}, {}),
        ("impact", CLASS, "predict_proba", {"theta": 0.3}, {"utility": net_benefit_utility}),
    ],
)
def test_a_partition_is_cross_val_predict_and_compare(arm, y, method, context, options):
    models = CLASSIFIERS if method == "predict_proba" else MODELS
    cv = KFold(4, shuffle=True, random_state=0)
    said = {name: cross_val_predict(m, X, y, cv=cv, method=method) for name, m in models.items()}
    if method == "predict_proba":
        said = {name: each[:, 1] for name, each in said.items()}
    found = rt.compare_estimators(models, X, y, arm=arm, cv=cv, **options)
    same(found, rt.compare(y, said, arm=arm, **options), **context)
    results = {
        name: cross_validate(m, X, y, cv=cv, return_estimator=True, return_indices=True)
        for name, m in models.items()
    }
    same(rt.Comparison.from_cv_results(results, X, y, arm=arm, **options), found, **context)


@pytest.mark.parametrize(
    "cv",
    [
        TimeSeriesSplit(4),
        RepeatedKFold(n_splits=3, n_repeats=2, random_state=0),
        ShuffleSplit(4, random_state=0),
        PredefinedSplit(np.arange(N) % 4 - 1),
        LeaveOneOut(),
    ],
    ids=lambda cv: type(cv).__name__,
)
@pytest.mark.filterwarnings("ignore:.*are in no test fold")
def test_other_splitters_are_a_loop_by_hand(cv):
    rows, said = [], {name: [] for name in MODELS}
    for train, test in cv.split(X, Y):
        rows.extend(test)
        for name, model in MODELS.items():
            said[name].extend(clone(model).fit(X[train], Y[train]).predict(X[test]))
    order, times = np.argsort(rows, kind="stable"), np.bincount(rows, minlength=N)
    rows = np.array(rows)[order]
    repeated = times.max() > 1
    by_hand = rt.compare(
        Y[rows],
        {name: np.array(each)[order] for name, each in said.items()},
        arm="regression",
        sample_weight=1 / times[rows] if repeated else None,
        clusters=rows if repeated else None,
    )
    found = rt.compare_estimators(MODELS, X, Y, arm="regression", cv=cv)
    assert found.fingerprint == by_hand.fingerprint
    decision, wanted = found.decide(asymmetry=0.7), by_hand.decide(asymmetry=0.7)
    assert (decision.value, decision.low, decision.knob) == (wanted.value, wanted.low, wanted.knob)
    assert decision.cases == found.cases == (times > 0).sum()


def test_cases_that_are_never_predicted_are_counted():
    with pytest.warns(rt.RoctopusWarning, match="24 of 120 cases are in no test fold of 'cv'"):
        found = rt.compare_estimators(MODELS, X, Y, arm="regression", cv=TimeSeriesSplit(4))
    assert found.cases == 96


@pytest.mark.filterwarnings("ignore:.*are in no test fold")
@pytest.mark.filterwarnings("ignore:The groups parameter is ignored")
def test_folds_follow_time_and_groups():
    found = rt.compare_estimators(MODELS, X, Y, arm="regression", time=True)
    by_hand = rt.compare_estimators(MODELS, X, Y, arm="regression", cv=TimeSeriesSplit(5))
    assert found.fingerprint == by_hand.fingerprint
    assert found.dependence.times is not None
    grouped = rt.compare_estimators(MODELS, X, Y, arm="regression", groups=GROUP)
    said = {
        n: cross_val_predict(m, X, Y, cv=GroupKFold(5), groups=GROUP) for n, m in MODELS.items()
    }
    same(grouped, rt.compare(Y, said, arm="regression", clusters=GROUP), asymmetry=0.8)
    with pytest.raises(rt.InputError, match="'cv' splits groups"):
        rt.compare_estimators(MODELS, X, Y, arm="regression", groups=GROUP, cv=KFold(7))
    with pytest.raises(rt.InputError, match="'cv' trains on cases from the same time"):
        rt.compare_estimators(MODELS, X, Y, arm="regression", time=True, cv=KFold(3))


def test_tables_of_any_kind():
    frame = pd.DataFrame(X, columns=list("abc"))
    wanted = rt.compare_estimators(MODELS, X, Y, arm="regression")
    for table in (frame, pl.from_pandas(frame)):
        found = rt.compare_estimators(MODELS, table, pd.Series(Y), arm="regression")
        np.testing.assert_allclose(found.predictions["line"], wanted.predictions["line"])


def test_parameters_of_fit_are_split_with_the_rows():
    weight = RNG.uniform(1, 9, N)
    folds = KFold(3)
    said = cross_val_predict(Ridge(), X, Y, cv=folds, params={"sample_weight": weight})
    given = {"arm": "regression", "cv": folds, "fit_params": {"sample_weight": weight}}
    found = rt.compare_estimators({"m": Ridge()}, X, Y, **given, sample_weight=weight)
    same(found, rt.compare(Y, {"m": said}, arm="regression", sample_weight=weight), asymmetry=0.8)
    ready = found.decide(asymmetry=0.8).deploy()
    plain = Ridge().fit(X, Y, sample_weight=weight)
    np.testing.assert_array_equal(ready.estimator_.coef_, plain.coef_)
    with config_context(enable_metadata_routing=True):
        asking = Ridge().set_fit_request(sample_weight=True)
        routed = rt.compare_estimators({"m": asking}, X, Y, **given)
        np.testing.assert_array_equal(routed.predictions["m"], said)
        with pytest.raises(Exception, match="sample_weight"):
            rt.compare_estimators({"m": Ridge()}, X, Y, **given)


def test_several_at_once_and_progress():
    told = []
    alone = rt.compare_estimators(
        MODELS, X, Y, arm="regression", progress=lambda *each: told.append(each)
    )
    assert told[-1] == ("trainings", 10, 10)
    together = rt.compare_estimators(MODELS, X, Y, arm="regression", n_jobs=2)
    assert alone.fingerprint == together.fingerprint


def test_tables_of_pairs():
    kernel = X @ X.T
    model = SVR(kernel="precomputed")
    found = rt.compare_estimators({"m": model}, kernel, Y, arm="regression", cv=KFold(3))
    wanted = cross_val_predict(model, kernel, Y, cv=KFold(3))
    np.testing.assert_array_equal(found.predictions["m"], wanted)


def test_a_class_that_a_training_part_lacks_is_improbable():
    grade = np.r_[np.zeros(30), np.ones(30), 2.0, np.zeros(29), np.ones(30)].astype(int)
    with pytest.warns(rt.RoctopusWarning, match="wrong order"):  # parts differ in their grades
        found = rt.compare_estimators(
            {"m": LogisticRegression()}, X, grade, arm="ordinal", cv=KFold(4), labels=[0, 1, 2]
        )
    assert found.predictions["m"][60] < 1.0


def test_estimators_are_copied():
    model = Ridge()
    found = rt.compare_estimators({"m": model}, X, Y, arm="regression")
    model.set_params(alpha=1e9)
    ready = found.decide(asymmetry=0.5).deploy()
    np.testing.assert_array_equal(ready.estimator_.coef_, Ridge().fit(X, Y).coef_)


def test_a_worth_per_row_follows_its_rows():
    values = []
    for utility in (rt.value_minus_cutoff, rt.value_minus_cutoff(Y)):
        found = rt.compare_estimators(
            MODELS,
            X,
            Y,
            arm="impact",
            utility=utility,
            cv=RepeatedKFold(n_repeats=2, random_state=0),
        )
        values.append(found.decide(theta=0.5).value)
    assert values[0] == values[1]


@pytest.mark.parametrize("kind", [object, "arrow"])
@pytest.mark.filterwarnings("ignore:.*are in no test fold")
def test_labels_of_any_kind_train_classifiers(kind):
    y = pa.array(CLASS.tolist()) if kind == "arrow" else CLASS.astype(kind)
    found = rt.compare_estimators(
        {"stack": StackingClassifier([("a", LogisticRegression())], cv=2)},
        X,
        y,
        arm="probability",
        cv=ShuffleSplit(3, test_size=0.5, random_state=0),
    )
    assert found.responses["stack"].method == "predict_proba"


def test_masks_say_rows_too():
    half = np.arange(N) < 60
    found = rt.compare_estimators(MODELS, X, Y, arm="regression", cv=[(half, ~half), (~half, half)])
    assert found.cases == N


@pytest.mark.filterwarnings("ignore:.*are in no test fold")
def test_routed_parameters_train_the_deployed_one_too():
    weight = RNG.uniform(1, 9, N)
    with config_context(enable_metadata_routing=True):
        model = Ridge().set_fit_request(sample_weight="importance")
        found = rt.compare_estimators(
            {"m": model}, X, Y, arm="regression", fit_params={"importance": weight}
        )
        ready = found.decide(asymmetry=0.5).deploy()
    wanted = Ridge().fit(X, Y, sample_weight=weight)
    np.testing.assert_array_equal(ready.estimator_.coef_, wanted.coef_)


def test_splits_that_flatter_are_refused():
    everything = np.arange(N)
    torn, shuffled = KFold(7), KFold(3, shuffle=True, random_state=0)
    for cv, given, told in (
        ([(everything, everything)], {}, "evaluates models on cases they were trained on"),
        (
            [(everything[:-1], everything[-2:-1])],
            {},
            "evaluates models on cases they were trained on",
        ),
        (
            [(everything[:50], everything[50:] - 130)],
            {},
            "must yield one-dimensional arrays of row numbers",
        ),
        ([(everything[:50], everything[:0])], {}, "has no cases to predict"),
        ([(everything[:50], everything[60:])] * 2, {"time": True}, "several times"),
        (StratifiedKFold(90), {}, "'cv' cannot split these cases. Use fewer folds"),
    ):
        with pytest.raises(rt.InputError, match=told):
            rt.compare_estimators(MODELS, X, GRADE, arm="ordinal", cv=cv, **given)
    for cv, given, told in (
        (torn, {"groups": GROUP}, "splits groups"),
        (shuffled, {"time": True}, "trains on cases from the same time"),
    ):
        results = cross_validate(Ridge(), X, Y, cv=cv, return_estimator=True, return_indices=True)
        with pytest.raises(rt.InputError, match=told):
            rt.Comparison.from_cv_results(results, X, Y, arm="regression", **given)


def test_refusals():
    kinds = [("a", LogisticRegression()), ("b", DecisionTreeClassifier())]
    with pytest.raises(rt.InputError, match=r"Model 'vote': .*voting='soft'.*response='predict'"):
        rt.compare_estimators({"vote": VotingClassifier(kinds)}, X, CLASS, arm="probability")
    hard = {"vote": VotingClassifier(kinds)}
    found = rt.compare_estimators(hard, X, CLASS, arm="probability", response="predict")
    assert set(found.predictions["vote"]) == {0.0, 1.0}
    with pytest.raises(rt.InputError, match="pos_label='0'"):
        rt.compare_estimators(CLASSIFIERS, X, CLASS.astype(str), arm="probability")
    with pytest.raises(rt.InputError, match="'response' must be 'predict', 'predict_proba' or"):
        rt.compare_estimators(MODELS, X, Y, arm="regression", response="proba")
    with pytest.raises(rt.InputError, match="'estimators' must be a mapping"):
        rt.compare_estimators(Ridge(), X, Y, arm="regression")
    with pytest.raises(rt.InputError, match="return_estimator=True, return_indices=True"):
        rt.Comparison.from_cv_results(cross_validate(Ridge(), X, Y), X, Y, arm="regression")
    results = {
        k: cross_validate(Ridge(), X, Y, cv=cv, return_estimator=True, return_indices=True)
        for k, cv in enumerate((KFold(3), ShuffleSplit(2, random_state=0)))
    }
    with pytest.raises(rt.InputError, match="Model '1' was not evaluated on the same cases"):
        rt.Comparison.from_cv_results(results, X, Y, arm="regression")


def test_predictions_alone():
    text = np.where(CLASS, "a", "b")
    model, folds = LogisticRegression(), StratifiedKFold(3)
    said = cross_val_predict(model, X, text, cv=folds, method="predict_proba")
    for column, label in enumerate("ab"):
        found = out_of_fold(
            {"m": model}, X, text, cv=folds, method="predict_proba", pos_label=label
        )
        np.testing.assert_array_equal(found["m"], said[:, column])
    with pytest.raises(rt.InputError, match="pos_label"):  # the last class was taken in silence
        out_of_fold({"m": model}, X, text, method="predict_proba")
    with pytest.raises(rt.InputError, match="compare_estimators"):
        out_of_fold(MODELS, X, Y, cv=TimeSeriesSplit(3))


@pytest.mark.parametrize("what", [True, "Ridge", Ridge])
def test_what_cannot_be_trained_is_named(what):
    X, y = np.arange(40.0)[:, None], np.arange(40.0)
    with pytest.raises(
        rt.InputError, match=r"Model 'a' must be an estimator with a method 'fit', but"
    ):
        rt.compare_estimators({"a": what}, X, y, arm="regression")


@pytest.mark.parametrize("arm", known_arms())
@pytest.mark.parametrize("y", [0.5, None, len, np.array(3.0), iter([1.0])])
def test_truths_that_are_no_column_are_named(arm, y):
    options = {"utility": rt.impact.value_times_price} if arm == "impact" else {}
    with pytest.raises(rt.InputError, match="'y_true' must contain one number per case"):
        rt.compare_estimators({"a": Ridge()}, np.arange(40.0)[:, None], y, arm=arm, **options)
