"""The convex hull of several models in RROC space: the best model everywhere, and mixtures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roctopus.concepts.context_curve import ContextCurve
from roctopus.concepts.envelopes import Envelope, Region, envelope
from roctopus.concepts.frames import make_frame
from roctopus.core.arrays import Floats, read_array, to_numpy
from roctopus.core.checks import check_mapping, check_same_length, check_scalar
from roctopus.core.errors import InputError, arg
from roctopus.regression.curves import Isometric, RROCCurve, isometric_through
from roctopus.regression.errors import OptimalShift
from roctopus.regression.points import RROCPoint
from roctopus.regression.two_costs import LinLin


@dataclass(frozen=True)
class Hybrid:
    """A random choice between two shifted models, which reaches any point between them on average.

    Each prediction comes from one of the two models; predictions are not averaged.
    ``RROCHull.hybrid`` makes it.

    Parameters
    ----------
    models : tuple of two str
        Names of the two models.
    shifts : tuple of two float
        Number added to the predictions of each model.
    weight : float
        Probability of the second model.
    over : float
        Expected over-estimation (OVER), at least 0.
    under : float
        Expected under-estimation (UNDER), at most 0.

    Examples
    --------
    >>> from roctopus import rroc_curve, rroc_hull
    >>> y_true = [3.0, 5.0, 8.0, 9.0, 4.0]
    >>> low, high = [2.0, 5.5, 6.0, 8.5, 4.2], [3.5, 5.2, 9.5, 9.0, 7.0]
    >>> hull = rroc_hull({"low": rroc_curve(y_true, low), "high": rroc_curve(y_true, high)})
    >>> mixed = hull.hybrid(over=2.0)
    >>> mixed.models, round(mixed.weight, 2)
    (('low', 'high'), 0.11)
    >>> mixed.sample({"low": low, "high": high}, rng=0).round(2).tolist()
    [2.5, 6.0, 9.3, 8.8, 4.7]
    """

    models: tuple[str, str]
    shifts: tuple[float, float]
    weight: float
    over: float
    under: float

    def sample(self, predictions: Mapping[str, Any], *, rng: int | np.random.Generator) -> Floats:
        """Draw the predictions of the hybrid.

        Parameters
        ----------
        predictions : mapping of str to array of shape (n,)
            Predictions of both models, by their names.
        rng : int or Generator
            Seed or generator of random numbers: the same seed gives the same result.

        Returns
        -------
        array of shape (n,)
            Shifted predictions, each from one of the two models.
        """
        given = check_mapping(predictions, "predictions", "predictions")
        missing = [model for model in self.models if model not in given]
        if missing:
            raise InputError(
                f"'predictions' must contain both models of this hybrid, but {missing[0]!r} is "
                "missing."
            )
        first, second = (
            to_numpy(read_array(given[model], f"predictions[{model!r}]")) + shift
            for model, shift in zip(self.models, self.shifts, strict=True)
        )
        size = check_same_length(**{"the first model": first, "the second model": second})
        use_second = np.random.default_rng(rng).random(size) < self.weight
        return np.where(use_second, second, first)


@dataclass(frozen=True, eq=False)
class RROCHull:
    """The best parts of several RROC curves: the vertices of their hull, by increasing OVER.

    Each vertex belongs to one model and is the best for a range of asymmetries. ``rroc_hull`` makes
    it.

    Parameters
    ----------
    over, under : array of shape (vertices,)
        OVER and UNDER at each vertex.
    shift : array of shape (vertices,)
        Shift of each vertex's model.
    owner : array of shape (vertices,)
        Name of each vertex's model.
    borders : array of shape (vertices + 1,)
        Vertex j is best for asymmetries from ``borders[j]`` to ``borders[j + 1]``.
    envelope : Envelope
        Which model costs least at each asymmetry.
    entries : mapping of str to RROCCurve or RROCPoint
        Curves and points that the hull was made from, by model.

    Examples
    --------
    >>> from roctopus import rroc_curve, rroc_hull
    >>> y_true = [3.0, 5.0, 8.0, 9.0, 4.0]
    >>> low, high = [2.0, 5.5, 6.0, 8.5, 4.2], [3.5, 5.2, 9.5, 9.0, 7.0]
    >>> hull = rroc_hull({"low": rroc_curve(y_true, low), "high": rroc_curve(y_true, high)})
    >>> hull.owner.tolist()
    ['low', 'low', 'low', 'high', 'high']
    >>> for region in hull.regions:
    ...     print(region.model, round(region.low, 3), round(region.high, 3))
    low 0.0 0.6
    high 0.6 1.0
    """

    over: Floats
    under: Floats
    shift: Floats
    owner: NDArray[np.object_]
    borders: Floats
    envelope: Envelope
    entries: Mapping[str, RROCCurve | RROCPoint]

    @property
    def asymmetry_from(self) -> Floats:
        """The lower end of each vertex's range of asymmetries."""
        return self.borders[:-1]

    @property
    def asymmetry_to(self) -> Floats:
        """The upper end of each vertex's range of asymmetries."""
        return self.borders[1:]

    @property
    def regions(self) -> tuple[Region, ...]:
        """The ranges of asymmetries with one best model each."""
        return self.envelope.regions

    @property
    def never_best(self) -> tuple[str, ...]:
        """The models that are best nowhere: always worse, or equal to one named before."""
        return self.envelope.never_best

    @property
    def cost_curve(self) -> ContextCurve:
        """The smallest loss that any of the models reaches at each asymmetry, with its shift."""
        return self.envelope.curve

    def __len__(self) -> int:
        return len(self.over)

    @property
    def slope(self) -> Floats:
        """The slope of each segment between neighbouring vertices, decreasing."""
        border = self.asymmetry_to[:-1]
        return (1.0 - border) / border

    def isometric(
        self,
        asymmetry: float | None = None,
        *,
        under_cost: float | None = None,
        over_cost: float | None = None,
    ) -> Isometric:
        """Slide the line of equal loss from heaven until it touches the first model.

        Parameters
        ----------
        asymmetry : float, optional
            Weight of under-estimates, from 0 to 1. Give this or both costs.
        under_cost, over_cost : float, optional
            Cost of one unit of under-estimation, and of one unit of over-estimation.

        Returns
        -------
        Isometric
            The line, with the model, the point and the shifts where it touches.
        """
        costs = LinLin(asymmetry, under_cost=under_cost, over_cost=over_cost)
        model = self.envelope.best_at(costs.asymmetry)
        entry = self.entries[model]
        if isinstance(entry, RROCPoint):
            only = OptimalShift(entry.shift, entry.shift)
            return isometric_through(entry, only, costs, model)
        shift = entry.optimal_shift(costs.asymmetry)
        return isometric_through(entry.point(shift.chosen), shift, costs, model)

    def hybrid(self, *, over: float | None = None, under: float | None = None) -> Hybrid:
        """Mix two neighbouring vertices at random to reach any point of a hull segment.

        Parameters
        ----------
        over, under : float, optional
            The OVER or the UNDER that you want on average; give one of them. It is a mean per case
            if the hull is normalised.

        Returns
        -------
        Hybrid
            The two models with their shifts, and how often to use each.
        """
        if over is under is None:
            raise InputError(
                "The target of the hybrid is missing. Pass 'over' or 'under': the value that the "
                "hybrid should have."
            )
        if over is not None and under is not None:
            raise InputError("'over' and 'under' cannot be combined. Leave out one of them.")
        name, axis = ("over", self.over) if under is None else ("under", self.under)
        wanted = check_scalar(over if under is None else under, name)
        low, high = float(axis[0]), float(axis[-1])
        if not low <= wanted <= high:
            raise InputError(
                f"{arg(name)} must be between {low:g} and {high:g} (the ends of the hull), but is "
                f"{wanted:g}."
            )
        if len(self) == 1:
            return self._mix(0, 0, 0.0)
        first = int(np.clip(np.searchsorted(axis, wanted, side="right") - 1, 0, len(self) - 2))
        weight = (wanted - axis[first]) / (axis[first + 1] - axis[first])
        return self._mix(first, first + 1, float(weight))

    def _mix(self, first: int, second: int, weight: float) -> Hybrid:
        keep = 1.0 - weight
        return Hybrid(
            (str(self.owner[first]), str(self.owner[second])),
            (float(self.shift[first]), float(self.shift[second])),
            weight,
            float(keep * self.over[first] + weight * self.over[second]),
            float(keep * self.under[first] + weight * self.under[second]),
        )

    def frame(self, backend: str | None = None) -> Any:
        """Return the vertices as a dataframe.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, optional
            Library of the dataframe that is returned. By default the one your data came in.

        Returns
        -------
        dataframe
            OVER, UNDER, model, shift and range of asymmetries, one row per vertex.
        """
        names = ("over", "under", "shift", "asymmetry_from", "asymmetry_to")
        columns = {"model": self.owner} | {name: getattr(self, name) for name in names}
        return make_frame(columns, self.cost_curve.backend, backend)

    def __repr__(self) -> str:
        counts = {name: int(np.sum(self.owner == name)) for name in dict.fromkeys(self.owner)}
        told = ", ".join(f"{count} of {name}" for name, count in counts.items())
        never = f"; never best: {', '.join(self.never_best)}" if self.never_best else ""
        return f"RROCHull({len(self)} vertices: {told}{never})"


