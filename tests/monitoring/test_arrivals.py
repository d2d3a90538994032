"""New cases before their truths arrive."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression, LogisticRegression

import roctopus as rt


def decided(seed=0, size=400):
    rng = np.random.default_rng(seed)
    y = rng.normal(50.0, 10.0, size)
    return rt.compare(y, {"a": y + rng.normal(0.0, 5.0, size)}, arm="regression").decide(
        under_cost=4, over_cost=1
    )


def test_predictions_from_the_same_world_rarely_look_moved():
    rng, moved = np.random.default_rng(1), 0
    for k in range(200):
        old = rng.normal(0.0, 1.0, 300).round(1 if k % 2 else 6)
        y = old + rng.normal(size=300)
        if k < 2:
            decision = rt.compare(y, {"a": old}, arm="regression").decide(asymmetry=0.8)
        moved += rt.check_predictions(
            rt.Decision.from_dict(_seen(decision, old)), rng.normal(0.0, 1.0, 700).round(1)
            if k % 2 else rng.normal(0.0, 1.0, 700)
        ).moved  # fmt: skip
    assert moved <= 8  # 1 %, and some for ties


def _seen(decision, prediction):
    from dataclasses import replace

    return replace(decision, responses={"a": decision.responses["a"].seen(prediction)}).to_dict()


def test_what_moved_is_said_and_never_called_a_loss():
    decision = decided()
    found = rt.check_predictions(decision, np.random.default_rng(2).normal(60.0, 11.0, 300))
    assert found.moved
    assert found.sentence.startswith("Predictions have moved: the median is ")
    assert "says nothing about the cost yet" in found.sentence
    assert found.yes is None
    assert "Predictions have moved" in found._repr_html_()


def test_the_share_of_yes_is_that_of_the_deployed_model():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(800, 2))
    y = (X[:, 0] + rng.normal(size=800) > 1.0) * 1
    models = {"logistic": LogisticRegression()}
    comparison = rt.compare_estimators(models, X[:400], y[:400], arm="probability")
    decision = comparison.decide(false_positive_cost=1, false_negative_cost=4)
    ready = decision.deploy()
    found = rt.check_predictions(decision, model=ready, X=X[400:])
    assert found.yes == pytest.approx(np.mean(ready.predict(X[400:]) == 1))
    assert found.yes_then == pytest.approx(np.mean(ready.predict(X[:400]) == 1), abs=0.05)
    assert not found.moved


def test_what_cannot_be_said():
    decision = decided()
    with pytest.raises(rt.InputError, match=r"The predictions are missing\. Use 'predictions'"):
        rt.check_predictions(decision)
    with pytest.raises(rt.InputError, match="'model' cannot predict without 'X'"):
        rt.check_predictions(decision, model=LinearRegression())
    with pytest.raises(rt.InputError, match="is for model 'a', but 'predictions' does not contain"):
        rt.check_predictions(decision, {"b": [1.0]})
    with pytest.raises(rt.InputError, match="at least one case"):
        rt.check_predictions(decision, [])


def test_from_the_shell(tmp_path):
    decided().to_json(tmp_path / "d.json")
    new = np.random.default_rng(4).normal(50.0, 11.2, 200)
    pd.DataFrame({"a": new}).to_csv(tmp_path / "new.csv", index=False)
    said = [sys.executable, "-m", "roctopus.cli", "check", "d.json", "new.csv", "--without-truth"]

    def run(*more):
        return subprocess.run(
            [*said, *more], cwd=tmp_path, capture_output=True, text=True, check=False
        )

    assert run().returncode == 0
    assert run().stdout.startswith("Predictions look as they did")
    assert '"moved": false' in run("--json").stdout
    refused = run("--state", "s.json")
    assert refused.returncode == 2
    assert "Leave out --state" in refused.stderr
