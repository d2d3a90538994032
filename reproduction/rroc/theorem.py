"""Section 4.3 of the RROC paper, second half: what the area equals, and its proof."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from matplotlib import pyplot as plt
from scipy.stats import gaussian_kde

import roctopus as rt
from reproduction.rroc.areas import AREAS, CAPTION, SIZE, SPREAD, area
from reproduction.rroc.curves import algorithm
from reproduction.rroc.examples import (
    CURVES,
    ERRORS,
    PREDICTIONS,
    THREE,
    N,
    Y,
    close,
    mean_squared_error,
    samples,
    told,
)
from roctopus.display import ErrorDensityDisplay, RROCDisplay

VARIANCES = {"m1": "1.1228", "m2": "1.7619", "m3": "1.2786"}


def polar_area(curve):
    """Return half the integral of the squared distance to heaven over the angle from there."""
    shifts = np.concatenate([np.linspace(a, b, 4000) for a, b in pairwise(curve.shift)])
    over, under = curve.sums_at(shifts)
    angle = np.arctan2(-under, over)
    return -0.5 * np.trapezoid(over**2 + under**2, angle)


def pair_area(errors):
    """Return half the sum of squared differences over all pairs."""
    return np.sum((errors[:, None] - errors[None, :]) ** 2) / 4


def theorem(page):
    """Check what the area equals: variance, polar form, pairs; the proof; Figures 10 and 11."""
    page.section("4.3 What the area is")
    interpretations(page)
    variances = {name: float(ERRORS[name].var()) for name in AREAS}
    for name, printed in VARIANCES.items():
        page.value(f"{name}, error variance", variances[name], printed)
    for name, printed in AREAS.items():
        page.value(f"{name}, AOC = n²σ²/2", rt.rroc_area_over_curve(Y, PREDICTIONS[name]), printed)
    for name in AREAS:
        page.value(f"{name}, AOC/σ² = n²/2", CURVES[name].area_over / variances[name], "50")
    page.value("m2 is unbiased: its MSE", mean_squared_error(Y, PREDICTIONS["m2"]), "1.7619")
    everything = [*ERRORS.values(), *samples()]
    page.claim(
        "Definition 9: MSE is squared bias plus variance.",
        all(close(np.mean(e**2), e.mean() ** 2 + e.var()) for e in everything),
        "4 models and 300 simulated samples",
    )
    page.claim(
        "Theorem 7: AOC = n²σ²/2, also with ties.",
        all(close(area(e), len(e) ** 2 * e.var() / 2) for e in everything),
        "trapezia against variance: 4 models and 300 simulated samples, half with ties",
    )
    page.claim(
        "Corollary 8: AOC = n²·MSE/2 for an unbiased model.",
        all(
            close(area(e - e.mean()), len(e) ** 2 * np.mean((e - e.mean()) ** 2) / 2)
            for e in everything
        )
        and close(CURVES["m2"].area_over, N**2 * mean_squared_error(Y, PREDICTIONS["m2"]) / 2),
        "m2, and all samples with their mean taken off",
    )
    page.claim(
        "The bias does not change the area.",
        all(close(area(ERRORS[name] + s), area(ERRORS[name])) for name in ERRORS for s in (-50, 7)),
        "4 models shifted by −50 and 7",
    )
    proof(page)
    printed = float(CAPTION["mean of the truth"][2])
    page.value("constant model, variance of the sample", 2 * printed / SIZE**2, "0.00010062")
    page.value("constant model, expected AOC", SPREAD**2 * SIZE**2 / 2, "50")
    page.value("the variance in that product", SPREAD**2, "0.001", erratum=11, right=0.0001)
    densities(page)
    normalised(page)


def interpretations(page):
    """Check what the text and footnote 4 suggest the area might be, and what it is."""
    reach = np.concatenate([np.linspace(a, b, 500) for a, b in pairwise(CURVES["m1"].shift)])
    nearest = float(np.hypot(*CURVES["m1"].sums_at(reach)).min())
    m1 = CURVES["m1"].area_over
    page.claim(
        "The area is an average of n·MMSE over the curve, with some distribution.",
        N * nearest <= m1,
        f"m1: n·MMSE is at least {told([N * nearest])} everywhere on the curve, the area only "
        f"{told([m1])}",
        erratum=7,
    )
    polar = {name: polar_area(curve) for name, curve in CURVES.items()}
    page.claim(
        "Right instead: it is half the integral of the squared distance over the polar angle.",
        all(close(polar[name], CURVES[name].area_over, 1e-6) for name in CURVES),
        f"integrals {told(polar, 7)}; areas "
        f"{told({name: curve.area_over for name, curve in CURVES.items()}, 7)}",
        basis="own",
    )
    higher = (Y[:, None] > Y[None, :]).sum(axis=1) - (Y[:, None] < Y[None, :]).sum(axis=1)
    still = np.zeros(N)
    still[:2] = higher[1], -higher[0]
    changed = PREDICTIONS["m1"] + 0.1 * still
    guess = float(higher @ PREDICTIONS["m1"]), float(higher @ changed)
    both = rt.rroc_area_over_curve(Y, PREDICTIONS["m1"]), rt.rroc_area_over_curve(Y, changed)
    page.claim(
        "Footnote 4: the sum of ŷ₁ − ŷ₂ over pairs with y₁ > y₂ tells the area.",
        close(*guess) and close(*both, 1e-2),
        f"two of m1's predictions moved: the sum stays {told(guess)}, the area goes from "
        f"{told([both[0]])} to {told([both[1]])}",
        erratum=14,
    )
    page.claim(
        "Right instead: it is half the sum of (e_i − e_j)² over all pairs.",
        all(close(pair_area(e), area(e)) for e in [*ERRORS.values(), *samples()]),
        f"pairs {told({name: pair_area(e) for name, e in ERRORS.items()}, 7)}; and 300 samples",
        basis="own",
    )


def proof(page):
    """Follow Theorem 7's proof with m1's errors, its last one added in the inductive step."""
    e = np.sort(ERRORS["m1"])[::-1]
    over, under, _ = algorithm(e)
    d, n, last = -np.diff(e), N - 1, e[-1]
    head = e[:-1]
    mean, variance, delta = head.mean(), head.var(), area(e) - area(head)
    o = [sum(j * d[j - 1] for j in range(1, i)) for i in range(1, N + 1)]
    u = [-sum((N - j) * d[j - 1] for j in range(i, N)) for i in range(1, N + 1)]
    whole = -sum((N - j) * d[j - 1] for j in range(1, N))
    page.claim("Proof: o_i = Σ_{j<i} j·d_j.", close(o, over), f"m1: {told(o)}")
    page.claim(
        "Right instead: u_i = −Σ_{j≥i} (n − j)·d_j.", close(u, under), f"m1: {told(u)}", basis="own"
    )
    page.claim(
        "Proof: u_i = −Σ(n − j)·d_j with j from 1.",
        close(under, whole),
        f"that is {told([whole])} for all i",
        erratum=10,
    )
    page.claim(
        "Base case, n = 2: AOC = (e₂ − e₁)²/2.",
        close(area(e[:2]), (e[1] - e[0]) ** 2 / 2),
        f"first two errors: {told([area(e[:2])])}",
    )
    page.claim(
        "Base case: it equals −(e₂ − μ + μ − e₁)²/2.",
        close(area(e[:2]), -((e[1] - e[0]) ** 2) / 2),
        f"{told([area(e[:2])])} against {told([-((e[1] - e[0]) ** 2) / 2])}: a stray minus sign",
        erratum=10,
    )
    page.claim(
        "Inductive step: one more example adds n/2·((e_{n+1} − μ)² + σ²).",
        close(delta, n / 2 * ((last - mean) ** 2 + variance))
        and close(delta, np.sum((last - head) ** 2) / 2),
        f"m1's lowest error adds {told([delta], 7)}",
    )
    page.claim(
        "Inductive step: that is Σ_i (Σ_{j≥i} d_i)²/2.",
        close(delta, sum(((N - i) * d[i - 1]) ** 2 for i in range(1, N)) / 2),
        f"with d_j it is {told([sum(d[i:].sum() ** 2 for i in range(n)) / 2], 7)}",
        erratum=10,
    )
    page.claim(
        "Inductive step: the new area is n/2·((Σe_i² − μ²)(n + 1) + (e_{n+1} − μ)²).",
        close(area(e), n / 2 * ((np.sum(head**2) - mean**2) * N + (last - mean) ** 2)),
        f"with Σe_i²/n it is {told([n / 2 * (variance * N + (last - mean) ** 2)], 7)}, the area of "
        "m1",
        erratum=10,
    )


def densities(page):
    """Redraw Figure 10 with two bandwidths and check what its caption sees."""
    at = np.linspace(-5.0, 6.0, 2201)
    figure, axes = plt.subplots(1, 2, figsize=(9, 4.2), sharey=True, layout="constrained")
    order = sorted(THREE, key=lambda name: CURVES[name].area_over)
    display = ErrorDensityDisplay({name: ERRORS[name] for name in THREE})
    ordered, seen = [], []
    for ax, rule in zip(axes, ("scott", r_bandwidth), strict=True):
        display.plot(ax=ax)
        drawn = [line for line in ax.get_lines() if line.get_label() in THREE]
        for line in drawn:
            line.set_data(at, gaussian_kde(ERRORS[line.get_label()], rule)(at))
        ax.set(xlim=(at[0], at[-1]), ylim=(0.0, 0.45))
        peaks = {line.get_label(): float(line.get_ydata().max()) for line in drawn}
        told_rule = "Scott's bandwidth" if rule == "scott" else "R's default bandwidth"
        ax.set_title(told_rule, fontsize=10)
        ax.label_outer()
        ordered.append(sorted(THREE, key=lambda name: -peaks[name]) == order)
        seen.append(f"{told_rule}: {told(peaks, 3)}")
    page.claim(
        "A more peaked error density means a better RROC curve.",
        all(ordered),
        f"peaks with {'; with '.join(seen)}; areas "
        f"{told({name: CURVES[name].area_over for name in THREE})}",
        erratum=65,
    )
    page.figure(
        "Figure 10",
        figure,
        "Three humps of similar width, m2 the lowest. Which of m1 and m3 is more peaked depends on "
        "the bandwidth, which the paper does not give.",
    )


def r_bandwidth(density):
    """Return R's nrd0, 0.9·min(s, IQR/1.34)·n^(−1/5), in units of the standard deviation."""
    errors = density.dataset[0]
    low, high = np.quantile(errors, [0.25, 0.75])
    spread = errors.std(ddof=1)
    return 0.9 * min(spread, (high - low) / 1.34) * len(errors) ** -0.2 / spread


def normalised(page):
    """Redraw Figure 11 and check that the number of examples has no part in it."""
    curve = rt.rroc_curve(Y, PREDICTIONS["m1"], normalize=True)
    seven = rt.rroc_curve(np.tile(Y, 7), np.tile(PREDICTIONS["m1"], 7), normalize=True)
    shifts = np.linspace(-3.0, 3.0, 61)
    page.claim(
        "Dividing both axes by n makes curves independent of the number of examples.",
        close(seven.sums_at(shifts), curve.sums_at(shifts))
        and close(curve.over * N, CURVES["m1"].over)
        and close(curve.area_over, ERRORS["m1"].var() / 2),
        f"m1 seven times over has the same curve; its area is σ²/2 = {told([curve.area_over])}",
    )
    page.figure(
        "Figure 11",
        RROCDisplay({"m1": curve}).plot(),
        "Figure 5 again, both axes a tenth as long.",
    )
