"""Decisions as files, and what they give on other data."""

import json
import subprocess
import sys

import numpy as np
import pytest
from jsonschema import Draft202012Validator

import roctopus as rt
from roctopus.comparison import decision_schema, out_of_fold, select_models
from roctopus.impact import value_minus_cutoff
from simulations import samples


def sample(seed, n=300):
    rng = np.random.default_rng(seed)
    y = rng.normal(size=n)
    models = {
        "a": y + rng.normal(size=n),
        "b": 0.6 * y + 0.8 * rng.normal(size=n),
        "c": y + rng.exponential(size=n),
    }
    return y, models


def compared(arm, seed=0, n=300):
    y, models = sample(seed, n)
    if arm == "probability":
        y, models = (y > 0).astype(int), {m: 1 / (1 + np.exp(-p)) for m, p in models.items()}
    elif arm == "ordinal":
        y = np.digitize(y, [-0.5, 0.5])
    options = {"utility": value_minus_cutoff} if arm == "impact" else {}
    return rt.compare(y, models, arm=arm, **options)


DECISIONS = {
    "regression": [
        {"asymmetry": 0.8},
        {"under_cost": 4, "over_cost": 1},
        {"between": (0.6, 0.9)},
        {"between": (0.6, 0.9), "criterion": "regret"},
        {"distribution": rt.Beta(2, 3)},
        {"distribution": rt.Beta(2, 3), "hybrid": True},
    ],
    "cutoff": [
        {"cutoff": 0.3},
        {"between": (-0.5, 0.5)},
        {"distribution": rt.Uniform(-1, 1)},
        {"distribution": rt.Output()},
        {"cutoff": 0.3, "false_positive_cost": 2.0},
    ],
    "probability": [
        {"cost_proportion": 0.2},
        {"false_positive_cost": 1, "false_negative_cost": 4},
        {"slope": 0.7},
        {"between": (0.1, 0.3)},
    ],
    "ordinal": [
        {"cost": 3},
        {"costs": [1, 2, 5]},
        {"between": (1, 4)},
        {"distribution": rt.Uniform(1, 4)},
    ],
    "impact": [{"theta": 0.2}, {"between": (-0.5, 0.5)}, {"distribution": rt.Normal(0, 0.5)}],
}
CASES = [(arm, given) for arm, every in DECISIONS.items() for given in every]


@pytest.mark.parametrize(("arm", "given"), CASES, ids=str)
def test_a_decision_survives_its_file(arm, given, tmp_path):
    decision = compared(arm).decide(**given)
    text = decision.to_json()
    Draft202012Validator.check_schema(decision_schema())
    Draft202012Validator(decision_schema()).validate(json.loads(text))
    assert rt.Decision.from_json(text) == decision
    path = tmp_path / "decision.json"
    decision.to_json(path)
    assert rt.Decision.from_json(path) == decision
    told = decision.words["action"][1:] if decision.is_baseline else decision.model
    assert told in str(decision)
    assert decision.low <= decision.value <= decision.high
    assert list(tmp_path.iterdir()) == [path]  # nothing half-written beside it


def test_loaded_in_another_process_it_is_identical(tmp_path):
    decision = compared("regression").decide(asymmetry=0.8)
    path = tmp_path / "decision.json"
    decision.to_json(path)
    code = f"import roctopus as rt; print(rt.Decision.from_json({str(path)!r}).to_json())"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == decision.to_json()


def edited(text, **changes):
    return json.dumps({**json.loads(text), **changes})


def test_files_that_are_refused(tmp_path):
    text = compared("regression").decide(asymmetry=0.8).to_json()
    body = json.loads(text)
    refusals = {
        edited(text, knob=[9.0]): "was edited after it was written",
        edited(text, model="d"): "was edited after it was written",
        edited(
            text, schema_version=4
        ): "schema version 4, but this version of roctopus reads at most version 3. Install a",
        edited(text, schema_version=True): "from 1 to 3, but is True",
        edited(text, schema_version="x"): "from 1 to 3, but is 'x'",
        edited(text, extra=1): "'extra' is unknown",
        json.dumps({k: v for k, v in body.items() if k != "knob"}): "'knob' is missing",
        "{}": "the key 'schema_version' is missing",
        '{"a": NaN}': "NaN is not a number in JSON",
        "{not json": "is not a decision",
    }
    for wrong, sentence in refusals.items():
        with pytest.raises(rt.InputError, match=sentence):
            rt.Decision.from_json(wrong)
    with pytest.raises(rt.InputError, match=r"'none\.json' cannot be read"):
        rt.Decision.from_json(tmp_path / "none.json")


