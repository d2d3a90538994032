"""Values of the ordinal paper and of peers, corrected where they err."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

import roctopus as rt
from roctopus import ordinal as arm

GOLDEN = json.loads((Path(__file__).parent / "golden.json").read_text())


def by_prefix(prefix):
    return [name for name in GOLDEN if name.startswith(f"001.{prefix}")]


@pytest.mark.parametrize("name", by_prefix("random"))
def test_a_random_ranking_has_one_over_r_factorial(name):
    classes = GOLDEN[name]["inputs"]["r"]
    y = np.repeat(np.arange(classes), 3)
    constant = arm.surface_volume(y, np.ones(len(y)))  # all tied: every order is equally likely
    assert constant.value == pytest.approx(GOLDEN[name]["expected"], rel=1e-12)
    assert constant.chance == pytest.approx(GOLDEN[name]["expected"], rel=1e-12)
    assert constant.corrected == pytest.approx(0.0, abs=1e-12)
    for average in ("pairs", "classes", "consecutive"):
        assert rt.pairwise_ranking_accuracy(y, np.ones(len(y)), average=average) == 0.5


@pytest.mark.filterwarnings("ignore:The volume .* is below that of a random ranking")
@pytest.mark.parametrize("name", by_prefix("toy"))
def test_toy_examples(name):
    given, want = GOLDEN[name]["inputs"], GOLDEN[name]["expected"]
    ties = "average" if name.endswith("half") else "strict"
    volume = rt.volume_under_surface(given["y"], given["f"], ties=ties)
    assert volume == pytest.approx(want["VUS"], rel=1e-12, abs=1e-15)
    for average, symbol in (("pairs", "U_pairs"), ("classes", "U_ovo"), ("consecutive", "U_cons")):
        value = rt.pairwise_ranking_accuracy(given["y"], given["f"], average=average, ties=ties)
        assert value == pytest.approx(want[symbol], rel=1e-12)


@pytest.mark.filterwarnings("ignore:The volume .* is below that of a random ranking")
@pytest.mark.parametrize("name", by_prefix("sim"))
def test_population_values_are_met_by_large_samples(name):
    """Balanced classes N(kd, 1): quantiles in place of draws, so that little noise is left."""
    given, want = GOLDEN[name]["inputs"], GOLDEN[name]["expected"]
    classes, d = given["r"], given["d"]
    size = 4000
    grid = norm.ppf((np.arange(size) + 0.5) / size)
    y = np.repeat(np.arange(classes), size)
    score = np.concatenate([grid + k * d for k in range(classes)])
    assert rt.volume_under_surface(y, score) == pytest.approx(want["VUS"], abs=2e-3)
    for average, symbol in (("classes", "U_ovo"), ("pairs", "U_ovo"), ("consecutive", "U_cons")):
        value = rt.pairwise_ranking_accuracy(y, score, average=average)
        assert value == pytest.approx(want[symbol], abs=2e-3)


def test_population_value_by_quadrature():
    want = GOLDEN["001.sim.r3.d1"]["expected"]["VUS"]
    volume = quad(lambda x: norm.cdf(x) * norm.pdf(x - 1) * norm.sf(x - 2), -12, 14)[0]
    assert volume == pytest.approx(want, abs=1e-10)


def test_values_of_peers():
    y = np.repeat([1, 2, 3, 4, 5], 3)
    score = [1, 2, 3, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5]
    found = arm.volume_variances(y, score)
    assert found.value == pytest.approx(1 / 3, rel=1e-12)
    assert found.bootstrap == pytest.approx(2 / 27, rel=1e-12)
    assert found.unbiased == pytest.approx(1 / 9, rel=1e-12)
    strict = arm.surface_volume(y, score, ties="strict")
    assert strict.standard_error**2 == pytest.approx(1 / 9, rel=1e-12)
    assert rt.volume_under_surface(y, score) == pytest.approx(0.5, rel=1e-12)
    y = [1] * 3 + [2] * 3 + [3] * 3
    score = [1, 2, 3, 2, 2, 1, 2, 3, 1]
    assert rt.volume_under_surface(y, score) == pytest.approx(11 / 54, rel=1e-12)
    strict = rt.volume_under_surface(y, score, ties="strict")
    assert strict == pytest.approx(2 / 27, rel=1e-12)


def test_errata_17_and_19():
    want = GOLDEN["001.u_pairs_bias"]["expected"]
    p = np.array([0.7, 0.2, 0.1])
    expected = total = population = possible = 0.0
    for counts in np.ndindex(5, 5, 5):
        if sum(counts) != 4:
            continue
        a, b, c = counts
        pairs = a * b + a * c + b * c
        if pairs:
            chance = math.factorial(4) * np.prod(p**counts)
            chance /= math.prod(math.factorial(k) for k in counts)
            y = np.repeat([1, 2, 3], counts)
            score = np.repeat([1, 3, 2], counts)  # A12 = A13 = 1, A23 = 0
            expected += chance * rt.pairwise_ranking_accuracy(y, score)
            total += chance
    population = (p[0] * p[1] + p[0] * p[2]) / (p[0] * p[1] + p[0] * p[2] + p[1] * p[2])
    possible = expected / total
    assert population == pytest.approx(want["population"], rel=1e-12)
    assert possible == pytest.approx(want["expected_hat"], rel=1e-12)
    priors = GOLDEN["001.priors"]
    assert sum(priors["inputs"]["pi"]) == pytest.approx(priors["expected"])


def test_every_golden_value_is_used():
    used = [*by_prefix("random"), *by_prefix("toy"), *by_prefix("sim")]
    assert {*used, "001.u_pairs_bias", "001.priors"} == set(GOLDEN)
