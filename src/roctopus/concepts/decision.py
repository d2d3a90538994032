"""A decision as a small file: reviewed, versioned, loaded, and checked against the data."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Literal

from roctopus._version import __version__
from roctopus.concepts.decision_parts import SCHEMA_VERSION, Basis, Beside, Verdict, read_parts
from roctopus.concepts.records import read_record, sealed, write_record
from roctopus.concepts.rendering import Rendered, Sheet
from roctopus.concepts.responses import Response
from roctopus.core.errors import InputError
from roctopus.core.lazy import upward


@dataclass(frozen=True, repr=False)
class Decision(Rendered):
    """Which model to use, with which setting of its knob, for which context, and how sure that is.

    Values are means per case, in the unit of the costs where these were given.
    """

    arm: str
    model: str
    knob_name: str | None
    knob: tuple[float, ...]
    """The setting: a shift, a threshold, thresholds; empty where there is nothing to set."""
    knob_low: tuple[float, ...]
    knob_high: tuple[float, ...]
    """Settings between these are equally good on the data; of a threshold the low end is not."""
    context: dict[str, Any]
    """What it was decided for, as it was asked."""
    criterion: Literal["expected", "worst", "regret"]
    sense: Literal["loss", "gain"]
    outcome: str
    """What the values mean, in words."""
    value: float
    """What the decision is expected to cost or gain on new cases.

    Cases are judged with settings tuned on others; that the model was chosen for its value is
    allowed for.
    """
    low: float
    high: float
    """Its 95 % interval."""
    in_sample: float
    """The same on the data used for tuning, where it looks better than it is."""
    candidates: tuple[str, ...]
    """The models that could be the best: those whose chance is at least 5 %, and the chosen one."""
    runner_up: str | None
    margin: float | None
    margin_low: float | None
    margin_high: float | None
    """By how much the decision is better than the runner-up, with its 95 % interval."""
    stays_best: tuple[float, float] | None
    """The range of contexts around this one in which the model, retuned, stays best.

    Around the middle of a range; None if the model is not the best there.
    """
    in_words: str
    models: tuple[str, ...]
    cases: int
    data: str
    """An order-free hash of truths and predictions."""
    settings: dict[str, Any] = field(default_factory=dict)
    """Settings that affect the values: costs, classes, prevalence, utility, capacity."""
    regions: tuple[tuple[float, float, str, tuple[float, ...]], ...] = ()
    """A hybrid: which model and knob to use in which range of contexts; empty if none pays."""
    library_version: str = __version__
    schema_version: int = SCHEMA_VERSION
    warnings: tuple[str, ...] = field(default=())
    responses: dict[str, Response] = field(default_factory=dict)
    """How the predictions of each model that runs were made: what it is asked for when deployed."""
    verdict: Verdict = "use for now"
    """"use": no rival is likely to be better; "either": rivals remain, but little is at stake; "use
    for now": much is at stake; "no model": none is shown to beat the baseline that is advised."""
    tolerance: float = 0.0
    """The difference per case that does not matter."""
    stake: float = 0.0
    """What choosing now costs per case, on average, against knowing which model is best."""
    chances: dict[str, float] = field(default_factory=dict)
    """The probability to be the best, by model."""
    worth: tuple[tuple[int, float], ...] = ()
    """Numbers of further cases, with what each would save per case."""
    raw: Beside | None = None
    """The model as it is, without tuning; None where the decision is a baseline or a hybrid."""
    beside: dict[str, Beside] = field(default_factory=dict)
    """The baselines by name, the best first."""
    within: tuple[float, float] | None = None
    """Settings between these cost at most the tolerance more per case, on the data used for tuning;
    None where a setting is several numbers."""
    setting_low: tuple[float, ...] = ()
    setting_high: tuple[float, ...] = ()
    """The setting that is best for all cases to come lies between these with a confidence of 95 %;
    of several numbers, each does. Infinite where the data set no bound. Empty for a baseline, a
    hybrid, a range of contexts, a distribution of cutoffs, a capacity, and data beyond memory."""
    share: float = 1.0
    """The share of cases that an advised baseline is applied to, drawn at random."""
    words: dict[str, str] = field(default_factory=dict)
    """What to do, what raw predictions and the best baseline do, and what was asked, in words."""
    basis: Basis | None = None
    """What checks need to know of the cases; None of older files and of data beyond memory."""
    origin: str = ""
    """The hash of the decision that this one was re-tuned from by a check; else empty."""
    refit: Callable[[str], Any] | None = field(default=None, repr=False, compare=False)
    """Trains a model on all cases, where estimators were compared; never stored."""

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "refit": None}  # it holds the training data

    @property
    def record(self) -> dict[str, Any]:
        """What is stored of it."""
        held = asdict(replace(self, refit=None))
        del held["refit"]
        return held

    def to_dict(self) -> dict[str, Any]:
        """Return the decision as plain values, as its file holds them.

        Returns
        -------
        dict
            All fields, with a checksum that makes changes by hand visible.
        """
        return sealed(self.record)

    @staticmethod
    def from_dict(record: Mapping[str, Any]) -> Decision:
        """Make a decision from what ``to_dict`` returned.

        Parameters
        ----------
        record : mapping
            The plain values.

        Returns
        -------
        Decision
            The same decision.
        """
        return _from_body(dict(record), "The record")

    def to_json(self, path: str | os.PathLike[str] | None = None) -> str:
        """Return the decision as JSON, and write it to a file if a path is given.

        The old file stays whole if writing fails. A checksum makes changes by hand visible.

        Parameters
        ----------
        path : path, optional
            The file to write, such as "decision.json".

        Returns
        -------
        str
            The JSON text.
        """
        return write_record(self.record, path)

    @staticmethod
    def from_json(source: str | os.PathLike[str]) -> Decision:
        """Read a decision from a file, or from the JSON text itself. Nothing in it is executed.

        Parameters
        ----------
        source : path or str
            The file, or the text that ``to_json`` returned.

        Returns
        -------
        Decision
            The decision. A file that was changed by hand raises an error.
        """
        body, where = read_record(source, "a decision")
        return _from_body(body, where)

    def deploy(
        self,
        models: Mapping[str, Any] | None = None,
        *,
        X: Any = None,
        predictions: Any = None,
        pos_label: Any = None,
    ) -> Any:
        """Return a scikit-learn estimator that applies the decision, around trained models.

        It asks a model for the kind of predictions that the decision was made on; a model that
        cannot give them raises an error.

        Parameters
        ----------
        models : mapping from name to estimator, optional
            Trained models, under the names they had in the comparison. Without them the model is
            trained on all cases, where estimators were compared (``compare_estimators``).
        X : array or dataframe of shape (n, features), optional
            Some cases, to test that a deployed model gives the ``predictions``.
        predictions : array, or mapping from name to array, optional
            What the models predicted for these cases in the comparison.
        pos_label : label, optional
            The positive class of a model, where the decision does not record it.

        Returns
        -------
        estimator
            A fitted estimator whose ``predict`` returns what to do: shifted numbers, yes or no, or
            grades.
        """
        return upward("deploy_decision")(
            self, models, X=X, predictions=predictions, pos_label=pos_label
        )

    def check_models(self, models: Sequence[str], arm: str) -> None:
        """Raise an error for data of another arm, or without the model that was decided for.

        Parameters
        ----------
        models : sequence of str
            The names of the models in the data.
        arm : str
            The arm of the data.
        """
        if arm != self.arm:
            raise InputError(
                f"The decision is for the arm {self.arm!r}, but the data are for {arm!r}."
            )
        missing = [name for name in self.used_models if name not in models]
        if missing:
            told = ", ".join(map(repr, models))
            raise InputError(f"The decision needs the model {missing[0]!r}; there are {told}.")

    @property
    def used_models(self) -> tuple[str, ...]:
        """The models that run: one, or those of a hybrid's regions."""
        if self.is_baseline:
            return ()
        return tuple(dict.fromkeys(region[2] for region in self.regions)) or (self.model,)

    @property
    def model_ranges(self) -> list[tuple[float, float, str]]:
        """A hybrid's models, each with the range of contexts in which it runs."""
        return model_ranges(self.regions)

    @property
    def knob_text(self) -> str:
        """The setting in words: "shift 0.42"."""
        if self.knob_name is None:
            return "no knob"
        name = self.knob_name if len(self.knob) == 1 else f"{self.knob_name}s"
        return f"{name} " + ", ".join(f"{k:.4g}" for k in self.knob)

    @property
    def is_baseline(self) -> bool:
        """Whether a baseline is advised, and no model runs."""
        return self.model not in self.models

    @property
    def sentence(self) -> str:
        """The answer in a few short sentences."""
        said: str = upward("say_decision")(self)
        return said

    def sheet(self) -> Sheet:
        """Return what notebooks and Markdown show.

        Returns
        -------
        Sheet
            The sentence, the table and the notes, as plain text.
        """
        found: Sheet = upward("decision_sheet")(self)
        return found

    def __str__(self) -> str:
        return self.sentence

    def __repr__(self) -> str:
        return str(upward("show_decision")(self))


def model_ranges(
    regions: Sequence[tuple[float, float, str, tuple[float, ...]]],
) -> list[tuple[float, float, str]]:
    """Return the models of regions, each with the range of contexts in which it runs."""
    found: list[tuple[float, float, str]] = []
    for low, high, model, _ in regions:
        start = low
        if found and found[-1][2] == model:
            start = found.pop()[0]
        found.append((start, high, model))
    return found


def _from_body(body: Any, where: str) -> Decision:
    """Check a decision's content and make it."""
    names = {each.name for each in fields(Decision)} - {"refit"}
    return Decision(**read_parts(body, where, names))
