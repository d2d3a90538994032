"""The answer to a question: what is printed for people, and for machines."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any, cast

import numpy as np

from roctopus._version import __version__
from roctopus.cli.contexts import ArmQuestion, own_contexts, read_question, said_of
from roctopus.cli.data import Cases
from roctopus.cli.options import words
from roctopus.cli.request import Request
from roctopus.comparison import Comparison, Knowing, compare
from roctopus.comparison.answers import Answer
from roctopus.concepts.arm import Arm
from roctopus.concepts.asking import read_number
from roctopus.concepts.decision import Decision
from roctopus.concepts.envelopes import Envelope
from roctopus.concepts.problem import Problem
from roctopus.concepts.records import plain
from roctopus.core.errors import InputError, collected_warnings
from roctopus.inference.aims import Aim

SCHEMA_VERSION = 2
MOST_SEGMENTS = 200


@dataclass(frozen=True, eq=False)
class Answered:
    """The answer to a question that was put on the command line, and what stands around it."""

    question: ArmQuestion
    comparison: Any
    """A comparison in memory, or beyond it."""
    answer: Answer
    knowing: Knowing | None
    segments: list[tuple[str, int, Decision | str]]
    """Per value of the column: cases, and the decision there, or why there is none."""
    notes: list[str]

    @property
    def decision(self) -> Decision:
        """What is stored of the answer."""
        return self.answer.decision

    @property
    def envelope(self) -> Envelope:
        """Which model is best where, under the costs that were asked for."""
        found: Envelope = self.comparison.envelope_of(self.asked[0])
        return found

    @cached_property
    def asked(self) -> tuple[Problem, Aim]:
        """The problem under the costs that were asked for, and what was asked."""
        return aim_of(self.comparison, self.question.aim)

    def to_json(self) -> str:
        """Return everything as text for machines, by the published schema."""
        decision = self.decision
        body = {
            "schema_version": SCHEMA_VERSION,
            "library_version": __version__,
            "arm": decision.arm,
            "cases": decision.cases,
            "models": list(decision.models),
            "context": decision.context,
            "assumed": self.question.assumed,
            "sentence": decision.sentence,
            "verdict": decision.verdict,
            "rows": [asdict(row) for row in self.answer.rows],
            "regions": [
                {"low": low, "high": high, "model": model}
                for low, high, model in self.envelope.regions
            ],
            "knowing": None if self.knowing is None else _of_knowing(self.knowing),
            "segments": [_of_segment(*each) for each in self.segments],
            "decision": json.loads(decision.to_json()),
            "notes": self.notes,
        }
        return as_json(body)


def as_json(body: dict[str, Any]) -> str:
    """Return text for machines that no terminal obeys: control characters are written as codes."""
    text = json.dumps(plain(body), indent=2, ensure_ascii=False)
    return re.sub("[\x7f-\x9f]", lambda match: f"\\u{ord(match[0]):04x}", text)


def parts_of(thing: Any, *names: str) -> dict[str, Any]:
    """Return parts of something by name; those whose own parts have names as dicts, too."""
    found = {name: getattr(thing, name) for name in names}
    return {k: each._asdict() if hasattr(each, "_asdict") else each for k, each in found.items()}


def _of_knowing(found: Knowing) -> dict[str, Any]:
    policies = {name: getattr(found, name).value for name in ("following", "frozen", "untuned")}
    return {
        "sentence": found.sentence,
        **parts_of(found, "worth", "worth_low", "worth_high"),
        **policies,
        **parts_of(found, "in_sample"),
        "question": None if found.question is None else found.question.text,
    }


def _of_segment(value: str, cases: int, found: Decision | str) -> dict[str, Any]:
    refused = found if isinstance(found, str) else None
    decision = None if isinstance(found, str) else json.loads(found.to_json())
    return {"value": value, "cases": cases, "decision": decision, "refused": refused}


def make_comparison(cases: Cases, question: ArmQuestion, request: Request) -> Comparison:
    """Compare the models."""
    truth, predictions = cases.truth, cast(Any, cases.predictions)
    if cases.others is not None:
        import pyarrow as pa

        others = zip(cases.others.column_names, cases.others.columns, strict=True)
        predictions = pa.table({**dict(others), **predictions})
        truth = np.array(truth)  # a list would name columns
    found: Comparison = compare(
        truth,
        predictions,
        models=list(cases.predictions),
        arm=question.arm.name,
        sample_weight=cases.extra.get("weight"),
        clusters=cases.extra.get("clusters"),
        time=cases.extra.get("time"),
        missing=request["missing"],
        **question.options,
    )
    return found


def answer_question(
    cases: Cases, request: Request, arm: Arm, stage: Callable[[str], None], read: list[str]
) -> Answered:
    """Find the answer; ``stage`` is told what is being done, ``read`` was noted while reading."""
    with collected_warnings(words()) as caught:
        question = read_question(request, cases, arm)
        stage("comparing")
        comparison = make_comparison(cases, question, request)
        found = comparison.answer(**question.aim, **weighing_of(request))
        stage("which model is best where")
        distribution = question.aim.get("distribution")
        known = distribution is not None and comparison.envelope.regions
        knowing = comparison.value_of_knowing(distribution) if known else None
        stage("segments")
        segments = _segments(cases, request, question) if request["by"] is not None else []
    told = {comparison.dependent}  # it was said already, with options in place of arguments
    notes = [*read, *caught, *(each for each in found.decision.warnings if each not in told)]
    if len(comparison.models) == 1:
        notes.append("There is only one model, so only its setting is chosen.")
    return Answered(question, comparison, found, knowing, segments, list(dict.fromkeys(notes)))


def weighing_of(request: Request) -> dict[str, Any]:
    """Return how models are to be weighed: what does not matter, and whether baselines may win."""
    said = request["tolerance"]
    tolerance = None if said is None else read_number(said, "tolerance")
    return {"tolerance": tolerance, "models_only": request["models_only"]}


def aim_of(comparison: Any, aim: Mapping[str, Any]) -> tuple[Problem, Aim]:
    """Read what ``decide`` is asked, which is a context, a range or a distribution."""
    given = dict(aim)
    asked = [given.pop(name, None) for name in ("between", "criterion", "distribution")]
    found: tuple[Problem, Aim] = comparison.aim(*asked, given)
    return found


def _segments(
    cases: Cases, request: Request, question: ArmQuestion
) -> list[tuple[str, int, Decision | str]]:
    """Ask the same for every value of a column; a capacity is shared by size."""
    by = np.array([str(each) for each in cases.extra["by"]])
    names, codes = np.unique(by, return_inverse=True)
    if len(names) > MOST_SEGMENTS:
        raise InputError(
            f"The column {request['by']!r} (--by) may have at most {MOST_SEGMENTS} different "
            f"values, but has {len(names)}."
        )
    found: list[tuple[str, int, Decision | str]] = []
    for code, name in enumerate(names.tolist()):
        rows = np.flatnonzero(codes == code)
        try:
            part = cases.take(rows)
            said, share = said_of(request, part, question.arm), len(rows) / len(cases)
            options = question.arm.part(question.options, said, share)
            if "context" in question.options:
                options["context"] = own_contexts(request, part, question.arm)
            asked = replace(question, options=options)
            comparison = make_comparison(part, asked, request)
            decision = comparison.decide(**question.aim, **weighing_of(request))
            found.append((name, len(rows), decision))
        except InputError as refusal:
            found.append((name, len(rows), refusal.said(words())))
    return found
