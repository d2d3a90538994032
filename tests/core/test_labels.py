"""Two classes of any kind of column, and which of them is positive."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.svm import LinearSVC

import roctopus as rt
from roctopus import impact, probability
from roctopus.core.labels import read_labels
from roctopus.deploy import scorer
from roctopus.inference import bootstrap

WORDS = ["ill", "well", "ill", "well", "ill", "well"]
ONES = [1, 0, 1, 0, 1, 0]
TRUE = [each == 1 for each in ONES]
PROB = [0.9, 0.6, 0.55, 0.2, 0.7, 0.65]
TEXT = {
    "list": WORDS,
    "tuple": tuple(WORDS),
    "numpy text": np.array(WORDS),
    "numpy objects": np.array(WORDS, dtype=object),
    "pandas": pd.Series(WORDS),
    "pandas string": pd.Series(WORDS, dtype="string"),
    "pandas on Arrow": pd.Series(WORDS, dtype="string[pyarrow]"),
    "pandas category": pd.Series(WORDS, dtype="category"),
    "pandas ordered": pd.Categorical(WORDS, ["ill", "well", "unknown"], ordered=True),
    "polars": pl.Series(WORDS),
    "polars categorical": pl.Series(WORDS, dtype=pl.Categorical),
    "polars enum": pl.Series(WORDS, dtype=pl.Enum(["well", "ill"])),
    "arrow": pa.array(WORDS),
    "arrow chunks": pa.chunked_array([WORDS[:2], WORDS[2:]]),
    "arrow dictionary": pa.array(WORDS).dictionary_encode(),
}
NUMBERS = {
    "objects": np.array(ONES, dtype=object),
    "floats": np.array(ONES, dtype=np.float32),
    "pandas objects": pd.Series(ONES, dtype=object),
    "pandas category": pd.Series(ONES, dtype="category"),
    "pandas nullable": pd.Series(ONES, dtype="Int64"),
    "pandas on Arrow": pd.Series(ONES, dtype="int64[pyarrow]"),
    "arrow": pa.array(ONES),
    "arrow chunks": pa.chunked_array([ONES]),
}
BOOLEANS = {
    "list": TRUE,
    "numpy scalars": list(np.array(TRUE)),
    "numpy": np.array(TRUE),
    "objects": np.array(TRUE, dtype=object),
    "nullable": pd.Series(TRUE, dtype="boolean"),
    "polars": pl.Series(TRUE),
    "arrow": pa.array(TRUE),
}


@pytest.mark.parametrize("column", TEXT.values(), ids=TEXT)
def test_text_of_any_kind(column):
    found = read_labels(column, pos_label="ill")
    assert found.values.tolist() == ONES
    assert found.classes == ("well", "ill")
    assert read_labels(column, pos_label="well").classes == ("ill", "well")
    whole = rt.estimate("roc_auc", ONES, PROB)
    named = rt.estimate("roc_auc", column, PROB, pos_label="ill")
    assert (named.value, named.standard_error) == (whole.value, whole.standard_error)
    assert rt.roc_auc(column, PROB, pos_label="well") == pytest.approx(1.0 - whole.value)
    with pytest.raises(rt.InputError, match="add pos_label='ill'; if it is 'well', add pos_label="):
        rt.roc_auc(column, PROB)
    with pytest.raises(rt.InputError, match=r"'pos_label' is 'sick', .* classes are 'ill', 'well'"):
        rt.roc_auc(column, PROB, pos_label="sick")


@pytest.mark.parametrize("column", [*NUMBERS.values(), *BOOLEANS.values()])
def test_numbers_and_booleans_of_any_kind(column):
    found = read_labels(column)
    assert found.values.tolist() == ONES
    assert found.classes == (0, 1)
    assert rt.roc_auc(column, PROB) == rt.roc_auc(ONES, PROB)
    assert rt.roc_auc(column, PROB, pos_label=0) == pytest.approx(1.0 - rt.roc_auc(ONES, PROB))
    assert impact.net_benefit_utility(column).at(0.25).tolist() == [1.0, -0.25] * 3


@pytest.mark.parametrize("column", BOOLEANS.values(), ids=BOOLEANS)
def test_booleans_stay_booleans(column):
    assert all(isinstance(each, bool) for each in read_labels(column).classes)


@pytest.mark.parametrize(
    ("column", "sentence"),
    [
        (["ill", None, "well"], "'y_true' has missing values in row 1 (counted from 0)."),
        (pd.Series(["ill", "well", pd.NA], dtype="string"), "missing values in row 2"),
        (pd.Series([1, pd.NA, 0], dtype="Int64"), "'y_true' has missing values (NaN) in row 1"),
        (np.array(["a", np.nan, "b"], dtype=object), "missing values in row 1"),
        (
            ["a", "b", "c"],
            "but has at least three: 'a', 'b' and 'c' ('b' is in row 1 (counted from 0)).",
        ),
        (["a", "a", "a"], "'y_true' has only one class ('a'), but two classes are needed."),
        (
            [b"a", b"b", b"a"],
            "must be text, numbers or booleans, but b'a' is of type bytes",
        ),
        (np.array([["a"], ["b"]]), "'y_true' must be one-dimensional, but has the shape (2, 1)."),
        ([["a"], ["b"]], "'y_true' must"),
        (
            [{"a"}, {"b"}],
            "The classes in 'y_true' must be text, numbers or booleans, but one of them "
            "is of type set.",
        ),
        ([], "must contain at least one case, but is empty"),
    ],
)
def test_columns_that_are_not_two_classes(column, sentence):
    with pytest.raises(rt.InputError) as caught:
        read_labels(column, pos_label="a")
    assert sentence in str(caught.value)


def test_rows_of_weight_zero_are_absent():
    y = ["unknown", *WORDS]
    weight = [0.0, 1.0, 2.0, 1.0, 1.0, 1.0, 1.0]
    given = {"pos_label": "ill", "sample_weight": weight}
    assert rt.roc_auc(y, [0.1, *PROB], **given) == rt.roc_auc(ONES, PROB, sample_weight=weight[1:])


def test_rows_of_text_in_another_order():
    y, p = pd.Series(WORDS), pd.Series(PROB)
    with pytest.raises(rt.InputError, match="same index labels in different orders"):
        rt.roc_auc(y, p.sort_values(), pos_label="ill")


CURVES = {
    "cost_curve": probability.cost_curve,
    "brier_curve": probability.brier_curve,
    "smoothed_roc_curve": lambda y, p, **k: probability.smoothed_roc_curve(y, p, width=0.2, **k),
    "smoothed_area": probability.smoothed_area,
    "canonical_width": probability.canonical_width,
    "reliability_curve": probability.reliability_curve,
    "score_parts": probability.score_parts,
    "choose_threshold": lambda y, p, **k: probability.choose_threshold(
        y, p, false_positive_cost=1, false_negative_cost=2, rule="probability", **k
    ),
    "decision_curve": impact.decision_curve,
    "matrix_utility": lambda y, p, **k: impact.matrix_utility(
        y, fixed=impact.CostMatrix(false_positive=1, true_positive=-2), **k
    ),
    "h_measure": impact.h_measure,
    "compare_aucs": lambda y, p, **k: probability.compare_aucs(y, {"a": p}, **k).estimates[0],
}


@pytest.mark.parametrize("call", CURVES.values(), ids=CURVES)
def test_every_reader_of_two_classes_takes_the_positive_one(call):
    assert_same(call(WORDS, PROB, pos_label="ill"), call(ONES, PROB))
    assert_same(call(WORDS, PROB, pos_label="well"), call([1 - each for each in ONES], PROB))


def assert_same(one, other):
    parts = [vars(each) if hasattr(each, "__dict__") else {"value": each} for each in (one, other)]
    for name, value in parts[0].items():
        if name not in ("column", "_cache", "cases"):
            assert repr(value) == repr(parts[1][name])


@pytest.mark.parametrize(
    "metric", [each for arm in ("probability", "impact") for each in rt.registered_metrics(arm)]
)
def test_every_metric_of_two_classes_takes_the_positive_one(metric):
    given = {
        "threshold": 0.6, "utility": impact.net_benefit_utility, "theta": 0.3, "width": 0.2,
        "distribution": rt.Uniform(0.1, 0.9), "threshold_probability": 0.3, "specificity": 0.7,
        "sensitivity": 0.7, "false_positive_rate": (0.0, 0.5),
    }  # fmt: skip
    known = metric.function.__annotations__
    given = {name: value for name, value in given.items() if name in known}
    expected = rt.estimate(metric.function, ONES, PROB, **given)
    found = rt.estimate(metric.function, WORDS, PROB, pos_label="ill", **given)
    assert found.value == expected.value
    np.testing.assert_array_equal(found.influence, expected.influence)


def test_the_bootstrap_takes_the_positive_class():
    given = {"replicates": 20, "progress": False}
    y, p = ONES * 5, PROB * 5
    plain = bootstrap(rt.roc_auc, y, p, **given)
    named = bootstrap(rt.roc_auc, WORDS * 5, p, pos_label="ill", **given)
    assert named.standard_error == plain.standard_error
    objects = bootstrap(rt.roc_auc, pd.Series(y, dtype=object), p, **given)
    assert objects.standard_error == plain.standard_error


def test_scorers_take_the_column_of_the_positive_class():
    X, y = load_breast_cancer(return_X_y=True)
    words = np.array(["malignant", "benign"])[y]
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    ill = (y == 0).astype(int)
    for model in (LogisticRegression(), LinearSVC()):
        expected = cross_val_score(model, X, ill, scoring=scorer("roc_auc"), cv=3)
        named = scorer("roc_auc", pos_label="malignant")
        np.testing.assert_allclose(cross_val_score(model, X, words, scoring=named, cv=3), expected)
    score = scorer("brier_score", pos_label="malignant")
    assert np.all(cross_val_score(LogisticRegression(), X, words, scoring=score, cv=3) > -0.05)
    with pytest.raises(rt.InputError, match="add pos_label='benign'"):
        scorer("roc_auc")(LogisticRegression().fit(X, words), X, words)


@pytest.mark.parametrize(
    ("call", "advice"),
    [
        (lambda p: rt.roc_auc(ONES, p), "as in y_score[:, 1] (the columns are in the order"),
        (lambda p: rt.brier_score(ONES, p), "as in y_prob[:, 1]"),
        (lambda p: rt.compare(ONES, {"a": p}, arm="probability"), "as in predictions[:, 1]"),
        (lambda p: rt.roc_auc(ONES, np.c_[p, p]), "score_from_probabilities(y_score)"),
    ],
)
def test_tables_of_probabilities(call, advice):
    with pytest.raises(rt.InputError) as caught:
        call(np.c_[1.0 - np.array(PROB), PROB])
    assert advice in str(caught.value)
    assert "ravel" not in str(caught.value)
    with pytest.raises(rt.InputError, match=r"ravel\(\)"):
        rt.roc_auc(ONES, np.array(PROB)[:, None])
