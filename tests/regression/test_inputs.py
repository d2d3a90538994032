"""Every kind of column in, the same numbers and the same kind out; clear refusals."""

import array_api_strict
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import torch

import roctopus as rt
from roctopus import regression as arm

Y = [3.0, 5.0, 8.0, 9.0]
P = [2.0, 5.0, 9.0, 7.0]

KINDS = {
    "list": list,
    "tuple": tuple,
    "ints": lambda v: [int(x) for x in v],
    "numpy": np.array,
    "float32": lambda v: np.array(v, dtype=np.float32),
    "pandas": pd.Series,
    "pandas nullable": lambda v: pd.Series(v, dtype="Float64"),
    "pandas arrow": lambda v: pd.Series(v, dtype="float64[pyarrow]"),
    "polars": lambda v: pl.Series("score", v),
    "pyarrow": lambda v: pa.chunked_array([v]),
    "pyarrow array": pa.array,
    "torch": torch.tensor,
    "torch grad": lambda v: torch.tensor(v, requires_grad=True),
    "torch float32": lambda v: torch.tensor(v, dtype=torch.float32),
    "strict": array_api_strict.asarray,
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("weighted", [False, True])
def test_the_same_numbers_from_every_kind(kind, weighted):
    make = KINDS[kind]
    y, p = make(Y), make(P)
    weight = make([1.0, 2.0, 0.0, 1.0]) if weighted else None
    plain = [1.0, 2.0, 0.0, 1.0] if weighted else None
    for metric, context in (
        (rt.asymmetric_absolute_error, {"asymmetry": 0.8}),
        (rt.optimal_shift_error, {"asymmetry": 0.8}),
        (rt.rroc_area_over_curve, {}),
        (rt.asymmetry_cost_area, {}),
        (arm.removable_error, {}),
        (rt.distance_to_heaven, {"shift": 0.5}),
    ):
        value = metric(y, p, sample_weight=weight, **context)
        assert type(value) is float
        assert value == pytest.approx(metric(Y, P, sample_weight=plain, **context), rel=1e-14)
        ours = rt.estimate(metric, y, p, sample_weight=weight, **context)
        theirs = rt.estimate(metric, Y, P, sample_weight=plain, **context)
        np.testing.assert_allclose(ours.influence, theirs.influence, rtol=1e-13, atol=1e-15)
    curve = rt.rroc_curve(y, p, sample_weight=weight)
    np.testing.assert_allclose(
        np.asarray(curve.over), rt.rroc_curve(Y, P, sample_weight=plain).over, rtol=1e-14
    )
    assert rt.rroc_hull({"a": curve}).isometric(0.8).loss > 0


@pytest.mark.parametrize(
    ("kind", "library"), [("torch", torch.Tensor), ("strict", type(array_api_strict.ones(1)))]
)
def test_array_libraries_stay_themselves(kind, library):
    curve = rt.rroc_curve(KINDS[kind](Y), KINDS[kind](P), normalize=True)
    for column in (curve.over, curve.under, curve.shift, curve.mass):
        assert isinstance(column, library)


@pytest.mark.parametrize(
    ("kind", "frame"),
    [("pandas", pd.DataFrame), ("polars", pl.DataFrame), ("pyarrow", pa.Table)],
)
def test_frames_come_back_in_the_users_kind(kind, frame):
    y, p = KINDS[kind](Y), KINDS[kind](P)
    curve = rt.rroc_curve(y, p)
    cost = rt.asymmetry_cost_curve(y, p)
    unshifted = rt.asymmetry_cost_curve(y, p, shift=0.0)
    answers = [
        curve.frame(),
        cost.frame(),
        unshifted.frame(),
        rt.rroc_hull({"a": curve}).frame(),
        rt.envelope({"a": cost, "b": unshifted}).frame(),
    ]
    assert all(isinstance(answer, frame) for answer in answers)
    assert isinstance(curve.frame("polars"), pl.DataFrame)


def test_unknown_frame_backend():
    with pytest.raises(
        rt.InputError, match="must be 'pandas', 'polars' or 'pyarrow', but is 'excel'"
    ):
        rt.rroc_curve(Y, P).frame("excel")


@pytest.mark.parametrize(
    ("y_true", "sentence"),
    [
        (np.array([1.0, "a", 2.0, 3.0], dtype=object), "real numbers, but has the dtype object"),
        (np.arange(4).astype("datetime64[s]"), "real numbers, but has the dtype datetime64"),
        (np.array(Y, dtype=complex), "real numbers, but has the dtype complex128"),
        ([[1.0], [2.0, 3.0]], "its rows have different lengths"),
        (3.0, "'y_true' must contain one number per case, but is a single float."),
        (np.zeros((4, 2)), "must be one-dimensional, but has the shape (4, 2)"),
        (np.ma.masked_array(Y, mask=[0, 1, 0, 0]), "masked array with 1 masked row."),
        (
            pd.DataFrame({"a": Y, "b": Y}),
            "must be a column, but is a table with the columns 'a', 'b'",
        ),
        (pd.Series(list("abcd"), name="grade"), "(column 'grade') must be numeric"),
        (pl.Series("grade", list("abcd")), "(column 'grade') must be numeric"),
        (
            pd.Series(pd.to_datetime(["2020-01-01"] * 4), name="day"),
            "(column 'day') must be numeric",
        ),
        (
            pd.Series([1.0, None, 3.0, None], dtype="Float64"),
            "missing values (NaN) in rows 1 and 3",
        ),
        (pl.Series("y", [1.0, None, 3.0, 4.0]), "missing values (NaN) in row 1"),
        (torch.tensor(Y), "'y_true' is of type Tensor and 'y_pred' is of type ndarray"),
        (torch.tensor(Y, dtype=torch.complex64), "must contain real numbers"),
        ([np.nan] * 4, "rows 0, 1, 2 and 3"),
        ("text", "must contain one number per case, but is a single str."),
        (None, "must contain one number per case, but is None."),
        (pd.Categorical([1, 2, 1, 2]), "must be numeric, but its type is categorical"),
    ],
)
def test_bad_columns_get_a_sentence(y_true, sentence):
    with pytest.raises(rt.InputError) as caught:
        rt.rroc_curve(y_true, P)
    assert sentence in str(caught.value)
    assert isinstance(caught.value, (ValueError, rt.RoctopusError))


def test_rows_in_another_order_are_refused():
    """Two pandas columns with the same labels in another order would be paired by mistake."""
    y, p = pd.Series(Y), pd.Series(P)
    sentence = "'y_true' and 'y_pred' have the same index labels in different orders"
    with pytest.raises(rt.InputError, match=sentence):
        rt.rroc_curve(y, p[::-1])
    with pytest.raises(rt.InputError, match="'y_true' and 'sample_weight' have the same index"):
        rt.rroc_curve(y, p, sample_weight=pd.Series(Y)[::-1])
    # Labels that have nothing in common are paired by position; those that have something are not.
    with pytest.raises(rt.InputError, match=r"share only 2 of 4 index labels.*\.to_numpy\(\)"):
        rt.rroc_curve(pd.Series(Y, index=[7, 3, 1, 9]), p)
    held_out = pd.Series(Y, index=[17, 13, 11, 19])
    assert rt.rroc_curve(held_out, p).area_over == rt.rroc_curve(Y, P).area_over


def test_many_bad_rows_are_counted():
    y = np.full(20, np.nan)
    with pytest.raises(rt.InputError, match="rows 0, 1, 2, 3, 4 and 15 more"):
        rt.rroc_curve(y, np.zeros(20))


@pytest.mark.parametrize(
    ("context", "sentence"),
    [
        ({"asymmetry": 1.2}, "'asymmetry' must be between 0 and 1, but is 1.2."),
        ({"asymmetry": -0.1}, "'asymmetry' must be between 0 and 1, but is -0.1."),
        ({"asymmetry": np.nan}, "'asymmetry' must be a finite number, but is nan."),
        ({"asymmetry": "0.5"}, "'asymmetry' must be a number, but is the text '0.5'."),
        ({"asymmetry": [0.5, 0.6]}, "'asymmetry' must be a number"),
        ({"under_cost": 0, "over_cost": 1}, "'under_cost' must be positive, but is 0."),
        ({"under_cost": 1, "over_cost": -2}, "'over_cost' must be positive, but is -2."),
        ({"under_cost": 10**400, "over_cost": 1}, "'under_cost' is too large for a floating"),
        (
            {"under_cost": 1e308, "over_cost": 1e308},
            "is too large for a floating-point number. Divide both",
        ),
        ({"under_cost": 1}, "Use both 'under_cost' and 'over_cost', or"),
        ({}, "The costs of errors are missing"),
        (
            {"asymmetry": 0.5, "under_cost": 1},
            "'asymmetry' cannot be combined with 'under_cost'. Use",
        ),
    ],
)
def test_bad_costs_get_a_sentence(context, sentence):
    curve = rt.rroc_curve(Y, P)
    for call in (
        lambda: rt.asymmetric_absolute_error(Y, P, **context),
        lambda: rt.optimal_shift_error(Y, P, **context),
        lambda: rt.optimal_shift(Y, P, **context),
        lambda: rt.rroc_point(Y, P).loss(**context),
        lambda: curve.isometric(**context),
        lambda: rt.rroc_hull({"a": curve}).isometric(**context),
    ):
        with pytest.raises(rt.InputError) as caught:
            call()
        assert sentence in str(caught.value)


def test_loss_and_costs_together_are_refused():
    with pytest.raises(rt.InputError, match="'loss' cannot be combined with 'asymmetry'"):
        rt.optimal_shift(Y, P, loss=rt.LinLin(0.5), asymmetry=0.5)


def test_bad_shift():
    for call in (lambda: rt.rroc_point(Y, P, shift=np.inf), lambda: rt.rroc_curve(Y, P).point("x")):
        with pytest.raises(rt.InputError, match="'shift' must be a"):
            call()


def test_costs_are_in_their_unit():
    alpha = rt.LinLin(under_cost=4, over_cost=1).asymmetry
    assert alpha == 0.8
    in_costs = rt.asymmetric_absolute_error(Y, P, under_cost=4, over_cost=1)
    assert in_costs == pytest.approx(2.5 * rt.asymmetric_absolute_error(Y, P, asymmetry=alpha))
    assert rt.optimal_shift(Y, P, under_cost=4, over_cost=1) == rt.optimal_shift(
        Y, P, asymmetry=alpha
    )
