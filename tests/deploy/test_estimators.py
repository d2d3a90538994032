"""Deployed estimators behave as scikit-learn's, follow the context, and carry decisions."""

import pickle
import subprocess
import sys
from typing import get_args

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from sklearn.base import clone
from sklearn.datasets import load_diabetes
from sklearn.ensemble import GradientBoostingRegressor, RandomForestRegressor
from sklearn.exceptions import NotFittedError
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, WhiteKernel
from sklearn.linear_model import BayesianRidge, LinearRegression, LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_validate
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

import roctopus as rt
from roctopus.concepts.arm import KnobKind
from roctopus.deploy import (
    CutoffClassifier,
    HybridCutoffClassifier,
    ImpactThresholdClassifier,
    OrdinalThresholdClassifier,
    RetrainedCutoffClassifier,
    ShiftedRegressor,
    TunedShiftRegressorCV,
    scorer,
)
from roctopus.deploy.base import CARRIERS
from roctopus.impact import value_minus_cutoff, value_times_price
from roctopus.regression import EnsembleShift, NormalShift, QuantileShift

X, Y = load_diabetes(return_X_y=True)
GRADE = np.digitize(Y, [100, 200])

NOISY = RBF(0.2) + WhiteKernel(0.5)  # without noise its spread is that of the mean alone
ESTIMATORS = {
    "shifted": ShiftedRegressor(Ridge(), shift=0.1),
    "tuned": TunedShiftRegressorCV(Ridge(), cv=3, asymmetry=0.8),
    "cutoff": CutoffClassifier(Ridge()),
    "retrained": RetrainedCutoffClassifier(LogisticRegression()),
    "hybrid": HybridCutoffClassifier(Ridge(), LogisticRegression(), cv=3),
    "ordinal": OrdinalThresholdClassifier(KNeighborsRegressor(5), cv=3),
    "impact": ImpactThresholdClassifier(Ridge(), cv=3),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ESTIMATORS)
def test_scikit_learns_own_checks(name):
    """None is expected to fail."""
    found = check_estimator(ESTIMATORS[name], on_fail=None, on_skip=None)
    assert [each for each in found if each["status"] not in ("passed", "skipped")] == []
    assert len(found) > 40


@pytest.mark.parametrize("name", ESTIMATORS)
def test_in_pipelines_searches_and_cross_validation(name):
    target = GRADE if name == "ordinal" else Y
    piped = make_pipeline(StandardScaler(), ESTIMATORS[name])
    fitted = clone(piped).fit(X, target)
    assert fitted.predict(X).shape == Y.shape
    assert cross_val_predict(piped, X, target, cv=3).shape == Y.shape
    assert len(cross_validate(piped, X, target, cv=3, scoring=_score)["test_score"]) == 3
    part = "regressor" if name == "hybrid" else "estimator"
    inside = "n_neighbors" if name == "ordinal" else "C" if name == "retrained" else "alpha"
    grid = {f"{type(ESTIMATORS[name]).__name__.lower()}__{part}__{inside}": [3, 9]}
    search = GridSearchCV(piped, grid, cv=3, scoring=_score).fit(X, target)
    assert search.best_params_
    assert (pickle.loads(pickle.dumps(fitted)).predict(X) == fitted.predict(X)).all()


def _score(estimator, X, y):
    return float(np.mean(estimator.predict(X)))


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame])
@pytest.mark.parametrize("name", ESTIMATORS)
def test_frames(name, kind):
    names = [f"x{k}" for k in range(X.shape[1])]
    frame = kind({column: X[:, k] for k, column in enumerate(names)})
    target = GRADE if name == "ordinal" else Y
    fitted = clone(ESTIMATORS[name]).fit(frame, target)
    assert list(fitted.feature_names_in_) == names
    plain = clone(ESTIMATORS[name]).fit(X, target).predict(X)
    assert fitted.predict(frame) == pytest.approx(plain)  # up to the order of sums


def test_weights_are_routed():
    weight = np.arange(1.0, len(Y) + 1)
    plain = ShiftedRegressor(Ridge()).fit(X, Y, sample_weight=weight)
    assert plain.predict(X) == pytest.approx(Ridge().fit(X, Y, sample_weight=weight).predict(X))
    with sklearn.config_context(enable_metadata_routing=True):
        routed = ShiftedRegressor(Ridge().set_fit_request(sample_weight=True))
        found = routed.fit(X, Y, sample_weight=weight)
        assert found.predict(X) == pytest.approx(plain.predict(X))


