"""Section 2 of the pROC paper from its theorems on: which widths there are, and what they do."""

from __future__ import annotations

import numpy as np
from scipy.stats import norm

from reproduction.proc import figures as draw
from reproduction.proc.lists import (
    LISTS,
    WITHOUT,
    Ranking,
    area_between,
    pair_area,
    random_lists,
    sharpest_turn,
    shown,
    turns,
)

WIDTHS = (0.01, 0.05, 0.1, 0.2, 0.4, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 8.0, 20.0)
FIVE, FIRST, WAVY = (LISTS[name] for name in ("five cases", "Example 1", "oscillating"))


def theorems(page, options):
    """Section 2.1: the theorems on the paper's lists and on random ones."""
    page.section("2.1 Theorems")
    every = [*LISTS.values(), *random_lists(100)]
    off = max(abs(r.area(0.0, k) - r.auc) for r in every for k in ("uniform", "normal"))
    page.claim(
        "Theorem 1: Area(0) = AUC", off < 1e-12, f"{len(every)} lists, largest gap {off:.1g}"
    )
    wide = 1e6
    off = [abs(r.area(wide) - 0.5) for r in every]
    bound = [abs(r.pairs.mean()) / wide + np.mean(r.pairs**2) / (2 * wide**2) for r in every]
    page.claim(
        "Theorem 2: Area(d) → ½",
        all(o <= b + 1e-12 for o, b in zip(off, bound, strict=True)),
        f"d = 10⁶: largest gap {max(off):.1g}, within |Σδ|/d + Σδ²/(2d²) per pair for every list",
    )
    hill = LISTS["up and down"]
    page.value(f"Area(∞), taken at 10⁶, of {hill.text}", hill.area(wide), "0.5")
    x, y, _ = FIRST.curve(wide).vertices()
    middle = int(np.argmax(np.abs(np.diff(x))))
    slope = (y[middle + 1] - y[middle]) / (x[middle + 1] - x[middle])
    page.value("Theorem 2: slope of the limiting curve", slope, "0.5", erratum=33, right=1.0)
    jump = max(
        abs(np.diff(r.area(u * np.array([1 - 1e-9, 1 + 1e-9])))[0])
        for r in every
        for u in np.unique(np.abs(r.pairs[np.abs(r.pairs) > 1e-12]))
    )
    start = max(abs(r.area(1e-12) - r.auc) for r in every)
    page.claim(
        "Proposition 3: Area(d) is continuous",
        jump < 1e-8 and start < 1e-9,
        f"largest jump where a pair begins to overlap {jump:.1g} (over a range of 2·10⁻⁹ of "
        f"the width), at 0 {start:.1g}, ties among them",
    )
    off = max(
        abs(pair_area(r.pairs, d) - area)
        for r in every
        for d in WIDTHS
        for area in (r.area(d), r.curve(d).area)
    )
    page.claim(
        "The pair formula with g_d is the area under the curve of segments",
        off < 1e-12,
        f"{len(every)} lists, {len(WIDTHS)} widths, largest gap {off:.1g}",
    )
    page.value(f"AUC of {hill.text}", hill.auc, "0.75")
    page.value("its pAUC", hill.pauc, "0.745")
    page.value("its Area(0)", hill.area(0.0), "0.75")
    page.value("its Area(0.2)", hill.area(0.2), "0.874", erratum=30, right=0.85125)
    slip = pair_area(hill.pairs, 0.2, c=lambda size, d: size * d)
    page.value("the same with c = |x − y|·d in g_d, the slip", slip, "0.874")
    widths = np.geomspace(1e-6, 50, 1500)
    hills, waves = (turns(r.area(widths)) for r in (hill, WAVY))
    page.claim(
        "Its Area(d) rises, then falls",
        hills == 1 and hill.area(0.2) > hill.area(0.0),
        f"{hills} turn, top {hill.area(np.linspace(0, 2, 2001)).max():.4f}",
    )
    page.claim(
        "With more cases there can be more tops and bottoms",
        waves > 1,
        f"the oscillating list has {waves} turns",
    )
    existence(page, options)