def rroc_hull(models: Mapping[str, RROCCurve | RROCPoint]) -> RROCHull:
    """Return the convex hull of several models' RROC curves and points.

    The hull shows which model, with which shift, is best for each asymmetry. A curve stands for a
    model that may be shifted, a point for one that is used as it is.

    Parameters
    ----------
    models : mapping of str to RROCCurve or RROCPoint
        Curves and points by model, all of them totals over the same weight, or all normalised.

    Returns
    -------
    RROCHull
        The vertices of the hull, each with its model, its shift and its range of asymmetries.

    Notes
    -----
    The hull is found as its dual, the lower envelope of losses over α: each vertex is a line in α,
    so no vertex is lost to rounding.

    Examples
    --------
    >>> from roctopus import rroc_curve, rroc_hull
    >>> y_true = [3.0, 5.0, 8.0, 9.0, 4.0]
    >>> low, high = [2.0, 5.5, 6.0, 8.5, 4.2], [3.5, 5.2, 9.5, 9.0, 7.0]
    >>> hull = rroc_hull({"low": rroc_curve(y_true, low), "high": rroc_curve(y_true, high)})
    >>> hull
    RROCHull(5 vertices: 3 of low, 2 of high)
    >>> hull.isometric(0.8).model
    'high'
    """
    entries = check_entries(models)
    _check_same_scale(entries)
    found = envelope({name: entry.cost_curve() for name, entry in entries.items()})
    lines = [entry.cost_lines for entry in entries.values()]
    over = found.pieces.gather([line.over for line in lines])
    under = found.pieces.gather([line.under for line in lines])
    shift = np.asarray(found.curve.knob)
    owner = np.array(found.names, dtype=object)[found.owner]
    low = found.curve.function.knots[:-1]
    # Two models may meet in one vertex: it is reported once, for the first of them.
    new = np.append(True, (over[1:] != over[:-1]) | (under[1:] != under[:-1]))
    if not new.all():
        over, under, shift, owner, low = (each[new] for each in (over, under, shift, owner, low))
    return RROCHull(over, under, shift, owner, np.append(low, 1.0), found, entries)


