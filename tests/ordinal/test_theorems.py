"""Volumes, pairs and surfaces by definition; bounds; variances by enumeration."""

import itertools
import math
import warnings

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

import naive
import roctopus as rt
from roctopus import ordinal as arm
from roctopus.core.chains import ClassScores, chain_share
from strategies import graded_cases

pytestmark = pytest.mark.filterwarnings("ignore:The volume .* is below that of a random ranking")
ties = st.sampled_from(["average", "strict"])


def weight_of(case):
    return {"sample_weight": case.sample_weight}


@given(case=graded_cases(max_size=14), rule=ties)
def test_volume_by_brute_force(case, rule):
    value = rt.volume_under_surface(*case[:2], ties=rule, **weight_of(case))
    weight = np.ones(len(case.y_true)) if case.sample_weight is None else case.sample_weight
    slow = naive.volume_under_surface(*case[:2], ties=rule, sample_weight=weight)
    assert value == pytest.approx(slow, abs=1e-12)


@given(data=st.data(), rule=ties)
def test_volume_of_five_classes(data, rule):
    y = np.repeat(np.arange(5.0), data.draw(st.integers(1, 2)))
    levels = data.draw(st.integers(2, 9))
    score = np.array(data.draw(st.lists(st.integers(0, levels), min_size=len(y), max_size=len(y))))
    slow = naive.volume_under_surface(y, score, ties=rule)
    assert rt.volume_under_surface(y, score, ties=rule) == pytest.approx(slow, abs=1e-12)


@given(case=graded_cases(max_size=10))
def test_average_ties_are_the_mean_over_random_orders(case):
    """Every order of tied cases, classes beside each other or not, has the same chance."""
    assume(case.sample_weight is None)
    distinct, position = np.unique(case.y_pred, return_inverse=True)
    groups = [np.flatnonzero(position == g) for g in range(len(distinct))]
    assume(math.prod(math.factorial(len(g)) for g in groups) <= 300)
    volumes = []
    for orders in itertools.product(*(itertools.permutations(g) for g in groups)):
        rank = np.empty(len(case.y_true))
        rank[list(itertools.chain(*orders))] = np.arange(len(rank))
        volumes.append(rt.volume_under_surface(case.y_true, rank))
    value = rt.volume_under_surface(case.y_true, case.y_pred)
    assert value == pytest.approx(np.mean(volumes), abs=1e-12)


@given(case=graded_cases())
def test_two_classes_are_scikit_learns_auc(case):
    binary = (case.y_true > 0).astype(float)
    theirs = roc_auc_score(binary, case.y_pred, sample_weight=case.sample_weight)
    assert rt.volume_under_surface(binary, case.y_pred, **weight_of(case)) == pytest.approx(theirs)
    for average in ("pairs", "classes", "consecutive"):
        value = rt.pairwise_ranking_accuracy(
            binary, case.y_pred, average=average, **weight_of(case)
        )
        assert value == pytest.approx(theirs)


@given(case=graded_cases(), rule=ties)
def test_bounds_by_the_areas_of_pairs(case, rule):
    volume = rt.volume_under_surface(*case[:2], ties=rule, **weight_of(case))
    area = arm.class_pair_auc(*case[:2], ties=rule, **weight_of(case)).matrix
    lower = 1 - sum(1 - area[k, k + 1] for k in range(len(area) - 1))
    assert lower - 1e-12 <= volume <= np.nanmin(area) + 1e-12


@given(case=graded_cases(), rule=ties)
def test_class_pairs_by_definition(case, rule):
    found = arm.class_pair_auc(*case[:2], ties=rule, **weight_of(case))
    weight = np.ones(len(case.y_true)) if case.sample_weight is None else case.sample_weight
    for k, m in itertools.combinations(range(len(found.labels)), 2):
        two = np.isin(case.y_true, [k, m])
        slow = naive.volume_under_surface(
            case.y_true[two], case.y_pred[two], ties=rule, sample_weight=weight[two]
        )
        assert found.matrix[k, m] == pytest.approx(slow, abs=1e-12)
    balanced = rt.pairwise_ranking_accuracy(
        *case[:2], average="classes", ties=rule, **weight_of(case)
    )
    assert balanced == pytest.approx(np.nanmean(found.matrix), abs=1e-12)


