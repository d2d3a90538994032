"""What a page computes from cells brackets the truth, and is a function of the cells alone."""

import dataclasses
import json
import pickle
import subprocess
import sys
import warnings
from types import ModuleType

import numpy as np
import pytest
from cell_samples import ARMS, sample
from hypothesis import given
from hypothesis import strategies as st

import roctopus as rt
from roctopus.concepts.model_cells import RoundedSums
from roctopus.report import honest
from roctopus.report.page import _plain
from roctopus.report.payload import _read_aim, summary_payload
from roctopus.report.settings import Settings
from roctopus.report.subjects import summary_subject
from roctopus.report.summary import cells_of_models, summarise
from simulations import samples

CLOSE = 1e-9
"""Bounds may be off by rounding, relative to the largest value."""


def cells_and_shell(comparison, first, least=10):
    """Return the problem, the cells of each model, and the problem on the sample they stand for."""
    problem, _ = comparison.problem.read_context(first)
    models, _ = cells_of_models(problem, comparison.predictions, least)
    truth, _, weight = next(iter(models.values())).sample()
    return problem, models, problem.on(truth, weight)


def truth_of(problem, prediction):
    """Return the true curve that a page shows: tuned, or at no margin where cutoffs are asked."""
    if problem.context_kind == "truth":
        return problem.untuned_curve(prediction)
    return problem.curve(prediction)


def outside(true, low, high):
    """Return by how much a truth is outside its bounds, relative to the largest value."""
    size = max(np.abs(true).max(), np.abs(high).max(), np.abs(low).max(), 1e-300)
    return max(float((low - true).max()), float((true - high).max())) / size


