"""Rows that depend on each other: how persistent errors are, and a warning if nobody said so."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from roctopus.concepts.dependence import Codes, Dependence
from roctopus.concepts.estimate import Estimate
from roctopus.concepts.problem import Predictions, Problem
from roctopus.concepts.units import sums_by
from roctopus.core.arrays import Floats
from roctopus.core.correlations import cosine_count, neighbour_correlation
from roctopus.core.errors import RoctopusWarning, arg, warn

FALSE = 0.045
"""How often independent rows may be taken for dependent ones."""
STEPS = 9
"""Neighbours up to so many rows apart are looked at, the nearer the more."""
LEAST_ROWS, LEAST_GROUPS = 20, 10
LEAST_TIMES, LEAST_CLUSTERS = 25.0, 20
"""With fewer independent times, or clusters, intervals are less reliable."""


def signed_errors(problem: Problem, predictions: Predictions) -> list[Floats]:
    """Return the errors of each model with their signs; of scores on another scale, scaled first.

    Costs hide how persistent errors are: they are small wherever errors are. Signed errors show it.
    """
    rising = problem.rising()
    return [] if rising is None else [_error(rising[0], each) for each in predictions.values()]


def _error(target: Floats, prediction: Floats) -> Floats:
    """Return the difference to the target, 0 where one of them is infinite."""
    finite = np.isfinite(target) & np.isfinite(prediction)
    y, x = target[finite], prediction[finite]
    spread = y.std() if len(y) else 0.0
    if spread > 0.0 and np.mean((y - x) ** 2) > 2.0 * spread**2 and x.std() > 0.0:
        x = (x - x.mean()) * (spread / x.std())  # on another scale
    found = np.zeros(len(target))
    found[finite] = (y - x) - np.mean(y - x)
    return found


def persistent(dependence: Dependence, problem: Problem, predictions: Predictions) -> Dependence:
    """Return the dependence with the fewest cosines that signed errors ask for."""
    if dependence.times is None:
        return dependence
    errors = signed_errors(problem, predictions)
    sums = [sums_by(dependence.times, each, None) for each in errors]
    return replace(dependence, cosines=cosine_count(*sums)) if sums else dependence


def notes_of(dependence: Dependence, problem: Problem, predictions: Predictions) -> list[str]:
    """Return what must be known about rows that are said to depend on each other."""
    found = []
    times, clusters = dependence.times, dependence.clusters
    if times is not None:
        errors = signed_errors(problem, predictions)
        alike = max((neighbour_correlation(sums_by(times, e, None)) for e in errors), default=0.0)
        count = int(times.max()) + 1
        worth = count * (1.0 - alike) / (1.0 + alike) if alike > 0.0 else float(count)
        if worth < LEAST_TIMES:
            found.append(
                f"{count:,} times whose errors persist are worth about {worth:.0f} independent "
                "ones: too few for a reliable interval. It covers less often than it says."
            )
    if dependence.crossed:
        found.append(
            "Clusters reach over several times. The interval allows for both kinds of dependence."
        )
    if clusters is not None and times is None and int(clusters.max()) + 1 < LEAST_CLUSTERS:
        found.append(
            f"There are only {int(clusters.max()) + 1} clusters. If their effects are very skewed, "
            "the interval covers less often than it says."
        )
    return found


class _Alike(NamedTuple):
    """Rows whose errors are alike."""

    what: str
    correlation: float
    zscore: float
    dependence: Dependence
    advice: str


def warn_of_dependent_rows(
    problem: Problem, predictions: Predictions, dependence: Dependence, frame: Any
) -> str | None:
    """Warn of rows that look dependent if nobody said so; return what was said."""
    from scipy.special import ndtri

    if not dependence.independent or len(problem) < LEAST_ROWS:
        return None
    errors = signed_errors(problem, predictions)
    if not errors:
        return None
    shared = np.sum([_standardised(each) for each in errors], axis=0)
    if not np.any(shared):
        return None
    candidates = [*_neighbours(shared), *_columns(shared, frame)]
    surest = max(candidates, key=lambda each: each.zscore)
    if surest.zscore <= -float(ndtri(FALSE / len(candidates))):
        return None
    sizes = np.abs(shared - shared.mean())
    sizes -= sizes.mean()  # costs depend on the sizes of errors, which are less alike
    plain = Estimate(0.0, sizes).standard_error
    widened = Estimate(0.0, sizes, dependence=surest.dependence).standard_error / plain
    effect = ", so intervals are too short"
    if widened > 1.1:
        effect += f", by a factor of about {widened:.2g}"
    said = (
        f"{surest.what} have similar errors (correlation {surest.correlation:.2f}){effect}. "
        f"{surest.advice}"
    )
    warn(said)
    return str(RoctopusWarning(said))


def _standardised(errors: Floats) -> Floats:
    """Return errors around their mean, in units that extreme ones do not set."""
    from scipy.stats import rankdata

    ranks = rankdata(errors) / (len(errors) + 1.0) - 0.5
    spread = float(np.std(ranks))
    return ranks / spread if spread > 0.0 else np.zeros(len(ranks))


def _neighbours(errors: Floats) -> Iterator[_Alike]:
    """Yield how alike rows next to each other are, one step apart and a few."""
    size = len(errors)
    centred = errors - errors.mean()
    spread = float(np.sum(centred**2))
    apart = range(1, STEPS + 1)
    alike = np.array([np.sum(centred[k:] * centred[:-k]) / spread for k in apart])
    ordered = Dependence(times=np.arange(size))
    advice = (
        f"If rows are in order of time, give the times with {arg('time')}; if some belong "
        f"together, give their groups with {arg('clusters')}."
    )
    for weight in (np.ones(1), np.arange(STEPS, 0.0, -1.0)):
        among = float(weight @ (alike[: len(weight)] + 1.0 / size))
        score = among * float(np.sqrt(size / (weight @ weight)))
        usual = float(weight @ alike[: len(weight)]) / float(weight.sum())
        yield _Alike("Neighbouring rows", usual, score, ordered, advice)


def _columns(errors: Floats, frame: Any) -> Iterator[_Alike]:
    """Yield how alike rows with the same entry in a column are: times, or names of groups."""
    for name in () if frame is None else frame.columns:
        codes = _repeated(frame.get_column(name))
        if codes is None:
            continue
        temporal = frame.get_column(name).dtype.is_temporal()
        correlation, score = _within(errors, codes)
        given = Dependence(times=codes) if temporal else Dependence(codes)
        yield _Alike(
            f"Rows with the same {str(name)!r}",
            correlation,
            score,
            given,
            f"Give {arg('time' if temporal else 'clusters', str(name))}.",
        )


def _repeated(column: Any) -> Codes | None:
    """Return the groups of a column in which times or names repeat; None of other columns."""
    import narwhals as nw

    kind = column.dtype
    named = kind in (nw.String, nw.Categorical, nw.Enum) or kind.is_integer()
    if not (named or kind.is_temporal()) or column.null_count():
        return None
    _, codes = np.unique(column.to_numpy().astype(str), return_inverse=True)
    groups = int(codes.max()) + 1
    if kind.is_temporal():
        _, codes = np.unique(column.to_numpy(), return_inverse=True)
    return codes if LEAST_GROUPS <= groups <= 0.5 * len(codes) else None


def _within(errors: Floats, codes: Codes) -> tuple[float, float]:
    """Return the correlation of rows in one group, and how many standard errors it is from 0."""
    centred = (errors - errors.mean()) / np.std(errors)
    sums, counts = np.bincount(codes, centred), np.bincount(codes).astype(np.float64)
    pairs = float(np.sum(counts * (counts - 1.0)))
    products = float(np.sum(sums**2 - np.bincount(codes, centred**2)))
    return products / pairs, (products + pairs / len(errors)) / np.sqrt(2.0 * pairs)
