"""A decision as a small file: reviewed, versioned, loaded, and refused where it does not fit."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from importlib.resources import files
from typing import Any, Literal, TypeAlias

from roctopus._version import __version__
from roctopus.concepts.records import check_record, number, read_record, sealed, write_record
from roctopus.concepts.responses import Response, read_responses
from roctopus.core.errors import InputError
from roctopus.core.lazy import upward

SCHEMA_VERSION = 2
HowSure: TypeAlias = Literal["clear", "likely", "undecided"]


def decision_schema() -> dict[str, Any]:
    """Return the JSON Schema of a decision's file."""
    text = files("roctopus").joinpath("concepts", "decision.schema.json").read_text("utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


@dataclass(frozen=True)
class Decision:
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
    """The honest value: model and knob chosen on other cases than those that judge them."""
    low: float
    high: float
    """Its 95 % interval."""
    in_sample: float
    """How it looks on the data it was chosen on."""
    untuned_model: str
    untuned_value: float
    """The best that is had without tuning anything."""
    answer: HowSure
    candidates: tuple[str, ...]
    """The models that may be best: one if the answer is clear."""
    runner_up: str | None
    margin: float | None
    margin_low: float | None
    margin_high: float | None
    """By how much the model is better than the runner-up, honestly, with its 95 % interval.

    Models are chosen in-sample, so it may be negative where they are close.
    """
    more_cases: float | None
    """About how many more cases would decide an undecided answer."""
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
    """What else the values hang on: costs, classes, prevalence, utility, capacity."""
    regions: tuple[tuple[float, float, str, tuple[float, ...]], ...] = ()
    """A hybrid: which model and knob to use in which range of contexts; empty if none pays."""
    library_version: str = __version__
    schema_version: int = SCHEMA_VERSION
    warnings: tuple[str, ...] = field(default=())
    responses: dict[str, Response] = field(default_factory=dict)
    """How the predictions of each model that runs were made: what it is asked for when deployed."""
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
        """Return the decision as plain values, as its file holds them."""
        return sealed(self.record)

    @staticmethod
    def from_dict(record: Mapping[str, Any]) -> Decision:
        """Make a decision from what ``to_dict`` returned."""
        return _from_body(dict(record), "The record")

    def to_json(self, path: str | os.PathLike[str] | None = None) -> str:
        """Return the decision as text, and write it to a file if asked to.

        The old file stays whole if writing fails. A checksum makes changes by hand visible.
        """
        return write_record(self.record, path)

    @staticmethod
    def from_json(source: str | os.PathLike[str]) -> Decision:
        """Read a decision from a file, or from the text itself. Nothing in it is executed."""
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
        """Return a scikit-learn estimator that carries the decision, around trained models.

        It asks a model for what the decision was made on, and refuses one that cannot give it.

        Parameters
        ----------
        models : mapping from name to estimator, optional
            Trained models, under the names they had in the comparison. Without them the model is
            trained on all cases, where estimators were compared (``compare_estimators``).
        X, predictions : table, and array or mapping from name to array, optional
            Some cases and what the models predict of them, to prove that a deployed model is asked
            for the same.
        pos_label : label, optional
            Which class of a model is the positive one, where the decision does not say.
        """
        return upward("deploy_decision")(
            self, models, X=X, predictions=predictions, pos_label=pos_label
        )

    def check_models(self, models: Sequence[str], arm: str) -> None:
        """Refuse data of another arm, or without the model that was decided for."""
        if arm != self.arm:
            raise InputError(f"The decision is for the arm {self.arm!r}, the data for {arm!r}.")
        missing = [name for name in self.used_models if name not in models]
        if missing:
            told = ", ".join(map(repr, models))
            raise InputError(f"The decision needs the model {missing[0]!r}; there are {told}.")

    @property
    def used_models(self) -> tuple[str, ...]:
        """The models that run: one, or those of a hybrid's regions."""
        return tuple(dict.fromkeys(region[2] for region in self.regions)) or (self.model,)

    @property
    def model_ranges(self) -> list[tuple[float, float, str]]:
        """A hybrid's models, each with the range of contexts in which it runs."""
        found: list[tuple[float, float, str]] = []
        for low, high, model, _ in self.regions:
            start = low
            if found and found[-1][2] == model:
                start = found.pop()[0]
            found.append((start, high, model))
        return found

    @property
    def knob_text(self) -> str:
        """The setting in words: "shift 0.42"."""
        if self.knob_name is None:
            return "no knob"
        name = self.knob_name if len(self.knob) == 1 else f"{self.knob_name}s"
        return f"{name} " + ", ".join(f"{k:.4g}" for k in self.knob)

    @property
    def sentence(self) -> str:
        """The answer in one sentence."""
        setting = "" if self.knob_name is None else f" with {self.knob_text}"
        other = [name for name in self.candidates if name != self.model]
        if self.regions:
            found = f"{self.sense} {self.value:.4g} a case ({self.low:.4g} to {self.high:.4g})"
            ranges = self.model_ranges
            following = f"a {self.knob_name} that follows"
            if len(ranges) == 1:
                return f"Use {ranges[0][2]} with {following} the {self.in_words}: {found}."
            parts = [f"{model} from {low:.4g} to {high:.4g}" for low, high, model in ranges[:4]]
            more = f" and {len(ranges) - 4} more regions" if len(ranges) > 4 else ""
            knobs = f", each with {following} it" if len(ranges) < len(self.regions) else ""
            return f"Use a hybrid for {self.in_words}: {', '.join(parts)}{more}{knobs}; {found}."
        said = {
            "clear": f"Use {self.model}{setting}",
            "likely": f"Probably {self.model}{setting}",
            "undecided": f"Undecided: {self.model}{setting}, or {', '.join(other[:3])}",
        }[self.answer]
        what: str = "regret" if self.criterion == "regret" else self.sense
        if self.criterion == "worst":
            what = f"worst-case {what}"
        found = f"{what} {self.value:.4g} a case ({self.low:.4g} to {self.high:.4g})"
        more = ""
        if self.answer == "undecided":
            more = " They are too close to call."
            if self.more_cases is not None and self.more_cases <= 100 * self.cases:
                more = f" About {self.more_cases:,.0f} more cases would decide."
        return f"{said} for {self.in_words}: {found}.{more}"

    def __str__(self) -> str:
        return self.sentence


NUMBERS = ("value", "low", "high", "in_sample", "untuned_value")
MAYBE_NUMBERS = ("margin", "margin_low", "margin_high", "more_cases")
KNOBS = ("knob", "knob_low", "knob_high")
TEXTS = ("candidates", "models", "warnings")


def _float(value: Any) -> float:
    return float(number(value))


def _from_body(body: Any, where: str) -> Decision:
    """Check a decision's content and make it."""
    rest = check_record(
        body,
        where,
        "a decision",
        SCHEMA_VERSION,
        {each.name for each in fields(Decision)} - {"refit"},
        "Make the decision again instead of editing it by hand.",
        optional={"responses"},
    )
    made = {**rest, "schema_version": SCHEMA_VERSION}
    try:
        made["responses"] = read_responses(rest.get("responses", {}))
        for name in NUMBERS + MAYBE_NUMBERS:
            made[name] = None if rest[name] is None else _float(rest[name])
        for name in KNOBS:
            made[name] = tuple(map(_float, rest[name]))
        for name in TEXTS:
            made[name] = tuple(str(each) for each in rest[name])
        if rest["stays_best"] is not None:
            low, high = map(_float, rest["stays_best"])
            made["stays_best"] = (low, high)
        made["regions"] = tuple(
            (_float(low), _float(high), str(model), tuple(map(_float, k)))
            for low, high, model, k in rest["regions"]
        )
    except (TypeError, ValueError) as error:
        raise InputError(f"{where} is not a decision: {error}.") from None
    if made["model"] not in made["models"]:
        raise InputError(
            f"{where} names the model {made['model']!r}, which is none of those it was chosen from."
        )
    return Decision(**made)
