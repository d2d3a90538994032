"""Write files so that an interrupted run leaves the old one whole."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a temporary path to write to; move it over ``path`` only if all went well.

    Links are followed, and an existing file keeps its mode. Pipes and devices are written to
    directly.
    """
    target = Path(os.path.realpath(path))
    mode = target.stat().st_mode if target.exists() else None
    if mode is not None and stat.S_ISDIR(mode):
        raise IsADirectoryError(21, "Is a directory", str(path))
    special = mode is not None and not stat.S_ISREG(mode)
    handle, name = tempfile.mkstemp(
        prefix=f".{target.stem}-",
        suffix=target.suffix,
        dir=None if special else target.parent,
    )
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        if special:
            with temporary.open("rb") as made, target.open("wb") as device:
                shutil.copyfileobj(made, device)
            return
        mask = os.umask(0)
        os.umask(mask)
        # As a file opened in the usual way would have.
        temporary.chmod(0o666 & ~mask if mode is None else stat.S_IMODE(mode))
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