@given(case=graded_cases(max_size=12, offset=False), data=st.data())
def test_invariant_under_increasing_maps_and_class_names(case, data):
    value = rt.volume_under_surface(*case[:2], **weight_of(case))
    assert rt.volume_under_surface(
        case.y_true, np.sign(case.y_pred) * np.abs(case.y_pred) ** 0.5, **weight_of(case)
    ) == pytest.approx(value, abs=1e-12)
    names = ["poor", "fair", "good", "best"][: int(case.y_true.max()) + 1]
    named = [names[int(k)] for k in case.y_true]
    again = rt.volume_under_surface(named, case.y_pred, labels=names, **weight_of(case))
    assert again == pytest.approx(value, abs=1e-12)


@given(case=graded_cases(max_size=12), cut=st.integers(0, 12), rule=ties)
def test_chunks_at_tie_groups_give_the_same(case, cut, rule):
    """Joining sorted parts at a border between scores changes nothing."""
    assume(case.sample_weight is None)
    edge = np.sort(case.y_pred)[min(cut, len(case.y_pred) - 1)]
    classes = []
    for k in np.unique(case.y_true):
        mine = case.y_pred[case.y_true == k]
        low, high = (ClassScores.of(part, None) for part in (mine[mine < edge], mine[mine >= edge]))
        parts = (np.concatenate([getattr(low, n), getattr(high, n)]) for n in ("score", "mass"))
        score, mass = parts
        classes.append(ClassScores(score, mass, mass, low.total + high.total, len(mine)))
    whole = rt.volume_under_surface(*case[:2], ties=rule)
    assert chain_share(classes, rule) == pytest.approx(whole, abs=1e-12)


@given(case=graded_cases(max_size=8, offset=False))
def test_theorem_3_1_the_volume_under_the_surface(case):
    """The union of the boxes below all points of the surface has the strict volume."""
    surface = rt.roc_surface(*case[:2], **weight_of(case))
    points = surface.points().rates
    assert len(points) == surface.size
    axes = [np.unique(np.append(0.0, points[:, k])) for k in range(points.shape[1])]
    middles = [0.5 * (a[1:] + a[:-1]) for a in axes]
    widths = [np.diff(a) for a in axes]
    volume = 0.0
    for cell in itertools.product(*(range(len(m)) for m in middles)):
        centre = np.array([m[i] for m, i in zip(middles, cell, strict=True)])
        if np.any(np.all(points >= centre, axis=1)):
            volume += math.prod(w[i] for w, i in zip(widths, cell, strict=True))
    assert volume == pytest.approx(surface.volume, abs=1e-9)
    strict = rt.volume_under_surface(*case[:2], ties="strict", **weight_of(case))
    assert surface.volume == pytest.approx(strict, abs=1e-12)


@given(case=graded_cases(max_size=8, offset=False))
def test_hull_and_non_dominated_points(case):
    surface = rt.roc_surface(*case[:2], **weight_of(case))
    points = surface.points()
    best = surface.non_dominated()
    for rates in points.rates:
        assert np.any(np.all(best.rates >= rates - 1e-9, axis=1))
    for point in best.rates:
        better = np.all(points.rates >= point - 1e-12, axis=1)
        assert not np.any(better & np.any(points.rates > point + 1e-9, axis=1))
    hull = surface.hull(directions=60)
    rng = np.random.default_rng(0)
    for costs in rng.dirichlet(np.ones(len(surface.labels)), 20):
        reached = (hull.rates @ costs).max()
        assert reached <= (points.rates @ costs).max() + 1e-12
    for rates, cuts in zip(hull.rates, hull.thresholds, strict=True):
        np.testing.assert_allclose(surface.rates(cuts), rates)
        assert np.any(np.all(np.abs(best.rates - rates) < 1e-9, axis=1))  # none is dominated


def test_hull_reaches_the_optimum_of_the_costs_it_tried():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 3, 40)
    surface = rt.roc_surface(y, np.round(y + rng.normal(size=40), 1))
    hull, points = surface.hull(), surface.points()
    assert not hull.exact
    tries = np.random.default_rng(0).dirichlet(np.full(3, 0.7), 2000)
    np.testing.assert_allclose((tries @ hull.rates.T).max(1), (tries @ points.rates.T).max(1))
    two = rt.roc_surface(y > 0, np.round(y + rng.normal(size=40), 1))
    assert two.hull().exact
    for t in np.linspace(0.01, 0.99, 50):
        best = (two.points().rates @ [t, 1 - t]).max()
        assert (two.hull().rates @ [t, 1 - t]).max() == pytest.approx(best)


