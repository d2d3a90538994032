"""One suite for every registered metric: a new one is tested by being registered."""

from __future__ import annotations

import itertools
import subprocess
import sys
import warnings
from collections import Counter
from functools import cache

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import naive
import roctopus as rt
from roctopus import impact as impact_arm
from strategies import Case, cases, graded_cases, probability_cases


def both_ways(y):
    """Worths whose slopes and intercepts have both signs."""
    y = np.asarray(y, dtype=float)
    return impact_arm.LinearUtility(y - 0.3, 0.4 - 0.7 * y)


# The contexts each metric is tried at. A metric without an entry fails its tests.
CONTEXTS: dict[str, list[dict]] = {
    "asymmetric_absolute_error": [{"asymmetry": 0.37}, {"under_cost": 3.0, "over_cost": 0.5}],
    "asymmetric_squared_error": [{"asymmetry": 0.37}, {"under_cost": 3.0, "over_cost": 0.5}],
    "pinball_loss": [{"level": 0.37}, {"level": 1.0}],
    "linex_error": [{"a": 0.03}, {"a": -0.02}],
    "quadex_error": [{"a": 0.03, "d": 0.2}, {"a": -0.02, "d": 1.5}],
    "optimal_shift_error": [
        {"asymmetry": 0.37},
        {"under_cost": 4.0, "over_cost": 1.3},
        {"loss": rt.QuadQuad(0.7)},
        {"loss": rt.regression.LinEx(-0.03)},
        {"loss": rt.regression.QuadEx(0.03, 0.2)},
    ],
    "over_estimation": [{"normalize": True}, {"shift": 0.3, "normalize": True}, {"shift": -0.5}],
    "under_estimation": [{"normalize": True}, {"shift": 0.3, "normalize": True}, {"shift": -0.5}],
    "distance_to_heaven": [{"normalize": True}, {"shift": 0.3, "normalize": True}, {}],
    "rroc_area_over_curve": [{"normalize": True}, {}],
    "asymmetry_cost_area": [{}],
    "removable_error": [{}],
    "coefficient_of_predictive_ability": [{}],
    "expected_asymmetric_error": [
        {"distribution": rt.Beta(2, 3)},
        {"distribution": rt.Uniform(0.6, 0.9)},
        {"distribution": rt.Empirical([0.123, 0.37, 0.37, 0.891])},
    ],
    "cutoff_error": [
        {"cutoff": 0.25},
        {"cutoff": -0.5, "false_positive_cost": 3.0, "false_negative_cost": 0.5},
    ],
    "uniform_cutoff_area": [{}, {"false_positive_cost": 0.0, "false_negative_cost": 2.0}],
    "clipped_mean_absolute_error": [{"low": -0.75, "high": 1.0}],
    "output_cutoff_area": [
        {},
        {"low": -1.0, "high": 0.5, "false_positive_cost": 2.0},
    ],
    "expected_cutoff_error": [
        {"distribution": rt.Beta(2, 3, -2.0, 2.5)},
        {"distribution": rt.Uniform(-1.0, 1.5), "normalize": False, "false_negative_cost": 3.0},
        {"distribution": rt.Normal(0.2, 0.7)},
        {"distribution": rt.Empirical([0.25, 0.3, 0.25, -1.1]), "false_positive_cost": 2.0},
        {"distribution": rt.Truncated(rt.Normal(0.2, 0.7), 0.0, 1.0)},
        {"distribution": rt.Output(-1.0, 1.0)},
    ],
    "cutoff_skill": [
        {"y_train": [-1.0, 0.25, 2.0]},
        {"y_train": [-1.0, 0.25, 2.0, 3.0], "distribution": rt.Uniform(-2.0, 2.0)},
    ],
    "roc_auc": [{}],
    "probabilistic_auc": [{}],
    "probabilistic_gini": [{}],
    "true_positive_rate": [{"threshold": 0.375}, {"threshold": 0.5, "width": 0.7}],
    "false_positive_rate": [{"threshold": 0.375}, {"threshold": 0.5, "width": 0.7}],
    "partial_auc": [
        {"false_positive_rate": (0.0, 0.3)},
        {"false_positive_rate": (0.15, 0.6), "standardize": True},
        {"true_positive_rate": (0.55, 1.0)},
        {"true_positive_rate": (0.2, 0.65), "standardize": True},
    ],
    "average_precision": [{}],
    "calibration_error": [{}, {"bins": 3}, {"bins": 1}],
    "sensitivity_at_specificity": [{"specificity": 0.75}, {"specificity": 0.9}],
    "specificity_at_sensitivity": [{"sensitivity": 0.75}, {"sensitivity": 0.9}],
    "net_benefit": [
        {"threshold_probability": 0.375},
        {"threshold_probability": 0.2, "prevalence": 0.1},
        {"threshold_probability": 0.0},
    ],
    "brier_score": [{}],
    "log_loss": [{}],
    "volume_under_surface": [{}, {"ties": "strict"}],
    "pairwise_ranking_accuracy": [
        {},
        {"average": "classes"},
        {"average": "consecutive", "ties": "strict"},
    ],
    "impact": [
        {"utility": impact_arm.value_times_price, "theta": 2.0},
        {"utility": impact_arm.value_minus_cutoff, "theta": 0.2, "normalize": True},
        {"utility": both_ways, "theta": 1.7},
    ],
    "impact_gain": [
        {"utility": impact_arm.value_times_price, "theta": 2.0, "normalize": True},
        {"utility": both_ways, "theta": 0.9},
    ],
    "expected_impact": [
        {"utility": impact_arm.value_times_price, "distribution": rt.Uniform(0.3, 2.0)},
        {"utility": both_ways, "distribution": rt.Beta(2, 3, -1.0, 2.0), "normalize": True},
        {"utility": both_ways, "distribution": rt.Empirical([-0.7, 0.41, 0.41, 2.3])},
    ],
    "impact_skill": [
        {"utility": impact_arm.value_minus_cutoff, "distribution": rt.Uniform(-1.0, 1.5)},
        {"utility": both_ways, "distribution": rt.Beta(2, 3, -1.0, 2.0)},
    ],
    "do_nothing_error": [
        {"low": -0.5, "high": 0.75, "do_nothing_cost": 0.3},
        {"low": -0.5, "high": 0.75, "cutoff": 0.0, "do_nothing_cost": 0.1},
    ],
}


