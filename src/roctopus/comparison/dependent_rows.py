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

FALSE = 0.043
"""How often independent rows may be taken for dependent ones; 4.6 to 5 % in simulations."""
STEPS = {1: 0.2, 6: 0.8}
"""Neighbours up to so many rows apart are looked at, the nearer the more; and which part of the
false alarms each look may cause. One step shows what persists, six show groups of rows."""
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
                f"Errors persist from one time to the next, so {count:,} points in time carry as "
                f"much information as about {worth:.0f} independent ones. That is too few for a "
                "reliable interval: it contains the true value less often than promised."
            )
    if dependence.crossed:
        found.append(
            "Some clusters have rows at several times. The interval allows for both kinds of "
            "dependence."
        )
    if clusters is not None and times is None and int(clusters.max()) + 1 < LEAST_CLUSTERS:
        found.append(
            f"There are only {int(clusters.max()) + 1} clusters. If a few of them differ strongly "
            "from the rest, the interval contains the true value less often than promised."
        )
    return found


class _Alike(NamedTuple):
    """Rows whose errors are alike."""

    what: str
    correlation: float
    zscore: float
    chance: float
    """That independent rows are as much alike."""
    dependence: Dependence
    advice: str


def warn_of_dependent_rows(
    problem: Problem, predictions: Predictions, dependence: Dependence, frame: Any
) -> str | None:
    """Warn of rows that look dependent if nobody said so; return what was said."""
    if not dependence.independent or len(problem) < LEAST_ROWS:
        return None
    errors = signed_errors(problem, predictions)
    if not errors:
        return None
    shared = np.sum([_standardised(each) for each in errors], axis=0)
    if not np.any(shared):
        return None
    candidates = [_neighbours(shared), *_columns(shared, frame)]
    sure = [each for each in candidates if each.chance < FALSE / len(candidates)]
    if not sure:
        return None
    surest = max(sure, key=lambda each: each.zscore)
    sizes = np.abs(shared - shared.mean())
    sizes -= sizes.mean()  # costs depend on the sizes of errors, which are less alike
    plain = Estimate(0.0, sizes).standard_error
    widened = Estimate(0.0, sizes, dependence=surest.dependence).standard_error / plain
    effect = ", so intervals are too narrow"
    if widened > 1.1:
        effect += f", by a factor of about {widened:.2g}"
    said = (
        f"{surest.what} have similar errors (correlation {surest.correlation:.2f}){effect}. "
        f"{surest.advice}"
    )
    warn(said)
    return str(RoctopusWarning(said))


def _standardised(errors: Floats) -> Floats:
    """Return the normal scores of errors, which extreme errors do not rule."""
    from scipy.special import ndtri
    from scipy.stats import rankdata

    scores = ndtri(rankdata(errors) / (len(errors) + 1.0))
    spread = float(np.std(scores))
    return scores / spread if spread > 1e-9 else np.zeros(len(scores))


def _neighbours(errors: Floats) -> _Alike:
    """Return how alike rows next to each other are, one step apart or a few."""
    size = len(errors)
    centred = errors - errors.mean()
    total = float(np.sum(centred**2))
    apart = range(1, max(STEPS) + 1)
    alike = np.array([np.sum(centred[k:] * centred[:-k]) / total for k in apart])
    looks = []
    for steps, share in STEPS.items():
        weight = np.arange(steps, 0.0, -1.0)
        among = float(weight @ alike[:steps])
        score = (among + weight.sum() / size) * np.sqrt(size / (weight @ weight))
        looks.append((_chance(score) / share, score, among / float(weight.sum())))
    chance, score, usual = min(looks)
    advice = (
        f"If the rows are in order of time, use {arg('time')} to pass their times; if they belong "
        f"to groups, use {arg('clusters')} to pass the groups."
    )
    ordered = Dependence(times=np.arange(size))
    return _Alike("Neighbouring rows", usual, score, chance, ordered, advice)


def _chance(score: float, skewness: float = 0.0) -> float:
    """Return how likely so many standard errors above 0 are by chance.

    Products within groups are skewed like a gamma distribution, whose cube root is nearly normal.
    """
    from scipy.special import ndtr

    if skewness > 1e-6:
        root = 2.0 / skewness
        score = 3.0 * root * (np.cbrt(1.0 + score / root) - 1.0 + 1.0 / (3.0 * root) ** 2)
    return float(ndtr(-score))


def _columns(errors: Floats, frame: Any) -> Iterator[_Alike]:
    """Yield how alike rows with the same entry in a column are: times, or names of groups."""
    for name in () if frame is None else frame.columns:
        codes = _repeated(frame.get_column(name))
        if codes is None:
            continue
        temporal = frame.get_column(name).dtype.is_temporal()
        correlation, score, chance = _within(errors, codes)
        given = Dependence(times=codes) if temporal else Dependence(codes)
        yield _Alike(
            f"Rows with the same {str(name)!r}",
            correlation,
            score,
            chance,
            given,
            f"Use {arg('time' if temporal else 'clusters', str(name))}.",
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


def _within(errors: Floats, codes: Codes) -> tuple[float, float, float]:
    """Return the correlation of rows in one group, how many standard errors it is, its chance."""
    centred = (errors - errors.mean()) / np.std(errors)
    sums, counts = np.bincount(codes, centred), np.bincount(codes).astype(np.float64)
    pairs = float(np.sum(counts * (counts - 1.0)))
    products = float(np.sum(sums**2 - np.bincount(codes, centred**2)))
    spread = np.sqrt(2.0 * pairs)
    triples = float(np.sum(counts * (counts - 1.0) * (counts - 2.0)))
    score = (products + pairs / len(errors)) / spread
    return products / pairs, score, _chance(score, 8.0 * triples / spread**3)
