"""Section 3 of the RROC paper: models as points, distances, isometrics, hybrids and hulls."""

from __future__ import annotations

import numpy as np

import roctopus as rt
from reproduction.rroc.examples import (
    ALPHAS,
    ERRORS,
    POINTS,
    PREDICTIONS,
    THREE,
    THREE_POINTS,
    N,
    Y,
    close,
    mean_squared_error,
    told,
)
from roctopus.display import RROCDisplay


def space(page):
    """Redraw Figure 1; check the example against relative values."""
    page.section("3.1 Models in RROC space")
    page.figure(
        "Figure 1",
        RROCDisplay(THREE_POINTS).plot(),
        "m1 lies below the dashed diagonal (it under-estimates), m3 above it, m2 on it.",
    )
    a, b = np.array([-10, -0.1, 5]), np.array([-10, 0.1, 5])
    for name, e, relative in (("A", a, ("-5.05", "5")), ("B", b, ("-10", "2.55"))):
        page.value(f"e_{name}, mean of under-estimates", e[e < 0].mean(), relative[0])
        page.value(f"e_{name}, mean of over-estimates", e[e > 0].mean(), relative[1])
    first, second = (rt.rroc_point(np.zeros(3), e) for e in (a, b))
    moved = abs(first.over - second.over), abs(first.under - second.under)
    page.claim(
        "Totals of nearly equal error vectors are nearly equal, their relative values are not.",
        max(moved) <= 0.1 + 1e-12 and abs(a[a < 0].mean() - b[b < 0].mean()) > 4,
        f"totals move by {told(moved)}; the mean of under-estimates by "
        f"{told([abs(a[a < 0].mean() - b[b < 0].mean())])}",
    )
    far = [rt.rroc_point(Y, PREDICTIONS["m1"], shift=s) for s in (-1e9, 1e9)]
    page.claim(
        "Models that always say ∞ or −∞ lie at (∞, 0) and (0, −∞).",
        far[0].over == 0.0 and far[1].under == 0.0 and min(-far[0].under, far[1].over) > 9e9,
        f"shifted by ∓1e9: ({told([far[0].over, far[0].under])}) and "
        f"({told([far[1].over, far[1].under])})",
    )


def distances(page):
    """Check what is read off the picture: diagonal, Manhattan and Euclidean distance."""
    page.section("3.1 Distances in RROC space")
    m2, m3 = POINTS["m2"], POINTS["m3"]
    page.claim(
        "On the diagonal, where m2 lies, OVER − UNDER = 0.",
        close(m2.over - m2.under, 0.0),
        f"OVER − UNDER = {told([m2.over - m2.under])}; OVER + UNDER = {m2.over + m2.under:.3f}",
        erratum=3,
    )
    page.value("m3, (OVER − UNDER)/n", (m3.over - m3.under) / N, "1.165")
    half = {name: p.over - p.under for name, p in THREE_POINTS.items()}
    page.claim(
        "MAE is half the perimeter of the rectangle between a point and heaven.",
        any(close(half[name], p.mean_absolute_error) for name, p in THREE_POINTS.items()),
        f"half perimeters {told(half)}: n times the MAE",
        erratum=6,
    )
    page.claim(
        "The total absolute error is the Manhattan distance to heaven.",
        all(close(np.abs(ERRORS[name]).sum(), half[name]) for name in THREE),
        told(half),
    )
    euclid = {name: p.distance_to_heaven for name, p in POINTS.items()}
    squared = {name: mean_squared_error(Y, PREDICTIONS[name]) for name in POINTS}
    page.claim(
        "√(OVER² + UNDER²), called MMSE, is a kind of mean squared error: errors twice as large "
        "make it four times as large.",
        close(rt.distance_to_heaven(Y, Y + 2 * ERRORS["m1"]), 4 * euclid["m1"]),
        f"it doubles; distances {told(euclid)}; MSE {told(squared)}",
        erratum=7,
    )
    tilt = np.linspace(0.0, 1.0, 21)
    reach = np.hypot(5 * (1 + tilt), 5 * (1 - tilt))
    page.claim(
        "It punishes an imbalance of over- and under-estimates.",
        np.all(np.diff(reach) > 0),
        f"with OVER − UNDER = 10: {told(reach[[0, 10, 20]])} as the balance tilts",
    )


