"""How other tools do the tasks, where they live, and how far their values are expected to agree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from benchmarks.peers.data import Data
from benchmarks.peers.tasks import BATCHES, LEVEL, MAX_FPR, RESAMPLES, Z, mean_cost, plain


@dataclass(frozen=True)
class Contest:
    """Another tool's answer to a task; ``run`` is None where R runs it (see ``peers.R``)."""

    task: str
    tool: str
    call: str
    run: Callable[..., Any] | None = None
    prepare: Callable[[Data], tuple[Any, ...]] = lambda d: (d.y, d.p)
    value: Callable[[Any, Data], Any] = plain
    largest: int = 10**6
    agrees: float | None = 1e-9
    """How close values are expected, relative to the largest; None where chance is involved."""
    agrees_tied: float | None = 1e-9
    """The same for data with ties."""
    note: str = ""
    """Why values differ, or why larger samples are left out."""

    @property
    def key(self) -> str:
        """The name of the row."""
        return f"{self.task}:{self.tool}"


# --- scikit-learn ---------------------------------------------------------------------------------


def metrics() -> Any:
    """Return scikit-learn's metrics."""
    import sklearn.metrics

    return sklearn.metrics


def given_classifier(d: Data):
    """Return a trained classifier that hands out given probabilities, and its data."""
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.metrics import make_scorer

    class Given(ClassifierMixin, BaseEstimator):
        def fit(self, X, y):
            self.classes_ = np.array([0, 1])
            return self

        def predict_proba(self, X):
            return np.column_stack([1.0 - X[:, 0], X[:, 0]])

    def cost(y, accepted):
        return np.where(y == 1, 4.0 * (accepted == 0), 1.0 * (accepted == 1)).mean()

    scorer = make_scorer(cost, greater_is_better=False)
    return Given().fit(None, None), scorer, d.p[:, None], d.y


def tuned_threshold(model, scorer, X, y):
    """Tune the threshold of a trained classifier on scikit-learn's grid."""
    from sklearn.model_selection import TunedThresholdClassifierCV

    tuned = TunedThresholdClassifierCV(model, scoring=scorer, cv="prefit", refit=False)
    return tuned.fit(X, y).best_threshold_


def isotonic(y, p):
    """Fit and apply isotonic regression."""
    from sklearn.isotonic import IsotonicRegression

    return IsotonicRegression().fit_transform(p, y)


def at_distinct(fitted, d: Data):
    """Return fitted values per distinct prediction."""
    return fitted[np.unique(d.p, return_index=True)[1]]


def descending(curve, d: Data):
    """Return both rates by increasing threshold, from (fpr, tpr, …) by decreasing threshold."""
    return np.concatenate([np.asarray(each, dtype=float)[::-1] for each in curve[:2]])


SKLEARN = [
    Contest("roc_auc", "scikit-learn", "roc_auc_score", lambda y, p: metrics().roc_auc_score(y, p)),
    Contest(
        "partial_auc", "scikit-learn", "roc_auc_score(max_fpr=…)",
        lambda y, p: metrics().roc_auc_score(y, p, max_fpr=MAX_FPR),
    ),
    Contest(
        "roc_curve", "scikit-learn", "roc_curve",
        lambda y, p: metrics().roc_curve(y, p, drop_intermediate=False), value=descending,
    ),
    Contest("brier", "scikit-learn", "brier_score_loss",
            lambda y, p: metrics().brier_score_loss(y, p)),
    Contest("log_loss", "scikit-learn", "log_loss", lambda y, p: metrics().log_loss(y, p)),
    Contest("isotonic", "scikit-learn", "IsotonicRegression", isotonic, value=at_distinct),
    Contest(
        "threshold", "scikit-learn", "TunedThresholdClassifierCV", tuned_threshold,
        prepare=given_classifier, value=mean_cost, agrees=0.01, agrees_tied=0.01,
        note="looks at 100 thresholds on a grid, roctopus at all of them",
    ),
    Contest(
        "pinball", "scikit-learn", "mean_pinball_loss",
        lambda y, p: metrics().mean_pinball_loss(y, p, alpha=LEVEL),
    ),
]  # fmt: skip


# --- forecasting: model-diagnostics, scores -------------------------------------------------------


def diagnostics() -> Any:
    """Return model-diagnostics' scores."""
    import model_diagnostics.scoring

    return model_diagnostics.scoring


