"""Frames of any kind in and out, rows matched by id, missing predictions, and refusals."""

from typing import get_args

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset as ds
import pytest

import roctopus as rt
from roctopus.concepts.decision_parts import Verdict
from roctopus.impact import LinearUtility, value_minus_cutoff

RNG = np.random.default_rng(0)
N = 60
Y = RNG.normal(size=N)
MODELS = {"a": Y + RNG.normal(size=N), "b": Y + 0.9 * RNG.normal(size=N) + 0.3}


def frames(columns):
    return {
        "pandas": pd.DataFrame(columns),
        "polars": pl.DataFrame(columns),
        "pyarrow": pa.table(columns),
    }


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
def test_every_kind_of_frame_gives_the_same_numbers_and_its_own_kind(kind):
    plain = rt.compare(Y, MODELS, arm="regression")
    wide = frames({"y": Y, "w": np.ones(N), **MODELS})[kind]
    found = rt.compare("y", wide, arm="regression", sample_weight="w")
    assert found.models == ("a", "b")
    table = found.table(asymmetry=0.8)
    assert type(table).__module__.split(".")[0] == kind
    expected = plain.table(asymmetry=0.8, backend="pandas")
    mine = found.table(asymmetry=0.8, backend="pandas")
    assert list(mine.columns) == list(expected.columns)
    for column in expected.columns[1:]:
        assert mine[column].to_numpy(float) == pytest.approx(
            expected[column].to_numpy(float), nan_ok=True
        )
    one, two = found.decide(asymmetry=0.8), plain.decide(asymmetry=0.8)
    assert one.value == pytest.approx(two.value)
    assert (one.model, one.knob, one.data) == (two.model, two.knob, two.data)
    some = rt.compare(frames({"y": Y})[kind]["y"], wide, arm="regression", models=["b"])
    assert some.models == ("b",)


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
def test_long_frames(kind):
    order = np.random.default_rng(1).permutation(2 * N)
    long = frames(
        {
            "case": np.tile(np.arange(N), 2)[order],
            "model": np.repeat(["a", "b"], N)[order].tolist(),
            "prediction": np.concatenate([MODELS["a"], MODELS["b"]])[order],
            "y": np.tile(Y, 2)[order],
            "shop": np.tile(np.arange(N) // 5, 2)[order],
        }
    )[kind]
    found = rt.compare(
        "y", long, arm="regression", id="case", model_column="model", clusters="shop"
    )
    plain = rt.compare(Y, MODELS, arm="regression")
    assert set(found.models) == {"a", "b"}
    assert (
        found.fingerprint
        == rt.compare(
            Y, {name: MODELS[name] for name in found.models}, arm="regression"
        ).fingerprint
    )
    mine, its = (c.decide(asymmetry=0.7) for c in (found, plain))
    assert mine.in_sample == pytest.approx(its.in_sample)
    assert mine.model == its.model


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
def test_rows_are_matched_by_id(kind):
    order = np.random.default_rng(1).permutation(N)
    truth = frames({"case": np.arange(N), "y": Y})[kind]
    wide = frames({"case": order, "a": MODELS["a"][order], "b": MODELS["b"][order]})[kind]
    found = rt.compare(truth, wide, arm="regression", id="case")
    apart = {name: frames({"case": order, "p": each[order]})[kind] for name, each in MODELS.items()}
    also = rt.compare(truth, apart, arm="regression", id="case")
    plain = rt.compare(Y, MODELS, arm="regression")
    assert found.fingerprint == also.fingerprint == plain.fingerprint
    strange = frames({"case": np.arange(N) + 3, "p": Y})[kind]
    with pytest.raises(
        rt.InputError,
        match="in the column 'case' that does not occur in 'y_true', such as 60, 61, 62",
    ):
        rt.compare(truth, {"a": strange}, arm="regression", id="case")
    twice = frames({"case": np.r_[0, np.arange(N - 1)], "p": Y})[kind]
    with pytest.raises(
        rt.InputError, match="has more than one row with the value 0 in the column 'case'"
    ):
        rt.compare(truth, {"a": twice}, arm="regression", id="case")


def test_missing_predictions():
    holes = {name: each.copy() for name, each in MODELS.items()}
    holes["a"][:5], holes["b"][3:11] = np.nan, np.nan
    with pytest.raises(
        rt.InputError, match=r"'a' has no prediction in 5 of 60 rows, 'b' in 8. Use"
    ):
        rt.compare(Y, holes, arm="regression")
    with pytest.warns(rt.RoctopusWarning, match="compared on the 49 rows that they share"):
        common = rt.compare(Y, holes, arm="regression", missing="common")
    kept = np.r_[11:N]
    plain = rt.compare(Y[kept], {m: p[kept] for m, p in MODELS.items()}, arm="regression")
    assert common.fingerprint == plain.fingerprint
    with pytest.warns(rt.RoctopusWarning, match="own rows, so do not compare them"):
        pairs = rt.compare(Y, holes, arm="regression", missing="pairwise")
    table = pairs.table(measures=["over_estimation"], backend="pandas")
    expected = rt.regression.over_estimation(Y[5:], MODELS["a"][5:], normalize=True)
    assert table["over_estimation"][0] == pytest.approx(expected)
    assert pairs.decide(asymmetry=0.6).in_sample == plain.decide(asymmetry=0.6).in_sample
    holes["a"][:] = np.nan
    with pytest.raises(rt.InputError, match="'a' has no predictions at all"):
        rt.compare(Y, holes, arm="regression", missing="common")


def test_rows_of_weight_zero_are_absent():
    weight = np.r_[np.zeros(20), np.ones(N - 20)]
    found = rt.compare(Y, MODELS, arm="regression", sample_weight=weight)
    plain = rt.compare(Y[20:], {m: p[20:] for m, p in MODELS.items()}, arm="regression")
    assert len(found.problem) == N - 20
    one, two = (c.decide(asymmetry=0.8) for c in (found, plain))
    assert (one.model, one.knob) == (two.model, two.knob)
    assert one.value == pytest.approx(two.value)


@pytest.mark.parametrize("arm", ["regression", "cutoff", "ordinal", "probability", "impact"])
def test_one_model_and_thirty(arm):
    rng = np.random.default_rng(1)
    y, context, options = Y, {"asymmetry": 0.7}, {}
    if arm == "cutoff":
        context = {"cutoff": 0.2}
    elif arm == "impact":
        context, options = {"theta": 0.2}, {"utility": value_minus_cutoff}
    elif arm == "ordinal":
        y, context = np.digitize(Y, [-0.5, 0.5]), {"costs": [1, 2, 3]}
    elif arm == "probability":
        y = (Y > 0).astype(int)
        context = {"false_positive_cost": 1, "false_negative_cost": 3}
    models = {f"m{k}": Y + rng.normal(size=N) for k in range(30)}
    if arm == "probability":
        models = {name: 1 / (1 + np.exp(-p)) for name, p in models.items()}
    many = rt.compare(y, models, arm=arm, **options)
    decision = many.decide(**context)
    assert decision.verdict in get_args(Verdict)
    table = many.table(**context, backend="pandas")
    assert table["baseline"].tolist() == [False] * 30 + [True] * len(decision.beside)
    assert decision.beside
    assert decision.model in repr(many.decide(**context))
    alone = rt.compare(y, {"m0": models["m0"]}, arm=arm, **options)
    single = alone.decide(**context, models_only=True)
    assert (single.verdict, single.candidates, single.runner_up) == ("use", ("m0",), None)
    assert single.chances == {"m0": 1.0}
    assert alone.regions()[0].sure
    assert "1 model" in repr(alone)
    assert many._repr_html_().startswith(("<iframe srcdoc=", '<div class="tex2jax_ignore'))


def test_names_are_never_trusted(tmp_path):
    found = rt.compare(Y, {"<script>alert(1)</script>": MODELS["a"]}, arm="regression")
    assert "<script>" not in found._repr_html_()
    page = tmp_path / "page.html"
    found.to_html(page)
    text = page.read_text()
    assert "<script>alert" not in text
    assert "Content-Security-Policy" in text


def test_clusters_and_time():
    shop = np.arange(N) // 6
    by_shop = rt.compare(Y, MODELS, arm="regression", clusters=shop)
    assert by_shop.decide(asymmetry=0.8).low < by_shop.decide(asymmetry=0.8).high
    timed = rt.compare(Y, MODELS, arm="regression", time=True)
    assert timed.decide(asymmetry=0.8).verdict in get_args(Verdict)
    both = rt.compare(Y, MODELS, arm="regression", clusters=shop, time=True)
    assert both.decide(asymmetry=0.8).low < both.decide(asymmetry=0.8).high


LABELS = ["low", "mid", "high"]


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: rt.compare(Y, MODELS, arm="ranking"), "'arm' must be one of 'regression'"),
        (
            lambda: rt.compare(["x"] * N, MODELS, arm="regression"),
            "'y_true' contains text, but the arm 'regression' needs numbers",
        ),
        (
            lambda: rt.compare(Y, MODELS, arm="probability"),
            "'y_true' must contain two classes",
        ),
        (lambda: rt.compare(Y, MODELS, arm="impact"), "needs 'utility'"),
        (lambda: rt.compare(Y, MODELS, arm="cutoff", utility=1), "has no argument 'utility'"),
        (
            lambda: rt.compare(Y, MODELS, arm="regression", models=["c"]),
            "names 'c', which is not in 'predictions'",
        ),
        (lambda: rt.compare(Y, {}, arm="regression"), "predictions"),
        (
            lambda: rt.compare(Y, Y, arm="regression"),
            "must be a dataframe, or a dictionary of arrays",
        ),
        (lambda: rt.compare(Y[:9], MODELS, arm="regression"), "'y_true' has 9 rows, but model 'a'"),
        (
            lambda: rt.compare("y", MODELS, arm="regression"),
            "'y_true' is the name of a column, 'y'",
        ),
        (
            lambda: rt.compare("z", pd.DataFrame(MODELS), arm="regression"),
            "has no column 'z'. Its columns: 'a', 'b'",
        ),
        (
            lambda: rt.compare(Y, MODELS, arm="regression", missing="drop"),
            "'missing' must be 'refuse'",
        ),
        (
            lambda: rt.compare(Y, MODELS, arm="regression").decide(asymmetry=1.2),
            "'asymmetry' must be between 0 and 1",
        ),
        (
            lambda: rt.compare(Y, MODELS, arm="regression").decide(cutoff=1.2),
            "'cutoff' is not an argument here. Use 'asymmetry', 'cost_ratio' or 'under_cost' with",
        ),
        (
            lambda: rt.compare(Y, MODELS, arm="regression").decide(),
            "Say what errors cost, for example with under_cost=4, over_cost=1. Use exactly one of "
            "'asymmetry', 'cost_ratio', 'under_cost' with 'over_cost'",
        ),
        (
            lambda: rt.compare(Y, MODELS, arm="regression").decide(between=(0.8, 0.6)),
            "'between' must go from a lower to a higher value of 'asymmetry'",
        ),
        (
            lambda: rt.compare(Y, MODELS, arm="regression").decide(between=(0.8, 0.8)),
            "must go from a lower to a higher value",
        ),
        (
            lambda: rt.compare(Y, MODELS, arm="regression").decide(between=0.8),
            "'between' must contain two numbers",
        ),
        (
            lambda: rt.compare(Y, MODELS, arm="regression").decide(
                between=(0.2, 0.3), criterion="best"
            ),
            "'criterion' must be 'worst' or 'regret'",
        ),
        (
            lambda: rt.compare(Y, MODELS, arm="regression").decide(
                asymmetry=0.2, criterion="worst"
            ),
            "'criterion' can only be used with a range",
        ),
        (
            lambda: rt.compare(Y, MODELS, arm="regression").decide(distribution=rt.Normal(0, 1)),
            "distribution",
        ),
        (
            lambda: rt.compare(Y, MODELS, arm="regression").decide(asymmetry=0.2, hybrid=True),
            "A hybrid decision needs a distribution of the asymmetry",
        ),
        (
            lambda: rt.compare(Y, MODELS, arm="regression").table(measures=["auc"]),
            "'measures' names 'auc'",
        ),
        (
            lambda: rt.compare(
                Y, MODELS, arm="impact", utility=LinearUtility(np.ones(N), Y)
            ).decide(theta=np.nan),
            "theta",
        ),
        (
            lambda: rt.compare(np.array(LABELS * 20), MODELS, arm="ordinal", labels=LABELS).decide(
                costs=[1, 2]
            ),
            "'costs' must have one number for each of the 3 classes",
        ),
        (
            lambda: rt.compare(np.array(LABELS * 20), MODELS, arm="ordinal"),
            "so the order of the classes is unknown",
        ),
    ],
)
def test_refusals(call, sentence):
    with pytest.raises(rt.InputError, match=sentence):
        call()