def test_rules_follow_the_asymmetry_also_per_row():
    tuned = TunedShiftRegressorCV(Ridge(), cv=5, asymmetry=0.9).fit(X, Y)
    assert np.mean(tuned.predict(X) >= Y) == pytest.approx(0.9, abs=0.04)
    low, high = tuned.predict(X, asymmetry=0.1), tuned.predict(X, asymmetry=0.9)
    assert (low < high).all()
    mixed = tuned.predict(X, asymmetry=np.where(np.arange(len(Y)) % 2, 0.1, 0.9))
    assert (mixed == np.where(np.arange(len(Y)) % 2, low, high)).all()
    costs = TunedShiftRegressorCV(Ridge(), cv=5, under_cost=9, over_cost=1).fit(X, Y)
    assert (costs.predict(X) == high).all()
    steep = TunedShiftRegressorCV(Ridge(), rule=rt.PolynomialShift(1), cv=5).fit(X, Y)
    assert np.ptp(steep.predict(X, asymmetry=0.9) - steep.estimator_.predict(X)) > 0


@pytest.mark.parametrize(
    ("estimator", "rule", "options"),
    [
        (BayesianRidge(), NormalShift(), {}),
        (GaussianProcessRegressor(NOISY, normalize_y=True, optimizer=None), NormalShift(), {}),
        (RandomForestRegressor(50, min_samples_leaf=5, random_state=0), EnsembleShift(), {}),
        (
            GradientBoostingRegressor(loss="quantile", alpha=0.5, n_estimators=40, random_state=0),
            QuantileShift((0.1, 0.5, 0.9)),
            {"level_parameter": "alpha"},
        ),
    ],
    ids=["bayes", "process", "forest", "quantiles"],
)
def test_soft_regressors(estimator, rule, options):
    fitted = ShiftedRegressor(estimator, rule=rule, asymmetry=0.85, **options).fit(X, Y)
    high, low = fitted.predict(X), fitted.predict(X, asymmetry=0.15)
    assert (high >= low).all()
    assert np.mean(high >= low + 1e-9) > 0.9
    assert np.mean(high >= Y) > 0.7


def test_reframing_at_any_cutoff():
    fitted = CutoffClassifier(Ridge()).fit(X, Y)
    number = Ridge().fit(X, Y).predict(X)
    assert fitted.cutoff_ == np.median(Y)
    assert (fitted.predict(X, cutoff=150) == (number >= 150)).all()
    rows = np.linspace(100, 200, len(Y))
    assert (fitted.predict(X, cutoff=rows) == (number >= rows)).all()
    assert (fitted.decision_function(X, cutoff=rows) == number - rows).all()


def test_retraining_is_training_by_hand_and_bounded():
    fitted = RetrainedCutoffClassifier(LogisticRegression(), keep_data=True, cache_size=5).fit(X, Y)
    cutoffs = np.quantile(Y, np.linspace(0.05, 0.95, 12))
    for cutoff in cutoffs:
        by_hand = LogisticRegression().fit(X, cutoff <= Y).predict(X)
        assert (fitted.predict(X, cutoff=cutoff) == by_hand).all()
        assert len(fitted.extra_) <= 5
    rows = np.resize(cutoffs, len(Y))
    mixed = fitted.predict(X, cutoff=rows)
    assert all((mixed[rows == c] == fitted.predict(X, cutoff=c)[rows == c]).all() for c in cutoffs)
    assert (fitted.predict(X, cutoff=1e9) == 0).all()
    assert (fitted.predict(X, cutoff=-1e9) == 1).all()


def test_hybrids_take_the_better_approach():
    fitted = HybridCutoffClassifier(Ridge(), LogisticRegression(max_iter=300), cv=3).fit(X, Y)
    assert {region.model for region in fitted.regions_} <= {"reframed", "retrained"}
    for region in fitted.regions_:
        cutoff = float(np.clip(0.5 * (region.low + region.high), 40, 300))
        if not np.isfinite(cutoff) or not region.low < cutoff < region.high:
            continue
        whole = fitted.predict(X, cutoff=cutoff)
        part = getattr(fitted, f"{region.model}_").predict(X, cutoff)
        assert (whole == part).all()