def elementary(functional):
    """Return the Murphy diagram, a call per threshold."""

    def run(y, p, thresholds):
        score = diagnostics().ElementaryScore
        return np.array([score(t, functional=functional, level=LEVEL)(y, p) for t in thresholds])

    return run


def arrays(*names):
    """Return a way to make xarray's arrays of some of the data."""

    def prepare(d: Data):
        import xarray as xr

        return tuple(xr.DataArray(getattr(d, name), dims="case") for name in names)

    return prepare


def with_contexts(d: Data):
    """Return xarray's arrays and the contexts."""
    return (*arrays("p", "y")(d), d.contexts)


def scores() -> Any:
    """Return the parts of scores."""
    import scores.continuous
    import scores.probability

    return scores


def murphy_score(functional):
    """Return the Murphy diagram by scores."""

    def run(p, y, thresholds):
        return scores().continuous.murphy_score(
            p, y, thresholds, functional=functional, alpha=LEVEL
        )

    return run


def total(found, d: Data):
    """Return the values of scores' Murphy diagram."""
    return found["total"].values


BROADCASTS = "makes arrays of n × thresholds, so 10⁶ cases are left out"
AT_JUMPS = (
    "where a threshold equals a truth or a prediction the curve jumps: roctopus and scores take the"
    " limit from the right, this tool the left one, but is below 0 at a truth above its prediction"
)

FORECASTS = [
    Contest("brier", "model-diagnostics", "SquaredError",
            lambda y, p: diagnostics().SquaredError()(y, p)),
    Contest("log_loss", "model-diagnostics", "LogLoss", lambda y, p: diagnostics().LogLoss()(y, p)),
    Contest(
        "brier_parts", "model-diagnostics", "decompose",
        lambda y, p: diagnostics().decompose(y, p, scoring_function=diagnostics().SquaredError()),
        value=lambda f, d: f[0, ["miscalibration", "discrimination", "score"]].to_numpy()[0],
    ),
    Contest(
        "pinball", "model-diagnostics", "PinballLoss",
        lambda y, p: diagnostics().PinballLoss(level=LEVEL)(y, p),
    ),
    Contest(
        "murphy", "model-diagnostics", "ElementaryScore", elementary("quantile"),
        prepare=lambda d: (d.y, d.p, d.contexts), agrees_tied=0.1, note=AT_JUMPS,
    ),
    Contest(
        "murphy_expectile", "model-diagnostics", "ElementaryScore", elementary("expectile"),
        prepare=lambda d: (d.y, d.p, d.contexts), value=lambda f, d: f / 2.0,
        agrees_tied=0.1,
        note="its score is twice that of Ehm et al. (halved here); limits from the left",
    ),
    Contest("roc_auc", "scores", "roc_auc", lambda p, y: scores().probability.roc_auc(p, y),
            prepare=arrays("p", "y")),
    Contest("brier", "scores", "brier_score", lambda p, y: scores().probability.brier_score(p, y),
            prepare=arrays("p", "y")),
    Contest(
        "pinball", "scores", "quantile_score",
        lambda p, y: scores().continuous.quantile_score(p, y, LEVEL), prepare=arrays("p", "y"),
    ),
    Contest(
        "murphy", "scores", "murphy_score", murphy_score("quantile"), with_contexts, total,
        largest=10**5, note=BROADCASTS,
    ),
    Contest(
        "murphy_expectile", "scores", "murphy_score", murphy_score("expectile"), with_contexts,
        total, largest=10**5, note=BROADCASTS,
    ),
    Contest(
        "isotonic", "scores", "isotonic_fit", lambda p, y: scores().continuous.isotonic_fit(p, y),
        prepare=lambda d: (d.p, d.y), value=lambda f, d: f["regression_values"],
    ),
]  # fmt: skip


# --- decisions: dcurves, hmeasure, empulse, lifelines ---------------------------------------------


def frame(d: Data):
    """Return a data frame and the thresholds."""
    import pandas as pd

    return pd.DataFrame({"y": d.y, "p": d.p}), d.contexts


def decision_curve(table, thresholds):
    """Return dcurves' table."""
    from dcurves import dca

    return dca(data=table, outcome="y", modelnames=["p"], thresholds=thresholds)


