"""The arms: five that are built in, and those that installed packages bring."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from roctopus.concepts.arm import Arm
from roctopus.concepts.registry import Metric
from roctopus.core.errors import InputError, arg
from roctopus.cutoff.arm import CUTOFF
from roctopus.impact.arm import IMPACT
from roctopus.ordinal.arm import ORDINAL
from roctopus.probability.arm import PROBABILITY
from roctopus.regression.arm import REGRESSION

GROUP = "roctopus.arms"
"""The entry point by which packages bring arms of their own."""


BUILT_IN = {arm.name: arm for arm in (REGRESSION, CUTOFF, ORDINAL, PROBABILITY, IMPACT)}


@cache
def known_arms() -> dict[str, Arm]:
    """Return the arms by name; one of a package never takes the place of another."""
    from importlib.metadata import entry_points  # takes longer than all of the arms

    arms = list(BUILT_IN.values())
    for point in sorted(entry_points(group=GROUP), key=lambda each: each.name):
        arm = point.load()
        if not isinstance(arm, Arm):
            raise InputError(
                f"The entry point {point.name!r} of {GROUP!r} must refer to an Arm, but refers to "
                f"an object of type {type(arm).__name__!r}."
            )
        if arm.name in {each.name for each in arms}:
            raise InputError(
                f"The entry point {point.name!r} defines an arm called {arm.name!r}, but there is "
                "already an arm of this name. Rename one of them."
            )
        arms.append(arm)
    return {arm.name: arm for arm in arms}


def find_arm(name: object) -> Arm:
    """Return an arm by its name; an unknown one raises an error that lists those there are."""
    if isinstance(name, str) and name in BUILT_IN:
        return BUILT_IN[name]
    known = known_arms()
    if not isinstance(name, str) or name not in known:
        raise InputError(
            f"{arg('arm')} must be one of {', '.join(map(repr, known))}, but is {name!r}."
        )
    return known[name]


def registered_metrics(arm: str | None = None) -> tuple[Metric, ...]:
    """Return all metrics, or those of one arm.

    Parameters
    ----------
    arm : str, optional
        Name of an arm, such as "regression". By default the metrics of all arms are listed.

    Returns
    -------
    tuple of Metric
        The metrics, each with its ``name``, its ``arm`` and its ``function``.

    Examples
    --------
    >>> import roctopus as rt
    >>> [metric.name for metric in rt.registered_metrics("ordinal")]
    ['pairwise_ranking_accuracy', 'volume_under_surface']
    """
    chosen = known_arms().values() if arm is None else [find_arm(arm)]
    return tuple(entry for each in chosen for entry in each.entries())


def find_metric(metric: str | Callable[..., float]) -> Metric:
    """Return a metric by its name or its function."""
    known = registered_metrics()
    found = next((e for e in known if e.function is metric), None)
    if isinstance(metric, str):
        found = next((e for e in known if e.name == metric), None)
    if found is None and callable(metric) and hasattr(metric, "metric"):
        return Metric.of(metric)
    if found is None:
        name = metric if isinstance(metric, str) else getattr(metric, "__name__", repr(metric))
        there = ", ".join(sorted(each.name for each in known))
        raise InputError(f"There is no metric {name!r}. Available metrics: {there}.")
    return found
