"""Pictures of an answer, into a folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from roctopus.cli.answers import Answer
from roctopus.core.errors import MissingDependencyError
from roctopus.core.files import replacing

__all__ = ["draw_answer"]


def draw_answer(answer: Answer, folder: Path) -> list[Path]:
    """Draw the curves with who is best where, and what is special to the arm."""
    try:
        import matplotlib
    except ImportError:
        raise MissingDependencyError(
            "--png", "matplotlib", "pip install 'roctopus[plot]'"
        ) from None
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    folder.mkdir(parents=True, exist_ok=True)
    written = []
    special = _SPECIAL[answer.decision.arm] if hasattr(answer.comparison, "predictions") else {}
    for name, draw in {"comparison": _curves, **special}.items():
        figure, ax = plt.subplots(figsize=(8, 5.5), layout="constrained")
        draw(answer, ax)
        path = folder / f"{name}.png"
        with replacing(path) as temporary:
            figure.savefig(temporary, dpi=110)
        plt.close(figure)
        written.append(path)
    return written


def _curves(answer: Answer, ax: Any) -> None:
    context = answer.question.aim
    comparison = answer.comparison
    options: dict[str, Any] = {}
    if "between" not in context and "distribution" not in context:
        _, aim = comparison.aim(None, None, None, dict(context))
        options["context"] = float(aim.contexts[0])
    comparison.plot(ax=ax, **options)


def _best(answer: Answer) -> tuple[Any, Any, str]:
    """Return truths and predictions of the model decided for, with its name."""
    name = answer.decision.model
    comparison = answer.comparison
    return comparison.problem.columns()[0], comparison.predictions[name], name


def _rroc(answer: Answer, ax: Any) -> None:
    from roctopus.display import RROCDisplay
    from roctopus.regression import rroc_curve

    comparison = answer.comparison
    truth = comparison.problem.columns()[0]
    curves = {
        name: rroc_curve(truth, p, sample_weight=comparison.problem.weight, normalize=True)
        for name, p in list(comparison.predictions.items())[:8]
    }
    RROCDisplay(curves).plot(ax=ax)


def _thresholds(answer: Answer, ax: Any) -> None:
    from roctopus.display import OrdinalThresholdDisplay

    problem = answer.comparison.problem
    _, prediction, _ = _best(answer)
    labels = problem.settings()["labels"]
    truth = [labels[int(code)] for code in problem.columns()[0]]
    costs = answer.question.aim.get("costs", [1.0] * len(labels))
    if "contexts" in answer.decision.context:  # one picture for all: at the mean cost
        mean = answer.decision.context["mean"]
        costs = [mean if cost is None else cost for cost in problem.settings()["costs"]]
    OrdinalThresholdDisplay.from_predictions(
        truth, prediction, costs=costs, labels=labels, sample_weight=problem.weight, ax=ax
    )


def _reliability(answer: Answer, ax: Any) -> None:
    from roctopus.display import ReliabilityDisplay

    truth, prediction, name = _best(answer)
    ReliabilityDisplay.from_predictions(
        truth, prediction, sample_weight=answer.comparison.problem.weight, ax=ax, name=name
    )


_SPECIAL: dict[str, dict[str, Callable[[Answer, Any], None]]] = {
    "regression": {"rroc": _rroc},
    "cutoff": {},
    "ordinal": {"thresholds": _thresholds},
    "probability": {"reliability": _reliability},
    "impact": {},
}