def net_benefits(found, d: Data):
    """Return the model's net benefits by threshold."""
    return found[found["model"] == "p"].sort_values("threshold")["net_benefit"].to_numpy()


def h_score(y, p):
    """Return the H-measure."""
    from hmeasure import h_score

    return h_score(y, p)


def empulse(name, **parameters):
    """Return one of empulse's churn measures."""

    def run(y, p):
        import empulse.metrics

        known = {"clv": 200, "incentive_cost": 10, "contact_cost": 1}
        return getattr(empulse.metrics, name)(y, p, **known, **parameters)

    return run


def concordance(y, p):
    """Return the concordance index."""
    from lifelines.utils import concordance_index

    return concordance_index(y, p)


DECISIONS = [
    Contest(
        "net_benefit", "dcurves", "dca", decision_curve, frame, net_benefits
    ),
    Contest("h_measure", "hmeasure", "h_score", h_score),
    Contest("profit", "empulse", "mpc_score", empulse("mpc_score", accept_rate=0.3)),
    Contest("expected_profit", "empulse", "empc_score", empulse("empc_score", alpha=6, beta=14)),
    Contest("ordered_pairs", "lifelines", "concordance_index", concordance),
]  # fmt: skip


# --- ROC analysis: pauc, confidenceinterval, torchmetrics -----------------------------------------


def pauc() -> Any:
    """Return pauc."""
    import pauc

    return pauc


def interval() -> Any:
    """Return confidenceinterval."""
    import confidenceinterval

    return confidenceinterval


def with_error(found, d: Data):
    """Return the value and the standard error of (value, (low, high))."""
    value, (low, high) = found
    return value, (high - low) / (2.0 * Z)


def tensors(d: Data):
    """Return the predictions and the truths as tensors."""
    import torch

    return torch.from_numpy(d.p), torch.from_numpy(d.y)


def functional() -> Any:
    """Return torchmetrics' functions for classification."""
    import torchmetrics.functional.classification as functions

    return functions


def tensor_batches(d: Data):
    """Return the batches as tensors."""
    p, y = tensors(d)
    size = len(d.y) // BATCHES
    return p.split(size), y.split(size)


def streamed_auc(predictions, truths):
    """Update a metric with 1,001 thresholds, batch by batch."""
    from torchmetrics.classification import BinaryAUROC

    metric = BinaryAUROC(thresholds=1001)
    for p, y in zip(predictions, truths, strict=True):
        metric.update(p, y)
    return float(metric.compute())


SINGLE = "computes in single precision"

RANKINGS = [
    Contest("roc_auc", "pauc", "ROC", lambda y, p: pauc().ROC(y, p, direction="<").auc),
    Contest(
        "partial_auc", "pauc", "ROC(partial_auc=…)",
        lambda y, p: pauc().ROC(
            y, p, direction="<", partial_auc=(1.0 - MAX_FPR, 1.0), standardize_pauc=True
        ).auc,
        agrees=1e-3, agrees_tied=1e-3,
        note="for a partial area, upright parts of the curve are drawn as slopes",
    ),
    Contest(
        "roc_curve", "pauc", "ROC", lambda y, p: pauc().ROC(y, p, direction="<"),
        value=lambda roc, d: descending((roc.fpr, roc.tpr), d),
    ),
    Contest(
        "auc_interval", "pauc", "ci_auc", lambda y, p: (
            lambda roc: (roc.auc, pauc().ci_auc(roc)))(pauc().ROC(y, p, direction="<")),
        value=with_error,
    ),
    Contest(
        "auc_test", "pauc", "compare",
        lambda y, p, q: pauc().compare(*(pauc().ROC(y, s, direction="<") for s in (p, q))),
        prepare=lambda d: (d.y, d.p, d.q), value=lambda f, d: (f.estimate, f.stat),
    ),
    Contest(
        "auc_bootstrap", "pauc", 'ci_auc(method="bootstrap")',
        lambda y, p: pauc().ci_auc(
            pauc().ROC(y, p, direction="<"), method="bootstrap", n_boot=RESAMPLES
        ),
        agrees=None, agrees_tied=None,
    ),
    Contest(
        "auc_interval", "confidenceinterval", "roc_auc_score",
        lambda y, p: interval().roc_auc_score(y, p), value=with_error,
        agrees=1e-5, agrees_tied=1e-5, note=SINGLE,
    ),
    Contest(
        "auc_bootstrap", "confidenceinterval", 'roc_auc_score(method="bootstrap_percentile")',
        lambda y, p: interval().roc_auc_score(
            y, p, method="bootstrap_percentile", n_resamples=RESAMPLES
        )[1],
        agrees=None, agrees_tied=None,
    ),
    Contest(
        "rate_interval", "confidenceinterval", "tpr_score",
        lambda y, p: interval().tpr_score(y, (p >= 0.5).astype(np.int64)),
        value=lambda f, d: (f[0], *f[1]), agrees=1e-3, agrees_tied=1e-3,
        note="Wilson's interval; roctopus makes it on the logit scale",
    ),
    Contest(
        "roc_auc", "torchmetrics", "binary_auroc",
        lambda p, y: float(functional().binary_auroc(p, y)), prepare=tensors,
        agrees=1e-6, agrees_tied=1e-6, note=SINGLE,
    ),
    Contest(
        "partial_auc", "torchmetrics", "binary_auroc(max_fpr=…)",
        lambda p, y: float(functional().binary_auroc(p, y, max_fpr=MAX_FPR)), prepare=tensors,
        agrees=1e-6, agrees_tied=1e-6, note=SINGLE,
    ),
    Contest(
        "roc_curve", "torchmetrics", "binary_roc", lambda p, y: functional().binary_roc(p, y),
        prepare=tensors, value=descending, agrees=1e-6, agrees_tied=1e-6, note=SINGLE,
    ),
    Contest(
        "auc_stream", "torchmetrics", "BinaryAUROC(thresholds=1001)", streamed_auc,
        prepare=tensor_batches, agrees=1e-3, agrees_tied=1e-3,
        note="counts at 1,001 thresholds, without a bound of the error. roctopus gives bounds",
    ),
]  # fmt: skip


