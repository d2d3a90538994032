"""The parts of a decision's file, of this version and of older ones."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Literal, TypeAlias, get_args

from roctopus.concepts.records import check_record, number
from roctopus.concepts.responses import read_responses
from roctopus.concepts.schemas import check_schema
from roctopus.core.checks import LARGEST
from roctopus.core.errors import InputError

SCHEMA_VERSION = 3
Verdict: TypeAlias = Literal["use", "either", "use for now", "no model"]
OLD_ANSWERS: dict[str, Verdict] = {
    "clear": "use",
    "likely": "use for now",
    "undecided": "use for now",
}
"""What files of versions 1 and 2 called their verdicts."""
OLD = {"answer", "more_cases", "untuned_model", "untuned_value"}
LATER: dict[str, Any] = {"setting_low": [], "setting_high": [], "basis": None, "origin": ""}
"""What the first files of this version do not have."""
NEW: dict[str, Any] = {
    **LATER,
    "tolerance": 0.0,
    "stake": 0.0,
    "chances": {},
    "worth": [],
    "raw": None,
    "beside": {},
    "within": None,
    "share": 1.0,
    "words": {},
}
"""What older files do not have."""
NUMBERS = ("value", "low", "high", "in_sample", "tolerance", "stake", "share")
MAYBE_NUMBERS = ("margin", "margin_low", "margin_high")
KNOBS = ("knob", "knob_low", "knob_high", "setting_low", "setting_high")
MOST_CASES = 10**12
TEXTS = ("candidates", "models", "warnings")

FEWEST_CARRIERS = 0.99
"""The variance of a sample is carried by one case at least, up to rounding."""


@dataclass(frozen=True)
class Beside:
    """Another choice, and what the decision gains over it; both with 95 % intervals."""

    value: float
    low: float
    high: float
    gain: float
    gain_low: float
    gain_high: float

    @property
    def sure(self) -> bool:
        """Whether the gain is larger than chance explains."""
        return self.gain_low > 0.0


@dataclass(frozen=True)
class Basis:
    """What later checks must know of the cases that a decision was made on."""

    standard_error: float
    """Standard error of the value."""
    carriers: float
    """Effective number of units behind the variance: their number over their kurtosis."""
    units: float
    """The number of independent cases, or clusters."""
    freedom: float | None
    """Degrees of freedom of the standard error if cases are in order of time."""
    inflation: float
    """Ratio of the variance to that of independent cases."""
    tuning_loss: float
    """What the setting is expected to lose per case for having been learned from these cases."""
    regret: float
    """What the choice of the model loses per case, exceeded with a probability of 2 %."""
    candidates: tuple[tuple[float, ...], ...] = ()
    """Other settings, from which checks learn what is best now: for each number of the setting."""


def decision_schema() -> dict[str, Any]:
    """Return the JSON Schema of a decision's file.

    It describes files of the current version, for programs in other languages that read them.

    Returns
    -------
    dict
        The schema, as plain values (draft 2020-12).

    Examples
    --------
    >>> from roctopus.comparison import decision_schema
    >>> decision_schema()["properties"]["model"]["type"]
    'string'
    """
    text = files("roctopus").joinpath("concepts", "decision.schema.json").read_text("utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def read_parts(body: Any, where: str, names: set[str]) -> dict[str, Any]:
    """Check a decision's content, and return its parts with their types."""
    old = isinstance(body, dict) and body.get("schema_version") in (1, 2)
    rest = check_record(
        body,
        where,
        "a decision",
        SCHEMA_VERSION,
        (names - NEW.keys() - {"verdict"}) | OLD if old else names,
        "Make the decision again instead of editing its record.",
        optional={"responses"} if old else LATER.keys(),
    )
    try:
        whole = _renewed(rest) if old else {**LATER, **rest}
        whole |= {"schema_version": SCHEMA_VERSION}
        check_schema({**whole, "checksum": body["checksum"]}, decision_schema())
        made = _typed(whole)
        _refuse_impossible(made)
    except (TypeError, ValueError, KeyError, AttributeError, OverflowError) as error:
        raise InputError(f"{where} cannot be read as a decision: {error}.") from None
    if made["model"] not in (*made["models"], *made["beside"]):
        raise InputError(
            f"{where} says that {made['model']!r} was chosen, but its list of models to choose "
            "from does not contain that model."
        )
    return made


