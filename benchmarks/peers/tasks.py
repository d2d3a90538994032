"""What is compared: tasks, our way to do each, and the other tools' ways.

Every side gets the data in its own types before the clock starts (numpy arrays for us; tensors,
xarray and data frames for those who want them), and hands out its natural result; bringing results
into one shape to compare their values is not timed either.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from benchmarks.peers.data import Data

import roctopus as rt
from roctopus import impact, inference, probability, regression

Z = 1.959963984540054
"""The 97.5 % quantile of the normal distribution."""
LEVEL = 0.8
COSTS = {"false_positive_cost": 1.0, "false_negative_cost": 4.0}
RESAMPLES = 1000
BATCHES = 10
MAX_FPR = 0.1


def plain(result: Any, data: Data) -> Any:
    """Return the result as it is."""
    return result


@dataclass(frozen=True)
class Task:
    """A question, and how roctopus answers it."""

    question: str
    data: str
    call: str
    run: Callable[..., Any]
    value: Callable[[Any, Data], Any] = plain
    prepare: Callable[[Data], tuple[Any, ...]] = lambda d: (d.y, d.p)
    sizes: tuple[int, ...] = (10**4, 10**5, 10**6)


def auc_test(y, p, q):
    """Test two AUCs on the same cases."""
    return probability.compare_aucs(y, {"p": p, "q": q}).difference("p", "q")


def partial_area(y, p):
    """Return the standardised area up to a false positive rate, from the curve's vertices."""
    curve = rt.smoothed_roc_curve(y, p, width=0.0)
    x, height = curve.x[::-1], curve.y[::-1]
    inside = x < MAX_FPR
    x = np.append(x[inside], MAX_FPR)
    area = np.trapezoid(np.append(height[inside], np.interp(MAX_FPR, curve.x[::-1], height)), x)
    low = MAX_FPR**2 / 2
    return 0.5 * (1.0 + (area - low) / (MAX_FPR - low))


def churn(y):
    """Return the worth of an offer of 10 to customers worth 200; θ of those who leave accept."""
    return impact.matrix_utility(
        y,
        fixed=impact.CostMatrix(true_positive=1.0, false_positive=11.0),
        per_theta=impact.CostMatrix(true_positive=-190.0),
    )


def mean_cost(threshold, data: Data):
    """Return the mean cost of accepting at and above a threshold."""
    accepted = data.p >= threshold
    wrong = np.where(data.y == 1, 4.0 * ~accepted, 1.0 * accepted)
    return wrong.mean()


def by_threshold(curve, data: Data):
    """Return both rates by increasing threshold."""
    return np.concatenate([curve.x, curve.y])


