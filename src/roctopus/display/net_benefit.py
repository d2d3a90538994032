"""Decision curves: the net benefit of acting on probabilities, against doing so for all or none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self, Unpack

import numpy as np

from roctopus.core.arrays import Floats, frame_backend, to_numpy
from roctopus.core.checks import check_choice, check_interval, check_mapping
from roctopus.core.errors import InputError
from roctopus.core.labels import read_labels
from roctopus.display.base import ProbabilityDisplay, frame_of
from roctopus.display.drawing import Appearance, Pen, drawing
from roctopus.display.marks import mark_context
from roctopus.display.writing import say_share
from roctopus.inference.band import Band
from roctopus.inference.bands import curve_band, difference_band
from roctopus.probability.benefit import net_benefit

POINTS = 101
"""Curves and bands are drawn at so many threshold probabilities."""
SHOWN, FARTHEST = 0.99, 0.9
"""Threshold probabilities are shown up to this quantile of the probabilities, and up to 0.9: above,
one false positive outweighs nine true ones, and bands fill the picture."""
ALL, NONE = "treat all", "treat none"
CONTEXT = "threshold_probability"


@dataclass(frozen=True, eq=False)
class JudgedProbabilities:
    """A model's probabilities with the labels of the cases.

    Parameters
    ----------
    label : array
        0 and 1.
    probability : array
        Of the positive class.
    options : mapping
        ``sample_weight`` and ``prevalence``, as in ``net_benefit``.
    """

    label: Floats
    probability: Any
    options: Mapping[str, Any]

    def band(self, thresholds: Floats, versus: Any, level: float) -> Band:
        """Return net benefits, or differences from those of other probabilities, with a band."""
        how = {"along": {CONTEXT: thresholds}, "confidence_level": level, **self.options}
        if versus is None:
            return curve_band(net_benefit, self.label, self.probability, **how)
        return difference_band(net_benefit, self.label, self.probability, versus, **how)

    def everyone(self, thresholds: Floats) -> Floats:
        """Return the net benefit of treating everyone."""
        ones = np.ones(len(self.label))
        found = [net_benefit(self.label, ones, threshold_probability=t, **self.options)
                 for t in thresholds.tolist()]  # fmt: skip
        return np.array(found)


class NetBenefitDisplay(ProbabilityDisplay):
    """Draw decision curves: net benefit against the threshold probability, with bands.

    A case is treated where its probability reaches the threshold. Grey lines are the net benefits
    of treating all cases and of treating none. If curves lie on top of each other, draw differences
    with ``versus``: their bands are paired, and much narrower.

    Parameters
    ----------
    models : mapping from name to JudgedProbabilities
        What is drawn; ``from_predictions`` makes it.
    backend : {"pandas", "polars", "pyarrow"}, optional
        Library of the dataframes that ``frame`` returns.

    Attributes
    ----------
    ax_ : matplotlib axes
        Where the picture was drawn; there after ``plot``.
    figure_ : matplotlib figure
        Figure of these axes.
    bands_ : dict from name to Band
        What is drawn of each model.

    See Also
    --------
    roctopus.net_benefit : The metric at one threshold probability.

    Examples
    --------
    >>> from roctopus.datasets import load_screening
    >>> from roctopus.display import NetBenefitDisplay
    >>> screening = load_screening()
    >>> display = NetBenefitDisplay.from_predictions(screening.y_true, screening.predictions)
    >>> display.ax_.get_xlabel()
    'threshold probability'
    >>> versus = display.plot(versus="boosting")
    >>> versus.ax_.get_ylabel()
    'net benefit minus that of boosting'
    """

    ENTRIES: ClassVar[str | None] = "models"
    PREDICTS = "probabilities of the positive class, or a mapping from names to several models'"
    bands_: dict[str, Band]

    def __init__(
        self, models: Mapping[str, JudgedProbabilities], *, backend: str | None = None
    ) -> None:
        self.models: dict[str, JudgedProbabilities] = check_mapping(
            models, "models", "probabilities"
        )
        self.backend = backend

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        name: str = "model",
        prevalence: float | None = None,
        pos_label: Any = None,
        sample_weight: Any = None,
        **options: Any,
    ) -> Self:
        """Draw the decision curve of one model, or of several.

        Parameters
        ----------
        prevalence : float, optional
            The share of positives in deployment, where that of the sample means nothing.
        """
        given = y_pred if isinstance(y_pred, Mapping) else {name: y_pred}
        label = read_labels(y_true, "y_true", pos_label).values
        how = {"sample_weight": sample_weight, "prevalence": prevalence}
        judged = {model: JudgedProbabilities(label, each, how) for model, each in given.items()}
        backend = next((f for e in (y_true, *given.values()) if (f := frame_backend(e))), None)
        return cls(judged, backend=backend).plot(**options)

    @drawing
    def plot(
        self,
        ax: Any | None = None,
        *,
        versus: str | None = None,
        threshold_probability: float | None = None,
        low: float | None = None,
        high: float | None = None,
        bands: bool = True,
        confidence_level: float = 0.95,
        **look: Unpack[Appearance],
    ) -> Self:
        """Draw the curves.

        Parameters
        ----------
        versus : str, optional
            Draw differences from the net benefit of this model, or of "treat all".
        threshold_probability : float, optional
            A threshold probability to mark.
        low, high : float, optional
            The threshold probabilities to show. By default from 0 to the threshold probability at
            which models treat one case in a hundred, and at most to 0.9.
        bands : bool, default True
            Whether to draw a band about each curve that contains all of the true one.
        confidence_level : float, default 0.95
            Probability that all statements are true together.
        """
        pen = Pen.on(ax, self._groups, look, len(self.models) + 2)
        thresholds = self._thresholds(low, high)
        shown = [name for name in self.models if name != versus]
        self.bands_ = {
            name: self.models[name].band(
                thresholds, self._reference(name, versus), confidence_level
            )
            for name in shown
        }
        self._draw_baselines(pen, thresholds, versus)
        for name, band in self.bands_.items():
            pen.ax.plot(thresholds, band.value, **pen.line(name))
            if bands and not pen.folded:
                shade = {"color": pen.colour(name), "alpha": 0.13, "linewidth": 0}
                pen.ax.fill_between(thresholds, band.lower, band.upper, **shade)
        pen.limits((float(thresholds[0]), float(thresholds[-1])), self._height(versus))
        if threshold_probability is not None:
            said = f"threshold probability {threshold_probability:.4g}"
            mark_context(pen.ax, threshold_probability, said)
        pen.ax.locator_params(axis="x", nbins=6)
        pen.ax.xaxis.set_major_formatter(_percent)
        y = "net benefit" if versus is None else f"net benefit minus that of {versus}"
        pen.finish(self._finding(pen, versus), "threshold probability", y)
        return self._drawn(pen)

    def _thresholds(self, low: float | None, high: float | None) -> Floats:
        """Return the threshold probabilities to look at."""
        far = [float(np.quantile(to_numpy(np.asarray(each.probability)), SHOWN))
               for each in self.models.values()]  # fmt: skip
        first = 0.0 if low is None else float(low)
        last = min(max([*far, 0.02]), FARTHEST) if high is None else float(high)
        check_interval(first, last, "The range to show")
        if first < 0.0:
            raise InputError(f"'low' must be a probability of at least 0, but is {first:g}.")
        if last >= 1.0:
            raise InputError(f"'high' must be a probability of less than 1, but is {last:g}.")
        return np.linspace(first, last, POINTS)

    def _reference(self, name: str, versus: str | None) -> Any:
        """Return the probabilities that are compared with."""
        if versus is None:
            return None
        label = self.models[name].label
        if versus == ALL:
            return np.ones(len(label))
        check_choice(versus, "versus", ALL, *self.models)
        other = self.models[versus]
        if not np.array_equal(other.label, label):
            raise InputError(
                f"'versus' compares models on the same cases, but the true values of {name!r} and "
                f"{versus!r} differ."
            )
        return other.probability

    def _draw_baselines(self, pen: Pen, thresholds: Floats, versus: str | None) -> None:
        """Draw zero, and treating everyone; differences are from one of them or from a model."""
        label = NONE if versus is None else versus
        pen.ax.axhline(0.0, label=label, **pen.theme.baseline(linestyle=(0, (1, 1.5))))
        if versus is None:
            self.everyone_ = next(iter(self.models.values())).everyone(thresholds)
            pen.ax.plot(thresholds, self.everyone_, label=ALL, **pen.theme.baseline())

    def _height(self, versus: str | None) -> tuple[float, float]:
        """Return the ends of the upright axis: treating all may leave it at the bottom."""
        found = self.bands_.values()
        # Curves are seen whole, bands nearly: at few cases they would fill the picture.
        lowest = float(min(min(np.quantile(b.lower, 0.1), np.min(b.value)) for b in found))
        highest = float(max(max(np.quantile(b.upper, 0.9), np.max(b.value)) for b in found))
        if versus is None:
            values = [float(np.min(band.value)) for band in self.bands_.values()]
            lowest = max(lowest, min(-0.25 * highest, *values, 0.0))
        room = 0.05 * (highest - min(lowest, 0.0)) or 1.0
        return min(lowest, 0.0) - room, max(highest, 0.0) + room

    def _finding(self, pen: Pen, versus: str | None) -> str | None:
        """Return the title: where models are of use, or clearly better."""
        if pen.folded:
            return None
        if versus is not None:
            return self._say_differences(pen, versus)
        values = {name: band.value for name, band in self.bands_.items()}
        best = np.max(np.array(list(values.values())), axis=0)
        better = best > np.maximum(self.everyone_, 0.0) + 1e-12
        if not better.any():
            return "No model is better than treating all or none"
        at = next(iter(self.bands_.values())).contexts[better]
        ends = f"between {say_share(at[0])} and {say_share(at[-1])}"
        if len(values) == 1:
            return f"{pen.told(next(iter(values)))} beats treating all or none {ends}"
        wins = {name: float(np.mean((each >= best)[better])) for name, each in values.items()}
        leader = max(wins, key=lambda name: wins[name])
        share = say_share(wins[leader])
        return f"{pen.told(leader)} has the highest net benefit at {share} of thresholds"

    def _say_differences(self, pen: Pen, versus: str) -> str:
        for name, band in self.bands_.items():
            clear = [each for each in band.regions() if each.answer != "undecided"]
            if clear:
                widest = max(clear, key=lambda each: each.high - each.low)
                word = "better" if widest.answer == "above" else "worse"
                ends = f"from {say_share(widest.low)} to {say_share(widest.high)}"
                return f"{pen.told(name)} is clearly {word} than {versus} {ends}"
        return f"No clear difference from {versus}"

    def frame(self, backend: str | None = None) -> Any:
        """Return what is drawn: net benefits or differences, and the ends of the bands."""
        parts = {}
        for name, band in self.bands_.items():
            ends = {"lower": band.lower, "upper": band.upper}
            parts[name] = {CONTEXT: band.contexts, "net_benefit": band.value, **ends}
        return frame_of(parts, self.backend, backend)


def _percent(share: float, _: Any) -> str:
    """Return a tick of the axis of threshold probabilities."""
    return f"{100.0 * share:.4g} %"
