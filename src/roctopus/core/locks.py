"""A file that one process, and one thread of it, has for itself: until it ends, however it ends."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from roctopus.core.errors import InputError

PATIENCE = 60.0
"""Seconds to wait for others."""
PAUSE = 0.01
"""Seconds between two attempts."""

if sys.platform == "win32":
    import msvcrt

    def _take(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _take(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def locked(path: str | os.PathLike[str], patience: float = PATIENCE) -> Iterator[None]:
    """Let nobody else into this block for the same file, whatever name leads to it.

    The lock is held on a hidden file beside it, which stays. The operating system gives the lock
    back when the process ends, so one that was killed keeps nobody waiting.
    """
    target = Path(os.path.realpath(path))
    beside = target.with_name(f".{target.name}.lock")
    try:
        handle = _opened(beside)
    except OSError as error:
        raise _refused(target, error) from None
    try:
        _wait(handle, target, beside, patience)
        yield
    finally:
        os.close(handle)


def _opened(beside: Path) -> int:
    try:
        return os.open(beside, os.O_RDWR | os.O_CREAT, 0o666)
    except PermissionError:  # another user made it: reading it is enough for a lock
        return os.open(beside, os.O_RDONLY)


def _wait(handle: int, target: Path, beside: Path, patience: float) -> None:
    """Try until the lock is free."""
    end = time.monotonic() + patience
    while True:
        try:
            return _take(handle)
        except (BlockingIOError, PermissionError):  # somebody has it; Windows says the latter
            if time.monotonic() > end:
                raise InputError(
                    f"'{target.name}' is in use by another process, which did not release the lock "
                    f"'{beside}' within {patience:g} seconds. Wait until that process has ended, "
                    "and try again."
                ) from None
        except OSError as error:
            raise _refused(target, error) from None
        time.sleep(PAUSE)


def _refused(target: Path, error: OSError) -> InputError:
    return InputError(
        f"'{target.name}' cannot be locked in the folder '{target.parent}' ({error.strerror}). Use "
        "a folder on a local disk, in which you can write files."
    )
