"""The pictures of the pROC paper, drawn again."""

from __future__ import annotations

import warnings

import numpy as np
from matplotlib import pyplot as plt

from reproduction.look import INK, MUTED, Looks, draw_legend, finish_axes
from reproduction.proc.lists import LISTS
from roctopus.display import SegmentDisplay, SmoothedAreaDisplay, SmoothedROCDisplay

SMALL = {"fontsize": 8, "framealpha": 0.85, "edgecolor": "none"}
"""How legends look in small panels."""


def row_of_axes(count, *, rows=1, size=4.0):
    """Return a figure and its square panels."""
    columns = -(-count // rows)
    shape = (size * columns, size * rows)
    figure, axes = plt.subplots(rows, columns, figsize=shape, layout="constrained")
    figure.get_layout_engine().set(w_pad=0.1, h_pad=0.1)
    return figure, np.atleast_1d(axes).ravel()


def draw_curves(ax, curves, title=None, slope=None):
    """Draw named ROC and pROC curves."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # thresholds outside [0, 1] are the subject
        SmoothedROCDisplay(curves).plot(ax=ax, title=title, slope=slope)
    ax.set_xlim(-0.02, 1.02)
    ax.set_ylim(-0.02, 1.02)
    ax.set_aspect("equal")
    ax.legend(loc="lower right", **SMALL)


def draw_segments(ax, ranking, width, kernel="uniform", title=None):
    """Draw the segments on an axis that goes from 1 to 0, as the paper's do."""
    SegmentDisplay.from_predictions(
        ranking.y, ranking.p, width=width, kernel=kernel, ax=ax, title=title
    )
    ax.invert_xaxis()
    ax.set_ylabel("")
    for row, p in enumerate(np.sort(ranking.p)):
        ax.annotate(
            f"{p:g}",
            (p, row),
            (0, -13),
            textcoords="offset points",
            ha="center",
            fontsize=8,
            color=INK,
        )
    ax.legend(loc="upper left", **SMALL)
    ax.set_ylim(-0.5, len(ranking.p) + 0.5)


def segments_and_curve(ranking, width, kernel="uniform"):
    """Draw the segments of a list beside the curve they make (Figures 1, 3 and 7)."""
    figure, (left, right) = row_of_axes(2, size=4.6)
    said = f"{kernel} segments, d = {width:g}" if width else "no width"
    draw_segments(left, ranking, width, kernel, said)
    curves = {"ROC": ranking.curve(0.0)}
    if width:
        curves["pROC"] = ranking.curve(width, kernel)
    draw_curves(right, curves)
    return figure


def small_changes():
    """Draw Figure 2: two lists that hardly differ, and their ROC curves."""
    figure, axes = row_of_axes(2)
    titles = {"near, right": "0.501+, 0.5−", "near, wrong": "0.5−, 0.499+"}
    for ax, (name, title) in zip(axes, titles.items(), strict=True):
        draw_curves(ax, {"ROC": LISTS[name].curve(0.0)}, title)
        said = f"ROC (area {LISTS[name].auc:.3f})"
        ax.legend(ax.lines[1:], [said], loc="center", **SMALL)
    return figure


def growing_widths():
    """Draw Figure 4: the curve of Example 1 at widths from 0 to 8."""
    widths = (0.0, 0.5, 1.0, LISTS["Example 1"].width(), 3.0, 8.0)
    figure, axes = row_of_axes(len(widths), rows=2, size=3.6)
    for ax, width in zip(axes, widths, strict=True):
        draw_curves(ax, {"pROC": LISTS["Example 1"].curve(width)}, f"d = {width:.4g}")
    return figure


def oscillating_curves():
    """Draw Figure 5: the oscillating list at the three widths the text names."""
    figure, axes = row_of_axes(3)
    for ax, width in zip(axes, (0.0, 0.05, 0.4), strict=True):
        draw_curves(ax, {"pROC": LISTS["oscillating"].curve(width)}, f"d = {width:g}")
    return figure


def oscillating_area():
    """Draw Figure 6: Area(d) of the oscillating list, along d and along its logarithm."""
    figure, (left, right) = row_of_axes(2, size=4.8)
    found = LISTS["oscillating"].found()
    SmoothedAreaDisplay(found).plot(ax=left, title="every width")
    for text in list(left.texts):  # roots are named in the other panel, where they are apart
        text.remove()
    left.set_xlim(left=-0.04)
    left.plot(0.4, 0.732, "x", color=INK, markersize=8, label="printed, d = 0.4")
    draw_legend(left)
    widths = np.geomspace(1e-6, 8.0, 1500)
    colour = Looks(["area"]).colour("area")
    right.semilogx(widths, found.area.at(widths), color=colour, linewidth=1.8)
    right.axhline(found.area.probabilistic_auc, color=MUTED, linestyle=(0, (4, 3)))
    for root, aside in zip(found.roots(), (8, -52, 8), strict=True):
        right.plot(root.low, found.area.at(root.low), "o", color=INK, markersize=6)
        right.annotate(
            f"{root.low:.4g}", (root.low, found.area.at(root.low)), (aside, 7),
            textcoords="offset points", fontsize=9, color=INK,
        )  # fmt: skip
    finish_axes(right, title="small widths apart", x="width d", y="area under the pROC curve")
    return figure


def one_pair():
    """Draw the sketch of section 3.1: one positive above one negative."""
    pair = LISTS["one pair"]
    figure, (ax,) = row_of_axes(1, size=4.6)
    width = pair.width()
    x = (width - float(pair.pairs[0])) / width
    draw_curves(ax, {f"d = {width:.4f}": pair.curve(width)})
    ax.fill([0, 0, x], [1 - x, 1, 1], color=MUTED, alpha=0.2)
    ax.annotate("x", (x / 2, 0.965), ha="center", color=INK)
    ax.annotate("x", (0.02, 1 - x / 2), va="center", color=INK)
    return figure


def example(name):
    """Draw the pROC curve of an example, for uniform and for normal segments."""
    ranking = LISTS[name]
    figure, axes = row_of_axes(2, size=4.4)
    for ax, kernel in zip(axes, ("uniform", "normal"), strict=True):
        width = ranking.width(kernel)
        curves = {"d = 0": ranking.curve(0.0), f"d = {width:.4f}": ranking.curve(width, kernel)}
        draw_curves(ax, curves, f"{name}, {kernel}")
    return figure


def cut_points(printed, switch):
    """Draw the pictures of section 3.3: where lines of a slope meet the ROC and the pROC curve."""
    ranking = LISTS["Example 1"]
    figure, axes = row_of_axes(4, rows=2, size=4.2)
    draw_curves(axes[0], {"ROC": ranking.curve(0.0)}, f"{switch:.2f}°", np.tan(np.radians(switch)))
    axes[0].plot(1 / 3, 1.0, "o", color=axes[0].lines[1].get_color(), alpha=0.6)  # as good
    smooth = ranking.curve(ranking.width())
    for ax, (angle, (x, y)) in zip(axes[1:], printed.items(), strict=True):
        draw_curves(ax, {"pROC": smooth}, f"{angle}°", np.tan(np.radians(angle)))
        ax.plot(x / 100, y / 100, "x", color=INK, markersize=9, mew=2, label="printed point")
        ax.legend(loc="lower right", **SMALL)
    return figure


def more_cases(rows):
    """Draw how near the pROC curve comes to the ROC curve with more cases."""
    figure, (ax,) = row_of_axes(1, size=5.0)
    sizes, apart, least = ([row[k] for row in rows] for k in (0, 2, 3))
    looks = Looks(["apart", "least"])
    ax.semilogx(sizes, apart, marker="o", label="area between the curves", **looks.line("apart"))
    ax.semilogx(
        sizes, least, marker="s", label="|AUC − pAUC|, its lower bound", **looks.line("least")
    )
    ax.axhline(1 / 6, color=MUTED, linewidth=1, linestyle=(0, (4, 3)), label="population, 1/6")
    ax.set_ylim(0.0, 1.15 * max(apart))
    finish_axes(ax, title=None, x="cases", y="mean area")
    draw_legend(ax)
    return figure
