"""What is deployed is what was decided: every arm, every kind of estimator and of labels."""

import pickle
import subprocess
import sys
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, clone, is_classifier
from sklearn.calibration import CalibratedClassifierCV
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import (
    GridSearchCV,
    StratifiedKFold,
    TunedThresholdClassifierCV,
    cross_val_predict,
    cross_validate,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

import roctopus as rt
from roctopus.impact import net_benefit_utility

N = 150
RNG = np.random.default_rng(28)
X = RNG.normal(size=(N, 3))
NUMBER = 5 * X[:, 0] + 2 * X[:, 1] + RNG.normal(size=N) * 3
CLASS = (NUMBER > 1).astype(int)
GRADE = np.digitize(NUMBER, [-3, 1, 4])
CV = StratifiedKFold(3)
SPLITS = list(CV.split(X, CLASS))
QUALITY = np.array(["poor", "fair", "good", "best"])


@dataclass
class Case:
    """One question about one estimator."""

    arm: str
    estimator: Any
    y: Any
    context: dict[str, Any]
    options: dict[str, Any] = field(default_factory=dict)
    classes: tuple[Any, ...] = ()
    """From the lowest to the highest, as plain values."""
    numbers: tuple[float, ...] = ()


LABELS = {
    "0/1": (CLASS, {}, (0, 1)),
    "bool": (CLASS == 1, {}, (False, True)),
    "first of text": (np.where(CLASS, "ill", "well"), {"pos_label": "ill"}, ("well", "ill")),
    "last of text": (np.where(CLASS, "well", "ill"), {"pos_label": "well"}, ("ill", "well")),
    "nullable": (pd.Series(CLASS == 1, dtype="boolean"), {}, (False, True)),
    "category": (
        pd.Series(np.where(CLASS, "ill", "well"), dtype="category"),
        {"pos_label": "ill"},
        ("well", "ill"),
    ),
}
LOGIT = LogisticRegression()
CLASSIFIERS = {
    "probabilities": LOGIT,
    "scores only": LinearSVC(),
    "pipeline": make_pipeline(
        StandardScaler(), DecisionTreeClassifier(max_depth=3, random_state=0)
    ),
    "search": GridSearchCV(LOGIT, {"C": [0.1, 1.0]}, cv=2),
    "calibrated": CalibratedClassifierCV(LinearSVC(), cv=2),
    "tuned threshold": TunedThresholdClassifierCV(LOGIT, scoring="accuracy", cv=2),
}
COSTS = {"false_positive_cost": 1, "false_negative_cost": 4}
CASES = {
    "regression": Case("regression", Ridge(), NUMBER, {"under_cost": 4, "over_cost": 1}),
    "regression, pipeline": Case(
        "regression", make_pipeline(StandardScaler(), Ridge()), NUMBER, {"asymmetry": 0.7}
    ),
    "cutoff": Case("cutoff", Ridge(), NUMBER, {"cutoff": 2.0}),
    "impact, values": Case(
        "impact", Ridge(), NUMBER, {"theta": 1.0}, {"utility": rt.value_minus_cutoff}
    ),
    "ordinal, regressor": Case("ordinal", Ridge(), GRADE, {"cost": 3.0}, {}, (0, 1, 2, 3)),
    "ordinal, classifier": Case(
        "ordinal", LOGIT, GRADE + 3, {"cost": 3.0}, {}, (3, 4, 5, 6), (3.0, 4.0, 5.0, 6.0)
    ),
    "ordinal, text": Case(
        "ordinal", LOGIT, QUALITY[GRADE], {"cost": 3.0}, {"labels": list(QUALITY)}, tuple(QUALITY)
    ),
    "ordinal, text, regressor": Case(
        "ordinal", Ridge(), QUALITY[GRADE], {"cost": 3.0}, {"labels": list(QUALITY)}, tuple(QUALITY)
    ),
}
for kind, (truth, option, classes) in LABELS.items():
    for name, estimator in CLASSIFIERS.items():
        if name != "probabilities" and kind not in ("0/1", "first of text"):
            continue
        CASES[f"probability, {kind}, {name}"] = Case(
            "probability", estimator, truth, COSTS, option, classes
        )
    CASES[f"impact, {kind}"] = Case(
        "impact", LOGIT, truth, {"theta": 0.25}, option | {"utility": net_benefit_utility}, classes
    )


class Replay(BaseEstimator):
    """Says again what was said of cases, which are given by their numbers."""

    def __init__(self, said: Any) -> None:
        self.said = said

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def predict(self, X: Any) -> Any:
        """Return what was predicted."""
        return self.said[np.asarray(X)[:, 0]]


class ReplayClasses(Replay):
    """A classifier: its own predictions are wrong, since nobody should ask for them."""

    def __init__(self, said: Any, classes: Any) -> None:
        super().__init__(said)
        self.classes = classes

    @property
    def classes_(self) -> Any:
        """The classes."""
        return np.array(self.classes)

    def predict(self, X: Any) -> Any:
        """Return the first class of all."""
        return np.full(len(X), self.classes[0])


class ReplayProbabilities(ReplayClasses):
    """Says probabilities again."""

    def predict_proba(self, X: Any) -> Any:
        """Return a column per class."""
        return self.said[np.asarray(X)[:, 0]]


class ReplayScores(ReplayClasses):
    """Says scores again."""

    def decision_function(self, X: Any) -> Any:
        """Return a score for the second class."""
        return self.said[np.asarray(X)[:, 0]]


def method_of(case: Case) -> str:
    if not is_classifier(case.estimator):
        return "predict"
    return "predict_proba" if hasattr(case.estimator, "predict_proba") else "decision_function"


def plain_truth(case: Case) -> Any:
    """Return what scikit-learn's estimators are trained on."""
    if not is_classifier(case.estimator) and case.arm == "ordinal":
        return np.asarray(GRADE, dtype=float)
    return np.array(case.y.tolist()) if isinstance(case.y, pd.Series) else case.y


def by_hand(case: Case, fitted: Any, said: Any) -> Any:
    """Make one number of what a classifier says."""
    if not case.classes or not is_classifier(case.estimator):
        return said
    its = fitted.classes_.tolist()
    if said.ndim == 1:
        return said if its[1] == case.classes[1] else -said
    if case.arm != "ordinal":
        return said[:, its.index(case.classes[1])]
    numbers = case.numbers or tuple(range(len(case.classes)))
    return sum(said[:, its.index(c)] * v for c, v in zip(case.classes, numbers, strict=True))


def decided(case: Case, decision: rt.Decision, numbers: Any) -> Any:
    """Apply the recorded knob."""
    knob = np.array(decision.knob)
    if case.arm == "regression":
        return numbers + knob[0]
    if case.arm == "cutoff":
        return (numbers + knob[0] >= case.context["cutoff"]).astype(int)
    if case.arm == "ordinal":
        return np.array(case.classes)[(numbers[:, None] >= knob).sum(axis=1)]
    accepted = (numbers >= knob[0]).astype(int)
    return np.array(case.classes)[accepted] if case.classes else accepted


def compared(case: Case, way: str) -> rt.Comparison:
    if way == "estimators":
        return rt.compare_estimators(
            {"m": case.estimator}, X, case.y, arm=case.arm, cv=SPLITS, **case.options
        )
    truth = plain_truth(case)
    if way == "cv_results":
        found = cross_validate(
            case.estimator, X, truth, cv=SPLITS, return_estimator=True, return_indices=True
        )
        return rt.Comparison.from_cv_results({"m": found}, X, case.y, arm=case.arm, **case.options)
    fitted = clone(case.estimator).fit(X, truth)
    said = cross_val_predict(case.estimator, X, truth, cv=SPLITS, method=method_of(case))
    return rt.compare(case.y, {"m": by_hand(case, fitted, said)}, arm=case.arm, **case.options)


def replay(case: Case, fitted: Any) -> Any:
    """Return an estimator that says what the deciding estimators said."""
    method = method_of(case)
    said = cross_val_predict(case.estimator, X, plain_truth(case), cv=SPLITS, method=method)
    if method == "predict":
        return Replay(said)
    kind = ReplayProbabilities if method == "predict_proba" else ReplayScores
    return kind(said, fitted.classes_.tolist())


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory):
    """Deploy and predict in another process, for all cases at once."""
    folder = tmp_path_factory.mktemp("elsewhere")
    parts = {}
    for name, case in CASES.items():
        fitted = clone(case.estimator).fit(X, plain_truth(case))
        decision = compared(case, "estimators").decide(**case.context, models_only=True)
        ready = decision.deploy({"m": fitted})
        parts[name] = decision.to_json(), pickle.dumps(fitted), pickle.dumps(ready)
    (folder / "in").write_bytes(pickle.dumps((X, parts)))
    program = """
import pickle, sys, roctopus as rt
X, parts = pickle.load(open(sys.argv[1], "rb"))
found = {}
for name, (text, fitted, ready) in parts.items():
    again = rt.Decision.from_json(text).deploy({"m": pickle.loads(fitted)})
    found[name] = again.predict(X), pickle.loads(ready).predict(X)
pickle.dump(found, open(sys.argv[2], "wb"))
"""
    names = [str(folder / each) for each in ("in", "out")]
    subprocess.run([sys.executable, "-c", program, *names], check=True)
    return pickle.loads((folder / "out").read_bytes())