def _refuse_impossible(made: Mapping[str, Any]) -> None:
    """Raise an error for parts that cannot occur together."""
    size = len(made["knob"])
    for name in KNOBS:
        if len(made[name]) not in ((size,) if name in KNOBS[:3] else (0, size)):
            raise ValueError(f"'{name}' does not fit 'knob'")
        if any(each != each for each in made[name]):
            raise ValueError(f"'{name}' contains something that is not a number")
    if (made["knob_name"] is None) != (size == 0):
        raise ValueError("'knob_name' does not fit 'knob'")
    if len(made["setting_low"]) != len(made["setting_high"]):
        raise ValueError("'setting_low' does not fit 'setting_high'")
    for low, high in (("knob_low", "knob_high"), ("setting_low", "setting_high")):
        if any(a > b for a, b in zip(made[low], made[high], strict=True)):
            raise ValueError(f"'{low}' lies above '{high}'")
    for name in ("stays_best", "within"):
        if made[name] is not None and not made[name][0] <= made[name][1]:
            raise ValueError(f"the ends of '{name}' are not in order")
    for name in ("models", "candidates"):
        twice = [each for each in made[name] if made[name].count(each) > 1]
        if twice:
            raise ValueError(f"'{name}' contains {twice[0]!r} twice")
    basis = made["basis"]
    spread = 1.0 if basis is None else basis.standard_error
    if made["cases"] > MOST_CASES or not (made["cases"] * spread <= LARGEST or spread == math.inf):
        raise ValueError("'cases' is too large")
    for name in NUMBERS:
        if not (abs(made[name]) <= LARGEST or math.isinf(made[name])):
            raise ValueError(f"'{name}' is outside the possible range")
    for name in ("tolerance", "stake"):
        if not made[name] >= 0.0:
            raise ValueError(f"'{name}' must be zero or more, but is {made[name]:g}")
    lacking = {"mean", "cells", "mean_unit"} - set(made["context"])
    if "contexts" in made["context"] and lacking:
        raise ValueError(f"'context.{min(lacking)}' is missing")
    unit = made["context"].get("mean_unit")
    if unit is not None and not 0.0 < unit <= LARGEST:
        raise ValueError("'context.mean_unit' is not a positive number")
    known = {*made["models"], *made["beside"]}
    for name in ("candidates", "chances", "responses"):
        strange = set(made[name]) - known
        if strange:
            raise ValueError(f"'{name}' contains {min(strange)!r}, which is not one of the models")
    strange = {model for _, _, model, _ in made["regions"]} - set(made["models"])
    if strange:
        raise ValueError(f"'regions' contains {min(strange)!r}, which is not one of the models")


def _renewed(rest: dict[str, Any]) -> dict[str, Any]:
    """Return the parts of an older file as this version has them."""
    kept = {name: each for name, each in rest.items() if name not in OLD}
    return {"responses": {}, **kept, **NEW, "verdict": OLD_ANSWERS[rest["answer"]]}


def _float(value: Any) -> float:
    return float(number(value))


def _typed(rest: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parts of a decision with their types."""
    made: dict[str, Any] = {**rest, "schema_version": SCHEMA_VERSION}
    made["responses"] = read_responses(rest["responses"])
    for name in NUMBERS + MAYBE_NUMBERS:
        made[name] = None if rest[name] is None else _float(rest[name])
    for name in KNOBS:
        made[name] = tuple(map(_float, rest[name]))
    for name in TEXTS:
        made[name] = tuple(str(each) for each in rest[name])
    for name in ("stays_best", "within"):
        if rest[name] is not None:
            low, high = map(_float, rest[name])
            made[name] = (low, high)
    made["regions"] = tuple(
        (_float(low), _float(high), str(model), tuple(map(_float, k)))
        for low, high, model, k in rest["regions"]
    )
    if rest["verdict"] not in get_args(Verdict):
        raise ValueError(f"'verdict' cannot be {rest['verdict']!r}")
    made["chances"] = {str(name): _float(each) for name, each in rest["chances"].items()}
    made["worth"] = tuple((int(count), _float(each)) for count, each in rest["worth"])
    made["raw"] = None if rest["raw"] is None else _beside(rest["raw"])
    made["beside"] = {str(name): _beside(each) for name, each in rest["beside"].items()}
    made["words"] = {str(name): str(each) for name, each in rest["words"].items()}
    made["basis"] = None if rest["basis"] is None else _basis(rest["basis"])
    made["origin"] = str(rest["origin"])
    return made


def _beside(held: Mapping[str, Any]) -> Beside:
    return Beside(**{str(name): _float(each) for name, each in held.items()})


def _basis(held: Mapping[str, Any]) -> Basis:
    """Read what checks need; numbers that no sample can have led to raise an error."""
    numbers: dict[str, Any] = {
        str(name): None if each is None else _float(each)
        for name, each in held.items()
        if name != "candidates"
    }
    if not all(each is None or each >= 0.0 for each in numbers.values()):
        raise ValueError("a number in 'basis' is negative")
    if not all(each is None or each <= LARGEST or each == math.inf for each in numbers.values()):
        raise ValueError("a number in 'basis' is too large")
    if 0.0 < numbers["carriers"] < FEWEST_CARRIERS:
        raise ValueError("'carriers' is less than one case")
    return Basis(**numbers, candidates=tuple(tuple(map(_float, e)) for e in held["candidates"]))
