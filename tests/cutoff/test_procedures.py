"""Retraining, soft classifiers, score maps, trivial models, tables, problem types."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression

import naive
import roctopus as rt
from roctopus import cutoff as arm
from roctopus.concepts.context_map import map_envelopes

rng = np.random.default_rng(8)
X = rng.normal(size=(600, 4))
Y = X @ [2.0, 1.0, 0.0, -1.0] + rng.normal(0, 1.5, 600) + np.where(X[:, 2] > 0, 1.5, 0)
TRAIN, TEST = slice(0, 300), slice(300, 600)
CUTOFFS = np.quantile(Y[TRAIN], np.arange(1, 10) / 10)
LINE = LinearRegression().fit(X[TRAIN], Y[TRAIN]).predict(X[TEST])
Y_TEST = Y[TEST]


def probabilities():
    return {
        c: LogisticRegression().fit(X[TRAIN], Y[TRAIN] >= c).predict_proba(X[TEST])[:, 1]
        for c in CUTOFFS
    }


def test_reframing_and_retraining_on_one_envelope_and_in_one_table():
    soft = probabilities()
    labels = {c: p >= 0.5 for c, p in soft.items()}
    retrained = rt.retraining_curve(Y_TEST, labels)
    for c, given in labels.items():
        wrong = np.mean(given != (c <= Y_TEST))
        assert retrained.at(c) == pytest.approx(wrong)
    line = rt.cutoff_error_curve(Y_TEST, LINE)
    best = rt.envelope({"line": line, "logistic": retrained})
    np.testing.assert_allclose(
        best.at(CUTOFFS), np.minimum(line.at(CUTOFFS), retrained.at(CUTOFFS))
    )
    table = arm.cutoff_table(
        pd.Series(Y_TEST),
        {"line": LINE, "logistic": retrained, "everywhere": retrained.nearest()},
        distribution=rt.Empirical(CUTOFFS),
        low=-1.0,
        high=2.0,
    ).set_index("model")
    assert table.loc["line", "expected_error"] == pytest.approx(np.mean(line.at(CUTOFFS)))
    assert table.loc["logistic", "expected_error"] == pytest.approx(np.mean(retrained.at(CUTOFFS)))
    assert np.isnan(table.loc["logistic", "uniform_area"])
    assert np.isnan(table.loc["logistic", "output_area"])
    everywhere = retrained.nearest()
    assert table.loc["everywhere", "uniform_area"] == pytest.approx(everywhere.area(-1, 2))
    inside = Y_TEST[(Y_TEST >= -1) & (Y_TEST <= 2)]
    assert table.loc["everywhere", "output_area"] == pytest.approx(np.mean(everywhere.at(inside)))
    assert table.loc["line", "uniform_area"] == pytest.approx(
        rt.clipped_mean_absolute_error(Y_TEST, LINE, low=-1, high=2)
    )
    errors = LINE - Y_TEST
    assert table.loc["line", "mean_squared_error"] == pytest.approx(np.mean(errors**2))
    assert table.loc["line", "error_variance"] == pytest.approx(np.var(errors))
    assert table.loc["line", "bias"] == pytest.approx(np.mean(errors))
    assert table.loc["line", "pearson"] == pytest.approx(np.corrcoef(LINE, Y_TEST)[0, 1])
    assert list(table["approach"]) == ["reframing", "retraining", "retraining"]


def test_matrix_mapping_and_soft_labels_agree():
    soft = probabilities()
    matrix = np.column_stack(list(soft.values()))
    order = np.random.default_rng(0).permutation(len(CUTOFFS))
    by_matrix = rt.retraining_curve(Y_TEST, matrix[:, order] >= 0.5, cutoffs=CUTOFFS[order])
    by_mapping = rt.retraining_curve(Y_TEST, {c: p >= 0.5 for c, p in soft.items()})
    by_soft = arm.soft_retraining_curve(Y_TEST, soft)
    for curve in (by_matrix, by_soft):
        np.testing.assert_array_equal(curve.at(CUTOFFS), by_mapping.at(CUTOFFS))
    costly = arm.soft_retraining_curve(Y_TEST, soft, false_negative_cost=4.0)
    fixed = arm.soft_retraining_curve(Y_TEST, soft, threshold=0.2, false_negative_cost=4.0)
    np.testing.assert_array_equal(costly.at(CUTOFFS), fixed.at(CUTOFFS))
    plain = arm.soft_retraining_curve(Y_TEST, soft, threshold=0.5, false_negative_cost=4.0)
    assert np.mean(costly.at(CUTOFFS)) < np.mean(plain.at(CUTOFFS))


def test_parts_weights_and_restriction_of_a_retraining_curve():
    rng = np.random.default_rng(1)
    w = rng.integers(0, 3, 300).astype(float)
    labels = {c: c <= LINE for c in CUTOFFS}
    costs = {"false_positive_cost": 2.0, "false_negative_cost": 0.5, "sample_weight": w}
    curve = rt.retraining_curve(Y_TEST, labels, **costs)
    reframed = rt.cutoff_error_curve(Y_TEST, LINE, **costs)
    np.testing.assert_allclose(curve.at(CUTOFFS), reframed.at(CUTOFFS), atol=1e-12)
    part = curve.restrict(CUTOFFS[1] - 0.01, CUTOFFS[4] + 0.01)
    assert part.known.tolist() == CUTOFFS[1:5].tolist()
    frame = part.frame("polars")
    assert frame.columns == ["cutoff", "value", "false_positives", "false_negatives"]
    total = 2.0 * frame["false_positives"] + 0.5 * frame["false_negatives"]
    np.testing.assert_allclose(total, frame["value"])
    np.testing.assert_allclose(
        frame["false_positives"], reframed.false_positives.at(CUTOFFS[1:5]), atol=1e-12
    )
    inner = reframed.restrict(-1.0, 1.0)
    assert inner.false_positives.domain == (-1.0, 1.0)
    pieces = inner.frame("pandas")
    total = 2.0 * pieces["false_positives"] + 0.5 * pieces["false_negatives"]
    np.testing.assert_allclose(total, pieces["value_to"])


def test_interpolation_is_nearest_on_request():
    labels = {c: c <= LINE for c in CUTOFFS}
    curve = rt.retraining_curve(Y_TEST, labels, interpolate="nearest")
    between = CUTOFFS[3] + 0.3 * (CUTOFFS[4] - CUTOFFS[3])
    assert curve.at(between) == curve.at(CUTOFFS[3])
    assert not curve.exact
    with pytest.raises(rt.InputError, match="'interpolate' must be 'nearest' or None"):
        rt.retraining_curve(Y_TEST, labels, interpolate="linear")


@pytest.mark.parametrize("method", ["rate", "isotonic"])
def test_one_classifier_at_the_median_decides_at_every_cutoff(method):
    model = LogisticRegression().fit(X[TRAIN], Y[TRAIN] >= np.median(Y[TRAIN]))
    train, test = (model.predict_proba(X[part])[:, 1] for part in (TRAIN, TEST))
    mapped = arm.score_to_cutoff(Y[TRAIN], train, method=method)
    predictions = mapped.predict(test)
    skill = arm.cutoff_skill(Y_TEST, predictions, y_train=Y[TRAIN])
    assert skill > 0.4  # far better than the median alone
    order = np.argsort(test)
    assert np.all(np.diff(predictions[order]) >= 0)
    if method == "rate":  # as many positives as there are, at every cutoff
        fitted = mapped.predict(train)
        for c in CUTOFFS:
            assert np.mean(fitted >= c) == pytest.approx(np.mean(Y[TRAIN] >= c), abs=0.01)


def test_score_maps_with_ties_and_weights():
    w = np.array([1.0, 2.0, 1.0, 3.0])
    y, score = np.array([1.0, 5.0, 3.0, 7.0]), np.array([0.1, 0.5, 0.5, 0.9])
    for method in ("rate", "isotonic"):
        weighted = arm.score_to_cutoff(y, score, method=method, sample_weight=w)
        counts = w.astype(int)
        repeated = arm.score_to_cutoff(
            np.repeat(y, counts), np.repeat(score, counts), method=method
        )
        np.testing.assert_array_equal(weighted.scores, repeated.scores)
        np.testing.assert_allclose(weighted.cutoffs, repeated.cutoffs)
    with pytest.raises(rt.InputError, match="'method' must be 'rate' or 'isotonic', but is 'best'"):
        arm.score_to_cutoff(y, score, method="best")


def test_the_best_prediction_to_cut_is_a_quantile():
    """With costs (1, 3) the ¾ quantile has the lowest expected cost, as the docstring says."""
    forest = RandomForestRegressor(150, min_samples_leaf=5, random_state=0).fit(X[TRAIN], Y[TRAIN])
    trees = np.array([tree.predict(X[TEST]) for tree in forest.estimators_])
    spread = np.std(Y[TRAIN] - forest.predict(X[TRAIN]))
    middle = trees.mean(axis=0)
    errors = [
        rt.expected_cutoff_error(
            Y_TEST,
            middle + shift * spread,
            distribution=rt.Output(),
            false_negative_cost=3.0,
        )
        for shift in (0.0, 0.6745)
    ]
    assert errors[1] < errors[0]


def test_skill_of_the_median_itself_is_zero_and_of_the_truth_one():
    train = Y[TRAIN]
    median = np.full(300, np.median(train))
    assert arm.cutoff_skill(Y_TEST, median, y_train=train) == 0.0
    assert arm.cutoff_skill(Y_TEST, Y_TEST, y_train=train) == 1.0
    assert arm.cutoff_skill(Y_TEST, LINE, y_train=train) > 0.3
    for call in (arm.cutoff_skill, lambda *a, **k: rt.estimate(arm.cutoff_skill, *a, **k)):
        with pytest.raises(rt.InputError, match="skill is not defined here"):
            call([1.0, 1.0], [1.0, 2.0], y_train=[1.0])


@pytest.mark.parametrize(
    ("known", "kind", "measure"),
    [
        ({"cutoff": 1.0}, None, "cutoff_error"),
        ({"distribution": "uniform"}, 1, "uniform_cutoff_area"),
        ({"low": -1.0, "high": 1.0}, 2, "clipped_mean_absolute_error"),
        ({"distribution": "uniform", "low": -1.0, "high": 1.0}, 2, "clipped_mean_absolute_error"),
        ({}, 3, "output_cutoff_area"),
        ({"distribution": "output"}, 3, "output_cutoff_area"),
        ({"distribution": rt.Output(0.0)}, 4, "output_cutoff_area"),
        ({"distribution": "output", "low": -1.0}, 4, "output_cutoff_area"),
        ({"distribution": rt.Uniform(-1.0, 1.0)}, 2, "clipped_mean_absolute_error"),
        ({"distribution": rt.Normal(0, 1)}, 5, "expected_cutoff_error"),
        ({"distribution": rt.Normal(0, 1), "low": 0.0, "high": 1.0}, 6, "expected_cutoff_error"),
    ],
)
def test_six_problem_types(known, kind, measure):
    problem = rt.cutoff_problem(**known)
    assert (problem.type, problem.measure.__name__) == (kind, measure)
    estimate = problem.evaluate(Y_TEST, LINE, false_positive_cost=2.0)
    direct = problem.measure(Y_TEST, LINE, false_positive_cost=2.0, **problem.arguments)
    assert estimate.value == direct
    assert problem.reason in str(problem)
    assert f"{measure}(" in str(problem)


def test_type_6_is_the_mean_over_the_part():
    problem = rt.cutoff_problem(distribution=rt.Normal(0, 1), low=0.0, high=1.0)
    grid = rt.Normal(0, 1)
    cutoffs = np.linspace(0, 1, 20001)
    density = np.diff(grid.cdf(cutoffs))
    curve = rt.cutoff_error_curve(Y_TEST, LINE)
    want = np.average(curve.at(0.5 * (cutoffs[1:] + cutoffs[:-1])), weights=density)
    assert problem.evaluate(Y_TEST, LINE).value == pytest.approx(want, abs=1e-4)


def test_problem_refusals():
    with pytest.raises(rt.InputError, match="'cutoff' cannot be combined with"):
        rt.cutoff_problem(cutoff=1.0, low=0.0)
    with pytest.raises(rt.InputError, match="Pass both 'low' and 'high'"):
        rt.cutoff_problem(low=0.0)
    with pytest.raises(rt.InputError, match="'uniform', 'output' or a distribution"):
        rt.cutoff_problem(distribution="normal")
    with pytest.raises(rt.InputError, match="'low' must not be above 'high'"):
        rt.cutoff_problem(low=2.0, high=1.0)
    with pytest.raises(rt.InputError, match=r"as in distribution=Output\(low, high\)"):
        rt.cutoff_problem(distribution=rt.Output(), low=2.0)
    with pytest.raises(rt.InputError, match="'cutoff' must be a finite number"):
        rt.cutoff_problem(cutoff=np.inf)
    for nonsense in (3, rt.Output, np.array([1.0, 2.0])):
        with pytest.raises(rt.InputError, match="'distribution' must be a distribution"):
            rt.cutoff_problem(distribution=nonsense)


def test_map_over_cost_proportions_and_who_dominates():
    models = {"line": LINE, "shifted": LINE + 0.8}
    maps = {name: arm.cutoff_cost_map(Y_TEST, p) for name, p in models.items()}
    line = maps["line"]
    for proportion in (0.05, 0.5, 0.9):
        costs = {"false_positive_cost": 2 - 2 * proportion, "false_negative_cost": 2 * proportion}
        for cutoff in CUTOFFS:
            value = rt.cutoff_error(Y_TEST, LINE, cutoff=cutoff, **costs)
            assert line.at(cutoff, proportion) == pytest.approx(value, abs=1e-12)
    best = map_envelopes(maps)
    cheap, dear = best[0], best[-1]  # false negatives cheap, then dear: a shift upwards pays
    distribution = rt.Output().distribution(Y_TEST, None)
    assert cheap.expect(distribution) == pytest.approx(
        line.curves[0].expect(distribution), rel=0.02
    )
    assert dear.expect(distribution) == pytest.approx(
        maps["shifted"].curves[-1].expect(distribution), rel=0.02
    )
    with pytest.raises(rt.InputError, match="'proportions' must be between 0 and 1"):
        arm.cutoff_cost_map(Y_TEST, LINE, proportions=[0.5, 1.5])


@pytest.mark.parametrize("judged_at", ["cutoff", "ends"])
def test_do_nothing_band_against_the_definition(judged_at):
    rng = np.random.default_rng(1)
    y, p = np.round(2 * Y_TEST[:60]) / 2, np.round(2 * LINE[:60]) / 2
    w = rng.integers(0, 3, 60).astype(float)
    options = {"do_nothing_cost": 0.3, "false_positive_cost": 2.0, "sample_weight": w}
    curve = arm.do_nothing_curve(y, p, below=0.5, above=1.0, judged_at=judged_at, **options)
    found = arm.do_nothing_map(y, p, widths=[0.0, 1.0, 2.0], judged_at=judged_at, **options)
    cutoffs = np.arange(-20, 20) / 4
    for c in cutoffs:
        judge = {"cutoff": c} if judged_at == "cutoff" else {}
        slow = naive.do_nothing_error(y, p, low=c - 0.5, high=c + 1.0, **judge, **options)
        assert curve.at(c) == pytest.approx(slow, abs=1e-12)
        slow = naive.do_nothing_error(y, p, low=c - 1.0, high=c + 1.0, **judge, **options)
        assert found.at(c, 2.0) == pytest.approx(slow, abs=1e-12)
    none = arm.do_nothing_curve(y, p, below=0, above=0, judged_at=judged_at, **options)
    plain = rt.cutoff_error_curve(y, p, false_positive_cost=2.0, sample_weight=w)
    np.testing.assert_allclose(none.at(cutoffs), plain.at(cutoffs), atol=1e-12)


def test_doing_nothing_pays_when_it_is_cheap():
    distribution = rt.Output().distribution(Y_TEST, None)
    cheap, dear = (
        arm.do_nothing_map(Y_TEST, LINE, widths=[0.0, 1.0, 2.0], do_nothing_cost=cost).expect(
            distribution
        )
        for cost in (0.05, 0.9)
    )
    assert np.all(np.diff(cheap) < 0)
    assert np.all(np.diff(dear) > 0)


def test_row_cutoffs_that_follow_the_cases():
    cutoffs = Y_TEST + np.random.default_rng(1).normal(0, 0.5, 300)
    found = arm.row_cutoff_error(Y_TEST, LINE, cutoffs=cutoffs)
    assert found.realised.value > 2 * found.independent.value
    low, _ = found.difference.confidence_interval()
    assert low > 0
    assert "So cutoffs depend on the cases" in str(found)


def test_row_cutoffs_of_few_cases_get_no_verdict():
    few = arm.row_cutoff_error([1.0, 2.0], [5.0, -5.0], cutoffs=[3.0, 1.0])
    assert "too few cases or errors to tell" in str(few)
    assert "too few" in str(arm.row_cutoff_error([1.0], [5.0], cutoffs=[3.0]))
    y = np.arange(200.0)
    assert "too few" in str(arm.row_cutoff_error(y, y, cutoffs=y))


def test_independent_row_cutoffs_are_called_dependent_as_rarely_as_promised():
    generator = np.random.default_rng(2)
    called = 0
    for _ in range(400):
        cutoffs = generator.permutation(Y_TEST)
        found = arm.row_cutoff_error(Y_TEST, LINE, cutoffs=cutoffs)
        called += "So cutoffs depend on the cases" in str(found)
    assert 0.02 <= called / 400 <= 0.09


def test_tables_in_the_users_kind_and_with_infinite_models():
    trivial = arm.trivial_predictions(Y_TEST, y_train=Y[TRAIN])
    frame = arm.cutoff_table(pl.Series(Y_TEST), {"line": LINE, "never": trivial["minimum"]})
    assert isinstance(frame, pl.DataFrame)
    never = frame.row(1, named=True)
    assert never["mean_absolute_error"] == np.inf
    assert np.isfinite(never["uniform_area"])
    weighted = arm.cutoff_table(
        Y_TEST, {"line": LINE}, sample_weight=np.ones(300), backend="pandas"
    )
    assert "kendall" not in weighted.columns
    with pytest.raises(
        rt.InputError, match=r"The curve of 'other' shows the .*, but the table shows the"
    ):
        arm.cutoff_table(
            Y_TEST, {"other": rt.cutoff_error_curve(Y_TEST, LINE, false_positive_cost=2)}
        )
    with pytest.raises(
        rt.InputError, match="'other' and the table have different true values or weights"
    ):
        arm.cutoff_table(Y_TEST, {"other": rt.cutoff_error_curve(Y[TRAIN], LINE)})


def test_table_regions_are_those_asked_for():
    y, p = [3.0, 5.0, 8.0, 9.0], [2.0, 6.0, 9.0, 7.0]
    models = {"line": p, "always": [np.inf] * 4, "as a curve": rt.cutoff_error_curve(y, p)}
    frame = arm.cutoff_table(y, models, low=0, high=100, backend="pandas").set_index("model")
    for name, given in (("line", p), ("always", [np.inf] * 4)):
        area = rt.clipped_mean_absolute_error(y, given, low=0, high=100)
        assert frame.loc[name, "uniform_area"] == pytest.approx(area)
    assert frame.loc["as a curve", "approach"] == "reframing"
    assert arm.cutoff_table([3.0], {"m": [3.0]}, backend="pandas")["uniform_area"][0] == 0.0


def test_skill_against_the_best_constant_for_the_costs():
    y = np.random.default_rng(0).normal(size=4000)
    constant = np.full(4000, np.quantile(y, 0.9))
    skill = arm.cutoff_skill(y, constant, y_train=y, false_negative_cost=9.0)
    assert skill == pytest.approx(0.0, abs=1e-12)
    median = np.full(4000, np.median(y))
    assert arm.cutoff_skill(y, median, y_train=y, false_negative_cost=9.0) < -0.5


def test_where_doing_nothing_pays():
    plain = rt.cutoff_error_curve(Y_TEST, LINE)
    band = arm.do_nothing_curve(Y_TEST, LINE, below=1, above=1, do_nothing_cost=0.2)
    best = rt.envelope({"decide": plain, "wait when close": band})
    assert best.expect(rt.Output()) < min(plain.expect(rt.Output()), band.expect(rt.Output()))
