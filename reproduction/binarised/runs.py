"""Random halves of a problem: eight techniques learn on one and are judged on the other.

Errors at cutoffs make everything: Tables 6 to 8 from the whole second half; Table 9 from its two
quarters, one to choose a technique on and one to judge the choice.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from joblib import Parallel, delayed
from scipy.stats import kendalltau, pearsonr, spearmanr

import roctopus as rt
from reproduction.learners import CLASSIFIERS, TECHNIQUES, predict_classes, predict_numbers
from roctopus.core.progress import Progress

__all__ = ["COLUMNS", "SELECTIONS", "Outcome", "run_problem", "run_problems"]

COLUMNS = ("A_CE", "A_PUCE", "A_OCE", "MAE", "MSE", "eVar", "eBias", "PCor", "SCor", "KCor")
SELECTIONS = ("Val_CE", "Val_OCE", "Val_PUCE", "Val_Hybrid", "Test_Hybrid", "Test_CE")


@dataclass(frozen=True)
class Outcome:
    """What the halves of one problem gave."""

    tables: dict[str, np.ndarray]
    """Per technique, halves × the columns of Tables 6 to 8 (A_OCE as printed: A_CE/(b − a))."""
    output_areas: dict[str, np.ndarray]
    """Per technique, A_OCE as it is defined, per half."""
    selections: np.ndarray
    """Halves × the columns of Table 9."""
    chosen: np.ndarray
    """Halves × the technique chosen by Val_CE, Val_OCE and Val_PUCE."""
    size: int


@dataclass(frozen=True)
class Cutoffs:
    """At which cutoffs techniques are judged, and what each counts."""

    values: np.ndarray
    region: float
    """The width b − a."""
    weights: dict[str, np.ndarray]
    """How much each cutoff counts for CE, PUCE and OCE; each sums to one."""

    @classmethod
    def of(cls, data, count):
        """Spread 3 in 5 over the region of the distribution, and the rest like the target."""
        distribution, inside = data.cutoffs, (3 * count) // 5
        ends = np.linspace(distribution.low, distribution.high, inside + 1)
        shares = (np.arange(count - inside) + 0.5) / (count - inside)
        like_target = np.quantile(data.y_true, shares, method="inverted_cdf")
        first, second = np.zeros(count), np.zeros(count)
        first[:inside], second[inside:] = 1.0 / inside, 1.0 / (count - inside)
        known = np.concatenate([np.diff(distribution.cdf(ends)), np.zeros(count - inside)])
        return cls(
            np.concatenate([(ends[1:] + ends[:-1]) / 2.0, like_target]),
            distribution.high - distribution.low,
            {"CE": known / known.sum(), "PUCE": first, "OCE": second},
        )


def _regression_columns(y, p, distribution):
    """Return the ten columns of a regressor, exactly, and the defined A_OCE."""
    expected = rt.expected_cutoff_error(y, p, distribution=distribution)
    error = p - y
    flat = np.ptp(p) == 0.0
    related = [np.nan] * 3 if flat else [f(p, y)[0] for f in (pearsonr, spearmanr, kendalltau)]
    row = [
        (distribution.high - distribution.low) * expected,
        rt.clipped_mean_absolute_error(y, p, low=distribution.low, high=distribution.high),
        expected,
        rt.uniform_cutoff_area(y, p),
        np.mean(error**2),
        np.var(error),
        error.mean(),
        *related,
    ]
    return row, rt.output_cutoff_area(y, p)


def _half(data, cutoffs, rng, share):
    """Learn on a random part; return columns, defined A_OCE, Table 9's columns and choices."""
    distribution, y = data.cutoffs, data.y_true
    train, test = np.split(rng.permutation(len(y)), [round(share * len(y))])
    numbers = predict_numbers(data, train, test)
    answers = {name: p >= cutoffs.values[:, None] for name, p in numbers.items()}
    answers |= predict_classes(data, train, test, cutoffs.values)
    truth = y[test] >= cutoffs.values[:, None]
    wrong = np.array([answers[name] != truth for name in TECHNIQUES])
    columns, areas = {}, {}
    for name, p in numbers.items():
        columns[name], areas[name] = _regression_columns(y[test], p, distribution)
    errors = wrong.mean(axis=2)
    for name in CLASSIFIERS:
        by = {kind: errors[TECHNIQUES.index(name)] @ w for kind, w in cutoffs.weights.items()}
        wide = cutoffs.region
        columns[name] = [wide * by["CE"], wide * by["PUCE"], by["CE"], *[np.nan] * 7]
        areas[name] = by["OCE"]
    return columns, areas, *_select(wrong, cutoffs)


def _select(wrong, cutoffs):
    """Choose on the first quarter, judge on the second: Table 9's columns and the choices."""
    quarter = wrong.shape[2] // 2
    seen, unseen = wrong[:, :, :quarter].mean(axis=2), wrong[:, :, quarter:].mean(axis=2)
    chosen = [int(np.argmin(seen @ cutoffs.weights[kind])) for kind in ("CE", "OCE", "PUCE")]
    places = np.arange(wrong.shape[1])
    curves = [unseen[k] for k in chosen]
    curves += [unseen[seen.argmin(axis=0), places], unseen.min(axis=0)]
    counts = cutoffs.weights["CE"]
    areas = [curve @ counts for curve in curves] + [float(np.min(unseen @ counts))]
    return cutoffs.region * np.array(areas), chosen


def run_problem(data, *, halves=10, cutoffs=100, share=0.5, seed=0):
    """Return the outcome of random halves (or other shares for training) of one problem."""
    rng = np.random.default_rng(seed)
    grid = Cutoffs.of(data, cutoffs)
    columns, areas, selections, chosen = zip(
        *(_half(data, grid, rng, share) for _ in range(halves)), strict=True
    )
    return Outcome(
        {name: np.array([each[name] for each in columns]) for name in TECHNIQUES},
        {name: np.array([each[name] for each in areas]) for name in TECHNIQUES},
        np.array(selections),
        np.array(chosen),
        len(data.y_true),
    )


def run_problems(problems, *, jobs, **options):
    """Run problems by name, the largest first, on several cores."""
    order = sorted(problems, key=lambda name: -problems[name].matrix().size)
    work = (
        delayed(_named)(name, problems[name], seed=k, **options) for k, name in enumerate(order)
    )
    done, progress = {}, Progress("binarised regression, problems", len(order), True)
    for name, outcome in Parallel(n_jobs=jobs, return_as="generator_unordered")(work):
        done[name] = outcome
        progress.show(len(done))
    return {name: done[name] for name in problems}


def _named(name, data, **options):
    return name, run_problem(data, **options)
