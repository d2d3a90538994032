"""Which model is best where among several models' curves over a context."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from roctopus.concepts.context_curve import ContextCurve, at_common_contexts, check_comparable
from roctopus.concepts.frames import column_name, make_frame
from roctopus.concepts.given_distributions import Distribution
from roctopus.core.arrays import as_floats
from roctopus.core.checks import check_mapping
from roctopus.core.envelope import PiecewiseEnvelope, lower_envelope, upper_envelope
from roctopus.core.errors import InputError
from roctopus.core.piecewise import Index, Piecewise

TIE_TOLERANCE = 1e-12
"""Curves closer than this (relative) are equal: long sums carry that much rounding."""


class Region(NamedTuple):
    """A range of contexts in which one model is best.

    Parameters
    ----------
    low, high : float
        Ends of the range.
    model : str
        Name of the best model.

    Examples
    --------
    >>> from roctopus import Region
    >>> low, high, model = Region(0.6, 1.0, "forest")
    >>> model
    'forest'
    """

    low: float
    high: float
    model: str


@dataclass(frozen=True, eq=False)
class Envelope:
    """The best of several models' curves at every context.

    Read it as: which model is best where, and what that costs. ``envelope`` makes it.

    Parameters
    ----------
    names : tuple of str
        Names of the models.
    curve : ContextCurve
        Best value at every context, with the setting of the model that reaches it.
    pieces : PiecewiseEnvelope
        Model of each piece of the curve, and which piece of that model's own curve it is.
    curves : tuple of ContextCurve
        Curves of the models.

    Examples
    --------
    >>> from roctopus import asymmetry_cost_curve, envelope
    >>> y_true = [3.0, 5.0, 8.0, 9.0, 4.0]
    >>> low, high = [2.0, 5.5, 6.0, 8.5, 4.2], [3.5, 5.2, 9.5, 9.0, 7.0]
    >>> best = envelope(
    ...     {
    ...         "low": asymmetry_cost_curve(y_true, low),
    ...         "high": asymmetry_cost_curve(y_true, high),
    ...     }
    ... )
    >>> best.best_at(0.8), round(best.at(0.8), 3), round(best.knob_at(0.8), 3)
    ('high', 0.416, 0.0)
    >>> [region.model for region in best.regions], best.never_best
    (['low', 'high'], ())
    """

    names: tuple[str, ...]
    curve: ContextCurve
    pieces: PiecewiseEnvelope
    curves: tuple[ContextCurve, ...]

    @property
    def owner(self) -> Index:
        """The position in ``names`` of each piece's model."""
        return self.pieces.owner

    @cached_property
    def regions(self) -> tuple[Region, ...]:
        """The ranges of contexts with one best model each, by increasing context."""
        first = np.flatnonzero(np.append(True, self.owner[1:] != self.owner[:-1]))
        borders = np.append(self.curve.function.knots[first], self.curve.function.knots[-1])
        return tuple(
            Region(float(low), float(high), self.names[self.owner[cell]])
            for low, high, cell in zip(borders[:-1], borders[1:], first, strict=True)
        )

    @property
    def never_best(self) -> tuple[str, ...]:
        """The models that are best nowhere: always worse, or equal to one named before."""
        winners = set(np.unique(self.owner).tolist())
        return tuple(name for position, name in enumerate(self.names) if position not in winners)

    def best_at(self, context: ArrayLike) -> Any:
        """Return the best model at a context.

        Where two regions meet, both models are equally good; the first one named is returned.

        Parameters
        ----------
        context : float or array
            One context, or several.

        Returns
        -------
        str or array of str
            Name of the best model at each context.
        """
        self.curve.check_known(context)
        points = as_floats(context)
        position = np.array(self.owner[self.curve.piece_of(points)])
        inner = self.curve.function.knots[1:-1]
        left, right = (np.searchsorted(inner, points, side) for side in ("left", "right"))
        # At a border the neighbour may be equally good: its own curve tells.
        for number in np.unique(self.owner).tolist():
            beside = (self.owner[left] == number) | (self.owner[right] == number)
            earlier = beside & (position > number)
            if earlier.any():
                own, best = (
                    curve.function.at(points[earlier])
                    for curve in (self.curves[number], self.curve)
                )
                equal = np.isclose(own, best, rtol=TIE_TOLERANCE, atol=0.0)
                position[earlier] = np.where(equal, number, position[earlier])
        names = np.array(self.names, dtype=object)[position]
        return names if position.ndim else str(names)

    def at(self, context: ArrayLike) -> Any:
        """Return the best value at a context.

        Parameters
        ----------
        context : float or array
            One context, or several.

        Returns
        -------
        float or array
            The smallest loss, or the largest utility, of all models at each context.
        """
        return self.curve.at(context)

    def knob_at(self, context: ArrayLike) -> Any:
        """Return the setting of the best model at a context.

        Parameters
        ----------
        context : float or array
            One context, or several.

        Returns
        -------
        float or array
            The setting at each context.
        """
        return self.curve.knob_at(context)

    def expect(self, distribution: Distribution) -> float:
        """Return the expected value if the best model is used at each context.

        Parameters
        ----------
        distribution : Distribution
            How likely each context is, such as ``Uniform(2, 8)`` or ``Empirical([...])``.

        Returns
        -------
        float
            The mean of the best values, weighted by how likely each context is.
        """
        return self.curve.expect(distribution)

    def follow(self, curves: Mapping[str, ContextCurve]) -> ContextCurve:
        """Return what these regions give on other data.

        Learn the regions on validation data and score them with curves of test data: in every
        region, the curve of the model that was best there is used. A border belongs to the region
        on the side from which the curve is continuous.

        Parameters
        ----------
        curves : mapping of str to ContextCurve
            Curves of the models on the other data, by name.

        Returns
        -------
        ContextCurve
            The outcome of following the regions at every context.
        """
        given: dict[str, ContextCurve] = check_mapping(curves, "curves", "context curves")
        missing = [name for name in self.names if name not in {*given, *self.never_best}]
        if missing:
            raise InputError(
                f"The model {missing[0]!r} is best for some values of '{self.curve.context}', but "
                f"'curves' does not contain this model. Add the curve of {missing[0]!r}."
            )
        check_comparable({"these regions": self.curve, **given})
        limited = [c.known for c in (self.curve, *given.values()) if c.known is not None]
        if limited:
            owners = self.best_at(limited[0])
            given = {name: curve.sampled(limited[0]) for name, curve in given.items()}
            first = given[owners[0]]
            values = np.array([given[m].at(c) for m, c in zip(owners, limited[0], strict=True)])
            steps = Piecewise.nearest(limited[0], values, first.continuity, first.domain)
            return replace(first.plain(), function=steps, knob=None, knob_name=None)
        parts = [given[model].restrict(low, high) for low, high, model in self.regions]
        knobs = [part.knob for part in parts if part.knob is not None]
        tuned = len(knobs) == len(parts)
        return replace(
            parts[0].plain(),
            function=Piecewise.joined([part.function for part in parts]),
            knob=np.concatenate(knobs) if tuned else None,
            knob_name=self.curve.knob_name if tuned else None,
            exact=all(curve.exact for curve in given.values()),
        )

    def frame(self, backend: str | None = None) -> Any:
        """Return the regions as a dataframe.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, optional
            Library of the dataframe that is returned. By default the one your data came in.

        Returns
        -------
        dataframe
            Ends and model of each region, one row per region.
        """
        lows, highs, models = zip(*self.regions, strict=True)
        context = column_name(self.curve.context)
        columns = {f"{context}_from": lows, f"{context}_to": highs, "model": models}
        return make_frame(columns, self.curve.backend, backend)

    def __repr__(self) -> str:
        told = "; ".join(f"{model} {low:.4g}–{high:.4g}" for low, high, model in self.regions[:6])
        more = f"; {len(self.regions) - 6} more regions" if len(self.regions) > 6 else ""
        never = f"; never best: {', '.join(self.never_best)}" if self.never_best else ""
        return f"Envelope(best over {self.curve.context}: {told}{more}{never})"


