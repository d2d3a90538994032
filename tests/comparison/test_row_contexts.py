"""Every case in its own context: against brute force, in every arm, and what is refused."""

import itertools
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import KFold

import roctopus as rt
from roctopus.comparison import Decision
from roctopus.comparison.row_contexts import RowContexts
from roctopus.comparison.rules import follow_rule, learn_rule

SIZE = 60


def regression_loss(y, p, knob, x):
    error = p + knob[0] - y
    return 2 * x * max(-error, 0) + 2 * (1 - x) * max(error, 0)


def cutoff_loss(y, p, knob, x):
    return float((p + knob[0] >= x) != (y >= x))


def probability_loss(y, p, knob, x):
    return float((p >= knob[0]) != (y == 1)) * 2 * (1 - x if y else x)


def ordinal_loss(y, p, knob, x):
    return abs(sum(p >= k for k in knob) - y) * (x if y == 2 else 1)


def impact_gain(y, p, knob, x):
    return y * x - 1 if p >= knob[0] else 0.0


def shifts(y, p, x):
    return [(a - b,) for a, b in zip(y, p, strict=True)]


def cuts(y, p, x):
    return [(each,) for each in (-np.inf, *p, np.inf)]


def margins(y, p, x):
    turns = np.unique(x - p)
    between = 0.5 * (turns[1:] + turns[:-1])
    return [(each,) for each in (0.0, turns[0] - 1, *between, turns[-1] + 1)]


def pairs(y, p, x):
    some = np.array([-np.inf, *np.unique(p), np.inf])
    return list(itertools.combinations_with_replacement(some, 2))


def draw(arm, rng, size=SIZE):
    """Return truths, two models, contexts and what compare is told."""
    options = {"arm": arm}
    if arm == "ordinal":
        y = rng.integers(0, 3, size).astype(float)
        contexts = rng.uniform(0.5, 12.0, size)
    elif arm == "probability":
        y = rng.integers(0, 2, size).astype(float)
        contexts = rng.uniform(0.0, 1.0, size)
    elif arm == "impact":
        y, contexts = rng.gamma(2.0, 1.0, size), rng.uniform(0.2, 1.5, size)
        options["utility"] = rt.value_times_price
    else:
        y = rng.normal(size=size).round(1)
        contexts = rng.uniform(0, 1, size) if arm == "regression" else y + rng.normal(size=size)
    scores = {name: y + sd * rng.normal(size=size) for name, sd in (("a", 0.8), ("b", 1.1))}
    if arm == "probability":
        scores = {name: 1 / (1 + np.exp(-2 * s + 1)) for name, s in scores.items()}
    return y, {name: s.round(1) for name, s in scores.items()}, contexts, options


ARMS = {
    "regression": (regression_loss, shifts),
    "cutoff": (cutoff_loss, margins),
    "probability": (probability_loss, cuts),
    "ordinal": (ordinal_loss, pairs),
    "impact": (impact_gain, cuts),
}
ORDINARY = {
    "regression": ("asymmetry", 0.8),
    "cutoff": ("cutoff", 0.3),
    "probability": ("cost_proportion", 0.3),
    "ordinal": ("cost", 3.0),
    "impact": ("theta", 0.7),
}
every_arm = pytest.mark.parametrize("arm", ARMS)


def by_definition(arm, y, p, knob, x):
    return np.array([ARMS[arm][0](a, b, knob, c) for a, b, c in zip(y, p, x, strict=True)])


def best_by_trying(arm, y, p, x, w=None):
    """Return the best mean outcome of all settings there are."""
    sign = -1 if arm == "impact" else 1
    tried = [
        sign * np.average(by_definition(arm, y, p, knob, x), weights=w)
        for knob in ARMS[arm][1](y, p, x)
    ]
    return sign * min(tried)


