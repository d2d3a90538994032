"""Redo the paper on ROC curves that use predicted probabilities (pAUC and pROC)."""

from __future__ import annotations

import numpy as np
from scipy.stats import rankdata

from reproduction.options import Options
from reproduction.proc import figures as draw
from reproduction.proc.lists import LISTS, MISPRINTED, Ranking, best, random_lists
from reproduction.proc.rules import conclusions, general_meaning, skews
from reproduction.proc.theorems import meaning_of_width, oscillating, theorems
from reproduction.proc.widths import analytically, numerically
from reproduction.records import Page
from roctopus import probability as arm

AREAS = [  # list, printed AUC, printed pAUC, in the order of section 2
    ("AUC above", "1", "0.6"),
    ("pAUC above", "0.5", "0.7"),
]
FIVE, FIRST = LISTS["five cases"], LISTS["Example 1"]


def introduction(page):
    """Section 1: ranking alone."""
    page.section("1. Introduction")
    page.value(f"AUC of {FIVE.text}", FIVE.auc, "0.833")
    right, wrong = LISTS["near, right"], LISTS["near, wrong"]
    page.value(f"AUC of {right.text}", right.auc, "1")
    page.value(f"AUC of {wrong.text}", wrong.auc, "0")
    ordered = FIVE.y[np.argsort(-FIVE.p)]
    after = [int(np.sum(ordered[k:] == 0)) for k in np.flatnonzero(ordered == 1)]
    before = [int(np.sum(ordered[:k] == 1)) for k in np.flatnonzero(ordered == 0)]
    page.claim(
        "Negatives after each positive, or positives before each negative: both add up to 5 of 6",
        sum(after) == sum(before) == 5 and len(after) * len(before) == 6,
        f"{after} and {before}, of {len(after) * len(before)} pairs",
    )
    page.claim(
        "A change of 0.002 in one probability turns the AUC from 1 to 0",
        right.auc - wrong.auc == 1.0,
        f"AUC falls by {right.auc - wrong.auc:g}, pAUC by {right.pauc - wrong.pauc:.4f}",
    )
    y = np.array([1, 1, 1, 0, 1, 0, 0, 0])
    models = {"constant": np.full(8, 0.5), "two groups": np.repeat([0.75, 0.25], 4)}
    parts = {
        n: [arm.score_parts(y, p, score=s) for s in ("brier", "log")] for n, p in models.items()
    }
    miss = max(abs(part.calibration) for both in parts.values() for part in both)
    scores = {n: [round(part.score, 4) for part in both] for n, both in parts.items()}
    page.claim(
        "Squared error and log loss look at calibration only, unlike the Brier score",
        len({tuple(s) for s in scores.values()}) == 1,
        f"two models without any miscalibration (at most {miss:.1g}) have squared error and log "
        f"loss {scores}; on 0/1 outcomes the Brier score is the squared error",
        erratum=59,
    )
    page.figure(
        "Figure 1",
        draw.segments_and_curve(FIVE, 0.0),
        "Up for a positive, right for a negative, going from probability 1 to 0; the area is 5/6.",
    )
    page.figure("Figure 2", draw.small_changes(), "The whole square, or none of it.")