def envelope(curves: Mapping[str, ContextCurve]) -> Envelope:
    """Find which model is best where: the lower envelope of losses, the upper one of utilities.

    Crossings are exact. Where models are equally good, the first one named is used. If some curves
    are known at certain contexts only, all are compared there, and a border between two regions
    lies halfway between the contexts on its two sides.

    Parameters
    ----------
    curves : mapping of str to ContextCurve
        Curves of the models, by name, of the same outcome over the same context.

    Returns
    -------
    Envelope
        The best model, its value and its setting at every context.

    Examples
    --------
    >>> from roctopus import asymmetry_cost_curve, envelope
    >>> y_true = [3.0, 5.0, 8.0, 9.0, 4.0]
    >>> low, high = [2.0, 5.5, 6.0, 8.5, 4.2], [3.5, 5.2, 9.5, 9.0, 7.0]
    >>> curves = {
    ...     "low": asymmetry_cost_curve(y_true, low),
    ...     "high": asymmetry_cost_curve(y_true, high),
    ... }
    >>> envelope(curves)
    Envelope(best over asymmetry: low 0–0.6; high 0.6–1)
    """
    named = check_mapping(curves, "curves", "context curves")
    check_comparable(named)
    named = at_common_contexts(named)
    first = next(iter(named.values()))
    find = lower_envelope if first.sense == "loss" else upper_envelope
    best = find([curve.function for curve in named.values()], TIE_TOLERANCE)
    knobs = [curve.knob for curve in named.values() if curve.knob is not None]
    knob = best.gather(knobs) if len(knobs) == len(named) else None
    curve = replace(
        first.plain(),
        function=best.function,
        knob=knob,
        knob_name=first.knob_name if knob is not None else None,
        exact=all(curve.exact for curve in named.values()),
    )
    return Envelope(tuple(named), curve, best, tuple(named.values()))