def test_on_other_data():
    first, other = compared("regression", 0), compared("regression", 1)
    decision = first.decide(asymmetry=0.8)
    with pytest.warns(rt.RoctopusWarning, match="the cases the decision was made on"):
        assert first.judge(decision).value == pytest.approx(decision.in_sample)
    error = other.predictions[decision.model] + decision.knob[0] - other.problem.y_true
    expected = np.mean(np.where(error > 0, 0.4 * error, -1.6 * error))
    assert other.judge(decision).value == pytest.approx(expected)
    with pytest.raises(
        rt.InputError,
        match="made with arm='regression', but these data are compared with arm='cutoff'",
    ):
        compared("cutoff").judge(decision)
    y, models = sample(2)
    renamed = rt.compare(y, {f"new {m}": p for m, p in models.items()}, arm="regression")
    with pytest.raises(rt.InputError, match="uses the model"):
        renamed.judge(decision)
    worst = first.decide(between=(0.6, 0.9))
    ends = [
        other.problem.outcomes(other.predictions[worst.model], np.array(worst.knob), x).mean()
        for x in (0.6, 0.9)
    ]
    assert other.judge(worst).value == pytest.approx(max(ends))
    cutoffs = compared("cutoff").decide(between=(-0.5, 0.5), models_only=True)
    other = compared("cutoff", 1)
    raised, grid = other.predictions[cutoffs.model] + cutoffs.knob[0], np.linspace(-0.5, 0.5, 4001)
    wrong = [np.mean((raised >= x) != (other.problem.y_true >= x)) for x in grid]
    assert other.judge(cutoffs).value == pytest.approx(max(wrong))


def test_the_hash_of_the_data_knows_no_order():
    y, models = sample(0)
    order = np.random.default_rng(0).permutation(len(y))
    first = rt.compare(y, models, arm="regression").fingerprint
    again = rt.compare(y[order], {m: p[order] for m, p in models.items()}, arm="regression")
    assert again.fingerprint == first
    models["a"] = models["a"].copy()
    models["a"][[3, 4]] = models["a"][[4, 3]]  # the same numbers, but of other cases
    assert rt.compare(y, models, arm="regression").fingerprint != first


@samples(20, 40)
@pytest.mark.parametrize("arm", list(DECISIONS))
def test_honest_values_hold_on_new_data(arm, samples):
    """The interval of the honest value holds what the decision gives on very many new cases."""
    given = DECISIONS[arm][0]
    held, optimism = 0, []
    for seed in range(samples):
        decision = compared(arm, seed, 150).decide(**given)
        fresh = compared(arm, 10_000 + seed, 20_000)
        value = fresh.judge(decision).value
        held += decision.low <= value <= decision.high
        gap = decision.value - decision.in_sample
        optimism.append(-gap if arm == "impact" else gap)
    assert held >= 0.85 * samples
    assert np.mean(optimism) > -0.01


def test_verdicts():
    rng = np.random.default_rng(0)
    y = rng.normal(size=400)
    good = y + 0.5 * rng.normal(size=400)
    bad = y + 0.8 * rng.normal(size=400)
    use = rt.compare(y, {"good": good, "bad": bad}, arm="regression").decide(asymmetry=0.5)
    assert (use.verdict, use.model, use.candidates) == ("use", "good", ("good",))
    assert use.chances["good"] >= 0.95
    assert str(use).startswith("Use good")
    twins = rt.compare(y, {"good": good, "twin": y + 0.5 * rng.normal(size=400)}, arm="regression")
    for_now = twins.decide(asymmetry=0.5)
    assert for_now.verdict == "use for now"
    assert set(for_now.candidates) == {"good", "twin"}
    saved = [each for _, each in for_now.worth]
    assert 0.0 < saved[0] <= saved[1] <= saved[2] <= for_now.stake
    assert for_now.worth[0][0] == 400
    assert "The truly best model could be" in str(for_now)
    assert "400 more cases" in str(for_now)
    either = twins.decide(asymmetry=0.5, tolerance=0.2)
    assert (either.verdict, either.tolerance) == ("either", 0.2)
    assert (either.stake, either.chances) == (for_now.stake, for_now.chances)
    same = rt.compare(y, {"good": good, "copy": good}, arm="regression").decide(asymmetry=0.5)
    assert (same.verdict, same.margin, same.stake) == ("either", 0.0, 0.0)
    assert same.chances == pytest.approx({"good": 0.5, "copy": 0.5})
    noise = rt.compare(y, {"a": rng.normal(size=400)}, arm="regression")
    none = noise.decide(asymmetry=0.5)
    assert (none.verdict, none.model, none.used_models) == ("no model", "best constant", ())
    assert noise.decide(asymmetry=0.5, models_only=True).model == "a"


