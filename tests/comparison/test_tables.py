"""Measures in a table are computed with everything that compare was given."""

import inspect

import numpy as np
import pytest
from small import MODELS, N, Y, fresh

import roctopus as rt


def test_measures_know_what_compare_was_told():
    shop = np.arange(N) // 8
    plain, clustered = fresh(), fresh(clusters=shop)
    tables = [
        c.table(asymmetry=0.7, measures=["optimal_shift_error"], backend="pandas")
        for c in (plain, clustered)
    ]
    low = rt.estimate(
        rt.optimal_shift_error, Y, MODELS[tables[1]["model"][0]], asymmetry=0.7, clusters=shop
    ).confidence_interval()[0]
    assert tables[1]["optimal_shift_error_low"][0] == pytest.approx(low)
    assert tables[0]["optimal_shift_error_low"][0] != pytest.approx(low)
    costly = fresh("cutoff", false_positive_cost=9.0)
    table = costly.table(cutoff=0.1, measures=["cutoff_error"], backend="pandas")
    models = table[~table["baseline"]]
    for name, value in zip(models["model"], models["cutoff_error"], strict=True):
        assert value == rt.cutoff_error(Y, MODELS[name], cutoff=0.1, false_positive_cost=9.0)
    assert (models["in_sample"] <= models["cutoff_error"]).all()  # tuned
    assert table[table["baseline"]]["cutoff_error"].isna().all()


@pytest.mark.parametrize("names", [("low", "mid", "top"), (1, 2, 3), (0, 1, 2)])
def test_measures_of_ordered_classes_do_not_hang_on_their_names(names):
    rng = np.random.default_rng(3)
    code = rng.integers(0, 3, 60)
    grade = [names[k] for k in code]
    score = code + rng.normal(size=60)
    found = rt.compare(grade, {"a": score}, arm="ordinal", labels=list(names))
    table = found.table(measures=["volume_under_surface"], backend="pandas")
    assert table["volume_under_surface"].tolist() == [rt.volume_under_surface(code, score)]
    said = found.decide(costs=[5, 1, 2]).in_words
    low, middle, top = (f"'{n}'" if isinstance(n, str) else f"grade {n}" for n in names)
    where = f"5 where the truth is {low}, 1 where it is {middle} and 2 where it is {top}"
    assert f"an error costs {where}, times the number of grades" in said


ARMS = {
    "regression": (Y, MODELS["a"], {}),
    "cutoff": (Y, MODELS["a"], {}),
    "ordinal": (np.digitize(Y, [-0.5, 0.5]), MODELS["a"], {}),
    "probability": ((Y > 0).astype(float), 1 / (1 + np.exp(-MODELS["a"])), {}),
    "impact": (Y, MODELS["a"], {"utility": rt.impact.value_minus_cutoff(Y)}),
}
ARGUMENTS = {
    "a": 0.5,
    "d": 2.0,
    "false_positive_rate": (0.1, 0.4),
    "level": 0.3,
    "sensitivity": 0.8,
    "specificity": 0.7,
    "threshold_probability": 0.3,
    "true_positive_rate": (0.6, 0.9),
    "asymmetry": 0.7,
    "cutoff": 0.1,
    "distribution": rt.Uniform(0.1, 0.9),
    "do_nothing_cost": 0.3,
    "high": 0.6,
    "loss": rt.QuadQuad(0.7),
    "low": -0.4,
    "over_cost": 1.0,
    "theta": 0.2,
    "threshold": 0.4,
    "under_cost": 3.0,
    "y_train": Y,
}
"""A value of every argument that some metric needs."""
METRICS = {each.name: each for each in rt.registered_metrics() if each.arm in ARMS}


def _direct(metric, given):
    truth, prediction, options = ARMS[metric.arm]
    if "normalize" in inspect.signature(metric.function).parameters:
        given = {"normalize": True, **given}
    return rt.estimate(metric.name, truth, prediction, **options, **given)


@pytest.mark.filterwarnings("ignore:Most of the variance .* comes from about")
@pytest.mark.parametrize("name", METRICS)
def test_every_metric_is_reached_or_says_what_it_needs(name):
    metric = METRICS[name]
    truth, prediction, options = ARMS[metric.arm]
    found = rt.compare(truth, {"a": prediction}, arm=metric.arm, **options)
    keywords = inspect.signature(metric.function).parameters.values()
    needed = tuple(k.name for k in keywords if k.kind is k.KEYWORD_ONLY and k.default is k.empty)
    ways = metric.needs or [tuple(each for each in needed if each not in options)]
    if ways != [()]:
        with pytest.raises(rt.InputError, match=f"'{name}' needs '{ways[0][0]}'") as caught:
            found.table(measures=[name])
        assert set(caught.value.arguments) == {each for way in ways for each in way}
    for way in ways:
        given = {argument: ARGUMENTS[argument] for argument in way}
        table = found.table(measures={name: given}, backend="pandas")
        direct = _direct(metric, given)
        assert table[name][0] == direct.value
        ends = (table[f"{name}_low"][0], table[f"{name}_high"][0])
        assert ends == direct.confidence_interval()


@pytest.mark.filterwarnings("ignore:Most of the variance .* comes from about")
def test_the_question_gives_metrics_what_they_need():
    distribution = rt.Uniform(0.1, 0.9)
    for arm, question, names in [
        ("regression", {"distribution": distribution}, ["expected_asymmetric_error"]),
        ("regression", {"under_cost": 3.0, "over_cost": 1.0}, ["optimal_shift_error"]),
        ("cutoff", {"distribution": distribution}, ["expected_cutoff_error"]),
        ("cutoff", {"between": (-0.4, 0.6)}, ["clipped_mean_absolute_error"]),
        ("impact", {"distribution": distribution}, ["expected_impact", "impact_skill"]),
        ("impact", {"theta": 0.2}, ["impact", "impact_gain"]),
    ]:
        truth, prediction, options = ARMS[arm]
        found = rt.compare(truth, {"a": prediction}, arm=arm, **options)
        table = found.table(measures="all", backend="pandas", **question)
        given = dict(question)
        if "between" in given:
            given = dict(zip(("low", "high"), given["between"], strict=True))
        for name in names:
            assert table[name][0] == _direct(METRICS[name], given).value


def test_a_metric_that_the_data_do_not_have():
    label, score, _ = ARMS["probability"]
    certain = np.where(np.arange(N) == 0, 1.0 - label[0], score)
    found = rt.compare(label, {"good": score, "sure": certain}, arm="probability")
    with pytest.warns(rt.RoctopusWarning, match="'log_loss' cannot be computed for model 'sure'"):
        table = found.table(measures="all", backend="pandas").set_index("model")
    assert np.isnan(table.loc["sure", "log_loss"])
    assert np.isfinite(table.loc["good", "log_loss"])
    with pytest.raises(rt.InputError, match="'log_loss' cannot be computed for model 'sure'"):
        found.table(measures="log_loss")


@pytest.mark.parametrize(
    ("measures", "sentence"),
    [
        (
            {"linex_error": {"b": 1.0}},
            "'linex_error' has no argument 'b'. It takes 'a' and 'sample_weight'",
        ),
        ({"linex_error": 0.5}, "'measures' must map each metric to a dictionary"),
        ({"linex_error": {"a": "x"}}, "'linex_error' cannot be computed for model 'a'. "),
    ],
)
def test_arguments_that_make_no_sense(measures, sentence):
    with pytest.raises(rt.InputError, match=sentence):
        fresh().table(measures=measures)