@pytest.mark.parametrize("way", ["predictions", "estimators", "cv_results"])
@pytest.mark.parametrize("name", CASES)
def test_the_deployed_decide_what_was_decided(name, way):
    case = CASES[name]
    comparison = compared(case, way)
    decision = comparison.decide(**case.context, models_only=True)
    fitted = clone(case.estimator).fit(X, plain_truth(case))
    numbers = comparison.predictions["m"]
    # Replayed: the deciding predictions give the decided decisions, and the value that was told.
    again = replay(case, fitted)
    ready = rt.Decision.from_json(decision.to_json()).deploy({"m": again})
    rows = np.arange(N)[:, None]
    np.testing.assert_array_equal(ready.predict(rows), decided(case, decision, numbers))
    with pytest.warns(rt.RoctopusWarning, match="decision was made on"):
        assert comparison.judge(decision).value == pytest.approx(decision.in_sample, rel=1e-12)
    # Refitted: the recorded knob on the recorded response, and on nothing else.
    said = by_hand(case, fitted, getattr(fitted, method_of(case))(X))
    wanted = decided(case, decision, said)
    np.testing.assert_array_equal(decision.deploy({"m": fitted}).predict(X), wanted)
    if way != "predictions":
        np.testing.assert_array_equal(decision.deploy().predict(X), wanted)
        assert decision.responses["m"].method == method_of(case)


@pytest.mark.parametrize("name", CASES)
def test_in_another_process(name, elsewhere):
    case = CASES[name]
    fitted = clone(case.estimator).fit(X, plain_truth(case))
    decision = compared(case, "estimators").decide(**case.context, models_only=True)
    said = by_hand(case, fitted, getattr(fitted, method_of(case))(X))
    for found in elsewhere[name]:
        np.testing.assert_array_equal(found, decided(case, decision, said))