def told(context: dict) -> str:
    """Name a setting; functions by their name, not by where they lie in memory."""
    return ", ".join(f"{k}={getattr(v, '__name__', v)}" for k, v in context.items())


METRICS = rt.registered_metrics()
SETTINGS = [
    pytest.param(metric, context, id=f"{metric.name}-{told(context)}")
    for metric in METRICS
    for context in CONTEXTS.get(metric.name, [{}])
]

OTHERS = pytest.mark.thorough(reason="intervals at the other contexts of each metric, simulated")
SIMULATED = [
    pytest.param(*setting.values, id=setting.id, marks=() if first else OTHERS)
    for metric in METRICS
    for first, setting in zip(
        itertools.chain([True], itertools.repeat(False)),
        (setting for setting in SETTINGS if setting.values[0] is metric),
        strict=False,
    )
]
"""One simulation per metric; docs/coverage.md has far larger ones."""

STEPS = {"sensitivity_at_specificity", "specificity_at_sensitivity"}
"""Metrics at a threshold that is a quantile of the sample.

They jump from case to case, so neither a derivative nor the jackknife has their error, which needs
densities. Their influence values are judged by simulation, and in tests/probability.
"""

DERIVED = [setting for setting in SETTINGS if setting.values[0].name not in STEPS]

CORRECTED = {"calibration_error"}
"""Metrics without what chance adds, which counts cases as standard errors do.

A weight of two is not two cases for them. Leaving one out moves the borders of bins, too, so
tests/probability has the jackknife for probabilities of which there are few.
"""

SMOOTH = [
    setting
    for setting in DERIVED
    if setting.values[0].arm != "impact" and setting.values[0].name not in CORRECTED
]
"""Settings the jackknife can judge: a best threshold jumps as a case is left out."""

JACKKNIFED = {"average_precision": 2000}
"""How many cases the jackknife needs, where it is not 200.

Precision among the highest ranks is a share of a few cases, so leaving one out is no small change.
"""

TOTALS = {
    "over_estimation": 1,
    "under_estimation": 1,
    "distance_to_heaven": 1,
    "rroc_area_over_curve": 2,
    "impact": 1,
    "impact_gain": 1,
    "expected_impact": 1,
}
"""Metrics that are totals unless normalised, with the power of the weight they grow by."""

OPTIMISTIC = {"impact_skill"}
"""Metrics whose optimum on the sample lies so far above the truth that intervals miss it.

Their docstrings say so; what is tested is that intervals have the right width.
"""

KINDS = {
    "regression": cases(),
    "cutoff": cases(),
    "ordinal": graded_cases(),
    "probability": probability_cases(),
    "impact": cases(max_size=8),  # the naive way takes the fourth power of it
}
"""What hard cases look like in each arm."""

