"""What counting pairs estimates: Theorem 3.2, Lemma 3.3 and equation 19, by exact enumeration."""

from __future__ import annotations

import itertools
import math
import time
from collections import defaultdict

import numpy as np

import roctopus as rt
from roctopus import ordinal as arm

SHARES, SCORES = (0.7, 0.2, 0.1), (0, 2, 1)
"""Erratum 17: shares of three classes and the score of each, so that A12 = A13 = 1 and A23 = 0."""
DISTRIBUTIONS = np.array([[0.5, 0.3, 0.2], [0.2, 0.5, 0.3], [0.1, 0.3, 0.6]])
"""A row per class: the chances of the scores 0, 1 and 2."""
CLASSES = (1, 2, 3)


def measure(y, score, average):
    """Return Û_pairs ('pairs'), Û_ovo ('classes') or Û_cons ('consecutive') as printed."""
    return rt.pairwise_ranking_accuracy(y, score, average=average, ties="strict")


def add(page):
    """Write the section."""
    page.section("3 Pairs instead of sequences")
    theorem(page)
    jonckheere(page)
    lemma(page)
    equation_19(page)
    effort(page)


def samples(chances, n):
    """Yield every way to fill cells with n cases, and its chance."""
    cells = len(chances)
    for drawn in itertools.combinations_with_replacement(range(cells), n):
        counts = np.bincount(drawn, minlength=cells)
        ways = math.factorial(n) / math.prod(map(math.factorial, counts.tolist()))
        yield counts, ways * float(np.prod(np.asarray(chances) ** counts))


def theorem(page):
    """Theorem 3.2: its first line by the counterexample, the rest by a richer distribution."""
    n, total, defined = 4, 0.0, 0.0
    for counts, chance in samples(SHARES, n):
        if np.count_nonzero(counts) > 1:
            y, score = np.repeat(CLASSES, counts), np.repeat(SCORES, counts)
            total += chance * measure(y, score, "pairs")
            defined += chance
    p = np.array(SHARES)
    any_two = (1.0 - np.sum(p**2)) / 2  # three distinct scores: of two unequal ones, one is smaller
    in_order = p[0] * p[1] + p[0] * p[2]
    target = in_order / any_two
    page.claim(
        "Û_pairs estimates the chance that the first of two cases, both drawn from all, has the "
        "lower score.",
        math.isclose(any_two, target),
        f"shares .7, .2, .1 with A12 = A13 = 1, A23 = 0: that chance is {any_two:.5f} (it is at "
        f"most ½ for every f); given that the first is of the lower class it is {target:.5f}",
        erratum=16,
    )
    page.claim(
        "Û_pairs has the mean U_pairs(f).",
        math.isclose(total / defined, target),
        f"over all samples of 4 in which it is defined its mean is {total / defined:.5f}, U_pairs "
        f"is {target:.5f}: a ratio of random counts",
        erratum=17,
    )
    richer_distribution(page)


def richer_distribution(page):
    """Check the means of Û, Û_ovo and Û_cons over all samples of five cases."""
    areas = np.array(
        [
            [np.sum(np.outer(a, b)[np.triu_indices(3, 1)]) for b in DISTRIBUTIONS]
            for a in DISTRIBUTIONS
        ]
    )
    p = np.array(SHARES)
    splits = [np.sum(np.outer(p[:k], p[k:]) * areas[:k, k:]) / (p[:k].sum() * p[k:].sum())
              for k in (1, 2)]  # fmt: skip
    truth = {
        "Û": DISTRIBUTIONS[0, 0] * DISTRIBUTIONS[1, 1] * DISTRIBUTIONS[2, 2],
        "Û_ovo": np.mean(areas[np.triu_indices(3, 1)]),
        "Û_cons": np.mean(splits),
        "Â_1": splits[0],
        "Â_2": splits[1],
    }
    given_counts, given_sides, cons = means_of_samples(5)
    off = {name: max(abs(m - truth[name]) for m in given_counts[name].values())
           for name in ("Û", "Û_ovo", "Û_cons")}  # fmt: skip
    page.claim("Û has the mean U(f) (given the sizes of the classes).", off["Û"] < 1e-12,
               f"5 cases, every class present: largest difference {off['Û']:.1g}")  # fmt: skip
    page.claim("Û_ovo has the mean U_ovo(f) (given the sizes of the classes).",
               off["Û_ovo"] < 1e-12, f"largest difference {off['Û_ovo']:.1g}")  # fmt: skip
    gap = max(abs(m - truth[name]) for name in ("Â_1", "Â_2") for m in given_sides[name].values())
    page.claim(
        "Every area of Û_cons has its mean (given the sizes of its two sides).", gap < 1e-12,
        f"largest difference {gap:.1g}",
    )  # fmt: skip
    page.claim(
        "Û_cons has the mean U_cons(f).",
        math.isclose(cons, truth["Û_cons"], rel_tol=1e-9),
        f"over all samples of 5 in which it is defined its mean is {cons:.6f}, U_cons is "
        f"{truth['Û_cons']:.6f}; given the sizes of the classes it is off by up to "
        f"{off['Û_cons']:.3f}",
        erratum=17,
    )