def faults(arm, seed):
    """Return where bounds do not hold: the model, of what, and by how much."""
    comparison, first, contexts = sample(arm, seed)
    problem, models, shell = cells_and_shell(comparison, first)
    low, high = problem.domain
    at = contexts[(contexts >= low) & (contexts <= high)]
    found = []
    for name, cells in models.items():
        own, prediction = problem.of_model(name), comparison.predictions[name]
        bounds = cells.bounds(shell)
        true = np.asarray(truth_of(own, prediction).at(at))
        off = outside(true, np.asarray(bounds.lower.at(at)), np.asarray(bounds.upper.at(at)))
        if not off <= CLOSE:
            found.append((name, "curve", off))
        if own.raw_meant(own.knob_values(prediction)):
            some = at[:: max(1, len(at) // 20)]
            ends = cells.raw(shell.of_model(name), some)
            if ends is not None:
                means = [
                    np.average(own.untuned(prediction, x, x), weights=own.weight) for x in some
                ]
                off = outside(np.array(means), *ends)
                if not off <= CLOSE:
                    found.append((name, "raw", off))
    return found


@pytest.mark.parametrize("arm", ARMS)
@samples(few=40, many=500)
def test_truth_lies_between_the_bounds(arm, samples):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = {seed: faults(arm, seed) for seed in range(samples)}
    assert {seed: each for seed, each in found.items() if each} == {}


@given(
    truth=st.lists(st.integers(-3, 3), min_size=60, max_size=90),
    errors=st.lists(st.sampled_from([-7, -1, 0, 0, 0, 1, 2, 40]), min_size=90, max_size=90),
    least=st.sampled_from([1, 3, 10]),
    arm=st.sampled_from(["regression", "cutoff"]),
)
def test_few_different_numbers(truth, errors, least, arm):
    y = np.array(truth, dtype=float)
    models = {"a": y + errors[: len(y)], "b": y[::-1] + 0.0}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # "b" may rank in the wrong order
        comparison = rt.compare(y, models, arm=arm)
    first = {"cutoff": 0} if arm == "cutoff" else {"asymmetry": 0.5}
    problem, cells, shell = cells_and_shell(comparison, first, least)
    jumps = np.unique(np.concatenate([y, *models.values()]))
    at = np.concatenate([jumps, *(np.nextafter(jumps, side) for side in (-np.inf, np.inf))])
    contexts = np.sort(at) if arm == "cutoff" else np.linspace(0.0, 1.0, 301)
    for name, each in cells.items():
        bounds, true = each.bounds(shell), truth_of(problem, models[name]).at(contexts)
        assert outside(true, bounds.lower.at(contexts), bounds.upper.at(contexts)) <= CLOSE


@pytest.mark.parametrize("seed", range(8))
def test_without_weights_the_cutoff_curve_is_exact_at_borders(seed):
    rng = np.random.default_rng(seed)
    truth = np.round(rng.gamma(2.0, 20.0, 500), seed % 3)
    models = {"a": truth + rng.normal(0.0, 9.0, 500), "b": truth + 9.0 * rng.standard_t(1.5, 500)}
    comparison = rt.compare(truth, models, arm="cutoff", false_negative_cost=4.0)
    problem, cells, shell = cells_and_shell(comparison, {"cutoff": 30.0})
    for name, each in cells.items():
        at, bounds = each.cells.inner_cuts, each.bounds(shell)
        true = problem.untuned_curve(models[name]).at(at)
        assert len(at) > 8
        np.testing.assert_allclose(bounds.lower.at(at), true, rtol=0.0, atol=1e-12)
        np.testing.assert_allclose(bounds.upper.at(at), true, rtol=0.0, atol=1e-12)


@pytest.mark.parametrize("arm", ["regression", "probability", "ordinal", "impact"])
@pytest.mark.parametrize("seed", range(10))
def test_settings_lie_on_borders(arm, seed):
    comparison, first, _ = sample(arm, seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        _, models, shell = cells_and_shell(comparison, first)
    for each in models.values():
        knobs, borders = each.bounds(shell).knobs, each.cells.cuts + each.offset
        borders = -borders if arm == "regression" else borders
        finite = knobs[np.isfinite(knobs)]
        assert np.all(np.isin(finite, borders)), each


@pytest.mark.parametrize("arm", ["regression", "probability", "ordinal", "impact"])
def test_a_moved_copy_has_the_same_cells(arm):
    rng = np.random.default_rng(0)
    code = rng.integers(0, 2, 400)
    first = code + rng.normal(size=400)
    given = {"probability": code, "ordinal": code}.get(arm, np.exp(first))
    more = {"utility": rt.value_times_price} if arm == "impact" else {}
    models = {"a": first, "b": first + 0.12345, "c": first - 71.0, "d": 1.001 * first}
    comparison = rt.compare(given, models, arm=arm, **more)
    cells, _ = cells_of_models(comparison.problem, comparison.predictions, 10)
    assert cells["a"].cells is cells["b"].cells is cells["c"].cells
    assert cells["a"].cells is not cells["d"].cells
    step = cells["a"].cells.finest
    for name, by in (("b", 0.12345), ("c", -71.0)):
        assert cells[name].offset == pytest.approx(by, abs=0.5 * step)
        assert cells[name].offset / step == pytest.approx(round(cells[name].offset / step))


def test_constants_have_the_same_cells():
    y = np.random.default_rng(0).gamma(2.0, 3.0, 300)
    models = {str(x): np.full(300, x) for x in (1.0, 2.2222, 7.0, -100.0)}
    comparison = rt.compare(y, models, arm="regression")
    cells, constant = cells_of_models(comparison.problem, comparison.predictions, 10)
    assert len({id(each.cells) for each in [*cells.values(), constant]}) == 1


def test_models_that_are_far_apart_are_no_copies():
    rng = np.random.default_rng(0)
    y = rng.normal(size=300)
    models = {"near": y + rng.normal(size=300), "far": y + 1e12 + 50.0 * rng.normal(size=300)}
    comparison = rt.compare(y, models, arm="regression")
    cells, _ = cells_of_models(comparison.problem, comparison.predictions, 10)
    assert cells["near"].cells is not cells["far"].cells
    moved = rt.compare(y, {"a": y, "b": y + 1e12}, arm="regression")
    cells, _ = cells_of_models(moved.problem, moved.predictions, 10)
    assert cells["a"].cells is cells["b"].cells


def summary_of(comparison, least=10, **first):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        problem, aim = _read_aim(comparison, first)
        return summarise(comparison, problem, aim, least, lambda done, total: None)


def questions():
    """Return a summary of each arm, some of them for a range or a distribution."""
    seeds = {"regression": 0, "cutoff": 5, "probability": 4, "ordinal": 4, "impact": 0}
    found = {
        arm: (sample(arm, seed).comparison, sample(arm, seed).first) for arm, seed in seeds.items()
    }
    y = np.random.default_rng(0).gamma(3.0, 10.0, 300)
    models = {"a": y + np.random.default_rng(1).normal(0, 5, 300)}
    found["outputs"] = (rt.compare(y, models, arm="cutoff"), {"distribution": rt.Output()})
    found["worst"] = (rt.compare(y, models, arm="cutoff"), {"between": (20, 40)})
    found["shares"] = (rt.compare(y, models, arm="regression"), {"between": (0.2, 0.4)})
    found["beta"] = (rt.compare(y, models, arm="regression"), {"distribution": rt.Beta(2, 5)})
    found["copies"] = (
        rt.compare(y, {"a": models["a"], "b": models["a"] + 3.0}, arm="regression"),
        {"asymmetry": 0.5},
    )
    return found


QUESTIONS = [
    "regression",
    "cutoff",
    "probability",
    "ordinal",
    "impact",
    "outputs",
    "worst",
    "shares",
    "beta",
    "copies",
]
READ = """
import json, pickle, sys
from roctopus.concepts.model_cells import RoundedSums
from roctopus.report.page import _plain
from roctopus.report.payload import summary_payload
summary = pickle.load(sys.stdin.buffer)
print(json.dumps(_plain(summary_payload(summary)), sort_keys=True))
"""


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_page_is_a_function_of_its_summary(name):
    comparison, first = questions()[name]
    summary = summary_of(comparison, **first)
    kept = pickle.dumps(summary)
    here = json.dumps(_plain(summary_payload(summary)), sort_keys=True)
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", READ],
        input=kept,
        capture_output=True,
        check=True,
    )
    assert run.stdout.decode().strip() == here


def walk(value, path, seen, yielded):
    """Yield everything that can be reached from an object by its attributes."""
    plain = (str, bytes, int, float, type, type(None), ModuleType)
    if id(value) in seen or isinstance(value, plain):
        return
    seen[id(value)] = value
    yielded.append((path, value))
    if isinstance(value, np.ndarray):
        return
    parts = {}
    if isinstance(value, dict):
        parts = dict(value)
    elif isinstance(value, (list, tuple, set, frozenset)):
        parts = dict(enumerate(value))
    elif dataclasses.is_dataclass(value):
        parts = {each.name: getattr(value, each.name) for each in dataclasses.fields(value)}
    for inner in ("__dict__", "__closure__", "__self__", "__wrapped__"):
        held = getattr(value, inner, None)
        if isinstance(held, dict):
            parts |= held
        elif inner == "__closure__" and held:
            parts |= {f"cell {k}": each.cell_contents for k, each in enumerate(held)}
        elif held is not None and inner != "__dict__":
            parts[inner] = held
    for key, part in parts.items():
        walk(part, f"{path}.{key}", seen, yielded)


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_summary_holds_no_rows(name):
    comparison, first = questions()[name]
    summary = summary_of(comparison, **first)
    size, rows = len(comparison.problem), [*comparison.predictions.values()]
    found = []
    walk(summary, "summary", {}, found)
    assert any(isinstance(each, np.ndarray) for _, each in found)
    assert any(hasattr(each, "context_kind") for _, each in found)
    whole: list = []
    walk(comparison, "comparison", {}, whole)  # which does hold rows, so the walk finds them
    assert any(isinstance(each, np.ndarray) and each.size >= size for _, each in whole)
    for path, each in found:
        if isinstance(each, np.ndarray):
            assert each.size < size, path
            assert not any(np.shares_memory(each, row) for row in rows), path
        elif isinstance(each, (list, tuple, set, frozenset)):
            assert len(each) < size, path


def test_untuned_scores_are_shown_as_they_are_cut():
    """Scores beyond 0 and 1 are cut at 0, in the page as everywhere."""
    rng = np.random.default_rng(0)
    code = (rng.random(600) < 0.4).astype(float)
    models = {
        "chance": np.clip(0.4 * code + 0.5 * rng.random(600), 0, 1),
        "score": 2.0 * code - 1.0 + rng.normal(size=600),
    }
    comparison = rt.compare(code, models, arm="probability")
    subject = summary_subject(summary_of(comparison, false_positive_cost=1, false_negative_cost=1))
    for name, shown in subject.raw.items():
        assert shown is not None
        own = comparison.problem.of_model(name)
        true = own.untuned_curve(models[name]).at(shown.contexts)
        assert outside(true, shown.low, shown.high) <= CLOSE, name
        assert np.mean(shown.high - shown.low) < 0.2 * np.mean(true)


@pytest.mark.parametrize("arm", ["probability", "ordinal"])
def test_one_heavy_case_of_a_class(arm):
    """Weights are rounded to the heaviest case: a light class is small, but it is there."""
    rng = np.random.default_rng(0)
    code = (np.arange(300) < 12).astype(float)
    weight = np.append(rng.uniform(0.1, 1.0, 299), 80.0)
    models = {"a": np.clip(0.5 * code + 0.5 * rng.random(300), 0, 1)}
    comparison = rt.compare(code, models, arm=arm, sample_weight=weight)
    first = {"costs": [1, 1]} if arm == "ordinal" else {"cost_proportion": 0.5}
    problem, cells, shell = cells_and_shell(comparison, first)
    contexts = np.linspace(*problem.domain, 201) if arm == "probability" else np.linspace(0, 5, 201)
    bounds, true = cells["a"].bounds(shell), problem.curve(models["a"]).at(contexts)
    assert outside(true, bounds.lower.at(contexts), bounds.upper.at(contexts)) <= CLOSE


def test_cutoffs_beyond_all_truths():
    """Predictions far beyond all truths are wrong there, and no border tells how far they are."""
    rng = np.random.default_rng(0)
    truth = rng.random(300)
    models = {"wild": np.where(rng.random(300) < 0.2, 40.0, truth), "calm": truth}
    comparison = rt.compare(truth, models, arm="cutoff")
    problem, cells, shell = cells_and_shell(comparison, {"cutoff": 30.0})
    at = np.array([-50.0, -3.0, 1.5, 2.5, 12.0, 30.0, 40.0, 41.0])
    for name, each in cells.items():
        bounds, true = each.bounds(shell), problem.untuned_curve(models[name]).at(at)
        assert outside(true, bounds.lower.at(at), bounds.upper.at(at)) <= CLOSE


@pytest.mark.parametrize("size", [1.0, 1e4])
def test_an_error_that_all_cases_share_is_in_a_wide_cell(size):
    """What differs by rounding is the same: else borders are narrowed down to it."""
    rng = np.random.default_rng(0)
    y = size * rng.gamma(3.0, 10.0, 300)
    comparison = rt.compare(y, {"a": y + 0.123456789 * size}, arm="regression")
    cells, _ = cells_of_models(comparison.problem, comparison.predictions, 10)
    assert cells["a"].cells.width.max() >= 0.1 * size
    assert cells["a"].cells.count <= 2


@given(
    counts=st.lists(st.integers(1, 40), min_size=1, max_size=5),
    share=st.floats(0.0, 1.0),
    least=st.integers(1, 12),
)
def test_any_case_may_be_anywhere_in_its_cell(counts, share, least):
    """Sums are within their bounds, and these leave room for every value of a single case."""
    held, step = np.array(counts), 2.0
    sums = share * held * step
    found = RoundedSums.of(sums, step, held, least)
    assert np.all(found.low <= sums)
    assert np.all(sums <= found.high)
    others = (held - 1) * step
    assert np.all(found.low <= others)  # one case may add nothing, whatever the others are
    assert np.all(found.high >= step)  # or all that a case can add
    alone = held == 1
    assert np.all(found.steps[alone] == 0)


@pytest.mark.parametrize("arm", ["probability", "ordinal"])
def test_answers_and_curves_tell_the_same_of_models_as_they_are(arm):
    """The tile beside the answer and the column of the table show one number."""
    rng = np.random.default_rng(4)
    grade = rng.integers(0, 2 if arm == "probability" else 3, 90).astype(float)
    score = grade + 0.7 * rng.normal(size=90)
    if arm == "probability":
        score = 1.0 / (1.0 + np.exp(1.0 - 2.0 * score))
    first = {"cost_ratio": 4.7} if arm == "probability" else {"costs": [1, 1, 3]}
    comparison = rt.compare(grade, {"a": score}, arm=arm)
    problem, aim = comparison.aim(None, None, None, first)
    cells, _ = cells_of_models(problem, comparison.predictions, 10)
    found = honest._answered(comparison, problem, aim, float(aim.contexts[0]))
    told = honest._as_told(comparison, found, Settings(cells, None, 10)).weighed
    truth, _, weight = cells["a"].sample()
    drawn = cells["a"].raw_middle(problem.on(truth, weight), aim.contexts)
    assert told.honest.estimates["raw", "a"].value == pytest.approx(drawn[0], rel=1e-9)
