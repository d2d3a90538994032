"""Classes of every kind, in their order; refusals are sentences."""

import array_api_strict
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import torch

import roctopus as rt
from roctopus import ordinal as arm

Y = [1, 1, 2, 2, 3, 3]
SCORE = [0.1, 0.5, 0.4, 0.7, 0.6, 0.9]
NAMES = ["poor", "fair", "good"]
TEXT = [NAMES[k - 1] for k in Y]

NUMBERS = {
    "list": list,
    "float32": lambda v: np.array(v, dtype=np.float32),
    "pandas": pd.Series,
    "polars": lambda v: pl.Series("y", v),
    "pyarrow": lambda v: pa.chunked_array([v]),
    "torch": lambda v: torch.tensor(v, dtype=torch.float64),
    "strict": lambda v: array_api_strict.asarray(v, dtype=array_api_strict.float64),
}

CLASSES = {
    "pandas bare": lambda: pd.Categorical(TEXT, NAMES, ordered=True),
    "pandas shuffled": lambda: pd.Series(
        pd.Categorical(TEXT[::-1], NAMES, ordered=True), index=range(6)
    )[::-1].reset_index(drop=True),
    "pandas ordered": lambda: pd.Series(pd.Categorical(TEXT, NAMES, ordered=True)),
    "polars enum": lambda: pl.Series("y", TEXT, dtype=pl.Enum(NAMES)),
}

TEXTS = {
    "list": lambda: TEXT,
    "numpy": lambda: np.array(TEXT),
    "objects": lambda: np.array(TEXT, dtype=object),
    "pandas": lambda: pd.Series(TEXT),
    "polars": lambda: pl.Series("y", TEXT),
    "pandas unordered": lambda: pd.Series(pd.Categorical(TEXT)),
}


@pytest.mark.parametrize("kind", NUMBERS)
def test_numbers_of_every_kind(kind):
    y, score = NUMBERS[kind](Y), NUMBERS[kind](SCORE)
    weight = NUMBERS[kind]([1.0, 2.0, 1.0, 1.0, 3.0, 1.0])
    plain = rt.estimate(rt.volume_under_surface, Y, SCORE, sample_weight=[1, 2, 1, 1, 3, 1])
    found = rt.estimate(rt.volume_under_surface, y, score, sample_weight=weight)
    assert found.value == pytest.approx(plain.value, rel=1e-14)
    np.testing.assert_allclose(found.influence, plain.influence, rtol=1e-12)
    assert rt.ordinal_thresholds(y, score).cost == rt.ordinal_thresholds(Y, SCORE).cost
    assert rt.roc_surface(y, score).volume == rt.roc_surface(Y, SCORE).volume


@pytest.mark.parametrize("kind", CLASSES)
def test_ordered_categoricals_bring_their_order(kind):
    found = arm.surface_volume(CLASSES[kind](), SCORE)
    assert found.value == rt.volume_under_surface(Y, SCORE)
    assert found.labels == tuple(NAMES)


@pytest.mark.parametrize("kind", TEXTS)
def test_text_needs_its_order(kind):
    value = rt.volume_under_surface(TEXTS[kind](), SCORE, labels=NAMES)
    assert value == rt.volume_under_surface(Y, SCORE)
    with pytest.raises(
        rt.InputError,
        match=r"so the order of the classes is unknown. List the classes in 'labels'",
    ):
        rt.volume_under_surface(TEXTS[kind](), SCORE)


def test_an_order_is_not_that_of_appearance():
    last_first = pd.Series(pd.Categorical(TEXT[::-1], NAMES, ordered=True))
    assert rt.volume_under_surface(last_first, SCORE[::-1]) == rt.volume_under_surface(Y, SCORE)
    enum = pl.Series("y", TEXT[::-1], dtype=pl.Enum(NAMES))
    assert rt.volume_under_surface(enum, SCORE[::-1]) == rt.volume_under_surface(Y, SCORE)
    with pytest.raises(rt.InputError, match="The class 'best' has no cases"):
        rt.volume_under_surface(pd.Categorical(TEXT, [*NAMES, "best"], ordered=True), SCORE)


@pytest.mark.parametrize(
    "make",
    [
        lambda: pd.Categorical(Y, [1, 2, 3], ordered=True),
        lambda: pd.Series(pd.Categorical(Y, [1, 2, 3], ordered=True)),
        lambda: pd.cut(pd.Series(Y), [0, 1, 2, 3]),
        lambda: pd.cut(pd.Series(Y), [0, 1, 2, 3], labels=[0, 1, 2]),
    ],
)
def test_categories_that_are_not_text(make):
    assert rt.volume_under_surface(make(), SCORE) == rt.volume_under_surface(Y, SCORE)


def test_numbers_in_columns_of_objects():
    objects = np.array(Y, dtype=object)
    value = rt.volume_under_surface(Y, SCORE)
    assert rt.volume_under_surface(objects, SCORE, labels=[1, 2, 3]) == value
    assert rt.volume_under_surface(pa.array(TEXT), SCORE, labels=NAMES) == value