def isometrics(page):
    """Check Lemma 1 and Proposition 2, and redraw Figure 2."""
    page.section("3.2 Isometrics")
    losses = np.array([[p.loss(a) for a in ALPHAS] for p in POINTS.values()])
    sums = np.array([[rt.LinLin(a).values(e, np).sum() for a in ALPHAS] for e in ERRORS.values()])
    page.claim(
        "Lemma 1: the total loss is −2α·UNDER + 2(1 − α)·OVER.",
        close(losses, sums),
        f"4 models, 99 asymmetries; largest difference {told([abs(losses - sums).max()], 1)}",
    )
    hull = rt.rroc_hull(THREE_POINTS)
    lines = {a: hull.isometric(float(a)) for a in ALPHAS}
    page.claim(
        "Proposition 2: an isometric's slope is (1 − α)/α; infinite at α = 0, 0 at α = 1.",
        all(close(line.slope, (1 - a) / a) for a, line in lines.items())
        and hull.isometric(0.0).slope == np.inf
        and hull.isometric(1.0).slope == 0.0,
        "99 asymmetries and both ends",
    )
    line, costs, m3 = hull.isometric(0.8), rt.LinLin(0.8), POINTS["m3"]
    wrong, right = -2 * line.loss / 0.8, -line.loss / (2 * 0.8)
    page.claim(
        "Its intercept is −2t/α for total loss t.",
        close(line.intercept, wrong),
        f"m3 at α = 0.8: {told([line.intercept], 6)} = −t/(2α) = {told([right], 6)}; "
        f"−2t/α = {told([wrong], 6)}",
        erratum=4,
    )
    page.value("slope at α = 0.8", line.slope, "0.25")
    page.value("how much more an under-estimate costs", costs.under_cost / costs.over_cost, "4")
    page.value("2α", costs.under_cost, "1.6")
    page.value("2(1 − α)", costs.over_cost, "0.4")
    page.value("first point touched, OVER", line.contact.over, "10.431")
    page.value("first point touched, UNDER", line.contact.under, "-1.215")
    page.value("intercept of the first isometric", line.intercept, "-3.82275")
    page.value("m1, loss at α = 0.8", POINTS["m1"].loss(0.8), "10.1092")
    page.value("m3, loss at α = 0.8", m3.loss(0.8), "6.1164")
    page.claim(
        "m3 is touched first and best at α = 0.8, though its MAE is the largest.",
        line.model == "m3"
        and max(p.mean_absolute_error for p in THREE_POINTS.values()) == m3.mean_absolute_error,
        f"losses {told({name: p.loss(0.8) for name, p in THREE_POINTS.items()}, 6)}; MAE "
        f"{told({name: p.mean_absolute_error for name, p in THREE_POINTS.items()})}",
    )
    page.figure(
        "Figure 2",
        RROCDisplay(THREE_POINTS).plot(asymmetry=0.8),
        "The line of slope 0.25 comes from the top left and touches m3 first.",
    )


def hybrids(page):
    """Check section 3.3 and redraw Figures 3 and 4."""
    page.section("3.3 Hybrid models, dominance and convex hull")
    hull = rt.rroc_hull(THREE_POINTS)
    crossing = hull.regions[0].high
    line = hull.isometric(crossing)
    page.value("m1–m3, slope", hull.slope[0], "0.567")
    page.value("m1–m3, intercept", line.intercept, "-7.134")
    page.value("m1–m3, α of equal loss", crossing, "0.638")
    for name in ("m1", "m3"):
        loss = POINTS[name].loss(crossing)
        half = f"Definition 2 has a factor 2; without it {loss / 2:.4f}"
        page.value(
            f"L({name}) there", loss, "4.551", erratum=5, right=9.10249468473586, reason=half
        )
    losses = POINTS["m1"].loss(crossing), POINTS["m3"].loss(crossing)
    page.claim("Both have the same loss there.", close(*losses), told(losses, 7))
    page.claim(
        "m1 is best below that α, m3 above it.",
        [region.model for region in hull.regions] == ["m1", "m3"],
        "; ".join(f"{name} from {low:.4g} to {high:.4g}" for low, high, name in hull.regions),
    )
    mixed = hull.hybrid(over=6.5)
    page.claim(*_hybrid_claim(mixed))
    average = (1 - mixed.weight) * PREDICTIONS["m1"] + mixed.weight * PREDICTIONS["m3"]
    blend = rt.rroc_point(Y, average)
    page.claim(
        "A hybrid is not the average of two models.",
        not close([blend.over, blend.under], [mixed.over, mixed.under], 1e-2),
        f"averaged predictions lie at ({told([blend.over, blend.under])}), the hybrid at "
        f"({told([mixed.over, mixed.under])})",
    )
    page.figure(
        "Figure 3",
        RROCDisplay(THREE_POINTS).plot(hybrid=mixed, asymmetry=crossing),
        "The isometric through m1 and m3, and in solid black the hybrids between them; the "
        "diamond is one of them. m2 lies below the line.",
    )
    gap = [THREE_POINTS["m2"].loss(a) - hull.cost_curve.at(a) for a in ALPHAS]
    page.claim(
        "m2 lies under the convex hull and is best for no asymmetry.",
        hull.never_best == ("m2",) and min(gap) > 0,
        f"never best: {', '.join(hull.never_best)}; it loses at least {told([min(gap)])} in total",
    )
    page.figure(
        "Figure 4",
        RROCDisplay(THREE_POINTS).plot(hull=True),
        "The hull comes up from (0, −∞) below m1, goes to m3 and on to (∞, 0); m2 is inside.",
    )


def _hybrid_claim(mixed):
    """Toss the coin many times and compare the mean point with the expected one."""
    rng = np.random.default_rng(3)
    drawn = [rt.rroc_point(Y, mixed.sample(PREDICTIONS, rng=rng)) for _ in range(4000)]
    found = np.array([(p.over, p.under) for p in drawn])
    mean, error = found.mean(axis=0), found.std(axis=0) / np.sqrt(len(found))
    return (
        "Tossing a coin for each prediction reaches any point between two models, in expectation.",
        np.all(np.abs(mean - [mixed.over, mixed.under]) < 4 * error),
        f"expected ({told([mixed.over, mixed.under])}), mean of 4000 tosses ({told(mean)}) ± "
        f"{told(error, 2)}",
    )