@pytest.mark.parametrize("models", [0.5, object()])
def test_models_that_are_no_list_of_names_are_named(models):
    table = pa.table({"y": Y, **MODELS})
    for given in (("y", table), (Y, MODELS), ("y", ds.dataset(table))):
        with pytest.raises(rt.InputError, match="'models' must be a list of names, but is"):
            rt.compare(*given, arm="regression", models=models)
    with pytest.raises(rt.InputError, match="must contain names of columns, but contains 3"):
        rt.compare("y", ds.dataset(table), arm="regression", models=[3])


@pytest.mark.parametrize("arm", ["probability", "ordinal"])
def test_rows_of_different_length_are_no_truths(arm):
    ragged = [[1, 2], [0], *([k] for k in range(8))]
    with pytest.raises(rt.InputError, match="'y_true'"):
        rt.compare(ragged, {"a": np.linspace(0, 1, 10)}, arm=arm)


def test_an_empty_list_of_models_raises_an_error():
    with pytest.raises(rt.InputError, match="'models' must contain at least one name"):
        rt.compare([1.0, 2.0], {"a": [1.0, 2.0]}, arm="regression", models=[])


def test_costs_that_are_lists_of_lists():
    compared = rt.compare(Y, MODELS, arm="regression")
    for cost in ([[1.0, 2.0], 3.0], [[1.0], [2.0, 3.0]]):
        with pytest.raises(rt.InputError, match="'under_cost'"):
            compared.decide(under_cost=cost, over_cost=1)


UNEVEN = [[1, 2], [3]]
"""What some forget to join: numpy makes no array of it."""
EVENTS = (Y > 0).astype(int)
CHANCES = np.clip(0.5 + 0.2 * Y, 0, 1)


@pytest.mark.parametrize(
    "call",
    [
        lambda: rt.roc_auc(EVENTS, CHANCES, pos_label=UNEVEN),
        lambda: rt.compare(EVENTS, {"a": CHANCES}, arm="probability", pos_label=UNEVEN),
        lambda: rt.inference.bootstrap("roc_auc", EVENTS, CHANCES, pos_label=UNEVEN),
        lambda: LinearUtility(UNEVEN, 1.0),
        lambda: rt.compare(Y, MODELS, arm="regression").decide(asymmetry=UNEVEN),
        lambda: rt.optimal_shift(Y, Y, asymmetry=UNEVEN),
        lambda: rt.regression.ConstantShift().fit(Y, Y).shift(UNEVEN, Y),
        lambda: rt.cutoff.soft_retraining_curve(Y, UNEVEN, cutoffs=[1, 2]),
    ],
)
def test_lists_whose_rows_differ_in_length(call):
    with pytest.raises(rt.InputError, match=r"different lengths|is not a class|must be a number"):
        call()