def definitions(page, options):
    """Section 2: pAUC, its formulas, the first pROC curves."""
    page.section("2. pAUC and pROC curves")
    for name, auc, pauc in AREAS:
        page.value(f"AUC of {LISTS[name].text}", LISTS[name].auc, auc)
        page.value(f"pAUC of {LISTS[name].text}", LISTS[name].pauc, pauc)
    every = [*LISTS.values(), *random_lists(100)]
    means = [(r.p[r.y == 1].mean(), r.p[r.y == 0].mean()) for r in every]
    page.claim(
        "The AUC is the Wilcoxon rank sum, rescaled",
        all(np.isclose(rank_auc(r), r.auc, atol=1e-12) for r in every),
        f"equal on the paper's {len(LISTS)} lists and 100 random ones",
    )
    page.claim(
        "pGINI is the mean difference over all pairs, within −1 and 1",
        all(
            np.isclose(r.pairs.mean(), arm.probabilistic_gini(r.y, r.p), atol=1e-12)
            and abs(r.pairs.mean()) <= 1
            for r in every
        ),
        "equal on all those lists",
    )
    page.claim(
        "pAUC is the mean of the positives' mean score and the negatives' mean complement",
        all(
            np.isclose((a + 1 - b) / 2, r.pauc, atol=1e-12)
            for (a, b), r in zip(means, every, strict=True)
        ),
        "equal on all those lists",
    )
    page.claim(
        "The first display gives pAUC (it has no ½)",
        any(np.isclose(a - b + 1, r.pauc) for (a, b), r in zip(means, every, strict=True)),
        f"it gives {FIRST.pairs.mean() + 1:.4f} for Example 1, twice the stated {FIRST.pauc:.4f}",
        erratum=23,
    )
    above = FIVE.curve(0.0).area - 0.5
    page.claim(
        "The Gini coefficient is the area between the curve and the diagonal",
        np.isclose(above, 2 * FIVE.auc - 1),
        f"five cases: Gini 2·AUC − 1 = {2 * FIVE.auc - 1:.4f}, area {above:.4f}",
        erratum=60,
    )
    rng = np.random.default_rng(1)
    drawn = [Ranking.informed(rng, 10) for _ in range(4000 if options.full else 400)]
    more = np.mean([r.auc > r.pauc for r in drawn])
    less = np.mean([r.auc < r.pauc for r in drawn])
    page.claim(
        "AUC > pAUC in many cases, AUC < pAUC more rarely",
        more > less > 0,
        f"{more:.1%} against {less:.1%} of {len(drawn)} random lists of 10 cases with AUC 5/6 in "
        "the population (where classes are random, both are equally frequent by symmetry)",
    )
    wrong = LISTS["near, wrong"]
    points = [best(wrong.curve(0.0), angle) for angle in (46, 60, 75, 89)]
    page.claim(
        "Figure 2, AUC 0: thresholds 0.99 and 0.55 are alike, and best for every slope above 1",
        all(p.false_positive_rate[0] == p.true_positive_rate[0] == 0 for p in points)
        and not any(np.any(wrong.p >= t) for t in (0.99, 0.55)),
        "both accept nothing, the best point (0, 0) for 46°, 60°, 75° and 89°",
    )
    first_curves(page)


def rank_auc(ranking):
    """Return the AUC by the rank sum of the positives."""
    positive = ranking.y == 1
    n, m = positive.sum(), (~positive).sum()
    return (rankdata(ranking.p)[positive].sum() - n * (n + 1) / 2) / (n * m)


def first_curves(page):
    """Section 2, Figures 3 and 4: segments, and what their width does."""
    x, y, threshold = FIVE.curve(0.25).vertices()
    mixed = (np.diff(x) != 0) & (np.diff(y) != 0)
    ends = threshold[:-1][mixed].min(), threshold[1:][mixed].max()
    page.claim(
        "Figure 3: one slanted part, where the second and third case overlap",
        mixed.sum() == 1 and np.allclose(ends, (0.6 - 0.125, 0.55 + 0.125)),
        f"d = 0.25: {mixed.sum()} slanted part, from {ends[1]:.4g} down to {ends[0]:.4g}",
    )
    page.figure(
        "Figure 3",
        draw.segments_and_curve(FIVE, 0.25),
        "One slanted part, where a positive and a negative overlap; two segments leave [0, 1]. "
        "The text does not name the width; every d from 0.05 to 0.3 gives a curve of this shape.",
    )
    areas = FIRST.area(np.linspace(0.0, 8.0, 1601))
    page.claim(
        "Example 1: the area falls as d grows, d may be above 1",
        np.all(np.diff(areas) <= 1e-12) and FIRST.width() > 1.0,
        f"from {areas[0]:.4f} to {areas[-1]:.4f} on {len(areas)} widths up to 8; the width sought "
        f"is {FIRST.width():.4f}",
    )
    page.value("Area(8) of Example 1, 'almost the diagonal'", FIRST.area(8.0), "0.5")
    page.value(
        "Example 1: d with Area(d) = pAUC",
        FIRST.width(),
        "1.596",
        erratum=27,
        right=1.6609403190,
        reason=f"of the misprinted list with 0.3+ it is {MISPRINTED.width():.6f}",
    )
    gaps = [abs(r.area(1.596) - r.pauc) for r in (FIRST, MISPRINTED)]
    page.claim(
        "Area(1.596) is pAUC for Example 1",
        gaps[0] < 0.001,
        f"gap {gaps[0]:.4f}; for the misprinted list {gaps[1]:.4f}",
        erratum=27,
    )
    page.figure(
        "Figure 4",
        draw.growing_widths(),
        "From the ROC curve to nearly the diagonal. The text names d = 0 and 8; the fourth has "
        "the area pAUC.",
    )


def make(options: Options) -> Page:
    """Redo the paper."""
    page = Page(
        "proc",
        "Modifying ROC curves to incorporate predicted probabilities",
        "C. Ferri, P. Flach, J. Hernández-Orallo, A. Senad",
    )
    introduction(page)
    definitions(page, options)
    theorems(page, options)
    oscillating(page)
    meaning_of_width(page)
    analytically(page)
    numerically(page)
    general_meaning(page, options)
    skews(page)
    conclusions(page)
    return page