UNDEFINED = (
    "nothing to rank",
    "the range of cutoffs",
    "is not defined here",
    "has only one class",
    "the log loss is infinite",
)
"""What metrics say that have no value on some samples."""

pytestmark = [
    pytest.mark.filterwarnings("ignore:No cutoff of the distribution lies"),
    pytest.mark.filterwarnings("ignore:The volume .* is below that of a random ranking"),
    pytest.mark.filterwarnings("ignore:Most of the variance .* comes from about .* cases"),
]


def sample(metric, rng, size: int, *, shift: float = 0.0, spread: float = 1.0):
    """Draw truths and predictions of the kind a metric's arm has."""
    noise = spread * rng.normal(size=size)
    if metric.arm == "ordinal":
        y = rng.integers(0, 3, size).astype(float)
        y[:6] = [0, 0, 1, 1, 2, 2]
        return y, y + noise
    if metric.arm == "probability":
        y = rng.integers(0, 2, size).astype(float)
        y[:4] = [0, 0, 1, 1]
        return y, 1.0 / (1.0 + np.exp(-(y - 0.5 + noise)))
    y = rng.normal(size=size)
    return y, (y + shift if shift else 0.0) + noise


def value_of(metric, case: Case, context: dict) -> float:
    """Leave out samples on which a metric has no value; that it says so is tested elsewhere."""
    try:
        value = metric.function(*case[:2], sample_weight=case.sample_weight, **context)
    except rt.InputError as refusal:
        assume(not any(reason in str(refusal) for reason in UNDEFINED))
        raise
    if metric.name == "impact_skill":  # a ratio of differences, which may cancel
        weight = None if case.sample_weight is None else list(case.sample_weight)
        rows = case.y_true.tolist(), case.y_pred.tolist()
        assume(naive.digits_lost_by_skill(*rows, sample_weight=weight, **context) < 4.0)
    return value


def normalized(metric, context: dict) -> dict:
    """Return a context in which the metric is a mean."""
    return {**context, "normalize": True} if metric.name in TOTALS else context


def scale_of(case: Case) -> float:
    """Sums of n errors of this size carry this much rounding, times eps."""
    spread = np.abs(case.y_pred - case.y_true).max() + 1e-3 * np.abs(case.y_true).max()
    return float(max(spread, 1.0))


def agree(a: float, b: float, case: Case, metric: str) -> None:
    power = TOTALS.get(metric, 1)
    weight = len(case.y_true) if case.sample_weight is None else case.sample_weight.sum()
    slack = 1e-11 * scale_of(case) ** power * max(1.0, weight) ** power
    assert a == pytest.approx(b, rel=1e-10, abs=slack)


def test_every_metric_has_contexts_and_a_naive_definition():
    for metric in METRICS:
        assert metric.name in CONTEXTS
        assert callable(getattr(naive, metric.name))
        assert metric.arm in KINDS
    assert set(CONTEXTS) == {metric.name for metric in METRICS}


def test_the_metrics_of_every_arm_are_listed_in_a_fresh_process():
    """This file imports nothing that registers metrics: alone, too, it must see all of them."""
    code = "import roctopus as rt; print(*(f'{m.arm}.{m.name}' for m in rt.registered_metrics()))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    arms = Counter(name.split(".")[0] for name in done.stdout.split())
    assert arms == {"regression": 14, "cutoff": 7, "ordinal": 2, "probability": 13, "impact": 4}
    assert {name.split(".")[1] for name in done.stdout.split()} == set(CONTEXTS)


def check_definition(metric, context: dict, case: Case, value: float) -> None:
    slow = getattr(naive, metric.name)(
        case.y_true.tolist(),
        case.y_pred.tolist(),
        sample_weight=None if case.sample_weight is None else case.sample_weight.tolist(),
        **context,
    )
    assert isinstance(value, float)
    agree(value, slow, case, metric.name)


def check_order_of_rows(metric, context: dict, case: Case, value: float, order: np.ndarray) -> None:
    weight = None if case.sample_weight is None else case.sample_weight[order]
    mixed = metric.function(case.y_true[order], case.y_pred[order], sample_weight=weight, **context)
    agree(value, mixed, case, metric.name)


def check_counts(metric, context: dict, case: Case, value: float) -> None:
    """Weight two is the row twice, and weight zero is no row."""
    counts = case.sample_weight
    copied = Case(np.repeat(case.y_true, counts), np.repeat(case.y_pred, counts), None)
    agree(value, metric.function(*copied[:2], **context), copied, metric.name)


