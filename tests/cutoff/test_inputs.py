"""Every kind of column in, the same numbers out; refusals are sentences."""

import array_api_strict
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import torch
from scipy import stats

import roctopus as rt
from roctopus import cutoff as arm

Y = [3.0, 5.0, 8.0, 9.0]
P = [2.0, 6.0, 9.0, 7.0]

KINDS = {
    "list": list,
    "float32": lambda v: np.array(v, dtype=np.float32),
    "pandas": pd.Series,
    "polars": lambda v: pl.Series("score", v),
    "pyarrow": lambda v: pa.chunked_array([v]),
    "torch": torch.tensor,
    "strict": array_api_strict.asarray,
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("weighted", [False, True])
def test_the_same_numbers_from_every_kind(kind, weighted):
    make = KINDS[kind]
    y, p = make(Y), make(P)
    plain = [1.0, 2.0, 0.0, 1.0] if weighted else None
    weight = make(plain) if weighted else None
    for metric, context in (
        (rt.cutoff_error, {"cutoff": 6}),
        (rt.uniform_cutoff_area, {"false_positive_cost": 2}),
        (rt.clipped_mean_absolute_error, {"low": 4, "high": 8}),
        (rt.output_cutoff_area, {}),
        (rt.expected_cutoff_error, {"distribution": rt.Uniform(3, 8)}),
        (arm.cutoff_skill, {"y_train": make(Y)}),
        (arm.do_nothing_error, {"low": 5, "high": 8, "do_nothing_cost": 0.1}),
    ):
        ours = rt.estimate(metric, y, p, sample_weight=weight, **context)
        theirs = rt.estimate(metric, Y, P, sample_weight=plain, **context)
        assert ours.value == pytest.approx(theirs.value, rel=1e-14)
        np.testing.assert_allclose(ours.influence, theirs.influence, rtol=1e-13, atol=1e-15)
    curve = rt.cutoff_error_curve(y, p, sample_weight=weight)
    assert curve.at(6) == rt.cutoff_error_curve(Y, P, sample_weight=plain).at(6)
    found = arm.row_cutoff_error(y, p, cutoffs=make(Y), sample_weight=weight)
    assert found.realised.value > 0
    assert arm.score_to_cutoff(y, p).predict(make([2.0]))[0] == 3.0


@pytest.mark.parametrize(
    ("kind", "frame"),
    [("pandas", pd.DataFrame), ("polars", pl.DataFrame), ("pyarrow", pa.Table)],
)
def test_frames_come_back_in_the_users_kind(kind, frame):
    y, p = KINDS[kind](Y), KINDS[kind](P)
    curve = rt.cutoff_error_curve(y, p)
    labels = {4.0: [0, 1, 1, 1], 8.5: [0, 0, 1, 1]}
    retrained = rt.retraining_curve(y, labels)
    answers = [
        curve.frame(),
        curve.over_true_rank().frame(),
        rt.envelope({"a": curve, "b": retrained}).frame(),
        arm.cutoff_cost_map(y, p).frame(),
        arm.cutoff_table(y, {"a": p}),
    ]
    assert all(isinstance(answer, frame) for answer in answers)


def test_one_case_and_constant_predictions():
    for value in (3.0, 2.0, np.inf):
        curve = rt.cutoff_error_curve([3.0], [value])
        assert curve.at(3.0) == float(value < 3.0)
    assert rt.output_cutoff_area([3.0], [2.0]) == 1.0
    perfect = rt.cutoff_error_curve(Y, Y)
    assert perfect.area() == 0.0
    assert perfect.at([1.0, 5.0]).tolist() == [0.0, 0.0]
    assert rt.envelope({"a": perfect, "b": rt.cutoff_error_curve(Y, P)}).never_best == ("b",)


def test_infinite_predictions_have_exact_curves():
    curve = rt.cutoff_error_curve(Y, [np.inf, -np.inf, 8.0, 9.0])
    assert curve.at([0.0, 3.0, 4.0, 5.0, 6.0, 1e9]).tolist() == [0.25, 0.25, 0.5, 0.5, 0.25, 0.25]
    with pytest.raises(
        rt.InputError,
        match=r"The area from .* is infinite. Set 'low' and 'high' to finite numbers.",
    ):
        curve.area()
    assert curve.area(0, 10) == pytest.approx((7 + 5) / 4)
    assert rt.uniform_cutoff_area(Y, [np.inf] * 4) == np.inf
    with pytest.raises(
        rt.InputError, match="the area is infinite and its uncertainty is not defined"
    ):
        rt.estimate(rt.uniform_cutoff_area, Y, [np.inf] * 4)
    with pytest.raises(rt.InputError, match="The model 'm' has infinite predictions"):
        arm.cutoff_range(Y, {"m": [np.inf] * 4})
    with pytest.raises(rt.InputError, match="'y_true' has infinite values"):
        rt.cutoff_error_curve([np.inf, 1.0], [1.0, 1.0])
    with pytest.raises(rt.InputError, match="'y_pred' has missing values"):
        rt.cutoff_error_curve([2.0, 1.0], [np.nan, np.inf])


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda: rt.cutoff_error(Y, P, cutoff=np.inf),
            "'cutoff' must be a finite number, but is inf",
        ),
        (
            lambda: rt.cutoff_error(Y, P, cutoff="6"),
            "'cutoff' must be a number, but is the text '6'",
        ),
        (lambda: rt.cutoff_error_curve(Y, P).at(np.nan), "'cutoff' must be a number, but is NaN."),
        (
            lambda: rt.cutoff_error_curve(Y, P, false_positive_cost=-1),
            "'false_positive_cost' must be zero or more, but is -1.",
        ),
        (
            lambda: rt.cutoff_error(Y, P, cutoff=6, false_positive_cost=0, false_negative_cost=0),
            "'false_positive_cost' and 'false_negative_cost' are both zero",
        ),
        (
            lambda: rt.clipped_mean_absolute_error(Y, P, low=5, high=4),
            "must go from a lower to a higher number, but the ends are 5.0 and 4.0.",
        ),
        (
            lambda: rt.clipped_mean_absolute_error(Y, P, low=-np.inf, high=4),
            "'low' must be a finite number",
        ),
        (lambda: rt.output_cutoff_area(Y, P, low=5, high=4), "'low' must not be above 'high'"),
        (lambda: rt.Output(low=5, high=4), "'low' must not be above 'high'"),
        (
            lambda: rt.output_cutoff_area(Y, P, low=100),
            "No value of 'y_true' lies between 100 and inf, the range of cutoffs. "
            "Use a range that overlaps with the true values (3 to 9).",
        ),
        (
            lambda: rt.output_cutoff_area([1.0], [2.0], exclude_self=True),
            "exclude_self=True compares each case with the other cases",
        ),
        (
            lambda: rt.output_cutoff_area(Y, P, exclude_self=True, sample_weight=[1, 1, 0.5, 1]),
            "'sample_weight' must contain whole numbers",
        ),
        (lambda: rt.Uniform(-1.5e308, 1.5e308), "'high - low' must be a finite number"),
        (lambda: rt.Truncated(rt.Uniform(0, 1), None, 1), "'low' must be a number, but is None"),
        (
            lambda: rt.expected_cutoff_error(Y, P, distribution=stats.norm),
            "'distribution' must be a single distribution, but stats.norm is a family",
        ),
        (
            lambda: rt.expected_cutoff_error(Y, P, distribution=stats.zipf(2.0)),
            "has more than 2,000,000 possible values",
        ),
        (
            lambda: (
                arm.do_nothing_map(Y, P, widths=[1.0], do_nothing_cost=0.1)
                .curves[0]
                .plain()
                .expect("beta")
            ),
            "'distribution' must be a distribution (Uniform",
        ),
        (
            lambda: rt.asymmetry_cost_curve(Y, P).expect(rt.Output()),
            "stands for the true values of a sample, but there is no sample. Use Empirical",
        ),
        (lambda: arm.cutoff_region((5, 1), 0, 1), "The reference range must go from a lower to"),
        (lambda: arm.cutoff_region((1, 5), 0.5, 1.2), "'high_share' must be between 0 and 1"),
        (lambda: arm.cutoff_region((1, 5), 0.5, 0.2), "The shares of the range must go from"),
        (
            lambda: arm.do_nothing_error(Y, P, low=8, high=5, do_nothing_cost=0.1),
            "'low' (8) must not be above 'high' (5).",
        ),
        (
            lambda: arm.do_nothing_error(Y, P, low=5, high=8, do_nothing_cost=-0.1),
            "'do_nothing_cost' must be zero or more",
        ),
        (
            lambda: arm.do_nothing_error(Y, P, low=5, high=8, cutoff=9, do_nothing_cost=0.1),
            "'cutoff' must lie between 'low' (5) and 'high' (8), but is 9.",
        ),
        (
            lambda: arm.do_nothing_curve(
                Y, P, below=1, above=0, do_nothing_cost=0.1, judged_at="end"
            ),
            "'judged_at' must be 'cutoff' or 'ends', but is 'end'.",
        ),
        (
            lambda: arm.do_nothing_curve(Y, P, below=-1, above=0, do_nothing_cost=0.1),
            "'below' must be zero or more",
        ),
        (
            lambda: arm.row_cutoff_error(Y, P, cutoffs=[1.0, 2.0]),
            "All arrays must have the same length, but 'y_true' has 4 values and 'cutoffs' has 2",
        ),
        (
            lambda: arm.row_cutoff_error(Y, P, cutoffs=[1.0, 2.0, np.inf, 3.0]),
            "'cutoffs' has infinite values in row 2 (counted from 0).",
        ),
        (
            lambda: arm.row_cutoff_error(
                pd.Series(Y), pd.Series(P), cutoffs=pd.Series(Y, index=[3, 2, 1, 0])
            ),
            "'y_true' and 'cutoffs' have the same index labels in different orders",
        ),
        (
            lambda: arm.trivial_predictions(Y, y_train=[]),
            "'y_train' must contain at least one case, but is empty",
        ),
        (lambda: arm.cutoff_range(Y, P), "'predictions' must be a mapping of model names"),
        (
            lambda: rt.expected_cutoff_error(Y, P, distribution="beta"),
            "'distribution' must be a distribution (Uniform",
        ),
    ],
)
def test_refusals(call, sentence):
    with pytest.raises(rt.InputError) as caught:
        call()
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("labels", "options", "sentence"),
    [
        (
            {4.0: [0, 1, 1]},
            {},
            "but 'y_true' has 4 values and 'labels at cutoff 4' has 3 values.",
        ),
        ({}, {}, "'labels' is empty. Add at least one cutoff."),
        ({np.inf: [0, 1, 1, 1]}, {}, "'cutoff' must be a finite number, but is inf."),
        (
            {4.0: [0, 1, 2, 1]},
            {},
            "'labels at cutoff 4' must be 0 or 1 (1 for values of at least the cutoff), but is 2",
        ),
        (
            {4.0: [0, 0.3, 1, 1]},
            {},
            "is 0.3 in row 1 (counted from 0). For probabilities, use soft_",
        ),
        ({4.0: [0, 1, np.nan, 1]}, {}, "'labels at cutoff 4' has missing values (NaN) in row 2"),
        ({4.0: [0, 1, 1, 1]}, {"cutoffs": [4.0]}, "the keys of 'labels' are the cutoffs"),
        (np.zeros((4, 2)), {}, "'labels' is a matrix, so the cutoff of each column is needed."),
        (
            np.zeros((4, 2)),
            {"cutoffs": [4.0]},
            "'labels' has 2 columns, but 'cutoffs' has 1 value. Use one cutoff per column.",
        ),
        (
            np.zeros((4, 2)),
            {"cutoffs": [4.0, 4.0]},
            "Several columns of 'labels' have the same cutoff (4).",
        ),
        ({4: [0, 1, 1, 1], "4.0": [0, 1, 1, 1]}, {}, "'cutoff' must be a number, but is the text"),
        ([0, 1, 1, 1], {"cutoffs": [4.0]}, "'labels' must be a mapping of cutoffs to labels, or"),
    ],
)
def test_labels_refused(labels, options, sentence):
    with pytest.raises(rt.InputError) as caught:
        rt.retraining_curve(Y, labels, **options)
    assert sentence in str(caught.value)


