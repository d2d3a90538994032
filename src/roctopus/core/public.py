"""Classes that show users what they may rely on, and keep the rest to shared code."""

from __future__ import annotations

from abc import ABCMeta
from typing import ClassVar


class _PublicType(ABCMeta):
    """The type of a class whose ``dir`` lists its public names."""

    PUBLIC: tuple[str, ...]

    def __dir__(cls) -> list[str]:
        return [*(name for name in super().__dir__() if name.startswith("__")), *cls.PUBLIC]


class ShowsPublic(metaclass=_PublicType):
    """A class that lists its public names in ``dir``, as its instances do.

    Shared code asks a comparison for more than users do; completion offers what users need.
    """

    PUBLIC: ClassVar[tuple[str, ...]] = ()

    def __dir__(self) -> list[str]:
        return dir(type(self))
