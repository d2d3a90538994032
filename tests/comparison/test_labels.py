"""Comparisons of two classes of any name, and of scores that are not probabilities."""

from operator import attrgetter

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import roctopus as rt
from roctopus.impact import net_benefit_utility

rng = np.random.default_rng(7)
Y = rng.integers(0, 2, 240)
PROB = np.clip(0.3 + 0.35 * Y + 0.2 * rng.normal(size=240), 0.01, 0.99)
OTHER = np.clip(0.4 + 0.15 * Y + 0.2 * rng.normal(size=240), 0.01, 0.99)
WORDS = np.where(Y == 1, "ill", "well")
MODELS = {"a": PROB, "b": OTHER}
DECIDED = attrgetter(
    *("model", "knob", "value", "low", "high", "verdict", "chances", "raw", "beside"),
    *("cases", "data"),
)
COSTS = {"false_positive_cost": 1, "false_negative_cost": 4}


@pytest.mark.parametrize(
    ("arm", "options", "context"),
    [("probability", {}, COSTS), ("impact", {"utility": net_benefit_utility}, {"theta": 0.4})],
)
@pytest.mark.parametrize("kind", [list, np.array, pd.Series, pa.array, pd.Categorical])
def test_words_decide_as_numbers_do(arm, options, context, kind):
    plain = rt.compare(Y, MODELS, arm=arm, **options)
    named = rt.compare(kind(WORDS.tolist()), MODELS, arm=arm, pos_label="ill", **options)
    expected = DECIDED(plain.decide(**context))
    assert DECIDED(named.decide(**context)) == expected
    assert named.problem.classes == ("well", "ill")
    assert plain.problem.classes == (0, 1)
    assert named.problem.class_numbers == plain.problem.class_numbers == (0.0, 1.0)
    turned = rt.compare(1 - Y, MODELS, arm=arm, pos_label=0, **options)
    assert DECIDED(turned.decide(**context)) == expected
    assert turned.problem.classes == (1, 0)
    with pytest.raises(rt.InputError, match="add pos_label='ill'"):
        rt.compare(WORDS, MODELS, arm=arm, **options)
    with pytest.raises(rt.InputError, match="'pos_label' is 'sick'"):
        rt.compare(WORDS, MODELS, arm=arm, pos_label="sick", **options)


def test_classes_follow_the_column():
    truth = pd.Series(Y == 1, dtype="boolean")
    assert rt.compare(truth, MODELS, arm="probability").problem.classes == (False, True)
    grades = rt.compare(Y + PROB, MODELS, arm="impact", utility=rt.value_times_price)
    assert grades.problem.classes == ()
    assert grades.problem.class_numbers == ()
    with pytest.raises(rt.InputError, match="name the positive one with 'pos_label'"):
        rt.compare(WORDS, MODELS, arm="regression")
    assert len(rt.compare(pd.Series(Y, dtype=object), MODELS, arm="regression").problem) == 240


def test_words_of_weight_zero_are_absent():
    words, weight = WORDS.astype(object), np.ones(240)
    words[3], weight[3] = "unknown", 0.0
    found = rt.compare(words, MODELS, arm="probability", pos_label="ill", sample_weight=weight)
    plain = rt.compare(Y, MODELS, arm="probability", sample_weight=weight)
    assert DECIDED(found.decide(**COSTS)) == DECIDED(plain.decide(**COSTS))


@pytest.mark.parametrize("mode", [None, "grid", "exact"])
@pytest.mark.parametrize(
    ("arm", "options", "context"),
    [("probability", {}, COSTS), ("impact", {"utility": net_benefit_utility}, {"theta": 0.4})],
)
def test_words_of_files(tmp_path, mode, arm, options, context):
    path = tmp_path / "cases.parquet"
    columns = {"words": WORDS, "turned": 1 - Y, "y": Y, **MODELS}
    pq.write_table(pa.table(columns), path)

    def decide(truth, **named):
        given = {"models": ["a", "b"], "arm": arm, "mode": mode, **options, **named}
        if arm == "impact" and mode is not None:
            given["utility"] = lambda y: net_benefit_utility(y)
        found = rt.compare(truth, str(path), **given)
        return DECIDED(found.decide(**context)), found.problem.classes

    plain, _ = decide("y")
    assert decide("words", pos_label="ill") == (plain, ("well", "ill"))
    assert decide("turned", pos_label=0) == (plain, (1, 0))
    with pytest.raises(
        rt.InputError, match=r"contains text \('ill', 'well'\).* add pos_label='ill'"
    ):
        decide("words")
    with pytest.raises(rt.InputError, match=r"is 'sick', .* classes are 'ill', 'well'"):
        decide("words", pos_label="sick")


