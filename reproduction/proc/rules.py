"""Section 3.3 of the pROC paper: what the curves mean, and thresholds for given skews."""

from __future__ import annotations

import numpy as np

from reproduction.proc import figures as draw
from reproduction.proc.lists import (
    LISTS,
    MISPRINTED,
    Ranking,
    area_between,
    best,
    height,
    sharpest_turn,
    shown,
)
from roctopus import probability as arm

ROC_COLUMNS = {
    60: ("0", "50", (0.9, 0.8)),
    45: ("33", "100", (0.6, 0.3)),
    30: ("33", "100", (0.6, 0.3)),
}
"""Angle: printed FPR and TPR in per cent, and threshold."""
PROC_COLUMNS = {60: (9, 19), 45: (40, 58), 30: (76, 95)}
PROC_RIGHT = {60: (10.034476541, 27.093086660), 45: (None, 59.065505428), 30: (85.951732843, 100.0)}
PROC_THRESHOLDS = {60: (0.9, 0.8), 45: (0.8, 0.6), 30: (0.3, 0.2)}
FIRST, WAVY = LISTS["Example 1"], LISTS["oscillating"]


def general_meaning(page, options):
    """Section 3.3, its list: where and when the curves are smoothed."""
    page.section("3.3 General interpretation")
    gaps = (0.001, 0.01, 0.1, 0.3, 0.6, 0.9)
    pairs = [Ranking([1, 0], [0.5 + gap / 2, 0.5 - gap / 2]) for gap in gaps]
    apart = [area_between(r.curve(0.0), r.curve(r.width())) for r in pairs]
    page.claim(
        "Curves are smoothed most where a positive and a negative are close",
        np.all(np.diff(apart) < 0),
        f"one pair {shown(gaps)} apart: area between ROC and pROC curve {shown(apart, 3)}",
    )
    width = WAVY.width()
    corners = WAVY.curve(0.0)
    kept = np.abs(height(WAVY.curve(width), corners.x) - height(corners, corners.x)) < 1e-9
    overlap = int(np.sum(np.abs(WAVY.pairs) < width))
    page.claim(
        "Where d is small, parts of the ROC curve stay as they are and others do not",
        0 < kept.sum() < len(kept),
        f"oscillating list, d = {width:.4g}: {overlap} of {len(WAVY.pairs)} pairs overlap, "
        f"{kept.sum()} of {len(kept)} corners stay",
    )
    rows = growing_lists(options)
    page.claim(
        "The more cases, the closer are probabilities of neighbours of different class",
        np.all(np.diff([row[6] for row in rows]) < 0),
        f"mean difference {shown([row[6] for row in rows], 2)}",
    )
    page.claim(
        "The more cases, the softer are both curves",
        rows[-1][7] < rows[0][7],
        f"sharpest turn of the pROC curve {shown([row[7] for row in rows], 3)}° (a ROC curve "
        "without ties always turns by 90°, in smaller and smaller steps)",
    )
    apart = [row[2] for row in rows]
    seen = f"area between them {shown(apart, 3)} for {shown([row[0] for row in rows])} cases"
    page.claim("ROC and pROC curve differ more with few cases", apart[0] > apart[-1], seen)
    page.claim(
        "With many cases ROC and pROC curve become alike",
        apart[-1] < 0.5 * apart[0],
        seen,
        erratum=64,
    )
    page.claim(
        "The more cases, the less often do best thresholds leave [0, 1]",
        rows[-1][5] < rows[0][5],
        f"share for 30°, 45° and 60°: {shown([row[5] for row in rows], 3)}",
        reason="a conjecture, for which the paper itself asks for an experiment; the width does "
        "not shrink with more cases, and segments go on to leave [0, 1]",
    )
    header = ["cases", "lists", "area between", "|AUC − pAUC|", "mean d", "thresholds outside"]
    page.table(
        header,
        [row[:6] for row in rows],
        "Means over random lists, half positives: Beta(2, 1) and Beta(1, 2).",
    )
    page.figure(
        "More cases",
        draw.more_cases(rows),
        "The area between ROC and pROC curve stays at |AUC − pAUC|. The paper has no such picture.",
    )


def growing_lists(options):
    """Return means over random lists, for more and more cases; lists without width are left out."""
    rng, rows = np.random.default_rng(3), []
    for size in (6, 10, 30, 100, 300, 1000, 3000):
        drawn = [Ranking.informed(rng, size) for _ in range(400 if options.full else 60)]
        drawn = [r for r in drawn if r.width() is not None]
        seen = [look(r) for r in drawn]
        rows.append([size, len(drawn), *np.mean(seen, axis=0).tolist()])
    return rows


def look(ranking):
    """Return distances of the two curves, d, thresholds outside, neighbours' gap, sharpest turn."""
    curve = ranking.curve(ranking.width())
    thresholds = [best(curve, angle).threshold for angle in ROC_COLUMNS]
    outside = np.mean([high < 0.0 or low > 1.0 for high, low in thresholds])
    order = np.argsort(ranking.p)
    change = np.diff(ranking.y[order]) != 0
    return (
        area_between(ranking.curve(0.0), curve),
        abs(ranking.auc - ranking.pauc),
        ranking.width(),
        outside,
        float(np.diff(ranking.p[order])[change].mean()),
        sharpest_turn(curve),
    )


