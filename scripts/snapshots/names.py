"""All public names with their signatures, wherever the things behind them are defined."""

import dataclasses
import enum
import inspect
import re
from collections.abc import Iterator
from functools import cached_property
from importlib import import_module
from typing import Any

from roctopus import __version__

PACKAGES = (
    "",
    *("regression", "cutoff", "ordinal", "probability", "impact"),
    *("inference", "comparison", "scanning", "monitoring", "concepts"),
    *("display", "deploy", "engines", "report", "datasets", "cli"),
)
OPERATORS = {
    *("__add__", "__sub__", "__mul__", "__truediv__", "__neg__", "__call__", "__float__"),
    *("__len__", "__iter__", "__getitem__", "__contains__", "__array__"),
}
MODULES = re.compile(r"\b(?:[a-z_]\w*\.)+(?=[A-Za-z_])")
"""Where an annotation's or a default's type is defined."""
ADDRESS = re.compile(r" at 0x[0-9a-f]+")


def public_modules() -> Iterator[tuple[str, Any]]:
    """Yield the packages that exist, with their names."""
    for package in PACKAGES:
        name = f"roctopus.{package}".rstrip(".")
        try:
            yield name, import_module(name)
        except ModuleNotFoundError as error:
            if error.name != name:
                raise


def public_names() -> dict[str, Any]:
    """Describe every name that a public package lists."""
    return {
        f"{package}.{name}": describe(getattr(module, name))
        for package, module in public_modules()
        for name in getattr(module, "__all__", ())
    }


def describe(thing: Any) -> dict[str, Any]:
    """Return what a user of a function, a class or a constant may rely on."""
    if inspect.isclass(thing):
        return _class(thing)
    if callable(thing) and hasattr(thing, "__name__"):
        return {"kind": "function", **_signature(thing)}
    return {"kind": type(thing).__name__}


def _class(thing: type) -> dict[str, Any]:
    ours = [each for each in thing.__mro__ if each.__module__.startswith("roctopus")]
    names = {name for each in ours for name in vars(each)}
    fields = dataclasses.fields(thing) if dataclasses.is_dataclass(thing) else ()
    names -= {each.name for each in fields}
    public = sorted(name for name in names if not name.startswith("_") or name in OPERATORS)
    found: dict[str, Any] = {
        "kind": "exception" if issubclass(thing, BaseException) else "class",
        "foreign_bases": sorted(
            each.__name__ for each in thing.__mro__ if each not in ours and each is not object
        ),
        "members": {name: _member(thing, name) for name in public},
        "fields": [each.name for each in fields if not each.name.startswith("_")],
    }
    if not issubclass(thing, (BaseException, enum.Enum)):
        found |= _signature(thing)
    return found


def _member(owner: type, name: str) -> Any:
    member = inspect.getattr_static(owner, name)
    if isinstance(member, (property, cached_property)):
        return "property"
    if isinstance(member, staticmethod):
        return {"kind": "static", **_signature(member.__func__)}
    if isinstance(member, classmethod):
        return {"kind": "class method", **_signature(member.__func__, bound=True)}
    if inspect.isfunction(member):
        return _signature(member, bound=True)
    return "attribute"


def _signature(function: Any, bound: bool = False) -> dict[str, Any]:
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return {"call": "unknown"}
    parameters = list(signature.parameters.values())[int(bound) :]
    shown = [p for p in parameters if not p.name.startswith("_")]
    bare = [p.replace(annotation=p.empty, default=_Shown.of(p.default)) for p in shown]
    types = {p.name: _text(p.annotation) for p in shown if p.annotation is not p.empty}
    if signature.return_annotation is not signature.empty:
        types["return"] = _text(signature.return_annotation)
    return {"call": str(inspect.Signature(bare)), "types": types}


class _Shown:
    """A default, printed without the place where it is defined."""

    def __init__(self, default: Any) -> None:
        self.default = default

    @staticmethod
    def of(default: Any) -> Any:
        return default if default is inspect.Parameter.empty else _Shown(default)

    def __repr__(self) -> str:
        if isinstance(self.default, str):
            return repr(self.default.replace(__version__, "(version)"))
        named = getattr(self.default, "__name__", None)
        return named if named is not None else _place_free(repr(self.default))


def _text(annotation: Any) -> str:
    if isinstance(annotation, str):
        return _place_free(annotation)
    plain = isinstance(annotation, type) and not hasattr(annotation, "__args__")
    return annotation.__name__ if plain else _place_free(str(annotation))


def _place_free(text: str) -> str:
    return MODULES.sub("", ADDRESS.sub("", text)).replace("'", "").replace('"', "")