def check_entries(models: Mapping[str, Any]) -> dict[str, RROCCurve | RROCPoint]:
    """Return models by name; raise an error for what is neither a curve nor a point."""
    entries = check_mapping(models, "models", "RROC curves or points")
    for name, entry in entries.items():
        if not isinstance(entry, (RROCCurve, RROCPoint)):
            raise InputError(
                f"Model {name!r} must be an RROC curve or point (from rroc_curve or rroc_point), "
                f"but is of type {type(entry).__name__}."
            )
    return entries


def _check_same_scale(entries: Mapping[str, RROCCurve | RROCPoint]) -> None:
    (name, first), *others = entries.items()
    for other_name, other in others:
        if first.normalized != other.normalized:
            scaled, plain = (name, other_name) if first.normalized else (other_name, name)
            raise InputError(
                f"Models {name!r} and {other_name!r} cannot be compared: {scaled!r} is normalised, "
                f"but {plain!r} is not. Use normalize=True for all models."
            )
        same = np.isclose(first.total_weight, other.total_weight, rtol=1e-9, atol=0.0)
        if not first.normalized and not same:
            raise InputError(
                f"Models {name!r} and {other_name!r} have different total weights "
                f"({first.total_weight:g} and {other.total_weight:g}), so their total errors "
                "cannot be compared. Create all curves and points with normalize=True."
            )
