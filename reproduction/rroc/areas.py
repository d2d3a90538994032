"""Section 4.3 of the RROC paper: the area over the curve and what it equals."""

from __future__ import annotations

import numpy as np

import roctopus as rt
from reproduction.rroc.curves import algorithm
from reproduction.rroc.examples import (
    CURVES,
    ERRORS,
    N,
    close,
    curve_of,
    mean_squared_error,
    samples,
    told,
)
from roctopus.display import RROCDisplay

AREAS = {"m1": "56.1387", "m2": "88.0933", "m3": "63.9295"}
CAPTION = {  # Figure 9: MAE, MSE, AOC
    "random": ("0.011", "0.00019", "93.28"),
    "truth plus noise": ("0.0079", "0.00010", "49.83"),
    "mean of the truth": ("0.0080", "0.00010", "50.31"),
}
SIZE, SPREAD, REPEATS = 1000, 0.01, 400


def area(errors):
    """Return the area over the RROC curve of an error vector, by trapezia."""
    return curve_of(errors).area_over


def areas(page):
    """Check Definition 8 and Proposition 6, and the areas of the three models."""
    page.section("4.3 Areas")
    everything = [*ERRORS.values(), *samples()]
    trapezia = [_both_ways(e) for e in everything]
    page.claim(
        "Definition 8: the area is the same along either axis, and the sum of n − 1 trapezia.",
        all(
            close([first, second], [area(e)] * 2)
            for (first, second), e in zip(trapezia, everything, strict=True)
        ),
        f"{len(everything)} curves",
    )
    for name, printed in AREAS.items():
        page.value(f"{name}, AOC by trapezia", CURVES[name].area_over, printed)
    wild = [area(rng.standard_cauchy(500)) for rng in map(np.random.default_rng, range(20))]
    page.claim(
        "Proposition 6: the area of finite predictions is finite.",
        np.all(np.isfinite(wild)),
        f"20 samples of 500 Cauchy errors, which have no mean: {told([min(wild)], 2)} to "
        f"{told([max(wild)], 2)}",
    )
    far = {s: area(np.append(ERRORS["m1"][:-1], s)) for s in (1e2, 1e4, 1e6)}
    page.claim(
        "One infinite prediction makes the area infinite.",
        far[1e6] > 1e3 * far[1e4] > 1e6 * far[1e2],
        "m1 with one error of "
        + ", ".join(f"{s:g}: {told([a], 3)}" for s, a in far.items())
        + ": no bound",
    )
    page.claim(
        "The area is 0 for a single example, and for errors that are all equal, however large.",
        area(ERRORS["m1"][:1]) == 0.0 and area(np.full(N, 1000.0)) == 0.0,
        "one example of m1; ten errors of 1000, where MAE is 1000 and a shift removes it all",
    )


def _both_ways(errors):
    """Return the trapezia of Algorithm 1's points along OVER, and along UNDER."""
    over, under, _ = algorithm(errors)
    along_over = -np.sum((under[1:] + under[:-1]) / 2 * np.diff(over))
    return along_over, np.sum((over[1:] + over[:-1]) / 2 * np.diff(under))


def draw_models(rng):
    """Return Figure 9's truths and three models' predictions."""
    y = rng.normal(0.0, SPREAD, SIZE)
    return y, {
        "random": rng.normal(0.0, SPREAD, SIZE),
        "truth plus noise": y + rng.normal(0.0, SPREAD, SIZE),
        "mean of the truth": np.full(SIZE, y.mean()),
    }


def simulated_models(page):
    """Compare the caption of Figure 9 with many simulated samples, and draw one of them."""
    page.section(
        "4.3 Three simulated models (Figure 9)",
        f"The paper's sample is one draw. Ours is the mean of {REPEATS} draws of {SIZE} examples; "
        "a printed number matches if it lies within three standard deviations of a draw.",
    )
    found = {name: [] for name in CAPTION}
    for seed in range(REPEATS):
        y, models = draw_models(np.random.default_rng(seed))
        for name, p in models.items():
            mae = rt.rroc_point(y, p, normalize=True).mean_absolute_error
            mse, aoc = mean_squared_error(y, p), rt.rroc_area_over_curve(y, p)
            found[name].append((mae, mse, aoc))
    for name, row in CAPTION.items():
        means, spreads = np.mean(found[name], axis=0), np.std(found[name], axis=0)
        for what, mean, spread, printed in zip(
            ("MAE", "MSE", "AOC"), means, spreads, row, strict=True
        ):
            page.value(f"{name}, {what}", mean, printed, within=3 * spread / float(printed))
        variance = 2 * float(row[2]) / SIZE**2
        page.value(f"{name}, MSE from its printed AOC and Theorem 7", variance, row[1])
    y, models = draw_models(np.random.default_rng(2013))
    curves = {name: rt.rroc_curve(y, p) for name, p in models.items()}
    loss = {
        name: rt.asymmetry_cost_curve(y, p).at(np.arange(1, 20) / 20) for name, p in models.items()
    }
    noisy, constant = loss["truth plus noise"], loss["mean of the truth"]
    page.claim(
        "The random model is clearly worse; the other two have nearly the same curve.",
        np.all(loss["random"] > 1.2 * np.maximum(noisy, constant))
        and np.all(np.abs(noisy / constant - 1) < 0.1),
        f"best losses at α = 0.05, …, 0.95: the random model's are at least "
        f"{told([np.min(loss['random'] / np.maximum(noisy, constant))], 3)} times theirs, which "
        f"differ by at most {np.max(np.abs(noisy / constant - 1)):.1%}",
    )
    page.claim(
        "These two differ in dispersion and in correlation with the truth.",
        np.ptp(models["mean of the truth"]) == 0.0
        and np.corrcoef(y, models["truth plus noise"])[0, 1] > 0.6,
        f"noisy: standard deviation {told([models['truth plus noise'].std()], 3)}, correlation "
        f"{told([np.corrcoef(y, models['truth plus noise'])[0, 1]], 3)}; constant: none of both",
    )
    page.claim(
        "Curves stand for distributions of errors: these can be read off the curve, up to a shift.",
        all(_gaps_agree(e) for e in [*ERRORS.values(), *samples()]),
        "distances between neighbouring errors from the vertices of 304 curves",
    )
    page.figure(
        "Figure 9",
        RROCDisplay(curves).plot(),
        "One draw. The random model lies further from heaven; the other two nearly overlap (areas "
        f"{told({name: curve.area_over for name, curve in curves.items()})}).",
    )


def _gaps_agree(errors):
    curve, distinct = curve_of(errors), np.unique(-errors)
    below = np.searchsorted(np.sort(-errors), distinct[1:])
    return close(np.diff(curve.over) / below, np.diff(distinct), 1e-6)
