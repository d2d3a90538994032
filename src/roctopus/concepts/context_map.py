"""Curves over one context for every value of a second one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from roctopus.concepts.context_curve import ContextCurve
from roctopus.concepts.envelopes import Envelope, envelope
from roctopus.concepts.frames import column_name, make_frame
from roctopus.concepts.given_distributions import Distribution
from roctopus.core.arrays import Floats
from roctopus.core.checks import check_mapping, check_scalar
from roctopus.core.errors import InputError


@dataclass(frozen=True, eq=False)
class ContextMap:
    """A model's outcome over two contexts: exact along the first, sampled along the second.

    Functions such as ``roctopus.cutoff.cutoff_cost_map`` and ``roctopus.impact.impact_map`` make
    maps.

    Parameters
    ----------
    second : str
        Meaning of the second context, such as "cost proportion".
    values : array of shape (k,)
        Values of the second context, increasing.
    curves : tuple of ContextCurve
        A curve over the first context for each value of the second.

    Examples
    --------
    >>> from roctopus.cutoff import cutoff_cost_map
    >>> rain, forecast = [20.0, 35.0, 50.0], [25.0, 30.0, 55.0]
    >>> costs = cutoff_cost_map(rain, forecast, proportions=[0.2, 0.8])
    >>> costs.second, costs.values.tolist()
    ('cost proportion', [0.2, 0.8])
    >>> round(costs.at(32.0, 0.8), 3)
    0.533
    """

    second: str
    values: Floats
    curves: tuple[ContextCurve, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", np.array(self.values, dtype=np.float64))
        if len(self.values) != len(self.curves) or not len(self.values):
            raise InputError(
                f"A map needs one curve per value of {self.second!r}, but 'curves' has length "
                f"{len(self.curves)} and 'values' has length {len(self.values)}."
            )
        if np.any(np.diff(self.values) <= 0):
            k = int(np.argmax(np.diff(self.values) <= 0))
            raise InputError(
                f"The values of {self.second!r} must be in ascending order and different, but "
                f"{self.values[k]:g} is followed by {self.values[k + 1]:g}."
            )

    def curve(self, second: float) -> ContextCurve:
        """Return the curve over the first context at one value of the second.

        Parameters
        ----------
        second : float
            One of ``values``.

        Returns
        -------
        ContextCurve
            The outcome over the first context.
        """
        wanted = check_scalar(second, self.second)
        position = int(np.argmin(np.abs(self.values - wanted)))
        if self.values[position] != wanted:
            raise InputError(
                f"The map has {len(self.values)} curve{'' if len(self.values) == 1 else 's'}, but "
                f"none at {self.second}={wanted:g}. The nearest is at {self.values[position]:g}."
            )
        return self.curves[position]

    def at(self, context: float, second: float) -> float:
        """Return the outcome at a pair of contexts.

        Parameters
        ----------
        context : float
            First context.
        second : float
            Second context, one of ``values``.

        Returns
        -------
        float
            The outcome.
        """
        return float(self.curve(second).at(context))

    def expect(self, distribution: Distribution) -> Floats:
        """Return the expected outcome for each value of the second context.

        Parameters
        ----------
        distribution : Distribution
            How likely each value of the first context is.

        Returns
        -------
        array of shape (k,)
            One expected outcome per value of the second context.
        """
        return np.array([curve.expect(distribution) for curve in self.curves])

    def frame(self, backend: str | None = None) -> Any:
        """Return all curves as one dataframe.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, optional
            Library of the dataframe that is returned. By default the one your data came in.

        Returns
        -------
        dataframe
            Rows of all curves, with a column for the second context.
        """
        parts = [curve.function for curve in self.curves]
        context = column_name(self.curves[0].context)
        columns = {
            column_name(self.second): np.repeat(self.values, [len(part) for part in parts]),
            f"{context}_from": np.concatenate([part.knots[:-1] for part in parts]),
            f"{context}_to": np.concatenate([part.knots[1:] for part in parts]),
            "value_from": np.concatenate([part.start for part in parts]),
            "value_to": np.concatenate([part.end for part in parts]),
        }
        return make_frame(columns, self.curves[0].backend, backend)

    def __repr__(self) -> str:
        return (
            f"ContextMap({self.curves[0].outcome} over {self.curves[0].context}, at "
            f"{len(self.values)} values of {self.second} from {self.values[0]:g} to "
            f"{self.values[-1]:g})"
        )


def map_envelopes(maps: Mapping[str, ContextMap]) -> tuple[Envelope, ...]:
    """Find which model is best where along the first context, for every value of the second."""
    named = check_mapping(maps, "maps", "context maps")
    first = next(iter(named.values()))
    for name, other in named.items():
        if other.second != first.second:
            raise InputError(
                f"All maps must vary {first.second!r}, as the first map does, but the map of "
                f"{name!r} varies {other.second!r}."
            )
        if not np.array_equal(other.values, first.values):
            raise InputError(
                f"The map of {name!r} and the first map have different values of {first.second!r}. "
                f"Create all maps with the same values of {first.second!r}."
            )
    return tuple(
        envelope({name: each.curves[position] for name, each in named.items()})
        for position in range(len(first.values))
    )