def test_regions_with_confidence():
    """Where a model is surely best it is said to be; two that are equal are both kept."""
    rng = np.random.default_rng(0)
    y = rng.normal(size=2000)
    up, down = y + rng.exponential(size=2000), y - rng.exponential(size=2000)
    found = rt.compare(y, {"up": up, "down": down}, arm="regression").regions()
    assert found[0].model != found[-1].model
    assert (found[0].low, found[-1].high) == (0.0, 1.0)
    narrow = rt.compare(y, {"up": up, "down": down}, arm="regression").regions(between=(0.8, 0.95))
    assert len(narrow) == 1
    assert narrow[0].sure
    twin = rt.compare(
        y, {"a": y + rng.normal(size=2000), "b": y + rng.normal(size=2000)}, arm="cutoff"
    )
    assert all(set(r.may_be_best) == {"a", "b"} for r in twin.regions(between=(-0.5, 0.5)))


@pytest.mark.parametrize("arm", list(DECISIONS))
def test_selection_on_validation_data(arm):
    validation, test = compared(arm, 0), compared(arm, 1)
    known = {"cutoff": rt.Uniform(-1, 1), "impact": rt.Uniform(-1, 1), "ordinal": rt.Uniform(1, 5)}
    distribution = known.get(arm, rt.Uniform(0.2, 0.9))
    by = {"OCE": rt.Output()} if arm == "cutoff" else None
    found = {each.rule: each for each in select_models(validation, test, distribution, by=by)}
    sign = -1.0 if arm == "impact" else 1.0
    best = sign * found["test regions"].value
    for each in found.values():
        assert sign * each.value >= best - 1e-9
    assert sign * found["test"].value <= sign * found["validation"].value + 1e-9
    if arm == "cutoff":
        chosen = found["validation"].models[0]
        could = test.curves()[chosen].expect(distribution)
        untuned = test.problem.untuned_curve(test.predictions[chosen]).expect(distribution)
        assert could <= found["validation"].value <= untuned
        followed = validation.envelope.follow(test.curves()).expect(distribution)
        assert followed <= found["validation regions"].value <= untuned
        assert "validation, by OCE" in found
    with pytest.raises(rt.InputError, match="must have the same arm, but 'validation' has"):
        select_models(validation, compared("cutoff" if arm != "cutoff" else "impact"), distribution)


def test_out_of_fold_predictions():
    from sklearn.linear_model import LogisticRegression, Ridge
    from sklearn.model_selection import GridSearchCV, KFold

    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 3))
    y = X @ [1.0, -1.0, 0.5] + rng.normal(size=120)
    searched = GridSearchCV(Ridge(), {"alpha": [0.1, 10.0]}, cv=3)
    folds = KFold(4, shuffle=True, random_state=0)
    found = out_of_fold({"ridge": Ridge(), "searched": searched}, X, y, cv=folds)
    train, held = next(iter(folds.split(X)))
    assert found["ridge"][held] == pytest.approx(Ridge().fit(X[train], y[train]).predict(X[held]))
    assert rt.compare(y, found, arm="regression").models == ("ridge", "searched")
    label = (y > 0).astype(int)
    odds = out_of_fold({"logit": LogisticRegression()}, X, label, method="predict_proba")
    assert rt.compare(label, odds, arm="probability").models == ("logit",)
