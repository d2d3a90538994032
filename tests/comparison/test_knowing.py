"""What knowing the context is worth: out of sample, and nothing claimed that is not certain."""

import re

import numpy as np
import pytest
from scipy import stats
from small import MODELS, Y, fresh

import roctopus as rt
from roctopus.impact import value_minus_cutoff


def test_useless_scores_are_seldom_said_to_make_knowing_pay():
    """Scores that know nothing: "no" is right for all costs here, so that knowing gains nothing."""
    rng = np.random.default_rng(0)
    certain = flattering = 0
    for _ in range(200):
        y, score = (rng.random(100) < 0.45) * 1, rng.random(100)
        comparison = rt.compare(y, {"useless": score}, arm="probability")
        found = comparison.value_of_knowing(rt.Uniform(0.5, 0.9))
        certain += found.worth_low > 0.0
        flattering += found.in_sample.following < found.in_sample.frozen - 1e-12
        assert repr(found).startswith("It pays to know ") == (found.worth_low > 0.0)
    assert certain <= 0.05 * 200
    assert flattering >= 0.5 * 200


def shifted(n=400):
    """Return a model that is right for low costs, and one that is right for high ones."""
    rng = np.random.default_rng(1)
    y = rng.normal(size=n) * 5
    return y, {"steady": y + rng.normal(size=n), "skewed": y + rng.exponential(1.2, n)}


def test_what_is_worth_knowing_is_said():
    y, models = shifted()
    found = rt.compare(y, models, arm="regression").value_of_knowing(rt.Uniform(0.02, 0.98))
    assert found.worth == pytest.approx(found.frozen.value - found.following.value)
    assert 0.0 < found.worth_low < found.worth < found.worth_high
    gap = found.in_sample.frozen - found.in_sample.following
    assert found.worth == pytest.approx(gap, rel=0.3)
    first = repr(found).splitlines()[0]
    assert first.startswith(
        "It pays to know the asymmetry (the cost of an under-estimate divided by the sum of both "
        "costs), assuming that it is distributed as Uniform(0.02, 0.98). Adapting the decision to "
        "it saves "
    )
    assert first.endswith(" % of what one fixed decision costs.")
    assert "One question" in repr(found)


def test_the_difference_is_paired_on_the_same_folds():
    """What both policies share cancels: unpaired, the interval would be wider by far.

    What rounds of folds differ by counts twice in the gain, so that it covers; that is not shared.
    """
    y, models = shifted()
    found = rt.compare(y, models, arm="regression").value_of_knowing(rt.Uniform(0.02, 0.98))
    apart = np.hypot(found.frozen.standard_error, found.following.standard_error)
    assert found.gain.standard_error < 0.75 * apart
    assert found.worth_high - found.worth_low < 4.0 * 0.75 * apart


def test_one_decision_throughout_is_worth_nothing():
    rng = np.random.default_rng(0)
    worth = np.where(rng.random(60) < 0.5, 10.0, -10.0)
    found = rt.compare(worth, {"a": worth}, arm="impact", utility=value_minus_cutoff)
    knowing = found.value_of_knowing(rt.Uniform(-0.5, 0.5))
    assert (knowing.worth, knowing.worth_low, knowing.worth_high) == (0.0, 0.0, 0.0)
    assert knowing.sentence == (
        "It does not pay to know θ (cutoff), assuming that it is distributed as Uniform(-0.5, "
        "0.5). One decision is best for all values."
    )
    assert repr(knowing).startswith(knowing.sentence)


def test_a_gain_is_earned_and_a_loss_saved():
    found = fresh("impact", utility=value_minus_cutoff).value_of_knowing(rt.Uniform(-2.0, 2.0))
    assert re.search(
        "Adapting the decision to it earns .* more per case", repr(found).splitlines()[0]
    )


def test_steps_are_judged_at_the_same_contexts():
    """Where outcomes are steps over the context, both policies are judged at the same ones."""
    found = fresh("cutoff").value_of_knowing(rt.Uniform(-1.0, 1.0))
    alone = rt.compare(Y, {"a": MODELS["a"]}, arm="cutoff").value_of_knowing(stats.cauchy())
    assert found.worth == pytest.approx(found.frozen.value - found.following.value)
    assert np.isfinite([alone.worth, alone.worth_low, alone.worth_high]).all()
