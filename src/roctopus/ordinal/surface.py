"""The ROC surface: the true positive rates of all classes as the thresholds move."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roctopus.concepts.frames import make_frame
from roctopus.core.arrays import Floats
from roctopus.core.chains import chain_share
from roctopus.core.checks import check_whole
from roctopus.core.errors import InputError
from roctopus.core.monotone_cuts import cheapest_cuts
from roctopus.ordinal.grades import Grades, read_grades
from roctopus.ordinal.profiles import Profile
from roctopus.ordinal.thresholds import read_thresholds

MOST_POINTS = 100_000
"""Largest number of vectors of thresholds that are listed."""
MOST_COMPARED = 20_000
"""Largest number of points that are compared all with all."""


@dataclass(frozen=True, eq=False)
class SurfacePoints:
    """Points of an ROC surface with their thresholds.

    The methods of ``ROCSurface`` make them.

    Parameters
    ----------
    rates : array of shape (points, r)
        Share of each class that is graded correctly, one row per point.
    thresholds : array of shape (points, r - 1)
        Threshold between each class and the next, one row per point.
    labels : tuple
        Classes from the lowest to the highest.
    exact : bool, default True
        Whether these are all points; False if costs were sampled.
    backend : str or None, default None
        Dataframe library that the data came in.

    Examples
    --------
    >>> surface = roc_surface([1, 1, 2, 2, 3], [0.1, 0.5, 0.4, 0.7, 0.9])
    >>> best = surface.non_dominated()
    >>> best.rates.tolist()
    [[0.5, 1.0, 1.0], [1.0, 0.5, 1.0]]
    """

    rates: Floats
    thresholds: Floats
    labels: tuple[Any, ...]
    exact: bool = True
    backend: str | None = None

    def __len__(self) -> int:
        return len(self.rates)

    def frame(self, backend: str | None = None) -> Any:
        """Return the points as a dataframe.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, optional
            Library of the dataframe that is returned. By default the one your data came in.

        Returns
        -------
        dataframe
            The rate of each class and the thresholds, one row per point.
        """
        columns = {f"rate_{label}": self.rates[:, k] for k, label in enumerate(self.labels)}
        columns |= {
            f"threshold_{k + 1}": self.thresholds[:, k] for k in range(len(self.labels) - 1)
        }
        return make_frame(columns, self.backend, backend)


@dataclass(frozen=True, eq=False)
class ROCSurface:
    """The true positive rates that all vectors of thresholds reach.

    For r classes it is a surface of r − 1 dimensions in r-dimensional space; for two classes it is
    the ROC curve. ``roc_surface`` makes it.

    Parameters
    ----------
    profile : Profile
        Shares of the classes below each score.
    grades : Grades
        Cases by class.

    Examples
    --------
    >>> surface = roc_surface([1, 1, 2, 2, 3], [0.1, 0.5, 0.4, 0.7, 0.9])
    >>> surface.volume, surface.size
    (0.75, 21)
    >>> surface.hull().thresholds.tolist()
    [[0.4, 0.9], [0.7, 0.9]]
    """

    profile: Profile
    grades: Grades

    @property
    def labels(self) -> tuple[Any, ...]:
        """The classes from the lowest to the highest."""
        return self.grades.labels

    @cached_property
    def shares(self) -> Floats:
        """The share of each class (row) below each position of a threshold (column)."""
        return np.asarray(self.profile.below / self.profile.below[:, -1:])

    @property
    def volume(self) -> float:
        """The volume under the surface (Theorem 3.1): VUS with strict ties."""
        return chain_share(self.grades.classes, "strict")

    @property
    def size(self) -> int:
        """The number of vectors of thresholds."""
        return math.comb(len(self.profile.scores) + len(self.labels) - 1, len(self.labels) - 1)

    def rates(self, thresholds: Any) -> Floats:
        """Return the share of each class that given thresholds grade correctly.

        Parameters
        ----------
        thresholds : array of shape (r - 1,)
            Threshold between each class and the next, increasing.

        Returns
        -------
        array of shape (r,)
            The rates, from 0 to 1.
        """
        vector = read_thresholds(thresholds, len(self.labels))
        positions = np.searchsorted(self.profile.scores, vector)
        return np.asarray(self._rates(positions[None, :])[0])

    def _rates(self, positions: NDArray[np.intp]) -> Floats:
        """Return the rates of many vectors of positions, one per row."""
        below = self.shares
        ends = np.column_stack(
            [
                np.zeros(len(positions), dtype=np.intp),
                positions,
                np.full(len(positions), len(self.profile.scores)),
            ]
        )
        return np.column_stack(
            [below[k, ends[:, k + 1]] - below[k, ends[:, k]] for k in range(len(self.labels))]
        )

    def _points(self, positions: NDArray[np.intp], exact: bool = True) -> SurfacePoints:
        limits = np.append(self.profile.scores, np.inf)
        return SurfacePoints(
            self._rates(positions),
            limits[positions],
            self.labels,
            exact,
            self.grades.sample.backend,
        )

    def _vectors(self, along: Sequence[int], most: int, what: str) -> NDArray[np.intp]:
        count = math.comb(len(along) + len(self.labels) - 2, len(self.labels) - 1)
        if count > most:
            raise InputError(
                f"The surface has {count:,} combinations of thresholds, which are too many for "
                f"{what} (at most {most:,}). Use .thinned() or .hull(), or round the scores."
            )
        chosen = itertools.combinations_with_replacement(along, len(self.labels) - 1)
        return np.array(list(chosen), dtype=np.intp)

    def points(self) -> SurfacePoints:
        """Return the points of all vectors of thresholds; too many to list raise an error.

        Returns
        -------
        SurfacePoints
            One point per vector of thresholds.
        """
        along = range(len(self.profile.scores) + 1)
        return self._points(self._vectors(along, MOST_POINTS, "a list"))

    def thinned(self, steps: int = 40) -> SurfacePoints:
        """Return points for drawing: thresholds at evenly spaced ranks of the scores.

        Parameters
        ----------
        steps : int, default 40
            Number of steps along each threshold.

        Returns
        -------
        SurfacePoints
            The points.
        """
        check_whole(steps, "steps", 1)
        return self._points(self._vectors(self._thin(steps), MOST_POINTS, "a picture"))

    def _thin(self, steps: int) -> Sequence[int]:
        """Return positions that part the cases, all classes weighing alike, into even steps."""
        share = np.mean(self.shares, axis=0)
        found = np.searchsorted(share, np.linspace(0.0, 1.0, steps + 1))
        thin: list[int] = np.unique(np.append(found, len(self.profile.scores))).tolist()
        return thin

    def non_dominated(self) -> SurfacePoints:
        """Return the points that no other point beats in one class without losing in another.

        Returns
        -------
        SurfacePoints
            The points.
        """
        along = range(len(self.profile.scores) + 1)
        vectors = self._vectors(along, MOST_COMPARED, "comparing all with all")
        return self._best(vectors)

    def _best(self, vectors: NDArray[np.intp], exact: bool = True) -> SurfacePoints:
        """Leave out dominated points, and all but one of equal ones."""
        rates, first = np.unique(np.round(self._rates(vectors), 12), axis=0, return_index=True)
        kept = [
            k
            for k, point in enumerate(rates)
            if not np.any(np.all(rates >= point, axis=1) & np.any(rates > point, axis=1))
        ]
        return self._points(vectors[first[kept]], exact)

    def hull(self, *, directions: int = 2000, rng: int = 0) -> SurfacePoints:
        """Return the vectors of thresholds that are optimal for some positive costs of the classes.

        For two classes these are the vertices of the ROC convex hull. For more classes, costs are
        drawn at random, so a corner that is best for few costs only may be missed.

        Parameters
        ----------
        directions : int, default 2000
            Number of cost vectors to draw, in addition to some in which one or two classes matter
            most.
        rng : int, default 0
            Seed or generator of random numbers: the same seed gives the same result.

        Returns
        -------
        SurfacePoints
            The points.
        """
        count = len(self.labels)
        check_whole(directions, "directions", 0)
        if count == 2:
            return self._best(self._hull_of_two())
        single = np.eye(count)
        pairs = [
            (1 - t) * single[a] + t * single[b]
            for a, b in itertools.combinations(range(count), 2)
            for t in np.linspace(0.05, 0.95, 19)
        ]
        draws = np.random.default_rng(rng).dirichlet(np.full(count, 0.7), directions)
        # No class is for free: among equally good vectors a dominated one could be taken.
        costs = np.concatenate([single, np.array(pairs), draws]) + 1e-6
        found = {tuple(self._optimum(cost).tolist()) for cost in costs}
        return self._best(np.array(sorted(found), dtype=np.intp), exact=False)

    def _optimum(self, costs: Floats) -> NDArray[np.intp]:
        """Return the vector with the largest Σ cost × rate."""
        wrong = 1.0 - np.eye(len(self.labels))
        loss = (costs / self.profile.below[:, -1])[:, None] * wrong
        return cheapest_cuts(self.profile.costs_below(loss))

    def _hull_of_two(self) -> NDArray[np.intp]:
        from roctopus.core.hulls import upper_hull

        # Rates (share of the lower class below, share of the higher class above) along positions.
        return np.sort(upper_hull(self.shares[0], 1.0 - self.shares[1]))[:, None]

    def triangles(self, steps: int = 40) -> tuple[Floats, NDArray[np.intp]]:
        """Return corners and triangles of the surface of three classes, thinned for drawing.

        Parameters
        ----------
        steps : int, default 40
            Number of steps along each threshold.

        Returns
        -------
        corners : array of shape (k, 3)
            Rates of the three classes at each corner.
        triangles : array of int of shape (m, 3)
            Numbers of the corners of each triangle.
        """
        if len(self.labels) != 3:
            raise InputError(
                f"A surface can only be drawn for three classes, but there are {len(self.labels)}. "
                "Draw the curves of pairs of classes (pairwise_roc_curves) instead."
            )
        along = self._thin(steps)
        number: dict[tuple[int, int], int] = {}
        vectors: list[tuple[int, int]] = []
        for i, j in itertools.combinations_with_replacement(range(len(along)), 2):
            number[i, j] = len(vectors)
            vectors.append((along[i], along[j]))
        faces = []
        for i, j in itertools.combinations_with_replacement(range(len(along) - 1), 2):
            if i < j:
                faces.append((number[i, j], number[i + 1, j], number[i, j + 1]))
                faces.append((number[i + 1, j], number[i + 1, j + 1], number[i, j + 1]))
            else:
                faces.append((number[i, i], number[i + 1, i + 1], number[i, i + 1]))
        rates = self._rates(np.array(vectors, dtype=np.intp))
        return rates, np.array(faces, dtype=np.intp)


def roc_surface(
    y_true: Any, y_score: Any, *, labels: Any = None, sample_weight: Any = None
) -> ROCSurface:
    """Return the ROC surface of a model that grades cases into ordered classes.

    Parameters
    ----------
    y_true : array of shape (n,)
        Ordered class of each case: numbers, an ordered categorical (pandas, polars ``Enum``), or
        any labels whose order ``labels`` gives.
    y_score : array of shape (n,)
        Score of each case, which should increase with the class; grades are fine, too.
    labels : sequence, optional
        Classes from the lowest to the highest; needed for text that is not an ordered categorical.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    ROCSurface
        The rates that any thresholds reach, and the volume under the surface.

    Examples
    --------
    >>> surface = roc_surface([1, 1, 2, 2, 3], [0.1, 0.5, 0.4, 0.7, 0.9])
    >>> surface.rates([0.3, 0.8]).tolist(), surface.volume
    ([0.5, 1.0, 1.0], 0.75)
    """
    grades = read_grades(y_true, y_score, sample_weight, labels)
    return ROCSurface(Profile.of(grades), grades)
