"""Pictures for print: as wide as a column, with fonts embedded, readable without colours."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, Literal

from roctopus.core.errors import InputError
from roctopus.display.style import settings

WIDTHS = {"column": 89.0, "page": 183.0}
"""One column and the full width of a page in most journals, in millimetres."""
NARROWEST, WIDEST = 20.0, 1000.0
INCH = 25.4
LINES: tuple[tuple[str, Any], ...] = (
    ("#003f7f", "-"),
    ("#d9a520", (0, (6, 1.5))),
    ("#b0485c", (0, (1.2, 1.2))),
    ("#000000", (0, (6, 1.5, 1.2, 1.5))),
    ("#6cb4dc", (0, (3, 1.2))),
    ("#1f7a3d", (0, (6, 1.2, 1.2, 1.2, 1.2, 1.2))),
    ("#949494", (0, (10, 2))),
    ("#6a2c70", (0, (3, 1.2, 1.2, 1.2))),
)
"""Colours and dashes: the first four colours differ in lightness, all lines in dashes."""
ON_PAPER: dict[str, Any] = {
    "figure.facecolor": "white",
    "axes.facecolor": "white",
    "savefig.facecolor": "auto",
    "axes.edgecolor": "black",
    "axes.labelcolor": "black",
    "axes.titlecolor": "auto",
    "text.color": "black",
    "xtick.color": "black",
    "ytick.color": "black",
    "font.size": 8.0,
    "lines.linewidth": 1.0,
    "lines.markersize": 4.0,
    "pdf.fonttype": 42,
    "ps.fonttype": 42,
    "savefig.bbox": None,
    "savefig.dpi": 600,
}
"""Dark on white, small, fonts as TrueType, and nothing cropped, so that the width stays."""


def print_style(
    width: float | Literal["column", "page"] = "column", height: float | None = None
) -> AbstractContextManager[None]:
    """Draw figures for a paper: of the right size, with fonts embedded, readable in greyscale.

    Figures that are drawn inside ``with print_style():`` are exactly as wide as asked for, with
    text in 8 points. Lines differ in dashes and in lightness, so readers can tell them apart on
    paper without colours. PDF and PostScript files that are saved inside it embed TrueType fonts,
    as journals require.

    Parameters
    ----------
    width : {"column", "page"} or float, default "column"
        Width of the figure: one column (89 mm), the full page (183 mm), or a number of millimetres.
    height : float, optional
        Height in millimetres of a figure with one picture; by default three quarters of the width,
        but at most 90 mm.

    Returns
    -------
    context manager
        Inside it, matplotlib's settings are those for print. Your own font stays.

    Notes
    -----
    It sets matplotlib's ``rcParams``, so pictures that you draw with matplotlib follow it, too.

    Examples
    --------
    >>> from roctopus.display import RECDisplay, print_style
    >>> with print_style("column"):
    ...     display = RECDisplay.from_predictions([3.0, 5.0, 8.0], [2.0, 5.5, 6.0])
    >>> round(display.figure_.get_figwidth() * 25.4)  # mm
    89
    """
    settings()
    from matplotlib import pyplot as plt
    from matplotlib.rcsetup import cycler

    across = _millimetres(WIDTHS.get(width, width) if isinstance(width, str) else width, "width")
    high = min(0.75 * across, 90.0) if height is None else _millimetres(height, "height")
    colours, dashes = zip(*LINES, strict=True)
    return plt.style.context(
        {
            **ON_PAPER,
            "figure.figsize": (across / INCH, high / INCH),
            "axes.prop_cycle": cycler(color=colours, linestyle=dashes),
        }
    )


def _millimetres(value: Any, name: str) -> float:
    """Return a length that is one."""
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not number or not NARROWEST <= value <= WIDEST:
        words = "'column', 'page' or " if name == "width" else ""
        raise InputError(
            f"'{name}' must be {words}a number of millimetres from {NARROWEST:g} to {WIDEST:g}, "
            f"but is {value!r}."
        )
    return float(value)
