"""A metric along a context, with its bands."""

from __future__ import annotations

from typing import Any, Self, Unpack

from roctopus.display.base import Display
from roctopus.display.drawing import Appearance, Pen, drawing
from roctopus.display.style import mark_size
from roctopus.inference.band import Band


class BandDisplay(Display):
    """Draw a metric along a context with its simultaneous band, and the pointwise one inside it.

    Parameters
    ----------
    band : Band
        What is drawn, from ``curve_band`` or ``difference_band``.
    name : str, default "estimate"
        What the legend calls it.

    Attributes
    ----------
    ax_ : matplotlib axes
        Where the picture was drawn; there after ``plot``.
    figure_ : matplotlib figure
        Figure of these axes.

    Examples
    --------
    >>> import numpy as np
    >>> import roctopus as rt
    >>> from roctopus.inference import curve_band
    >>> y, rng = np.arange(50.0), np.random.default_rng(0)
    >>> along = {"asymmetry": np.linspace(0.1, 0.9, 9)}
    >>> band = curve_band(rt.optimal_shift_error, y, y + rng.normal(size=50), along=along)
    >>> band.plot().ax_.get_xlabel()
    'asymmetry'
    """

    def __init__(self, band: Band, *, name: str = "estimate") -> None:
        self.band, self.name = band, name

    @drawing
    def plot(
        self, ax: Any | None = None, *, pointwise: bool = True, **look: Unpack[Appearance]
    ) -> Self:
        """Draw the band.

        Parameters
        ----------
        pointwise : bool, default True
            Whether to shade intervals that hold at single contexts, too.
        """
        found = self.band
        pen = Pen.on(ax, {self.name: self.name}, look)
        shade = {"color": pen.colour(self.name), "alpha": 0.15, "linewidth": 0}
        pen.ax.fill_between(found.contexts, found.lower, found.upper, **shade)
        if pointwise:
            inner = found.pointwise_lower, found.pointwise_upper
            pen.ax.fill_between(found.contexts, *inner, **shade)
        dots = {"marker": "o", "markersize": mark_size(4)} if len(found.contexts) == 1 else {}
        level = f" ({100 * found.confidence_level:g} % band)"
        pen.ax.plot(found.contexts, found.value, **pen.line(self.name, level, **dots))
        if pen.fresh and float(found.lower.min()) < 0.0:
            pen.ax.axhline(0.0, **pen.theme.baseline())
        x = found.context.replace("_", " ")
        pen.finish(self._finding(), x, found.outcome)
        return self._drawn(pen)

    def _finding(self) -> str | None:
        """Return the title: where the values are clearly above or below zero."""
        if float(self.band.lower.min()) >= 0.0:
            return None
        clear = [each for each in self.band.regions() if each.answer != "undecided"]
        if not clear:
            return "Nowhere clearly above or below 0"
        told = [f"{each.answer} 0 from {each.low:.3g} to {each.high:.3g}" for each in clear[:2]]
        return f"Clearly {' and '.join(told)}"

    def frame(self, backend: str | None = None) -> Any:
        """Return the band."""
        return self.band.frame(backend)


def plot_band(band: Band, name: str, options: dict[str, Any]) -> BandDisplay:
    """Draw a band; options are those of the display."""
    return BandDisplay(band, name=name).plot(**options)
