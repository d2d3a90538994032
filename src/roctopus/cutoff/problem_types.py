"""Which measure suits what is known about future cutoffs (Table 1 of the paper)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from roctopus.concepts.distributions import Uniform
from roctopus.concepts.estimate import Estimate
from roctopus.concepts.given_distributions import Distribution, Output, Truncated, as_distribution
from roctopus.concepts.registry import estimate
from roctopus.core.checks import check_scalar
from roctopus.core.errors import InputError
from roctopus.cutoff.areas import (
    clipped_mean_absolute_error,
    uniform_cutoff_area,
)
from roctopus.cutoff.errors import cutoff_error
from roctopus.cutoff.expected import expected_cutoff_error
from roctopus.cutoff.output_areas import output_cutoff_area


@dataclass(frozen=True)
class CutoffProblem:
    """A kind of cutoff problem with the measure that suits it.

    Print it to read which measure, and why. ``cutoff_problem`` makes it.

    Parameters
    ----------
    type : int or None
        Type 1 to 6 of Table 1; None if the cutoff is known.
    measure : function
        Metric that suits the problem.
    arguments : mapping of str to object
        Arguments of the measure, apart from the data.
    reason : str
        Why this measure suits.

    Examples
    --------
    >>> problem = cutoff_problem(cutoff=6)
    >>> problem.measure.__name__, problem.arguments
    ('cutoff_error', {'cutoff': 6.0})
    """

    type: int | None
    measure: Callable[..., float]
    arguments: dict[str, Any]
    reason: str

    def evaluate(self, y_true: Any, y_pred: Any, **options: Any) -> Estimate:
        """Return the measure of a model, with its uncertainty.

        Parameters
        ----------
        y_true, y_pred : array of shape (n,)
            True values and predictions, one per case; predictions may be infinite.
        **options : object
            Costs and weights of the measure, such as ``false_negative_cost``.

        Returns
        -------
        Estimate
            The value with its standard error.
        """
        return estimate(self.measure, y_true, y_pred, **self.arguments, **options)

    def __str__(self) -> str:
        kind = "Known cutoff" if self.type is None else f"Type {self.type}"
        told = ", ".join(f"{name}={value!r}" for name, value in self.arguments.items())
        return f"{kind}: {self.measure.__name__}({told}). {self.reason}"


def cutoff_problem(
    *,
    cutoff: float | None = None,
    distribution: Distribution | Literal["uniform", "output"] | None = None,
    low: float | None = None,
    high: float | None = None,
) -> CutoffProblem:
    """Say which measure suits what you know about the cutoffs, and why.

    Give what you know, or nothing.

    Parameters
    ----------
    cutoff : float, optional
        The cutoff, if it is known.
    distribution : Distribution, "uniform" or "output", optional
        How likely each cutoff is; "output" means as the true values are distributed.
    low, high : float, optional
        Smallest and largest cutoff.

    Returns
    -------
    CutoffProblem
        The type of the problem, the measure and its arguments.

    Examples
    --------
    >>> problem = cutoff_problem(low=4, high=10)
    >>> print(problem)
    Type 2: clipped_mean_absolute_error(low=4.0, high=10.0). Only a region of cutoffs is known;
    if it is narrow, a uniform distribution is a fair guess, and the area under the
    cutoff-error curve there is the clipped mean absolute error.
    >>> problem.evaluate([3, 5, 6, 8, 11, 12], [9, 4, 7, 10, 16, 13]).value
    1.5
    """
    region = low is not None or high is not None
    if cutoff is not None:
        if distribution is not None or region:
            others = {"distribution": distribution, "low": low, "high": high}
            other = next(name for name, each in others.items() if each is not None)
            raise InputError(
                f"'cutoff' cannot be combined with '{other}'. Use 'cutoff' alone for a single "
                f"cutoff, or leave out 'cutoff' to use '{other}'."
            )
        return CutoffProblem(
            None,
            cutoff_error,
            {"cutoff": check_scalar(cutoff, "cutoff")},
            "The cutoff is known, so the error there is what counts; a classifier trained at it "
            "may also be worth trying.",
        )
    ends = Output(low, high).ends
    if isinstance(distribution, (Output, Uniform)):
        if region:
            raise InputError(
                f"'low' and 'high' cannot be combined with distribution={distribution!r}. Pass "
                "both ends to the distribution instead, as in "
                f"distribution={type(distribution).__name__}(low, high)."
            )
        low, high = distribution.low, distribution.high
        region = low is not None or high is not None
        distribution = "output" if isinstance(distribution, Output) else "uniform"
    if distribution is None:
        guess = _uniform if region else _output
        return guess(low, high, region, guessed=True)
    if isinstance(distribution, str):
        if distribution not in ("uniform", "output"):
            raise InputError(
                "'distribution' must be 'uniform', 'output' or a distribution of cutoffs, but is "
                f"{distribution!r}."
            )
        known = _uniform if distribution == "uniform" else _output
        return known(low, high, region, guessed=False)
    as_distribution(distribution)
    if not region:
        reason = "The distribution of cutoffs is known: the error is averaged over it."
        return CutoffProblem(5, expected_cutoff_error, {"distribution": distribution}, reason)
    return CutoffProblem(
        6,
        expected_cutoff_error,
        {"distribution": Truncated(distribution, *ends)},
        "The distribution of cutoffs is known, and only a part of it matters: the error is "
        "averaged over that part. In a narrow region the clipped mean absolute error is close.",
    )


def _output(low: float | None, high: float | None, region: bool, *, guessed: bool) -> CutoffProblem:
    if not region:
        known = (
            "Nothing is known about the cutoffs; the outputs' own distribution is the best guess"
            if guessed
            else "Cutoffs are distributed as the outputs"
        )
        reason = f"{known}, and the expected error under it is the area under the OCE curve."
        return CutoffProblem(3, output_cutoff_area, {}, reason)
    ends = {name: end for name, end in (("low", low), ("high", high)) if end is not None}
    return CutoffProblem(
        4,
        output_cutoff_area,
        ends,
        "Cutoffs are distributed like the outputs within a region: the error is averaged over the "
        "outputs there. In a narrow region the clipped mean absolute error is close.",
    )


def _uniform(
    low: float | None, high: float | None, region: bool, *, guessed: bool
) -> CutoffProblem:
    if not region:
        return CutoffProblem(
            1,
            uniform_cutoff_area,
            {},
            "All cutoffs of the whole range are equally likely, which is rare: the area under the "
            "cutoff-error curve is then the mean absolute error.",
        )
    if low is None or high is None:
        raise InputError(
            "A uniform distribution of cutoffs needs both ends. Pass both 'low' and 'high'."
        )
    known = (
        "Only a region of cutoffs is known; if it is narrow, a uniform distribution is a fair guess"
        if guessed
        else "Cutoffs are uniform on a region"
    )
    return CutoffProblem(
        2,
        clipped_mean_absolute_error,
        {"low": float(low), "high": float(high)},
        f"{known}, and the area under the cutoff-error curve there is the clipped mean absolute "
        "error.",
    )