@pytest.mark.filterwarnings("ignore::roctopus.RoctopusWarning")
@every_arm
@pytest.mark.parametrize("weighted", [False, True])
def test_values_are_those_of_brute_force(arm, weighted):
    rng = np.random.default_rng(3)
    y, models, x, options = draw(arm, rng)
    w = rng.integers(0, 3, SIZE).astype(float) if weighted else None
    comparison = rt.compare(y, models, context=x, sample_weight=w, **options)
    decision = comparison.decide(models_only=True)
    in_sample = {name: best_by_trying(arm, y, p, x, w) for name, p in models.items()}
    table = comparison.table(backend="pandas").set_index("model")
    for name, best in in_sample.items():
        assert table["in_sample"][name] == pytest.approx(best, rel=1e-12)
    assert decision.in_sample == pytest.approx(in_sample[decision.model], rel=1e-12)
    met = by_definition(arm, y, models[decision.model], decision.knob, x)
    judged = comparison.judge(decision)
    assert judged.value == pytest.approx(np.average(met, weights=w), rel=1e-12)
    kept = slice(None) if w is None else w > 0
    np.testing.assert_allclose(judged.influence, met[kept] - judged.value, atol=1e-12)


@pytest.mark.filterwarnings("ignore::roctopus.RoctopusWarning")
@every_arm
def test_honest_values_and_paired_tests_are_those_of_brute_force(arm):
    y, models, x, options = draw(arm, np.random.default_rng(5), 90)
    splitter = KFold(3)
    comparison = rt.compare(y, models, context=x, cv=splitter, **options)
    problem, aim = comparison.aim(None, None, None, {})
    honest = comparison.learned(problem, aim)[1]
    expected = {}
    for number, (name, p) in enumerate(models.items()):
        losses = np.empty(90)
        for train, test in splitter.split(y):
            knob = problem.take(train).tune(p[train], aim.contexts, np.zeros(1)).chosen
            own = by_definition(arm, y[train], p[train], knob, x[train]).mean()
            assert own == pytest.approx(best_by_trying(arm, y[train], p[train], x[train]))
            losses[test] = by_definition(arm, y[test], p[test], knob, x[test])
        expected[name] = losses
        np.testing.assert_allclose(honest.fitted.rounds[0][number], losses, atol=1e-12)
    gap = honest.difference("a", "b")
    by_scipy = stats.ttest_rel(expected["a"], expected["b"])
    assert gap.value == pytest.approx((expected["a"] - expected["b"]).mean())
    assert gap.pvalue == pytest.approx(by_scipy.pvalue)


@pytest.mark.filterwarnings("ignore::roctopus.RoctopusWarning")
@every_arm
def test_constant_contexts_give_the_ordinary_decision(arm):
    y, models, _, options = draw(arm, np.random.default_rng(7))
    word, context = ORDINARY[arm]
    ordinary = rt.compare(y, models, **options).decide(**{word: context})
    own = rt.compare(y, models, context=np.full(SIZE, context), **options).decide()
    for name in ("model", "verdict", "candidates", "runner_up", "stays_best"):
        assert getattr(own, name) == getattr(ordinary, name)
    for name in ("knob", "knob_low", "knob_high", "value", "low", "high", "in_sample"):
        assert getattr(own, name) == pytest.approx(getattr(ordinary, name), rel=1e-12), name
    for name in ("stake", "tolerance", "chances", "margin", "margin_low", "margin_high"):
        assert getattr(own, name) == pytest.approx(getattr(ordinary, name), rel=1e-12), name


@pytest.mark.parametrize(
    ("arm", "costs"),
    [
        ("regression", {"under_cost": 4.0, "over_cost": 1.0}),
        ("probability", {"false_positive_cost": 1.0, "false_negative_cost": 6.0}),
    ],
)
def test_constant_costs_give_the_ordinary_decision(arm, costs):
    y, models, _, options = draw(arm, np.random.default_rng(7))
    ordinary = rt.compare(y, models, **options).decide(**costs)
    columns = {word: np.full(SIZE, cost) for word, cost in costs.items()}
    own = rt.compare(y, models, context=columns, **options).decide()
    assert (own.model, own.outcome) == (ordinary.model, ordinary.outcome)
    assert own.knob == pytest.approx(ordinary.knob)
    assert (own.value, own.low, own.high) == pytest.approx(
        (ordinary.value, ordinary.low, ordinary.high)
    )


