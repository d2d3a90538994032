"""Margins over several cutoffs beyond memory: bounds from joint masses hold, whatever the data."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from parity import Batches, dataset, large, memory

import roctopus as rt
from roctopus.concepts.given_distributions import as_distribution
from strategies import cases

pytestmark = pytest.mark.filterwarnings("ignore::roctopus.core.errors.RoctopusWarning")
COSTS = st.sampled_from([(1.0, 1.0), (1.0, 4.0), (2.0, 0.5), (0.0, 3.0), (1.0, 0.0)])
COARSE = {"buckets": 16, "progress": False}


@st.composite
def columns(draw):
    """Cases with ties, weights and infinite predictions."""
    case = draw(cases(max_size=25))
    rng = np.random.default_rng(draw(st.integers(0, 1000)))
    share = draw(st.sampled_from([0.0, 0.0, 0.3]))
    prediction = case.y_pred.copy()
    prediction[rng.random(len(prediction)) < share] = np.inf
    prediction[rng.random(len(prediction)) < share] = -np.inf
    weight = case.sample_weight
    mass = np.ones(len(prediction)) if weight is None else weight
    assume(np.count_nonzero(mass) >= 2)
    return {"y": case.y_true, "a": prediction, "w": mass}


def both(found, costs):
    pair = dict(zip(("false_positive_cost", "false_negative_cost"), costs, strict=True))
    mine = memory("y", found, ["a"], "cutoff", "w", **pair)
    return mine, large("y", Batches(found, 7), ["a"], "cutoff", "grid", "w", **pair, **COARSE)


def margins(prediction, *cutoffs):
    """Return margins at which cases turn, those between them, and those beyond all."""
    finite = prediction[np.isfinite(prediction)]
    turns = np.unique(np.concatenate([np.ravel(c) - finite for c in cutoffs]))
    between = 0.5 * turns[1:] + 0.5 * turns[:-1]
    ends = [turns[0] - 1.0, turns[-1] + 1.0] if len(turns) else []
    return np.concatenate([[0.0], turns, between, ends])


@given(found=columns(), costs=COSTS, seed=st.integers(0, 99), points=st.booleans())
def test_no_margin_costs_less_than_the_bound_over_a_distribution(found, costs, seed, points):
    mine, its = both(found, costs)
    rng = np.random.default_rng(seed)
    low, high = float(found["y"].min()) - 0.5, float(found["y"].max()) + 0.5
    spread = rt.Empirical(rng.uniform(low, high, 5)) if points else rt.Uniform(low, high)
    exact = as_distribution(spread)
    places = exact.support if points else np.linspace(low, high, 40)
    tried = margins(mine.predictions["a"], *places)
    values = [
        np.average(
            mine.problem.expected(mine.predictions["a"], np.array([m]), exact),
            weights=mine.problem.weight,
        )
        for m in tried
    ]
    learned, _ = its.learned(*its.aim(None, None, spread, {}))
    assert learned.least["a"] <= min(values) + 1e-12
    assert learned.least["a"] <= learned.scores["a"] + 1e-12
    margin = learned.knobs["a"].chosen
    told = mine.problem.expected(mine.predictions["a"], margin, exact)
    assert learned.scores["a"] == pytest.approx(
        np.average(told, weights=mine.problem.weight), rel=1e-9, abs=1e-12
    )


@given(found=columns(), costs=COSTS, seed=st.integers(0, 99), regret=st.booleans())
def test_no_margin_is_better_at_its_worst_than_the_bound(found, costs, seed, regret):
    mine, its = both(found, costs)
    rng = np.random.default_rng(seed)
    low, high = np.sort(rng.uniform(found["y"].min() - 0.5, found["y"].max() + 0.5, 2)).tolist()
    prediction, problem = mine.predictions["a"], mine.problem
    inner = found["y"][(found["y"] > low) & (found["y"] < high)]
    cutoffs = np.unique(np.concatenate([[low, high], inner, np.nextafter(inner, np.inf)]))
    cutoffs = np.union1d(cutoffs, np.linspace(low, high, 30))
    best = problem.curve(prediction)

    def worst(margin):
        curve = problem.curve_at(prediction, np.array([margin]))
        part = (curve.minus(best) if regret else curve).function
        return max(part.restrict(low, high).start.max(), part.at(low))

    criterion = "regret" if regret else None
    learned, _ = its.learned(*its.aim((low, high), criterion, None, {}))
    some = margins(prediction, *rng.choice(cutoffs, min(6, len(cutoffs)), replace=False))
    assert learned.least["a"] <= min(map(worst, some)) + 1e-9


@given(found=columns(), costs=COSTS)
def test_the_tuned_curve_lies_between_its_bounds(found, costs):
    mine, its = both(found, costs)
    exact, curve = mine.curves()["a"], its.curves()["a"]
    ends = np.unique(np.append(found["y"], curve.function.knots[1:-1]))
    x = np.concatenate([ends, 0.5 * ends[1:] + 0.5 * ends[:-1], [ends[0] - 1, ends[-1] + 1]])
    assert np.all(curve.lower.at(x) <= exact.at(x) + 1e-12)
    assert np.all(exact.at(x) <= curve.upper.at(x) + 1e-12)
    assert np.all((curve.lower.at(x) <= curve.at(x)) & (curve.at(x) <= curve.upper.at(x)))


def sample(size=20_000):
    rng = np.random.default_rng(0)
    y = rng.normal(size=size)
    return {
        "y": y,
        "a": 0.7 * y + 0.5 * rng.normal(size=size) + 0.3,
        "b": y + rng.normal(size=size),
    }


@pytest.mark.parametrize(
    "asked",
    [
        {"distribution": rt.Normal(0, 1)},
        {"distribution": rt.Empirical([-1.0, 0.0, 0.5])},
        {"between": (-0.5, 1.0)},
    ],
)
def test_margins_are_nearly_as_good_as_those_of_memory(asked):
    found, pair = sample(), {"false_negative_cost": 4.0}
    mine = memory("y", found, ["a", "b"], "cutoff", **pair)
    its = large("y", dataset(found), ["a", "b"], "cutoff", "grid", progress=False, **pair)
    for name in ("a", "b"):
        best, near = (
            each.learned(*each.aim(asked.get("between"), None, asked.get("distribution"), {}))[0]
            for each in (mine, its)
        )
        assert near.scores[name] <= 1.005 * best.scores[name]
        assert 0.97 * best.scores[name] <= near.least[name] <= best.scores[name]
    decision = its.decide(**asked)
    assert decision.knob[0] != 0.0
    assert any("certainly at least" in each for each in decision.warnings)
    table = its.table(backend="pandas", **asked)
    assert np.all(table["in_sample_at_least"][:2] <= table["in_sample"][:2])