def test_shuffled_rows_are_refused_on_every_path():
    y = pd.Series(Y)
    column = pd.Series([0, 1, 1, 1], index=[3, 2, 1, 0])
    for call in (
        lambda: rt.retraining_curve(y, {4.0: column}),
        lambda: rt.retraining_curve(y, pd.DataFrame({"a": column}), cutoffs=[4.0]),
        lambda: arm.soft_retraining_curve(y, {4.0: column}),
    ):
        with pytest.raises(rt.InputError, match="have the same index labels in different orders"):
            call()


def test_neighbouring_cutoffs_keep_their_values():
    below = np.nextafter(1.0, 0.0)
    curve = rt.retraining_curve([0.0, 2.0], {below: [0, 1], 1.0: [1, 1]})
    assert curve.at([below, 1.0]).tolist() == [0.0, 0.5]
    far = rt.retraining_curve([0.0, 2.0], {-1.5e308: [0, 1], 1.5e308: [1, 1]})
    assert far.at([-1.5e308, 1.5e308]).tolist() == [0.5, 1.0]
    assert rt.output_cutoff_area(Y, P, low=5, high=5) == rt.cutoff_error(Y, P, cutoff=5)


def test_probabilities_refused():
    with pytest.raises(rt.InputError, match="'probabilities at cutoff 4' must be between 0 and 1"):
        arm.soft_retraining_curve(Y, {4.0: [0.0, 1.2, 0.4, 0.3]})
    with pytest.raises(rt.InputError, match="'threshold' must be between 0 and 1"):
        arm.soft_retraining_curve(Y, {4.0: [0.0, 1.0, 0.4, 0.3]}, threshold=2)


@pytest.mark.parametrize(
    "distribution", [rt.Uniform(100, 200), rt.Empirical([100.0, -3.0]), rt.Beta(2, 2, -9, -1)]
)
def test_a_distribution_beside_the_data_warns(distribution):
    with pytest.warns(
        rt.RoctopusWarning, match="No cutoff of the distribution lies between 2 and 9"
    ) as caught:
        assert rt.expected_cutoff_error(Y, P, distribution=distribution) == 0.0
    assert caught[0].filename == __file__
    assert len(caught) == 1
    with pytest.warns(
        rt.RoctopusWarning, match="No cutoff of the distribution lies between 2 and 9"
    ):
        assert rt.cutoff_error_curve(Y, P).expect(distribution) == 0.0


def test_a_distribution_on_a_point_of_the_data_is_fine():
    assert rt.expected_cutoff_error(Y, P, distribution=rt.PointMass(6.0)) == 0.25
