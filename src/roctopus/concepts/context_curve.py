"""Curves over a context: exact between their knots, or known at some contexts only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, NoReturn, Self

import numpy as np
from numpy.typing import ArrayLike

from roctopus.concepts.distributions import Empirical
from roctopus.concepts.frames import column_name, make_frame
from roctopus.concepts.given_distributions import Distribution, Output, as_distribution
from roctopus.core.arrays import Floats, as_floats
from roctopus.core.checks import read_some
from roctopus.core.distributions import Continuous, Discrete
from roctopus.core.errors import InputError
from roctopus.core.piecewise import Continuity, Index, Piecewise


@dataclass(frozen=True, eq=False)
class ContextCurve:
    """The loss or utility of a model along a context, exact between its knots.

    A context says what errors cost: an asymmetry, a cutoff, a price. If the model is tuned for each
    context, each piece of the curve has its own setting. Functions such as
    ``asymmetry_cost_curve``, ``cutoff_error_curve`` and ``impact_curve`` make curves.

    Parameters
    ----------
    function : Piecewise
        Outcome as a function of the context.
    context : str
        Meaning of the argument, such as "asymmetry".
    outcome : str
        Meaning of the value, such as "mean asymmetric absolute error".
    sense : {"loss", "utility"}, default "loss"
        Whether less or more is better.
    knob : array of shape (pieces,) or (pieces, settings), optional
        Setting of each piece, if the curve was tuned.
    knob_name : str, optional
        Name of the setting, such as "shift".
    exact : bool, default True
        Whether all values are exact; False if values between known contexts were filled in.
    lower, upper : Piecewise, optional
        Certified bounds of the curve, if the data did not fit in memory.
    backend : str or None, default None
        Dataframe library that the data came in.
    known : array of shape (k,), optional
        Contexts at which the curve is known, increasing; by default everywhere. Elsewhere
        ``function`` has the nearest known value, for ``nearest()``.
    outputs : Empirical, optional
        Distribution of the sample's true values, which ``Output()`` stands for.
    knob_follows : bool, default False
        Whether settings move with the context; ``knob`` is then added to it.

    Examples
    --------
    >>> from roctopus import Uniform, asymmetry_cost_curve
    >>> curve = asymmetry_cost_curve([3, 5, 8, 9], [2, 5, 9, 7])
    >>> curve.at(0.75), curve.knob_at(0.8)
    (0.75, 2.0)
    >>> round(curve.expect(Uniform(0.6, 0.9)), 3)
    0.675
    >>> round(curve.area(), 3)
    0.625
    """

    function: Piecewise
    context: str
    outcome: str
    sense: Literal["loss", "utility"] = "loss"
    knob: Floats | None = None
    knob_name: str | None = None
    exact: bool = True
    lower: Piecewise | None = None
    upper: Piecewise | None = None
    backend: str | None = None
    known: Floats | None = None

    outputs: Empirical | None = None
    knob_follows: bool = False

    @property
    def domain(self) -> tuple[float, float]:
        """The lowest and the highest context of the curve."""
        return self.function.domain

    @property
    def baselines(self) -> dict[str, Piecewise]:
        """What decisions without a model give over the context, by name; empty if not known."""
        return {}

    def telling_range(self) -> tuple[float, float]:
        """Return the range of contexts that a picture should show.

        These are all contexts if both ends are finite; otherwise those between the smallest and the
        largest true value, or between the outermost knots.

        Returns
        -------
        tuple of two float
            The lowest and the highest context to show.
        """
        if np.isfinite(self.domain).all():
            return self.domain
        knots = self.function.knots if self.outputs is None else self.outputs.support
        inner = knots[np.isfinite(knots)]
        return (float(inner.min()), float(inner.max())) if len(inner) else (0.0, 1.0)

    @property
    def continuity(self) -> Continuity:
        """Which limit the curve takes where it jumps."""
        return self.function.continuity

    def piece_of(self, context: ArrayLike) -> Index:
        """Return the number of the piece that each context belongs to.

        Parameters
        ----------
        context : float or array
            Contexts.

        Returns
        -------
        array of int
            Numbers of pieces, from 0.
        """
        return self.function.piece_of(context, self.context)

    def at(self, context: ArrayLike) -> Any:
        """Return the value at a context.

        Parameters
        ----------
        context : float or array
            One context, or several.

        Returns
        -------
        float or array
            The loss or utility at each context.
        """
        self.check_known(context)
        value = self.function.at(context, self.context)
        return float(value) if value.ndim == 0 else value

    def knob_at(self, context: ArrayLike) -> Any:
        """Return the setting at a context.

        At a knot the settings of both neighbouring pieces are equally good.

        Parameters
        ----------
        context : float or array
            One context, or several.

        Returns
        -------
        float or array
            The setting of the piece that each context belongs to.
        """
        if self.knob is None:
            raise InputError(
                "The curve is not of a tuned model, so it has no thresholds or shifts. Use the "
                "curve of a tuned model."
            )
        self.check_known(context)
        setting = self.knob[self.piece_of(context)]
        if self.knob_follows:
            setting = setting + as_floats(context)
        return float(setting) if setting.ndim == 0 else setting

    def expect(self, distribution: Distribution) -> float:
        """Return the expected value under a distribution of contexts, computed exactly.

        Parameters
        ----------
        distribution : Distribution
            How likely each context is, such as ``Uniform(2, 8)`` or ``Empirical([...])``.

        Returns
        -------
        float
            The mean of the curve, weighted by how likely each context is.
        """
        exact = self._distribution(distribution)
        if self.known is not None:
            if not isinstance(exact, Discrete):
                self._refuse_between("An expected value under this distribution")
            self.check_known(exact.support)
        return self.function.expect(exact, self.context)

    def _distribution(self, distribution: Distribution) -> Continuous | Discrete:
        if self.outputs is None or not isinstance(distribution, Output):
            return as_distribution(distribution)
        return distribution.distribution(self.outputs.support, self.outputs.probability)

    def area(self, low: float | None = None, high: float | None = None) -> float:
        """Return the area under the curve.

        Parameters
        ----------
        low, high : float, optional
            Contexts between which the area is taken; by default all.

        Returns
        -------
        float
            The area: value times context.
        """
        if self.known is not None:
            self._refuse_between("An area")
        return self.function.integrate(low, high)

    def restrict(self, low: float, high: float) -> Self:
        """Return the part of the curve between two contexts.

        Parameters
        ----------
        low, high : float
            Lowest and highest context to keep.

        Returns
        -------
        ContextCurve
            The part.
        """
        self.function.piece_of([low, high], self.context)
        curve, knob = self, self.knob
        if self.known is not None:
            curve = self.sampled(_within(self.known, low, high, self.context))
            knob = curve.knob
        elif knob is not None:
            knob = knob[self.function.pieces_within(low, high)]
        parts: dict[str, Any] = {
            name: part.restrict(low, high) for name, part in curve._functions().items()
        }
        return replace(curve, knob=knob, **parts)

    def _functions(self) -> dict[str, Piecewise]:
        """Return all functions of the context, those that an arm added with them."""
        every = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: each for name, each in every.items() if isinstance(each, Piecewise)}

    def sampled(self, contexts: Any) -> Self:
        """Return the curve as if it were known at these contexts only.

        Parameters
        ----------
        contexts : array of shape (k,)
            Contexts to keep.

        Returns
        -------
        ContextCurve
            A curve that raises an error at other contexts.
        """
        points = np.unique(read_some(contexts, "contexts"))
        self.check_known(points)
        parts: dict[str, Any] = {
            name: Piecewise.nearest(
                points, part.at(points, self.context), self.continuity, self.domain
            )
            for name, part in self._functions().items()
        }
        knob = None if self.knob is None else self.knob_at(points)
        plain = {"lower": None, "upper": None, "knob_follows": False}
        return replace(self, **parts | plain, knob=knob, known=points)

    def nearest(self) -> Self:
        """Return the curve with the nearest known value at every context.

        Returns
        -------
        ContextCurve
            A curve that has a value everywhere, and is marked as not exact.
        """
        return self if self.known is None else replace(self, known=None, exact=False)

    def plain(self) -> ContextCurve:
        """Return the curve without bounds and without what an arm added to it.

        Returns
        -------
        ContextCurve
            The same values and settings.
        """
        mine = {field.name: getattr(self, field.name) for field in fields(ContextCurve)}
        return ContextCurve(**mine | {"lower": None, "upper": None})

    def over_quantiles(self, distribution: Distribution) -> ContextCurve:
        """Return the curve over the quantiles of a distribution of contexts, in steps.

        Likely contexts take more room, and the area is the expected value. If a quantile lies
        exactly between two contexts of a discrete distribution, the larger one is used.

        Parameters
        ----------
        distribution : Distribution
            How likely each context is, such as ``Uniform(2, 8)`` or ``Empirical([...])``.

        Returns
        -------
        ContextCurve
            A curve over quantiles from 0 to 1.
        """
        exact = self._distribution(distribution)
        side: Continuity = "right"
        if isinstance(exact, Discrete):
            order = np.argsort(exact.support)
            share = np.cumsum(exact.probability[order])
            knots, height = share / share[-1], self.at(exact.support[order])
        elif not self.function.is_steps:
            raise InputError(
                "A continuous distribution can only be used with a curve that consists of steps, "
                "and this curve does not. Use a discrete distribution, such as Empirical(values)."
            )
        else:
            if self.known is not None:
                self._refuse_between("A curve over the quantiles of this distribution")
            self.function.refuse_mass_outside(exact)
            knots = np.append(exact.cdf(self.function.knots[1:-1]), 1.0)
            height, side = self.function.start, self.continuity
        wide = np.diff(knots, prepend=0.0) > 0.0
        function = Piecewise.steps(np.append(0.0, knots[wide]), height[wide], side)
        return ContextCurve(
            function,
            f"quantile of {self.context}",
            self.outcome,
            self.sense,
            exact=self.exact,
            backend=self.backend,
        )

    def check_known(self, context: ArrayLike) -> None:
        """Raise an error for contexts at which the curve is not known.

        Parameters
        ----------
        context : float or array
            Contexts to check.
        """
        if self.known is None:
            return
        points = np.ravel(as_floats(context))
        strange = points[~np.isin(points, self.known)]
        if len(strange):
            nearest = self.known[np.abs(self.known - strange[0]).argmin()]
            raise InputError(
                f"The curve has no value at {strange[0]:g}: it is only known at "
                f"{_values(self.known)} of '{self.context}' (the nearest is {nearest:g}). Use "
                ".nearest() on the curve to read it at the nearest known value."
            )

    def _refuse_between(self, what: str) -> NoReturn:
        assert self.known is not None
        raise InputError(
            f"{what} needs the curve at every '{self.context}', but it is only known at "
            f"{_values(self.known)}. Use .nearest() on the curve to read it at the nearest known "
            "value."
        )

    def minus(self, other: ContextCurve) -> ContextCurve:
        """Return the difference from another model's curve.

        Parameters
        ----------
        other : ContextCurve
            Curve of the same outcome over the same context.

        Returns
        -------
        ContextCurve
            This curve minus the other one at every context.
        """
        pair = {"this curve": self, "the other": other}
        check_comparable(pair)
        mine, its = at_common_contexts(pair).values()
        return replace(
            mine.plain(),
            function=mine.function.subtract(its.function),
            outcome=f"difference in {self.outcome}",
            knob=None,
            knob_name=None,
            exact=self.exact and other.exact,
        )

    def columns(self) -> dict[str, Any]:
        """Return the columns of ``frame()``: one row per piece, or per known context.

        Returns
        -------
        dict of str to array
            Contexts, values and settings.
        """
        if self.known is not None:
            columns: dict[str, Any] = {
                column_name(self.context): self.known,
                "value": self.function.start,
            }
        else:
            context = column_name(self.context)
            columns = {
                f"{context}_from": self.function.knots[:-1],
                f"{context}_to": self.function.knots[1:],
                "value_from": self.function.start,
                "value_to": self.function.end,
            }
        name = self.knob_name or "knob"
        if self.knob is not None and self.knob.ndim == 1:
            if not self.knob_follows:
                columns[name] = self.knob
            else:
                ends = {"from": self.function.knots[:-1], "to": self.function.knots[1:]}
                columns |= {f"{name}_{end}": self.knob + at for end, at in ends.items()}
        elif self.knob is not None:
            columns |= {f"{name}_{k}": part for k, part in enumerate(self.knob.T, start=1)}
        return columns

    def frame(self, backend: str | None = None) -> Any:
        """Return the pieces, or the known values, as a dataframe.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, optional
            Library of the dataframe that is returned. By default the one your data came in.

        Returns
        -------
        dataframe
            Contexts, values and settings, one row per piece or per known context.
        """
        return make_frame(self.columns(), self.backend, backend)

    def __repr__(self) -> str:
        low, high = self.domain
        tuned = f", {self.knob_name} tuned" if self.knob is not None else ""
        if self.known is not None:
            held, (low, high) = "known contexts", self.known[[0, -1]]
        else:
            held = "pieces"
        return (
            f"{type(self).__name__}({self.outcome} over {self.context} from {low:g} to {high:g}: "
            f"{len(self.function)} {held}{tuned})"
        )


def check_comparable(curves: Mapping[str, ContextCurve]) -> None:
    """Raise an error for curves of different contexts, outcomes or senses."""
    for name, curve in curves.items():
        if not isinstance(curve, ContextCurve):
            raise InputError(
                f"{name!r} must be a context curve, as returned by asymmetry_cost_curve(y_true, "
                f"y_pred), but is of type {type(curve).__name__}."
            )
    (name, first), *others = curves.items()
    for other_name, other in others:
        for what in ("context", "outcome", "sense"):
            if getattr(first, what) != getattr(other, what):
                raise InputError(
                    f"Only curves with the same {what} can be compared, but the {what} of "
                    f"{name!r} is {getattr(first, what)!r}, and the {what} of {other_name!r} is "
                    f"{getattr(other, what)!r}."
                )


def at_common_contexts(curves: Mapping[str, ContextCurve]) -> dict[str, ContextCurve]:
    """Return the curves ready to be compared point by point.

    Where some are known at certain contexts only, all are looked at there.
    """
    limited = {name: curve.known for name, curve in curves.items() if curve.known is not None}
    if not limited:
        return dict(curves)
    (first, known), *others = limited.items()
    for name, other in others:
        if not np.array_equal(other, known):
            context = curves[first].context
            raise InputError(
                f"The curves of {first!r} and {name!r} were computed at different values of "
                f"'{context}'. Compute both at the same values, or use .nearest() on both."
            )
    return {name: curve.sampled(known) for name, curve in curves.items()}


def _values(known: Floats) -> str:
    return "1 value" if len(known) == 1 else f"{len(known)} values"


def _within(known: Floats, low: float, high: float, context: str) -> Floats:
    kept = known[(known >= low) & (known <= high)]
    if not len(kept):
        nearest = known[np.argmin(np.maximum(low - known, known - high))]
        raise InputError(
            f"The curve was not computed at any value of '{context}' between {low:g} and {high:g}. "
            f"The nearest value at which it was computed is {nearest:g}."
        )
    return kept
