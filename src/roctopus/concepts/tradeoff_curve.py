"""Curves of two outcomes traded against each other as a knob turns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from roctopus.concepts.frames import make_frame
from roctopus.core.arrays import Array, Floats, to_numpy
from roctopus.core.chains import ClassScores


@dataclass(frozen=True, eq=False)
class TradeoffCurve:
    """Two outcomes traded against each other as the setting changes, at each vertex.

    ROC curves and RROC curves are such curves. The arrays are in the library that the data came in,
    such as torch.

    Parameters
    ----------
    x, y : array of shape (vertices,)
        The two outcomes at each vertex.
    knob : array of shape (vertices,)
        Setting of each vertex, increasing.
    backend : str or None, default None
        Dataframe library that the data came in.

    Examples
    --------
    >>> from roctopus import TradeoffCurve, rroc_curve
    >>> curve = rroc_curve([3.0, 5.0, 8.0], [4.0, 4.0, 10.0])
    >>> isinstance(curve, TradeoffCurve), curve.names
    (True, ('over', 'under', 'shift'))
    >>> curve.frame("pandas")[["over", "under", "shift"]]
       over  under  shift
    0   0.0   -4.0   -2.0
    1   1.0   -2.0   -1.0
    2   5.0    0.0    1.0
    """

    x: Array
    y: Array
    knob: Array
    backend: str | None

    names: ClassVar[tuple[str, str, str]] = ("x", "y", "knob")
    """What an arm calls x, y and the knob."""

    def __len__(self) -> int:
        return int(self.x.shape[0])

    def vertices(self) -> tuple[Floats, Floats, Floats]:
        """Return x, y and the settings as numpy arrays.

        Returns
        -------
        x : array of shape (vertices,)
            First outcome of each vertex.
        y : array of shape (vertices,)
            Second outcome of each vertex.
        knob : array of shape (vertices,)
            Setting of each vertex.
        """
        return to_numpy(self.x), to_numpy(self.y), to_numpy(self.knob)

    def columns(self) -> dict[str, Any]:
        """Return the columns of ``frame()``.

        Returns
        -------
        dict of str to array
            The two outcomes and the setting of each vertex, by their names.
        """
        return dict(zip(self.names, self.vertices(), strict=True))

    def frame(self, backend: str | None = None) -> Any:
        """Return the vertices as a dataframe.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, optional
            Library of the dataframe that is returned. By default the one your data came in.

        Returns
        -------
        dataframe
            The two outcomes and the setting, one row per vertex.
        """
        return make_frame(self.columns(), self.backend, backend)

    def __repr__(self) -> str:
        x, y, knob = self.names
        return f"{type(self).__name__}({len(self)} vertices of {x}, {y} and {knob})"


@dataclass(frozen=True, eq=False, repr=False)
class ROCCurve(TradeoffCurve):
    """The rates of both classes that are accepted, by increasing threshold.

    A case is accepted if its score is at least the threshold. The first vertex accepts all cases,
    the last one (threshold +inf) none.

    Parameters
    ----------
    x, y : array of shape (vertices,)
        False and true positive rate at each vertex.
    knob : array of shape (vertices,)
        Threshold of each vertex, increasing.
    backend : str or None, default None
        Dataframe library that the data came in.

    Examples
    --------
    >>> from roctopus.ordinal import pairwise_roc_curves
    >>> curve = pairwise_roc_curves([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])[0, 1]
    >>> curve.area, curve.threshold.tolist()
    (0.75, [0.1, 0.4, 0.6, 0.9, inf])
    """

    names: ClassVar[tuple[str, str, str]] = (
        "false_positive_rate", "true_positive_rate", "threshold",
    )  # fmt: skip

    @staticmethod
    def between(
        negative: ClassScores, positive: ClassScores, backend: str | None = None
    ) -> ROCCurve:
        """Return the curve of two classes.

        Parameters
        ----------
        negative, positive : ClassScores
            Sorted scores of the lower and of the higher class.
        backend : str or None, default None
            Dataframe library that the data came in.

        Returns
        -------
        ROCCurve
            The curve.
        """
        threshold = np.append(np.union1d(negative.score, positive.score), np.inf)
        accepted = []
        for each in (negative, positive):
            running = np.append(0.0, np.cumsum(each.mass))
            below = running[np.searchsorted(each.score, threshold)]
            accepted.append((running[-1] - below) / running[-1])
        return ROCCurve(accepted[0], accepted[1], threshold, backend)

    @property
    def false_positive_rate(self) -> Array:
        """The share of the lower class that is accepted."""
        return self.x

    @property
    def true_positive_rate(self) -> Array:
        """The share of the higher class that is accepted."""
        return self.y

    @property
    def threshold(self) -> Array:
        """The threshold of each vertex."""
        return self.knob

    @property
    def area(self) -> float:
        """The area under the curve; ties count one half."""
        return float(0.0 - np.trapezoid(self.y, self.x))  # never −0
