"""The record that describes an arm. Shared code asks this record, and never an arm by its name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

from roctopus.concepts.asking import Asked, Said
from roctopus.concepts.model_cells import ModelCells
from roctopus.concepts.problem import ContextKind, Problem
from roctopus.concepts.registry import Metric
from roctopus.concepts.streams import ModelGrid, Small
from roctopus.core.arrays import Floats
from roctopus.core.checks import read_finite
from roctopus.core.errors import InputError, arg
from roctopus.core.labels import number_labels
from roctopus.core.names import flag

KnobKind: TypeAlias = Literal["shift", "threshold", "thresholds", "margin"]
"""What is tuned: added to a prediction, or compared with it; one number, or one between classes."""

Picture: TypeAlias = dict[str, Any]
"""A picture as data: its ``kind`` says how display and page draw it.

Kinds are "tradeoff" (curves in a plane, with a point per context), "profile" (what taking more
cases gives), "map" (who is best for two contexts) and "distributions" (classes along the score).
"""

Word: TypeAlias = Literal[
    "number", "range", "text", "column", "labels", "number or column", "range or column"
]
"""Kind of value of a command-line option; "labels" is a column that may contain anything."""


@dataclass(frozen=True)
class Option:
    """One thing users can give: a keyword of ``compare``, a command-line option, or both.

    The help of the command line and the documentation are made from it.
    """

    name: str
    """The keyword; on the command line with dashes."""
    help: str
    takes: Word = "number"
    metavar: str | None = None
    """Placeholder for the value in the help, if it is not ``takes``."""
    gives: tuple[str, ...] = ()
    """Arguments of the library that it sets under other names; error messages name them."""
    columns: Callable[[str], Mapping[str, str]] | None = None
    """Return the columns named inside a text, by what they are for."""
    as_truth: bool = False
    """Whether its column is used as the true values if none are named."""
    checks: bool = False
    """Whether ``check`` has it, too, since a decision does not record it."""
    ambiguous: bool = False
    """Whether it means something else in another arm: it does not say which arm is meant."""

    @property
    def flag(self) -> str:
        """The option as it is typed."""
        return flag(self.name)


class Scanned(NamedTuple):
    """What is known of rows beyond memory at the time their problem is made."""

    small: Small
    """A small sample that stands for them."""
    labels: tuple[Any, ...] | None
    """The classes, if they were given; true values are then their numbers."""
    classes: Any
    """The classes that occurred; None if true values are not classes."""
    column: str
    """The column of the true values."""
    options: Mapping[str, Any]


def _nothing(*_: Any) -> dict[str, Any]:
    return {}


def _same(options: Mapping[str, Any], said: Said, share: float) -> dict[str, Any]:
    return dict(options)


@dataclass(frozen=True)
class Arm:
    """One kind of question, as a record.

    Parameters
    ----------
    name, question : str
        The name, and the question in a user's words.
    problem : function of truths, weights and options
        Makes the ``Problem``.
    options : names of keywords
        What ``compare`` takes for this arm.
    columns : names of keywords
        Those of them that hold a value per case: arrays, or names of columns.
    context, context_kind : str
        The keyword of the context and what it is: those of the ``Problem``.
    knob : kind of knob, or None
        How a setting is applied: deployed estimators belong to kinds.
    responses : names of methods
        What an estimator is asked for, in order of preference.
    metrics : functions
        Its metrics, each made by ``metric``.
    grid : function of truths, predictions, a number of buckets and options
        Makes the sums kept of data beyond memory.
    pictures : mapping from names to functions
        Of cases (problem and predictions by model), contexts and knobs; each returns a picture
        beside the curves, as data. The page stores the first.
    cells : class, optional
        What a shared page knows of a model: sums per round cell. Without it, pages are exact.
    words : mapping
        The page's words: ``context``, ``symbol``, ``left``, ``right``, ``untuned``, and others.
    spoken, panel, ask, recorded, part
        The command line: its options, the heading over them, how what was said becomes a
        question, and how a decision's record, with what was said, becomes options of
        ``compare``. ``part`` makes options of all cases those of a part of them, of which it is
        told what was said and how large its share is.
    """

    name: str
    question: str
    problem: Callable[..., Problem]
    options: tuple[str, ...]
    context: str
    context_kind: ContextKind
    knob: KnobKind | None
    responses: tuple[str, ...]
    metrics: tuple[Callable[..., float], ...]
    grid: Callable[..., ModelGrid]
    pictures: Mapping[str, Callable[..., Picture]]
    words: Mapping[str, Any]
    spoken: tuple[Option, ...]
    panel: str
    ask: Callable[[Said], Asked]
    recorded: Callable[[Mapping[str, Any], Mapping[str, Any], Said], dict[str, Any]] = _nothing
    part: Callable[[Mapping[str, Any], Said, float], dict[str, Any]] = _same
    columns: tuple[str, ...] = ()
    own_costs: tuple[str, str] | None = None
    """The two costs each case may have of its own."""
    text_truths: bool = False
    """Whether truths may be text: labels of classes."""
    infinite_predictions: bool = False
    """Whether predictions may be infinite."""
    prediction_range: tuple[float, float] | None = None
    """Where predictions must lie."""
    on_truth_scale: bool = False
    """Whether predictions are on the scale of the true values: forecasts are, scores are not."""
    moves_with_context: bool = False
    """Whether a case in its own context is one in the context 0, with truth and prediction less it.

    Then cases with their own contexts can be tuned beyond memory, too.
    """
    check_scan: Callable[[Mapping[str, Any]], object] = _nothing
    """Raise an error for options that cannot be scanned beyond memory."""
    cells: type[ModelCells] | None = None
    scanned: Callable[[Scanned], Problem] | None = None
    """Makes the problem of scanned rows, if ``problem`` cannot."""

    @property
    def two_classes(self) -> bool:
        """Whether true values may be any two classes, with an option for the positive one."""
        return "pos_label" in self.options

    def read(self, truth: Any, weight: Any, options: Mapping[str, Any]) -> Problem:
        """Return the problem; an option that the arm does not have raises an error."""
        self.check_options(options)
        return self.problem(truth, weight, **options)

    def on_scanned(self, rows: Scanned) -> Problem:
        """Return the problem of rows beyond memory."""
        if self.scanned is not None:
            return self.scanned(rows)
        return self.read(rows.small.truth, rows.small.weight, rows.options)

    def check_options(self, options: Mapping[str, Any]) -> None:
        """Raise an error for an option that the arm does not have."""
        for name in options:
            if name not in self.options:
                raise InputError(f"The arm {self.name!r} has no argument {arg(name)}.")

    def entries(self) -> tuple[Metric, ...]:
        """Return the records of the arm's metrics."""
        return tuple(Metric.of(function) for function in self.metrics)


def read_numbers(y_true: Any, arm: str) -> Floats:
    """Return true values that must be numbers."""
    labels = number_labels(y_true)
    if labels.text:
        raise InputError(
            f"{arg('y_true')} contains text, but the arm {arm!r} needs numbers. For ordered "
            "classes, use arm='ordinal'. For two classes, use arm='probability' and name the "
            f"positive one with {arg('pos_label')}."
        )
    return read_finite(labels.column, "y_true")
