"""Names: of columns that are meant, of those that are not there, and of options."""

from __future__ import annotations

import difflib
import fnmatch
from collections.abc import Iterable, Sequence
from typing import Any

from roctopus.core.errors import InputError, arg


def flag(name: str) -> str:
    """Return an option as it is typed."""
    return "--" + name.replace("_", "-")


def refuse_missing(names: Sequence[str], known: Sequence[str], where: str) -> None:
    """Raise an error for names of columns that are not there, with the nearest one that is."""
    for name in names:
        if list(known).count(name) > 1:
            raise InputError(f"'{where}' has several columns called {name!r}. Rename them first.")
        if name in known:
            continue
        near = difflib.get_close_matches(name, known, 1, 0.6)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise InputError(f"'{where}' has no column {name!r}.{hint} Its columns: {_listed(known)}.")


def _listed(names: Sequence[str]) -> str:
    return ", ".join(map(repr, names[:8])) + (", …" if len(names) > 8 else "")


def list_names(names: Any, name: str) -> list[Any]:
    """Return names that were given as a list; a single text or an empty list raises an error."""
    if isinstance(names, str) or not isinstance(names, Iterable):
        told = (
            f"the text {names!r}" if isinstance(names, str) else f"of type {type(names).__name__}"
        )
        hint = f" Use a list, as in {[names]!r}." if isinstance(names, str) else ""
        raise InputError(f"{arg(name)} must be a list of names, but is {told}.{hint}")
    found = list(names)
    if not found:
        raise InputError(f"{arg(name)} must contain at least one name, but is empty.")
    return found


def match_names(wanted: Sequence[str], known: Sequence[str], where: str) -> list[str]:
    """Return the models that are meant: by name, by patterns, or several between commas."""
    found: list[str] = []
    for text in wanted:
        for part in [text] if text in known else [part.strip() for part in text.split(",")]:
            mine = [part] if part in known else fnmatch.filter(known, part)
            if not mine and any(sign in part for sign in "*?["):
                raise InputError(
                    f"The pattern {part!r} in {arg('models')} matches no column of '{where}'. The "
                    f"columns are {_listed(known)}."
                )
            if not mine:
                refuse_missing([part], known, where)
            found += mine
    return list(dict.fromkeys(found))
