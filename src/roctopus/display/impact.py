"""Impact over prices and thresholds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Self, Unpack

import numpy as np

from roctopus.concepts.envelopes import envelope
from roctopus.core.checks import check_mapping
from roctopus.core.errors import InputError
from roctopus.core.given import call_given
from roctopus.core.labels import read_labels
from roctopus.display.base import WorthDisplay, frame_of
from roctopus.display.context import ContextCurveDisplay, draw_second_axis, outline, usual_range
from roctopus.display.drawing import Appearance, Pen, drawing
from roctopus.display.marks import note_line
from roctopus.display.style import (
    line_width,
    mark_size,
    safe_text,
)
from roctopus.display.writing import say_number
from roctopus.impact.cases import check_utility
from roctopus.impact.curves import ImpactCurve, impact_curve
from roctopus.impact.profiles import ImpactProfile, impact_profile
from roctopus.impact.utilities import LinearUtility, value_times_price

Maker = Callable[[Any], LinearUtility]


def _utility_of(y_true: Any, utility: LinearUtility | Maker, pos_label: Any) -> LinearUtility:
    if pos_label is not None:
        y_true = read_labels(y_true, "y_true", pos_label).values
    made = call_given(utility, "utility", y_true) if callable(utility) else utility
    check_utility(made)
    return made


class ImpactDisplay(WorthDisplay, ContextCurveDisplay):
    """Draw impact curves over θ, with what accepting or rejecting all would give.

    A second axis shows the break-even point where the utility has one.

    Parameters
    ----------
    curves : mapping from name to ImpactCurve
        Curves of the models, from ``impact_curve``.

    Attributes
    ----------
    ax_ : matplotlib axes
        Where the picture was drawn; there after ``plot``.
    figure_ : matplotlib figure
        Figure of these axes.

    Examples
    --------
    >>> from roctopus.display import ImpactDisplay
    >>> from roctopus.impact import value_times_price
    >>> grade, sensor = [0.1, 0.29, 0.3, 0.5, 0.8, 1.2], [1, 3, 3, 2, 5, 4]
    >>> display = ImpactDisplay.from_predictions(grade, sensor, utility=value_times_price)
    >>> display.ax_.get_xlabel()
    'θ = price / cost'
    """

    def __init__(self, curves: Mapping[str, ImpactCurve]) -> None:
        named = check_mapping(curves, "curves", "impact curves")
        for name, curve in named.items():
            if not isinstance(curve, ImpactCurve):
                raise InputError(
                    f"The curve {name!r} must come from impact_curve, but is of type "
                    f"{type(curve).__name__}."
                )
        super().__init__(named)
        self.impacts: dict[str, ImpactCurve] = named
        self.x_label = next(iter(named.values())).scale.label

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        name: str = "model",
        utility: LinearUtility | Maker = value_times_price,
        normalize: bool = False,
        pos_label: Any = None,
        sample_weight: Any = None,
        **options: Any,
    ) -> Self:
        """Draw one model's scores."""
        made = _utility_of(y_true, utility, pos_label)
        curve = impact_curve(y_pred, made, normalize=normalize, sample_weight=sample_weight)
        return cls({name: curve}).plot(**options)

    def context_range(self) -> tuple[float, float]:
        """Return the θ to show: those at which there is something to choose.

        Returns
        -------
        tuple of float
            Ends of the x-axis.
        """
        return usual_range(self.impacts)

    @drawing
    def plot(self, ax: Any | None = None, **options: Any) -> Self:
        """Draw the curves."""
        super().plot(ax, **options)
        draw_second_axis(self.ax_, next(iter(self.impacts.values())).scale.second_axis)
        return self


class ImpactGainDisplay(ImpactDisplay):
    """Draw what models add to the better of accepting and rejecting all, over θ (Figure 6).

    Parameters
    ----------
    curves : mapping from name to ImpactCurve
        Curves of the models, from ``impact_curve``.

    Attributes
    ----------
    ax_ : matplotlib axes
        Where the picture was drawn; there after ``plot``.
    figure_ : matplotlib figure
        Figure of these axes.

    Examples
    --------
    >>> from roctopus.display import ImpactGainDisplay
    >>> grade, sensor = [0.1, 0.29, 0.3, 0.5, 0.8, 1.2], [1, 3, 3, 2, 5, 4]
    >>> ImpactGainDisplay.from_predictions(grade, sensor).ax_.get_ylabel()
    'gain over the best trivial decision'
    """

    y_label = "gain over the best trivial decision"

    def __init__(self, curves: Mapping[str, ImpactCurve]) -> None:
        super().__init__(curves)
        self.curves = {name: each.gain for name, each in self.impacts.items()}
        self.envelope = envelope(self.curves)

    @drawing
    def plot(self, ax: Any | None = None, **options: Any) -> Self:
        """Draw the curves; marked is where the best trivial decision, zero here, switches."""
        super().plot(ax, **options)
        low, high = self.ax_.get_xlim()
        knots = next(iter(self.impacts.values())).trivial.knots
        for knot in knots[(knots > low) & (knots < high)].tolist():
            note_line(self.ax_, knot, "trivial switches")
        return self