def test_costs_of_each_case_with_a_prevalence():
    rng = np.random.default_rng(2)
    y = np.repeat([0.0, 1.0], 40)
    p = np.clip(0.3 * y + rng.random(80) * 0.7, 0, 1).round(2)
    dear = np.where(y > 0, 10.0, 1.0)
    costs = {"false_positive_cost": dear, "false_negative_cost": dear}
    decision = rt.compare(y, {"a": p}, arm="probability", prevalence=0.1, context=costs).decide()
    scale = np.where(y > 0, 0.1, 0.9) / 0.5 * dear
    tried = [np.mean(scale * ((p >= t) != (y > 0))) for t in (*p, np.inf)]
    assert decision.in_sample == pytest.approx(min(tried))


@given(st.integers(0, 10**6))
def test_costs_of_each_case_by_definition(seed):
    rng = np.random.default_rng(seed)
    size = 12
    y, p = rng.normal(size=(2, size)).round(1)
    under, over = rng.integers(0, 5, size) + 0.5, rng.integers(0, 5, size).astype(float)
    comparison = rt.compare(
        y, {"a": p}, arm="regression", context={"under_cost": under, "over_cost": over}, cv=2
    )
    problem, aim = comparison.aim(None, None, None, {})
    knob = problem.tune(p, aim.contexts, np.zeros(1)).chosen
    error = p[None, :] + (y - p)[:, None] - y
    tried = (under * np.maximum(-error, 0) + over * np.maximum(error, 0)).mean(axis=1)
    found = problem.outcomes(p, knob, np.nan)
    error = p + knob[0] - y
    np.testing.assert_allclose(
        found, under * np.maximum(-error, 0) + over * np.maximum(error, 0), atol=1e-12
    )
    assert found.mean() == pytest.approx(tried.min(), abs=1e-12)


def independent_by_definition(arm, y, p, knob, x, w):
    total = sum(
        w[i] * w[j] * ARMS[arm][0](y[i], p[i], knob, x[j])
        for i, j in itertools.product(range(len(y)), repeat=2)
    )
    return total / w.sum() ** 2


@pytest.mark.filterwarnings("ignore::roctopus.RoctopusWarning")
@every_arm
def test_independent_contexts_by_definition_with_their_influence(arm):
    rng = np.random.default_rng(9)
    y, models, x, options = draw(arm, rng, 24)
    w = rng.integers(1, 4, 24).astype(float)
    comparison = rt.compare(y, models, context=x, sample_weight=w, **options)
    problem, aim = comparison.aim(None, None, None, {})
    knob = problem.tune(models["a"], aim.contexts, np.zeros(1)).chosen
    found = problem.realised(models["a"], knob)
    expected = independent_by_definition(arm, y, models["a"], knob, x, w)
    assert found.independent.value == pytest.approx(expected, rel=1e-10)
    step = 1e-6
    for row in range(0, 24, 5):  # the derivative in a weight, times the total weight
        moved = w.copy()
        moved[row] += step
        change = independent_by_definition(arm, y, models["a"], knob, x, moved) - expected
        influence = found.independent.influence[row]
        assert influence == pytest.approx(change / step * w.sum(), rel=1e-4, abs=1e-5)
    assert np.sum(w * found.difference.influence) == pytest.approx(0, abs=1e-9)


def test_contexts_that_follow_the_cases_are_told_with_figures():
    rng = np.random.default_rng(0)
    price = rng.lognormal(5, 0.5, 2000)
    models = {"a": price * rng.lognormal(0, 0.1, 2000), "b": price * rng.lognormal(0, 0.2, 2000)}
    near = price * rng.lognormal(0, 0.05, 2000)
    with pytest.warns(
        rt.RoctopusWarning, match=r"If cutoffs were independent .*, it would be 0\.0\d+ "
    ):
        decision = rt.compare(price, models, arm="cutoff", context=near).decide()
    assert decision.value > 0.3
    (told,) = decision.warnings
    assert "So cutoffs depend on the cases, and only the first number is right." in told
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        shuffled = rt.compare(price, models, arm="cutoff", context=rng.permutation(near)).decide()
    assert shuffled.warnings == ()
    assert shuffled.value < 0.1