def means_of_samples(n):
    """Return means given the class sizes, means of the areas given side sizes, and Û_cons's."""
    sums = defaultdict(lambda: defaultdict(lambda: np.zeros(2)))
    sides = defaultdict(lambda: defaultdict(lambda: np.zeros(2)))
    cons = np.zeros(2)
    for counts, chance in samples((DISTRIBUTIONS * np.array(SHARES)[:, None]).ravel(), n):
        y, score = np.repeat(np.repeat(CLASSES, 3), counts), np.repeat(np.tile(range(3), 3), counts)
        areas = {}
        for k in (1, 2):
            above = int(np.sum(y > k))
            if 0 < above < n:
                areas[k] = measure(y > k, score, "pairs")
                sides[f"Â_{k}"][above] += chance * areas[k], chance
        if len(areas) == 2:
            value = (areas[1] + areas[2]) / 2
            cons += chance * value, chance
            sizes = tuple(np.bincount(y, minlength=4)[1:].tolist())
            if min(sizes):
                found = {"Û": rt.volume_under_surface(y, score, ties="strict"),
                         "Û_ovo": measure(y, score, "classes"), "Û_cons": value}  # fmt: skip
                for name, each in found.items():
                    sums[name][sizes] += chance * each, chance

    def ratios(of):
        return {name: {key: s / c for key, (s, c) in each.items()} for name, each in of.items()}

    return ratios(sums), ratios(sides), cons[0] / cons[1]


def unbalanced(seed):
    """Return classes of unequal sizes and scores without ties."""
    rng = np.random.default_rng(seed)
    y = np.repeat([1, 2, 3, 4], rng.integers(2, 40, 4))
    return y, y + rng.normal(scale=2.0, size=len(y))


def jonckheere(page):
    """Erratum 18: which of the measures the Jonckheere–Terpstra statistic is."""
    y, score = unbalanced(0)
    pairs = int(np.sum(y[:, None] < y))
    share = arm.jonckheere_test(y, score).statistic / pairs
    ovo, all_pairs = measure(y, score, "classes"), measure(y, score, "pairs")
    page.claim(
        "Û_ovo is the Jonckheere–Terpstra statistic.",
        math.isclose(share, ovo),
        f"classes of {np.bincount(y)[1:].tolist()} cases: the statistic is {share:.5f} of all "
        f"pairs, Û_ovo {ovo:.5f}, Û_pairs {all_pairs:.5f}",
        erratum=18,
    )


def lemma(page):
    """Lemma 3.3: the mean over every ranking of a few cases."""
    for sizes in ((2, 3), (2, 1, 2), (1, 2, 1, 2), (1, 1, 1, 1, 2)):
        r, n = len(sizes), sum(sizes)
        y = np.repeat(np.arange(r), sizes)
        rankings = [np.array(o) for o in set(itertools.permutations(y.tolist()))]
        found = [
            [rt.volume_under_surface(o, np.arange(n))]
            + [measure(o, np.arange(n), each) for each in ("pairs", "classes", "consecutive")]
            for o in rankings
        ]
        means = np.mean(found, axis=0)
        told = f"mean over all {len(rankings)} rankings of {n} cases, r = {r}"
        page.value(f"Û, 1/r!: {told}", means[0], f"{1 / math.factorial(r):.6g}")
        for name, mean in zip(("Û_pairs", "Û_ovo", "Û_cons"), means[1:], strict=True):
            page.value(f"{name}: {told}", mean, "0.5")


def equation_19(page):
    """Equation 19, and what it says of balanced classes."""
    gaps, spread = [], []
    for seed in range(100):
        y, score = unbalanced(seed)
        areas = np.nan_to_num(arm.class_pair_auc(y, score, ties="strict").matrix)
        sizes = np.bincount(y)[1:]
        weight = np.triu(np.outer(sizes, sizes), 1)
        pairs = measure(y, score, "pairs")
        gaps.append(abs(pairs - np.sum(weight * areas) / weight.sum()))
        spread.append(abs(pairs - measure(y, score, "classes")))
    page.claim("Equation 19: Û_pairs is the mean of the class pairs' areas, weighted by n_k·n_l.",
               max(gaps) < 1e-12,
               f"100 unbalanced samples: largest difference {max(gaps):.1g}")  # fmt: skip
    rng = np.random.default_rng(0)
    y = np.repeat([1, 2, 3, 4], 25)
    same = max(
        abs(measure(y, score, "pairs") - measure(y, score, "classes"))
        for score in rng.normal(size=(100, 100))
    )
    page.claim(
        "Û_pairs and Û_ovo are equal for balanced classes and may differ for others.",
        same < 1e-12 < 0.01 < max(spread),
        f"100 balanced samples: {same:.1g} at most; unbalanced ones: up to {max(spread):.3f}",
    )


def effort(page):
    """Two statements about what is hard to compute."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 5, 100_000)
    score = y + rng.normal(scale=2.0, size=len(y))
    seconds = {
        each.__name__: min(clock(each, y, score) for _ in range(5))
        for each in (rt.volume_under_surface, rt.pairwise_ranking_accuracy)
    }
    volume, pairs = (1e3 * s for s in seconds.values())
    page.claim(
        "Counting pairs takes less work than counting sequences.",
        pairs < 0.9 * volume,
        f"100,000 cases, 5 classes: sequences {volume:.0f} ms, pairs {pairs:.0f} ms",
        reason="overtaken: class by class, running sums count all sequences in O(n log n), as one "
        "counts pairs",
    )
    took = clock(arm.volume_variances, y, score)
    page.claim(
        "The exact variance of Û is out of reach for large n and r.",
        took > 60.0,
        f"the unbiased variance of the same 100,000 cases took {took:.2f} s",
        reason="overtaken: running sums over pairs of sequences give it in O(n·r²)",
    )


def clock(function, *given):
    """Return how many seconds a call takes."""
    begun = time.perf_counter()
    function(*given)
    return time.perf_counter() - begun