def test_models_that_give_only_grades():
    grades = ["poor", "fair", "fair", "good", "good", "good"]
    codes = [NAMES.index(g) for g in grades]
    value = rt.volume_under_surface(TEXT, grades, labels=NAMES)
    assert value == rt.volume_under_surface(Y, codes)
    ordered = pd.Series(pd.Categorical(grades, NAMES, ordered=True))
    assert rt.volume_under_surface(CLASSES["pandas ordered"](), ordered) == value


def test_labels_may_reverse_or_choose_the_order_of_numbers():
    flipped = rt.volume_under_surface(Y, [-s for s in SCORE], labels=[3, 2, 1])
    assert flipped == rt.volume_under_surface(Y, SCORE)
    halves = rt.volume_under_surface([0.5, 0.5, 1.5], [1, 2, 3])
    assert halves == 1.0
    assert arm.surface_volume(Y, SCORE).labels == (1, 2, 3)


@pytest.mark.parametrize(
    ("frame", "kind"), [(pd.DataFrame, "pandas"), (pl.DataFrame, "polars"), (pa.Table, "pyarrow")]
)
def test_frames_come_back_in_the_users_kind(frame, kind):
    y, score = NUMBERS[kind](Y), NUMBERS[kind](SCORE)
    answers = [
        arm.class_pair_auc(y, score).frame(),
        rt.roc_surface(y, score).points().frame(),
        arm.ordinal_confusion(y, score, thresholds=[0.3, 0.6]).frame(),
        arm.ordinal_table(y, {"a": score}),
        next(iter(arm.pairwise_roc_curves(y, score).values())).frame(),
    ]
    assert all(isinstance(answer, frame) for answer in answers)


def test_a_value_below_chance_warns_of_the_direction():
    with pytest.warns(
        rt.RoctopusWarning, match="higher classes tend to have lower scores. Check the sign"
    ):
        rt.volume_under_surface(Y * 5, [-s for s in SCORE] * 5)


def test_random_rankings_do_not_warn():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2, 3], 50)
    below = 0
    for _ in range(100):
        below += rt.volume_under_surface(y, rng.normal(size=200)) < 1 / 24
    assert below > 20  # they are below chance often enough; a warning would be an error here
    for classes in range(2, 9):
        rt.volume_under_surface(
            np.repeat(np.arange(classes), 4), np.ones(4 * classes),
            sample_weight=rng.uniform(0.5, 2, 4 * classes),
        )  # fmt: skip


def test_perfect_and_degenerate_rankings():
    perfect = arm.surface_volume(Y, Y)
    assert (perfect.value, perfect.corrected, perfect.standard_error) == (1.0, 1.0, 0.0)
    with pytest.warns(rt.RoctopusWarning, match="The interval is one-sided"):
        low, high = perfect.confidence_interval()
    smallest = min(perfect.class_sizes)
    assert (low, high) == (pytest.approx(0.05 ** (1 / smallest)), 1.0)
    assert rt.volume_under_surface([1, 2, 3], [1, 2, 3]) == 1.0
    with pytest.raises(rt.InputError, match="at least two cases in every class"):
        arm.surface_volume([1, 2, 3], [1, 2, 3])
    with pytest.raises(rt.InputError, match="at least two cases in every class"):
        arm.volume_variances([1, 2, 3], [1, 2, 3])
    far = rt.volume_under_surface(Y, np.array(SCORE) * 4 + 1e12)
    assert far == rt.volume_under_surface(Y, SCORE)