def test_a_rule_follows_the_context_of_each_case():
    rng = np.random.default_rng(1)
    y = rng.normal(size=400)
    models = {"a": y + rng.normal(size=400), "b": y + 1.3 * rng.normal(size=400)}
    x = rng.beta(2, 2, 400)
    comparison = rt.compare(y, models, arm="regression", context=x)
    frozen, rule = comparison.decide(), comparison.decide(hybrid=True)
    assert 2 < len(rule.regions) <= 64
    assert rule.value < frozen.value  # both honest
    assert "shift that follows" in rule.sentence
    met = []
    for truth, context, row in zip(y, x, range(400), strict=True):
        held = [r for r in rule.regions if context <= r[1]] or [rule.regions[-1]]
        _, _, model, knob = held[0]
        met.append(regression_loss(truth, models[model][row], knob, context))
    with pytest.warns(rt.RoctopusWarning, match="decision was made on"):
        assert comparison.judge(rule).value == pytest.approx(np.mean(met))
    again = Decision.from_json(rule.to_json())
    assert again.regions == rule.regions
    assert again.context == rule.context


@pytest.mark.filterwarnings("ignore::roctopus.RoctopusWarning")
@every_arm
def test_rules_give_every_case_its_part_by_definition(arm):
    y, models, x, options = draw(arm, np.random.default_rng(11), 40)
    comparison = rt.compare(y, models, context=x, **options)
    own = RowContexts(x)
    rule = learn_rule(comparison.problem, comparison.predictions, own)
    assert rule[0][0] == x.min()
    assert rule[-1][1] == x.max()
    assert all(before[1] == after[0] for before, after in itertools.pairwise(rule))
    found = follow_rule(comparison.problem, comparison.predictions, rule, own)
    for row in range(40):
        _, _, model, knob = next(r for r in rule if x[row] <= r[1])
        expected = ARMS[arm][0](y[row], models[model][row], knob, x[row])
        assert found[row] == pytest.approx(expected, abs=1e-12)


@pytest.mark.filterwarnings("ignore:X has feature names")
def test_a_deployed_rule_follows_the_context_per_row():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(600, 2))
    y = X[:, 0] + rng.normal(size=600)
    line, other = LinearRegression().fit(X[:200], y[:200]), LinearRegression().fit(X[:9], y[:9])
    held, x = slice(200, 600), rng.uniform(0.1, 0.9, 400)
    models = {"line": line, "other": other}
    comparison = rt.compare(
        y[held], {n: m.predict(X[held]) for n, m in models.items()}, arm="regression", context=x
    )
    rule = comparison.decide(hybrid=True)
    ready = rule.deploy(models)
    for rows in (X[held], pd.DataFrame(X[held]), pl.DataFrame(X[held])):
        found = ready.predict(rows, asymmetry=x)
        met = zip(y[held], found, x, strict=True)
        loss = np.mean([regression_loss(truth, p, (0,), share) for truth, p, share in met])
        with pytest.warns(rt.RoctopusWarning):
            assert loss == pytest.approx(comparison.judge(rule).value)


def test_a_deployed_rule_takes_no_rows_and_refuses_what_is_no_share():
    y, models, x, options = draw("regression", np.random.default_rng(5), 300)
    X = np.column_stack(list(models.values()))
    rule = rt.compare(y, models, context=x, **options).decide(hybrid=True)
    ready = rule.deploy({name: LinearRegression().fit(X, y) for name in models})
    assert rule.regions
    assert len(ready.predict(X[:0], asymmetry=[])) == 0
    with pytest.raises(rt.InputError, match="'asymmetry' must be between 0 and 1"):
        ready.predict(X, asymmetry=7)


def test_errors_on_a_class_may_be_free():
    y, models, _, options = draw("ordinal", np.random.default_rng(4))
    x = np.where(y == 2, 0.0, 3.0)
    found = rt.compare(y, models, context=x, **options)
    problem, aim = found.aim(None, None, None, {})
    knob = problem.tune(models["a"], aim.contexts, np.zeros(1)).chosen
    met = by_definition("ordinal", y, models["a"], knob, x).mean()
    assert met == pytest.approx(best_by_trying("ordinal", y, models["a"], x))