def arrow_batches(d: Data):
    """Return an Arrow dataset in memory."""
    import pyarrow as pa
    import pyarrow.dataset as ds

    table = pa.table({"y": d.y, "p": d.p})
    return (ds.dataset(table.to_batches(len(d.y) // BATCHES)),)


def grid_auc(dataset):
    """Return bounds of the AUC after one scan."""
    return rt.compare("y", dataset, arm="probability", mode="grid").measures("p")


TASKS: dict[str, Task] = {
    "roc_auc": Task("AUC", "binary", "roc_auc", rt.roc_auc),
    "auc_interval": Task(
        "AUC with DeLong's standard error", "binary", "estimate(roc_auc, …)",
        lambda y, p: (lambda e: (e.value, e.standard_error))(rt.estimate(rt.roc_auc, y, p)),
    ),
    "auc_test": Task(
        "paired test of two AUCs (DeLong)", "binary", "compare_aucs",
        lambda *a: (lambda d: (d.value, d.value / d.standard_error))(auc_test(*a)),
        prepare=lambda d: (d.y, d.p, d.q),
    ),
    "auc_bootstrap": Task(
        f"AUC, bootstrap interval, {RESAMPLES:,} resamples", "binary", "bootstrap(roc_auc, …)",
        lambda y, p: tuple(
            inference.bootstrap(rt.roc_auc, y, p, replicates=RESAMPLES)
            .confidence_interval(method="percentile")
        ),
        sizes=(10**3, 10**4, 10**5),
    ),
    "auc_stream": Task(
        f"AUC of {BATCHES} batches, not kept in memory", "binary", 'compare(…, mode="grid")',
        grid_auc, prepare=arrow_batches,
        value=lambda found, d: found["roc_auc"].value,
    ),
    "partial_auc": Task(
        f"AUC up to a false positive rate of {MAX_FPR}", "binary", "*none: numpy on the curve*",
        partial_area,
    ),
    "roc_curve": Task(
        "ROC curve", "binary", "smoothed_roc_curve(width=0)",
        lambda y, p: rt.smoothed_roc_curve(y, p, width=0.0), by_threshold,
    ),
    "rate_interval": Task(
        "true positive rate at ½, with interval", "binary", "estimate(true_positive_rate, …)",
        lambda y, p: (lambda e: (e.value, *e.confidence_interval()))(
            rt.estimate(probability.true_positive_rate, y, p, threshold=0.5)
        ),
    ),
    "brier": Task("Brier score", "binary", "brier_score", rt.brier_score),
    "log_loss": Task("log loss", "binary", "log_loss", probability.log_loss),
    "brier_parts": Task(
        "Brier score in parts (CORP)", "binary", "score_parts", probability.score_parts,
        lambda parts, d: (parts.calibration, parts.uncertainty - parts.refinement, parts.score),
    ),
    "isotonic": Task(
        "reliability curve (isotonic)", "binary", "reliability_curve",
        probability.reliability_curve, lambda curve, d: curve.outcome,
    ),
    "threshold": Task(
        "threshold of least cost", "binary", 'choose_threshold(rule="empirical")',
        lambda y, p: probability.choose_threshold(y, p, rule="empirical", **COSTS).threshold,
        mean_cost,
    ),
    "net_benefit": Task(
        "decision curve at 99 thresholds", "binary", "decision_curve",
        lambda y, p, t: impact.decision_curve(y, p).at(t / (1.0 - t)),
        prepare=lambda d: (d.y, d.p, d.contexts),
    ),
    "h_measure": Task("H-measure", "binary", "h_measure", impact.h_measure),
    "profit": Task(
        "maximum profit (churn), acceptance known", "binary", "impact",
        lambda y, p: impact.impact(y, p, utility=churn, theta=0.3, normalize=True),
    ),
    "expected_profit": Task(
        "expected maximum profit (churn)", "binary", "expected_impact",
        lambda y, p: impact.expected_impact(
            y, p, utility=churn, distribution=rt.Beta(6, 14), normalize=True
        ),
    ),
    "pinball": Task(
        "pinball (quantile) loss", "real", "asymmetric_absolute_error",
        lambda y, p: rt.asymmetric_absolute_error(y, p, asymmetry=LEVEL),
        lambda loss, d: loss / 2.0,
    ),
    "murphy": Task(
        "Murphy diagram at 81 thresholds, quantile", "real", "murphy_curve",
        lambda y, p, t: regression.murphy_curve(y, p, level=LEVEL).at(t),
        prepare=lambda d: (d.y, d.p, d.contexts),
    ),
    "murphy_expectile": Task(
        "Murphy diagram at 81 thresholds, expectile", "real", "murphy_curve",
        lambda y, p, t: regression.murphy_curve(y, p, functional="expectile", level=LEVEL).at(t),
        prepare=lambda d: (d.y, d.p, d.contexts),
    ),
    "ordered_pairs": Task(
        "share of ordered pairs, 5 classes", "graded", "pairwise_ranking_accuracy",
        rt.pairwise_ranking_accuracy,
    ),
    "class_pairs": Task(
        "mean AUC of all pairs of 5 classes", "graded", 'pairwise_ranking_accuracy("classes")',
        lambda y, p: rt.pairwise_ranking_accuracy(y, p, average="classes"),
    ),
}  # fmt: skip
