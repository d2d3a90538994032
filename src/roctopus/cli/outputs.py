"""Files that a command is to write, and the pictures among them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from roctopus.cli.answers import Answered
from roctopus.core.errors import InputError, MissingDependencyError
from roctopus.core.files import replacing


def path_of(said: str | None) -> Path | None:
    """Return a file or folder that was named."""
    return None if said is None else Path(said)


def refuse_outputs(read: Sequence[str], *outputs: Path | None) -> None:
    """Raise an error for outputs that cannot be written or would write over something else."""
    taken = {Path(name).resolve() for name in read if name != "-"}
    for path in outputs:
        if path is None:
            continue
        if path.is_dir():
            raise InputError(f"'{path}' cannot be written: it is a folder.")
        if not path.absolute().parent.is_dir():
            raise InputError(f"'{path}' cannot be written: there is no folder '{path.parent}'.")
        if path.resolve() in taken:
            raise InputError(
                f"'{path}' is already used for another input or output. Choose another name."
            )
        taken.add(path.resolve())


def draw_answer(answer: Answered, folder: Path) -> list[Path]:
    """Draw how much worse each choice is than the best, what each is expected to give, and more."""
    if find_spec("matplotlib") is None:
        raise MissingDependencyError("--png", "matplotlib", "pip install 'roctopus[plot]'")
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    from roctopus.display.dots import DotsDisplay
    from roctopus.display.pictures import draw_pictures

    folder.mkdir(parents=True, exist_ok=True)
    problem, aim = answer.asked
    comparison = answer.comparison
    drawn: dict[str, Callable[..., Any]] = {
        "comparison": partial(comparison.plot, **answer.question.aim),
        "choices": DotsDisplay.of(answer.answer, comparison.models).plot,
    }
    if hasattr(comparison, "predictions"):
        pictures = draw_pictures(comparison, problem, aim)
        drawn |= {name: each.plot for name, each in pictures.items()}
    written = []
    for name, plot in drawn.items():
        figure, ax = plt.subplots(figsize=(8, 5.5), layout="constrained")
        plot(ax=ax)
        path = folder / f"{name}.png"
        with replacing(path) as temporary:
            figure.savefig(temporary, dpi=110)
        plt.close(figure)
        written.append(path)
    return written