@pytest.mark.parametrize("metric", METRICS, ids=[metric.name for metric in METRICS])
@given(data=st.data(), seed=st.integers(0, 99))
def test_definition_order_of_rows_and_counts(metric, data, seed):
    """An example serves all contexts and properties: drawing it takes longer than checking it."""
    case = data.draw(KINDS[metric.arm])
    size = len(case.y_true)
    some = st.lists(st.integers(0, 3), min_size=size, max_size=size).filter(any)
    counted = Case(case.y_true, case.y_pred, np.array(data.draw(some)))
    order = np.random.default_rng(seed).permutation(size)
    values = [
        (context, value_of(metric, case, context), value_of(metric, counted, context))
        for context in CONTEXTS.get(metric.name, [{}])
    ]
    for context, value, of_counts in values:
        check_definition(metric, context, case, value)
        check_order_of_rows(metric, context, case, value, order)
        if metric.name not in CORRECTED:
            check_counts(metric, context, counted, of_counts)


@pytest.mark.parametrize(("metric", "context"), SETTINGS)
def test_absent_rows_have_no_influence(metric, context):
    rng = np.random.default_rng(5)
    y, p = sample(metric, rng, 30)
    weight = rng.integers(0, 3, 30).astype(float)
    weight[:6] = 1.0
    full = rt.estimate(metric.function, y, p, sample_weight=weight, **context)
    kept = weight > 0
    short = rt.estimate(metric.function, y[kept], p[kept], sample_weight=weight[kept], **context)
    assert full.value == pytest.approx(short.value, rel=1e-12)
    assert full.standard_error == pytest.approx(short.standard_error, rel=1e-12)
    assert np.all(full.influence[~kept] == 0)


@pytest.mark.newest
@pytest.mark.parametrize(("metric", "context"), DERIVED)
@pytest.mark.parametrize("seed", range(3))
def test_influence_is_the_derivative_in_the_weights(metric, context, seed):
    rng = np.random.default_rng(seed)
    y, p = sample(metric, rng, 25)
    weight = rng.uniform(0.5, 2.0, 25)
    estimate = rt.estimate(metric.function, y, p, sample_weight=weight, **context)
    total = weight.sum()
    # A total grows with the weight itself; its uncertainty is that of the mean, scaled back.
    mean = normalized(metric, context)
    scale = total ** TOTALS[metric.name] if mean != context else 1.0
    for row in range(25):
        step = 1e-6
        moved = []
        for sign in (+1, -1):
            w = weight.copy()
            w[row] += sign * step
            moved.append(metric.function(y, p, sample_weight=w, **mean))
        derivative = total * (moved[0] - moved[1]) / (2 * step)
        assert estimate.influence[row] == pytest.approx(
            scale * derivative, rel=1e-5, abs=1e-6 * scale
        )
    assert np.sum(weight * estimate.influence) == pytest.approx(0, abs=1e-10 * scale * total)


@pytest.mark.newest
@pytest.mark.parametrize(("metric", "context"), SMOOTH)
def test_standard_error_is_close_to_the_jackknife(metric, context):
    rng = np.random.default_rng(11)
    size = JACKKNIFED.get(metric.name, 200)
    y, p = sample(metric, rng, size)
    mean = normalized(metric, context)
    estimate = rt.estimate(metric.function, y, p, **mean)
    left_out = np.array(
        [metric.function(np.delete(y, i), np.delete(p, i), **mean) for i in range(size)]
    )
    jackknife = np.sqrt((size - 1) / size * np.sum((left_out - left_out.mean()) ** 2))
    assert estimate.standard_error == pytest.approx(jackknife, rel=0.02)


@pytest.mark.simulation
@pytest.mark.parametrize(("metric", "context"), SIMULATED)
def test_intervals_cover(metric, context):
    """Nominal 95 % at n = 200 over 400 samples: within four Monte Carlo errors of the true rate."""
    rng = np.random.default_rng(20)
    mean = normalized(metric, context)

    def draw(size):
        return sample(metric, rng, size, shift=0.3)

    truth = metric.function(*draw(250_000), **mean)  # off by 3 % of a standard error at n = 200
    estimates = [rt.estimate(metric.function, *draw(200), **mean) for _ in range(400)]
    if metric.name in OPTIMISTIC:
        truth = np.mean([estimate.value for estimate in estimates])
    intervals = [estimate.confidence_interval() for estimate in estimates]
    covered = sum(low <= truth <= high for low, high in intervals)
    assert 0.905 <= covered / 400 <= 0.985


