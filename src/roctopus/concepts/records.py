"""Small files that people review and machines read: JSON with a checksum, never executed."""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Set
from pathlib import Path
from typing import Any

import numpy as np

from roctopus.core.arrays import as_float
from roctopus.core.errors import InputError
from roctopus.core.files import replacing


def plain(value: Any) -> Any:
    """Return a value as JSON holds it; infinities as text, which JSON has no numbers for."""
    if isinstance(value, (tuple, list)):
        return [plain(each) for each in value]
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, (float, np.floating)):
        known = float(value)
        return known if np.isfinite(known) else str(known)
    return value


def number(value: Any) -> Any:
    """Return what ``plain`` made of an infinite number, as a number again."""
    return float(value) if value in ("inf", "-inf", "nan") else value


def sealed(body: dict[str, Any]) -> dict[str, Any]:
    """Return a record as plain values, with a checksum."""
    held = {name: plain(value) for name, value in body.items()}
    return {**held, "checksum": _checksum(held)}


def write_record(
    body: dict[str, Any], path: str | os.PathLike[str] | None = None, *, indent: int | None = 2
) -> str:
    """Return a record as text, with a checksum, and write it to a file if asked to.

    The old file stays whole if writing fails.
    """
    text = json.dumps(sealed(body), indent=indent, ensure_ascii=False)
    if path is not None:
        with replacing(path) as temporary:
            temporary.write_text(text + "\n", encoding="utf-8")
    return text


def read_record(source: str | os.PathLike[str], what: str) -> tuple[Any, str]:
    """Read a record from a file, or from the text itself; return it and what to call it."""
    if not isinstance(source, (str, os.PathLike)):
        raise InputError(
            f"{what.capitalize()} can only be read from a file or text, but {source!r} is neither."
        )
    text = str(source)
    where = "The text"
    if isinstance(source, os.PathLike) or not text.lstrip().startswith("{"):
        where = f"'{Path(source).name[:80]}'"
        try:
            text = Path(source).read_text(encoding="utf-8-sig")
        except IsADirectoryError:
            raise InputError(f"{where} is a folder. Pass the path of a file.") from None
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "it is not text"
            raise InputError(f"{where} cannot be read ({reason}).") from None
    try:
        body = json.loads(
            text, parse_constant=_refuse_constant, object_pairs_hook=_refuse_duplicates
        )
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{where} is not {what}, because it is not valid JSON ({error})."
        ) from None
    return body, where


def check_record(
    body: Any,
    where: str,
    what: str,
    version: int,
    names: set[str],
    remedy: str,
    optional: Set[str] = frozenset(),
) -> dict[str, Any]:
    """Return a record without its checksum; a newer version, other names or edits raise an error.

    What is ``optional`` came with later versions.
    """
    if not isinstance(body, dict) or "schema_version" not in body:
        raise InputError(f"{where} cannot be read as {what}: the key 'schema_version' is missing.")
    its = body["schema_version"]
    wrong = sorted((names | {"checksum"}).symmetric_difference(body) - optional)
    another = len(wrong) > len(names)  # not a newer one, but a record of something else
    if not another and (type(its) is not int or not 1 <= its <= version):
        newer = type(its) is int and its > version
        if not newer:
            raise InputError(
                f"{where} cannot be read as {what}: its 'schema_version' must be a whole number "
                f"from 1 to {version}, but is {its!r}."
            )
        raise InputError(
            f"{where} has schema version {its}, but this version of roctopus reads at most "
            f"version {version}. Install a newer version of roctopus."
        )
    if wrong:
        told = "unknown" if wrong[0] in body else "missing"
        raise InputError(f"{where} cannot be read as {what}: the key {wrong[0]!r} is {told}.")
    rest = {name: value for name, value in body.items() if name != "checksum"}
    if body["checksum"] != _checksum(rest):
        raise InputError(f"{where} was edited after it was written. {remedy}")
    if _is_too_large(rest):
        raise InputError(
            f"{where} cannot be used as {what}, because it contains a number that is too large."
        )
    return rest


def _checksum(body: dict[str, Any]) -> str:
    text = json.dumps(body, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _is_too_large(value: Any) -> bool:
    """Tell whether an integer in a record is larger than any double."""
    if isinstance(value, (dict, list, tuple)):
        inside = value.values() if isinstance(value, dict) else value
        return any(map(_is_too_large, inside))
    return isinstance(value, int) and math.isinf(as_float(value))


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a number in JSON")


def _refuse_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name occurs twice in it")
    return found
