"""Redo "A graphical analysis of cost-sensitive regression problems" (RROC space and curves)."""

from __future__ import annotations

import numpy as np

import roctopus as rt
from reproduction.options import Options
from reproduction.records import Page
from reproduction.rroc.areas import areas, simulated_models
from reproduction.rroc.curves import drawing, hull_of_curves, slopes
from reproduction.rroc.examples import (
    ALPHAS,
    ERRORS,
    POINTS,
    PREDICTIONS,
    THREE,
    Y,
    close,
    compare_errors,
    mean_squared_error,
    told,
)
from reproduction.rroc.shifts import other_losses, other_shifts, shift_choice
from reproduction.rroc.space import distances, hybrids, isometrics, space
from reproduction.rroc.theorem import theorem

PRINTED_POINTS = {  # OVER, UNDER, MAE, MSE
    "m1": ("2.569", "-5.676", "0.825", "1.219"),
    "m2": ("4.972", "-4.972", "0.9944", "1.7619"),
    "m3": ("10.431", "-1.215", "1.165", "2.12"),
}


def make(options: Options) -> Page:
    """Return the page of the paper."""
    page = Page(
        "rroc",
        "A graphical analysis of cost-sensitive regression problems",
        "J. Hernández-Orallo (preprint of: ROC curves for regression, Pattern Recognition, 2013)",
    )
    notation(page)
    example(page, 1, "m1")
    space(page)
    example(page, 2, "m2")
    example(page, 3, "m3")
    distances(page)
    isometrics(page)
    hybrids(page)
    drawing(page)
    slopes(page)
    hull_of_curves(page)
    areas(page)
    simulated_models(page)
    theorem(page)
    other_shifts(page)
    shift_choice(page)
    other_losses(page)
    return page


def notation(page):
    """Check sections 1 and 2: what the best shift is, losses, Definition 2."""
    page.section("1–2. Motivation, notation and losses")
    means = {name: float(e.mean()) for name, e in ERRORS.items()}
    shifts = {name: rt.optimal_shift(Y, PREDICTIONS[name], asymmetry=0.8) for name in THREE}
    page.claim(
        "For a given asymmetry the best shift is the one that makes the mean error zero.",
        all(s.low <= -means[name] <= s.high for name, s in shifts.items()),
        "best shifts at α = 0.8: "
        + "; ".join(f"{name} {told([s.low, s.high])}" for name, s in shifts.items())
        + f"; those of zero mean: {told({name: -means[name] for name in THREE})}",
        erratum=8,
    )
    squared = {
        name: rt.optimal_shift(Y, p, loss=rt.QuadQuad(0.5)).chosen
        for name, p in PREDICTIONS.items()
    }
    page.claim(
        "Right instead: so it is for the symmetric squared error.",
        close([squared[name] for name in means], [-mean for mean in means.values()]),
        f"best shifts: {told(squared)}",
        basis="own",
    )
    variances = {name: float(e.var()) for name, e in ERRORS.items()}
    page.claim(
        "The square of the mean error is the error variance.",
        any(close(means[name] ** 2, variances[name], 1e-3) for name in means),
        f"squares {told({name: mean**2 for name, mean in means.items()})}; "
        f"variances {told(variances)}",
        erratum=2,
    )
    r = np.linspace(0.0, 5.0, 50)
    page.claim(
        "Absolute and squared error are symmetric losses; at α = ½ the asymmetric one is |ŷ − y|.",
        all(
            close(loss.values(r, np), loss.values(-r, np))
            for loss in (rt.LinLin(0.5), rt.QuadQuad(0.5))
        )
        and close(rt.LinLin(0.5).values(r, np), r),
        "errors up to 5 on both sides",
    )
    free = rt.LinLin(0.0).values(-r, np).max(), rt.LinLin(1.0).values(r, np).max()
    page.claim(
        "At α = 0 under-estimates cost nothing, at α = 1 over-estimates do not.",
        free == (0.0, 0.0),
        f"largest losses {told(free)}",
    )
    near = max(rt.LinLin(a).values(np.array([-1e-12, 0.0, 1e-12]), np).max() for a in ALPHAS)
    page.claim(
        "Definition 2 puts ŷ = y in the second branch, which does not matter.",
        near < 1e-11,
        f"both branches go to 0 there: at most {told([near], 1)} for errors of ±1e−12",
    )


def example(page, number, name):
    """Compare an example's error row and sums."""
    page.section(f"Example {number}: model {name}")
    compare_errors(page, name)
    point, (over, under, mae, mse) = POINTS[name], PRINTED_POINTS[name]
    page.value(f"{name}, OVER", point.over, over)
    page.value(f"{name}, UNDER", point.under, under)
    page.value(f"{name}, MAE", point.mean_absolute_error, mae)
    cut = {"erratum": 1, "right": 2.1279374} if name == "m3" else {}
    squared = {each: mean_squared_error(Y, PREDICTIONS[each]) for each in THREE}
    page.value(f"{name}, MSE", squared[name], mse, **cut)
    bias = f"mean error {told([point.bias])}"
    absolute = {each: POINTS[each].mean_absolute_error for each in THREE}
    evidence = f"MAE {told(absolute)}; MSE {told(squared)}"
    if name == "m1":
        page.claim("m1 under-estimates: its mean error is negative.", point.bias < 0, bias)
    elif name == "m2":
        page.claim("m2 is unbiased.", abs(point.bias) < 1e-12, bias)
        worse = absolute["m2"] > absolute["m1"] and squared["m2"] > squared["m1"]
        page.claim("m2 has a larger MAE and MSE than m1.", worse, evidence)
    else:
        page.claim("m3 over-estimates: its mean error is positive.", point.bias > 0, bias)
        worst = all(max(kind, key=kind.get) == "m3" for kind in (absolute, squared))
        page.claim("m3 has the largest MAE and MSE of the three.", worst, evidence)
