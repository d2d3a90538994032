"""Sections 4.1 and 4.2 of the RROC paper: drawing curves, their slopes, convexity and hull."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

import roctopus as rt
from reproduction.rroc.examples import (
    CURVES,
    ERRORS,
    PREDICTIONS,
    THREE,
    THREE_CURVES,
    N,
    Y,
    close,
    compare_errors,
    curve_of,
    samples,
    told,
)
from roctopus.display import RROCDisplay

SHOWN = 20.5, 16.0
"""What Figures 7 and 8 show of the space: all points of the hull."""


def algorithm(errors):
    """Return the finite points of Algorithm 1 as it is printed, and its s."""
    ordered = np.sort(errors)[::-1]
    moved = ordered[None, :] - ordered[:, None]
    return np.maximum(moved, 0.0).sum(axis=1), np.minimum(moved, 0.0).sum(axis=1), ordered


def drawing(page):
    """Check Proposition 3, Algorithm 1 and Example 4; redraw Figures 5 and 6."""
    page.section("4.1 Drawing RROC curves")
    bent = max(_bend(e, curve_of(e)) for e in [*ERRORS.values(), *samples(60)])
    page.claim(
        "Proposition 3: while no example changes side, points of three shifts are on one line.",
        bent < 1e-9,
        f"4 models and 60 samples; largest relative distance from the line {told([bent], 1)}",
    )
    curve = CURVES["m1"]
    over, under, s = algorithm(ERRORS["m1"])
    page.claim(
        "Algorithm 1 draws the curve of Definition 7.",
        all(_same_points(e, curve_of(e)) for e in [*ERRORS.values(), *samples()]),
        "4 models and 300 simulated samples, half of them with ties",
    )
    page.claim(
        "The s of Algorithm 1 is the shift of its points.",
        any(
            close(rt.rroc_point(Y, PREDICTIONS["m1"], shift=s[k]).over, over[k]) for k in (1, 5, 8)
        ),
        f"s from {told([s[0]])} to {told([s[-1]])}; shifts from {told([curve.shift[0]])} to "
        f"{told([curve.shift[-1]])}",
        erratum=9,
    )
    page.claim(
        "The error row alone is enough to draw the curve.",
        close(rt.rroc_curve(Y, PREDICTIONS["m1"]).over, over)
        and close(rt.rroc_curve(Y, PREDICTIONS["m1"]).under, under),
        "m1 from truths and predictions, and from errors",
    )
    page.value("m1, visible vertices (n)", len(curve), "10")
    page.value("m1, segments", len(curve.slope) + 2, "11")
    inside = int(np.searchsorted(curve.shift, 0.0))
    page.claim(
        "The unshifted m1 lies on a segment between two vertices.",
        0 < inside < len(curve) and 0.0 not in curve.shift,
        f"between shifts {told(curve.shift[inside - 1 : inside + 1])}",
    )
    page.figure(
        "Figure 5",
        RROCDisplay({"m1": curve}).plot(),
        "Ten circles, eleven segments (the outer two run on along the axes), and a square for the "
        "unshifted model, on a segment.",
    )
    page.section("Example 4: model m4, with ties")
    compare_errors(page, "m4")
    tied = [set(np.flatnonzero(ERRORS["m4"] == e) + 1) for e in np.unique(ERRORS["m4"])]
    page.claim(
        "Errors are tied in examples 1, 3, 9; in 2, 7, 8; and in 4, 6.",
        sorted(map(sorted, (t for t in tied if len(t) > 1))) == [[1, 3, 9], [2, 7, 8], [4, 6]],
        "; ".join(", ".join(map(str, sorted(t))) for t in tied if len(t) > 1),
    )
    page.value("m4, different errors", len(tied), "5")
    page.value("m4, distinct visible points", len(CURVES["m4"]), "5")
    page.figure(
        "Figure 6",
        RROCDisplay({"m4": CURVES["m4"]}).plot(),
        "Five circles in place of ten.",
    )


def _bend(errors, curve):
    """Return how far points between neighbouring vertices are from the straight line, at most."""
    far = 0.0
    for low, high in pairwise(curve.shift):
        first, middle, last = (
            rt.rroc_point(np.zeros(len(errors)), errors, shift=s)
            for s in (low, 0.3 * low + 0.7 * high, high)
        )
        straight = 0.3 * first.over + 0.7 * last.over, 0.3 * first.under + 0.7 * last.under
        scale = max(last.over, -first.under)
        apart = max(abs(middle.over - straight[0]), abs(middle.under - straight[1]))
        far = max(far, apart / scale)
    return far


def _same_points(errors, curve):
    over, under, s = algorithm(errors)
    keep = np.append(True, np.diff(s) != 0)
    scale = max(over.max(), -under.min(), 1.0)
    return (
        len(curve) == keep.sum()
        and close(over[keep] / scale, curve.over / scale)
        and close(under[keep] / scale, curve.under / scale)
        and close(-s[keep], curve.shift)
    )


def slopes(page):
    """Check Lemma 4 and Proposition 5, and redraw Figure 7."""
    page.section("4.2 Slopes and convexity")
    i = np.arange(2, N + 1)
    formula = (N + 1 - i) / (i - 1)
    page.claim(
        "Lemma 4: segment i has slope (n + 1 − i)/(i − 1), and is best for α = (i − 1)/n.",
        all(close(c.slope, formula) for c in THREE_CURVES.values())
        and all(close(c.asymmetry, (i - 1) / N) for c in THREE_CURVES.values()),
        f"slopes of m1, m2, m3: {told(CURVES['m1'].slope)}",
    )
    ends = rt.rroc_hull({"m1": CURVES["m1"]})
    page.claim(
        "The first segment has infinite slope, the last slope 0.",
        CURVES["m1"].over[0] == 0.0
        and CURVES["m1"].under[-1] == 0.0
        and (ends.borders[0], ends.borders[-1]) == (0.0, 1.0),
        "OVER is 0 at the first vertex, UNDER at the last: the rays run along the axes",
    )
    tied, counts = CURVES["m4"], np.unique(-ERRORS["m4"], return_counts=True)[1]
    k = np.cumsum(counts)[:-1]
    number = np.arange(2, len(tied) + 1)
    page.claim(
        "With ties the same formula holds, i counting vertices.",
        close(tied.slope, (N + 1 - number) / (number - 1)),
        f"m4 has slopes {told(tied.slope)}: (n − k)/k after k examples, k = {told(k)}",
        erratum=12,
    )
    page.claim(
        "With ties several examples change side at a time: slope (n − k)/k, α = k/n after k.",
        close(tied.slope, (N - k) / k) and close(tied.asymmetry, k / N),
        f"m4: α = {told(tied.asymmetry)}",
    )
    lengths = {
        name: np.hypot(np.diff(c.over), np.diff(c.under)) for name, c in THREE_CURVES.items()
    }
    page.claim(
        "Models on as many examples have the same slopes; the segments differ in length.",
        all(close(CURVES[name].slope, CURVES["m1"].slope) for name in THREE)
        and all(not close(lengths["m1"], lengths[name]) for name in ("m2", "m3")),
        f"first lengths: {told({name: each[0] for name, each in lengths.items()})}",
    )
    drawn = [curve_of(e) for e in [*ERRORS.values(), *samples()]]
    page.claim(
        "Proposition 5: slopes never increase, so the region below any curve is convex.",
        all(np.all(np.diff(c.slope) < 0) for c in drawn),
        f"{len(drawn)} curves, {sum(len(c) for c in drawn):,} vertices",
    )
    hull = rt.rroc_hull(THREE_CURVES)
    regions = [f"{low:.3g}–{high:.3g} {name}" for low, high, name in hull.regions]
    page.claim(
        "Once shifted, no model can be rejected: each is best somewhere.",
        {region.model for region in hull.regions} == set(THREE) and not hull.never_best,
        f"α: {'; '.join(regions)}",
    )
    at = np.linspace(0.0, 20.0, 4001)
    best = np.max([np.interp(at, c.over, c.under) for c in THREE_CURVES.values()], axis=0)
    above = np.interp(at, hull.over, hull.under) - best
    page.claim(
        "The best portions of the three curves together have concavities.",
        above.min() > -1e-9 and above.max() > 1e-3,
        f"the hull lies up to {told([above.max()], 3)} above them (at OVER = "
        f"{told([at[above.argmax()]], 3)})",
    )
    page.figure(
        "Figure 7",
        RROCDisplay(THREE_CURVES).plot(limits=SHOWN),
        "m1 is best at the left, m3 in the middle, m2 at the right; where they cross the best "
        "portions bend inwards.",
    )


def hull_of_curves(page):
    """Compare the hull of Figure 8."""
    hull = rt.rroc_hull(THREE_CURVES)
    page.value("Figure 8, visible points on the hull", len(hull), "12")
    for name, printed in (("m1", "6"), ("m3", "3"), ("m2", "3")):
        page.value(f"Figure 8, of {name}", np.sum(hull.owner == name), printed)
    page.table(
        ["model", "OVER", "UNDER", "shift", "α from", "α to"],
        [
            [name, float(o), float(u), float(s), float(low), float(high)]
            for name, o, u, s, low, high in zip(
                hull.owner, hull.over, hull.under, hull.shift, hull.asymmetry_from,
                hull.asymmetry_to, strict=True,
            )
        ],
        "The points of the hull, and the asymmetries each is best for.",
    )  # fmt: skip
    page.figure(
        "Figure 8",
        RROCDisplay(THREE_CURVES).plot(hull=True, limits=SHOWN),
        "Twelve crosses: six of m1, three of m3, three of m2.",
    )
