"""Write files so that an interrupted run leaves the old one whole."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EDQUOT, EFBIG, ENOSPC
from pathlib import Path

NO_ROOM = (ENOSPC, EDQUOT, EFBIG)


def identity(path: str | os.PathLike[str]) -> tuple[int, int] | str:
    """Return what a file is, whatever name leads to it: links of both kinds are followed."""
    try:
        found = os.stat(path)
    except OSError:
        return os.path.realpath(path)
    except ValueError:  # no file can have that name
        return os.fspath(path)
    if not stat.S_ISREG(found.st_mode):
        return os.path.realpath(path)
    return found.st_dev, found.st_ino


def reason_of(error: Exception) -> str:
    """Return why a file cannot be read or written, in a few words."""
    return str(getattr(error, "strerror", None) or error)


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a temporary path to write to; move it over ``path`` only if all went well.

    What was written is on the disk before it gets its name. Links are followed, and an existing
    file keeps its mode. Pipes and devices are written to directly.
    """
    target = Path(os.path.realpath(path))
    mode = target.stat().st_mode if target.exists() else None
    if mode is not None and stat.S_ISDIR(mode):
        raise IsADirectoryError(21, "Is a directory", str(path))
    special = mode is not None and not stat.S_ISREG(mode)
    with _temporary(target, None if special else target.parent, str(path)) as temporary:
        yield temporary
        if special:
            with temporary.open("rb") as made, target.open("wb") as device:
                shutil.copyfileobj(made, device)
            return
        _flush(temporary, os.O_RDWR)
        mask = os.umask(0)
        os.umask(mask)
        # As a file opened in the usual way would have.
        temporary.chmod(0o666 & ~mask if mode is None else stat.S_IMODE(mode))
        temporary.replace(target)
    if os.name == "posix":
        with suppress(OSError):  # not all file systems can; the file is in its place
            _flush(target.parent, os.O_RDONLY)


@contextmanager
def _temporary(target: Path, folder: Path | None, said: str) -> Iterator[Path]:
    """Give a file that is gone afterwards; errors of it name the file that was asked for."""
    name = None
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.stem}-", suffix=target.suffix, dir=folder)
        os.close(handle)
        yield Path(name)
    except OSError as error:
        if name is None or error.filename == name or error.errno in NO_ROOM:
            raise OSError(error.errno, error.strerror, said) from None
        raise
    finally:
        if name is not None:
            Path(name).unlink(missing_ok=True)


def _flush(path: Path, mode: int) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    handle = os.open(path, mode)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