class ThresholdLinesDisplay(WorthDisplay):
    """Draw the lines of a few thresholds under the impact curve they make (Figure 8).

    Parameters
    ----------
    curve : ImpactCurve
        Curve of the best threshold, from ``impact_curve``.
    lines : mapping from threshold to ImpactCurve
        Curves of fixed thresholds.
    name : str, default "model"
        What the picture calls the model.

    Attributes
    ----------
    ax_ : matplotlib axes
        Where the picture was drawn; there after ``plot``.
    figure_ : matplotlib figure
        Figure of these axes.

    Examples
    --------
    >>> from roctopus.display import ThresholdLinesDisplay
    >>> from roctopus.impact import value_times_price
    >>> grade, sensor = [0.1, 0.29, 0.3, 0.5, 0.8, 1.2], [1, 3, 3, 2, 5, 4]
    >>> display = ThresholdLinesDisplay.from_predictions(grade, sensor, thresholds=[2, 4])
    >>> len(display.ax_.lines)
    3
    """

    def __init__(
        self, curve: ImpactCurve, lines: Mapping[float, ImpactCurve], *, name: str = "model"
    ) -> None:
        self.curve, self.lines, self.name = curve, dict(lines), name

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        name: str = "model",
        utility: LinearUtility | Maker = value_times_price,
        thresholds: Any = None,
        normalize: bool = False,
        pos_label: Any = None,
        sample_weight: Any = None,
        **options: Any,
    ) -> Self:
        """Draw one model's scores.

        Parameters
        ----------
        thresholds : list of float, optional
            By default those that accept 20, 40, 60 and 80 %.
        """
        made = _utility_of(y_true, utility, pos_label)
        reading = {"normalize": normalize, "sample_weight": sample_weight}
        if thresholds is None:
            thresholds = np.quantile(np.asarray(y_pred, dtype=float), [0.2, 0.4, 0.6, 0.8])
        thresholds = np.atleast_1d(thresholds).tolist()
        lines = {
            float(t): impact_curve(y_pred, made, threshold=float(t), **reading) for t in thresholds
        }
        return cls(impact_curve(y_pred, made, **reading), lines, name=name).plot(**options)

    @drawing
    def plot(
        self,
        ax: Any | None = None,
        *,
        low: float | None = None,
        high: float | None = None,
        **look: Unpack[Appearance],
    ) -> Self:
        """Draw the lines and their upper envelope."""
        names = [f"threshold {t:.4g}" for t in self.lines]
        pen = Pen.on(ax, {name: name for name in names}, look, len(names) + 1)
        whose = "" if pen.fresh else f"{safe_text(self.name)}, "
        first, last = usual_range({"curve": self.curve})
        low, high = first if low is None else low, last if high is None else high
        for name, line in zip(names, self.lines.values(), strict=True):
            style = pen.line(name) | {"label": whose + pen.told(name)}
            pen.ax.plot(*outline(line.function, low, high), **style)
        x, y = outline(self.curve.function, low, high)
        best = {"color": pen.theme.ink, "linewidth": line_width(1.7), "alpha": 0.85}
        pen.ax.plot(x, y, linestyle="-", label=f"{whose}best threshold", zorder=1.5, **best)
        top = 1.06 * float(np.max(y)) or 1.0
        pen.limits((low, high), (-0.5 * top, top))
        told = f"{safe_text(self.name)}: the best threshold changes with the price"
        pen.finish(told, self.curve.scale.label, self.curve.outcome)
        draw_second_axis(pen.ax, self.curve.scale.second_axis)
        return self._drawn(pen)

    def frame(self, backend: str | None = None) -> Any:
        """Return the knots of the curve, and what each threshold gives there."""
        knots = self.curve.function.knots
        x = knots[np.isfinite(knots)]
        drawn = {"best threshold": self.curve}
        drawn |= {f"threshold {t:.4g}": line for t, line in self.lines.items()}
        parts = {name: {"theta": x, "value": each.at(x)} for name, each in drawn.items()}
        return frame_of(parts, self.curve.backend, backend)


