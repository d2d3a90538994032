"""Who can do what.

Every entry names what does it, ``function(parameter)`` where a parameter does; both are looked up
in the installed version.
"""

from __future__ import annotations

import importlib
import inspect
from typing import Any

OURS = "roctopus"

FEATURES: dict[str, dict[str, str]] = {
    "AUC": {
        OURS: "roctopus.roc_auc",
        "scikit-learn": "sklearn.metrics.roc_auc_score",
        "scores": "scores.probability.roc_auc",
        "pauc": "pauc.ROC",
        "confidenceinterval": "confidenceinterval.roc_auc_score",
        "torchmetrics": "torchmetrics.classification.BinaryAUROC",
        "pROC": "auc",
        "ROCR": "performance",
    },
    "case weights": {
        OURS: "roctopus.roc_auc(sample_weight)",
        "scikit-learn": "sklearn.metrics.roc_auc_score(sample_weight)",
        "model-diagnostics": "model_diagnostics.scoring.decompose(weights)",
        "scores": "scores.probability.roc_auc(weights)",
    },
    "partial AUC": {
        OURS: "roctopus.partial_auc",
        "scikit-learn": "sklearn.metrics.roc_auc_score(max_fpr)",
        "pauc": "pauc.ROC(partial_auc)",
        "torchmetrics": "torchmetrics.functional.classification.binary_auroc(max_fpr)",
        "pROC": "has.partial.auc",
        "ROCR": "performance",
    },
    "DeLong's interval": {
        OURS: "roctopus.estimate",
        "pauc": "pauc.ci_auc",
        "confidenceinterval": "confidenceinterval.roc_auc_score",
        "pROC": "ci.auc",
    },
    "paired test of two AUCs": {
        OURS: "roctopus.probability.compare_aucs",
        "pauc": "pauc.compare",
        "pROC": "roc.test",
    },
    "more than two models in one test": {OURS: "roctopus.inference.compare_estimates"},
    "standard error and paired test of every metric": {OURS: "roctopus.estimate"},
    "test of whole ROC curves (Venkatraman)": {
        "pauc": "pauc.venkatraman_test",
        "pROC": "roc.test",
    },
    "cases needed for a decision or a power": {
        OURS: "roctopus.inference.cases_needed",
        "pauc": "pauc.power_roc",
        "pROC": "power.roc.test",
    },
    "smoothed ROC curve": {
        OURS: "roctopus.smoothed_roc_curve",
        "pauc": "pauc.smooth",
        "pROC": "smooth",
    },
    "precision–recall curve, average precision": {
        OURS: "roctopus.average_precision",
        "scikit-learn": "sklearn.metrics.precision_recall_curve",
        "torchmetrics": "torchmetrics.classification.BinaryPrecisionRecallCurve",
        "pROC": "coords",
        "ROCR": "performance",
    },
    "F1 and other label measures": {
        "scikit-learn": "sklearn.metrics.f1_score",
        "scores": "scores.categorical.BinaryContingencyManager",
        "confidenceinterval": "confidenceinterval.f1_score",
        "torchmetrics": "torchmetrics.classification.BinaryF1Score",
        "pROC": "coords",
        "ROCR": "performance",
    },
    "classes without order, averages over them": {
        "scikit-learn": "sklearn.metrics.roc_auc_score(multi_class)",
        "pauc": "pauc.MultiClassROC",
        "confidenceinterval": "confidenceinterval.f1_score",
        "torchmetrics": "torchmetrics.classification.MulticlassAUROC",
        "pROC": "multiclass.roc",
    },
    "ordered classes: volume, surface, thresholds": {OURS: "roctopus.volume_under_surface"},
    "proper scores in parts (CORP)": {
        OURS: "roctopus.probability.score_parts",
        "model-diagnostics": "model_diagnostics.scoring.decompose",
    },
    "parts of quantile and other losses (CORP)": {
        "model-diagnostics": "model_diagnostics.scoring.decompose"
    },
    "reliability curve (isotonic)": {
        OURS: "roctopus.probability.reliability_curve",
        "scikit-learn": "sklearn.isotonic.IsotonicRegression",
        "model-diagnostics": "model_diagnostics.calibration.plot_reliability_diagram",
        "scores": "scores.continuous.isotonic_fit",
    },
    "confidence band of the reliability curve": {
        "model-diagnostics": "model_diagnostics.calibration.plot_reliability_diagram(n_bootstrap)",
        "scores": "scores.continuous.isotonic_fit(bootstraps)",
    },
    "bias by feature": {"model-diagnostics": "model_diagnostics.calibration.compute_bias"},
    "Murphy diagram": {
        OURS: "roctopus.regression.murphy_curve",
        "model-diagnostics": "model_diagnostics.scoring.plot_murphy_diagram",
        "scores": "scores.continuous.murphy_score",
    },
    "value over the cost–loss ratio": {
        OURS: "roctopus.probability.brier_curve",
        "scores": "scores.continuous.relative_economic_value",
    },
    "losses of days in a row compared": {
        OURS: "roctopus.inference.compare_estimates(time)",
        "scores": "scores.stats.statistical_tests.diebold_mariano",
    },
    "curves exact at all contexts, not on a grid": {OURS: "roctopus.ContextCurve"},
    "who is best where (envelope of models)": {OURS: "roctopus.envelope"},
    "best shift of a forecast for asymmetric costs": {OURS: "roctopus.optimal_shift"},
    "errors of yes/no decisions over a cutoff": {OURS: "roctopus.cutoff_error_curve"},
    "decision curve (net benefit)": {
        OURS: "roctopus.net_benefit",
        "dcurves": "dcurves.dca",
    },
    "decision curve of survival times": {"dcurves": "dcurves.dca(time_to_outcome_col)"},
    "cost of every case its own": {
        OURS: "roctopus.LinearUtility",
        "empulse": "empulse.metrics.cost_loss",
    },
    "expected maximum profit": {
        OURS: "roctopus.impact.expected_impact",
        "empulse": "empulse.metrics.empc_score",
    },
    "H-measure": {OURS: "roctopus.impact.h_measure", "hmeasure": "hmeasure.h_score"},
    "models trained for costs": {"empulse": "empulse.models.CSLogitClassifier"},
    "threshold tuned inside a pipeline": {
        OURS: "roctopus.deploy.ImpactThresholdClassifier",
        "scikit-learn": "sklearn.model_selection.TunedThresholdClassifierCV",
        "empulse": "empulse.models.CSThresholdClassifier",
    },
    "out-of-sample cost of the tuned choice": {OURS: "roctopus.inference.honest_value"},
    "decision as a record, checked later": {OURS: "roctopus.Decision"},
    "forecasts on grids of space and time (xarray, dask)": {"scores": "scores.spatial.fss_2d"},
    "scores of ensembles (CRPS)": {
        "scores": "scores.probability.crps_for_ensemble",
        "torchmetrics": "torchmetrics.regression.ContinuousRankedProbabilityScore",
    },
    "updates batch by batch, in a training loop": {
        "torchmetrics": "torchmetrics.classification.BinaryAUROC"
    },
    "files beyond memory, exactly or with bounds": {OURS: "roctopus.compare"},
    "GPU": {
        OURS: "roctopus.roc_auc",
        "scikit-learn": "sklearn.set_config",
        "torchmetrics": "torchmetrics.classification.BinaryAUROC",
    },
    "interactive page to share": {OURS: "roctopus.Comparison.to_html"},
    "any pair of measures as a curve": {"ROCR": "performance"},
}
"""Feature → tool → what does it."""


def exists(tool: str, name: str) -> bool:
    """Return whether the installed tool has what is named."""
    from benchmarks.peers.contests import R_TOOLS
    from benchmarks.peers.sides import R

    if tool in R_TOOLS:
        r = R()
        try:
            return r.ask("has", tool, name) == "TRUE"
        finally:
            r.close()
    return found(name) is not None


def found(name: str) -> Any:
    """Return what a dotted name stands for, None if there is no such thing."""
    name, _, parameter = name.rstrip(")").partition("(")
    parts = name.split(".")
    thing: Any = importlib.import_module(parts[0])
    for length, part in enumerate(parts[1:], 2):
        if not hasattr(thing, part):  # a module that the package does not load itself
            try:
                importlib.import_module(".".join(parts[:length]))
            except ImportError:
                return None
        thing = getattr(thing, part)
    if parameter and parameter not in inspect.signature(thing).parameters:
        return None
    return thing
