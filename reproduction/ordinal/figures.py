"""The pictures of measures against each other in the ordinal paper."""

from __future__ import annotations

import itertools

import numpy as np
from scipy.stats import norm

from reproduction.look import (
    GRID,
    INK,
    MUTED,
    Looks,
    draw_legend,
    finish_axes,
    new_axes,
    new_figure,
)
from reproduction.ordinal.swarm import MEASURES, unbeaten

__all__ = ["front_matrix", "ranking_matrix", "ranking_quantiles", "relation", "trade_offs"]


def symbol(name):
    """Return a measure's name as a formula: Û_cons with a real index."""
    if not name.startswith("Û"):
        return name
    index = name.partition("_")[2]
    return r"$\hat{U}" + (rf"_{{\mathrm{{{index}}}}}" if index else "") + "$"


def relation(means, curves, names, x, y):
    """Return a figure of one measure against another, a line per number of classes."""
    ax = new_axes()
    looks = Looks(map(str, means))
    ax.plot([0.48, 1], [0.48, 1], color=GRID, linewidth=1.2)
    for (r, mean), marker in zip(means.items(), "os^D", strict=True):
        colour = looks.colour(str(r))
        ax.plot(curves[r][:, x], curves[r][:, y], color=colour, linewidth=0.8)
        ax.plot(mean[:, x], mean[:, y], marker, color=colour, markersize=5, label=f"r = {r}")
    finish_axes(ax, title=None, x=symbol(names[x]), y=symbol(names[y]))
    ax.set_xlim(0.48, 1.01)
    ax.set_ylim(0.48 if y else 0.0, 1.01)
    draw_legend(ax)
    return ax.figure


def ranking_matrix(found, names):
    """Return Figure 6."""
    figure = new_figure((8.4, 8.4))
    axes = figure.subplots(4, 4, sharex="col")
    for row, column in itertools.product(range(4), repeat=2):
        ax = axes[row, column]
        if row == column:
            ax.hist(found[:, row], bins=30, color=MUTED)
            ax.set_yticks([])
        else:
            ax.plot(found[:, column], found[:, row], ".", color=INK, markersize=1.5)
        ax.tick_params(colors=MUTED, labelsize=7)
        ax.locator_params(nbins=4)
        if row == 3:
            ax.set_xlabel(symbol(names[column]))
        if column == 0:
            ax.set_ylabel(symbol(names[row]))
    return figure


def ranking_quantiles(found, names):
    """Return Figure 7."""
    figure = new_figure((7.6, 6.4))
    at = norm.ppf((np.arange(len(found)) + 0.5) / len(found))
    for ax, name, x in zip(figure.subplots(2, 2).flat, names, found.T, strict=True):
        ax.plot(at, x.mean() + x.std() * at, color=Looks(names).colour(names[1]), linewidth=1.2)
        ax.plot(at, np.sort(x), ".", color=INK, markersize=3)
        finish_axes(
            ax, title=symbol(name), x="quantile of the normal distribution", y="quantile observed"
        )
    return figure


def front_matrix(values):
    """Return the matrix of scatter plots, the two-dimensional fronts in orange."""
    figure = new_figure((10.4, 10.0))
    axes = figure.subplots(5, 5, sharex="col", sharey="row")
    orange = Looks(["all", "front"]).colour("front")
    for row, column in itertools.product(range(5), repeat=2):
        ax = axes[row, column]
        if column > row:
            ax.set_axis_off()
            continue
        pair = values[:, [column, row + 1]]
        ax.plot(*pair.T, ".", color=MUTED, markersize=1.5, alpha=0.6)
        ax.plot(*pair[unbeaten(pair)].T, ".", color=orange, markersize=4)
        ax.tick_params(colors=MUTED, labelsize=7)
        ax.locator_params(nbins=4)
        if row == 4:
            ax.set_xlabel(symbol(MEASURES[column]), color=INK)
        if column == 0:
            ax.set_ylabel(symbol(MEASURES[row + 1]), color=INK)
    return figure


def trade_offs(found, recut, best):
    """Return errors against ranking, with the swarm's own and with exact thresholds."""
    figure = new_figure((10.0, 4.6))
    sets = {"as found": found, "the same, thresholds exact": recut,
            "searched with exact thresholds": best}  # fmt: skip
    looks = Looks(sets)
    for ax, (x, y) in zip(figure.subplots(1, 2), ((0, 2), (1, 4)), strict=True):
        for name, values in sets.items():
            ax.plot(values[:, x], values[:, y], ".", markersize=3, color=looks.colour(name),
                    label=name, alpha=0.7)  # fmt: skip
        finish_axes(ax, title=None, x=symbol(MEASURES[x]), y=symbol(MEASURES[y]))
    draw_legend(ax)
    return figure