def test_columns_of_any_frame():
    y, models, x, options = draw("regression", np.random.default_rng(4))
    table = {"y": y, **models, "share": x}
    expected = rt.compare(y, models, context=x, **options).decide()
    for frame in (pd.DataFrame(table), pl.DataFrame(table)):
        found = rt.compare("y", frame, arm="regression", context="share")
        assert found.models == ("a", "b")
        assert found.decide() == expected
    parts = [pd.DataFrame({"id": range(SIZE), "y": y, "share": x, "model": m, "prediction": p})
             for m, p in models.items()]  # fmt: skip
    found = rt.compare(
        "y", pd.concat(parts), arm="regression", id="id", model_column="model", context="share"
    )
    assert found.decide() == expected


def test_files_have_contexts_if_they_fit_into_memory(tmp_path):
    y, models, x, options = draw("regression", np.random.default_rng(4))
    pl.DataFrame({"y": y, **models, "share": x}).write_parquet(tmp_path / "x.parquet")
    found = rt.compare("y", tmp_path / "x.parquet", arm="regression", context="share")
    assert found.decide() == rt.compare(y, models, context=x, **options).decide()
    with pytest.raises(rt.InputError, match="'context' needs all rows in memory"):
        rt.compare("y", tmp_path / "x.parquet", arm="regression", context="share", mode="grid")


@pytest.mark.filterwarnings("ignore:Most of the variance .* comes from about")
def test_other_questions_stay_what_they_were():
    y, models, x, options = draw("regression", np.random.default_rng(4))
    plain, own = (rt.compare(y, models, **options, **c) for c in ({}, {"context": x}))
    first, second = (each.decide(asymmetry=0.7) for each in (plain, own))
    assert first.value == second.value
    assert first.data != second.data
    assert plain.regions() == own.regions()
    assert (
        list(plain.table(backend="pandas").columns)[0:2]
        != list(own.table(backend="pandas").columns)[0:2]
    )
    with pytest.raises(rt.InputError, match="Use 'context' to name it when comparing"):
        plain.judge(own.decide())


WRONG = [
    ({"context": [0.5, np.nan] * 30}, r"'context' has missing values \(NaN\) in rows 1, 3"),
    ({"context": [0.5] * 59 + [1.5]}, r"in 'context' must be between 0 and 1.*row 59"),
    ({"context": [0.5] * 10}, "'y_true' has 60 rows, but 'context' has 10"),
    (
        {"context": {"under_cost": [1.0] * 60}},
        "'under_cost' can only be used with 'over_cost'",
    ),
    ({"context": {"under_cost": [0.0] * 60, "over_cost": [0.0] * 60}}, "both zero in rows 0, 1"),
    ({"context": {"under_cost": [-1.0] + [1.0] * 59, "over_cost": [1.0] * 60}}, "zero or more"),
    ({"context": {"under_cost": [1e308] * 60, "over_cost": [1e308] * 60}}, "too large"),
    ({"context": {"price": [1.0] * 60}}, "'price' is not an argument here"),
    ({"context": {}}, "must be a dictionary that maps names"),
    ({"context": ["x"] * 60}, "'context'"),
]


@pytest.mark.parametrize(("wrong", "told"), WRONG, ids=range(len(WRONG)))
def test_wrong_contexts_are_refused(wrong, told):
    y, models, _, options = draw("regression", np.random.default_rng(4))
    with pytest.raises(rt.InputError, match=told):
        rt.compare(y, models, **options, **wrong)


def test_names_of_columns_are_refused_where_there_are_none():
    y, models, _, options = draw("regression", np.random.default_rng(4))
    with pytest.raises(rt.InputError, match="'predictions' has no column 'share'"):
        rt.compare(y, pd.DataFrame(models), context="share", **options)
    with pytest.raises(rt.InputError, match="'context'"):
        rt.compare(y, models, context="share", **options)
    with pytest.raises(rt.InputError, match="Say what errors cost"):
        rt.compare(y, models, **options).decide()
    with pytest.raises(rt.InputError, match="compare the models with 'context'"):
        rt.compare(y, models, **options).decide(asymmetry=0.5, hybrid=True)
