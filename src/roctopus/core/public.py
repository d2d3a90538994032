"""Classes that show users what they may rely on, and keep the rest to shared code."""

from __future__ import annotations

import inspect
from abc import ABCMeta
from typing import ClassVar


class _PublicType(ABCMeta):
    """The type of a class whose ``dir`` and signature list its public names."""

    PUBLIC: tuple[str, ...]

    def __dir__(cls) -> list[str]:
        return [*(name for name in super().__dir__() if name.startswith("__")), *cls.PUBLIC]

    @property
    def __signature__(cls) -> inspect.Signature:
        whole = inspect.signature(cls.__init__)  # type: ignore[misc]  # of the class, no instance
        shown = [each for name, each in whole.parameters.items() if name in cls.PUBLIC]
        return whole.replace(parameters=shown, return_annotation=inspect.Signature.empty)


class ShowsPublic(metaclass=_PublicType):
    """A class that lists its public names in ``dir``, as its instances do, and in its signature.

    Shared code asks a comparison for more than users do; completion and the reference offer what
    users need.
    """

    PUBLIC: ClassVar[tuple[str, ...]] = ()

    def __dir__(self) -> list[str]:
        return dir(type(self))
