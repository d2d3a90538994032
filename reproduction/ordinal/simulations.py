"""Figures 3 to 7: scores at growing distances, and random rankings."""

from __future__ import annotations

import itertools
import math

import numpy as np
from scipy.integrate import cumulative_trapezoid
from scipy.stats import goodness_of_fit, kendalltau, kstest, norm, skew

import roctopus as rt
from reproduction.ordinal.figures import ranking_matrix, ranking_quantiles, relation

CLASSES, DISTANCES = (2, 3, 4, 5), np.arange(0.0, 5.01, 0.25)
PER_CLASS, RUNS = 100, 20
RANKINGS, RANKED_CLASSES, RANKED_PER_CLASS = 1000, 4, 50
NAMES = ("Û", "Û_cons", "Û_ovo", "Û_pairs")
ALPHA = 0.05


def measures(y, score):
    """Return Û, Û_cons, Û_ovo and Û_pairs as printed."""
    pairs = [
        rt.pairwise_ranking_accuracy(y, score, average=each, ties="strict")
        for each in ("consecutive", "classes", "pairs")
    ]
    return [rt.volume_under_surface(y, score, ties="strict"), *pairs]


def add(page):
    """Write both sections."""
    found = {r: simulate(r) for r in CLASSES}
    distances(page, found)
    page.section(
        "4.1 Random rankings (Figures 6 and 7)",
        f"{RANKINGS:,} rankings of {RANKED_CLASSES} classes of {RANKED_PER_CLASS} cases.",
    )
    rankings(page)


def simulate(r):
    """Return the measures: distances by runs by measures."""
    rng = np.random.default_rng(r)
    y = np.repeat(np.arange(r), PER_CLASS)
    return np.array([
        [measures(y, d * y + rng.normal(size=len(y))) for _ in range(RUNS)] for d in DISTANCES
    ])  # fmt: skip


def expected(r, d):
    """Return the measures of the normal distributions themselves, classes being balanced."""
    x = np.linspace(-9.0, (r - 1) * d + 9.0, 20_001)
    below = norm.cdf(x)
    for k in range(1, r):
        below = cumulative_trapezoid(norm.pdf(x - k * d) * below, x, initial=0.0)
    k, m = np.triu_indices(r, 1)
    areas = norm.cdf((m - k) * d / math.sqrt(2))
    splits = [np.mean(areas[(k < s) & (m >= s)]) for s in range(1, r)]
    return [below[-1], np.mean(splits), np.mean(areas), np.mean(areas)]


def distances(page, found):
    """Figures 3 to 5 and what is said about them."""
    page.section(
        "4.1 Growing distances (Figures 3 to 5)",
        f"Normal scores of spread 1 with means 0, d, 2d, …; {PER_CLASS} cases in each of r "
        f"classes, {RUNS} runs; d = 0, 0.25, …, 5.",
    )
    means = {r: each.mean(axis=1) for r, each in found.items()}
    curves = {r: np.array([expected(r, d) for d in np.linspace(0.0, 5.0, 60)]) for r in CLASSES}
    pictures = {
        "Figure 3": (1, 0, "Û against Û_cons, mean of 20 runs; thin lines are the exact values. "
                     "Bent, and lower the more classes there are."),
        "Figure 4": (2, 0, "Û against Û_ovo: the same picture."),
        "Figure 5": (2, 1, "Û_cons against Û_ovo: near the diagonal, farther above it the more "
                     "classes there are."),
    }  # fmt: skip
    for name, (x, y, caption) in pictures.items():
        page.figure(name, relation(means, curves, NAMES, x, y), caption)
    exact = {r: np.array([expected(r, d) for d in DISTANCES]) for r in CLASSES}
    rows = [
        [r, float(DISTANCES[i]), *(float(x) for x in means[r][i, :3]), *map(float, exact[r][i, :3])]
        for r in CLASSES
        for i in (0, 2, 4, 8, 12, 20)
    ]
    page.table(["r", "d", "Û", "Û_cons", "Û_ovo", "exact Û", "exact Û_cons", "exact Û_ovo"], rows,
               "Means of 20 runs beside the exact values.")  # fmt: skip
    about_distances(page, found, means, exact)