def skews(page):
    """Section 3.3, its table: thresholds for slopes of 60°, 45° and 30°."""
    page.section("3.3 Thresholds for a skew")
    plain, smooth = FIRST.curve(0.0), FIRST.curve(FIRST.width())
    switch = switching_angle(plain)
    page.value(
        "angle at which the best point of the ROC curve changes ('approx.')",
        switch,
        "55",
        erratum=34,
        right=56.309932474,
    )
    for angle, (x, y, interval) in ROC_COLUMNS.items():
        point = best(plain, angle)
        page.value(f"{angle}°: FPR of the ROC curve, %", 100 * point.false_positive_rate[0], x)
        page.value(f"{angle}°: TPR of the ROC curve, %", 100 * point.true_positive_rate[0], y)
        lower = FIRST.p[FIRST.p < point.threshold[0]].max()
        page.value(f"{angle}°: threshold, at most", point.threshold[0], str(interval[0]))
        page.value(f"{angle}°: threshold, above", lower, str(interval[1]))
    other = {a: best(MISPRINTED.curve(0.0), a) for a in ROC_COLUMNS}
    page.claim(
        "The list as printed here, with 0.3+, has these points",
        all(
            100 * other[a].true_positive_rate[0] == float(y) for a, (_, y, _) in ROC_COLUMNS.items()
        ),
        "with 0.3+ they are "
        + "; ".join(
            f"{a}°: {p.false_positive_rate[0]:.0%}/{p.true_positive_rate[0]:.0%}"
            for a, p in other.items()
        ),
        erratum=34,
    )
    proc_columns(page, smooth)
    sweep = np.linspace(0.5, 89.5, 179)
    points = {
        n: sorted({round(best(c, a).false_positive_rate[0], 9) for a in sweep})
        for n, c in (("ROC", plain), ("pROC", smooth))
    }
    page.claim(
        "Points of the pROC curve change more gradually with the skew",
        len(points["pROC"]) > len(points["ROC"]),
        f"for 0.5° to 89.5° the best FPR takes the values {shown(points['ROC'], 3)} (ROC) and "
        f"{shown(points['pROC'], 3)} (pROC)",
    )
    sample = arm.roc_slope(false_positive_cost=1, false_negative_cost=1, prevalence=0.4)
    page.text(
        f"An angle is a slope in rate space (erratum 36): 45° is accuracy for equal classes only. "
        f"With this list's own two positives in five, lines of equal accuracy have the slope "
        f"{sample:g}, which is {np.degrees(np.arctan(sample)):.2f}°, just where the best point of "
        f"the ROC curve changes."
    )
    page.figure(
        "Section 3.3",
        draw.cut_points(PROC_COLUMNS, switch),
        "The ROC curve where its best point changes; the pROC curve at 60°, 45° (a whole part is "
        "best) and 30°. Crosses are the printed points: off the curve at 60° and 30°.",
    )


def switching_angle(curve):
    """Return the angle of the line through the two best points of the ROC curve of Example 1."""
    hull = curve.hull()
    inner = (hull.y > 0) & (hull.y < 1) | (hull.y == 1) & (hull.x < 1)
    x, y = hull.x[inner], hull.y[inner]
    return float(np.degrees(np.arctan(np.ptp(y) / np.ptp(x))))


def proc_columns(page, smooth):
    """Compare the best points of the pROC curve, and their thresholds."""
    for angle, (x, y) in PROC_COLUMNS.items():
        point = best(smooth, angle)
        (low, high), (right_x, right_y) = point.false_positive_rate, PROC_RIGHT[angle]
        if angle == 45:
            page.claim(
                "45°: FPR 40% is a best point of the pROC curve",
                low <= 0.4 <= high,
                f"so is every FPR from {low:.2%} to {high:.2%}, TPR from "
                f"{point.true_positive_rate[0]:.2%} to {point.true_positive_rate[1]:.2%}",
            )
            ours = float(height(smooth, 0.4))
        else:
            page.value(
                f"{angle}°: FPR of the pROC curve, %", 100 * low, str(x), erratum=35, right=right_x
            )
            ours = point.true_positive_rate[0]
        at = " at FPR 40%" if angle == 45 else ""
        page.value(
            f"{angle}°: TPR of the pROC curve{at}, %", 100 * ours, str(y), erratum=35, right=right_y
        )
    on = {x: 100 * float(height(smooth, x / 100)) for x, _ in PROC_COLUMNS.values()}
    page.claim(
        "The printed points lie on the pROC curve",
        all(abs(on[x] - y) < 1 for x, y in PROC_COLUMNS.values()),
        "the curve has " + ", ".join(f"TPR {v:.1f}% at FPR {x}%" for x, v in on.items()),
        erratum=35,
    )
    for angle, (high, low) in PROC_THRESHOLDS.items():
        upper, lower = best(smooth, angle).threshold
        page.claim(
            f"{angle}°: thresholds from {low} to {high} are best",
            lower - 1e-9 <= low and high <= upper + 1e-9,
            f"best is {upper:.4f}" + (f" down to {lower:.4f}" if upper > lower else ""),
            **({} if angle == 45 else {"erratum": 35}),
        )


def conclusions(page):
    """Section 4, and the remedy it names: segments that stay within [0, 1]."""
    page.section("4. Conclusions")
    found = FIRST.found("log-odds")
    curve = FIRST.curve(found.width, "log-odds")
    thresholds = [best(curve, angle).threshold for angle in ROC_COLUMNS]
    page.claim(
        "Asymmetrical segments can keep thresholds within [0, 1]",
        all(0.0 <= t <= 1.0 for pair in thresholds for t in pair) and abs(found.gap) < 1e-9,
        f"Example 1, segments on the log-odds: the area is pAUC at d = {found.width:.4f} there, "
        "best thresholds "
        + "; ".join(
            f"{a}°: {t[0]:.4f}" + (f" to {t[1]:.4f}" if t[1] < t[0] else "")
            for a, t in zip(ROC_COLUMNS, thresholds, strict=True)
        ),
    )
    page.text(
        "That a curve with the area pAUC can always be had is erratum 24; the rest of this "
        "section repeats what is compared above. Whether pAUC is good for choosing models "
        "the paper leaves open."
    )
