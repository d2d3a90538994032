"""The one family of exceptions. Every message names what is wrong, where, and what to do."""

from __future__ import annotations

import inspect
import shlex
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

MARK, BETWEEN, TEXT = "\x1f", "\x1e", "\x1d"
"""Around an argument inside a sentence, before its value, and before one that is text: no data hold
them, once quoted."""


def arg(name: str, value: object = None) -> str:
    """Return an argument, or one with the value to give, as a part of a sentence for an error.

    The error knows it then, and the command line can say the option instead.
    """
    numbers = value if isinstance(value, tuple) else (value,)
    text = ":".join(f"{v:g}" if isinstance(v, float) else str(v) for v in numbers)
    if isinstance(value, str):
        text = TEXT + value  # a label such as '1' is no number
    told = "" if value is None else f"{BETWEEN}{text}"
    return f"{MARK}{name}{told}{MARK}"


class _Sentence(BaseException):
    """A sentence that knows which arguments it speaks of."""

    def __init__(self, sentence: str = "") -> None:
        self.marked = str(sentence)
        """The sentence with its marks, to become a part of another."""
        super().__init__(self._said(_as_argument))

    @property
    def arguments(self) -> tuple[str, ...]:
        """The arguments that it is about."""
        return tuple(part.partition(BETWEEN)[0] for part in self.marked.split(MARK)[1::2])

    @property
    def argument(self) -> str | None:
        """The first argument that it is about; None if there is none."""
        return next(iter(self.arguments), None)

    def said(self, options: Mapping[str, str]) -> str:
        """Return the sentence with command-line options instead of arguments.

        Parameters
        ----------
        options : dict of str to str
            Option for each argument, such as ``{"under_cost": "--under-cost"}``.

        Returns
        -------
        str
            The sentence.
        """

        def as_option(name: str, value: str) -> str:
            if name not in options:
                return _as_argument(name, value)
            value = value.removeprefix(TEXT)
            if value in ("", "True"):
                return options[name]
            if value == "False":
                return options[name].replace("--", "--no-", 1)
            return f"{options[name]} {shlex.quote(value) if value.isprintable() else f'${value!r}'}"

        return self._said(as_option)

    def _said(self, word: Callable[[str, str], str]) -> str:
        parts = self.marked.split(MARK)
        parts[1::2] = [word(*_pair(part)) for part in parts[1::2]]
        return "".join(parts)


def _pair(part: str) -> tuple[str, str]:
    name, _, value = part.partition(BETWEEN)
    return name, value


def _as_argument(name: str, value: str) -> str:
    if not value:
        return f"'{name}'"
    if value.startswith(TEXT):
        return f"{name}={value.removeprefix(TEXT)!r}"
    low, _, high = value.partition(":")
    if all(map(_is_number, (low, high or low))):
        value = f"({low}, {high})" if high else low
        return f"{name}={value}"
    return f"{name}={value}" if value in ("True", "False") else f"{name}={value!r}"


def _is_number(text: str) -> bool:
    return text.removeprefix("-").replace(".", "", 1).isdigit()


class RoctopusError(Exception):
    """Any error that roctopus raises on purpose.

    Examples
    --------
    >>> from roctopus import RoctopusError, rroc_curve
    >>> try:
    ...     rroc_curve([3.0, 5.0], [4.0])
    ... except RoctopusError as error:
    ...     print(error)
    All arrays must have the same length, but 'y_true' has 2 values and 'y_pred' has 1 value.
    """


class InputError(_Sentence, RoctopusError, ValueError):
    """An argument cannot be used; the message says which one, where, and what to do.

    It is a ``ValueError``, too, as scikit-learn users expect. ``argument`` is the name of the first
    argument that the message is about.

    Parameters
    ----------
    sentence : str, default ""
        The message.

    Examples
    --------
    >>> from roctopus import InputError, asymmetric_absolute_error
    >>> try:
    ...     asymmetric_absolute_error([3.0, 5.0], [4.0, 4.0], asymmetry=1.5)
    ... except InputError as error:
    ...     print(error.argument, "|", error)
    asymmetry | 'asymmetry' must be between 0 and 1, but is 1.5.
    """


class MissingDependencyError(RoctopusError, ImportError):
    """An optional package is not installed; the message says how to install it.

    Parameters
    ----------
    purpose : str
        What needs the package, as the start of a sentence.
    package : str
        Name of the package.
    install : str
        Command that installs it.

    Examples
    --------
    >>> from roctopus import MissingDependencyError
    >>> raise MissingDependencyError("Plotting", "matplotlib", "pip install 'roctopus[plot]'")
    Traceback (most recent call last):
    roctopus.core.errors.MissingDependencyError: Plotting needs matplotlib, which is not
    installed. Install it with: pip install 'roctopus[plot]'
    """

    def __init__(self, purpose: str, package: str, install: str) -> None:
        super().__init__(
            f"{purpose} needs {package}, which is not installed. Install it with: {install}"
        )


class RoctopusWarning(_Sentence, UserWarning):
    """The answer is right, but may not mean what you think.

    Parameters
    ----------
    sentence : str, default ""
        The message.

    Examples
    --------
    Treat these warnings as errors:

    >>> import warnings
    >>> from roctopus import RoctopusWarning
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("error", RoctopusWarning)
    ...     # your code
    """


class _Collected(NamedTuple):
    found: list[str]
    options: Mapping[str, str]


_collected: ContextVar[_Collected | None] = ContextVar("collected", default=None)


@contextmanager
def collected_warnings(options: Mapping[str, str] | None = None) -> Iterator[list[str]]:
    """Collect what roctopus warns of, instead of showing it; with options in place of arguments.

    It touches the calling thread only; ``warnings.catch_warnings`` changes the whole process, and
    with several threads leaves it changed.
    """
    collected = _Collected([], options or {})
    token = _collected.set(collected)
    try:
        yield collected.found
    finally:
        _collected.reset(token)


def warn(message: str) -> None:
    """Warn at the line of the user's code that led here, however deep we are."""
    told = RoctopusWarning(message)
    collected = _collected.get()
    if collected is not None:
        collected.found.append(told.said(collected.options))
        return
    level, frame = 1, inspect.currentframe()
    while frame is not None and frame.f_globals.get("__name__", "").startswith("roctopus."):
        level, frame = level + 1, frame.f_back
    warnings.warn(told, stacklevel=level)
