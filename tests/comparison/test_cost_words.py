"""Costs in the user's words: ratios, ranges of costs, threshold probabilities."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from sklearn.linear_model import LinearRegression

import roctopus as rt
from roctopus.deploy import ShiftedRegressor, TunedShiftRegressorCV
from roctopus.regression import ConstantShift

RNG = np.random.default_rng(0)
N = 240
Y = 20.0 + 3.0 * RNG.normal(size=N)
MODELS = {"a": Y + RNG.normal(size=N), "b": 1.0 + Y + 2.0 * RNG.normal(size=N)}
ILL = (Y > 21.0).astype(float)
CHANCES = {name: 1.0 / (1.0 + np.exp(21.0 - each)) for name, each in MODELS.items()}


def regression(rows: Any = slice(None), **more: Any) -> rt.Comparison:
    return rt.compare(
        Y[rows], {name: each[rows] for name, each in MODELS.items()}, arm="regression", **more
    )


def probability(rows: Any = slice(None)) -> rt.Comparison:
    some = {name: each[rows] for name, each in CHANCES.items()}
    return rt.compare(ILL[rows], some, arm="probability")


def benefit(rows: Any = slice(None)) -> rt.Comparison:
    some = {name: each[rows] for name, each in CHANCES.items()}
    return rt.compare(ILL[rows], some, arm="impact", utility=rt.net_benefit_utility)


SAME = [
    (regression, {"cost_ratio": 4}, {"asymmetry": 0.8}, 1.0),
    (regression, {"cost_ratio": (2, 8)}, {"between": (2 / 3, 8 / 9)}, 1.0),
    (regression, {"asymmetry": (0.6, 0.9)}, {"between": (0.6, 0.9)}, 1.0),
    (regression, {"under_cost": (2, 8), "over_cost": 1}, {"between": (2 / 3, 8 / 9)}, 1.0),
    (regression, {"under_cost": (10, 40), "over_cost": 5}, {"between": (2 / 3, 8 / 9)}, 5.0),
    (regression, {"under_cost": 5, "over_cost": (1, 2.5)}, {"between": (2 / 3, 5 / 6)}, 5.0),
    (regression, {"under_cost": (2, 6), "over_cost": (1, 2)}, {"between": (0.5, 6 / 7)}, 1.0),
    (probability, {"cost_ratio": 4}, {"cost_proportion": 0.2}, 1.0),
    (probability, {"cost_ratio": (2, 8)}, {"between": (1 / 9, 1 / 3)}, 1.0),
    (probability, {"threshold_probability": 0.2}, {"cost_proportion": 0.2}, 1.0),
    (probability, {"threshold_probability": (0.1, 0.3)}, {"between": (0.1, 0.3)}, 1.0),
    (
        probability,
        {"false_positive_cost": 3, "false_negative_cost": (6, 24)},
        {"between": (1 / 9, 1 / 3)},
        3.0,
    ),
    (benefit, {"threshold_probability": 0.2}, {"theta": 0.25}, 1.0),
    (benefit, {"threshold_probability": (0.2, 0.5)}, {"between": (0.25, 1.0)}, 1.0),
]


@pytest.mark.parametrize(("make", "words", "same", "unit"), SAME, ids=range(len(SAME)))
def test_words_and_shares_lead_to_the_same_decision(
    make: Any, words: dict[str, Any], same: dict[str, Any], unit: float
) -> None:
    found, plain = make().decide(**words), make().decide(**same)
    assert found.model == plain.model
    assert found.knob == pytest.approx(plain.knob)
    assert found.value == pytest.approx(unit * plain.value)
    assert found.criterion == plain.criterion


@pytest.mark.parametrize(("make", "words", "same", "unit"), SAME, ids=range(len(SAME)))
@pytest.mark.filterwarnings("ignore:Most of the variance .* comes from about .* cases")
def test_a_record_has_the_words_and_is_judged_and_checked_by_them(
    make: Any, words: dict[str, Any], same: dict[str, Any], unit: float
) -> None:
    old, new = make(slice(0, 120)), make(slice(120, None))
    decision, plain = old.decide(**words), old.decide(**same)
    if decision.context != plain.context:  # a range of the context itself is one, by either name
        kept = {name: decision.context[name] for name in words}
        assert kept == {name: np.asarray(each).tolist() for name, each in words.items()}
    loaded = rt.Decision.from_json(decision.to_json())
    assert new.judge(loaded).value == pytest.approx(unit * new.judge(plain).value)
    checked, by_share = new.check(loaded), new.check(plain)
    assert checked.holds == by_share.holds
    assert checked.diagnosis.knob.loss == pytest.approx(unit * by_share.diagnosis.knob.loss)


def test_regret_is_decided_and_checked_in_words() -> None:
    decision = regression(slice(0, 120)).decide(cost_ratio=(2, 8), criterion="regret")
    plain = regression(slice(0, 120)).decide(between=(2 / 3, 8 / 9), criterion="regret")
    assert decision.context == {"cost_ratio": [2.0, 8.0], "criterion": "regret"}
    assert decision.value == pytest.approx(plain.value)
    assert "assumes that an under-estimate costs 2 to 8 times as much" in decision.sentence


def test_tables_pages_pictures_and_backtests_know_the_words(tmp_path: Any) -> None:
    found = regression()
    by_ratio, by_share = found.table(cost_ratio=4), found.table(asymmetry=0.8)
    assert by_ratio["cost"].tolist() == pytest.approx(by_share["cost"].tolist())
    errors = [
        found.table(measures=["asymmetric_absolute_error"], **words)["asymmetric_absolute_error"]
        for words in ({"cost_ratio": 4}, {"asymmetry": 0.8})
    ]
    np.testing.assert_array_equal(errors[0], errors[1])
    found.to_html(tmp_path / "page.html", cost_ratio=(2, 8), progress=False)
    shown = found.plot(cost_ratio=(2, 8))
    assert shown.ax_.get_xlim()[0] == pytest.approx(2 / 3, abs=0.05)
    time = np.arange(N) // 20
    by_ratio = found.backtest(time=time, cost_ratio=4)
    by_share = found.backtest(time=time, asymmetry=0.8)
    for name, each in by_share.outcomes.items():
        np.testing.assert_array_equal(by_ratio.outcomes[name], each)
    with pytest.raises(rt.InputError, match="but cost_ratio 2 to 8 is a range"):
        found.backtest(time=time, cost_ratio=(2, 8))


@pytest.mark.parametrize(
    ("truth", "arm", "words", "same"),
    [
        ("y", "regression", {"cost_ratio": (2, 8)}, {"between": (2 / 3, 8 / 9)}),
        ("y", "regression", {"cost_ratio": 4}, {"asymmetry": 0.8}),
        ("ill", "probability", {"threshold_probability": 0.2}, {"cost_proportion": 0.2}),
    ],
)
def test_files_beyond_memory_are_asked_in_the_same_words(
    tmp_path: Any, truth: str, arm: str, words: dict[str, Any], same: dict[str, Any]
) -> None:
    models = {"regression": MODELS, "probability": CHANCES}[arm]
    pq.write_table(pa.table({"y": Y, "ill": ILL, **models}), tmp_path / "x.parquet")
    large = rt.compare(truth, tmp_path / "x.parquet", models=["a", "b"], arm=arm, mode="grid")
    found, plain = large.decide(**words), large.decide(**same)
    assert (found.value, *found.knob) == pytest.approx((plain.value, *plain.knob))


def test_each_case_may_have_its_own_ratio() -> None:
    ratio = RNG.uniform(1.0, 9.0, N)
    found = regression(context={"cost_ratio": ratio}).decide()
    plain = regression(context=ratio / (1.0 + ratio)).decide()
    assert (found.value, *found.knob) == pytest.approx((plain.value, *plain.knob))
    with pytest.raises(rt.InputError, match="'cost_ratio' must be zero or more"):
        regression(context={"cost_ratio": -ratio})
    odds = rt.compare(
        ILL, CHANCES, arm="impact", utility=rt.net_benefit_utility,
        context={"threshold_probability": 1.0 / (1.0 + ratio)},
    )  # fmt: skip
    plain = rt.compare(
        ILL, CHANCES, arm="impact", utility=rt.net_benefit_utility, context=1.0 / ratio
    )
    assert odds.decide().value == pytest.approx(plain.decide().value)


def test_shifts_of_estimators_take_a_ratio() -> None:
    X = Y[:, None]
    by_ratio = TunedShiftRegressorCV(LinearRegression(), cost_ratio=4).fit(X, MODELS["b"])
    by_share = TunedShiftRegressorCV(LinearRegression(), asymmetry=0.8).fit(X, MODELS["b"])
    np.testing.assert_array_equal(by_ratio.predict(X), by_share.predict(X))
    rule = ConstantShift().fit(Y, MODELS["b"])
    shifted = ShiftedRegressor(LinearRegression(), rule=rule, cost_ratio=4).fit(X, Y)
    plain = ShiftedRegressor(LinearRegression(), rule=rule, asymmetry=0.8).fit(X, Y)
    np.testing.assert_array_equal(shifted.predict(X), plain.predict(X))
    with pytest.raises(rt.InputError, match="but 'cost_ratio' and 'asymmetry' are set"):
        TunedShiftRegressorCV(LinearRegression(), cost_ratio=4, asymmetry=0.8).fit(X, Y)


COSTS = {"false_positive_cost": 3.0, "false_negative_cost": 1.0}
RATIO = r"cost ratios? \('under_cost' / 'over_cost'\), use "
WAYS = "'asymmetry', 'cost_ratio', 'under_cost' with 'over_cost', 'between' or 'distribution'"
PROPORTION = (
    r"cost ratios \('false_negative_cost' / 'false_positive_cost'\), use cost_ratio=\(2, 8\)"
)


@pytest.mark.parametrize(
    ("make", "words", "told"),
    [
        (regression, {"between": (2, 8)}, RATIO + r"cost_ratio=\(2, 8\)"),
        (regression, {"distribution": rt.Uniform(2, 8)}, RATIO + r"cost_ratio=\(2, 8\)"),
        (regression, {"distribution": rt.Gamma(2, 3)}, RATIO + "'cost_ratio'"),
        (regression, {"asymmetry": 4}, RATIO + "cost_ratio=4"),
        (regression, {}, "exactly one of " + WAYS),
        (
            regression,
            {"ratio": 4},
            "'ratio' is not an argument here. Use 'asymmetry', 'cost_ratio' or",
        ),
        (regression, {"under_cost": (2, 8)}, "'under_cost' can only be used with 'over_cost'"),
        (regression, {"cost_ratio": (8, 2)}, "'cost_ratio' is a range from 8 to 2"),
        (regression, {"cost_ratio": 0}, "'cost_ratio' must be positive"),
        (regression, {"cost_ratio": (1, 2, 3)}, "'cost_ratio' must be a number"),
        (
            regression,
            {"cost_ratio": 2, "criterion": "worst"},
            "'criterion' can only be used with a range",
        ),
        (probability, {"between": (2, 8)}, PROPORTION),
        (probability, {"threshold_probability": 20}, r"'threshold_probability' must be between 0"),
        (probability, {}, "'cost_proportion', 'threshold_probability', 'cost_ratio', 'false_pos"),
        (benefit, {"threshold_probability": 1.0}, "must be at least 0 and less than 1, but is 1"),
        (
            benefit,
            {},
            "exactly one of 'theta', 'threshold_probability', 'between' or 'distribution'",
        ),
        (
            benefit,
            {"cost_ratio": 3},
            "'cost_ratio' is not an argument here. Use 'theta' or 'threshold",
        ),
    ],
)
def test_refusals_say_the_words_that_work(make: Any, words: dict[str, Any], told: str) -> None:
    with pytest.raises(rt.InputError, match=told):
        make().decide(**words)


def test_other_utilities_say_where_threshold_probabilities_are_known() -> None:
    found = rt.compare(Y, MODELS, arm="impact", utility=rt.value_times_price)
    with pytest.raises(rt.InputError, match="Use 'theta' for other utilities"):
        found.decide(threshold_probability=0.2)


def test_regions_take_the_same_range_and_say_the_same() -> None:
    with pytest.raises(rt.InputError, match=RATIO):
        regression().regions(between=(2, 8))


def test_a_range_that_is_no_range_of_contexts_is_refused() -> None:
    found = rt.compare(Y, MODELS, arm="cutoff")
    with pytest.raises(
        rt.InputError,
        match="'false_positive_cost' must be a single number here, but is the range 1 to 2",
    ):
        found.decide(cutoff=20, false_positive_cost=(1, 2))
    old, new = (
        rt.compare(Y[rows], {"a": MODELS["a"][rows]}, arm="cutoff", **costs)
        for rows, costs in ((slice(0, 120), {}), (slice(120, None), COSTS))
    )
    decision = old.decide(cutoff=(18, 22), **COSTS)
    assert decision.context == {"cutoff": [18.0, 22.0], **COSTS, "criterion": "worst"}
    if decision.is_baseline:
        raised = new.prediction_of(decision.model)
    else:
        raised = new.predictions["a"] + decision.knob[0]
    curve = rt.cutoff_error_curve(Y[120:], raised, **COSTS)
    worst = curve.at(np.linspace(18.0, 22.0, 4001)).max()
    assert new.judge(decision).value == pytest.approx(worst, rel=0.05)