def existence(page, options):
    """Section 2.1, Theorem 4: whether there is always a width."""
    found = WITHOUT.found()
    page.claim(
        "Theorem 4: for every list some d gives Area(d) = pAUC",
        found.width is not None,
        f"{WITHOUT.text}: AUC {WITHOUT.auc:.6f}, pAUC {WITHOUT.pauc:.6f}, the largest area "
        f"is {WITHOUT.area(found.closest):.6f} (at {found.closest:.6f}), {-found.gap:.5f} short",
        erratum=24,
    )
    edge = LISTS["pAUC above"]
    over = edge.area(np.linspace(0.0, 5.0, 5001)).max() - edge.pauc
    page.claim(
        f"Theorem 4 holds for the paper's own {edge.text}",
        edge.roots() == [1.0],
        f"barely: the only width is {shown(edge.roots())}, where Area touches pAUC (it exceeds it "
        f"by {max(over, 0.0):.1g})",
    )
    both = Ranking.read("1+ 0-")
    page.claim(
        "The four cases of the proof exclude each other",
        sum(cases_of(both)) == 1,
        f"{both.text} has AUC = pAUC = {both.auc:g}: cases "
        f"{', '.join(n for n, c in zip('abcd', cases_of(both), strict=True) if c)}",
        erratum=61,
    )
    rng, rows, tally = np.random.default_rng(2), [], {c: [0, 0, 0] for c in "abcd"}
    for size in range(3, 11):
        drawn = [Ranking.drawn(rng, size) for _ in range(4000 if options.full else 200)]
        missing = [r.width() is None for r in drawn]
        for r, none in zip(drawn, missing, strict=True):
            one = tally["abcd"[cases_of(r).index(True)]]
            one[0] += 1
            one[1] += none
            one[2] += closer_pairs(r)
        rows.append([size, len(drawn), sum(missing), f"{np.mean(missing):.1%}"])
    page.claim(
        "Cases a and b of the proof: a width exists",
        tally["a"][1] + tally["b"][1] == 0,
        f"none missing in {tally['a'][0]} and {tally['b'][0]} random lists",
    )
    page.claim(
        "Cases c and d: some pairs on the AUC's side are closer than some others",
        all(tally[c][2] == tally[c][0] for c in "cd"),
        f"so in all of {tally['c'][0]} and {tally['d'][0]} random lists",
    )
    page.claim(
        "Cases c and d: therefore the area gets to pAUC",
        tally["c"][1] + tally["d"][1] == 0,
        f"no width for {tally['c'][1]} and {tally['d'][1]} of those",
        erratum=24,
    )
    total = sum(row[2] for row in rows) / sum(row[1] for row in rows)
    page.table(
        ["cases", "random lists", "without a width", "share"],
        rows,
        f"Uniform probabilities, random classes: {total:.1%} have no width.",
    )


def cases_of(ranking):
    """Return which of the four cases of Theorem 4's proof a list is in."""
    auc, pauc = ranking.auc, ranking.pauc
    high, more = (pauc >= 0.5, auc >= pauc), (pauc <= 0.5, auc <= pauc)
    return [all(high), all(more), high[1] and more[0], more[1] and high[0]]


def closer_pairs(ranking):
    """Say whether a pair that pulls to the AUC is closer than one that pulls to pAUC."""
    gaps = ranking.pairs if ranking.auc > ranking.pauc else -ranking.pairs
    mine, others = gaps[gaps > 0], -gaps[gaps < 0]
    return bool(len(mine) and len(others) and mine.min() < others.max())