def about_distances(page, found, means, exact):
    """Check what the paper reads off Figures 3 to 5."""
    error = {r: found[r].std(axis=1, ddof=1) / math.sqrt(RUNS) for r in CLASSES}
    worst = max(
        np.max(np.abs(means[r] - exact[r])[error[r] > 1e-4] / error[r][error[r] > 1e-4])
        for r in CLASSES
    )
    page.text(f"Largest deviation from the exact values: {worst:.1f} standard errors of 20 runs.")
    same = max(np.max(np.abs(found[r][:, :, 2] - found[r][:, :, 3])) for r in CLASSES)
    page.claim("Û_ovo and Û_pairs are the same throughout, classes being balanced.", same < 1e-12,
               f"largest difference {same:.1g}")  # fmt: skip
    bends = {(r, NAMES[k]): bend(means[r][:, k], means[r][:, 0]) for r in (3, 4, 5) for k in (1, 2)}
    page.claim(
        "Û is no linear function of Û_cons or Û_ovo.",
        min(bends.values()) > 0.02,
        "largest distance of Û from the best straight line: "
        + ", ".join(f"r = {r}, {name} {b:.3f}" for (r, name), b in bends.items())
        + " (for r = 2 all are the same)",
    )
    start = {r: means[r][0] for r in CLASSES}
    page.claim(
        "With no separation Û depends on the number of classes, the other measures do not.",
        all(abs(start[r][0] * math.factorial(r) - 1) < 0.15 for r in CLASSES)
        and all(np.all(np.abs(start[r][1:] - 0.5) < 0.02) for r in CLASSES),
        "d = 0: " + ", ".join(f"r = {r}: Û {start[r][0]:.4f}, others {start[r][1]:.3f} and "
                              f"{start[r][2]:.3f}" for r in CLASSES),
    )  # fmt: skip
    page.claim(
        "Û reaches one quickly as the means part.",
        all(means[r][-1, 0] > 0.998 for r in CLASSES),
        "Û at d = 3 and 5: " + ", ".join(f"r = {r}: {means[r][12, 0]:.3f}, {means[r][-1, 0]:.4f}"
                                         for r in CLASSES),
    )  # fmt: skip
    gap = {r: np.max(np.abs(means[r][:, 1] - means[r][:, 2])) for r in CLASSES}
    page.claim(
        "Û_cons and Û_ovo are alike, less so with more classes.",
        max(gap.values()) < 0.1 and all(gap[a] < gap[b] for a, b in itertools.pairwise(CLASSES)),
        "largest difference: " + ", ".join(f"r = {r}: {g:.3f}" for r, g in gap.items()),
    )
    half = np.interp(0.5, exact[5][:, 0], DISTANCES)
    areas = expected(5, half)
    page.claim(
        "With more than four classes Û = ½ is a good ranking; with two it is none.",
        areas[2] > 0.9 and abs(exact[2][0, 0] - 0.5) < 1e-6,
        f"r = 5: Û = {areas[0]:.3f} at d = {half:.2f}, where Û_ovo is {areas[2]:.3f}; r = 2: Û = "
        f"{exact[2][0, 0]:.3f} at d = 0",
    )
    lowest = min(np.min(means[r][:, 1:]) for r in CLASSES)
    y = np.repeat([1, 2, 3], 5)
    backwards = rt.pairwise_ranking_accuracy(y, -y, average="consecutive", ties="strict")
    page.claim(
        "The averages of two-class areas never fall below one half.",
        lowest >= 0.5 and backwards >= 0.5,
        f"lowest mean of this very simulation {lowest:.4f} (d = 0); a ranking in the wrong "
        f"direction has {backwards:g}",
        erratum=22,
    )


def bend(x, y):
    """Return the largest distance of y from its best straight line in x."""
    return float(np.max(np.abs(y - np.polyval(np.polyfit(x, y, 1), x))))


def random_rankings():
    """Return the measures of random rankings, a row each."""
    rng = np.random.default_rng(6)
    y = np.repeat(range(RANKED_CLASSES), RANKED_PER_CLASS)
    return np.array([measures(y, rng.permutation(len(y))) for _ in range(RANKINGS)])


def rankings(page):
    """Figures 6 and 7 and what is said about them."""
    found = random_rankings()
    page.figure("Figure 6", ranking_matrix(found, NAMES),
                "Histograms and scatter plots: Û has a long right tail, the others are even; only "
                "Û_ovo and Û_pairs go hand in hand.")  # fmt: skip
    page.figure("Figure 7", ranking_quantiles(found, NAMES),
                "Quantiles of a normal distribution (x) and of the measures (y): Û bends away from "
                "the line at both ends, the others follow it.")  # fmt: skip
    couples = list(itertools.combinations(range(4), 2))
    discordant = {
        (NAMES[a], NAMES[b]): (1 - kendalltau(found[:, a], found[:, b]).statistic) / 2
        for a, b in couples
    }
    page.claim(
        "Û_ovo and Û_pairs correlate perfectly, classes being balanced.",
        np.corrcoef(found[:, 2], found[:, 3])[0, 1] > 1 - 1e-9,
        f"correlation {np.corrcoef(found[:, 2], found[:, 3])[0, 1]:.6f}",
    )
    others = {pair: share for pair, share in discordant.items() if pair != ("Û_ovo", "Û_pairs")}
    page.claim(
        "No other two measures order all models alike (20).",
        min(others.values()) > 0.0,
        "pairs of rankings they order differently: "
        + ", ".join(f"{a} and {b} {100 * s:.1f} %" for (a, b), s in others.items()),
    )
    normality(page, found)


def normality(page, found):
    """Check the skewness of Û and the test of normality."""
    lean = skew(found, axis=0)
    page.claim(
        "The distribution of Û is skewed, those of the others are not.",
        lean[0] > 0.3 and np.all(np.abs(lean[1:]) < 0.25),
        "skewness: " + ", ".join(f"{n} {s:.2f}" for n, s in zip(NAMES, lean, strict=True)),
    )
    plain = [kstest((x - x.mean()) / x.std(ddof=1), "norm").pvalue for x in found.T]
    fair = [
        goodness_of_fit(norm, x, statistic="ks", n_mc_samples=999, rng=7).pvalue for x in found.T
    ]
    told = [f"{n} {a:.2g} / {b:.2g}" for n, a, b in zip(NAMES, plain, fair, strict=True)]
    page.claim(
        "A Kolmogorov–Smirnov test rejects that Û is normal (α = 0.05), and not the others.",
        plain[0] < ALPHA and fair[0] < ALPHA and min(plain[1:] + fair[1:]) >= ALPHA,
        "p-values, mean and spread taken as known / as estimated (Lilliefors): " + ", ".join(told),
    )
    rng, y = np.random.default_rng(8), np.repeat(range(RANKED_CLASSES), 20 * RANKED_PER_CLASS)
    larger = [rt.volume_under_surface(y, rng.permutation(len(y))) for _ in range(RANKINGS)]
    page.text(
        f"It is a matter of size: with {20 * RANKED_PER_CLASS:,} cases per class the skewness of Û "
        f"falls to {skew(larger):.2f} (Û is a U-statistic, normal in the limit)."
    )
