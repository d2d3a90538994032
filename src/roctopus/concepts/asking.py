"""What was said on the command line, as an arm reads it: texts, and the columns they name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from roctopus.core.arrays import Floats
from roctopus.core.checks import number_in
from roctopus.core.errors import InputError
from roctopus.core.names import flag


def read_number(text: str, name: str) -> float:
    """Return what was said of an option as a number."""
    found = number_in(text)
    if found is None:
        raise InputError(f"{flag(name)} must be a number, but is {text!r}.")
    return found


class Asked(NamedTuple):
    """What ``compare`` gets, and what ``decide`` is asked."""

    options: dict[str, Any]
    aim: dict[str, Any]
    """The context by its keywords, ``between``, or ``distribution``; empty if nothing was said."""
    assumed: str | None = None
    """What is assumed because nothing was given."""


@dataclass(frozen=True, eq=False)
class Said:
    """Options that were given, and the columns of the cases that they name."""

    texts: Mapping[str, str]
    """Texts by option."""
    columns: Mapping[str, Any]
    """Columns that options name, by option."""
    truth: Any
    """True values: numbers, or a list of texts."""
    weight: Floats | None = None
    predictions: Mapping[str, Floats] = field(default_factory=dict)
    own: bool = False
    """Whether each case has its own context."""
    whole: bool = True
    """Whether these are all cases, or some of the first."""

    def __contains__(self, name: str) -> bool:
        return name in self.texts

    def text(self, name: str) -> str | None:
        """Return the text of an option."""
        return self.texts.get(name)

    @property
    def known_later(self) -> bool:
        """Whether a distribution or a column says what the context is: nothing is assumed then."""
        return self.own or "distribution" in self.texts

    def number(self, name: str) -> float | None:
        """Return an option as a number; None if it was not said."""
        text = self.texts.get(name)
        return None if text is None else read_number(text, name)

    def label(self, name: str) -> Any:
        """Return an option as a class of the truths: a number where these are numbers."""
        text = self.texts.get(name)
        if text is None or not isinstance(self.truth, np.ndarray):
            return text
        return read_number({"true": "1", "false": "0"}.get(text.lower(), text), name)

    def number_or_range(self, text: str, name: str) -> float | tuple[float, float]:
        """Return "3" as a number and "3:5" as two."""
        low, colon, high = text.partition(":")
        if not colon:
            return read_number(text, name)
        return read_number(low, name), read_number(high, name)

    def context(self, name: str) -> dict[str, Any]:
        """Return an option as a context or a range of contexts, for ``decide``."""
        text = self.texts.get(name)
        if text is None:
            return {}
        found = self.number_or_range(text, name)
        return {"between": found} if isinstance(found, tuple) else {name: found}

    def costs(self, first: str, second: str, share: str, *others: str) -> dict[str, Any]:
        """Return two costs, of which one may be left out; or their share, or another word for it.

        Each may be a range.
        """
        said = {name: self.texts[name] for name in (first, second) if name in self.texts}
        words = [name for name in (share, *others) if name in self.texts]
        if len(words) + bool(said) > 1:
            rival = flag(words[1]) if len(words) > 1 else " and ".join(map(flag, said))
            raise InputError(
                f"{flag(words[0])} cannot be combined with {rival}. Use one or the other."
            )
        if said:
            return {name: self._cost(said.get(name, "1"), name) for name in (first, second)}
        if words and words[0] != share:
            return {words[0]: self.number_or_range(self.texts[words[0]], words[0])}
        return self.context(share)

    def _cost(self, text: str, name: str) -> float | tuple[float, float]:
        try:
            return self.number_or_range(text, name)
        except InputError:
            raise InputError(
                f"{flag(name)} must be a number, a range such as 2:8, or the name of a column with "
                f"the cost of each case, but is {text!r}."
            ) from None
