"""Figures for print: as wide as a column, with TrueType fonts, readable without colours."""

import matplotlib
import matplotlib.style
import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_rgb

import roctopus as rt
from displays import BY_CLASS, MODELS, drawn
from roctopus.display import RECDisplay, print_style
from roctopus.display.printing import LINES
from roctopus.display.style import Looks

matplotlib.use("Agg")
SHEETS = {"PairwiseROCDisplay"}
MM = 25.4


def lightness(colour):
    """Return L* of CIELAB: what is left of a colour on a grey copy."""
    red, green, blue = (
        each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4
        for each in to_rgb(colour)
    )
    luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return 116 * np.cbrt(luminance) - 16 if luminance > 0.008856 else 903.3 * luminance


@pytest.mark.parametrize("kind", MODELS)
@pytest.mark.parametrize(("width", "mm"), [("column", 89), ("page", 183), (120, 120)])
def test_figures_are_as_wide_as_asked_for(kind, width, mm):
    with print_style(width):
        assert drawn(kind).figure_.get_figwidth() * MM == pytest.approx(mm)


def test_the_height_is_the_users():
    with print_style(100, height=60):
        figure, _ = plt.subplots()
        assert figure.get_size_inches() * MM == pytest.approx([100, 60])


@pytest.mark.parametrize("kind", MODELS)
def test_nothing_is_cut_off_in_a_column(kind):
    with print_style():
        figure = drawn(kind, name="gradient boosting, 500 trees, tuned").figure_
        figure.canvas.draw()
        box = figure.get_tightbbox()
        width, height = figure.get_size_inches()
        assert box.x0 > -0.02
        assert box.x1 < width + 0.02
        if kind != "ROCSurfaceDisplay":  # its box has room that nothing is drawn in
            assert box.y0 > -0.02
            assert box.y1 < height + 0.02


@pytest.mark.parametrize("ending", ["pdf", "ps"])
def test_fonts_are_embedded_as_true_type(ending, tmp_path):
    with print_style():
        RECDisplay.from_predictions([3.0, 5.0, 8.0], [2.0, 5.5, 6.0]).figure_.savefig(
            tmp_path / f"figure.{ending}"
        )
    written = (tmp_path / f"figure.{ending}").read_bytes()
    if ending == "pdf":
        assert b"/FontFile2" in written
        assert b"/Type3" not in written
        width = float(written.partition(b"/MediaBox [ 0 0 ")[2].split()[0])
        assert width / 72 * MM == pytest.approx(89, abs=0.1)
    else:
        assert b"/FontType 42" in written


def test_lines_differ_without_colours():
    with print_style():
        _, ax = plt.subplots()
        looks = Looks(map(str, range(8)), ax, {str(k): {} for k in range(8)}, {})
        assert [looks.line(str(k))["linestyle"] for k in range(8)] == [each for _, each in LINES]
    assert len({each for _, each in LINES}) == 8
    first = sorted(lightness(colour) for colour, _ in LINES[:4])
    assert min(np.diff(first)) > 15
    assert max(lightness(colour) for colour, _ in LINES) < 80  # to be seen on white paper


@pytest.mark.parametrize("kind", sorted(set(MODELS) - BY_CLASS - {"ROCSurfaceDisplay"}))
def test_models_have_the_looks_of_print(kind):
    with print_style():
        _, ax = plt.subplots(layout="constrained")
        shown = [drawn(kind, k, ax=ax) for k in (0, 1)]
        found = {
            matplotlib.colors.to_hex(line.get_color())
            for each in (shown[1].figure_.axes)
            for line in each.lines
        }
    assert {colour for colour, _ in LINES[:2]} <= found


def test_a_dark_theme_is_left_for_paper_and_settings_come_back():
    with plt.style.context("dark_background"):
        before = dict(plt.rcParams)
        with print_style():
            figure = drawn("RECDisplay").figure_
            assert to_rgb(figure.get_facecolor()) == (1.0, 1.0, 1.0)
            assert sum(to_rgb(figure.axes[0].title.get_color())) < 1.0
        assert dict(plt.rcParams) == before


def test_comparisons_in_two_lines(tmp_path):
    y = np.arange(60.0)
    models = {"near": y + np.sin(y), "far": y + 9 * np.cos(y)}
    comparison = rt.compare(y, models, arm="regression")
    for kind in ("excess", "choices", "cost"):
        with print_style():
            figure = comparison.plot(kind=kind, under_cost=4, over_cost=1).figure_
            figure.savefig(tmp_path / "figure.pdf")
        assert figure.get_figwidth() * MM == pytest.approx(89)


@pytest.mark.parametrize("wrong", ["row", 0, True, None, float("nan"), 5000])
def test_what_is_no_width(wrong):
    with pytest.raises(rt.InputError, match="'width' must be 'column', 'page' or a number of mill"):
        print_style(wrong)
    if wrong is not None:
        with pytest.raises(rt.InputError, match="'height' must be a number of millimetres from 20"):
            print_style(height=wrong)
