"""Choose on validation data, judge on test data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from roctopus.arms import find_arm
from roctopus.comparison.comparison import Comparison
from roctopus.comparison.knowing import CELLS, follow, split_into_cells
from roctopus.concepts.envelopes import Envelope, envelope
from roctopus.core.checks import check_mapping
from roctopus.core.errors import InputError, arg
from roctopus.inference.aims import read_distribution
from roctopus.inference.policies import mean_of, sign_of


class Selected(NamedTuple):
    """The result of one way to choose, on test data.

    Parameters
    ----------
    rule : str
        How it was chosen, such as "validation" or "test regions".
    models : tuple of str
        One model, or the models of the regions.
    value : float
        Expected outcome per case on the test data.

    Examples
    --------
    >>> import roctopus as rt
    >>> from roctopus.comparison import select_models
    >>> y, first, second = [10, 15, 20, 30], [11, 14, 22, 29], [12, 17, 20, 29]
    >>> old, new = (rt.compare(y, {"a": each}, arm="cutoff") for each in (first, second))
    >>> found = select_models(old, new, rt.Uniform(10, 30))[0]
    >>> found.rule, found.models, round(found.value, 3)
    ('validation', ('a',), 0.0)
    """

    rule: str
    models: tuple[str, ...]
    value: float


def select_models(
    validation: Comparison,
    test: Comparison,
    distribution: Any,
    *,
    by: Mapping[str, Any] | None = None,
) -> tuple[Selected, ...]:
    """Return what choosing on validation data gives on test data, under a distribution.

    Settings are tuned on the validation data. These rules are compared: the model with the least
    expected cost on validation data ("validation"), and the same with each distribution of ``by``;
    the best model on validation data for each context ("validation regions"); and, as bounds, the
    model ("test") and the regions ("test regions") that are best on the test data themselves.

    Parameters
    ----------
    validation : Comparison
        Models on the cases used for choosing.
    test : Comparison
        Same models on other cases.
    distribution : Distribution
        How likely each context is, such as ``Uniform(0.2, 0.8)``; all values are expected under it.
    by : mapping of str to Distribution, optional
        Other distributions to choose by, such as ``{"OCE": Output(), "PUCE": Uniform(10, 20)}``.

    Returns
    -------
    tuple of Selected
        One for each rule: what it chose, and what that gives on the test data.

    Examples
    --------
    >>> import roctopus as rt
    >>> from roctopus.comparison import select_models
    >>> y = [10, 12, 15, 20, 22, 30]
    >>> first = {"a": [11, 11, 14, 22, 20, 29], "b": [12, 15, 17, 24, 25, 33]}
    >>> second = {"a": [12, 12, 17, 20, 25, 29], "b": [11, 13, 17, 19, 24, 33]}
    >>> validation, test = (rt.compare(y, each, arm="cutoff") for each in (first, second))
    >>> for each in select_models(validation, test, rt.Uniform(10, 30)):
    ...     print(f"{each.rule}: {', '.join(each.models)}, error {each.value:.3f}")
    validation: b, error 0.076
    validation regions: a, b, error 0.076
    test: b, error 0.000
    test regions: a, b, error 0.000
    """
    for name, each in (("validation", validation), ("test", test)):
        if not hasattr(each, "problem"):
            raise InputError(
                f"{arg(name)} must be a comparison, but is of type {type(each).__name__}."
            )
    same_arm = find_arm(validation.problem.arm) is find_arm(test.problem.arm)
    if not same_arm:
        raise InputError(
            "'validation' and 'test' must have the same arm, but 'validation' has "
            f"{validation.problem.arm!r} and 'test' has {test.problem.arm!r}."
        )
    if validation.models != test.models:
        first, second = (", ".join(map(repr, each.models)) for each in (validation, test))
        raise InputError(
            "'validation' and 'test' must compare the same models in the same order, but "
            f"'validation' compares {first}, and 'test' compares {second}."
        )
    sign = sign_of(test.problem)
    chosen, best = validation.envelope, test.envelope
    read_distribution(test.problem, distribution)

    def least(found: Envelope, other: Any) -> str:
        expected = [sign * curve.expect(other) for curve in found.curves]
        return found.names[int(np.argmin(expected))]

    rules: list[tuple[str, Envelope]] = [("validation", _only(chosen, least(chosen, distribution)))]
    if by is not None:
        for name, other in check_mapping(by, "by", "distributions").items():
            rules.append((f"validation, by {name}", _only(chosen, least(chosen, other))))
    rules.append(("validation regions", chosen))
    found = [
        Selected(rule, _owners(regions), _expected(test, regions, distribution))
        for rule, regions in rules
    ]
    alone = _only(best, least(best, distribution))
    for rule, regions in (("test", alone), ("test regions", best)):
        found.append(Selected(rule, _owners(regions), regions.expect(distribution)))
    return tuple(found)


def _only(whole: Envelope, name: str) -> Envelope:
    return envelope({name: whole.curves[whole.names.index(name)]})


def _owners(regions: Envelope) -> tuple[str, ...]:
    return tuple(name for name in regions.names if name not in regions.never_best)


def _expected(test: Comparison, regions: Envelope, distribution: Any) -> float:
    """Return what regions learned elsewhere give here, with the knobs they were learned with."""
    problem = test.problem
    if regions.curve.knob is None:  # nothing but the model to choose: exact
        curves = dict(zip(test.envelope.names, test.envelope.curves, strict=True))
        return regions.follow({name: curves[name] for name in regions.names}).expect(distribution)
    exact = read_distribution(problem, distribution)
    _, mass, mean = split_into_cells(exact, problem.domain, 4 * CELLS, linear=problem.linear)
    live = mass > 0.0
    outcomes = follow(problem, test.predictions, regions, mean[live], mass[live])
    return mean_of(problem, outcomes)