def test_thresholds_follow_costs_and_prices():
    fitted = OrdinalThresholdClassifier(Ridge(), cv=5, costs=[1, 1, 1]).fit(X, GRADE)
    again = OrdinalThresholdClassifier(Ridge(), cv=5, costs=[1, 1, 8]).fit(X, GRADE)
    assert (fitted.predict(X, costs=[1, 1, 8]) == again.predict(X)).all()
    assert np.mean(again.predict(X) == 2) > np.mean(fitted.predict(X) == 2)
    named = np.array(["low", "mid", "high"])[GRADE]
    ordered = OrdinalThresholdClassifier(Ridge(), cv=5, labels=["low", "mid", "high"])
    assert (
        ordered.fit(X, named).predict(X)
        == np.array(["low", "mid", "high"])[
            OrdinalThresholdClassifier(Ridge(), cv=5).fit(X, GRADE).predict(X)
        ]
    ).all()
    shop = ImpactThresholdClassifier(Ridge(), utility=value_minus_cutoff, theta=150.0).fit(X, Y)
    accepted = [np.mean(shop.predict(X, theta=t)) for t in (100.0, 150.0, 220.0)]
    assert accepted == sorted(accepted, reverse=True)
    assert (shop.predict(X) == shop.predict(X, theta=np.full(len(Y), 150.0))).all()
    few = ImpactThresholdClassifier(Ridge(), utility=value_times_price, theta=1.0, at_most=0.1)
    assert np.mean(few.fit(X, Y).predict(X)) < 0.2


def decided(arm, **given):
    train, known = np.arange(220), np.arange(220, len(Y))
    if arm == "probability":
        label = (Y > 140).astype(int)
        models = {
            "plain": LogisticRegression().fit(X[train], label[train]),
            "free": LogisticRegression(C=100).fit(X[train], label[train]),
        }
        found = {name: m.predict_proba(X[known])[:, 1] for name, m in models.items()}
        return models, rt.compare(label[known], found, arm=arm).decide(**given)
    target = GRADE.astype(float) if arm == "ordinal" else Y
    models = {
        "ridge": Ridge(0.1).fit(X[train], target[train]),
        "forest": RandomForestRegressor(30, random_state=0).fit(X[train], target[train]),
    }
    found = {name: m.predict(X[known]) for name, m in models.items()}
    options = {"utility": value_minus_cutoff} if arm == "impact" else {}
    truth = GRADE[known] if arm == "ordinal" else Y[known]
    return models, rt.compare(truth, found, arm=arm, **options).decide(**given)


DECISIONS = [
    ("regression", {"under_cost": 4, "over_cost": 1}),
    ("regression", {"distribution": rt.Uniform(0.1, 0.95), "hybrid": True}),
    ("cutoff", {"cutoff": 140.0}),
    ("probability", {"false_positive_cost": 1, "false_negative_cost": 4}),
    ("ordinal", {"costs": [1, 1, 3]}),
    ("impact", {"theta": 150.0}),
]


@pytest.mark.parametrize(("arm", "given"), DECISIONS, ids=str)
def test_deployed_decisions(arm, given):
    models, decision = decided(arm, **given)
    ready = rt.Decision.from_json(decision.to_json()).deploy(models)
    model = models[decision.model]
    if decision.regions:
        contexts = np.linspace(0.1, 0.95, len(Y))
        answer = ready.predict(X, asymmetry=contexts)
        assert (clone(ready).predict(X, asymmetry=contexts) == answer).all()
        for low, high, name, knob in decision.regions:
            mine = (contexts > low) & (contexts < high)
            assert answer[mine] == pytest.approx(models[name].predict(X)[mine] + knob[0])
        return
    answer = ready.predict(X)
    number = model.predict_proba(X)[:, 1] if arm == "probability" else model.predict(X)
    expected = {
        "regression": lambda: number + decision.knob[0],
        "cutoff": lambda: number + decision.knob[0] >= 140.0,
        "probability": lambda: number >= decision.knob[0],
        "ordinal": lambda: np.searchsorted(decision.knob, number, side="right"),
        "impact": lambda: number >= decision.knob[0],
    }[arm]()
    assert (answer == expected).all()


def test_deployed_decisions_are_bit_by_bit_the_same_in_another_process():
    known = [decided(arm, **given) for arm, given in DECISIONS if "hybrid" not in given]
    ready = [decision.deploy(models) for models, decision in known]
    code = (
        "import pickle, sys; ready, X = pickle.load(sys.stdin.buffer); "
        "sys.stdout.buffer.write(pickle.dumps([each.predict(X) for each in ready]))"
    )
    given = pickle.dumps((ready, X))
    run = subprocess.run([sys.executable, "-c", code], input=given, capture_output=True, check=True)
    for each, answer in zip(ready, pickle.loads(run.stdout), strict=True):
        assert (each.predict(X) == answer).all()


