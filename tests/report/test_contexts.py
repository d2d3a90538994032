"""What a page shows between its stored contexts is never further off than it says."""

import base64

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pages import examples

import roctopus as rt
from roctopus.concepts.context_curve import ContextCurve
from roctopus.core.piecewise import Piecewise
from roctopus.report.contexts import choose_contexts, interpolation_errors, shown_range
from roctopus.report.payload import comparison_payload


def largest_errors(curve, contexts, stored):
    """Return how far straight lines are from the curve in each cell, by looking everywhere."""
    knots = curve.function.knots
    inner = knots[(knots >= contexts[0]) & (knots <= contexts[-1])]
    ends = np.concatenate([contexts, inner])
    x = np.concatenate(
        [
            ends,
            np.nextafter(ends, np.inf),
            np.nextafter(ends, -np.inf),
            np.linspace(contexts[0], contexts[-1], 2001),
        ]
    )
    x = np.unique(x[(x >= contexts[0]) & (x <= contexts[-1])])
    gaps = np.abs(curve.at(x) - np.interp(x, contexts, stored))
    cells = np.clip(np.searchsorted(contexts, x, "right") - 1, 0, len(contexts) - 2)
    found = np.zeros(len(contexts) - 1)
    np.maximum.at(found, cells, gaps)
    return found


def unpack(packed):
    return np.frombuffer(base64.b64decode(packed["f64"]), "<f8")


@given(
    truths=st.lists(st.integers(0, 6), min_size=2, max_size=12),
    errors=st.lists(st.integers(-4, 4), min_size=12, max_size=12),
    contexts=st.sets(st.sampled_from(np.arange(-1.0, 8.0, 0.5).tolist()), min_size=2, max_size=6),
)
def test_jumps_at_stored_contexts_are_errors(truths, errors, contexts):
    truth = np.array(truths, dtype=float)
    prediction = truth + errors[: len(truth)]
    at = np.array(sorted(contexts))
    for curve in (
        rt.cutoff_error_curve(truth, prediction),
        rt.asymmetry_cost_curve(truth, prediction),
    ):
        low, high = curve.function.domain
        inside = at if np.isinf(low) else low + (high - low) * (at + 1.0) / 9.0
        found = interpolation_errors(curve, inside)
        expected = largest_errors(curve, inside, curve.at(inside))
        np.testing.assert_allclose(found, np.maximum(found, expected - 1e-12))
        assert found.max() <= expected.max() + 1e-9


@pytest.mark.parametrize(("continuity", "values"), [("left", [0.0, 0.6]), ("right", [0.6, 0.0])])
def test_a_jump_at_the_first_or_last_context(continuity, values):
    """Six cases in ten are wrong as soon as the slider leaves one of its ends."""
    steps = Piecewise.steps([-np.inf, 0.0, 10.0, np.inf], [0.0, 0.6, 0.0], continuity)
    curve = ContextCurve(steps, "cutoff", "error")
    contexts = np.array([0.0, 10.0])
    assert curve.at(contexts).tolist() == values
    assert interpolation_errors(curve, contexts).tolist() == [0.6]


def ends_on_values():
    """Return a comparison whose slider begins and ends at cutoffs that most cases share."""
    rng = np.random.default_rng(0)
    truth = np.repeat([0.0, 10.0, 20.0], [600, 100, 300])
    models = {"a": truth + rng.choice([-13.0, 0.0, 13.0], 1000), "b": truth + rng.normal(size=1000)}
    return rt.compare(truth, models, arm="cutoff"), {"cutoff": 10.0}


@pytest.mark.parametrize("least", [0, 10])
@pytest.mark.parametrize("name", [*examples(), "ends on values"])
def test_every_arm_keeps_its_certificate(name, least):
    comparison, given = ends_on_values() if name == "ends on values" else examples()[name]
    between = given.get("between")
    problem, aim = comparison.aim(between, None, None, {} if between else given)
    ends = shown_range(problem, aim, least)
    contexts = choose_contexts(
        problem, comparison.envelope_of(problem), ends, float(aim.contexts[0]), least
    )
    for prediction in comparison.predictions.values():
        curve = problem.curve(prediction)
        stored = curve.at(contexts)
        found = interpolation_errors(curve, contexts)
        expected = largest_errors(curve, contexts, stored)
        assert np.all(found >= expected - 1e-12 * np.abs(stored).max())


def test_the_page_stores_the_certificate():
    comparison, given = ends_on_values()
    payload = comparison_payload(
        comparison, context=given, title="", unit="", min_cases=10, exact=True
    )
    contexts, curve = (unpack(payload["contexts"]), comparison.curves()["a"])
    shown = payload["curves"][0]
    expected = largest_errors(curve, contexts, unpack(shown["tuned"]))
    assert expected[0] > 0.0  # the slider begins at a jump
    np.testing.assert_allclose(unpack(shown["errors"]), expected, atol=1e-12)
