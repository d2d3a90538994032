"""Check plain values by a JSON Schema, as far as our own files need it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

LARGEST = 1.7976931348623157e308


def check_schema(value: Any, schema: Mapping[str, Any]) -> None:
    """Raise an error that names the part of a record that does not fit its schema."""
    wrong = _wrong(value, schema, "")
    if wrong is not None:
        place, told = wrong
        raise ValueError(f"'{place}' {told}")


def _wrong(value: Any, schema: Mapping[str, Any], at: str) -> tuple[str, str] | None:
    """Return the place of the first value that is not as it must be, and why not."""
    if "anyOf" in schema:
        found = [_wrong(value, each, at) for each in schema["anyOf"]]
        # The deepest fault speaks of the alternative that was meant.
        return None if None in found else max((e for e in found if e), key=lambda e: len(e[0]))
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(_is_a(value, kind) for kind in kinds):
        return at, f"must be {' or '.join(KINDS[kind] for kind in kinds)}, but is {_short(value)}"
    choices = [schema["const"]] if "const" in schema else schema.get("enum")
    if choices is not None and not any(_same(value, each) for each in choices):
        return at, f"must be {' or '.join(map(repr, choices))}, but is {_short(value)}"
    if _is_a(value, "number") and not (
        schema.get("minimum", -LARGEST) <= value <= schema.get("maximum", LARGEST)
    ):
        return at, f"is out of range: {_short(value)}"
    if isinstance(value, str) and re.search(schema.get("pattern", ""), value) is None:
        return at, f"has the wrong format: {_short(value)}"
    if isinstance(value, list):
        return _wrong_list(value, schema, at)
    return _wrong_object(value, schema, at) if isinstance(value, dict) else None


def _wrong_list(value: list[Any], schema: Mapping[str, Any], at: str) -> tuple[str, str] | None:
    if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
        return at, f"has the wrong length: {len(value)}"
    first = schema.get("prefixItems", [])
    rest = schema.get("items", {})
    for number, each in enumerate(value):
        its = first[number] if number < len(first) else rest
        wrong = _wrong(each, its, f"{at}[{number}]")
        if wrong is not None:
            return wrong
    return None


def _wrong_object(
    value: dict[str, Any], schema: Mapping[str, Any], at: str
) -> tuple[str, str] | None:
    parts, others = schema.get("properties", {}), schema.get("additionalProperties", True)
    for name in schema.get("required", ()):
        if name not in value:
            return _inside(at, name), "is missing"
    for name, each in value.items():
        its = parts.get(name, others)
        if its is False:
            return _inside(at, name), "is unknown"
        wrong = None if its is True else _wrong(each, its, _inside(at, name))
        if wrong is not None:
            return wrong
    return None


def _inside(at: str, name: str) -> str:
    return f"{at}.{name[:40]}" if at else name[:40]


KINDS = {
    "object": "an object",
    "array": "a list",
    "string": "text",
    "boolean": "true or false",
    "null": "null",
    "number": "a number",
    "integer": "a whole number",
}
"""What the types of a schema are called in messages."""


def _is_a(value: Any, kind: str) -> bool:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    tests = {
        "object": isinstance(value, dict),
        "array": isinstance(value, list),
        "string": isinstance(value, str),
        "boolean": isinstance(value, bool),
        "null": value is None,
        "number": number,
        "integer": number and value == value // 1,
    }
    return tests[kind]


def _same(value: Any, other: Any) -> bool:
    """Return whether two values are the same; true is not 1."""
    return isinstance(value, bool) == isinstance(other, bool) and bool(value == other)


def _short(value: Any) -> str:
    try:
        told = repr(value)
    except ValueError:  # a number of thousands of digits
        return "a very large number"
    return told if len(told) <= 60 else f"{told[:57]}..."
