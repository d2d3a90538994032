"""Which contexts a page shows, and at which of them Python answers."""

import warnings

import numpy as np
import pytest
from pages import examples

import roctopus as rt
from roctopus.report.contexts import (
    MOST_ANSWERS,
    answered_contexts,
    exact_contexts,
    first_shown,
    holding,
    shown_range,
)
from roctopus.report.payload import _read_aim
from roctopus.report.subjects import summary_subject
from roctopus.report.summary import summarise


def asked(name):
    comparison, first = examples()[name]
    return comparison, *_read_aim(comparison, first)


@pytest.mark.parametrize("name", examples())
def test_the_slider_holds_what_was_asked_for(name):
    _, problem, aim = asked(name)
    low, high = shown_range(problem, aim)
    assert low < high
    assert np.all((aim.contexts >= low) & (aim.contexts <= high))
    assert low <= first_shown(aim, (low, high)) <= high
    least, most = problem.domain
    assert least <= low
    assert high <= most


@pytest.mark.parametrize("name", examples())
@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("work", [10, 100_000, 1_000_000, 10_000_000])
def test_answers_are_spread_and_hold_the_first(name, exact, work):
    _, problem, aim = asked(name)
    ends = shown_range(problem, aim)
    first, stored = first_shown(aim, ends), np.linspace(*ends, 201)
    found = answered_contexts(problem, stored, first, work, exact)
    assert first in found
    assert np.all(np.diff(found) > 0.0)
    assert np.all(np.isin(found, np.append(stored, first)))
    assert len(found) <= (34 if exact else MOST_ANSWERS)


def test_more_work_is_answered_at_fewer_contexts():
    _, problem, _ = asked("regression")
    stored = np.linspace(0.0, 1.0, 201)
    counts = [
        len(answered_contexts(problem, stored, 0.5, work, exact=False))
        for work in (10, 1_000_000, 10_000_000)
    ]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > counts[-1]


def test_one_border_is_enough():
    _, problem, _ = asked("cutoff")
    found = answered_contexts(problem, np.array([3.0, 5.0]), 4.0, 10, exact=False)
    assert set(found) == {3.0, 4.0, 5.0}


def test_an_exact_page_holds_borders_of_regions():
    comparison, problem, aim = asked("regression")
    best = comparison.envelope_of(problem)
    ends = shown_range(problem, aim)
    contexts = exact_contexts(best, ends, 0.77)
    borders = [each.low for each in best.regions[1:] if ends[0] < each.low < ends[1]]
    assert 0.77 in contexts
    assert np.all(np.isin(borders, contexts))


def test_a_range_of_one_number_gets_wider():
    _, _, aim = asked("cutoff")
    assert holding(aim, 250.0, 250.0) == (249.0, 251.0)


def subject(comparison, **first):
    problem, aim = _read_aim(comparison, first)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        summary = summarise(comparison, problem, aim, 10, lambda done, total: None)
    return summary, summary_subject(summary)


def test_cutoffs_of_a_shared_page_are_borders():
    rng = np.random.default_rng(0)
    truth = rng.gamma(3.0, 10.0, 400)
    comparison = rt.compare(truth, {"a": truth + rng.normal(0, 5, 400)}, arm="cutoff")
    summary, shown = subject(comparison, cutoff=31.234)
    borders = summary.cells_of(0).cuts
    assert 31.234 in borders  # since it was asked for
    assert np.all(np.isin(shown.contexts, borders))
    assert np.all(np.isin(summary.answered, borders))
    assert np.min(np.abs(np.asarray(summary.answered)[:, None] - truth)) > 1e-9


@pytest.mark.parametrize("size", [60, 101, 301])
def test_contexts_do_not_hang_on_last_digits(size):
    """The slider of another sample with the same cells is the same."""
    rng = np.random.default_rng(size)
    truth = np.floor(100.0 * rng.gamma(3.0, 10.0, size))
    pages = []
    for _ in range(2):
        moved = truth + rng.random(size)
        models = {"a": np.floor(truth + rng.normal(0, 1, size)) + 0.5}
        comparison = rt.compare(moved, models, arm="cutoff")
        problem, aim = _read_aim(comparison, {})
        pages.append(shown_range(problem, aim))
        assert float(f"{aim.middle:.2g}") == aim.middle
    assert np.ptp(np.array(pages), axis=0).max() < 2.0
