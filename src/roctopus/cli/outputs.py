"""Files that a command is to write."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from roctopus.core.errors import InputError


def path_of(said: str | None) -> Path | None:
    """Return a file or folder that was named."""
    return None if said is None else Path(said)


def refuse_outputs(read: Sequence[str], *outputs: Path | None) -> None:
    """Refuse outputs that cannot be written or would write over something else."""
    taken = {Path(name).resolve() for name in read if name != "-"}
    for path in outputs:
        if path is None:
            continue
        if path.is_dir():
            raise InputError(f"'{path}' cannot be written: it is a folder.")
        if not path.absolute().parent.is_dir():
            raise InputError(f"'{path}' cannot be written: there is no folder '{path.parent}'.")
        if path.resolve() in taken:
            raise InputError(f"'{path}' is read or written already. Choose another name.")
        taken.add(path.resolve())
