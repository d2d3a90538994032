"""Differences between two snapshots, with intended changes applied to the first one.

A renames file is one JSON object::

    {
      "roctopus.comparison.Watch": "roctopus.monitoring.Watch",    moved or renamed
      "roctopus.regression.old_name": null,                        removed
      "answers.**.law": "answers.**.distribution",                 one key in many places
      "added": ["roctopus.monitoring.**"],                         what may be new
      "texts": [["honest loss", "expected cost on new data"]]      replaced in every text
    }

Paths are those that ``--compare`` prints; what is below a path goes with it. ``*`` stands for one
part of a path, ``**`` for one or more. Of several entries that match, the first one counts.
"""

import math
import re
from collections.abc import Iterator
from typing import Any

RELATIVE, ABSOLUTE = 1e-9, 1e-12
"""How far numbers may differ; the second is for differences that are 0 up to rounding."""
ABSENT = object()


def differences(before: Any, after: Any, intended: dict[str, Any]) -> list[str]:
    """List what differs, a line each, by path."""
    rules = [(_pattern(old), new) for old, new in intended.items() if old not in ("added", "texts")]
    texts = intended.get("texts", [])
    old = {}
    for path, value in leaves(before):
        renamed = rename(path, rules)
        if renamed is not None:
            old[renamed] = replace_texts(value, texts)
    new = dict(leaves(after))
    may_be_new = [_pattern(each) for each in intended.get("added", [])]
    found = []
    for path in sorted(old.keys() | new.keys()):
        was, now = old.get(path, ABSENT), new.get(path, ABSENT)
        if was is ABSENT and any(each.fullmatch(path) for each in may_be_new):
            continue
        if not same(was, now):
            found.append(f"{path}: {told(was, now)}")
    return found


def leaves(tree: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield numbers and texts with their paths; public names are paths already."""
    if isinstance(tree, dict) and tree:
        items: Any = ((str(key), each) for key, each in tree.items())
    elif isinstance(tree, list) and tree:
        items = ((str(number), each) for number, each in enumerate(tree))
    else:
        yield path, tree
        return
    for key, each in items:
        part = "" if key == "names" and not path else f"{path}.{key}" if path else key
        yield from leaves(each, part)


def _pattern(path: str) -> re.Pattern[str]:
    parts = {"**": "(.+)", "*": "([^.]+)"}
    body = r"\.".join(parts.get(part, re.escape(part)) for part in path.split("."))
    return re.compile(rf"{body}((?:\..+)?)")


def rename(path: str, rules: list[tuple[re.Pattern[str], str | None]]) -> str | None:
    """Return the new path of an old one, or None if it is to be gone."""
    for pattern, new in rules:
        match = pattern.fullmatch(path)
        if match is None:
            continue
        if new is None:
            return None
        *stars, rest = match.groups()
        filled = iter(stars)
        return ".".join(next(filled) if "*" in part else part for part in new.split(".")) + rest
    return path


def replace_texts(value: Any, texts: list[list[str]]) -> Any:
    """Return a text with its intended changes."""
    if isinstance(value, str):
        for old, new in texts:
            value = value.replace(old, new)
    return value


def same(was: Any, now: Any) -> bool:
    """Whether numbers agree up to rounding, and everything else exactly."""
    if was is ABSENT or now is ABSENT:
        return False
    if any(isinstance(each, bool) or not isinstance(each, (int, float)) for each in (was, now)):
        return type(was) is type(now) and was == now
    if was == now or (math.isnan(was) and math.isnan(now)):
        return True
    return math.isclose(was, now, rel_tol=RELATIVE, abs_tol=ABSOLUTE)


def told(was: Any, now: Any) -> str:
    """Say how a value changed; of long texts from shortly before the first difference on."""
    if was is ABSENT:
        return f"new, {_short(now)}"
    if now is ABSENT:
        return f"gone, was {_short(was)}"
    start = 0
    if isinstance(was, str) and isinstance(now, str):
        equal = (a == b for a, b in zip(was, now, strict=False))
        start = next((i for i, each in enumerate(equal) if not each), min(len(was), len(now)))
    return f"was {_short(was, start)}, is {_short(now, start)}"


def _short(value: Any, start: int = 0, most: int = 100) -> str:
    if not isinstance(value, str):
        return repr(value)
    first = max(0, start - 20)
    text = repr(value[first : first + most])
    return f"{'…' if first else ''}{text}{'…' if len(value) > first + most else ''}"
