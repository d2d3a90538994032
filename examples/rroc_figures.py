"""Redraw Figures 1–12 of "A graphical analysis of cost-sensitive regression problems".

Run it with an output folder (``figures`` by default).
"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import numpy as np
from matplotlib import pyplot as plt

import roctopus as rt
from roctopus.core.files import replacing
from roctopus.display import ErrorDensityDisplay, RROCDisplay

# Examples 1–4 of the paper.
Y = [0.211, 2.725, 1.933, 3.242, 7.858, 6.061, 7.173, 3.082, 0.894, 1.203]
M1 = [-0.082, 3.323, 2.320, 1.080, 7.893, 4.983, 5.121, 3.442, 2.083, 1.112]
M2 = [0.786, 2.078, 0.587, 1.676, 9.052, 5.875, 6.885, 3.038, 4.097, 0.308]
M3 = [1.253, 4.232, 1.734, 5.325, 6.842, 9.325, 8.232, 3.525, 1.352, 1.778]
M4 = [0.123, 1.221, 1.845, 4.573, 8.558, 7.392, 5.669, 1.578, 0.806, 1.245]
MODELS = {"m1": M1, "m2": M2, "m3": M3}


def figures() -> dict[str, tuple]:
    """Return a display and its options for every figure."""
    points = {name: rt.rroc_point(Y, p) for name, p in MODELS.items()}
    curves = {name: rt.rroc_curve(Y, p) for name, p in MODELS.items()}
    crossing = rt.rroc_hull(points)
    # Ties of decimals are not ties of doubles: round the errors to the paper's three decimals.
    tied = np.round(np.subtract(M4, Y), 3)
    return {
        "01 RROC space and three models": (RROCDisplay(points), {}),
        "02 Isometric for α = 0.8": (RROCDisplay(points), {"asymmetry": 0.8}),
        "03 Hybrids of m1 and m3": (
            RROCDisplay(points),
            {"hybrid": crossing.hybrid(over=6.5), "asymmetry": crossing.regions[0].high},
        ),
        "04 Convex hull of three models": (RROCDisplay(points), {"hull": True}),
        "05 RROC curve of m1": (RROCDisplay({"m1": curves["m1"]}), {}),
        "06 RROC curve of m4, with ties": (
            RROCDisplay({"m4": rt.rroc_curve(np.zeros(10), tied)}),
            {},
        ),
        "07 RROC curves of three models": (RROCDisplay(curves), {}),
        "08 Convex hull of three curves": (RROCDisplay(curves), {"hull": True}),
        "09 A random, a noisy and a constant model": (RROCDisplay(simulated_models()), {}),
        "10 Error densities": (
            ErrorDensityDisplay({name: np.subtract(p, Y) for name, p in MODELS.items()}),
            {},
        ),
        "11 Normalised RROC curve of m1": (
            RROCDisplay({"m1": rt.rroc_curve(Y, M1, normalize=True)}),
            {},
        ),
        "12 Other ways to shift m1": (RROCDisplay(other_shifts()), {"limits": (20.0, 20.0)}),
    }


def simulated_models() -> dict[str, rt.TradeoffCurve]:
    """Return Figure 9's three models by simulation; prints the numbers in its caption."""
    rng = np.random.default_rng(2013)
    y = rng.normal(0.0, 0.01, 1000)
    models = {
        "random": rng.normal(0.0, 0.01, 1000),
        "truth plus noise": y + rng.normal(0.0, 0.01, 1000),
        "mean of the truth": np.full(1000, y.mean()),
    }
    for name, p in models.items():
        area, mse = rt.rroc_area_over_curve(y, p), np.mean((p - y) ** 2)
        print(
            f"  Figure 9, {name}: MAE {np.mean(np.abs(p - y)):.4f}, MSE {mse:.5f}, AOC {area:.2f}"
        )
    return {name: rt.rroc_curve(y, p) for name, p in models.items()}


def other_shifts() -> dict[str, rt.TradeoffCurve]:
    """Return Figure 12's curves: a constant shift, of a polynomial, and times a polynomial."""
    p = np.array(M1)
    return {
        "ŷ + s": rt.rroc_curve(Y, p),
        "0.9ŷ + 0.002ŷ³ + s": rt.rroc_curve(Y, 0.9 * p + 0.002 * p**3),
        "ŷ − 0.004ŷ³ + 1.5sŷ² + s": rt.rroc_curve(Y, p - 0.004 * p**3, multiplier=1 + 1.5 * p**2),
    }


def main(folder: Path) -> None:
    """Draw every figure to its own file, and all on one sheet."""
    folder.mkdir(parents=True, exist_ok=True)
    drawn = figures()
    sheet, axes = plt.subplots(4, 3, figsize=(17, 20), layout="constrained")
    for (title, (display, options)), ax in zip(drawn.items(), axes.flat, strict=True):
        display.plot(**options, title=f"Figure {title.lstrip('0')}")
        with replacing(folder / f"figure-{title[:2]}.png") as temporary:
            display.figure_.savefig(temporary, dpi=120)
        plt.close(display.figure_)
        display.plot(ax=ax, **options, title=f"Figure {title.lstrip('0')}")
    with replacing(folder / "figures.png") as temporary:
        sheet.savefig(temporary, dpi=80)
    print(f"{len(drawn)} figures and one sheet in {folder}")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "figures"))
