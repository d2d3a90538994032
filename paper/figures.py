"""Draw the figures of the paper from bundled data and a seed: .venv/bin/python -m paper.figures.

They are written beside this file, or into the folder that is given.
"""

from __future__ import annotations

import io
import sys
import tempfile
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from PIL import Image
from reproduction.look import INK, LEGEND, Looks, finish_axes

import roctopus as rt
from roctopus import datasets, inference
from roctopus.core.files import replacing
from roctopus.display import AsymmetryCostDisplay, RROCDisplay


def bakery() -> Figure:
    """One bakery twice: a point of RROC space is a line over asymmetry, the hull an envelope."""
    bakery = datasets.load_bakery()
    curves = {
        name: rt.rroc_curve(bakery.y_true, forecast, normalize=True)
        for name, forecast in bakery.predictions.items()
    }
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.5, 4.0), layout="constrained")
    RROCDisplay(curves).plot(ax=left, hull=True, asymmetry=0.8, title="a  RROC space")
    costs = AsymmetryCostDisplay({name: curve.cost_curve() for name, curve in curves.items()})
    costs.plot(ax=right, asymmetry=0.8, title="b  Loss over asymmetry, best shifts")
    return figure


def arms() -> Figure:
    """Five kinds of question, one picture."""
    figure, axes = plt.subplots(2, 3, figsize=(9.5, 5.8), layout="constrained")
    for ax, (title, comparison) in zip(axes.flat, comparisons().items(), strict=False):
        shown = {"low": 0.0, "high": 0.6} if comparison.problem.arm == "impact" else {}
        comparison.plot(kind="cost", ax=ax, title=title, **shown)
        plt.setp(ax.get_legend().get_texts(), fontsize=7.5)
    axes.flat[-1].set_axis_off()
    for row, pair in enumerate((("context", "knob"), *KNOBS.items())):
        for column, text in zip((0.0, 0.62), pair, strict=True):
            axes.flat[-1].text(column, 0.85 - 0.12 * row, text, color=INK, fontsize=10)
    return figure


KNOBS = {
    "a  asymmetry α": "shift",
    "b  cutoff": "none",
    "c  cost of a class": "thresholds",
    "d  cost proportion c": "threshold",
    "e  price θ": "threshold",
}


def comparisons() -> dict[str, rt.Comparison]:
    """Compare the models of the five bundled stories."""
    bakery, apartments = datasets.load_bakery(), datasets.load_apartments()
    apples, screening = datasets.load_apples(), datasets.load_screening()
    phones = datasets.load_phones()
    graded = {"labels": ["juice", "kitchen", "table"], "costs_between": (0, 6)}
    worth = rt.LinearUtility(phones.y_true, -phones.columns["repair"])  # resale × price − repair
    stories = {
        "a  How many loaves?": (bakery, "regression", {}),
        "b  Above the budget?": (apartments, "cutoff", {}),
        "c  Which grade?": (apples, "ordinal", graded),
        "d  A second test?": (screening, "probability", {}),
        "e  Which phones to repair?": (phones, "impact", {"utility": worth}),
    }
    return {
        title: rt.compare(story.y_true, story.predictions, arm=arm, **options)
        for title, (story, arm, options) in stories.items()
    }


def certainty() -> Figure:
    """How sure: a band from influence values, and bounds from one scan."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.5, 3.4), layout="constrained")
    draw_band(left)
    draw_bounds(right)
    return figure


def draw_band(ax: Axes) -> None:
    """Draw a simultaneous band of the difference of two forecasts' losses."""
    bakery = datasets.load_bakery()
    first, second = "ridge", "boosted 80% quantile"
    band = inference.difference_band(
        rt.optimal_shift_error, bakery.y_true, bakery.predictions[first],
        bakery.predictions[second], along={"asymmetry": np.linspace(0.02, 0.98, 49)}, time=True,
    )  # fmt: skip
    colour = Looks([first]).colour(first)
    ax.axhline(0.0, color=INK, linewidth=1.0)
    ax.fill_between(band.contexts, band.lower, band.upper, color=colour, alpha=0.18, linewidth=0)
    ax.plot(band.contexts, band.value, color=colour, linewidth=1.8)
    title = "a  Difference of losses, 95 % band"
    finish_axes(ax, title=title, x="asymmetry α", y=f"{first} − {second}")


BUCKETS = (64, 512, 4096)
PARTS, POINTS = 48, 50


def draw_bounds(ax: Axes) -> None:
    """Draw how far apart the certified bounds of a loss are at most, for grids of several sizes."""
    edges = np.linspace(0.02, 0.98, PARTS + 1)
    asymmetry = np.linspace(edges[:-1], edges[1:], POINTS)  # bounds meet at borders of buckets
    looks = Looks(map(str, BUCKETS))
    with tempfile.TemporaryDirectory() as folder:
        sales = str(Path(folder, "sales.parquet"))
        write_sales(sales)
        for buckets in BUCKETS:
            options = {"mode": "grid", "buckets": buckets, "progress": False}
            curve = rt.compare("demand", sales, arm="regression", **options).curves()["forecast"]
            lower, upper = curve.lower.at(asymmetry), curve.upper.at(asymmetry)
            widest = ((upper - lower) / upper).max(axis=0)
            label = f"{buckets:,} buckets"
            ax.stairs(widest, edges, baseline=None, label=label, **looks.line(str(buckets)))
    ax.set_yscale("log")
    title = "b  Largest width of certified bounds, one scan"
    finish_axes(ax, title=title, x="asymmetry α", y="(upper − lower) / upper")
    ax.legend(**LEGEND)


def write_sales(path: str) -> None:
    """Write made-up demand and a forecast of it."""
    rng = np.random.default_rng(0)
    demand = rng.gamma(4.0, 25.0, 100_000)
    forecast = demand + 20.0 * rng.normal(size=len(demand))
    pq.write_table(pa.table({"demand": demand, "forecast": forecast}), path)


FIGURES = {"bakery": bakery, "arms": arms, "certainty": certainty}


def main(folder: Path) -> None:
    """Draw all figures into a folder."""
    for name, draw in FIGURES.items():
        figure, drawn = draw(), io.BytesIO()
        figure.savefig(drawn, dpi=170)
        plt.close(figure)
        # 128 colours look the same and take a third of the bytes.
        picture = Image.open(drawn).convert("RGB").quantize(128)
        with replacing(folder / f"{name}.png") as path:
            picture.save(path, optimize=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