BAD_INPUT = [
    ([], [], None, "'y_true' and 'y_pred' must contain at least one case, but are empty."),
    ([1.0, 2.0], [1.0], None, "but 'y_true' has 2 values and 'y_pred' has 1 value."),
    ([1.0, 2.0], [1.0, 2.0], [1.0], "and 'sample_weight' has 1 value."),
    (
        [[1.0], [2.0]],
        [1.0, 2.0],
        None,
        "'y_true' must be one-dimensional, but has the shape (2, 1).",
    ),
    (
        [1.0, np.nan],
        [1.0, 2.0],
        None,
        "'y_true' has missing values (NaN) in row 1 (counted from 0).",
    ),
    (
        ["a", "b"],
        [1.0, 2.0],
        None,
        ("'y_true' must contain real numbers", "'y_true' contains text"),
    ),
    (
        [1.0, 2.0],
        [1.0, 2j],
        None,
        "'y_pred' must contain real numbers, but has the dtype complex128.",
    ),
    (
        [1.0, 2.0],
        [1.0, 2.0],
        [1.0, -1.0],
        "'sample_weight' is negative in row 1 (counted from 0).",
    ),
    ([1.0, 2.0], [1.0, 2.0], [0.0, 0.0], "'sample_weight' is zero for every case."),
    (
        [1.0, 2.0],
        [1.0, 2.0],
        [1.0, np.nan],
        "'sample_weight' has missing values (NaN) in row 1 (counted from 0).",
    ),
]


@pytest.mark.parametrize(("metric", "context"), SETTINGS)
def test_refuses_bad_input_in_a_sentence(metric, context):
    for y_true, y_pred, weight, sentence in BAD_INPUT:
        for call in (metric.function, lambda *a, **k: rt.estimate(metric.function, *a, **k)):
            with pytest.raises(rt.InputError) as caught:
                call(y_true, y_pred, sample_weight=weight, **context)
            told = str(caught.value).replace("'y_score'", "'y_pred'")
            told = told.replace("'y_prob'", "'y_pred'")
            known = [sentence] if isinstance(sentence, str) else sentence
            assert any(each in told for each in known)


@pytest.mark.parametrize(("metric", "context"), SETTINGS)
def test_infinite_predictions(metric, context):
    y, p = np.array([-1.0, 0.0, 0.5]), np.array([-np.inf, 0.3, np.inf])
    if metric.arm == "cutoff":  # they mean "never" and "always"
        slow = getattr(naive, metric.name)(y.tolist(), p.tolist(), **context)
        assert metric.function(y, p, **context) == pytest.approx(slow)
    else:
        sentence = "'y_(pred|score|prob)' has infinite values in rows 0 and 2 "
        with pytest.raises(rt.InputError, match=sentence):
            metric.function(y, p, **context)


@pytest.mark.parametrize(("metric", "context"), SETTINGS)
def test_extreme_values_give_no_nan(metric, context):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "No cutoff of the distribution lies")
        for scale in (1e200, 5e-324, 1e-310, 1.0):
            for pattern in ([1.0, -1.0, 0.0, 3.0], [2.0], [2.0, 2.0, 2.0]):
                errors = scale * np.array(pattern)
                try:
                    value = metric.function(np.zeros(len(errors)), errors, **context)
                except rt.InputError as refusal:  # it has no value, and says so
                    refused = (
                        "so exp(a·error) is too large",
                        "must be between 0 and 1",
                        *UNDEFINED,
                    )
                    value = 0.0 if any(reason in str(refusal) for reason in refused) else np.nan
                assert not np.isnan(value)


@cache
def fitted(arm: str):
    """Return rows, truths and a model of an arm."""
    from sklearn.linear_model import LinearRegression
    from sklearn.neighbors import KNeighborsRegressor

    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 3))
    y = X.sum(axis=1) + rng.normal(size=50)
    if arm == "ordinal":
        y = np.digitize(y, [-1.0, 1.0])
    if arm == "probability":
        y = (y > 0).astype(float)
    return X, y, (KNeighborsRegressor() if arm == "probability" else LinearRegression()).fit(X, y)


@pytest.mark.parametrize(("metric", "context"), SETTINGS)
def test_works_as_a_scorer(metric, context):
    from sklearn.metrics import make_scorer

    X, y, model = fitted(metric.arm)
    scorer = make_scorer(metric.function, greater_is_better=metric.sense == "gain", **context)
    sign = 1 if metric.sense == "gain" else -1
    assert scorer(model, X, y) == sign * metric.function(y, model.predict(X), **context)
