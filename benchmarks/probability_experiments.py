"""The pROC paper's two open experiments, answered by simulation.

1. Is pAUC a good measure to select a model by when the skew is unknown? Pairs of models are judged
   on a validation sample by AUC, pAUC, Brier score and log loss; each picks one; regret is the
   expected cost of the pick over that of the better one, on a large test sample, averaged over
   cost proportions from 5 % to 95 %.
2. Which threshold rule is best with few positives? The empirical optimum on the validation sample
   (it lies on the ROC hull), the middle of the gap below it, bagged, the recalibrated probability
   as threshold, the probability itself, and the slope-optimal point of the pROC curve.

What to keep in mind when reading: with probabilities as thresholds the mean cost over all cost
proportions *is* the Brier score, so it must win there, and at the best thresholds only the ranking
counts, which favours the AUC; pAUC is measured against both. The recalibrated threshold is that
of the ROC hull, so it equals the empirical optimum. Where no canonical width exists, pROC is left
out.

Usage: python benchmarks/probability_experiments.py [replicates]   (400 by default)
"""

from __future__ import annotations

import sys
import warnings

import numpy as np

import roctopus as rt
from roctopus import probability as arm

TEST = 20_000


def expit(x):
    """Return the logistic function."""
    return 1.0 / (1.0 + np.exp(-x))


def draw(rng, n: int, prevalence: float):
    """Return outcomes, exactly so many positive, and what a model sees of them: N(±1, 1.5²)."""
    y = (np.arange(n) < round(n * prevalence)).astype(float)
    return y, 2.0 * y - 1.0 + 1.5 * rng.normal(size=n)


def model(rng, evidence, quality: float, confidence: float, bias: float):
    """Return probabilities: evidence blurred, then exaggerated and shifted on the log-odds."""
    blurred = quality * evidence + (1.0 - quality) * 1.5 * rng.normal(size=len(evidence))
    return np.clip(expit(confidence * blurred + bias), 1e-6, 1.0 - 1e-6)


def cost(y, p, threshold: float, c: float) -> float:
    """Return the mean cost of a decision."""
    accepted = p >= threshold
    return float(np.mean(2 * c * (accepted & (y == 0)) + 2 * (1 - c) * (~accepted & (y == 1))))


def selection(rng, replicates: int) -> None:
    """Print the regret of selecting by each measure."""
    measures = {
        "AUC": (arm.roc_auc, +1),
        "pAUC": (arm.probabilistic_auc, +1),
        "Brier score": (arm.brier_score, -1),
        "log loss": (arm.log_loss, -1),
    }
    proportions = (np.arange(19) + 1) / 20
    for rule in ("probability as threshold", "best threshold"):
        regret: dict[str, list[float]] = {name: [] for name in measures}
        for _ in range(replicates):
            specs = [
                (rng.uniform(0.5, 1.0), rng.choice([0.5, 1.0, 3.0]), rng.normal(0, 0.5))
                for _ in range(2)
            ]
            y, seen = draw(rng, 200, 0.3)
            y_test, seen_test = draw(rng, TEST, 0.3)
            pairs = [(model(rng, seen, *s), model(rng, seen_test, *s)) for s in specs]
            make = arm.brier_curve if rule.startswith("prob") else arm.cost_curve
            costs = [make(y_test, test).at(proportions).mean() for _, test in pairs]
            for name, (measure, sign) in measures.items():
                values = [sign * measure(y, valid) for valid, _ in pairs]
                regret[name].append(costs[int(np.argmax(values))] / min(costs) - 1.0)
        told = ", ".join(
            f"{name} {100 * np.mean(v):.2f} ± {100 * np.std(v) / len(v) ** 0.5:.2f} %"
            for name, v in regret.items()
        )
        print(f"  {rule}: mean regret {told}")


def thresholds(rng, y, p, c: float) -> dict[str, float]:
    """Return the threshold of every rule for a cost proportion."""
    costs = {"false_positive_cost": c, "false_negative_cost": 1 - c}
    rules = ("empirical", "bagged", "probability")
    found = {
        rule: arm.choose_threshold(y, p, rule=rule, rng=rng, **costs).threshold for rule in rules
    }
    upper = min(found["empirical"], 1.0)
    lower = p[p < upper].max() if np.any(p < upper) else 0.0
    found["middle of the gap"] = 0.5 * (upper + lower)
    reliability = arm.reliability_curve(y, p)
    above = np.searchsorted(reliability.outcome, c)
    beyond = above >= len(reliability.probability)
    found["recalibrated"] = 1.0 if beyond else float(reliability.probability[above])
    width = arm.canonical_width(y, p).width
    slope = arm.roc_slope(prevalence=float(y.mean()), **costs)
    if width is not None:
        best = arm.smoothed_roc_curve(y, p, width=width).optimum(slope)
        found["pROC"] = 0.5 * sum(best.threshold)
    return found


def threshold_rules(rng, replicates: int) -> None:
    """Print the mean cost of every rule over that of the best threshold, by number of positives."""
    for calibrated in (True, False):
        kind = "calibrated" if calibrated else "over-confident"
        for positives in (10, 30, 100):
            excess: dict[str, list[float]] = {}
            for _ in range(replicates):
                n = int(positives / 0.2)
                y, seen = draw(rng, n, 0.2)
                y_test, seen_test = draw(rng, TEST, 0.2)
                spec = (1.0, 2 / 1.5**2, np.log(0.25)) if calibrated else (1.0, 3.0, 0.0)
                p, test = (model(rng, each, *spec) for each in (seen, seen_test))
                c = float(rng.uniform(0.1, 0.6))
                best = arm.cost_curve(y_test, test).at(c)
                for rule, t in thresholds(rng, y, p, c).items():
                    excess.setdefault(rule, []).append(cost(y_test, test, t, c) - best)
            scale = 1000.0
            told = ", ".join(
                f"{rule} {scale * np.mean(v):.1f} ± {scale * np.std(v) / len(v) ** 0.5:.1f}"
                for rule, v in excess.items()
            )
            print(f"  {kind}, {positives:>3} positives: {told}", flush=True)


def main(replicates: int) -> None:
    """Run both."""
    warnings.simplefilter("ignore", rt.RoctopusWarning)
    rng = np.random.default_rng(0)
    print(f"1. Selecting one of two models, {replicates} replicates, 200 cases each:")
    selection(rng, replicates)
    print("2. Threshold rules: cost beyond the best threshold, in thousandths of a unit cost:")
    threshold_rules(rng, replicates)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 400)