def test_scorers():
    for metric, context, target, model in (
        ("optimal_shift_error", {"asymmetry": 0.8}, Y, Ridge()),
        ("cutoff_error", {"cutoff": 150.0}, Y, Ridge()),
        ("volume_under_surface", {}, GRADE, Ridge()),
        ("brier_score", {}, (Y > 140).astype(int), LogisticRegression()),
        ("impact", {"utility": value_minus_cutoff, "theta": 150.0}, Y, Ridge()),
    ):
        entry = next(m for m in rt.registered_metrics() if m.name == metric)
        score = scorer(metric, **context)
        found = cross_validate(model, X, target, cv=3, scoring=score)["test_score"]
        assert np.isfinite(found).all()
        fitted = model.fit(X, target)
        said = fitted.predict_proba(X)[:, 1] if metric == "brier_score" else fitted.predict(X)
        sign = 1 if entry.sense == "gain" else -1
        totals = {"normalize": True} if metric == "impact" else {}
        value = entry.function(target, said, **context, **totals)
        assert score(fitted, X, target) == pytest.approx(sign * value)
    with pytest.raises(rt.InputError, match="There is no metric 'auc'"):
        scorer("auc")


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: ShiftedRegressor(Ridge(), rule="best").fit(X, Y), "'rule' must be an instance"),
        (
            lambda: ShiftedRegressor(Ridge(), shift=1.0).fit(X, Y).predict(X, asymmetry=0.3),
            "'asymmetry' can only be used with a rule, but 'rule' is None.",
        ),
        (
            lambda: ShiftedRegressor(Ridge(), rule=NormalShift()).fit(X, Y).predict(X),
            "takes 'return_std', but Ridge does not take it",
        ),
        (
            lambda: ShiftedRegressor(Ridge(), rule=EnsembleShift()).fit(X, Y).predict(X),
            "which Ridge does not have",
        ),
        (
            lambda: TunedShiftRegressorCV(Ridge()).fit(X, Y).predict(X, asymmetry=[0.1, 0.2]),
            "'asymmetry' has length 2, but there are",
        ),
        (
            lambda: CutoffClassifier(Ridge()).fit(X, Y).predict(X, cutoff=np.nan),
            "'cutoff' must be a finite number",
        ),
        (
            lambda: CutoffClassifier(Ridge()).fit(X, Y).predict(X, cutoff=[1.0]),
            "'cutoff' has length 1, but there are",
        ),
        (
            lambda: RetrainedCutoffClassifier(LogisticRegression(), cache_size=0).fit(X, Y),
            "cache_size",
        ),
        (
            lambda: OrdinalThresholdClassifier(Ridge()).fit(X, GRADE).predict(X, costs=[1, 2]),
            "'costs' must have one number for each of the 3 classes",
        ),
        (
            lambda: OrdinalThresholdClassifier(Ridge(), labels=[0, 1]).fit(X, GRADE),
            "'labels' must contain all classes in 'y', but 2 is missing",
        ),
        (lambda: decided("cutoff", cutoff=140.0)[1].deploy({}), "models"),
        (
            lambda: decided("cutoff", cutoff=140.0)[1].deploy({"other": Ridge().fit(X, Y)}),
            "The decision needs the model",
        ),
    ],
)
def test_refusals(call, sentence):
    with pytest.raises(rt.InputError, match=sentence):
        call()


@pytest.mark.parametrize("name", ESTIMATORS)
def test_unfitted(name):
    with pytest.raises(NotFittedError):
        clone(ESTIMATORS[name]).predict(X)
    models, decision = decided("regression", asymmetry=0.8)
    with pytest.raises(NotFittedError):
        decision.deploy({model: LinearRegression() for model in models})


def test_a_scorer_is_found_in_a_fresh_process_by_name_or_function():
    code = (
        "from roctopus.deploy import scorer; import roctopus as rt; "
        "print(scorer('roc_auc'), scorer(rt.roc_auc), len(rt.registered_metrics()), sep='|')"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    by_name, by_function, count = run.stdout.strip().split("|")
    assert by_name == by_function == str(scorer("roc_auc"))
    assert int(count) == len(rt.registered_metrics()) > 30


def test_every_kind_of_knob_has_an_estimator():
    assert set(CARRIERS) == set(get_args(KnobKind))
