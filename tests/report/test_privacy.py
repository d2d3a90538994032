"""What a shared page holds of its rows, and the decisions that are downloaded from it."""

import json

import numpy as np
import pytest
from attacked import attacked
from cell_samples import ARMS
from pages import continuous, data_of, numbers_in, unpack

import roctopus as rt
from roctopus.concepts.decision import Decision
from roctopus.report.rounding import ORIGIN
from roctopus.report.summary import cells_of_models


@pytest.mark.parametrize("size", [60, 101, 301])
def test_no_truth_is_a_cutoff_of_the_page(tmp_path, size):
    rng = np.random.default_rng(size)
    y = rng.gamma(3.0, 10.0, size)
    noisy = y + rng.normal(0, 4, size)
    comparison = rt.compare(y, {"a": noisy, "b": y + 1.0}, arm="cutoff")
    comparison.to_html(tmp_path / "x.html")
    found = np.array([v for v in numbers_in(data_of(tmp_path / "x.html")) if np.isfinite(v)])
    rows = np.concatenate([y, noisy, y + 1.0])
    assert np.min(np.abs(found[:, None] - rows[None, :])) > 1e-9


def test_too_few_cases(tmp_path):
    with pytest.raises(rt.InputError, match="needs 60 cases or more, but there are only 40"):
        continuous(40).to_html(tmp_path / "x.html", asymmetry=0.5)
    continuous(40).to_html(tmp_path / "x.html", asymmetry=0.5, exact=True)


def test_wrong_arguments(tmp_path):
    comparison = continuous(200)
    for wrong, told in (
        ({"exact": "no"}, "'exact' must be True or False"),
        ({"title": 5}, "'title' must be text"),
        ({"unit": None}, "'unit' must be text"),
        ({"min_cases": 10**9}, "A page made of groups of at least"),
    ):
        with pytest.raises(rt.InputError, match=told):
            comparison.to_html(tmp_path / "x.html", asymmetry=0.5, **wrong)
    assert list(tmp_path.iterdir()) == []


def downloads(made):
    """Return the comparison, and each decision with its text, as a page offers it."""
    data = json.loads(made.page().split('id="data">')[1].split("</script>")[0])["comparisons"][0]
    told = [*data["answers"], *([data["asked"]] if data["asked"] else [])]
    return made.shared(), [(rt.Decision.from_json(each["text"]), each) for each in told]


@pytest.mark.parametrize("arm", ARMS)
def test_a_downloaded_decision_holds_no_rows(arm):
    made = attacked(arm, 300, 1, rounded=False, heavy=False, least=10)
    _, found = downloads(made)
    assert found
    for decision, _ in found:
        assert decision.data == ""
        assert decision.basis is None
        assert decision.stays_best is None
        assert decision.warnings[-1] == ORIGIN
        for each in decision.responses.values():  # those of a baseline are of a constant
            assert each.quantiles == () or (decision.is_baseline and len({*each.quantiles}) == 1)
        assert Decision.from_dict(json.loads(decision.to_json())) == decision


@pytest.mark.parametrize("arm", ARMS)
@pytest.mark.parametrize("seed", range(3))
def test_its_setting_lies_on_a_border(arm, seed):
    made = attacked(arm, 300, seed, rounded=False, heavy=seed == 2, least=10)
    comparison, found = downloads(made)
    cells, _ = cells_of_models(comparison.problem, comparison.predictions, made.least)
    for decision, told in found:
        shown = [(row["name"], unpack(row["knob"])) for row in told["rows"] if not row["baseline"]]
        if not decision.is_baseline:
            shown.append((decision.model, decision.knob))
        single = decision.context.get("cutoff")
        for name, knob in shown:
            allowed = cells[name].settings(single)
            finite = [x for x in knob if x is not None and np.isfinite(x)]
            assert np.all(np.isin(finite, allowed)), (name, knob)
        for ends in (decision.setting_low, decision.setting_high):
            if not decision.is_baseline:
                inside = [x for x in ends if np.isfinite(x)]
                assert np.all(np.isin(inside, cells[decision.model].settings(single)))


class Regressor:
    """A trained model of numbers."""

    def fit(self, X, y):
        return self

    def predict(self, X):
        return np.asarray(X)[:, 0]


class Classifier:
    """A trained model of two classes."""

    classes_ = np.array([0.0, 1.0])

    def fit(self, X, y):
        return self

    def predict_proba(self, X):
        return np.stack([1.0 - np.asarray(X)[:, 0], np.asarray(X)[:, 0]], axis=1)


@pytest.mark.parametrize("arm", ["regression", "probability"])
def test_it_can_be_deployed(arm, tmp_path):
    rng = np.random.default_rng(0)
    score = rng.random(600)
    number = arm == "regression"
    truth = score + rng.normal(0.3, 0.2, 600) if number else 1.0 * (rng.random(600) < score)
    comparison = rt.compare(truth, {"a": score}, arm=arm)
    comparison.to_html(tmp_path / "x.html", under_cost=3, over_cost=1) if number else (
        comparison.to_html(tmp_path / "x.html", false_positive_cost=1, false_negative_cost=1)
    )
    text = data_of(tmp_path / "x.html")["answers"][4]["text"]
    decision = rt.Decision.from_json(text)
    assert not decision.is_baseline
    features = np.linspace(0.1, 0.9, 9)[:, None]
    model = Regressor() if number else Classifier()
    # A page does not tell how predictions are spread, so it must be shown which ones are meant.
    shown = {} if number else {"X": features, "predictions": features[:, 0]}
    said = decision.deploy({"a": model}, **shown).predict(features)
    if number:
        np.testing.assert_allclose(said, features[:, 0] + decision.knob[0])
    else:
        np.testing.assert_array_equal(said, features[:, 0] >= decision.knob[0])


def test_what_does_not_matter_is_told_with_one_digit():
    """A tolerance is a share of a mean: with two digits it told that, and a heavy case in it."""
    made = attacked("regression", 300, 1, rounded=False, heavy=True, least=10)
    for decision, _ in downloads(made)[1]:
        saved = [each for _, each in decision.worth]
        for told in (decision.tolerance, decision.stake, *saved):
            assert told == 0.0 or f"{told:.0e}"[0] in "125"
            assert told == float(f"{told:.0e}")