class ImpactProfileDisplay(WorthDisplay):
    """Draw impact over the threshold at one θ (Figure 4).

    Parameters
    ----------
    profiles : mapping from name to ImpactProfile
        Profiles of the models, from ``impact_profile``, at one θ.

    Attributes
    ----------
    ax_ : matplotlib axes
        Where the picture was drawn; there after ``plot``.
    figure_ : matplotlib figure
        Figure of these axes.

    Examples
    --------
    >>> from roctopus.display import ImpactProfileDisplay
    >>> grade, sensor = [0.1, 0.29, 0.3, 0.5, 0.8, 1.2], [1, 3, 3, 2, 5, 4]
    >>> display = ImpactProfileDisplay.from_predictions(grade, sensor, theta=2.0)
    >>> display.ax_.get_xlabel()
    'threshold'
    """

    ENTRIES: ClassVar[str | None] = "profiles"
    PREDICTS = "scores"

    def __init__(self, profiles: Mapping[str, ImpactProfile]) -> None:
        self.profiles: dict[str, ImpactProfile] = check_mapping(
            profiles, "profiles", "impact profiles"
        )
        for name, profile in self.profiles.items():
            if not isinstance(profile, ImpactProfile):
                raise InputError(
                    f"The profile {name!r} must come from impact_profile, but is of type "
                    f"{type(profile).__name__}."
                )
        thetas = sorted({profile.theta for profile in self.profiles.values()})
        if len(thetas) > 1:
            told = ", ".join(f"{theta:g}" for theta in thetas)
            raise InputError(f"All profiles must be for the same θ, but they are for {told}.")

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        name: str = "model",
        theta: float = 1.0,
        utility: LinearUtility | Maker = value_times_price,
        normalize: bool = False,
        pos_label: Any = None,
        sample_weight: Any = None,
        **options: Any,
    ) -> Self:
        """Draw one model's scores at one θ.

        Parameters
        ----------
        theta : float, default 1.0
            The context, such as the price in units of the cost.
        """
        made = _utility_of(y_true, utility, pos_label)
        profile = impact_profile(
            y_pred, made, theta=theta, normalize=normalize, sample_weight=sample_weight
        )
        return cls({name: profile}).plot(**options)

    @drawing
    def plot(self, ax: Any | None = None, **look: Unpack[Appearance]) -> Self:
        """Draw the steps, and mark the best threshold of each model."""
        pen = Pen.on(ax, self._groups, look)
        for name, profile in self.profiles.items():
            scores = profile.function.knots[1:-1]
            margin = 0.04 * float(scores[-1] - scores[0]) or 1.0
            x, y = outline(profile.function, scores[0] - margin, scores[-1] + margin)
            told = f" (best from {profile.best_threshold:.3g} on)"
            pen.ax.plot(x, y, **pen.line(name, told))
            at = min(profile.best_threshold, float(scores[-1]) + margin), profile.best_impact
            pen.ax.plot(*at, "o", **pen.dot(name, markersize=mark_size(7)))
        pen.ax.axhline(0.0, color=pen.theme.muted, linewidth=line_width(0.7))
        pen.ax.margins(y=0.12)
        first = next(iter(self.profiles.values()))
        pen.finish(self._finding(pen), "threshold", first.outcome)
        return self._drawn(pen)

    def _finding(self, pen: Pen) -> str | None:
        """Return the title: who has the largest impact."""
        if pen.folded:
            return None
        best = {name: each.best_impact for name, each in self.profiles.items()}
        leader = max(best, key=lambda name: best[name])
        word = "the largest impact," if len(best) > 1 else "an impact of"
        theta = self.profiles[leader].theta
        return f"At θ = {theta:.4g}, {pen.told(leader)} has {word} {say_number(best[leader])}"

    def frame(self, backend: str | None = None) -> Any:
        """Return every score with the impact of taking it as the threshold."""
        scores = {name: each.function.knots[1:-1] for name, each in self.profiles.items()}
        parts = {n: {"threshold": x, "impact": self.profiles[n].at(x)} for n, x in scores.items()}
        return frame_of(parts, next(iter(self.profiles.values())).backend, backend)
