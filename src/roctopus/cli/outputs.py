"""Files that a command is to write, and the pictures among them."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from roctopus.cli.answers import Answered
from roctopus.core.errors import InputError, MissingDependencyError
from roctopus.core.files import identity, reason_of, replacing
from roctopus.engines.opening import files_in


def path_of(said: str | None) -> Path | None:
    """Return a file or folder that was named."""
    return None if said is None else Path(said)


def refuse_outputs(read: Sequence[str], *outputs: Path | None) -> None:
    """Raise an error for outputs that cannot be written or would write over something else."""
    inputs = _identities(read)
    taken = set(inputs)
    for path in outputs:
        if path is None:
            continue
        if os.path.isdir(path):
            raise InputError(f"Cannot write '{path}': it is a folder.")
        if not os.path.isdir(path.absolute().parent):
            raise InputError(f"Cannot write '{path}': there is no folder '{path.parent}'.")
        _refuse_name(path)
        target = Path(os.path.realpath(path))  # a file is replaced by one beside it
        if not os.access(target if _is_special(target) else target.parent, os.W_OK):
            raise InputError(f"Cannot write '{path}': permission denied.")
        if identity(path) in taken:
            what = "as an input" if identity(path) in inputs else "for another output"
            raise InputError(f"'{path}' is already used {what}. Choose another name.")
        taken.add(identity(path))


def _refuse_name(path: Path) -> None:
    """Raise an error for a name that no file can have, such as one that is too long."""
    try:
        path.lstat()
    except FileNotFoundError:
        pass
    except (OSError, ValueError) as error:
        raise InputError(f"Cannot write '{str(path)[:80]}': {reason_of(error)}.") from None


def _is_special(path: Path) -> bool:
    """Tell whether it is a pipe or a device."""
    return os.path.exists(path) and not os.path.isfile(path)


def _identities(read: Sequence[str]) -> set[object]:
    return {identity(path) for name in read if name != "-" for path in files_in(name)}


def refuse_pictures(read: Sequence[str], folder: Path | None) -> None:
    """Raise an error for a folder of pictures that cannot be made."""
    if folder is None:
        return
    if find_spec("matplotlib") is None:
        raise MissingDependencyError("--png", "matplotlib", "pip install 'roctopus[plot]'")
    above = next(each for each in (folder, *folder.absolute().parents) if os.path.exists(each))
    if not above.is_dir():
        raise InputError(f"--png needs a folder, but '{above}' is a file.")
    if not os.access(above, os.W_OK):
        raise InputError(f"Cannot write to '{folder}' (--png): permission denied.")
    taken = _identities(read)
    for path in folder.glob("*.png"):
        if identity(path) in taken:
            raise InputError(
                f"--png might overwrite '{path}', which is an input. Choose another folder."
            )


def draw_answer(answer: Answered, folder: Path) -> dict[Path, bytes]:
    """Draw how much worse each choice is than the best, what each is expected to give, and more."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    from roctopus.display.dots import DotsDisplay
    from roctopus.display.pictures import draw_pictures

    problem, aim = answer.asked
    comparison = answer.comparison
    drawn: dict[str, Callable[..., Any]] = {
        "comparison": partial(comparison.plot, **answer.question.aim),
        "choices": DotsDisplay.of(answer.answer, comparison.models).plot,
    }
    if hasattr(comparison, "predictions"):
        pictures = draw_pictures(comparison, problem, aim)
        drawn |= {name: each.plot for name, each in pictures.items()}
    made = {}
    for name, plot in drawn.items():
        figure, ax = plt.subplots(figsize=(8, 5.5), layout="constrained")
        plot(ax=ax)
        held = io.BytesIO()
        figure.savefig(held, dpi=110)
        plt.close(figure)
        made[folder / f"{name}.png"] = held.getvalue()
    return made


def write_files(made: Mapping[Path, bytes]) -> tuple[list[Path], list[Exception]]:
    """Write files, each whole or not at all; return those written, and why others are not."""
    written: list[Path] = []
    failures: list[Exception] = []
    for path, held in made.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with replacing(path) as temporary:
                temporary.write_bytes(held)
            written.append(path)
        except OSError as error:
            failures.append(error)
    return written, failures
