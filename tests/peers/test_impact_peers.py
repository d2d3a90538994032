"""Net benefit against dcurves, the H-measure against hmeasure, churn profit against empulse."""

import csv
import warnings
from pathlib import Path

import numpy as np
import pytest

import roctopus as rt
from roctopus import impact as arm

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # other packages' own deprecations
    import dcurves
    import pandas as pd
    from dcurves import dca
    from empulse.metrics import empc_score
    from hmeasure import h_score


def read_binary():
    """The cancer data that dcurves bundles."""
    path = Path(dcurves.__file__).parent / "data" / "df_binary.csv"
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("prevalence", [None, 0.05])
def test_net_benefit(prevalence):
    rows = read_binary()
    y = np.array([float(row["cancer"] == "TRUE") for row in rows])
    p = np.array([float(row["cancerpredmarker"]) for row in rows])
    t = np.round(np.arange(0.01, 0.995, 0.01), 2) + 0.00037  # off the probabilities themselves
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = dca(
            data=pd.DataFrame({"cancer": y, "p": p}),
            outcome="cancer",
            modelnames=["p"],
            thresholds=t,
            prevalence=prevalence,
        )
    theirs = found[found["model"] == "p"].sort_values("threshold")["net_benefit"].to_numpy()
    ours = arm.decision_curve(y, p, prevalence=prevalence).at(t / (1 - t))
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12)
    metric = [rt.net_benefit(y, p, threshold_probability=x, prevalence=prevalence) for x in t]
    np.testing.assert_allclose(metric, theirs, rtol=0, atol=1e-12)
    everyone = found[found["model"] == "all"].sort_values("threshold")["net_benefit"].to_numpy()
    all_line = rt.impact_curve(
        p, arm.net_benefit_utility(y, prevalence=prevalence), threshold=-np.inf, normalize=True
    )
    np.testing.assert_allclose(all_line.at(t / (1 - t)), everyone, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("ratio", [None, 0.3])
def test_h_measure(seed, ratio):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(20, 400))
    y = (rng.random(n) < rng.uniform(0.1, 0.7)).astype(int)
    y[:2] = [0, 1]
    score = 1 / (1 + np.exp(-y - rng.normal(0.0, rng.uniform(0.3, 3.0), n)))
    if seed % 2:
        score = np.round(score, 1)
    theirs = h_score(y, score, severity_ratio=ratio)
    assert arm.h_measure(y, score, severity_ratio=ratio) == pytest.approx(theirs, abs=1e-9)


def churn(y):
    """An offer of 10, a contact of 1, a customer worth 200; θ of those who leave accept."""
    return arm.matrix_utility(
        y,
        fixed=arm.CostMatrix(true_positive=1.0, false_positive=11.0),
        per_theta=arm.CostMatrix(true_positive=-190.0),
    )


def test_expected_maximum_profit():
    y, score = [0, 1, 0, 1, 0, 1, 0, 1], [0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 0.8, 0.9]
    context = {"utility": churn, "distribution": rt.Beta(6, 14), "normalize": True}
    value = arm.expected_impact(y, score, **context)
    assert value == pytest.approx(23.875593418348124, rel=1e-12)
    rng = np.random.default_rng(0)
    y = (rng.random(500) < 0.2).astype(int)
    score = 1 / (1 + np.exp(-(y + rng.normal(size=500))))
    theirs = empc_score(y, score, alpha=6, beta=14, clv=200, incentive_cost=10, contact_cost=1)
    assert arm.expected_impact(y, score, **context) == pytest.approx(theirs, rel=1e-9)
