"""Margins: the best one for a cutoff, several, cutoffs of the cases, a range, a distribution."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import roctopus as rt
from roctopus.concepts.given_distributions import as_distribution
from roctopus.cutoff import CutoffTuning, margins
from roctopus.cutoff.problem import CutoffDecisions
from roctopus.datasets import load_concrete, load_wine
from roctopus.inference import ranges
from roctopus.inference.ranges import tune_between, worst_of
from strategies import cases

costs = st.sampled_from([(1.0, 1.0), (1.0, 4.0), (2.0, 0.5), (0.0, 3.0), (1.0, 0.0)])
infinite = st.sampled_from([0.0, 0.0, 0.3])
NONE = np.zeros(1)


@st.composite
def problems(draw, max_size=10):
    """Cases with ties, weights, infinite predictions and free errors."""
    case = draw(cases(max_size=max_size))
    rng = np.random.default_rng(draw(st.integers(0, 1000)))
    prediction, share = case.y_pred.copy(), draw(infinite)
    prediction[rng.random(len(prediction)) < share] = np.inf
    prediction[rng.random(len(prediction)) < share] = -np.inf
    return CutoffDecisions(case.y_true, case.sample_weight, *draw(costs)), prediction


def mean(problem, prediction, margin, cutoff):
    outcomes = problem.outcomes(prediction, np.array([margin]), cutoff)
    return float(np.average(outcomes, weights=problem.weight))


def candidates(prediction, *cutoffs):
    """Return margins at which cases turn, those between them, and those beyond all."""
    finite = prediction[np.isfinite(prediction)]
    turns = np.unique(np.concatenate([np.ravel(c) - finite for c in cutoffs]))
    between = 0.5 * turns[1:] + 0.5 * turns[:-1]
    ends = [turns[0] - 1.0, turns[-1] + 1.0] if len(turns) else []
    return np.concatenate([[0.0], turns, between, ends])


def apart(prediction):
    """Tell whether margins part all predictions: some are nearer to each other than rounding."""
    finite = np.unique(prediction[np.isfinite(prediction)])
    return np.abs(finite).max(initial=0.0) < 1e4 and np.diff(finite).min(initial=1.0) > 1e-9


def equal(value, want, problem):
    size = max(problem.false_positive_cost, problem.false_negative_cost)
    assert value == pytest.approx(want, rel=1e-12, abs=1e-12 * size)


def reached(value, want, problem, prediction):
    """Compare a curve with what margins reach: no margin parts predictions that rounding joins."""
    if apart(prediction):
        equal(value, want, problem)
    else:
        assert value <= want + 1e-12


@given(problem=problems(), which=st.integers(0, 40))
def test_the_margin_for_a_cutoff_is_the_best_of_all(problem, which):
    cases, prediction = problem
    ends = np.unique(np.append(cases.y_true, prediction[np.isfinite(prediction)]))
    cutoffs = np.concatenate([ends, 0.5 * ends[1:] + 0.5 * ends[:-1], [ends[0] - 1, ends[-1] + 1]])
    cutoff = float(cutoffs[which % len(cutoffs)])
    knob = cases.tune(prediction, np.array([cutoff]), NONE)
    margins = candidates(prediction, cutoff)
    least = min(mean(cases, prediction, m, cutoff) for m in margins)
    equal(mean(cases, prediction, knob.chosen[0], cutoff), least, cases)
    reached(cases.curve(prediction).at(cutoff), least, cases, prediction)
    assert np.isfinite(knob.chosen).all()
    assert knob.low <= knob.chosen < knob.high or knob.chosen == 0.0
    if mean(cases, prediction, 0.0, cutoff) <= least:
        assert knob.chosen == 0.0
    for margin in margins[(margins > knob.low) & (margins < knob.high)]:
        equal(mean(cases, prediction, margin, cutoff), least, cases)


@given(problem=problems(max_size=7), count=st.integers(2, 4), seed=st.integers(0, 99))
def test_of_several_cutoffs_the_worst_is_least(problem, count, seed):
    cases, prediction = problem
    rng = np.random.default_rng(seed)
    cutoffs = rng.choice(np.append(cases.y_true, cases.y_true + 0.125), count)
    handicaps = rng.choice([0.0, 0.25, 0.5], count)

    def worst(margin):
        return max(
            mean(cases, prediction, margin, c) - h for c, h in zip(cutoffs, handicaps, strict=True)
        )

    knob = cases.tune(prediction, cutoffs, handicaps)
    least = min(worst(m) for m in candidates(prediction, *cutoffs))
    equal(worst(knob.chosen[0]), least, cases)


@given(problem=problems(max_size=40), seed=st.integers(0, 99))
def test_parts_of_the_cases_are_tuned_together_as_alone(problem, seed):
    cases, prediction = problem
    rng = np.random.default_rng(seed)
    cutoff = float(rng.choice(cases.y_true))
    parts = [rng.integers(len(cases), size=len(cases)) for _ in range(5)]
    heaviest = 0 if cases.weight is None else int(np.argmax(cases.weight))
    for rows in parts:
        rows[0] = heaviest  # a part whose rows weigh nothing has no mean
    together = cases.tune_parts(prediction, cutoff, parts)
    if together is None:
        assert not np.isfinite(prediction).all()
        return
    for rows, (knob, value) in zip(parts, together, strict=True):
        part, mine = cases.take(rows), prediction[rows]
        alone = part.tune(mine, np.array([cutoff]), NONE)
        equal(value, mean(part, mine, alone.chosen[0], cutoff), part)
        equal(mean(part, mine, knob.chosen[0], cutoff), value, part)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_cases_that_cannot_matter_change_nothing(seed, weighted, monkeypatch):
    rng = np.random.default_rng(seed)
    y = rng.normal(size=3_000)
    prediction = y + rng.normal(size=3_000) ** (1 + 2 * (seed % 2))
    if seed > 1:
        y, prediction = np.round(y, 1), np.round(prediction, 1)
    cases = CutoffDecisions(y, rng.uniform(0.5, 2.0, 3_000) if weighted else None, 1.0, 3.0)
    found = cases.tune(prediction, np.array([0.3]), NONE)
    monkeypatch.setattr(margins, "MANY", 10_000)
    want = cases.tune(prediction, np.array([0.3]), NONE)
    np.testing.assert_array_equal(found, want)


@given(problem=problems(max_size=9), seed=st.integers(0, 99))
def test_what_is_ruled_out_once_need_not_be_looked_at_again(problem, seed):
    cases, prediction = problem
    rng = np.random.default_rng(seed)
    places = np.unique(np.concatenate([cases.y_true, cases.y_true + 0.125, cases.y_true - 0.25]))
    cutoffs = rng.permutation(places)[:9]
    handicaps = rng.choice([0.0, 0.25, 0.5], len(cutoffs))
    tune, most = cases.tuner(prediction), np.inf

    def worst(margin, count):
        pairs = zip(cutoffs[:count], handicaps[:count], strict=True)
        return max(mean(cases, prediction, margin, c) - h for c, h in pairs)

    for count in range(min(2, len(cutoffs)), len(cutoffs) + 1):
        knob = tune(cutoffs[:count], handicaps[:count], most)
        again = cases.tune(prediction, cutoffs[:count], handicaps[:count])
        equal(worst(knob.chosen[0], count), worst(again.chosen[0], count), cases)
        most = min(most, worst(knob.chosen[0], len(cutoffs)))


@pytest.mark.parametrize("seed", [0, 1, 3, 14, 15])
def test_regret_of_hundreds_of_cases_is_certified(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    y = rng.normal(size=800)
    models = {"a": 0.7 * y + 0.6 * rng.normal(size=800) + 0.3, "b": y + rng.normal(size=800)}
    cases = CutoffDecisions(y, None, 1.0, 4.0 if seed % 2 else 1.0)
    best = rt.envelope({name: cases.curve(p) for name, p in models.items()}).curve
    monkeypatch.setattr(ranges, "_others", lambda *_: pytest.fail("a bound was not reached"))
    for prediction in models.values():
        tune_between(cases, prediction, (-0.5, 1.0), best)


@given(problem=problems(), seed=st.integers(0, 99), sized=st.booleans())
def test_cutoffs_of_the_cases_are_a_threshold_on_the_difference(problem, seed, sized):
    cases, prediction = problem
    rng = np.random.default_rng(seed)
    cutoffs = rng.choice(np.append(cases.y_true, cases.y_true + 0.125), len(cases))
    unit = rng.integers(1, 4, len(cases)).astype(float) if sized else None
    knob = cases.tune_rows(prediction, cutoffs, unit)
    weight = np.ones(len(cases)) if cases.weight is None else cases.weight
    mass = weight if unit is None else weight * unit

    def loss(margin):
        outcomes = cases.outcomes(prediction, np.array([margin]), cutoffs)
        return float(np.average(outcomes, weights=mass))

    finite = np.isfinite(prediction)
    turns = np.unique((cutoffs - prediction)[finite])
    between = [
        *(0.5 * turns[1:] + 0.5 * turns[:-1]),
        *(turns[[0, -1]] + [-1, 1] if len(turns) else []),
    ]
    equal(loss(knob.chosen[0]), min(map(loss, [0.0, *turns, *between])), cases)


@given(problem=problems())
def test_the_tuned_curve_is_the_least_cost_and_its_margins_reach_it(problem):
    cases, prediction = problem
    curve = cases.curve(prediction)
    knots = np.unique(cases.y_true)
    points = np.concatenate([knots, knots + 0.125, [knots[0] - 9.0]])
    for cutoff, margin in zip(points, curve.knob_at(points), strict=True):
        least = min(mean(cases, prediction, m, cutoff) for m in candidates(prediction, cutoff))
        reached(curve.at(cutoff), least, cases, prediction)
        if apart(prediction):
            equal(mean(cases, prediction, margin, cutoff), least, cases)
    plain = rt.cutoff_error_curve(
        cases.y_true, prediction, sample_weight=cases.weight, **cases.settings()
    )
    np.testing.assert_array_equal(cases.untuned_curve(prediction).at(points), plain.at(points))


def sample(n=400, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.normal(size=n)
    return y, 0.7 * y + 0.5 * rng.normal(size=n) + 0.3


DISTRIBUTIONS = {
    "normal": rt.Normal(0, 1),
    "beta": rt.Beta(2.5, 3.7, -4, 4),
    "uniform": rt.Uniform(-1, 1),
    "narrow": rt.Uniform(2.0, 2.1),
    "skewed": rt.LogNormal(0, 1),
    "few": rt.Empirical([-1.0, 0.0, 0.0, 0.5]),
    "many": rt.Empirical(np.random.default_rng(1).normal(size=300)),
}


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", DISTRIBUTIONS)
@pytest.mark.parametrize("pair", [(1.0, 1.0), (1.0, 4.0), (3.0, 0.0)])
def test_for_a_distribution_it_is_as_good_as_a_dense_search(name, pair, weighted):
    y, p = sample()
    p[:3], p[3:5] = np.inf, -np.inf
    weight = np.random.default_rng(2).uniform(0.5, 2.0, len(y)) if weighted else None
    cases, exact = CutoffDecisions(y, weight, *pair), as_distribution(DISTRIBUTIONS[name])

    def loss(margin):
        return np.average(cases.expected(p, np.array([margin]), exact), weights=weight)

    margin = float(cases.tune_expected(p, exact).chosen[0])
    tried = np.concatenate([np.linspace(-8, 8, 801), margin + np.linspace(-0.1, 0.1, 101)])
    assert np.isfinite(margin)
    assert loss(margin) <= 1.001 * min(map(loss, tried)) + 1e-12


def test_many_cases_are_bounded_in_buckets():
    y, p = sample(100_000)
    cases, exact = CutoffDecisions(y, None, 1.0, 4.0), as_distribution(rt.Normal(0, 1))
    margin = float(cases.tune_expected(p, exact).chosen[0])
    losses = [cases.expected(p, np.array([m]), exact).mean() for m in np.linspace(-1, 1, 81)]
    assert cases.expected(p, np.array([margin]), exact).mean() <= 1.001 * min(losses)


@pytest.mark.parametrize("regret", [False, True])
@pytest.mark.parametrize("pair", [(1.0, 1.0), (1.0, 4.0)])
def test_over_a_range_the_worst_cutoff_is_at_its_best(pair, regret):
    y, p = sample(150)
    cases = CutoffDecisions(y, None, *pair)
    reference = cases.curve(p) if regret else None
    knob, worst = tune_between(cases, p, (-0.5, 1.0), reference)

    def at(margin):
        return worst_of(cases, p, np.array([margin]), (-0.5, 1.0), reference).value

    assert at(knob.chosen[0]) == pytest.approx(worst.value)
    assert worst.value <= 1.001 * min(map(at, np.linspace(-3, 3, 1201))) + 1e-12


def test_the_worst_case_of_a_range_is_not_below_a_cutoff_inside_it():
    y, p = sample(300)
    pair = {"false_positive_cost": 1.0, "false_negative_cost": 4.0}
    comparison = rt.compare(y, {"a": p, "b": y + 0.9 * p}, arm="cutoff", **pair)
    problem, aim = comparison.aim((-0.5, 1.0), None, None, {})
    learned, honest = comparison.learned(problem, aim)
    for name, prediction in comparison.predictions.items():
        margin = learned.knobs[name].chosen[0]
        for cutoff in np.linspace(-0.5, 1.0, 31):
            raw = mean(problem, prediction, 0.0, cutoff)
            assert honest.estimates["raw", name].value >= raw - 1e-12
            assert learned.scores[name] >= mean(problem, prediction, margin, cutoff) - 1e-12
            # Out of sample: each case with the margin of the folds it is not in.
            raised = np.empty(len(y))
            rounds = next(iter(comparison.rounds()))
            for (_, test), taught in zip(rounds, honest.fitted.learned, strict=False):
                raised[test] = prediction[test] + taught.learned.knobs[name].chosen
            first = float(np.mean(honest.fitted.rounds[0][list(learned.scores).index(name)]))
            assert first >= mean(problem, raised, 0.0, cutoff) - 1e-12


def test_infinite_predictions_never_move_and_costs_may_be_zero():
    y = np.array([1.0, 2.0, 3.0, 4.0])
    cases = CutoffDecisions(y, None, 0.0, 1.0)
    knob = cases.tune(np.array([np.inf, -np.inf, 1.0, 2.0]), np.array([2.5]), NONE)
    assert mean(cases, np.array([np.inf, -np.inf, 1.0, 2.0]), knob.chosen[0], 2.5) == 0.0
    assert cases.tune(np.full(4, np.inf), np.array([2.5]), NONE).chosen == 0.0
    with pytest.raises(rt.InputError, match="are both zero"):
        rt.compare(y, {"a": y}, arm="cutoff", false_positive_cost=0, false_negative_cost=0)


def test_predictions_too_close_to_be_parted_are_not_counted_as_parted():
    y, p = np.array([0.0, 2.0]), np.array([0.0, 1e-20])
    cases = CutoffDecisions(y)
    knob = cases.tune(p, np.array([1.0]), NONE)
    assert mean(cases, p, knob.chosen[0], 1.0) == 0.5


@pytest.mark.parametrize("load", [load_concrete, load_wine])
def test_on_real_data_a_margin_beats_raw_predictions_and_constant_answers(load):
    from sklearn.linear_model import Ridge
    from sklearn.model_selection import cross_val_predict
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    X, y = load(return_X_y=True)
    p = cross_val_predict(make_pipeline(StandardScaler(), Ridge()), X, y, cv=10)
    cutoff = float(np.quantile(y, 0.7))
    found = rt.compare(
        y, {"ridge": p}, arm="cutoff", false_positive_cost=1.0, false_negative_cost=4.0
    )
    problem, aim = found.aim(None, None, None, {"cutoff": cutoff})
    _, honest = found.learned(problem, aim)
    tuned = honest.models["ridge"].value
    beside = {key: each.value for key, each in honest.estimates.items()}
    assert tuned < 0.95 * beside["raw", "ridge"]
    assert tuned < min(beside["baseline", "always yes"], beside["baseline", "always no"])


def test_the_tuning_for_honest_values_has_a_margin():
    y, p = sample(200)
    tuning = CutoffTuning(0.5, 1.0, 4.0)
    margin = tuning.learn(y, p)
    assert margin.shape == (1,)
    cases = CutoffDecisions(y, None, 1.0, 4.0)
    np.testing.assert_array_equal(tuning.outcomes(y, p, margin), cases.outcomes(p, margin, 0.5))
    assert dataclasses.replace(tuning, cutoff=1.0).learn(y, p) != margin


def test_a_hybrid_has_a_margin_for_each_part_of_the_cutoffs():
    """Predictions are too far from the middle: what is added to them falls with the cutoff."""
    rng = np.random.default_rng(5)
    y = rng.uniform(0.0, 10.0, 3000)
    p = y + 0.5 * (y - 5.0) + 0.5 * rng.normal(size=3000)
    pair = {"false_positive_cost": 1.0, "false_negative_cost": 4.0}
    comparison = rt.compare(y, {"a": p}, arm="cutoff", **pair)
    spread = rt.Uniform(1.0, 9.0)
    plain = comparison.decide(distribution=spread)
    decision = comparison.decide(distribution=spread, hybrid=True)
    assert 2 <= len(decision.regions) <= 64
    assert decision.value < 0.7 * plain.value
    margins = {0.5 * (low + high): knob[0] for low, high, _, knob in decision.regions}
    low, high = (np.mean([m for c, m in margins.items() if a < c < b]) for a, b in ((1, 3), (7, 9)))
    assert high < low

    class Known:
        def predict(self, X):
            return p[X]

    ready = decision.deploy({"a": Known()})
    rows, cutoff = np.arange(50), np.linspace(1.1, 8.9, 50)
    said = ready.predict(rows, cutoff=cutoff)
    which = np.searchsorted([last for _, last, _, _ in decision.regions[:-1]], cutoff)
    margin = np.array([decision.regions[k][3][0] for k in which])
    np.testing.assert_array_equal(said, (p[:50] + margin >= cutoff).astype(int))