def test_triangles_cover_the_surface():
    rng = np.random.default_rng(2)
    y = rng.integers(0, 3, 200)
    surface = rt.roc_surface(y, y + rng.normal(size=200))
    corners, faces = surface.triangles(steps=10)
    assert faces.max() < len(corners)
    np.testing.assert_allclose(corners[:, [0, 1, 2]].max(axis=0), 1.0)
    # Seen along the second axis they tile the area below the ROC curve of the outer classes.
    x, z = corners[:, 0][faces], corners[:, 2][faces]
    doubled = (x[:, 1] - x[:, 0]) * (z[:, 2] - z[:, 0]) - (x[:, 2] - x[:, 0]) * (z[:, 1] - z[:, 0])
    outer = arm.class_pair_auc(y, surface.grades.score).matrix[0, 2]
    assert np.abs(doubled).sum() / 2 == pytest.approx(outer, abs=0.02)
    assert np.all(doubled <= 1e-12) or np.all(doubled >= -1e-12)  # wound alike
    with pytest.raises(rt.InputError, match="only be drawn for three classes, but there are 2"):
        rt.roc_surface(y > 0, y).triangles()


def brute_variances(y, score):
    """The strict volume's bootstrap variance by how its weights are drawn, and U² − Q by tuples."""
    groups = [np.flatnonzero(y == k) for k in np.unique(y)]
    sizes = [len(g) for g in groups]
    chains = list(itertools.product(*groups))
    good = [c for c in chains if naive.chain_credit([score[i] for i in c], "strict")]
    second = squared = 0.0
    for a, b in itertools.product(good, good):
        moment = unbiased = 1.0
        for i, j, n in zip(a, b, sizes, strict=True):
            moment *= ((1 - 1 / n) + (i == j)) / n**2
            unbiased *= 0.0 if i == j else 1 / (n * (n - 1))
        second += moment
        squared += unbiased
    value = len(good) / len(chains)
    return value, second - value**2, value**2 - squared


@given(case=graded_cases(max_size=9))
def test_two_chain_variances_by_enumeration(case):
    y = np.concatenate([np.unique(case.y_true), np.unique(case.y_true), case.y_true])
    score = np.concatenate([case.y_pred[: len(y) - len(case.y_true)], case.y_pred])
    score = np.resize(score, len(y))
    assume(len(y) <= 12)
    found = arm.volume_variances(y, score)
    value, bootstrap, unbiased = brute_variances(y, score)
    assert found.value == pytest.approx(value, abs=1e-12)
    assert found.bootstrap == pytest.approx(bootstrap, abs=1e-12)
    assert found.unbiased == pytest.approx(unbiased, abs=1e-12)


def test_bootstrap_variance_is_what_a_bootstrap_gives():
    rng = np.random.default_rng(3)
    y = np.repeat([0, 1, 2], [12, 9, 10])
    score = np.round(y + rng.normal(size=len(y)), 1)
    groups = [np.flatnonzero(y == k) for k in range(3)]
    draws = []
    for _ in range(4000):
        rows = np.concatenate([rng.choice(g, len(g)) for g in groups])
        draws.append(rt.volume_under_surface(y[rows], score[rows], ties="strict"))
    exact = arm.volume_variances(y, score).bootstrap
    assert np.var(draws) == pytest.approx(exact, rel=0.1)


@pytest.mark.parametrize("rule", ["average", "strict"])
def test_standard_error_is_the_stratified_jackknife(rule):
    rng = np.random.default_rng(4)
    y = np.repeat([0, 1, 2, 3], [7, 5, 6, 4])
    score = np.round(y + rng.normal(size=len(y)), 1)
    found = arm.surface_volume(y, score, ties=rule)
    variance = 0.0
    for k in range(4):
        rows = np.flatnonzero(y == k)
        left = [
            rt.volume_under_surface(np.delete(y, i), np.delete(score, i), ties=rule) for i in rows
        ]
        variance += (len(rows) - 1) / len(rows) * np.sum((left - np.mean(left)) ** 2)
    assert found.standard_error**2 == pytest.approx(variance, rel=1e-10)
    by_row = rt.estimate(rt.volume_under_surface, y, score, ties=rule)
    assert by_row.standard_error == pytest.approx(found.standard_error, rel=1e-12)
    compared = arm.compare_volumes(y, {"a": score, "b": -score}, ties=rule)
    assert compared.covariance[0, 0] == pytest.approx(variance, rel=1e-10)


