"""Pictures of an answer, into a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from roctopus.cli.answers import Answer
from roctopus.core.errors import MissingDependencyError
from roctopus.core.files import replacing


def draw_answer(answer: Answer, folder: Path) -> list[Path]:
    """Draw the curves with who is best where, and the pictures that the arm brings."""
    try:
        import matplotlib
    except ImportError:
        raise MissingDependencyError(
            "--png", "matplotlib", "pip install 'roctopus[plot]'"
        ) from None
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    from roctopus.display.pictures import draw_pictures

    folder.mkdir(parents=True, exist_ok=True)
    comparison, given = answer.comparison, dict(answer.question.aim)
    asked = [given.pop(name, None) for name in ("between", "criterion", "distribution")]
    problem, aim = comparison.aim(*asked, given)
    single = not aim.ranged and aim.distribution is None
    drawn: dict[str, tuple[Any, dict[str, Any]]] = {
        "comparison": (comparison, {"context": float(aim.contexts[0])} if single else {})
    }
    if hasattr(comparison, "predictions"):
        drawn |= {
            name: (each, {}) for name, each in draw_pictures(comparison, problem, aim).items()
        }
    written = []
    for name, (display, options) in drawn.items():
        figure, ax = plt.subplots(figsize=(8, 5.5), layout="constrained")
        display.plot(ax=ax, **options)
        path = folder / f"{name}.png"
        with replacing(path) as temporary:
            figure.savefig(temporary, dpi=110)
        plt.close(figure)
        written.append(path)
    return written