def oscillating(page):
    """Section 2.1: the list with several widths."""
    page.section("2.1 Several widths")
    page.value("AUC of the oscillating list", WAVY.auc, "0.68")
    page.value("pAUC", WAVY.pauc, "0.67")
    page.value("Area(0)", WAVY.area(0.0), "0.68")
    page.value("Area(0.05)", WAVY.area(0.05), "0.66")
    page.value("Area(0.4)", WAVY.area(0.4), "0.732", erratum=31, right=0.74438025)
    page.claim(
        "0.732 is the area at d = 0.8, which may have been meant",
        round(WAVY.area(0.8), 3) == 0.732,
        f"Area(0.8) = {WAVY.area(0.8):.5f}",
        basis="own",
    )
    roots = WAVY.roots()
    signs = [WAVY.area(d) > WAVY.pauc for d in (0.0, 0.05, 0.4, 1e3)]
    page.value(
        "how many d have Area(d) = pAUC",
        len(roots),
        "2",
        erratum=32,
        right=3,
        reason=f"{shown(roots, 9)}; at d = 0, 0.05, 0.4 and 1000 the area is "
        f"{', '.join('above' if s else 'below' for s in signs)} pAUC",
    )
    page.claim(
        "One d lies below 0.05 and another between 0.05 and 0.4",
        0 < roots[0] < 0.05 < roots[1] < 0.4,
        shown(roots, 9),
    )
    page.figure(
        "Figure 5", draw.oscillating_curves(), "The area is 0.680, 0.660 and 0.744: down, then up."
    )
    page.figure(
        "Figure 6",
        draw.oscillating_area(),
        "The area drops at once, rises to about 0.75 "
        "and falls to ½: three widths, two of them below 0.1. The cross is the printed "
        "Area(0.4).",
    )


def meaning_of_width(page):
    """Sections 2.2 and 2.3: small and large widths, normal segments."""
    page.section("2.2 Interpretation of d")
    plain = {n: r.curve(0.0) for n, r in LISTS.items()}
    apart = {n: [area_between(plain[n], LISTS[n].curve(d)) for d in WIDTHS] for n in LISTS}
    falling = [n for n, a in apart.items() if np.any(np.diff(a) < -1e-6)]
    page.claim(
        "The wider the segments, the farther the curve is from the ROC curve",
        not falling,
        f"area between them: Example 1 {shown(apart['Example 1'], 3)} (growing); oscillating list "
        f"{shown(apart['oscillating'], 3)}, at d = {shown(WIDTHS, 3)}; it falls somewhere for "
        + ", ".join(LISTS[n].text for n in falling),
        erratum=62,
    )
    apart = [area_between(plain["oscillating"], WAVY.curve(d)) for d in WAVY.roots()]
    page.claim(
        "Of several d the smallest has the curve closest to the ROC curve",
        np.all(np.diff(apart) > 0),
        f"oscillating list: {shown(apart, 3)}",
    )
    page.section("2.3 Normal segments")
    edge = LISTS["pAUC above"].found("normal")
    page.claim(
        "Normal segments are expected to give similar results: a width whenever uniform "
        "ones have it",
        edge.width is not None,
        f"{LISTS['pAUC above'].text} has none: Area stays "
        f"{-edge.gap:.5f} below pAUC, closest at {edge.closest:.5f}",
        erratum=25,
    )
    gap = max(abs(pair_normal(r, 1.0) - r.area(1.0, "normal")) for r in LISTS.values())
    page.text(
        "A segment has the deviation d/2, so a pair's difference d/√2: SciPy's normal distribution "
        f"and roctopus agree within {gap:.0e} on all lists."
    )
    rows = []
    for name in ("Example 1", "Example 2"):
        r = LISTS[name]
        curves = [r.curve(0.0), r.curve(r.width()), r.curve(r.width("normal"), "normal", 8001)]
        rows.append([name, *map(sharpest_turn, curves)])
    page.claim(
        "Some curves get smoother with normal segments",
        all(n < u < z for _, z, u, n in rows),
        "sharpest turn of the ROC, the uniform and the normal curve: "
        + "; ".join(f"{n}: {shown(t, 3)}°" for n, *t in rows),
    )
    page.figure(
        "Figure 7",
        draw.segments_and_curve(FIVE, 0.25, "normal"),
        "Bells of deviation d/2 instead of boxes; the curve has no corners.",
    )


def pair_normal(ranking, width):
    """Return Area(d) for normal segments of deviation d/2, by SciPy alone."""
    return float(norm.cdf(ranking.pairs, scale=width / np.sqrt(2.0)).mean())