def test_delong_for_two_classes():
    rng = np.random.default_rng(5)
    y = np.repeat([0, 1], [40, 25])
    a, b = (np.round(y + rng.normal(size=65), 1) for _ in range(2))
    compared = arm.compare_volumes(y, {"a": a, "b": b})
    placements = []
    for score in (a, b):
        above = (score[y == 1][:, None] > score[y == 0]) + 0.5 * (
            score[y == 1][:, None] == score[y == 0]
        )
        placements.append((above.mean(1), above.mean(0)))
    covariance = sum(
        np.cov(np.stack([placements[0][side], placements[1][side]])) / (25, 40)[side]
        for side in (0, 1)
    )
    np.testing.assert_allclose(compared.covariance, covariance, rtol=1e-10)
    gap = compared.difference("a", "b")
    assert gap.standard_error == pytest.approx(
        math.sqrt(covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1])
    )
    assert compared.pvalue == pytest.approx(gap.pvalue, rel=1e-9)


def test_comparisons_of_many_models():
    rng = np.random.default_rng(6)
    y = rng.integers(0, 3, 150)
    scores = {f"m{k}": y + rng.normal(size=150) for k in range(4)}
    compared = arm.compare_volumes(y, scores)
    assert 0 < compared.pvalue < 1
    assert set(compared.values) == set(scores)
    better = arm.compare_volumes(y, {**scores, "good": y + 0.3 * rng.normal(size=150)})
    assert better.pvalue < 1e-6
    same = arm.compare_volumes(y, {"a": scores["m0"], "b": scores["m0"]})
    assert same.pvalue == 1.0
    certain = {"perfect": y, "constant": np.ones(150), "noisy": scores["m0"]}
    with pytest.warns(rt.RoctopusWarning, match="differ by the same amount"):
        assert arm.compare_volumes(y, certain).pvalue == 0.0
    with pytest.raises(rt.InputError, match="needs at least two models"):
        _ = arm.compare_volumes(y, {"a": y}).pvalue
    with pytest.raises(rt.InputError, match=r"There is no model 'x'\. The models are 'm0'"):
        compared.difference("x", "m0")


def test_jonckheere_against_permutations():
    rng = np.random.default_rng(7)
    y = np.repeat([0, 1, 2], [5, 4, 6])
    score = np.round(0.6 * y + rng.normal(size=15), 1)
    score[3] = score[8] = score[12]
    found = arm.jonckheere_test(y, score)
    draws = []
    for _ in range(4000):
        mixed = rng.permutation(y)
        draws.append(arm.jonckheere_test(mixed, score).statistic)
    assert np.mean(draws) == pytest.approx(found.expected, rel=0.02)
    assert np.std(draws) == pytest.approx(found.standard_deviation, rel=0.04)
    assert np.mean(np.array(draws) >= found.statistic) == pytest.approx(found.pvalue, abs=0.03)
    pairs = rt.pairwise_ranking_accuracy(y, score) * (5 * 4 + 5 * 6 + 4 * 6)
    assert found.statistic == pytest.approx(pairs)
    constant = arm.jonckheere_test(y, np.ones(15))
    assert constant.pvalue == 1.0


@given(case=graded_cases(offset=False))
def test_roc_curves_of_pairs_have_the_areas_of_pairs(case):
    curves = arm.pairwise_roc_curves(*case[:2], **weight_of(case))
    area = arm.class_pair_auc(*case[:2], **weight_of(case)).matrix
    for (low, high), curve in curves.items():
        assert curve.area == pytest.approx(area[low, high], abs=1e-12)
        assert (curve.false_positive_rate[0], curve.true_positive_rate[0]) == (1, 1)
        assert curve.threshold[-1] == np.inf
    cuts = arm.pairwise_roc_curves(*case[:2], consecutive=True, **weight_of(case))
    mean = np.mean([curve.area for curve in cuts.values()])
    value = rt.pairwise_ranking_accuracy(*case[:2], average="consecutive", **weight_of(case))
    assert mean == pytest.approx(value, abs=1e-12)


def test_large_classes_do_not_overflow():
    rng = np.random.default_rng(8)
    y = np.repeat(np.arange(10), 20_000)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        value = rt.volume_under_surface(y, y + rng.normal(size=len(y)))
        heavy = rt.volume_under_surface(y, y, sample_weight=np.full(len(y), 1e90))
    assert 0 < value < 1
    assert heavy == pytest.approx(1.0)