def test_intervals_on_the_logit_scale_stay_inside():
    estimate = rt.estimate(rt.volume_under_surface, Y, SCORE)
    plain, logit = (estimate.confidence_interval(method=m) for m in ("plain", "logit"))
    assert plain.low < 0 or plain.high > 1
    assert 0 < logit.low < estimate.value < logit.high < 1
    assert arm.surface_volume(Y, SCORE).confidence_interval() == pytest.approx(logit)
    with pytest.raises(rt.InputError, match="'method' must be 'plain', 'logit', 'log' or 'stud"):
        estimate.confidence_interval(method="cubic")
    loss = rt.estimate(rt.asymmetric_absolute_error, Y, SCORE, asymmetry=0.5)
    with pytest.raises(rt.InputError, match="method='logit' needs a value between 0 and 1"):
        loss.confidence_interval(method="logit")


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda: rt.volume_under_surface(TEXT, SCORE, labels=[*NAMES, "best"]),
            "The class 'best' has no cases",
        ),
        (
            lambda: rt.volume_under_surface(Y, SCORE, labels=[1, 2, 3, 4]),
            "The class 4 has no cases",
        ),
        (
            lambda: rt.ordinal_thresholds(Y, SCORE, labels=[1, 2, 3, 4]),
            "The class 4 has no cases",
        ),
        (
            lambda: rt.volume_under_surface(
                Y, SCORE, sample_weight=[1, 1, 1, 1, 0, 0], labels=Y[::2]
            ),
            "The class 3 has no cases",
        ),
        (lambda: rt.volume_under_surface([1, 1], [1, 2]), "'y_true' has only one class (1)"),
        (lambda: rt.volume_under_surface(Y, SCORE, labels=[1]), "must name at least two classes"),
        (
            lambda: rt.volume_under_surface(Y, SCORE, labels=[1, 1, 2]),
            "'labels' contains the class 1 more than once",
        ),
        (
            lambda: rt.volume_under_surface(Y, SCORE, labels=[1, 2]),
            "'y_true' contains 3, which is not one of the classes (1, 2). Correct or remove row",
        ),
        (
            lambda: rt.volume_under_surface(TEXT, SCORE, labels=["poor", "good"]),
            "Correct or remove rows 2 and 3 (counted from 0).",
        ),
        (
            lambda: rt.volume_under_surface(["poor", None, "good"], [1, 2, 3], labels=NAMES),
            "'y_true' has missing values in row 1",
        ),
        (
            lambda: rt.volume_under_surface(Y, [0.1, np.nan, 0.4, 0.7, 0.6, 0.9]),
            "'y_score' has missing values (NaN) in row 1",
        ),
        (
            lambda: rt.volume_under_surface(np.random.default_rng(0).random(500), np.arange(500)),
            "'y_true' has 500 different values, which are too many for classes",
        ),
        (
            lambda: rt.volume_under_surface(Y, SCORE, labels=2),
            "'labels' must be a list of the classes",
        ),
        (
            lambda: rt.volume_under_surface(Y, SCORE, labels=[1, np.nan]),
            "'labels' contains nan, which cannot be a class",
        ),
        (
            lambda: rt.volume_under_surface(
                pd.Series(["poor", None, "good"], dtype="string"), [1, 2, 3], labels=NAMES
            ),
            "'y_true' has missing values in row 1",
        ),
        (
            lambda: rt.roc_surface(Y, SCORE).thinned(0),
            "'steps' must be a whole number of at least 1",
        ),
        (lambda: rt.volume_under_surface(Y, SCORE, ties="half"), "'ties' must be 'average' or"),
        (
            lambda: rt.pairwise_ranking_accuracy(Y, SCORE, average="all"),
            "'average' must be 'pairs', 'classes' or 'consecutive', but is 'all'.",
        ),
        (
            lambda: rt.ordinal_thresholds(Y, SCORE, costs=[1, 2]),
            "'costs' must have one number for each of the 3 classes, but has 2.",
        ),
        (
            lambda: rt.ordinal_thresholds(Y, SCORE, costs=[1, 2, -1]),
            "All numbers in 'costs' must be zero or more, but one of them is -1.",
        ),
        (
            lambda: rt.ordinal_thresholds(Y, SCORE, loss=np.ones((2, 3))),
            "a row and a column for each of the 3 classes, but has the shape (2, 3).",
        ),
        (
            lambda: rt.ordinal_thresholds(Y, SCORE, loss=-np.ones((3, 3))),
            "'loss' must be zero or more",
        ),
        (lambda: rt.ordinal_thresholds(Y, SCORE, loss="huber"), "or a matrix, but is 'huber'."),
        (lambda: rt.ordinal_thresholds(Y, SCORE, costs="high"), "'costs' must contain numbers"),
        (
            lambda: rt.ordinal_thresholds(Y, SCORE, priors=[1, 2]),
            "'priors' must contain one number",
        ),
        (lambda: rt.ordinal_thresholds(Y, SCORE, priors=[1, -2, 1]), "'priors' must be zero or"),
        (
            lambda: arm.ordinal_cost_curve(Y, SCORE, moving=7, low=0, high=1),
            "'moving' must be one of the classes (1, 2, 3), but is 7.",
        ),
        (
            lambda: arm.ordinal_cost_curve(Y, SCORE, moving=3, low=-1, high=1),
            "'low' must be zero or more",
        ),
        (
            lambda: rt.roc_surface(Y, SCORE).rates([0.5]),
            "'thresholds' must contain 2 numbers for 3 classes, but contains 1.",
        ),
        (
            lambda: rt.roc_surface(Y, SCORE).rates([0.5, 0.2]),
            "'thresholds' must not decrease, but 0.5 is followed by 0.2.",
        ),
        (
            lambda: rt.roc_surface(np.arange(900) % 3, np.arange(900)).points(),
            "combinations of thresholds, which are too many for a list",
        ),
        (
            lambda: rt.volume_under_surface(
                pd.Series(TEXT), pd.Series(SCORE, index=[5, 4, 3, 2, 1, 0]), labels=NAMES
            ),
            "have the same index labels in different orders",
        ),
    ],
)
def test_refusals(call, sentence):
    with pytest.raises(rt.InputError) as caught:
        call()
    assert sentence in str(caught.value)