SCORES = {"svm": 3.0 * (PROB - 0.5), "prob": OTHER}


def test_scores_are_cut_at_zero_if_nothing_is_tuned():
    found = rt.compare(Y, SCORES, arm="probability")
    decision = found.decide(**COSTS)
    assert decision.model == "svm"
    table = {
        name: rt.compare(Y, {name: p}, arm="probability").table(backend="pandas", **COSTS)
        for name, p in SCORES.items()
    }
    fp, fn = (SCORES["svm"] >= 0.0) & (Y == 0), (SCORES["svm"] < 0.0) & (Y == 1)
    assert table["svm"]["raw"][0] == pytest.approx(np.mean(fp + 4.0 * fn))
    fp, fn = (OTHER >= 0.2) & (Y == 0), (OTHER < 0.2) & (Y == 1)
    assert table["prob"]["raw"][0] == pytest.approx(np.mean(fp + 4.0 * fn))
    same = rt.compare(Y, {"svm": PROB, "prob": OTHER}, arm="probability").decide(**COSTS)
    assert decision.in_sample == same.in_sample
    assert decision.knob[0] == pytest.approx(3.0 * (same.knob[0] - 0.5))


def test_scores_of_single_rows_stay_scores():
    """A fold of one row may hold a score between 0 and 1."""
    found = rt.compare(Y[:40], {"svm": SCORES["svm"][:40]}, arm="probability", cv=40)
    cost = np.mean((SCORES["svm"][:40] >= 0.0) != (Y[:40] == 1))
    assert found.decide(cost_proportion=0.5, models_only=True).raw.value == pytest.approx(cost)


def test_scores_with_contexts_of_their_own_and_in_backtests():
    own = np.full(240, 0.2)
    found = rt.compare(Y, SCORES, arm="probability", context=own)
    table = found.table(backend="pandas").set_index("model")
    plain = rt.compare(Y, SCORES, arm="probability").table(cost_proportion=0.2, backend="pandas")
    assert table.loc["svm", "raw"] == pytest.approx(plain.set_index("model").loc["svm", "raw"])
    only = rt.compare(Y, {"svm": SCORES["svm"]}, arm="probability")
    replay = only.backtest(time=np.arange(240), start=120, cost_proportion=0.5)
    wrong = (SCORES["svm"] >= 0.0) != (Y == 1)
    assert replay.outcomes["untuned"].mean() == pytest.approx(wrong[120:].mean())


def test_what_needs_probabilities_names_itself():
    found = rt.compare(Y, SCORES, arm="probability")
    with pytest.raises(rt.InputError, match=r"cannot be computed for model 'svm'\. 'y_prob'"):
        found.table(measures=["brier_score"])
    table = found.table(measures=["roc_auc"], backend="pandas").set_index("model")
    assert table.loc["svm", "roc_auc"] == pytest.approx(rt.roc_auc(Y, PROB))
    with pytest.raises(
        rt.InputError, match=r"Model 'a': 'y_prob' .* because of rounding. Clip 'y_prob'"
    ):
        rt.compare(Y, {"a": np.where(Y == 1, 1.0 + 1e-12, PROB)}, arm="probability")


def test_scores_on_a_page(tmp_path):
    found = rt.compare(Y, SCORES, arm="probability")
    found.to_html(tmp_path / "page.html", **COSTS)
    text = (tmp_path / "page.html").read_text()
    assert "threshold c, or 0 for scores" in text


def test_scores_beyond_memory_say_what_to_do(tmp_path):
    path = tmp_path / "cases.parquet"
    pq.write_table(pa.table({"y": Y, **SCORES}), path)
    with pytest.raises(rt.InputError, match=r"'svm' is not between 0 and 1. .* leave out 'mode'"):
        rt.compare("y", str(path), models=["svm", "prob"], arm="probability", mode="grid")
    found = rt.compare("y", str(path), models=["svm", "prob"], arm="probability")
    assert found.decide(**COSTS).model == "svm"
