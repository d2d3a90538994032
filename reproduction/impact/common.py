"""What the examples of the paper on impact curves share: comparisons and scatter plots."""

from __future__ import annotations

import numpy as np
from matplotlib import pyplot as plt

import roctopus as rt
from roctopus.display import ImpactDisplay, ImpactGainDisplay, ImpactProfileDisplay

__all__ = [
    "COLOURS", "draw_curves", "draw_profiles", "draw_threshold", "extremes", "lead", "mean_error",
    "scatter", "two_panels",
]  # fmt: skip

COLOURS = ("#0072b2", "#d55e00")


def extremes(curve, other):
    """Return the smallest and largest difference of two curves, exactly: they are at knots."""
    found = curve.minus(other).function
    heights = np.append(found.start, found.end)
    heights[np.abs(heights) < 1e-12] = 0.0  # rounding
    return float(heights.min()), float(heights.max())


def lead(curves, theta):
    """Return the stretch about a θ in which one model is best, and which one."""
    return next(each for each in rt.envelope(curves).regions if each.low <= theta <= each.high)


def mean_error(truth, predicted):
    """Return the mean absolute error."""
    return float(np.mean(np.abs(truth - predicted)))


def two_panels(**options):
    """Return a figure with two axes side by side."""
    return plt.subplots(1, 2, figsize=(9.6, 4.4), layout="constrained", **options)


def scatter(ax, truth, predicted, name, colour, labels):
    """Draw predictions over truths."""
    ax.plot(truth, predicted, ".", color=colour, alpha=0.55, markersize=5)
    ax.set(title=name, xlabel=labels[0], ylabel=labels[1])
    ax.grid(color="#e3e5ea", linewidth=0.8)
    ax.spines[["top", "right"]].set_visible(False)


def draw_threshold(truth, score, even, threshold, labels=("grade (% Cu)", "sensor reading")):
    """Draw cases with the break-even point and a threshold."""
    figure, ax = plt.subplots(figsize=(6.4, 4.6), layout="constrained")
    scatter(ax, truth, score, "", COLOURS[0], labels)
    ax.axvline(even, color="#1f2430", linewidth=1.2, linestyle=":", label=f"break-even {even:g}")
    ax.axhline(
        threshold, color="#1f2430", linewidth=1.2, linestyle="--",
        label=f"threshold {threshold:.4g}: accepted above",
    )  # fmt: skip
    ax.legend(fontsize=9, edgecolor="none", loc="lower right")
    return figure


def draw_profiles(profiles):
    """Draw the profile of each of two models on a scale of thresholds of its own."""
    figure, axes = two_panels(sharey=True)
    for ax, colour, (name, profile) in zip(axes, COLOURS, profiles.items(), strict=True):
        ImpactProfileDisplay({name: profile}).plot(ax=ax, title=name)
        for line in ax.lines[:2]:  # the steps, and the mark of the best
            line.set_color(colour)
        ax.get_legend().remove()
    axes[1].set_ylabel("")
    return figure


def draw_curves(curves, axes, **options):
    """Draw impact curves, and below or beside them what they gain over the trivial decisions."""
    displays = ImpactDisplay(curves), ImpactGainDisplay(curves)
    for ax, display in zip(axes, displays, strict=True):
        display.plot(ax=ax, **options)