# --- R --------------------------------------------------------------------------------------------

IN_R = [
    Contest("roc_auc", "pROC", "auc"),
    Contest("partial_auc", "pROC", "auc(partial.auc=…)"),
    Contest("roc_curve", "pROC", "roc"),
    Contest("auc_interval", "pROC", "ci.auc"),
    Contest("auc_test", "pROC", "roc.test"),
    Contest("auc_bootstrap", "pROC", 'ci.auc(method="bootstrap")', agrees=None, agrees_tied=None),
    Contest("class_pairs", "pROC", "multiclass.roc"),
    Contest("roc_auc", "ROCR", 'performance("auc")'),
    Contest("partial_auc", "ROCR", 'performance("auc", fpr.stop=…)'),
    Contest("roc_curve", "ROCR", 'performance("tpr", "fpr")'),
]

CONTESTS: list[Contest] = [*SKLEARN, *FORECASTS, *DECISIONS, *RANKINGS, *IN_R]


@dataclass(frozen=True)
class Home:
    """Where tools live: a folder, and what pip puts there (or Debian, for R)."""

    folder: str
    packages: tuple[str, ...]


GROUP = Home(".venv-peers", ("-e", ".[all]", "--group", "peers"))
HOMES: dict[str, Home] = {
    **dict.fromkeys(
        (
            "scikit-learn",
            "model-diagnostics",
            "scores",
            "dcurves",
            "hmeasure",
            "empulse",
            "lifelines",
        ),
        GROUP,
    ),
    "pauc": Home(".venv-peers-pauc", ("-e", ".[all]", "pauc")),
    "confidenceinterval": Home(
        ".venv-peers-confidenceinterval", ("-e", ".[all]", "confidenceinterval")
    ),
    "torchmetrics": Home(
        ".venv-peers-torchmetrics", ("-e", ".[all]", "torch==2.13.0", "torchmetrics")
    ),
    "pROC": Home(".venv-peers", ("r-base-core", "r-cran-proc")),
    "ROCR": Home(".venv-peers", ("r-base-core", "r-cran-rocr")),
}
R_TOOLS = ("pROC", "ROCR")


def difference(theirs: Any, ours: Any) -> float:
    """Return the largest difference, relative to our largest value."""
    theirs, ours = (np.atleast_1d(np.asarray(each, dtype=float)) for each in (theirs, ours))
    if theirs.shape != ours.shape:
        raise ValueError(f"{theirs.size:,} values against our {ours.size:,}.")
    return float(np.max(np.abs(theirs - ours)) / np.max(np.abs(ours)))
